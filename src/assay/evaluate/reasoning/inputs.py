"""From paths to inputs: models, vignettes, gold, labels and rules, checked against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from assay.artifacts.reasoning import ReasoningInput, Role
from assay.derive.labels import LabelSet
from assay.errors import ArtifactError, UsageError
from assay.showing import counted, quoted
from assay.sources.generations import (
    BiasGeneration,
    Broken,
    Generation,
    Index,
    Rows,
    StoredExtraction,
    generations,
    index_rows,
)
from assay.sources.labels import read_labels, read_refusal_rules, shipped_labels, shipped_rules
from assay.sources.model_files import (
    BIAS,
    EXTRACTED,
    GENERATIONS,
    check_distinct,
    find_files,
    named,
)
from assay.sources.vignettes import (
    BiasCase,
    Vignettes,
    read_bias_cases,
    read_gold_labels,
    read_vignettes,
)

if TYPE_CHECKING:
    from assay.derive.refusals import RefusalRules
    from assay.evaluate.reasoning.options import ReasoningOptions
    from assay.sources.content import Content

__all__ = ["GOLD", "Inputs", "ReasoningFiles", "bias_inputs", "inline_case", "read_inputs"]

Unlabelled = Literal["refuse", "skip"]
GOLD = {"labels": "gold label", "answer": "gold answer"}
SHOWN = 3


@dataclass(frozen=True, slots=True)
class ReasoningFiles:
    """Which files to read, as a user names them."""

    generations: tuple[str, ...] = ()
    vignettes: str | None = None
    gold_labels: str | None = None
    labels: str | None = None
    refusal_rules: str | None = None
    extracted: tuple[str, ...] = ()
    bias_generations: tuple[str, ...] = ()
    bias_cases: str | None = None
    cluster: str | None = None
    broken: Broken = "refuse"
    unlabelled: Unlabelled = "refuse"

    @property
    def paths(self) -> list[str]:
        """All files and folders that are read."""
        several = (*self.generations, *self.extracted, *self.bias_generations)
        single = (
            self.vignettes,
            self.gold_labels,
            self.labels,
            self.refusal_rules,
            self.bias_cases,
        )
        return [*several, *filter(None, single)]


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What was read; generations are indexed, their texts still in the files."""

    models: Mapping[str, Index]
    labels: LabelSet
    rules: RefusalRules
    vignettes: Vignettes | None = None
    golds: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """by kind (labels, answer): the gold of each vignette that has one"""
    gold: str = "answer"
    """the kind that was chosen"""
    stored: Mapping[str, Index] = field(default_factory=dict)
    bias: Mapping[str, Index] = field(default_factory=dict)
    cases: Mapping[str, BiasCase] | None = None
    records: tuple[ReasoningInput, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The vignettes that count, sorted: those with gold where others are left out."""
        assert self.vignettes is not None  # noqa: S101 - only asked for with vignettes
        gold = self.golds[self.gold]
        return tuple(sorted(each.id for each in self.vignettes.rows if each.id in gold))


def read_inputs(
    files: ReasoningFiles, options: ReasoningOptions, *, output: Path | None = None
) -> Inputs:
    """Read and check everything but the texts."""
    given = _Given()
    models = _indexed(
        files.generations, GENERATIONS, Generation, files.broken, given, "generations"
    )
    vignettes, golds = _vignettes(files, given)
    gold = _chosen_gold(files, options, golds)
    labels = _label_set(files, given, golds.get(gold, {}))
    rules = _rules(files, given)
    if vignettes is not None:
        _check_gold(files, vignettes, golds[gold], gold)
        for name, index in models.items():
            _check_ids(index, [each.id for each in vignettes.rows], vignettes.path)
            given.note(_unknown(name, index, vignettes))
    stored = _stored(files, models, given, output)
    if options.reading == "stored" and set(stored) != set(models):
        lacking = next(name for name in models if name not in stored)
        msg = f"there is no stored extraction of the model {quoted(lacking)}"
        raise UsageError(msg, hint=f"name it with --extracted, as in processed/MODEL/{EXTRACTED}")
    bias, cases = _bias(files, given)
    return Inputs(
        models=models,
        labels=labels,
        rules=rules,
        vignettes=vignettes,
        golds=golds,
        gold=gold,
        stored=stored,
        bias=bias,
        cases=cases,
        records=tuple(given.records),
        warnings=tuple(given.warnings),
    )


def bias_inputs(files: ReasoningFiles) -> Inputs:
    """Read what the numbers of bias need, and nothing else."""
    given = _Given()
    bias, cases = _bias(files, given)
    if not bias:
        raise UsageError("no bias generations were found", hint=f"expected MODEL/{BIAS}")
    records, warnings = tuple(given.records), tuple(given.warnings)
    return Inputs(
        {},
        LabelSet(()),
        shipped_rules(),
        bias=bias,
        cases=cases,
        records=records,
        warnings=warnings,
    )


@dataclass(slots=True)
class _Given:
    """What was read so far."""

    records: list[ReasoningInput] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def file(self, role: Role, content: Content | Vignettes, n_rows: int) -> None:
        self.records.append(
            ReasoningInput(
                role=role, path=_text(content.path), sha256=content.sha256, n_rows=n_rows
            )
        )

    def index(self, role: Role, model: str, index: Index) -> None:
        self.records.append(
            ReasoningInput(
                role=role,
                path=_text(index.path),
                sha256=index.sha256,
                model=model,
                n_rows=len(index.lines),
            )
        )

    def note(self, warning: str | None) -> None:
        if warning is not None:
            self.warnings.append(warning)


def _text(path: str) -> str:
    """Spell a file name that is not UTF-8 so that it can be written down."""
    return path.encode(errors="backslashreplace").decode()


def _indexed(
    paths: Sequence[str], usual: str, kind: type[Rows], broken: Broken, given: _Given, role: Role
) -> dict[str, Index]:
    found = []
    for file in find_files(paths, usual):
        index = index_rows(file.path, kind, broken=broken)
        name = named(file, index.model_names)
        if not index.lines:
            msg = f"{file.path} holds no rows"
            raise ArtifactError(msg, hint="a row is a JSON object with id, mode and output_text")
        found.append((name, index))
    check_distinct([(name, index.path) for name, index in found])
    models = dict(sorted(found))
    for name, index in models.items():
        given.index(role, name, index)
        given.note(_broken_lines(name, index))
    return models


def _broken_lines(name: str, index: Index) -> str | None:
    said = []
    if index.n_broken:
        places = ", ".join(map(str, index.first_broken))
        more = ", ..." if index.n_broken > len(index.first_broken) else ""
        said.append(f"left out {counted(index.n_broken, 'broken line')} (line {places}{more})")
    if index.n_unknown_modes:
        modes = ", ".join(map(repr, index.first_unknown_modes))
        said.append(f"left out {counted(index.n_unknown_modes, 'row')} of other modes ({modes})")
    return f"{name}: {'; '.join(said)}" if said else None


def _vignettes(
    files: ReasoningFiles, given: _Given
) -> tuple[Vignettes | None, dict[str, Mapping[str, str]]]:
    golds: dict[str, Mapping[str, str]] = {}
    vignettes = None
    if files.gold_labels is not None:
        labels, content = read_gold_labels(files.gold_labels)
        given.file("gold labels", content, len(labels))
        golds["labels"] = labels
    if files.vignettes is not None:
        vignettes = read_vignettes(files.vignettes)
        given.file("vignettes", vignettes, len(vignettes.rows))
        golds["answer"] = {each.id: each.gold_answer for each in vignettes.rows if each.gold_answer}
        if "labels" in golds and not golds["labels"].keys() & {v.id for v in vignettes.rows}:
            raise _no_match(
                files.gold_labels or "",
                list(golds["labels"]),
                [v.id for v in vignettes.rows],
                vignettes.path,
            )
    return vignettes, golds


def _chosen_gold(
    files: ReasoningFiles, options: ReasoningOptions, golds: Mapping[str, Mapping[str, str]]
) -> str:
    if options.gold == "labels" and "labels" not in golds:
        raise UsageError(
            "gold labels were chosen and there is no file of them",
            hint="name it with --gold-labels",
        )
    if options.gold == "auto":
        return "labels" if files.gold_labels is not None else "answer"
    return options.gold


def _check_gold(
    files: ReasoningFiles, vignettes: Vignettes, gold: Mapping[str, str], kind: str
) -> None:
    lacking = [each.id for each in vignettes.rows if each.id not in gold]
    if len(lacking) == len(vignettes.rows):
        msg = f"{vignettes.path}: no vignette has a {GOLD[kind]}"
        raise ArtifactError(msg, hint="give `gold_answer` in the vignettes, or --gold-labels")
    if lacking and files.unlabelled == "refuse":
        shown = ", ".join(map(repr, lacking[:SHOWN])) + (", ..." if len(lacking) > SHOWN else "")
        msg = (
            f"{vignettes.path}: {len(lacking)} of {len(vignettes.rows)} vignettes have no"
            f" {GOLD[kind]} ({shown})"
        )
        raise ArtifactError(msg, hint="add it, or leave such vignettes out with --skip-unlabelled")


def _check_ids(index: Index, ids: Sequence[str], path: str) -> None:
    if not index.ids.keys() & set(ids):
        raise _no_match(index.path, list(index.ids), ids, path)


def _no_match(path: str, found: Sequence[str], ids: Sequence[str], other: str) -> ArtifactError:
    one, two = (", ".join(map(repr, each[:SHOWN])) for each in (found, ids))
    msg = f"no id in {path} is one of {other}: it has {one}, where there are {two}"
    return ArtifactError(msg, hint="both files must name the vignettes alike")


def _unknown(name: str, index: Index, vignettes: Vignettes) -> str | None:
    known = {each.id for each in vignettes.rows}
    unknown = [each for each in index.ids if each not in known]
    if not unknown:
        return None
    shown = ", ".join(map(repr, unknown[:SHOWN]))
    return f"{name}: left out {counted(len(unknown), 'id')} not in {vignettes.path} ({shown})"


def _label_set(files: ReasoningFiles, given: _Given, gold: Mapping[str, str]) -> LabelSet:
    """Return the closed set: the label file, else the gold that occurs, else what is shipped."""
    if files.labels is None:
        known = shipped_labels()
        by_id = [gold[each] for each in sorted(gold)]
        return LabelSet.of(by_id, known=known) if gold else LabelSet(known)
    labels, content = read_labels(files.labels)
    given.file("labels", content, len(labels.labels))
    lacking = {label: each for each, label in reversed([*gold.items()]) if not labels.named(label)}
    if lacking:
        label, each = lacking.popitem()
        near = get_close_matches(label, [known.name for known in labels.labels], n=1)
        close = f"; the nearest is {quoted(near[0])}" if near else ""
        others = f", nor are {', '.join(map(quoted, reversed(lacking)))}" if lacking else ""
        msg = f"the gold label {quoted(label)} of {quoted(each)} is not in {files.labels}{others}"
        raise ArtifactError(msg, hint=f"add it there as a label or an alias{close}")
    return labels


def _rules(files: ReasoningFiles, given: _Given) -> RefusalRules:
    if files.refusal_rules is None:
        return shipped_rules()
    rules, content = read_refusal_rules(files.refusal_rules)
    given.file("refusal rules", content, len(rules.rules))
    return rules


def _stored(
    files: ReasoningFiles, models: Mapping[str, Index], given: _Given, output: Path | None
) -> dict[str, Index]:
    """Return what other programs have extracted: as named, else beside the folder of results."""
    if files.extracted:
        role: Role = "extracted"
        found = _indexed(files.extracted, EXTRACTED, StoredExtraction, files.broken, given, role)
        unknown = [name for name in found if name not in models]
        if unknown:
            msg = (
                f"there are no generations of {quoted(unknown[0])}, as {found[unknown[0]].path} has"
            )
            raise UsageError(msg, hint=f"the models are {', '.join(models)}")
        return found
    stored = {}
    for name, index in models.items():
        path = _beside(Path(index.path))
        if path is None or (output is not None and _within(path, output)):
            continue
        stored[name] = index_rows(str(path), StoredExtraction, broken=files.broken)
        given.index("extracted", name, stored[name])
    return stored


def _beside(path: Path) -> Path | None:
    if path.name.removesuffix(".gz") != GENERATIONS:
        return None
    folder = path.absolute().parent
    found = folder.parent.parent / "processed" / "study_a_extracted" / folder.name / EXTRACTED
    return found if found.is_file() else None


def _within(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def _bias(
    files: ReasoningFiles, given: _Given
) -> tuple[dict[str, Index], Mapping[str, BiasCase] | None]:
    """Return the bias generations: as named, else those beside the generations."""
    cases = None
    if files.bias_cases is not None:
        cases, content = read_bias_cases(files.bias_cases)
        given.file("bias cases", content, len(cases))
    found = () if files.bias_generations else tuple(_bias_beside(files.generations))
    paths = files.bias_generations or found
    if not paths:
        if cases is not None:
            msg = f"there are cases of bias in {files.bias_cases} and no generations for them"
            raise UsageError(msg, hint=f"name them with --bias-generations, as in MODEL/{BIAS}")
        return {}, None
    if cases is None and found and not any(map(_names_cases, found)):
        warning = "there are bias generations and no cases of bias: name these with --bias-cases"
        given.note(warning)
        return {}, None
    bias = _indexed(paths, BIAS, BiasGeneration, files.broken, given, "bias generations")
    if cases is not None:
        for index in bias.values():
            _check_ids(index, list(cases), files.bias_cases or "")
    return bias, cases


def _names_cases(path: str) -> bool:
    """Say whether a row of a file names its feature and label itself."""
    index = index_rows(path, BiasGeneration, broken="skip")
    return any(inline_case(name, row) for name, _, row in generations(index, BiasGeneration))


def inline_case(name: str, row: BiasGeneration) -> BiasCase | None:
    """Return the case that a row names itself, by its fields or in its metadata."""
    more = row.metadata or {}
    feature, label = (
        getattr(row, key) or _told(more.get(key)) for key in ("bias_feature", "bias_label")
    )
    return BiasCase(name, feature, label) if feature and label else None


def _told(raw: msgspec.Raw | None) -> str | None:
    value = None if raw is None else msgspec.json.decode(raw)
    return value if isinstance(value, str) else None


def _bias_beside(paths: Sequence[str]) -> list[str]:
    if not paths:
        return []
    found = [Path(each.path).parent / BIAS for each in find_files(paths, GENERATIONS) if each.sure]
    return [str(each) for each in found if each.is_file()]
