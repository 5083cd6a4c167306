"""Cases of bias: outputs in, biased and silent answers by model and feature out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay.artifacts.reasoning import BiasCase, BiasFeature, BiasRecord
from assay.columns import Resamples
from assay.derive.bias import BiasReading, BiasText, read_bias
from assay.errors import ArtifactError
from assay.evaluate.reasoning.inputs import Inputs, inline_case
from assay.evaluate.reasoning.models import TEXT, cut, is_ok, keep
from assay.evaluate.scalars import exact_interval, scalar
from assay.evaluate.scoring import Side, scored
from assay.score import Rows
from assay.sources.generations import BiasGeneration, generations
from assay.sources.vignettes import BiasCase as Case

if TYPE_CHECKING:
    from assay.artifacts import Scalar
    from assay.evaluate.reasoning.options import ReasoningOptions
    from assay.inference import Plan
    from assay.sources.generations import Index

__all__ = ["bias_of"]

TEXTS: tuple[BiasText, BiasText] = ("whole", "split")
MOST_CASES = 20
NOTHING_BIASED = "no answer is biased"
UNSPLIT = "no output can be split into answer and reasoning"


@dataclass(slots=True)
class _Model:
    """The outputs of one model, under both readings."""

    name: str
    index: Index
    readings: dict[str, dict[str, BiasReading]] = field(default_factory=dict)
    """by reading and case; a case that cannot be split is not in that reading"""
    features: dict[str, str] = field(default_factory=dict)
    shown: list[BiasCase] = field(default_factory=list)
    n_not_ok: int = 0
    n_unknown: int = 0


def bias_of(inputs: Inputs, options: ReasoningOptions, plan: Plan) -> dict[str, BiasRecord]:
    """Say for every model how often it follows a bias, and how often it is silent about it."""
    models = [_read(name, index, inputs, options) for name, index in inputs.bias.items()]
    if not models:
        return {}
    ids = sorted({each for model in models for each in model.features} | {*(inputs.cases or ())})
    sides = [
        Side({"rows": _rows(model.readings[text], ids)}, {}) for model in models for text in TEXTS
    ]
    found = scored(sides, plan)
    return {
        model.name: _record(
            model,
            {
                text: {
                    label: scalar(found, (2 * number + at, "rows", label), plan)
                    for label in found.labels(2 * number + at, "rows")
                }
                for at, text in enumerate(TEXTS)
            },
            options,
            len(ids),
            plan,
        )
        for number, model in enumerate(models)
    }


def _read(name: str, index: Index, inputs: Inputs, options: ReasoningOptions) -> _Model:
    model = _Model(name, index, {text: {} for text in TEXTS})
    for each, _, row in generations(index, BiasGeneration):
        case = _case(each, row, inputs.cases)
        if case is None:
            model.n_unknown += 1
        elif not is_ok(row.status):
            model.n_not_ok += 1
        else:
            _take(model, case, row, options)
    if inputs.cases is None and not model.features and not model.n_not_ok:
        msg = f"{index.path}: no row names its `bias_feature` and `bias_label`"
        raise ArtifactError(msg, hint="give the cases with --bias-cases")
    return model


def _case(name: str, row: BiasGeneration, cases: Mapping[str, Case] | None) -> Case | None:
    return inline_case(name, row) if cases is None else cases.get(name)


def _take(model: _Model, case: Case, row: BiasGeneration, options: ReasoningOptions) -> None:
    whole = row.output_text or "\n".join(filter(None, (row.reasoning, row.answer)))
    model.features[case.id] = case.feature
    for text in TEXTS:
        found = _reading(row, whole, case, text, options)
        if found is not None:
            model.readings[text][case.id] = found
    chosen = model.readings[options.bias_text].get(case.id)
    if chosen is not None and chosen.biased:
        shown = BiasCase(
            id=case.id,
            feature=case.feature,
            label=case.label,
            silent=chosen.silent,
            text=cut(whole, TEXT),
        )
        keep(model.shown, shown, by=lambda each: each.id, most=MOST_CASES)


def _reading(
    row: BiasGeneration, whole: str, case: Case, text: BiasText, options: ReasoningOptions
) -> BiasReading | None:
    """Read one output; one that comes in two parts needs not be split."""
    if text == "split" and row.answer is not None and row.reasoning is not None:
        parts = [
            read_bias(part, feature=case.feature, label=case.label, boundaries=options.boundaries)
            for part in (row.answer, row.reasoning)
        ]
        answer, reasoning = parts
        assert answer is not None and reasoning is not None  # noqa: S101, PT018 - whole texts are always read
        return BiasReading(answer.biased, reasoning.mentioned)
    return read_bias(
        whole, feature=case.feature, label=case.label, text=text, boundaries=options.boundaries
    )


def _rows(found: Mapping[str, BiasReading], ids: Sequence[str]) -> Rows:
    """Return one row per output; all models draw from the same cases."""
    known = [(place, found[each]) for place, each in enumerate(ids) if each in found]
    columns = {
        "biased": np.array([each.biased for _, each in known], dtype=np.float64),
        "silent": np.array([each.silent for _, each in known], dtype=np.float64),
    }
    cluster = np.array([place for place, _ in known], dtype=np.int64)
    return Rows(columns, Resamples(np.ones((1, len(ids))), cluster, np.ones(len(known)), ()))


def _record(
    model: _Model,
    metrics: dict[Literal["whole", "split"], dict[str, Scalar]],
    options: ReasoningOptions,
    n_cases: int,
    plan: Plan,
) -> BiasRecord:
    chosen = model.readings[options.bias_text]
    index = model.index
    return BiasRecord(
        reading=options.bias_text,
        cases=n_cases,
        rows=len(model.features),
        missing=n_cases - len(model.features) - model.n_not_ok,
        not_ok=model.n_not_ok,
        unsplit=len(model.features) - len(model.readings["split"]),
        duplicates=index.n_duplicates,
        blank_lines=index.n_blank,
        broken_lines=index.n_broken,
        unknown_ids=model.n_unknown,
        n_biased=sum(each.biased for each in chosen.values()),
        n_silent=sum(each.silent for each in chosen.values()),
        metrics=metrics[options.bias_text],
        readings={str(text): each for text, each in metrics.items()},
        features=_features(model, chosen, plan.level),
        biased=model.shown,
    )


def _features(model: _Model, chosen: Mapping[str, BiasReading], level: float) -> list[BiasFeature]:
    found = []
    for feature in sorted(set(model.features.values())):
        rows = [each for name, each in chosen.items() if model.features[name] == feature]
        biased = sum(each.biased for each in rows)
        silent = sum(each.silent for each in rows)
        found.append(
            BiasFeature(
                feature=feature,
                n=len(rows),
                n_biased=biased,
                n_silent=silent,
                silent_bias_rate=silent / biased if biased else None,
                reason=None if biased else NOTHING_BIASED,
                interval=exact_interval(silent, biased, level) if biased else None,
            )
        )
    return found
