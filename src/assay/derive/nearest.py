"""The passage of a document that is nearest to a quotation which is not in it, for a reader."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from assay.derive.snippets import WORD, normalized

LONGEST = 300
"""characters of a passage"""
MOST_WORDS = 100
"""words of a quotation that are looked for: a passage shows no more"""


class Passages:
    """A document, cut into words once for all quotations that are compared with it."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return [found.span() for found in WORD.finditer(self._text)]

    @cached_property
    def _words(self) -> list[str]:
        if self._text.isascii():
            # The same in one go; in other texts a word may change its length.
            return WORD.findall(self._text.lower())
        words = WORD.findall(self._text)
        return [each.lower() if each.isascii() else normalized(each) for each in words]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for place, word in enumerate(self._words):
            places.setdefault(word, []).append(place)
        return places

    def nearest(self, quotation: str) -> str | None:
        """Return as many words in a row as the quotation has, of which it shares the most letters.

        Long words say more about what is meant than short ones, so letters are counted. Of several
        such passages it is the first; it begins with a word that both have. A word that stands
        twice in the quotation counts twice. None where no word is shared.

        Examples
        --------
        >>> Passages("We had tea. The soup was cold; he left.").nearest("the soup was quite hot")
        'The soup was cold; he'
        """
        wanted = Counter(WORD.findall(normalized(quotation))[:MOST_WORDS])
        # Only words that the quotation has can begin the best passage.
        shared = sorted(place for word in wanted for place in self._places.get(word, ()))
        if not shared:
            return None
        best = self._best(shared, wanted)
        last = min(best + wanted.total(), len(self._spans)) - 1
        passage = " ".join(self._text[self._spans[best][0] : self._spans[last][1]].split())
        return passage if len(passage) <= LONGEST else f"{passage[:LONGEST]}..."

    def _best(self, shared: list[int], wanted: Counter[str]) -> int:
        """Return where the passage begins that holds the most of the wanted words."""
        length, held = wanted.total(), Counter[str]()
        end, n_held, most, best = 0, 0, 0, shared[0]
        for start in shared:
            while end < len(shared) and shared[end] < start + length:
                word = self._words[shared[end]]
                held[word] += 1
                n_held += len(word) * (held[word] <= wanted[word])
                end += 1
            if n_held > most:
                most, best = n_held, start
            word = self._words[start]
            n_held -= len(word) * (held[word] <= wanted[word])
            held[word] -= 1
        return best
