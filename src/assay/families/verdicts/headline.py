"""What an evaluation of grounded verdicts says, in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.display.statement import (
    Statement,
    difference,
    excludes,
    held,
    named,
    percentage,
)
from assay.display.wording import count
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.families.verdicts.parts import VerdictsArtifact, VerdictSystem

__all__ = ["headline"]

COMPARED = {
    "macro_f1": "macro F1",
    "ordinal_auprc": "ordinal AUPRC",
    "evidence_precision": "evidence precision",
    "evidence_recall": "evidence recall",
    "snippet_validity": "snippet validity",
}
MOST_ADVICE = 3


def headline(artifact: VerdictsArtifact) -> Iterator[Statement]:
    """Say how good verdicts, evidence and quotations are, and what to look into."""
    for system in artifact.systems:
        yield from _system(system)
    for pair in artifact.pairs:
        left, right = (named(artifact.systems[side].name) for side in (pair.left, pair.right))
        for label, meaning in COMPARED.items():
            if (delta := pair.deltas[""].get(label)) is not None:
                better = artifact.metrics[label].better
                yield difference(delta, better, (left, right), meaning, of_shares=True)


def _system(system: VerdictSystem) -> Iterator[Statement]:
    name, variant = named(system.name), system.variants[""]
    numbers = variant.numbers
    yield Statement(
        f"{name}: macro F1 of its verdicts is {percentage(numbers['macro_f1'])} over"
        f" {counted(variant.counts['n_scored'], 'scored case')} of"
        f" {count(variant.counts['n_samples'])}."
    )
    yield Statement(
        f"{name}: {percentage(numbers['evidence_precision'])} of the evidence it cites is in"
        f" the ground truth, and it finds {percentage(numbers['evidence_recall'])} of that."
    )
    yield from _quotations(name, system)
    for advice in system.parts.diagnosis[:MOST_ADVICE]:
        text = f"{name}: {advice.symptom}: {advice.cause}. Next: {advice.next_step}."
        yield Statement(inert(text), "bad")


def _quotations(name: str, system: VerdictSystem) -> Iterator[Statement]:
    validity, snippets = system.variants[""].numbers["snippet_validity"], system.parts.snippets
    if snippets is None:
        return
    total = counted(snippets.n_snippets, "quotation")
    told = f"{name}: of {total} {percentage(validity)} are valid"
    if validity.value is None:
        yield Statement(f"{told}.", "open")
    elif validity.value == 1:
        yield Statement(f"{told}: all of them stand in their sources.", "good")
    elif excludes(held(validity.value, validity.interval), 1.0):
        yield Statement(f"{told}: some do not stand where they are said to.", "bad")
    else:
        yield Statement(f"{told}; cannot tell from all.", "open")
