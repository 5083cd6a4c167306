"""How to resample and which intervals to read, as options."""

from __future__ import annotations

from typing import Literal

from assay.options import at_least, between, option, option_record

Stream = Literal["legacy", "counter"]
IntervalMethod = Literal[
    "auto",
    "percentile",
    "basic",
    "bca",
    "expanded",
    "bca-t",
    "bootstrap-t",
    "bootstrap-t or bca-t",
    "expanded or bca-t",
    "expanded or basic",
    "hall-t",
    "jackknife-t",
    "jackknife-t or basic",
]
"""`auto` takes for each kind of number the method that covers in simulation"""
WithoutWidth = Literal["null", "keep"]

BLOCK_VALUES = 1 << 20
"""How many values a statistic holds at once: enough to forget the cost of a call, 8 MB."""
MOST_RESAMPLES = 1_000_000
"""Ends of intervals then move by less than a hundredth of the standard error; memory is finite."""


@option_record()
class Plan:
    """How to resample and what to make of it; all of it goes on record."""

    n_resamples: int = option(
        10_000,
        "Resamples of what is drawn: participants, clusters, cases or rows; 0 gives no intervals.",
        ("--bootstrap-resamples",),
        check=at_least(0, MOST_RESAMPLES),
        hint="10,000 are customary; 0 means no intervals",
    )
    seed: int = option(42, "Seed of the resamples.", check=at_least(0, 2**32 - 1))
    level: float = option(
        0.95,
        "Level of the error bars.",
        ("--ci-level", "--level", "--error-bar-level"),
        check=between(0, 1),
        hint="0.95 gives 95 percent intervals",
    )
    method: IntervalMethod = option(
        "auto",
        "Kind of the error bars; `auto` takes the one that covers in simulation, by the kind"
        " of number.",
        ("--ci-method", "--interval", "--error-bar"),
        shown="auto; percentile under presets that reproduce another program",
    )
    stream: Stream = option("legacy", "Where resamples come from.")
    threads: int = option(
        1, "How many at once; changes no number.", check=at_least(1), shown="all cores"
    )
    block_values: int = BLOCK_VALUES
    without_width: WithoutWidth = "null"
    """an interval whose ends are equal shows no uncertainty: it is left out with a reason, or kept
    where another program is followed"""
