"""Arrays of `.npy` and `.npz` files by name, without what only Python could load."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import ArtifactError, AssayError
from assay.sources.content import Content, check_memory, fault
from assay.sources.formats import Format
from assay.sources.table import plain_array, row_place
from assay.sources.tabular import Table, source_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

HINT = "save arrays of numbers or of texts, with one row per case"
PACKED = b"PK\x03\x04"
ONE = b"\x93NUM"


def _holds(content: Content) -> bool:
    return content.data.startswith((PACKED, ONE))


def _read(content: Content) -> Table:
    kind = content.suffix[1:] or ("npz" if content.data.startswith(PACKED) else "npy")
    return Table(numpy_arrays(content), row_place, source_of(content, kind))


FORMAT = Format("numpy", (".npz", ".npy"), _holds, _read)


def numpy_arrays(content: Content) -> Mapping[str, NDArray[Any] | list[Any]]:
    """Return the arrays that have rows; single values beside them are left out."""
    kind = content.suffix or (".npz" if content.data.startswith(PACKED) else ".npy")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about headers that an old Python wrote
            loaded = _packed(content) if kind == ".npz" else _load(content)
    except AssayError:
        raise
    except Exception as error:  # noqa: BLE001 - a broken header fails anywhere in NumPy and zipfile
        reason = fault(str(error).strip().partition("\n")[0]) or "it ends too early"
        if "allow_pickle" in reason:
            reason = "it holds Python objects, which are not loaded"
        if "object at 0x" in reason:
            reason = "its header is malformed"
        msg = f"{content.path} is not a readable {kind} file: {reason}"
        raise ArtifactError(msg, hint=HINT) from None
    arrays = loaded if isinstance(loaded, dict) else _split(loaded)
    columns = {name: plain_array(array) for name, array in arrays.items() if array.ndim}
    if not columns:
        msg = f"{content.path} holds no array with rows"
        raise ArtifactError(msg, hint=HINT)
    return columns


def _packed(content: Content) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(content.data)) as packed:
        unpacked = sum(each.file_size for each in packed.infolist())
    check_memory(content.path, unpacked, " once decompressed")
    loaded = _load(content)
    return {name: loaded[name] for name in loaded}


def _load(content: Content) -> Any:
    return np.load(io.BytesIO(content.data), allow_pickle=False)


def _split(loaded: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Name the columns of one array: its fields, or `array` and the numbers of its columns."""
    if loaded.dtype.names:
        return {name: loaded[name] for name in loaded.dtype.names}
    numbered = range(loaded.shape[1]) if loaded.ndim == 2 else ()  # noqa: PLR2004
    return {"array": loaded, **{str(each): loaded[:, each] for each in numbered}}
