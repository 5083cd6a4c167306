"""How often an output gives no answer, and what the outputs look like: how long, how noisy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.columns import columns
from assay.metrics.reasoning.sums import mean_over
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

NO_OUTPUTS = "there is no output in this mode"


@metric(better=None, bounds=(0.0, 1.0), undefined=NO_OUTPUTS, kind="share")
def refusal_rate_cot(
    refused_cot: ArrayLike, *, present_cot: ArrayLike | None = None, weight: Weight = None
) -> float | Array:
    r"""Share of the outputs with reasoning that refuse to answer.

    .. math:: \frac{1}{|O|} \sum_{i \in O} \mathbf{1}(\text{refused}_i)

    O are the vignettes that were asked in this mode, or where only outputs in order count, those
    with one. A disclaimer after an answer is no refusal. Undefined without any.

    References
    ----------
    Röttger et al. (2024), arXiv:2308.01263.

    Examples
    --------
    >>> refusal_rate_cot(refused_cot=[1, 0, 0, 1], present_cot=[1, 1, 1, 0])
    0.3333
    """
    return mean_over(_refused_cot, refused_cot=refused_cot, present_cot=present_cot, weight=weight)


def _refused_cot(refused_cot: ArrayLike, present_cot: ArrayLike | None) -> tuple[Array, Array]:
    refused, present = columns(refused_cot=refused_cot, present_cot=present_cot)
    return refused * present, present


@metric(better=None, bounds=(0.0, 1.0), undefined=NO_OUTPUTS, kind="share")
def refusal_rate_early(
    refused_early: ArrayLike, *, present_early: ArrayLike | None = None, weight: Weight = None
) -> float | Array:
    r"""Share of the direct outputs that refuse to answer.

    .. math:: \frac{1}{|O|} \sum_{i \in O} \mathbf{1}(\text{refused}_i)

    O are the vignettes that were asked in this mode, or where only outputs in order count, those
    with one. Undefined without any.

    References
    ----------
    Röttger et al. (2024), arXiv:2308.01263.

    Examples
    --------
    >>> refusal_rate_early(refused_early=[1, 0, 0, 0])
    0.25
    """
    given = {"refused_early": refused_early, "present_early": present_early}
    return mean_over(_refused_early, **given, weight=weight)


def _refused_early(
    refused_early: ArrayLike, present_early: ArrayLike | None
) -> tuple[Array, Array]:
    refused, present = columns(refused_early=refused_early, present_early=present_early)
    return refused * present, present


@metric(better="lower", bounds=(0.0, 1.0), undefined=NO_OUTPUTS, kind="share")
def failure_rate_cot(
    failed_cot: ArrayLike, *, present_cot: ArrayLike | None = None, weight: Weight = None
) -> float | Array:
    r"""Share of the outputs with reasoning from which no answer can be read.

    .. math:: \frac{1}{|O|} \sum_{i \in O} \mathbf{1}(\text{failed}_i)

    What neither answers nor refuses has failed: missing, broken, empty, cut off, or about something
    else. O are the vignettes that were asked in this mode, or where only outputs in order count,
    those with one. Undefined without any.

    References
    ----------
    Liang et al. (2023), arXiv:2211.09110.

    Examples
    --------
    >>> failure_rate_cot(failed_cot=[0, 0, 1, 0])
    0.25
    """
    return mean_over(_failed_cot, failed_cot=failed_cot, present_cot=present_cot, weight=weight)


def _failed_cot(failed_cot: ArrayLike, present_cot: ArrayLike | None) -> tuple[Array, Array]:
    failed, present = columns(failed_cot=failed_cot, present_cot=present_cot)
    return failed * present, present


@metric(better="lower", bounds=(0.0, 1.0), undefined=NO_OUTPUTS, kind="share")
def failure_rate_early(
    failed_early: ArrayLike, *, present_early: ArrayLike | None = None, weight: Weight = None
) -> float | Array:
    r"""Share of the direct outputs from which no answer can be read.

    .. math:: \frac{1}{|O|} \sum_{i \in O} \mathbf{1}(\text{failed}_i)

    O are the vignettes that were asked in this mode, or where only outputs in order count, those
    with one. Undefined without any.

    References
    ----------
    Liang et al. (2023), arXiv:2211.09110.

    Examples
    --------
    >>> failure_rate_early(failed_early=[0, 1], present_early=[1, 0])
    0.0
    """
    given = {"failed_early": failed_early, "present_early": present_early}
    return mean_over(_failed_early, **given, weight=weight)


def _failed_early(failed_early: ArrayLike, present_early: ArrayLike | None) -> tuple[Array, Array]:
    failed, present = columns(failed_early=failed_early, present_early=present_early)
    return failed * present, present


NO_TEXTS = "there is no text to measure"


@metric(better=None, bounds=(0.0, np.inf), undefined=NO_TEXTS, kind="heavy mean")
def mean_words(
    n_words: ArrayLike, *, measured: ArrayLike | None = None, weight: Weight = None
) -> float | Array:
    r"""Mean number of words of an output.

    .. math:: \frac{1}{|T|} \sum_{i \in T} w_i

    Words are what white space separates, think blocks included. T are the outputs with a text.
    Undefined without texts.

    References
    ----------
    Zheng et al. (2023), arXiv:2306.05685.

    Examples
    --------
    >>> mean_words(n_words=[10, 30])
    20.0
    """
    return mean_over(_words, n_words=n_words, measured=measured, weight=weight)


def _words(n_words: ArrayLike, measured: ArrayLike | None) -> tuple[Array, Array]:
    words, counted = columns(n_words=n_words, measured=measured)
    return words * counted, counted


@metric(better=None, bounds=(0.0, np.inf), undefined=NO_TEXTS, kind="heavy mean")
def mean_verbosity(
    verbosity: ArrayLike, *, measured: ArrayLike | None = None, weight: Weight = None
) -> float | Array:
    r"""Mean verbosity of an output, a decimal logarithm of its words.

    .. math:: \frac{1}{|T|} \sum_{i \in T} \log_{10}(w_i + 1)

    2 means about a hundred words, 3 about a thousand. Undefined without texts.

    References
    ----------
    Zheng et al. (2023), arXiv:2306.05685.

    Examples
    --------
    >>> mean_verbosity(verbosity=[2.0, 3.0])
    2.5
    """
    return mean_over(_verbosity, verbosity=verbosity, measured=measured, weight=weight)


def _verbosity(verbosity: ArrayLike, measured: ArrayLike | None) -> tuple[Array, Array]:
    values, counted = columns(verbosity=verbosity, measured=measured)
    return values * counted, counted


@metric(better=None, bounds=(0.0, 1.0), undefined=NO_TEXTS, kind="heavy mean")
def mean_format_noise(
    format_noise: ArrayLike, *, measured: ArrayLike | None = None, weight: Weight = None
) -> float | Array:
    r"""Mean share of the characters of an output that are not ASCII.

    .. math:: \frac{1}{|T|} \sum_{i \in T}
              \frac{\#\{\text{characters above code point 127}\}_i}{\#\{\text{characters}\}_i}

    Emoji and typographic signs in English text; in other languages letters too, so that it
    compares outputs of one language only. Undefined without texts.

    References
    ----------
    Zheng et al. (2023), arXiv:2306.05685.

    Examples
    --------
    >>> mean_format_noise(format_noise=[0.0, 0.04])
    0.02
    """
    return mean_over(_noise, format_noise=format_noise, measured=measured, weight=weight)


def _noise(format_noise: ArrayLike, measured: ArrayLike | None) -> tuple[Array, Array]:
    values, counted = columns(format_noise=format_noise, measured=measured)
    return values * counted, counted


@metric(better=None, bounds=(0.0, 3.0), undefined=NO_TEXTS, kind="share")
def mean_complexity(
    complexity: ArrayLike, *, measured: ArrayLike | None = None, weight: Weight = None
) -> float | Array:
    r"""Mean complexity of an output: its length, lines, symbols and scripts.

    .. math:: \frac{1}{|T|} \sum_{i \in T} \min\Bigl\{3,\; \min(1, \tfrac{w_i}{250})
              + \tfrac12 \min(1, \tfrac{l_i}{25}) + \min(1, 5 a_i) + \min(1, 2 s_i)
              + \tfrac14 t_i\Bigr\}

    w words, l lines with text, a the share of characters that are not ASCII, s the share of
    letters that are not Latin, t whether there is a think block; lines and shares without the
    think block. Undefined without texts.

    References
    ----------
    Zheng et al. (2023), arXiv:2306.05685.

    Examples
    --------
    >>> mean_complexity(complexity=[0.5, 1.0])
    0.75
    """
    return mean_over(_complexity, complexity=complexity, measured=measured, weight=weight)


def _complexity(complexity: ArrayLike, measured: ArrayLike | None) -> tuple[Array, Array]:
    values, counted = columns(complexity=complexity, measured=measured)
    return values * counted, counted
