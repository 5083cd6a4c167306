"""Label files and rules of refusals: shipped, written by hand, and wrong."""

from __future__ import annotations

import pytest

from assay.errors import ArtifactError
from assay.sources.labels import read_labels, read_refusal_rules, shipped_labels, shipped_rules


def saved(tmp_path, text, name="x.yaml"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return str(tmp_path / name)


def test_the_shipped_labels_are_those_of_the_seed():
    assert {each.name: (*each.aliases, *each.abbreviations) for each in shipped_labels()} == {
        "Major Depressive Disorder": ("major depression", "MDD"),
        "Generalized Anxiety Disorder": ("GAD",),
        "Post-Traumatic Stress Disorder": ("PTSD",),
        "Bipolar Disorder": ("bipolar", "manic depression"),
        "Schizophrenia": ("schizophrenic disorder",),
    }


def test_a_shipped_set_goes_by_its_name():
    assert read_labels("diagnoses")[0].labels == shipped_labels()
    assert len(read_labels("psychiatry")[0].labels) > len(shipped_labels())


def test_labels_are_names_or_names_with_others(tmp_path):
    path = saved(
        tmp_path, "labels:\n- flu\n- {name: cold, aliases: [sniffles], abbreviations: [C]}\n"
    )
    labels, content = read_labels(path)
    assert [each.names for each in labels.labels] == [("flu",), ("cold", "sniffles", "C")]
    assert content.path == path


@pytest.mark.parametrize(
    ("text", "error", "fault"),
    [
        ("labels: []", ArtifactError, "names no labels"),
        ("label: [a]", ArtifactError, "does not have the shape it needs"),
        ("labels: [{name: a, alias: [b]}]", ArtifactError, "unknown field 'alias'"),
        (
            "labels: [a, {name: b, aliases: [A]}]",
            ArtifactError,
            "x.yaml: 'A' is a name of two labels",
        ),
        ("[a, b, a]", ArtifactError, "x.yaml: the label 'a' stands there twice"),
        ("{a: b, c: d}", ArtifactError, "has the text 'b' under 'a', where a list of other names"),
        ("labels: ['']", ArtifactError, "x.yaml: label '' has an empty name"),
        ("labels: &x [a]\nmore: *x", ArtifactError, "references"),
        ("labels: !!python/object/apply:os.system [ls]", ArtifactError, "is not valid YAML"),
    ],
)
def test_what_is_wrong_with_a_label_file_is_said(tmp_path, text, error, fault):
    with pytest.raises(error, match=fault):
        read_labels(saved(tmp_path, text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("l.txt", "- flu\n- cold\n"),
        ("l.txt", "* flu\n* cold\n"),
        ("l.txt", "1. flu\r\n2. cold\r\n"),
        ("l.csv", "diagnosis\nflu\ncold\n"),
        ("l.csv", "flu\ncold\n"),
    ],
)
def test_marks_of_a_list_and_the_name_of_a_column_are_no_part_of_labels(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert [each.name for each in read_labels(str(tmp_path / name))[0].labels] == ["flu", "cold"]


@pytest.mark.parametrize("text", ["-3\n3\n", "- 3\n3\n", "2. Liga\n1. Liga\n", "1.5\n2.5\n"])
def test_signs_and_numbers_that_are_labels_stay(tmp_path, text):
    (tmp_path / "l.txt").write_text(text)
    found = [each.name for each in read_labels(str(tmp_path / "l.txt"))[0].labels]
    assert found == text.split("\n")[:2]


def test_the_shipped_rules_speak_three_languages():
    assert {"en", "de", "fr"} <= {each.language for each in shipped_rules().rules}
    assert shipped_rules().cues.negations


def test_rules_of_refusals_are_data(tmp_path):
    text = """
rules:
  - {name: none, strength: hard, phrases: [no comment], then: [today], within: 2}
cues: {contrasts: [but]}
soft_words: 10
tags: ["verdict:"]
"""
    rules, _ = read_refusal_rules(saved(tmp_path, text))
    assert (rules.rules[0].language, rules.rules[0].within) == ("en", 2)
    assert (rules.cues.contrasts, rules.soft_words, rules.tags) == (("but",), 10, ("verdict:",))
    assert rules.hard_characters == 300


@pytest.mark.parametrize(
    "text", ["rules: [{name: x}]", "rule: []", "rules: [{name: x, strength: mild, phrases: []}]"]
)
def test_what_is_wrong_with_rules_is_said(tmp_path, text):
    with pytest.raises(ArtifactError, match="does not have the shape it needs"):
        read_refusal_rules(saved(tmp_path, text))


def test_psychiatry_covers_the_labels_of_the_earlier_program() -> None:
    labels, _ = read_labels("psychiatry")
    for name in (
        *("Major Depressive Disorder", "Generalized Anxiety Disorder", "Bipolar Disorder"),
        *("Post-Traumatic Stress Disorder", "Adjustment Disorder", "Panic Disorder"),
        *("Social Anxiety Disorder", "Obsessive-Compulsive Disorder", "Schizophrenia"),
        *("Borderline Personality Disorder", "Avoidant Personality Disorder"),
        *("Dependent Personality Disorder", "Eating Disorder", "Substance Use Disorder"),
        *("Attention Deficit Hyperactivity Disorder", "Persistent Depressive Disorder"),
        *("Acute Stress Disorder", "Specific Phobia", "Agoraphobia", "Separation Anxiety Disorder"),
        "Selective Mutism",
    ):
        assert labels.named(name) is not None, name
