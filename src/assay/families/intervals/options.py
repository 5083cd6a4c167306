"""What may be chosen about intervals."""

from assay.evaluate.claims import INTERVAL_PRESETS as PRESETS
from assay.evaluate.claims import IntervalColumns, IntervalOptions

__all__ = ["PRESETS", "IntervalColumns", "IntervalOptions"]
