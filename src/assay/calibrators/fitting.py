"""Fitting a calibrator: a table in, a calibrator file out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Literal

import numpy as np
from msgspec import UNSET

from assay import _kernels as kernels
from assay.artifact import Tool
from assay.calibrators import BOUNDS, CALIBRATORS, CLIP, Calibrator, Method
from assay.calibrators.files import (
    FILE_METHOD,
    CalibratorArtifact,
    CalibratorMetrics,
    CalibratorTraining,
    FittedOn,
    Quality,
    ValidationMetrics,
)
from assay.derive.confidence import Missing, feature_column
from assay.derive.signals import State
from assay.derive.variants import canonical_feature, feature
from assay.errors import ColumnError, UsageError
from assay.metrics.calibration import brier, ece, nll
from assay.metrics.selective import error_auroc
from assay.options import at_least, option, option_record
from assay.showing import counted
from assay.sources.items import losses_of

if TYPE_CHECKING:
    from assay.columns import Array, Indices
    from assay.derive.confidence import Mask
    from assay.sources.items import ItemTable

Target = Literal["correctness", "near_correct", "loss"]
STATED = "verbalized"
"""The feature of which a null leaves the row out: nothing was stated."""
STATED_SIGNAL, STATED_RANGE = "verbalized_confidence", (1.0, 5.0)
NEAR = 1.0
N_BINS = 10


@option_record()
class CalibratorOptions:
    """What is fitted, on what, for what; all of it goes on record."""

    method: Method = option("temperature", "What is fitted.")
    features: tuple[str, ...] = option(
        (STATED,),
        "Stored signals separated by commas; verbalized is the stated confidence from 0 to 1,"
        " confidence:NAME any confidence function.",
        commas=True,
        shown=STATED,
    )
    target: Target = option(
        "correctness",
        "What is predicted: error 0, error at most 1, or 1 - error / range.",
        shown="correctness; loss where `method` is linear",
    )
    missing: Missing = option("error", "Refuse absent features, or fill in as the reference does.")
    folds: int = option(5, "Parts of the participants, out of fold.", check=at_least(2))
    seed: int = option(42, "Seed of the folds.", check=at_least(0))

    def __post_init__(self) -> None:
        """Refuse what does not fit together."""
        self._check_features()
        self._check_target()

    def _check_features(self) -> None:
        names = [canonical_feature(each) for each in self.features]
        if len(set(names)) < len(names) or not names:
            msg = f"features must be named, each once, found {', '.join(names) or 'none'}"
            raise UsageError(msg, hint="`features` lists them")
        if self.method in {"temperature", "platt", "isotonic"} and len(names) != 1:
            msg = f"{self.method} takes exactly one feature, found {len(names)}: {', '.join(names)}"
            raise UsageError(msg, hint="choose one of them, or `method` logistic")

    def _check_target(self) -> None:
        if self.method == "temperature" and self.target == "loss":
            msg = "a temperature scales the probability of being right, and the target is loss"
            raise UsageError(msg, hint="choose `target` correctness, or `method` linear")
        if self.method == "linear" and self.target != "loss":
            msg = f"a linear calibrator predicts a loss, and the target is {self.target}"
            raise UsageError(msg, hint="choose `target` loss, or `method` logistic")

    @property
    def kind(self) -> Method:
        """Return the method by its own name: a regression of the loss is linear."""
        regression = self.method in {"logistic", "platt"}
        return "linear" if regression and self.target == "loss" else self.method


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """What a calibrator is fitted on."""

    features: Sequence[Array]
    target: Array
    weight: Array
    cluster: Indices
    n_left_out: int

    @property
    def n_samples(self) -> int:
        return int(self.weight.sum())

    def take(self, rows: Mask) -> _Rows:
        return _Rows(
            [each[rows] for each in self.features],
            self.target[rows],
            self.weight[rows],
            self.cluster[rows],
            self.n_left_out,
        )

    def fit(self, method: Method) -> Calibrator:
        return CALIBRATORS[method].fit(self.features, self.target, weight=self.weight)


def fit_calibrator(
    table: ItemTable, options: CalibratorOptions, *, created_at: str
) -> CalibratorArtifact:
    """Fit a calibrator on the answered items of a table, and say how well it does.

    Its numbers on the training rows flatter it; those out of fold come from calibrators that were
    fitted without the participant.
    """
    rows = _training_rows(table, options)
    calibrator = rows.fit(options.kind)
    metrics = _metrics(rows, calibrator, options)
    is_temperature = options.kind == "temperature"
    training = _training(table, rows, options, created_at)
    return CalibratorArtifact(
        tool=Tool(name="assay", version=version("assay"), kernels=kernels.ENGINE),
        created_at=created_at,
        method=FILE_METHOD[options.method],
        calibrator=options.kind,
        features=[canonical_feature(each) for each in options.features],
        target=options.target,
        model=calibrator.to_dict(),
        clip=CLIP if is_temperature else UNSET,
        temperature=calibrator.to_dict()["temperature"] if is_temperature else UNSET,
        training_metadata=training,
        fitted_on=_fitted_on(training) if is_temperature else UNSET,
        metrics=metrics,
        validation_metrics=_validation(metrics.training),
        warnings=[*table.notes, *_warnings(rows, calibrator, options)],
    )


def _training_rows(table: ItemTable, options: CalibratorOptions) -> _Rows:
    used, n_left_out = _used(table, options)
    features = [
        feature_column(each, table.signals, used, missing=options.missing, where=table.place)[used]
        for each in options.features
    ]
    rows = np.flatnonzero(used)
    if options.method == "temperature":
        _check_probability(options.features[0], features[0], rows, table)
    target = _target(table, options.target)[rows]
    return _Rows(features, target, table.size[rows], table.cluster[rows], n_left_out)


def _used(table: ItemTable, options: CalibratorOptions) -> tuple[Mask, int]:
    """Return the answered rows with a feature, and how many have none as nothing was stated."""
    used, count = table.answered, table.count
    if STATED in map(canonical_feature, options.features):
        _check_stated(table)
        used = used & _is_stated(table)
    left_out = table.answered & ~used
    if not used.any():
        found = "no answered item" if not left_out.any() else f"no `{STATED_SIGNAL}` on any answer"
        msg = f"{table.source.path} has {found}, so there is nothing to fit a calibrator on"
        raise ColumnError(msg, hint="choose another mode or other `features`")
    return used, int(left_out.sum() if count is None else count[left_out].sum())


def _is_stated(table: ItemTable) -> Mask:
    given = table.signals.get(STATED_SIGNAL)
    if given is None:
        return np.zeros(table.n_rows, dtype=np.bool_)
    return ~np.isin(given.state, (State.NULL, State.MISSING))


def _check_stated(table: ItemTable) -> None:
    """Refuse a stated confidence off its scale, which the confidence function would clamp."""
    given = table.signals.get(STATED_SIGNAL)
    if given is None:
        return
    low, high = STATED_RANGE
    outside = np.flatnonzero(table.answered & ((given.value < low) | (given.value > high)))
    if outside.size:
        row = int(outside[0])
        msg = (
            f"{table.place(row)}: `{STATED_SIGNAL}` must be from {low:g} to {high:g},"
            f" found {given.value[row]:g}"
        )
        raise ColumnError(msg, hint="correct the value, or make it null where nothing was stated")


def _check_probability(name: str, value: Array, rows: Indices, table: ItemTable) -> None:
    outside = np.flatnonzero((value < 0) | (value > 1))
    if outside.size:
        first = int(outside[0])
        msg = (
            f"{table.place(int(rows[first]))}: a temperature needs a feature from 0 to 1,"
            f" found {value[first]:g} in `{name}` (so in {outside.size}"
            f" of {counted(value.size, 'row')})"
        )
        hint = f"choose the feature {STATED}, another one, or `method` platt or isotonic"
        raise ColumnError(msg, hint=hint)


def _target(table: ItemTable, target: Target) -> Array:
    if target == "loss":
        return 1.0 - losses_of(table, "abs_norm")
    if target == "correctness":
        return 1.0 - losses_of(table, "zero_one")
    return (losses_of(table, "abs") <= NEAR).astype(np.float64)


def _metrics(rows: _Rows, calibrator: Calibrator, options: CalibratorOptions) -> CalibratorMetrics:
    is_loss = options.target == "loss"
    before = _before(rows, is_loss=is_loss)
    training = _quality(
        rows, calibrator(*rows.features), label="the rows it was fitted on", is_loss=is_loss
    )
    return CalibratorMetrics(
        before=before,
        training=training,
        out_of_fold=_out_of_fold(rows, options),
        nll_before=before.nll,
        nll_after=training.nll,
        ece_before=before.ece,
        ece_after=training.ece,
    )


def _before(rows: _Rows, *, is_loss: bool) -> Quality:
    label = "the training rows, before calibration"
    feature = rows.features[0]
    if len(rows.features) > 1 or feature.min() < 0 or feature.max() > 1:
        reason = "the features are no probability"
        return Quality(rows=label, n_samples=rows.n_samples, reason=reason)
    return _quality(rows, feature, label=label, is_loss=is_loss)


def _out_of_fold(rows: _Rows, options: CalibratorOptions) -> Quality:
    fold = _folds(rows.cluster, options)
    n_folds = int(fold.max()) + 1
    label = f"participants left out in turn, {counted(n_folds, 'fold')}"
    predicted = np.empty_like(rows.target)
    if n_folds == 1:
        reason = "there is one participant, so nobody can be left out"
        return Quality(rows=label, n_samples=rows.n_samples, reason=reason)
    for number in range(n_folds):
        held = fold == number
        try:
            calibrator = rows.take(~held).fit(options.kind)
        except ColumnError as error:
            reason = f"without fold {number + 1} of {n_folds}, {error.message}"
            return Quality(rows=label, n_samples=rows.n_samples, reason=reason)
        predicted[held] = calibrator(*rows.take(held).features)
    return _quality(rows, predicted, label=label, is_loss=options.target == "loss")


def _folds(cluster: Indices, options: CalibratorOptions) -> Indices:
    """Deal the participants that have rows out to folds, in an order the seed tells."""
    people, position = np.unique(cluster, return_inverse=True)
    order = np.random.default_rng(options.seed).permutation(people.size)
    return order[position] % min(options.folds, people.size)


def _quality(rows: _Rows, probability: Array, *, label: str, is_loss: bool) -> Quality:
    if is_loss:
        error = probability - rows.target
        return Quality(
            rows=label,
            n_samples=rows.n_samples,
            mae=float(np.average(np.abs(error), weights=rows.weight)),
            mse=float(np.average(error**2, weights=rows.weight)),
        )
    correct, weight = rows.target, rows.weight
    ranked = float(error_auroc(1.0 - correct, probability, weight=weight))
    return Quality(
        rows=label,
        n_samples=rows.n_samples,
        nll=float(nll(correct, probability, weight=weight)),
        brier=float(brier(correct, probability, weight=weight)),
        ece=float(ece(correct, probability, weight=weight, n_bins=N_BINS)),
        auroc=None if np.isnan(ranked) else ranked,
    )


def _training(
    table: ItemTable, rows: _Rows, options: CalibratorOptions, trained_at: str
) -> CalibratorTraining:
    source = table.source
    rate = np.average(rows.target, weights=rows.weight)
    people = np.unique(rows.cluster)
    return CalibratorTraining(
        path=source.path,
        sha256=source.sha256,
        format=source.format,
        run_id=source.run_id,
        git_commit=source.git_commit,
        mode=source.mode,
        n_samples=rows.n_samples,
        n_left_out=rows.n_left_out,
        positive_rate=None if options.target == "loss" else float(rate),
        participants=None if table.unit == "row" else [table.participants[each] for each in people],
        missing=options.missing,
        seed=options.seed,
        n_folds=min(options.folds, people.size),
        trained_at=trained_at,
    )


def _fitted_on(training: CalibratorTraining) -> FittedOn:
    return FittedOn(
        path=training.path,
        run_id=training.run_id,
        git_commit=training.git_commit,
        mode=training.mode,
        n_samples=training.n_samples,
    )


def _validation(training: Quality) -> ValidationMetrics:
    return ValidationMetrics(
        computed_on=training.rows,
        auroc=training.auroc,
        brier=training.brier,
        ece=training.ece,
        mae=training.mae,
        mse=training.mse,
    )


def _warnings(rows: _Rows, calibrator: Calibrator, options: CalibratorOptions) -> list[str]:
    warnings = []
    if np.ptp(rows.target) == 0:
        warnings.append(f"the target of every answer ({rows.n_samples:,}) is {rows.target[0]:g}")
    if options.kind == "temperature" and calibrator.to_dict()["temperature"] in BOUNDS:
        low, high = BOUNDS
        warnings.append(
            f"the best temperature lies at an end of the search from {low:g} to {high:g},"
            " so a better one may lie beyond"
        )
    if np.ptp(calibrator(*rows.features)) == 0:
        warnings.append("the calibrator gives every answer the same number, so it ranks nothing")
    return warnings


def needed_signals(options: CalibratorOptions) -> frozenset[str]:
    """Return the signals that the features are made of."""
    return frozenset(signal for each in options.features for signal in feature(each).signals)
