"""Keys that stand twice in one object, found by the compiled scan and without it."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.sources.content import repeated_key
from tests.engines import FORMS

if "compiled" in FORMS:
    from assay._kernels import _compiled

needs_both = pytest.mark.skipif("compiled" not in FORMS, reason="the C module was not built")

MANY = {f"k{number}": number for number in range(5000)}
TEXTS = {
    '{"a": 1, "a": 2}': ("a", ""),
    '[{"a": 1}, {"a": 1, "b": {"c": 1, "c": 2}}]': ("c", "[1].b"),
    '{"x": {"y": [[{"z": 1, "z": 1}]]}}': ("z", "x.y[0][0]"),
    '{"ab": 1, "\\u0061b": 2}': ("ab", ""),
    '{"": 1, "": 2}': ("", ""),
    '{"ä": 1, "ä": 2}': ("ä", ""),
    '{"a": "\\"}", "b": 1, "a": 2}': ("a", ""),
    json.dumps(MANY)[:-1] + ', "k77": 0}': ("k77", ""),
    json.dumps({f"{'k' * n}{end}": 0 for n in range(20) for end in "ab"}): None,
    json.dumps({f"retrieval_similarity_{n:07d}": n for n in range(3000)}): None,
    '{"retrieval_similarity_mean": 1, "b": "\\\\", "retrieval_similarity_mean": 2}': (
        "retrieval_similarity_mean",
        "",
    ),
    json.dumps([MANY, 1e300, -5, None, True]): None,
    '{"a": {"a": {"a": 1}}, "b": [{"a": 1}, {"a": 2}]}': None,
    '{"a": "a", "b": "a", "c": ["a", "a", {}]}': None,
    '{"a": "{\\"a\\": 1, \\"a\\": 2}"}': None,
    '{"a\\"": 1, "a": 2, "A": 3, "a ": 4, "\\u00e4": 5}': None,
    '["a", "a"]': None,
    "3": None,
    '"a"': None,
    "[1" + "0" * 5000 + "]": None,
}


@pytest.mark.parametrize(("text", "found"), TEXTS.items(), ids=range(len(TEXTS)))
def test_the_key_is_named_with_the_way_to_its_object(text, found):
    assert repeated_key(text.encode()) == found
    for form in FORMS.values():
        assert form.distinct_keys(text.encode()) is (found is None)


values = st.recursive(
    st.none() | st.integers() | st.text('ab"\\{}[]:,', max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(st.tuples(st.text('ab"\\{}[]:,', max_size=2), inner), max_size=30).map(tuple)
    ),
)


def spelled(value):
    if isinstance(value, tuple):
        pairs = (f"{json.dumps(key)}: {spelled(each)}" for key, each in value)
        return f"{{{', '.join(pairs)}}}"
    return f"[{', '.join(map(spelled, value))}]" if isinstance(value, list) else json.dumps(value)


def repeats(value):
    inner = [each for _, each in value] if isinstance(value, tuple) else value
    own = isinstance(value, tuple) and len(dict(value)) < len(value)
    return own or (isinstance(inner, list) and any(map(repeats, inner)))


@given(values)
def test_a_key_is_found_exactly_where_one_stands_twice(value):
    data = spelled(value).encode()
    assert (repeated_key(data) is not None) is repeats(value)
    for form in FORMS.values():
        assert form.distinct_keys(data) is not repeats(value)


@needs_both
@given(st.binary() | st.text('{}[]",:\\a').map(str.encode))
def test_the_scan_ends_whatever_the_bytes_are(data):
    assert _compiled.distinct_keys(data) in {True, False}


@needs_both
@given(
    values.map(spelled).map(str.encode),
    st.lists(
        st.tuples(st.integers(0), st.sampled_from(b'{}[]",:\\u0d8. -+e1\x00\n\xff')), max_size=3
    ),
)
def test_what_the_scan_takes_is_json(data, changes):
    changed = bytearray(data)
    for place, byte in changes:
        changed[place % len(data)] = byte
    if _compiled.distinct_keys(bytes(changed)):
        msgspec.json.decode(bytes(changed), type=msgspec.Raw)


@needs_both
@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(10**25), 10**25))
def test_numbers_on_the_way_are_the_nearest_doubles(real, whole):
    texts = [repr(real), f"{real:.20e}", f"{real:.3f}", f"{whole}.5", f"{whole}e-9", str(whole)]
    for text in texts:
        found = FORMS["compiled"].json_cells(f'[{{"a": {text}}}]'.encode(), (), [("a",)])
        if found is None:  # a whole number of many digits
            assert len(text) > 18
            continue
        value, state, spans = found
        assert (value[0, 0], spans[0][2:]) == (float(text), (0, 1))
        assert state[0, 0] == (5 if text == str(whole) else 0)
