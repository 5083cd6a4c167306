"""What changed between two sides and the cases behind it, as finished strings for the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assay.artifact import STATES, Answer, Case, Cases, State
from assay.display.changes import ARROW, Cell, Change, Changes, Look, address
from assay.display.first import people
from assay.display.numbers import DASH
from assay.display.wording import count
from assay.showing import counted, inert, shortened

LETTERS: dict[State | None, str] = {None: "u", **dict(zip(STATES, "rwaf", strict=True))}
"""what became of a case, in a sign; one that a side was not asked is -"""
MOST_CHOICES = 24
"""truths, items or groups that a list offers"""
MOST_TICKS = 10
"""whole numbers that a scale is marked with"""
EDGE = 4.0
"""percent of a number line that is left free on both sides"""
LONGEST, LONGEST_NAME = 200, 60
"""characters of a value and of a name, so that an address is one too"""


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
    """what cases are cut by; the confidence where there is one"""
    at: str = ""
    """percent of the number line"""


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
    at: str
    """of the truth, in percent of the number line; empty where there is no such line"""
    about: tuple[tuple[str, str], ...]
    """words, and where they lead"""
    cluster: str
    item: str
    group: str
    states: str
    change: str
    """on the first pair, in words"""
    given: tuple[Given, ...]
    texts: tuple[tuple[str, tuple[Shown | None, ...]], ...]
    """by source: what every side says of it"""
    sources: tuple[tuple[str, str, str], ...]
    """the texts themselves: name, text, note"""


@dataclass(frozen=True, slots=True)
class Explorer:
    """Everything that the section of cases shows."""

    title: str
    about: str
    texts: str
    """what is to be known before the file is sent on"""
    empty: tuple[str, str] | None
    changes: tuple[Change, ...]
    heads: tuple[str, ...]
    """states that occur in them, in words"""
    used: tuple[int, ...]
    tiles: tuple[Cell, ...]
    """what became of the cases of one side, where nothing is compared"""
    sides: tuple[tuple[str, int], ...]
    """name, and the number of its system"""
    states: tuple[tuple[str, str, str], ...]
    """value, words, sign"""
    truths: tuple[str, ...]
    items: tuple[str, ...]
    groups: tuple[str, ...]
    measure: str
    """what a range of values is about"""
    ticks: tuple[tuple[str, str], ...]
    """of the number line: place in percent, and label; empty where there is none"""
    groupings: tuple[tuple[str, int], ...]
    """what changed, and how many of the cases in the file"""
    cases: tuple[CaseView, ...]
    nouns: tuple[str, str]
    total: int
    truth: str


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
    clusters = Counter(each.cluster for each in cases.kept)
    return _Laid(artifact, cases, look, prefix, names, clusters).whole()


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
    clusters: Counter[str | None]

    def whole(self) -> Explorer:
        """Put everything together."""
        told = Changes(self.artifact, self.cases, self.look, self.prefix, self.names)
        changes, names = tuple(told.laid_out()), self.names
        views = tuple(self.view(number, each) for number, each in enumerate(self.cases.kept))
        title = "What changed" if changes else "Cases"
        if len(changes) == 1:
            title = f"What changed from {changes[0].names[0]} to {changes[0].names[1]}"
        truths = [*dict.fromkeys(each.truth for each in views)]
        groups = [*dict.fromkeys(each.group for each in views if each.group)]
        items = [*dict.fromkeys(each.item for each in views if each.item)]
        grouped: dict[str, int] = {}
        for each in views:
            grouped[each.change] = grouped.get(each.change, 0) + 1
        return Explorer(
            title=title,
            about=self.about(),
            texts=self.texts(),
            empty=self.empty(),
            changes=changes,
            heads=told.heads,
            used=tuple(told.used) if changes else (),
            tiles=() if changes else tuple(self.states_of_one()),
            sides=tuple((name, s.system) for name, s in zip(names, self.cases.sides, strict=True)),
            states=tuple((state, self.look.word(state), LETTERS[state]) for state in STATES),
            truths=tuple(truths) if 1 < len(truths) <= MOST_CHOICES else (),
            items=tuple(items) if 1 < len(items) <= MOST_CHOICES else (),
            groups=tuple(groups) if len(groups) <= MOST_CHOICES else (),
            measure=" or ".join(self.look.measure) or self.look.confidence,
            ticks=tuple(self.ticks()) if any(each.at for each in views) else (),
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
        given = [each.answer for each in case.answers if each and each.answer is not None]
        drawn = bool(given) and all(map(self.place, (case.truth, *given)))
        return CaseView(
            key=f"{self.prefix}case-{place + 1}",
            id=shortened(inert(case.id), LONGEST),
            name=inert(case.name or ""),
            truth=number(case.truth),
            at=self.place(case.truth) if drawn else "",
            about=tuple(self.marks(case)),
            cluster=_short(case.cluster),
            item=_short(case.item),
            group=number(case.group) if case.group is not None else "",
            states=signs,
            change=self.grouping(signs),
            given=tuple(self.given(side, each) for side, each in enumerate(case.answers)),
            texts=tuple(_texts(case.answers)),
            sources=tuple(
                (_short(each.source), " ".join(each.text.split()), inert(each.note or ""))
                for each in case.sources
            ),
        )

    def marks(self, case: Case) -> Iterator[tuple[str, str]]:
        """Say what a case belongs to; a cluster leads to the others of it that are in the file."""
        if case.cluster is not None:
            several = self.clusters[case.cluster] > 1
            go = address(self.prefix, cluster=_short(case.cluster)) if several else ""
            yield f"{inert(self.artifact.resampling.unit)} {inert(case.cluster)}", go
        if case.group:
            yield f"group {inert(case.group)}", ""
        if case.n > 1:
            yield f"stands for {count(case.n)}", ""

    def place(self, value: str | float | None) -> str:
        """Return where a value is on the number line, nothing where it is not on it."""
        scale = self.look.scale(self.artifact)
        if scale is None or value is None or isinstance(value, str):
            return ""
        low, high = scale
        if not low <= value <= high or low == high:
            return ""
        return f"{EDGE + (100 - 2 * EDGE) * (value - low) / (high - low):.4g}"

    def ticks(self) -> Iterator[tuple[str, str]]:
        """Mark the scale: at whole numbers, or at its ends and in the middle."""
        low, high = self.look.scale(self.artifact) or (0.0, 1.0)
        whole = low == int(low) and high == int(high) and 1 < high - low <= MOST_TICKS
        marked = range(int(low), int(high) + 1) if whole else (low, (low + high) / 2, high)
        for each in marked:
            yield self.place(each), number(float(each))

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
        cut_by = answer.confidence
        for name in self.look.measure:
            cut_by = _known(answer.facts.get(name)) if cut_by is None else cut_by
        facts = [
            (name, number(each), name in answer.against) for name, each in answer.facts.items()
        ]
        said = answer.confidence is not None and answer.confidence != answer.answer
        if said:
            facts.insert(0, (self.look.confidence, number(answer.confidence), False))
        if answer.loss is not None:
            facts.insert(0, (self.look.loss, number(answer.loss), False))
        note = next((f"{name} {value}" for name, value, wrong in facts if wrong), "")
        if not note and answer.state == "wrong" and said:
            note = f"{self.look.confidence} {number(answer.confidence)}"
        return Given(
            side=side,
            state=LETTERS[answer.state],
            word=self.look.word(answer.state),
            answer=number(answer.answer) if answer.answer is not None else "",
            facts=tuple(facts),
            note=note,
            confidence="" if cut_by is None else repr(cut_by),
            at=self.place(answer.answer),
        )


def _known(value: str | float | None) -> float | None:
    return None if isinstance(value, str) else value


def _short(text: str | None) -> str:
    return "" if text is None else shortened(inert(text), LONGEST)


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
