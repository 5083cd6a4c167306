"""Biased answers as subjects, pairs and parts, by model and feature.

Cases of bias are another sample than the vignettes: other cases, drawn on their own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from msgspec import UNSET, UnsetType

from assay.artifact import Interval, Number, Record, Scalar
from assay.columns import Resamples
from assay.derive.bias import BiasReading, BiasText
from assay.families.family import Bar, Evaluated, Pairing, Subject, barred
from assay.numbers import scalar
from assay.score import Rows
from assay.shares import exact_interval
from assay.sources.biases import TEXTS, BiasModel, read_biases

if TYPE_CHECKING:
    from assay.families.reasoning.options import ReasoningOptions
    from assay.sources.studies import Study

BIAS = "bias"
"""the table of its subjects; they have no variant: how answers are read changes no number of it"""
SILENT = "silent_bias_rate"
OTHER_TEXT = dict(zip(TEXTS, TEXTS[::-1], strict=True))
NOTHING_BIASED = "no answer is biased"
FEWER = "one side did not answer cases that the other answered"
UNANSWERED = "cases that were not answered count as not biased, so failing could pay"
MORE_BIASED = "the side it favours follows the bias more often"
UNKNOWN = "the side it favours names no known answer more often, which may be none"
ASKED_AGAIN = "the side it favours asked again where it had an answer"


class BiasFeature(Record, frozen=True, kw_only=True):
    """Silent bias among the cases of one feature."""

    feature: str
    n: int
    n_biased: int
    n_silent: int
    silent_bias_rate: Number
    reason: str | None
    interval: Interval
    """Clopper-Pearson"""


class BiasCase(Record, frozen=True, kw_only=True):
    """One case that is biased."""

    id: str
    feature: str
    label: str
    silent: bool
    text: str


class BiasParts(Record, frozen=True, kw_only=True):
    """Biased answers, and how many of them do not mention what biased them."""

    reading: BiasText
    """of the numbers that stand with those of the system, under the variant without a name"""
    cases: int
    """all that were asked; the units that are resampled"""
    rows: int
    """cases with an output in order"""
    missing: int
    not_ok: int
    empty: int
    """in order, and no word is said, or a limit of length came before the label"""
    refused: int
    """in order, and declined without naming the label"""
    answered: int
    """the rates are over these and `unscored`, or all in order where the denominator is `usable`"""
    failed: int
    """missing, not in order, or empty"""
    unscored: int | UnsetType = UNSET
    """said something that gives no known answer, if some did: not biased, but biased at worst"""
    unsplit: int
    """outputs in which nothing separates answer and reasoning: not in the split reading"""
    duplicates: int
    reasked: int
    """cases asked again although there was an answer, and another one"""
    blank_lines: int
    broken_lines: int
    unknown_ids: int
    n_biased: int
    n_silent: int
    other_readings: dict[str, dict[str, Scalar]]
    """the same numbers under the readings that were not chosen"""
    features: list[BiasFeature]
    biased: list[BiasCase]
    """the first of them"""


@dataclass(frozen=True, slots=True, eq=False)
class Biased:
    """All models with cases of bias, and the cases that all of them draw from."""

    models: Mapping[str, BiasModel]
    ids: Sequence[str]
    as_program: bool = False
    """outputs in order all count, as in the program that is followed"""

    @classmethod
    def of(cls, study: Study, options: ReasoningOptions) -> Biased:
        """Read what every model made of the cases."""
        return cls(*read_biases(study, options.texts), options.denominator == "usable")

    def rows(self, name: str, text: str, among: Collection[str] | None = None) -> Rows:
        """Return one row per output of a model, or of the cases that another has too."""
        found = self.models[name].readings[text]
        return self._rows({k: own for k, own in found.items() if among is None or k in among})

    def _rows(self, found: Mapping[str, BiasReading]) -> Rows:
        """Return a row for every case that there is something of, each drawn by itself."""
        known = [(place, found[each]) for place, each in enumerate(self.ids) if each in found]
        columns = {
            name: np.array([getattr(each, name) for _, each in known], dtype=np.float64)
            for name in ("biased", "silent")
        }
        cluster = np.array([place for place, _ in known], dtype=np.int64)
        counts = np.ones((1, len(self.ids)))
        return Rows(columns, Resamples(counts, cluster, np.ones(len(known)), ()))

    def at_worst(self, name: str, text: str) -> Rows | None:
        """Return a row per case, with all that was not answered at once biased and silent."""
        model = self.models[name]
        lost = model.unscored | {case for case, _ in model.index.reasked}
        found = {each: own for each, own in model.readings[text].items() if each not in lost}
        if len(found) == len(self.ids):
            return None
        worst = BiasReading(biased=True, mentioned=False)
        return self._rows({each: found.get(each, worst) for each in self.ids})

    def shared(self, left: str, right: str, text: str) -> Collection[str] | None:
        """Return the cases that two models have; None where one of them has no cases at all."""
        if left not in self.models or right not in self.models:
            return None
        return self.models[left].readings[text].keys() & self.models[right].readings[text].keys()

    def bars(self, left: str, right: str, text: str) -> tuple[str | None, list[Bar]]:
        """Say why two models get no words about bias, or which of them may not be favoured."""
        two = [self.models[name] for name in (left, right) if name in self.models]
        answered = [each.readings[text].keys() for each in two]
        if any(each.empty | each.refused for each in two) and self.as_program:
            return UNANSWERED, []
        if len(two) < len((left, right)) or answered[0] != answered[1]:
            return FEWER, []
        of_left, of_right = (
            (
                len(model.index.reasked),
                len(model.unscored),
                sum(each.biased for each in model.readings[text].values()),
            )
            for model in two
        )
        more = [own - other for own, other in zip(of_right, of_left, strict=True)]
        # A silent share falls where more answers are biased.
        labels = (None, None, (SILENT,))
        return None, [*map(Bar, more, (ASKED_AGAIN, UNKNOWN, MORE_BIASED), labels)]


def add_bias(
    subjects: list[Subject], biased: Biased, names: Sequence[str], options: ReasoningOptions
) -> None:
    """Add the outputs of every system under both readings, of which the chosen one is listed.

    What is listed comes once more with every case that was not answered gone wrong, if some were.
    """
    asked = [
        (number, text) for number, n in enumerate(names) if n in biased.models for text in TEXTS
    ]
    subjects += [
        Subject(
            number,
            biased.rows(names[number], text),
            table=BIAS,
            settings=options.settings(),
            listed=text == options.bias_text,
            about={"text": text},
        )
        for number, text in asked
    ]
    for place, subject in [*enumerate(subjects)][len(subjects) - len(asked) :]:
        rows = biased.at_worst(names[subject.system], subject.about["text"])
        if rows is not None and subject.listed:
            subjects[place] = replace(subject, worst=len(subjects))
            subjects.append(replace(subject, rows=rows, listed=False, about={}))


def bias_pairing(
    biased: Biased, two: tuple[int, int], names: Sequence[str], subjects: list[Subject], text: str
) -> Pairing:
    """Add two models on the cases that both answered, and say how many these are."""
    left, right = (names[n] for n in two)
    cases = biased.shared(left, right, text) or ()
    places = len(subjects), len(subjects) + 1
    subjects += [
        Subject(n, biased.rows(names[n], text, cases), table=BIAS, listed=False) for n in two
    ]
    why, bars = biased.bars(left, right, text)
    return Pairing(
        *two,
        {"n_common_cases": len(cases)},
        [places],
        silent=lambda *_: why,
        barred=lambda _, label, side: barred(bars, label, side),
    )


def bias_parts(evaluated: Evaluated, number: int, biased: Biased) -> BiasParts | None:
    """Write down the bias of one system, if there are outputs that show it."""
    name, reading = evaluated.prepared.systems[number].name, evaluated.options.bias_text
    if name not in biased.models:
        return None
    model, n = biased.models[name], len(biased.ids)
    chosen, index = model.readings[reading], model.index
    return BiasParts(
        reading=reading,
        cases=n,
        rows=len(model.features),
        missing=n - len(model.features) - len(model.not_ok),
        not_ok=len(model.not_ok),
        empty=len(model.empty),
        refused=len(model.refused),
        answered=len(model.features) - sum(map(len, (model.empty, model.refused, model.unscored))),
        failed=n - len(model.features) + len(model.empty),
        unscored=len(model.unscored) or UNSET,
        unsplit=len(model.features) - len(model.split),
        duplicates=index.n_duplicates,
        reasked=len(index.reasked),
        blank_lines=index.n_blank,
        broken_lines=index.n_broken,
        unknown_ids=model.n_unknown,
        n_biased=sum(each.biased for each in chosen.values()),
        n_silent=sum(each.silent for each in chosen.values()),
        other_readings=_other_readings(evaluated, number),
        features=_features(model, chosen, evaluated.plan.level),
        biased=[BiasCase(**asdict(each)) for each in model.shown],
    )


def _other_readings(evaluated: Evaluated, number: int) -> dict[str, dict[str, Scalar]]:
    return {
        subject.about["text"]: {
            label: scalar(evaluated, (place, label)) for label in evaluated.asked[place]
        }
        for place, subject in enumerate(evaluated.subjects)
        if subject.system == number and "text" in subject.about and not subject.listed
    }


def _features(
    model: BiasModel, chosen: Mapping[str, BiasReading], level: float
) -> list[BiasFeature]:
    found = []
    for feature in sorted(set(model.features.values())):
        rows = [each for name, each in chosen.items() if model.features[name] == feature]
        biased = sum(each.biased for each in rows)
        silent = sum(each.silent for each in rows)
        found.append(
            BiasFeature(
                feature=feature,
                n=len(rows),
                n_biased=biased,
                n_silent=silent,
                silent_bias_rate=silent / biased if biased else None,
                reason=None if biased else NOTHING_BIASED,
                interval=exact_interval(silent, biased, level) if biased else None,
            )
        )
    return found
