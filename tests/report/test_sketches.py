"""Curves as bars: how high, how many, and what is written beside them."""

from __future__ import annotations

import io

import msgspec
from rich.console import Console

from assay.display.blocks import Sketch
from assay.display.wording import sparkline
from assay.report.console import render
from assay.report.presenters import summary
from tests.report import views
from tests.report.figures.examples import artifact

BARS = views.of(
    Sketch("risk", (("one", "▁▅█·", "0.1 at 5.0%"), ("longer name", "▁▁▁▁", ""))), title="t"
)


def sketch_of(found) -> Sketch:
    (sketch,) = [each for each in views.blocks_of(summary(found)) if isinstance(each, Sketch)]
    return sketch


def rendered(width: int, encoding: str = "utf-8") -> list[str]:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
    render(BARS, Console(file=stream, width=width, highlight=False))
    stream.flush()
    return stream.buffer.getvalue().decode(encoding).splitlines()


def test_bars_have_eight_heights_from_zero_to_the_top():
    assert sparkline([each / 8 for each in range(9)], 1.0) == "▁▂▃▄▅▆▇██"
    assert sparkline([0.0, None], 0.0) == "▁·"


def test_risk_is_sketched_at_every_twentieth_of_the_items_up_to_the_last_answer():
    found = artifact("selective")
    sketch = sketch_of(found)
    ((name, bars, words),) = sketch.lines
    curve = found.systems[0].variants["llm"].parts.curve
    assert name == "llm"
    assert len(bars) == 20
    assert bars.rstrip("·").count("·") == 0
    assert len(bars.rstrip("·")) == sum(
        (place + 1) / 20 <= curve.coverage[-1] for place in range(20)
    )
    assert words == "0.000 at 1.9%, 0.132 at 48.7%"
    assert sketch.title == "Selective risk by coverage, 0 to 1 (bars up to 0.132)"


def test_systems_and_confidences_are_named_where_there_are_several():
    found = artifact("comparison of confidences")
    assert [name for name, *_ in sketch_of(found).lines] == [
        "zero_shot llm",
        "few_shot llm",
        "zero_shot token_msp",
        "few_shot token_msp",
    ]


def test_a_curve_without_answers_says_so():
    found = artifact("selective")
    (system,) = found.systems
    variant = system.variants["llm"]
    curve = msgspec.structs.replace(variant.parts.curve, coverage=[], selective_risk=[])
    parts = msgspec.structs.replace(variant.parts, curve=curve)
    variants = {**system.variants, "llm": msgspec.structs.replace(variant, parts=parts)}
    unanswered = msgspec.structs.replace(system, variants=variants)
    silent = msgspec.structs.replace(found, systems=[unanswered])
    assert sketch_of(silent).lines == (("llm", "·" * 20, "nothing is answered"),)


def test_reliability_is_sketched_bin_by_bin():
    found = artifact("calibration")
    (_, stated, _), (_, true, _) = sketch_of(found).lines
    assert [name for name, *_ in sketch_of(found).lines] == ["p stated", "p true"]
    assert stated == "▁▂▃▃▄▅▆▇▇█"
    assert len(true) == 10


def test_what_bars_mean_is_left_out_where_there_is_no_room():
    assert rendered(40)[3:] == ["one          ▁▅█·  0.1 at 5.0%", "longer name  ▁▁▁▁"]
    assert rendered(24)[3:] == ["one          ▁▅█·", "longer name  ▁▁▁▁"]


def test_bars_are_drawn_with_plain_characters_where_there_are_no_others():
    assert rendered(40, "ascii")[3] == "one          _=#   0.1 at 5.0%"
