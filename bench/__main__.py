"""`python -m bench`: ratios against peers in one run, as a table and as JSON.

`--output FILE` says where the JSON goes (default assay-out/bench.json), `--compare FILE` adds the
ratio to an earlier run on the same machine and fails where start-up, speed or memory is worse than
that by more than `--tolerance` (default 0.25), `--family NAME` runs one family, `--case WORDS` only
cases with these words in their names. Seconds are of CPU in one thread, of commands in all of
theirs. Seconds of two machines do not compare; ratios of one run do. What is slower than a peer,
and which aims are missed, is said at the end.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from assay.demo import DEMO_PATH
from bench.measure import Ratio

Results = dict[str, dict[str, Any]]
FAMILIES = ("selective", "calibration", "intervals", "reasoning", "run", "scale", "verdicts")
SHOWN = {
    "seconds": "seconds",
    "n_scalars": "scalars",
    "peak_megabytes": "MB",
    "nanoseconds_per_resampled_row": "ns per row",
    "growth": "growth",
    "aim": "aim",
    "aim_megabytes": "aim MB",
}
NUMPY = " (numpy)"
"""ends the name of a case that runs without the compiled module"""


def measured(family: str, case: str) -> dict[str, Any]:
    """Run one case in a process of its own."""
    engine = {"ASSAY_ENGINE": "numpy"} if case.endswith(NUMPY) else {}
    environment = {**os.environ, **engine, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "bench.measure", family, case]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def timed_command(arguments: list[str], engine: str = "", repeats: int = 3) -> float:
    """Return the least CPU time of a whole `assay` command, startup included."""
    environment = {**os.environ, "ASSAY_ENGINE": engine}
    seconds = []
    for _ in range(repeats):
        start = _of_children()
        command = [sys.executable, "-m", "assay", *arguments]
        subprocess.run(command, env=environment, capture_output=True, check=True)
        seconds.append(_of_children() - start)
    return min(seconds)


def _of_children() -> float:
    """Return the CPU seconds of all processes that this one has started and seen end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command_times() -> Results:
    """Time the whole command on the bundled run: all variants, both modes, deltas."""
    run, name = str(DEMO_PATH), "assay selective, all variants"
    with tempfile.TemporaryDirectory() as folder:
        whole = ["selective", "--input", run, "--mode", "zero_shot", "--input", run]
        whole += ["--mode", "few_shot", "--confidence", "all", "--output", f"{folder}/a.json"]
        page = ["demo", "--output", f"{folder}/d.json", "--html", f"{folder}/d.html", "--quiet"]
        return {
            "assay demo, with its page": {"seconds": timed_command(page), "aim": 3.0},
            "assay --help": {"seconds": timed_command(["--help"]), "aim": 0.25},
            name: {"seconds": timed_command(whole), "aim": 2.0},
            f"{name}, percentiles": {
                "seconds": timed_command([*whole, "--ci-method", "percentile"])
            },
            f"{name}{NUMPY}": {"seconds": timed_command(whole, "numpy"), "aim": 15.0},
        }


def show(results: Results, ratios: list[Ratio], earlier: Results) -> None:
    """Print seconds, then ratios."""
    console = Console(width=120)
    times = Table("case", *SHOWN.values(), "before / now")
    for name, result in results.items():
        before = earlier.get(name, {}).get("seconds")
        shown = [f"{result[key]:.4g}" if key in result else "" for key in SHOWN]
        times.add_row(name, *shown, f"{before / result['seconds']:.2f}" if before else "")
    console.print(times)
    faster = Table("how many times faster than", "ratio", "aim")
    for ratio in ratios:
        faster.add_row(
            ratio.what, f"{ratio.of(results):,.1f}", f"{ratio.aim:,g}" if ratio.aim else ""
        )
    console.print(faster)


def missed(results: Results, ratios: list[Ratio]) -> list[str]:
    """Name what is slower than a peer, then aims that are missed.

    Examples
    --------
    >>> results = {"ours": {"seconds": 2.0, "aim": 1.5}, "theirs": {"seconds": 1.0}}
    >>> missed(results, [Ratio("theirs at it", "ours", "theirs", 3)])
    ['slower than a peer: theirs at it, 0.50 times', 'aim missed: ours, 2 s of 1.5']
    >>> missed(results, [Ratio("ours at it", "theirs", "ours", 3)])
    ['aim missed: ours at it, 2 times of 3', 'aim missed: ours, 2 s of 1.5']
    >>> missed(results, [Ratio("theirs, half as fast", "ours", "theirs", 0.5)])[0]
    'slower than a peer: theirs, half as fast, 0.50 times'
    >>> missed({"much": {"seconds": 1.0, "peak_megabytes": 1600.0, "aim_megabytes": 1500}}, [])
    ['aim missed: much, 1600 MB of 1500']
    """
    found = [(ratio, ratio.of(results)) for ratio in ratios]
    return [
        *(
            f"slower than a peer: {each.what}, {times:.2f} times"
            for each, times in found
            if times < 1
        ),
        *(
            f"aim missed: {each.what}, {times:.2g} times of {each.aim:.2g}"
            for each, times in found
            if times < each.aim and (times >= 1 or each.aim < 1)
        ),
        *(
            f"aim missed: {name}, {result['seconds']:.3g} s of {result['aim']:g}"
            for name, result in results.items()
            if result["seconds"] > result.get("aim", np.inf)
        ),
        *(
            f"aim missed: {name}, {result['peak_megabytes']:.4g} MB of {result['aim_megabytes']:g}"
            for name, result in results.items()
            if result.get("peak_megabytes", 0) > result.get("aim_megabytes", np.inf)
        ),
    ]


def check_agreement(results: Results, ratios: list[Ratio]) -> None:
    """Stop when ours and a peer that computes the same number disagree."""
    for ratio in ratios:
        own, other = results[ratio.ours].get("value"), results[ratio.theirs].get("value")
        if own is not None and other is not None and abs(own - other) > 1e-9 * abs(own):
            sys.exit(f"bench: {ratio.what}: ours gives {own}, theirs {other}")


MEASURED = {"seconds": "s", "cpu_seconds": "s of CPU", "peak_megabytes": "MB"}
LEAST = {"seconds": 0.05, "cpu_seconds": 0.05, "peak_megabytes": 5.0}
"""a step that is smaller is noise, whatever its share"""


def worse(results: Results, earlier: Results, tolerance: float) -> list[str]:
    """Say what takes more than in an earlier run, by more than it may.

    Examples
    --------
    >>> before = {"a": {"seconds": 1.0, "peak_megabytes": 50.0}, "b": {"seconds": 0.01}}
    >>> now = {"a": {"seconds": 1.1, "peak_megabytes": 80.0}, "b": {"seconds": 0.02}}
    >>> worse(now, before, 0.25)
    ['a: 80 MB, before 50']
    """
    return [
        f"{name}: {result[key]:.3g} {unit}, before {earlier[name][key]:.3g}"
        for name, result in results.items()
        for key, unit in MEASURED.items()
        if key in result
        and key in earlier.get(name, {})
        and result[key] > earlier[name][key] * (1 + tolerance)
        and result[key] > earlier[name][key] + LEAST[key]
    ]


def earlier_run(path: Path) -> Results:
    """Read an earlier run before hours are spent on another one."""
    try:
        found: Results = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"bench: {path} holds no earlier run: {error}")
    return found


def main() -> None:
    """Measure everything and write it down."""
    parser = argparse.ArgumentParser(prog="bench", description="Ratios against peers in one run.")
    parser.add_argument("--output", type=Path, default=Path("assay-out/bench.json"))
    parser.add_argument("--compare", type=Path)
    parser.add_argument("--tolerance", type=float, default=0.25)
    parser.add_argument("--family", choices=FAMILIES, action="append")
    parser.add_argument("--case", action="append")
    options = parser.parse_args()
    earlier = earlier_run(options.compare) if options.compare else {}
    results: Results = {}
    ratios: list[Ratio] = []
    for family in options.family or FAMILIES:
        module = importlib.import_module(f"bench.{family}")
        ratios += module.RATIOS
        for case in module.CASES:
            if options.case and not any(words in case for words in options.case):
                continue
            print(f"bench: {case}", file=sys.stderr)
            results[case] = measured(family, case)
    if not options.case:
        results |= command_times()
    ratios = [each for each in ratios if {each.ours, each.theirs} <= results.keys()]
    check_agreement(results, ratios)
    show(results, ratios, earlier)
    print("\n".join(f"bench: {each}" for each in missed(results, ratios)) or "bench: no aim missed")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(results, indent=1) + "\n")
    print(f"bench: written to {options.output}", file=sys.stderr)
    steps_back = worse(results, earlier, options.tolerance)
    if steps_back:
        sys.exit("bench: worse than before:\n" + "\n".join(steps_back))


if __name__ == "__main__":
    main()
