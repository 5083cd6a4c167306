from typing import Any

from assay.columns import Array, Indices

def accumulate(
    counts: Array,
    start: Indices,
    cluster: Indices,
    size: Array,
    loss: Array,
    accepted: Array,
    lost: Array,
    /,
) -> None: ...
def distinct_words(text: bytes, /) -> frozenset[str]: ...
def holds_literal(
    text: bytes,
    wide: bool,
    tree: Indices,
    first: Indices,
    pairs: bytes,
    /,
) -> bool: ...
def lone_letters(text: bytes, wide: bool, /) -> list[int]: ...
def differences(left: Array, right: Array, found: Array, /) -> None: ...
def plateaus(score: Array, loss: Array, room: Array, /) -> int: ...
def few_scores(score: Array, loss: Array, room: Array, /) -> int: ...
def sweep(
    counts: Array,
    start: Indices,
    cluster: Indices,
    size: Array,
    loss: Array,
    slope: Array,
    room: Array,
    tiles: Array,
    /,
) -> bool: ...
def swept_to(
    counts: Array,
    start: Indices,
    cluster: Indices,
    size: Array,
    loss: Array,
    tiles: Array,
    upto: Array,
    found: Array,
    /,
) -> None: ...
def swept_hull(
    counts: Array,
    start: Indices,
    cluster: Indices,
    size: Array,
    loss: Array,
    tiles: Array,
    slope: Array,
    area: Array,
    room: Array,
    /,
) -> None: ...
def rising_order(score: Array, room: Array, order: Indices, /) -> None: ...
def step_precisions(
    score: Array, verdict: Array, weight: Array, room: Array, by_step: Array, /
) -> None: ...
def verdict_pairs(true: Array, given: Array, weight: Array, counts: Array, /) -> int: ...
def smoothed_areas(
    cosines: Array, bandwidth: Array, table: Array, room: Array, area: Array, /
) -> None: ...
def span_sums(truth: Array, low: Array, up: Array, weight: Array, sums: Array, /) -> None: ...
def top_label_sums(
    closed: bool,
    tolerance: float,
    label: Array,
    probabilities: Array,
    edges: Array,
    weight: Array,
    room: Array,
    sums: Array,
    /,
) -> bool: ...
def trapezoid_areas(
    accepted: Array, lost: Array, upto: Array, selective: Array, generalized: Array, /
) -> None: ...
def step_areas(
    accepted: Array, lost: Array, upto: Array, selective: Array, generalized: Array, /
) -> None: ...
def hull_area(
    accepted: Array, lost: Array, total: Array, x: Array, y: Array, area: Array, /
) -> None: ...
def first_reaching(accepted: Array, needed: Array, point: Indices, /) -> None: ...
def last_within(target: float, accepted: Array, lost: Array, point: Indices, /) -> None: ...
def binned_sums(
    closed: bool, outcome: Array, score: Array, edges: Array, room: Array, sums: Array, /
) -> None: ...
def counter_counts(seed: int, first: int, counts: Array, /) -> None: ...
def legacy_counts(state: Any, room: Array, counts: Array, /) -> None: ...
def lacking_words(
    text: bytes,
    read_as: bytes,
    start: Indices,
    n_quoted: Indices,
    room: Indices,
    counts: Indices,
    /,
) -> None: ...
def step_overlaps(
    text: bytes,
    start: Indices,
    cases: Indices,
    words: Indices,
    nodes: Indices,
    gold: Indices,
    overlaps: Array,
    /,
) -> None: ...
def nearest_steps(
    threshold: float,
    overlaps: Array,
    cases: Indices,
    taken: Indices,
    nearest: Indices,
    kept: Indices,
    /,
) -> None: ...
def distinct_keys(text: bytes) -> bool: ...
def json_cells(
    text: bytes, names: bytes, places: Indices, width: int, /
) -> tuple[bytearray, bytearray, list[tuple[int, int, int, int]]] | None: ...
def literal_places(
    text: bytes, wide: bool, tree: Indices, first: Indices, pairs: bytes, /
) -> list[tuple[int, int, int, int]]: ...
def initials(text: bytes, /) -> str: ...
def single_spaced(text: bytes, /) -> tuple[str, list[int], list[int]]: ...
