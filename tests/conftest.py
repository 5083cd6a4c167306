"""What every test runs under: the same examples, signals and surroundings on every machine."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests.engines import FORMS, under

COMMON = {
    "deadline": None,
    "suppress_health_check": [
        HealthCheck.function_scoped_fixture,  # they choose the engine, the same for all examples
        HealthCheck.too_slow,  # a busy machine is no fault
    ],
}
settings.register_profile("fixed", max_examples=4, derandomize=True, database=None, **COMMON)
settings.register_profile("soak", max_examples=300, print_blob=True, **COMMON)
AHEAD = 8
"""how many tests a worker knows of, so that it does not wait for the next one"""
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "fixed")
settings.load_profile(PROFILE)

if PROFILE == "fixed":
    # Constants of all modules loaded so far would go into the examples, which then depend on the
    # tests that ran before on the same worker.
    NO_CONSTANTS = providers.Constants()
    providers._get_local_constants = lambda: NO_CONSTANTS

UNSET = (
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "FORCE_COLOR",
    "SOURCE_DATE_EPOCH",
    "TMOUT",
    "PYTHONDONTWRITEBYTECODE",  # the package would be compiled anew by every process
)
SPEAKING = ("LANG", "LANGUAGE", "LC_", "TZ", "ASSAY_API", "OPENAI_", "XDG_", "GIT_")
"""how names of variables begin that programs listen to"""


@pytest.fixture(scope="session", autouse=True)
def _same_surroundings(tmp_path_factory: pytest.TempPathFactory):
    """Depend on no locale, home, terminal, proxy or key of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name in UNSET or name.startswith(SPEAKING) or name.lower().endswith("_proxy"):
                patch.delenv(name)
        for name, value in (("LC_ALL", "C.UTF-8"), ("TZ", "UTC"), ("TERM", "dumb")):
            patch.setenv(name, value)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _signals_that_arrive():
    """Take signals as they come: what was started in the background begins with them ignored."""
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGHUP: signal.SIG_DFL}
    for number, handler in usual.items():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.fixture(autouse=True)
def _no_silent_arithmetic():
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        yield


@pytest.fixture(params=FORMS)
def engine(request):
    """Run the test once per engine."""
    with under(request.param):
        yield request.param


TOGETHER = {
    "tests/produce/test_real_model.py": "model",
    "tests/report/browser/test_browser.py": "pages",
    "tests/report/test_page.py": "pages",
    "tests/report/browser/": "boards",
    "tests/cli/test_report.py": "documents",
    "tests/test_docs.py": "documents",
}
"""what is made or started once for a whole run, and the tests that use it"""


APART = "tests/fuzz/"
"""tests so slow that each is handed out by itself"""
COVERING = (
    "tests/metrics/",
    "tests/derive/",
    "tests/kernels/",
    "tests/produce/test_tokens.py",
    "tests/families/selective/test_curves.py",
    "tests/test_calibrators.py",
    "tests/test_columns.py",
    "tests/test_estimating.py",
    "tests/test_inference.py",
    "tests/test_intervals_by_kind.py",
    "tests/test_registry.py",
    "src/",
)
"""tests that must reach every branch of the formulas; CI follows them in a run of their own, since
even a test that is not followed takes half as long again beside those that are"""


def group_of(nodeid: str) -> str:
    """Return what one worker does in one go: the tests of a function, or that share something."""
    shared = (group for start, group in TOGETHER.items() if nodeid.startswith(start))
    alone = nodeid if nodeid.startswith(APART) else nodeid.partition("[")[0]
    return next(shared, alone)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files that only the other of CI's two runs is about: importing takes long."""
    asked = str(config.option.markexpr)
    if not asked.removeprefix("not ").startswith("formulas") or collection_path.is_dir():
        return None
    place = collection_path.relative_to(config.rootpath).as_posix()
    return True if place.startswith(COVERING) == asked.startswith("not ") else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Look for examples in the source, not among the tests, where none are."""
    found = yield
    return [each for each in found if type(each).__name__ != "DoctestModule"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, and mark the tests that are about formulas."""
    items.sort(key=lambda item: not item.nodeid.startswith((*TOGETHER, APART)))
    for item in items:
        if item.nodeid.startswith(COVERING):
            item.add_marker("formulas")


def pytest_collection_finish() -> None:
    """Let nobody look for rubbish among the tests and modules, again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log):
    """Hand out groups ahead, and forget those that are done: all are counted after every test.

    Groups are told by the names of tests: with pytest 9.2, marks for xdist have no effect.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Ahead(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return group_of(nodeid)

        def _reschedule(self, node):
            super()._reschedule(node)
            while self.workqueue and not node.shutting_down and self._few(node):
                self._assign_work_unit(node)

        def _few(self, node):
            return self._pending_of(self.assigned_work[node]) < AHEAD

        def _pending_of(self, workload):
            for scope in [scope for scope, tests in workload.items() if all(tests.values())]:
                del workload[scope]
            return super()._pending_of(workload)

    return Ahead(config, log) if config.getvalue("dist") == "loadscope" else None
