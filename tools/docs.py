"""Write the reference pages and the schema from the code; with --check, only say what is stale.

Every page is a pure function of what is registered, so that a test can call it.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import Any

import click
import numpy as np

from assay.cli import command as program
from assay.columns import COLUMNS, Column
from assay.demo import DEMO_PATH
from assay.derive.confidence import DEFAULT, confidence_column
from assay.derive.confidence_functions import ALIASES, OPERATIONS, Alias
from assay.derive.losses import LOSSES, losses
from assay.families.selective.seed_files import SPELLINGS
from assay.metrics.selective import risk_coverage_curve
from assay.registry import CONFIDENCE, METRICS, ConfidenceFunction, Declared, Metric
from assay.sources import read_run
from assay.stored import schema

ROOT = Path(__file__).resolve().parent.parent
GENERATED = "<!-- Written by tools/docs.py from the source; edit the docstrings instead. -->"
WIDTH = 88
FORMULA = re.compile(r"^\.\. math:: (.*(?:\n[ ]+\S.*)*)", re.MULTILINE)
PICTURE = re.compile(r"(<!-- picture -->\n\n```text\n).*?(```\n)", re.DOTALL)
ACROSS, UP = 60, 12
"""How many characters the picture has along its axes."""
SECTION = re.compile(r"^(Parameters|Notes|References|Examples)\n-+\n", re.MULTILINE)


def catalogue() -> str:
    """Describe every registered metric, family by family."""
    families = dict.fromkeys(metric.family for metric in METRICS.values())
    pages = (_family(name, [m for m in METRICS.values() if m.family == name]) for name in families)
    return _page("Metrics", CATALOGUE_INTRODUCTION, *pages)


CATALOGUE_INTRODUCTION = """\
One entry per number that Assay computes. `assay metrics` prints the list and `assay explain NAME`
one entry. In the library each metric is a function of [columns](columns.md); every one takes a
`weight`, whose last axis is the rows, and returns one number per resample. An undefined number is
NaN in the library, `null` with its reason in the artifact and a dash on the screen."""


def _family(name: str, metrics: Sequence[Metric]) -> str:
    module = import_module(f"assay.metrics.{name}")
    overview = _table(
        ("metric", "what it is", "better"),
        [(f"[`{m.name}`](#{m.name})", m.title, m.better or "neither") for m in metrics],
    )
    examples = _imports(f"assay.metrics.{name}", metrics)
    entries = [_metric(metric) for metric in metrics]
    return "\n\n".join([f"## {name}", _prose(module.__doc__), overview, examples, *entries])


def _imports(module: str, entries: Sequence[Metric | ConfidenceFunction], before: str = "") -> str:
    """Show the import that the examples of a page need."""
    names = wrap(", ".join(sorted(entry.name for entry in entries)) + ",", WIDTH)
    lines = "".join(f"...     {line}\n" for line in names)
    return (
        f"The examples assume\n\n```python\n{before}>>> from {module} import (\n{lines}... )\n```"
    )


def _metric(metric: Metric) -> str:
    text = _sections(metric.function)
    parts = [
        f"### {metric.name}",
        f"**{metric.title}.**",
        _prose(text["meaning"]),
        _prose(text.get("Notes", "")),
        "\n".join(f"- {label}: {value}" for label, value in _facts(metric, text["References"])),
        f"```python\n{text['Examples']}\n```",
    ]
    return "\n\n".join(part for part in parts if part)


def _facts(metric: Metric, references: str) -> Iterator[tuple[str, str]]:
    yield "Better", metric.better or "neither: it describes another number"
    yield "Values", _range(*metric.bounds)
    yield "Undefined", f"when {metric.undefined}" if metric.undefined else "never"
    yield "Columns", ", ".join(_column_link(name) for name in metric.columns)
    yield "Optional columns", ", ".join(_column_link(name) for name in metric.optional)
    for name, default in metric.options.items():
        yield f"Option `{name}`", _option(metric, name, default)
    yield from _declarations(metric)
    earlier = [old for old, ours in SPELLINGS.items() if ours == metric.name != old]
    if earlier:
        yield "Earlier name in the artifact", ", ".join(f"`{name}`" for name in earlier)
    yield "Reference", " ".join(references.split())


def _declarations(metric: Metric) -> Iterator[tuple[str, str]]:
    if metric.copies:
        yield "Weights", f"whole numbers (copies of a row){_where(metric.copies)}"
    if metric.ordered:
        yield "Order", f"row order breaks ties{_where(metric.ordered)}, so rows may not be merged"
    if metric.losses is not None:
        yield "Losses of 0 and 1", f"at most {metric.losses:g}, where intervals end too"
    if metric.covers:
        yield "Interval", f"covers {metric.covers} in simulation"
    if metric.reference is not None:
        yield "Preset `reference`", f"{metric.reference:g} where it is undefined"
    for option, other in metric.common.items():
        yield (
            "In a comparison",
            f"also as `{metric.name}@common`: `{option}` is the smallest `{other}` of the inputs",
        )


def _where(declared: Declared) -> str:
    conditions = {} if isinstance(declared, bool) else declared
    said = " and ".join(f"`{option}` is `{value}`" for option, value in conditions.items())
    return f" where {said}" if said else ""


def _option(metric: Metric, name: str, default: object) -> str:
    choices = getattr(metric.function.__globals__.get(_annotation(metric, name)), "__args__", ())
    listed = " or ".join(f"`{choice}`" for choice in choices) or "a number"
    return f"{listed}; default `{default}`"


def _annotation(metric: Metric, name: str) -> str:
    return str(metric.function.__annotations__[name])


def _range(low: float, high: float) -> str:
    if (low, high) == (float("-inf"), float("inf")):
        return "any number"
    return f"at least {low:g}" if high == float("inf") else f"from {low:g} to {high:g}"


def _column_link(name: str) -> str:
    return f"[`{name}`](columns.md#{name})"


def confidence_catalogue() -> str:
    """Describe every confidence function, the aliases and the grammar that combines two."""
    functions = sorted(CONFIDENCE.values(), key=lambda each: each.name)
    overview = _table(
        ("name", "what it is", "signals"),
        [(f"[`{f.name}`](#{f.name})", f.title, _coded(f.signals)) for f in functions]
        + [(f"[`{name}`](#{name})", "an alias", "see below") for name in ALIASES],
    )
    introduction = CONFIDENCE_INTRODUCTION.format(default=_coded(DEFAULT))
    return _page(
        "Confidence functions",
        introduction,
        overview,
        _imports("assay.derive.confidence_functions", functions, ">>> import numpy as np\n"),
        *map(_confidence, functions),
        *(_alias(name, alias) for name, alias in ALIASES.items()),
        SECONDARY.format(operations=_coded(OPERATIONS)),
        CALIBRATED,
    )


CONFIDENCE_INTRODUCTION = """\
A confidence function turns the signals a system stored with an item into one number by which
answers are ranked; higher is surer, and only the order counts. `--confidence` chooses:

- `default`: {default} for a run file; the column `confidence` of a plain table if it has one
- `all`: every function and alias below, `score_token_*` only where the run has their signals and
  not with `--missing reference` (for a plain table: those its columns support)
- a list such as `token_msp,consistency`; in a plain table the name of any column also works

NaN stands for a null signal. What null means is part of each function. A key that is absent, a
boolean or a text is an error that names the file, the participant, the item, the signal, and the
functions the input does support. `--missing reference` reads an absent evidence count as 0 and
booleans as numbers (except in `verbalized_confidence`), as an earlier program did. Only answered
items need a confidence."""

SECONDARY = """\
## secondary:A+B:operation

`secondary:token_msp+llm:average` combines two functions or aliases from this page. The operations
are {operations}. The name is split at its last colon and then at its first plus; combinations do
not nest. Nothing is rescaled first, so averaging a count and a probability lets the count
dominate."""


CALIBRATED = """\
## calibrated

With `--calibration`, a [calibrator](calibrators.md) file, three more names: `calibrated` feeds the
calibrator the stored signals it was fitted on, `verbalized_calibrated` feeds it `verbalized`, and
`calibrated:NAME` any confidence from this page. The last two need a temperature or an isotonic
calibrator, the first anything but a temperature."""


def _confidence(function: ConfidenceFunction) -> str:
    text = _sections(function.function)
    signals = "\n".join(f"- {_column_link(name)}: {_meaning(name)}" for name in function.signals)
    parts = (f"## {function.name}", f"**{function.title}.**", _prose(text["meaning"]), signals)
    return "\n\n".join([*parts, f"```python\n{text['Examples']}\n```"])


def _alias(name: str, alias: Alias) -> str:
    readings = [
        f"- `{reading}`: {_coded(inspect.signature(function).parameters)}"
        for reading, function in alias.readings.items()
    ]
    option = f"The reading is chosen with `--{name.replace('_', '-')}`; the first is the default."
    return "\n\n".join([f"## {name}", f"An alias: {alias.reason}.", option, "\n".join(readings)])


def vocabulary() -> str:
    """Describe every column, and the losses that fill one of them."""
    columns = [item for item in COLUMNS.items() if not item[1].signal]
    signals = [item for item in COLUMNS.items() if item[1].signal]
    rows = [(f"`{loss.name}`", f"`{loss.definition}`", _largest(loss)) for loss in LOSSES.values()]
    return _page(
        "Columns",
        VOCABULARY_INTRODUCTION,
        "## Columns of metrics",
        *(_column(name, column) for name, column in columns),
        "## Losses",
        "`--loss` says how a prediction and a truth become the column `loss`.",
        _table(("loss", "definition", "largest value"), rows),
        "## Signals",
        "Stored by the system under test and read by [confidence functions](confidence.md) only.",
        *(f"### {name}\n\n{_sentence(column.meaning)}" for name, column in signals),
    )


VOCABULARY_INTRODUCTION = """\
A parameter of a metric or of a confidence function is filled by the column of the same name. This
is the whole vocabulary. Every column is checked in one place: finite numbers within its range, one
per row."""


def _column(name: str, column: Column) -> str:
    facts = [f"values: {'whole numbers ' if column.whole else ''}{_range(column.low, column.high)}"]
    if column.default is not None:
        facts.append(f"default: {column.default:g} in every row")
    if column.where:
        facts.append(f"needed only where `{column.where}` is 1; may hold anything elsewhere")
    listed = "\n".join(f"- {fact}" for fact in facts)
    return f"### {name}\n\n{_sentence(column.meaning)}\n\n{listed}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _largest(loss: Any) -> str:
    if loss.per_width or not loss.power:
        return "1"
    return "the width of the scale" + (" squared" if loss.power > 1 else "")


def commands() -> str:
    """Show the help text of every command."""
    return _page("Command line", COMMANDS_INTRODUCTION, *map(_command, command_tree(program)))


COMMANDS_INTRODUCTION = (
    "What `--help` prints for each command. `python -m assay` is the same program."
)


def command_tree(group: click.Command) -> Iterator[click.Context]:
    """Yield a context for a command and, below it, for all its commands."""
    pending = [click.Context(group, info_name="assay", **group.context_settings)]
    for context in pending:
        context.terminal_width = WIDTH
        yield context
        if isinstance(context.command, click.Group):
            for name in context.command.list_commands(context):
                command = context.command.get_command(context, name)
                if command is not None and not command.hidden:
                    pending.append(click.Context(command, info_name=name, parent=context))


def _command(context: click.Context) -> str:
    return f"## {context.command_path}\n\n```text\n{context.command.get_help(context)}\n```"


def illustrated() -> str:
    """Return the family page with its picture drawn anew from the example run."""
    page = (ROOT / "docs" / "selective.md").read_text(encoding="utf-8")
    return PICTURE.sub(lambda found: f"{found[1]}{picture()}{found[2]}", page)


def picture() -> str:
    """Draw the risk-coverage curve of the example run, and the oracle's, as text."""
    run = read_run(DEMO_PATH, mode="few_shot")
    loss = losses("abs_norm", run.prediction, run.truth, scale=run.scale)
    given = confidence_column("llm", run.signals, run.answered)
    curve = risk_coverage_curve(loss, given, answered=run.answered)
    oracle = risk_coverage_curve(loss, -loss, answered=run.answered, area="step")
    top = 0.12
    cells = [[" "] * (ACROSS + 1) for _ in range(UP + 1)]
    for drawn, mark in ((oracle, "."), (curve, "-")):
        for column in range(int(drawn.coverage[-1] * ACROSS) + 1):
            risk = np.interp(column / ACROSS, drawn.coverage, drawn.selective_risk)
            cells[UP - round(UP * risk / top)][column] = mark
    for coverage, risk in zip(curve.coverage, curve.selective_risk, strict=True):
        cells[UP - round(UP * risk / top)][round(ACROSS * coverage)] = "o"
    labels = [f"{top * (UP - row) / UP:.2f}" if row % 4 == 0 else "    " for row in range(UP + 1)]
    lines = [f"{label} |{''.join(row).rstrip()}" for label, row in zip(labels, cells, strict=True)]
    ticks = "".join(f"{tick / 5:<{ACROSS // 5}.1f}" for tick in range(6)).rstrip()
    return "\n".join(
        ["risk", *lines, f"     +{'-' * (ACROSS + 1)}", f"      {ticks}  coverage", ""]
    )


def _sections(function: Callable[..., Any]) -> dict[str, str]:
    """Cut a docstring at its headings; what stands between title and headings is the meaning."""
    text = inspect.getdoc(function) or ""
    first, *rest = SECTION.split(text.partition("\n")[2])
    named = dict(zip(rest[::2], rest[1::2], strict=True))
    return {name: body.strip() for name, body in {"meaning": first, **named}.items()}


def _prose(text: str | None) -> str:
    """Turn the markup of docstrings into Markdown."""
    formulas = FORMULA.sub(_formula, (text or "").strip())
    inline = re.sub(r":math:`([^`]+)`", r"$\1$", formulas)
    return inline.replace("``", "`")


def _formula(found: re.Match[str]) -> str:
    lines = "\n".join(line.strip() for line in found[1].splitlines())
    return f"$$\n{lines}\n$$"


def _meaning(name: str) -> str:
    return COLUMNS[name].meaning


def _coded(names: Sequence[str] | Mapping[str, Any]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _page(title: str, *parts: str) -> str:
    return "\n\n".join([GENERATED, f"# {title}", *parts]) + "\n"


PAGES: Mapping[str, Callable[[], str]] = {
    "docs/metrics.md": catalogue,
    "docs/confidence.md": confidence_catalogue,
    "docs/columns.md": vocabulary,
    "docs/cli.md": commands,
    "docs/selective.md": illustrated,
    "src/assay/schemas/artifacts.schema.json": lambda: schema().decode(),
}


def stale() -> dict[Path, str]:
    """Return what each file that differs from the code should hold."""
    wanted = {ROOT / name: page() for name, page in PAGES.items()}
    return {path: text for path, text in wanted.items() if _held(path) != text}


def _held(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def main(arguments: Sequence[str]) -> int:
    """Write or check all pages."""
    for path, text in (found := stale()).items():
        name = path.relative_to(ROOT).as_posix()
        if "--check" in arguments:
            print(f"{name} is stale: run python tools/docs.py", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    return 1 if found and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
