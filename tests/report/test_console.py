"""The rendered summary, to the byte; ASSAY_SNAPSHOTS=write renews the files."""

from __future__ import annotations

import io
import os
import re
from functools import cache
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from assay.artifact import Tool
from assay.demo import DEMO_PATH
from assay.inference import Plan
from assay.report.console import render
from assay.report.presenters import summary
from assay.sources import read_run
from tests.selective_artifacts import evaluate

SNAPSHOTS = Path(__file__).parent / "snapshots"
SEVERAL = "llm,verbalized,token_msp,consistency,hybrid_consistency"
CASES = {
    "one_system": (("few_shot",), "default", "short", 80),
    "one_pair": (("zero_shot", "few_shot"), "default", "short", 80),
    "several_confidences": (("zero_shot", "few_shot"), SEVERAL, "short", 100),
    "full": (("few_shot",), "llm,token_msp", "full", 100),
}


@cache
def evaluated(modes, confidence, n_resamples=200):
    tables = [read_run(DEMO_PATH, mode=mode) for mode in modes]
    plan = Plan(n_resamples=n_resamples)
    artifact = evaluate(tables, plan=plan, confidence=confidence)
    # The place, the version and the engine are not what these tests are about.
    inputs = [msgspec.structs.replace(each, path="demo_run.json") for each in artifact.inputs]
    tool = Tool(name="assay", version="0", kernels="compiled")
    return msgspec.structs.replace(artifact, inputs=inputs, tool=tool)


def rendered(artifact, width, detail="short", *, encoding="utf-8", colour=None):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
    terminal = colour is not None
    console = Console(
        file=stream, width=width, force_terminal=terminal, color_system=colour, highlight=False
    )
    render(summary(artifact), console, detail)
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)


@pytest.mark.parametrize("name", CASES)
def test_the_summary_is_the_same_to_the_byte(name):
    modes, confidence, detail, width = CASES[name]
    text = rendered(evaluated(modes, confidence), width, detail)
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("ASSAY_SNAPSHOTS") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [80, 100, 140])
@pytest.mark.parametrize("name", CASES)
def test_no_line_is_wider_than_the_terminal_or_ends_in_blanks(name, width):
    modes, confidence, detail, _ = CASES[name]
    lines = rendered(evaluated(modes, confidence), width, detail).splitlines()
    assert max(map(len, lines)) <= width
    assert [line for line in lines if line != line.rstrip()] == []


def test_two_systems_stand_side_by_side_on_80_columns_and_the_full_view_has_all():
    short, full = (
        rendered(evaluated(*CASES["one_pair"][:2]), 80, each) for each in ("short", "full")
    )
    heads = re.findall(r"^Confidence.*\n *(.*)", short, re.MULTILINE)
    assert [head.split() for head in heads] == [["zero_shot", "few_shot"]]
    assert "mean_risk_at_coverage@common" not in short
    assert full.count("mean_risk_at_coverage@common") == 3


def test_a_narrow_terminal_shows_the_same_numbers_in_more_lines():
    artifact = evaluated(*CASES["several_confidences"][:2])
    narrow, wide = (rendered(artifact, width) for width in (60, 200))
    assert sorted(set(narrow.split()) & set("0123456789.[]")) == sorted(
        set(wide.split()) & set("0123456789.[]")
    )
    for number in (word for word in wide.split() if word.startswith("[0.")):
        assert number in narrow


def test_a_long_confidence_name_is_folded_not_cut():
    name = "secondary:retrieval_similarity_mean+hybrid_evidence_similarity:average"
    text = rendered(evaluated(("few_shot",), f"llm,{name}"), 80)
    assert max(map(len, text.splitlines())) <= 80
    table = text.partition("\nconfidence ")[2]
    assert name in "".join(line.split(" ")[0] for line in table.splitlines())


def test_an_ascii_terminal_gets_ascii_with_the_same_notes():
    text = rendered(evaluated(*CASES["one_pair"][:2]), 80, encoding="ascii")
    assert re.search(r"^aurc +v ", text, re.MULTILINE)
    marked = re.search(r"-\((\d)\)", text)
    assert f"\n({marked[1]}) " in text


def test_colour_is_never_the_only_sign_of_a_better_system():
    plain = rendered(evaluated(*CASES["one_pair"][:2]), 80)
    coloured = rendered(evaluated(*CASES["one_pair"][:2]), 80, colour="standard")
    assert re.search(r"\x1b\[1;32mbetter *\x1b\[0m\n", coloured)
    assert "better\n" in plain


def test_what_intervals_cover_of_few_is_told_of_few():
    artifact = evaluated(("few_shot",), "llm")
    assert "covers less" not in rendered(artifact, 100)
    less = msgspec.structs.replace(artifact.metrics["risk"], covers="90 to 94 % at 20 participants")
    metrics = {**artifact.metrics, "risk": less}
    artifact = msgspec.structs.replace(artifact, metrics=metrics)
    assert "90 to 94 % at 20 participants in simulation: risk" in rendered(artifact, 100)
    many = msgspec.structs.replace(artifact.resampling, n_units=101)
    assert "covers less" not in rendered(msgspec.structs.replace(artifact, resampling=many), 100)
