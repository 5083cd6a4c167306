"""Prices of models, as they are given with a command or listed in a file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec

from assay.errors import ArtifactError, UsageError
from assay.produce.budget import Price
from assay.showing import quoted
from assay.sources.documents import read_document

__all__ = ["read_prices"]

HINT = "as in --price 0.15,0.60 or --price large=2.5,10: a million tokens in, and out"
Amount = Annotated[float, msgspec.Meta(ge=0)]


class _Listed(msgspec.Struct, forbid_unknown_fields=True):
    """The prices of one model in a file."""

    input: Amount
    output: Amount = 0.0


def read_prices(
    given: Iterable[str], file: str | None, models: Sequence[str], also: Sequence[str] = ()
) -> dict[str, Price]:
    """Return the prices by model; what is given with the command goes before the file.

    A price without a name is that of all models, but not of those that are asked something else.

    Examples
    --------
    >>> read_prices(["0.5,2", "large=3,15"], None, ["small", "large"])["small"].tokens_out
    2.0
    """
    prices: dict[str, Price] = {}
    if file is not None:
        listed, _ = read_document(file, dict[str, _Listed])
        prices = {name: _finite(each, file) for name, each in listed.items()}
    for text in given:
        model, named, amounts = text.rpartition("=")
        if named and model not in {*models, *also}:
            msg = f"--price names the model {quoted(model)}, which is not asked"
            raise UsageError(msg, hint=f"the models are {', '.join([*models, *also])}")
        prices |= dict.fromkeys([model] if named else models, _price(amounts))
    return prices


def _finite(listed: _Listed, file: str) -> Price:
    if not math.isfinite(listed.input) or not math.isfinite(listed.output):
        raise ArtifactError(f"{file}: a price must be a finite number", hint=HINT)
    return Price(listed.input, listed.output)


def _price(text: str) -> Price:
    try:
        amounts = [float(part) for part in text.split(",")]
    except ValueError:
        amounts = []
    if len(amounts) != 2 or not all(0 <= each < math.inf for each in amounts):  # noqa: PLR2004 - in, out
        raise UsageError(f"{quoted(text)} is not a price of tokens in and out", hint=HINT)
    return Price(*amounts)
