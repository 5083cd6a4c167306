"""Write what the commands give for small inputs anew, after a change that is meant.

    python -m tests.golden.commands

Numbers are read by `tests.accessors`, so that the files do not depend on how an artifact is nested.
The files of `version1` are never written again: they are artifacts in their first shape, of the
commands of the same names with 50 resamples, and `calibrator.json.gz`.
"""

from __future__ import annotations

import io
import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import msgspec
import numpy as np
import pytest

from assay.cli import main as assay
from tests.accessors import everything
from tests.engines import FORMS
from tests.golden import reasoning, verdicts

HERE = Path(__file__).parent
NUMBERS, SEEDS, VERSION_1 = (HERE / name for name in ("numbers", "seed_files", "version1"))
SHOWN = HERE.parent / "report" / "snapshots"
MADE_ON = NUMBERS / "made_on.txt"
WHEN = "1767323045"
RESAMPLES = (0, 50)
BINARY = ("--y-true", "y", "--y-score", "p")
BOUNDS = ("--y", "y", "--low", "low", "--up", "up")
TWO_BOUNDS = (*BOUNDS, "--low", "low2", "--up", "up2")
GROUPED = ("--cluster", "who", "--group", "site")
RUN = ("--input", "two_modes.json", "--mode")
ITEMS = ("--input", "items.csv", "--participant", "participant", "--item", "item")
JUDGED = ("--ground-truth", "ground_truth.json", "--reviews", "reviews.jsonl")
GENERATED = ("--generations", "results", "--vignettes", "vignettes.json")

NUMBERS_OF: dict[str, tuple[str, ...]] = {
    "calibration_columns": ("scores.csv", *BINARY, "--y-score", "q", *GROUPED),
    "calibration_files": (
        *("scores.csv", "later.csv", *BINARY, "--strategy", "quantile", "--bins", "4"),
        *("--p-value", "monte-carlo", "--draws", "99", "--cluster", "who"),
    ),
    "calibration_three": ("scores.csv", *BINARY, "--y-score", "q", "--y-score", "no"),
    "calibration_mapie": (
        *("scores.csv", "--y-true", "y", "--y-prob", "no,p", "--classes", "0,1"),
        *("--preset", "mapie", "--bins", "8"),
    ),
    "calibration_scikit-learn": ("scores.csv", *BINARY, "--preset", "scikit-learn"),
    "calibration_classes": (
        *("scores.csv", "--y-true", "animal", "--y-prob", "cat,dog,eel"),
        *("--y-prob", "cat2,dog2,eel2", "--classes", "cat,dog,eel", "--cluster", "who"),
    ),
    "calibration_gaps": ("gaps.csv", *BINARY, "--missing", "drop"),
    "calibration_run": (
        *("two_modes.json", "--mode", "few_shot", "--confidence", "token_msp,verbalized"),
    ),
    "calibration_runs": (
        *("two_modes.json", "two_modes.json", "--mode", "zero_shot", "--mode", "few_shot"),
        *("--confidence", "token_msp", "--intersection-only"),
    ),
    "calibration_undefined": ("sure.csv", *BINARY, "--bins", "2", "--group", "where"),
    "intervals_columns": ("claims.csv", *TWO_BOUNDS, "--low", "low3", "--up", "up3", *GROUPED),
    "intervals_levels": ("claims.csv", *TWO_BOUNDS, "--level", "0.8,0.95", "--groups", "2"),
    "intervals_files": ("claims.csv", "newer.csv", *TWO_BOUNDS, "--level", "0.8,0.95"),
    "intervals_mapie": ("crossed.csv", *BOUNDS, "--preset", "mapie"),
    "intervals_printed": ("claims.csv", *BOUNDS, "--preset", "printed", "--cluster", "who"),
    "intervals_undefined": ("wide.csv", *BOUNDS),
    "sets_columns": (*("sets.csv", "--y", "animal", "--set", "large", "--set", "other", *GROUPED),),
    "sets_levels": (
        *("sets.csv", "--y", "animal", "--set", "small", "--set", "large"),
        *("--level", "0.6,0.95", "--groups", "2"),
    ),
    "sets_flags": (
        *("sets.csv", "--y", "animal", "--set", "cat,dog,eel", "--preset", "printed"),
        *("--cluster", "who"),
    ),
    "sets_mapie": ("sets.csv", "--y", "animal", "--set", "cat,dog,eel", "--preset", "mapie"),
    "sets_undefined": (*("empty.csv", "--y", "animal", "--set", "set", "--classes", "cat,dog"),),
    "selective_confidences": (*RUN, "few_shot", "--confidence", "llm,token_msp"),
    "selective_reference": (
        *(*RUN, "zero_shot", *RUN, "few_shot", "--confidence", "llm", "--preset", "reference"),
    ),
    "selective_groups": (
        *(*ITEMS, "--group", "group", "--scale", "0,3", "--confidence", "confidence"),
        *("--preset", "item-step", "--threshold", "0.5"),
    ),
    "verdicts_pair": ("--results", "direct.json", "--results", "checked.json", *JUDGED),
    "verdicts_reference": ("--results", "direct.json", *JUDGED, "--preset", "reference"),
    "reasoning_pair": (
        *(*GENERATED, "--gold-labels", "gold_labels.json", "--bias-cases", "bias_cases.json"),
        *("--cluster", "persona", "--denominator", "usable"),
    ),
    "reasoning_seed": (
        *("results/guarded", *GENERATED[2:], "--gold-labels", "gold_labels.json"),
        *("--preset", "seed"),
    ),
}
"""golden file, whose first word is the command: what is given to it"""
SHOWN_OF = {
    "calibration.txt": ("calibration_columns",),
    "calibration_full.txt": ("calibration_columns", "--full"),
    "calibration_classes.txt": ("calibration_classes",),
    "calibration_undefined.txt": ("calibration_undefined",),
    "intervals.txt": ("intervals_columns",),
    "intervals_levels.txt": ("intervals_files",),
    "intervals_undefined.txt": ("intervals_undefined",),
    "sets.txt": ("sets_columns",),
    "sets_levels.txt": ("sets_levels",),
    "sets_undefined.txt": ("sets_undefined",),
    "selective_groups_full.txt": ("selective_groups", "--full"),
    **{
        f"{family}.{form}": (f"{family}_columns", "--format", form)
        for family in ("calibration", "intervals", "sets")
        for form in ("md", "tex", "csv")
    },
}
"""file: whose numbers are shown, and how"""
SEED_POPULATION = ("participants_total", "participants_included", "participants_failed")
SEED_COMPARISON = (
    *("enabled", "intersection_only", "deltas", "participants_left_only"),
    *("participants_right_only", "overlap_total", "overlap_included"),
    *("failed_left", "failed_right"),
)
SEED_VARIANT = (
    *("cmax", "aurc_full", "augrc_full", "aurc_at_c", "augrc_at_c", "aurc_at_coverage"),
    *("augrc_at_coverage", "mae_at_coverage", "mae_grid", "aurc_optimal", "augrc_optimal"),
    *("eaurc", "eaugrc", "aurc_achievable", "interpretation", "bootstrap"),
)


@cache
def _laid_out() -> TemporaryDirectory[str]:
    """Write every input into a folder that lasts as long as the process."""
    made = TemporaryDirectory()
    folder = Path(made.name)
    shutil.copytree(HERE / "inputs", folder, dirs_exist_ok=True)
    shutil.copy(HERE / "two_modes.json", folder)
    verdicts.write_inputs(folder, n_cases=6)
    reasoning.write_inputs(folder, ("guarded", "steady"), n_vignettes=6)
    return made


@contextmanager
def inputs() -> Iterator[Path]:
    """Work in a folder that holds every input."""
    with chdir(_laid_out().name), patch.dict(os.environ, {"SOURCE_DATE_EPOCH": WHEN}):
        os.environ.pop("COLUMNS", None)
        yield Path.cwd()


def printed(*words: str) -> str:
    """Run a command and return what it prints."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        assay([*words])
    err.flush()
    assert not ended.value.code, err.buffer.getvalue().decode()
    out.flush()
    return out.buffer.getvalue().decode()


def command(name: str, n_resamples: int = 50) -> list[str]:
    """Return the words of one of the commands above."""
    given = ("--bootstrap-resamples", str(n_resamples), "--seed", "7", "--threads", "1")
    return [name.partition("_")[0], *NUMBERS_OF[name], *given]


@cache
def artifact(name: str, n_resamples: int) -> dict[str, Any]:
    """Return the artifact that a command writes."""
    with inputs():
        return json.loads(printed(*command(name, n_resamples), "--json", "--quiet"))


def golden(name: str, n_resamples: int) -> dict[str, Any]:
    """Return the numbers of an artifact; without resamples only what each of them is."""
    found = everything(artifact(name, n_resamples))
    return found if n_resamples else _values(found)


def _values(found: Any) -> Any:
    match found:
        case {"value": value}:
            return found["reason"] if value is None else value
        case dict():
            return {key: _values(each) for key, each in found.items() if key != "parts"}
        case list():
            return [_values(each) for each in found]
    return found


def shown(name: str) -> str:
    """Return what a command prints for people."""
    what, *how = SHOWN_OF[name]
    with inputs():
        text = printed(*command(what), *how, "--output", "artifact.json")
    return re.sub(r"assay \S+, (compiled|numpy) kernels", "assay", text)


def seed_files() -> dict[str, bytes]:
    """Return the files whose names and keys are those of earlier programs."""
    found = {
        f"{name}.json": _json(seed_keys(artifact(name, 50)))
        for name in ("selective_confidences", "selective_reference", "selective_groups")
    }
    with inputs() as folder:
        again = ("--results-output", "evaluated.json", "--unified-scores", "--quiet")
        printed(*command("verdicts_reference"), *again)
        found["results.json"] = (folder / "evaluated.json").read_bytes()
        printed(*command("reasoning_pair"), "--output", "out", "--force", "--quiet")
        for place in sorted((folder / "out").rglob("*.json*")):
            path = place.relative_to(folder / "out").as_posix()
            if path not in {"reasoning.json", "stages.json"}:
                found[path] = place.read_bytes()
    return found


def seed_keys(held: dict[str, Any]) -> dict[str, Any]:
    """Return what of a selective artifact is spelled as an earlier program does."""
    variants = held["confidence_variants"].items()
    two = held["comparison"]["enabled"]
    return {
        "population": _kept(held["population"], (*SEED_POPULATION, "items_total")),
        "confidence_variants": {
            name: {side: _seed_variant(each[side]) for side in each} if two else _seed_variant(each)
            for name, each in variants
        },
        "comparison": {
            **_kept(held["comparison"], SEED_COMPARISON),
            "deltas": _seed_deltas(held["comparison"]["deltas"]),
        },
    }


def _seed_variant(held: dict[str, Any]) -> dict[str, Any]:
    lines = ("coverage", "selective_risk", "generalized_risk", "threshold")
    return {**_kept(held, SEED_VARIANT), "curve": _kept(held["curve"], lines)}


def _seed_deltas(held: dict[str, Any] | None) -> dict[str, Any] | None:
    return held and {
        name: {label: _kept(each, ("delta", "ci95")) for label, each in found.items()}
        for name, found in held.items()
    }


def _kept(held: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """Return some of the keys in the order of the file."""
    missing = {*keys} - {*held}
    assert not missing, missing
    return {key: each for key, each in held.items() if key in keys}


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def machine() -> str:
    """Return what the last bit of a number may depend on."""
    simd = np.show_config(mode="dicts")["SIMD Extensions"]
    parts = (platform.machine(), *platform.libc_ver(), "numpy", np.__version__, *FORMS)
    return " ".join((*parts, *simd["found"])) + "\n"


def lines_of(value: Any, depth: int = 0) -> str:
    """Write JSON with a line per number or sentence, so that differences can be read."""
    texts = type(value) is list and any(type(each) is str and " " in each for each in value)
    inside = value.values() if type(value) is dict else value if type(value) is list else ()
    if not texts and not any(type(each) in {dict, list} and each for each in inside):
        return json.dumps(value, ensure_ascii=False)
    if type(value) is dict:
        inner = [f"{json.dumps(key)}: {lines_of(each, depth + 1)}" for key, each in value.items()]
    else:
        inner = [lines_of(each, depth + 1) for each in value]
    begin, end = "{}" if type(value) is dict else "[]"
    pad = "\n" + " " * (depth + 1)
    return begin + pad + f",{pad}".join(inner) + pad[:-1] + end


def main() -> None:
    """Write every file."""
    for folder in (NUMBERS, SEEDS):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    for name in NUMBERS_OF:
        for n_resamples in RESAMPLES:
            text = lines_of(golden(name, n_resamples)) + "\n"
            (NUMBERS / f"{name}_{n_resamples}.json").write_text(text, encoding="utf-8")
    MADE_ON.write_text(machine(), encoding="utf-8")
    for name in SHOWN_OF:
        (SHOWN / name).write_text(shown(name), encoding="utf-8")
    for path, data in seed_files().items():
        (SEEDS / path).parent.mkdir(parents=True, exist_ok=True)
        (SEEDS / path).write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
