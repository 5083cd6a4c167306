"""Names that a terminal would act on: spelled out wherever they are shown."""

from __future__ import annotations

import json

import pytest

from tests.reasoning_files import made

SIGNS = "\x1b]0;x\x07\x1b[31m\u202e\x9b2J"
NAME = f"a{SIGNS}b"


def plain(done):
    """Say whether what was printed holds nothing but lines of printable text."""
    return all(line.isprintable() for text in (done.out, done.err) for line in text.split("\n"))


@pytest.fixture
def scores(folder):
    rows = [f"{n % 2},{n / 12},{(n * 5 % 12) / 12},0,1" for n in range(12)]
    path = folder / f"{NAME}.csv"
    path.write_text("\n".join([f'y,p,"{NAME}",low,up', *rows]), encoding="utf-8")
    return path.name


CALIBRATION = ("--y-true", "y", "--y-score", "p", "--y-score", NAME, "--bootstrap-resamples", "10")


@pytest.mark.parametrize(
    "form", [("--html", f"{NAME}.html"), *(("--format", each) for each in ("md", "tex", "csv"))]
)
def test_names_of_files_and_columns_are_spelled_out(assay, scores, form):
    done = assay("calibration", scores, *CALIBRATION, "--output", f"{NAME}.json", *form)
    assert done.code == 0
    assert plain(done)
    assert "wrote a\\x1b]0;x\\x07\\x1b[31m\\u202e\\x9b2Jb.json" in done.err


def test_later_commands_spell_them_out_too(assay, scores, folder):
    assay("calibration", scores, *CALIBRATION, "--output", f"{NAME}.json", "--quiet")
    for more in (
        ("figures", f"{NAME}.json", "--output", NAME, "--only", "cumulative-differences"),
        ("figures", f"{NAME}.json", "--list"),
        ("figures", f"{NAME}.json", "--only", NAME),
        ("report", f"{NAME}.json", "--format", "csv"),
        ("report", f"{NAME}.json", "--format", "md", "--table", NAME),
        ("report", f"{NAME}.json", "--output", f"{NAME}.html"),
        ("report", NAME),
        ("selective", "--input", NAME),
        ("selective", f"--{NAME}"),
        (NAME,),
        ("explain", NAME),
        ("intervals", scores, "--y", "p", "--low", "low", "--up", NAME, "--output", "i.json"),
    ):
        assert plain(assay(*more)), more


def test_names_of_models_are_spelled_out(assay, folder):
    made(folder)
    (folder / "results" / "one").rename(folder / "results" / "o\u202ene")
    done = assay(
        *("reasoning", "results", "--vignettes", "vignettes.json", "--gold-labels", "labels.json"),
        *("--bootstrap-resamples", "10", "--output", NAME),
    )
    assert done.code == 0
    assert plain(done)
    assert (folder / NAME / "metric-results" / "o%E2%80%AEne_metrics.json").exists()
    found = json.loads((folder / NAME / "reasoning.json").read_bytes())
    assert [each["name"] for each in found["systems"]] == ["o\u202ene", "two"]
    assert plain(assay("extract", "results", "--output", f"{NAME}2"))


def test_a_terminal_without_a_sign_gets_its_spelling(process, folder):
    rows = "\n".join(f"{n % 2},{n / 12}" for n in range(12))
    (folder / "t.csv").write_text(f"y,\N{GRINNING FACE}\n{rows}", encoding="utf-8")
    given = ("calibration", "t.csv", "--y-true", "y", "--y-score", "\N{GRINNING FACE}")
    done = process(*given, "--bootstrap-resamples", "0", "--output", "x", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"wrote x\n")
    assert done.stdout.startswith(b"Calibration: \\U0001f600\n")
