"""What cannot be meant is refused alike in Python and at the terminal, with the choices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args, get_origin

import numpy as np
import pytest

import assay
from assay import families
from assay.cli import main
from assay.errors import AssayError, UsageError
from assay.inference import Plan
from assay.options import choices_of, declared

Y = np.tile([0, 1, 1, 0, 1], 8)
P = np.linspace(0.1, 0.9, 40)
COLUMNS: dict[str, dict[str, Any]] = {
    "selective": {"loss": 1.0 * Y, "confidence": P},
    "calibration": {"y_true": Y, "y_prob": P},
    "intervals": {"y": P, "low": P - 1, "up": P + 1},
    "sets": {"y": Y, "set": [[0, 1]] * 40},
    "verdicts": {"truth": Y, "verdict": Y, "scale": ("0", "1")},
    "reasoning": {"case": range(40), "truth": Y, "answer_cot": Y, "answer_early": Y},
}
FLAG = re.compile(r"(?<![\w-])--[a-z]")


def options(family: str) -> Iterator[tuple[str, Any]]:
    """Yield every option by a keyword that is its own: a family may have its own `method`."""
    yield from declared(families.named(family).options).items()
    for choice in declared(Plan).values():
        yield choice.flags[0].lstrip("-").replace("-", "_"), choice


def refusal(family: str, **chosen: Any) -> str:
    """Return what Python users are told; nothing of it is about a flag."""
    with pytest.raises(AssayError) as refused:
        assay.evaluate(family, **{**COLUMNS[family], "n_resamples": 0, **chosen})
    told = f"{refused.value.message} {refused.value.hint or ''}"
    assert not FLAG.search(told), told
    assert "<memory>" not in told
    return told


@pytest.mark.parametrize("family", COLUMNS)
def test_every_option_refuses_what_it_cannot_be_and_lists_what_it_can(family, capsys):
    for name, choice in options(family):
        choices = [str(each) for each in choices_of(choice.type)]
        bogus = "bogus" if choices or choice.type in {int, float} else object()
        if choice.type in {int, float, bool} or choices:
            told = refusal(family, **{name: bogus})
            assert f"`{name}`" in told
            assert all(each in told for each in choices), told
        near = f"{name}x"
        assert "there is no option" in refusal(family, **{near: 1})
        if choices and choice.option.listed:
            with pytest.raises(SystemExit):
                main([family, "t.csv", choice.flags[0], "bogus"])
            err = capsys.readouterr().err
            assert all(each in err for each in choices), err


@pytest.mark.parametrize("family", COLUMNS)
def test_whole_floats_are_whole_numbers_and_one_level_may_be_a_number(family):
    record = families.named(family).options
    for each in (record, Plan):
        for name, choice in declared(each).items():
            if choice.type is int and isinstance(choice.default, int):
                found = getattr(each(**{name: float(choice.default)}), name)
                assert (found, type(found)) == (choice.default, int)
                with pytest.raises(UsageError, match=f"`{name}` must be a whole number"):
                    each(**{name: choice.default + 0.5})
            if get_origin(choice.type) is tuple and get_args(choice.type) == (float, ...):
                assert getattr(each(**{name: 0.9}), name) == (0.9,)


@pytest.mark.parametrize(
    ("family", "word", "here"),
    [
        ("calibration", "sample_weight", "`assay.estimate` and the metrics themselves take"),
        ("selective", "sample_weight", "`count`"),
        ("selective", "y_pred", "`prediction`"),
        ("verdicts", "y_true", "`truth`"),
        ("intervals", "y_true", "`y`"),
        ("sets", "y_pred_set", "`set`"),
        ("calibration", "y_proba", "`y_prob`"),
        ("reasoning", "random_state", "`seed`"),
        ("intervals", "n_jobs", "`threads`"),
    ],
)
def test_words_of_other_packages_get_the_word_that_is_used_here(family, word, here):
    assert here in refusal(family, **{word: P})


SPOILT = {
    "nothing": [],
    "texts": ["a"] * 40,
    "too few": [0.5] * 39,
    "gaps": [None, *[0.5] * 39],
    "beyond": [np.inf] * 40,
    "one": 7,
    "nested": [[[1]]] * 40,
}


@pytest.mark.parametrize("family", COLUMNS)
def test_messages_about_columns_name_no_flag_and_no_memory(family):
    """Some of these can be meant in some families; what is refused is refused in our words."""
    refused = 0
    for role in COLUMNS[family]:
        for spoilt in SPOILT.values():
            try:
                assay.evaluate(family, **{**COLUMNS[family], role: spoilt}, n_resamples=0)
            except AssayError as error:
                told = f"{error.message} {error.hint or ''}"
                assert not FLAG.search(told), told
                assert "<memory>" not in told
                refused += 1
    assert refused >= len(COLUMNS[family])


@pytest.mark.parametrize(
    ("given", "named", "message", "hint"),
    [
        (([1, 0],), {}, "ece cannot be called so: missing a required argument", "it takes correct"),
        (([1], [0.5], [1]), {}, "ece cannot be called so: too many positional", "by name weight"),
        (([1],), {"y_true": [1], "y_prob": [0.5]}, "multiple values for argument", "it takes"),
        (([1],), {"y_pred": [0.5]}, "there is no option 'y_pred'", "called `y_prob` here"),
        (([1, 0], [0.5]), {"n_bins": np.nan}, "`n_bins` must be a whole number, found nan", None),
        ((1, [0.5]), {}, "`correct` must have one value per row, found 0 axes", None),
    ],
)
def test_metrics_say_how_they_are_called(given, named, message, hint):
    with pytest.raises(AssayError, match=re.escape(message)) as refused:
        assay.metrics.ece(*given, **named)
    # What helps is shown below the traceback, where Python users see it.
    notes = getattr(refused.value, "__notes__", [])
    assert (hint is None and not notes) or f"hint: {refused.value.hint}" in notes
    assert hint is None or hint in refused.value.hint


def test_metrics_refuse_thresholds_that_are_no_number_and_lists_of_coverages():
    loss, confidence = [1, 0, 0, 1], [0.2, 0.9, 0.8, 0.4]
    with pytest.raises(UsageError, match="`threshold` must be a number, found nan"):
        assay.metrics.coverage_at_threshold(loss, confidence, threshold=np.nan)
    with pytest.raises(UsageError, match=r"`area_coverage` must be a number, found array\("):
        assay.metrics.mean_risk_at_coverage(loss, confidence, area_coverage=np.array([0.5, 1.0]))


def test_messages_hold_no_sign_that_a_terminal_acts_on():
    hostile = np.array(["a\x1b[31m", "b"])[[0, 1, 1, 0]]
    for family, columns in (
        ("calibration", {"y_true": hostile, "y_prob": [0.1, 0.2, 0.3, 0.4]}),
        ("verdicts", {"truth": ["c"] * 4, "verdict": hostile, "scale": ("a\x1b", "b")}),
    ):
        with pytest.raises(AssayError, match=r"a\\x1b") as refused:
            assay.evaluate(family, **columns, n_resamples=0)
        assert "\x1b" not in f"{refused.value}{refused.value.hint}"
