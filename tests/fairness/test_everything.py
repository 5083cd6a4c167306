"""Nobody looks better by failing: every registered metric of every family, every way to fail.

A twin of an honest system fails in some way and is compared with it through the public door. No
difference, line, cell or sentence may call the twin better, nor the honest one worse, unless
`MEANT` says why that is what the metric means. Metrics come from the registry: one that is in no
difference here fails the test, so that a new one is covered by existing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from io import StringIO
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import assay
from assay.errors import AssayError
from assay.registry import METRICS
from assay.report.console import render
from assay.report.page import page
from assay.report.presenters import summary, words_of
from assay.report.tables import tables
from tests.fairness.kins import KINS, PLAN
from tests.golden.commands import printed as command

MEANT: dict[tuple[str, str], tuple[str, frozenset[str]]] = {
    ("reasoning", "one answer"): (
        "an answer that is never the biased one does not follow the bias; it is wrong in accuracy",
        frozenset({"bias_rate"}),
    ),
}
"""by family and way: why the twin is better in some metrics, and in which"""
SHOWN = {
    "calibration": "certain of everything",
    "calibration of classes": "wrong rows dropped",
    "selective": "wrong answers blanked",
    "intervals": "wrong bounds infinite",
    "sets": "wrong sets empty",
    "verdicts": "an error",
    "reasoning": "a status that is not ok",
}
"""by family: the way that is also looked at on console, page and in tables"""
PRAISE = re.compile(
    r"(?<!s)\d\s+better\b|excludes 0: \S+ is better|infinite: \S+ is better"
    r"|>\s*better\s*<|\|\s*better\s*\|"
)
GREEN = re.compile(r'class="(?:[^"]* )?(?:sgood|said good|word good)[" ]|\x1b\[1;32m')
"""what colours a difference as a gain: classes of the page, and bold green on a terminal"""
Words = dict[tuple[int, str], set[str]]


def coloured(artifact: Any) -> tuple[str, str]:
    """Return the page, and what a terminal with colours gets."""
    stream = StringIO()
    console = Console(file=stream, width=200, force_terminal=True, color_system="standard")
    render(summary(artifact), console, "full")
    return page([artifact]).decode(), stream.getvalue()


def words(found: assay.Result) -> Words:
    """Return by system and word the metrics of which it is said, against the first system."""
    said: Words = {}
    for pair in found.artifact.pairs:
        for of_variant in pair.deltas.values():
            for label, each in of_variant.items():
                if each.word is not None and pair.left == 0:
                    said.setdefault((pair.right, each.word), set()).add(label.partition("@")[0])
    return said


def ahead(found: assay.Result) -> set[str]:
    """Return the numbers by which the second of two systems is ranked before the first."""
    rankings = getattr(found.artifact.parts, "rankings", [])
    ranks = {each.metric: {at.system: at.rank for at in each.places} for each in rankings}
    return {metric for metric, of in ranks.items() if of[1] < of[0]}


def meant(name: str, way: str) -> frozenset[str]:
    return MEANT.get((name, way), ("", frozenset()))[1]


@cache
def gained(name: str) -> frozenset[str]:
    """Return what the honest system itself is better in than the other, which its twin may be."""
    kin = KINS[name]
    return frozenset(words(kin.compare(kin.other, kin.honest)).get((1, "better"), ()))


def every_way() -> Iterator[tuple[str, str]]:
    for name, kin in KINS.items():
        yield from ((name, way) for way in (*kin.ways, *kin.of_other))


def settled_ways() -> Iterator[tuple[str, str, str]]:
    """Yield every way under one of the other settings of its family, in turn; two of each."""
    for name, kin in KINS.items():
        turns = zip(cycle(kin.settings), kin.ways, range(2 * len(kin.settings)))
        yield from ((name, way, setting) for setting, way, _ in turns)


def compared(name: str, *systems: Any, **options: Any) -> Words:
    """Compare systems; nothing is said where that is refused, which nobody gains from."""
    try:
        return words(KINS[name].compare(*systems, **options))
    except AssayError:
        return {}


@pytest.mark.parametrize(("name", "way"), [*every_way()])
def test_a_failing_twin_is_better_in_nothing(name, way):
    kin = KINS[name]
    against = kin.other if way in kin.of_other else kin.honest
    allowed = meant(name, way) | (gained(name) if way in kin.of_other else frozenset())
    twin = {**kin.ways, **kin.of_other}[way](kin.honest)
    assert compared(name, against, twin).get((1, "better"), set()) <= allowed
    # Tests of each family turn every way round; here that is done for the plainest.
    if way in kin.of_other or way == next(iter(kin.ways)):
        assert compared(name, twin, against).get((1, "worse"), set()) <= allowed


@pytest.mark.parametrize(("name", "way", "setting"), [*settled_ways()])
def test_a_failing_twin_is_better_in_nothing_under_other_settings(name, way, setting):
    kin = KINS[name]
    found = compared(name, kin.honest, kin.ways[way](kin.honest), **kin.settings[setting])
    assert found.get((1, "better"), set()) <= meant(name, way)


def test_the_page_of_inference_tells_how_many_ways_were_tried():
    n = len([*every_way()])
    said = (Path(__file__).parents[2] / "docs/inference.md").read_text()
    assert n >= 88
    assert f"{n} ways to fail are tried, and 0 pay" in said


@pytest.mark.parametrize(("name", "way"), MEANT)
def test_what_a_metric_means_is_what_it_says(name, way):
    kin = KINS[name]
    found = compared(name, kin.honest, kin.ways[way](kin.honest))
    assert found[1, "better"] == meant(name, way)


@pytest.mark.parametrize("family", sorted({kin.family for kin in KINS.values()}))
def test_every_metric_of_every_family_is_tried(family):
    tried = set()
    for name, kin in KINS.items():
        if kin.family == family:
            for of_variant in shown(name).artifact.pairs[0].deltas.values():
                tried |= {label.partition("@")[0] for label in of_variant}
    assert tried >= {m.name for m in METRICS.values() if m.family == family and m.interval}


def test_no_ranking_puts_a_failing_twin_first():
    kin = KINS["reasoning"]
    first = ("a status that is not ok", "no row", "junk with words", "a refusal", "undecided")
    for way in (*first, "asked again until it is right", "right direct answers fail"):
        found = kin.compare(kin.honest, kin.ways[way](kin.honest), n_resamples=0)
        assert not ahead(found), way
    assert ahead(kin.compare(kin.honest, kin.better, n_resamples=0)) >= kin.gains


@pytest.mark.parametrize("preset", ["seed", "reference"])
def test_no_ranking_of_an_earlier_program_puts_a_failing_twin_first(preset):
    kin = KINS["reasoning"]
    for way in ("no text", "undecided", "a refusal"):
        found = kin.compare(kin.honest, kin.ways[way](kin.honest), n_resamples=0, preset=preset)
        assert not ahead(found), way
    found = kin.compare(kin.honest, kin.ways["cut off"](kin.honest), preset=preset)
    assert not ahead(found)
    assert (1, "better") not in words(found)


PLACED = [
    *SHOWN.items(),
    ("verdicts", "no verdict"),
    ("verdicts", "a verdict off the scale"),
    ("reasoning", "a refusal"),
    ("calibration", "one wrong row dropped"),
    ("calibration", "the base rate, hardly varied"),
]
AT_SHARED_COVERAGE = {("selective", "wrong answers blanked")}
"""the board is in the order of the risk at matched coverage, which abstaining where wrong lowers"""


@pytest.mark.parametrize(("name", "way"), PLACED)
def test_no_board_puts_a_failing_twin_before_the_honest_system(name, way):
    kin = KINS[name]
    systems = (kin.honest, kin.ways[way](kin.honest), kin.other, kin.honest)
    artifact = kin.compare(*systems, n_resamples=0).artifact
    board, place = artifact.board, artifact.board.order.index
    kept = "0" in board.unranked or (name, way) in AT_SHARED_COVERAGE
    assert kept or "1" in board.unranked or place(0) < place(1)
    values = [each.variants[board.variant].numbers[board.label].value for each in artifact.systems]
    passed = not kept and "1" not in board.unranked
    if passed and (values[1] - values[0]) * {"higher": 1, "lower": -1}[board.better] > 1e-9:
        assert any(" stands behind a system whose " in each for each in artifact.warnings)


@cache
def shown(name: str) -> assay.Result:
    kin = KINS[name]
    return kin.compare(kin.honest, kin.ways[SHOWN[name]](kin.honest))


@cache
def together(name: str) -> assay.Result:
    """Compare an honest system with itself, another, a failing twin and a better one."""
    kin = KINS[name]
    twin = kin.ways[SHOWN[name]](kin.honest)
    return kin.compare(kin.honest, kin.honest, kin.other, twin, kin.better, n_resamples=500)


@pytest.mark.parametrize("name", KINS)
def test_of_five_systems_the_same_one_gets_no_word_and_the_improved_one_is_better(name):
    found = words(together(name))
    assert not [key for key in found if key[0] == 1]
    assert found.get((3, "better"), set()) <= meant(name, SHOWN[name])
    assert found[4, "better"] >= KINS[name].gains


@pytest.mark.parametrize("name", KINS)
def test_nothing_that_is_shown_praises_a_failing_twin(name):
    artifact = shown(name).artifact
    first = words_of(artifact).first(artifact)
    remarks = [each for remark in first.also for each in remark.phrases]
    told = ["".join(each.text for each in (*first.answer, *first.seen, *remarks))]
    made = [tables(summary(artifact), form, "full") for form in ("md", "tex")]
    for text in (repr(shown(name)), *told, *made, *coloured(artifact)):
        assert not PRAISE.findall(text)
        assert not GREEN.findall(text)


def test_the_first_screen_says_why_nothing_is_told():
    artifact = shown("verdicts").artifact
    first = words_of(artifact).first(artifact)
    told = "".join(each.text for each in (*first.answer, *first.seen))
    assert "cannot be told." in told
    assert ": what was not answered could turn it round." in told
    # Of 20 cases each 10, 10 and 20 are right: 10, 10 and 0 missed, 10, 10 and 20 false alarms.
    f1 = (20 / (20 + 10 + 10), 20 / (20 + 10 + 10), 40 / (40 + 0 + 20))
    assert f"At worst s1’s is {100 * sum(f1) / 3:.1f}\xa0%" in told
    assert "8 times in 10" not in told


@pytest.mark.parametrize("name", ["calibration", "verdicts"])
def test_what_is_shown_praises_the_improved_one(name):
    kin = KINS[name]
    artifact = kin.compare(kin.honest, kin.better).artifact
    made = tables(summary(artifact), "md", "full")
    for text in (repr(assay.Result(artifact)), made, page([artifact]).decode()):
        assert PRAISE.findall(text)
    assert all(GREEN.findall(text) for text in coloured(artifact))


@pytest.mark.parametrize("name", KINS)
def test_the_command_says_of_a_failing_twin_what_the_library_says(name, tmp_path):
    kin = KINS[name]
    plan = ("--bootstrap-resamples", str(PLAN["n_resamples"]), "--seed", str(PLAN["seed"]))
    plan += ("--ci-method", str(PLAN["ci_method"]), "--json", "--quiet")
    given = kin.files((kin.honest, kin.ways[SHOWN[name]](kin.honest)), tmp_path)
    artifact = json.loads(command(*given, *plan))
    said = [
        label
        for of_variant in artifact["pairs"][0]["deltas"].values()
        for label, each in of_variant.items()
        if each["word"] == "better"
    ]
    assert not said
