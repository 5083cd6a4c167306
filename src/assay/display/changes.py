"""What changed between two sides: four counts, the whole table, and what McNemar's test says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any
from urllib.parse import quote

from assay.artifact import STATES, Cases, State, Transitions
from assay.display.first import Mark, Remark, plain, strong
from assay.display.wording import count, p_value
from assay.showing import counted

ARROW = "→"
MOST_LAID = 6
"""pairs whose tables stand in the page; those of the others are put together where one is chosen"""
N_CERTAIN = 2
"""right and wrong are always told apart"""


@dataclass(frozen=True, slots=True)
class Look:
    """How a family speaks of its cases."""

    truth: str = "truth"
    loss: str = "loss"
    confidence: str = "confidence"
    states: Mapping[State, str] = field(default_factory=dict)
    """words for what became of a case, where they are others"""
    measure: tuple[str, ...] = ()
    """facts that cases are cut by where they have no confidence, the first that there is"""
    scale: Callable[[Any], tuple[float, float] | None] = lambda _: None
    """the ends of the line of numbers that truths and answers lie on, if there is one"""

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
    rows: tuple[tuple[str, tuple[Cell, ...], str], ...]
    """what the left side did, cells, sum"""
    sums: tuple[str, ...]
    counts: str
    """every cell with its sums, row by row, for a table that is put together later"""
    mark: Mark
    line: str
    brief: str
    """the same in a few words"""
    go: str
    laid: bool


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


def what_changed(artifact: Any, names: Sequence[str], look: Look = PLAIN) -> Iterator[Remark]:
    """Say of two systems how many answers went from right to wrong and back."""
    found = artifact.pairs[0].transitions
    if found is None or not found.right_to_wrong + found.wrong_to_right:
        return
    right, wrong = (look.word(state) for state in STATES[:N_CERTAIN])
    noun = counted(found.n_answered, artifact.cases.unit, f"{artifact.cases.unit}s")
    told = (
        f" of {noun} that both answered, {count(found.wrong_to_right)} went from {wrong} to"
        f" {right} and {count(found.right_to_wrong)} from {right} to {wrong}."
    )
    go = query(pair=f"{names[found.left]}~{names[found.right]}")
    yield Remark("fact", (strong("What changed:"), plain(told)), ("side by side", f"cases?{go}"))


@dataclass(frozen=True, slots=True)
class Changes:
    """All that changed, within systems and between them."""

    artifact: Any
    cases: Cases
    look: Look
    prefix: str
    names: Sequence[str]
    """of the sides, in people's words"""

    @property
    def of_pairs(self) -> list[Transitions]:
        """Those of systems whose numbers are compared."""
        pairs = [pair.transitions for pair in self.artifact.pairs]
        return [each for each in pairs if each is not None]

    @property
    def found(self) -> list[Transitions]:
        """All of them: within systems, of pairs that are compared, of all others."""
        return [*self.cases.within, *self.of_pairs, *(self.cases.between or ())]

    @property
    def used(self) -> list[int]:
        """The states that occur, the same in every table."""
        sums = [each.left_sums for each in self.found] + [each.right_sums for each in self.found]
        seen = [any(own) for own in zip(*sums, strict=True)]
        return [at for at in range(len(STATES)) if at < N_CERTAIN or seen[at]]

    @property
    def heads(self) -> tuple[str, ...]:
        """What these are called."""
        return tuple(self.look.word(STATES[at]) for at in self.used) if self.found else ()

    def laid_out(self) -> Iterator[Change]:
        """Say what changed, first within systems, then between them."""
        keys: set[str] = set()
        used = self.used if self.found else []
        for place, each in enumerate(self.found):
            left, right = (self.names[side] for side in (each.left, each.right))
            key = f"{left}~{right}"
            key = key if key not in keys else f"{key}~{len(keys)}"
            keys.add(key)
            yield self._change(each, key, used, laid=place < MOST_LAID)

    def _change(self, found: Transitions, key: str, used: Sequence[int], *, laid: bool) -> Change:
        def go(kind: str) -> str:
            return address(self.prefix, pair=key, change=kind)

        rows = [
            (
                self.look.word(STATES[at]),
                tuple(self._cell(found, at, to, go) for to in used),
                count(found.left_sums[at]),
            )
            for at in used
        ]
        mark, line = self._line(found)
        cells = [
            *((*row, own) for row, own in zip(found.matrix, found.left_sums, strict=True)),
            (*found.right_sums, found.n),
            (found.newly_abstained, found.newly_failed),
        ]
        return Change(
            key=key,
            left=found.left,
            right=found.right,
            names=(self.names[found.left], self.names[found.right]),
            tiles=tuple(self._tiles(found, go)),
            rows=tuple(rows),
            sums=(*(count(found.right_sums[at]) for at in used), count(found.n)),
            counts=" ".join(map(str, chain.from_iterable(cells))),
            mark=mark,
            line=line,
            brief=self._brief(found),
            go=address(self.prefix, pair=key),
            laid=laid,
        )

    def _cell(self, found: Transitions, at: int, to: int, go: Any) -> Cell:
        n = found.matrix[at][to]
        words = f"{self.look.word(STATES[at])} {ARROW} {self.look.word(STATES[to])}"
        kind = "same" if at == to else "moved"
        value = f"{STATES[at]}-{STATES[to]}"
        return Cell(count(n), words, go(value) if n else "", f"{kind} {value}")

    def _tiles(self, found: Transitions, go: Any) -> Iterator[Cell]:
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

    def _tested(self, found: Transitions) -> int:
        """Return how many tests a p-value was corrected for."""
        others = [*(self.cases.between or ())]
        every = [*self.of_pairs, *(others if any(each is found for each in others) else ())]
        return sum(each.p_value is not None for each in every)

    def _line(self, found: Transitions) -> tuple[Mark, str]:
        """Say what McNemar's test makes of it."""
        noun = counted(found.n_answered, self.cases.unit, f"{self.cases.unit}s")
        wrong, right = found.right_to_wrong, found.wrong_to_right
        if found.p_holm is None:
            why = f" No p: {found.p_reason}." if found.p_reason else ""
            cells = f"{count(wrong)} and {count(right)} are McNemar's cells"
            return "fact", f"{cells} of the {noun} that both answered.{why}"
        before, after = (self.look.word(state) for state in STATES[:N_CERTAIN])
        told = (
            f"Of the {noun} that both answered, {count(wrong)} went from {before} to {after} and"
            f" {count(right)} back"
        )
        n = self._tested(found)
        several = f", corrected for {counted(n, 'pair')}," if n > 1 else ""
        p = f"McNemar's mid-p{several} is {p_value(found.p_holm)}"
        if self._open(found):
            return "open", f"{told}: {p}, so this alone cannot tell."
        # Which system is better is said of the numbers alone, by the rule of who is compared.
        return "fact", f"{told}: {p}."

    def _open(self, found: Transitions) -> bool:
        return bool(found.p_holm is not None and found.p_holm > 1 - self.artifact.resampling.level)

    def _brief(self, found: Transitions) -> str:
        if found.p_holm is None:
            return "none"
        return f"{p_value(found.p_holm)}{', cannot tell' if self._open(found) else ''}"
