"""Confidence functions: stored signals become one scalar, higher meaning more confident.

Each function takes signal columns in which NaN stands for null, and its body shows what null
means. A NaN that is left over means that the row has no confidence, which is an error where the
system answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.registry import confidence

if TYPE_CHECKING:
    from assay.columns import Array


def _unit(values: Array) -> Array:
    return np.clip(values, 0.0, 1.0)


def _or(values: Array, substitute: float) -> Array:
    """Put a number in the place of null."""
    return np.where(np.isnan(values), substitute, values)


def _evidence(llm_evidence_count: Array) -> Array:
    """Evidence on [0, 1], full at three quotations."""
    return np.maximum(np.minimum(llm_evidence_count, 3.0) / 3.0, 0.0)


@confidence
def llm(llm_evidence_count: Array) -> Array:
    """Number of quotations the model extracted for the item.

    The count itself, not clamped. Null has no meaning and is an error.

    Examples
    --------
    >>> llm(np.array([0.0, 4.0])).tolist()
    [0.0, 4.0]
    """
    return llm_evidence_count


@confidence
def retrieval_similarity_mean(retrieval_similarity_mean: Array) -> Array:
    """Mean similarity of the retrieved references.

    The stored value, not clamped; null (nothing was retrieved) is 0.

    Examples
    --------
    >>> retrieval_similarity_mean(np.array([0.7, np.nan])).tolist()
    [0.7, 0.0]
    """
    return _or(retrieval_similarity_mean, 0.0)


@confidence
def retrieval_similarity_max(retrieval_similarity_max: Array) -> Array:
    """Largest similarity of a retrieved reference.

    The stored value, not clamped; null (nothing was retrieved) is 0.

    Examples
    --------
    >>> retrieval_similarity_max(np.array([0.9, np.nan])).tolist()
    [0.9, 0.0]
    """
    return _or(retrieval_similarity_max, 0.0)


@confidence
def hybrid_evidence_similarity(
    llm_evidence_count: Array, retrieval_similarity_mean: Array
) -> Array:
    r"""Half evidence, half retrieval similarity.

    .. math:: 0.5\,e + 0.5\,s, \qquad e = \min(\text{evidence}, 3) / 3

    Both terms are clamped to [0, 1]. A null similarity is 0, a null count an error.

    Examples
    --------
    >>> hybrid_evidence_similarity(np.array([3.0, 0.0]), np.array([0.5, np.nan])).tolist()
    [0.75, 0.0]
    """
    similarity = _unit(_or(retrieval_similarity_mean, 0.0))
    return _unit(0.5 * _evidence(llm_evidence_count) + 0.5 * similarity)


@confidence
def verbalized(verbalized_confidence: Array) -> Array:
    r"""Confidence the model states in words, from 1 to 5.

    .. math:: (v - 1) / 4

    clamped to [0, 1]; null is 0.5. A stated confidence is a whole number: a fraction has no
    meaning and is an error.

    Examples
    --------
    >>> verbalized(np.array([1.0, 4.0, np.nan, 2.5])).tolist()
    [0.0, 0.75, 0.5, nan]
    """
    stated = _or((verbalized_confidence - 1.0) / 4.0, 0.5)
    fractional = np.floor(verbalized_confidence) < verbalized_confidence
    return np.where(fractional, np.nan, _unit(stated))


@confidence
def hybrid_verbalized(
    verbalized_confidence: Array, llm_evidence_count: Array, retrieval_similarity_mean: Array
) -> Array:
    r"""Stated confidence, evidence and retrieval similarity, weighted.

    .. math:: 0.4\,v + 0.3\,e + 0.3\,s, \qquad e = \min(\text{evidence}, 3) / 3

    with v as in `verbalized`. All terms are clamped to [0, 1]. A null stated confidence is 0.5, a
    null similarity 0, a null count an error.

    Examples
    --------
    >>> hybrid_verbalized(np.array([5.0]), np.array([3.0]), np.array([np.nan])).round(3).tolist()
    [0.7]
    """
    similarity = _unit(_or(retrieval_similarity_mean, 0.0))
    stated = verbalized(verbalized_confidence)
    return _unit(0.4 * stated + 0.3 * _evidence(llm_evidence_count) + 0.3 * similarity)


@confidence
def token_msp(token_msp: Array) -> Array:
    """Mean probability of the emitted tokens.

    Clamped to [0, 1]. Null (no log-probabilities) is an error.

    Examples
    --------
    >>> token_msp(np.array([0.8, 1.1])).tolist()
    [0.8, 1.0]
    """
    return _unit(token_msp)


@confidence
def token_pe(token_pe: Array) -> Array:
    r"""Inverse of the tokens' mean predictive entropy.

    .. math:: 1 / (1 + H)

    not clamped. Null (no log-probabilities) is an error.

    Examples
    --------
    >>> token_pe(np.array([0.0, 1.0])).tolist()
    [1.0, 0.5]
    """
    return 1.0 / (1.0 + token_pe)


@confidence
def token_energy(token_energy: Array) -> Array:
    r"""Probability mass that the alternatives of the tokens capture.

    .. math:: \exp(E), \qquad E = \operatorname{logsumexp} \text{ of the log-probabilities}

    clamped to [0, 1]. Null (no log-probabilities) is an error.

    Examples
    --------
    >>> token_energy(np.array([0.0, -np.log(4), 2.0])).tolist()
    [1.0, 0.25, 1.0]
    """
    return np.exp(np.minimum(token_energy, 0.0))


@confidence
def score_token_msp(score_token_msp: Array) -> Array:
    """Probability of the token that is the score.

    As `token_msp`, but of the decision alone: the mean over an answer mixes it with punctuation
    and quotations. Null (no log-probabilities) is an error.

    Examples
    --------
    >>> score_token_msp(np.array([0.8, 1.1])).tolist()
    [0.8, 1.0]
    """
    return token_msp(score_token_msp)


@confidence
def score_token_pe(score_token_pe: Array) -> Array:
    """Inverse of the predictive entropy of the token that is the score.

    As `token_pe`, but of the decision alone. Null (no log-probabilities) is an error.

    Examples
    --------
    >>> score_token_pe(np.array([0.0, 1.0])).tolist()
    [1.0, 0.5]
    """
    return token_pe(score_token_pe)


@confidence
def score_token_energy(score_token_energy: Array) -> Array:
    """Probability mass that the alternatives of the token that is the score capture.

    As `token_energy`, but of the decision alone. Null (no log-probabilities) is an error.

    Examples
    --------
    >>> score_token_energy(np.array([0.0, -np.log(4)])).tolist()
    [1.0, 0.25]
    """
    return token_energy(score_token_energy)


@confidence
def consistency(consistency_modal_confidence: Array) -> Array:
    """Share of samples that agree on the most frequent score.

    Clamped to [0, 1]. Null (no samples were drawn) is an error.

    Examples
    --------
    >>> consistency(np.array([0.6, 1.0])).tolist()
    [0.6, 1.0]
    """
    return _unit(consistency_modal_confidence)


@confidence
def consistency_inverse_std(consistency_score_std: Array) -> Array:
    r"""Inverse of the spread of the sampled scores.

    .. math:: 1 / (1 + \sigma)

    not clamped. Null (no samples were drawn) is an error.

    Examples
    --------
    >>> consistency_inverse_std(np.array([0.0, 1.0])).tolist()
    [1.0, 0.5]
    """
    return 1.0 / (1.0 + consistency_score_std)


@confidence
def hybrid_consistency(
    consistency_modal_confidence: Array,
    llm_evidence_count: Array,
    retrieval_similarity_mean: Array,
) -> Array:
    r"""Agreement of samples, evidence and retrieval similarity, weighted.

    .. math:: 0.4\,m + 0.3\,e + 0.3\,s, \qquad e = \min(\text{evidence}, 3) / 3

    All terms are clamped to [0, 1]. A null similarity is 0; a null agreement or count is an error.

    Examples
    --------
    >>> hybrid_consistency(np.array([1.0]), np.array([3.0]), np.array([1.0])).round(3).tolist()
    [1.0]
    """
    agreement = _unit(consistency_modal_confidence)
    similarity = _unit(_or(retrieval_similarity_mean, 0.0))
    return _unit(0.4 * agreement + 0.3 * _evidence(llm_evidence_count) + 0.3 * similarity)


def _llm_and_keyword(llm_evidence_count: Array, keyword_evidence_count: Array) -> Array:
    return llm_evidence_count + keyword_evidence_count


@dataclass(frozen=True, slots=True)
class Alias:
    """A name whose meaning changed: why, and what it means under each reading."""

    reason: str
    readings: Mapping[str, Callable[..., Array]]


ALIASES: dict[str, Alias] = {
    "total_evidence": Alias(
        "keyword evidence was dropped from the runs, so that the model's own count is the total;"
        " the reading llm+keyword adds both counts, for files that still have them",
        {"llm": llm, "llm+keyword": _llm_and_keyword},
    ),
}

WHERE_HELD = frozenset({"score_token_msp", "score_token_pe", "score_token_energy"})
"""Functions of signals that run files need not have: `all` means them where a run has them."""

OPERATIONS: dict[str, Callable[[Array, Array], Array]] = {
    "average": lambda first, second: (first + second) / 2.0,
    "product": lambda first, second: first * second,
}
