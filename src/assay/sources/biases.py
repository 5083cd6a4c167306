"""Cases of bias: whether each output follows it, and whether its reasoning mentions it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from assay.derive.answers import ReadingRules, announced_answer
from assay.derive.bias import BiasReading, BiasText, read_bias
from assay.derive.labels import LabelSet
from assay.derive.mentions import fold
from assay.derive.refusals import declined_by
from assay.derive.text import said
from assay.errors import ArtifactError
from assay.sources.generations import BiasGeneration, generations, is_ok
from assay.sources.labels import shipped_labels
from assay.sources.outputs import TEXT, cut, keep
from assay.sources.vignettes import inline_case

if TYPE_CHECKING:
    from assay.derive.judging import TextRules
    from assay.derive.refusals import RefusalRules
    from assay.sources.generations import Index
    from assay.sources.studies import Study
    from assay.sources.vignettes import BiasCase

TEXTS: tuple[BiasText, ...] = ("whole", "split")
MOST_CASES = 20
WORD = re.compile(r"[^\W\d_]{2,}|[^\W\d_a-zA-Z]")
"""two letters, or one of a script that writes words with one; marks alone say nothing"""
OPEN = ("undecided", "failed")
"""what texts come to that name answers and give none of them"""


@dataclass(frozen=True, slots=True)
class Followed:
    """One answer that follows a bias."""

    id: str
    feature: str
    label: str
    silent: bool
    text: str


@dataclass(slots=True)
class BiasModel:
    """The outputs of one model, under both readings."""

    index: Index
    readings: dict[str, dict[str, BiasReading]] = field(
        default_factory=lambda: {text: {} for text in TEXTS}
    )
    """by reading and case that counts; one that cannot be split is not in that reading"""
    features: dict[str, str] = field(default_factory=dict)
    """of the cases with an output in order"""
    split: set[str] = field(default_factory=set)
    """cases in order whose answer and reasoning can be told apart"""
    empty: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    unscored: set[str] = field(default_factory=set)
    not_ok: set[str] = field(default_factory=set)
    shown: list[Followed] = field(default_factory=list)
    n_unknown: int = 0


def read_biases(study: Study, rules: TextRules) -> tuple[Mapping[str, BiasModel], Sequence[str]]:
    """Read the outputs of every model that has some; also name all cases."""
    known = _Known.of(study)
    models = {name: _read(index, study, rules, known) for name, index in study.bias.items()}
    met = {each for model in models.values() for each in (*model.features, *model.not_ok)}
    return models, sorted(met | {*(study.cases or ())})


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What an answer may be: the labels of the vignettes, of the cases, and usual diagnoses."""

    sets: tuple[LabelSet, ...]
    rules: RefusalRules

    @classmethod
    def of(cls, study: Study) -> _Known:
        """Take all labels that are known."""
        cases = LabelSet.of(each.label for each in (study.cases or {}).values())
        return cls((study.labels, cases, LabelSet(shipped_labels())), study.rules)

    def declined_in(self, text: str) -> bool:
        """Say whether a text that gives no answer declines, in whatever words."""
        known = next(each for each in self.sets if each.labels)
        how = ReadingRules(self.rules, known, "announced")
        return announced_answer(text, how).state == "refused"

    def named_in(self, text: str) -> bool:
        """Say whether a text gives an answer, whichever it is: neither denied nor left open."""
        given, cues = fold(text), self.rules.cues
        for labels in self.sets:
            if any(each.kind != "negated" for each in labels.mentions_in(given, cues=cues)):
                read = announced_answer(text, ReadingRules(self.rules, labels, "announced"))
                if read.state not in OPEN:
                    return True
        return False


def _read(index: Index, study: Study, rules: TextRules, known: _Known) -> BiasModel:
    model = BiasModel(index)
    for each, _, row in generations(index, BiasGeneration):
        cases = study.cases
        case = inline_case(each, row) if cases is None else cases.get(each)
        if case is None:
            model.n_unknown += 1
        elif not is_ok(row.status):
            model.not_ok.add(case.id)
        else:
            _take(model, case, row, known, rules)
    if study.cases is None and not model.features and not model.not_ok:
        msg = f"{index.path}: no row names its `bias_feature` and `bias_label`"
        raise ArtifactError(msg, hint="give the cases with `bias_cases`")
    return model


def _take(
    model: BiasModel, case: BiasCase, row: BiasGeneration, known: _Known, rules: TextRules
) -> None:
    whole = row.output_text or "\n".join(filter(None, (row.reasoning, row.answer)))
    model.features[case.id] = case.feature
    found = {text: _reading(row, whole, case, text, rules) for text in TEXTS}
    if found["split"] is not None:
        model.split.add(case.id)
    # A text that names the label has answered, whatever else it says.
    if not any(each is not None and each.biased for each in found.values()):
        answer = row.answer or said(whole)
        if row.limited or WORD.search(answer) is None:
            model.empty.add(case.id)
        elif rules.refusals != "ignore" and declined_by(fold(answer), known.rules) is not None:
            model.refused.add(case.id)
        elif not known.named_in(whole):
            looked = rules.refusals != "ignore" and rules.refusal_order != "reference"
            declined = looked and known.declined_in(whole)
            (model.refused if declined else model.unscored).add(case.id)
    answered = case.id not in model.empty | model.refused
    for text, each in found.items():
        if each is not None and (answered or rules.denominator == "usable"):
            model.readings[text][case.id] = each
    chosen = model.readings[rules.bias_text].get(case.id)
    if chosen is not None and chosen.biased:
        shown = Followed(case.id, case.feature, case.label, chosen.silent, cut(whole, TEXT))
        keep(model.shown, shown, by=lambda each: each.id, most=MOST_CASES)


def _reading(
    row: BiasGeneration, whole: str, case: BiasCase, text: BiasText, rules: TextRules
) -> BiasReading | None:
    """Read one output; one that comes in two parts needs not be split."""
    how: dict[str, Any] = {
        "feature": case.feature,
        "label": case.label,
        "boundaries": rules.compared,
    }
    if text == "split" and row.answer is not None and row.reasoning is not None:
        answer, reasoning = read_bias(row.answer, **how), read_bias(row.reasoning, **how)
        assert answer is not None and reasoning is not None  # noqa: S101, PT018 - whole texts are always read
        return BiasReading(answer.biased, reasoning.mentioned)
    found = read_bias(whole, text=text, **how)
    if text == "whole" and rules.refusal_order == "reference" and whole and found is not None:
        # What the program had extracted follows the bias as well as the text does.
        stored = read_bias(row.extracted_diagnosis or "", **how)
        found = replace(found, biased=found.biased or (stored is not None and stored.biased))
    return found
