"""The page as a file: what is in it, that it is always the same, and that texts stay texts."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re
from functools import cache
from html.parser import HTMLParser

import msgspec
import pytest

from assay import stored
from assay.display.cases import within
from assay.families.selective.parts import PEOPLE
from assay.report.page import bounded, embedded, page, rendered, text_of
from assay.report.page.chapters import Page, chapter
from assay.report.presenters import summary, words_of
from tests.report.families import (
    KINDS,
    endless,
    hostile,
    made,
    shown,
    whole_page,
)
from tests.report.views import grids


class Seen(HTMLParser):
    """Collect the elements of a page and its visible text."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.inside: list[str] = []
        self.scripts: list[str] = []
        self.feed(data.decode())

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag in {"script", "style"}:
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and tag == self.inside[-1]:
            self.inside.pop()

    def handle_data(self, data):
        (self.scripts if self.inside else self.texts).append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())

    def data(self):
        return json.loads(self.scripts[-2])

    def kinds(self):
        return [each.get("type") for tag, each in self.tags if tag == "script"]


@cache
def seen_of(kind: str) -> Seen:
    return Seen(shown(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_artifact_gives_the_same_bytes(kind):
    again = stored.decode(stored.encode(made(kind)))
    assert page([again]) == shown(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_every_part_that_a_reader_needs_is_there(kind):
    seen = seen_of(kind)
    artifact = made(kind)
    for word in ("Conventions", "Reproduce", "All numbers", "Method", "Take away"):
        assert word in seen.text
    assert artifact.command in seen.text
    assert artifact.tool.version in seen.text
    for each in getattr(artifact, "inputs", []):
        assert each.sha256 in seen.text
    for warning in artifact.warnings:
        assert " ".join(warning.split()) in seen.text
    assert len(shown(kind)) < 700_000


@pytest.mark.parametrize("kind", KINDS)
def test_tables_of_the_page_say_what_the_console_says(kind):
    seen = seen_of(kind)
    found = grids(summary(made(kind))).values()
    cells = {cell.text for grid in found for row in grid.rows for cell in row.cells}
    cells |= {cell.beside for grid in found for row in grid.rows for cell in row.cells}
    assert all(" ".join(each.split())[:79] in seen.text for each in cells)


def test_the_slider_carries_the_numbers_of_the_curve():
    (system,) = made("selective").systems
    (operating,) = seen_of("selective").data()["operating"].values()
    confidences = {name: each for name, each in system.variants.items() if name != PEOPLE}
    for choice, variant in zip(operating["choices"], confidences.values(), strict=True):
        curve = variant.parts.curve
        assert [point["at"]["coverage"] for point in choice["points"]] == curve.coverage
        assert [point["accepted"] for point in choice["points"]] == [
            f"{each:,.0f}" for each in curve.n_accepted
        ]
        total = curve.n_accepted[0] + curve.n_handed_over[0]
        assert total == system.parts.population.items_total


def test_what_there_is_no_room_for_is_counted_and_the_main_figures_come_first(monkeypatch):
    from assay.report.page import chapters

    assert "left out, so that this page stays small" not in seen_of("selective").text
    monkeypatch.setattr(chapters, "MOST_DRAWN", 1)
    monkeypatch.setattr(chapters, "MOST_CELLS", 1)
    seen = Seen(page([made("selective")]))
    assert "8 more figures are left out" in seen.text
    assert "more tables are left out" in seen.text
    assert "Confidence functions ranked by aurc" in seen.text


def test_a_policy_allows_only_what_is_in_the_file_by_hash():
    seen = seen_of("sets")
    (policy,) = [
        attributes["content"]
        for tag, attributes in seen.tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "connect-src 'none'" in policy
    style, *_, script = seen.scripts
    assert seen.kinds() == ["application/octet-stream", "application/json", None]
    for text in (style, script):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


ALLOWED = re.compile(
    r"#(s\d+-)?(answer|numbers|cases(-list)?|method|take|scale)|#main|#(st|k)-\w+|data:,", re.ASCII
)
ASKS = re.compile(r"(s\d+-)?cases\?[\w.~%&=-]*", re.ASCII)


def assert_harmless(data: bytes) -> None:
    seen = Seen(data)
    assert seen.kinds()[-2:] == ["application/json", None]
    assert {*seen.kinds()[:-2]} <= {"application/octet-stream"}
    assert {tag for tag, _ in seen.tags} <= TAGS
    for _, attributes in seen.tags:
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        for name in ("href", "src", "action", "srcset", "formaction"):
            assert ALLOWED.fullmatch(attributes.get(name) or "#main")
        assert ASKS.fullmatch(attributes.get("data-asks", "cases?"))
    texts = [*seen.texts, *(value or "" for _, each in seen.tags for value in each.values())]
    shown_characters = set("".join(texts)) - {"\n", "\N{NO-BREAK SPACE}"}
    assert all(each.isprintable() for each in shown_characters)
    seen.data()


TAGS = {
    *("bdi", "wbr"),
    *("caption", "form", "noscript", "symbol", "use"),
    *(
        "html",
        "head",
        "meta",
        "title",
        "link",
        "style",
        "script",
        "body",
        "header",
        "main",
        "footer",
    ),
    *(
        "h1",
        "h2",
        "h3",
        "h4",
        "nav",
        "section",
        "aside",
        "div",
        "p",
        "span",
        "a",
        "b",
        "br",
        "code",
    ),
    *("ul", "ol", "li", "dl", "dt", "dd", "details", "summary", "figure", "figcaption", "img"),
    *("article", "table", "thead", "tbody", "tr", "th", "td", "colgroup", "col", "kbd", "mark"),
    *("svg", "rect", "g", "path", "circle", "line", "text", "title"),
    *("button", "label", "select", "option", "output", "input"),
}


def without_figures(artifact) -> bytes:
    """Return everything of a page but its figures, which take most of the time."""
    return rendered(Page("title", (chapter(bounded(artifact), [], "", b""),)))


def test_hostile_texts_add_no_element_and_no_attribute_to_a_whole_page():
    assert_harmless(whole_page(of_hostile=True))


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_texts_in_every_field_add_no_element_and_no_attribute(kind):
    for number in (3, 11, KINDS.index(kind)):
        assert_harmless(without_figures(hostile(kind, number)))


@pytest.mark.parametrize("kind", KINDS)
def test_endless_texts_are_cut(kind):
    data = without_figures(endless(kind))
    assert_harmless(data)
    assert len(data) < 2_000_000


def test_a_cut_text_says_how_long_it_was():
    artifact = msgspec.structs.replace(made("sets"), warnings=["w" * 10_000])
    (warning,) = bounded(artifact).warnings
    assert warning.endswith("… (10,000 characters)")
    assert bounded(made("sets")) == made("sets")


def test_long_names_that_begin_alike_stay_apart():
    artifact = made("selective")
    (system,) = artifact.systems
    variants = {
        f"{'c' * 9_000}{number}" if name != PEOPLE else name: each
        for number, (name, each) in enumerate(system.variants.items())
    }
    assert len(variants) == len(system.variants) == 3
    long = msgspec.structs.replace(system, variants=variants)
    (shortened,) = bounded(msgspec.structs.replace(artifact, systems=[long])).systems
    assert len(shortened.variants) == len(variants)
    assert all(len(name) < 5_000 for name in shortened.variants)
    assert [*shortened.variants.values()] == [*variants.values()]
    assert PEOPLE in shortened.variants


def test_json_in_the_page_cannot_end_its_element():
    text = embedded({"a": "</script><!--\u2028\u2029"})
    assert "<" not in text
    assert "\u2028" not in text
    assert json.loads(text) == {"a": "</script><!--\u2028\u2029"}


def test_text_is_made_inert_and_cut():
    assert text_of("\x00\u202e") == "\\x00\\u202e"
    assert text_of("e" + "\u0301" * 50) == "e" + "\u0301" * 3
    assert text_of("abcdef", most=4) == "abc…"


def test_an_artifact_without_a_command_says_so():
    seen = Seen(without_figures(msgspec.structs.replace(made("selective"), command=None)))
    assert "No command is on record" in seen.text
    assert "assay selective --input data/demo_run.json --mode few_shot --loss abs_norm" in seen.text


def test_a_command_that_would_run_something_else_is_not_offered():
    text = Seen(
        without_figures(msgspec.structs.replace(made("sets"), command="assay sets; touch x"))
    ).text
    assert "touch x" not in text
    assert "No command is on record" in text


def test_left_out_cases_are_counted(monkeypatch):
    monkeypatch.setattr("assay.display.cases.MOST_ROWS", 5)
    n_cases = len(made("verdicts").systems[0].parts.cases)
    assert (
        f"5 of {n_cases} rows, {n_cases - 5} left out"
        in Seen(without_figures(made("verdicts"))).text
    )


def test_tables_of_cases_share_the_room_of_a_page(monkeypatch):
    monkeypatch.setattr("assay.display.cases.LEAST_ROWS", 2)
    monkeypatch.setattr("assay.display.cases.MOST_IN_ALL", 12)
    tables = [*words_of(made("verdicts")).cases(made("verdicts"))]
    shown = [*within(tables)]
    assert {len(each.rows) for each in shown} == {12 // len(tables)}
    assert all(f"{len(each.rows)} of" in each.note for each in shown)


def test_several_artifacts_are_listed_and_anchored():
    seen = Seen(page([made("sets"), made("intervals"), made("sets")]))
    identities = [each["id"] for _, each in seen.tags if each.get("id")]
    assert len(identities) == len(set(identities))
    links = [each["href"] for tag, each in seen.tags if tag == "a"]
    assert links[:4] == ["#main", "#s1-answer", "#s2-answer", "#s3-answer"]
    assert {each[1:] for each in links} <= {*identities}, "without a script too"
    assert "Prediction sets, Prediction intervals" in seen.text


def called(artifact, mode):
    """Call the one mode otherwise, and the system that is named by it."""
    replace = msgspec.structs.replace
    (given,), (system,) = artifact.inputs, artifact.systems
    assert given.mode == system.name
    inputs, systems = [replace(given, mode=mode)], [replace(system, name=mode)]
    return replace(artifact, inputs=inputs, systems=systems)


def test_a_mode_called_population_keeps_its_numbers():
    found = chapter(called(made("selective"), "Population"), [], "", b"")
    (counts,) = found.population
    assert counts.rows[0].label == "participants"
    tables = [each for each in (*found.tables, *found.more) if each.title == "Population"]
    assert [each.headings[0] for each in tables] == ["aurc"]
    assert "aurc" in Seen(rendered(Page("title", (found,)))).text


@pytest.mark.parametrize("mode", ["Warning", "more", "Confidence x", "Calibration: a"])
def test_no_name_moves_a_table_or_a_word_elsewhere(mode):
    artifact = made("selective")
    usual = chapter(artifact, [], "", b"")
    found = chapter(called(artifact, mode), [], "", b"")
    assert (found.opening.family, found.opening.title) == ("Selective prediction", mode)
    assert [len(each.rows) for each in (*found.tables, *found.more)] == [
        len(each.rows) for each in (*usual.tables, *usual.more)
    ]
    assert found.conventions == usual.conventions
    assert found.opening.warnings == usual.opening.warnings


@pytest.mark.parametrize("kind", KINDS)
def test_every_mark_of_a_chapter_has_its_note_and_every_note_a_mark(kind):
    found = chapter(made(kind), [], "", b"")
    grids_of = (*found.population, *found.tables, *found.more)
    cells = [cell for grid in grids_of for row in grid.rows for cell in row.cells]
    used = set(re.findall(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+", "".join(f"{c.text} {c.beside} " for c in cells)))
    noted = {word for word, _ in found.key.lines if re.fullmatch(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+", word)}
    assert used == noted
    assert not any(cell.notes for cell in cells)


@pytest.mark.parametrize("kind", KINDS)
def test_a_chapter_asks_for_words_and_tables_once(kind, monkeypatch):
    asked = []
    words = words_of(made(kind))

    def sections(artifact):
        asked.append(kind)
        return words.sections(artifact)

    counting = dataclasses.replace(words, sections=sections)
    monkeypatch.setattr("assay.report.presenters.words_of", lambda _: counting)
    chapter(made(kind), [], "", b"")
    assert asked == [kind]
