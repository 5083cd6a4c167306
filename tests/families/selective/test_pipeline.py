"""Selective prediction on the pipeline: what is read, what comes out, the same as ever."""

from __future__ import annotations

import gzip
import io
import json
from dataclasses import replace
from functools import cache
from itertools import chain
from types import SimpleNamespace

import jsonschema
import msgspec
import pytest

from assay import stored
from assay.errors import ArtifactError, ColumnError, UsageError
from assay.families.choices import planned
from assay.families.selective.options import RunColumns
from assay.inference import Plan
from assay.stored import fault
from tests.families.selective import examples
from tests.golden import commands, regenerate
from tests.golden.test_commands import same_machine, without_later
from tests.golden.test_golden import settled
from tests.item_tables import items_from_arrays
from tests.selective_artifacts import FAMILY, evaluate
from tests.test_calibrator_files import STATED

RUN = "two_modes.json"
GOLDEN = {
    "selective_confidences": (
        (RUN,),
        RunColumns(mode=("few_shot",)),
        {"confidence": "llm,token_msp"},
    ),
    "selective_reference": (
        (RUN, RUN),
        RunColumns(mode=("zero_shot", "few_shot")),
        {"preset": "reference", "confidence": "llm"},
    ),
    "selective_groups": (
        ("items.csv",),
        RunColumns(scale=(0.0, 3.0)),
        {"preset": "item-step", "confidence": "confidence", "threshold": (0.5,)},
    ),
}
"""what the golden commands of these names are given, for the library"""


@cache
def golden(name, n_resamples=50, **plan):
    sources, columns, chosen = GOLDEN[name]
    plan = planned(SimpleNamespace(**chosen), {"n_resamples": n_resamples, "seed": 7, **plan})
    with commands.inputs():
        return evaluate(sources, columns, plan, **chosen)


def plain(artifact):
    """Return all that does not depend on when, where and by which command it was made."""
    held = msgspec.to_builtins(artifact)
    return {key: held[key] for key in held.keys() - {"tool", "engine", "created_at", "command"}}


def wordless(artifact):
    """Return the same without what version 1 does not have: words, their reasons, later numbers."""
    held = without_later(plain(artifact))
    del held["parts"]["common_coverage"], held["cases"]
    for pair in held["pairs"]:
        del pair["transitions"]
        for delta in chain(*(of.values() for of in pair["deltas"].values())):
            del delta["word"], delta["word_reason"], delta["detectable"]
    return held


def assert_same(found, expected, n_resamples=1, read=plain):
    """Compare two artifacts: bit for bit with resamples, to 1e-12 without."""
    one, other = read(expected), read(found)
    assert (other if n_resamples else settled(one, other)) == one


@pytest.mark.parametrize("n_resamples", commands.RESAMPLES)
@pytest.mark.parametrize("name", GOLDEN)
def test_the_command_gives_what_the_pipeline_gives(name, n_resamples):
    written = json.dumps(commands.artifact(name, n_resamples)).encode()
    assert_same(golden(name, n_resamples), stored.decode(written))


@pytest.mark.parametrize("name", GOLDEN)
def test_artifacts_of_version_1_are_read_as_what_is_computed_today(name):
    read = stored.read_artifact(str(commands.VERSION_1 / f"{name}.json.gz"))
    assert read.kind == "selective"
    assert read.schema_version == "2"
    plain = golden(name, method="percentile")
    assert_same(plain, read, same_machine(), wordless)


@pytest.mark.parametrize("name", GOLDEN)
def test_the_keys_of_the_earlier_program_are_the_same_to_the_byte(name):
    written = commands.seed_keys(json.loads(stored.encode(golden(name))))
    expected = (commands.SEEDS / f"{name}.json").read_bytes()
    if not same_machine():
        written = settled(json.loads(expected), written)
    assert msgspec.json.format(msgspec.json.encode(written), indent=1) + b"\n" == expected


@pytest.mark.parametrize("name", regenerate.CASES)
def test_the_golden_artifacts_are_the_same_and_so_are_the_keys_of_the_earlier_program(name):
    modes, chosen = regenerate.CASES[name]
    tables = [regenerate.table_of(mode) for mode in modes]
    found = evaluate(
        tables,
        plan=regenerate.PLAN,
        **chosen,
        coverage_grid=regenerate.GRID,
    )
    data = (regenerate.HERE / "version1_selective" / name).read_bytes()
    assert_same(found, stored.decode(data), n_resamples=0, read=wordless)
    expected = json.loads(data)
    written = json.loads(stored.encode(found))
    keys = commands.seed_keys(expected)
    own = without_later(commands.seed_keys(written))
    assert json.dumps(settled(keys, own)) == json.dumps(keys)
    assert settled(expected["population"], written["population"]) == expected["population"]
    assert written["loss"] == expected["loss"]
    for read, was in zip(written["inputs"], expected["inputs"], strict=True):
        assert {key: read[key] for key in was.keys() - {"population", "analysed"}} == {
            key: was[key] for key in was.keys() - {"population", "analysed"}
        }


ARRAYS = {"participant": [1, 1, 2, 2, 3], "truth": [0, 1, 2, 3, 0], "confidence": [3, 2, 2, 1, 1]}
ANSWERS = [0, None, 1, 3, 3]
THREE = [examples.table(seed, failed=[101 + seed], levels=9) for seed in range(3)]
PARTED = {"participants": range(1, 5)}, {"participants": range(3, 8)}
EDGES = {
    "one system": ([examples.table(1)], {}),
    "without resamples": ([examples.table(1), examples.table(2)], {"plan": Plan(n_resamples=0)}),
    "three systems": (THREE, {}),
    "item by item": (THREE, {"preset": "item-step", "threshold": (0.25, 0.5)}),
    "as the reference": (THREE[:2], {"preset": "reference", "loss": "squared"}),
    "another level": (THREE[:2], {"plan": Plan(20, level=0.9, method="basic")}),
    "bca": (THREE[:2], {"plan": Plan(30, method="bca", stream="counter")}),
    "an intersection": (
        [examples.table(1, **each) for each in PARTED],
        {"intersection_only": True},
    ),
    "one participant": ([examples.table(participants=[1], n_items=8)], {}),
    "nothing answered": ([examples.table(answering=0.0)], {}),
    "nothing answered as the reference": (
        [examples.table(answering=0.0), examples.table(3)],
        {"preset": "reference"},
    ),
    "everybody failed": ([examples.table(failed=range(101, 108))], {}),
    "everybody failed as the reference": (
        [examples.table(failed=range(101, 108))],
        {"preset": "reference"},
    ),
    "everybody failed, bca": (
        [examples.table(failed=range(101, 108))],
        {"preset": "reference", "plan": Plan(20, method="bca")},
    ),
    "no scale": ([items_from_arrays(**ARRAYS, prediction=ANSWERS)], {"loss": "abs"}),
    "rows that stand for several": (
        [items_from_arrays(**ARRAYS, prediction=ANSWERS, count=[1, 4, 2, 9, 3], scale=(0, 3))],
        {},
    ),
    "groups, one without a name": (
        [
            items_from_arrays(**ARRAYS, prediction=ANSWERS, group=names, scale=(0, 3))
            for names in (["", "a", "a", "", "b"], ["", "b", "b", "", "b"])
        ],
        {},
    ),
    "labels": (
        [
            items_from_arrays(**{**ARRAYS, "truth": list("abcda")}, prediction=list(said))
            for said in ("abcaa", "accdb")
        ],
        {"loss": "zero_one"},
    ),
    "other truths": (
        [
            items_from_arrays(
                **{**ARRAYS, "truth": truth}, item=[1, 2, 1, 2, 1], prediction=ANSWERS, scale=(0, 3)
            )
            for truth in ([0, 1, 2, 3, 0], [0, 1, 2, 2, 1])
        ],
        {"intersection_only": True},
    ),
}


@pytest.mark.parametrize("case", EDGES)
def test_edge_inputs_have_whole_artifacts_that_come_back_from_a_file(case):
    tables, chosen = EDGES[case]
    found = evaluate(tables, **chosen)
    assert fault(found) is None
    assert not [*FAMILY.faults(found)]
    assert stored.decode(stored.encode(found)) == found
    for system in found.systems:
        assert all(each.value is not None or each.reason for each in every_number(system))


def every_number(system):
    held = [each for own in system.variants.values() for each in (own, *own.slices)]
    return [number for each in held for number in each.numbers.values()]


def test_a_confidence_that_one_system_lacks_is_its_own_alone():
    values = {"participant": [1, 2], "prediction": [1, 0], "truth": [1, 1], "confidence": [1, 2]}
    left = items_from_arrays(**values, signals={"token_msp": [0.1, 0.2]})
    tables, chosen = [left, items_from_arrays(**values)], {"confidence": "all", "loss": "abs"}
    found = evaluate(tables, **chosen)
    assert [list(each.variants) for each in found.systems] == [
        ["confidence", "token_msp", ""],
        ["confidence", ""],
    ]
    assert list(found.pairs[0].deltas) == ["confidence", ""]
    assert "aurc_at_coverage@common" not in found.systems[0].variants["token_msp"].numbers


def test_failures_are_numbers_of_participants_which_no_confidence_changes():
    left, right = examples.table(1, failed=[101]), examples.table(2, failed=[102, 103])
    artifact = evaluate([left, right])
    for system, failed in zip(artifact.systems, (1, 2), strict=True):
        people = system.variants[""]
        assert people.n_rows == 7
        assert people.numbers["failure_rate"].value == pytest.approx(failed / 7)
        assert people.parts.curve is None
        assert system.variants["confidence"].n_rows == 4 * 3
        assert system.parts.population.participants_failed == 3
    assert artifact.resampling.n_units == 4
    assert artifact.pairs[0].deltas[""]["failure_rate"].delta == pytest.approx(1 / 7)
    assert artifact.pairs[0].counts["overlap_included"] == 4
    assert "aurc_at_coverage@common" in artifact.pairs[0].deltas["confidence"]


def test_groups_are_slices_with_all_numbers_and_no_common_ones():
    tables, _ = EDGES["groups, one without a name"]
    first, second = evaluate(tables).systems
    slices = first.variants["confidence"].slices
    assert [each.label for each in slices] == ["", "a", "b"]
    assert [each.label for each in second.variants["confidence"].slices] == ["", "b"]
    assert slices[1].counts == {"participants": 2, "items_total": 2, "items_predicted": 1}
    own = {label for label in first.variants["confidence"].numbers if "@common" not in label}
    assert {*slices[0].numbers} == own
    assert not first.variants[""].slices


def test_threads_and_blocks_do_not_change_a_byte():
    tables = [replace(each, group=("a", "b", "b") * (each.n_rows // 3)) for each in THREE[:2]]
    plans = [
        Plan(n_resamples=60, threads=threads, block_values=values)
        for threads, values in ((1, 1 << 17), (3, 500))
    ]
    first, second = (stored.encode(evaluate(tables, plan=plan)) for plan in plans)
    assert first == second


def test_progress_hears_of_every_resample():
    heard, totals = [], set()

    def progress(done, total):
        heard.append(done)
        totals.add(total)

    evaluate([examples.table()], plan=Plan(33, block_values=64), progress=progress)
    assert totals == {66}
    assert sum(heard) == 66


def test_a_calibrator_is_on_record_and_its_warning_is_one_of_the_artifact(tmp_path):
    path = tmp_path / "calibrator.json"
    path.write_text(json.dumps(STATED), encoding="utf-8")
    tables = [regenerate.table_of(mode) for mode in ("zero_shot", "few_shot")]
    chosen = "verbalized_calibrated,llm"
    found = evaluate(tables, confidence=chosen, calibration=[str(path)])
    assert found.parts.calibration.path == str(path)
    assert found.parts.calibration.n_samples == 120
    assert found.warnings == [
        f"the calibrator {path} does not say on whom it was fitted, so its numbers on input"
        f" {number} may flatter it"
        for number in range(2)
    ]
    with pytest.raises(UsageError, match="no confidence uses the calibrator"):
        evaluate(tables, confidence="llm", calibration=[str(path)])


# What is read.


def write(folder, name, table):
    rows = ["participant,item,prediction,truth,confidence"]
    rows += [f"{who},{item},{said},1,0.{who}" for who, item, said in table]
    (folder / name).write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(folder / name)


ROWS = [(1, "a", 1), (2, "a", 0), (2, "b", 1)]


def test_systems_are_named_by_mode_else_by_file_else_by_both_else_by_path_and_number(tmp_path):
    path = write(tmp_path, "table.csv", ROWS)
    other = write(tmp_path, "other.csv", ROWS)

    def names(*paths, mode=()):
        with commands.inputs():
            columns = RunColumns(mode=mode, scale=(0.0, 3.0))
            return [each.name for each in evaluate(paths, columns, loss="zero_one").systems]

    assert names(path) == ["table.csv"]
    assert names(path, other) == ["table.csv", "other.csv"]
    assert names(path, path) == ["table.csv (1)", "table.csv (2)"]
    assert names(RUN, RUN, mode=("zero_shot", "few_shot")) == ["zero_shot", "few_shot"]
    assert names(RUN, RUN, mode=("few_shot",)) == [f"{RUN} (1)", f"{RUN} (2)"]
    (tmp_path / "copy.json").write_bytes((commands.HERE / RUN).read_bytes())
    copy = str(tmp_path / "copy.json")
    assert names(RUN, copy, mode=("few_shot",)) == [RUN, "copy.json"]
    three = names(RUN, copy, RUN, mode=("few_shot", "few_shot", "zero_shot"))
    assert three == [f"{RUN} few_shot", "copy.json few_shot", f"{RUN} zero_shot"]


def test_as_many_modes_as_inputs_or_one():
    with commands.inputs(), pytest.raises(UsageError, match="found 2 inputs and 3 modes") as caught:
        evaluate([RUN, RUN], RunColumns(mode=("zero_shot", "few_shot", "few_shot")))
    assert caught.value.hint.startswith("give no mode, one for all inputs, or one per input")


def test_standard_input_can_be_read_once(monkeypatch):
    with pytest.raises(UsageError, match="standard input can be read once"):
        evaluate(["-", "-"])
    data = io.BytesIO(b"prediction,truth,confidence\n1,1,0.5\n0,1,0.25\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(data))
    assert evaluate(["-"], loss="zero_one").inputs[0].path == "-"


def test_a_confidence_that_a_run_does_not_support_is_refused_with_those_it_does(tmp_path):
    """Only the signals that were asked for are converted; the hint needs all of them."""
    run = json.loads((commands.HERE / RUN).read_bytes())
    for experiment in run["experiments"]:
        for person in experiment["results"]["results"]:
            for signals in (person.get("item_signals") or {}).values():
                signals.pop("token_energy", None)
    path = tmp_path / "run.json"
    path.write_text(json.dumps(run), encoding="utf-8")
    with pytest.raises(ColumnError) as caught:
        evaluate([str(path)], RunColumns(mode=("few_shot",)), confidence="token_energy")
    assert "token_msp" in caught.value.hint


# What is written and read back.


def test_the_keys_of_the_earlier_program_are_never_read_back():
    artifact = golden("selective_groups")
    held = json.loads(stored.encode(artifact))
    assert {"population", "loss", "confidence_variants", "comparison"} < held.keys()
    strange = {**held, "population": 5, "confidence_variants": [], "comparison": "edited"}
    assert stored.decode(json.dumps(strange).encode()) == artifact
    without = {key: each for key, each in held.items() if key not in FAMILY.seed_keys}
    assert stored.decode(json.dumps(without).encode()) == artifact
    with pytest.raises(msgspec.ValidationError, match="unknown"):
        stored.decode(json.dumps({**held, "unknown": 1}).encode())


def test_what_is_written_is_what_the_schema_describes():
    schema = json.loads(stored.schema())
    validator = jsonschema.Draft202012Validator(schema)
    for name in GOLDEN:
        held = json.loads(stored.encode(golden(name)))
        assert not list(validator.iter_errors(held))
        assert list(validator.iter_errors({**held, "unknown": 1}))


def edited(change):
    held = json.loads(stored.encode(golden("selective_reference")))
    change(held)
    return json.dumps(held).encode()


def without(*path):
    def change(held):
        for key in path[:-1]:
            held = held[key]
        del held[path[-1]]

    return change


def replaced(value, *path):
    def change(held):
        for key in path[:-1]:
            held = held[key]
        held[path[-1]] = value

    return change


FIRST = ("systems", 0, "variants")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (without("conventions", "coverage_grid"), "`conventions` lacks `coverage_grid`"),
        (replaced("x", "conventions", "area_coverage"), "area_coverage` is not a number"),
        (replaced(["x"], "conventions", "coverage_grid"), "grid` is not a list of numbers"),
        (replaced(0.5, "conventions", "coverage_grid"), "grid` is not a list of numbers"),
        (without(*FIRST, ""), "`systems.0.variants` lacks ``"),
        (without(*FIRST, "llm"), "`systems.0.variants` has no confidence"),
        (replaced(None, *FIRST, "llm", "parts", "curve"), "variants.llm.parts` has no `curve`"),
        (without("pairs", 0, "counts", "failed_left"), "`pairs.0.counts` lacks `failed_left`"),
        (without("pairs", 0, "deltas", ""), "`pairs.0.deltas` lacks ``"),
        (without("pairs", 0, "deltas", "llm", "aurc"), "`pairs.0.deltas.llm` lacks `aurc`"),
        (replaced([], *FIRST, "llm", "parts", "curve", "threshold"), "0 points of `threshold`"),
    ],
)
def test_an_artifact_that_was_edited_is_refused_by_what_is_wrong(tmp_path, change, match):
    path = tmp_path / "edited.json"
    path.write_bytes(edited(change))
    with pytest.raises(ArtifactError, match=match):
        stored.read_artifact(str(path))


def test_a_number_that_both_systems_lack_is_missed(tmp_path):
    def change(held):
        for system in held["systems"]:
            del system["variants"]["llm"]["numbers"]["risk"]

    path = tmp_path / "edited.json"
    path.write_bytes(edited(change))
    with pytest.raises(ArtifactError, match=r"`systems\.0\.variants\.llm\.numbers` lacks `risk`"):
        stored.read_artifact(str(path))


@pytest.mark.parametrize("key", ["inputs", "comparison", "confidence_variants", "failure_rate"])
def test_a_version_1_that_lacks_something_is_refused_by_name(tmp_path, key):
    old = json.loads(
        gzip.decompress((commands.VERSION_1 / "selective_groups.json.gz").read_bytes())
    )
    del old[key]
    path = tmp_path / "old.json"
    path.write_text(json.dumps(old), encoding="utf-8")
    with pytest.raises(ArtifactError, match=f"lacks '{key}'"):
        stored.read_artifact(str(path))
