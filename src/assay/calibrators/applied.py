"""A calibrator in use: whose confidences it makes, and whether it has seen them before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.artifact import Record
from assay.calibrators.files import read_calibrator
from assay.derive.variants import Calibration, is_calibrated
from assay.errors import UsageError
from assay.showing import counted

if TYPE_CHECKING:
    from assay.calibrators.files import StoredCalibrator
    from assay.sources.items import ItemTable


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
