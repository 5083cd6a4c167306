"""What may be chosen about sets."""

from assay.evaluate.claims import SET_PRESETS as PRESETS
from assay.evaluate.claims import SetColumns, SetOptions

__all__ = ["PRESETS", "SetColumns", "SetOptions"]
