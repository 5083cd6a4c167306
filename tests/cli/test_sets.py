from __future__ import annotations

import csv
import json
import shlex

import jsonschema
import msgspec
import numpy as np
import pytest

from assay.cli.evaluating import command_of
from assay.families.sets.parts import SetsArtifact

N, CLASSES = 48, ("cat", "dog", "bird")
LISTED = ("--y", "label", "--set", "set")


def made():
    rng = np.random.default_rng(5)
    p = rng.dirichlet(np.full(3, 0.6), N)
    label = np.array([rng.choice(3, p=each) for each in p])
    return label, p


def save(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


@pytest.fixture
def table(folder):
    label, p = made()
    names = np.array(CLASSES)
    rows = [
        (number // 4, names[label[number]], json.dumps(names[each].tolist()), *map(int, each))
        for number, each in enumerate(p >= 0.2)
    ]
    save(folder / "s.csv", [("who", "label", "set", *CLASSES), *rows])
    return "s.csv"


@pytest.fixture
def sets(assay, table):
    """Run `assay sets` on few resamples."""
    return lambda *arguments: assay("sets", "--bootstrap-resamples", "40", *arguments)


def numbers(done):
    artifact = json.loads(done.out)
    return {
        key: {label: each["value"] for label, each in level["numbers"].items()}
        for key, level in artifact["systems"][0]["variants"].items()
    }


def test_the_documented_command_writes_an_artifact_and_a_summary(sets, folder):
    done = sets("s.csv", *LISTED, "--cluster", "who")
    assert done.code == 0
    artifact = json.loads((folder / "assay-out" / "sets_20260101T000000Z.json").read_bytes())
    assert (artifact["kind"], artifact["parts"]["classes"]) == ("sets", ["bird", "cat", "dog"])
    jsonschema.validate(artifact, msgspec.json.schema(SetsArtifact))
    for words in (
        "Prediction sets: s.csv",
        "bird, cat, dog",
        "Coverage against the level 0.9",
        "empty_set_rate",
        "singleton_accuracy",
        "Coverage by size",
        "Coverage by true class",
    ):
        assert words in done.out


def test_lists_flag_columns_and_arrays_give_the_same_numbers(sets, folder):
    label, p = made()
    np.savez(folder / "s.npz", y=label, sets=p >= 0.2)
    lines = (
        {"label": CLASSES[y], "set": [CLASSES[k] for k in np.flatnonzero(each)]}
        for y, each in zip(label, p >= 0.2, strict=True)
    )
    (folder / "s.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    quiet = ("--json", "--quiet")
    expected = numbers(sets("s.csv", *LISTED, *quiet))
    given = (
        ("s.csv", "--y", "label", "--set", "cat,dog,bird"),
        ("s.jsonl", *LISTED, "--classes", "dog,cat,bird"),
        ("s.npz", "--y", "y", "--set", "sets"),
        ("s.npz", "--y", "y", "--set", "sets", "--classes", "0,1,2"),
    )
    for arguments in given:
        assert numbers(sets(*arguments, *quiet)) == expected


def test_an_array_by_level_gives_a_table_by_level(sets, folder):
    label, p = made()
    np.savez(folder / "s.npz", y=label, sets=np.stack([p >= 0.4, p >= 0.1], axis=-1))
    done = sets("s.npz", "--y", "y", "--set", "sets", "--level", "0.8,0.95")
    assert done.code == 0
    assert "level 0.80" in done.out
    assert "level 0.95" in done.out


def test_two_tables_are_compared(sets, folder, table):
    (folder / "t.csv").write_bytes((folder / table).read_bytes())
    done = sets("s.csv", "t.csv", *LISTED, "--groups", "2", "--preset", "printed")
    assert done.code == 0
    assert "t.csv minus s.csv" in done.out
    assert "0 to 1" in done.out


BAD = {
    "no column": (
        [("label", "a", "b"), ("a", 1, 0)],
        ("--y", "label", "--set", ","),
        "found a set without columns",
        "--set names their column, or one per class",
    ),
    "no column among others": (
        [("label", "a", "b"), ("a", 1, 0)],
        ("--y", "label", "--set", "a,b", "--set", " , "),
        "found a set without columns",
        "--set names their column, or one per class",
    ),
    "a number of thousands of digits": (
        [("label", "set"), ("a", "[" + "1" * 5000 + "]")],
        LISTED,
        "s.csv, line 2: `set` must be a list of labels, found the text '[1",
        "a set is a list of labels",
    ),
    "label outside": (
        [("label", "a", "b"), ("c", 1, 0)],
        ("--y", "label", "--set", "a,b"),
        "s.csv, line 2: `label` holds 'c', which is not one of the classes (1 such row)",
        "the classes are a, b",
    ),
    "member outside": (
        [("label", "set"), ("a", '["a", "c"]')],
        (*LISTED, "--classes", "a,b"),
        "s.csv, line 2: `set` holds 'c', which is not one of the classes",
        "the classes are a, b",
    ),
    "no list": (
        [("label", "set"), ("a", "a|b")],
        LISTED,
        "s.csv, line 2: `set` must be a list of labels, found the text 'a|b'",
        "JSON list",
    ),
    "no flag": (
        [("label", "a", "b"), ("a", 3, 0)],
        ("--y", "label", "--set", "a,b"),
        "s.csv, line 2: `a,b` must be true or false, found 3",
        "whether the class is in the set",
    ),
    "level": (
        [("label", "set"), ("a", '["a"]')],
        (*LISTED, "--level", "1"),
        "--level must be above 0 and below 1, found 1",
        "90 percent",
    ),
    "groups": (
        [("label", "set"), ("a", '["a"]')],
        (*LISTED, "--groups", "9"),
        "--groups must be a whole number from 1 to 2",
        "",
    ),
    "no sets": ([("label",), ("a",)], ("--y", "label"), "found no sets", "--set names"),
    "empty label": (
        [("label", "set"), ("", '["a"]')],
        LISTED,
        "s.csv, line 2: `label` must be a class",
        "leave the row out",
    ),
}


@pytest.mark.parametrize(("rows", "options", "message", "hint"), BAD.values(), ids=BAD)
def test_bad_input_is_one_sentence_and_a_hint_and_writes_nothing(
    assay, folder, rows, options, message, hint
):
    save(folder / "s.csv", rows)
    done = assay("sets", "s.csv", *options, "--bootstrap-resamples", "5")
    assert done.code == 1
    assert message in done.err
    assert hint in done.err
    assert done.out == ""
    assert not (folder / "assay-out").exists()


def examples():
    return [
        line.strip() for line in command_of("sets").epilog.partition("Examples:\n")[2].splitlines()
    ]


@pytest.mark.parametrize("example", examples())
def test_the_examples_of_the_help_run(assay, folder, example):
    label, p = made()
    rows = [
        {
            "label": CLASSES[y],
            "classes": [CLASSES[k] for k in np.flatnonzero(each)],
            **dict(zip(CLASSES, map(int, each), strict=True)),
            "person": number // 4,
        }
        for number, (y, each) in enumerate(zip(label, p >= 0.2, strict=True))
    ]
    for name in ("old", "new"):
        lines = "\n".join(map(json.dumps, rows))
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    cells = (
        [json.dumps(each) if type(each) is list else each for each in r.values()] for r in rows
    )
    save(folder / "table.csv", [list(rows[0]), *cells])
    np.savez(
        folder / "arrays.npz",
        y=np.array(CLASSES)[label],
        sets=np.stack([p >= 0.3, p >= 0.1], axis=-1),
    )
    done = assay(*shlex.split(example)[1:], "--bootstrap-resamples", "5")
    assert done.code == 0, done.err
