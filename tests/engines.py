"""The two forms of the hot loops, one of them in force at a time."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from assay import _kernels as kernels
from assay._kernels import numpy_form

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

FORMS: dict[str, ModuleType] = {"numpy": numpy_form}
with contextlib.suppress(ImportError):
    from assay._kernels import compiled_form

    FORMS["compiled"] = compiled_form

KERNELS = tuple(name for name in kernels.__all__ if callable(getattr(kernels, name)))


@contextlib.contextmanager
def under(engine: str) -> Iterator[None]:
    """Let everything inside run on one engine."""
    before = {name: getattr(kernels, name) for name in ("ENGINE", *KERNELS)}
    try:
        kernels.ENGINE = engine
        for name in KERNELS:
            setattr(kernels, name, getattr(FORMS[engine], name))
        yield
    finally:
        for name, value in before.items():
            setattr(kernels, name, value)
