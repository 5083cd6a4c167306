"""Which models there are, and from which files: a folder of folders, a folder, or single files.

A model's name becomes the name of files, so a name that could lead elsewhere is refused.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import ArtifactError, UsageError

__all__ = [
    "BIAS",
    "EXTRACTED",
    "GENERATIONS",
    "ModelFile",
    "check_distinct",
    "checked_name",
    "find_files",
    "named",
]

GENERATIONS = "study_a_generations.jsonl"
BIAS = "study_a_bias_generations.jsonl"
EXTRACTED = "study_a_extracted.jsonl"
USUAL = frozenset({GENERATIONS, BIAS, EXTRACTED})
"""file names that say nothing about the model: the folder names it"""
SUFFIXES = (".jsonl", ".jsonl.gz", ".ndjson")
LONGEST_NAME = 150
"""bytes; file systems allow 255 with what is added"""
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
    for name in (usual, f"{usual}.gz"):
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
    if plain == usual or plain in USUAL:
        return ModelFile(str(path), path.absolute().parent.name, sure=True)
    return ModelFile(str(path), plain.rpartition(".")[0] or plain, sure=False)


def named(file: ModelFile, stated: Sequence[str]) -> str:
    """Return the name of a model: its folder's, else the one its rows state, else the file's."""
    if file.sure or not stated:
        return checked_name(file.name, file.path)
    if len(stated) > 1:
        msg = (
            f"{file.path} holds rows of several models, {stated[0]!r} and {stated[1]!r} among them"
        )
        raise ArtifactError(msg, hint="write one file per model, as in MODEL/" + GENERATIONS)
    return checked_name(stated[0], file.path)


def checked_name(name: str, path: str) -> str:
    """Refuse a name that would lead out of the output folder, or to the file of another model."""
    reason = _reason(name)
    if reason is not None:
        msg = f"{path}: the model name {name!r} {reason}"
        raise ArtifactError(msg, hint="rename the folder, the file, or `model_name` in its rows")
    return name


def _reason(name: str) -> str | None:
    if not name.strip() or name != name.strip():
        return "is empty or has white space around it"
    if "/" in name or "\\" in name or ":" in name or name.startswith("."):
        return "would lead out of the output folder"
    if any(unicodedata.category(each) in {"Cc", "Cs", "Zl", "Zp"} for each in name):
        return "holds a control character"
    if len(name.encode(errors="replace")) > LONGEST_NAME:
        return f"has more than {LONGEST_NAME} bytes"
    if name.lower() in RESERVED:
        return "stands for all models together"
    return None


def check_distinct(names: Iterable[tuple[str, str]]) -> None:
    """Refuse two files of one model; names that differ in case only are one on some systems."""
    seen: dict[str, str] = {}
    for name, path in names:
        if name.lower() in seen:
            msg = f"{seen[name.lower()]} and {path} are both of the model {name!r}"
            raise UsageError(msg, hint="give each model a folder or a file name of its own")
        seen[name.lower()] = path
