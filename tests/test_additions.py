"""A family is one package and one line, its formulas a module: everything else finds it.

So does what is added to a family: an option is one field of its record.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest

import assay
from assay import families, metrics
from assay.cli import main
from assay.errors import UsageError
from assay.registry import METRICS, metric
from assay.report.catalogue import records
from assay.report.page import page
from assay.report.presenters import summary
from assay.report.tables import tables
from tests.report.views import printed

FORMULA = '''
"""How often something came true."""

from assay.columns import columns
from assay.registry import metric


@metric(better="higher", bounds=(0.0, 2.0), undefined="there is nothing")
def truth_share(correct, *, weight=None, factor: float = 1.0):
    """Share of what came true.

    Examples
    --------
    >>> truth_share([1, 0])
    0.5
    """
    correct, weight = columns(correct=correct, weight=weight)
    return factor * (weight * correct).sum(-1) / weight.sum(-1)
'''
FAMILY = '''
"""Whether what was said came true."""

from typing import Annotated

import numpy as np

from assay.artifact import Artifact, Input, NoParts
from assay.columns import Resamples
from assay.families.choices import TABLES, Cluster
from assay.families.family import Family, Named, Prepared, Subject
from assay.options import Option, between, option_record, recorded, settings
from assay.score import Rows
from assay.sources.table import (read_table)
from assay.sources.tabular import (Table)


@option_record()
class Columns:
    said: Annotated[tuple[str, ...], Option("What came true.", column=True)] = ()
    cluster: Cluster = None


@option_record()
class Options:
    factor: Annotated[float, Option("What shares are multiplied by.", check=between(0, 3))] = 1.0


def prepare(given):
    [source] = given.sources["table"]
    table = source if isinstance(source, Table) else read_table(source)
    subjects = []
    for number, name in enumerate(given.columns.said):
        code, names = table.clusters(given.columns.cluster)
        weight = Resamples(np.ones((1, len(names))), code, np.ones(code.size), ())
        rows = Rows({"correct": table.numbers(name)}, weight)
        subjects.append(Subject(number, rows, settings=settings(given.options)))
    held = Input(
        role="table", path=table.source.path, sha256=table.source.sha256,
        format=table.source.format, n_rows=table.n_rows, counts={}, about={},
    )
    names_of = given.names or given.columns.said
    return Prepared(
        inputs=[held], systems=[Named(name) for name in names_of], subjects=subjects,
        unit="row", n_units=len(names), conventions=recorded(given.options),
    )


FAMILY = Family(
    name="claims", title="Claims", question="Whether claims come true.", help="TABLE is a table.",
    examples="assay claims t.csv --said y", roles=(TABLES,), options=Options, columns=Columns,
    prepare=prepare, artifact=Artifact[NoParts, NoParts, NoParts],
)
'''
WORDS = '''
"""What its artifacts say."""

from assay.display.blocks import Section
from assay.display.words import input_lines
from assay.display.blocks import facts
from assay.display.numbers import Numbers, minus, unswept
from assay.display.words import Words, system_names


def sections(artifact):
    yield facts("inputs", input_lines(artifact.inputs))
    numbers = Numbers.of(artifact)
    columns = [(each.name, each.variants[""].numbers) for each in artifact.systems]
    yield Section("main", numbers.grid("Numbers", columns, unswept(columns[0][1])))
    names = system_names(artifact)
    for pair in artifact.pairs:
        table = numbers.differences(minus(names, pair), pair.deltas[""])
        yield Section("differences", table, pair=(names[pair.left], names[pair.right]))


WORDS = Words("Claims", sections, lambda artifact: [])
'''
LINE = {"claims": "Whether claims come true."}
Y, Z = np.tile([1, 0, 1, 1], 5), np.tile([1, 0, 0, 0], 5)


@pytest.fixture
def claims(tmp_path, monkeypatch):
    """Add a family to the house: a package, a module of formulas, and one line."""
    package = tmp_path / "families" / "claims"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(FAMILY)
    (package / "words.py").write_text(WORDS)
    (package / "figures.py").write_text("def figures(artifact):\n    return []\n")
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "claims.py").write_text(FORMULA)
    before = dict(METRICS)
    for house, name in ((families, "families"), (metrics, "metrics")):
        monkeypatch.setattr(house, "__path__", [*house.__path__, str(tmp_path / name)])
    families.SUMMARIES.update(LINE)
    metrics.load()
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{y},{z}\n" for y, z in zip(Y, Z, strict=True))
    (tmp_path / "t.csv").write_text("y,z\n" + rows)
    yield
    METRICS.clear()
    METRICS.update(before)
    families.SUMMARIES.pop("claims")
    for name in [*sys.modules]:
        if name.startswith(("assay.families.claims", "assay.metrics.claims")):
            del sys.modules[name]
    for house in (families, metrics):
        vars(house).pop("claims", None)


def shown(*arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main([*arguments])
    out, err = capsys.readouterr()
    return ended.value.code or 0, out + err


@pytest.mark.usefixtures("claims")
def test_a_family_is_one_package_and_one_line_and_an_option_one_field(tmp_path, capsys):
    assert metrics.truth_share(Y) == 0.75
    found = assay.evaluate("claims", said={"old": Y, "new": Z}, n_resamples=20, factor=2)
    assert found["old"]["truth_share"].value == 1.5
    assert found.pairs[0]["truth_share"].value == -1.0
    assert found.artifact.conventions == {"factor": 2.0}
    told = summary(found.artifact)
    assert "truth_share" in printed(told, detail="full")
    assert "truth_share" in tables(told, "csv", "full")
    assert b"truth_share" in page([found.artifact])
    place = found.save(tmp_path / "a.json")
    assert assay.load(place).artifact == found.artifact
    assert "truth_share" in {each["name"] for each in records()["metrics"]}
    flags = ("--said", "y", "--said", "z", "--bootstrap-resamples", "20")
    code, out = shown(
        "claims", "t.csv", *flags, "--factor", "2", "--output", "b.json", capsys=capsys
    )
    assert (code, "truth_share" in out) == (0, True)
    assert assay.load("b.json")["y"]["truth_share"].value == 1.5
    assert shown("report", ".", "--output", "index.html", capsys=capsys)[0] == 0
    assert "claims" in (tmp_path / "index.html").read_text()
    assert "claims" in shown("--help", capsys=capsys)[1]
    code, out = shown("claims", "--help", capsys=capsys)
    assert "--factor FLOAT" in out
    assert "What shares are multiplied by. [default: 1]" in " ".join(out.split())
    with pytest.raises(UsageError, match=r"`factor` must be above 0 and below 3, found 4\.0"):
        assay.evaluate("claims", said=Y, factor=4)
    code, out = shown("claims", "t.csv", "--said", "y", "--factor", "4", capsys=capsys)
    assert (code, "--factor must be above 0 and below 3" in out) == (1, True)
    assert "claims" in shown("metrics", capsys=capsys)[1]
    assert "truth_share" in shown("explain", "truth_share", capsys=capsys)[1]


P = np.linspace(0.1, 0.9, 20)
TWO = {
    "selective": {"loss": 1.0 * Z, "confidence": {"a": P, "b": P[::-1]}},
    "calibration": {"y_true": Y, "y_prob": {"a": P, "b": P[::-1]}},
    "intervals": {"y": P, "low": {"a": P - 1, "b": P - 2}, "up": {"a": P + 1, "b": P + 2}},
    "sets": {"y": Y, "set": {"a": [[0, 1]] * 20, "b": [[1]] * 20}},
    "verdicts": {"truth": Y, "verdict": {"a": Y, "b": Z}, "scale": ("0", "1")},
    "reasoning": {"truth": Y, "answer_cot": {"a": Y, "b": Z}, "answer_early": {"a": Z, "b": Z}},
}


def marked(family):
    """Register a metric that needs what others of the family need."""
    column = next(each.columns[0] for each in METRICS.values() if each.family == family)
    made = {"__name__": __name__}
    exec(f"def marker_of_{family}({column}, *, weight=None): 'A mark.'; return 0.25", made)  # noqa: S102 - a name of ours
    metric(better="lower", bounds=(0.0, 1.0), family=family)(made[f"marker_of_{family}"])


def test_a_metric_is_one_function_in_every_family():
    before = dict(METRICS)
    try:
        for family in TWO:
            marked(family)
        artifacts = []
        for family, columns in TWO.items():
            name = f"marker_of_{family}"
            found = assay.evaluate(family, **columns, n_resamples=8)
            frame = found.to_frame("pandas")
            assert {*frame[frame.metric == name].system} == {*found.systems}
            assert len(found.systems) == 2
            assert any(name in deltas for deltas in found.pairs[0].variants.values())
            told = summary(found.artifact)
            assert name in printed(told, width=200, detail="full")
            assert name in tables(told, "csv", "full")
            assert name in {each["name"] for each in records()["metrics"]}
            artifacts.append(found.artifact)
        shown = page(artifacts)
    finally:
        METRICS.clear()
        METRICS.update(before)
    assert [family for family in TWO if f"marker_of_{family}".encode() not in shown] == []


@pytest.mark.parametrize("family", TWO)
def test_a_metric_that_never_gives_a_number_says_so_everywhere(family):
    before = dict(METRICS)
    column = next(each.columns[0] for each in METRICS.values() if each.family == family)
    made = {"__name__": __name__}
    exec(f"def Silent({column}, *, weight=None): 'A silence.'; return float('nan')", made)  # noqa: S102 - a name of ours
    try:
        metric(better="lower", bounds=(0.0, 1.0), family=family)(made["Silent"])
        found = assay.evaluate(family, **TWO[family], n_resamples=8)
        frame = found.to_frame("pandas")
        silent = frame[frame.metric == "Silent"]
        assert {*silent.reason} == {"the function gave no number"}
        assert silent.value.isna().all()
        reasons = [
            each["Silent"].reason for each in found.pairs[0].variants.values() if "Silent" in each
        ]
        assert {*reasons} == {"undefined on one side: the function gave no number"}
        assert b"Silent" in page([found.artifact])
    finally:
        METRICS.clear()
        METRICS.update(before)
