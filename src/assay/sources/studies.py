"""From paths to a study of reasoning: models, vignettes, gold, labels and rules that fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from assay.derive.labels import LabelSet
from assay.errors import ArtifactError, UsageError
from assay.showing import counted, quoted, storable
from assay.sources.generation_files import (
    BIAS,
    EXTRACTED,
    FIELDS,
    GENERATIONS,
    NONE,
    OF_SEED,
    Spelling,
    check_distinct,
    checked_name,
    find_files,
    named,
)
from assay.sources.generations import (
    BiasGeneration,
    Generation,
    StoredExtraction,
    by_model,
    check_parted,
    generations,
    index_rows,
)
from assay.sources.labels import (
    completed,
    read_labels,
    read_refusal_rules,
    reference_rules,
    shipped_labels,
    shipped_rules,
)
from assay.sources.vignettes import (
    BiasCase,
    inline_case,
    read_bias_cases,
    read_gold_labels,
    read_vignettes,
)

if TYPE_CHECKING:
    from assay.derive.refusals import RefusalRules
    from assay.sources.content import Content
    from assay.sources.generations import Broken, Index
    from assay.sources.generations import Rows as Kind
    from assay.sources.vignettes import Vignettes

GOLD = {"labels": "gold label", "answer": "gold answer"}
SHOWN = 3


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What is to be read: files by role, and what was chosen about them."""

    sources: Mapping[str, Sequence[Any]]
    names: Sequence[str]
    """of the models, where the caller has names for them"""
    field: Sequence[str]
    mode_name: Sequence[str]
    gold: str
    reading: str
    refusal_order: str
    skip_broken: bool
    skip_unlabelled: bool


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that was read, as it goes on record."""

    role: str
    path: str
    sha256: str | None
    format: str
    n_rows: int
    about: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """What was read; generations are indexed, their texts still in the files."""

    models: Mapping[str, Index]
    labels: LabelSet
    rules: RefusalRules
    vignettes: Vignettes | None = None
    golds: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """by kind (labels, answer): the gold of each vignette that has one"""
    gold: str = "answer"
    """the kind that was chosen"""
    choices: Mapping[str, LabelSet] = field(default_factory=dict)
    """the options of vignettes that have their own"""
    stored: Mapping[str, Index] = field(default_factory=dict)
    bias: Mapping[str, Index] = field(default_factory=dict)
    cases: Mapping[str, BiasCase] | None = None
    records: tuple[ReadFile, ...] = ()
    warnings: tuple[str, ...] = ()

    def labels_of(self, case: str) -> LabelSet:
        """Return the closed set of a vignette: its own options, else the labels of all."""
        return self.choices.get(case, self.labels)

    @property
    def ids(self) -> tuple[str, ...]:
        """The vignettes that count, sorted: those with gold where others are left out."""
        assert self.vignettes is not None  # noqa: S101 - only asked for with vignettes
        gold = self.golds[self.gold]
        return tuple(sorted(each.id for each in self.vignettes.rows if each.id in gold))


def read_study(asked: Asked, *, output: Path | None = None, judged: bool = True) -> Study:
    """Read and check everything but the texts; a folder of results is no input of its own."""
    if judged and not asked.sources.get("vignettes"):
        msg = "no vignettes were given, so there is nothing to compare answers with"
        raise UsageError(msg, hint="name them with `vignettes`; `assay extract` needs none")
    files = _Files(asked)
    models = files.indexed("generations", GENERATIONS, Generation)
    if judged:
        check_parted([*models.values()])
    vignettes, golds = _vignettes(files)
    gold = _chosen_gold(asked.gold, golds)
    choices = _choices(vignettes, golds.get(gold, {}))
    labels = _label_set(files, golds.get(gold, {}), choices)
    rules = _rules(files)
    if vignettes is not None:
        if judged or not choices:
            _check_gold(vignettes, golds[gold], gold, skip=asked.skip_unlabelled)
        for name, index in models.items():
            _check_ids(index, [each.id for each in vignettes.rows], vignettes.path)
            files.note(_unknown(name, index, vignettes))
    stored = _stored(files, models, output)
    if judged and asked.reading == "stored" and set(stored) != set(models):
        lacking = next(name for name in models if name not in stored)
        msg = f"there is no stored extraction of the model {quoted(lacking)}"
        raise UsageError(msg, hint=f"name it with `extracted`, as in processed/MODEL/{EXTRACTED}")
    bias, cases = _bias(files) if judged else ({}, None)
    files.check_fields()
    return Study(
        models=models,
        labels=labels,
        rules=rules,
        vignettes=vignettes,
        golds=golds,
        gold=gold,
        choices=choices,
        stored=stored,
        bias=bias,
        cases=cases,
        records=tuple(files.records),
        warnings=tuple(files.warnings),
    )


def read_bias(asked: Asked) -> Study:
    """Read what the numbers of bias need, and nothing else."""
    files = _Files(asked)
    bias, cases = _bias(files)
    files.check_fields()
    if not bias:
        raise UsageError("no bias generations were found", hint=f"expected MODEL/{BIAS}")
    return Study(
        models={},
        labels=LabelSet(()),
        rules=shipped_rules(),
        bias=bias,
        cases=cases,
        records=tuple(files.records),
        warnings=tuple(files.warnings),
    )


class _Files:
    """The files that were given by role, and what was read of them so far."""

    def __init__(self, asked: Asked) -> None:
        self._sources, self._names = asked.sources, asked.names
        self._called: dict[str, str] = {}
        self.in_order = asked.refusal_order == "reference"
        self.broken: Broken = "skip" if asked.skip_broken else "refuse"
        self.spelling = Spelling.of(asked.field, asked.mode_name)
        self.records: list[ReadFile] = []
        self.warnings: list[str] = []

    def paths(self, role: str) -> list[str]:
        paths: list[Any] = list(self._sources.get(role, ()))
        if not all(isinstance(path, str) for path in paths):
            msg = f"`{role}` must be files"
            raise UsageError(msg, hint="reasoning is read from texts in files, not from tables")
        return paths

    def one(self, role: str) -> str | None:
        paths = self.paths(role)
        if len(paths) > 1:
            msg = f"found {len(paths)} files of `{role}` where one can be used"
            raise UsageError(msg, hint="write their rows into one file")
        return paths[0] if paths else None

    def indexed(
        self, role: str, usual: str, kind: type[Kind], paths: Sequence[str] | None = None
    ) -> dict[str, Index]:
        """Find the rows of every model, by the name of the model."""
        found = []
        for file in find_files(self.paths(role) if paths is None else paths, usual):
            spelling = None if kind is StoredExtraction else self.spelling
            index = index_rows(file.path, kind, broken=self.broken, spelling=spelling)
            if not index.lines:
                msg = f"{file.path} holds no rows"
                raise ArtifactError(
                    msg,
                    hint="a row has id, mode and output_text; other names are mapped with `field`",
                )
            if len(index.model_names) > 1 and not file.sure and spelling is not None:
                parts = [*by_model(index, kind, self.broken, spelling)]
                found += [(checked_name(e.model_names[0], file.path), e) for e in parts]
            else:
                found.append((named(file, index.model_names), index))
        if role == "generations":
            _check_modes([index for _, index in found], self.spelling)
        if role == "generations" and self._names:
            self._rename(found)
        found = [(self._called.get(name, name), index) for name, index in found]
        check_distinct([(name, index.path) for name, index in found])
        models = dict(sorted(found))
        for name, index in models.items():
            self.index(role, name, index)
            self.note(_broken_lines(name, index))
        return models

    def _rename(self, found: Sequence[tuple[str, Index]]) -> None:
        """Call models as the caller does, wherever they are met."""
        if len(self._names) != len(found):
            msg = f"found {len(found)} models where there are {len(self._names)} names for them"
            raise UsageError(msg, hint="a name is for one file, or for the folder of one model")
        for name, (own, index) in zip(self._names, found, strict=True):
            self._called[own] = checked_name(name, index.path)

    def file(self, role: str, content: Content | Vignettes, n_rows: int) -> None:
        self._note_input(role, content.path, content.sha256, n_rows)

    def index(self, role: str, model: str, index: Index) -> None:
        self._note_input(role, index.path, index.sha256, len(index.lines), model=model)

    def _note_input(self, role: str, path: str, sha256: str, n_rows: int, **about: str) -> None:
        spelled = storable(path)
        self.records.append(ReadFile(role, spelled, sha256, file_format(spelled), n_rows, about))

    def check_fields(self) -> None:
        """Refuse the name of a field that no file has."""
        for theirs, own in self.spelling.fields.items():
            if theirs not in self.spelling.met and not theirs.startswith(NONE):
                name = next(name for name, field in FIELDS.items() if field == own)
                msg = f"`field` {name}={theirs}: no row of any file has the field {quoted(theirs)}"
                raise UsageError(msg, hint="check the spelling of the field in the files")

    def note(self, warning: str | None) -> None:
        if warning is not None:
            self.warnings.append(warning)


def file_format(path: str) -> str:
    """Return what a file is, as its name says."""
    return PurePath(path.removesuffix(".gz")).suffix.lstrip(".").lower() or "json"


def _broken_lines(name: str, index: Index) -> str | None:
    said = []
    if index.n_broken:
        places = ", ".join(map(str, index.first_broken))
        more = ", ..." if index.n_broken > len(index.first_broken) else ""
        said.append(f"left out {counted(index.n_broken, 'broken line')} (line {places}{more})")
    if index.n_unknown_modes:
        modes = ", ".join(map(repr, index.first_unknown_modes))
        said.append(f"left out {counted(index.n_unknown_modes, 'row')} of other modes ({modes})")
    for mode, status in index.unheard.items():
        said.append(f"no row of {mode} has the status ok, found {quoted(status)}")
    return f"{name}: {'; '.join(said)}" if said else None


def _vignettes(files: _Files) -> tuple[Vignettes | None, dict[str, Mapping[str, str]]]:
    golds: dict[str, Mapping[str, str]] = {}
    labelled, path = files.one("gold_labels"), files.one("vignettes")
    if labelled is not None:
        labels, content = read_gold_labels(labelled, files.spelling)
        files.file("gold_labels", content, len(labels))
        golds["labels"] = labels
    if path is None:
        return None, golds
    vignettes = read_vignettes(path, files.spelling)
    files.file("vignettes", vignettes, len(vignettes.rows))
    ids = [each.id for each in vignettes.rows]
    golds["answer"] = {each.id: each.gold_answer for each in vignettes.rows if each.gold_answer}
    if labelled is not None and not golds["labels"].keys() & {*ids}:
        raise _no_match(labelled, list(golds["labels"]), ids, path)
    return vignettes, golds


def _chosen_gold(chosen: str, golds: Mapping[str, Mapping[str, str]]) -> str:
    if chosen == "labels" and "labels" not in golds:
        msg = "gold labels were chosen and there is no file of them"
        raise UsageError(msg, hint="name it with `gold_labels`")
    if chosen == "auto":
        return "labels" if "labels" in golds else "answer"
    return chosen


def _check_gold(vignettes: Vignettes, gold: Mapping[str, str], kind: str, *, skip: bool) -> None:
    lacking = [each.id for each in vignettes.rows if each.id not in gold]
    if len(lacking) == len(vignettes.rows):
        names = ", ".join(dict.fromkeys(name for each in vignettes.rows for name in each.fields))
        msg = f"{vignettes.path}: no vignette has a {GOLD[kind]}; the other fields are {names}"
        hint = "name the field of `gold_answer`, as in `field` gold=answer, or give `gold_labels`"
        raise ArtifactError(msg, hint=hint)
    if lacking and not skip:
        shown = ", ".join(map(repr, lacking[:SHOWN])) + (", ..." if len(lacking) > SHOWN else "")
        msg = (
            f"{vignettes.path}: {len(lacking)} of {len(vignettes.rows)} vignettes have no"
            f" {GOLD[kind]} ({shown})"
        )
        raise ArtifactError(msg, hint="add it, or leave such vignettes out with `skip_unlabelled`")


def _check_ids(index: Index, ids: Sequence[str], path: str) -> None:
    if not index.ids.keys() & set(ids):
        raise _no_match(index.path, list(index.ids), ids, path)


def _check_modes(indexes: Sequence[Index], spelling: Spelling) -> None:
    """Refuse the name of a mode that no row has."""
    stated = frozenset().union(*(each.stated for each in indexes))
    for theirs, own in spelling.modes.items():
        if theirs and theirs not in stated:
            found = ", ".join(map(quoted, sorted(stated)))
            msg = f"`mode_name` {own}={theirs}: no row has the mode {quoted(theirs)}, found {found}"
            raise UsageError(msg, hint="check the spelling of the mode in the generations")


def _check_most(index: Index, cases: Mapping[str, BiasCase], path: str) -> None:
    """Refuse rows of which few have cases: what is left would not be what was asked."""
    n = len(index.ids.keys() & cases.keys())
    if 2 * n < len(index.ids):
        known = next(each for each in index.ids if each not in cases)
        msg = f"only {n} of {len(index.ids)} ids in {index.path} are cases in {path}"
        msg = f"{msg}, which has {len(cases)}; {quoted(known)} is not among them"
        raise ArtifactError(
            msg, hint="both must name the cases alike; map ids as in `field` id=case"
        )


def _no_match(path: str, found: Sequence[str], ids: Sequence[str], other: str) -> ArtifactError:
    one, two = (", ".join(map(repr, each[:SHOWN])) for each in (found, ids))
    msg = f"no id in {path} is one of {other}: it has {one}, where there are {two}"
    return ArtifactError(msg, hint="both files must name the same ids; `field` id=case maps them")


def _unknown(name: str, index: Index, vignettes: Vignettes) -> str | None:
    known = {each.id for each in vignettes.rows}
    unknown = [each for each in index.ids if each not in known]
    if not unknown:
        return None
    shown = ", ".join(map(repr, unknown[:SHOWN]))
    return f"{name}: left out {counted(len(unknown), 'id')} not in {vignettes.path} ({shown})"


def _choices(vignettes: Vignettes | None, gold: Mapping[str, str]) -> dict[str, LabelSet]:
    """Return the options of vignettes that have their own; the gold must be one of them."""
    rows = vignettes.rows if vignettes is not None else ()
    choices = {each.id: LabelSet.of_options(each.options) for each in rows if each.options}
    for name, labels in choices.items():
        if name in gold and labels.named(gold[name]) is None:
            path = vignettes.path if vignettes is not None else ""
            own = ", ".join(" ".join(each.names) for each in labels.labels)
            msg = f"{path}: the gold {quoted(gold[name])} of {quoted(name)} is none of its options"
            raise ArtifactError(msg, hint=f"they are {own}; give the letter or the text of one")
    return choices


def _label_set(files: _Files, gold: Mapping[str, str], choices: Mapping[str, LabelSet]) -> LabelSet:
    """Return the closed set: the label file, else the gold that occurs, else what is shipped."""
    path = files.one("labels")
    if path is None:
        known = shipped_labels()
        # The reference takes labels in the order of their file, and none that does not occur.
        order = [*gold] if files.in_order else sorted(gold)
        by_id = [gold[each] for each in order if each not in choices]
        if choices and not by_id:
            return LabelSet.of(sorted({o.name for own in choices.values() for o in own.labels}))
        every = by_id if files.in_order else completed(by_id)
        return LabelSet.of(every, known=known) if gold else LabelSet(known)
    labels, content = read_labels(path)
    files.file("labels", content, len(labels.labels))
    asked = [(each, label) for each, label in gold.items() if each not in choices]
    lacking = {label: each for each, label in reversed(asked) if not labels.named(label)}
    if lacking:
        label, each = lacking.popitem()
        near = get_close_matches(label, [known.name for known in labels.labels], n=1)
        close = f"; the nearest is {quoted(near[0])}" if near else ""
        also = ", ".join(map(quoted, reversed(lacking)))
        others = f", nor {'is' if len(lacking) == 1 else 'are'} {also}" if lacking else ""
        msg = f"the gold label {quoted(label)} of {quoted(each)} is not in {path}{others}"
        raise ArtifactError(msg, hint=f"add it there as a label or an alias{close}")
    return labels


def _rules(files: _Files) -> RefusalRules:
    path = files.one("refusal_rules")
    if path is None:
        return reference_rules() if files.in_order else shipped_rules()
    rules, content = read_refusal_rules(path)
    files.file("refusal_rules", content, len(rules.rules))
    return rules


def _stored(files: _Files, models: Mapping[str, Index], output: Path | None) -> Mapping[str, Index]:
    """Return what other programs have extracted: as named, else beside the folder of results."""
    if files.paths("extracted"):
        found = files.indexed("extracted", EXTRACTED, StoredExtraction)
        unknown = [name for name in found if name not in models]
        if unknown:
            place = found[unknown[0]].path
            msg = f"there are no generations of {quoted(unknown[0])}, as {place} has"
            raise UsageError(msg, hint=f"the models are {', '.join(models)}")
        return found
    stored = {}
    for name, index in models.items():
        path = _beside(Path(index.path))
        if path is None or (output is not None and _within(path, output)):
            continue
        stored[name] = index_rows(str(path), StoredExtraction, broken=files.broken)
        files.index("extracted", name, stored[name])
    return stored


def _beside(path: Path) -> Path | None:
    if path.name.removesuffix(".gz").removeprefix(OF_SEED) != GENERATIONS:
        return None
    folder = path.absolute().parent
    own = folder.parent.parent / "processed" / f"{OF_SEED}extracted" / folder.name
    found = own / f"{OF_SEED}{EXTRACTED}"
    return found if found.is_file() else None


def _within(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def _bias(files: _Files) -> tuple[Mapping[str, Index], Mapping[str, BiasCase] | None]:
    """Return the bias generations: as named, else those beside the generations."""
    cases, path = None, files.one("bias_cases")
    if path is not None:
        cases, content = read_bias_cases(path, files.spelling)
        files.file("bias_cases", content, len(cases))
    chosen = files.paths("bias_generations")
    beside = [] if chosen else _bias_beside(files.paths("generations"))
    if not chosen and not beside:
        if path is not None:
            msg = f"there are cases of bias in {path} and no generations for them"
            raise UsageError(msg, hint=f"name them with `bias_generations`, as in MODEL/{BIAS}")
        return {}, None
    if cases is None and beside and not any(_names_cases(each, files.spelling) for each in beside):
        files.note("there are bias generations and no cases of bias: name these with `bias_cases`")
        return {}, None
    bias = files.indexed("bias_generations", BIAS, BiasGeneration, chosen or beside)
    if cases is not None:
        for index in bias.values():
            _check_ids(index, list(cases), path or "")
            _check_most(index, cases, path or "")
    return bias, cases


def _names_cases(path: str, spelling: Spelling) -> bool:
    """Say whether a row of a file names its feature and label itself."""
    index = index_rows(path, BiasGeneration, broken="skip", spelling=spelling)
    return any(inline_case(name, row) for name, _, row in generations(index, BiasGeneration))


def _bias_beside(paths: Sequence[str]) -> list[str]:
    if not paths:
        return []
    folders = [Path(each.path).parent for each in find_files(paths, GENERATIONS) if each.sure]
    found = ((folder / BIAS, folder / f"{OF_SEED}{BIAS}") for folder in folders)
    return [str(each[0]) for names in found if (each := [one for one in names if one.is_file()])]
