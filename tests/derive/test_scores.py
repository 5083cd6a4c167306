"""Scores of sheets: what the parts add up to, and ranges that are no score."""

from __future__ import annotations

import pytest

from tests.derive.test_announced import read

SUM, MARK, FEW = [str(each) for each in range(28)], ["1", "2", "3", "4", "5"], ["2", "7", "12"]
ITEMS = "1. Leaks: 3\n2. Rust: 2\n3. Smell: 1\n4. Dents: 0\n\n"


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (SUM, f"{ITEMS}Total score: 6 (some wear)", "6"),
        (SUM, f"{ITEMS}Adding these up gives 6, which falls in the 5-9 range.", "6"),
        (SUM, f"{ITEMS}**Total Score:** 6", "6"),
        (SUM, "The total score is 3 + 2 + 1 + 0 = 6.", "6"),
        (SUM, "The score would be around 18, which means that it is worn out (15-19).", "18"),
        (SUM, "A score of 0-4 means new, 5-9 worn. Here the score is 7.", "7"),
        (MARK, "Score: 4. The cooper uses 3 hoops and 2 lids.", "4"),
        (MARK, "Score = 1 (poor). It leaks 2 times in 3 days.", "1"),
        (MARK, "Leaks: 4\nRust: 2\nOverall score: 3", "3"),
        (MARK, "He came on 2-3 days and gave it a 4.", "4"),
        (MARK, "1\nThe hoops are gone.", "1"),
        (MARK, "1. The hoops are gone.", "1"),
        (FEW, "The room is 2-7 metres long, and the answer is 12.", "12"),
    ],
)
def test_the_score_is_what_a_text_comes_to(labels, text, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (SUM, "Approximately 12-14."),
        (SUM, "Between 10 and 14"),
        (MARK, "3-4"),
        (SUM, "Score: 30"),
    ],
)
def test_a_range_is_no_score(labels, text) -> None:
    assert read(text, labels).state != "answered"
