"""No forecast looks better by failing: rows left out, repeated, blanked or overwritten."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from assay import evaluate
from assay.errors import ColumnError
from assay.families.calibration.pairing import LOSSES
from assay.sources.items import PHQ8_ITEMS
from assay.sources.table import from_columns

N = 240
PLAN = {"n_resamples": 120, "seed": 3, "threads": 1, "ci_method": "percentile"}
GENERATOR = np.random.default_rng(5)
Y = GENERATOR.integers(0, 2, N)
P = np.clip(np.where(Y == 1, 0.7, 0.3) + GENERATOR.normal(0, 0.25, N), 0.02, 0.98)
WRONG = (P > 0.5) != (Y == 1)
SURE = np.where(Y == 1, P + 0.9 * (1 - P), 0.1 * P)
"""stated by a system that is truly better"""
BASE = pd.DataFrame({"y": Y, "p": P, "who": np.arange(N) // 6, "item": np.arange(N) % 6})
KEYS = ({}, {"cluster": "who"}, {"item": "item", "cluster": "who"}, {"item": "key"})
UNLIKE = {"brier_uncertainty", "brier_within_bins", "cumulative_difference", "length_scale"}


def ways(frame):
    """Return twins of a system in which its wrong rows failed, by how they did."""
    wrong = WRONG[frame.index]
    return {
        "probability blanked": frame.assign(p=frame.p.where(~wrong)),
        "truth blanked": frame.assign(y=frame.y.where(~wrong)),
        "rows dropped": frame[~wrong],
        "rows of the right tripled": pd.concat([frame, frame[~wrong], frame[~wrong]]),
        "rows of the wrong overwritten by the right": pd.concat([frame[~wrong], frame[~wrong]]),
        "truth overwritten with the answer": frame.assign(y=(frame.p > 0.5).astype(int)),
        "one wrong row dropped": frame.drop(index=frame.index[wrong][0]),
    }


def compared(left, right, **roles):
    tables = [from_columns(**{name: [*of] for name, of in each.items()}) for each in (left, right)]
    columns = {"y_true": "y", "y_prob": "p", "missing": "drop", **roles}
    return evaluate("calibration", tables, **PLAN, **columns)


def words(result):
    return {label: result.pairs[0][label].word for label in result.pairs[0]}


@pytest.mark.parametrize("roles", KEYS, ids=str)
@pytest.mark.parametrize("way", list(ways(BASE)))
def test_a_twin_that_failed_where_it_was_wrong_is_never_better(way, roles):
    frame = BASE.assign(key=np.arange(N))
    twin = ways(frame)[way]
    for left, right, forbidden in ((frame, twin, "better"), (twin, frame, "worse")):
        try:
            found = compared(left, right, **roles, intersection_only=True)
        except ColumnError:
            assert "blanked" not in way
            continue
        assert forbidden not in words(found).values()
        assert not UNLIKE & {label for label, word in words(found).items() if word}
        lacking = {found.pairs[0][label].word_reason for label in words(found)} - {None}
        assert "one side lacks rows that the other has" in lacking


@pytest.mark.parametrize("missing", ["p", "y"])
def test_rows_that_only_the_other_gets_right_may_not_be_left_out(missing):
    other = BASE.assign(p=SURE)
    twin = BASE.assign(**{missing: BASE[missing].where(np.abs(P - Y) < np.abs(SURE - Y) + 0.2)})
    assert "better" not in words(compared(other, twin)).values()


def test_a_column_that_says_nothing_where_it_is_wrong_is_never_better():
    holes = np.where(WRONG, np.nan, P)
    found = evaluate(
        "calibration", y_true=Y, y_prob={"whole": P, "holes": holes}, **PLAN, missing="drop"
    )
    assert "better" not in words(found).values()
    record = found.artifact.pairs[0]
    assert record.counts == {
        "n_common": int((~WRONG).sum()),
        "n_only_left": int(WRONG.sum()),
        "n_only_right": 0,
    }
    counts = found.artifact.systems[1].variants[""].counts
    assert (counts["n_asked"], counts["n_unscored"]) == (N, int(WRONG.sum()))
    assert found["whole"]["brier"].value == pytest.approx(np.mean((P - Y) ** 2), rel=1e-12)
    assert f"{N - WRONG.sum()} rows that both scored" in " ".join(repr(found).split())


def test_classes_that_are_not_stated_cost_the_most():
    stated = np.column_stack([1 - P, P / 2, P / 2])
    label = np.where(Y == 1, 1 + np.arange(N) % 2, 0)
    holes = np.where((stated.argmax(axis=1) != label)[:, None], np.nan, stated)
    tables = [from_columns(y=label, p=each) for each in (stated, holes)]
    found = evaluate("calibration", tables, **PLAN, y_true="y", y_prob="p", missing="drop")
    assert "better" not in words(found).values()
    assert {words(found)[label] for label in LOSSES} == {None}


def test_a_third_table_leaves_the_difference_of_the_first_two_alone():
    tables = [BASE, BASE.assign(p=SURE), ways(BASE)["probability blanked"]]
    read = [from_columns(**{name: [*of] for name, of in each.items()}) for each in tables]
    roles = {"y_true": "y", "y_prob": "p", "missing": "drop", **PLAN}
    two = evaluate("calibration", read[:2], **roles).pairs[0]
    three = evaluate("calibration", read, **roles).pairs[0]
    assert [two[label].value for label in two] == [three[label].value for label in two]


@pytest.mark.parametrize("roles", KEYS, ids=str)
def test_identical_systems_have_no_word_and_a_better_one_has(roles):
    frame = BASE.assign(key=np.arange(N))
    assert {*words(compared(frame, frame, **roles)).values()} == {None}
    better = words(compared(frame, frame.assign(p=SURE), **roles))
    assert (better["brier"], better["nll"], better["ece"]) == ("better",) * 3


def test_a_better_system_is_called_so_although_it_lacks_a_row():
    holes = np.where(np.arange(N) == 4, np.nan, SURE)
    found = compared(BASE, BASE.assign(p=holes))
    assert (words(found)["brier"], words(found)["ece"]) == ("better", None)


def test_at_worst_a_row_costs_what_a_wrong_certainty_does():
    # One row of 240 at a loss of 1 turns a lead of 0.5 / 240 round, and one of 2 / 240 does not.
    lead = np.abs(P - Y).clip(0.1)
    for size, word in ((0.5, None), (20.0, "better")):
        nearer = np.sqrt(np.maximum((P - Y) ** 2 - size / N, 0)) * np.where(Y == 1, -1, 1) + Y
        holes = np.where(np.arange(N) == np.argmin(lead), np.nan, nearer.clip(0, 1))
        assert words(compared(BASE, BASE.assign(p=holes)))["brier"] == word


def test_rows_are_the_same_by_item_whatever_their_order():
    frame = BASE.assign(key=np.arange(N), p2=SURE)
    shuffled = frame.assign(p=SURE).sample(frac=1, random_state=1)
    straight = compared(frame, frame.assign(p=SURE), item="key").pairs[0]
    other = compared(frame, shuffled, item="key").pairs[0]
    for label in straight:
        assert other[label].value == pytest.approx(straight[label].value, rel=1e-9), label
        assert other[label].low == pytest.approx(straight[label].low, rel=1e-9, nan_ok=True), label


def test_items_that_stand_twice_and_clusters_of_another_size_are_refused():
    frame = BASE.assign(key=np.arange(N))
    twice = pd.concat([frame, frame[:1]])
    with pytest.raises(ColumnError, match=r"row 240: `key` is 0, as in row 0 \(1 such row\)"):
        compared(frame, twice, item="key")
    with pytest.raises(ColumnError, match="`item` of cluster 0 is 0, as in row 0"):
        compared(frame, twice, item="item", cluster="who")
    with pytest.raises(ColumnError, match=r"cluster 0 has 7 rows where .* has 6") as refused:
        compared(frame, twice, cluster="who")
    assert "`item` names the column" in refused.value.hint
    with pytest.raises(ColumnError, match="no row is scored in both"):
        compared(frame[:120], frame[120:], item="key")
    with pytest.raises(ColumnError, match="has 241 rows where"):
        compared(frame, twice)


def run(folder, name, spoilt):
    """Write a run of 60 people, each with one wrong answer of eight; some are spoilt."""
    people = []
    for who in range(60):
        truth = {item: (who + place) % 4 for place, item in enumerate(PHQ8_ITEMS)}
        wrong = PHQ8_ITEMS[who % 8]
        answers = {item: (code + (item == wrong)) % 4 for item, code in truth.items()}
        stated = {
            item: {"token_msp": 0.6 + 0.3 * ((who + len(item)) % 3) / 2} for item in PHQ8_ITEMS
        }
        person = {"participant_id": who, "success": True, "error": None, "item_signals": stated}
        person |= {"predicted_items": answers, "ground_truth_items": truth}
        people.append(spoilt(person, wrong) if who % 3 else person)
    results = {"mode": "m", "results": people}
    whole = {"run_metadata": {}, "experiments": [{"provenance": {"mode": "m"}, "results": results}]}
    (folder / name).write_text(json.dumps(whole))
    return str(folder / name)


def null(person, wrong):
    return {**person, "predicted_items": {**person["predicted_items"], wrong: None}}


def failed(person, _):
    return {**person, "success": False, "error": "timeout"}


@pytest.mark.parametrize(("way", "n_lost"), [(null, 40), (failed, 320)])
def test_runs_are_compared_on_the_items_that_both_answered(tmp_path, way, n_lost):
    paths = [run(tmp_path, "whole.json", lambda person, _: person), run(tmp_path, "t.json", way)]
    for left, right, forbidden in ((0, 1, "better"), (1, 0, "worse")):
        given = [paths[left], paths[right]]
        found = evaluate("calibration", given, confidence="token_msp", **PLAN)
        assert forbidden not in words(found).values()
        counts = found.artifact.pairs[0].counts
        lost = {"n_only_left": n_lost * (left == 0), "n_only_right": n_lost * (left == 1)}
        assert counts == {"n_common": 480 - n_lost, **lost}
        assert words(found)["ece"] is None
        n_failed = [each.counts["n_failed"] for each in found.artifact.inputs]
        assert n_failed == [40 * (way is failed) * (side == 1) for side in (left, right)]
        assert ("failed participants" in repr(found)) == (way is failed)


def test_wrong_answers_that_are_held_with_little_confidence_are_better_in_nothing(tmp_path):
    def wrong_and_unsure(person, _):
        answers = {item: (code + 1) % 4 for item, code in person["ground_truth_items"].items()}
        stated = {item: {"token_msp": 0.01} for item in answers}
        return {**person, "predicted_items": answers, "item_signals": stated}

    paths = [
        run(tmp_path, "whole.json", lambda person, _: person),
        run(tmp_path, "t.json", wrong_and_unsure),
    ]
    pair = evaluate("calibration", paths, confidence="token_msp", **PLAN).pairs[0]
    assert pair["brier"].value < -0.05
    assert pair["brier"].word_reason == "the side it favours gives fewer right answers"
    assert "better" not in {pair[label].word for label in pair}


def test_runs_with_different_truths_are_refused(tmp_path):
    def overwritten(person, _):
        return {**person, "ground_truth_items": person["predicted_items"]}

    paths = [
        run(tmp_path, "whole.json", lambda person, _: person),
        run(tmp_path, "t.json", overwritten),
    ]
    with pytest.raises(ColumnError, match=r"participant 1, item Depressed: the truth is 3 where"):
        evaluate("calibration", paths, confidence="token_msp", **PLAN)


@pytest.mark.parametrize("stated", [0.5, Y.mean()])
def test_a_constant_is_better_in_nothing_but_what_it_loses(stated):
    """It is calibrated where it is the base rate, and tells no rows apart."""
    twin = BASE.assign(p=stated)
    one, other = compared(BASE, twin), compared(twin, BASE)
    assert {label for label, word in words(one).items() if word == "better"} <= {*LOSSES}
    assert {label for label, word in words(other).items() if word == "worse"} <= {*LOSSES}
    assert one.pairs[0]["ece"].high < 0
    assert "one probability for all rows" in one.pairs[0]["ece"].word_reason
    assert words(compared(BASE.assign(p=1 - P), twin))["brier"] == "better"


def test_who_says_less_is_told_what_it_loses_and_names_keep_their_capital_letter():
    nearly = BASE.assign(p=np.where(np.arange(N) % 2, Y.mean() + 0.01, Y.mean() - 0.01))
    found = compared(BASE, nearly).pairs[0]["ece"]
    assert (found.high < 0, found.word) == (True, None)
    assert found.word_reason == "Brier score is higher on the side that would be better"


def test_a_loss_at_worst_is_compared_on_all_rows_that_the_other_has():
    """The other is right wherever the twin says nothing, and only there."""
    silent = np.arange(N) % 2 == 0
    honest = BASE.assign(p=np.where(silent, Y, np.abs(1 - Y - 0.2 * P)))
    twin = BASE.assign(p=np.where(silent, np.nan, Y))
    found = compared(honest, twin).pairs[0]["brier"]
    assert found.high < 0
    assert found.word is None
    assert compared(twin, honest).pairs[0]["brier"].word is None


def test_certainties_are_not_better_calibrated_while_some_of_them_are_wrong():
    """Hardly any row is wrong, so that the Brier score gains by rounding; one wrong costs all."""
    rare = np.arange(N) % 40 == 0
    doubting = np.where(rare, 1 - Y, Y) * 0.6 + 0.2
    found = words(compared(BASE.assign(p=doubting), BASE.assign(p=np.round(doubting))))
    assert {label for label, word in found.items() if word == "better"} == {"brier"}
    right = words(compared(BASE.assign(p=doubting), BASE.assign(p=Y * 0.98 + 0.01)))
    assert right["ece"] == right["max_calibration_error"] == "better"
