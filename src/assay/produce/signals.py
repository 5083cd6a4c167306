"""Signals of one item: numbers that say how sure a system is, and why one of them is null."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.derive.agreement import agreement
from assay.derive.token_signals import Token, over, token_signals
from assay.produce.evidence import Heard, keyword_sentences
from assay.produce.tokens import NoTokens

if TYPE_CHECKING:
    from assay.produce.answers import Answer
    from assay.produce.retrieval import Retrieved
    from assay.produce.tasks import TaskItem

__all__ = ["Draws", "Examples", "item_signals"]

TOKEN_NAMES = ("msp", "pe", "energy")
INFERENCE_REASONS = {
    None: "the task asks for no inference",
    False: "the model reported no inference",
    True: "the model named no words",
}
NO_ALTERNATIVES = "the server returned no alternatives for a token"


@dataclass(frozen=True, slots=True)
class Examples:
    """What the prompt showed for the item."""

    retrieved: Sequence[Retrieved]
    otherwise: str
    """why there is nothing, where there is nothing"""


@dataclass(frozen=True, slots=True)
class Draws:
    """Several answers to one question, each with a seed of its own."""

    asked: int
    scores: Sequence[int | None]
    """of those that could be read"""


def item_signals(
    item: TaskItem,
    answer: Answer,
    *,
    heard: Heard,
    tokens: Sequence[Token] | NoTokens,
    draws: Draws,
    examples: Examples,
) -> dict[str, Any]:
    """Return all signals of one item; `signal_reasons` says why one is null."""
    reasons: dict[str, str] = {}
    signals = {
        **_evidence(item, answer, heard, reasons),
        **_inference(answer, reasons),
        **_retrieval(examples, reasons),
        **_stated(answer, reasons),
        **_tokens(tokens, answer.score_span, reasons),
        **_consistency(draws, reasons),
    }
    return {**signals, "signal_reasons": reasons}


def _evidence(
    item: TaskItem, answer: Answer, heard: Heard, reasons: dict[str, str]
) -> dict[str, Any]:
    hits = len(keyword_sentences(heard.spoken, item.keywords)) if item.keywords else None
    if hits is None:
        reasons["keyword_evidence_count"] = "the task has no keywords for the item"
    sources = {(True, True): "both", (True, False): "llm", (False, True): "keyword"}
    source = sources.get((bool(answer.evidence), bool(hits)))
    if source is None:
        reasons["evidence_source"] = "neither a quotation nor a keyword was found"
    return {
        "llm_evidence_count": len(answer.evidence),
        "evidence_verbatim_count": sum(map(heard.holds, answer.evidence)),
        "keyword_evidence_count": hits,
        "evidence_source": source,
    }


def _inference(answer: Answer, reasons: dict[str, str]) -> dict[str, Any]:
    signals = {
        "inference_used": answer.inference_used,
        "inference_type": answer.inference_type,
        "inference_marker": answer.inference_marker,
    }
    why = INFERENCE_REASONS[answer.inference_used]
    reasons |= {name: why for name, value in signals.items() if value is None}
    return signals


def _retrieval(examples: Examples, reasons: dict[str, str]) -> dict[str, Any]:
    values = [each.similarity for each in examples.retrieved]
    if not values:
        absent = ("retrieval_similarity_mean", "retrieval_similarity_max")
        reasons |= dict.fromkeys(absent, examples.otherwise)
    return {
        "retrieval_reference_count": len(values),
        "retrieval_similarity_mean": sum(values) / len(values) if values else None,
        "retrieval_similarity_max": max(values, default=None),
        "retrieval_references": [each.reference.name for each in examples.retrieved],
    }


def _stated(answer: Answer, reasons: dict[str, str]) -> dict[str, Any]:
    if answer.confidence is None:
        abstained = answer.score is None
        why = "the model abstained" if abstained else "the model stated no confidence"
        reasons["verbalized_confidence"] = why
    return {"verbalized_confidence": answer.confidence}


def _tokens(
    tokens: Sequence[Token] | NoTokens, span: tuple[int, int], reasons: dict[str, str]
) -> dict[str, Any]:
    if isinstance(tokens, NoTokens):
        absent = [*_named("token", None), *_named("score_token", None)]
        reasons |= dict.fromkeys(absent, str(tokens))
        return dict.fromkeys(absent)
    answer, score = _named("token", tokens), _named("score_token", over(tokens, span))
    for values in (answer, score):
        reasons |= {name: NO_ALTERNATIVES for name, value in values.items() if value is None}
    return {**answer, **score}


def _named(prefix: str, tokens: Sequence[Token] | None) -> dict[str, Any]:
    names = [*(f"{prefix}_{name}" for name in TOKEN_NAMES), f"{prefix}_count"]
    more = [f"{prefix}_top_k", f"{prefix}_outside_top_k"]
    if tokens is None:
        return dict.fromkeys([*names, *more])
    means = token_signals(tokens)
    values = (means.msp, means.pe, means.energy, means.count, means.fewest, means.n_outside)
    return dict(zip([*names, *more], values, strict=True))


def _consistency(draws: Draws, reasons: dict[str, str]) -> dict[str, Any]:
    values: Mapping[str, Any] = dict.fromkeys(
        ("modal_score", "modal_count", "modal_confidence", "score_std", "na_rate", "samples")
    )
    if draws.scores:
        agreed = agreement(draws.scores)
        values = {
            "modal_score": agreed.score,
            "modal_count": agreed.count,
            "modal_confidence": agreed.share,
            "score_std": agreed.spread,
            "na_rate": agreed.abstained,
            "samples": list(draws.scores),
        }
        why = "the modal answer is an abstention"
    else:
        why = "no samples were asked for" if not draws.asked else "no sample could be read"
    named = {f"consistency_{name}": value for name, value in values.items()}
    reasons |= {name: why for name, value in named.items() if value is None}
    return {**named, "consistency_failed": draws.asked - len(draws.scores)}
