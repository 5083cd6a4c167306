"""Cases that are asked about: vignettes, and cases that tempt a model into a biased answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.derive.signals import found
from assay.errors import ColumnError, UsageError
from assay.showing import quoted
from assay.sources.vignettes import BIAS_LISTS, entries, read_bias_cases, read_vignettes

TEXT_KEYS = ("prompt", "vignette", "text")
HINT = f"the text of a case stands under {', '.join(TEXT_KEYS)}"


@dataclass(frozen=True, slots=True)
class Case:
    """One case as it is put to a model."""

    id: str
    text: str
    bias_feature: str | None = None
    bias_label: str | None = None


def read_cases(path: str) -> tuple[Sequence[Case], str]:
    """Read vignettes; return them with the sha256 of the file."""
    vignettes = read_vignettes(path)
    cases = [
        Case(
            each.id,
            _text(each.fields, f"{path}, vignette {quoted(each.id)}"),
            _word(each.fields.get("bias_feature")),
            _word(each.fields.get("bias_label")),
        )
        for each in vignettes.rows
    ]
    return cases, vignettes.sha256


def read_biased(path: str) -> tuple[Sequence[Case], str]:
    """Read cases of bias, each with the feature that tempts and the answer it tempts to."""
    known, content = read_bias_cases(path)
    texts = {
        str(each["id"]): _text(each, f"{path}, case {quoted(each['id'])}")
        for each in entries(content, *BIAS_LISTS)
    }
    cases = [Case(each.id, texts[each.id], each.feature, each.label) for each in known.values()]
    return cases, content.sha256


def biased_among(cases: Sequence[Case], path: str) -> Sequence[Case]:
    """Return the vignettes that name a feature and a label."""
    chosen = [each for each in cases if each.bias_feature and each.bias_label]
    if not chosen:
        msg = (
            f"{path} has no vignette with `bias_feature` and `bias_label`, which --modes bias asks"
        )
        raise UsageError(msg, hint="name a file of such cases with --bias-cases")
    return chosen


def _text(fields: Mapping[str, Any], place: str) -> str:
    value = next((fields[key] for key in TEXT_KEYS if fields.get(key) is not None), None)
    if type(value) is not str or not value.strip():
        msg = f"{place} has no text to ask about, found {found(value)}"
        raise ColumnError(msg, hint=HINT)
    return value


def _word(value: Any) -> str | None:
    return value.strip() or None if type(value) is str else None
