"""Reads one part of a text: what it announces, else asserts, else why it says nothing."""

from __future__ import annotations

from dataclasses import replace

from assay.derive import patterns as re
from assay.derive.agreeing import (
    after_but,
    agreed,
    false_premise,
    is_judgement,
    judged_first,
    so_it_is,
    yes_or_no,
)
from assay.derive.announcements import last_announcement
from assay.derive.assertions import Assertions, asserted
from assay.derive.choices import Choices
from assay.derive.comparing import compares
from assay.derive.declining import (
    ASKS_BACK,
    asks_for_more,
    declined_at_once,
    declines_in_other_words,
    ends_lacking,
    goes_on_at,
    identified,
    lacks_what_it_needs,
    member_that_declines,
    offers_else,
    without_answer,
)
from assay.derive.echoes import several_below
from assay.derive.fields import (
    breaks_off,
    field_of_lines,
    field_of_record,
    headed,
)
from assay.derive.figures import last_value, numbered, rated, shares
from assay.derive.findings import finds_first
from assay.derive.found import Announced, beside_text, declined, failed, of
from assay.derive.grounds import (
    conceded_at,
    declines_on_grounds,
    disclaimed_at,
    judges_only,
    said_yet,
    takes_no_side,
)
from assay.derive.hints import (
    lone_letter,
    not_known,
    only_listed,
    only_members,
    opposed,
    opposite_at_once,
    part_of_an_option,
    said_first,
    tells_uses,
    the_subject,
    worded,
    yes_and_no,
)
from assay.derive.inferring import left_between, tells_of_options, which_way
from assay.derive.mentions import fold
from assay.derive.naming import (
    LETTER,
    Announcement,
    Passage,
    joined,
    none_applies,
    nothing_there,
)
from assay.derive.no_disorder import NO_DISORDER, said_of_one
from assay.derive.no_disorder import WORDS as NO_WORDS
from assay.derive.open_ends import cases_apart, debated, left_open
from assay.derive.outside import (
    CALLED_BEST,
    begins_a_name,
    concluded_outside,
    own_words,
    said_after,
    supposed,
)
from assay.derive.own_lines import standing_alone
from assay.derive.passages import (
    hangs,
    is_echo,
    is_error,
    is_junk,
    is_unfinished,
    says_nothing,
)
from assay.derive.places import ends_with_a_member
from assay.derive.pointing import pointed_at
from assay.derive.ranked import (
    called_right,
    judged,
    left_over,
    likeliest_of_list,
    only_left,
    ranked,
    ticked,
)
from assay.derive.refusals import RefusalRules, declined_by
from assay.derive.results import comes_to, last_line, main_value, number_outside
from assay.derive.stances import agrees_idly, stance
from assay.derive.sums import computed
from assay.derive.wordings import (
    BESIDE_OTHERS,
    CONCLUDES,
    NONE_APPLIES,
    NONE_WORDS,
    TAKEN_BACK,
    YES_AND_NO,
)

_QUESTION = re.compile(r"\?[\s*\"')]*$")
_CONDITIONAL = re.compile(r"(?<!\w)(?:would|could|might|may)(?!\w)")
_LEAVES = re.compile(r"(?<!\w)(?:leaves?|leaving|left with|remains?|remaining)(?!\w)")
_AROUND = " *_\"'`.\n“”()[]{}$#"
_ASK_WORDS, _SENT_WORDS, _SEVERAL = 80, 40, 2
_END = 600
"""characters at the end in which a text says that none applies, or asks"""


class Reader:
    """Reads one part of a text."""

    def __init__(self, text: str, choices: Choices, rules: RefusalRules, *, limited: bool) -> None:
        self.given = fold(text)
        self.passage = Passage(self.given, choices)
        self.rules, self.limited = rules, limited
        self.n_words = len(text.split(maxsplit=_ASK_WORDS + 1))

    def read(self) -> Announced:
        """Read the part; who takes neither side because it is a machine has declined."""
        found = self._read()
        open_so = found.state in {"undecided", "failed"} or found.rule == "whole text"
        return declined("no side") if open_so and takes_no_side(self.given) else found

    def _read(self) -> Announced:
        text = self.given.text
        fails = is_error(text, self.given.words)
        by_number = field_of_record(self.passage) or numbered(self.passage) or shares(self.passage)
        if why := "error" if fails else says_nothing(text):
            return failed(why, self.passage)
        early = None if by_number else without_answer(self.passage, self.rules)
        if by_number:
            broken = by_number.state == "undecided" and breaks_off(text)
            early = failed("cut_off") if broken else of(by_number)
        if early:
            return early
        rates = "/" in text or any(each in self.given.level for each in (" of ", "score"))
        rating = rated(self.passage) if rates else None
        if rating := rating or likeliest_of_list(self.passage):
            return of(rating)
        listed = only_listed(self.passage) or only_members(self.passage)
        listed = listed or several_below(self.passage) or cases_apart(self.passage)
        if listed and not self._announces_below():
            whole = None if listed == "echo" else (0, len(text))
            return Announced("undecided", None, listed, whole) if whole else failed("echo")
        found = computed(self.passage, self.announced())
        if found and found.state != "outside":
            rule = declined_at_once(self.passage, self.rules, found)
            return declined(rule) if rule else self._revised(found)
        return failed("echo") if found and is_echo(text) else self._unannounced(found)

    def _announces_below(self) -> bool:
        """Say whether the last line of a list announces one of its members."""
        found = last_announcement(self.passage)
        return found is not None and found.start > self.given.text.rfind("\n") > 0

    def _unannounced(self, found: Announcement | None) -> Announced:
        """Read a text that announces no member; what it announces outside the set may be given."""
        text = self.given.text
        premise = false_premise(self.passage) or opposite_at_once(self.passage)
        first = of(premise) if premise else self._yet_says(conceded_at(self.given))
        if first := first or (declined("no side") if agrees_idly(self.passage) else None):
            return first
        ground = declines_on_grounds(self.given, judges=bool(self.passage.choices.particles))
        answers = yes_or_no(text.rstrip(" ."), self.passage.choices) or judges_only(self.passage)
        refusal = None if answers else declined_by(self.given, self.rules) or ground
        said = asserted(self.passage, self.rules.cues)
        if found and self._is_judged(found, said):
            found = None
        last = said.concluded
        later = found and (last is None or said_after(self.passage, found, last))
        if found and later and refusal is None:
            cut = begins_a_name(self.passage, found)
            return self._none(said, after=found.end) or (failed("cut_off") if cut else of(found))
        early = None
        if refusal is None:
            early = self._broken_off(said) if self._unfinished() else self._comes_to(said)
        if early:
            return early
        weak = said.concluded is not None and said.concluded.rule in {"asserted", "marked"}
        best = ticked(self.passage) or left_over(self.passage) if weak else None
        best = best or (judged(self.passage) if weak and "\n" in text else None)
        best = best or (compares(self.passage) if weak else None)
        best = best or called_right(self.passage, said.concluded)
        refused = "offends" if ground == "offends" else refusal
        best = best if said.concluded else ranked(self.passage) or self._known(said, refused)
        if best:
            return of(best)
        lacks = refusal and not (ground or said.concluded) and lacks_what_it_needs(self.given)
        if lacks or ends_lacking(self.passage, said.concluded.end if said.concluded else 0):
            return failed("asks_back")
        return (
            (None if ground else self._none(said))
            or self._left_open(said, refusal)
            or self._asserted(said, refusal)
            or self._without(said)
        )

    def _is_judged(self, found: Announcement, said: Assertions) -> bool:
        """Say whether a text judges in words, and what it announces outside the set is no answer.

        A value in a box is another's where a member is asserted and none is a value.
        """
        better = compares(self.passage)
        if is_judgement(self.passage, found, self.n_words) or (
            better and better.start > found.start
        ):
            return True
        later = said.concluded or said.asserted
        if self.passage.choices.opposites and later and later.start > found.end:
            return True
        if found.rule != "box" or not later:
            return False
        digits = any(map(str.isdigit, "".join(self.passage.choices.owner)))
        return not digits and any(map(str.isdigit, found.answer or ""))

    def _comes_to(self, said: Assertions) -> Announced | None:
        """Return the value that the last words come to, or that none applies."""
        last = said.concluded or said.asserted
        value = comes_to(self.passage, last) or (last and main_value(self.passage, last))
        return value and (self._none(said) or of(value))

    def _broken_off(self, said: Assertions) -> Announced:
        """Read what a text says first that breaks off, or that none applies with its last word."""
        none = None if self.limited else self._none(said)
        start = self.passage.sentence_start(len(self.given.text))
        if none and none.span and none.span[0] >= start and not hangs(self.given.text):
            return none
        first = said_first(self.passage) or judged_first(self.passage)
        other = None if first or said.n_named else declines_in_other_words(self.given)
        if other:
            return declined(other)
        return of(first) if first else failed("junk" if is_junk(self.given.text) else "cut_off")

    def _known(self, said: Assertions, refusal: str | None) -> Announcement | None:
        """Return what can be known of opposites, or that the text says that nothing can."""
        own = member_that_declines(self.passage, self.rules) if refusal else None
        but = None if own else after_but(self.passage, declines=refusal is not None)
        if found := own or but or compares(self.passage):
            return found
        if between := left_between(self.passage, said.denied):
            return between
        after = said.asserted.end if said.asserted else 0
        if said.asserted and said.asserted.answer == self.passage.choices.unknown:
            return said.asserted
        unknown = not_known(self.passage, after=after, offended=refusal == "offends")
        return unknown if refusal else opposed(self.passage, unknown)

    def announced(self) -> Announcement | None:
        """Return the last announcement, or what stands alone after it."""
        found = last_announcement(self.passage)
        if found and found.state == "answered" and not self.given.text[found.end :].strip(_AROUND):
            return found
        for each in standing_alone(self.passage):
            if self.limited and each.rule == "last sentence" and self.given.text[-1:].isalnum():
                continue
            if found is None or found.state == "outside" or self._after(found, each):
                found = each
        if found and found.state != "outside":
            return found
        said = pointed_at(self.passage) or stance(self.passage) or found
        said = said or last_line(self.passage)
        return said or field_of_lines(self.passage) or headed(self.passage)

    def _after(self, found: Announcement, each: Announcement) -> bool:
        """Say whether a member stands alone after an announcement, and is no text of its letter."""
        letter = found.state == "answered" and found.end - found.start == 1
        beside = letter and not self.given.text[found.end : each.start].strip(_AROUND)
        return each.start > found.start and not beside

    def _revised(self, found: Announcement) -> Announced:
        """Return an announcement, or what takes it back after it."""
        start = self.passage.sentence_start(found.start)
        if _CONDITIONAL.search(self.given.level, start, found.start):
            place = left_open(self.given, concluded=found.end)
            if place:
                return Announced("undecided", None, "left open", place)
        if asks_for_more(self.given, found, self.rules):
            return failed("asks_back")
        left = self._left_over(found)
        if left:
            return of(left)
        back = TAKEN_BACK.search(self.given.level, found.end)
        if back and not self._unfinished():
            said = asserted(self.passage, self.rules.cues, after=back.end())
            last = of(said.concluded) if said.concluded else self._leaves_part(said)
            if last and last.answer != found.answer:
                return replace(last, rule="taken back")
        return of(beside_text(self.passage, found))

    def _leaves_part(self, said: Assertions) -> Announced | None:
        """Return the option of which the last sentence says in part that it is left."""
        level = self.given.level
        start = self.passage.sentence_start(len(level.rstrip(" .!。\uff01।*\"')")))
        return self._by_part(said) if _LEAVES.search(level, start) else None

    def _left_over(self, found: Announcement) -> Announcement | None:
        """Return the member that the last sentence leaves where another only seemed right."""
        level = self.given.level
        start = self.passage.sentence_start(len(level.rstrip(" .!。\uff01।*\"')")))
        if found.rule != "named the answer" or start <= found.end:
            return None
        leaves = _LEAVES.search(level, start)
        later = asserted(self.passage, self.rules.cues, after=start).concluded if leaves else None
        return later if later and later.answer != found.answer else None

    def _unfinished(self) -> bool:
        """Say whether the text breaks off, and not right after a name."""
        open_end = is_unfinished(self.given.text) and not ends_with_a_member(self.passage)
        return self.limited or open_end

    def _none(self, said: Assertions, *, after: int = 0) -> Announced | None:
        """Return that none applies, where this is said after what is concluded."""
        level, start = self.given.level, max(after, len(self.given.level) - _END)
        first = self.passage.sentence_end(0) if start and not after else 0
        if not any(word in level[start:] or word in level[:first] for word in NONE_WORDS):
            return self._nothing_there(said, start)
        spans = NONE_APPLIES.spans(level, start) or NONE_APPLIES.spans(level[:first])
        found = [each for each in spans if not supposed(self.passage, each[0])]
        said_so = found and not (said.concluded and said.concluded.start > found[-1][0])
        none = of(none_applies(self.passage, *found[-1])) if said_so else None
        return none or self._nothing_there(said, start)

    def _nothing_there(self, said: Assertions, start: int) -> Announced | None:
        """Return that nothing is the matter, where no member is concluded."""
        level = self.given.level
        if said.concluded or said_of_one(self.passage.choices):
            return None
        may_be = any(level.find(word, start) >= 0 for word in NO_WORDS)
        spans = NO_DISORDER.spans(level, start) if may_be else []
        found = [each for each in spans if not supposed(self.passage, each[0])]
        return of(nothing_there(self.passage, *found[-1])) if found else None

    def _left_open(self, said: Assertions, refusal: str | None) -> Announced | None:
        """Return that a text ends without a choice; a refusal does so only between members."""
        choices = self.passage.choices
        if not said.n_named and not choices.particles and not choices.letters:
            return None
        if not said.n_named and ASKS_BACK.search(
            self.given.level, max(0, len(self.given.level) - _END)
        ):
            return None
        place = left_open(self.given, concluded=said.concluded.start if said.concluded else None)
        near = self._named_near(place) if place else frozenset()
        elsewhere = said.concluded and near and said.concluded.answer not in near
        if place is None or elsewhere or (refusal and len(near) < _SEVERAL):
            return None
        asks = not said.n_named or ASKS_BACK.search(self.given.level)
        weighed = said.concluded or said.hedged or not asks
        if not weighed and lacks_what_it_needs(self.given):
            return failed("asks_back")
        return Announced("undecided", None, "left open", place)

    def _named_near(self, place: tuple[int, int]) -> frozenset[str]:
        """Return the members that the sentence around a place names."""
        start, end = self.passage.sentence_start(place[0]), self.passage.sentence_end(place[1])
        return self.passage.labels(start, end)

    def _asserted(self, said: Assertions, refusal: str | None) -> Announced | None:
        if said.concluded and not (
            refusal and offers_else(self.passage, self.rules, said.concluded)
        ):
            both = None if said.concluded.rule == "marked" else joined(self.passage, said.concluded)
            return of(both or said.concluded)
        if refusal is not None:
            short = self.n_words <= _ASK_WORDS
            yet = self._yet_says(said_yet(self.given)) if short else None
            at = disclaimed_at(self.given) if self.passage.choices.letters else None
            if yet := yet or self._yet_says(at) or (self._identifies() if short else None):
                return yet
            leaning = said.n_named == 1 and said.hedged and said.hedged[0].rule == "leaning"
            return of(said.hedged[0]) if leaning else declined(refusal)
        if self._asks():
            return self._asked_back(said)
        by_part = self._by_part(said) if said.asserted else None
        if by_part and by_part.span and self._concludes_at(by_part.span[0], said):
            return by_part
        found = lone_letter(self.passage)
        found = None if found and found.answer in said.denied else found
        found = found or only_left(self.passage, said.denied) or self._named_plainly(said)
        found = found or last_value(self.passage) or the_subject(self.passage, self.n_words)
        return of(way) if (way := found or which_way(self.passage)) else self._by_part(said)

    def _concludes_at(self, at: int, said: Assertions) -> bool:
        """Say whether a sentence concludes that comes after all that is asserted."""
        start = self.passage.sentence_start(at)
        after = said.asserted is None or said.asserted.end <= start
        end = self.passage.sentence_end(at)
        return after and CONCLUDES.search(self.given.level, start, end) is not None

    def _asked_back(self, said: Assertions) -> Announced:
        """Return that a text asks back, unless it declines beside that."""
        other = None if said.n_named else declines_in_other_words(self.given)
        if other and not lacks_what_it_needs(self.given):
            return declined(other)
        if debated(self.given.level):
            return Announced("undecided", None, "left open")
        plainly = ASKS_BACK.search(self.given.level) or said.n_named
        return (None if plainly else self._sent_elsewhere()) or failed("asks_back")

    def _named_plainly(self, said: Assertions) -> Announcement | None:
        """Return the member that is asserted last, or the only one that might be."""
        both = self.passage.choices.particles and YES_AND_NO.search(self.given.level)
        found = None if both else said.asserted
        single = len({each.answer for each in said.hedged}) == 1
        if found is None and single and said.n_named == len(said.hedged):
            beside = BESIDE_OTHERS.search(
                self.given.level, self.passage.sentence_start(said.hedged[0].start)
            )
            found = None if beside else said.hedged[0]
        return found and (joined(self.passage, found) or found)

    def _by_part(self, said: Assertions) -> Announced | None:
        """Return the one option of which the last sentence has words that no other has."""
        found = worded(self.passage, self.n_words)
        found = found or part_of_an_option(self.passage, named=bool(said.n_named))
        return of(found) if found else None

    def _yet_says(self, start: int | None) -> Announced | None:
        """Return what is said where a text goes on after a disclaimer."""
        if start is None:
            return None
        rest = self.given.text[start:]
        yet = Reader(rest, self.passage.choices, self.rules, limited=self.limited).read()
        if yet.state != "answered" or yet.span is None:
            return None
        return replace(yet, span=(start + yet.span[0], start + yet.span[1]))

    def _identifies(self) -> Announced | None:
        """Return the member of which it is said after a disclaimer that something is it."""
        yet = self._yet_says(goes_on_at(self.given))
        start = self.passage.sentence_start(yet.span[0]) if yet and yet.span else 0
        plainly = yet and yet.span and identified(self.given.level, start, *yet.span)
        return yet if plainly else None

    def _asks(self) -> bool:
        level = self.given.level
        short = self.n_words <= _ASK_WORDS
        asks = ASKS_BACK.search(level, 0 if short else max(0, len(level) - _END))
        return asks is not None or _QUESTION.search(level[-_END:]) is not None

    def _without(self, said: Assertions) -> Announced:
        """Say why there is no answer, or take a few words of its own for one."""
        text = self.given.text
        if is_junk(text) or is_echo(text):
            return failed("junk" if is_junk(text) else "echo")
        other_words = None if self._several_letters() else declines_in_other_words(self.given)
        if other_words and (not said.hedged or said.n_named >= _SEVERAL):
            lacks = lacks_what_it_needs(self.given)
            return failed("asks_back") if lacks else declined(other_words)
        sent = self._sent_elsewhere()
        plain = said.hedged or self.passage.choices.particles
        other = None if plain else concluded_outside(self.passage, beside=said.n_named > 0)
        meant = None if sent else judged_first(self.passage)
        if meant is None and not (sent and finds_first(self.given.level) is None):
            meant = agreed(self.passage, self.n_words)
        if other and not (other_words or meant or (sent and other.rule == CALLED_BEST)):
            return of(other)
        if sent and not (said.hedged or meant) and self.n_words < _SENT_WORDS:
            return sent
        several = said.n_named or self._several_letters()
        several = several or not (meant or sent or not debated(self.given.level))
        if several or (yes_and_no(self.passage) and not (meant and so_it_is(self.passage))):
            return Announced("undecided", None, "undecided")
        if not text.startswith("{"):
            meant = meant or number_outside(self.passage) or own_words(self.passage, self.n_words)
        tells = meant is None and sent is None and tells_of_options(self.passage)
        open_so = Announced("undecided", None, "undecided") if tells else failed("no_answer")
        return of(meant) if meant else sent or open_so

    def _several_letters(self) -> bool:
        found = {each[1] for each in LETTER.finditer(self.given.text[-_END:])}
        several = len(found & self.passage.choices.letters.keys()) > 1
        return several or tells_uses(self.passage)

    def _sent_elsewhere(self) -> Announced | None:
        """Return that a text only sends elsewhere."""
        soft = declined_by(self.given, self.rules, strength="soft")
        return None if soft is None else declined(soft)
