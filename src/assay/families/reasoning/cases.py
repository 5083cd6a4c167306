"""Outputs and vignettes one by one: as records, and both modes of all models side by side.

Texts in an artifact are cut, and lists of rows and cases are capped; the counts beside them say
how many there were.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from assay.artifact import Answer, Case, Content, Number, Passage, Record
from assay.derive.answers import Outcome
from assay.display.cases import CaseCell, CaseTable, Column, column, listed, number, text
from assay.families.case_sheet import (
    ABSENT,
    ABSTAINED,
    FAILED,
    UNSCORED,
    Answers,
    CaseSheet,
    right_or_wrong,
)
from assay.sources.outputs import TEXT, Chain, cut
from assay.sources.sheets import MODES, Convention, Flags, Mode, Output

if TYPE_CHECKING:
    from assay.display.blocks import Tone
    from assay.families.case_sheet import States
    from assay.families.family import Evaluated
    from assay.families.reasoning.inputs import Texts
    from assay.families.reasoning.parts import ReasoningArtifact, ReasoningParts

PLACES = 3
STEP_TEXT = 200
"""characters of a step that go into the artifact"""
DEPENDENT = "vignettes of one cluster are alike"
SPELLED: dict[Mode, str] = {"direct": "at once", "cot": "reasoned"}
ORDER: tuple[Mode, ...] = MODES[::-1]
"""at once comes before reasoned"""


class StepMatch(Record, frozen=True, kw_only=True):
    """A step of the model beside the gold step it met, counted from 0."""

    step: int
    gold_step: int
    overlap: float
    kept: bool
    """false where an earlier step had taken the gold step already"""


class StepCase(Record, frozen=True, kw_only=True):
    """The reasoning of one vignette, step by step."""

    id: str
    n_steps: int
    n_gold_steps: int
    n_matched: int
    precision: Number
    recall: Number
    f1: Number
    steps: list[str]
    gold_steps: list[str]
    matches: list[StepMatch]


class OutputRow(Record, frozen=True, kw_only=True):
    """One output and how it was read."""

    id: str
    mode: Mode
    outcome: Outcome | None
    """null where the status is not ok"""
    method: str
    """how the answer was found, or why not"""
    answer: str | None
    gold: str | None
    correct: bool | None
    """null where there is no gold or the mode is not in order"""
    readings: dict[str, str | None]
    """the answer under every reading, as if nothing were a refusal"""
    n_words: int
    text: str
    """the start of the output"""


def output_row(output: Output, gold: str | None, read: Convention) -> OutputRow:
    """Show an output under a reading and against a kind of gold."""
    reading = read.reading
    return OutputRow(
        id=output.id,
        mode=output.mode,
        outcome=output.outcome,
        method=output.method,
        answer=None if output.refuses(reading) else output.answers.get(reading),
        gold=None if gold is None else cut(gold, TEXT),
        correct=output.right.get((reading, read.gold)),
        readings=dict(output.answers),
        n_words=output.n_words,
        text=output.text,
    )


def step_case(chain: Chain) -> StepCase:
    """Write down a chain of thought with every match."""
    n, n_gold, kept = chain.counts.n_steps, chain.counts.n_gold_steps, chain.counts.n_matched
    return StepCase(
        id=chain.id,
        n_steps=n,
        n_gold_steps=n_gold,
        n_matched=kept,
        precision=kept / n if n else 0.0,
        recall=kept / n_gold if n_gold else 0.0,
        f1=chain.counts.f1,
        steps=list(chain.steps),
        gold_steps=list(chain.gold_steps),
        matches=[
            StepMatch(step=each.step, gold_step=each.gold, overlap=each.overlap, kept=each.kept)
            for each in chain.matches
        ],
    )


def short(case: StepCase) -> StepCase:
    """Cut the steps, as they go into the artifact."""
    both = (case.steps, case.gold_steps)
    steps, gold_steps = ([cut(each, STEP_TEXT) for each in own] for own in both)
    return replace(case, steps=steps, gold_steps=gold_steps)


def case_sheet(evaluated: Evaluated, _: Any) -> CaseSheet:
    """Lay both modes of all models side by side, under the reading that was chosen."""
    texts: Texts = evaluated.prepared.context
    labels = frozenset(label.name for label in texts.inputs.labels.labels)
    sides = [
        _side(texts, number, mode, named.name, labels)
        for number, named in enumerate(evaluated.prepared.systems)
        for mode in ORDER
    ]
    gold, sample = texts.inputs.golds[texts.inputs.gold], texts.laid.sample

    def identify(row: int) -> Case:
        cluster = str(sample.clusters[sample.weight.cluster[row]])
        own = sample.ids[row]
        return Case(
            id=own,
            cluster=None if sample.independent else cluster,
            truth=gold.get(own),
            answers=[],
        )

    n = len(ORDER)
    systems = range(len(texts.reads))
    return CaseSheet(
        "vignette",
        sides,
        identify,
        dependent=None if sample.independent else DEPENDENT,
        within=[(n * number, n * number + 1) for number in systems],
        compared={number: n * number + 1 for number in systems},
        free=lambda row: gold.get(sample.ids[row]) not in labels,
    )


def _side(texts: Texts, number: int, mode: Mode, name: str, labels: frozenset[str]) -> Answers:
    """Say what one model made of every vignette in one mode."""
    flags, ids = texts.laid.flags[number], texts.laid.sample.ids
    convention = next(iter(texts.laid.pairs[number]))

    def answer(out: Output | None) -> str | None:
        reading = convention.reading
        return None if out is None or out.refuses(reading) else out.answers.get(reading)

    def output(row: int) -> Output | None:
        return flags.sheet.outputs.get((ids[row], mode))

    def write(row: int) -> Answer:
        out = output(row)
        if out is None:
            return Answer(state=None, facts={"not answered": "missing"})
        facts: dict[str, str | float | None] = {"read": out.method.replace("_", " ")}
        facts |= {"words": float(out.n_words)} if out.text else {}
        steps = flags.sheet.steps.get(out.id) if mode == "cot" else None
        if steps is not None:
            facts["steps met"] = f"{steps.n_matched} of {steps.n_gold_steps}"
        shown = [Passage(text=out.text)] if out.text else []
        return Answer(state=None, answer=answer(out), facts=facts, texts=shown)

    return Answers(
        f"{name}, {SPELLED[mode]}",
        number,
        _states(flags, mode, convention, ids),
        write,
        free=lambda row: answer(output(row)) not in labels,
    )


def _states(flags: Flags, mode: Mode, chosen: Convention, ids: Sequence[str]) -> States:
    """Say what became of every vignette; a refusal that is not ignored is an abstention."""
    reading, gold = chosen.reading, chosen.gold
    found = right_or_wrong(flags.right(mode, reading, gold))
    found[flags.failed(mode, reading)] = FAILED
    if chosen.refusals != "ignore":
        found[flags.refused(mode, reading)] = ABSTAINED
    labelled = flags.sheet.golds.get(gold, frozenset())
    found[[each not in labelled for each in ids]] = UNSCORED
    found[~flags.present[mode]] = ABSENT
    return found


def without_texts(parts: ReasoningParts, content: Content) -> ReasoningParts:
    """Leave texts, steps and answers of one's own out, or all cases."""
    bias = parts.bias
    if bias is not None:
        own = [] if content == "none" else [replace(each, text="") for each in bias.biased]
        bias = replace(bias, biased=own)
    if content == "none":
        return replace(parts, cases=[], outputs=[], bias=bias)
    outputs = [
        replace(each, text="", answer=None, gold=None, readings={}) for each in parts.outputs
    ]
    steps = [replace(each, steps=[], gold_steps=[]) for each in parts.cases]
    return replace(parts, cases=steps, outputs=outputs, bias=bias)


def case_tables(artifact: ReasoningArtifact) -> Iterator[CaseTable]:
    """List the outputs, the steps and the biased answers of every system."""
    for system in artifact.systems:
        of, parts = f", {system.name}" if len(artifact.systems) > 1 else "", system.parts
        if parts.outputs:
            yield listed(f"Answers by row{of}", parts.outputs, parts.n_outputs, OUTPUTS)
        if parts.cases:
            yield listed(f"Steps by case{of}", parts.cases, parts.n_cases, STEPS)
        if parts.bias is not None and parts.bias.biased:
            yield listed(f"Biased answers{of}", parts.bias.biased, parts.bias.n_biased, BIASED)


def _answer(row: OutputRow) -> CaseCell:
    tone: Tone | None = None if row.correct is None else "good" if row.correct else "bad"
    return text(row.answer, tone)


OUTPUTS = (
    column("case", "id"),
    column("mode", "mode"),
    column("outcome", "outcome"),
    Column("answer", _answer),
    column("gold", "gold"),
    column("found by", "method"),
    number("words", "n_words"),
    column("text", "text"),
)
STEPS = (
    column("case", "id"),
    number("F1", "f1", PLACES),
    number("precision", "precision", PLACES),
    number("recall", "recall", PLACES),
    number("steps", "n_steps"),
    number("gold steps", "n_gold_steps"),
    number("matched", "n_matched"),
    Column("text of the steps", lambda row: text(" / ".join(row.steps[:12]))),
)
BIASED = (
    column("case", "id"),
    column("feature", "feature"),
    column("label", "label"),
    Column("reasoning", lambda row: text("silent", "bad") if row.silent else text("mentioned")),
    column("text", "text"),
)
