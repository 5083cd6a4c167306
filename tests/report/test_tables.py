"""Tables to paste: exact text, and names that try to be more than text."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.display.blocks import Cell, Facts, Grid, Row, Section, Sketch, Summary, facts
from assay.display.numbers import DASH
from assay.report.tables import all_tables, one_table, table_names, tables
from tests.report.views import of

GRID = Grid(
    "Numbers & more",
    "confidence",
    ("few_shot\naurc", "n"),
    (
        Row("llm", (Cell("0.0330", "[0.0229, 0.0447]"), Cell("1,234", "(5.0%)"))),
        Row(
            "difference",
            (
                Cell("-0.010", "[-0.021, 0.003]", ("undefined on some",)),
                Cell(DASH, notes=("no rows",)),
            ),
            arrow="↑",
        ),
        Row("cmax", arrow="↓"),
        Row("a_b", (Cell("+0.5"), Cell("<0.001")), indented=True),
    ),
    arrows=("↓", ""),
)
SMALL = Summary(
    "Selective prediction",
    ("few_shot",),
    (
        facts("conventions", [("loss", "abs_norm")]),
        Section("curve", Sketch("drawn", (("few_shot", "▁▅█", "0 to 1"),))),
        Section("main", GRID),
    ),
)


def test_markdown_has_a_heading_and_a_table_for_every_grid():
    assert (
        tables(SMALL, "md").replace(DASH, "-")
        == r"""## Selective prediction: few\_shot

- loss: abs\_norm

### Numbers \& more

| confidence | few\_shot aurc ↓ | n |
|:--|--:|--:|
| llm | 0.0330 [0.0229, 0.0447] | 1,234 (5.0%) |
| difference ↑ | -0.010 [-0.021, 0.003]¹ | -² |
| cmax: a\_b ↓ | +0.5 | \<0.001 |

- ¹: undefined on some
- ²: no rows
"""
    )


def test_latex_is_a_booktabs_table_with_the_facts_as_comments():
    assert (
        tables(SMALL, "tex")
        == r"""% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}
% Selective prediction: few_shot
% loss: abs_norm

\begin{table}
\centering
\caption{Numbers \& more}
\label{tab:numbers-more}
\begin{tabular}{lrr}
\toprule
confidence & few\_shot aurc $\downarrow$ & n \\
\midrule
llm & 0.0330 {[}0.0229, 0.0447{]} & 1,234 (5.0\%) \\
difference $\uparrow$ & $-0.010$ {[}$-0.021$, 0.003{]}$^{1}$ & --$^{2}$ \\
cmax: a\_b $\downarrow$ & $+0.5$ & \textless{}0.001 \\
\bottomrule
\end{tabular}
\end{table}
% (1): undefined on some
% (2): no rows
"""
    )


def test_csv_is_one_long_table_with_intervals_and_notes_in_columns():
    assert [*csv.reader(io.StringIO(tables(SMALL, "csv")))] == [
        ["table", "row", "better", "column", "value", "low", "high", "note"],
        ["Numbers & more", "llm", "lower", "few_shot aurc", "0.0330", "0.0229", "0.0447", ""],
        ["Numbers & more", "llm", "", "n", "1234", "", "", "(5.0%)"],
        [
            *("Numbers & more", "difference", "higher", "few_shot aurc"),
            *("-0.010", "-0.021", "0.003", "undefined on some"),
        ],
        ["Numbers & more", "difference", "higher", "n", "", "", "", "no rows"],
        ["Numbers & more", "cmax: a_b", "lower", "few_shot aurc", "+0.5", "", "", ""],
        ["Numbers & more", "cmax: a_b", "lower", "n", "<0.001", "", "", ""],
    ]


def test_an_interval_that_is_a_cell_of_its_own_has_no_value():
    alone = of(Grid("", "", ("exact",), (Row("few_shot", (Cell("[0.6%, 16.5%]"),)),)))
    assert tables(alone, "csv").splitlines()[1] == ",few_shot,,exact,,0.6%,16.5%,"
    assert "| few\\_shot | [0.6%, 16.5%] |" in tables(alone, "md")
    assert "few\\_shot & {[}0.6\\%, 16.5\\%{]} \\\\" in tables(alone, "tex")


def named(text: str) -> Summary:
    grid = Grid(text, text, (text,), (Row(text, (Cell(text, text),)),))
    return of(Facts(((text, text),)), grid, title=text)


MARKDOWN = [
    "[click](javascript:alert(1))",
    "![x](https://example.org/x.png)",
    "<script>alert(1)</script>",
    "a | b | c",
    "`code` *bold* ~~gone~~ &lt;",
    "one\ntwo\n\n# three",
    "\\",
    "$x$",
]


@pytest.mark.parametrize("text", MARKDOWN)
def test_markdown_shows_hostile_text_as_text(text):
    found = tables(named(text), "md")
    assert not re.search(r"(?<!\\)[<`*~$&]", found)
    assert not re.search(r"(?<!\\)\]\(", found)
    row = next(line for line in reversed(found.splitlines()) if line.startswith("|"))
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 3
    assert len(found.splitlines()) == 9


LATEX = [
    r"\input{/etc/passwd}",
    r"\write18{rm -rf /}",
    "a & b \\\\ c",
    "100% # $x^2_i$ ~ {} \\",
    "one\n% two\n\\end{table}",
    "``quoted'' --- \"so\" <a>|b",
]


@pytest.mark.parametrize("text", LATEX)
def test_latex_prints_hostile_text_as_text(text):
    found = tables(named(text), "tex")
    body = [line for line in found.splitlines() if not line.startswith("%")]
    ours = {
        *("begin", "end", "centering", "caption", "label", "toprule", "midrule", "bottomrule"),
        *("textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater"),
        *("textbar", "textquotedbl", "textquotesingle", "textasciigrave"),
    }
    assert {*re.findall(r"\\([a-zA-Z]+)", "\n".join(body))} <= ours
    assert not any("--" in line for line in body)
    (row,) = [line for line in body if line.endswith("\\\\") and " & " in line][1:]
    assert len(re.findall(r"(?<!\\)&", row)) == 1
    assert not re.search(r"(?<!\\)[%#$_^~]", row)
    assert "\n".join(body).count("\\end{table}") == 1


@pytest.mark.parametrize("text", ["=1+1", "+cmd|'/C calc'!A0", "-2+3", "@SUM(A1)", "\tx", 'a"b,c'])
def test_a_spreadsheet_takes_no_text_for_a_formula(text):
    _, row = csv.reader(io.StringIO(tables(named(text), "csv")))
    assert row[1].strip("'") == text.strip("'").strip()
    assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for cell in row)


@given(st.text())
def test_any_text_keeps_the_shape_of_a_table(text):
    markdown = tables(named(text), "md").split("\n")
    assert len(markdown) == (9 if text else 7) + 1
    latex = tables(named(text), "tex")
    assert latex.count("\\begin{tabular}") == 1 or "begin{tabular}" in text
    header, row = csv.reader(io.StringIO(tables(named(text), "csv"), newline=""))
    assert len(row) == len(header) == 8


def test_signs_of_numbers_are_no_formulas():
    grid = Grid("", "", ("x",), (Row("r", (Cell("-0.5", "[-1, +2]"),)),))
    assert tables(of(grid), "csv").splitlines()[1] == ",r,,x,-0.5,-1,+2,"


def test_words_after_an_interval_and_marks_stay_where_they_are():
    cells = Cell("1.000", "[0.905, 1.000] exact"), Cell("0.000", notes=("all the same",))
    summary = of(Grid("", "", ("x", "y"), (Row("r", cells),)))
    assert "| r | 1.000 [0.905, 1.000] exact | 0.000¹ |" in tables(summary, "md")
    assert "r & 1.000 {[}0.905, 1.000{]} exact & 0.000$^{1}$ \\\\" in tables(summary, "tex")
    assert tables(summary, "csv").splitlines()[1:] == [
        ",r,,x,1.000,0.905,1.000,exact",
        ",r,,y,0.000,,,all the same",
    ]


AGAIN = of(GRID, GRID, Grid("\u2193", "", ("n",), (Row("r", (Cell("1"),)),)), title="Again")


def test_labels_of_tables_come_once():
    text = all_tables([SMALL, AGAIN], "tex")
    labels = re.findall(r"\\label\{tab:(.*)\}", text)
    assert labels == ["numbers-more", "numbers-more-2", "numbers-more-3", "table"]
    assert text.count("booktabs") == 1


def test_a_table_is_found_by_its_name_or_its_title_and_keeps_its_notes():
    assert [*table_names(AGAIN)] == ["numbers-more", "numbers-more-2", "table"]
    for name in ("numbers-more", "Numbers & more"):
        assert [each.block for each in one_table(SMALL, name).sections] == [GRID]
        text = tables(one_table(SMALL, name), "md")
        assert text.endswith("\n- ¹: undefined on some\n- ²: no rows\n")
    assert one_table(SMALL, "loss") is None


def test_csv_of_several_artifacts_has_one_head_and_says_which():
    found = [*csv.DictReader(io.StringIO(all_tables([SMALL, AGAIN], "csv")))]
    assert {row["table"] for row in found} == {
        "Selective prediction: few_shot: Numbers & more",
        "Again: Numbers & more",
        "Again: \u2193",
    }


def test_a_name_with_an_arrow_is_no_direction():
    grid = Grid("gpt\u2191", "", ("claude\u2193",), (Row("r", (Cell("1"),)),))
    (row,) = csv.DictReader(io.StringIO(tables(of(grid), "csv")))
    assert (row["table"], row["column"], row["better"]) == ("gpt\u2191", "claude\u2193", "")


def test_marks_are_numbered_over_what_is_shown_and_nothing_else():
    hidden = Grid("Hidden", "", ("x",), (Row("r", (Cell(DASH, notes=("never shown",)),)),))
    later = Grid("Later", "", ("x",), (Row("r", (Cell(DASH, notes=("no rows",)),)),))
    summary = Summary(
        "t", sections=(Section("numbers", hidden, detail="full"), Section("numbers", later))
    )
    text = tables(summary, "md")
    assert f"| r | {DASH}¹ |" in text
    assert text.endswith("- ¹: no rows\n")
    assert "never shown" not in text
    assert tables(summary, "md", "full").endswith("- ¹: never shown\n- ²: no rows\n")
    assert tables(one_table(summary, "later"), "md").endswith("- ¹: no rows\n")


def test_a_cell_with_several_reasons_has_a_mark_for_each():
    grid = Grid("", "", ("x",), (Row("r", (Cell("1", notes=("first", "second")),)),))
    assert "| r | 1¹,² |" in tables(of(grid), "md")
    assert "r & 1$^{1}$,$^{2}$ \\\\" in tables(of(grid), "tex")
    (row,) = csv.DictReader(io.StringIO(tables(of(grid), "csv")))
    assert row["note"] == "first; second"


SIGNS = ["\x1b[31m", "\x00", "\x07", "\u202e", "\x85", "\ufffe", "\x7f"]


@pytest.mark.parametrize("form", ["md", "tex", "csv"])
@pytest.mark.parametrize("sign", SIGNS)
def test_what_a_terminal_would_act_on_is_spelled_out_in_every_table(form, sign):
    named = f"a{sign}b"
    grid = Grid(named, named, (named,), (Row(named, (Cell(named, named),)),))
    text = tables(of(Facts(((named, named),)), grid, title=named), form)
    assert all(each.isprintable() or each == "\n" for each in text)
    assert sign not in text


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
@pytest.mark.parametrize("before", ["", "\t", "\r", " "])
def test_no_cell_of_a_csv_file_is_a_formula(start, before):
    text = f"{before}{start}1+1"
    grid = Grid(text, "", (text,), (Row(text, (Cell(text),)),))
    (row,) = csv.DictReader(io.StringIO(tables(of(grid, title="t"), "csv")))
    assert {row[each][0] for each in ("table", "row", "column", "value")} <= {"'"}
