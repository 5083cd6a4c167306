"""What may be chosen about verdicts."""

from assay.evaluate.verdicts.options import VERDICT_PRESETS as PRESETS
from assay.evaluate.verdicts.options import VerdictOptions

__all__ = ["PRESETS", "VerdictOptions"]
