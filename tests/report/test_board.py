"""Many systems on the first screen: sentences, groups, prepared values, whatever the family."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

import assay
from assay.display.board import Field, ranked_answer
from assay.display.first import First, Measure, Phrase, people
from assay.display.numbers import DASH
from assay.report.page import page, snippet
from assay.report.presenters import words_of
from tests.report.boards import FAMILIES, many
from tests.report.test_page import Seen

structs = msgspec.structs


def text(phrases: tuple[Phrase, ...]) -> str:
    return "".join(each.text for each in phrases).replace("\N{NO-BREAK SPACE}", " ")


def marks(phrases: tuple[Phrase, ...]) -> list[str]:
    return [each.mark for each in phrases if each.mark]


def first(artifact) -> First:
    return words_of(artifact).first(artifact)


def answered(artifact, **board) -> list[Phrase]:
    """Return the sentence over a board that was changed."""
    changed = structs.replace(artifact, board=structs.replace(artifact.board, **board))
    names = [system.name for system in artifact.systems]
    measure = Measure("augrc", "risk", "", "number", "lower")
    return ranked_answer(Field.of(changed, names, measure, "the lowest risk", []))


def group(leader, *members):
    return {"leader": leader, "members": [leader, *members]}


def groups(*held):
    return [msgspec.convert(each, type(many("selective").board.groups[0])) for each in held]


@pytest.mark.parametrize(
    ("held", "said", "marked"),
    [
        (
            [group(0, 1, 2), group(3, 4)],
            (
                "but 2 of the other 4 cannot be told from it: system 1, system 2. The other 2 are"
                " worse."
            ),
            ["open", "bad"],
        ),
        ([group(0, 1, 2, 3), group(4)], "system 3. The other one is worse.", ["open", "bad"]),
        ([group(0), group(1, 2, 3, 4)], "; all other 4 are worse.", ["bad"]),
        (
            [group(0, 1, 2, 3, 4)],
            "Who has the lowest risk cannot be told: none of the other 4 can be told from",
            ["open"],
        ),
        ([], "; whether that is more than chance cannot be told without resamples.", ["open"]),
    ],
)
def test_the_sentence_says_who_is_best_who_is_alike_and_who_is_worse(held, said, marked):
    told = answered(many("selective"), order=[0, 1, 2, 3, 4], groups=groups(*held))
    assert said in text(tuple(told))
    assert marks(told) == marked


def test_systems_without_a_place_are_not_counted_among_the_others():
    unranked = {str(n): "nothing is answered" for n in (2, 3, 4)}
    told = answered(many("selective"), unranked=unranked, groups=groups(group(0), group(1)))
    assert text(tuple(told)).endswith("; the other one is worse.")
    nobody = {str(n): "nothing is answered" for n in range(5)}
    told = answered(many("selective"), unranked=nobody, groups=[])
    assert text(tuple(told)) == "Nothing to compare: nothing is answered, for all 5."
    assert marks(told) == ["apart"]
    alone = {str(n): "nothing is answered" for n in range(1, 5)}
    told = answered(many("selective"), unranked=alone, groups=groups(group(0)))
    assert text(tuple(told)).endswith("; no other is ranked.")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_a_board_of_all_systems(family):
    artifact = many(family)
    shown = first(artifact)
    league = shown.board
    seats = [seat for heading in league.headings for seat in heading.seats]
    assert [seat.place for seat in seats] == artifact.board.order
    assert shown.table is None
    assert shown.title == "5 systems"
    assert text(shown.answer).endswith(".")
    assert sum(seat.slot is not None for seat in seats) == 3
    assert len(league.references) == 5
    assert "p corrected for 4 comparisons (Holm)" in shown.on
    for number, one in enumerate(artifact.board.references):
        own = {seat.place: seat.against[number] for seat in seats}
        assert own[one.system] is None
        words = {each.system: each.delta.word for each in one.others}
        unranked = {int(each) for each in artifact.board.unranked}
        for place, entry in own.items():
            if place == one.system:
                continue
            apart = {place, one.system} & unranked
            assert entry.word == ("not compared" if apart else words[place] or "cannot tell")
    for column in range(len(seats[0].orders)):
        assert min(seat.orders[column] for seat in seats if seat.orders[column] >= 0) == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_all_systems_are_in_the_figure_and_three_of_them_in_colour(family):
    drawn = first(many(family)).drawing.narrow
    assert {f'data-sys="{n}"' in drawn for n in range(5)} == {True}
    coloured = {n for n in range(5) for slot in range(3) if f's{slot}" data-sys="{n}"' in drawn}
    if family == "verdicts":
        coloured = {n for n in range(5) for s in range(3) if f's{s} multi" data-sys="{n}"' in drawn}
    assert len(coloured) == 3
    assert first(many(family)).drawing.grid.rows


def test_those_that_do_not_keep_their_promise_are_neither_ranked_nor_compared():
    artifact = many("intervals")
    assert artifact.board.unranked == {"0": "it covers less than it promises"}
    assert artifact.board.order[-1] == 0
    words = {
        each.delta.word
        for one in artifact.board.references
        for each in one.others
        if 0 in {one.system, each.system}
    }
    assert words == {None}
    shown = first(artifact)
    assert text(shown.answer).startswith("1 of 5 covers less than it promises.")
    last = shown.board.headings[-1]
    assert text(last.phrases) == "Not ranked, 1 system: it covers less than it promises"
    assert last.seats[0].rank == DASH


def test_a_system_that_answers_nothing_is_not_the_best():
    draw = np.random.default_rng(1).random(40)
    found = assay.evaluate(
        "selective",
        loss={f"s{n}": (draw < 0.2 * n) * 1.0 for n in range(4)},
        confidence={f"s{n}": draw for n in range(4)},
        answered={f"s{n}": np.full(40, n != 0) for n in range(4)},
        n_resamples=60,
    ).artifact
    assert found.board.unranked == {"0": "nothing is answered"}
    assert found.board.order[-1] == 0
    assert found.parts.common_coverage == 1.0
    silent = next(each for each in found.board.references if each.system == 0)
    assert {each.delta.word for each in silent.others} == {None}
    assert "s0" not in text(first(found).answer)


def test_without_resamples_the_order_stands_without_words():
    shown = first(many("selective", 4, 0))
    assert "cannot be told without resamples" in text(shown.answer)
    assert text(shown.board.headings[0].phrases).startswith("In order")
    assert shown.seen == ()


@pytest.mark.parametrize("family", ["selective", "calibration"])
def test_names_that_want_to_be_more_than_names_stay_names(family):
    seen = Seen(page([many(family, 4, 60, hostile=True)]))
    assert "img" not in {tag for tag, _ in seen.tags}
    assert not [name for _, each in seen.tags for name in each if name.startswith("on")]
    assert seen.kinds().count(None) == 1


def test_a_notebook_shows_the_board_without_scripts():
    shown = snippet(many("selective"))
    assert "<script" not in shown
    assert shown.count('class="seat') == 5


def test_a_field_needs_a_board():
    artifact = structs.replace(many("selective"), board=msgspec.UNSET)
    with pytest.raises(TypeError, match="has no board"):
        Field.of(artifact, ["a"], Measure("", "", ""), "", [])


def test_who_comes_first_without_the_best_number_is_not_said_to_have_it():
    artifact = many("calibration")
    leader, other = artifact.board.order[:2]
    label, variant = artifact.board.label, artifact.board.variant
    systems = [*artifact.systems]
    for place, value in ((leader, 0.05), (other, 0.01)):
        numbers = systems[place].variants[variant].numbers
        changed = {
            **numbers,
            label: structs.replace(numbers[label], value=value, interval=(0.0, 0.09)),
        }
        own = {variant: structs.replace(systems[place].variants[variant], numbers=changed)}
        systems[place] = structs.replace(systems[place], variants=own)
    board = structs.replace(artifact.board, behind={str(other): "it is right by chance"})
    shown = first(structs.replace(artifact, systems=systems, board=board))
    assert "comes first in mean gap (5.0; 0.0 to 9.0)" in text(shown.answer)
    assert "the smallest mean gap" not in text(shown.board.headings[0].phrases)
    name = people(artifact)[other]
    told = f"{name} comes after one whose number is worse: it is right by chance."
    assert text(shown.also[0].phrases) == told
