"""The numbers of calibration group by group."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from assay.errors import ColumnError
from assay.evaluate.calibration_options import CalibrationOptions
from tests.evaluate.test_calibration import LABEL, SHARP, WHO, WIDE, N, P, Y, evaluated

SITE = np.where(np.arange(N) % 3 == 0, "b", "a")


def test_every_group_has_the_numbers_of_its_own_rows():
    (system,) = evaluated(Y, P, cluster=WHO, group=SITE).systems
    assert [each.label for each in system.groups] == ["a", "b"]
    for each in system.groups:
        own = each.label == SITE
        alone = evaluated(Y[own], P[own], cluster=WHO[own])
        assert each.metrics == alone.systems[0].metrics
        assert (each.n_rows, each.n_positive) == (own.sum(), Y[own].sum())
        assert each.n_clusters == alone.population.n_clusters == np.unique(WHO[own]).size


def test_groups_leave_the_numbers_of_all_rows_alone():
    grouped, whole = (
        evaluated(Y, {"a": P, "b": SHARP}, group=SITE),
        evaluated(Y, {"a": P, "b": SHARP}),
    )
    for one, other in zip(grouped.systems, whole.systems, strict=True):
        assert one.metrics == other.metrics
        assert (len(one.groups), other.groups) == (2, [])
        assert one.groups[0].n_clusters is None
    assert grouped.pairs == whole.pairs


def test_groups_of_classes_frames_and_files_are_those_of_arrays():
    frame = pd.DataFrame({"y": LABEL, "site": SITE, **{str(k): WIDE[:, k] for k in range(3)}})
    by_frame = evaluated("y", ["0", "1", "2"], data=frame, group="site").systems[0]
    by_array = evaluated(LABEL, WIDE, group=SITE).systems[0]
    assert by_frame.groups == by_array.groups
    assert {"multiclass_brier", "ece"} <= by_array.groups[0].metrics.keys()


def test_group_of_one_row_or_one_outcome_has_numbers_or_reasons():
    where = np.where(np.arange(N) == 5, "alone", np.where(Y == 1, "right", "wrong"))
    options = CalibrationOptions(p_value="monte-carlo", n_draws=19)
    artifact = evaluated(Y, P, group=where, options=options)
    for each in artifact.systems[0].groups:
        assert each.metrics["brier"].value == pytest.approx(
            ((Y - P)[where == each.label] ** 2).mean()
        )
        for label, number in each.metrics.items():
            assert (number.value is None) == (number.reason is not None), label
            assert (number.interval is None) == (number.interval_reason is not None), label
    assert artifact.systems[0].groups[0].n_rows == 1
    (said,) = [each for each in artifact.warnings if "groups" in each]
    assert said == (
        "y_prob: 1 of 3 groups hold fewer than 20 rows (the smallest 1), so their numbers are vague"
    )


def test_column_of_ids_is_no_column_of_groups():
    with pytest.raises(ColumnError, match="`group` makes 240 groups of 240 rows"):
        evaluated(Y, P, group=np.arange(N))
