"""Every example in README and docs runs, every name has its entry, every link leads somewhere."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import click
import msgspec
import pytest
from _pytest.doctest import _get_checker  # numbers are compared to the digits shown

from assay import artifact
from assay.cli import command as program
from assay.cli import main
from assay.columns import COLUMNS
from assay.derive.confidence import known_names
from assay.derive.losses import LOSSES
from assay.families.calibration.options import PRESETS as CALIBRATION_PRESETS
from assay.families.selective.options import PRESETS
from assay.registry import METRICS
from tools import docs

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^```(\w+)[ ]?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
PRINTED = re.compile(r"^print\(.*\)  # (.+)$", re.MULTILINE)
FILES = {"csv", "json", "jsonl", "python"}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.register_optionflag("NUMBER")


@dataclass(frozen=True)
class Block:
    language: str
    label: str
    body: str
    line: int


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(path):
    text = path.read_text(encoding="utf-8")
    return [
        Block(found[1], found[2], found[3], text.count("\n", 0, found.start()) + 1)
        for found in FENCED.finditer(text)
    ]


def page_id(path):
    return path.relative_to(ROOT).as_posix()


def having(*languages):
    found = [path for path in PAGES if {block.language for block in blocks(path)} & {*languages}]
    return pytest.mark.parametrize("path", found, ids=page_id)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A place to try examples in: the repository's `src` is there, and nothing else."""
    (tmp_path / "src").symlink_to(ROOT / "src")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save_files(path, folder):
    for block in blocks(path):
        if block.language in FILES and block.label:
            (folder / block.label).write_text(block.body, encoding="utf-8")


@having("python")
def test_every_python_block_runs_and_prints_what_it_shows(path, folder):
    save_files(path, folder)
    names = {"__name__": "__main__"}
    failures = []
    for block in blocks(path):
        if block.language != "python":
            continue
        if ">>>" not in block.body:
            with redirect_stdout(StringIO()) as output:
                exec(compile(block.body, page_id(path), "exec"), names)  # noqa: S102 - our page
            assert output.getvalue().splitlines() == PRINTED.findall(block.body)
            continue
        example = doctest.DocTestParser().get_doctest(
            block.body, names, page_id(path), page_id(path), block.line
        )
        example.globs = names
        runner = doctest.DocTestRunner(_get_checker(), optionflags=FLAGS)
        runner.run(example, out=failures.append, clear_globs=False)
    assert not failures, "".join(failures)


def commands(block):
    """Yield each command of a console block with what it is shown to print."""
    for part in re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]:
        command, _, shown = re.sub(r"\\\n> ?", "", part).partition("\n")
        yield command, shown


@dataclass(frozen=True)
class Printed:
    code: int
    text: str


def printed(command, folder):
    """Run a command as a shell would; one of ours in this process, which has all of it loaded."""
    words = shlex.split(command)
    if words[0] == "assay" and not set("|<>;&$*`") & set(command):
        return ours(words[1:])
    scripts = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": scripts},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Printed(done.returncode, done.stdout)


def ours(arguments):
    screen = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(screen), redirect_stderr(screen), pytest.raises(SystemExit) as ended:
        main(arguments)
    return Printed(ended.value.code or 0, screen.buffer.getvalue().decode())


def squeezed(text):
    return "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"


@having("console")
def test_every_console_block_prints_what_it_shows(path, folder):
    save_files(path, folder)
    for block in blocks(path):
        if block.language != "console":
            continue
        for command, shown in commands(block):
            result = printed(command, folder)
            place = f"{page_id(path)}:{block.line} $ {command}"
            assert result.code == int(block.label.removeprefix("exit=") or 0), (
                f"{place}\n{result.text}"
            )
            agrees = doctest.OutputChecker().check_output(
                squeezed(shown), squeezed(result.text), doctest.ELLIPSIS
            )
            assert not shown or agrees, f"{place}\n{result.text}"


def test_a_page_has_only_blocks_that_are_checked():
    known = {"python", "console", "text", "sh", *FILES}
    odd = [f"{page_id(p)}:{b.line}" for p in PAGES for b in blocks(p) if b.language not in known]
    assert not odd


def test_the_generated_pages_are_current():
    assert [path.relative_to(ROOT).as_posix() for path in docs.stale()] == []


def test_check_names_each_stale_file_and_writing_makes_it_current(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(docs, "ROOT", tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "selective.md").write_text(text_of("docs/selective.md"), encoding="utf-8")
    assert docs.main(["--check"]) == 1
    assert "docs/metrics.md is stale: run python tools/docs.py" in capsys.readouterr().err
    assert docs.main([]) == 0
    assert docs.main(["--check"]) == 0


def headings(text):
    return {found[1] for found in re.finditer(r"^#+ (.+)$", text, re.MULTILINE)}


def test_every_metric_has_a_heading_and_a_place_on_its_family_page():
    assert {*METRICS} <= headings(docs.catalogue())
    for metric in METRICS.values():
        assert f"`{metric.name}`" in text_of(f"docs/{metric.family}.md")


def test_every_confidence_function_and_column_has_a_heading():
    assert {*known_names()} <= headings(docs.confidence_catalogue())
    assert {*COLUMNS} <= headings(docs.vocabulary())


def options(name):
    contexts = {context.command_path: context for context in docs.command_tree(program)}
    return [
        flag
        for parameter in contexts[name].command.params
        if isinstance(parameter, click.Option) and not parameter.hidden
        for flag in parameter.opts
        if flag.startswith("--")
    ]


def test_every_command_and_every_flag_stands_on_the_command_line_page():
    page = docs.commands()
    for context in docs.command_tree(program):
        assert context.command_path in headings(page)
        for flag in options(context.command_path):
            assert flag in page


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("assay selective", "selective"),
        ("assay calibration", "calibration"),
        ("assay intervals", "intervals"),
        ("assay sets", "sets"),
        ("assay verdicts", "verdicts"),
        ("assay run items", "run"),
        ("assay run generations", "run"),
    ],
)
def test_every_flag_is_explained_on_the_page_of_its_command(name, page):
    text = text_of(f"docs/{page}.md")
    assert [flag for flag in options(name) if f"`{flag}" not in text] == []


def test_every_preset_of_calibration_is_explained():
    page = text_of("docs/definitions-that-differ.md")
    assert all(f"`{preset}`" in page for preset in CALIBRATION_PRESETS)


def test_every_preset_and_every_loss_is_explained():
    assert all(f"`{preset}`" in text_of("docs/definitions-that-differ.md") for preset in PRESETS)
    assert all(f"`{loss}`" in text_of("docs/selective.md") for loss in LOSSES)


def fields():
    records = [getattr(artifact, name) for name in artifact.__all__]
    structs = [
        each for each in records if isinstance(each, type) and issubclass(each, msgspec.Struct)
    ]
    return sorted({field for each in structs for field in each.__struct_fields__})


def test_every_field_of_the_artifact_is_explained():
    text = text_of("docs/artifact.md") + text_of("docs/calibrators.md")
    assert [field for field in fields() if f"`{field}`" not in text] == []


def slug(heading):
    kept = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return kept.replace(" ", "-")


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_every_link_leads_somewhere(path):
    for found in LINK.finditer(path.read_text(encoding="utf-8")):
        target = (path.parent / found[1]).resolve() if found[1] else path
        assert target.exists(), f"{page_id(path)} links to {found[1]}"
        if found[2]:
            known = {slug(each) for each in headings(target.read_text(encoding="utf-8"))}
            assert found[2] in known, f"{page_id(path)} links to {found[0]}"
