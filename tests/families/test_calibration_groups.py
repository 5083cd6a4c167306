"""The numbers of calibration group by group."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from assay.errors import ColumnError
from tests.families.test_calibration_numbers import (
    LABEL,
    SHARP,
    WHO,
    WIDE,
    N,
    P,
    Y,
    evaluated,
    only,
)

SITE = np.where(np.arange(N) % 3 == 0, "b", "a")


def test_every_group_has_the_numbers_of_its_own_rows():
    system = only(evaluated(Y, P, cluster=WHO, group=SITE))
    assert [each.label for each in system.slices] == ["a", "b"]
    for each in system.slices:
        own = each.label == SITE
        alone = evaluated(Y[own], P[own], cluster=WHO[own])
        assert each.numbers == only(alone).numbers
        assert (each.n_rows, each.counts["n_positive"]) == (own.sum(), Y[own].sum())
        assert each.counts["n_clusters"] == alone.resampling.n_units == np.unique(WHO[own]).size


def test_groups_leave_the_numbers_of_all_rows_alone():
    grouped, whole = (
        evaluated(Y, {"a": P, "b": SHARP}, group=SITE),
        evaluated(Y, {"a": P, "b": SHARP}),
    )
    for systems in zip(grouped.systems, whole.systems, strict=True):
        one, other = (each.variants[""] for each in systems)
        assert one.numbers == other.numbers
        assert (len(one.slices), other.slices) == (2, [])
        assert "n_clusters" not in one.slices[0].counts
    assert grouped.pairs == whole.pairs


def test_groups_of_classes_frames_and_files_are_those_of_arrays():
    frame = pd.DataFrame({"y": LABEL, "site": SITE, **{str(k): WIDE[:, k] for k in range(3)}})
    by_frame = only(evaluated("y", ["0", "1", "2"], data=frame, group="site"))
    by_array = only(evaluated(LABEL, WIDE, group=SITE))
    assert by_frame.slices == by_array.slices
    assert {"multiclass_brier", "ece"} <= by_array.slices[0].numbers.keys()


def test_group_of_one_row_or_one_outcome_has_numbers_or_reasons():
    where = np.where(np.arange(N) == 5, "alone", np.where(Y == 1, "right", "wrong"))
    artifact = evaluated(Y, P, group=where, p_value="monte-carlo", n_draws=19)
    for each in only(artifact).slices:
        assert each.numbers["brier"].value == pytest.approx(
            ((Y - P)[where == each.label] ** 2).mean()
        )
        for label, number in each.numbers.items():
            assert (number.value is None) == (number.reason is not None), label
            assert (number.interval is None) == (number.interval_reason is not None), label
    assert only(artifact).slices[0].n_rows == 1
    (said,) = [each for each in artifact.warnings if "groups" in each]
    assert said == (
        "y_prob: 1 of 3 groups hold fewer than 20 rows (the smallest 1), so their numbers are vague"
    )


def test_column_of_ids_is_no_column_of_groups():
    with pytest.raises(ColumnError, match="`group` makes 240 groups of 240 rows"):
        evaluated(Y, P, group=np.arange(N))
