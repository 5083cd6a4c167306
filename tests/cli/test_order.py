"""The order of rows, lines, keys and people in a file changes no number and no interval."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from assay.demo import REASONING_FOLDER as EXAMPLE_FOLDER
from assay.demo import VERDICTS_FOLDER as VERDICTS
from tests.reasoning_files import lines

FEW = ("--bootstrap-resamples", "40", "--quiet")
ABOUT_FILES = {"path", "sha256", "created_at", "command", "bytes"}
"""what is recorded about the files and not about what they say"""


def seeded(seed):
    return random.Random(seed)  # noqa: S311 - the same orders each time


def told(found):
    """Return an artifact without what it records about files."""
    if isinstance(found, dict):
        return {name: told(each) for name, each in found.items() if name not in ABOUT_FILES}
    return [told(each) for each in found] if isinstance(found, list) else found


def shuffled(found, rng, *, within=True):
    """Put keys of objects and entries of lists of objects into another order.

    Not `within`: lists in an entry of a list stay, where a place in them has a meaning.
    """
    if isinstance(found, dict):
        names = rng.sample(list(found), len(found))
        return {name: shuffled(found[name], rng, within=within) for name in names}
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        return found
    if not within:
        return rng.sample(found, len(found))
    return rng.sample([shuffled(each, rng) for each in found], len(found))


def shuffle_lines(path, rng):
    """Shuffle lines of JSON; of rows with one id and mode the last one stays the last."""
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    names = [(row["id"], row["mode"]) if "mode" in row else row.get("id") for row in rows]
    order = rng.sample(range(len(rows)), len(rows))
    of_name = {
        name: iter([r for r, n in zip(rows, names, strict=True) if n == name]) for name in names
    }
    again = [shuffled(next(of_name[names[place]]), rng) for place in order]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in again), "utf-8")


def shuffle_files(folder, rng):
    for path in sorted(folder.rglob("*.json*")):
        if path.suffix == ".jsonl":
            shuffle_lines(path, rng)
        else:
            path.write_text(json.dumps(shuffled(json.loads(path.read_text("utf-8")), rng)), "utf-8")


def artifact(assay, command, *arguments):
    done = assay(command, *arguments, *FEW, "--output", "found.json")
    assert done.code == 0, done.err
    return told(json.loads(Path("found.json").read_bytes()))


# Reasoning


REASONING = {
    "--vignettes": "data/vignettes.json",
    "--gold-labels": "data/gold_labels.json",
    "--bias-cases": "data/bias_cases.json",
}


@pytest.fixture
def reasoning(assay, folder):
    def run(*more, models=("data/results",)):
        given = [part for option in REASONING.items() for part in option]
        done = assay("reasoning", *models, *given, *FEW, *more, "--output", "out", "--force")
        assert done.code == 0, done.err
        return told(json.loads((folder / "out" / "reasoning.json").read_bytes()))

    shutil.copytree(EXAMPLE_FOLDER, folder / "data")
    for path in (folder / "data").rglob("*.jsonl"):  # blank lines are counted
        path.write_text(path.read_text("utf-8").replace("\n\n", "\n"), "utf-8")
    return run


@pytest.mark.parametrize("more", [(), ("--cluster", "persona", "--reading", "heuristic")])
def test_order_of_generations_vignettes_labels_and_cases_changes_nothing(reasoning, folder, more):
    before = reasoning(*more)
    shuffle_files(folder / "data", seeded(1))
    assert reasoning(*more) == before


def test_of_generations_given_twice_the_last_counts_which_alone_depends_on_their_order(
    reasoning, folder
):
    path = folder / "data" / "results" / "steady" / "study_a_generations.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    first = next(row for row in rows if row["mode"] == "cot")
    path.write_text(lines([*rows, {**first, "output_text": "Voices."}]), "utf-8")
    last = reasoning()
    path.write_text(lines([{**first, "output_text": "Voices."}, *rows]), "utf-8")
    assert reasoning() != last


# Selective


@pytest.mark.parametrize("more", [("zero_shot",), ("few_shot", "--area", "step")])
def test_order_of_participants_and_of_keys_changes_nothing(assay, folder, more):
    given = ("--input", "run.json", "--mode", *more)
    before = artifact(assay, "selective", *given)
    path = folder / "run.json"
    path.write_text(json.dumps(shuffled(json.loads(path.read_bytes()), seeded(2))))
    assert artifact(assay, "selective", *given) == before


# Verdicts


def test_order_of_cases_truths_and_reviews_changes_nothing(assay, folder):
    shutil.copytree(VERDICTS, folder / "data")
    results = ("--results", "data/direct.json", "--results", "data/checked.json")
    given = (
        *results,
        "--ground-truth",
        "data/ground_truth.json",
        "--reviews",
        "data/reviews.jsonl",
    )
    before = artifact(assay, "verdicts", *given)
    rng = seeded(5)
    for path in (folder / "data").glob("*.json"):
        found = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps(shuffled(found, rng, within=False)), "utf-8")
    reviews = folder / "data" / "reviews.jsonl"
    rows = [json.loads(line) for line in reviews.read_text("utf-8").split("\n") if line]
    reviews.write_text(lines(rng.sample(rows, len(rows))), "utf-8")
    assert artifact(assay, "verdicts", *given) == before


# Tables


RNG = np.random.default_rng(4)
N = 40
TABLE = {
    "who": [f"p{number % 8}" for number in range(N)],
    "item": [f"i{number // 8}" for number in range(N)],
    "site": [["north", "south", "east"][number % 3] for number in range(N)],
    "y": RNG.integers(0, 2, N).tolist(),
    "p": np.round(RNG.random(N), 1).tolist(),
    "q": RNG.random(N).tolist(),
    "value": np.round(RNG.normal(size=N), 1).tolist(),
    "low": np.round(RNG.normal(-1, 0.5, N), 1).tolist(),
    "up": np.round(RNG.normal(2, 0.5, N), 1).tolist(),
    "label": RNG.choice(["ant", "bee", "cow"], N).tolist(),
    "ant": RNG.integers(0, 2, N).tolist(),
    "bee": RNG.integers(0, 2, N).tolist(),
    "cow": RNG.integers(0, 2, N).tolist(),
}
COMMANDS = {
    "intervals": ("--y", "value", "--low", "low", "--up", "up", "--group", "site"),
    "sets": ("--y", "label", "--set", "ant,bee,cow", "--group", "site"),
    "calibration": ("--y-true", "y", "--y-score", "p", "--y-score", "q"),
}


def unplaced(found):
    """Return an artifact with its cases in an order of their own: rows without ids have none."""
    kept = [{name: case[name] for name in case.keys() - {"id"}} for case in found["cases"]["kept"]]
    # Keys in one order, so that equal cases are equal texts.
    kept = sorted(kept, key=lambda case: json.dumps(case, sort_keys=True))
    return {**found, "cases": {**found["cases"], "kept": kept}}


def write(path, order):
    rows = [{name: column[row] for name, column in TABLE.items()} for row in order]
    path.write_text(lines(rows), "utf-8")


DRAWN = {
    "interval",
    "percentile_interval",
    "middle",
    "standard_error",
    "detectable",
    "p_value",
    "p_holm",
    "n_undefined",
    "ci95",
}
"""what a bootstrap draws; rows that are independent are drawn by their place"""


def leaves(found, without=frozenset(), place=""):
    """Yield every text and number with its place."""
    entries = found.items() if isinstance(found, dict) else enumerate(found)
    for name, each in entries:
        if isinstance(each, dict | list):
            yield from leaves(each, without, f"{place}/{name}") if name not in without else ()
        elif name not in without:
            yield f"{place}/{name}", each


def same(one, other):
    """Compare texts and counts exactly, and numbers up to the order of additions."""
    assert one.keys() == other.keys()
    numbers = {place for place, each in one.items() if isinstance(each, float)}
    assert {p: one[p] for p in one.keys() - numbers} == {p: other[p] for p in one.keys() - numbers}
    close = pytest.approx({p: other[p] for p in numbers}, rel=1e-12, abs=1e-15)
    assert {p: one[p] for p in numbers} == close


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("rows", ["clusters", "independent"])
def test_order_of_rows_changes_no_number_and_with_named_clusters_no_interval(
    assay, folder, command, rows
):
    named = rows == "clusters"
    arguments = ("t.jsonl", *COMMANDS[command], *(("--cluster", "who") if named else ()))
    write(folder / "t.jsonl", range(N))
    without = set() if named else DRAWN
    before = dict(leaves(unplaced(artifact(assay, command, *arguments)), without))
    write(folder / "t.jsonl", seeded(3).sample(range(N), N))
    after = dict(leaves(unplaced(artifact(assay, command, *arguments)), without))
    assert len({place for place in after if place.startswith("/cases/kept/")}) > N
    same(after, before)


# Systems


MIRRORED = {"left", "right", "delta", "interval", "percentile_interval", "ci95", "word"}
"""of a difference, what has another sign or side once its systems change places"""
PAIRS = {
    "verdicts": (
        ("--results", "data/direct.json"),
        ("--results", "data/checked.json"),
        ("--ground-truth", "data/ground_truth.json", "--reviews", "data/reviews.jsonl"),
    ),
    "calibration": (
        ("--y-score", "p"),
        ("--y-score", "q"),
        ("t.jsonl", "--y-true", "y", "--cluster", "who"),
    ),
    "intervals": (
        ("--low", "low", "--up", "up"),
        ("--low", "p", "--up", "q"),
        ("t.jsonl", "--y", "value", "--crossed", "swap", "--cluster", "who", "--group", "site"),
    ),
    "sets": (
        ("--set", "ant,bee,cow"),
        ("--set", "cow,ant,bee"),
        ("t.jsonl", "--y", "label", "--classes", "ant,bee,cow", "--cluster", "who"),
    ),
}


def by_name(found):
    """Return the systems of an artifact by name, without their place."""
    return {each.pop("name"): dict(leaves(each, {"input"})) for each in found["systems"]}


def differences(found):
    """Yield every difference of an artifact."""
    if isinstance(found, dict):
        if "delta" in found:
            yield found
        found = list(found.values())
    for each in found if isinstance(found, list) else ():
        yield from differences(each)


def check_mirrored(one, other):
    """Two differences of the same systems, in either order, tell the same."""
    assert (one["left"], one["right"]) == (other["right"], other["left"])
    if one["delta"] is not None:
        assert one["delta"] == pytest.approx(-other["delta"], abs=1e-15)
    for name in one.keys() & {"interval", "percentile_interval", "ci95"}:
        turned = other[name] and [-each for each in reversed(other[name])]
        assert one[name] == (turned and pytest.approx(turned, rel=1e-9, abs=1e-12))
    turned_word = {"better": "worse", "worse": "better"}.get(other.get("word"), other.get("word"))
    assert one.get("word") == turned_word
    rest = one.keys() - MIRRORED
    same({name: one[name] for name in rest}, {name: other[name] for name in rest})


@pytest.mark.parametrize("command", PAIRS)
def test_order_of_systems_changes_none_of_their_numbers_and_the_sign_of_differences(
    assay, folder, command
):
    shutil.copytree(VERDICTS, folder / "data")
    write(folder / "t.jsonl", range(N))
    first, second, rest = PAIRS[command]
    before = artifact(assay, command, *first, *second, *rest)
    after = artifact(assay, command, *second, *first, *rest)
    assert [each["name"] for each in before["systems"]] == [
        each["name"] for each in reversed(after["systems"])
    ]
    assert by_name(after) == by_name(before)
    found = [*zip(differences(before["pairs"]), differences(after["pairs"]), strict=True)]
    assert found
    for one, other in found:
        check_mirrored(one, other)


def test_order_of_inputs_changes_no_number_of_a_run_and_the_sign_of_differences(assay):
    modes = (("--input", "run.json", "--mode", each) for each in ("zero_shot", "few_shot"))
    first, second = modes
    before, after = (
        artifact(assay, "selective", *one, *two, "--confidence", "llm,verbalized")
        for one, two in ((first, second), (second, first))
    )
    for one, other in zip(before["systems"], reversed(after["systems"]), strict=True):
        assert one["name"] == other["name"]
        assert one["variants"] == other["variants"]
    for name, sides in before["confidence_variants"].items():
        turned = after["confidence_variants"][name]
        assert (turned["input_1"], turned["input_0"]) == (sides["input_0"], sides["input_1"])
    one, other = (each["pairs"][0] for each in (before, after))
    failed = [
        (each["counts"]["failed_left"], each["counts"]["failed_right"]) for each in (one, other)
    ]
    assert failed[0] == failed[1][::-1]
    for pair in zip(differences(one), differences(other), strict=True):
        check_mirrored(*pair)


def test_models_come_by_name_and_their_order_changes_nothing(reasoning):
    models = [f"data/results/{each}" for each in ("guarded", "hasty", "steady")]
    before = reasoning(models=models)
    assert [each["name"] for each in before["systems"]] == ["guarded", "hasty", "steady"]
    assert reasoning(models=models[::-1]) == reasoning() == before
