"""Cases and what changed: which are kept, what is counted, and what a file may hold."""

from __future__ import annotations

import json
from importlib.resources import files

import msgspec
import numpy as np
import pytest

import assay
from assay import stored
from assay.artifact import STATES, Answer, Case, Pair
from assay.cases import cases, with_transitions
from assay.cli import main
from assay.errors import UsageError
from assay.families.case_sheet import ABSENT, FAILED, RIGHT, UNSCORED, WRONG, Answers, CaseSheet
from assay.metrics import mcnemar_p_value
from assay.stored import fault
from tests.report.families import made

DATA = files("assay") / "data"
VERDICTS = DATA / "verdicts"
FAMILIES = ("selective-comparison", "calibration", "intervals", "sets", "verdicts", "reasoning")


def side(states, number=0, **more):
    return Answers(
        f"s{number}",
        number,
        np.array(states, np.int8),
        lambda row: Answer(state=None, answer=float(row)),
        **more,
    )


def sheet(*sides, **more):
    return CaseSheet("case", sides, lambda row: Case(id=str(row), answers=[]), **more)


def pair(left=0, right=1):
    return Pair(left=left, right=right, deltas={})


def kept(found):
    return [each.id for each in found.kept]


def test_transitions_count_every_case_that_both_were_asked():
    left = [RIGHT, RIGHT, WRONG, WRONG, 2, FAILED, UNSCORED, RIGHT]
    right = [RIGHT, WRONG, RIGHT, 2, FAILED, FAILED, WRONG, ABSENT]
    both = sheet(side(left), side(right, 1))
    (found,) = with_transitions([pair()], both)
    told = found.transitions
    assert told.matrix == [[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1]]
    assert (told.left_sums, told.right_sums, told.n) == ([2, 2, 1, 1], [2, 1, 1, 2], 6)
    assert (told.right_to_wrong, told.wrong_to_right) == (1, 1)
    assert (told.newly_abstained, told.newly_failed) == (1, 1)
    assert (told.n_answered, told.p_value, told.p_holm, told.p_reason) == (3, 1.0, 1.0, None)
    assert kept(cases(both, [found], "texts"))[:2] == ["1", "2"]


def test_mcnemar_is_the_metric_and_holds_over_all_pairs():
    one = [RIGHT] * 9 + [WRONG] * 3
    other = [WRONG] * 8 + [RIGHT] + [RIGHT] * 1 + [WRONG] * 2
    three = sheet(side(one), side(other, 1), side(one, 2))
    first, second = with_transitions([pair(), pair(0, 2)], three)
    known = mcnemar_p_value(
        correct_cot=[each == RIGHT for each in other], correct_early=[each == RIGHT for each in one]
    )
    assert first.transitions.p_value == pytest.approx(known)
    assert first.transitions.p_holm == pytest.approx(2 * known)
    assert second.transitions.p_value == 1.0
    between = cases(three, [first, second], "none").between
    assert [(each.left, each.right) for each in between] == [(1, 2)]
    assert between[0].matrix[1][0] == 8
    assert between[0].p_holm == pytest.approx(3 * known)
    assert cases(sheet(side(one), side(other, 1)), [first], "none").between is msgspec.UNSET
    many = sheet(*(side(one, number) for number in range(25)))
    assert cases(many, [pair(0, 1)], "none").between is msgspec.UNSET
    (alike,) = with_transitions([pair()], sheet(side(one), side(other, 1), dependent="alike"))
    assert (alike.transitions.p_value, alike.transitions.p_reason) == (None, "alike")
    (empty,) = with_transitions([pair()], sheet(side([FAILED]), side([RIGHT], 1)))
    assert empty.transitions.p_reason == "no case is answered by both"


def test_every_kind_of_case_gets_its_share_of_the_budget():
    n = 5_000
    state = np.zeros(n, np.int8)
    state[:3_000] = WRONG
    state[4_990:4_995] = FAILED
    sure, loss = np.arange(n, dtype=float), -np.arange(n, dtype=float)
    found = cases(sheet(side(state, sure=sure, loss=loss)), [], "texts")
    assert (found.n, found.budget, len(found.kept)) == (5_000, 200, 200)
    ids = {int(each) for each in kept(found)}
    assert {*range(4_990, 4_995)} <= ids, "what failed is rare, and all of it is there"
    assert {*range(2_910, 3_000)} <= ids, "the surest errors"
    assert {*range(90)} <= ids, "the costliest errors"
    assert found.sides[0].counts == dict(zip(STATES, (1_995, 3_000, 0, 5), strict=True))


def test_ties_are_broken_by_the_order_of_rows_and_rows_may_stand_for_several():
    state = np.full(1_000, WRONG, np.int8)
    found = cases(sheet(side(state, loss=np.ones(1_000)), size=np.full(1_000, 3.0)), [], "texts")
    assert kept(found) == [str(each) for each in range(200)]
    assert (found.n, found.kept[0].n, found.sides[0].counts["wrong"]) == (3_000, 3, 3_000)


def test_a_case_that_a_side_was_not_asked_has_no_answer_there():
    found = cases(sheet(side([RIGHT, UNSCORED]), side([ABSENT, WRONG], 1)), [], "texts")
    by_id = {each.id: each for each in found.kept}
    assert by_id["0"].answers[1] is None
    assert by_id["1"].answers[0].state is None


def test_what_is_not_known_says_why():
    found = cases("rows were counted", [pair()], "texts")
    assert (found.reason, found.kept, found.sides) == ("rows were counted", [], [])
    assert with_transitions([pair()], "rows were counted")[0].transitions is None


@pytest.mark.parametrize("kind", FAMILIES)
def test_every_family_keeps_cases_that_add_up(kind):
    artifact = made(kind)
    found = artifact.cases
    assert 0 < len(found.kept) <= found.budget
    assert found.texts == (kind in {"verdicts", "reasoning"})
    states = {each.state for case in found.kept for each in case.answers if each}
    assert "right" in states
    assert "wrong" in states or not any(each.counts["wrong"] for each in found.sides)
    if len(found.kept) == found.n:
        for place, one in enumerate(found.sides):
            own = [case.answers[place] for case in found.kept]
            told = {s: sum(each is not None and each.state == s for each in own) for s in STATES}
            assert told == one.counts
    for change in [*found.within, *(each.transitions for each in artifact.pairs)]:
        assert [sum(row) for row in change.matrix] == change.left_sums
        assert [sum(column) for column in zip(*change.matrix, strict=True)] == change.right_sums
        assert sum(change.left_sums) == change.n
    assert fault(artifact) is None


def test_the_demo_changes_as_its_answers_do():
    told = made("selective-comparison").pairs[0].transitions
    assert told.matrix == [[78, 19, 2, 0], [31, 19, 3, 0], [27, 25, 108, 0], [4, 1, 3, 8]]
    assert (told.newly_abstained, told.p_reason) == (5, "items of one participant are alike")
    case = made("selective-comparison").cases.kept[0]
    assert [each.state for each in case.answers] == ["right", "wrong"]
    assert case.id.startswith(f"{case.cluster} ")


def test_reasoning_tells_what_reasoning_changed_within_a_model():
    artifact = made("reasoning")
    for system, change in zip(artifact.systems, artifact.cases.within, strict=True):
        counts = next(iter(system.variants.values())).counts
        # Of those not refused, what failed counts as wrong in McNemar's test of the numbers.
        lost, won = change.matrix[0], [row[0] for row in change.matrix]
        assert counts["only_early"] == lost[1] + lost[3]
        assert counts["only_cot"] == won[1] + won[3]


def evaluated(content):
    return assay.evaluate(
        "verdicts",
        str(VERDICTS / "direct.json"),
        ground_truth=str(VERDICTS / "ground_truth.json"),
        sources=str(VERDICTS / "reviews.jsonl"),
        n_resamples=0,
        cases=content,
    )


def test_ids_hold_no_text_of_the_input_and_none_holds_no_case():
    whole, ids, none = (evaluated(content).artifact for content in ("texts", "ids", "none"))
    words = [each.text for case in whole.cases.kept for each in case.answers[0].texts]
    assert len(words) > 20
    words += [each.text for case in whole.cases.kept for each in case.sources]
    for artifact in (ids, none):
        held = stored.encode(artifact).decode()
        assert not [each for each in words if json.dumps(each, ensure_ascii=False)[1:-1] in held]
        assert not artifact.cases.texts
    assert [each.id for each in ids.cases.kept] == [each.id for each in whole.cases.kept]
    assert (none.cases.kept, none.systems[0].parts.cases) == ([], [])
    assert none.cases.sides == whole.cases.sides
    with pytest.raises(UsageError, match="`cases` must be one of texts, ids, none, found 'all'"):
        evaluated("all")


def run(*words):
    with pytest.raises(SystemExit) as stopped:
        main([*words])
    return stopped.value.code or 0


def test_reasoning_without_texts_keeps_labels(tmp_path, capsys):
    words = [
        *("reasoning", "--generations", str(DATA / "reasoning" / "results")),
        *("--vignettes", str(DATA / "reasoning" / "vignettes.json")),
        *("--gold-labels", str(DATA / "reasoning" / "gold_labels.json")),
        *("--output", str(tmp_path / "out"), "--bootstrap-resamples", "0"),
    ]
    assert run(*words, "--cases", "ids") == 0
    assert "texts of the input" not in capsys.readouterr().err
    held = (tmp_path / "out" / "reasoning.json").read_text()
    assert "Let me consider" not in held
    assert '"answer": "Panic Disorder"' in held
    assert run(*words) == 0, "another choice of cases is not up to date"
    assert "holds texts of the input (40 vignettes)" in capsys.readouterr().err
    assert "Let me consider" in (tmp_path / "out" / "reasoning.json").read_text()


def test_files_without_cases_are_read_as_before():
    artifact = made("verdicts")
    data = msgspec.to_builtins(artifact)
    del data["cases"]
    for each in data["pairs"]:
        del each["transitions"]
    found = stored.decode(msgspec.json.encode(data))
    assert found.cases is None
    assert found.pairs[0].transitions is None
    assert fault(found) is None


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("cases", "sides", 0, "system"), 9, "`cases.sides.0` is 9"),
        (("cases", "kept", 2, "answers"), [], "`cases.kept.2` has 0 answers of 2 sides"),
        (("pairs", 0, "transitions", "matrix"), [[1]], "is not a table of 4 states"),
        (("pairs", 0, "transitions", "right"), 5, "`pairs.0.transitions` is 5"),
    ],
)
def test_cases_that_do_not_fit_together_are_refused(path, value, said):
    data = msgspec.to_builtins(made("verdicts"))
    held = data
    for each in path[:-1]:
        held = held[each]
    held[path[-1]] = value
    assert said in fault(stored.decode(msgspec.json.encode(data)))


def test_items_have_names_and_quotations_what_they_were_judged_to_be():
    items = {each.item for each in made("selective-comparison").cases.kept}
    assert len(items) == 8
    assert all(
        each.id.endswith(f" {each.item}") for each in made("selective-comparison").cases.kept
    )
    texts = [
        text.note
        for each in made("verdicts").cases.kept
        for answer in each.answers
        if answer
        for text in answer.texts
    ]
    assert any("; judged severe incident" in note for note in texts)


def test_a_case_holds_its_sources_those_of_the_truth_first_while_there_is_room(monkeypatch):
    kept = evaluated("texts").artifact.cases.kept
    notes = [[each.note for each in case.sources] for case in kept]
    assert all(notes)
    assert any(len({*each}) == 2 for each in notes)
    for own in notes:
        assert own == sorted(own, key=lambda each: each is None)
    monkeypatch.setattr("assay.cases.MOST_LETTERS", sum(len(e.text) for e in kept[0].sources))
    less = evaluated("texts").artifact.cases.kept
    assert less[0].sources == kept[0].sources
    assert not any(case.sources for case in less[1:])
