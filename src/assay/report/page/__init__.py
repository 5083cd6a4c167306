"""The report as one page that needs nothing else: a pure function of artifacts.

`chapters` lays artifacts out as finished strings, which are written into the template here. Same
artifacts, same bytes. A notebook shows the first screen alone.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from assay.artifact import Artifact, State
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
from assay.families import named
from assay.report.figures import Figure, figures
from assay.report.page.chapters import Chapter, Page, chapter, opening
from assay.report.presenters import require_packages
from assay.showing import counted, spaced
from assay.stored import encode, read_artifact

if TYPE_CHECKING:
    from jinja2 import Template

    from assay.report.page.chapters import Opening

__all__ = ["Opened", "bounded", "opened", "page", "page_of", "snippet"]

LONGEST = 4_000
"""characters of a text that are kept"""
Shape = TypeVar("Shape")
COLOURS = (
    "--ground:#fff;--panel:#f5f7f9;--ink:#16202a;--soft:#51606e;--line:#d3dae1;--hair:#eceff3;"
    "--accent:#0a5a96;--c0:#0b63a8;--c1:#a84c06;--c2:#431540;--rest:#8391a0;--good:#0a6b4c;"
    "--bad:#ad1640;--warn:#6a5200;--warn-ground:#fcf5dd;--warn-line:#dcbf5a;--on-mark:#fff;"
    "background:#fff;color:var(--ink);padding:12px;max-width:1240px;"
    "font:15px/1.45 'Helvetica Neue',Helvetica,Arial,sans-serif"
)
SCREENS = (
    ".unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}"
    "[hidden]{display:none!important}button,select,.remarks a{display:none}p,ul,h3,figure{margin:0}"
    ".sub{font-size:13px;color:var(--soft);margin:4px 0 8px}"
    ".on a{color:inherit;text-decoration:none;pointer-events:none}"
    "@media (max-width:1100px){.split,.split.many{grid-template-columns:minmax(0,1fr)}}"
)


def page(artifacts: Sequence[Any]) -> bytes:
    """Show artifacts, of any families, on one page."""
    require_packages()
    files = [encode(each) for each in artifacts]
    shown = [bounded(each) for each in artifacts]
    return page_of([(each, figures(each), file) for each, file in zip(shown, files, strict=True)])


def page_of(shown: Sequence[tuple[Any, Sequence[Figure], bytes]]) -> bytes:
    """Show artifacts whose texts are bounded with their figures, and the files they come from."""
    alone = len(shown) == 1
    chapters = tuple(
        chapter(artifact, drawn, "" if alone else f"s{place}-", file)
        for place, (artifact, drawn, file) in enumerate(shown, 1)
    )
    return rendered(Page(title=_title(chapters), chapters=chapters))


def _title(chapters: Sequence[Chapter]) -> str:
    families = [*dict.fromkeys(each.opening.family for each in chapters)]
    if len(chapters) == 1:
        alone = chapters[0].opening
        return f"{families[0]}: {alone.first.title if alone.first else alone.title}"
    return ", ".join(families)


@dataclass(frozen=True, slots=True)
class Opened:
    """An artifact with texts of bounded length."""

    artifact: Any
    file: bytes
    """as it is written, with texts of any length"""

    @property
    def figures(self) -> list[Figure]:
        """Everything it has a figure for."""
        return figures(self.artifact)


def opened(path: str) -> Opened:
    """Read an artifact; its reader refuses one that does not hold what is shown of its kind."""
    artifact = read_artifact(path)
    return Opened(bounded(artifact), encode(artifact))


def bounded(artifact: Shape) -> Shape:
    """Cut every text that is longer than anyone reads, and say how long it was."""
    shape = named(artifact.kind).artifact if isinstance(artifact, Artifact) else type(artifact)
    bounded: Shape = msgspec.convert(_cut(msgspec.to_builtins(artifact)), shape)
    return bounded


def _cut(value: Any) -> Any:
    match value:
        case str():
            return _text(value)
        case dict():
            return {_key(key): _cut(each) for key, each in value.items()}
        case list() | tuple():
            return [_cut(each) for each in value]
        case _:
            return value


def _text(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({counted(len(text), 'character')})"


def _key(key: str) -> str:
    """Cut a name, apart from others that begin alike, and everywhere in the same way."""
    stem, at, option = key.partition("@")
    if len(stem) <= LONGEST:
        return key if len(key) <= 2 * LONGEST else f"{key[: 2 * LONGEST]}…"
    digest = hashlib.sha256(stem.encode(errors="surrogatepass")).hexdigest()[:8]
    return f"{_text(stem)} {digest}{at}{option}"


def snippet(artifact: Any) -> str:
    """Show an artifact as HTML; without the package that fills templates in, nothing.

    No script, nothing from elsewhere; every text is escaped, and the style holds for it alone.
    """
    if find_spec("jinja2") is None:
        return ""
    cut = bounded(artifact)
    style = f".assay-first{{{COLOURS};{SCREENS}{style_of_first()}}}"
    return f'<div class="assay-first"><style>{style}</style>{fragment(opening(cut))}</div>'


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
