"""Questions with options of their own, rows under other names, and input that says nothing."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest

from assay import evaluate
from assay.derive.answers import ReadingRules, read_answer
from assay.derive.labels import LabelSet
from assay.errors import ArtifactError, UsageError
from assay.sources.generation_files import Spelling
from assay.sources.labels import read_labels, shipped_rules
from assay.sources.vignettes import read_options, read_vignettes
from assay.stages import STAGES

OPTIONS = [
    {"A": "-3", "B": "3", "C": r"$\frac{1}{2}$", "D": None},
    ["Aspirin", "Ibuprofen", "Colchicine", "None of the above"],
    {"label": ["A", "B", "C"], "text": ["cat", "dog", "cow"]},
    [{"key": "A", "value": "up"}, {"key": "B", "value": "down"}],
]
GOLD = ["A", "Ibuprofen", 1, "down"]
TEXTS = [
    ("So x = -3.", "B"),
    ("It is Ibuprofen.", "A. Ibuprofen"),
    ("The answer is (B).", "dog"),
    (r"\boxed{B}", "It goes up."),
    ("So the answer is no.", "Yes"),
]
RIGHT = {"cot": [1, 1, 1, 1, 0], "direct": [0, 0, 1, 0, 1]}


@pytest.fixture
def vignettes(tmp_path: Path) -> str:
    rows = [
        {"id": f"q{n}", "gold_answer": gold, "options": own}
        for n, (gold, own) in enumerate(zip(GOLD, OPTIONS, strict=True))
    ]
    path = tmp_path / "vignettes.json"
    path.write_text(json.dumps([*rows, {"id": "q4", "gold_answer": "yes"}]))
    return str(path)


def rows(**names: str) -> list[dict[str, str]]:
    called = {"id": "id", "mode": "mode", "text": "output_text", "cot": "cot", **names}
    return [
        {
            called["id"]: f"q{n}",
            called["mode"]: called["cot"] if mode == "cot" else "direct",
            called["text"]: text,
        }
        for n, both in enumerate(TEXTS)
        for mode, text in zip(("cot", "direct"), both, strict=True)
    ]


def written(path: Path, found: list[dict[str, str]]) -> str:
    if path.suffix == ".jsonl":
        path.write_text("\n".join(map(json.dumps, found)))
    elif path.suffix in {".csv", ".tsv"}:
        sign = "," if path.suffix == ".csv" else "\t"
        lines = [sign.join(found[0])]
        lines += [sign.join(f'"{each}"' for each in row.values()) for row in found]
        path.write_text("\n".join([*lines, ""]))
    elif path.suffix == ".parquet":
        arrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(arrow.Table.from_pylist(found), path)
    else:
        path.write_text(json.dumps({"rows": found} if path.stem == "held" else found))
    return str(path)


def judged(path: str, vignettes: str, **options) -> dict[str, list[int]]:
    found = evaluate("reasoning", path, vignettes=vignettes, n_resamples=10, **options)
    outputs = found.artifact.systems[0].parts.outputs
    by_id = {(each.id, each.mode): int(each.correct or 0) for each in outputs}
    return {mode: [by_id[f"q{n}", mode] for n in range(5)] for mode in ("cot", "direct")}


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "held.json", "a.csv", "a.tsv", "a.parquet"])
def test_every_file_and_every_name_gives_the_same(tmp_path, vignettes, name) -> None:
    plain = written(tmp_path / name, rows())
    assert judged(plain, vignettes) == RIGHT
    other = written(tmp_path / f"other{Path(name).suffix}", rows(text="response", cot="think"))
    named = {"field": ("text=response",), "mode_name": ("cot=think",)}
    assert judged(other, vignettes, **named) == RIGHT


def test_the_name_of_a_mode_that_no_row_has_is_refused(tmp_path, vignettes) -> None:
    path = written(tmp_path / "a.jsonl", rows())
    with pytest.raises(UsageError, match="no row has the mode 'thinkk', found 'cot', 'direct'"):
        judged(path, vignettes, mode_name=("cot=thinkk",))


def test_standard_input_is_read(tmp_path, vignettes, monkeypatch) -> None:
    class Piped:
        buffer = io.BytesIO(Path(written(tmp_path / "a.jsonl", rows())).read_bytes())

    monkeypatch.setattr(sys, "stdin", Piped)
    assert judged("-", vignettes) == RIGHT


def test_a_letter_beside_the_text_of_another_option_counts_and_is_shown(tmp_path, vignettes):
    path = written(tmp_path / "a.jsonl", rows())
    found = evaluate("reasoning", path, vignettes=vignettes, n_resamples=10)
    assert "a: in 1 output letter and text of an option differ; the letter counts" in (
        found.artifact.warnings
    )
    outputs = {(each.id, each.mode): each for each in found.artifact.systems[0].parts.outputs}
    assert outputs["q1", "direct"].answer == "A"
    assert outputs["q1", "direct"].method == "opening_against_its_text"


def test_rows_may_carry_the_options(assay, tmp_path) -> None:
    path = tmp_path / "a.jsonl"
    own = [{**each, "options": json.dumps(["left", "right"])} for each in rows()[:2]]
    own[0]["output_text"], own[1]["output_text"] = "It turns right.", "A"
    written(path, own)
    done = assay("extract", str(path), "--output", str(tmp_path / "out"), "--quiet")
    assert done.code == 0
    (lines,) = (tmp_path / "out").rglob("*extracted.jsonl")
    found = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [each["answers"]["announced"] for each in found] == ["B", "A"]


@pytest.mark.parametrize(
    ("change", "said", "option"),
    [
        ({"text": "response"}, "no row has a text in `output_text`", "text=response"),
        ({"cot": "think"}, "neither cot nor direct, found 'think'", "cot=think"),
    ],
)
def test_rows_that_are_called_otherwise_are_refused(
    tmp_path, vignettes, change, said, option
) -> None:
    path = written(tmp_path / "a.jsonl", rows(**change))
    with pytest.raises(ArtifactError, match=said) as caught:
        judged(path, vignettes)
    assert option in (caught.value.hint or "")


def test_rows_of_which_none_is_in_order_are_refused(tmp_path, vignettes) -> None:
    path = written(tmp_path / "a.jsonl", [{**each, "status": "done"} for each in rows()])
    with pytest.raises(ArtifactError, match="none of 10 rows has the status ok, found 'done'"):
        judged(path, vignettes)
    assert judged(path, vignettes, field=("status=",)) == RIGHT


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", "[1]", "row 1 is not an object"),
        ("a.json", '[{"id": 1}, {"id"', "a.json is not valid JSON"),
        ("a.json", '{"id": "q0", "mode": "cot"}\n{"id"', "line 2 is broken"),
        ("a.json", '{"id": "q0", "mode": "cot"}\n\n{"id": 1, "id": 1}', "line 3 is broken"),
        ("a.json", '{"other": [], "more": 1}', "has no `id`; its fields are other, more"),
        ("a.json", '[{"id": "q0", "id": "q1"}]', "has the key 'id' twice"),
        ("a.csv", "id,id\n1,2\n", "names the column .id. twice"),
        ("a.csv", "id,mode\n1,2,3\n", "line 2: found 3 cells"),
        ("a.csv", "id,mode\nlonger,2\n", "not valid CSV: field larger"),
    ],
)
def test_files_that_are_no_rows_are_refused(
    tmp_path, vignettes, monkeypatch, name, content, said
) -> None:
    monkeypatch.setattr("assay.sources.generation_files.LONGEST_CELL", 5)
    (tmp_path / name).write_text(content)
    with pytest.raises(ArtifactError, match=said):
        judged(str(tmp_path / name), vignettes)


def test_a_field_is_mapped_in_the_files_that_have_it_and_refused_where_none_has(
    tmp_path, vignettes
) -> None:
    path = written(tmp_path / "a.jsonl", rows(id="case"))
    assert judged(path, vignettes, field=("id=case",)) == RIGHT
    with pytest.raises(UsageError, match="`field` model=net: no row of any file has the field"):
        judged(path, vignettes, field=("id=case", "model=net"))


def test_rows_without_a_mode_are_of_the_one_that_is_named(tmp_path, assay) -> None:
    own = [{"id": 1, "output_text": "It is B."}, {"id": 2, "output_text": "A", "mode": "cot"}]
    path, labels = written(tmp_path / "a.jsonl", own), tmp_path / "l.json"
    labels.write_text('["A", "B"]')
    given = ("extract", path, "--labels", str(labels), "--output", str(tmp_path / "out"))
    refused = assay(*given)
    assert refused.code == 1
    assert "--mode-name direct= says what all without one are" in refused.err
    assert assay(*given, "--mode-name", "direct=").code == 0
    (lines,) = (tmp_path / "out").rglob("*extracted.jsonl")
    found = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [(each["mode"], each["answers"]["announced"]) for each in found] == [
        ("direct", "B"),
        ("cot", "A"),
    ]


def test_options_need_no_gold_to_be_read(tmp_path, assay) -> None:
    cases = written(tmp_path / "v.json", [{"id": 1, "options": ["left", "right"]}])
    path = written(tmp_path / "a.jsonl", [{"id": 1, "mode": "cot", "output_text": "It is right."}])
    out = tmp_path / "out"
    assert assay("extract", path, "--vignettes", cases, "--output", str(out)).code == 0
    (lines,) = out.rglob("*extracted.jsonl")
    assert json.loads(lines.read_text())["answers"]["announced"] == "B"


def test_bias_generations_of_no_known_case_are_told(tmp_path, assay) -> None:
    cases = [{"id": n, "bias_feature": "age", "bias_label": "flu"} for n in (1, 2)]
    own = [{"id": n, "output_text": "flu"} for n in (1, 2, 3)]
    paths = [written(tmp_path / f"{n}.json", each) for n, each in enumerate((own, cases))]
    given = ("bias", paths[0], "--output", str(tmp_path / "out"), "--bias-cases", paths[1])
    assert "left out 1 bias generation of no known case" in assay(*given).err


@pytest.mark.parametrize("names", [("a.json", "b.json"), ("a.csv.gz", "b.jsonl.gz")])
def test_a_folder_of_files_and_folders_with_one_file_are_models(tmp_path, vignettes, names) -> None:
    flat = tmp_path / "flat"
    flat.mkdir()
    for name in names:
        plain = Path(written(tmp_path / name.removesuffix(".gz"), rows()))
        data = plain.read_bytes()
        (flat / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        (tmp_path / "models" / name[0]).mkdir(parents=True)
        (tmp_path / "models" / name[0] / f"out{plain.suffix}").write_bytes(data)
    for folder in (flat, tmp_path / "models"):
        found = evaluate("reasoning", str(folder), vignettes=vignettes, n_resamples=0)
        assert [each.name for each in found.artifact.systems] == ["a", "b"]
    written(tmp_path / "models" / "a" / "more.json", rows())
    with pytest.raises(ArtifactError, match="found more"):
        evaluate("reasoning", str(tmp_path / "models"), vignettes=vignettes, n_resamples=0)


def test_in_python_names_are_a_mapping_and_a_frame_is_no_file(tmp_path, vignettes) -> None:
    pandas = pytest.importorskip("pandas")
    path = written(tmp_path / "a.jsonl", rows(text="response", cot="think"))
    named = {"field": {"text": "response"}, "mode_name": {"cot": "think"}}
    assert judged(path, vignettes, **named) == RIGHT
    with pytest.raises(UsageError, match="named by its path, found a value of the type DataFrame"):
        judged(path, pandas.DataFrame({"id": [1], "gold_answer": ["Yes"]}))


def test_a_file_for_each_mode_is_no_model_for_each(tmp_path, vignettes) -> None:
    parts = {mode: [e for e in rows() if e["mode"] == mode] for mode in ("cot", "direct")}
    paths = [written(tmp_path / f"{mode}.jsonl", found) for mode, found in parts.items()]
    with pytest.raises(ArtifactError, match="holds cot alone"):
        evaluate("reasoning", paths, vignettes=vignettes, n_resamples=0)
    both = written(tmp_path / "both.jsonl", rows())
    found = evaluate("reasoning", [*paths, both], vignettes=vignettes, n_resamples=0)
    assert len(found.systems) == 3


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.jsonl.gz"])
def test_rows_of_several_models_are_parted_by_the_names_they_state(
    tmp_path, vignettes, name
) -> None:
    wrong = [{**each, "output_text": "nothing"} for each in rows()]
    own = [{**e, "llm": "org/one"} for e in rows()] + [{**e, "llm": "two"} for e in wrong]
    plain = Path(written(tmp_path / name.removesuffix(".gz"), own))
    path = tmp_path / name
    if name.endswith("gz"):
        path.write_bytes(gzip.compress(plain.read_bytes()))
    given = {"vignettes": vignettes, "field": ("model=llm",), "n_resamples": 0}
    found = evaluate("reasoning", str(path), **given)
    assert found.systems == ["org/one", "two"]
    assert [found[each]["accuracy_cot"].value for each in found.systems] == [0.8, 0.0]
    assert {each.path for each in found.artifact.inputs if each.role == "generations"} == {
        str(path)
    }


def test_a_file_whose_rows_name_their_model_in_part_is_refused(tmp_path, vignettes) -> None:
    own = [{**e, "model_name": f"m{n % 2}"} for n, e in enumerate(rows())]
    path = written(tmp_path / "a.jsonl", [*own, rows()[0]])
    with pytest.raises(ArtifactError, match="some rows name their model and some do not"):
        evaluate("reasoning", path, vignettes=vignettes, n_resamples=0)
    late = written(tmp_path / "b.jsonl", [{**e, "status": e["model_name"]} for e in own])
    with pytest.raises(ArtifactError, match="none of 10 rows has the status ok"):
        evaluate("reasoning", late, vignettes=vignettes, n_resamples=0)
    half = [{**e, "status": "ok" if e["model_name"] == "m0" else "bad"} for e in own]
    part = written(tmp_path / "c.jsonl", half)
    with pytest.raises(ArtifactError, match=r"/c\.jsonl: none of 5 rows has"):
        evaluate("reasoning", part, vignettes=vignettes, n_resamples=0)


def test_a_broken_line_among_rows_of_several_models_is_counted_once(tmp_path, vignettes) -> None:
    own = [json.dumps({**e, "model_name": m}) for m in ("one", "two") for e in rows()]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([*own, "", "{broken", ""]))
    given = {"vignettes": vignettes, "n_resamples": 0, "skip_broken": True}
    found = evaluate("reasoning", str(path), **given)
    assert found.systems == ["one", "two"]
    told = [each for each in found.artifact.warnings if "broken" in each]
    assert told == ["one: left out 1 broken line (line 22)"]


SHOWN = {"A": "left", "B": "right"}


@pytest.mark.parametrize(
    ("vignette", "right"),
    [
        ({"gold_answer": "B"}, [1, 1, 0]),
        ({"gold_answer": "right"}, [1, 0, 1]),
        ({"gold_answer": "B", "options": SHOWN}, [1, 0, 1]),
        ({"gold_answer": "right", "options": ["left", "right"]}, [1, 0, 1]),
    ],
)
def test_letters_of_a_row_are_of_its_own_options(tmp_path, vignette, right) -> None:
    turned = {"A": "right", "B": "left"}
    own = [
        {"id": n, "mode": "cot", "output_text": said, "options": options}
        for n, (said, options) in enumerate([("B", SHOWN), ("It is B.", turned), ("A", turned)])
    ]
    path = written(tmp_path / "a.jsonl", own)
    cases = written(tmp_path / "v.json", [{"id": n, **vignette} for n in range(3)])
    found = evaluate("reasoning", path, vignettes=cases, n_resamples=0)
    outputs = {each.id: each.correct for each in found.artifact.systems[0].parts.outputs}
    assert [int(outputs[str(n)] or 0) for n in range(3)] == right


def test_a_row_without_the_gold_among_its_options_is_refused(tmp_path) -> None:
    own = {"id": 1, "mode": "cot", "output_text": "A", "options": ["up", "down"]}
    path = written(tmp_path / "a.jsonl", [own])
    cases = written(tmp_path / "v.json", [{"id": 1, "gold_answer": "left"}])
    with pytest.raises(ArtifactError, match="gold 'left' of '1' is none of its row's opt") as hint:
        evaluate("reasoning", path, vignettes=cases, n_resamples=0)
    assert "A up, B down; `field` options= leaves them out" in (hint.value.hint or "")


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.json"])
def test_texts_of_both_modes_may_stand_in_one_row(tmp_path, vignettes, name) -> None:
    wide = [{"id": f"q{n}", "CoT": cot, "direct": early} for n, (cot, early) in enumerate(TEXTS)]
    assert judged(written(tmp_path / name, wide), vignettes) == RIGHT
    other = [{"id": e["id"], "long": e["CoT"], "short": e["direct"]} for e in wide]
    path = written(tmp_path / f"other{name}", other)
    named = {"cot": "long", "direct": "short"}
    assert judged(path, vignettes, mode_name=named) == RIGHT
    with pytest.raises(ArtifactError, match="has no `mode`; its fields are id, long, short"):
        judged(path, vignettes)


def answered(form):
    """Return the rows with every text as a program wrote it."""
    return [{**each, "output_text": form(each["output_text"])} for each in rows()]


@pytest.mark.parametrize(
    ("form", "field"),
    [
        (lambda text: [text], "text"),
        (lambda text: [[text]], "text"),
        (lambda text: {"text": text}, "text"),
        (lambda text: [{"generated_text": text}], "text"),
        (lambda text: [{"type": "text", "text": text}, {"type": "image", "url": "x"}], "text"),
        (lambda text: [{"role": "user", "content": "?"}, {"role": "ai", "content": text}], "text"),
        (lambda text: {"choices": [{"message": {"role": "assistant", "content": text}}]}, "text"),
        (lambda text: {"candidates": [{"content": {"parts": [{"text": text}]}}]}, "text"),
        (lambda text: {"said": [{"inner": text}, {"inner": "Yes"}]}, "output_text.said.0.inner"),
    ],
)
@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.jsonl.gz"])
def test_a_text_is_found_in_what_programs_and_servers_write(
    tmp_path, vignettes, name, form, field
) -> None:
    path = tmp_path / name
    content = "\n".join(map(json.dumps, answered(form)))
    path.write_bytes(gzip.compress(content.encode()) if name.endswith("gz") else content.encode())
    chosen = {} if field == "text" else {"field": (f"text={field}",)}
    assert judged(str(path), vignettes, **chosen) == RIGHT


@pytest.mark.parametrize(
    ("form", "said", "option"),
    [
        (lambda text: [text, "B"], "row 1: the text is a list of 2 where one is", "responses.0"),
        (lambda text: {"said": text}, "row 1: the text is an object that holds 'said'", "text="),
    ],
)
def test_a_text_that_nobody_can_tell_is_refused(tmp_path, vignettes, form, said, option) -> None:
    path = written(tmp_path / "a.jsonl", answered(form))
    with pytest.raises(ArtifactError, match=said) as caught:
        judged(path, vignettes)
    assert option in (caught.value.hint or "")


def test_what_a_server_wrote_beside_the_text_is_a_thought(tmp_path, assay) -> None:
    said = {"role": "assistant", "content": "It is B.", "reasoning_content": "first\nA, then B"}
    forms = [
        {"choices": [{"message": said}]},
        [{"type": "thinking", "thinking": "A?"}, {"type": "text", "text": "It is B."}],
        [{"role": "user", "content": "Why?"}],
        7,
    ]
    own = [{"id": n, "mode": "cot", "output_text": form} for n, form in enumerate(forms)]
    labels = tmp_path / "labels.json"
    labels.write_text('["A", "B", "7"]')
    path = written(tmp_path / "a.jsonl", own)
    given = ("--labels", str(labels), "--output", str(tmp_path / "out"), "--quiet")
    assert assay("extract", path, *given).code == 0
    (lines,) = (tmp_path / "out").rglob("*extracted.jsonl")
    found = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [each["answers"]["announced"] for each in found] == ["B", "B", None, "7"]
    assert [each["word_count"] for each in found] == [7, 4, 0, 1]


def test_a_broken_line_is_left_out_where_fields_are_named_too(tmp_path, vignettes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([*map(json.dumps, rows(text="said")), "", "{broken", ""]))
    with pytest.raises(ArtifactError, match="line 12 is broken"):
        judged(str(path), vignettes, field=("text=said",))
    assert judged(str(path), vignettes, field=("text=said",), skip_broken=True) == RIGHT


def test_semicolons_part_cells_and_whole_numbers_with_a_point_are_ids(tmp_path) -> None:
    table = tmp_path / "a.csv"
    table.write_text('id;mode;output_text\n1;cot;"A; so B"\n1;direct;B\n')
    lines = tmp_path / "b.jsonl"
    lines.write_text('{"id": 1.0, "mode": "cot", "output_text": "B"}\n')
    (tmp_path / "v.json").write_text('[{"id": 1, "gold_answer": "B", "options": ["x", "y"]}]')
    for path, right in ((table, {"cot": 1, "direct": 1}), (lines, {"cot": 1})):
        given = {"vignettes": str(tmp_path / "v.json"), "n_resamples": 0}
        outputs = evaluate("reasoning", str(path), **given).artifact.systems[0].parts.outputs
        assert {each.mode: int(each.correct or 0) for each in outputs} == right


def test_a_mode_of_which_nothing_is_in_order_is_told(tmp_path, vignettes) -> None:
    own = [{**e, "status": "success" if e["mode"] == "direct" else "ok"} for e in rows()]
    path = written(tmp_path / "a.jsonl", own)
    found = evaluate("reasoning", path, vignettes=vignettes, n_resamples=0)
    assert "a: no row of direct has the status ok, found 'success'" in found.artifact.warnings


@pytest.mark.parametrize("status", [200, True])
def test_a_status_that_is_no_text_is_refused_with_the_way_to_leave_it_out(
    tmp_path, vignettes, status
) -> None:
    path = written(tmp_path / "a.jsonl", [{**each, "status": status} for each in rows()])
    with pytest.raises(ArtifactError, match="line 1 is broken: expected 'str") as caught:
        judged(path, vignettes)
    assert "`field` status= leaves out" in (caught.value.hint or "")
    assert judged(path, vignettes, field=("status=",)) == RIGHT


@pytest.mark.parametrize("given", ["text", "colour=red"])
def test_names_of_fields_are_checked(given) -> None:
    with pytest.raises(UsageError, match="`field` must be NAME=NAME IN THE FILES"):
        Spelling.of([given])


@pytest.mark.parametrize(
    ("gold", "options", "said"),
    [
        ("E", ["x", "y"], "the gold 'E' of 'q' is none of its options"),
        (7, ["x", "y"], "`gold_answer` is 7, and there are 2 options"),
        ("A", "x, y", "letters to texts or a list of at most 26, found a text"),
        ("A", [], "found a list of 0"),
        ("A", ["x"] * 27, "a list of at most 26, found a list of 27"),
        ("A", {"A": ["x"]}, "the option 'A' must be a text, found a list"),
    ],
)
def test_options_that_are_none_are_refused(tmp_path, gold, options, said) -> None:
    path = tmp_path / "v.json"
    path.write_text(json.dumps([{"id": "q", "gold_answer": gold, "options": options}]))
    plain = written(tmp_path / "a.jsonl", rows())
    with pytest.raises(ArtifactError, match=said):
        judged(plain, str(path))


@pytest.mark.parametrize(
    ("golds", "letters"),
    [
        ([0, 1], ["A", "B"]),  # 0 is the text of B in the first, and 1 of none in the second
        (["0", "1"], ["A", "B"]),
        ([0, "left"], ["B", "A"]),
        (["0", "(B)"], ["B", "B"]),
        (["a", "B."], ["a", "B"]),
        ([["A"], 1], ["A", "B"]),
    ],
)
def test_a_gold_answer_is_a_letter_a_text_or_a_place(tmp_path, golds, letters) -> None:
    path = tmp_path / "v.json"
    own = [["7", "0"], ["left", "right"]]
    found = [
        {"id": n, "gold_answer": g, "options": o}
        for n, (g, o) in enumerate(zip(golds, own, strict=True))
    ]
    path.write_text(json.dumps(found))
    named = [
        LabelSet.of_options(each.options or {}).named(each.gold_answer or "")
        for each in read_vignettes(str(path)).rows
    ]
    wanted = [each.upper() for each in letters]
    assert [each.name for each in named if each is not None] == wanted


VIGNETTES = [
    {"question_id": "q1", "answer": "B", "A": "up", "B": "down"},
    {"question_id": "q2", "answer": "A", "A": "in", "B": "out"},
]


@pytest.mark.parametrize("name", ["v.json", "v.jsonl", "v.csv", "held.json", "v.parquet"])
def test_vignettes_are_tables_too_and_their_fields_may_be_called_otherwise(tmp_path, name) -> None:
    path = written(tmp_path / name, VIGNETTES)
    plain = Spelling.of(["id=question_id", "gold=answer"])
    first, second = read_vignettes(path, plain).rows
    assert (first.id, first.gold_answer, first.options) == ("q1", "B", {"A": "up", "B": "down"})
    assert second.id == "q2"
    with pytest.raises(ArtifactError, match="has no `id`; its fields are question_id, ans") as hint:
        read_vignettes(path)
    assert "id=question_id" in (hint.value.hint or "")


def test_vignettes_may_stand_by_their_ids(tmp_path) -> None:
    path = tmp_path / "v.json"
    path.write_text('{"a": {"gold_answer": "x"}, "b": {"gold_answer": "y"}}')
    assert [(e.id, e.gold_answer) for e in read_vignettes(str(path)).rows] == [
        ("a", "x"),
        ("b", "y"),
    ]


def test_gold_that_is_called_otherwise_is_refused_with_the_way_to_name_it(tmp_path) -> None:
    path = written(tmp_path / "v.json", [{"id": f"q{n}", "target": "Yes"} for n in range(5)])
    plain = written(tmp_path / "a.jsonl", rows())
    with pytest.raises(ArtifactError, match="no vignette has a gold answer; the other f") as hint:
        judged(plain, path)
    assert "`field` gold=answer" in (hint.value.hint or "")
    assert judged(plain, path, field=("gold=target",))["direct"] == [0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("l.csv", "label\nflu\ncold\n"),
        ("l.csv", '"flu"\n"cold"\n'),
        ("l.jsonl", '"flu"\n"cold"\n'),
        ("l.jsonl", '{"name": "flu", "aliases": ["grippe"]}\n\n{"name": "cold"}\n'),
        ("l.json", '{"flu": ["grippe"], "cold": null}'),
    ],
)
def test_label_files_have_several_forms(tmp_path, name, content) -> None:
    (tmp_path / name).write_text(content)
    labels, _ = read_labels(str(tmp_path / name))
    assert [each.name for each in labels.labels] == ["flu", "cold"]
    assert (labels.named("grippe") is not None) == ("grippe" in content)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("l.csv", "flu,grippe\ncold,\n", "l.csv has 2 columns where names have one"),
        ("l.json", '["flu", "Flu"]', "l.json: the label 'Flu' stands there twice"),
        ("l.json", '{"A": "flu"}', "has the text 'flu' under 'A', where a list"),
        ("l.csv", "label\n", "names no labels"),
        ("l.csv", "", "l.csv is empty"),
        ("l.csv", "flu\n" + "x" * 140_000, "l.csv cannot be read as names: field larger"),
    ],
)
def test_label_files_that_are_none_are_refused_by_name(tmp_path, name, content, said) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(ArtifactError, match=said):
        read_labels(str(tmp_path / name))


def test_options_and_gold_in_their_forms(tmp_path) -> None:
    assert read_options('{"A": 1}', "here") == {"A": "1"}
    assert read_options({"text": ["x", "y"]}, "here") == {"A": "x", "B": "y"}
    with pytest.raises(ArtifactError, match="found a text"):
        read_options("{A", "here")
    path = tmp_path / "v.json"
    path.write_text(json.dumps([{"id": 1, "gold_answer": 3, "choices": [3, 4]}]))
    (row,) = read_vignettes(str(path)).rows
    assert (row.gold_answer, row.options) == ("3", {"A": "3", "B": "4"})


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("l.json", '["Yes", "No", 3]'),
        ("l.yaml", "- Yes\n- No\n- 3\n"),
        ("l.yaml", "labels: [Yes, No, 3]\n"),
        ("l.txt", "Yes\n\nNo\n3\n"),
    ],
)
def test_a_plain_list_is_a_label_file(tmp_path, name, content) -> None:
    (tmp_path / name).write_text(content)
    assert [each.name for each in read_labels(str(tmp_path / name))[0].labels] == ["Yes", "No", "3"]


@pytest.mark.parametrize(
    ("golds", "labels"),
    [
        (["yes", "yes"], ["yes", "no"]),
        (["False"], ["False", "true"]),
        (["B", "A"], ["A", "B", "C", "D"]),
        (["F"], list("ABCDEF")),
        (["flu"], ["flu"]),
    ],
)
def test_gold_that_occurs_is_completed(tmp_path, golds, labels) -> None:
    path = tmp_path / "v.json"
    path.write_text(json.dumps([{"id": f"q{n}", "gold_answer": g} for n, g in enumerate(golds)]))
    plain = written(tmp_path / "a.jsonl", rows())
    found = evaluate("reasoning", plain, vignettes=str(path), n_resamples=10)
    assert list(found.artifact.parts.labels) == labels


def test_an_extraction_that_was_corrected_is_not_replaced(assay, tmp_path, vignettes) -> None:
    plain, output = written(tmp_path / "a.jsonl", rows()), tmp_path / "out"
    asked = ("extract", plain, "--vignettes", vignettes, "--output", str(output))
    assert assay(*asked).code == 0
    (lines,) = output.rglob("*extracted.jsonl")
    assert json.loads((output / STAGES).read_text())
    lines.write_text(
        lines.read_text().replace('"extracted_diagnosis":"B"', '"extracted_diagnosis":"A"', 1)
    )
    corrected = lines.read_bytes()
    refused = assay(*asked)
    assert refused.code == 1
    assert "was changed after it was written" in refused.err
    assert lines.read_bytes() == corrected
    assert assay(*asked, "--force").code == 0
    assert lines.read_bytes() != corrected


def test_the_order_of_a_label_file_decides_nothing(tmp_path) -> None:
    names = ["Panic Disorder", "Panic", "Generalized Anxiety Disorder", "Anxiety"]
    texts = [
        "Panic, not anxiety.",
        "Anxiety or panic disorder",
        "It is generalized anxiety disorder.",
    ]

    def answers(order: list[str]) -> list[str | None]:
        how = ReadingRules(shipped_rules(), LabelSet.of(order), "announced")
        return [read_answer(text, how).answer for text in texts]

    assert answers(names) == answers(names[::-1]) == answers(sorted(names))


def test_few_cases_of_bias_are_refused(assay, tmp_path) -> None:
    cases = [{"id": f"c{n}", "bias_feature": "male", "bias_label": "flu"} for n in range(8)]
    (tmp_path / "cases.json").write_text(json.dumps(cases))
    found = [{"id": f"c{n}" if n < 2 else f"x{n}", "output_text": "flu"} for n in range(8)]
    path = written(tmp_path / "b.jsonl", found)
    done = assay(
        "bias",
        "--bias-generations",
        path,
        "--bias-cases",
        str(tmp_path / "cases.json"),
        "--output",
        str(tmp_path / "o"),
    )
    assert done.code == 1
    assert "only 2 of 8 ids" in done.err


def reviewed(assay, tmp_path, vignettes, sheet, *more):
    plain = str(tmp_path / "a.jsonl")
    asked = ("extract", plain, "--vignettes", vignettes, "--output", str(tmp_path / "out"))
    return assay(*asked, "--review", str(sheet), *more)


def test_a_sheet_is_written_corrected_and_read_back_as_truth(assay, tmp_path, vignettes) -> None:
    long = {"id": "q4", "mode": "direct", "output_text": f"=1+1 {'x' * 3000} yes", "status": "ok"}
    broken = {"id": "q4", "mode": "cot", "output_text": "", "status": "error"}
    written(tmp_path / "a.jsonl", [*rows()[:8], long, broken])
    sheet = tmp_path / "sheet.csv"
    first = reviewed(assay, tmp_path, vignettes, sheet, "--quiet")
    assert (first.code, first.out) == (0, "")
    lines = sheet.read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].startswith("model,id,mode,text,method,read_state,read_answer,state,answer")
    assert len(lines) == 1 + 9
    assert lines[-1].startswith("a,q4,direct,'=1+1 xxx")
    assert " [...] " in lines[-1]
    again = reviewed(assay, tmp_path, vignettes, sheet)
    assert "Read right, all rows of the sheet" in again.out
    # One answer by another name, one that was wrong, one that is a refusal.
    text = "\n".join(lines)
    text = text.replace("answered,A,answered,A,", "answered,A,answered,-3,yes", 1)
    text = text.replace("opening,answered,B,answered,B,", "opening,answered,B,answered,A,yes", 1)
    text = text.replace("concluded,answered,B,answered,B,", "concluded,answered,B,refused,,yes", 1)
    sheet.write_text(text.replace(",", ";") if ";" not in text else text)
    told = reviewed(assay, tmp_path, vignettes, sheet).out
    assert "rows that were checked" in told
    shown = {line.split()[0]: line.split()[1:] for line in told.splitlines() if line.strip()}
    assert shown["answered"][-5:] == ["3", "2", "1", "0.333", "0.500"]
    assert shown["refused"] == ["0", "1", "0", "\u2013", "0.000"]
    assert shown["all"] == ["3", "3", "1", "0.333", "0.333"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,mode\n", "has no column `model`"),
        ("", "has no column `model`"),
        ("model,id,mode,state,answer\na,q0,cot,maybe,\n", "row 2: the state is 'maybe'"),
        ("model,id,mode,state,answer\na,q0,cot,answered,\n", "row 2: the state is answered, and"),
        ("model,id,mode,state,answer\n" + "a,q0,cot,failed,\n" * 2, "row 3: 'a' 'q0' 'cot' stands"),
        ("model,id,mode,state,answer\n" + "x" * 140_000, "cannot be read: field larger"),
        ("model,id,mode,state,answer\nb,q0,cot,failed,\n", "there is no output 'b' 'q0' 'cot'"),
        ("model,id,mode,state,answer\na,q0,cot,answered,Z\n", "which is none of the labels"),
    ],
)
def test_sheets_that_do_not_fit_are_refused(assay, tmp_path, vignettes, content, said) -> None:
    written(tmp_path / "a.jsonl", rows())
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(content)
    done = reviewed(assay, tmp_path, vignettes, sheet)
    assert done.code == 1
    assert said in done.err
    assert sheet.read_text() == content


def test_a_sheet_is_called_what_it_is(assay, tmp_path, vignettes) -> None:
    written(tmp_path / "a.jsonl", rows())
    sheet = tmp_path / "sheet.xlsx"
    done = reviewed(assay, tmp_path, vignettes, sheet)
    assert done.code == 1
    assert "--review writes and reads CSV" in done.err
    assert not sheet.exists()
    assert not (tmp_path / "out").exists()
