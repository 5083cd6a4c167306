"""Families with systems to compare, and ways in which the same system fails where it is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

import assay
from assay.sources.table import from_columns
from tests.families.verdict_files import evidence, incident, result, truth

N = 120
PLAN = {"n_resamples": 60, "seed": 3, "threads": 1, "ci_method": "percentile"}
"""percentiles are the cheapest intervals, and the shortest, so that words come soonest"""
BY_KIND = {"intervals by kind": {"ci_method": "auto"}}
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
    compare: Callable[..., assay.Result]
    """takes systems, two or more, and options"""
    ways: Mapping[str, Way]
    """what becomes of the honest system"""
    gains: frozenset[str]
    """what the better one must be better in"""
    files: Callable[[Sequence[Any], Path], list[str]]
    """writes systems into a folder, and returns the command that compares them"""
    settings: Mapping[str, Mapping[str, Any]]
    """options under which failing shall not pay either, by what they are about"""
    of_other: Mapping[str, Way] = field(default_factory=dict)
    """ways that are compared with the other system"""


def tables(family: str, **roles: Any) -> Callable[..., assay.Result]:
    """Return what compares frames."""

    def compare(*systems: pd.DataFrame, **options: Any) -> assay.Result:
        read = [from_columns(**{k: [*v] for k, v in each.items()}) for each in systems]
        return assay.evaluate(family, read, **{**roles, **PLAN, **options})

    return compare


def written(family: str, *flags: str) -> Callable[[Sequence[Any], Path], list[str]]:
    """Return what writes frames down, and the command that compares them."""

    def write(systems: Sequence[pd.DataFrame], folder: Path) -> list[str]:
        paths = [str(folder / f"s{number}.csv") for number in range(len(systems))]
        for frame, path in zip(systems, paths, strict=True):
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
        "right rows repeated": repeated(~wrong, 1),
        "right rows tripled": repeated(~wrong),
        "right rows counted 9-fold": repeated(~wrong, 8),
        "rows in another order": lambda frame: frame[::-1],
        "clusters merged": changed(who=0),
        "clusters renamed": changed(who=lambda frame: frame.who + 1000),
        "every row a cluster": changed(who=lambda frame: np.arange(len(frame))),
        "wrong rows overwritten with right ones": lambda frame: pd.concat(
            [frame[~wrong], frame[~wrong][: wrong.sum()]]
        ),
        "truths of wrong rows blanked": where(wrong, truth_column, np.nan),
        "wrong answers blanked": where(wrong, answer, np.nan),
        "wrong answers no numbers": where(wrong, answer, "?"),
        "wrong answers infinite": where(wrong, answer, np.inf),
        "all answers blanked": changed(**{answer: lambda frame: np.full(len(frame), np.nan)}),
    }


UNITS = {"who": ROWS // 4, "sex": np.where(ROWS % 5 < 2, "f", "m")}
BY_UNIT = {"clusters": {"cluster": "who"}, "groups": {"group": "sex"}}


# Calibration: probabilities of two outcomes, and of three.
Y = RANDOM.integers(0, 2, N)
STATED = RANDOM.uniform(0.6, 0.9, N)


def binary(wrong: Any, sure: float = 0.0) -> pd.DataFrame:
    towards = np.where(wrong, 1 - Y, Y)
    stated = STATED + sure * (1 - STATED)
    stated = np.where(towards == 1, stated, 1 - stated)
    return pd.DataFrame({"y": Y, "p": stated, "key": ROWS, **UNITS})


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
        "the base rate, hardly varied": changed(p=Y.mean() + 1e-3 * (ROWS % 7)),
        "one half and nothing else": changed(p=0.5),
        "turned round": changed(p=lambda frame: 1 - frame.p),
        "certain where wrong": lambda frame: where(WRONG, "p", np.round(frame.p))(frame),
        "no probabilities": changed(p=lambda frame: frame.p * 3),
    },
    frozenset({"brier", "nll", "ece", "brier_resolution"}),
    written(
        *("calibration", "--y-true", "y", "--y-score", "p", "--item", "key", "--missing", "drop")
    ),
    {
        **BY_KIND,
        **BY_UNIT,
        **{name: {"preset": name} for name in ("mapie", "scikit-learn")},
        "bins": {"n_bins": 4, "strategy": "quantile"},
    },
    {"rows dropped where the other is right": rows(WRONG & ~OTHERS)},
)
LABEL = RANDOM.integers(0, 3, N)


def classes(wrong: Any) -> pd.DataFrame:
    stated = np.full((N, 3), 0.15)
    stated[ROWS, np.where(wrong, (LABEL + 1) % 3, LABEL)] = 0.7
    held = {f"p{k}": stated[:, k] for k in range(3)}
    return pd.DataFrame({"y": LABEL, "key": ROWS, **held, **UNITS})


def columns_of(frame: pd.DataFrame, *names: str) -> dict[str, Any]:
    return {name: [*frame[name]] for name in names}


def compare_classes(*systems: pd.DataFrame, **options: Any) -> assay.Result:
    read = [
        from_columns(
            **columns_of(each, "y", "key", "who", "sex"), p=each[["p0", "p1", "p2"]].to_numpy()
        )
        for each in systems
    ]
    roles = {"y_true": "y", "y_prob": "p", "item": "key", "missing": "drop"}
    return assay.evaluate("calibration", read, **{**roles, **PLAN, **options})


CLASSES = Kin(
    "calibration",
    classes(WRONG),
    classes(OTHERS),
    classes(ROWS < 3),
    compare_classes,
    {
        **table_ways("p0", "y", WRONG),
        "all classes alike": changed(p0=1 / 3, p1=1 / 3, p2=1 / 3),
        "one class for certain": changed(p0=1.0, p1=0.0, p2=0.0),
    },
    frozenset({"multiclass_brier", "multiclass_nll"}),
    written(
        *("calibration", "--y-true", "y", "--y-prob", "p0,p1,p2", "--classes", "0,1,2"),
        *("--item", "key", "--missing", "drop"),
    ),
    {**BY_KIND, **BY_UNIT, "mapie": {"preset": "mapie"}},
    {"rows dropped where the other is right": rows(WRONG & ~OTHERS)},
)


# Selective prediction: four items of every participant.
def answers(wrong: Any) -> pd.DataFrame:
    sure = np.where(wrong, 0.3, 0.6) + RANDOM.uniform(0, 0.35, N)
    given = {"participant": ROWS // 4, "item": ROWS % 4, "truth": Y.astype(float), **UNITS}
    prediction = np.where(wrong, 1.0 - Y, Y)
    return pd.DataFrame({**given, "prediction": prediction, "confidence": sure, "success": True})


def compare_answers(*systems: pd.DataFrame, **options: Any) -> assay.Result:
    roles = ("participant", "item", "truth", "prediction", "confidence", "success", "count")
    named = {**dict(zip(roles, roles, strict=True)), **options.pop("columns", {})}
    sides = {
        f"s{number}": {role: each[name] for role, name in named.items() if name in each}
        for number, each in enumerate(systems)
    }
    chosen = {"threshold": (0.5,), "intersection_only": True, **PLAN, **options}
    return assay.evaluate("selective", systems=sides, **chosen)


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
        "everyone failed": changed(success=False),
        "participants renamed": changed(participant=lambda frame: frame.participant + 1000),
        "participants merged": changed(participant=0, item=ROWS),
        "only sure answers given": lambda frame: where(
            frame.confidence < frame.confidence.median(), "prediction", np.nan
        )(frame),
        "no confidence where wrong": where(WRONG, "confidence", np.nan),
        "right rows counted half": changed(count=np.where(WRONG, 1, 0)),
    },
    frozenset({"aurc", "augrc", "risk", "risk_at_coverage"}),
    written(
        *("selective", "--participant", "participant", "--item", "item", "--scale", "0,1"),
        *("--confidence", "confidence", "--intersection-only"),
    ),
    {
        **BY_KIND,
        "groups": {"columns": {"group": "sex"}},
        **{name: {"preset": name} for name in ("item-step", "reference")},
        "all items": {"intersection_only": False},
    },
    {"rows dropped where the other is right": rows(WRONG & ~OTHERS)},
)

# Intervals and sets: what misses its truth is turned into something else.
WIDTH = RANDOM.uniform(1, 2, N)


VALUE = RANDOM.normal(0, 1, N)


def bounds(wrong: Any, width: float = 1.0) -> pd.DataFrame:
    middle = VALUE + np.where(wrong, 3.0, 0.0) * WIDTH
    low, up = middle - width * WIDTH, middle + width * WIDTH
    return pd.DataFrame({"y": VALUE, "low": low, "up": up, **UNITS})


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
        "wrong bounds as wide as numbers go": spread(WRONG, -8e307, 8e307),
        "wrong bounds collapsed": spread(WRONG, 9.0, 9.0),
        "wrong bounds crossed": spread(WRONG, 9.0, 8.0),
        "all bounds very wide": spread(EVERY, -1e6, 1e6),
        "all bounds collapsed": changed(up=lambda frame: frame.low),
        "all bounds crossed": changed(up=lambda frame: frame.low - 1),
        "one interval for all": changed(low=-90.0, up=90.0),
        "one narrow interval for all": changed(low=5.0, up=5.1),
    },
    frozenset({"winkler", "interval_width"}),
    written("intervals", "--y", "y", "--low", "low", "--up", "up"),
    {
        **BY_KIND,
        **BY_UNIT,
        **{name: {"preset": name} for name in ("mapie", "printed")},
        "crossed as they are": {"crossed": "mapie"},
        "a low level": {"level": 0.5},
    },
    {"rows dropped where the other is right": rows(WRONG & ~OTHERS)},
)


def members(wrong: Any) -> pd.DataFrame:
    held = np.eye(3, dtype=int)[np.where(wrong, (LABEL + 1) % 3, LABEL)]
    return pd.DataFrame({"y": LABEL, **{f"s{k}": held[:, k] for k in range(3)}, **UNITS})


def holding(mask: Any, value: int) -> Way:
    return lambda frame: frame.assign(**{k: frame[k].mask(mask, value) for k in ("s0", "s1", "s2")})


def compare_sets(*systems: pd.DataFrame, **options: Any) -> assay.Result:
    read = [
        from_columns(
            **columns_of(each, "y", "who", "sex"),
            s=each[["s0", "s1", "s2"]].to_numpy().astype(bool),
        )
        for each in systems
    ]
    return assay.evaluate("sets", read, y="y", set="s", **{**PLAN, **options})


SETS = Kin(
    "sets",
    members(WRONG),
    members(OTHERS),
    members(ROWS < 3),
    compare_sets,
    {
        **{k: v for k, v in table_ways("s0", "y", WRONG).items() if "answers" not in k},
        "wrong sets empty": holding(WRONG, 0),
        "wrong sets of all classes": holding(WRONG, 1),
        "all sets empty": holding(EVERY, 0),
        "all sets of all classes": holding(EVERY, 1),
        "one class in all sets": changed(s0=1, s1=0, s2=0),
        "two classes in all sets": changed(s0=1, s1=1, s2=0),
        "one class in all sets but one": lambda frame: where(ROWS == 0, "s1", 1)(
            changed(s0=1, s1=0, s2=0)(frame)
        ),
        "classes at random": lambda frame: frame.assign(
            **{f"s{k}": RANDOM.permutation(frame[f"s{k}"]) for k in range(3)}
        ),
        "wrong sets of two classes": where(WRONG, "s0", 1),
        "empty sets filled": lambda frame: holding(frame.s0 + frame.s1 + frame.s2 == 0, 1)(frame),
    },
    frozenset({"worst_class_coverage", "singleton_accuracy"}),
    written("sets", "--y", "y", "--set", "s0,s1,s2", "--classes", "0,1,2"),
    {**BY_KIND, **BY_UNIT, "a low level": {"level": 0.5}, "printed": {"formula": "printed"}},
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


def repeating(case: Case) -> Case:
    return parsed(evidences=case["parsed"]["evidences"] * 5)(case)


def write_verdicts(systems: Sequence[Any], folder: Path) -> list[str]:
    cases = range(CASES)
    texts = {str(n): {"r1": "The soup was cold.", "r2": "Fine."} for n in cases}
    truths = {str(n): truth(SCALE[n // 2 % 3], incident("r1")) for n in cases}
    held = {f"s{number}": {"results": each} for number, each in enumerate(systems)}
    for name, content in {**held, "reviews": texts, "truth": {"restaurants": truths}}.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    results = [word for name in held for word in ("--results", str(folder / f"{name}.json"))]
    more = ("--ground-truth", str(folder / "truth.json"), "--reviews", str(folder / "reviews.json"))
    return ["verdicts", *results, *more, "--policy", "G1_allergy_V2"]


def compare_verdicts(*systems: Any, **options: Any) -> assay.Result:
    with TemporaryDirectory() as folder:
        place = Path(folder)
        write_verdicts(systems, place)
        return assay.evaluate(
            "verdicts",
            [place / f"s{number}.json" for number in range(len(systems))],
            ground_truth=place / "truth.json",
            reviews=place / "reviews.json",
            policy="G1_allergy_V2",
            **{**PLAN, **options},
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
        "right quotations repeated": of_cases(repeating, ~WRONG),
        "no judgement": of_cases(claims(judgement=None)),
        "no rule": of_cases(parsed(justification={})),
        "citing nothing where wrong": of_cases(parsed(evidences=[])),
        "citing nothing": of_cases(parsed(evidences=[]), EVERY),
        "citing everything": of_cases(citing_everything, EVERY),
        "a case twice": lambda cases: [*cases, *(each for each in cases if "severe" not in each)],
        "nothing answered": of_cases(
            lambda case: {"business_id": case["business_id"], "error": "x"}, EVERY
        ),
        "no case where wrong but others": of_cases(
            lambda case: {**case, "business_id": "elsewhere" + case["business_id"]}
        ),
        "a verdict that is no text": of_cases(lambda case: {**case, "verdict": ["?"]}),
        "an infinite score": of_cases(lambda case: {**case, "risk_score": 1e308}),
        "one score": of_cases(lambda case: {**case, "risk_score": 1.0}, EVERY),
        "no evidence at all": of_cases(parsed(evidences=None)),
        "one verdict": of_cases(lambda case: {**case, "verdict": SCALE[2], "risk_score": 1}, EVERY),
    },
    frozenset({"macro_f1", "ordinal_auprc", "evidence_precision", "snippet_validity"}),
    write_verdicts,
    {
        **BY_KIND,
        "reference": {"preset": "reference"},
        "leave-out": {"not_answered": "leave-out"},
        "strict": {"snippets": "strict"},
    },
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


def write_generated(systems: Sequence[Generated], folder: Path) -> list[str]:
    for number, held in enumerate(systems):
        place = folder / "results" / f"s{number}"
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


def compare_generated(*systems: Generated, **options: Any) -> assay.Result:
    with TemporaryDirectory() as folder:
        place = Path(folder)
        write_generated(systems, place)
        files = {"vignettes": place / "vignettes.json", "bias_cases": place / "cases.json"}
        chosen = {"skip_broken": True, **PLAN, **options}
        return assay.evaluate("reasoning", place / "results", **files, **chosen)


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
        "junk with words": saying("The quick brown fox jumps over the lazy dog again."),
        "the question once more": saying("Which of the disorders does this person have?"),
        "an answer that is denied": saying("It is not Bipolar Disorder."),
        "a question": saying("Is it Bipolar Disorder?"),
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
        **BY_KIND,
        **{name: {"preset": name} for name in ("seed", "reference")},
        "usable": {"denominator": "usable"},
        **{name: {"refusals": name} for name in ("wrong", "ignore")},
        "read split": {"bias_text": "split"},
    },
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
