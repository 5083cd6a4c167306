"""The answer that a text announces, else the one it asserts, else why there is none."""

from __future__ import annotations

from dataclasses import replace

from assay.derive.choices import Choices
from assay.derive.echoes import (
    after_dialogue,
    before_questions,
    is_led_to,
    is_the_prompt,
    options_at_the_end,
    own_question,
)
from assay.derive.found import Announced, both, failed, in_another_spelling, of
from assay.derive.mentions import fold
from assay.derive.naming import Passage
from assay.derive.outside import value_beside
from assay.derive.passages import answering, before_confidence, restated
from assay.derive.places import capital_letters
from assay.derive.ranked import before_second
from assay.derive.reader import Reader
from assay.derive.refusals import RefusalRules
from assay.derive.text import split_thought
from assay.derive.written_numbers import in_figures

_BESIDE = 12
"""words of a text at most that is an answer before another question though it announces none"""


def read_announced(
    text: str, choices: Choices, rules: RefusalRules, *, limited: bool = False
) -> Announced:
    """Read what a text announces; `limited` says that a limit of length ended it.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> choices = Choices.of(LabelSet.of_options(["flu", "cold"]))
    >>> read_announced("Maybe A? No fever, so the answer is B.", choices, RefusalRules(()))
    Announced(state='answered', answer='B', rule='answer', span=(36, 37), refusal=None)
    """
    figures = in_figures(text, choices)
    found = _read_in_figures(figures.text, choices, rules, limited=limited)
    if found.span is None or figures.text == text:
        return found
    first, last = figures.own(found.span)
    said = figures.text.find(found.answer or "\n", *found.span)
    as_said = found.state == "outside" and said >= 0 and found.answer is not None
    own = figures.own((said, said + len(found.answer or "")))
    answer = text[slice(*own)] if as_said else found.answer
    return replace(found, answer=answer, span=(first, last))


def _read_in_figures(
    text: str, choices: Choices, rules: RefusalRules, *, limited: bool
) -> Announced:
    """Read a text whose numbers are written as the members are."""
    if choices.letters:
        text = capital_letters(text, choices)
    parts = split_thought(text)
    part, start = answering(parts.said, choices.text_of("A"))
    part = before_confidence(part, choices.owner)
    if not part:
        return failed("only_thought" if text.strip() else "no_output")
    found = _read_part(before_second(part), choices, rules, limited=limited)
    behind = own_question(parts.said, start + len(part), choices) if found.span is None else None
    little = found.state == "failed" or (found.state, found.rule) == ("outside", "whole text")
    if behind is None and little:
        stop = start + len(part)
        behind = after_dialogue(parts.said, stop) or restated(parts.said, stop)
    if behind is not None and little:
        rest, at = answering(parts.said[behind:])
        other = _read_part(rest, choices, rules, limited=limited) if rest else found
        if other.state == "answered":
            part, start, found = rest, behind + at, other
    if found.state == "none" and found.span:
        value = value_beside(Passage(fold(part), choices), found.span)
        found = of(value) if value else found
    elif found.state == "outside":
        found = in_another_spelling(found, part, choices)
    if found.state == "undecided" and found.span:
        found = both(found, Passage(fold(part), choices))
    if found.span is None:
        return found
    start += max(0, text.rfind(parts.said))
    span = found.span[0] + start, found.span[1] + start
    return Announced(found.state, found.answer, found.rule, span, found.refusal)


def _read_part(part: str, choices: Choices, rules: RefusalRules, *, limited: bool) -> Announced:
    """Read a part, or what it says before another question or before it lists all options."""
    if found := _first_of(part, choices, rules):
        return found
    found = Reader(part, choices, rules, limited=limited).read()
    listed = options_at_the_end(part, choices)
    if listed is not None and is_the_prompt(part, listed):
        return failed("echo")
    if listed is None or found.span is None or found.span[0] < listed:
        return found
    said = part[:listed].rstrip()
    before = Reader(said, choices, rules, limited=limited).read() if said else None
    if before and before.state == "answered":
        return before
    return Announced("undecided", None, "undecided") if is_led_to(part, listed) else failed("echo")


def _first_of(part: str, choices: Choices, rules: RefusalRules) -> Announced | None:
    """Return the answer before another question with options of its own, if there is one."""
    for before in before_questions(part, choices):
        reader = Reader(before, choices, rules, limited=False)
        said = reader.announced()
        short = said is None and reader.n_words <= _BESIDE
        found = of(said) if said else reader.read() if short else None
        return found if found and found.state == "answered" else None
    return None
