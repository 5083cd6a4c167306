"""Sections say what they are, in every family; views choose and lay out by that alone."""

from __future__ import annotations

from typing import get_args

import pytest

from assay.display.blocks import Cell, Facts, Grid, Role, Row, Section, Sketch, Summary, facts
from assay.report.layout import blocks, shown
from assay.report.presenters import summary
from tests.report.families import KINDS, made


def roles(kind, role):
    return [each for each in summary(made(kind)).sections if each.role == role]


@pytest.mark.parametrize("kind", KINDS)
def test_every_family_says_what_was_read_chosen_and_computed(kind):
    found = summary(made(kind))
    assert {each.role for each in found.sections} <= {*get_args(Role)}
    for role in ("inputs", "tool", "warnings", "key"):
        (section,) = roles(kind, role)
        assert isinstance(section.block, Facts)
    assert roles(kind, "main")
    assert roles(kind, "conventions")
    assert [word for word, _ in roles(kind, "tool")[0].block.lines] == ["computed by"]
    assert {word for word, _ in roles(kind, "warnings")[0].block.lines} <= {"warning"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_title_stands_over_one_table_only(kind):
    titles = [each.block.title for each in shown(summary(made(kind))) if each.role != "population"]
    own = [title for title in titles if title]
    assert len(own) == len(set(own))


@pytest.mark.parametrize("kind", KINDS)
def test_the_short_view_is_part_of_the_full_one(kind):
    found = summary(made(kind))
    full = [each.block.title for each in shown(found)]
    short = [each.block.title for each in shown(found, "short") if each.role != "more"]
    assert [title for title in full if title in short] == short


@pytest.mark.parametrize("kind", ["selective-comparison", "calibration", "intervals", "verdicts"])
def test_a_difference_names_its_sides(kind):
    names = summary(made(kind)).names
    assert [each.pair for each in roles(kind, "differences")] == [names]


def test_what_names_systems_is_apart_from_the_family():
    found = Summary("Calibration", ("a: b", "c"))
    assert found.title == "Calibration: a: b, c"
    assert Summary("Figures").title == "Figures"


def grid(title, *rows):
    return Grid(title, "", ("x",), rows)


ROW, HIDDEN = Row("a", (Cell("1"),)), Row("b", (Cell("2"),), detail="full")
SECTIONS = (
    facts("inputs", [("input 0", "a.csv")]),
    facts("warnings", []),
    facts("conventions", [("ties", "kept")]),
    Section("curve", Sketch("drawn", ())),
    Section("numbers", grid("One", ROW, HIDDEN)),
    facts("more", [("more", "--full")]),
    Section("numbers", grid("Two", HIDDEN)),
    Section("numbers", grid("Three", ROW), detail="full"),
    facts("findings", [("look", "here")], "Findings"),
    facts("key", [("x", "a number")]),
)


def test_rows_and_sections_of_the_full_view_are_hidden_in_the_short_one():
    short = shown(Summary("t", sections=SECTIONS), "short")
    assert [each.role for each in short] == [
        *("inputs", "conventions", "numbers", "more", "findings", "key")
    ]
    assert short[2].block.rows == (ROW,)
    full = shown(Summary("t", sections=SECTIONS))
    assert [each.block.title for each in full if each.role == "numbers"] == ["One", "Two", "Three"]
    assert full[2].block.rows == (ROW, HIDDEN)
    assert not [each for each in full if each.role == "more"]


def test_facts_that_follow_one_another_are_one_list_and_titled_ones_stand_alone():
    found, _ = blocks(shown(Summary("t", sections=SECTIONS), "short"))
    assert [each.lines for each in found if isinstance(each, Facts)] == [
        (("input 0", "a.csv"), ("ties", "kept")),
        (("look", "here"),),
        (("x", "a number"), ("more", "--full")),
    ]
