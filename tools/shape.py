"""Print the shape of the source beside its aims; fail only where a hard limit is broken."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "assay"
TESTS = ROOT / "tests"

MAX_BODY = 40
MAX_FILE = 500
MAX_PARAMETERS = 6
# What was reached; a commit that raises a ceiling says what that buys.
MOST = {"files": 400, "lines": 77_800, "wiring": 20_970, "pipeline.py": 328, "numbers.py": 160}
BANNED = {"base", "common", "core", "handler", "helper", "helpers", "manager", "util", "utils"}
UNEXPLAINED = r"# type: ignore(?!\[[\w, -]+\]\s+# \S)"
BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match)

# What to search for, and the paths (below src/assay) where it is at home.
SMELLS = {
    r"\butils\b": (),
    r"helper": (),
    r"manager": (),
    r"\bcompute_": ("compat/",),
    r"_v2\b": (),
    r"\blegacy\b": ("compat/",),
    r"enhanced|unified": (),
    r"\bif name ==": (),
    r"\bisinstance\(": ("sources/", "columns.py"),
    r"\.get\([^()]+, ": ("sources/",),
    r"\bround\(": (),
    r"\* 100\b": ("report/",),
    r"\bprint\(": ("cli/",),
    r"^\s*global ": (),
    r"except Exception": (),
    r"\bTODO\b|\bFIXME\b": (),
    r"np\.random\.(?!default_rng|Generator|RandomState)": (),
}


@dataclass(frozen=True, slots=True)
class Function:
    """What is counted of one function."""

    place: str
    body: int
    depth: int
    typed: bool
    public: bool
    n_parameters: int
    n_keyword_only: int


@dataclass(frozen=True, slots=True)
class Line:
    """One measured number beside its aim."""

    what: str
    found: str
    aim: str


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    """All named parameters but the instance or class."""
    arguments = [*node.args.posonlyargs, *node.args.args]
    own = arguments[1:] if arguments and arguments[0].arg in {"self", "cls"} else arguments
    return [*own, *node.args.kwonlyargs]


def body_length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines after the docstring."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def depth(node: ast.AST) -> int:
    """Nested blocks below a node; `elif` does not nest."""
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        chained = isinstance(node, ast.If) and node.orelse == [child] and isinstance(child, ast.If)
        step = isinstance(child, BLOCKS) and not chained
        deepest = max(deepest, step + depth(child))
    return deepest


def functions(name: str, text: str) -> Iterator[Function]:
    """Measure every function of one file."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        named = parameters(node)
        yield Function(
            place=f"{name}:{node.lineno} {node.name}",
            body=body_length(node),
            depth=depth(node),
            typed=node.returns is not None and all(arg.annotation for arg in named),
            public=not node.name.startswith("_"),
            n_parameters=len(named),
            n_keyword_only=len(node.args.kwonlyargs),
        )


def texts(folder: Path) -> dict[str, str]:
    """Every Python file of a folder, by its path there."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.py"))
    }


def search(pattern: str, files: dict[str, str]) -> list[str]:
    """Where a pattern stands outside examples, as file and line."""
    return [
        f"{name}:{number}"
        for name, text in files.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if re.search(pattern, line) and not line.lstrip().startswith((">>>", "..."))
    ]


def percent(part: int, whole: int) -> str:
    """A share for people."""
    return f"{100 * part / whole:.0f} %" if whole else "-"


def body_lines(found: list[Function]) -> Iterator[Line]:
    """The numbers of the functions."""
    bodies = sorted(f.body for f in found)
    longest = max(found, key=lambda f: f.body)
    widest = max(found, key=lambda f: f.n_parameters)
    deepest = max(found, key=lambda f: f.depth)
    public = [f for f in found if f.public]
    yield Line("longest body", f"{longest.body} ({longest.place})", f"<= {MAX_BODY}")
    yield Line("p90 body", str(bodies[int(0.9 * (len(bodies) - 1))]), "<= 20")
    yield Line("median body", f"{median(bodies):g}", "about 6")
    wide = sum(f.n_parameters > MAX_PARAMETERS for f in found)
    yield Line("most parameters", f"{widest.n_parameters} ({widest.place})", f"<= {MAX_PARAMETERS}")
    yield Line(f"functions over {MAX_PARAMETERS} parameters", str(wide), "option records only")
    yield Line("deepest nesting", f"{deepest.depth} ({deepest.place})", "<= 3")
    yield Line("typed functions", percent(sum(f.typed for f in found), len(found)), "100 %")
    keyword_only = sum(f.n_keyword_only for f in public)
    every = sum(f.n_parameters for f in public)
    yield Line("keyword-only parameters", percent(keyword_only, every), ">= 45 %")


def file_lines(sizes: dict[str, int]) -> Iterator[Line]:
    """The numbers of the files."""
    longest = max(sizes, key=sizes.__getitem__)
    source = sum(sizes.values())
    tests = sum(len(text.splitlines()) for text in texts(TESTS).values())
    commands = max((size for name, size in sizes.items() if name.startswith("cli/")), default=0)
    yield Line("files", str(len(sizes)), f"<= {MOST['files']}, aim 235")
    yield Line("lines", str(source), f"<= {MOST['lines']}, aim 41500")
    yield Line("lines of one family each", str(wiring(sizes)), f"<= {MOST['wiring']}, aim 12000")
    yield Line("longest file", f"{sizes[longest]} ({longest})", f"<= {MAX_FILE}")
    yield Line("median file", f"{median(sizes.values()):g}", "< 200")
    yield Line("longest cli/ file", str(commands), "<= 150")
    for name in ("pipeline.py", "numbers.py"):
        yield Line(name, str(sizes[name]), f"<= {MOST[name]}")
    yield Line("test lines per source line", f"{tests / source:.2f}", "0.8 to 1.3")


def wiring(sizes: dict[str, int]) -> int:
    """Lines of the packages of families: what each of them has of its own."""
    return sum(size for name, size in sizes.items() if re.match(r"families/\w+/", name))


def measured(sizes: dict[str, int]) -> dict[str, int]:
    """The numbers that have a ceiling."""
    own = {name: sizes[name] for name in ("pipeline.py", "numbers.py")}
    return {
        "files": len(sizes),
        "lines": sum(sizes.values()),
        "wiring": wiring(sizes),
        **own,
    }


def smells(files: dict[str, str]) -> Iterator[Line]:
    """Places to look at, not verdicts."""
    for pattern, homes in SMELLS.items():
        places = search(pattern, {n: text for n, text in files.items() if not n.startswith(homes)})
        if places:
            yield Line(f"smell {pattern}", f"{len(places)} (first {places[0]})", "0, or a reason")


def broken(found: list[Function], sizes: dict[str, int], files: dict[str, str]) -> Iterator[str]:
    """Every hard limit that does not hold."""
    for function in found:
        if function.body > MAX_BODY:
            yield f"{function.place}: a body of {function.body} lines, at most {MAX_BODY}"
    for name, size in sizes.items():
        if size > MAX_FILE:
            yield f"{name}: {size} lines, at most {MAX_FILE}"
        if BANNED & set(Path(name).with_suffix("").parts):
            yield f"{name}: a name that does not say what is inside"
    for what, found_now in measured(sizes).items():
        if found_now > MOST[what]:
            yield f"{what}: {found_now}, at most {MOST[what]}"
    for place in search(UNEXPLAINED, files):
        yield f"{place}: a type: ignore without its code and a comment that gives the reason"


def main() -> int:
    """Print the numbers beside their aims, then what is broken."""
    files = texts(SOURCE)
    sizes = {name: len(text.splitlines()) for name, text in files.items()}
    found = [function for name, text in files.items() for function in functions(name, text)]
    for line in (*body_lines(found), *file_lines(sizes), *smells(files)):
        print(f"  {line.what:44} {line.found:58} {line.aim}")
    failures = list(broken(found, sizes, files))
    for failure in failures:
        print(f"  broken: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
