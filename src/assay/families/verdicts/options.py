"""What may be chosen about verdicts, and the files that they are read from."""

from assay.evaluate.verdicts.options import VERDICT_PRESETS as PRESETS
from assay.evaluate.verdicts.options import VerdictOptions
from assay.families.family import Role

__all__ = ["PRESETS", "ROLES", "VerdictOptions"]

ROLES = (
    Role(
        "results",
        "What a system answered: a results file, a list or JSON lines. Repeat it to compare with"
        " the first, case by case.",
        metavar="RESULTS",
        many=True,
        required=True,
    ),
    Role("ground_truth", "True verdicts and incidents.", metavar="TRUTH", required=True),
    Role(
        "reviews",
        "The texts that are quoted, as JSON or JSON lines; without them quotations are not"
        " checked.",
        metavar="REVIEWS",
    ),
    Role(
        "policy",
        "The policy: a bundled one by name, or a YAML or JSON file. [default: the one that the"
        " files name]",
        metavar="NAME|FILE",
    ),
)
