"""The bundled example run: synthetic from the first id to the last digit.

It has the shape of a PHQ-8 run file: two modes, participants on whom the system failed, others for
whom it answered nothing, and every signal. Hard items draw few quotations, low confidences and
disagreeing samples, and are answered wrongly more often, so that ranking by a signal pays.

The committed file is what `demo_bytes()` returns. Only uniform draws and rounded arithmetic are
used, so that the bytes are the same everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.derive.agreement import agreement, settled
from assay.sources.items import PHQ8_ITEMS

__all__ = ["demo_bytes", "demo_run"]

FIRST_ID = 9001
N_PARTICIPANTS = 41
N_SAMPLES = 5
N_ITEMS = len(PHQ8_ITEMS)
SYNTHETIC = "synthetic"
UNHEARD = -9.0
"""added to the clarity of a participant for whom the system answers nothing"""
NOT_RETRIEVED = -1.2
"""the clarity below which retrieval finds nothing"""

Score = int | None


@dataclass(frozen=True, slots=True)
class Mode:
    """How one mode behaves."""

    name: str
    skill: float
    """raises the chance of a right answer"""
    caution: float
    """raises the chance of an abstention"""
    retrieval: bool
    failed: frozenset[int]
    silent: frozenset[int]
    """participants for whom the system answers nothing"""


MODES = (
    Mode(
        "zero_shot",
        skill=0.0,
        caution=0.0,
        retrieval=False,
        failed=frozenset({9007, 9023}),
        silent=frozenset({9012, 9030}),
    ),
    Mode(
        "few_shot",
        skill=0.5,
        caution=0.15,
        retrieval=True,
        failed=frozenset({9007}),
        silent=frozenset({9012}),
    ),
)


@dataclass(frozen=True, slots=True)
class Interview:
    """One participant: the true scores, and how clearly each comes through."""

    participant_id: int
    truth: tuple[int, ...]
    clarity: tuple[float, ...]


def demo_bytes(seed: int = 2025) -> bytes:
    """Return the example run as the bytes of its file."""
    return json.dumps(demo_run(seed), separators=(",", ":"), allow_nan=False).encode() + b"\n"


def demo_run(seed: int = 2025) -> dict[str, Any]:
    """Return the example run; the same seed gives the same run."""
    rng = np.random.default_rng(seed)
    interviews = [_interview(FIRST_ID + number, rng) for number in range(N_PARTICIPANTS)]
    return {
        "run_metadata": {
            "run_id": "demo0000",
            "timestamp": "2000-01-01T00:00:00+00:00",
            "git_commit": SYNTHETIC,
            "git_dirty": False,
            "python_version": SYNTHETIC,
            "platform": SYNTHETIC,
            "ollama_base_url": SYNTHETIC,
        },
        "experiments": [_experiment(mode, interviews, rng) for mode in MODES],
    }


def _bell(rng: np.random.Generator) -> float:
    """Draw a nearly normal number: the sum of twelve uniform ones."""
    return float(rng.random(12).sum() - 6.0)


def _interview(participant_id: int, rng: np.random.Generator) -> Interview:
    severity, openness = _bell(rng), _bell(rng)
    truth = (round(1.1 + 0.8 * severity + 0.7 * _bell(rng)) for _ in PHQ8_ITEMS)
    clarity = (0.5 * openness + 0.85 * _bell(rng) for _ in PHQ8_ITEMS)
    return Interview(
        participant_id=participant_id,
        truth=tuple(min(max(score, 0), 3) for score in truth),
        clarity=tuple(clarity),
    )


def _experiment(
    mode: Mode, interviews: Sequence[Interview], rng: np.random.Generator
) -> dict[str, Any]:
    people = [_person(mode, interview, rng) for interview in interviews]
    provenance = {
        "mode": mode.name,
        "split": SYNTHETIC,
        "quantitative_model": SYNTHETIC,
        "embedding_model": SYNTHETIC if mode.retrieval else None,
        "llm_backend": SYNTHETIC,
        "embedding_backend": SYNTHETIC if mode.retrieval else None,
        "embeddings_path": None,
        "embeddings_checksum": None,
        "embeddings_meta_checksum": None,
        "participants_requested": len(people),
        "participants_evaluated": sum(person["success"] for person in people),
        "consistency_enabled": True,
        "consistency_n_samples": N_SAMPLES,
        "consistency_temperature": 0.2,
    }
    return {"provenance": provenance, "results": _results(mode, people)}


def _results(mode: Mode, people: Sequence[dict[str, Any]]) -> dict[str, Any]:
    successes = [person for person in people if person["success"]]
    evaluated = [person for person in successes if person["available_items"]]
    by_item = {item: _item_errors(item, evaluated) for item in PHQ8_ITEMS}
    errors = [error for each in by_item.values() for error in each]
    return {
        "mode": mode.name,
        "model": SYNTHETIC,
        "prediction_mode": "item",
        "total_score_min_coverage": 0.5,
        "binary_threshold": 10,
        "binary_strategy": "threshold",
        "total_subjects": len(people),
        "successful_subjects": len(successes),
        "failed_subjects": len(people) - len(successes),
        "excluded_no_evidence": len(successes) - len(evaluated),
        "evaluated_subjects": len(evaluated),
        "item_mae_weighted": _mean(errors),
        "item_mae_by_item": _mean([_mean(each) for each in by_item.values()]),
        "item_mae_by_subject": _mean([person["mae_available"] for person in evaluated]),
        "prediction_coverage": round(len(errors) / (N_ITEMS * len(evaluated)), 6),
        "total_metrics": None,
        "binary_metrics": None,
        "total_duration_seconds": 0.0,
        "per_item": {
            item: {"mae": _mean(each), "count": len(each)} for item, each in by_item.items()
        },
        "results": list(people),
    }


def _item_errors(item: str, people: Sequence[dict[str, Any]]) -> list[int]:
    pairs = [(each["predicted_items"][item], each["ground_truth_items"][item]) for each in people]
    return [abs(score - truth) for score, truth in pairs if score is not None]


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 6)


def _person(mode: Mode, interview: Interview, rng: np.random.Generator) -> dict[str, Any]:
    tokens = _token_signals(float(np.mean(interview.clarity)) + 0.5 * _bell(rng), mode)
    heard = UNHEARD if interview.participant_id in mode.silent else 0.0
    answers = [
        _answer(mode, truth, clarity + heard, rng)
        for truth, clarity in zip(interview.truth, interview.clarity, strict=True)
    ]
    if interview.participant_id in mode.failed:
        return _outcome(interview, {}, {}, error="synthetic failure: the model did not answer")
    return _outcome(
        interview,
        dict(zip(PHQ8_ITEMS, (score for score, _ in answers), strict=True)),
        dict(zip(PHQ8_ITEMS, ({**each, **tokens} for _, each in answers), strict=True)),
        error=None,
    )


def _outcome(
    interview: Interview,
    predicted: Mapping[str, Score],
    signals: Mapping[str, Any],
    *,
    error: str | None,
) -> dict[str, Any]:
    truth = dict(zip(PHQ8_ITEMS, interview.truth, strict=True)) if predicted else {}
    given = {item: score for item, score in predicted.items() if score is not None}
    errors = [abs(score - truth[item]) for item, score in given.items()]
    complete = len(given) == N_ITEMS
    return {
        "participant_id": interview.participant_id,
        "success": error is None,
        "error": error,
        "prediction_mode": "item",
        "ground_truth_total": sum(truth.values()) if truth else None,
        "predicted_total": sum(given.values()) if complete else None,
        "severity": None,
        "available_items": len(given),
        "na_items": len(predicted) - len(given),
        "mae_available": _mean(errors) if errors else None,
        "ground_truth_items": truth,
        "predicted_items": dict(predicted),
        "item_signals": dict(signals),
    }


def _answer(
    mode: Mode, truth: int, clarity: float, rng: np.random.Generator
) -> tuple[Score, dict[str, Any]]:
    heard = truth + _slip(mode, clarity) * _bell(rng)
    samples = [_sample(mode, heard, clarity, rng) for _ in range(N_SAMPLES)]
    evidence = min(max(round(1.6 + 1.1 * clarity + 0.6 * _bell(rng)), 0), 6)
    stated = min(max(round(3.3 + 0.9 * clarity + 0.6 * _bell(rng)), 1), 5)
    score = samples[settled(samples)]
    return score, {
        "llm_evidence_count": evidence,
        "evidence_source": "llm" if evidence else None,
        "inference_used": False,
        "inference_type": None,
        "inference_marker": None,
        **_retrieval_signals(mode, clarity, rng),
        "verbalized_confidence": None if score is None else stated,
        **_consistency_signals(samples),
    }


def _slip(mode: Mode, clarity: float) -> float:
    """Return how far the system mishears an item: the clearer, the less."""
    return max(1.15 - 0.55 * clarity - 0.55 * mode.skill, 0.15)


def _sample(mode: Mode, heard: float, clarity: float, rng: np.random.Generator) -> Score:
    """Draw one scoring of an item; unclear items vary more, and are often left unanswered."""
    if clarity + mode.skill + 0.6 * _bell(rng) < mode.caution:
        return None
    return min(max(round(heard + 0.45 * _slip(mode, clarity) * _bell(rng)), 0), 3)


def _consistency_signals(samples: Sequence[Score]) -> dict[str, Any]:
    agreed = agreement(samples)
    return {
        "consistency_modal_score": agreed.score,
        "consistency_modal_count": agreed.count,
        "consistency_modal_confidence": agreed.share,
        "consistency_score_std": round(agreed.spread, 4),
        "consistency_na_rate": agreed.abstained,
        "consistency_samples": list(samples),
    }


def _retrieval_signals(mode: Mode, clarity: float, rng: np.random.Generator) -> dict[str, Any]:
    count = 2 if mode.retrieval and clarity > NOT_RETRIEVED else 0
    mean = min(max(0.62 + 0.07 * clarity + 0.05 * _bell(rng), 0.0), 1.0)
    largest = min(mean + 0.04 * float(rng.random()), 1.0)
    return {
        "retrieval_reference_count": count,
        "retrieval_similarity_mean": round(mean, 4) if count else None,
        "retrieval_similarity_max": round(largest, 4) if count else None,
    }


def _token_signals(ease: float, mode: Mode) -> dict[str, float]:
    """Return the signals that all items of a participant share: one call scores them all."""
    probability = min(max(0.87 + 0.04 * ease + 0.02 * mode.skill, 0.5), 0.995)
    entropy = 2.1 * (1.0 - probability)
    return {
        "token_msp": round(probability, 6),
        "token_pe": round(entropy, 6),
        "token_energy": round(-0.12 * entropy, 6),
    }
