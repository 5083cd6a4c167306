"""Addresses and keys: what is refused, and that a key never shows."""

from __future__ import annotations

import pytest

from assay.errors import UsageError
from assay.produce.endpoints import Endpoint, endpoint, read_key, unencrypted

SECRET = "sk-abcdef"  # noqa: S105 - of nobody


def test_a_key_comes_from_a_named_variable_a_file_or_the_usual_variable(tmp_path, monkeypatch):
    monkeypatch.setenv("MINE", f" {SECRET}\n")
    monkeypatch.setenv("USUAL", "sk-usual")
    (tmp_path / "key").write_text(f"{SECRET}\n")
    assert read_key("MINE", None, usual="USUAL") == SECRET
    assert read_key(None, str(tmp_path / "key"), usual="USUAL") == SECRET
    assert read_key(None, None, usual="USUAL") == "sk-usual"
    assert read_key(None, None, usual="NOT_SET_ANYWHERE") is None


@pytest.mark.parametrize("name", [SECRET, "NOT_SET_ANYWHERE", "sk abc", ""])
def test_a_key_given_in_place_of_its_variable_is_not_repeated(name):
    with pytest.raises(UsageError, match="that --api-key-env names is not set") as raised:
        read_key(name, None, usual="USUAL")
    assert not name or name not in f"{raised.value} {raised.value.hint}"


@pytest.mark.parametrize("key", ["two words", "two\nlines", "sk-é", "tab\tbed", "x\r\nHost: evil"])
def test_a_key_that_would_break_the_header_is_refused_unseen(monkeypatch, key):
    monkeypatch.setenv("MINE", key)
    with pytest.raises(UsageError, match="must hold one key of visible ASCII") as raised:
        read_key("MINE", None, usual="USUAL")
    assert key not in str(raised.value)


def test_a_file_of_a_key_that_cannot_be_read_is_one_sentence(tmp_path):
    with pytest.raises(UsageError, match="cannot be read: no such file or directory"):
        read_key(None, str(tmp_path / "none"), usual="USUAL")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read: it is not text"):
        read_key(None, str(tmp_path / "bytes"), usual="USUAL")
    (tmp_path / "empty").touch()
    with pytest.raises(UsageError, match="must hold one key"):
        read_key(None, str(tmp_path / "empty"), usual="USUAL")


def test_an_endless_file_is_no_key():
    with pytest.raises(UsageError, match="must hold one key"):
        read_key(None, "/dev/zero", usual="USUAL")


def test_a_variable_and_a_file_at_once_are_refused():
    with pytest.raises(UsageError, match="not from both"):
        read_key("A", "b", usual="USUAL")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("127.0.0.1:8080/v1", "must be an http or https address"),
        ("ftp://host/v1", "must be an http or https address"),
        ("http:///v1", "must be an http or https address"),
        ("http://[::1/v1", "is not an address"),
        ("http://host:99999/v1", "is not an address"),
        (f"https://me:{SECRET}@host/v1", "must not carry a user name"),
        (f"https://{SECRET}@host/v1", "must not carry a user name"),
        (f"https://host/v1#{SECRET}", r"without # or blanks"),
        ("https://host/v 1", r"without # or blanks"),
        ("https://host/v\x1b[31m", r"without # or blanks"),
    ],
)
def test_an_address_with_anything_but_host_and_path_is_refused_unseen(url, words):
    with pytest.raises(UsageError, match=words) as raised:
        endpoint(url)
    assert SECRET not in f"{raised.value} {raised.value.hint}"


def test_a_slash_at_the_end_of_an_address_makes_no_difference():
    assert endpoint("http://h/v1/").url("embeddings") == "http://h/v1/embeddings"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://models.example/v1", False),
        ("http://localhost:1/v1", False),
        ("http://a.localhost/v1", False),
        ("http://127.8.9.1/v1", False),
        ("http://[::1]:80/v1", False),
        ("http://10.0.0.2/v1", True),
        ("http://models.example/v1", True),
        ("http://localhost.example/v1", True),
    ],
)
def test_plain_http_beyond_this_machine_is_unencrypted(url, expected):
    assert unencrypted(url) is expected


def test_a_key_is_found_in_every_spelling_of_json():
    server = Endpoint("http://h", 'a/b"c\\d+efg')
    sent = (
        b'["a/b\\"c\\\\d+efg", "a\\/b\\"c\\\\d\\u002Befg", "a\\u002fb\\u0022c\\u005cd\\u002befg"]'
    )
    assert server.redacted(sent) == b'["[key]", "[key]", "[key]"]'
    assert server.redacted(b'a/b"c\\d+efg, efg') == b"[key], efg"
    assert Endpoint("http://h").redacted(sent) == sent


@pytest.mark.parametrize("key", ["1", "none", "null", "EMPTY", "ollama"])
def test_what_local_servers_are_given_for_a_key_is_not_looked_for_in_answers(key):
    sent = b'{"a": 1, "b": null, "c": "none of EMPTY ollama"}'
    assert Endpoint("http://h", key).redacted(sent) == sent
