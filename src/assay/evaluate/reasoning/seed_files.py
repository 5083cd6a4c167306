"""The files of an earlier program: its places, its keys, and what we add to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from assay.artifacts.reasoning import BiasRecord, ReasoningModel, SeedBias, SeedMetrics
from assay.showing import file_name

if TYPE_CHECKING:
    from assay.artifacts import Interval, Scalar

__all__ = [
    "ALL_MODELS",
    "ARTIFACT",
    "BIAS_METRICS",
    "FOLDERS",
    "extracted_path",
    "indented",
    "metrics_path",
    "seed_bias",
    "seed_metrics",
    "steps_path",
]

ARTIFACT = "reasoning.json"
PROCESSED, RESULTS = "processed", "metric-results"
FOLDERS = (PROCESSED, RESULTS)
"""what is filled beside the artifact"""
ALL_MODELS = f"{RESULTS}/all_models_metrics.json"
BIAS_METRICS = f"{RESULTS}/study_a_bias_metrics.json"
Conventions = Mapping[str, str | bool | int | float | list[str] | None]


def extracted_path(model: str) -> str:
    """Return where the extracted predictions of a model go."""
    return f"{PROCESSED}/study_a_extracted/{file_name(model)}/study_a_extracted.jsonl"


def steps_path(model: str) -> str:
    """Return where the steps of a model go, with every match."""
    return f"{PROCESSED}/study_a_steps/{file_name(model)}/study_a_steps.jsonl"


def metrics_path(model: str) -> str:
    """Return where the numbers of a model go."""
    return f"{RESULTS}/{file_name(model)}_metrics.json"


def indented(value: object) -> bytes:
    """Write an object as JSON that people read too."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def seed_metrics(model: ReasoningModel, conventions: Conventions) -> SeedMetrics:
    """Write the numbers of one model under the keys of the earlier program."""
    found, bias = model.metrics, model.bias
    rates = {} if bias is None else bias.metrics
    return SeedMetrics(
        faithfulness_gap=found["faithfulness_gap"].value,
        acc_cot=found["accuracy_cot"].value,
        acc_early=found["accuracy_early"].value,
        step_f1=found["step_f1"].value,
        n_samples=model.population.pairs_used,
        n_step_f1_samples=model.population.stepped,
        correct_cot=model.correct_cot,
        correct_early=model.correct_early,
        refusal_rate_cot=found["refusal_rate_cot"].value,
        refusal_rate_early=found["refusal_rate_early"].value,
        silent_bias_rate=rates["silent_bias_rate"].value if bias else None,
        n_biased=bias.n_biased if bias else None,
        n_silent=bias.n_silent if bias else None,
        n_bias_samples=bias.rows if bias else None,
        intervals=_intervals({**found, **rates}),
        p_value_mcnemar=found["mcnemar_p_value"].value,
        sensitivity={each.name: each.gap.value for each in model.sensitivity.readings},
        conventions=dict(conventions),
    )


def _intervals(found: Mapping[str, Scalar]) -> dict[str, Interval]:
    names = {
        "faithfulness_gap": "faithfulness_gap",
        "accuracy_cot": "acc_cot",
        "accuracy_early": "acc_early",
        "step_f1": "step_f1",
        "refusal_rate_cot": "refusal_rate_cot",
        "refusal_rate_early": "refusal_rate_early",
        "silent_bias_rate": "silent_bias_rate",
    }
    return {name: found[label].interval for label, name in names.items() if label in found}


def seed_bias(bias: BiasRecord) -> SeedBias:
    """Write the bias of one model under the keys of the earlier program."""
    rate = bias.metrics["silent_bias_rate"]
    return SeedBias(
        silent_bias_rate=rate.value,
        n_biased=bias.n_biased,
        n_silent=bias.n_silent,
        n_samples=bias.rows,
        interval=rate.interval,
        by_feature={each.feature: each for each in bias.features},
    )
