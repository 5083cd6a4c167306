"""The index of a folder: every run in a row, a trend per population, nothing trusted."""

from __future__ import annotations

import msgspec
import pytest

from assay.display.svg.marks import MOST_MARKS, Run, trend
from assay.errors import ArtifactError
from assay.report.index import index_of, index_page
from assay.stored import encode
from tests.report.families import HOSTILE, made
from tests.report.test_page import Seen

replace = msgspec.structs.replace


@pytest.fixture
def folder(tmp_path):
    """Three runs of one population, a comparison, an old artifact, a broken one, other JSON."""
    run = made("selective")
    for day in (1, 2, 3):
        data = encode(replace(run, created_at=f"2026-01-0{day}T00:00:00Z"))
        (tmp_path / f"run{day}.json").write_bytes(data)
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "pair.json").write_bytes(encode(made("selective-comparison")))
    old = encode(run).replace(b'"schema_version": "2"', b'"schema_version": "1"')
    (tmp_path / "old.json").write_bytes(old)
    (tmp_path / "torn.json").write_bytes(encode(run)[:3_000])
    (tmp_path / "other.json").write_text('{"kind": "something else", "schema_version": "2"}')
    (tmp_path / "list.json").write_text("[1, 2]")
    return tmp_path


def test_runs_of_one_population_share_a_trend_from_the_oldest(folder):
    found = index_of(folder)
    assert found.n_files == 4
    first = found.listings[0]
    assert [row.file for row in first.rows] == ["run3.json", "run2.json", "run1.json"]
    assert [row.date for row in first.rows] == ["2026-01-03", "2026-01-02", "2026-01-01"]
    drawn = first.drawings[0].wide
    assert drawn.index("run1") < drawn.index("run3")
    risk = made("selective").systems[0].variants["verbalized"].numbers["risk"]
    assert first.rows[0].cells[0].text == f"{risk.value:.3f}"
    assert {each.file for each in found.unreadable} == {"old.json", "torn.json"}


@pytest.mark.parametrize("command", [None, "assay demo", "assay selective", "rm -rf ."])
def test_an_artifact_that_no_command_made_is_listed_too(tmp_path, command):
    made_by_program = replace(made("selective"), command=command)
    (tmp_path / "run.json").write_bytes(encode(made_by_program))
    assert [row.file for row in index_of(tmp_path).rows] == ["run.json"]


def test_a_mark_stands_only_where_a_file_holds_the_pair(folder):
    found = index_of(folder)
    rows = {row.number: row for row in found.rows}
    steps = [entry.word for row in rows.values() for entry in row.before if entry is not None]
    assert {*steps} == {"not paired"}, "runs of one file were never compared with one another"
    word = made("selective-comparison").pairs[0].deltas["llm"]["risk"].word or "cannot tell"
    assert len(found.pairs) == 3, "zero_shot against each of the three runs of few_shot"
    for pair in found.pairs:
        assert rows[pair.left].system == "zero_shot"
        assert rows[pair.right].file in {"run1.json", "run2.json", "run3.json"}
        assert (pair.file, pair.entry.word) == ("deeper/pair.json", word)
    assert "not compared as a pair" in "".join(each.text for each in found.answer)


def test_the_step_to_the_last_run_is_told_where_the_folder_holds_it(tmp_path):
    both = made("selective-comparison")
    for place, day in ((0, 1), (1, 2)):
        system = replace(both.systems[place], input=0)
        alone = replace(both, systems=[system], pairs=[], inputs=[both.inputs[place]])
        data = encode(replace(alone, created_at=f"2026-01-0{day}T00:00:00Z"))
        (tmp_path / f"run{day}.json").write_bytes(data)
    (tmp_path / "pair.json").write_bytes(encode(both))
    found = index_of(tmp_path)
    assert [row.file for row in found.rows] == ["run2.json", "run1.json"]
    newest, oldest = found.rows
    assert oldest.before == (None, None, None)
    deltas = both.pairs[0].deltas["llm"]
    words = [deltas[label].word for label in ("risk", "mean_risk_at_coverage", "cmax")]
    assert [entry.word for entry in newest.before] == [word or "cannot tell" for word in words]
    told = "".join(each.text for each in found.answer)
    assert told.startswith("run2, ")
    assert "run1" in told


def test_unreadable_files_are_listed_with_the_command_that_remakes_them(folder):
    command = made("selective").command
    found = {each.file: each.command for each in index_of(folder).unreadable}
    assert found == {"old.json": command, "torn.json": command}


def test_links_lead_from_the_page_to_the_files(folder, tmp_path):
    (row, *_) = index_of(folder, "../runs of/").rows
    assert row.link == "./../runs%20of/run3.json"


def test_a_folder_without_artifacts_is_refused(tmp_path):
    with pytest.raises(ArtifactError, match="holds no artifacts"):
        index_of(tmp_path)


def test_the_page_of_a_folder_escapes_what_files_say(tmp_path):
    run = made("selective")
    for number, name in enumerate(HOSTILE):
        (system,) = run.systems
        named = replace(run, systems=[replace(system, name=name)], created_at=name)
        (tmp_path / f"a{number}.json").write_bytes(encode(named))
    seen = Seen(index_page(tmp_path))
    assert seen.kinds() == ["application/json", None]
    assert "img" not in {tag for tag, _ in seen.tags}
    assert not [name for _, each in seen.tags for name in each if name.startswith("on")]
    assert index_page(tmp_path) == index_page(tmp_path)


def test_files_that_compare_each_run_with_the_one_before_are_one_trend(tmp_path):
    both = made("selective-comparison")
    names = ["one", "two", "three"]
    for day in (1, 2):
        inputs = [
            replace(both.inputs[side], sha256=f"{day + side}" * 64, mode=None) for side in (0, 1)
        ]
        systems = [
            replace(both.systems[0], name=names[day - 1 + side], input=side) for side in (0, 1)
        ]
        each = replace(both, inputs=inputs, systems=systems)
        data = encode(replace(each, created_at=f"2026-01-0{day}T00:00:00Z"))
        (tmp_path / f"step{day}.json").write_bytes(data)
    found = index_of(tmp_path)
    assert [row.system for row in found.rows] == ["three", "two", "one"], "each run once"
    assert found.listings[0].drawings[0].title == "loss of its answers over 3 runs"
    assert found.rows[-1].before[0] is None
    assert all(row.before[0].word != "not paired" for row in found.rows[:2])
    assert "not compared as a pair" not in "".join(each.text for each in found.answer)


def test_a_trend_of_many_runs_says_that_it_draws_the_last():
    runs = [Run(f"r{n}", "2026-01-01", 0.5, (0.4, 0.6), "") for n in range(MOST_MARKS + 5)]
    drawn = trend(runs, share=False, label="", wide=True)
    assert drawn.count('class="ivb s0"') == MOST_MARKS
    assert 'width="7"' not in drawn, "narrower than from run to run"
    assert 'width="7' in trend(runs[:9], share=False, label="", wide=True)
