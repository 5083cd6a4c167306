"""Keys of the files about verdicts: their spellings, and keys of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.derive.spellings import KEYS, SPELLINGS, key_of, renaming_of
from assay.errors import UsageError


@pytest.mark.parametrize("name", SPELLINGS)
def test_every_spelling_is_read_and_one_that_holds_nothing_gives_way(name):
    spellings = SPELLINGS[name]
    for each in spellings:
        assert key_of({each: 1}, name) == each
        assert key_of({**dict.fromkeys(spellings), each: 1}, name) == each
    assert key_of({spellings[-1]: None}, name) == spellings[-1]
    assert key_of({}, name) == spellings[1]


def test_keys_are_renamed_at_any_depth_and_those_that_are_there_stay():
    renaming = renaming_of(["contract_id=case_id", " clause = source_id"])
    given = {"contract_id": "a", "parsed": {"evidence": [{"clause": "1"}, "clause"]}, "n": [[3]]}
    assert renaming(given) == {
        "case_id": "a",
        "parsed": {"evidence": [{"source_id": "1"}, "clause"]},
        "n": [[3]],
    }
    assert renaming({"contract_id": "theirs", "case_id": "ours"}) == {"case_id": "ours"}
    renaming.check()
    plain = {"contract_id": 1}
    assert renaming_of(())(plain) is plain


def test_a_mapping_of_python_is_the_same():
    assert renaming_of({"contract_id": "case_id"}).names == {"contract_id": "case_id"}


@pytest.mark.parametrize(
    ("given", "said", "hint"),
    [
        (["contract_id"], "found 'contract_id'", "as in contract_id=case_id"),
        (["=case_id"], "found '=case_id'", "as in contract_id=case_id"),
        (["x="], "found 'x='", "as in contract_id=case_id"),
        (["x=cas_id"], "reads 'x' as 'cas_id', which is no key", "the nearest is case_id"),
        (["x=qqqq"], "which is no key of the files", "the page about verdicts lists all keys"),
        (["x=case_id", "x=source_id"], "reads 'x' as case_id and as source_id", "one other"),
    ],
)
def test_a_renaming_that_says_nothing_is_refused(given, said, hint):
    with pytest.raises(UsageError, match=said) as told:
        renaming_of(given)
    assert hint in told.value.hint


def test_a_key_that_no_file_holds_is_refused():
    renaming = renaming_of(["contract=case_id"])
    renaming({"contract_id": 1})
    with pytest.raises(UsageError, match="the key 'contract', which none of the files holds"):
        renaming.check()


def test_every_key_is_in_the_table_of_the_page():
    text = Path("docs/verdicts.md").read_text(encoding="utf-8")
    assert [key for key in KEYS if f"`{key}`" not in text] == []
