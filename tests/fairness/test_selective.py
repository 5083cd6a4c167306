"""Nobody looks better by failing: twins of a system that abstain, fail, drop or overwrite."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

import assay
from assay.errors import ColumnError
from assay.families.selective.pairing import UNCONFIRMED

N_PEOPLE, N_ITEMS = 120, 4
COLUMNS = ("participant", "item", "truth", "prediction", "confidence")
HONEST = {
    *("aurc_at_coverage", "augrc_at_coverage", "mean_risk_at_coverage"),
    *("risk_at_coverage", "coverage_at_risk"),
}
"""risk at a coverage that both reach: to abstain where one would be wrong is what lowers it"""


@dataclass
class Twin:
    """A table of one system."""

    participant: Any
    item: Any
    truth: Any
    prediction: Any
    confidence: Any
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def wrong(self):
        return self.prediction != self.truth

    def take(self, rows):
        return replace(self, **{name: getattr(self, name)[rows] for name in COLUMNS})

    def columns(self):
        return {name: getattr(self, name) for name in COLUMNS} | self.extra


def system(right=0.7, seed=0, levels=None):
    """Answers of which some are right, held with more confidence than the wrong ones."""
    rng = np.random.default_rng(seed)
    n = N_PEOPLE * N_ITEMS
    truth = np.random.default_rng(99).integers(0, 2, n).astype(float)
    is_right = rng.random(n) < right
    confidence = rng.random(n) + 0.5 * is_right
    if levels:
        confidence = np.floor(confidence * levels) / levels
    who, item = np.divmod(np.arange(n), N_ITEMS)
    return Twin(who, item, truth, np.where(is_right, truth, 1 - truth), confidence)


def abstaining(twin, rows):
    return replace(twin, prediction=np.where(rows, np.nan, twin.prediction))


def failing(twin, people):
    return replace(twin, extra={"success": ~np.isin(twin.participant, people)})


def ways(twin):
    """Ways of failing that leave the items as they are."""
    wrong, some = twin.wrong, np.arange(twin.truth.size) % 3 == 0
    mistaken = np.bincount(twin.participant, wrong)
    return {
        "abstains on wrong answers": abstaining(twin, wrong),
        "abstains on half of the wrong answers": abstaining(twin, wrong & (twin.item % 2 == 0)),
        "abstains on right answers": abstaining(twin, ~wrong & some),
        "abstains on unsure right answers": abstaining(twin, ~wrong & (twin.confidence < 0.9)),
        "abstains on everything": abstaining(twin, wrong | ~wrong),
        "constant confidence": replace(twin, confidence=np.ones(twin.truth.size)),
        "confidence turned round": replace(twin, confidence=2 - twin.confidence),
        "answers one thing": replace(twin, prediction=np.zeros(twin.truth.size)),
        "answers everything wrong": replace(twin, prediction=1 - twin.truth),
        "answers right ones wrong": replace(
            twin, prediction=np.where(~wrong & some, 1 - twin.truth, twin.prediction)
        ),
        "fails on people with mistakes": failing(twin, np.flatnonzero(mistaken > 1)),
    }


def other_items(twin):
    """Ways of failing that change what was asked."""
    wrong = twin.wrong
    every, right = np.arange(wrong.size), np.flatnonzero(~wrong)
    ones = np.ones(wrong.size)
    return {
        "drops wrong rows": twin.take(~wrong),
        "drops one row": twin.take(every != right[0]),
        "blanks truths": replace(twin, truth=np.where(wrong, np.nan, twin.truth)),
        "overwrites truths": replace(twin, truth=np.where(wrong, twin.prediction, twin.truth)),
        "counts right rows 9-fold": replace(twin, extra={"count": np.where(wrong, ones, 9 * ones)}),
        "repeats right rows, all counted": replace(
            twin.take(np.concatenate([every, right])),
            extra={"count": np.ones(wrong.size + right.size)},
        ),
    }


def compared(left, right, **chosen):
    return assay.evaluate(
        "selective",
        systems={"left": left.columns(), "right": right.columns()},
        n_resamples=200,
        **{"threshold": (0.5, 0.9), **chosen},
    )


def words(result):
    pair = result.pairs[0]
    found = {}
    for variant in pair.variants.values():
        found |= {label: difference.word for label, difference in variant.items()}
    return found


def better(result):
    return {label.partition("@")[0] for label, word in words(result).items() if word == "better"}


WAYS = [*ways(system())]
OTHER_ITEMS = [*other_items(system())]


@pytest.mark.parametrize("levels", [None, 3])
@pytest.mark.parametrize("preset", ["plateau", "item-step", "reference"])
@pytest.mark.parametrize("way", WAYS)
def test_a_failing_twin_is_better_in_nothing(way, preset, levels):
    honest = system(levels=levels)
    result = compared(honest, ways(honest)[way], preset=preset)
    assert better(result) <= (HONEST if "on wrong" in way or "of the wrong" in way else set())


@pytest.mark.parametrize("way", WAYS)
def test_a_system_that_failed_makes_its_honest_twin_worse_in_nothing(way):
    honest = system()
    result = compared(ways(honest)[way], honest)
    worse = {label.partition("@")[0] for label, word in words(result).items() if word == "worse"}
    assert worse <= (HONEST if "on wrong" in way or "of the wrong" in way else set())


@pytest.mark.parametrize("intersection_only", [False, True])
@pytest.mark.parametrize("way", OTHER_ITEMS)
def test_other_items_truths_or_counts_are_refused_or_cut(way, intersection_only):
    honest = system()
    twin = other_items(honest)[way]
    if not intersection_only:
        with pytest.raises(ColumnError, match=r"right: participant \d+, item \d+ has .*, and left"):
            compared(honest, twin)
        return
    result = compared(honest, twin, intersection_only=True)
    assert not {word for word in words(result).values() if word}
    counts = result.pairs[0].record.counts
    assert sum(counts[f"items_{which}"] for which in ("left_only", "right_only", "differing")) > 0


def test_what_is_cut_is_counted_and_the_rest_is_the_same_on_both_sides():
    honest = system()
    wrong = int(honest.wrong.sum())
    twin = other_items(honest)["overwrites truths"]
    result = compared(honest, twin, intersection_only=True)
    assert result.pairs[0].record.counts["items_differing"] == wrong
    for own in result.artifact.systems:
        assert own.parts.population.items_total == honest.truth.size - wrong
    assert f"{wrong} with another truth or count: left out" in " ".join(str(result).split())


def test_rows_without_names_are_not_cut_by_their_place():
    honest = system()
    sides = [
        {name: getattr(each, name) for name in COLUMNS[2:]}
        for each in (honest, honest.take(~honest.wrong))
    ]
    with pytest.raises(ColumnError, match="rows without names are compared by their place"):
        assay.evaluate(
            "selective",
            systems=dict(zip("ab", sides, strict=True)),
            n_resamples=0,
            intersection_only=True,
        )


def test_a_repeated_row_is_refused():
    honest = system()
    twice = honest.take(np.append(np.arange(honest.truth.size), 0))
    with pytest.raises(ColumnError, match="participant 0 has item 0 twice"):
        compared(honest, twice)


def test_counts_that_are_alike_on_both_sides_are_compared():
    sides = [system(right, seed=3) for right in (0.6, 0.85)]
    for each in sides:
        each.extra["count"] = np.tile([1, 2], each.truth.size // 2)
    assert words(compared(*sides))["risk"] == "better"


@pytest.mark.parametrize("levels", [None, 3])
def test_identical_systems_get_no_word(levels):
    assert not {
        word
        for word in words(compared(system(levels=levels), system(levels=levels))).values()
        if word
    }


@pytest.mark.parametrize("levels", [None, 3])
@pytest.mark.parametrize("preset", ["plateau", "item-step", "reference"])
def test_an_improved_system_is_called_better(preset, levels):
    result = compared(system(levels=levels), system(0.9, levels=levels), preset=preset)
    found = words(result)
    wanted = ("aurc", "augrc", "risk", "aurc_optimal", "aurc_at_coverage@common")
    assert {label: found[label] for label in wanted} == dict.fromkeys(wanted, "better")
    assert "worse" not in found.values()


def test_a_better_ranking_is_called_better():
    told = system()
    untold = replace(told, confidence=np.random.default_rng(1).random(told.truth.size))
    found = words(compared(untold, told))
    wanted = ("aurc", "augrc", "eaurc", "eaugrc", "error_auroc", "augrc_gap_pct")
    assert {label: found[label] for label in wanted} == dict.fromkeys(wanted, "better")


def test_no_word_favours_the_side_that_failed_more_often():
    plain = system()
    improved = failing(system(0.9), [7])
    found = compared(plain, improved).pairs[0]
    assert found["augrc"].word is None
    assert found["augrc"].word_reason == "the side it favours failed more often"
    assert compared(failing(plain, [7]), improved).pairs[0]["augrc"].word == "better"
    assert compared(failing(plain, [7]), system(0.9)).pairs[0]["augrc"].word == "better"
    assert compared(improved, plain).pairs[0]["augrc"].word is None
    assert compared(system(0.9), failing(plain, [7])).pairs[0]["augrc"].word == "worse"


THIRD = {
    "answers all": system(0.5, seed=4),
    "abstains": abstaining(system(0.5, seed=4), np.arange(480) % 2 == 0),
    "answers nothing": abstaining(system(), np.ones(480, dtype=bool)),
    "fails on some": failing(system(0.6, seed=5), [1, 2, 3]),
    "lacks items": system(0.6, seed=6).take(np.arange(480) % 3 > 0),
    "lacks people": system(0.6, seed=6).take(np.arange(480) > 100),
}


@pytest.mark.parametrize("third", THIRD)
def test_a_third_system_changes_nothing_between_the_first_two(third):
    def of_two(others):
        sides = {"a": system(levels=5), "b": system(0.8, seed=2, levels=5)} | others
        columns = {name: each.columns() for name, each in sides.items()}
        result = assay.evaluate(
            "selective", systems=columns, n_resamples=50, intersection_only=True
        )
        pair = result.artifact.pairs[0]
        return pair.counts, {
            (variant, label): (each.left, each.right, each.delta, each.interval, each.p_value)
            for variant, deltas in pair.deltas.items()
            for label, each in deltas.items()
        }

    assert of_two({"c": THIRD[third]}) == of_two({})


def test_no_word_favours_the_side_that_lacks_people_on_whom_the_other_is_right():
    one, other = system(0.7, seed=1), system(0.7, seed=2)
    gained = np.bincount(one.participant, other.wrong * 1.0 - one.wrong)
    twin = other.take(gained[other.participant] <= 0)
    found = compared(one, twin, intersection_only=True)
    assert found.pairs[0]["augrc"].high < 0
    assert better(found) == set()
    turned = words(compared(twin, one, intersection_only=True))
    assert "worse" not in turned.values()


def test_a_straight_line_over_a_plateau_does_not_pay():
    """The last plateau is all right; to abstain on an eighth of it bends the line down."""
    plateau = np.repeat([3.0, 2.0, 1.0], [48, 48, 384])
    order = np.random.default_rng(5).permutation(plateau.size)
    base = system()
    right = (plateau < 3)[order]
    honest = replace(
        base,
        prediction=np.where(right, base.truth, 1 - base.truth),
        confidence=plateau[order],
    )
    twin = abstaining(honest, right & (honest.confidence == 1.0) & (np.arange(480) % 8 == 0))
    found = compared(honest, twin).pairs[0]
    area = found["aurc_at_coverage@common"]
    assert area.high < 0
    assert area.word is None
    assert "generalized risk" in area.word_reason


def test_a_line_from_a_few_sure_answers_to_all_others_does_not_pay():
    """It halves the area, and what it says of all but nineteen answers is nothing."""
    base = system()
    noise = replace(base, confidence=np.random.default_rng(17).random(base.truth.size))
    sure = ~base.wrong & (np.arange(base.truth.size) % 40 < 2)
    found = compared(noise, replace(base, confidence=np.where(sure, 2.0, 1.0)))
    area, generalized = (found.pairs[0][label] for label in ("aurc", "augrc"))
    assert area.high < 0
    assert generalized.value < 0 < generalized.high
    assert (area.word, area.word_reason) == (None, UNCONFIRMED)
    assert not better(found)


@pytest.mark.parametrize("silent_side", [0, 1])
def test_a_page_is_made_of_a_system_that_answers_nothing(silent_side, tmp_path):
    sides = [system(), abstaining(system(), np.ones(480, dtype=bool))]
    result = compared(sides[silent_side], sides[1 - silent_side])
    result.save(tmp_path / "page.html")
    assert (
        "answers nothing, so its areas are 0 by convention" in (tmp_path / "page.html").read_text()
    )
    assert {*words(result).values()} <= {None}
