"""Names of any signs in figures: drawn as text, told apart by ids, never a reason to lose one."""

from __future__ import annotations

import json
import re
import xml.dom.minidom

import msgspec
import pytest

from assay.display.figures.drawing import labels
from assay.errors import OutputError
from assay.report.figures import figures, rendered
from assay.report.figures.plotting import plotted
from assay.report.page import page
from tests.cli.conftest import assay, folder  # noqa: F401 - fixtures
from tests.report.figures.examples import artifact

WORDS = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"]
WIDE = ["\N{GRINNING FACE}" * 30, "\N{MATHEMATICAL SCRIPT CAPITAL A}" * 35]
FORBIDDEN = ("a\x1bb\x00c\ufffed", "a\uffffb\u202ec\x0bd\x7fe\x85f")


def named(found, *names):
    systems = [
        msgspec.structs.replace(each, name=name)
        for each, name in zip(found.systems, names, strict=True)
    ]
    return msgspec.structs.replace(found, systems=systems)


@pytest.mark.parametrize("names", [*zip(WORDS, [*WORDS[1:], WORDS[0]], strict=True), WIDE])
def test_a_figure_is_drawn_whatever_a_series_is_called(names):
    first, *_ = figures(named(artifact("calibration of two"), *names))
    for width in (120, 720):
        assert rendered(first, "svg", width=width).startswith(b"<svg ")


def test_scales_and_legends_hold_ids_and_names_are_looked_up():
    first, *_ = figures(named(artifact("calibration of two"), "p", "constructor"))
    colour = first.spec["layer"][-1]["encoding"]["color"]
    assert colour["field"] == "nameId"
    assert colour["scale"]["domain"] == colour["legend"]["values"] == ["n0", "n1"]
    assert colour["legend"]["labelExpr"] == "labels[datum.value]"
    (names,) = [each for each in first.spec["params"] if each["name"] == "labels"]
    assert names["value"] == {"n0": "p", "n1": "constructor"}
    row = first.spec["datasets"]["bins"][-1]
    assert (row["nameId"], row["name"]) == ("n1", "constructor")


def test_the_names_in_a_legend_are_those_of_the_systems():
    first, *_ = figures(named(artifact("calibration of two"), "p", "constructor"))
    svg = rendered(first, "svg").decode()
    assert re.findall(r">(p|constructor|n0|n1)<", svg) == ["p", "constructor"]


def test_a_picture_is_well_formed_whatever_signs_a_name_has():
    first, *_ = figures(named(artifact("calibration of two"), *FORBIDDEN))
    svg = rendered(first, "svg").decode()
    xml.dom.minidom.parseString(svg)  # noqa: S318 - it was just made
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufffe\uffff]", svg)


def test_names_are_cut_between_whole_characters():
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}"
    first, second = labels([WIDE[0], family * 9])
    assert first == "\N{GRINNING FACE}" * 13 + "…"
    assert second.endswith("…")
    assert len(second) <= 41


@pytest.fixture
def broken(monkeypatch):
    """Make one figure fail as the drawing program does."""
    import vl_convert

    draw = vl_convert.vegalite_to_svg

    def fail(spec, **settings):
        if "steps" in spec["datasets"]:
            raise ValueError("Vega-Lite to SVG conversion failed:\nError: no\x1b such thing\n at x")
        return draw(spec, **settings)

    monkeypatch.setattr(vl_convert, "vegalite_to_svg", fail)


def test_a_figure_that_cannot_be_drawn_is_a_note_on_the_page(monkeypatch):
    def fail(figure, *, wide):
        if "steps" in figure.spec["datasets"]:
            raise ValueError("no such thing")
        return plotted(figure, wide=wide)

    monkeypatch.setattr("assay.report.page.chapters.plotted", fail)
    html = page([artifact("calibration")]).decode()
    assert html.count('<div class="drawing"') == 2
    assert html.count("<b>This figure could not be drawn</b>") == 1


@pytest.mark.usefixtures("broken")
def test_the_other_figures_are_written_where_one_cannot_be_drawn(assay, folder):  # noqa: F811
    (folder / "a.json").write_bytes(msgspec.json.encode(artifact("calibration of two")))
    done = assay("figures", "a.json", "--output", "x")
    assert done.code == 1
    assert "error: the figure cumulative-differences could not be written: it cannot" in done.err
    drawn = sorted(each.name for each in (folder / "x").iterdir())
    assert drawn == ["differences.svg", *(f"reliability{end}.svg" for end in ("-p", "-q", ""))]


@pytest.mark.usefixtures("broken")
def test_an_artifact_is_there_even_if_its_page_fails(assay, folder, monkeypatch):  # noqa: F811
    def fail(_):
        raise OutputError("the page fails")

    monkeypatch.setattr("assay.report.page.page", fail)
    (folder / "t.csv").write_text("y,p\n" + "1,0.5\n0,0.25\n" * 6)
    given = ("calibration", "t.csv", "--y-true", "y", "--y-score", "p")
    done = assay(*given, "--bootstrap-resamples", "0", "--output", "a.json", "--html", "a.html")
    assert done.code == 1
    assert "wrote a.json\nerror: the page fails" in done.err
    assert json.loads((folder / "a.json").read_bytes())["kind"] == "calibration"
