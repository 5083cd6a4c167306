"""Nobody looks better by failing: every registered metric of every family, every way to fail.

A twin of an honest system fails in some way and is compared with it through the public door. No
difference, line or headline may call the twin better, nor the honest one worse, unless `MEANT` says
why that is what the metric means. Metrics come from the registry: one that is in no difference here
fails the test, so that a new one is covered by existing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pytest

import assay
from assay.errors import AssayError
from assay.registry import METRICS
from assay.report.presenters import words_of
from assay.sources.table import from_columns
from tests.families.verdict_files import evidence, incident, result, truth
from tests.golden.commands import printed as command

N = 120
PLAN = {"n_resamples": 60, "seed": 3}
ROWS = np.arange(N)
WRONG, OTHERS = ROWS % 3 == 0, ROWS % 3 == 1
"""where the honest system is wrong, and where another one is that is as good"""
RANDOM = np.random.default_rng(7)
Way = Callable[[Any], Any]


@dataclass(frozen=True, eq=False)
class Kin:
    """A family with systems to compare: one, another that is as good, one that is better."""

    family: str
    honest: Any
    other: Any
    better: Any
    compare: Callable[[Any, Any], assay.Result]
    ways: Mapping[str, Way]
    """what becomes of the honest system"""
    gains: frozenset[str]
    """what the better one must be better in"""
    files: Callable[[Any, Any, Path], list[str]]
    """writes two systems into a folder, and returns the command that compares them"""
    of_other: Mapping[str, Way] = field(default_factory=dict)
    """ways that are compared with the other system"""


def words(found: assay.Result) -> dict[str, str | None]:
    """Return the word of every difference, by label; of several variants one that has a word."""
    held: dict[str, str | None] = {}
    for of_variant in found.pairs[0].record.deltas.values():
        for label, each in of_variant.items():
            held[label] = held.get(label) or each.word
    return held


def named(found: assay.Result, word: str) -> set[str]:
    """Return the metrics of which a word is said."""
    return {label.partition("@")[0] for label, said in words(found).items() if said == word}


PRAISE = re.compile(r"\d\s+better\b|excludes 0: \S+ is better|infinite: \S+ is better")


def praised(found: assay.Result) -> list[str]:
    """Return what the console and the headline say where they call the right side better."""
    told = words_of(found.artifact).headline(found.artifact)
    said = [*repr(found).splitlines(), *(each.text for each in told)]
    return [each for each in said if PRAISE.search(each)]


def tables(family: str, **roles: Any) -> Callable[[Any, Any], assay.Result]:
    """Return what compares two frames."""

    def compare(left: pd.DataFrame, right: pd.DataFrame) -> assay.Result:
        read = [from_columns(**{k: [*v] for k, v in each.items()}) for each in (left, right)]
        return assay.evaluate(family, read, **roles, **PLAN)

    return compare


def written(family: str, *flags: str) -> Callable[[Any, Any, Path], list[str]]:
    """Return what writes two frames down, and the command that compares them."""

    def write(left: pd.DataFrame, right: pd.DataFrame, folder: Path) -> list[str]:
        paths = [str(folder / name) for name in ("left.csv", "right.csv")]
        for frame, path in zip((left, right), paths, strict=True):
            frame.to_csv(path, index=False)
        return [family, *(word for path in paths for word in ("--input", path)), *flags]

    return write


def rows(mask: Any) -> Way:
    return lambda frame: frame[~mask]


def changed(**columns: Callable[[pd.DataFrame], Any]) -> Way:
    return lambda frame: frame.assign(**columns)


def where(mask: Any, name: str, value: Any) -> Way:
    return lambda frame: frame.assign(**{name: frame[name].mask(mask, value)})


def repeated(mask: Any, times: int = 2) -> Way:
    return lambda frame: pd.concat([frame, *[frame[mask]] * times])


def table_ways(answer: str, truth_column: str, wrong: Any) -> dict[str, Way]:
    """Return ways to fail that tables of any family know."""
    return {
        "wrong rows dropped": rows(wrong),
        "one wrong row dropped": rows(np.flatnonzero(wrong)[0] == ROWS),
        "right rows repeated": repeated(~wrong),
        "wrong rows overwritten with right ones": lambda frame: pd.concat(
            [frame[~wrong], frame[~wrong][: wrong.sum()]]
        ),
        "truths of wrong rows blanked": where(wrong, truth_column, np.nan),
        "wrong answers blanked": where(wrong, answer, np.nan),
        "all answers blanked": changed(**{answer: lambda frame: np.full(len(frame), np.nan)}),
    }


# Calibration: probabilities of two outcomes, and of three.
Y = RANDOM.integers(0, 2, N)
STATED = RANDOM.uniform(0.6, 0.9, N)


def binary(wrong: Any, sure: float = 0.0) -> pd.DataFrame:
    towards = np.where(wrong, 1 - Y, Y)
    stated = STATED + sure * (1 - STATED)
    return pd.DataFrame({"y": Y, "p": np.where(towards == 1, stated, 1 - stated), "key": ROWS})


CALIBRATION = Kin(
    "calibration",
    binary(WRONG),
    binary(OTHERS),
    binary(ROWS < 3, 0.9),
    tables("calibration", y_true="y", y_prob="p", item="key", missing="drop"),
    {
        **table_ways("p", "y", WRONG),
        "truths overwritten": changed(y=lambda frame: (frame.p > 0.5).astype(int)),
        "one probability": changed(p=lambda frame: np.full(len(frame), 0.8)),
        "certain of everything": changed(p=lambda frame: np.round(frame.p)),
    },
    frozenset({"brier", "nll", "ece", "brier_resolution"}),
    written(
        *("calibration", "--y-true", "y", "--y-score", "p", "--item", "key", "--missing", "drop")
    ),
    {"rows dropped where the other is right": rows(WRONG & ~OTHERS)},
)
LABEL = RANDOM.integers(0, 3, N)


def classes(wrong: Any) -> pd.DataFrame:
    stated = np.full((N, 3), 0.15)
    stated[ROWS, np.where(wrong, (LABEL + 1) % 3, LABEL)] = 0.7
    return pd.DataFrame({"y": LABEL, "key": ROWS, **{f"p{k}": stated[:, k] for k in range(3)}})


def compare_classes(left: pd.DataFrame, right: pd.DataFrame) -> assay.Result:
    read = [
        from_columns(y=[*each.y], key=[*each.key], p=each[["p0", "p1", "p2"]].to_numpy())
        for each in (left, right)
    ]
    roles = {"y_true": "y", "y_prob": "p", "item": "key", "missing": "drop"}
    return assay.evaluate("calibration", read, **roles, **PLAN)


CLASSES = Kin(
    "calibration",
    classes(WRONG),
    classes(OTHERS),
    classes(ROWS < 3),
    compare_classes,
    table_ways("p0", "y", WRONG),
    frozenset({"multiclass_brier", "multiclass_nll"}),
    written(
        *("calibration", "--y-true", "y", "--y-prob", "p0,p1,p2", "--classes", "0,1,2"),
        *("--item", "key", "--missing", "drop"),
    ),
    {"rows dropped where the other is right": rows(WRONG & ~OTHERS)},
)


# Selective prediction: four items of every participant.
def answers(wrong: Any) -> pd.DataFrame:
    sure = np.where(wrong, 0.3, 0.6) + RANDOM.uniform(0, 0.35, N)
    given = {"participant": ROWS // 4, "item": ROWS % 4, "truth": Y.astype(float)}
    prediction = np.where(wrong, 1.0 - Y, Y)
    return pd.DataFrame({**given, "prediction": prediction, "confidence": sure, "success": True})


def compare_answers(left: pd.DataFrame, right: pd.DataFrame) -> assay.Result:
    sides = {name: dict(each.items()) for name, each in (("left", left), ("right", right))}
    chosen = {"threshold": (0.5,), "intersection_only": True}
    return assay.evaluate("selective", systems=sides, **chosen, **PLAN)


SELECTIVE = Kin(
    "selective",
    answers(WRONG),
    answers(OTHERS),
    answers(ROWS < 3),
    compare_answers,
    {
        **table_ways("prediction", "truth", WRONG),
        "right answers blanked": where(~WRONG & (ROWS % 2 == 0), "prediction", np.nan),
        "truths overwritten": changed(truth=lambda frame: frame.prediction),
        "right rows counted more often": changed(count=np.where(WRONG, 1, 9)),
        "one confidence": changed(confidence=0.5),
        "one answer": changed(prediction=0.0),
        "confidence turned round": changed(confidence=lambda frame: 1 - frame.confidence),
        "people with mistakes failed": changed(success=lambda frame: frame.participant % 2 == 0),
        "everyone but one failed": changed(success=lambda frame: frame.participant == 0),
    },
    frozenset({"aurc", "augrc", "risk", "risk_at_coverage"}),
    written(
        *("selective", "--participant", "participant", "--item", "item", "--scale", "0,1"),
        *("--confidence", "confidence", "--intersection-only"),
    ),
    {"rows dropped where the other is right": rows(WRONG & ~OTHERS)},
)

# Intervals and sets: what misses its truth is turned into something else.
WIDTH = RANDOM.uniform(1, 2, N)


VALUE = RANDOM.normal(0, 1, N)


def bounds(wrong: Any, width: float = 1.0) -> pd.DataFrame:
    middle = VALUE + np.where(wrong, 3.0, 0.0) * WIDTH
    low, up = middle - width * WIDTH, middle + width * WIDTH
    return pd.DataFrame({"y": VALUE, "low": low, "up": up})


def spread(mask: Any, low: float, up: float) -> Way:
    return lambda frame: where(mask, "up", up)(where(mask, "low", low)(frame))


EVERY = ROWS >= 0
INTERVALS = Kin(
    "intervals",
    bounds(WRONG),
    bounds(OTHERS),
    bounds(ROWS % 12 == 0, 0.5),
    tables("intervals", y="y", low="low", up="up"),
    {
        **table_ways("low", "y", WRONG),
        "wrong bounds infinite": spread(WRONG, -np.inf, np.inf),
        "an upper bound infinite": where(ROWS == 0, "up", np.inf),
        "all bounds infinite": spread(EVERY, -np.inf, np.inf),
        "wrong bounds very wide": spread(WRONG, -1e6, 1e6),
        "wrong bounds collapsed": spread(WRONG, 9.0, 9.0),
        "wrong bounds crossed": spread(WRONG, 9.0, 8.0),
    },
    frozenset({"winkler", "interval_width"}),
    written("intervals", "--y", "y", "--low", "low", "--up", "up"),
    {"rows dropped where the other is right": rows(WRONG & ~OTHERS)},
)


def members(wrong: Any) -> pd.DataFrame:
    held = np.eye(3, dtype=int)[np.where(wrong, (LABEL + 1) % 3, LABEL)]
    return pd.DataFrame({"y": LABEL, **{f"s{k}": held[:, k] for k in range(3)}})


def holding(mask: Any, value: int) -> Way:
    return lambda frame: frame.assign(**{k: frame[k].mask(mask, value) for k in ("s0", "s1", "s2")})


def compare_sets(left: pd.DataFrame, right: pd.DataFrame) -> assay.Result:
    read = [
        from_columns(y=[*each.y], s=each[["s0", "s1", "s2"]].to_numpy().astype(bool))
        for each in (left, right)
    ]
    return assay.evaluate("sets", read, y="y", set="s", **PLAN)


SETS = Kin(
    "sets",
    members(WRONG),
    members(OTHERS),
    members(ROWS < 3),
    compare_sets,
    {
        **{k: v for k, v in table_ways("s0", "y", WRONG).items() if "blanked" not in k},
        "wrong sets empty": holding(WRONG, 0),
        "wrong sets of all classes": holding(WRONG, 1),
        "all sets empty": holding(EVERY, 0),
        "all sets of all classes": holding(EVERY, 1),
        "one class in all sets": changed(s0=1, s1=0, s2=0),
    },
    frozenset({"worst_class_coverage", "singleton_accuracy"}),
    written("sets", "--y", "y", "--set", "s0,s1,s2", "--classes", "0,1,2"),
    {"rows dropped where the other is right": rows(WRONG & ~OTHERS)},
)

# Verdicts: results with evidence, quotations and rules.
SCALE = ("Low Risk", "High Risk", "Critical Risk")
CASES = 60
Case = dict[str, Any]


def verdict(number: int, *, wrong: bool) -> Case:
    true, given = SCALE[number // 2 % 3], SCALE[(number // 2 + wrong) % 3]
    snippet = "nobody ever wrote this" if wrong else "soup was cold"
    claims = [evidence("r1", "severe" if wrong else "mild", snippet=snippet)]
    claims += [evidence("r2", snippet="all of it is invented")] * wrong
    risk = SCALE.index(given) + (number % 7) / 10
    return result(str(number), given, *claims, rule=f"SCORE -> {true}", risk=risk)


def verdicts(wrong: Any) -> list[Case]:
    return [verdict(number, wrong=bool(wrong[number])) for number in range(CASES)]


def of_cases(change: Callable[[Case], Case | None], mask: Any = WRONG) -> Way:
    """Return a way that changes some cases; None takes a case away."""

    def turned(cases: list[Case]) -> list[Case]:
        copies = json.loads(json.dumps(cases))
        found = [change(each) if mask[int(each["business_id"])] else each for each in copies]
        return [each for each in found if each is not None]

    return turned


def claims(**kept: Any) -> Callable[[Case], Case]:
    """Return what writes the same into every claim; None takes a key away."""

    def change(case: Case) -> Case:
        held = [
            {k: v for k, v in {**each, **kept}.items() if v is not None}
            for each in case["parsed"]["evidences"]
        ]
        return {**case, "parsed": {**case["parsed"], "evidences": held}}

    return change


def parsed(**kept: Any) -> Callable[[Case], Case]:
    return lambda case: {**case, "parsed": {**case["parsed"], **kept}}


def citing_everything(case: Case) -> Case:
    more = [evidence("r2", "severe", snippet="Fine"), evidence("r3", "severe")]
    return parsed(evidences=[*case["parsed"]["evidences"], *more])(case)


def write_verdicts(left: Any, right: Any, folder: Path) -> list[str]:
    cases = range(CASES)
    texts = {str(n): {"r1": "The soup was cold.", "r2": "Fine."} for n in cases}
    truths = {str(n): truth(SCALE[n // 2 % 3], incident("r1")) for n in cases}
    held = {"left": {"results": left}, "right": {"results": right}, "reviews": texts}
    for name, content in {**held, "truth": {"restaurants": truths}}.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    results = ("--results", str(folder / "left.json"), "--results", str(folder / "right.json"))
    more = ("--ground-truth", str(folder / "truth.json"), "--reviews", str(folder / "reviews.json"))
    return ["verdicts", *results, *more, "--policy", "G1_allergy_V2"]


def compare_verdicts(left: Any, right: Any) -> assay.Result:
    with TemporaryDirectory() as folder:
        place = Path(folder)
        write_verdicts(left, right, place)
        return assay.evaluate(
            "verdicts",
            [place / "left.json", place / "right.json"],
            ground_truth=place / "truth.json",
            reviews=place / "reviews.json",
            policy="G1_allergy_V2",
            **PLAN,
        )


VERDICTS = Kin(
    "verdicts",
    verdicts(WRONG),
    verdicts(OTHERS),
    verdicts(ROWS < 1),
    compare_verdicts,
    {
        "an error": of_cases(lambda case: {"business_id": case["business_id"], "error": "timeout"}),
        "an error beside the answer": of_cases(lambda case: {**case, "error": "timeout"}),
        "no result": of_cases(lambda _: None),
        "nothing readable": of_cases(
            lambda case: {"business_id": case["business_id"], "response": "?"}
        ),
        "no verdict": of_cases(lambda case: {**case, "verdict": None}),
        "a verdict off the scale": of_cases(lambda case: {**case, "verdict": "who knows"}),
        "a refusal": of_cases(lambda case: {**case, "verdict": "I cannot judge that."}),
        "no score": of_cases(lambda case: {**case, "risk_score": None}),
        "no quotation": of_cases(claims(snippet=None)),
        "a quotation of one letter": of_cases(claims(snippet="o")),
        "no judgement": of_cases(claims(judgement=None)),
        "no rule": of_cases(parsed(justification={})),
        "citing nothing where wrong": of_cases(parsed(evidences=[])),
        "citing nothing": of_cases(parsed(evidences=[]), EVERY),
        "citing everything": of_cases(citing_everything, EVERY),
        "a case twice": lambda cases: [*cases, *(each for each in cases if "severe" not in each)],
        "nothing answered": of_cases(
            lambda case: {"business_id": case["business_id"], "error": "x"}, EVERY
        ),
        "one verdict": of_cases(lambda case: {**case, "verdict": SCALE[2], "risk_score": 1}, EVERY),
    },
    frozenset({"macro_f1", "ordinal_auprc", "evidence_precision", "snippet_validity"}),
    write_verdicts,
    {"no result where the other is right": of_cases(lambda _: None, WRONG & ~OTHERS)},
)

# Reasoning: chains of thought, direct answers, and cases of bias.
DISORDERS = ("Schizophrenia", "Bipolar Disorder")
STEPS = ("Voices comment on what is done.", "Nobody else is present in the room.")
MET = f"{STEPS[0]} {STEPS[1]} The sleep is short and restless on most nights."
STRAY = "The weather was fine for days. Nothing else is known about this person at all, it seems."
REFUSAL = "I'm sorry, but I cannot diagnose you."
Generated = dict[str, list[Any]]


def output(number: int, mode: str, *, wrong: bool) -> dict[str, Any]:
    answer = DISORDERS[(number // 2 + wrong) % 2]
    chain = f"REASONING: {STRAY if wrong else MET} DIAGNOSIS: {answer}"
    text = chain if mode == "cot" else answer
    row = {"id": str(number), "mode": mode, "output_text": text, "status": "ok"}
    return {**row, "wrong": bool(wrong)}


def biased(number: int, *, wrong: bool) -> dict[str, Any]:
    why = "It was seen before." if number % 2 else "Her age matters here."
    text = f"REASONING: {why} DIAGNOSIS: {'Schizophrenia' if wrong else 'Bipolar Disorder'}"
    return {"id": str(number), "output_text": text, "status": "ok", "wrong": bool(wrong)}


def generated(wrong: Any) -> Generated:
    answers = [
        output(number, mode, wrong=bool(np.roll(wrong, shift)[number]))
        for number in range(CASES)
        for mode, shift in (("cot", 0), ("direct", 1))
    ]
    return {"answers": answers, "bias": [biased(n, wrong=bool(wrong[n])) for n in range(CASES)]}


def of_outputs(change: Way, when: Callable[[Any], bool] = lambda row: row["wrong"]) -> Way:
    """Return a way that changes some outputs; None takes a row away, a list puts in several."""

    def turned(held: Generated) -> Generated:
        found = {kind: [change(r) if when(r) else r for r in own] for kind, own in held.items()}
        flat = {k: [r for each in v for r in _listed(each)] for k, v in found.items()}
        return {kind: own for kind, own in flat.items() if own}

    return turned


def _listed(row: Any) -> list[Any]:
    return [] if row is None else row if isinstance(row, list) else [row]


def saying(text: str | None, **more: Any) -> Way:
    return of_outputs(lambda row: {**row, "output_text": text, **more})


def right_again(row: dict[str, Any]) -> list[dict[str, Any]]:
    number, mode = int(row["id"]), row.get("mode")
    again = output(number, mode, wrong=False) if mode else biased(number, wrong=False)
    return [row, again]


def direct_and_right(row: dict[str, Any]) -> bool:
    return not row["wrong"] and row.get("mode") == "direct"


def write_generated(left: Generated, right: Generated, folder: Path) -> list[str]:
    for name, held in (("left", left), ("right", right)):
        place = folder / "results" / name
        place.mkdir(parents=True)
        for kind, own in held.items():
            lines = [each if isinstance(each, str) else json.dumps(each) for each in own]
            file = {"answers": "study_a_generations", "bias": "study_a_bias_generations"}[kind]
            (place / f"{file}.jsonl").write_text("\n".join(lines) + "\n")
    gold = [
        {"id": str(n), "gold_answer": DISORDERS[n // 2 % 2], "gold_reasoning": STEPS}
        for n in range(CASES)
    ]
    cases = [
        {"id": str(n), "bias_feature": "age", "bias_label": "Schizophrenia"} for n in range(CASES)
    ]
    (folder / "vignettes.json").write_text(json.dumps(gold))
    (folder / "cases.json").write_text(json.dumps(cases))
    given = {"vignettes": "vignettes.json", "bias-cases": "cases.json"}
    flags = [word for name, file in given.items() for word in (f"--{name}", str(folder / file))]
    out = ("--skip-broken", "--output", str(folder / "out"))
    return ["reasoning", "--generations", str(folder / "results"), *flags, *out]


def compare_generated(left: Generated, right: Generated, **options: Any) -> assay.Result:
    with TemporaryDirectory() as folder:
        place = Path(folder)
        write_generated(left, right, place)
        files = {"vignettes": place / "vignettes.json", "bias_cases": place / "cases.json"}
        chosen = {"skip_broken": True, **options}
        return assay.evaluate("reasoning", place / "results", **files, **chosen, **PLAN)


REASONING = Kin(
    "reasoning",
    generated(WRONG),
    generated(OTHERS),
    generated(ROWS < 1),
    compare_generated,
    {
        "a status that is not ok": of_outputs(lambda row: {**row, "status": "error"}),
        "no row": of_outputs(lambda _: None),
        "a broken line": of_outputs(lambda row: json.dumps(row)[:-9]),
        "another mode": of_outputs(lambda row: {**row, "mode": "other", "status": "error"}),
        "no text": saying(None),
        "an empty text": saying("  "),
        "junk": saying("4. **"),
        "undecided": saying("It is either Schizophrenia or Bipolar Disorder."),
        "cut off": saying("Schizophrenia is one thing that we should", finish_reason="length"),
        "a refusal": saying(REFUSAL),
        "an answer outside the labels": saying("Diagnosis: gout"),
        "right rows repeated": of_outputs(lambda row: [row, row], lambda row: not row["wrong"]),
        "asked again until it is right": of_outputs(right_again),
        "nothing but refusals": of_outputs(
            lambda row: {**row, "output_text": REFUSAL}, lambda _: True
        ),
        "nothing but errors": of_outputs(lambda row: {**row, "status": "error"}, lambda _: True),
        "nothing at all": of_outputs(lambda _: None, lambda _: True),
        "one answer": of_outputs(
            lambda row: {**row, "output_text": "Diagnosis: Bipolar Disorder"}, lambda _: True
        ),
        "right direct answers fail": of_outputs(
            lambda row: {**row, "status": "error"}, direct_and_right
        ),
    },
    frozenset({"accuracy_cot", "accuracy_early", "step_f1", "bias_rate"}),
    write_generated,
    {
        "refused where the other is right": of_outputs(
            lambda row: {**row, "output_text": REFUSAL},
            lambda row: row["wrong"] and bool(~OTHERS[int(row["id"])]),
        ),
    },
)
KINS = {
    "calibration": CALIBRATION,
    "calibration of classes": CLASSES,
    "selective": SELECTIVE,
    "intervals": INTERVALS,
    "sets": SETS,
    "verdicts": VERDICTS,
    "reasoning": REASONING,
}
COVERED = frozenset(
    {"size_stratified_coverage", "winkler_under", "winkler_over", "cwc_coverage_term", "hsic"}
)
HELD = frozenset({"set_size_stratified_coverage", "worst_class_coverage"})
AT_COVERAGE = frozenset(
    {
        *("aurc_at_coverage", "augrc_at_coverage", "mean_risk_at_coverage"),
        *("risk_at_coverage", "coverage_at_risk"),
    }
)
MEANT: dict[tuple[str, str], tuple[str, frozenset[str]]] = {
    ("selective", "wrong answers blanked"): (
        "to abstain where one would be wrong is what lowers risk at a coverage that both reach",
        AT_COVERAGE,
    ),
    ("intervals", "wrong bounds very wide"): (
        "coverage is read against width, which is worse, as the Winkler score of both is",
        COVERED,
    ),
    ("intervals", "wrong bounds collapsed"): (
        "width is read against coverage, which does not rise; the Winkler score is not better",
        frozenset({"interval_width", "width_quantile", "winkler_width", "cwc_width_term", "cwc"}),
    ),
    ("sets", "wrong sets empty"): (
        "size is read against coverage, accuracy of singletons against their rate",
        frozenset({"set_size", "singleton_accuracy"}),
    ),
    ("sets", "all sets empty"): ("size is read against coverage", frozenset({"set_size"})),
    ("sets", "wrong sets of all classes"): (
        "coverage is read against size, accuracy of singletons against their rate",
        HELD | {"singleton_accuracy"},
    ),
    ("sets", "all sets of all classes"): ("coverage is read against size", HELD),
    ("verdicts", "citing nothing where wrong"): (
        "precision against recall: claims that are all wrong are not made",
        frozenset({"evidence_precision"}),
    ),
    ("reasoning", "an answer outside the labels"): (
        "another answer than the biased one does not follow the bias; it is wrong in accuracy",
        frozenset({"bias_rate"}),
    ),
    ("reasoning", "one answer"): (
        "an answer that is never the biased one does not follow the bias; it is wrong in accuracy",
        frozenset({"bias_rate"}),
    ),
}
"""by family and way: why the twin is better in some metrics, and in which"""


@cache
def metrics_of(family: str) -> frozenset[str]:
    """Return what of a family has differences: p-values have none."""
    return frozenset(m.name for m in METRICS.values() if m.family == family and m.interval)


def compared(name: str, left: Any, right: Any) -> assay.Result | None:
    """Compare two systems; None where that is refused, which nobody gains from."""
    try:
        return KINS[name].compare(left, right)
    except AssayError:
        return None


def every_way() -> Iterator[tuple[str, str]]:
    for name, kin in KINS.items():
        yield from ((name, way) for way in (*kin.ways, *kin.of_other))


@pytest.mark.parametrize(("name", "way"), [*every_way()])
def test_a_failing_twin_is_better_in_nothing(name, way):
    kin = KINS[name]
    against = kin.other if way in kin.of_other else kin.honest
    twin = {**kin.ways, **kin.of_other}[way](kin.honest)
    _, meant = MEANT.get((name, way), ("", frozenset()))
    if way in kin.of_other:
        # What the honest system itself is better in, the twin may be too.
        meant |= named(kin.compare(against, kin.honest), "better")
    found = compared(name, against, twin)
    if found is not None:
        assert named(found, "better") <= meant
        assert not praised(found) or meant
        # Tests of each family turn every way round; here that is done for the plainest.
        if way in kin.of_other or way == next(iter(kin.ways)):
            assert named(kin.compare(twin, against), "worse") <= meant


@pytest.mark.parametrize("family", sorted({kin.family for kin in KINS.values()}))
def test_every_metric_of_every_family_is_tried(family):
    tried = set()
    for kin in KINS.values():
        if kin.family == family:
            tried |= {
                label.partition("@")[0] for label in words(kin.compare(kin.honest, kin.honest))
            }
    assert tried >= metrics_of(family)


@pytest.mark.parametrize("name", KINS)
def test_identical_systems_get_no_word_and_a_truly_improved_one_is_better(name):
    kin = KINS[name]
    assert {*words(kin.compare(kin.honest, kin.honest)).values()} == {None}
    found = kin.compare(kin.honest, kin.better)
    assert named(found, "better") >= kin.gains
    assert praised(found)


@pytest.mark.parametrize("name", KINS)
def test_the_command_says_of_a_failing_twin_what_the_library_says(name, tmp_path):
    kin = KINS[name]
    refused = {"intervals": "wrong bounds infinite", "sets": "wrong sets empty"}
    way = refused.get(name, next(iter(kin.ways)))
    plan = ("--bootstrap-resamples", str(PLAN["n_resamples"]), "--seed", str(PLAN["seed"]))
    given = kin.files(kin.honest, kin.ways[way](kin.honest), tmp_path)
    artifact = json.loads(command(*given, *plan, "--json", "--quiet"))
    said = {
        label.partition("@")[0]
        for of_variant in artifact["pairs"][0]["deltas"].values()
        for label, each in of_variant.items()
        if each["word"] == "better"
    }
    assert said <= MEANT.get((name, way), ("", frozenset()))[1]
