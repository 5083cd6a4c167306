"""Options are declared once: what a field says is what every door takes, checks and records."""

from __future__ import annotations

from dataclasses import fields, replace
from types import MappingProxyType
from typing import Annotated, Literal

import click
import numpy as np
import pytest
from click.testing import CliRunner

from assay import families, metrics
from assay.cli.options import flags_of, given_to
from assay.errors import AssayError, UsageError
from assay.families.calibration.options import CalibrationOptions
from assay.inference import Plan
from assay.options import PRESETS as OPTION_RECORDS_MADE
from assay.options import (
    Check,
    Option,
    at_least,
    between,
    declared,
    option,
    option_record,
    recorded,
    settings,
)

PRESETS = MappingProxyType({"default": {}, "many": {"n_bins": 50, "kind": "quantile"}})


@option_record(PRESETS)
class Choices:
    """What may be chosen here."""

    n_bins: Annotated[int, Option("How many bins.", ("--bins",), check=at_least(1, 100))] = 10
    kind: Annotated[Literal["uniform", "quantile"], Option("Where they end.")] = "uniform"
    level: Annotated[tuple[float, ...], Option("Levels.", check=between(0, 1), metric="levels")] = (
        0.9,
    )
    ends: Annotated[tuple[float, float], Option("Two.", check=at_least(0, 3))] = (0.0, 3.0)
    names: Annotated[tuple[str, ...], Option("Names.", commas=True)] = ()
    columns: Annotated[tuple[tuple[str, ...], ...], Option("Columns.", column=True)] = ()
    strict: Annotated[bool, Option("Be strict.", recorded=False)] = False
    at_most: Annotated[int | None, Option("At most so many.")] = None
    either: Annotated[int | str, Option("A number or a name.")] = 0
    preset: Annotated[str, Option("A bundle.")] = "default"
    inside: int = 1


BINS = Option("How many bins.", ("--bins",), check=at_least(1, 100))


@pytest.mark.parametrize(
    "field",
    [option(10, BINS), option(10, BINS.help, BINS.flags, check=BINS.check)],
    ids=["an option", "what one takes"],
)
def test_a_field_declares_an_option_as_its_type_does(field):
    @option_record()
    class Bins:
        n_bins: int = field

    found, other = declared(Bins)["n_bins"], declared(Choices)["n_bins"]
    assert (found.type, found.default, found.flags) == (other.type, other.default, other.flags)
    assert (found.option.help, found.option.check.needs) == (BINS.help, BINS.check.needs)
    assert (Bins().n_bins, Bins(bins=3.0).n_bins) == (10, 3)
    with pytest.raises(UsageError, match="`n_bins` must be from 1 to 100, found 0"):
        Bins(n_bins=0)


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ({"n_bins": 5.0}, "n_bins", 5),
        ({"n_bins": np.int32(7)}, "n_bins", 7),
        ({"bins": 3}, "n_bins", 3),
        ({"level": 0.8}, "level", (0.8,)),
        ({"level": np.array([0.5, 0.8])}, "level", (0.5, 0.8)),
        ({"level": [0.5]}, "level", (0.5,)),
        ({"names": "a"}, "names", ("a",)),
        ({"strict": np.bool_(1)}, "strict", True),
        ({"strict": 1}, "strict", True),
        ({"at_most": 4.0}, "at_most", 4),
        ({"either": "x"}, "either", "x"),
        ({"kind": None}, "kind", "uniform"),
        ({"preset": "many"}, "n_bins", 50),
        ({"preset": "many", "n_bins": 2}, "n_bins", 2),
        ({"preset": "many", "n_bins": 2}, "kind", "quantile"),
        ({"inside": 5}, "inside", 5),
    ],
)
def test_a_value_is_read_as_the_type_of_its_field(given, name, value):
    found = getattr(Choices(**given), name)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("given", "message", "hint"),
    [
        (
            {"kind": "Uniform"},
            "`kind` must be one of uniform, quantile, found 'Uniform'",
            "uniform",
        ),
        ({"kind": True}, "`kind` must be one of uniform, quantile, found True", None),
        ({"n_bins": 0}, "`n_bins` must be from 1 to 100, found 0", None),
        ({"n_bins": 2.5}, "`n_bins` must be a whole number, found 2.5", None),
        ({"n_bins": "5"}, "`n_bins` must be a whole number, found '5'", None),
        ({"n_bins": True}, "`n_bins` must be a whole number, found True", None),
        ({"n_bins": float("inf")}, "`n_bins` must be a whole number, found inf", None),
        ({"n_bins": [1, 2]}, "`n_bins` must be a whole number, found [1, 2]", None),
        ({"level": 1.0}, "`level` must be above 0 and below 1, found 1.0", None),
        ({"level": (0.5, "x")}, "`level` must be a number, found 'x'", None),
        ({"level": float("nan")}, "`level` must be a number, found nan", None),
        ({"ends": (0, 1, 2)}, "`ends` must be 2 values, found (0, 1, 2)", None),
        ({"ends": (0, 4)}, "`ends` must be from 0 to 3, found 4.0", None),
        ({"names": 3}, "`names` must be a text, found 3", None),
        ({"strict": "yes"}, "`strict` must be true or false, found 'yes'", None),
        ({"strict": 2}, "`strict` must be true or false, found 2", None),
        ({"preset": "mny"}, "`preset` must be one of default, many, found 'mny'", "many"),
        ({"n_bin": 5}, "there is no option 'n_bin'", "n_bins"),
        ({"zzz": 5}, "there is no option 'zzz'", "the options are"),
    ],
)
def test_a_wrong_value_or_name_is_refused_with_the_choices(given, message, hint):
    with pytest.raises(UsageError) as refused:
        Choices(**given)
    assert refused.value.message == message
    assert hint is None or hint in (refused.value.hint or "")


def test_more_values_than_options_are_refused():
    with pytest.raises(UsageError, match="found 12 values where there are 11 options"):
        Choices(*range(12))


def test_a_copy_with_another_value_is_checked_as_well():
    chosen = Choices(preset="many")
    assert replace(chosen, kind="uniform").n_bins == 50
    with pytest.raises(UsageError, match="found 'none'"):
        replace(chosen, kind="none")


def test_an_option_without_default_must_be_given():
    @option_record()
    class Needed:
        y: Annotated[str, Option("The truth.", column=True)]

    with pytest.raises(UsageError, match="`y` was not given") as refused:
        Needed()
    assert refused.value.hint == "y: The truth."


def test_conventions_and_settings_are_the_fields():
    chosen = Choices(level=(0.5, 0.8), strict=True)
    assert recorded(chosen)["level"] == [0.5, 0.8]
    assert "strict" not in recorded(chosen)
    assert settings(chosen)["levels"] == (0.5, 0.8)


def test_a_check_says_what_it_needs():
    assert at_least(2).needs == "at least 2"
    assert isinstance(at_least(2), Check)


def run(*words):
    """Parse words with the flags of the record, and fill it."""
    flags = flags_of(Choices)
    found = {}

    def fill(**chosen):
        found["record"] = Choices(**given_to(flags, chosen))

    command = click.Command("x", params=[*flags.values()], callback=fill)
    result = CliRunner().invoke(command, words, catch_exceptions=False)
    return found.get("record"), result


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ((), {}),
        (("--bins", "5"), {"n_bins": 5}),
        (("--kind", "quantile"), {"kind": "quantile"}),
        (("--level", "0.5,0.8"), {"level": (0.5, 0.8)}),
        (("--level", "0.5", "--level", "0.8"), {"level": (0.5, 0.8)}),
        (("--ends", "1,2"), {"ends": (1, 2)}),
        (("--names", "a,b", "--names", "c"), {"names": ("a", "b", "c")}),
        (("--columns", "a,b", "--columns", "c"), {"columns": (("a", "b"), ("c",))}),
        (("--strict",), {"strict": True}),
        (("--preset", "many"), {"preset": "many"}),
    ],
)
def test_a_command_gives_what_the_library_gives(words, given):
    assert run(*words)[0] == Choices(**given)


def test_the_help_of_a_flag_is_that_of_the_field():
    _, result = run("--help")
    assert "--bins INTEGER" in result.output
    assert "How many bins. [default: 10]" in result.output
    assert "[uniform|quantile]" in result.output
    assert "inside" not in result.output


OPTION_RECORDS = [
    record
    for name in families.NAMES
    for record in (families.named(name).options, families.named(name).columns)
    if record in OPTION_RECORDS_MADE
] + [Plan]


@pytest.mark.parametrize("record", OPTION_RECORDS, ids=lambda record: record.__name__)
def test_every_choice_of_every_family_refuses_another_word(record):
    """No field of words takes a word that it does not know."""
    required = {name: "x" for name, choice in declared(record).items() if choice.required}
    for name, choice in declared(record).items():
        free = {str, tuple[str, ...], tuple[str | int, ...], tuple[tuple[str, ...], ...]}
        if choice.type in free or type(None) in getattr(choice.type, "__args__", ()):
            continue
        with pytest.raises(UsageError) as refused:
            record(**{**required, name: "bogus"})
        assert f"`{name}`" in refused.value.message


@pytest.mark.parametrize("record", OPTION_RECORDS, ids=lambda record: record.__name__)
def test_every_option_says_what_it_is_for(record):
    for name, choice in declared(record).items():
        assert choice.option.help.endswith("."), name
        assert {each.name for each in fields(record)} >= {name}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: CalibrationOptions(preset=[]), "`preset` must be one of default, mapie"),
        (lambda: metrics.aurc_at_coverage([0, 1], [2, 1], area_coverage="x"), "must be a number"),
        (lambda: metrics.aurc_at_coverage([0, 1], [2, 1], area_coverage={}), "must be a number"),
        (lambda: metrics.spiegelhalter_p_value([0, 1], [0.2, 0.7], tail=np.nan), "one of upper"),
        (
            lambda: metrics.size_stratified_coverage([1], [0], [2], n_groups=np.nan),
            "a whole number, found nan",
        ),
        (lambda: metrics.ece([0, 1], [[0.2], [0.7]]), "one value per row, found 2 axes"),
    ],
)
def test_values_of_any_type_are_refused_in_words(call, said):
    with pytest.raises(AssayError, match=said):
        call()
