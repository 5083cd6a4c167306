"""Documented names of earlier programs, one thin module each, over the functions of this one."""

from __future__ import annotations

from assay.compat import calibration, selective_prediction

__all__ = ["calibration", "selective_prediction"]
