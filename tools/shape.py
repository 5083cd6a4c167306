"""Print the shape of the source beside its aims; fail where a limit is broken."""

from __future__ import annotations

import ast
import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import assay
from assay.demo import REASONING_FOLDER, VERDICTS_FOLDER

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "assay"
TESTS = ROOT / "tests"

MAX_BODY = 40
MAX_FILE = 500
MAX_PARAMETERS = 6
# What was reached; a commit that raises a ceiling says what that buys.
MOST = {
    "files": 337,
    "lines": 85_500,
    "wiring": 16_300,
    "wiring of lines, %": 21,
    "pipeline.py": 300,
    "numbers.py": 120,
    "imports of lines, %": 8,
    "classes per 1,000 lines": 8,
    "names of families elsewhere": 0,
    "modules of a family that run": 6,
}
LEAST_PER_FILE = 230
"""lines: many small files are read more slowly than few"""
# Before all families went through one pipeline, on 46,535 lines, and where that was to lead.
BEFORE_AND_AIM = {
    "files": ("296", "235"),
    "lines": ("46,535", "41,500"),
    "wiring": ("16,250", "12,000"),
    "wiring of lines, %": ("35", "28"),
    "lines per file": ("157", "180 or more"),
    "pipeline.py": ("267 of 8,616 shared", "300"),
    "numbers.py": ("none", "120"),
    "imports of lines, %": ("11 to 13", "10"),
    "classes per 1,000 lines": ("9.3", "9.4"),
    "names of families elsewhere": ("not counted", "0"),
    "modules of a family that run": ("7 to 10", "6"),
}
# What it takes to add something is shown by a test that adds one.
ADDED = {
    "to add a metric": (
        "2 to 8 files",
        "1 function",
        "test_a_metric_is_one_function_in_every_family",
    ),
    "to add a family, or an option": (
        "9 to 13 modules and 12 files, or 3 to 5 files",
        "1 package and 1 line, or 1 field",
        "test_a_family_is_one_package_and_one_line_and_an_option_one_field",
    ),
    "to add a reader": ("2 dispatchers, 3 sniffers", "1 module", "test_a_reader_is_one_module"),
}
BANNED = {"base", "common", "core", "handler", "helper", "helpers", "manager", "util", "utils"}
UNEXPLAINED = r"# type: ignore(?!\[[\w, -]+\]\s+# \S)"
FAMILIES = {"selective", "calibration", "intervals", "sets", "verdicts", "reasoning"}
HOMES = ("families/", "metrics/", "compat/")
"""where a family may be named: its own package, its formulas, programs that knew no other"""
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
    yield Line("longest file", f"{sizes[longest]} ({longest})", f"<= {MAX_FILE}")
    yield Line("median file", f"{median(sizes.values()):g}", "< 200")
    yield Line("longest cli/ file", str(commands), "<= 150")
    yield Line("test lines per source line", f"{tests / source:.2f}", "0.8 to 1.3")


def wiring(sizes: dict[str, int]) -> int:
    """Lines of the packages of families: what each of them has of its own."""
    return sum(size for name, size in sizes.items() if re.match(r"families/\w+/", name))


def import_lines(tree: ast.Module) -> int:
    """Lines that only say where names come from, or which of them others may use."""
    found: set[int] = set()
    for node in ast.walk(tree):
        exported = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        if exported or isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {*range(node.lineno, (node.end_lineno or 0) + 1)}
    return len(found)


def families_named(name: str, tree: ast.Module) -> list[str]:
    """Where a file asks which family there is: one that is added would not be among them."""
    if name.startswith(HOMES):
        return []
    return [
        f"{name}:{node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        and any(
            isinstance(each, ast.Constant) and each.value in FAMILIES
            for side in (node.left, *node.comparators)
            for each in ast.walk(side)
        )
    ]


def measured(sizes: dict[str, int], trees: dict[str, ast.Module]) -> dict[str, float]:
    """The numbers that have a ceiling."""
    lines, own = sum(sizes.values()), wiring(sizes)
    classes = sum(isinstance(n, ast.ClassDef) for tree in trees.values() for n in ast.walk(tree))
    return {
        "files": len(sizes),
        "lines": lines,
        "wiring": own,
        "wiring of lines, %": 100 * own / lines,
        "pipeline.py": sizes["pipeline.py"],
        "numbers.py": sizes["numbers.py"],
        "imports of lines, %": 100 * sum(map(import_lines, trees.values())) / lines,
        "classes per 1,000 lines": 1000 * classes / lines,
        "names of families elsewhere": sum(len(families_named(*each)) for each in trees.items()),
        "modules of a family that run": max(passed().values()),
    }


def passed() -> dict[str, int]:
    """By family, how many modules of its package run from columns, or files, to the artifact."""
    y, p, ids = [0, 1, 1, 0] * 5, [0.1, 0.8, 0.6, 0.4] * 5, [*range(20)]
    given: dict[str, dict[str, Any]] = {
        "selective": {"loss": y, "confidence": p},
        "calibration": {"y_true": y, "y_prob": p},
        "intervals": {"y": p, "low": [0.0] * 20, "up": [1.0] * 20},
        "sets": {"y": y, "set": [[0, 1]] * 20},
        "verdicts": {"case": ids, "truth": y, "verdict": y, "scale": ("0", "1")},
        "reasoning": {"case": ids, "truth": y, "answer_cot": y, "answer_early": y},
    }
    files: dict[str, dict[str, Any]] = {
        "verdicts": {
            "results": [VERDICTS_FOLDER / "direct.json", VERDICTS_FOLDER / "checked.json"],
            "ground_truth": VERDICTS_FOLDER / "ground_truth.json",
            "sources": VERDICTS_FOLDER / "reviews.jsonl",
        },
        "reasoning": {
            "generations": REASONING_FOLDER / "results",
            "vignettes": REASONING_FOLDER / "vignettes.json",
            "bias_cases": REASONING_FOLDER / "bias_cases.json",
        },
    }
    run: set[str] = set()
    found = dict.fromkeys(given, 0)
    for name, columns in (*given.items(), *files.items()):
        assay.evaluate(name, **columns, n_resamples=0)  # what is imported runs once
        run.clear()
        for follow in (threading.setprofile, sys.setprofile):  # parts are written in threads
            follow(lambda frame, *_: run.add(frame.f_code.co_filename))
        try:
            assay.evaluate(name, **columns, n_resamples=0)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        own = [*filter(re.compile(r".*/families/\w+/\w+\.py").fullmatch, run)]
        found[name] = max(found[name], len(own))
    return found


def house_lines(found: dict[str, float]) -> Iterator[Line]:
    """The numbers of the house that was moved to: today, before, and what was aimed at."""
    every = {**found, "lines per file": found["lines"] / found["files"]}
    for what, (before, aim) in BEFORE_AND_AIM.items():
        limit = f"<= {MOST[what]:,}" if what in MOST else f">= {LEAST_PER_FILE}"
        yield Line(
            what, f"{every[what]:,.1f}".removesuffix(".0"), f"{limit}, aim {aim}, before {before}"
        )
    for what, (before, now, _) in ADDED.items():
        yield Line(what, now, f"before {before}")


def smells(files: dict[str, str]) -> Iterator[Line]:
    """Places to look at, not verdicts."""
    for pattern, homes in SMELLS.items():
        places = search(pattern, {n: text for n, text in files.items() if not n.startswith(homes)})
        if places:
            yield Line(f"smell {pattern}", f"{len(places)} (first {places[0]})", "0, or a reason")


def slid(found: dict[str, float]) -> Iterator[str]:
    """Every number that is worse than what was reached."""
    for what, now in found.items():
        if now > MOST[what]:
            yield f"{what}: {now:,g}, at most {MOST[what]:,}"
    if found["lines"] < LEAST_PER_FILE * found["files"]:
        yield f"{found['lines'] / found['files']:.0f} lines per file, at least {LEAST_PER_FILE}"
    tests = "\n".join(texts(TESTS).values())
    for what, (_, _, test) in ADDED.items():
        if f"def {test}(" not in tests:
            yield f"{what}: the test {test} is gone"


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
    for place in search(UNEXPLAINED, files):
        yield f"{place}: a type: ignore without its code and a comment that gives the reason"


def main() -> int:
    """Print the numbers beside their aims, then what is broken."""
    files = texts(SOURCE)
    sizes = {name: len(text.splitlines()) for name, text in files.items()}
    found = [function for name, text in files.items() for function in functions(name, text)]
    house = measured(sizes, {name: ast.parse(text) for name, text in files.items()})
    every = (*house_lines(house), *body_lines(found), *file_lines(sizes), *smells(files))
    for line in every:
        print(f"  {line.what:44} {line.found:58} {line.aim}")
    failures = [*slid(house), *broken(found, sizes, files)]
    for failure in failures:
        print(f"  broken: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
