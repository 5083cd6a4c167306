"""What every figure of every family promises, and what some of them hold to the number."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys

import altair as alt
import msgspec
import pytest

from assay.display.figures.theme import STYLES, config, styled
from assay.errors import UsageError
from assay.report import presenters
from assay.report.figures import figures, rendered
from tests.report.families import made
from tests.report.figures.examples import NAMES, artifact, drawn

DRAWN = {
    "selective": ["risk-coverage", "generalized-risk"],
    "selective steps": [
        *("ranking-aurc", "ranking-augrc", "ranking-error-auroc"),
        *("risk-coverage-by-confidence", "generalized-risk-by-confidence"),
        *("risk-coverage-llm", "generalized-risk-llm"),
        *("risk-coverage-token-msp", "generalized-risk-token-msp"),
    ],
    "comparison": ["risk-coverage", "generalized-risk", "differences"],
    "comparison of confidences": [
        *("ranking-aurc", "ranking-augrc", "ranking-error-auroc"),
        *("risk-coverage-zero-shot-by-confidence", "generalized-risk-zero-shot-by-confidence"),
        *("risk-coverage-few-shot-by-confidence", "generalized-risk-few-shot-by-confidence"),
        *("risk-coverage-llm", "generalized-risk-llm"),
        *("risk-coverage-token-msp", "generalized-risk-token-msp"),
        *("differences-aurc", "differences-augrc", "differences-error-auroc"),
    ],
    "calibration": ["reliability", "cumulative-differences"],
    "calibration of two": [
        *("reliability", "reliability-p", "reliability-q"),
        *("cumulative-differences", "differences"),
    ],
    "intervals": ["coverage", "coverage-by-width", "widths"],
    "intervals of two": [
        "coverage",
        *("coverage-by-width-level-0-50", "coverage-by-group-level-0-50"),
        *("coverage-by-width-level-0-90", "coverage-by-group-level-0-90"),
        "widths",
        *("differences-interval-coverage", "differences-interval-width", "differences-winkler"),
    ],
    "sets": ["coverage", "coverage-by-set-size", "coverage-by-true-class", "set-sizes"],
    "verdicts": ["numbers", "precision-recall", "confusion", "quotations", "judgements"],
    "verdicts of two": [
        "numbers",
        *("precision-recall-direct-json", "confusion-direct-json"),
        *("precision-recall-checked-json", "confusion-checked-json"),
        *("quotations", "judgements", "differences"),
    ],
    "reasoning of one": [
        *("faithfulness-gap", "faithfulness-gap-by-reading"),
        *("accuracies", "step-f1", "silent-bias"),
    ],
    "reasoning": [
        "faithfulness-gap",
        *("faithfulness-gap-by-reading-model-0", "faithfulness-gap-by-reading-model-1"),
        *("accuracies", "step-f1", "silent-bias"),
    ],
}
OTHERS = [("png", "dark", b"\x89PNG\r\n\x1a\n"), ("pdf", "paper", b"%PDF-")]
DERIVED = {"place", "middle", "marked"}
"""fields that say where something is drawn"""


@pytest.mark.parametrize("name", NAMES)
def test_an_artifact_has_the_figures_it_has_data_for(name):
    assert [each.name for each in drawn(name)] == DRAWN[name]


@pytest.mark.parametrize("name", NAMES)
def test_every_number_in_a_figure_is_one_of_the_artifact(name):
    known = set(_numbers(msgspec.to_builtins(artifact(name))))
    for figure in drawn(name):
        for dataset, rows in figure.spec["datasets"].items():
            for row in rows if dataset != "ends" else ():
                shown = {field: value for field, value in row.items() if field not in DERIVED}
                assert {*map(abs, _numbers(shown))} <= {*map(abs, known)}, figure.name


def _numbers(part):
    match part:
        case dict():
            return [number for each in part.values() for number in _numbers(each)]
        case list() | tuple():
            return [number for each in part for number in _numbers(each)]
        case bool() | str() | None:
            return []
        case _:
            return [part]


EACH = {
    "-".join(figure.split("-")[:2]): (name, figure)
    for name, figures_drawn in DRAWN.items()
    for figure in figures_drawn
}
"""where a figure of every sort is found: to check one against the schema takes long"""


@pytest.mark.parametrize(("name", "figure"), EACH.values(), ids=EACH.keys())
def test_a_figure_of_every_sort_is_valid_vega_lite(name, figure):
    (found,) = [each for each in drawn(name) if each.name == figure]
    spec = styled(found, "paper", width=300)
    few = {dataset: rows[:1] for dataset, rows in spec["datasets"].items()}
    alt.LayerChart.validate({**spec, "datasets": few})


@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_a_valid_configuration(style):
    alt.Config.validate(config(style))


@pytest.mark.parametrize(("name", "figure"), EACH.values(), ids=EACH.keys())
def test_a_figure_of_every_sort_becomes_a_picture_whose_ids_count_from_one(name, figure):
    (found,) = [each for each in drawn(name) if each.name == figure]
    picture = rendered(found, "svg", width=260)
    assert picture.startswith(b"<svg ")
    assert len(picture) > 1500
    numbers = [int(each) for each in re.findall(rb' id="clip(\d+)"', picture)]
    assert numbers == [*range(1, picture.count(b" id=") + 1)]


@pytest.mark.parametrize(("place", "sort"), list(enumerate(EACH.values())), ids=EACH.keys())
def test_a_figure_of_every_sort_becomes_another_picture(place, sort):
    # Both are made from the same drawing as the SVG above, so that one of them is enough.
    form, style, start = OTHERS[place % 2]
    (found,) = [each for each in drawn(sort[0]) if each.name == sort[1]]
    picture = rendered(found, form, style=style, width=260)
    assert picture.startswith(start)
    assert len(picture) > 1500


def test_a_picture_is_as_wide_as_asked():
    figure = drawn("comparison")[0]
    for style in STYLES:
        svg = rendered(figure, "svg", style=style, width=432).decode()
        assert re.search(r'<svg [^>]*width="432"', svg), style


def test_a_dark_picture_brings_its_ground_along():
    figure = drawn("selective")[0]
    ground = config("dark")["background"]
    assert f'fill="{ground}"' in rendered(figure, "svg", style="dark").decode()


def test_differences_of_several_pairs_have_whole_labels_on_two_lines():
    (figure,) = [each for each in figures(made("reasoning")) if each.name == "differences"]
    svg = rendered(figure, "svg", style="paper").decode()
    assert svg.count("<tspan>step_f1</tspan>") == 3
    assert re.search(r'<tspan x="0" dy="[\d.]+">steady minus guarded</tspan>', svg)


def test_a_picture_says_what_it_shows():
    figure = drawn("selective")[0]
    svg = rendered(figure, "svg", style="screen").decode()
    assert svg.startswith(f'<svg role="img" aria-label="{figure.alt}" ')
    assert figure.title in svg


def test_a_picture_for_paper_leaves_the_title_to_the_paper():
    figure = drawn("selective")[0]
    assert figure.title not in rendered(figure, "svg", style="paper").decode().split(">", 1)[1]


def test_what_only_a_pointer_shows_is_in_no_picture():
    figure = drawn("selective")[0]
    assert any(each["mark"].get("style") == "hover" for each in figure.spec["layer"])
    assert 'opacity="0"' not in rendered(figure, "svg").decode()


@pytest.mark.parametrize("name", NAMES)
def test_a_specification_has_roles_and_no_colours(name):
    roles = set(config("screen")["style"]) | {"bar"}
    for figure in drawn(name):
        text = json.dumps(figure.spec)
        assert "config" not in figure.spec
        assert not re.search(r'"#[0-9a-fA-F]{3,8}"|"(gray|grey|black|white|red|steelblue)"', text)
        assert {*re.findall(r'"style": "(\w+)"', text)} <= roles


def test_all_styles_know_the_same_roles():
    first, *others = (config(style) for style in STYLES)
    for other in others:
        assert other["style"].keys() == first["style"].keys()
        assert other.keys() == first.keys()


SCRIPT = """
import hashlib, json
from assay.stored import read_artifact
from assay.report.figures import figures
specs = json.dumps([each.spec for each in figures(read_artifact({path!r}))])
print(hashlib.sha256(specs.encode()).hexdigest())
"""


def test_the_same_artifact_gives_the_same_bytes_in_any_process(tmp_path):
    path = tmp_path / "artifact.json"
    path.write_bytes(msgspec.json.encode(artifact("comparison of confidences")))
    found = drawn("comparison of confidences")
    here = hashlib.sha256(json.dumps([each.spec for each in found]).encode()).hexdigest()
    code = SCRIPT.format(path=str(path))
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == here
    assert found == figures(artifact("comparison of confidences"))


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_the_same_figure_gives_the_same_picture(form):
    first, *_, last = drawn("comparison of confidences")
    for figure in (first, last):
        assert len({rendered(figure, form) for _ in range(2)}) == 1


def test_names_are_safe_for_files_and_pages_and_come_once():
    for name in NAMES:
        names = [each.name for each in drawn(name)]
        assert len({*names}) == len(names)
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", each) for each in names)


def test_without_the_packages_one_sentence_says_which_are_missing(monkeypatch):
    monkeypatch.setattr(
        presenters, "find_spec", lambda name: None if name == "jinja2" else object()
    )
    with pytest.raises(UsageError, match="need packages that are not installed: jinja2") as raised:
        figures(artifact("selective"))
    assert raised.value.hint == "pip install 'assay[report]'"


def test_a_calibrator_file_has_no_figure(tmp_path):
    from assay.calibrators.fitting import CalibratorOptions, fit_calibrator
    from assay.demo import DEMO_PATH
    from assay.sources import read_run

    fitted = fit_calibrator(
        read_run(DEMO_PATH, mode="few_shot"), CalibratorOptions(), created_at=""
    )
    assert figures(fitted) == []
