"""How a text says that nothing is the matter: no disorder at all, nothing that was found.

That is none of the members, unless the text has concluded one of them before: who has one disorder
may have no other.
"""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

from assay.derive.choices import Choices
from assay.derive.wordings import Wordings

WORDS = ("no ", "not ", "n't ", "nor ", "insufficient ", "little ", "rather ", "healthy", "normal ")
"""one of these is in every wording"""
_SOME = (
    r"(?:(?:formal|clinical|clear|current|specific|diagnosable|identifiable|significant|primary|active|definite|major"
    r"|psych\w+|mental|health|axis i|dsm(?: \w+){0,2}?|icd(?: \d+)?) )*"
    r"(?:diagnosis|disorder|condition|illness|disease|pathology|psychopathology|abnormality)"
    r"(?! (?:of|called|other|in remission|known|until|but|without|can|could|(?:\w+ ){0,2}better)(?!\w))"
)
"""a disorder of which nothing is said but that it is one"""
_IT = _SOME.replace("(?:diagnosis|", "(?:", 1)
_ISNT = r"(?:not|\w+n't)"
_DONE = r"(?:warranted|justified|indicated|needed|required|appropriate|supported|identified|found|detected|present|evident|established)"
NO_DISORDER = Wordings(
    rf"""
    {_ISNT} (?:[\w-]+ ){{0,4}}(?:constitute|represent|reflect|amount to|rise to|indicate|suggest|warrant|show|have|be|suffer(?:ing)? from) (?:an?|any) {_IT}
    {_ISNT} (?:necessarily )?an? {_IT}(?! such) | {_ISNT} (?:[\w-]+ ){{0,12}}or any other {_SOME} | nor (?:[\w-]+ ){{0,5}}any other {_SOME}
    {_ISNT} (?:formally )?diagnos(?:e|ed|ing)(?: \w+ with)? (?:an?|any) {_IT} | rather than (?:an?|any) {_IT} | no {_SOME} (?:is|was|seems|appears|would be) (?:to be )?(?:clearly )?{_DONE}
    (?:insufficient|little|no (?:clear|convincing|sufficient|clinical|real)) (?:evidence|signs?|indications?) (?:of|for|that suggests?) (?:an?y? )?{_IT}
    criteria for (?:an?y? )?{_SOME} (?:are|is|were|have|has) (?:clearly |currently |therefore )?not | diagnosis (?:is|was|seems|would be) (?:therefore |currently )?not {_DONE} | diagnosis (?:cannot|can't) be (?:justified|supported)
    (?<!was )(?<!were )(?:psych\w+|mentally|clinically) (?:healthy|normal) | nothing (?:abnormal|pathological)(?! (?:except|but|other)) | nothing (?:[\w-]+ ){{0,3}}(?:counts?|qualif\w+) as (?:an?|any) {_IT}
    healthy (?:individual|person|reaction|response) | no (?:clear|current|primary|dsm|axis|definite|major) (?:[\w-]+ ){{0,3}}?(?:diagnosis|disorder)(?! (?:of|other|until|but|without|can|could)(?!\w))
    """
)
_NORMAL = ("normal", "healthy", "control", "nofinding", "nofindings", "nodisorder")
"""what a member is called that says that nothing is the matter"""


def said_of_one(choices: Choices) -> bool:
    """Say whether a set asks for one thing, so that its absence is one of the members."""
    return bool(choices.particles or choices.opposites)


def healthy_member(choices: Choices) -> str | None:
    """Return the member that says that nothing is the matter, if there is one.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> healthy_member(Choices.of(LabelSet.of(["Asthma", "Normal"])))
    'Normal'
    """
    named = filter(None, map(choices.values.get, _NORMAL))
    return next(named, choices.none)
