"""The view model as one HTML file: escaped, with a policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from functools import cache, partial
from importlib.metadata import version
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from assay.artifact import State
from assay.display.first import Mark
from assay.display.svg.marks import (
    bar_svg,
    key_svg,
    mark_svg,
    side_svg,
    state_svg,
    symbols,
)
from assay.display.words import Operating
from assay.showing import spaced

if TYPE_CHECKING:
    from jinja2 import Template

    from assay.report.page.chapters import Opening, Page

WHOLE, LONG, SHORT, BRIEF, TERSE = 5_000, 600, 160, 80, 44
"""characters of a command, of a text, of a title, of a name and of a reason in a table"""
MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
MARKS = re.compile(f"({MARK}{{3}}){MARK}+")
"""accents piled up on one letter, which would cover the lines above"""
LEFTWARD = re.compile(
    r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
    r"(?:[\s\w\-\u0590-\u08ff\ufb1d-\ufefc]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])?"
)
"""words of scripts that run from right to left, with what stands between them"""
SPOKEN = {
    "good": "good: ",
    "bad": "bad: ",
    "open": "cannot tell: ",
    "plain": "",
    "apart": "not compared: ",
    "fact": "",
    "warn": "warning: ",
}
OF_TONE: dict[str, Mark] = {"plain": "fact"}
SIGNS: dict[str, State] = {"r": "right", "w": "wrong", "a": "abstained", "f": "failed"}
DIRECTIONS = {"↓": "lower is better", "↑": "higher is better"}


def rendered(page: Page) -> bytes:
    """Write a page down."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with Jinja

    style = _static("page.css") + _static("cases.css")
    script = "".join(map(_static, ("cases.js", "board.js", "page.js")))
    html = _template().render(
        page=page,
        version=version("assay"),
        policy=Markup(_policy(style, script)),  # noqa: S704 - hashes and keywords of ours
        style=Markup(style),  # noqa: S704 - a file of this package
        script=Markup(script),  # noqa: S704 - as above
        symbols=Markup(symbols()),  # noqa: S704 - drawn here
        data=Markup(embedded(_data(page))),  # noqa: S704 - escaped for its place
    )
    return f"{html}\n".encode()


def rendered_index(index: Any) -> bytes:
    """Write the index of a folder down."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with Jinja

    style, script = _static("page.css"), f"{_static('index.js')}{_static('page.js')}"
    html = _template("index.html.j2").render(
        index=index,
        version=version("assay"),
        policy=Markup(_policy(style, script)),  # noqa: S704 - hashes and keywords of ours
        style=Markup(style),  # noqa: S704 - a file of this package
        script=Markup(script),  # noqa: S704 - as above
    )
    return f"{html}\n".encode()


def fragment(opening: Opening) -> str:
    """Write the first screen of an artifact down, to stand inside another page."""
    first: Any = _template("first.html.j2").module
    return str(first.first(opening, "", "p"))


@cache
def _template(name: str = "page.html.j2") -> Template:
    """Read a template, once: that takes longer than filling it in."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup  # noqa: PLC0415 - comes with it

    def shown(value: object) -> object:
        return value if isinstance(value, Markup) else text_of(value)

    environment = Environment(
        loader=FunctionLoader(_static),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "groups": _groups,
        "led": _led,
        "brief": partial(text_of, most=BRIEF),
        "svg": Markup,
        "sidekey": lambda system: Markup(side_svg(system)),  # noqa: S704 - drawn here
        "state": lambda sign: Markup(state_svg(SIGNS[sign])),  # noqa: S704 - drawn here
        "mark": lambda which: Markup(mark_svg(which)),  # noqa: S704 - drawn here
        "bar": lambda bar: Markup(bar_svg(bar)),  # noqa: S704 - as above, of numbers
        "key": lambda shape: Markup(key_svg(shape)),  # noqa: S704 - as above
        "tone": lambda tone: OF_TONE.get(tone, tone),
        "short": partial(text_of, most=SHORT),
        "terse": partial(text_of, most=TERSE),
        "whole": partial(text_of, most=WHOLE),
        "apart": lambda text: _apart(text_of(text)),
        "name": lambda text: _broken(text_of(text, most=BRIEF)),
        "spoken": SPOKEN.__getitem__,
        "direction": DIRECTIONS.__getitem__,
    }
    return environment.get_template(name)


def _led(address: str) -> str:
    """Lead to filtered cases; without a script, which writes the address, to the list of all."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with Jinja

    place, asked, _ = text_of(address).partition("?")
    if not asked:
        return Markup('href="#{}"').format(place)
    return Markup('href="#{}-list" data-asks="{}"').format(place, text_of(address))


def _apart(text: str) -> str:
    """Keep words that run from right to left from moving the numbers beside them."""
    from markupsafe import Markup, escape  # noqa: PLC0415 - comes with Jinja

    if text.isascii():
        return text
    return Markup(LEFTWARD.sub(r"<bdi>\g<0></bdi>", str(escape(text))))  # noqa: S704 - escaped


def _broken(text: str) -> str:
    """Let a name go on in a new line behind a sign that joins its words."""
    from markupsafe import Markup, escape  # noqa: PLC0415 - comes with Jinja

    return Markup(re.sub(r"[_/](?=\w)", r"\g<0><wbr>", str(escape(text))))  # noqa: S704 - as above


def text_of(value: object, most: int = LONG) -> str:
    r"""Make anything fit to be shown: no control characters, no piles of accents, not endless.

    Examples
    --------
    >>> print(text_of("a\u202eb"))
    a\u202eb
    >>> text_of("x" * 10**6, most=4)
    'xxx…'
    """
    text = str(value)
    return spaced(MARKS.sub(r"\1", text if len(text) <= most else f"{text[: most - 1]}…"))


def _groups(lines: Iterable[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Put statements under the word that they share."""
    return [(word, [text for _, text in own]) for word, own in groupby(lines, lambda line: line[0])]


def _static(name: str) -> str:
    return (files("assay.report.page") / "static" / name).read_text(encoding="utf-8")


def style_of_first() -> str:
    """Return the style of a first screen, without that of the rest of the page."""
    return _static("page.css").partition("/* first screen */")[2].partition("/* the rest */")[0]


def _policy(style: str, *scripts: str) -> str:
    """Allow these scripts and this style by their hashes, pictures in the file, nothing else."""
    allowed = " ".join(_hash(each) for each in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; img-src data:;"
        " connect-src 'none'; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def embedded(value: object) -> str:
    r"""Write JSON that may stand in a script element, whatever strings it holds.

    Examples
    --------
    >>> print(embedded({"a": "</script>"}))
    {"a":"\u003c/script>"}
    """
    text = msgspec.json.encode(value).decode()
    for each in "<\u2028\u2029":
        text = text.replace(each, f"\\u{ord(each):04x}")
    return text


def _data(page: Page) -> dict[str, Any]:
    points = {each.id: each.operating for each in page.chapters if each.operating}
    return {"operating": {f"{key}operating": _choices(each) for key, each in points.items()}}


def _choices(operating: Operating) -> dict[str, Any]:
    return {
        "choices": [
            {
                "first": each.first,
                "command": each.command,
                "points": [msgspec.to_builtins(p) for p in each.points],
            }
            for each in operating.choices
        ]
    }
