"""What may be chosen about reasoning: how texts are read, and how rows are counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Literal

from assay.derive.answers import Mentions, RefusalOrder, Several
from assay.derive.bias import BiasText
from assay.derive.mentions import Boundaries
from assay.derive.steps import Assignment, StepBlock
from assay.errors import UsageError
from assay.evaluate.presets import Presets, with_preset
from assay.evaluate.reasoning.sheets import Convention, Denominator, Refusals
from assay.metrics.reasoning.steps import Stepless

__all__ = ["REASONING_PRESETS", "Gold", "Reading", "ReasoningOptions"]

Reading = Literal["announced", "closed-set", "literal", "heuristic", "stored"]
"""`stored`: what another program has extracted"""
Gold = Literal["auto", "labels", "answer"]
"""`auto`: labels where a label file is given, else the gold answers of the vignettes"""


@dataclass(frozen=True, slots=True)
class ReasoningOptions:
    """The conventions of an evaluation of reasoning; all of them go on record."""

    reading: Reading = "announced"
    gold: Gold = "auto"
    refusals: Refusals = "exclude"
    denominator: Denominator = "usable"
    boundaries: Boundaries = "words"
    mentions: Mentions = "all"
    several: Several = "longest"
    refusal_order: RefusalOrder = "refusal-first"
    step_block: StepBlock = "think-first"
    matching: Assignment = "greedy"
    stepless: Stepless = "zero"
    threshold: float = 0.6
    min_tokens: int = 20
    min_characters: int = 20
    bias_text: BiasText = "whole"
    preset: str = "default"

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        if not 0.0 < self.threshold <= 1.0:
            msg = f"`threshold` must be above 0 and at most 1, found {self.threshold:g}"
            raise UsageError(msg, hint="0.6 is customary; 1 asks for the same words")
        for name in ("min_tokens", "min_characters"):
            if getattr(self, name) < 0:
                msg = f"`{name}` must not be negative, found {getattr(self, name)}"
                raise UsageError(msg, hint="20 is customary; 0 keeps everything")

    @classmethod
    def of(cls, preset: str, **chosen: Any) -> ReasoningOptions:
        """Take a preset and what was chosen beside it; None means not chosen."""
        return cls(**with_preset(REASONING_PRESETS, preset, chosen))

    @property
    def announces(self) -> bool:
        """Say whether announced answers are read: names are words there, refusals come first."""
        alike = self.boundaries == "words" and self.refusal_order != "reference"
        return alike or self.reading == "announced"

    def settings(self) -> dict[str, Any]:
        """Return the options of metrics by name."""
        return {"stepless": self.stepless}

    def extraction(self) -> dict[str, Any]:
        """Return the options that extraction depends on."""
        names = ("boundaries", "mentions", "several", "refusal_order")
        return {name: getattr(self, name) for name in names}

    def conventions(self, gold: str) -> dict[str, Any]:
        """Return every choice under its name, and what is always so in words."""
        return {
            **{each.name: getattr(self, each.name) for each in fields(self)},
            "gold": gold,
            "duplicates": "the last row of an id and mode counts",
            "think_blocks": "in any case; one that is not closed goes on to the end",
            "failed_extraction": "counted wrong",
            "p_value": "two-sided, inverted percentile bootstrap; McNemar exact",
        }

    def readings(self, gold: str, golds: Mapping[str, Any], *, stored: bool) -> list[Convention]:
        """Return every convention the gap is computed under, the chosen one first."""
        chosen = Convention(self.reading, gold, self.refusals)
        kinds = [gold, *(kind for kind in golds if kind != gold)]
        read: list[Reading] = ["announced"] if self.announces else []
        texts = [*read, "closed-set", "heuristic", *(["stored"] * stored)]
        every = [
            Convention(reading, kind, refusals)
            for kind in kinds
            for reading in texts
            for refusals in ("exclude", "wrong", "ignore")
        ]
        every += [Convention("literal", kind, "ignore") for kind in kinds]
        return list(dict.fromkeys([chosen, *every]))


REASONING_PRESETS: Presets = MappingProxyType(
    {
        "default": {},
        "seed": {
            "reading": "literal",
            "gold": "answer",
            "refusals": "ignore",
            "denominator": "all",
            "boundaries": "verbatim",
            "step_block": "markers-else-whole",
        },
        "reference": {
            "reading": "closed-set",
            "boundaries": "substring",
            "refusal_order": "reference",
            "step_block": "think-closed",
        },
    }
)
"""`seed`: the printed formulas of the earlier program; `reference`: what that program did later"""
