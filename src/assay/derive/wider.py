"""A set of labels with more names than another one: where a text has none of these, both agree."""

from __future__ import annotations

from dataclasses import dataclass

from assay import _kernels as kernels
from assay._kernels.literal_form import Literals
from assay.derive.labels import LabelSet
from assay.derive.mentions import Folded, Mention, fold


@dataclass(frozen=True, slots=True, eq=False)
class Wider:
    """Labels with more names, and the labels that every reading of a text looks for anyway."""

    labels: LabelSet
    usual: LabelSet
    _more: Literals | None
    """what is looked for of these names alone; None where the sets differ otherwise too"""

    @classmethod
    def of(cls, labels: LabelSet, usual: LabelSet) -> Wider:
        """Compare two sets."""
        every, known = labels.literals, usual.literals
        if labels is usual or not every or not known or not every.items() >= known.items():
            return cls(labels, labels, None)
        more = [*(every.keys() - known.keys())]
        return cls(labels, usual, Literals(more, [(False, False)] * len(more)))

    def mentions_in(self, given: Folded) -> tuple[Mention, ...]:
        """List where a text that is folded already names a label, by any name.

        Examples
        --------
        >>> from assay.derive.labels import Label
        >>> usual, text = LabelSet.of(["flu"]), fold("A flu or cold")
        >>> wider = Wider.of(LabelSet((Label("flu", ("grippe",)),)), usual)
        >>> wider.mentions_in(text) is usual.mentions_in(text)
        True
        """
        known = self._more is not None and not kernels.holds_literal(given.single, self._more)
        return (self.usual if known else self.labels).mentions_in(given)

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """List where a text names a label, by any name."""
        return self.mentions_in(fold(text))
