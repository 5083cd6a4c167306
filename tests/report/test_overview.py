"""The short console report where confidences do not tell answers apart."""

from __future__ import annotations

from click.testing import CliRunner

from assay.cli import command as program

ROWS = """\
participant,item,prediction,truth,token_msp,llm_evidence_count
p1,Sleep,2,2,0.9,1
p1,Tired,1,1,0.4,1
"""


def test_a_run_without_an_error_is_reported_under_several_confidences(tmp_path):
    path = tmp_path / "items.csv"
    path.write_text(ROWS, encoding="utf-8")
    options = ["--confidence", "token_msp,llm", "--bootstrap-resamples", "20"]
    output = ["--output", str(tmp_path / "a.json")]
    result = CliRunner().invoke(
        program, ["selective", "--input", str(path), *options, *output, "--loss", "abs"]
    )
    assert result.exit_code == 0, result.output
    assert "Under every confidence" in result.output
