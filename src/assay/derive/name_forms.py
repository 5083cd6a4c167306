"""The other forms of the name of a member: its verb, short form, number, cases and own word."""
# ruff: noqa: E501 - one wording per line

# ruff: noqa: E501, RUF001 - one class per line, and signs of other scripts are meant

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from assay.derive import patterns as re
from assay.derive.equivalents import dates, numerals
from assay.derive.labels import LabelSet, spelled

if TYPE_CHECKING:
    from assay.derive.choices import Choices

_RATIO = re.compile(r"(-?)(\d+)/(\d+)")
_FRACTION = re.compile(r"(-?)\\[dt]?frac\{(\d+)\}\{(\d+)\}")
_NAMED_AFTER = re.compile(r"([A-Z][a-z]+)('s)? ((?:[Dd]isease|[Ss]yndrome|[Ll]ymphoma|[Ss]ign)s?)")
_NOUN_OF_VERB = re.compile(r"([a-z]{4,})ment|([a-z]{4,}ct)ion")
_VERB = re.compile(r"(support|refut|confirm|reject|oppos|verifi)e?s")
_DECIDES = re.compile(r"(accept|reject|approv|affirm|revers|dismiss|grant|den)(?:e|y|ed|ied)?")
"""what is done to a paper, a motion or a judgment"""
_ASTIC = re.compile(r"([a-z]{4,})astic")
_NUMBERED = re.compile(r"(.*\w (?:I{1,3}|IV|V|\d)) (?:[Dd]isorder|[Dd]isease|[Ss]yndrome)")
_OF_A_KIND = re.compile(r"([\w-]+[ -][\w -]+) (?:[Dd]isorder|[Ss]yndrome)")
"""names of two words and more before the kind of thing that they are"""
_OF_SOMEBODY = re.compile(r"((?:[A-Z][\w.'’-]+ ){1,3}[A-Z][\w'’-]+), (?:an?|the|who) [^,]+")
"""somebody, and what else is said of them"""
_MORE_THAN = (
    _NUMBERED,
    _OF_A_KIND,
    _OF_SOMEBODY,
    re.compile(r"an? (\w{3,})"),
    re.compile(r"([A-Za-z]{2,}[b-hj-npqrtyz])s"),
)
"""names that hold a shorter one: before their kind, of somebody, after an article, in the plural"""
_GLUED = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TWO_WORDS = re.compile(r"([^\W\d_]{3,})[ _-]([^\W\d_]{4,})")
_DEPRESSIVE = re.compile(r"(\w+ .*[dD]epress)ive (?:[dD]isorder|[eE]pisode)")
_SAME_WORD = tuple(
    frozenset(each.replace("_", " ") for each in line.split())
    for line in (
        "positive positif positiva positivo positivt positief pozytywny pozytywna pozitivní pozitív pozitiv pozitif pozitiftir olumlu olumludur позитивный позитивная положительный положительная позитивний θετικό 积极 正面 積極 肯定的 積極的 ポジティブ 긍정 긍정적 إيجابي إيجابية مثبت सकारात्मक ইতিবাচক tích_cực เชิงบวก חיובי chanya",
        "negative négatif négative negativ negativa negativo negativt negatief negatywny negatywna negativní negatív negatif negatiftir olumsuz olumsuzdur негативный негативная отрицательный отрицательная негативний αρνητικό 消极 负面 消極 負面 否定的 ネガティブ 부정 부정적 سلبي سلبية منفی नकारात्मक নেতিবাচক tiêu_cực เชิงลบ שלילי hasi",
        "neutral neutra neutro neutre neutrale neutraal neutralny neutralna neutrální neutrális nötr nötrdür netral tarafsız нейтральный нейтральная нейтральний ουδέτερο 中性 中立 中立的 ニュートラル 중립 중립적 محايد محايدة خنثی तटस्थ নিরপেক্ষ trung_lập trung_tính เป็นกลาง ניטרלי",
        "entailment implicación implicação implication implicazione implikation folgerung следование gerektirme 蕴含 蕴涵 含意 함의 استلزام",
        "contradiction contradicción contradição contraddizione widerspruch sprzeczność kontradiksi противоречие çelişki mâu_thuẫn 矛盾 모순 تناقض विरोधाभास",
    )
)
"""names of the classes of common tasks, one class after the other, in many languages"""
_ROMAN = re.compile(r"(?<= )I{1,3}(?= |$)")
_OWN_AND_SHARED = re.compile(r"([a-z]+) ([a-z]{3,})")
_APART = re.compile(r"none|other|unknown|unclear|not applicable|n a")
"""members that may stand beside those that share a word"""
_AMOUNT = r"(?:(?:levels?|degree|amount|extent|probability|likelihood) of )?"
_ONE_WORD = r"(?:(?!(?:and|or|to|but|than|of|in|on|with|from|by|for|is|was|if|as|the|an?)[ -])[a-z][a-z-]* )?"
_KIND = r"(?: (?:levels?|rating|category|class|classification|score|assessment|status|group|degree|tier|severity|estimate))*"
_LEADS = (
    r"(?: (?:of|in|for|behind) (?:(?:the|this|that|an?) )?[a-z-]+(?: (?!is|was)[a-z-]+)?)?[\s*_\"'()]*(?:[:=]|(?<=\W)(?:is|as|was|remains|seems|appears(?: to be)?|(?:would|should|to) be)(?=\W))[\s*_\"']*"
    r"(?:(?:\w+ly|quite|very|rather|still|not [a-z]+,? but) )*"
)
_MISSES = r"not (?:\w+ly )?(?:indicate|show|suggest|contain|express|reveal|present|pose|have|carry) (?:any |an? )?"
_JOINS = "(?: (?:to|or|and))? "
_TOKEN = re.compile(r"[^\W_]+")
_DENIED = re.compile(r"(?:not|non|no) ?")
_NO_THING = re.compile(r"no ((?:[a-z]{3,} )?[a-z]{4,})")
_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "ab")
_LEAST, _TWO = 2, 2
_OF_A_TYPE = re.compile(r"(?<=[a-z] )[2-5](?= |$)")
_IN_ROMAN = ("", "I", "II", "III", "IV", "V")
_LEAST_ADJECTIVE = 5


def forms(name: str) -> Iterator[str]:
    """Yield other forms of a name: verb and adjective, as one word, German cases, without "it".

    Examples
    --------
    >>> [*forms("adornment")], [*forms("It doubles")], "蕴含" in forms("entailment")
    (['adorns', 'adorned'], ['doubles'], True)
    """
    formula = name.strip().strip("$").strip()
    if formula and formula != name.strip():
        yield formula
    if ratio := _RATIO.fullmatch(formula):
        yield f"{ratio[1]}\\frac{{{ratio[2]}}}{{{ratio[3]}}}"
    if fraction := _FRACTION.fullmatch(formula):
        yield f"{fraction[1]}{fraction[2]}/{fraction[3]}"
    yield from (each for row in _SAME_WORD if spelled(name) in row for each in sorted(row))
    yield from numerals(formula)
    yield from dates(formula)
    first, _, rest = spelled(name).partition(" ")
    if first == "it" and rest:
        yield rest
    yield from _turned(name)
    yield from _shorter(name)
    yield from {_GLUED.sub(" ", name)} - {name}
    yield from (f"{each[1]}{each[2]}" for each in [_TWO_WORDS.fullmatch(name.strip())] if each)
    yield from {_ROMAN.sub(lambda each: str(len(each[0])), name)} - {name}
    yield from {_OF_A_TYPE.sub(lambda each: _IN_ROMAN[int(each[0])], name)} - {name}
    if len(first) > _LEAST_ADJECTIVE and first.endswith("e") and rest:
        yield from (f"{first}{ending} {rest}" for ending in "nr")
    if len(first) > _LEAST_ADJECTIVE and first.endswith("ed") and not rest:
        yield from (f"{first[:-2]}s", f"{first[:-1]}s")
    noun = _NOUN_OF_VERB.fullmatch(spelled(name))
    if noun:
        stem = noun[1] or noun[2]
        yield from (f"{stem}s", f"{stem}ed", *([f"{stem}ory"] if noun[2] else []))


def _turned(name: str) -> Iterator[str]:
    """Yield a name with what is behind a comma before it, without genitive, as a state or verb.

    Examples
    --------
    >>> [*_turned("Iron, oral")], [*_turned("Wilson's disease")]
    (['oral Iron'], ['Wilson disease', "Wilson's"])
    """
    noun, comma, how = name.partition(", ")
    if comma and how.isalpha() and how.islower():
        yield f"{how} {noun}"
    if state := _DEPRESSIVE.fullmatch(name.strip()):
        yield f"{state[1]}ion"
    if named := _NAMED_AFTER.fullmatch(name.strip()):
        own = "" if named[2] else "'s"
        yield f"{named[1]}{own} {named[3]}"
        yield from (f"{named[1]}'s" for kind in [named[3][:2].lower()] if kind in {"di", "sy"})
    if verb := _VERB.fullmatch(spelled(name)):
        yield f"{verb[1]}ed"
    if decides := _DECIDES.fullmatch(spelled(name)):
        stem = "deni" if decides[1] == "den" else decides[1]
        yield from (f"{stem}ed", f"{decides[1]}{'y' * (stem == 'deni')}ing")
    if mocks := _ASTIC.fullmatch(spelled(name)):
        yield f"{mocks[1]}asm"
    if name in {"N/A", "n/a", "NA"}:
        yield "not applicable"


def _shorter(name: str) -> Iterator[str]:
    """Yield a name without its kind, its hyphens, its article, its plural or what it is said of.

    Examples
    --------
    >>> [next(_shorter(each)) for each in ("Bipolar I Disorder", "a cat", "Mary Ann, a nurse")]
    ['Bipolar I', 'cat', 'Mary Ann']
    """
    for own in (each.fullmatch(name.strip()) for each in _MORE_THAN):
        if own:
            yield own[1]
    if "-" in name and name.replace("-", "").replace(" ", "").isalpha():
        yield name.replace("-", "")


def by_own_word(owner: Mapping[str, str]) -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Yield patterns for the members of a set that share their last word, each with its member.

    Examples
    --------
    >>> found = [*by_own_word({"low risk": "low risk", "high risk": "high risk"})]
    >>> [each.search("the risk is high.") is not None for _, each, _ in found]
    [False, True]
    """
    own: dict[str, str] = {}
    shared: set[str] = set()
    for name, label in owner.items():
        parts = _OWN_AND_SHARED.fullmatch(spelled(name))
        if parts:
            own[parts[1]] = label
            shared.add(parts[2])
        elif not _APART.fullmatch(spelled(name)):
            return
    if len(own) < _LEAST or len(shared) != 1:
        return
    (last,) = shared
    for word, label in own.items():
        yield "", re.compile(_pattern(word, last, "|".join({*own} - {word}))), label


def _pattern(word: str, last: str, others: str) -> str:
    """Return how a text names a member by its own word and the one that all members share."""
    denied = rf"|{_MISSES}{_ONE_WORD}{last}(?!\w)" if word == "no" else ""
    return (
        rf"(?<!\w)(?:{word} {_AMOUNT}(?!(?:{others})(?!\w)){_ONE_WORD}{last}(?!\w)"
        rf"|{last}{_KIND}{_LEADS}{word}(?!\w)(?!{_JOINS}(?:{others})(?!\w)| as(?!\w))"
        rf"|{word}(?={_JOINS}(?:{others}) {_ONE_WORD}{last}(?!\w)){denied})"
    )


def denied_by_key(name: str, labels: LabelSet) -> Iterator[str]:
    """Yield how a text says no to the member that a name denies: "toxic: no" for "non-toxic".

    Examples
    --------
    >>> [*denied_by_key("unsafe", LabelSet.of(["safe", "unsafe"]))][:2]
    ['safe: no', 'safe : no']
    """
    said, own = spelled(name), labels.named(name)
    bare = {_DENIED.sub("", said, 1), *(said.removeprefix(each) for each in _PREFIXES)}
    for each in sorted(bare):
        if each.isascii() and labels.named(each) not in {None, own}:
            yield from (f"{each}{sign} no" for sign in (":", " :", "?", " =", " -"))


def without_any(owner: Mapping[str, str]) -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Yield patterns for members such as "no flaw", with what may stand within: "no clear flaw".

    Examples
    --------
    >>> ((_, found, label),) = without_any({"No flaws": "No flaws", "Envy": "Envy"})
    >>> found.search("it does not show signs of any grave flaw.").group()
    'not show signs of any grave flaw'
    """
    for name, label in owner.items():
        said = spelled(name)
        thing = _NO_THING.fullmatch(said)
        if thing and owner.get(thing[1]) is None:
            stem = re.escape(thing[1].removesuffix("s"))
            yield (
                "",
                re.compile(
                    rf"(?<!\w)(?:no|without any|free (?:of|from)(?: any)?|(?:not|cannot|\w{{2,7}}n't) (?:[\w-]+ ){{0,5}}?any)"
                    rf" (?:(?!other|further|more|additional|such|less|longer)[\w-]+ ){{0,2}}?{stem}s?(?!\w)(?! (?:other|except|but|besides|apart|of|so|as|such)(?!\w))"
                ),
                label,
            )


def of_one(names: list[str]) -> tuple[str, str] | None:
    """Return the two members of a set that asks for one thing, the one that it is there first.

    Examples
    --------
    >>> of_one(["no stress", "stress"]), of_one(["safe", "unsafe"])
    (('stress', 'no stress'), None)
    """
    for one, other in (names, names[::-1]) if len(names) == _TWO else ():
        led = _DENIED.match(spelled(other))
        if led and spelled(other)[led.end() :] == spelled(one):
            return one, other
    return None


def apart(answer: str, choices: Choices) -> str | None:
    """Return the member that an answer names by the words which no other member has.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> choices = Choices.of(LabelSet.of(["low risk", "moderate risk", "high fever"]))
    >>> apart("Moderate", choices), apart("Risk", choices), apart("Fever", choices)
    ('moderate risk', None, None)
    """
    words = {each: frozenset(_TOKEN.findall(each.lower())) for each in {*choices.owner.values()}}
    counts = Counter(word for own in words.values() for word in own)
    said = frozenset(_TOKEN.findall(answer.lower()))
    found = [
        each
        for each, own in words.items()
        if said < own and (alone := {word for word in own if counts[word] == 1}) and alone <= said
    ]
    return found[0] if len(found) == 1 and not choices.letters else None
