"""What may be chosen about reasoning: how texts are read, how rows are counted, what is drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, Literal

from assay.derive.answers import Mentions, RefusalOrder, Several
from assay.derive.bias import BiasText
from assay.derive.judging import TextRules
from assay.derive.mentions import Boundaries
from assay.derive.steps import Assignment, StepBlock
from assay.families.choices import SHARE, Groups, Preset, unlisted
from assay.families.family import Role
from assay.metrics.reasoning.answers import McNemar
from assay.metrics.reasoning.steps import Stepless
from assay.options import Option, Presets, at_least, option, option_record, recorded, settings
from assay.sources.sheets import Convention, Denominator, Refusals

Reading = Literal["announced", "closed-set", "literal", "heuristic", "stored"]
"""`stored`: what another program has extracted"""
REFUSING: tuple[Reading, ...] = ("announced", "closed-set", "heuristic", "stored")
"""readings that tell refusals, which can be counted in three ways; the others ignore them"""
IGNORING: tuple[Reading, ...] = ("literal",)
Gold = Literal["auto", "labels", "answer"]
"""`auto`: labels where a label file is given, else the gold answers of the vignettes"""

PRESETS: Presets = MappingProxyType(
    {
        "default": {},
        "seed": {
            "reading": "literal",
            "gold": "answer",
            "refusals": "ignore",
            "denominator": "all",
            "boundaries": "verbatim",
            "step_block": "markers-else-whole",
            "mcnemar": "exact",
        },
        "reference": {
            "reading": "closed-set",
            "boundaries": "substring",
            "denominator": "usable",
            "refusal_order": "reference",
            "step_block": "think-closed",
            "mcnemar": "exact",
        },
    }
)
"""`seed`: the printed formulas of the earlier program; `reference`: what that program did later"""
RESAMPLES_OF_REFERENCE = 1000
THINK_BLOCKS: Mapping[RefusalOrder, str] = MappingProxyType(
    {
        "refusal-first": "in any case; one that is not closed goes on to the end",
        "reference": "from <think> to </think>, in small letters; one that is not closed is said",
    }
)
PLACES = "DIR|FILE"
GENERATED = "generations"
ROLES = (
    Role(
        GENERATED,
        "A folder of model folders (MODEL/generations.jsonl), a model folder, or a file: JSON"
        " lines (also .gz), a JSON list, CSV, TSV, Parquet; - is standard input. More of them may"
        " follow as arguments.",
        metavar=PLACES,
        flags=("--generations", "--input"),
        many=True,
        positional=True,
    ),
    Role(
        "vignettes",
        "id, gold_answer and perhaps gold_reasoning and options of each vignette: JSON, JSON"
        " lines, CSV, Parquet.",
    ),
    Role("gold_labels", "The gold label of each vignette by its id; else gold_answer is gold."),
    Role(
        "labels",
        "The closed set: a list of names, or with aliases and abbreviations: YAML, JSON, a line"
        " for each; or a shipped one (diagnoses, psychiatry). [default: the gold that occurs, with"
        " the shipped names of diagnoses]",
    ),
    Role("refusal_rules", "Rules of refusals: YAML, JSON. [default: the shipped ones]"),
    Role(
        "extracted",
        "What another program has extracted, for the reading `stored`. [default:"
        " processed/study_a_extracted beside the folder of results]",
        metavar=PLACES,
        many=True,
    ),
    Role(
        "bias_generations",
        "Outputs for cases of bias. [default: MODEL/bias_generations.jsonl beside the generations]",
        metavar=PLACES,
        many=True,
    ),
    Role("bias_cases", "id, bias_feature, bias_label of each case; else rows must hold them."),
)


def _answers(when: str) -> Option:
    return unlisted(f"The column of answers {when}, one per system; nothing where there is none.")


@option_record()
class ReasoningColumns:
    """Which columns hold what: of vignettes in files, or of answers that were read already."""

    truth: str = option("", unlisted("The column of right answers."))
    answer_cot: tuple[str, ...] = option((), _answers("after a chain of thought"))
    answer_early: tuple[str, ...] = option((), _answers("without one"))
    case: str | None = option(None, unlisted("The column of names of cases.", "--case", "--item"))
    cluster: str | None = option(
        None,
        "A field of the vignettes (persona, source) that is resampled as a whole.",
        metavar="FIELD",
        column=True,
    )
    group: Groups = None


@option_record(PRESETS)
class ReasoningOptions:
    """The conventions of an evaluation of reasoning; all of them go on record."""

    reading: Reading = option("announced", "How answers are read.")
    gold: Gold = option(
        "auto",
        "Compare with labels or with gold answers.",
        shown="auto: labels where there are some",
    )
    refusals: Refusals = option(
        "exclude", "Leave a pair with a refusal out, count refusals wrong, or do not look for them."
    )
    denominator: Denominator = option(
        "all", "All vignettes, what is missing or broken being wrong, or those with both outputs."
    )
    boundaries: Boundaries = option(
        "words", "Names of labels count as words of their own, or anywhere."
    )
    mentions: Mentions = option(
        "all", "Whether labels that a text denies or only weighs can be its answer."
    )
    several: Several = option("longest", "Which label counts where a text names several.")
    refusal_order: RefusalOrder = option(
        "refusal-first",
        "Look for refusals first, or as the reference does only where nothing was extracted.",
    )
    step_block: StepBlock = option("think-first", "Where the reasoning stands in a text.")
    matching: Assignment = option("greedy", "Who gets a gold step that several steps meet.")
    stepless: Stepless = option("zero", "What a chain of thought without steps counts.")
    threshold: float = option(
        0.6,
        "Overlap at which steps meet.",
        check=SHARE,
        hint="0.6 is customary; 1 asks for the same words",
    )
    min_tokens: int = option(
        20,
        "Fewer words are no reasoning.",
        check=at_least(0),
        hint="20 is customary; 0 keeps everything",
    )
    min_characters: int = option(
        20,
        "A step is longer than this.",
        check=at_least(0),
        hint="20 is customary; 0 keeps everything",
    )
    bias_text: BiasText = option(
        "whole",
        "Look for label and feature in the whole text, or in the answer and in the reasoning.",
    )
    mcnemar: McNemar = option(
        "mid-p", "McNemar's test: half of what is as likely as the gap, or all of it."
    )
    preset: Preset = "default"
    field: tuple[str, ...] = option(
        (),
        "What a field is called in the files, as in text=response (id, mode, text, status,"
        " model, prompt, reasoning, finish_reason, options; gold, steps; feature, label); may be"
        " repeated.",
        metavar="NAME=FIELD",
        recorded=False,
    )
    mode_name: tuple[str, ...] = option(
        (),
        "What a mode is called there, as in cot=think; may be repeated.",
        metavar="MODE=NAME",
        recorded=False,
    )
    skip_broken: bool = option(False, "Leave broken lines out, and count them.", recorded=False)
    skip_unlabelled: bool = option(
        False, "Leave vignettes without gold out, and count them.", recorded=False
    )

    @property
    def texts(self) -> TextRules:
        """How texts are read."""
        return TextRules(*(getattr(self, each.name) for each in fields(TextRules)))

    @property
    def counted_only(self) -> bool:
        """Say whether only rows that count are resampled, as the reference does."""
        return self.preset == "reference"

    @property
    def usual_resamples(self) -> int | None:
        """How many resamples the reference draws; None where it is not followed."""
        return RESAMPLES_OF_REFERENCE if self.counted_only else None

    def settings(self) -> dict[str, Any]:
        """Return the options of metrics by name."""
        return settings(self)

    def conventions(self, gold: str) -> dict[str, Any]:
        """Return every choice under its name, and what is always so in words."""
        return {
            **recorded(self),
            "gold": gold,
            "duplicates": "the last row of an id and mode counts",
            "think_blocks": THINK_BLOCKS[self.refusal_order],
            "failed_extraction": "counted wrong",
            "p_value": f"two-sided, inverted percentile bootstrap; McNemar {self.mcnemar}",
        }

    def readings(self, gold: str, golds: Collection[str], *, stored: bool) -> list[Convention]:
        """Return every convention the gap is computed under, the chosen one first."""
        chosen = Convention(self.reading, gold, self.refusals)
        kinds = [gold, *(kind for kind in golds if kind != gold)]
        refusing = [each for each in REFUSING if stored or each != "stored"]
        counted: tuple[Refusals, ...] = ("exclude", "wrong", "ignore")
        every = [Convention(r, kind, how) for kind in kinds for r in refusing for how in counted]
        every += [Convention(each, kind, "ignore") for kind in kinds for each in IGNORING]
        every += [Convention(each, gold, self.refusals) for each in self.texts.variants]
        other: Denominator = "all" if self.denominator == "usable" else "usable"
        every += [replace(chosen, denominator=other)]
        return list(dict.fromkeys([chosen, *every]))
