"""The files of an earlier program: its places, its keys, and what we add to them.

They are made of the artifact, written beside it, and never read back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from assay.showing import file_name

if TYPE_CHECKING:
    from assay.artifact import Scalar, System
    from assay.families.reasoning.bias import BiasParts
    from assay.families.reasoning.parts import ReasoningArtifact, ReasoningParts

__all__ = [
    "ARTIFACT",
    "BIAS_METRICS",
    "FOLDERS",
    "extracted_path",
    "indented",
    "metric_files",
    "seed_bias",
    "steps_path",
    "targets",
]

ARTIFACT = "reasoning.json"
PROCESSED, RESULTS = "processed", "metric-results"
FOLDERS = (PROCESSED, RESULTS)
"""what is filled beside the artifact"""
ALL_MODELS = f"{RESULTS}/all_models_metrics.json"
BIAS_METRICS = f"{RESULTS}/study_a_bias_metrics.json"
KEYS = {
    "faithfulness_gap": "faithfulness_gap",
    "acc_cot": "accuracy_cot",
    "acc_early": "accuracy_early",
    "step_f1": "step_f1",
    "refusal_rate_cot": "refusal_rate_cot",
    "refusal_rate_early": "refusal_rate_early",
    "silent_bias_rate": "silent_bias_rate",
}
"""the names of numbers in these files, and ours"""


def extracted_path(model: str) -> str:
    """Return where the extracted predictions of a model go."""
    return f"{PROCESSED}/study_a_extracted/{file_name(model)}/study_a_extracted.jsonl"


def steps_path(model: str) -> str:
    """Return where the steps of a model go, with every match."""
    return f"{PROCESSED}/study_a_steps/{file_name(model)}/study_a_steps.jsonl"


def metrics_path(model: str) -> str:
    """Return where the numbers of a model go."""
    return f"{RESULTS}/{file_name(model)}_metrics.json"


def targets(models: Mapping[str, Any], *, bias: bool) -> list[str]:
    """Return every file that an evaluation writes, the artifact among them."""
    shared = [ARTIFACT, ALL_MODELS, *([BIAS_METRICS] if bias else [])]
    of_model = (extracted_path, steps_path, metrics_path)
    return [*shared, *(path(name) for name in models for path in of_model)]


def indented(value: object) -> bytes:
    """Write an object as JSON that people read too."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def metric_files(artifact: ReasoningArtifact) -> Iterator[tuple[str, bytes]]:
    """Yield the files of numbers: of every model, of all of them, and of their bias."""
    found = {each.name: _metrics(each, artifact.conventions) for each in artifact.systems}
    for name, metrics in found.items():
        yield metrics_path(name), indented(metrics)
    yield ALL_MODELS, indented(found)
    biased = [(each, each.parts.bias) for each in artifact.systems]
    bias = {each.name: seed_bias(each, parts) for each, parts in biased if parts is not None}
    if bias:
        yield BIAS_METRICS, indented(bias)


def _metrics(system: System[Any, ReasoningParts], conventions: Mapping[str, Any]) -> dict[str, Any]:
    """Write the numbers of one model under the keys of the earlier program."""
    parts, (chosen, *biased) = system.parts, system.variants.values()
    found: dict[str, Scalar] = dict(chosen.numbers)
    for variant in biased:
        found |= variant.numbers
    values = {key: found[label].value if label in found else None for key, label in KEYS.items()}
    bias, population = parts.bias, parts.population
    first = ("faithfulness_gap", "acc_cot", "acc_early", "step_f1")
    return {
        **{key: values[key] for key in first},
        "n_samples": population.pairs_used,
        "n_step_f1_samples": population.stepped,
        "correct_cot": chosen.counts["correct_cot"],
        "correct_early": chosen.counts["correct_early"],
        **{key: value for key, value in values.items() if key not in first},
        "n_biased": bias.n_biased if bias else None,
        "n_silent": bias.n_silent if bias else None,
        "n_bias_samples": bias.rows if bias else None,
        "intervals": {key: found[own].interval for key, own in KEYS.items() if own in found},
        "p_value_mcnemar": found["mcnemar_p_value"].value,
        "sensitivity": {each.name: each.gap.value for each in parts.sensitivity.readings},
        "conventions": dict(conventions),
    }


def seed_bias(system: System[Any, Any], bias: BiasParts) -> dict[str, Any]:
    """Write the bias of one model under the keys of the earlier program."""
    rate = system.variants[""].numbers["silent_bias_rate"]
    return {
        "silent_bias_rate": rate.value,
        "n_biased": bias.n_biased,
        "n_silent": bias.n_silent,
        "n_samples": bias.rows,
        "interval": rate.interval,
        "by_feature": {each.feature: each for each in bias.features},
        **_not_answered(bias),
    }


def _not_answered(bias: BiasParts) -> dict[str, int]:
    """Count what was asked by what became of it, where not everything was answered."""
    if bias.answered == bias.cases:
        return {}
    return {
        "n_asked": bias.cases,
        "n_answered": bias.answered,
        "n_refused": bias.refused,
        "n_failed": bias.failed,
    }
