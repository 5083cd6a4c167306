"""The page of measured coverage, written by the program that measured it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from math import sqrt
from textwrap import fill
from typing import Any

import assay.metrics  # noqa: F401 - fills METRICS
from assay.registry import METRICS

LEAST, MOST = 93.0, 97.0
SEED = 20_262
"""of samples on which no rule was chosen"""
HEAD = """# Do the intervals cover what they say?

Written by `python -m bench.coverage` on {date} with assay {version}, all cells by the same code
(`{code}`, the beginning of the hash of what decides a cell); `make soak` writes it anew.
Every cell simulates samples whose truth is known (`bench/coverage/designs.py`: participants with
effects of their own, eight items each; cases and vignettes are independent), evaluates them as a
user would with `--ci-method auto`, and counts how often the 95 % interval holds the truth.

- *covers*: in percent of the replications that have an interval; in brackets what chance alone
  leaves open (one standard error). **Bold** where it is outside 93 to 97 by more than two of those.
- *none*: in percent, replications without an interval, where there are any.
- *width*: against the range from the 2.5th to the 97.5th percentile of the number itself, both
  estimated from the replications: it is known to about one part in twenty.
- Where the truth is 0 (calibrated scores) an interval can only miss on one side: 97.5 is right.
- Inversion is conservative in width. Noise raises a norm and hides how small the truth is, so the
  number itself moves less than what is known of the truth: 1.2 to 2 times its range, and more where
  the truth is 0. Resolution, which noise raises in the same way, is conservative alike (up to 1.5).
- The least of several classes or strata is conservative in the same way: whether they are alike
  decides on which side of the truth it lies, and the sample does not tell. 1.2 to 1.7 times.
- Shares of few cases jump: with 20 or 41 cases of 0 or 1 no interval covers 95 % at every truth.
  The mid-p is between 92.7 and 99.3 % at any truth from 2 to 98 % there (computed, not simulated).
- Areas and means that few large losses decide are conservative in width, and with few errors in
  coverage too (up to 99.5 % at 41): an interval has to reach what the sample did not happen to
  hold. At 41 participants up to 1.35 times where they are more alike or unequal (areas, risks), the
  misses of intervals and `mean_format_noise` alike; 1.1 to 2.4 times where errors are rare, in
  bursts, or rows are single.
- *Rare errors* are one in twenty, and two answers in five are held back: at 20 participants three
  answers in all are wrong. Where fewer than six participants have an error no method that was tried
  covers (70 to 90 %), so areas and risks have no interval. The few samples of 20 that have one are
  a selection, with twice the usual errors. Lower ends know of it (`few errors`): without that 77 to
  96 % of these were covered, and widths are up to 3.6 times the range of all samples.
- *Errors in bursts* are made by one participant in six, on half of the items.
- *Single rows* are 20, 41 or 200 rows in all, not participants with eight items each: of 20, four
  that are answered are wrong, and four samples in five have no interval of an area.
- With 400 replications chance alone is 1.1 points, with 100 (`smooth_ece` at 200) two: some cells
  below 93 are expected among so many.

The samples played no part in choosing the rules (seed {seed}). Every number that can have an
interval is in a table; each cell says how many replications it has. Those without one say why in
the artifact:

{none}.
"""
TESTS = """
## Two systems that differ by chance

How often the paired p-value is at most 0.05, in percent, and in brackets how often the interval of
the difference leaves 0 out: 5 is right. Systems are swapped at random, participant by participant;
a third of the participants are answered alike by both. Differences of rates of 6 % are discrete,
and rejected less often. Of 400 samples 2.9 to 7.1 % is what chance leaves open, of 1,000 3.6 to
6.4.
"""


NULLS = """
## One system, and what is tested is true

How often the p-value is at most 0.05 where the signs of whole participants turn at random, and in
brackets by the law for independent rows, in percent: 5 is right. "More alike" has an intraclass
correlation of about 0.3. McNemar's test has independent cases, and a mid-p.
"""


def page(kept: Mapping[str, Mapping[str, Any]], code: str = "") -> str:
    """Write everything that was simulated, by which code."""
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    without = (f"`{name}`" for name, each in METRICS.items() if each.kind == "none")
    none = fill(", ".join(without), 99)
    told = {"date": date, "version": version("assay"), "code": code, "seed": SEED, "none": none}
    lines = [HEAD.format(**told)]
    cells = [(*key.split("; "), found) for key, found in kept.items()]
    for design in dict.fromkeys(name for what, name, _, _ in cells if what == "intervals"):
        own = {
            int(n): found for what, name, n, found in cells if (what, name) == ("intervals", design)
        }
        lines += [*_intervals(design, dict(sorted(own.items())))]
    if any(what == "tests" for what, *_ in cells):
        lines += [TESTS, *_tests([cell for cell in cells if cell[0] == "tests"])]
    if any(what == "nulls" for what, *_ in cells):
        lines += [NULLS, *_tests([cell for cell in cells if cell[0] == "nulls"])]
    return "\n".join(lines).rstrip() + "\n"


def _intervals(design: str, cells: Mapping[int, Mapping[str, Any]]) -> Iterator[str]:
    yield f"\n## {design[0].upper()}{design[1:]}\n"
    heads = [
        f"{n} {'clusters' if 'verdicts' not in design and 'reasoning' not in design else 'cases'}"
        f" ({next(iter(found.values()))['n_replications']} replications): covers | width"
        for n, found in cells.items()
    ]
    yield f"| number | method | truth | {' | '.join(heads)} |"
    yield "| --- | --- | --- |" + " --- | --- |" * len(cells)
    for label in next(iter(cells.values())):
        of = [found[label] for found in cells.values()]
        methods = dict.fromkeys(method for each in of for method in each["methods"])
        row = [label, ", ".join(methods) or "none", f"{of[0]['truth']:.4g}"]
        for each in of:
            row += [
                _covers(each),
                f"{each['width'] / each['spread']:.2f}" if each["n"] and each["spread"] else "-",
            ]
        yield f"| {' | '.join(row)} |"


def _covers(found: Mapping[str, Any]) -> str:
    n, total = found["n"], found["n_replications"]
    none = f", none {100 * (total - n) / total:.0f}" if n < total else ""
    if not n:
        return "none"
    share = 100 * found["n_covered"] / n
    text = f"{share:.1f} ({_error(share, n):.1f})"
    below, above = LEAST - 2 * _error(LEAST, n), MOST + 2 * _error(MOST, n)
    outside = not below <= share <= above
    return (f"**{text}**" if outside else text) + none


def _error(percent: float, n: int) -> float:
    return sqrt(percent * (100 - percent) / n)


def _tests(cells: list[Any]) -> Iterator[str]:
    sizes = sorted({int(n) for _, _, n, _ in cells})
    yield f"| number | {' | '.join(f'{n} clusters' for n in sizes)} |"
    yield "| --- |" + " --- |" * len(sizes)
    labels = dict.fromkeys((name, label) for _, name, _, found in cells for label in found)
    by_cell = {(name, int(n)): found for _, name, n, found in cells}
    for name, label in labels:
        row = []
        for n in sizes:
            rejected, *by_law, of = by_cell.get((name, n), {}).get(label, (0, 0))
            share = f"{100 * rejected / of:.1f}" if of else "-"
            beside = "".join(f" ({100 * each / of:.1f})" for each in by_law if of and each >= 0)
            row.append(f"{share}{beside} of {of}" if of else share)
        yield f"| {label} ({name}) | {' | '.join(row)} |"
