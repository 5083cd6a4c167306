"""What is asked about: transcripts of participants, and the scored passages most like them.

A transcript is cut into windows, since an embedding model takes a few hundred tokens at most. How
similar a passage is to the transcript is the largest cosine between its embedding and that of a
window.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import numpy as np

from assay.derive.signals import found
from assay.errors import ArtifactError, ColumnError, UsageError
from assay.produce.answers import Failure
from assay.produce.calls import Call, Replies, Reply
from assay.produce.tasks import ItemTask
from assay.showing import counted
from assay.sources.content import decoded_json, decoded_text, load
from assay.sources.documents import read_document
from assay.sources.names import ID_NEEDS, Participant, usable_id

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float64]

LINE_SHAPE = (
    "each line is an object with `participant_id`, `transcript` and, where known,"
    " `ground_truth_items`; a folder holds one .txt file per participant and, where known,"
    " ground_truth.json"
)
TRUTH_NAME = "ground_truth.json"
REFERENCE_SHAPE = (
    'each line is an object with `text` and `scores`, as in {"text": "...", "scores": {"Sleep": 2}}'
)


@dataclass(frozen=True, slots=True)
class Interview:
    """One participant: what was said and, where known, the true scores."""

    participant_id: Participant
    transcript: str
    truth: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class Reference:
    """A passage whose scores are known."""

    name: str
    text: str
    scores: Mapping[str, int]
    participant_id: Participant | None
    """whose passage it is; it is never an example for the same participant"""


def read_interviews(path: str, task: ItemTask) -> tuple[Sequence[Interview], str]:
    """Read transcripts from JSON lines or from a folder; return them with their sha256."""
    # Unlike Path.is_dir, this takes a name that is too long for one that is not there.
    people, sha256 = (_from_folder if os.path.isdir(path) else _from_lines)(path, task)  # noqa: PTH112
    seen: dict[str, str] = {}
    for place, person in people:
        name = str(person.participant_id)
        if name in seen:
            msg = f"{place}: participant {_shown(name)} stands already at {seen[name]}"
            raise ColumnError(msg, hint="each participant occurs once; 7 and the text 7 are one")
        seen[name] = place
        if not person.transcript.strip():
            msg = f"{place}: the transcript of participant {_shown(name)} is empty"
            raise ColumnError(msg, hint="leave the participant out, or give the transcript")
    if not people:
        raise ArtifactError(f"{path} holds no transcripts", hint=LINE_SHAPE)
    return [person for _, person in people], sha256


def _shown(name: str) -> str:
    return ascii(name)[1:-1][:40]


def _from_folder(path: str, task: ItemTask) -> tuple[list[tuple[str, Interview]], str]:
    files = [each for each in sorted(Path(path).iterdir()) if _is_transcript(each)]
    known, stored = _folder_truth(Path(path) / TRUTH_NAME)
    hasher = hashlib.sha256(stored)
    people = []
    for file in files:
        content = load(os.fspath(file))
        hasher.update(f"{file.name}\n{content.sha256}\n".encode(errors="surrogateescape"))
        name = file.stem.encode(errors="replace").decode()
        truth = _truth(known.pop(name, None), task, f"{path}/{TRUTH_NAME}, {_shown(name)}")
        people.append((str(file), Interview(name, decoded_text(content), truth)))
    for name in known:
        msg = f"{path}/{TRUTH_NAME} has scores of {_shown(name)}, who has no .txt file"
        raise ColumnError(msg, hint="the name of a file without .txt is the participant's")
    return people, hasher.hexdigest()


def _is_transcript(file: Path) -> bool:
    return file.suffix.lower() == ".txt" and not file.name.startswith(".")


def _folder_truth(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the scores by participant, where a folder has such a file, and its bytes."""
    if not path.exists():
        return {}, b""
    known, content = read_document(path, dict[str, Any])
    return known, content.data


def _from_lines(path: str, task: ItemTask) -> tuple[list[tuple[str, Interview]], str]:
    content = load(path)
    if content.suffix not in {".jsonl", ".ndjson", ""}:
        msg = f"{path} is neither a folder nor a .jsonl file"
        raise UsageError(msg, hint=LINE_SHAPE)
    decoded_text(content)
    people = []
    for place, record in _records(path, content.data, LINE_SHAPE):
        who = record.get("participant_id")
        if not usable_id(who):
            msg = f"{place}: `participant_id` must be {ID_NEEDS}, found {found(who)}"
            raise ColumnError(msg, hint=LINE_SHAPE)
        text = record.get("transcript", record.get("text"))
        if type(text) is not str:
            msg = f"{place}: `transcript` must be a text, found {found(text)}"
            raise ColumnError(msg, hint=LINE_SHAPE)
        truth = _truth(record.get("ground_truth_items"), task, place)
        people.append((place, Interview(who, text, truth)))  # type: ignore[arg-type]  # it is an id
    return people, content.sha256


def _records(path: str, data: bytes, hint: str) -> Iterator[tuple[str, dict[str, Any]]]:
    decoder = msgspec.json.Decoder(dict[str, Any])
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            place = f"{path}, line {number}"
            yield place, decoded_json(decoder, line, place=place, hint=hint)


def _truth(value: Any, task: ItemTask, place: str) -> dict[str, int] | None:
    if value is None:
        return None
    known = {item.key for item in task.items}
    if type(value) is not dict:
        msg = f"{place}: `ground_truth_items` must be an object, found {found(value)}"
        raise ColumnError(msg, hint=f"its keys are the items {', '.join(sorted(known))}")
    given = {key: score for key, score in value.items() if score is not None}
    return _scores(given, task, f"{place}: `ground_truth_items`")


def _scores(given: Mapping[str, Any], task: ItemTask, place: str) -> dict[str, int]:
    keys = [item.key for item in task.items]
    for key, score in given.items():
        if key not in keys:
            msg = f"{place} has the item {_shown(key)}, which the task does not have"
            raise ColumnError(msg, hint=f"its items are {', '.join(keys)}")
        if type(score) is not int or score not in task.scores:
            low, high = task.scores[0], task.scores[-1]
            msg = f"{place}, item {key}: a whole number from {low} to {high}, found {found(score)}"
            raise ColumnError(msg, hint="null, or no key, where it is not known")
    return dict(given)


def read_references(path: str, task: ItemTask) -> tuple[Sequence[Reference], str]:
    """Read scored passages from JSON lines; return them with the file's sha256."""
    content = load(path)
    decoded_text(content)
    references = []
    for number, (place, record) in enumerate(_records(path, content.data, REFERENCE_SHAPE)):
        text, scores = record.get("text"), record.get("scores")
        if type(text) is not str or not text.strip():
            msg = f"{place}: `text` must be a text, found {found(text)}"
            raise ColumnError(msg, hint=REFERENCE_SHAPE)
        if type(scores) is not dict:
            msg = f"{place}: `scores` must be an object, found {found(scores)}"
            raise ColumnError(msg, hint=REFERENCE_SHAPE)
        given = {key: score for key, score in scores.items() if score is not None}
        who = record.get("participant_id")
        if who is not None and not usable_id(who):
            msg = f"{place}: `participant_id` must be {ID_NEEDS}, found {found(who)}"
            raise ColumnError(msg, hint=REFERENCE_SHAPE)
        references.append(
            Reference(
                name=str(record.get("id", f"line {number + 1}"))[:100],
                text=text.strip(),
                scores=_scores(given, task, f"{place}: `scores`"),
                participant_id=who,
            )
        )
    if not references:
        raise ArtifactError(f"{path} holds no references", hint=REFERENCE_SHAPE)
    return references, content.sha256


WINDOW_WORDS = 120
TEXTS_PER_CALL = 16
"""where a server gives a text the same embedding in company as alone"""
APART = "apart-"
"""starts the key of a call for one of the texts that were refused together"""


class Vector(msgspec.Struct):
    """One embedding of a reply."""

    embedding: list[float]
    index: int | None = None


class Body(msgspec.Struct):
    """A reply of the embeddings endpoint."""

    data: list[Vector]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A reference that is shown as an example, and how similar it is."""

    reference: Reference
    score: int
    similarity: float


BODY = msgspec.json.Decoder(Body)


def windows(text: str) -> list[str]:
    """Cut a text into pieces of 120 words, half of which the next piece has too.

    Examples
    --------
    >>> pieces = windows(" ".join(map(str, range(200))))
    >>> [(piece.split()[0], piece.split()[-1]) for piece in pieces]
    [('0', '119'), ('60', '179'), ('120', '199')]
    """
    words = text.split()
    step = WINDOW_WORDS // 2
    starts = range(0, max(len(words) - step, 1), step)
    return [" ".join(words[start : start + WINDOW_WORDS]) for start in starts]


@dataclass(frozen=True, slots=True)
class Embedding:
    """How texts are embedded: by which model, and how many in one call."""

    model: str
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    """merged into each body; null removes a key"""
    per_call: int = TEXTS_PER_CALL
    """1 where a server gives a text another embedding in company than alone"""

    def calls(self, prefix: str, texts: Sequence[str], *, alone: bool = False) -> Iterator[Call]:
        """Yield the calls that embed texts."""
        alone = alone or self.per_call == 1
        for number, first in enumerate(range(0, len(texts), self.per_call)):
            given = list(texts[first : first + self.per_call])
            body = {"model": self.model, "input": given, **self.extra_body}
            sent = {name: value for name, value in body.items() if value is not None}
            yield Call(
                f"{prefix}/{number}",
                "embeddings",
                sent,
                server="embedding",
                alone=alone,
                flaw=partial(_flaw, wanted=len(given)),
            )

    def counting(self, prefix: str, texts: Sequence[str], replies: Replies) -> Iterator[Call]:
        """Yield the calls that count: for texts that were refused together, one for each.

        A server may take no more at once than so many tokens in all, and each text be short enough.
        """
        single = replace(self, per_call=1)
        for call in self.calls(prefix, texts):
            if len(call.body["input"]) > 1 and replies.has_failed(call.key):
                yield from single.calls(f"{APART}{call.key}", call.body["input"])
            else:
                yield call

    def vectors(self, prefix: str, texts: Sequence[str], replies: Replies) -> Vectors:
        """Return the embeddings of texts, of length 1 each, or raise `Failure` without one."""
        calls = self.counting(prefix, texts, replies)
        return _joined([_decoded(replies.get(call.key), len(call.body["input"])) for call in calls])


def _joined(parts: Sequence[Vectors]) -> Vectors:
    if len({part.shape[1] for part in parts}) > 1:
        raise Failure("the embeddings do not all have the same length")
    return np.concatenate(parts)


def _decoded(reply: Reply | None, wanted: int) -> Vectors:
    if reply is None or reply.error is not None or reply.body is None:
        reason = reply.error if reply and reply.error else "the call was not made"
        raise Failure(f"no embeddings: {reason}")
    return _read(reply.body, wanted)


def _flaw(body: bytes, wanted: int) -> str | None:
    try:
        _read(body, wanted)
    except Failure as failure:
        return str(failure)
    return None


def _read(body: bytes, wanted: int) -> Vectors:
    try:
        data = BODY.decode(body).data
    except (msgspec.DecodeError, RecursionError) as error:
        raise Failure(f"the reply is not that of an embeddings endpoint: {error}") from None
    if len(data) != wanted:
        raise Failure(f"asked for {counted(wanted, 'embedding')} and got {len(data)}")
    ordered = sorted(data, key=lambda each: each.index or 0)
    if len({len(each.embedding) for each in ordered}) > 1:
        raise Failure("the embeddings do not all have the same length")
    rows = np.array([each.embedding for each in ordered], np.float64)
    with np.errstate(over="ignore"):
        lengths = np.sqrt((rows * rows).sum(1, keepdims=True)) if rows.size else np.zeros((1, 1))
    if not np.isfinite(lengths).all() or not lengths.all():
        raise Failure("an embedding has no length")
    return rows / lengths


def most_similar(
    interview: Interview,
    references: Sequence[Reference],
    similarity: Vectors,
    *,
    most: int,
    least: float,
) -> Mapping[str, list[Retrieved]]:
    """Return for every item the scored references that are most similar, most similar first."""
    found: dict[str, list[Retrieved]] = {}
    ranked = sorted(range(len(references)), key=lambda each: (-similarity[each], each))
    for number in ranked:
        reference, value = references[number], float(similarity[number])
        own = reference.participant_id is not None
        if own and str(reference.participant_id) == str(interview.participant_id):
            continue
        for item, score in reference.scores.items():
            if value >= least and len(found.setdefault(item, [])) < most:
                found[item].append(Retrieved(reference, score, value))
    return found
