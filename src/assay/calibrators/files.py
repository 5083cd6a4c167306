"""The calibrator file: what `assay calibrate` writes, every earlier shape, and one that is applied.

It has the keys of the programs before it (`method`, `features`, `target`, `model`,
`training_metadata`, `validation_metrics`, for a temperature also `temperature` and `fitted_on`) and
says more: who it was fitted on, and how well it does out of fold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, UnsetType

from assay.artifact import Number, Record, Tool
from assay.calibrators import Calibrator, Isotonic, Linear, Logistic, Method, Temperature
from assay.derive.variants import Calibration, is_calibrated
from assay.errors import ArtifactError, UsageError
from assay.showing import counted, quoted
from assay.sources.content import decoded_json, fault, load
from assay.sources.names import Participant

if TYPE_CHECKING:
    from assay.sources.items import ItemTable

SCHEMA_VERSION = "1"
"""of calibrator files, which are no evaluations and go their own way"""
FILE_VERSION = "1.0"
FILE_METHOD: dict[Method, str] = {
    "temperature": "temperature_scaling",
    "logistic": "logistic",
    "platt": "platt",
    "linear": "logistic",
    "isotonic": "isotonic",
}
"""How a file spells a method; the link tells a linear from a logistic one."""
READABLE = ("temperature_scaling", "logistic", "platt", "linear", "isotonic")
LINKS = ("sigmoid", "identity")
REGRESSION = ("coefficients", "intercept", "scaler")
WRITTEN: dict[Method, tuple[str, ...]] = {
    "temperature": ("temperature",),
    "isotonic": ("x_thresholds", "y_thresholds"),
}
"""what the model of a method holds, where it is no regression"""
SHAPE = (
    "a calibrator file is an object with `schema_version`, `method` and `model`;"
    " `assay calibrate` writes one"
)


class Quality(Record, frozen=True, kw_only=True):
    """How good probabilities (or, for the target loss, scores) are on some rows."""

    rows: str
    """which rows, and whether the calibrator has seen them"""
    n_samples: int
    nll: Number = None
    brier: Number = None
    ece: Number = None
    """10 bins of equal width"""
    auroc: Number = None
    """null where all answers are right or all are wrong"""
    mae: Number = None
    """for the target loss, as is `mse`"""
    mse: Number = None
    reason: str | None = None
    """why there are no numbers"""


class CalibratorMetrics(Record, frozen=True, kw_only=True):
    """The same numbers before and after, seen and unseen."""

    before: Quality
    training: Quality
    """after, on the rows it was fitted on: too good"""
    out_of_fold: Quality
    """after, on participants left out in turn: what to expect of new ones"""
    nll_before: Number
    """this and the next three: earlier spellings, on the training rows"""
    nll_after: Number
    ece_before: Number
    ece_after: Number


class CalibratorTraining(Record, frozen=True, kw_only=True):
    """What the calibrator was fitted on."""

    path: str
    sha256: str | None
    format: str
    run_id: str | None
    git_commit: str | None
    mode: str | None
    n_samples: int
    n_left_out: int
    """answered items without a stated confidence, which a fit on it leaves out"""
    positive_rate: Number
    """share of right answers; null for the target loss"""
    participants: list[int | str] | None
    """sorted ids, so that applying the calibrator to one of them is noticed; null where rows are
    independent and nobody is named"""
    missing: str
    seed: int
    n_folds: int
    trained_at: str


class ValidationMetrics(Record, frozen=True, kw_only=True):
    """Earlier spellings of the numbers on the training rows."""

    computed_on: str
    auroc: Number
    brier: Number
    ece: Number
    mae: Number
    mse: Number


class FittedOn(Record, frozen=True, kw_only=True):
    """Earlier spelling of where a temperature comes from."""

    path: str
    run_id: str | None
    git_commit: str | None
    mode: str | None
    n_samples: int


class CalibratorArtifact(Record, frozen=True, kw_only=True, tag_field="kind", tag="calibrator"):
    """A fitted calibrator."""

    schema_version: str = SCHEMA_VERSION
    version: str = FILE_VERSION
    tool: Tool
    created_at: str
    command: str | None = None
    """what makes it again; null where a program asked, not a command"""
    method: str
    calibrator: Method
    """the method by its name here: a linear calibrator has the method logistic in the file"""
    features: list[str]
    target: str
    model: dict[str, Any]
    clip: float | UnsetType = UNSET
    """how near to 0 and 1 a probability comes before its logit is taken"""
    temperature: float | UnsetType = UNSET
    training_metadata: CalibratorTraining
    fitted_on: FittedOn | UnsetType = UNSET
    metrics: CalibratorMetrics
    validation_metrics: ValidationMetrics
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class StoredCalibrator:
    """A calibrator from a file, and what the file says about where it comes from."""

    path: str
    sha256: str
    method: Method
    features: tuple[str, ...]
    target: str | None
    calibrator: Calibrator
    participants: tuple[Participant, ...] | None
    """whom it was fitted on; None where the file does not say"""
    run_id: str | None
    mode: str | None
    n_samples: int | None


class _Scaler(msgspec.Struct):
    mean: list[float]
    std: list[float]


class _Model(msgspec.Struct):
    temperature: float | None = None
    coefficients: list[float] | None = None
    intercept: float | None = None
    link: str = "sigmoid"
    scaler: _Scaler | None = None
    x_thresholds: list[float] | None = None
    y_thresholds: list[float] | None = None


class _Training(msgspec.Struct):
    run_id: str | None = None
    mode: str | None = None
    n_samples: int | None = None
    participants: list[int | str] | None = None


class _File(msgspec.Struct):
    """What any calibrator file may hold; everything else in it is ignored."""

    method: str
    schema_version: str | None = None
    version: str | None = None
    features: list[str] | None = None
    target: str | None = None
    temperature: float | None = None
    model: _Model | None = None
    fitted_on: _Training | None = None
    training_metadata: _Training | None = None


def read_calibrator(path: str) -> StoredCalibrator:
    """Read a calibrator file of any shape."""
    content = load(path)
    file = decoded_json(msgspec.json.Decoder(_File), content.data, place=path, hint=SHAPE)
    try:
        _check_version(file)
        method, calibrator = _model(file)
        features = _features(file, method)
    except UsageError as error:
        raise ArtifactError(f"{path}: {error.message}", hint=error.hint or SHAPE) from None
    training = file.training_metadata or file.fitted_on or _Training()
    return StoredCalibrator(
        path=path,
        sha256=content.sha256,
        method=method,
        features=features,
        target=file.target,
        calibrator=calibrator,
        participants=None if training.participants is None else tuple(training.participants),
        run_id=training.run_id,
        mode=training.mode,
        n_samples=training.n_samples,
    )


def model_fault(artifact: CalibratorArtifact) -> str | None:
    """Say why the model in an artifact cannot be applied, None if it can."""
    try:
        file = msgspec.convert(msgspec.to_builtins(artifact), _File)
        method, _ = _model(file)
        _features(file, method)
        _required(file.model or _Model(), *WRITTEN.get(method, REGRESSION))
    except UsageError as error:
        return error.message
    except msgspec.ValidationError as error:
        return f"`model` does not have the shape it needs: {fault(error)}"
    if method != artifact.calibrator:
        return f"`calibrator` is {artifact.calibrator} where `model` is that of {method}"
    return None


def _check_version(file: _File) -> None:
    for name, found, known in (
        ("schema_version", file.schema_version, SCHEMA_VERSION),
        ("version", file.version, FILE_VERSION),
    ):
        if found not in {None, known}:
            msg = f"`{name}` is {quoted(found)}, and only {known!r} can be read"
            raise UsageError(msg, hint="it may come from a newer program; fit it again")
    if file.schema_version is None and file.version is None:
        raise UsageError("there is no `schema_version`")


def _model(file: _File) -> tuple[Method, Calibrator]:
    if file.method not in READABLE:
        msg = f"`method` is {quoted(file.method)}"
        raise UsageError(msg, hint=f"the methods are {', '.join(READABLE)}")
    if file.method == "temperature_scaling":
        return "temperature", _temperature(file)
    if file.model is None:
        raise UsageError(f"a file of the method {quoted(file.method)} needs `model`")
    if file.method == "isotonic":
        return "isotonic", _isotonic(file.model)
    return _regression(file, file.model)


def _temperature(file: _File) -> Temperature:
    inner = None if file.model is None else file.model.temperature
    stated = {each for each in (file.temperature, inner) if each is not None}
    if not stated:
        raise UsageError("there is no `temperature`, neither on top nor under `model`")
    if len(stated) > 1:
        msg = f"`temperature` is {file.temperature} on top and {inner} under `model`"
        raise UsageError(msg)
    return Temperature(stated.pop())


def _isotonic(model: _Model) -> Isotonic:
    return Isotonic.from_dict(_required(model, *WRITTEN["isotonic"]))


def _regression(file: _File, model: _Model) -> tuple[Method, Calibrator]:
    parts = _required(model, *REGRESSION)
    # The method linear is a word of its own; elsewhere the link tells the two regressions apart.
    link = "identity" if file.method == "linear" else model.link
    if link not in LINKS:
        msg = f"`model.link` is {quoted(link)}"
        raise UsageError(msg, hint=f"the links are {' and '.join(LINKS)}")
    if link == "identity":
        return "linear", Linear.from_dict(parts)
    return ("platt" if file.method == "platt" else "logistic"), Logistic.from_dict(parts)


def _required(model: _Model, *names: str) -> dict[str, Any]:
    parts: dict[str, Any] = msgspec.to_builtins(model)
    for name in names:
        if parts[name] is None:
            raise UsageError(f"there is no `model.{name}`")
    return parts


def _features(file: _File, method: Method) -> tuple[str, ...]:
    if file.features is None and method == "temperature":
        # The one script that wrote no features fitted on the stated confidence, from 0 to 1.
        return ("verbalized",)
    if not file.features:
        raise UsageError("there are no `features`")
    n_needed = len(file.model.coefficients or ["one"]) if file.model else 1
    if len(file.features) != n_needed:
        msg = f"`features` must name {n_needed} for this `model`, found {len(file.features)}"
        raise UsageError(msg)
    return tuple(file.features)


class AppliedCalibration(Record, frozen=True, kw_only=True):
    """The calibrator behind the calibrated confidences."""

    path: str
    sha256: str
    calibrator: str
    features: list[str]
    target: str | None
    run_id: str | None
    """of the run it was fitted on, as are the next two"""
    mode: str | None
    n_samples: int | None
    participants_shared: list[int | None]
    """per input, how many it was fitted on; null where its file does not say"""
    warnings: list[str]


def applied_calibrator(paths: Sequence[str], *, strict: bool) -> AppliedCalibrator | None:
    """Read the calibrator that a family was given, at most one."""
    if len(paths) > 1:
        msg = f"found {len(paths)} calibrators, and one is applied"
        raise UsageError(msg, hint="`calibration` names one file")
    if not paths and strict:
        msg = "`strict` is about a calibrator, and there is no `calibration`"
        raise UsageError(msg, hint="name the calibrator file, or leave `strict` out")
    return AppliedCalibrator(read_calibrator(paths[0]), strict=strict) if paths else None


@dataclass(frozen=True, slots=True)
class AppliedCalibrator:
    """A calibrator from a file, and what happens when it meets whom it was fitted on."""

    stored: StoredCalibrator
    strict: bool = False
    """refuse participants it was fitted on, instead of warning"""

    @property
    def calibration(self) -> Calibration:
        """Return what a confidence needs to know."""
        stored = self.stored
        return Calibration(stored.path, stored.method, stored.features, stored.calibrator)

    def check(self, names: Iterable[str], tables: Sequence[ItemTable]) -> None:
        """Refuse a calibrator that no confidence uses and, if strict, one that is not new."""
        if not any(map(is_calibrated, names)):
            msg = f"no confidence uses the calibrator {self.stored.path}"
            hint = "choose `confidence` calibrated, verbalized_calibrated or calibrated:NAME"
            raise UsageError(msg, hint=hint)
        warnings = self.warnings(tables)
        if self.strict and warnings:
            hint = "fit it on other participants, or leave `strict` out to be warned only"
            raise UsageError(warnings[0], hint=hint)

    def warnings(self, tables: Sequence[ItemTable]) -> list[str]:
        """Say of every input whether the calibrator may know it."""
        found = (self._warning(number, table) for number, table in enumerate(tables))
        return [each for each in found if each is not None]

    def record(self, tables: Sequence[ItemTable]) -> AppliedCalibration:
        """Write down which calibrator it is and how many it has met before."""
        stored = self.stored
        return AppliedCalibration(
            path=stored.path,
            sha256=stored.sha256,
            calibrator=stored.method,
            features=list(stored.features),
            target=stored.target,
            run_id=stored.run_id,
            mode=stored.mode,
            n_samples=stored.n_samples,
            participants_shared=[self._n_shared(table) for table in tables],
            warnings=self.warnings(tables),
        )

    def _n_shared(self, table: ItemTable) -> int | None:
        if self.stored.participants is None or table.unit == "row":
            return None
        # Ids are texts in one file and numbers in another if only one of them has a text id.
        return len(set(map(str, table.participants)) & set(map(str, self.stored.participants)))

    def _warning(self, number: int, table: ItemTable) -> str | None:
        path, n_shared = self.stored.path, self._n_shared(table)
        if n_shared:
            return (
                f"the calibrator {path} was fitted on {n_shared} of the"
                f" {counted(len(table.participants), 'participant')} of input {number}, so its"
                " numbers there flatter it"
            )
        if table.unit == "row":
            return (
                f"input {number} does not say whose its rows are, so the calibrator {path} may have"
                " been fitted on them and its numbers there may flatter it"
            )
        if n_shared is None:
            same = self.stored.run_id is not None and self.stored.run_id == table.source.run_id
            return (
                f"the calibrator {path} was fitted on the run {self.stored.run_id} of input"
                f" {number}, so its numbers there flatter it"
                if same
                else f"the calibrator {path} does not say on whom it was fitted, so its numbers on"
                f" input {number} may flatter it"
            )
        return None
