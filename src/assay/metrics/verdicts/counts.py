"""Evidence, quotations, judgements and logic: shares of what was counted in each case.

All counts are added up over the cases before they are divided, so that a case with many claims
counts for more than a case with one.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from assay.columns import Resamples, columns, length
from assay.metrics.intervals.totals import by_cluster, drawn, ratio, shaped
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight
    from assay.metrics.intervals.totals import ClusterSums


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined="nothing is cited",
    counterparts=("evidence_recall", "structured_share"),
    kind="share",
)
def evidence_precision(
    n_claimed: ArrayLike, n_matched: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Share of the cited sources that the truth names too.

    .. math:: \frac{\sum_i |C_i \cap G_i|}{\sum_i |C_i|}

    :math:`C_i` are the sources that are cited in case i, each once, :math:`G_i` those that the
    truth names. A source counts by its id, whatever is said about it. Undefined where nothing is
    cited.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> evidence_precision(n_claimed=[10, 5, 0], n_matched=[8, 4, 0])
    0.8
    """
    return _share(weight, n_claimed=n_claimed, n_matched=n_matched)


@metric(better="higher", bounds=(0.0, 1.0), undefined="the truth names no source", kind="share")
def evidence_recall(
    n_gold: ArrayLike, n_matched: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Share of the sources that the truth names which are cited.

    .. math:: \frac{\sum_i |C_i \cap G_i|}{\sum_i |G_i|}

    :math:`C_i` are the sources that are cited in case i, each once, :math:`G_i` those that the
    truth names. A case without an answer finds nothing and still has its sources. Undefined where
    the truth names none.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> evidence_recall(n_gold=[10, 10, 0], n_matched=[8, 4, 0])
    0.6
    """
    return _share(weight, n_gold=n_gold, n_matched=n_matched)


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined="nothing is quoted, or no source is known",
    counterparts=("quoted_share",),
    kind="share",
)
def snippet_validity(
    n_snippets: ArrayLike, n_valid: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Share of the quotations that are in the source they are said to be from.

    .. math:: \frac{\sum_i v_i}{\sum_i q_i}

    Case i has :math:`q_i` quotations, of which :math:`v_i` are valid. Undefined where nothing is
    quoted.

    Notes
    -----
    Four modes say when a quotation is valid, each accepting all that the ones before it accept:
    ``strict`` takes parts of the source character for character; ``normalized`` makes compatibility
    forms, case, white space, quotation marks, dashes and invisible characters alike first;
    ``multi-span`` takes quotations whose parts, cut at dots and ends of sentences, are in the
    source in their order, one of them at least 10 characters long; ``words`` takes those of three
    or more distinct words of which four in five are in the source. ``reference`` is what the
    reference program accepts, and stands outside that order.

    References
    ----------
    Rashkin et al. (2023), Computational Linguistics 49:777-840.

    Examples
    --------
    >>> snippet_validity(n_snippets=[12, 8], n_valid=[12, 7])
    0.95
    """
    return _share(weight, n_snippets=n_snippets, n_valid=n_valid)


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined="no judgement has a truth to compare with",
    counterparts=("judgements_made",),
    kind="share",
)
def judgement_accuracy(
    n_judged: ArrayLike, n_judged_right: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Share of the judgements of sources that are right.

    .. math:: \frac{\sum_i r_i}{\sum_i j_i}

    Case i has :math:`j_i` judgements that have a truth, of which :math:`r_i` are right. Undefined
    where there are none.

    Notes
    -----
    The reference program also counts findings whose source is not cited, as judged wrongly; which
    ones count is decided before the counts get here.

    References
    ----------
    Sokolova and Lapalme (2009), Information Processing and Management 45:427-437.

    Examples
    --------
    >>> judgement_accuracy(n_judged=[3, 1], n_judged_right=[2, 1])
    0.75
    """
    return _share(weight, n_judged=n_judged, n_judged_right=n_judged_right)


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined="no verdict comes with a rule that names one",
    counterparts=("ruled_share", "macro_f1"),
    kind="share",
)
def verdict_consistency(
    n_ruled: ArrayLike, n_consistent: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Share of the verdicts that are the verdict of the rule given for them.

    .. math:: \frac{\sum_i c_i}{\sum_i u_i}

    Case i has :math:`u_i` verdicts with a rule that names one, of which :math:`c_i` are that one.
    Undefined where no rule names a verdict.

    References
    ----------
    Jacovi and Goldberg (2020), arXiv:2004.03685.

    Examples
    --------
    >>> verdict_consistency(n_ruled=[1, 1, 0, 1], n_consistent=[1, 0, 0, 1])
    0.6667
    """
    return _share(weight, n_ruled=n_ruled, n_consistent=n_consistent)


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined="no verdict could be derived from cited evidence",
    counterparts=("derived_share", "macro_f1"),
    kind="share",
)
def evidence_consistency(
    n_derived: ArrayLike, n_agreeing: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Share of the verdicts that follow from the evidence cited for them.

    .. math:: \frac{\sum_i a_i}{\sum_i d_i}

    The rules of the policy, applied to the evidence that a system cites as the system judges it,
    give :math:`d_i` verdicts in case i; :math:`a_i` of them are the one that the system gives.
    Undefined where no verdict could be derived.

    References
    ----------
    Jacovi and Goldberg (2020), arXiv:2004.03685.

    Examples
    --------
    >>> evidence_consistency(n_derived=[1, 1, 0, 1], n_agreeing=[1, 1, 0, 1])
    1.0
    """
    return _share(weight, n_derived=n_derived, n_agreeing=n_agreeing)


@metric(better="higher", bounds=(0.0, 1.0), undefined="no case was asked", kind="share")
def structured_share(
    n_cases: ArrayLike, n_structured: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Share of the cases whose answer can be read, with its evidence.

    .. math:: \frac{1}{n} \sum_i s_i

    :math:`s_i` is 1 where case i was answered in a form that holds evidence. A case that failed or
    is missing is one of the n. Precision says less where this is low.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> structured_share(n_cases=[1, 1, 1, 1], n_structured=[1, 1, 0, 1])
    0.75
    """
    return _share(weight, n_cases=n_cases, n_structured=n_structured)


@metric(better="higher", bounds=(0.0, 1.0), undefined="no case was asked", kind="share")
def quoted_share(n_cases: ArrayLike, quoted: ArrayLike, *, weight: Weight = None) -> float | Array:
    r"""Share of the claims that come with a quotation, case by case.

    .. math:: \frac{1}{n} \sum_i \frac{q_i}{c_i}

    Case i has :math:`c_i` claims, of which :math:`q_i` come with a quotation; a case without claims
    counts as 0, so that quoting nothing cannot pay. The counterpart of the validity of snippets.

    References
    ----------
    Rashkin et al. (2023), Computational Linguistics 49:777-840.

    Examples
    --------
    >>> quoted_share(n_cases=[1, 1, 1], quoted=[1, 0.5, 0])
    0.5
    """
    return _share(weight, n_cases=n_cases, quoted=quoted)


@metric(better="higher", bounds=(0.0, inf), undefined="the truth holds no finding", kind="share")
def judgements_made(
    n_findings: ArrayLike, n_judged: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Judgements per finding of the truth, right or not.

    .. math:: \frac{\sum_i j_i}{\sum_i t_i}

    The truth of case i holds :math:`t_i` findings, and :math:`j_i` judgements have a truth to be
    compared with: of severities, and of what modifies them. The counterpart of their accuracy,
    which rises where wrong ones are held back.

    References
    ----------
    Sokolova and Lapalme (2009), Information Processing and Management 45:427-437.

    Examples
    --------
    >>> judgements_made(n_findings=[4, 4], n_judged=[3, 1])
    0.5
    """
    return _share(weight, n_findings=n_findings, n_judged=n_judged)


@metric(better="higher", bounds=(0.0, 1.0), undefined="no case was asked", kind="share")
def ruled_share(n_cases: ArrayLike, n_ruled: ArrayLike, *, weight: Weight = None) -> float | Array:
    r"""Share of the cases whose verdict comes with a rule that names one.

    .. math:: \frac{1}{n} \sum_i u_i

    Case i has :math:`u_i` verdicts with a rule that names one, 0 or 1. The counterpart of the
    consistency of verdicts.

    References
    ----------
    Jacovi and Goldberg (2020), arXiv:2004.03685.

    Examples
    --------
    >>> ruled_share(n_cases=[1, 1, 1, 1], n_ruled=[1, 1, 0, 1])
    0.75
    """
    return _share(weight, n_cases=n_cases, n_ruled=n_ruled)


@metric(better="higher", bounds=(0.0, 1.0), undefined="no case was asked", kind="share")
def derived_share(
    n_cases: ArrayLike, n_derived: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Share of the cases in which a verdict follows from the cited evidence.

    .. math:: \frac{1}{n} \sum_i d_i

    The rules of the policy give :math:`d_i` verdicts in case i, 0 or 1. The counterpart of the
    consistency with evidence.

    References
    ----------
    Jacovi and Goldberg (2020), arXiv:2004.03685.

    Examples
    --------
    >>> derived_share(n_cases=[1, 1, 1, 1], n_derived=[1, 1, 0, 1])
    0.75
    """
    return _share(weight, n_cases=n_cases, n_derived=n_derived)


def _share(weight: Weight, **counts: ArrayLike) -> float | Array:
    """Divide the sum of the second count by the sum of the first, on every resample."""
    (total, many), (part, few) = counts.items()
    resamples = Resamples.of(weight, n_rows=length(**{total: many}))
    sums = resamples.plan(_sums, total, many, part, few)
    denominator, numerator = (resamples.curve(drawn, each) for each in sums)
    return shaped(ratio(numerator, denominator), resamples.shape)


def _sums(
    total: str, many: ArrayLike, part: str, few: ArrayLike, resamples: Resamples
) -> tuple[ClusterSums, ClusterSums]:
    n_many, n_few = columns(**{total: many, part: few})
    return by_cluster(n_many, resamples), by_cluster(n_few, resamples)
