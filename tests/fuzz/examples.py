"""Small inputs of every command that are as they should be, to be changed in one place or another.

Everything is cut from the bundled examples or made here; nothing takes longer than it must.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import assay
from tests.fuzz.formats import parsed, suffix_of, written, zipped
from tests.fuzz.running import Asked, done
from tests.reasoning_files import ONE, STEPS, TWO, row

DATA = Path(assay.__file__).parent / "data"
POLICY = DATA / "policies" / "G1_allergy_V2.yaml"
FEW = ("--bootstrap-resamples", "10", "--threads", "1")
SCALE = ("--scale", "0,3")
N_PEOPLE, N_ROWS, N_CASES = 5, 24, 5
CLASSES = ("cat", "dog", "bird")
NOBODY = ("--base-url", "http://127.0.0.1:9/v1", "--model", "some-model", "--attempts", "1")
GOLD = {"a": "Schizophrenia", "b": "Bipolar Disorder", "c": "Schizophrenia"}
RULES = {
    "rules": [
        {"name": "cannot", "strength": "hard", "phrases": ["I cannot"], "then": ["diagnose"]},
        {"name": "sorry", "strength": "soft", "phrases": ["I'm sorry", "I apologize"]},
    ],
    "cues": {"negations": ["not", "no"], "contrasts": ["but"]},
}
TEMPTED = ("a", "age", "Bipolar Disorder"), ("b", "gender", "Schizophrenia")


@dataclass(frozen=True, slots=True)
class Example:
    """A command line that works, and its files."""

    command: str
    arguments: tuple[str, ...]
    """after the command's own words"""
    files: Mapping[str, bytes]
    by_id: tuple[str, ...] = ()
    """files whose rows carry ids, so that their order must not matter"""
    code: int = 0
    """how it ends: 1 where there is nothing to draw or nobody to ask"""

    @property
    def asked(self) -> Asked:
        """The whole command line."""
        return Asked((*self.command.split(), *self.arguments), self.files)


def loaded(*parts: str) -> Any:
    """Read a bundled file."""
    path = DATA.joinpath(*parts)
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_bytes().splitlines()]
    return json.loads(path.read_bytes())


def files(**values: Any) -> dict[str, bytes]:
    """Write values under names; in a keyword, two underscores are a dot and one more a slash."""
    named = {name.replace("___", "/").replace("__", "."): each for name, each in values.items()}
    return {name: packed(each, name) for name, each in named.items()}


def packed(value: Any, name: str) -> bytes:
    """Write a value in the format that a name asks for; bytes stay as they are."""
    data = value if isinstance(value, bytes) else written(value, suffix_of(name))
    return zipped(data) if name.endswith(".gz") else data


@cache
def run_file() -> bytes:
    """Cut the bundled run down to a few people; one of them failed in one mode."""
    content = loaded("demo_run.json")
    for each in content["experiments"]:
        people = each["results"]["results"]
        failed = [person for person in people if not person["success"]][:1]
        well = [person for person in people if person["success"]][4 : 4 + N_PEOPLE]
        each["results"]["results"] = [*well, *failed]
    return written(content, ".json")


def item_rows() -> list[dict[str, Any]]:
    """Return a plain table of answers."""
    return [
        {
            "participant": who,
            "item": item,
            "prediction": None if (who + item) % 5 == 0 else (who * item) % 4,
            "truth": (who + item) % 4,
            "confidence": (who * 7 + item * 3) % 11 / 10,
            "half": "ab"[item % 2],
        }
        for who, item in product(range(1, 7), range(1, 4))
    ]


def score_rows() -> list[dict[str, Any]]:
    """Return outcomes with two probabilities."""
    rng = np.random.default_rng(7)
    p = rng.random(N_ROWS).round(4)
    q = (0.8 * p + 0.1).round(4)
    y = (rng.random(N_ROWS) < p).astype(int)
    return [
        {"who": f"w{row // 3}", "y": int(y[row]), "p": float(p[row]), "q": float(q[row])}
        for row in range(N_ROWS)
    ]


def class_arrays() -> dict[str, np.ndarray]:
    """Return classes with the probabilities of all of them, and sets of them at two levels."""
    rng = np.random.default_rng(5)
    p = rng.dirichlet(np.full(3, 0.6), N_ROWS)
    y = np.array([rng.choice(3, p=each) for each in p])
    return {"y": y, "p": p, "sets": np.stack([p >= 0.25, p >= 0.1], axis=-1)}


def set_rows() -> list[dict[str, Any]]:
    """Return labels with sets of labels, as a list and as flags."""
    arrays = class_arrays()
    return [
        {
            "who": f"w{number // 3}",
            "label": CLASSES[arrays["y"][number]],
            "set": [name for name, held in zip(CLASSES, flags, strict=True) if held],
            **{name: int(held) for name, held in zip(CLASSES, flags, strict=True)},
        }
        for number, flags in enumerate(arrays["sets"][..., 0])
    ]


def bound_rows() -> list[dict[str, Any]]:
    """Return truths between two pairs of bounds."""
    rng = np.random.default_rng(3)
    width = rng.uniform(0.5, 2.5, N_ROWS).round(3).tolist()
    truth = rng.normal(size=N_ROWS).round(3).tolist()
    return [
        {
            "who": f"w{row // 3}",
            "site": ("north", "south")[row % 2],
            "truth": truth[row],
            "low": -width[row],
            "up": width[row],
            "low2": -0.8 * width[row],
            "up2": 1.1 * width[row],
        }
        for row in range(N_ROWS)
    ]


def selective() -> Iterator[Example]:
    """One run, two modes of it, tables of three formats, a calibrator."""
    run = files(run__json=run_file())
    few = ("--input", "run.json", "--mode", "few_shot")
    yield Example("selective", (*few, *FEW), run, ("run.json",))
    two = ("--input", "run.json", "--mode", "zero_shot", *few, "--confidence", "llm")
    yield Example("selective", (*two, *FEW, "--output", "out.json"), run, ("run.json",))
    for name in ("t.csv", "t.jsonl", "t.parquet", "t.csv.gz"):
        table = {name: packed(item_rows(), name)}
        more = ("--confidence", "all", "--group", "half") if name == "t.csv" else ()
        yield Example("selective", ("--input", name, *SCALE, *more, *FEW), table, (name,))
    fitted = {**run, "cal.json": calibrator_file()}
    applied = ("--confidence", "calibrated", "--calibration", "cal.json")
    yield Example("selective", (*few, *applied, *FEW), fitted)


def calibration() -> Iterator[Example]:
    """Two outcomes, several classes, a run."""
    given = ("--y-true", "y", "--y-score", "p")
    for name in ("s.csv", "s.jsonl", "s.parquet"):
        table = {name: packed(score_rows(), name)}
        more = ("--y-score", "q") if name == "s.csv" else ()
        yield Example("calibration", (name, *given, *more, "--cluster", "who", *FEW), table)
    arrays = class_arrays()
    both = {"y": arrays["y"], "p": arrays["p"]}
    listed = ("--y-true", "y", "--y-prob", "p")
    yield Example("calibration", ("c.npz", *listed, *FEW), files(c__npz=both))
    rows = [{"y": int(y), "p": p.round(6).tolist()} for y, p in zip(*both.values(), strict=True)]
    loose = ("--sum-tolerance", "0.001")
    yield Example("calibration", ("c.jsonl", *listed, *loose, *FEW), files(c__jsonl=rows))
    pair = np.array([[each["y"], each["p"]] for each in score_rows()])
    yield Example(
        "calibration", ("s.npy", "--y-true", "0", "--y-score", "1", *FEW), files(s__npy=pair)
    )
    stated = ("run.json", "--mode", "few_shot", "--confidence", "verbalized,token_msp")
    yield Example("calibration", (*stated, *FEW), files(run__json=run_file()), ("run.json",))


def calibrate() -> Iterator[Example]:
    """Every method, on a run and on a table."""
    run = files(run__json=run_file())
    few = ("--input", "run.json", "--mode", "few_shot", "--folds", "2", "--output", "cal.json")
    yield Example("calibrate", (*few, "--method", "platt"), run, ("run.json",))
    yield Example("calibrate", (*few, "--method", "linear"), run, ("run.json",))
    features = ("--method", "linear", "--features", "verbalized,token_msp")
    yield Example("calibrate", (*few, *features), run, ("run.json",))
    rows = [{**each, "token_msp": each["confidence"]} for each in item_rows()]
    given = ("--features", "token_msp", *SCALE, "--folds", "2", "--output", "cal.json")
    for name, method in (("t.csv", "linear"), ("t.jsonl", "platt"), ("t.parquet", "linear")):
        table = {name: packed(rows, name)}
        words = ("--input", name, "--method", method, *given)
        yield Example("calibrate", words, table, (name,))


def intervals() -> Iterator[Example]:
    """Pairs of columns, two levels, groups, arrays."""
    pair = ("--y", "truth", "--low", "low", "--up", "up")
    grouped = ("--cluster", "who", "--group", "site", "--groups", "2")
    two = ("--low", "low2", "--up", "up2")
    for name in ("b.csv", "b.jsonl", "b.parquet"):
        table = {name: packed(bound_rows(), name)}
        more = two if name != "b.jsonl" else (*two, "--level", "0.8,0.9")
        yield Example("intervals", (name, *pair, *more, *grouped, *FEW), table, (name,))
    rows = bound_rows()
    y = np.array([each["truth"] for each in rows])
    ends = np.array([[each["low"], each["up"]] for each in rows])
    arrays = ("--y", "y", "--interval", "ends")
    yield Example("intervals", ("b.npz", *arrays, *FEW), files(b__npz={"y": y, "ends": ends}))
    alone = ("--y", "y.npy", "--interval", "array")
    yield Example("intervals", ("b.npy", *alone, *FEW), files(b__npy=ends, y__npy=y))


def sets() -> Iterator[Example]:
    """Lists, flags, arrays at two levels."""
    listed = ("--y", "label", "--set", "set", "--cluster", "who")
    for name in ("s.csv", "s.jsonl", "s.parquet"):
        table = {name: packed(set_rows(), name)}
        yield Example("sets", (name, *listed, *FEW), table, (name,))
    flags = ("--y", "label", "--set", ",".join(CLASSES), "--cluster", "who", "--group", "who")
    yield Example("sets", ("f.csv", *flags, *FEW), files(f__csv=set_rows()), ("f.csv",))
    arrays = class_arrays()
    given = ("--y", "y", "--set", "sets", "--classes", ",".join(CLASSES), "--level", "0.8,0.9")
    whole = {"y": np.array(CLASSES)[arrays["y"]], "sets": arrays["sets"]}
    yield Example("sets", ("s.npz", *given, *FEW), files(s__npz=whole))


@cache
def verdict_files() -> dict[str, bytes]:
    """Cut the bundled verdicts down to a few cases."""
    results = {name: loaded("verdicts", f"{name}.json") for name in ("direct", "checked")}
    truth = loaded("verdicts", "ground_truth.json")
    truth["restaurants"] = dict(list(truth["restaurants"].items())[:N_CASES])
    for each in results.values():
        each["results"] = each["results"][:N_CASES]
    reviews = loaded("verdicts", "reviews.jsonl")
    kept = [each for each in reviews if each["business_id"] in truth["restaurants"]]
    return files(**{f"{k}__json": v for k, v in results.items()}, t__json=truth, r__jsonl=kept)


def verdicts() -> Iterator[Example]:
    """One system, two, with and without reviews, under a policy of one's own."""
    every = verdict_files()
    short = {name: every[name] for name in ("direct.json", "t.json")}
    given = ("--results", "direct.json", "--ground-truth", "t.json")
    read = ("direct.json", "checked.json", "r.jsonl")
    yield Example("verdicts", (*given, *FEW), short, read)
    more = ("--sources", "r.jsonl", "--tables", "audit", "--results-output", "again.json")
    more = (*more, "--policy", "risk", "--outside-scale", "leave-out")
    yield Example("verdicts", (*given, *more, *FEW), {**short, "r.jsonl": every["r.jsonl"]}, read)
    both = ("--results", "direct.json", "--results", "checked.json", "--ground-truth", "t.json")
    yield Example("verdicts", (*both, "--reviews", "r.jsonl", *FEW), every, read)
    for name in ("p.yaml", "p.json"):
        policy = {name: packed(parsed(POLICY.read_bytes(), ".yaml"), name)}
        yield Example("verdicts", (*given, "--policy", name, *FEW), {**short, **policy}, read)
    lines = packed(json.loads(every["direct.json"])["results"], "direct.jsonl")
    named = ("--results", "direct.jsonl", "--ground-truth", "t.json", "--policy", "G1_allergy_V2")
    yield Example(
        "verdicts",
        (*named, *FEW),
        {"direct.jsonl": lines, "t.json": short["t.json"]},
        ("direct.jsonl",),
    )


def policy_check() -> Iterator[Example]:
    """A bundled policy and one of one's own, as words and as JSON."""
    truth = {"t.json": verdict_files()["t.json"]}
    own = {"p.json": packed(parsed(POLICY.read_bytes(), ".yaml"), "p.json"), **truth}
    given = ("--ground-truth", "t.json")
    yield Example("policy check", ("G1_allergy_V2", *given), truth, ("t.json",))
    yield Example("policy check", ("p.json", *given, "--json"), own, ("t.json",))


@cache
def reasoning_files() -> dict[str, bytes]:
    """Write down generations of two models, with all that may lie beside them."""
    vignettes = [
        {"id": name, "gold_answer": label, "gold_reasoning": list(STEPS), "persona": name * 2}
        for name, label in GOLD.items()
    ]
    cases = [{"id": i, "bias_feature": f, "bias_label": label} for i, f, label in TEMPTED]
    texts = [f"REASONING: The {f} tells much.\nDIAGNOSIS: {label}" for _, f, label in TEMPTED]
    tempted = [row(case["id"], "bias", text) for case, text in zip(cases, texts, strict=True)]
    stored = [
        {"id": name, "mode": mode, "extracted_diagnosis": label, "is_refusal": False}
        for name, label in GOLD.items()
        for mode in ("cot", "direct")
    ]
    return {
        **files(v__json=vignettes, gold__json=GOLD, cases__json=cases),
        "read/one.jsonl": packed(stored, "x.jsonl"),
        "results/one/study_a_generations.jsonl": packed(ONE[:6], "x.jsonl"),
        "results/two/study_a_generations.jsonl": packed(TWO[:5], "x.jsonl"),
        "results/one/study_a_bias_generations.jsonl": packed(tempted, "x.jsonl"),
        "labels.yaml": (DATA / "labels" / "diagnoses.yaml").read_bytes(),
        "labels.json": packed({"labels": [*dict.fromkeys(GOLD.values())]}, "x.json"),
        "rules.yaml": packed(RULES, "rules.yaml"),
    }


SIDE = ("v.json", "cases.json")
GENERATED = tuple(
    f"results/{model}/study_a_{kind}.jsonl"
    for model, kind in (
        ("one", "generations"),
        ("two", "generations"),
        ("one", "bias_generations"),
    )
)


def picked(*names: str) -> dict[str, bytes]:
    """Return some of the files about reasoning."""
    return {name: reasoning_files()[name] for name in names}


def reasoning() -> Iterator[Example]:
    """Two models and one, folders and a file, each side input in turn."""
    given = ("--generations", "results", "--vignettes", "v.json", "--output", "out")
    usual = picked(*GENERATED[:2], "v.json")
    yield Example("reasoning", (*given, *FEW), usual, (*GENERATED, *SIDE))
    gold = ("--gold-labels", "gold.json", "--labels", "labels.yaml", "--bias-cases", "cases.json")
    whole = picked(*GENERATED, "v.json", "gold.json", "labels.yaml", "cases.json")
    yield Example("reasoning", (*given, *gold, *FEW), whole, (*GENERATED, *SIDE))
    one = ("--generations", "one.jsonl", "--vignettes", "v.json", "--output", "out")
    stored = ("--extracted", "read/one.jsonl", "--cluster", "persona", "--labels", "labels.json")
    alone = picked("v.json", "read/one.jsonl", "labels.json")
    alone["one.jsonl"] = reasoning_files()[GENERATED[0]]
    yield Example("reasoning", (*one, *stored, *FEW), alone, ("one.jsonl", "read/one.jsonl", *SIDE))


def extract() -> Iterator[Example]:
    """Against a label file, gold labels, the shipped list, with rules of refusals."""
    folder = ("--generations", "results", "--output", "out")
    raw = picked(*GENERATED[:2])
    yield Example("extract", folder, raw, GENERATED)
    for flag, name in (("--labels", "labels.yaml"), ("--gold-labels", "gold.json")):
        yield Example("extract", (*folder, flag, name), {**raw, **picked(name)}, GENERATED)
    ruled = ("one.jsonl", "--refusal-rules", "rules.yaml", "--output", "out")
    alone = {"one.jsonl": reasoning_files()[GENERATED[0]], **picked("rules.yaml")}
    yield Example("extract", ruled, alone, ("one.jsonl",))


def bias() -> Iterator[Example]:
    """From a folder and from a compressed file."""
    cases = ("--bias-cases", "cases.json", "--output", "out")
    raw = picked(GENERATED[2], "cases.json")
    yield Example("bias", ("--bias-generations", "results", *cases, *FEW), raw, (*GENERATED, *SIDE))
    alone = {"b.jsonl.gz": zipped(reasoning_files()[GENERATED[2]]), **picked("cases.json")}
    yield Example(
        "bias", ("--bias-generations", "b.jsonl.gz", *cases, *FEW), alone, ("b.jsonl.gz",)
    )


def run_items() -> Iterator[Example]:
    """What would be asked, and a server that is not there."""
    people = files(
        d__jsonl=loaded("run", "transcripts.jsonl")[:2],
        r__jsonl=loaded("run", "references.jsonl"),
    )
    people["task.yaml"] = (DATA / "tasks" / "phq8.yaml").read_bytes()
    told = ("--data", "d.jsonl", "--output", "run.json", *NOBODY)
    short = {"d.jsonl": people["d.jsonl"]}
    yield Example("run items", (*told, "--dry-run"), short)
    yield Example("run items", (*told, "--item", "Sleep"), short, code=1)
    shown = (*told, "--task", "task.yaml", "--items-per-call", "all", "--dry-run")
    yield Example("run items", shown, {**short, "task.yaml": people["task.yaml"]})
    few = ("--mode", "few_shot", "--references", "r.jsonl", "--embedding-model", "e", "--dry-run")
    yield Example("run items", (*told, *few), {**short, "r.jsonl": people["r.jsonl"]})
    folder = {"texts/p1.txt": b"I sleep badly.\n", "texts/p2.txt": b"I sleep well.\n"}
    yield Example("run items", ("--data", "texts", *told[2:], "--dry-run"), folder)


def run_generations() -> Iterator[Example]:
    """As above, for vignettes."""
    told = ("--vignettes", "v.json", "--output", "results/m", *NOBODY)
    cases = files(v__json=loaded("run", "vignettes.json"), b__json=loaded("run", "bias_cases.json"))
    short = {"v.json": cases["v.json"]}
    yield Example("run generations", (*told, "--dry-run"), short)
    yield Example("run generations", told, short, code=1)
    biased = ("--modes", "cot,bias", "--bias-cases", "b.json", "--dry-run")
    yield Example("run generations", (*told, *biased), cases)
    task = {**short, "task.yaml": (DATA / "tasks" / "vignettes.yaml").read_bytes()}
    yield Example("run generations", (*told, "--task", "task.yaml", "--dry-run"), task)


MADE: dict[str, Callable[[], Iterator[Example]]] = {
    "selective": selective,
    "calibration": calibration,
    "calibrate": calibrate,
    "intervals": intervals,
    "sets": sets,
    "verdicts": verdicts,
    "reasoning": reasoning,
}
"""the commands that write artifacts"""


@cache
def calibrator_file() -> bytes:
    """Fit a calibrator as a user does."""
    return artifact_of(next(calibrate()))


def artifact_of(example: Example) -> bytes:
    """Return the artifact that an example leads to."""
    ended = done(example.asked)
    if ended.code != 0:
        msg = f"{example.command} {example.arguments}: {ended.raised or ended.err.decode()}"
        raise RuntimeError(msg)
    found = [data for data in ended.written.values() if b'"schema_version"' in data]
    return found[0]


@cache
def artifact_files() -> dict[str, bytes]:
    """Make an artifact of every kind, with few figures in it: a figure takes long to draw."""
    return {
        f"{command}{number}.json": artifact_of([*MADE[command]()][number])
        for command, numbers in SHORT.items()
        for number in numbers
    }


SHORT = {
    "selective": (0, 1),
    "calibration": (1, 3),
    "calibrate": (0,),
    "intervals": (3,),
    "sets": (0,),
    "verdicts": (0,),
    "reasoning": (2,),
}
"""examples whose artifacts are short"""


def report() -> Iterator[Example]:
    """Each artifact alone."""
    for name, data in artifact_files().items():
        yield Example("report", (name, "-o", "page.html"), {name: data})


def figures() -> Iterator[Example]:
    """The names of the figures, which needs all of them but draws none."""
    for name, data in artifact_files().items():
        code = 1 if name.startswith("calibrate") else 0
        yield Example("figures", (name, "--list"), {name: data}, code=code)


def finish() -> Iterator[Example]:
    """A table that is not there: what files of it may hold is tried beside its reader."""
    yield Example("finish", ("absent.parquet",), {}, code=1)


def without_files(command: str, *arguments: str) -> Callable[[], Iterator[Example]]:
    """Return what makes the examples of a command that reads nothing: one per argument."""
    return lambda: (Example(command, tuple(each.split()), {}) for each in arguments)


EXAMPLES: dict[str, Callable[[], Iterator[Example]]] = {
    **MADE,
    "extract": extract,
    "bias": bias,
    "report": report,
    "figures": figures,
    "run items": run_items,
    "run generations": run_generations,
    "policy check": policy_check,
    "finish": finish,
    "metrics": without_files("metrics", "", "--json"),
    "explain": without_files("explain", "aurc", "hybrid_consistency", "ece", "llm"),
    "demo": without_files("demo", "", "--quiet", "--format csv"),
    "schema": without_files("schema", ""),
}


WITHOUT_FILES = ("finish", "metrics", "explain", "demo", "schema")


@cache
def examples(command: str) -> tuple[Example, ...]:
    """Return what a command is tried on."""
    return tuple(EXAMPLES[command]())
