"""Artifacts edited by hand: `report` and `figures` refuse them in the same sentence."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from typing import Any

import msgspec
import pytest

from assay import evaluate
from assay.demo import DEMO_PATH
from assay.errors import ArtifactError
from assay.report.page import opened
from assay.report.page.chapters import chapter
from tests.report.families import KINDS, made

TO: tuple[Any, ...] = (None, 0, -1, 10**6, 1e308, "", "x", True, [], {})
N_EDITS = 30
"""of each kind, on every run the same ones"""


def first(*path: str | int) -> Callable[[Any], Any]:
    """Return what holds the end of a path."""

    def find(data: Any) -> Any:
        for each in path:
            data = data[next(iter(data))] if each == "*" else data[each]
        return data

    return find


def grouped(data: Any, **changed: Any) -> None:
    """Give the first system one group, of all its rows."""
    own = ONLY(data)
    kept = {name: own[name] for name in ("n_rows", "counts", "numbers")}
    own["slices"] = [{"label": "all", **kept, **changed}]


ONLY = first("systems", 0, "variants", "")
LEVEL = first("systems", 0, "variants", "0.90", "parts")
CURVE = first("systems", 0, "variants", "verbalized", "parts", "curve")
EDITS: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "a shorter list": (
        "selective",
        lambda data: CURVE(data)["selective_risk"].pop(),
        r"verbalized.parts.curve` has \d+ of `coverage` and \d+ points of `selective_risk`",
    ),
    "a renamed list": (
        "calibration",
        lambda data: (walk := ONLY(data)["parts"]["cumulative"]).update(bands=walk.pop("band")),
        "does not have the shape it needs: object contains unknown field 'bands'",
    ),
    "a null in a list": (
        "intervals",
        lambda data: data["systems"][0]["parts"]["curve"].update(nominal=[None]),
        r"expected 'float', got 'null' - at '\$.systems\[0\].parts.curve.nominal\[0\]'",
    ),
    "a system that is not there": (
        "calibration",
        lambda data: data["pairs"][0].update(right=7),
        "`pairs.0.right` is 7, and there are 2, counted from 0",
    ),
    "an input before the first": (
        "sets",
        lambda data: data["systems"][0].update(input=-1),
        "`systems.0.input` is -1, and there are 1, counted from 0",
    ),
    "no systems": ("verdicts", lambda data: data.update(systems=[]), "`systems` is empty"),
    "no models": ("reasoning", lambda data: data.update(systems=[]), "`systems` is empty"),
    "counts without edges": (
        "reasoning",
        lambda data: data["systems"][0]["parts"]["step_f1"].update(edges=[0.5]),
        r"`systems.0.parts.step_f1` has \d+ counts between 1 edge",
    ),
    "a number without end": (
        "calibration",
        lambda data: data["inputs"][0].update(n_rows=10**30),
        "`inputs.0.n_rows` is a number with more than 18 digits",
    ),
    "a number that is missing": (
        "selective-comparison",
        lambda data: [each["variants"]["llm"]["numbers"].pop("augrc") for each in data["systems"]],
        r"does not fit together: `systems.0.variants.llm.numbers` lacks `augrc`",
    ),
    "a number that others have": (
        "calibration",
        lambda data: data["systems"][1]["variants"][""]["numbers"].pop("nll"),
        "`systems.0.variants.` has `nll`, and `systems.1.variants.` has not",
    ),
    "a number under another name": (
        "intervals",
        lambda data: (own := data["systems"][0]["variants"]["0.90"]["numbers"]).update(
            cwcs=own.pop("cwc")
        ),
        "`systems.0.variants.0.90.numbers.cwcs` is not among `metrics`",
    ),
    "a value of an option that others have": (
        "selective",
        lambda data: first("systems", 0, "variants", "token_msp", "numbers")(data).pop(
            "risk_at_coverage@0.10"
        ),
        r"variants.token_msp.numbers` lacks `risk_at_coverage@0.10`",
    ),
    "a difference that is missing": (
        "selective-comparison",
        lambda data: data["pairs"][0]["deltas"]["llm"].pop("cmax"),
        "`pairs.0.deltas.llm` lacks `cmax`",
    ),
    "a convention that is missing": (
        "reasoning",
        lambda data: data["conventions"].pop("matching"),
        "`conventions` lacks `matching`",
    ),
    "a convention that is no number": (
        "selective",
        lambda data: data["conventions"].update(area_coverage="x"),
        "`conventions.area_coverage` is not a number",
    ),
    "an input without a system": (
        "calibration",
        lambda data: data["inputs"].append(data["inputs"][0]),
        "no system is of `inputs.1`",
    ),
    "an input without a rate": (
        "selective-comparison",
        lambda data: [each["variants"].pop("") for each in data["systems"]],
        "`systems.0.variants` lacks ``",
    ),
    "a bin without an edge": (
        "calibration",
        lambda data: ONLY(data)["parts"]["reliability"][0].update(low=None),
        "`systems.0` has a bin with an accuracy and no edges",
    ),
    "a group without its numbers": (
        "calibration",
        lambda data: grouped(data, numbers={}),
        "`systems.0` has numbers without `brier`",
    ),
    "a group of clusters that are not there": (
        "calibration",
        lambda data: grouped(data, counts={"n_positive": 3, "n_clusters": 3}),
        "`systems.0` has slices that do not fit `resampling.unit`",
    ),
    "a difference of no number": (
        "calibration",
        lambda data: (of := data["pairs"][0]["deltas"][""]).update(briers=of.pop("brier")),
        "`pairs.0.deltas..briers` is not among `metrics`",
    ),
    "differences of no variant": (
        "calibration",
        lambda data: data["pairs"][0]["deltas"].clear(),
        "`pairs.0` has not the one variant of this kind",
    ),
    "a stratum without a coverage": (
        "intervals",
        lambda data: LEVEL(data)["sizes"][0].update(coverage=None),
        "`systems.0.variants.0.90.parts.sizes.0` has rows and no `coverage`",
    ),
    "strata without rows": (
        "sets",
        lambda data: first("systems", 0, "variants", "*", "parts")(data).update(
            groups=[{**first("systems", 0, "variants", "*", "parts", "sizes", 0)(data), "n": 0}]
        ),
        "`systems.0.variants.0.90.parts.groups` has no rows",
    ),
    "a share of more than all": (
        "intervals",
        lambda data: LEVEL(data)["widths"]["share"].__setitem__(0, 2.0),
        "`systems.0.variants.0.90.parts.widths.share.0` is 2, which is no share",
    ),
    "a smaller table": (
        "verdicts",
        lambda data: data["systems"][0]["parts"]["confusion"].pop(),
        r"`systems.0.parts.confusion` is not a table of \d by \d verdicts",
    ),
    "a curve of another step": (
        "verdicts",
        lambda data: data["systems"][0]["parts"]["thresholds"][0].update(threshold=7),
        "`systems.0.variants..numbers` lacks `threshold_auprc@7.00`",
    ),
    "a reading of bias that is missing": (
        "reasoning",
        lambda data: data["systems"][0]["parts"]["bias"]["other_readings"].pop("split"),
        "`systems.0.parts.bias.other_readings` lacks `split`",
    ),
    "half a range of gaps": (
        "reasoning",
        lambda data: data["systems"][0]["parts"]["sensitivity"].update(highest=None),
        "`systems.0.parts.sensitivity` has one of `lowest` and `highest`",
    ),
    "a model of another kind": (
        "calibrator",
        lambda data: data["model"].update(temperature="warm"),
        "`model` does not have the shape it needs: expected 'float | null', got 'str'",
    ),
    "a calibrator without a model": (
        "calibrator",
        lambda data: data["model"].pop("temperature"),
        "does not fit together: there is no `model.temperature`",
    ),
    "a model of another method": (
        "calibrator",
        lambda data: data.update(calibrator="isotonic"),
        "`calibrator` is isotonic where `model` is that of temperature",
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_both_commands_refuse_an_edited_artifact_in_the_same_sentence(assay, folder, edit):
    kind, change, sentence = EDITS[edit]
    data = msgspec.to_builtins(made(kind))
    change(data)
    (folder / "a.json").write_text(json.dumps(data))
    report = assay("report", "a.json", "--output", "a.html")
    figures = assay("figures", "a.json", "--output", "x")
    tables = assay("report", "a.json", "--format", "csv")
    assert report == figures == tables
    assert (report.code, report.out) == (1, "")
    with pytest.raises(ArtifactError, match=sentence):
        opened("a.json")
    assert sorted(each.name for each in folder.iterdir()) == ["a.json", "run.json"]


def test_a_scale_whose_ends_are_one_has_no_line_for_numbers(assay, folder):
    found = evaluate("selective", DEMO_PATH, mode="few_shot", n_resamples=0)
    data = msgspec.to_builtins(found.artifact)
    case = next(each for each in data["cases"]["kept"] if each["answers"][0].get("answer"))
    data["parts"]["loss"]["scale"] = [case["truth"]] * 2
    data["cases"]["kept"] = [case]
    case["answers"][0]["answer"] = case["truth"]
    (folder / "a.json").write_text(json.dumps(data))
    done = assay("report", "a.json", "--output", "a.html")
    assert (done.code, (folder / "a.html").exists()) == (0, True), done.err


def test_a_fault_of_ours_is_not_blamed_on_the_file(tmp_path, monkeypatch):
    def broken(*_: object) -> None:
        raise KeyError("ours")

    (tmp_path / "a.json").write_bytes(msgspec.json.encode(made("sets")))
    monkeypatch.setattr("assay.report.page.figures", broken)
    found = opened(str(tmp_path / "a.json"))
    with pytest.raises(KeyError, match="ours"):
        _ = found.figures


def test_text_that_is_not_utf8_is_refused_in_words(assay, folder):
    data = msgspec.to_builtins(made("calibration"))
    data["systems"][0]["name"] = "caf\N{LATIN SMALL LETTER E WITH ACUTE}"
    text = json.dumps(data, ensure_ascii=False)
    (folder / "a.json").write_bytes(text.encode("latin-1"))
    for command in ("report", "figures"):
        done = assay(command, "a.json")
        assert done.code == 1
        assert "a.json is not UTF-8 text" in done.err


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    inside = value if isinstance(value, dict) else range(len(value)) if type(value) is list else ()
    for each in inside:
        yield from _places(value[each], (*path, each))


@pytest.mark.parametrize("kind", KINDS)
def test_no_edit_ends_in_a_traceback(tmp_path, kind):
    drawn = random.Random(7)  # noqa: S311 - the same edits on every run
    whole = msgspec.to_builtins(made(kind))
    places = [*_places(whole)]
    for _ in range(N_EDITS):
        data = deepcopy(whole)
        *above, last = drawn.choice(places)
        holder = first(*above)(data) if above else data
        _edit(holder, last, drawn)
        path = tmp_path / "a.json"
        path.write_bytes(msgspec.json.encode(data))
        with suppress(ArtifactError):
            chapter(opened(str(path)).artifact, (), "", b"")


def _edit(holder: Any, place: Any, drawn: random.Random) -> None:
    value = holder[place]
    match drawn.randrange(4):
        case 0:
            del holder[place]
        case 1 if isinstance(holder, dict):
            holder[f"{place}s"] = holder.pop(place)
        case 2 if isinstance(value, list):
            del value[drawn.randrange(len(value) + 1) :]
        case _:
            holder[place] = deepcopy(drawn.choice(TO))
