"""Numbers as text: any double has a spelling that is short and says what it is."""

from __future__ import annotations

from math import inf, nan

import pytest

from assay.display.wording import (
    decimals,
    fixed,
    level,
    p_value,
    percent,
    points,
    signed,
    sparkline,
)
from tests.cli.conftest import assay, folder  # noqa: F401 - fixtures

DOUBLES = [0.0, -0.0, 5e-324, 1e-200, 0.25, 1e16, 1e155, 1e200, 1e308, inf]


@pytest.mark.parametrize("value", [nan, *DOUBLES, *(-each for each in DOUBLES)])
def test_any_double_has_a_short_spelling(value):
    for spread in (None, 0.0, value, 5e-324, 1e308, inf, nan):
        places = decimals(value, spread)
        assert 0 <= places <= 6
        assert len(fixed(value, places)) <= 16
        assert len(signed(value, places)) <= 17
    for write in (percent, points, level, p_value):
        assert len(write(value)) <= 20
    assert len(sparkline([value, 1.0, None], 1.0)) == 3
    assert len(sparkline([value, 1.0, None], value)) == 3


def test_a_number_beyond_the_largest_is_called_infinite():
    assert (fixed(inf, 3), percent(1e308), points(-1e308)) == ("inf", "inf%", "-inf")
    assert (fixed(nan, 3), fixed(1e200, 0), percent(1e16)) == ("nan", "1e+200", "1e+18%")


def test_a_bar_of_nothing_is_a_dot_and_one_beyond_the_top_is_full():
    assert sparkline([nan, None, inf, 1e308, 0.5, -1.0], 1.0) == "··██▅▁"


def test_one_thing_is_told_in_the_singular_wherever_it_is_shown(assay, folder):  # noqa: F811
    rows = "".join(f"1,{n},{n % 3},{n % 2},{n / 8}\n" for n in range(8))
    (folder / "t.csv").write_text("participant,item,prediction,truth,confidence\n" + rows)
    given = ("selective", "--input", "t.csv", "--loss", "abs", "--bootstrap-resamples", "1")
    done = assay(*given, "--output", "a.json", "--full")
    assert done.code == 0
    assert "1 resample of 1 participant, seed 42" in done.out
    assert "\nConfidence\n" in done.out
    assert "onfidence confidence" not in done.out
