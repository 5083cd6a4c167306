"""Text from outside, made fit for a terminal, a message, a table, a picture or a path.

Names, labels, cells and model output come from anywhere. Whatever leaves Assay passes through one
of these functions; none of them changes text that is plain already. Counts with their nouns are
written here too, for messages, console and page alike.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from os.path import commonprefix
from pathlib import PurePath

NUMBER = re.compile(r"[-+]?[\d,]+(\.\d+)?(e[-+]?\d+)?")
FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""what a spreadsheet would take for the start of a formula, in wide forms too"""

SHOWN = 60
"""characters of a value that a message shows"""
LISTED = 20
"""names that a message lists"""
LONGEST_NAME = 32
"""letters of a name in a sentence"""
PARTED = re.compile(r"[^\W_]*$")
"""letters behind the last sign that joins words"""
LONGEST_FILE_NAME = 200
"""bytes, below the 255 of common file systems, with room for an ending"""
JOINER = "\N{ZERO WIDTH JOINER}"
SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
MARKS = frozenset({"Mn", "Mc", "Me"})
NOT_IN_PATHS = frozenset('/\\:*?"<>|%')
DEVICES = frozenset({"con", "prn", "aux", "nul"}) | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)
}
"""names that some systems keep for devices, whatever the ending"""


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Write a count with what is counted, one thing or several.

    Examples
    --------
    >>> counted(1, "fold"), counted(1200, "fold"), counted(0, "class", "classes")
    ('1 fold', '1,200 folds', '0 classes')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def inert(text: str) -> str:
    r"""Spell out what a terminal would act on instead of showing.

    Examples
    --------
    >>> print(inert("a\x1b[31mb\n"))
    a\x1b[31mb\n
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def writable(text: str) -> bool:
    r"""Say whether a file can hold a text: not so where it has half a character.

    Examples
    --------
    >>> writable("\N{SNOWMAN}"), writable("\ud83d")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def storable(path: str) -> str:
    r"""Spell a file name that is not UTF-8 so that it can be written down.

    Examples
    --------
    >>> print(storable("a.csv"), storable("\udcff.csv"))
    a.csv \udcff.csv
    """
    return path.encode(errors="backslashreplace").decode()


def shortened(text: str, most: int = SHOWN) -> str:
    """Cut a text between whole characters, signs that join or modify one included.

    Examples
    --------
    >>> shortened("twelve angry men", 10)
    'twelve an…'
    """
    if len(text) <= most:
        return text
    end = max(most - 1, 0)
    while end and (_continues(text[end]) or text[end - 1] == JOINER):
        end -= 1
    return f"{text[:end]}…"


def fitting(names: Sequence[str]) -> list[str]:
    """Cut long names in their middle, or before the word where they part: none become alike.

    Examples
    --------
    >>> fitting(["short", f"{'long-' * 8}first-run"])
    ['short', 'long-long-long-l…-long-first-run']
    >>> fitting([f"{'long-' * 8}{n}-run-of-last-night-again" for n in "ab"])
    ['…a-run-of-last-night-again', '…b-run-of-last-night-again']
    """
    half = LONGEST_NAME // 2
    cut = [n if len(n) <= LONGEST_NAME else f"{n[:half]}…{n[1 - half :]}" for n in names]
    if len({*cut}) == len(cut):
        return cut
    start = len(PARTED.sub("", commonprefix([*names])))  # noqa: RUF071 - of letters
    cut = [shortened(f"{'…' * bool(start)}{each[start:]}", LONGEST_NAME) for each in names]
    return cut if len({*cut}) == len(cut) else [f"{n} {each}" for n, each in enumerate(cut, 1)]


def _continues(sign: str) -> bool:
    """Say whether a sign belongs to the character before it."""
    return sign == JOINER or sign in SKIN_TONES or unicodedata.category(sign) in MARKS


def quoted(value: object, most: int = SHOWN) -> str:
    r"""Show a value that was found, as Python writes it: on one line, printable, not too long.

    Examples
    --------
    >>> quoted("ann"), quoted(None), quoted("x" * 1000, most=8)
    ("'ann'", 'None', "'xxxxx…'")
    """
    if isinstance(value, str):
        # A text is cut before it is quoted: a whole file may stand in one cell.
        spelled = inert(repr(shortened(value, most - 2)))
        end = spelled[-1]
        return spelled if len(spelled) <= most else shortened(spelled[:-1], most - 1) + end
    try:
        spelled = repr(value)
    except ValueError:  # an integer with more digits than Python will write
        return "a number with thousands of digits"
    return shortened(inert(spelled), most)


def named(name: object) -> str:
    """Show the name of a column or key, printable and not too long.

    Examples
    --------
    >>> named("truth")
    '`truth`'
    """
    return f"`{shortened(inert(str(name)))}`"


def listed(names: Iterable[object], most: int = LISTED) -> str:
    """Show the first of some names.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2), listed([])
    ('a, b and 1 more', 'none')
    """
    every = [shortened(inert(str(each))) for each in names]
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return (", ".join(every[:most]) or "none") + more


def told_apart(paths: Sequence[str], modes: Sequence[str | None] = ()) -> list[str]:
    """Name what was read by mode, else by file, else by both, else by more of the path.

    What is there twice has a number.

    Examples
    --------
    >>> told_apart(["x.json", "x.json"], ["few", "zero"]), told_apart(["old/x.csv", "new/x.csv"])
    (['few', 'zero'], ['old/x.csv', 'new/x.csv'])
    >>> told_apart(["x.csv", "y.csv", "x.csv"])
    ['x.csv (1)', 'y.csv', 'x.csv (2)']
    """
    named = [each or "" for each in modes] or [""] * len(paths)
    if all(named) and len({*named}) == len(named):
        return named
    places = [PurePath(path).parts or (path,) for path in paths]
    n_distinct, names = len({*zip(places, named, strict=True)}), list[str]()
    for n in range(1, 1 + max(map(len, places))):
        files = [str(PurePath(*parts[-n:])) for parts in places]
        both = [f"{file} {mode}".strip() for file, mode in zip(files, named, strict=True)]
        names = next((each for each in (files, both) if len({*each}) == n_distinct), [])
        if names:
            break
    return [
        f"{name} ({names[: place + 1].count(name)})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def file_name(name: str) -> str:
    """Encode a name so that it is one part of a path on every system; names differ as before.

    Plain names stay as they are. Signs that a path gives a meaning to are written as `%` and the
    two hexadecimal digits of each of their bytes, and a name that is too long ends in a hash.

    Examples
    --------
    >>> file_name("meta-llama/Llama-3-8B"), file_name("llama3:8b"), file_name("gpt 4.1")
    ('meta-llama%2FLlama-3-8B', 'llama3%3A8b', 'gpt 4.1')
    >>> file_name(".."), file_name("con.txt")
    ('%2E%2E', '%63on.txt')
    """
    last = len(name) - 1
    device = name.partition(".")[0].strip().lower() in DEVICES
    encoded = "".join(
        _percent(sign)
        if not sign.isprintable()
        or sign in NOT_IN_PATHS
        or (place in {0, last} and sign in ". ")
        or (place == 0 and device)
        else sign
        for place, sign in enumerate(name)
    )
    stored = encoded.encode()
    if len(stored) <= LONGEST_FILE_NAME:
        return encoded
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:16]
    return f"{stored[: LONGEST_FILE_NAME - 17].decode(errors='ignore')}-{digest}"


def _percent(sign: str) -> str:
    return "".join(f"%{byte:02X}" for byte in sign.encode(errors="surrogatepass"))


def spaced(text: str) -> str:
    r"""Make text inert but for spaces that hold a number and its unit together.

    Examples
    --------
    >>> spaced("48.7\N{NO-BREAK SPACE}%\a")
    '48.7\xa0%\\x07'
    """
    return "\N{NO-BREAK SPACE}".join(map(inert, text.split("\N{NO-BREAK SPACE}")))


def in_spreadsheet(text: str) -> str:
    """Keep text on its line, and from being taken for a formula; numbers may have a sign.

    Examples
    --------
    >>> in_spreadsheet("=1+1"), in_spreadsheet("\uff1d1"), in_spreadsheet("-0.5")
    ("'=1+1", "'\uff1d1", '-0.5')
    """
    flat = inert(re.sub(r"\s+", " ", text))
    return f"'{flat}" if FORMULA.match(flat) and not NUMBER.fullmatch(flat) else flat
