"""Which models there are, and from which files: a folder of folders, a folder, or single files.

A model's name becomes the name of files, encoded where a path would give its signs a meaning; a
folder whose name is encoded so is one of the model with the plain name.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from assay.errors import ArtifactError, UsageError
from assay.showing import file_name, quoted

__all__ = [
    "BIAS",
    "EXTRACTED",
    "GENERATIONS",
    "OF_SEED",
    "ModelFile",
    "check_distinct",
    "checked_name",
    "find_files",
    "named",
]

GENERATIONS = "generations.jsonl"
BIAS = "bias_generations.jsonl"
EXTRACTED = "extracted.jsonl"
OF_SEED = "study_a_"
"""how the names of the same files of an earlier program begin"""
USUAL = frozenset({GENERATIONS, BIAS, EXTRACTED})
"""file names that say nothing about the model: the folder names it"""
SUFFIXES = (".jsonl", ".jsonl.gz", ".ndjson", ".csv", ".tsv", ".parquet")
RESERVED = frozenset({"all_models", "study_a_bias"})
"""names whose files would be those of all models together"""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file, and the name of the model as its place tells it."""

    path: str
    name: str
    sure: bool
    """whether the folder names the model; else rows may know better"""


def find_files(given: Sequence[str], usual: str) -> list[ModelFile]:
    """Return the file of every model: the files given, and those of the folders given."""
    found = [each for path in given for each in _found(Path(path), usual)]
    if not found:
        raise UsageError("no generations were given", hint=f"name a folder or a file like {usual}")
    return found


def _found(path: Path, usual: str) -> list[ModelFile]:
    if str(path) == "-":
        return [ModelFile("-", "stdin", sure=False)]
    try:
        if not path.is_dir():
            return [_file(path, usual)]
        own = _usual_file(path, usual)
        if own is not None:
            return [_file(own, usual)]
        folders = sorted(
            each for each in path.iterdir() if each.is_dir() and not each.name.startswith(".")
        )
        loose = sorted(each for each in path.iterdir() if each.name.endswith(SUFFIXES))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        msg = f"{str(path)!r} cannot be read: {reason}"
        raise ArtifactError(msg, hint="check the spelling") from None
    if folders:
        return [_of_folder(each, usual) for each in folders]
    if loose:
        return [_file(each, usual) for each in loose]
    msg = f"{path} holds neither model folders nor {usual}"
    raise ArtifactError(msg, hint=f"expected {path}/MODEL/{usual}")


def _usual_file(folder: Path, usual: str) -> Path | None:
    for name in (usual, f"{usual}.gz", f"{OF_SEED}{usual}", f"{OF_SEED}{usual}.gz"):
        if (folder / name).is_file():
            return folder / name
    return None


def _of_folder(folder: Path, usual: str) -> ModelFile:
    own = _usual_file(folder, usual)
    if own is None:
        msg = f"the model folder {folder} holds no {usual}"
        hint = "remove it, or name the folders to read one by one"
        raise ArtifactError(msg, hint=hint)
    return _file(own, usual)


def _file(path: Path, usual: str) -> ModelFile:
    plain = path.name.removesuffix(".gz")
    if plain == usual or plain.removeprefix(OF_SEED) in USUAL:
        return ModelFile(str(path), path.absolute().parent.name, sure=True)
    return ModelFile(str(path), plain.rpartition(".")[0] or plain, sure=False)


def named(file: ModelFile, stated: Sequence[str]) -> str:
    """Return the name of a model: its folder's, else the one its rows state, else the file's.

    Where a folder has the encoded form of a name, it is the name that counts.
    """
    if file.sure or not stated:
        return checked_name(_displayed(file.name, stated), file.path)
    if len(stated) > 1:
        msg = (
            f"{file.path} holds rows of several models, {quoted(stated[0])} and"
            f" {quoted(stated[1])} among them"
        )
        raise ArtifactError(msg, hint="write one file per model, as in MODEL/" + GENERATIONS)
    return checked_name(stated[0], file.path)


def _displayed(name: str, stated: Sequence[str]) -> str:
    """Return the name that a folder's name is the encoded form of: a long one is in the rows."""
    return next((each for each in (*stated, unquote(name)) if file_name(each) == name), name)


def checked_name(name: str, path: str) -> str:
    """Refuse a name that is none, or would lead to the files of all models together."""
    reason = _reason(name)
    if reason is not None:
        msg = f"{path}: the model name {quoted(name)} {reason}"
        raise ArtifactError(msg, hint="rename the folder, the file, or `model_name` in its rows")
    return name


def _reason(name: str) -> str | None:
    if not name.strip() or name != name.strip():
        return "is empty or has white space around it"
    if any(unicodedata.category(each) in {"Cc", "Cs", "Zl", "Zp"} for each in name):
        return "holds a control character"
    if name.lower() in RESERVED:
        return "stands for all models together"
    return None


def check_distinct(names: Iterable[tuple[str, str]]) -> None:
    """Refuse two files of one model; names that differ in case only are one on some systems."""
    seen: dict[str, str] = {}
    for name, path in names:
        place = unicodedata.normalize("NFC", file_name(name)).casefold()
        if place in seen:
            msg = f"{seen[place]} and {path} are both of the model {quoted(name)}"
            raise UsageError(msg, hint="give each model a folder or a file name of its own")
        seen[place] = path
