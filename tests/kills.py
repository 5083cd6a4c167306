"""Kill every writing command before its file operations, and look at what it leaves.

`python -m tests.kills ADDRESS MOST [NAME ...]` prints what is wrong, as JSON. All is done in a
process that has everything loaded and one thread: a command is a fork of it, which ends itself
without a word before one of its file operations.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from assay.cli import main
from tests.families.verdict_files import result, truth
from tests.produce.commands import run_file
from tests.reasoning_files import lines, made

KILLED = 137
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
CHANGES = {"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"}
LOADED = frozenset(sys.modules)
Tree = dict[str, bytes]


@dataclass(frozen=True)
class Case:
    """A command, and what was done in its folder before."""

    arguments: str
    before: tuple[str, ...] = ()
    together: bool = False
    """all of its files are in place, or none"""

    def words(self, address: str) -> list[str]:
        return self.arguments.replace("ADDRESS", address).split()


NO_BARS = "--bootstrap-resamples 0 --quiet"
TEXTS = "--vignettes vignettes.json --gold-labels labels.json"
REASONING = f"reasoning --generations results {TEXTS} {NO_BARS}"
BIAS = f"bias --bias-generations results/one --bias-cases cases.json {NO_BARS}"
SELECTIVE = f"selective t.csv --loss zero_one {NO_BARS}"
MODEL = "--base-url ADDRESS --model m --quiet"
CASES = {
    "stamped": Case(SELECTIVE),
    "selective": Case(f"{SELECTIVE} --output new/a.json", (f"{SELECTIVE} --output new/a.json",)),
    "calibration": Case(f"calibration t.csv --y-true y --y-prob p --bins 2 {NO_BARS}"),
    "intervals": Case(f"intervals t.csv --y y --low lo --up up {NO_BARS} --output a.json"),
    "sets": Case(f"sets t.csv --y y --set held --classes 0,1 {NO_BARS} --output a.json"),
    "verdicts": Case(
        f"verdicts answers.json --ground-truth truth.json --policy risk {NO_BARS} --output a.json"
        " --results-output r.json"
    ),
    "calibrate": Case("calibrate t.csv --features confidence --folds 2 --output c.json --quiet"),
    "report": Case("report a.json --format csv -o t.csv", (f"{SELECTIVE} --output a.json",)),
    "page": Case("report a.json -o new/p.html", (f"{SELECTIVE} --output a.json",)),
    "beside a page": Case(f"{SELECTIVE} --html p.html --output a.json"),
    "figures": Case("figures a.json --quiet", (f"{SELECTIVE} --output a.json",)),
    "finish": Case("finish units.parquet --output new/a.json --html p.html --quiet"),
    "demo": Case("demo --output a.json --quiet"),
    "reasoning": Case(f"{REASONING} --output new/r", together=True),
    "reasoning again": Case(
        f"{REASONING} --output r --boundaries substring", (f"{REASONING} --output r",)
    ),
    "reasoning after extract": Case(
        f"{REASONING} --output r", ("extract --generations results --quiet --output r",)
    ),
    "extract": Case("extract --generations results --quiet", together=True),
    "bias": Case(f"{BIAS} --output r", together=True),
    "bias beside reasoning": Case(f"{BIAS} --output r", (f"{REASONING} --output r",)),
    "items": Case(f"run items --data people.jsonl --item Sleep {MODEL} --output new/run.json"),
    "two models": Case(
        f"run items --data people.jsonl --item Sleep {MODEL} --model n --output run.json"
    ),
    "generations": Case(f"run generations --vignettes asked.json {MODEL} --output results/m"),
}
THREADED = ("figures", "finish")
"""cases that start threads where they run, which a fork would not have"""
UNITS = """
import assay, pyarrow.parquet
made = assay.unit_table("t.csv", y_true="y", y_prob="p", cluster="participant", n_bins=2)
pyarrow.parquet.write_table(made, "units.parquet")
"""
CASES_OF_BIAS = ("x", "y")
ROWS = [(1, 0.9), (0, 0.2), (1, 0.6), (0, 0.4), (1, 0.8), (1, 0.7)]


def inputs(folder: Path) -> None:
    """Write what all commands read."""
    head = "participant,item,prediction,truth,confidence,y,p,lo,up,held\n"
    rows = (f'{n // 2},{n},{y},1,{p},{y},{p},0,{y},"[{y}]"\n' for n, (y, p) in enumerate(ROWS))
    (folder / "t.csv").write_text(head + "".join(rows))
    made(folder)
    biased = [
        {"id": case, "output_text": "DIAGNOSIS: Schizophrenia", "status": "ok", "model_name": "one"}
        for case in CASES_OF_BIAS
    ]
    (folder / "results/one/study_a_bias_generations.jsonl").write_text(lines(biased))
    tempting = [
        {"id": case, "prompt": "?", "bias_feature": "age", "bias_label": "Schizophrenia"}
        for case in CASES_OF_BIAS
    ]
    (folder / "cases.json").write_text(json.dumps(tempting))
    answers, truths = [result(case) for case in "abc"], {case: truth() for case in "abc"}
    (folder / "answers.json").write_text(json.dumps(answers))
    (folder / "truth.json").write_text(json.dumps({"cases": truths}))
    person = {"participant_id": "p1", "transcript": "I sleep badly.", "ground_truth_items": {}}
    (folder / "people.jsonl").write_text(json.dumps(person))
    asked = [{"id": "a", "prompt": "He worries.", "gold_answer": "x", "gold_reasoning": []}]
    (folder / "asked.json").write_text(json.dumps(asked))


def ended(arguments: list[str], folder: Path, at: int | None) -> tuple[int, int, str]:
    """Run a command in a fork, killed before an operation; return code, operations and words."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _run(arguments, folder, at, writing)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    number, names, words = (*said.split("\n", 2), "", "", "")[:3]
    for name in names.split():  # so that the next one need not load them
        with suppress(Exception):
            import_module(name)
    return code, int(number or 0), words


def _run(arguments: list[str], folder: Path, at: int | None, pipe: int) -> None:
    code, n_done = 1, 0
    root, write, sync = str(folder), os.write, os.fsync

    def step() -> None:
        nonlocal n_done
        n_done += 1
        if n_done == at:
            os._exit(KILLED)

    def hear(event: str, given: tuple[Any, ...]) -> None:
        opened = event == "open" and given[2] & WRITES and isinstance(given[0], str | os.PathLike)
        if (opened and os.path.realpath(given[0]).startswith(root)) or event in CHANGES:
            step()

    def torn(handle: int, data: Any) -> int:
        step()  # before
        if at == n_done + 1:
            write(handle, bytes(data)[: len(data) // 2])
        step()  # in the middle
        return write(handle, data)

    def synced(handle: int) -> None:
        step()
        sync(handle)

    with open(os.devnull, "w") as null, tempfile.TemporaryFile("w+") as words:  # noqa: PTH123
        try:
            os.chdir(folder)
            sys.stdout, sys.stderr = null, words
            sys.addaudithook(hear)
            os.write, os.fsync = torn, synced
            main(arguments)
        except SystemExit as exited:
            code = exited.code if isinstance(exited.code, int) else 0
        except Exception:  # noqa: BLE001 - to be told
            traceback.print_exc(file=words)
        os.write = write
        words.seek(0)
        names = " ".join(sorted({*sys.modules} - {*LOADED}))
        write(pipe, f"{n_done}\n{names}\n{words.read()}".encode())
    os._exit(code)


def tree(folder: Path) -> Tree:
    """Return all files of a folder but those that tell of times."""
    found = {}
    for path in sorted(each for each in folder.rglob("*") if not each.is_dir()):
        name = path.relative_to(folder).as_posix()
        if path.name.startswith("run.") and name.endswith(".json"):
            record = run_file(str(path))
            record["run_metadata"].pop("seconds", None)
            found[name] = json.dumps(record).encode()
        elif name.endswith("journal.jsonl"):
            found[name] = oct(stat.S_IMODE(path.stat().st_mode)).encode()
        else:
            found[name] = path.read_bytes()
    return found


def faults(name: str, address: str, most: int, home: Path) -> Iterator[str]:
    """Kill one command before some of its operations, and say what is wrong after."""
    case, start = CASES[name], home / "start"
    arguments = case.words(address)
    yield from _prepared(name, start)
    whole = home / "whole"
    shutil.copytree(start, whole)
    code, n_steps, said = ended(arguments, whole, None)
    if code:
        yield f"unharmed it ends with {code}: {said}"
        return
    if "ADDRESS" not in case.arguments and name not in THREADED:
        _warm(arguments, home, start)
    states = tree(start), tree(whole)
    # Also some of the last ones, in which files get their names.
    spread = (1 + n * (n_steps - 1) // max(most - 1, 1) for n in range(most))
    for at in sorted({*spread, *range(max(1, n_steps - most // 2), n_steps + 1)}):
        place = home / f"at {at}"
        shutil.copytree(start, place)
        code, _, _ = ended(arguments, place, at)
        if code != KILLED:
            yield f"at {at} of {n_steps}: not killed"
        for fault in _torn(place, *states, together=case.together):
            yield f"at {at} of {n_steps}: {fault}"
        code, _, said = ended(arguments, place, None)
        if code:
            yield f"at {at} of {n_steps}: once more it ends with {code}: {said}"
        for fault in _different(tree(place), states[1]):
            yield f"at {at} of {n_steps}: once more, {fault}"
        shutil.rmtree(place)


def _prepared(name: str, start: Path) -> Iterator[str]:
    """Make what a case starts from, and say what is wrong with it."""
    start.mkdir()
    inputs(start)
    if name == "finish":
        subprocess.run([sys.executable, "-c", UNITS], cwd=start, check=True)
    for words in CASES[name].before:
        code, _, said = ended(words.split(), start, None)
        if code:
            yield f"before it: {said}"


def _warm(arguments: list[str], home: Path, start: Path) -> None:
    """Run a command that starts no thread here, so that those after find what it loaded."""
    shutil.copytree(start, home / "warm")
    unheard = redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO())
    with chdir(home / "warm"), unheard[0], unheard[1], suppress(SystemExit):
        main(arguments)


def _torn(place: Path, before: Tree, after: Tree, *, together: bool) -> Iterator[str]:
    """Say which files are neither as before nor as after, right after the kill."""
    found = {n: data for n, data in tree(place).items() if "/.assay-" not in f"/{n}"}
    for name, data in found.items():
        if data not in {before.get(name), after.get(name)} and not name.endswith("journal.jsonl"):
            yield f"{name} is torn, with {len(data)} bytes"
    new = [name for name in after if name not in before]
    there = [name for name in new if name in found]
    if together and len(there) not in {0, len(new)}:
        yield f"there are {there} of {new}"


def _different(found: Tree, wanted: Tree) -> Iterator[str]:
    """Say what differs in the end; a file under its time may be there twice."""
    again = {name for name in found if name.removesuffix("-2.json") + ".json" in wanted}
    for name in sorted({*found, *wanted} - again):
        if found.get(name) != wanted.get(name):
            yield f"{name} {'differs' if name in found and name in wanted else 'is not as it was'}"


def everything(address: str, most: int, names: list[str]) -> dict[str, list[str]]:
    """Return what is wrong, by case."""
    os.environ["SOURCE_DATE_EPOCH"] = "1767225600"
    sys.dont_write_bytecode = True
    found = {}
    check: Callable[..., Iterator[str]] = faults
    for name in names or CASES:
        with tempfile.TemporaryDirectory() as home:
            found[name] = [*check(name, address, most, Path(home))]
    return found


if __name__ == "__main__":
    print(json.dumps(everything(sys.argv[1], int(sys.argv[2]), sys.argv[3:])))  # noqa: T201
