"""Artifacts from files: what can be read, and what is said about the rest."""

from __future__ import annotations

import functools
import gzip
import json
import operator

import pytest

import assay
from assay import stored
from assay.artifact import runnable
from assay.errors import ArtifactError, UsageError
from assay.stored import kinds, read_artifact
from tests.golden.regenerate import HERE
from tests.report.families import KINDS, made


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_read_again(tmp_path, kind):
    path = tmp_path / "a.json"
    path.write_bytes(stored.encode(made(kind)))
    assert read_artifact(str(path)) == made(kind)
    path.write_bytes(gzip.compress(stored.encode(made(kind))))
    assert read_artifact(str(path)) == made(kind)


@pytest.fixture
def changed(tmp_path):
    def write(**changes):
        stored = json.loads((HERE / "expected" / "few_shot.json").read_bytes())
        kept = {key: value for key, value in {**stored, **changes}.items() if value is not ...}
        path = tmp_path / "a.json"
        path.write_text(json.dumps(kept))
        return str(path)

    return write


def refused(path, match):
    with pytest.raises(ArtifactError, match=match) as error:
        read_artifact(path)
    return error.value.hint


def test_an_older_version_names_the_command_that_makes_it_again(changed):
    path = changed(schema_version="0", command="assay selective --input run.json")
    hint = refused(path, "has the schema version '0', and only '1' and '2' can be read")
    assert hint == "make it again from its inputs: assay selective --input run.json"


def test_without_a_command_the_kind_says_how_to_make_it(changed):
    hint = refused(
        changed(schema_version=...), "has no schema version, and only '1' and '2' can be read"
    )
    assert hint == "make it again from its inputs: assay selective ..."


def test_a_newer_version_asks_for_an_update(changed):
    assert "update" in refused(changed(schema_version="7"), "has the schema version '7'")


def test_an_unknown_kind_lists_the_known(changed):
    assert {*kinds()} == {*KINDS}
    assert refused(changed(kind="x"), "is of the kind 'x'") == f"the kinds are {', '.join(kinds())}"
    hint = refused(changed(kind=...), "has no `kind`, so it is not an artifact")
    assert hint.startswith("an artifact is what")


def test_a_run_is_told_from_an_artifact(changed):
    hint = refused(changed(kind=..., experiments=[]), "is a run, not an artifact")
    assert hint.startswith("evaluate it first: assay selective --input")


def test_an_unknown_field_is_refused(changed):
    hint = refused(changed(extra=1, command="assay x"), "unknown field 'extra'")
    assert hint == "it may have been edited; make it again: assay x"


@pytest.mark.parametrize(
    ("text", "match"),
    [("", "is empty"), ("{", "is not valid JSON"), ("[]", "expected 'object'"), ("NaN", "NaN")],
)
def test_what_is_no_artifact_at_all_gives_one_sentence(tmp_path, text, match):
    (tmp_path / "a.json").write_text(text)
    refused(str(tmp_path / "a.json"), match)


@pytest.mark.parametrize(
    "command",
    [
        "assay selective; touch x",
        "assay selective --input $(touch x)",
        "assay selective\ntouch x",
        "assay selective | sh",
        "touch x",
        "assay 'open",
        "assay selective \u202ex",
        "",
    ],
)
def test_a_recorded_command_is_offered_only_if_it_is_a_plain_call_of_this_program(command):
    assert runnable(command) == ""
    assert runnable("assay sets 'a b.csv' --y y") == "assay sets 'a b.csv' --y y"


NAMED = {"counts", "about", "n_valid"}
"""what holds things by names that no record declares, so that one may lack"""


def members(value, path=()):
    """Yield every place that may lack, one of each kind."""
    match value:
        case dict():
            for name, each in value.items():
                if name in {"pairs", "macro_f1"} or NAMED & {*path[-1:]}:
                    yield (*path, name)
                yield from members(each, (*path, name))
        case [first, *_]:
            yield from members(first, (*path, 0))


@pytest.mark.parametrize("kind", KINDS)
def test_what_lacks_something_is_refused_or_shown_without(kind, tmp_path):
    text, path = stored.encode(made(kind)), tmp_path / "a.json"
    for *place, name in members(json.loads(text)):
        edited = json.loads(text)
        part = functools.reduce(operator.getitem, place, edited)
        part |= {name: []} if name == "pairs" else {}
        part.pop(None if name == "pairs" else name, None)
        path.write_text(json.dumps(edited))
        try:
            found = assay.load(path)
        except ArtifactError:
            continue
        assert all([repr(found), found._repr_html_()])


def test_a_calibrator_has_no_numbers(tmp_path):
    (tmp_path / "a.json").write_bytes(stored.encode(made("calibrator")))
    found = assay.load(tmp_path / "a.json")
    assert (found.systems, found.pairs, len(found.to_frame())) == ([], [], 0)
    with pytest.raises(UsageError, match="there is no system or number 'ece'") as caught:
        found["ece"]
    assert caught.value.hint == "there is none at all"
