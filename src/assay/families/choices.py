"""Options that several families have: one spelling and one meaning wherever they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from assay.artifact import Content
from assay.errors import UsageError
from assay.families.family import Role
from assay.inference import Plan
from assay.options import Check, Option, between, keyword_names, option, option_record

TABLES = Role(
    "table",
    "Another table to compare with the first; the same as a further TABLE.",
    metavar="TABLE",
    flags=("--input",),
    many=True,
    required=True,
    positional=True,
)
CALIBRATOR = Role(
    "calibration",
    "Runs: a calibrator file (see `assay calibrate`) for the confidences calibrated,"
    " verbalized_calibrated and calibrated:NAME.",
    metavar="CAL",
)
Truth = Annotated[
    str, Option("The column of the truth, or a .npy file that holds it.", column=True)
]
Cluster = Annotated[
    str | None,
    Option(
        "The column of clusters, such as participants; without it rows are independent.",
        column=True,
    ),
]
Group = Annotated[
    str | None, Option("A column of groups, which are looked at one by one.", column=True)
]


def unlisted(meaning: str, *flags: str) -> Option:
    """Name columns that tables of Python users hold; commands read files that have none."""
    return Option(meaning, flags, column=True, listed=False)


Groups = Annotated[str | None, unlisted("Groups, which are looked at one by one.")]
Item = Annotated[
    str | None,
    Option(
        "The column that says which row it is, within its cluster; it must be the same in all"
        " tables, and names the cases.",
        column=True,
        shown="the place of the row",
    ),
]
Missing = Annotated[
    Literal["error", "drop"],
    Option("Refuse rows without a truth or what is stated about it, or drop and count them."),
]
ClaimedLevel = Annotated[
    tuple[float, ...],
    Option(
        "The coverage that is claimed; one per interval or set where there are several.",
        check=between(0, 1),
        hint="0.9 claims that 90 percent of the truths are covered",
    ),
]
Preset = Annotated[str, Option("A named bundle of the other options; those given win.")]
CODE_OR_PRINTED = Option("Formulas as programs compute them, or as they are printed.")
REPRODUCING = frozenset({"item-step", "mapie", "printed", "reference", "seed"})
"""presets that follow another program, whose intervals are percentiles"""
SHARE = Check("above 0 and at most 1", lambda value: 0.0 < value <= 1.0)


@option_record()
class Keeping:
    """What every artifact may keep or leave out."""

    cases: Content = option(
        "texts",
        "What the artifact and the page hold of single cases: texts of the input too, ids with"
        " labels and numbers, or none; counts are always complete.",
    )


def planned(options: Any, chosen: Mapping[str, Any]) -> Plan:
    """Return how to resample; where another program is followed, with its intervals."""
    given = {name: value for name, value in chosen.items() if value is not None}
    spelled = keyword_names(Plan)
    followed = getattr(options, "preset", None) in REPRODUCING
    fields = {spelled.get(name) for name in given}
    if followed and "method" not in fields:
        given["method"] = "percentile"
    usual = getattr(options, "usual_resamples", None)
    if usual is not None and "n_resamples" not in fields:
        given["n_resamples"] = usual
    return Plan(**given)


def refuse_repeated(options: Any, *names: str) -> None:
    """Refuse lists that name nothing, or a value twice."""
    for name in names:
        values = getattr(options, name)
        if not values:
            raise UsageError(f"`{name}` names no value", hint="give one value or more")
        if len(set(values)) < len(values):
            raise UsageError(f"`{name}` names a value twice", hint="give each value once")
