"""One model from its file: every output read once, in the order of the file.

Texts pass through; what stays is a small record per output, and of long lists only their start.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import msgspec

from assay.derive.answers import (
    NO_OUTPUT,
    Outcome,
    is_correct,
    stored_answer,
)
from assay.derive.labels import LabelSet
from assay.derive.steps import StepMatch, match_steps, reasoning_steps
from assay.derive.text import complexity, format_noise, n_words, verbosity
from assay.errors import ArtifactError
from assay.showing import quoted
from assay.sources.generations import Generation, StoredExtraction, generations, is_ok
from assay.sources.sheets import MODES, Output, Sheet, Steps
from assay.sources.vignettes import read_options

if TYPE_CHECKING:
    from assay.derive.judging import Judge, Read, TextRules
    from assay.sources.generations import Index
    from assay.sources.sheets import Mode
    from assay.sources.studies import Study

MOST_OUTPUTS, MOST_CASES = 100, 20
TEXT = 240
"""characters of a text that go into the artifact"""
BATCH, BATCH_TEXT = 256, 1 << 24
"""cases whose steps are matched at a time, and the characters that they may have together"""
GIVEN, TRUTH = "given", "truth"
"""how answers are read that were read already, and what they are held against"""
Item = TypeVar("Item")


def cut(text: str, most: int) -> str:
    """Return the start of a text on one line."""
    if len(text) <= most and text.isprintable():
        return text
    short = " ".join(text[: 2 * most].split())
    return short if len(short) <= most and len(text) <= 2 * most else f"{short[:most].rstrip()} ..."


def keep(kept: list[Item], item: Item, *, by: Callable[[Item], str], most: int) -> None:
    """Keep an item if it is among the first by id, so that the order of lines decides nothing."""
    if len(kept) < most or by(item) < by(kept[-1]):
        insort(kept, item, key=by)
        del kept[most:]


class ExtractedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of study_a_extracted.jsonl: the fields of the earlier program, and what we add."""

    id: str
    mode: str
    model_name: str
    status: str
    is_refusal: bool
    extracted_diagnosis: str
    extraction_method: str
    response_verbosity: float
    format_noise_score: float
    word_count: int
    outcome: Outcome | None = None
    """null where the status is not ok"""
    refusal_rule: str | None = None
    answers: dict[str, str | None] = msgspec.field(default_factory=dict)
    """by reading, as if nothing were a refusal"""
    outcomes: dict[str, Outcome] = msgspec.field(default_factory=dict)
    mentioned: list[str] = msgspec.field(default_factory=list)
    """labels that are named outside think blocks, also those that are denied"""
    verbosity: float = 0.0
    """not rounded, as the two below"""
    format_noise: float = 0.0
    complexity: float = 0.0
    state: str | None = None
    """answered, none, outside, undecided, refused or failed, where read for what is announced; by
    other readings `limited` where a limit of length ended the text"""
    span: tuple[int, int] | None = None
    """the characters that gave the answer, there"""
    options: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    """those of the row itself, if it has some: its letters are of these"""


Passing = Iterator[tuple[ExtractedRow, str]]
"""rows and the texts they were read from"""


def extracted_rows(model: str, index: Index, judge: Judge) -> Passing:
    """Read every output of a model; the row and the text it was read from."""
    for name, mode, row in _rows(index, judge):
        text = row.whole
        own = read_options(row.options, f"{index.path}, {name!r}: `options`")
        case = judge.of_case(name, own)
        read = case.read(text, limited=row.limited) if is_ok(row.status) else None
        found = _extracted(model, name, mode, row, read)
        if own:
            found = msgspec.structs.replace(found, options=own)
        if judge.in_order:
            mark = complexity(text, think="reference") if text.strip() else 1.0
            found = msgspec.structs.replace(found, complexity=mark)
        yield found, text


def _rows(index: Index, judge: Judge) -> Iterator[tuple[str, str, Generation]]:
    """Yield the rows that count, in the order of the reference without what stands beside texts."""
    for name, mode, row in generations(index, Generation):
        yield name, mode, row.printed if judge.in_order else row


def _extracted(
    model: str, name: str, mode: str, row: Generation, read: Read | None
) -> ExtractedRow:
    text = row.whole
    long, noise = verbosity(text), format_noise(text) if text else 0.0
    return ExtractedRow(
        id=name,
        mode=mode,
        model_name=row.model_name or model,
        status=row.status or "ok",
        is_refusal=read is not None and read.outcome == "refused",
        extracted_diagnosis=NO_OUTPUT if read is None else read.shown,
        extraction_method="status_not_ok" if read is None else read.method,
        response_verbosity=round(long, 3),
        format_noise_score=round(noise, 4),
        word_count=n_words(text),
        outcome=None if read is None else read.outcome,
        refusal_rule=None if read is None else read.rule,
        answers={} if read is None else dict(read.answers),
        outcomes={} if read is None else dict(read.outcomes),
        mentioned=[] if read is None else list(read.mentioned),
        verbosity=long,
        format_noise=noise,
        complexity=complexity(text) if text.strip() else 0.0,
        state=None if read is None else read.state,
        span=_span(read, len(text) - len(row.output_text or "")),
    )


def _span(read: Read | None, before: int) -> tuple[int, int] | None:
    """Return the characters that gave the answer, those of a thought beside the text left out."""
    if read is None or read.span is None:
        return None
    return read.span[0] - before, read.span[1] - before


def reused_rows(path: str, index: Index, judge: Judge) -> Passing:
    """Take rows as they were extracted before, each with its text."""
    decoder = msgspec.json.Decoder(ExtractedRow)
    with open(path, "rb") as file:  # noqa: PTH123 - read line by line
        for line, (_, _, row) in zip(file, _rows(index, judge), strict=True):
            yield decoder.decode(line), row.whole


@dataclass(frozen=True, slots=True)
class Chain:
    """The steps of one chain of thought beside the gold steps, and which of them met."""

    id: str
    steps: Sequence[str]
    gold_steps: Sequence[str]
    counts: Steps
    matches: Sequence[StepMatch]


Write = Callable[[Chain], None]


@dataclass(frozen=True, slots=True)
class ModelRead:
    """One model: what numbers are computed on, and the outputs and chains to be shown."""

    sheet: Sheet
    outputs: Sequence[Output]
    chains: Sequence[Chain] = ()
    n_unknown: int = 0
    """rows of vignettes that are not known"""
    n_unscored: int = 0
    """rows of vignettes that have no gold and are left out"""


def read_model(
    model: str, study: Study, rules: TextRules, rows: Passing, write: Write = lambda _: None
) -> ModelRead:
    """Read a model: correctness under every reading, and the steps of its reasoning."""
    reader = _Reader(model, study, rules, write)
    for row, text in rows:
        reader.take(row, text)
    return reader.finish()


def answered_model(
    name: str, gold: Mapping[str, str], answers: Sequence[Sequence[str | None]]
) -> ModelRead:
    """Take answers that were read already, of every mode, beside what is true of every case."""
    outputs = [
        Output(
            id=case,
            mode=mode,
            ok=True,
            empty=False,
            outcome="failed" if answer is None else "answered",
            method=GIVEN,
            answers={GIVEN: answer},
            refused={},
            right={(GIVEN, TRUTH): answer == truth},
        )
        for mode, own in zip(MODES, answers, strict=True)
        for (case, truth), answer in zip(gold.items(), own, strict=True)
    ]
    sheet = Sheet(
        name,
        {(each.id, each.mode): each for each in outputs},
        steps={},
        golds={TRUTH: frozenset(gold)},
        readings=frozenset({GIVEN}),
        texts=False,
    )
    shown = sorted(outputs, key=lambda each: _remarkable(each, (GIVEN, TRUTH)))
    return ModelRead(sheet, shown[:MOST_OUTPUTS])


@dataclass(slots=True)
class _Reader:
    model: str
    study: Study
    rules: TextRules
    write: Write
    outputs: dict[tuple[str, str], Output] = field(default_factory=dict)
    steps: dict[str, Steps] = field(default_factory=dict)
    shown: dict[int, list[Output]] = field(default_factory=dict)
    waiting: list[tuple[str, list[str]]] = field(default_factory=list)
    n_waiting: int = 0
    """characters of the texts that wait"""
    chains: list[Chain] = field(default_factory=list)
    n_unknown: int = 0
    n_unscored: int = 0
    unlabelled: frozenset[str] = frozenset()
    known: dict[tuple[str, str, str], bool] = field(default_factory=dict)
    ids: frozenset[str] = frozenset()
    gold_steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    stored: Mapping[tuple[str, str], StoredExtraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ids = frozenset(self.study.ids)
        vignettes = self.study.vignettes
        rows = vignettes.rows if vignettes is not None else ()
        self.unlabelled = frozenset(each.id for each in rows) - self.ids
        self.gold_steps = {each.id: each.gold_reasoning for each in rows if each.gold_reasoning}
        index = self.study.stored.get(self.model)
        if index is not None:
            self.stored = {(i, m): row for i, m, row in generations(index, StoredExtraction)}

    def take(self, row: ExtractedRow, text: str) -> None:
        """Take one output."""
        if row.id not in self.ids:
            left_out = row.id in self.unlabelled
            self.n_unscored += left_out
            self.n_unknown += not left_out
            return
        output = self._output(row, text)
        self.outputs[row.id, row.mode] = output
        self._show(output)
        if row.mode == "cot" and output.ok and row.id in self.gold_steps:
            self.waiting.append((row.id, self._steps(text)))
            self.n_waiting += len(text)
            if len(self.waiting) == BATCH or self.n_waiting > BATCH_TEXT:
                self._match()

    def _output(self, row: ExtractedRow, text: str) -> Output:
        ok = row.outcome is not None
        answers, refused = self._readings(row)
        return Output(
            id=row.id,
            mode=_mode(row.mode),
            ok=ok,
            empty=not text.strip(),
            outcome=row.outcome,
            method=row.extraction_method,
            answers={n: None if each is None else cut(each, TEXT) for n, each in answers.items()},
            refused=refused,
            right=self._right(row, answers, text) if ok else {},
            n_words=row.word_count,
            verbosity=row.verbosity,
            format_noise=row.format_noise,
            complexity=row.complexity,
            text=cut(text, TEXT),
            state=row.state,
            hedged=_is_hedged(row),
        )

    def _readings(self, row: ExtractedRow) -> tuple[dict[str, str | None], dict[str, bool]]:
        answers = dict(row.answers)
        refused = {name: each == "refused" for name, each in row.outcomes.items()}
        refused["literal"] = row.outcome == "refused"
        stored = self.stored.get((row.id, row.mode))
        if stored is not None:
            answers["stored"] = stored_answer(stored.extracted_diagnosis, refused=False).answer
            refused["stored"] = stored.is_refusal
        return answers, refused

    def _right(
        self, row: ExtractedRow, answers: Mapping[str, str | None], text: str
    ) -> dict[tuple[str, str], bool]:
        """Compare the answers with gold; only here are the two brought together."""
        right = {}
        own = LabelSet.of_options(row.options) if row.options else None
        for kind, golds in self.study.golds.items():
            gold = golds.get(row.id)
            if gold is None:
                continue
            if own is not None:
                gold = self._gold_among(own, row.id, gold)
            labels = own or self.study.labels_of(row.id)
            for reading, answer in answers.items():
                right[reading, kind] = bool(answer) and (
                    self._known(row.id, answer or "", gold)
                    if own is None
                    else self._correct(answer or "", gold, labels)
                )
            right["literal", kind] = bool(text) and self._literal(row, text, gold, labels)
        return right

    def _gold_among(self, own: LabelSet, case: str, gold: str) -> str:
        """Return the gold as the options of a row have it, whose letters may be others."""
        given = self.study.choices.get(case)
        label = None if given is None else given.named(gold)
        among = own.named(label.names[-1] if label is not None else gold)
        if among is None:
            path = self.study.models[self.model].path
            msg = f"{path}: the gold {quoted(gold)} of {quoted(case)} is none of its row's options"
            listed = ", ".join(" ".join(each.names) for each in own.labels)
            raise ArtifactError(msg, hint=f"they are {listed}; `field` options= leaves them out")
        return among.name

    def _literal(self, row: ExtractedRow, text: str, gold: str, labels: LabelSet) -> bool:
        """Say whether a text names the gold; without tags all it names has been looked up."""
        label = labels.named(gold)
        if label is not None and self.rules.boundaries == "words":
            named = label.name in row.mentioned
            if named or "<" not in text or not label.may_be_in(text):
                return named
        return self._correct(text, gold, labels)

    def _correct(self, answer: str, gold: str, labels: LabelSet) -> bool:
        return is_correct(answer, gold, labels, boundaries=self.rules.compared)

    def _known(self, case: str, answer: str, gold: str) -> bool:
        """Compare an answer that others may give too."""
        key = (case if case in self.study.choices else "", answer, gold)
        if key not in self.known:
            self.known[key] = self._correct(answer, gold, self.study.labels_of(case))
        return self.known[key]

    def _steps(self, text: str) -> list[str]:
        rules = self.rules
        return reasoning_steps(
            text,
            block=rules.step_block,
            min_tokens=rules.min_tokens,
            min_characters=rules.min_characters,
        )

    def _match(self) -> None:
        """Match the steps that wait, and write every match down."""
        cases = [(steps, self.gold_steps[name]) for name, steps in self.waiting]
        rules = self.rules
        found = match_steps(cases, threshold=rules.threshold, assignment=rules.matching)
        for number, (name, steps) in enumerate(self.waiting):
            counts = (found.n_steps, found.n_gold_steps, found.n_matched_steps)
            self.steps[name] = Steps(*(int(each[number]) for each in counts))
            own = self.gold_steps[name]
            chain = Chain(name, steps, own, self.steps[name], found.of(number))
            self.write(chain)
            keep(self.chains, chain, by=lambda each: each.id, most=MOST_CASES)
        self.waiting.clear()
        self.n_waiting = 0

    def _show(self, output: Output) -> None:
        """Keep an output to be shown, the more remarkable the sooner, and few of each kind."""
        read = (self.rules.reading, self.study.gold)
        kept = self.shown.setdefault(_remarkable(output, read), [])
        keep(kept, output, by=lambda each: f"{each.id}\0{each.mode}", most=MOST_OUTPUTS)

    def finish(self) -> ModelRead:
        """Return what was read."""
        if self.waiting:
            self._match()
        shown = [output for kind in sorted(self.shown) for output in self.shown[kind]]
        golds = {kind: frozenset(each) for kind, each in self.study.golds.items()}
        readings = frozenset(
            {
                *("announced", "closed-set", "heuristic", "literal", *self.rules.variants),
                *(["stored"] if self.stored else []),
            }
        )
        n_gold_steps = {name: len(steps) for name, steps in self.gold_steps.items()}
        sheet = Sheet(
            self.model,
            self.outputs,
            self.steps,
            golds,
            readings,
            gold_steps=n_gold_steps,
            reasked=self.study.models[self.model].reasked,
        )
        return ModelRead(sheet, shown[:MOST_OUTPUTS], self.chains, self.n_unknown, self.n_unscored)


def _is_hedged(row: ExtractedRow) -> bool:
    """Say whether a text names several labels, breaks off, or names one that it does not give."""
    if len(row.mentioned) != 1 or row.state == "limited":
        return len(row.mentioned) > 1 or row.state == "limited"
    return row.answers.get("announced") is None


def _mode(text: str) -> Mode:
    return MODES[0] if text == MODES[0] else MODES[1]


def _remarkable(output: Output, read: tuple[str, str]) -> int:
    """Say how soon an output is to be shown: 0 comes first."""
    verdicts = {right for (_, kind), right in output.right.items() if kind == read[1]}
    if not output.ok:
        return 3
    if output.outcome != "answered":
        return 1 if output.outcome == "refused" else 2
    if len(verdicts) > 1:
        return 0
    return 5 if output.right.get(read) else 4
