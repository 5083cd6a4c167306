"""Documented names of earlier programs, one thin module each, over the functions of this one."""

from __future__ import annotations

from assay.compat import calibration, reasoning, selective_prediction, verdicts

__all__ = ["calibration", "reasoning", "selective_prediction", "verdicts"]
