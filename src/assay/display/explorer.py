"""What changed between two sides and the cases behind it, as finished strings for the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from assay.artifact import STATES, Answer, Case, Cases, State, Transitions
from assay.display.first import Mark, people
from assay.display.numbers import DASH
from assay.display.wording import count, p_value
from assay.showing import counted, inert, shortened

__all__ = ["PLAIN", "Explorer", "Look", "address", "explorer", "query"]

LETTERS: dict[State | None, str] = {None: "u", **dict(zip(STATES, "rwaf", strict=True))}
"""what became of a case, in a sign; one that a side was not asked is -"""
MOST_CHANGES = 40
"""pairs that the page lays out"""
MOST_CHOICES = 24
"""truths or groups that a list offers"""
ARROW = "→"
LONGEST, LONGEST_NAME = 200, 60
"""characters of a value and of a name, so that an address is one too"""


@dataclass(frozen=True, slots=True)
class Look:
    """How a family speaks of its cases."""

    truth: str = "truth"
    loss: str = "loss"
    confidence: str = "confidence"
    states: Mapping[State, str] = field(default_factory=dict)
    """words for what became of a case, where they are others"""

    def word(self, state: State | None) -> str:
        """Say what became of a case."""
        return "not scored" if state is None else self.states.get(state, state)


PLAIN = Look()


@dataclass(frozen=True, slots=True)
class Cell:
    """A count that leads to its cases."""

    text: str
    label: str
    go: str
    """the address; empty for a count of nothing"""
    kind: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What changed from one side to another."""

    key: str
    left: int
    right: int
    names: tuple[str, str]
    tiles: tuple[Cell, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...], str], ...]
    """what the left side did, cells, sum"""
    sums: tuple[str, ...]
    mark: Mark
    line: str
    choices: tuple[tuple[str, str, int], ...]
    """changes that occur: value, words, count"""


@dataclass(frozen=True, slots=True)
class Given:
    """An answer in words."""

    side: int
    state: str
    """a sign, or - where the side was not asked"""
    word: str
    answer: str
    facts: tuple[tuple[str, str, bool], ...]
    """name, value, whether it contradicts the answer"""
    note: str
    """what is worth a word in the list"""
    confidence: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A text of a case on one side."""

    side: int
    text: str
    holds: bool | None
    note: str


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case as it is listed and opened."""

    key: str
    id: str
    name: str
    truth: str
    about: tuple[str, ...]
    group: str
    states: str
    change: str
    """on the first pair, in words"""
    given: tuple[Given, ...]
    texts: tuple[tuple[str, tuple[Shown | None, ...]], ...]
    """by source: what every side says of it"""


@dataclass(frozen=True, slots=True)
class Explorer:
    """Everything that the section of cases shows."""

    title: str
    about: str
    texts: str
    """what is to be known before the file is sent on"""
    empty: tuple[str, str] | None
    changes: tuple[Change, ...]
    tiles: tuple[Cell, ...]
    """what became of the cases of one side, where nothing is compared"""
    sides: tuple[tuple[str, int], ...]
    """name, and the number of its system"""
    states: tuple[tuple[str, str, str], ...]
    """value, words, sign"""
    truths: tuple[str, ...]
    groups: tuple[str, ...]
    groupings: tuple[tuple[str, int], ...]
    """what changed, and how many of the cases in the file"""
    cases: tuple[CaseView, ...]
    nouns: tuple[str, str]
    total: int
    truth: str


def query(**filters: str | float | None) -> str:
    """Return filters of cases as an address has them; unknown values are ignored there.

    Examples
    --------
    >>> query(pair="a~b", change="right-wrong", to=0.5, q="")
    'pair=a~b&change=right-wrong&to=0.5'
    """
    named = {name: str(each) for name, each in filters.items() if each is not None}
    return "&".join(f"{name}={quote(text, safe='~')}" for name, text in named.items() if text)


def address(prefix: str = "", **filters: str) -> str:
    """Return where cases are filtered so."""
    return f"{prefix}cases?{query(**filters)}"


def explorer(artifact: Any, look: Look, prefix: str = "") -> Explorer | None:
    """Lay the cases of an artifact out; None where it has none, as earlier versions."""
    cases: Cases | None = getattr(artifact, "cases", None)
    if cases is None:
        return None
    systems = people(artifact)
    full = [inert(each.name) for each in artifact.systems]
    names = [
        shortened(
            inert(each.name).replace(full[each.system], systems[each.system], 1), LONGEST_NAME
        )
        for each in cases.sides
    ]
    return _Laid(artifact, cases, look, prefix, names).whole()


def number(value: str | float | None) -> str:
    """Write a value down as it was given."""
    if value is None:
        return DASH
    if isinstance(value, str):
        return shortened(inert(value), LONGEST)
    return count(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.4g}"  # noqa: PLR2004 - whole numbers of a double


@dataclass(frozen=True, slots=True)
class _Laid:
    artifact: Any
    cases: Cases
    look: Look
    prefix: str
    names: Sequence[str]
    """of the sides, in people's words"""

    def whole(self) -> Explorer:
        """Put everything together."""
        changes, names = tuple(self.changes()), self.names
        views = tuple(self.view(number, each) for number, each in enumerate(self.cases.kept))
        title = "What changed" if changes else "Cases"
        if len(changes) == 1:
            title = f"What changed from {changes[0].names[0]} to {changes[0].names[1]}"
        truths = [*dict.fromkeys(each.truth for each in views)]
        groups = [*dict.fromkeys(each.group for each in views if each.group)]
        grouped: dict[str, int] = {}
        for each in views:
            grouped[each.change] = grouped.get(each.change, 0) + 1
        return Explorer(
            title=title,
            about=self.about(),
            texts=self.texts(),
            empty=self.empty(),
            changes=changes,
            tiles=() if changes else tuple(self.states_of_one()),
            sides=tuple((name, s.system) for name, s in zip(names, self.cases.sides, strict=True)),
            states=tuple((state, self.look.word(state), LETTERS[state]) for state in STATES),
            truths=tuple(truths) if 1 < len(truths) <= MOST_CHOICES else (),
            groups=tuple(groups) if len(groups) <= MOST_CHOICES else (),
            groupings=tuple(grouped.items()),
            cases=views,
            nouns=self.noun,
            total=self.cases.n,
            truth=self.look.truth,
        )

    @property
    def noun(self) -> tuple[str, str]:
        """What one of them is called, and what several are."""
        return self.cases.unit, f"{self.cases.unit}s"

    def about(self) -> str:
        """Say which cases the file holds."""
        held, n = len(self.cases.kept), self.cases.n
        every = f"{counted(n, *self.noun)}"
        same = ", the same in both" if len(self.cases.sides) == 2 else ""  # noqa: PLR2004 - a pair
        if held == n:
            return f"{every}{same}. All of them are in this file."
        if not held:
            return f"{every}{same}."
        return (
            f"{every}{same}; {count(held)} of them are in this file: a share for every change, the"
            " costliest and the surest errors, failures."
        )

    def texts(self) -> str:
        """Say that the file holds texts."""
        return (
            "This file holds texts of the input. Check before you send it on;"
            if self.cases.texts
            else ""
        )

    def empty(self) -> tuple[str, str] | None:
        """Say why there are no cases."""
        if self.cases.reason:
            return (
                "No cases in this file",
                f"{self.cases.reason[:1].upper()}{self.cases.reason[1:]}.",
            )
        if self.cases.content == "none":
            return "No cases in this file", "It was made without them. Counts are complete."
        return None if self.cases.kept else ("No cases in this file", "There are none.")

    def changes(self) -> Iterator[Change]:
        """Say what changed, first within systems, then between them."""
        pairs = [pair.transitions for pair in self.artifact.pairs]
        found = [*self.cases.within, *(each for each in pairs if each is not None)]
        keys: set[str] = set()
        for each in found[:MOST_CHANGES]:
            left, right = (self.names[side] for side in (each.left, each.right))
            key = f"{left}~{right}"
            key = key if key not in keys else f"{key}~{len(keys)}"
            keys.add(key)
            yield self.change(each, key, (left, right))

    def change(self, found: Transitions, key: str, names: tuple[str, str]) -> Change:
        """Lay out one table of changes."""
        go = lambda kind: address(self.prefix, pair=key, change=kind)  # noqa: E731 - three words
        used = [
            at
            for at in range(len(STATES))
            if at < 2 or found.left_sums[at] + found.right_sums[at]  # noqa: PLR2004 - right and wrong
        ]
        words = [self.look.word(each) for each in STATES]
        rows = []
        for at in used:
            cells = [self.cell(found, at, to, go) for to in used]
            rows.append((words[at], tuple(cells), count(found.left_sums[at])))
        mark, line = self.line(found)
        choices = [
            (f"{STATES[at]}-{STATES[to]}", f"{words[at]} {ARROW} {words[to]}", found.matrix[at][to])
            for at in used
            for to in used
            if found.matrix[at][to]
        ]
        extra = [
            ("abstained", f"newly {words[2]}", found.newly_abstained),
            ("failed", f"newly {words[3]}", found.newly_failed),
        ]
        return Change(
            key=key,
            left=found.left,
            right=found.right,
            names=names,
            tiles=tuple(self.tiles(found, go)),
            heads=tuple(words[at] for at in used),
            rows=tuple(rows),
            sums=(*(count(found.right_sums[at]) for at in used), count(found.n)),
            mark=mark,
            line=line,
            choices=(*choices, *(each for each in extra if each[2])),
        )

    def cell(self, found: Transitions, at: int, to: int, go: Any) -> Cell:
        """Return one cell of the table."""
        n = found.matrix[at][to]
        words = f"{self.look.word(STATES[at])} {ARROW} {self.look.word(STATES[to])}"
        kind = "same" if at == to else "moved"
        value = f"{STATES[at]}-{STATES[to]}"
        return Cell(count(n), words, go(value) if n else "", f"{kind} {value}")

    def tiles(self, found: Transitions, go: Any) -> Iterator[Cell]:
        """Return the four changes that are looked for first."""
        right, wrong, abstained, failed = (self.look.word(state) for state in STATES)
        before, after = found.left_sums, found.right_sums
        told = [
            (
                *("right-wrong", found.right_to_wrong, f"{right} {ARROW} {wrong}"),
                f"of {count(before[0])} {right} before",
            ),
            (
                *("wrong-right", found.wrong_to_right, f"{wrong} {ARROW} {right}"),
                f"of {count(before[1])} {wrong} before",
            ),
            (
                *("abstained", found.newly_abstained, f"newly {abstained}"),
                f"{count(before[2])} before, {count(after[2])} now",
            ),
            (
                *("failed", found.newly_failed, f"newly {failed}"),
                f"{count(before[3])} before, {count(after[3])} now",
            ),
        ]
        for value, n, words, note in told:
            yield Cell(count(n), words, go(value) if n else "", value, note)

    def line(self, found: Transitions) -> tuple[Mark, str]:
        """Say what McNemar's test makes of it."""
        noun = counted(found.n_answered, *self.noun)
        worse, better = found.right_to_wrong, found.wrong_to_right
        if found.p_holm is None:
            why = f" No p: {found.p_reason}." if found.p_reason else ""
            cells = f"{count(worse)} and {count(better)} are McNemar's cells"
            return "fact", f"{cells} of the {noun} that both answered.{why}"
        told = (
            f"Of the {noun} that both answered, {count(worse)} got worse and {count(better)} better"
        )
        tests = [pair.transitions for pair in self.artifact.pairs if pair.transitions]
        several = ", corrected for all pairs," if len(tests) > 1 else ""
        p = f"McNemar's mid-p{several} is {p_value(found.p_holm)}"
        if found.p_holm > 1 - self.artifact.resampling.level:
            return "open", f"{told}: {p}, so this alone cannot tell."
        return ("good" if better > worse else "bad"), f"{told}: {p}."

    def states_of_one(self) -> Iterator[Cell]:
        """Count what became of the cases of the first side."""
        if not self.cases.sides:
            return
        side, name = self.cases.sides[0], self.names[0]
        for state in ("wrong", "failed", "abstained", "right"):
            n = side.counts.get(state, 0)
            go = address(self.prefix, system=name, answer=state) if n else ""
            yield Cell(count(n), self.look.word(state), go, state)

    def view(self, place: int, case: Case) -> CaseView:
        """Return a case in words."""
        signs = "".join("-" if each is None else LETTERS[each.state] for each in case.answers)
        about = [f"{name} {inert(text)}" for name, text in self.marks(case)]
        return CaseView(
            key=f"{self.prefix}case-{place + 1}",
            id=shortened(inert(case.id), LONGEST),
            name=inert(case.name or ""),
            truth=number(case.truth),
            about=(*about, *([f"stands for {count(case.n)}"] if case.n > 1 else [])),
            group=number(case.group) if case.group is not None else "",
            states=signs,
            change=self.grouping(signs),
            given=tuple(self.given(side, each) for side, each in enumerate(case.answers)),
            texts=tuple(_texts(case.answers)),
        )

    def marks(self, case: Case) -> Iterator[tuple[str, str]]:
        if case.cluster is not None:
            yield self.artifact.resampling.unit, case.cluster
        if case.group:
            yield "group", case.group

    def grouping(self, signs: str) -> str:
        """Say what changed on the first pair, or what became of the case on the first side."""
        words = {LETTERS[state]: self.look.word(state) for state in (*STATES, None)}
        words["-"] = "not asked"
        first = next(iter(self.cases.within), None) or next(
            (pair.transitions for pair in self.artifact.pairs if pair.transitions), None
        )
        if first is None:
            return words[signs[0]]
        before, after = signs[first.left], signs[first.right]
        return f"{words[before]} {ARROW} {words[after]}"

    def given(self, side: int, answer: Answer | None) -> Given:
        """Return an answer in words."""
        if answer is None:
            return Given(side, "-", "not asked", DASH, (), "", "")
        facts = [
            (name, number(each), name in answer.against) for name, each in answer.facts.items()
        ]
        if answer.confidence is not None:
            facts.insert(0, (self.look.confidence, number(answer.confidence), False))
        if answer.loss is not None:
            facts.insert(0, (self.look.loss, number(answer.loss), False))
        note = next((f"{name} {value}" for name, value, wrong in facts if wrong), "")
        if not note and answer.state == "wrong" and answer.confidence is not None:
            note = f"{self.look.confidence} {number(answer.confidence)}"
        return Given(
            side=side,
            state=LETTERS[answer.state],
            word=self.look.word(answer.state),
            answer=number(answer.answer) if answer.answer is not None else "",
            facts=tuple(facts),
            note=note,
            confidence="" if answer.confidence is None else repr(answer.confidence),
        )


def _texts(answers: Sequence[Answer | None]) -> Iterator[tuple[str, tuple[Shown | None, ...]]]:
    """Yield texts by their source, or by their place where they name none."""
    own: list[dict[str, list[Shown]]] = []
    for side, answer in enumerate(answers):
        by_source: dict[str, list[Shown]] = {}
        for at, each in enumerate(answer.texts if answer else ()):
            key = inert(each.source) if each.source else f"\0{at}"
            text = " ".join(each.text.split())
            shown = Shown(side, text, each.holds, inert(each.note or ""))
            by_source.setdefault(key, []).append(shown)
        own.append(by_source)
    for source in dict.fromkeys(key for each in own for key in each):
        most = max(len(each.get(source, ())) for each in own)
        for at in range(most):
            row = [(*each.get(source, ()), *[None] * most)[at] for each in own]
            yield ("" if source.startswith("\0") else source), tuple(row)
