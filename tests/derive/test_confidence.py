"""Confidence functions against the printed definitions, their null rules, and the grammar."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.confidence import (
    ALIASES,
    confidence_column,
    known_names,
    names,
    names_of_run,
    needed_signals,
    supported,
)
from assay.derive.signals import State, signal
from assay.errors import ColumnError, UsageError
from assay.registry import CONFIDENCE

NAMES = (
    "consistency",
    "consistency_inverse_std",
    "hybrid_consistency",
    "hybrid_evidence_similarity",
    "hybrid_verbalized",
    "llm",
    "retrieval_similarity_max",
    "retrieval_similarity_mean",
    "score_token_energy",
    "score_token_msp",
    "score_token_pe",
    "token_energy",
    "token_msp",
    "token_pe",
    "total_evidence",
    "verbalized",
)
SIGNALS = (
    "llm_evidence_count",
    "retrieval_similarity_mean",
    "retrieval_similarity_max",
    "verbalized_confidence",
    "token_msp",
    "token_pe",
    "token_energy",
    "score_token_msp",
    "score_token_pe",
    "score_token_energy",
    "consistency_modal_confidence",
    "consistency_score_std",
)


def unit(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def evidence(row: dict[str, Any]) -> float:
    return max(min(row["llm_evidence_count"], 3) / 3, 0.0)


def similarity(row: dict[str, Any], key: str = "retrieval_similarity_mean") -> float:
    return 0.0 if row[key] is None else row[key]


def stated(row: dict[str, Any]) -> float:
    value = row["verbalized_confidence"]
    return 0.5 if value is None else unit((value - 1) / 4)


DEFINITIONS = {
    "llm": lambda row: row["llm_evidence_count"],
    "total_evidence": lambda row: row["llm_evidence_count"],
    "retrieval_similarity_mean": similarity,
    "retrieval_similarity_max": lambda row: similarity(row, "retrieval_similarity_max"),
    "hybrid_evidence_similarity": lambda row: unit(
        0.5 * evidence(row) + 0.5 * unit(similarity(row))
    ),
    "verbalized": stated,
    "hybrid_verbalized": lambda row: unit(
        0.4 * stated(row) + 0.3 * evidence(row) + 0.3 * unit(similarity(row))
    ),
    "token_msp": lambda row: unit(row["token_msp"]),
    "token_pe": lambda row: 1 / (1 + row["token_pe"]),
    "token_energy": lambda row: unit(math.exp(row["token_energy"])),
    "score_token_msp": lambda row: unit(row["score_token_msp"]),
    "score_token_pe": lambda row: 1 / (1 + row["score_token_pe"]),
    "score_token_energy": lambda row: unit(math.exp(row["score_token_energy"])),
    "consistency": lambda row: unit(row["consistency_modal_confidence"]),
    "consistency_inverse_std": lambda row: 1 / (1 + row["consistency_score_std"]),
    "hybrid_consistency": lambda row: unit(
        0.4 * unit(row["consistency_modal_confidence"])
        + 0.3 * evidence(row)
        + 0.3 * unit(similarity(row))
    ),
}

wide = st.floats(-2.0, 2.0)
rows = st.fixed_dictionaries(
    {
        "llm_evidence_count": st.integers(-2, 6),
        "retrieval_similarity_mean": st.none() | wide,
        "retrieval_similarity_max": st.none() | wide,
        "verbalized_confidence": st.none() | st.integers(-1, 7),
        "token_msp": wide,
        "token_pe": st.floats(0.0, 5.0) | st.just(-1e-12),
        "token_energy": wide,
        "score_token_msp": wide,
        "score_token_pe": st.floats(0.0, 5.0) | st.just(-1e-12),
        "score_token_energy": wide,
        "consistency_modal_confidence": wide,
        "consistency_score_std": st.floats(0.0, 2.0),
    }
)


def stored(*records: dict[str, Any]) -> dict[str, Any]:
    keys = dict.fromkeys(key for record in records for key in record)
    return {key: signal([record.get(key, State.MISSING) for record in records]) for key in keys}


def column(name: str, *records: dict[str, Any], **options: Any) -> Any:
    answered = np.ones(len(records), dtype=bool)
    return confidence_column(name, stored(*records), answered, **options)


GOOD: dict[str, Any] = dict.fromkeys(SIGNALS, 1)


@pytest.mark.parametrize("name", NAMES)
@given(records=st.lists(rows, min_size=1, max_size=5))
def test_a_function_equals_its_printed_definition(name, records):
    expected = [DEFINITIONS[name](record) for record in records]
    np.testing.assert_allclose(column(name, *records), expected, rtol=1e-14, atol=0)


def test_all_names_of_the_specification_are_there():
    assert known_names() == NAMES
    assert set(CONFIDENCE) == set(NAMES) - set(ALIASES)
    assert "keyword" in ALIASES["total_evidence"].reason


OF_THE_SCORE = ("score_token_energy", "score_token_msp", "score_token_pe")
OF_EVERY_RUN = tuple(name for name in NAMES if name not in OF_THE_SCORE)


@pytest.mark.parametrize(
    ("records", "missing", "expected"),
    [
        ([GOOD, GOOD], "error", NAMES),
        ([GOOD, GOOD], "reference", OF_EVERY_RUN),
        ([{"token_msp": 1}], "error", OF_EVERY_RUN),
        (
            [GOOD, GOOD | {"score_token_pe": None}],
            "error",
            tuple(n for n in NAMES if n != "score_token_pe"),
        ),
    ],
)
def test_all_of_a_run_are_those_of_the_score_only_where_it_holds_them(records, missing, expected):
    answered = np.ones(len(records), dtype=bool)
    found = names_of_run("all", stored(*records), answered, missing=missing)
    assert found == expected
    assert names_of_run("all", stored(*records), ~answered, missing=missing) == OF_EVERY_RUN
    chosen = "score_token_pe,llm"
    assert names_of_run(chosen, {}, answered, missing=missing) == ("score_token_pe", "llm")


@pytest.mark.parametrize("name", ["retrieval_similarity_mean", "retrieval_similarity_max"])
def test_a_null_similarity_is_zero(name):
    assert column(name, GOOD | {name: None}).tolist() == [0.0]


def test_a_null_stated_confidence_is_a_half():
    assert column("verbalized", {"verbalized_confidence": None}).tolist() == [0.5]


def test_a_very_large_energy_is_certainty():
    assert column("token_energy", {"token_energy": 1e6}).tolist() == [1.0]


def test_total_evidence_has_two_readings():
    record = {"llm_evidence_count": 2, "keyword_evidence_count": 3}
    assert column("total_evidence", record).tolist() == [2.0]
    assert column("total_evidence", record, total_evidence="llm+keyword").tolist() == [5.0]
    assert needed_signals("total_evidence") == ("llm_evidence_count",)
    both = ("llm_evidence_count", "keyword_evidence_count")
    assert needed_signals("total_evidence", total_evidence="llm+keyword") == both


@pytest.mark.parametrize(("operation", "expected"), [("average", 1.25), ("product", 1.0)])
def test_secondary_combines_without_rescaling(operation, expected):
    record = {"llm_evidence_count": 2, "token_msp": 0.5}
    assert column(f"secondary:llm+token_msp:{operation}", record).tolist() == [expected]


def test_secondary_may_use_a_function_or_a_signal_twice():
    assert column("secondary:llm+llm:product", {"llm_evidence_count": 3}).tolist() == [9.0]
    assert column("secondary:llm+total_evidence:average", {"llm_evidence_count": 3})[0] == 3.0


def test_secondary_keeps_the_null_rules_of_its_parts():
    record = {"verbalized_confidence": None, "retrieval_similarity_mean": None}
    name = "secondary:verbalized+retrieval_similarity_mean:average"
    assert column(name, record).tolist() == [0.25]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("secondary:llm+nothing:average", "combines 'nothing', which is not a confidence"),
        ("secondary:llm:average", "combines '', which is not"),
        ("secondary:llm+token_msp", "combines '', which is not"),
        ("secondary:llm+token_msp:sum", "asks for the operation 'sum'"),
        ("secondary:llm+token_msp:", "asks for the operation ''"),
        ("secondary:secondary:llm+llm:average+llm:average", "combines 'secondary:llm', which"),
        ("secondary:llm+token_msp+token_pe:average", r"combines 'token_msp\+token_pe', which"),
        ("secondary:", "combines '', which is not"),
    ],
)
def test_a_combination_outside_the_grammar_is_refused(name, message):
    with pytest.raises(UsageError, match=message) as caught:
        needed_signals(name)
    assert caught.value.hint


PLACE = "participant 9, item Sleep"


@pytest.mark.parametrize(
    ("name", "change", "culprit", "found"),
    [
        ("token_msp", {"token_msp": None}, "token_msp", "null"),
        ("token_msp", {"token_msp": State.MISSING}, "token_msp", "no such key"),
        ("token_msp", {"token_msp": "0.5"}, "token_msp", "something that is not a number"),
        ("token_msp", {"token_msp": True}, "token_msp", "true"),
        ("token_msp", {"token_msp": math.nan}, "token_msp", "NaN"),
        ("token_msp", {"token_msp": -math.inf}, "token_msp", "an infinite number"),
        ("token_pe", {"token_pe": math.inf}, "token_pe", "an infinite number"),
        ("token_pe", {"token_pe": -1}, "token_pe", "-1"),
        ("llm", {"llm_evidence_count": None}, "llm_evidence_count", "null"),
        ("llm", {"llm_evidence_count": State.MISSING}, "llm_evidence_count", "no such key"),
        ("verbalized", {"verbalized_confidence": 2.5}, "verbalized_confidence", "2.5"),
        ("verbalized", {"verbalized_confidence": False}, "verbalized_confidence", "false"),
        ("verbalized", {"verbalized_confidence": "4"}, "verbalized_confidence", "something"),
        ("verbalized", {"verbalized_confidence": math.nan}, "verbalized_confidence", "NaN"),
        (
            "retrieval_similarity_mean",
            {"retrieval_similarity_mean": State.MISSING},
            "retrieval_similarity_mean",
            "no such key",
        ),
        (
            "retrieval_similarity_mean",
            {"retrieval_similarity_mean": math.nan},
            "retrieval_similarity_mean",
            "NaN",
        ),
        (
            "hybrid_consistency",
            {"consistency_modal_confidence": None, "retrieval_similarity_mean": None},
            "consistency_modal_confidence",
            "null",
        ),
        (
            "hybrid_verbalized",
            {"verbalized_confidence": None, "llm_evidence_count": None},
            "llm_evidence_count",
            "null",
        ),
        (
            "secondary:llm+token_msp:product",
            {"token_msp": None},
            "token_msp",
            "null",
        ),
    ],
)
def test_what_no_function_accepts_is_refused_by_place_and_key(name, change, culprit, found):
    message = (
        f"{PLACE}: confidence {name} needs a usable value of `{culprit}`, found {found}"
    ).replace("+", r"\+")
    with pytest.raises(ColumnError, match=message) as caught:
        column(name, GOOD, GOOD | change, where=[..., PLACE].__getitem__)
    assert "(so in 1 of 2 answered rows)" in str(caught.value)
    offered = caught.value.hint.removeprefix("this input supports `confidence` ").split(",")
    assert name not in offered
    for other in offered:
        column(other, GOOD, GOOD | change)


def test_an_overflow_of_two_finite_signals_is_refused():
    huge = {"llm_evidence_count": 1e200}
    with pytest.raises(ColumnError, match=r"confidence secondary:llm\+llm:product needs a usable"):
        column("secondary:llm+llm:product", huge)


def test_an_overflow_that_no_signal_causes_alone_is_refused_too():
    huge = {"llm_evidence_count": 1e200, "retrieval_similarity_mean": 1e200}
    name = "secondary:llm+retrieval_similarity_mean:product"
    with pytest.raises(ColumnError, match="needs a usable value of `llm_evidence_count`"):
        column(name, huge)


def test_nothing_supported_is_said():
    with pytest.raises(ColumnError, match="no such key") as caught:
        column("llm", {"other": 1})
    assert caught.value.hint == "this input supports none of the confidence functions"


def test_rows_without_an_answer_need_no_confidence():
    signals = stored({"token_msp": None}, {"token_msp": 0.5})
    result = confidence_column("token_msp", signals, np.array([False, True]))
    np.testing.assert_array_equal(result, [np.nan, 0.5])
    nothing = confidence_column("token_pe", signals, np.array([False, False]))
    assert np.isnan(nothing).all()


def test_reference_fills_in_absent_counts_and_reads_booleans():
    def reference(name: str, **record: Any) -> float:
        return float(column(name, record | {"x": 1}, missing="reference")[0])

    assert reference("llm") == 0.0
    assert reference("llm", llm_evidence_count=True) == 1.0
    assert reference("token_msp", token_msp=True) == 1.0
    assert reference("hybrid_evidence_similarity", retrieval_similarity_mean=True) == 0.5
    both = column("total_evidence", {"x": 1}, missing="reference", total_evidence="llm+keyword")
    assert both.tolist() == [0.0]


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("verbalized", {"verbalized_confidence": True}),
        ("verbalized", {"verbalized_confidence": "4"}),
        ("verbalized", {"verbalized_confidence": 2.5}),
        ("verbalized", {}),
        ("token_msp", {}),
        ("token_msp", {"token_msp": None}),
        ("llm", {"llm_evidence_count": None}),
        ("llm", {"llm_evidence_count": "2"}),
        ("retrieval_similarity_max", {}),
    ],
)
def test_reference_still_refuses_the_rest(name, record):
    with pytest.raises(ColumnError, match=f"confidence {name} needs a usable value"):
        column(name, record | {"x": 1}, missing="reference")


def test_a_plain_column_is_used_as_it_is():
    assert column("confidence", {"confidence": -7.5}).tolist() == [-7.5]
    with pytest.raises(ColumnError, match="row 1: confidence own needs a usable value of `own`"):
        column("own", {"own": 1}, {"own": None})


def test_an_unknown_name_is_refused_with_what_is_supported():
    with pytest.raises(UsageError, match="there is no confidence 'lllm'") as caught:
        column("lllm", {"llm_evidence_count": 1})
    assert caught.value.hint == "this input supports `confidence` llm,total_evidence"


def test_supported_lists_what_is_defined_on_every_answered_row():
    signals = stored({"llm_evidence_count": 1, "token_msp": None, "confidence": 0.5, "note": "x"})
    answered = np.array([True])
    assert supported(signals, answered) == ("confidence", "llm", "total_evidence")
    fewer = supported(signals, answered, total_evidence="llm+keyword")
    assert fewer == ("confidence", "llm")
    assert supported(signals, np.array([False])) == tuple(sorted({*NAMES, "confidence"}))


def test_a_selection_for_a_run_file_does_not_depend_on_the_file():
    assert names("default") == ("llm", "total_evidence")
    assert names("all") == NAMES
    assert names(" token_msp, llm,,token_msp ") == ("token_msp", "llm")


def plain(selection: str, **record: Any) -> tuple[str, ...]:
    return names(selection, signals=stored(record), answered=np.array([True]))


def test_a_selection_for_a_plain_table_follows_its_columns():
    assert plain("default", confidence=1, llm_evidence_count=2) == ("confidence",)
    assert plain("default", llm_evidence_count=2) == ("llm", "total_evidence")
    assert plain("all", confidence=1, token_msp=2) == ("confidence", "token_msp")
    assert plain("own", own=1) == ("own",)


@pytest.mark.parametrize("selection", ["default", "all"])
def test_a_plain_table_without_any_confidence_lists_its_columns(selection):
    with pytest.raises(ColumnError, match="no column `confidence` and no signals") as caught:
        plain(selection, own=1, note="x")
    assert caught.value.hint.endswith("the columns are own, note")


def test_an_empty_selection_is_refused():
    with pytest.raises(UsageError, match="no confidence was chosen"):
        names(" , ")
