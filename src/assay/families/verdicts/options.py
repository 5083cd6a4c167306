"""What may be chosen about verdicts, and what they are read from."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Literal, get_args

from assay.derive.evidence import Comparison, Denominator
from assay.derive.policies import Spelling
from assay.derive.snippets import Mode
from assay.errors import UsageError
from assay.families.choices import Groups, Preset, unlisted
from assay.families.family import Role, Undefined
from assay.inference import IntervalMethod
from assay.metrics.verdicts.classes import Classes
from assay.metrics.verdicts.ranking import Positive, Steps
from assay.options import Check, Presets, at_least, option, option_record, recorded
from assay.sources.answers import Failures

PrecisionOver = Literal["truth", "all"]
RecallOver = Literal["all", "results", "structured"]
RankScores = Literal["own-scale", "mixed"]
NotAnswered = Literal["wrong", "leave-out", "refuse"]
UnknownSources = Literal["refuse", "count"]

PRESETS: Presets = MappingProxyType(
    {
        "default": {},
        "reference": {
            "snippets": "reference",
            "precision_over": "all",
            "recall_over": "structured",
            "judged_over": "all",
            "matching": "reference",
            "spelling": "reference",
            "rank_scores": "mixed",
            "steps": "first-two",
            "failures": "error-key",
            "not_answered": "leave-out",
            "shortest": 0,
            "unknown_sources": "count",
            "undefined": "reference",
        },
    }
)
ERROR_BARS = frozenset(get_args(IntervalMethod))
WAY_OF_READING = Check("a way that answers are read", lambda name: name not in ERROR_BARS)
ROLES = (
    Role(
        "results",
        "What a system answered: a results file, a list or JSON lines; the same as a further"
        " RESULTS. Each is compared with the first, case by case.",
        metavar="RESULTS",
        flags=("--results", "--input"),
        many=True,
        required=True,
        positional=True,
    ),
    Role("ground_truth", "True verdicts and findings.", metavar="TRUTH", required=True),
    Role(
        "sources",
        "The texts that are quoted, as JSON or JSON lines; without them quotations are not"
        " checked.",
        metavar="SOURCES",
        flags=("--sources", "--reviews"),
        aliases=("reviews",),
    ),
    Role(
        "policy",
        "The policy: a bundled one by name, or a YAML or JSON file. [default: the one that the"
        " files name]",
        metavar="NAME|FILE",
    ),
)


@option_record()
class VerdictColumns:
    """Which columns of a table hold what, where there are verdicts alone and no evidence."""

    verdict: tuple[str, ...] = option((), unlisted("The verdicts given, one column per system."))
    truth: str | None = option(None, unlisted("The true verdicts."))
    score: tuple[str, ...] = option(
        (),
        unlisted(
            "What cases are ranked by, rising with the scale, one column per system; without it"
            " the verdict."
        ),
    )
    case: str | None = option(
        None, unlisted("The ids of the cases; without it every row is one.", "--case", "--item")
    )
    cluster: str | None = option(
        None, unlisted("What cases have in common that are drawn together.")
    )
    group: Groups = None

    def __post_init__(self) -> None:
        """Refuse scores that belong to no verdict."""
        if self.score and len(self.score) != len(self.verdict):
            msg = f"found {len(self.verdict)} of `verdict` and {len(self.score)} of `score`"
            raise UsageError(msg, hint="every system has its verdicts, and scores where all do")


@option_record(PRESETS)
class VerdictOptions:
    """The conventions of an evaluation of verdicts; all of them go on record."""

    snippets: Mode = option("normalized", "When a quotation is valid; the artifact has all modes.")
    precision_over: PrecisionOver = option(
        "truth", "Whose claims evidence precision counts: those of cases with ground truth, or all."
    )
    recall_over: RecallOver = option(
        "all",
        "Whose ground truth evidence recall counts: all cases, those with a result, or"
        " structured results.",
    )
    judged_over: Denominator = option(
        "matched", "Which findings judgement accuracy counts: those whose source is cited, or all."
    )
    matching: Comparison = option(
        "words", "Read fields and values by whole words and synonyms, or as the reference does."
    )
    spelling: Spelling = option(
        "lenient", "How far a verdict may be from its spelling on the scale."
    )
    rank_scores: RankScores = option(
        "own-scale",
        "Cases without a rank score where others have one are not ranked, or ranked by verdict.",
    )
    classes: Classes = option(
        "occurring", "Average F1 over verdicts that occur, or over the whole scale."
    )
    steps: Steps = option("all", "Which thresholds AUPRC averages.")
    positive: Positive | None = option(
        None, "The end of the scale that thresholds look for.", shown="what the policy says"
    )
    failures: Failures = option(
        "error", "A result failed where error is not null, or where the key is there."
    )
    not_answered: NotAnswered = option(
        "wrong",
        "What a case of the ground truth counts that failed, is missing, or has no verdict on"
        " the scale: a miss of its true verdict and the lowest rank; nothing, left out of AUPRC"
        " and F1, with no words about who is better; or refuse the file.",
        flags=("--not-answered", "--outside-scale"),
    )
    shortest: int = option(
        2,
        "How many letters and digits a quotation needs to be evidence.",
        check=at_least(0),
        hint="a single letter stands in every source",
    )
    unknown_sources: UnknownSources = option(
        "refuse",
        "Refuse ground truth in sources that do not exist, or count it.",
        flags=("--unknown-sources", "--unknown-reviews"),
    )
    undefined: Undefined = option(
        "null", "Write undefined numbers as null, or as the reference does."
    )
    method: str | None = option(
        None,
        "How answers are read: amos takes them from extractions in the response.",
        metavar="NAME",
        check=WAY_OF_READING,
        hint="the kind of the error bars is `ci_method`",
        shown="the method that the results name",
    )
    k: int | None = option(
        None,
        "Sources per case, for thresholds by K.",
        check=at_least(1),
        hint="it says how many sources a case has",
        shown="what the files say",
    )
    scale: tuple[str | int, ...] = option(
        (),
        "The verdicts from the lowest to the highest, instead of a policy.",
        hint="name the verdicts as they stand in the data",
        metavar="VERDICT,...",
        commas=True,
        # What the scale is stands with the policy that it makes.
        recorded=False,
    )
    map: tuple[str, ...] = option(
        (),
        "Read a key of the files as another, as in contract_id=case_id.",
        metavar="THEIRS=OURS",
        recorded=False,
    )
    preset: Preset = "default"

    def conventions(self) -> dict[str, Any]:
        """Return every choice under its name, and what is always so in words."""
        return {
            **recorded(self),
            **({"map": list(self.map)} if self.map else {}),
            "evidence": "sets of source ids per case, pooled over cases",
            "auprc": "step sum, equal scores together, mean of the defined thresholds",
            "zero_division": "undefined; F1 of a class that is given or true and never both is 0",
            "p_value": "two-sided, inverted percentile bootstrap",
        }
