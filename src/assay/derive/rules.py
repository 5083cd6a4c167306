"""Rules of a policy: a condition over counts and a score, an arrow, a verdict.

A rule is parsed into a small tree and never run as code:

    rule        = ( condition | "else" ) arrow verdict
    condition   = both { "or" both }
    both        = single { "and" single }
    single      = "not" single | comparison
    comparison  = sum { ( ">=" | "<=" | ">" | "<" | "==" | "!=" ) sum }
    sum         = product { ( "+" | "-" ) product }
    product     = value { "*" value }
    value       = number | name | "-" value | "(" condition ")"
    arrow       = "->" | "→" | "=>"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NoReturn

from assay.derive import patterns as re
from assay.errors import UsageError
from assay.rounding import difference
from assay.showing import quoted

ARROWS = ("→", "->", "=>")
REFERENCE_ARROWS = ("→", "->")
LONGEST = 1_000
DEEPEST = 40
TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?|\.\d+)|(?P<name>[^\W\d]\w*)"
    r"|(?P<sign>>=|<=|==|!=|[≥≤≠=<>+*()\u00d7-]))"
)
SPELLED = {"≥": ">=", "≤": "<=", "≠": "!=", "=": "==", "\u00d7": "*"}
COMPARISONS: Mapping[str, Callable[[float], bool]] = {
    ">=": lambda gap: gap >= 0,
    "<=": lambda gap: gap <= 0,
    ">": lambda gap: gap > 0,
    "<": lambda gap: gap < 0,
    "==": lambda gap: gap == 0,
    "!=": lambda gap: gap != 0,
}
OPERATIONS: Mapping[str, Callable[..., float]] = {
    "and": min,
    "or": max,
    "not": lambda truth: 1.0 - truth,
    "minus": lambda number: -number,
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
}
HINT = "a rule is `SCORE >= 8 and N_X < 2 -> verdict`, or `else -> verdict`"

Kind = Literal["number", "truth"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A parsed condition, or a part of one."""

    kind: Kind
    operator: str
    """number, name, a sign, and, or, not"""
    parts: tuple[Condition, ...] = ()
    number: float = 0.0
    name: str = ""

    def value(self, names: Mapping[str, float]) -> float:
        """Return what it amounts to; a truth is 1 or 0."""
        if self.operator == "name":
            return names[self.name]
        if self.operator == "number":
            return self.number
        values = [part.value(names) for part in self.parts]
        return _combined(self.operator, values)

    def holds(self, names: Mapping[str, float]) -> bool:
        """Say whether it is true for these values of the names."""
        return self.value(names) > 0


def _combined(operator: str, values: list[float]) -> float:
    if operator in COMPARISONS:
        left, right = values
        # Rounding alone decides no rule.
        return float(COMPARISONS[operator](float(difference(left, right))))
    return OPERATIONS[operator](*values)


@dataclass(frozen=True, slots=True)
class Rule:
    """When a verdict applies; without a condition it applies always."""

    text: str
    verdict: str
    condition: Condition | None

    @property
    def names(self) -> frozenset[str]:
        """Return the names that the condition asks for."""
        return frozenset(names_in(self.condition))

    def applies(self, names: Mapping[str, float]) -> bool:
        """Say whether the rule applies for these values of the names."""
        return self.condition is None or self.condition.holds(names)


def split_rule(text: str, arrows: tuple[str, ...] = ARROWS) -> tuple[str, str] | None:
    """Cut a rule at its last arrow into condition and verdict; None without an arrow.

    The arrow → goes first: only where there is none does another one count.

    Examples
    --------
    >>> split_rule("SCORE >= 8 → Critical Risk"), split_rule("CRITICAL")
    (('SCORE >= 8', 'Critical Risk'), None)
    """
    for arrow in arrows:
        before, found, after = text.rpartition(arrow)
        if found:
            return before.strip(), after.strip()
    return None


def parse_rule(text: str) -> Rule:
    """Parse a rule, or say where it is not one.

    Examples
    --------
    >>> rule = parse_rule("SCORE >= 8 or (N_SEVERE >= 1 and K < 50) -> Critical Risk")
    >>> rule.verdict, rule.applies({"SCORE": 4, "N_SEVERE": 1, "K": 25})
    ('Critical Risk', True)
    """
    if len(text) > LONGEST:
        msg = f"the rule {quoted(text)} has {len(text)} characters, more than {LONGEST}"
        raise UsageError(msg, hint=HINT)
    cut = split_rule(text)
    if cut is None or not cut[1]:
        msg = f"the rule {quoted(text)} has no arrow with a verdict after it"
        raise UsageError(msg, hint=HINT)
    condition, verdict = cut
    if condition.casefold() == "else":
        return Rule(text, verdict, None)
    return Rule(text, verdict, _Parser(condition).parsed())


def names_in(condition: Condition | None) -> Iterator[str]:
    """Yield the names that a condition asks for."""
    if condition is not None:
        if condition.operator == "name":
            yield condition.name
        for part in condition.parts:
            yield from names_in(part)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Literal["number", "name", "sign", "word", "end"]
    text: str
    position: int


def _tokens(text: str) -> Iterator[_Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        match = TOKEN.match(text, at)
        if match is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            _refuse(text, at, "a number, a name or a sign", repr(text[at]))
        kind, found = match.lastgroup, match[match.lastgroup or 0]
        first, at = match.start(match.lastgroup or 0), match.end()
        if kind == "name" and found.casefold() in {"and", "or", "not"}:
            yield _Token("word", found.casefold(), first)
        elif kind == "name":
            yield _Token("name", found, first)
        elif kind == "number":
            yield _Token("number", found, first)
        else:
            yield _Token("sign", SPELLED.get(found) or found, first)
    yield _Token("end", "the end", end)


def _refuse(text: str, position: int, needed: str, found: str) -> NoReturn:
    msg = f"the condition {quoted(text)} needs {needed} at character {position + 1}, found {found}"
    raise UsageError(msg, hint=HINT)


class _Parser:
    """Recursive descent, one method per line of the grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.at = 0
        self.depth = 0

    def parsed(self) -> Condition:
        condition = self.condition()
        if self.token.kind != "end":
            self.refuse("and, or, a comparison or the end")
        return self.as_kind(condition, "truth", 0)

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def refuse(self, needed: str) -> NoReturn:
        found = self.token.text if self.token.kind == "end" else quoted(self.token.text)
        _refuse(self.text, self.token.position, needed, found)

    def take(self, *texts: str) -> str | None:
        """Step over a sign or word if it is one of these."""
        token = self.token
        if token.kind not in {"sign", "word"} or token.text not in texts:
            return None
        self.at += 1
        return token.text

    def as_kind(self, part: Condition, kind: Kind, position: int) -> Condition:
        if part.kind != kind:
            wanted = "a comparison" if kind == "truth" else "a number or a name"
            other = "a number" if kind == "truth" else "a comparison"
            _refuse(self.text, position, wanted, other)
        return part

    def joined(self, word: str, deeper: Callable[[], Condition]) -> Condition:
        position = self.token.position
        parts = [deeper()]
        while self.take(word):
            self.as_kind(parts[-1], "truth", position)
            position = self.token.position
            parts.append(self.as_kind(deeper(), "truth", position))
        return parts[0] if len(parts) == 1 else Condition("truth", word, tuple(parts))

    def condition(self) -> Condition:
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(f"at most {DEEPEST} brackets and signs inside each other")
        found = self.joined("or", self.both)
        self.depth -= 1
        return found

    def both(self) -> Condition:
        return self.joined("and", self.single)

    def single(self) -> Condition:
        if not self.take("not"):
            return self.comparison()
        position = self.token.position
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(f"at most {DEEPEST} brackets and signs inside each other")
        inner = self.as_kind(self.single(), "truth", position)
        self.depth -= 1
        return Condition("truth", "not", (inner,))

    def comparison(self) -> Condition:
        position = self.token.position
        left = self.sum()
        links = []
        while sign := self.take(*COMPARISONS):
            self.as_kind(left, "number", position)
            position = self.token.position
            right = self.as_kind(self.sum(), "number", position)
            links.append(Condition("truth", sign, (left, right)))
            left = right
        if not links:
            return left
        return links[0] if len(links) == 1 else Condition("truth", "and", tuple(links))

    def arithmetic(self, signs: tuple[str, ...], deeper: Callable[[], Condition]) -> Condition:
        position = self.token.position
        left = deeper()
        while sign := self.take(*signs):
            self.as_kind(left, "number", position)
            position = self.token.position
            right = self.as_kind(deeper(), "number", position)
            left = Condition("number", sign, (left, right))
        return left

    def sum(self) -> Condition:
        return self.arithmetic(("+", "-"), self.product)

    def product(self) -> Condition:
        return self.arithmetic(("*",), self.value)

    def value(self) -> Condition:
        token = self.token
        if token.kind == "number":
            self.at += 1
            return Condition("number", "number", number=float(token.text))
        if token.kind == "name":
            self.at += 1
            return Condition("number", "name", name=token.text)
        if self.take("-"):
            return self.negative()
        if not self.take("("):
            self.refuse("a number, a name or a bracket")
        inner = self.condition()
        if not self.take(")"):
            self.refuse("a closing bracket")
        return inner

    def negative(self) -> Condition:
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(f"at most {DEEPEST} brackets and signs inside each other")
        position = self.token.position
        inner = self.as_kind(self.value(), "number", position)
        self.depth -= 1
        return Condition("number", "minus", (inner,))
