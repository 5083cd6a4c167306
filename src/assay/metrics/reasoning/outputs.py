"""What the outputs look like: how long, how noisy, how complex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.columns import columns
from assay.metrics.reasoning.sums import mean_over
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

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
