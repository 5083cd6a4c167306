"""A field of a record is an option everywhere: keyword, flag, help, choices, check, record.

What may be chosen is declared once, as a field of an option record. The library takes it as a
keyword, the command makes a flag of it, the docs tell its help, the artifact records its value, and
`settled` is the only place where values are looked at.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from functools import cache
from math import isfinite, isnan
from types import MappingProxyType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from assay.errors import UsageError
from assay.showing import listed, named, quoted, shortened, writable

Presets = Mapping[str, Mapping[str, Any]]
"""by name: the options that a preset sets, those left out keep their defaults"""
Record = TypeVar("Record")
Value = TypeVar("Value")
OPTION = "option"
"""where the field of a record keeps what is declared about it"""
LARGEST = 10**18
"""whole numbers are below, as artifacts hold them"""
NOTHING: Presets = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Check:
    """What a value must be, in words, and whether it is."""

    needs: str
    holds: Callable[[Any], bool]


def at_least(least: float, most: float | None = None) -> Check:
    """Ask for a number from some number on."""
    if most is None:
        return Check(f"at least {least:g}", lambda value: value >= least)
    return Check(f"from {least:,} to {most:,}", lambda value: least <= value <= most)


def between(low: float, high: float) -> Check:
    """Ask for a number between two others, which do not count."""
    return Check(f"above {low:g} and below {high:g}", lambda value: low < value < high)


@dataclass(frozen=True, slots=True)
class Option:
    """What there is to say about an option beside its name, its type and its default."""

    help: str
    flags: tuple[str, ...] = ()
    """the first is the one to teach; none: the name of the field"""
    check: Check | None = None
    """of each value, where there are several"""
    hint: str | None = None
    metavar: str | None = None
    shown: str | None = None
    """the default in words, where the value itself says little"""
    metric: str = ""
    """the option of metrics that it sets, where that has another name"""
    recorded: bool = True
    """it is a convention, to be put on record"""
    column: bool = False
    """it names a column of a table, or holds one"""
    levels: bool = False
    """of arrays: a second axis holds one column per level"""
    commas: bool = False
    """several names may stand in one word, with commas between them"""
    listed: bool = True
    """it is a flag of the command; otherwise only a keyword of the library"""


def option(default: Value, said: str | Option, *more: Any, **named: Any) -> Value:
    """Declare a field of an option record: its default, and what there is to say about it.

    What an `Option` takes beside its help may follow. Where several records share an option, or it
    has no default, its type says what it is: `Annotated[str, Option(...)]`.
    """
    about = Option(said, *more, **named) if isinstance(said, str) else said
    made: Value = field(default=default, metadata={OPTION: about})
    return made


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a record: its name, what it may be, its default, and what is declared."""

    name: str
    type: Any
    default: Any
    option: Option

    @property
    def flags(self) -> tuple[str, ...]:
        """Return how a command spells it."""
        return self.option.flags or (f"--{self.name.replace('_', '-')}",)

    @property
    def keywords(self) -> tuple[str, ...]:
        """Return how the library may spell it: the field, or any of the flags."""
        spelled = [flag.lstrip("-").replace("-", "_") for flag in self.flags]
        return tuple(dict.fromkeys([self.name, *spelled]))

    @property
    def required(self) -> bool:
        """Say whether there is no default."""
        return self.default is MISSING


def declared(record: type[Any]) -> Mapping[str, Choice]:
    """Return the options of a record by the names of their fields, in order."""
    key: Any = record
    return _declared(key)


@cache
def _declared(record: Any) -> Mapping[str, Choice]:
    hints = get_type_hints(record, include_extras=True)
    found = {}
    for each in fields(record):
        hint = hints[each.name]
        kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        about = next((note for note in notes if isinstance(note, Option)), None)
        if (about := each.metadata.get(OPTION, about)) is not None:
            found[each.name] = Choice(each.name, kind, each.default, about)
    return MappingProxyType(found)


def keyword_names(record: type[Any]) -> Mapping[str, str]:
    """Return the field behind every keyword; the names of fields come before other spellings."""
    key: Any = record
    return _keyword_names(key)


@cache
def _keyword_names(record: Any) -> Mapping[str, str]:
    choices = declared(record)
    spelled = {word: name for name, choice in choices.items() for word in choice.keywords}
    return MappingProxyType({**spelled, **{name: name for name in choices}})


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def option_record(
    presets: Presets = NOTHING,
) -> Callable[[type[Record]], type[Record]]:
    """Make a class a frozen record of options, whose values are settled whoever makes it."""

    def decorate(plain: type[Record]) -> type[Record]:
        record = dataclass(frozen=True, slots=True)(plain)
        fill: Callable[..., None] = record.__init__

        def __init__(self: Any, *given: Any, **named: Any) -> None:  # noqa: N807 - it is one
            names = [each.name for each in fields(record)]  # type: ignore[arg-type]  # made a dataclass above
            if len(given) > len(names):
                msg = f"found {len(given)} values where there are {len(names)} options"
                raise UsageError(msg)
            fill(self, **settled(record, {**dict(zip(names, given, strict=False)), **named}))

        record.__init__ = __init__  # type: ignore[method-assign]  # the same, with checks before
        PRESETS[record] = presets
        return record

    return decorate


PRESETS: dict[type[Any], Presets] = {}
"""of every option record"""


def settled(record: type[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was chosen about a record, checked, with what its preset says beside.

    None is not chosen. An option may be spelled as its field or as one of its flags.
    """
    names = keyword_names(record)
    plain = {each.name for each in fields(record)} - {*declared(record)}
    own: dict[str, Any] = {}
    said: dict[str, str] = {}
    for word, value in given.items():
        if word not in names and word not in plain:
            raise unknown_option(word, [*names, *plain])
        name = names.get(word, word)
        if value is None:
            continue
        if name in own:
            raise given_twice(said[name], word)
        own[name], said[name] = value, word
    every = {**_preset(record, own), **own}
    choices = declared(record)
    for choice in choices.values():
        if choice.required and choice.name not in every:
            raise UsageError(f"`{choice.name}` was not given", hint=_teach(choice))
    return {
        name: coerced(choices[name], value, said.get(name)) if name in choices else value
        for name, value in every.items()
    }


def _preset(record: type[Any], own: Mapping[str, Any]) -> Mapping[str, Any]:
    presets = PRESETS[record]
    if "preset" not in own or not presets:
        return {}
    preset = own["preset"]
    if not isinstance(preset, str) or preset not in presets:
        raise _refused("preset", f"one of {', '.join(presets)}", preset, _near(preset, presets))
    return presets[preset]


def _teach(choice: Choice) -> str:
    return f"{choice.name}: {choice.option.help}"


# What other packages call options and columns, and what they may be here.
ELSEWHERE = {
    **dict.fromkeys(("y_true", "target"), ("y_true", "truth", "y")),
    "labels": ("classes", "y_true", "truth", "y"),
    **dict.fromkeys(("y_pred", "preds"), ("prediction", "verdict", "answer_cot", "y_prob")),
    **dict.fromkeys(("y_prob", "y_proba", "y_score"), ("y_prob", "score", "confidence")),
    **dict.fromkeys(("y_pis", "y_interval"), ("interval",)),
    **dict.fromkeys(("y_pred_set", "y_set"), ("set",)),
    **dict.fromkeys(("sample_weight", "weight", "weights"), ("weight", "count")),
    **dict.fromkeys(("n_boot", "n_bootstrap", "n_bootstraps"), ("n_resamples",)),
    **dict.fromkeys(("confidence_level", "ci"), ("ci_level",)),
    "random_state": ("seed",),
    "n_jobs": ("threads",),
}
WEIGHED = "rows have no weights here; `assay.estimate` and the metrics themselves take `weight`"


def unknown_option(word: str, known: Iterable[str], others: Iterable[str] = ()) -> UsageError:
    """Say that there is no such option, and which ones there are; others are understood too."""
    names, msg = list(dict.fromkeys(known)), f"there is no option {quoted(word)}"
    meant = [each for each in ELSEWHERE.get(word, ()) if each in {*names, *others}]
    if meant:
        return UsageError(msg, hint=f"it is called `{meant[0]}` here")
    if "count" in ELSEWHERE.get(word, ()):
        return UsageError(msg, hint=WEIGHED)
    hint = near(word, [*names, *others]) or f"the options are {listed(names, most=60)}"
    return UsageError(msg, hint=hint)


def given_twice(one: str, other: str) -> UsageError:
    """Say that two spellings of one thing were used."""
    msg = f"{named(one)} and {named(other)} are one thing, and both were given"
    return UsageError(msg, hint="give one of them")


def near(word: object, names: Iterable[str]) -> str | None:
    """Ask whether a name that is spelled alike was meant."""
    found = get_close_matches(str(word), [*names], n=3)
    return f"did you mean {' or '.join(map(shortened, found))}?" if found else None


def _near(word: object, names: Iterable[str]) -> str | None:
    return near(str(word).lower(), names)


def _refused(name: str, needs: str, value: Any, hint: str | None = None) -> UsageError:
    return UsageError(f"`{name}` must be {needs}, found {quoted(value)}", hint=hint)


def choices_of(kind: Any) -> tuple[Any, ...]:
    """Return the values of a Literal, also of one that may be None; nothing for another type."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    if get_origin(kind) in {Union, UnionType}:
        return tuple(value for each in get_args(kind) for value in choices_of(each))
    return ()


def coerced(choice: Choice, value: Any, said: str | None = None) -> Any:
    """Return a value as its option needs it, or say what is wrong with what was said."""
    name = said or choice.name
    hint = choice.option.hint or choice.option.help or None
    if isinstance(value, Mapping) and "=" in (choice.option.metavar or ""):
        value = tuple(f"{ours}={theirs}" for ours, theirs in value.items())
    found = _of_type(name, choice.type, value, hint)
    check = choice.option.check
    if check is not None:
        for each in found if isinstance(found, tuple) else (found,):
            if each is not None and not check.holds(each):
                raise _refused(name, check.needs, each, hint)
    return found


def _of_type(name: str, kind: Any, value: Any, hint: str | None) -> Any:
    """Read a value as a type: 5.0 is the whole number 5, and one value is a list of one."""
    origin = get_origin(kind)
    if origin in {Union, UnionType}:
        kinds = [each for each in get_args(kind) if each is not NoneType]
        if value is None and NoneType in get_args(kind):
            return None
        if {*kinds} == {int, str}:
            return _label(name, value, hint)
        return value if len(kinds) > 1 else _of_type(name, kinds[0], value, hint)
    if origin is Literal:
        return _one_of(name, get_args(kind), value)
    if origin is tuple:
        return _several(name, get_args(kind), value, hint)
    return SCALARS[kind](name, value, hint) if kind in SCALARS else value


def _one_of(name: str, known: tuple[Any, ...], value: Any) -> Any:
    if not any(type(value) is type(each) and value == each for each in known):
        spelled = ", ".join(map(str, known))
        raise _refused(name, f"one of {spelled}", value, _near(value, map(str, known)))
    return value


def _several(name: str, kinds: tuple[Any, ...], value: Any, hint: str | None) -> tuple[Any, ...]:
    given = value.tolist() if hasattr(value, "tolist") else value
    unordered = isinstance(given, Mapping | set | frozenset)
    one = isinstance(given, str | bytes) or unordered or not isinstance(given, Iterable)
    values = (given,) if one else tuple(given)
    if kinds[-1] is not ... and len(values) != len(kinds):
        raise _refused(name, f"{len(kinds)} values", value, hint)
    return tuple(_of_type(name, kinds[0], each, hint) for each in values)


def _whole(name: str, value: Any, hint: str | None) -> int:
    number = _float(name, value, hint, needs="a whole number")
    if not isfinite(number) or number != int(number):
        raise _refused(name, "a whole number", value, hint)
    if abs(number) >= LARGEST:
        raise _refused(name, "a whole number below 10^18", value, hint)
    return int(value)


def _label(name: str, value: Any, hint: str | None) -> int | str:
    """Read the name of a class as tables do: a flag is a text."""
    if isinstance(value, str):
        return _text(name, value, hint)
    if _is_flag(value):
        return str(value).lower()
    try:
        return _whole(name, value, hint)
    except UsageError:
        raise _refused(name, "a whole number or a text", value, hint) from None


def _float(name: str, value: Any, hint: str | None, needs: str = "a number") -> float:
    if isinstance(value, str | bytes) or _is_flag(value):
        raise _refused(name, needs, value, hint)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise _refused(name, needs, value, hint) from None
    if isnan(number):
        raise _refused(name, needs, value, hint)
    return number


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool) or type(value).__name__ in {"bool_", "bool"}


def _flag(name: str, value: Any, hint: str | None) -> bool:
    if _is_flag(value):
        return bool(value)
    try:
        if operator.index(value) in {0, 1}:
            return bool(value)
    except TypeError:
        pass
    raise _refused(name, "true or false", value, hint)


def _text(name: str, value: Any, hint: str | None) -> str:
    if not isinstance(value, str) or not writable(value):
        raise _refused(name, "a text", value, hint)
    return value


SCALARS: dict[Any, Callable[[str, Any, str | None], Any]] = {
    int: _whole,
    float: _float,
    bool: _flag,
    str: _text,
}


def recorded(options: Any) -> dict[str, Any]:
    """Return every convention under its name, as it is put on record."""
    chosen = {
        name: getattr(options, name)
        for name, choice in declared(type(options)).items()
        if choice.option.recorded
    }
    return {name: list(v) if isinstance(v, tuple) else v for name, v in chosen.items()}


def settings(options: Any) -> dict[str, Any]:
    """Return what was chosen under the names that metrics have for it; a tuple is a grid."""
    choices = declared(type(options))
    return {
        choice.option.metric or name: getattr(options, name) for name, choice in choices.items()
    }
