"""A worker that is killed in the middle changes nothing: what it did is done once more."""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import threading
import time
import warnings
from pathlib import Path

import msgspec
import numpy as np
import polars as pl
import psutil
import pytest

import assay

pytestmark = pytest.mark.slow
N_FILES = 24
ASKED = {"y_true": "y", "y_prob": "p", "cluster": "pid", "n_resamples": 10}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder, draw = tmp_path_factory.mktemp("killed"), np.random.default_rng(2)
    for number in range(N_FILES):
        n = 60_000
        own = {"pid": draw.integers(0, 300, n), "y": draw.integers(0, 2, n), "p": draw.random(n)}
        pl.DataFrame(own).write_parquet(folder / f"{number:02}.parquet")
    return folder


def digest(frame):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = assay.evaluate("calibration", data=frame, **ASKED)
    return hashlib.sha256(msgspec.json.encode(result.artifact.systems)).hexdigest()


@pytest.fixture(scope="module")
def undisturbed(files):
    return digest(pl.scan_parquet(str(files / "*.parquet")))


def killing(ready, victims, killed):
    """Wait until something is being done, and kill one of those who do it."""
    for _ in range(60_000):
        # Processes come and go while they are listed: whoever is found first is taken.
        for victim in victims()[:1] if ready() else ():
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)
            return
        time.sleep(0.01)


def run(frame, ready, victims):
    killed: list[int] = []
    watch = threading.Thread(target=killing, args=(ready, victims, killed), daemon=True)
    watch.start()
    result = digest(frame)
    watch.join(timeout=60)
    assert len(killed) == 1
    return result


def test_a_dask_worker_is_killed(files, undisturbed):
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as made,
        Client(made) as client,
    ):
        workers = [worker.pid for worker in made.workers.values()]

        def ready():
            return any(client.processing().values())

        frame = dd.read_parquet(str(files / "*.parquet"))
        assert run(frame, ready, lambda: workers) == undisturbed


def is_executor(process):
    with contextlib.suppress(psutil.Error):  # it may be gone by now
        parts = process.cmdline()
        return "java" in process.name() and any("CoarseGrainedExecutorBackend" in p for p in parts)
    return False


def test_a_spark_executor_is_killed(files, undisturbed, monkeypatch):
    import pyspark
    from pyspark.sql import SparkSession

    monkeypatch.setenv("SPARK_HOME", str(Path(pyspark.__file__).parent))
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.ui.showConsoleProgress": "false",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        status = session.sparkContext.statusTracker()

        def ready():
            stages = [status.getStageInfo(each) for each in status.getActiveStageIds()]
            return any(stage is not None and stage.numCompletedTasks for stage in stages)

        def executors():
            below = psutil.Process().children(recursive=True)
            return [each.pid for each in below if is_executor(each)]

        frame = session.read.parquet(str(files))
        assert run(frame, ready, executors) == undisturbed
    finally:
        session.stop()
