"""The bundled example of grounded verdicts: synthetic from the first id to the last word.

Forty invented kitchens with reviews from a handful of sentences, their ground truth by the points
of the policy G1_allergy_V2, and two systems that judge them. Both have faults of every kind that
the evaluation tells apart: one of them invents quotations and misses evidence, the other finds more
of it and quotes it loosely, and its verdicts do not follow from its own rules.

The committed files are what `example_files()` returns. Only uniform draws of a generator spelled
out here are used, so that the bytes are the same everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["POLICY", "example_files"]

POLICY = "G1_allergy_V2"
N_CASES = 40
N_REVIEWS = 6
POINTS = {"mild": 2, "moderate": 5, "severe": 15}
FALSE_ASSURANCE, DISMISSIVE = 5, 3
CRITICAL, HIGH = 8, 4
INCIDENTS = {
    "mild": "My lips tingled a little after the soup. It went away within the hour.",
    "moderate": "Hives came up on both arms after the curry. We left before dessert.",
    "severe": "Her throat closed after one bite of the cake. We used the pen and called for help.",
}
ASSURED = "The waiter had promised us twice that there were no nuts in it."
SHRUGGED = "When we told the staff, they shrugged and went on with the next table."
PLAIN = (
    "The noodles were hot and the room was quiet. We will be back.",
    "Good coffee, slow service. The window seats are the best ones.",
    "They kept the allergen list at the door. Everything we ordered was safe for us.",
    "Fresh bread and a friendly team. The \u201chouse plate\u201d is plenty for two.",
    "Parking is hard to find. The lamb made up for it.",
    "We came with a large group. Nobody had to wait for long.",
)
INVENTED = "The chef told us that every dish was made with peanut oil."


class Uniform:
    """Uniform draws from a linear congruential generator, the same on every machine."""

    def __init__(self, seed: int) -> None:
        """Start the stream."""
        self._state = seed

    def __call__(self) -> float:
        """Return the next number from 0 to 1."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) / 2**31

    def pick(self, among: Sequence[Any]) -> Any:
        """Return one of several."""
        return among[int(self() * len(among))]


@dataclass(frozen=True, slots=True)
class Incident:
    """One incident in one review."""

    review_id: str
    severity: str
    modifiers: tuple[str, ...]

    @property
    def points(self) -> int:
        """What it adds to the score of its case."""
        added = {"False assurance": FALSE_ASSURANCE, "Dismissive staff": DISMISSIVE}
        return POINTS[self.severity] + sum(added[each] for each in self.modifiers)


@dataclass(frozen=True, slots=True)
class Kitchen:
    """One case: its reviews and its incidents."""

    case: str
    name: str
    reviews: Mapping[str, str]
    incidents: tuple[Incident, ...]

    @property
    def score(self) -> int:
        """The points of all its incidents."""
        return sum(each.points for each in self.incidents)

    @property
    def verdict(self) -> str:
        """What follows from the score."""
        return _verdict(self.score)


@dataclass(frozen=True, slots=True)
class Habits:
    """How one system behaves; shares of cases or evidences."""

    method: str
    model: str
    seed: int
    misses: float
    invents_evidence: float
    invents_quotes: float
    misquotes: float
    """takes the quotation from another review"""
    misjudges: float
    misstates_score: float
    misapplies_rule: float
    scores: bool
    """gives a risk score"""
    unstructured: frozenset[int] = field(default_factory=frozenset)
    failed: frozenset[int] = field(default_factory=frozenset)
    malformed: frozenset[int] = field(default_factory=frozenset)


SYSTEMS = (
    Habits(
        "direct",
        "example-small",
        seed=11,
        misses=0.35,
        invents_evidence=0.25,
        invents_quotes=0.2,
        misquotes=0.12,
        misjudges=0.2,
        misstates_score=0.1,
        misapplies_rule=0.05,
        scores=True,
        unstructured=frozenset({6, 19}),
        failed=frozenset({27}),
        malformed=frozenset({3, 14}),
    ),
    Habits(
        "checked",
        "example-large",
        seed=23,
        misses=0.15,
        invents_evidence=0.08,
        invents_quotes=0.0,
        misquotes=0.02,
        misjudges=0.12,
        misstates_score=0.35,
        misapplies_rule=0.3,
        scores=True,
        unstructured=frozenset({19}),
    ),
)


def _verdict(score: float) -> str:
    if score >= CRITICAL:
        return "Critical Risk"
    return "High Risk" if score >= HIGH else "Low Risk"


def _rule(verdict: str) -> str:
    conditions = {
        "Critical Risk": f"SCORE >= {CRITICAL}",
        "High Risk": f"SCORE >= {HIGH}",
        "Low Risk": "else",
    }
    return f"{conditions[verdict]} \u2192 {verdict}"


def _kitchens() -> list[Kitchen]:
    draw = Uniform(7)
    return [_kitchen(number, draw) for number in range(N_CASES)]


def _kitchen(number: int, draw: Uniform) -> Kitchen:
    case = f"kitchen-{number + 1:02d}"
    troubled = draw()
    reviews: dict[str, str] = {}
    incidents: list[Incident] = []
    for place in range(N_REVIEWS):
        review = f"{case}-r{place + 1}"
        text = str(draw.pick(PLAIN))
        if draw() < troubled * 0.5:
            severity = str(draw.pick(("mild", "mild", "mild", "moderate", "moderate", "severe")))
            assured, shrugged = draw() < 0.15, draw() < 0.15  # noqa: PLR2004 - shares
            said = [text, ASSURED * assured, INCIDENTS[severity], SHRUGGED * shrugged]
            text = " ".join(each for each in said if each)
            modifiers = ["False assurance"] * assured + ["Dismissive staff"] * shrugged
            incidents.append(Incident(review, severity, tuple(modifiers)))
        reviews[review] = text
    return Kitchen(case, f"Example kitchen {number + 1}", reviews, tuple(incidents))


def _truth(kitchens: Sequence[Kitchen]) -> dict[str, Any]:
    return {
        "policy_id": POLICY,
        "topic": "allergy",
        "domain": "synthetic",
        "has_scoring": True,
        "restaurants": {
            each.case: {
                "name": each.name,
                "categories": ["Example"],
                "n_reviews": len(each.reviews),
                "ground_truth": {
                    "verdict": each.verdict,
                    "score": each.score,
                    "matched_rule": _rule(each.verdict),
                    "n_incidents": len(each.incidents),
                    "incidents": [
                        {
                            "review_id": incident.review_id,
                            "severity_field": "incident_severity",
                            "severity_value": incident.severity,
                            "modifiers": list(incident.modifiers),
                            "base_points": POINTS[incident.severity],
                            "total_points": incident.points,
                        }
                        for incident in each.incidents
                    ],
                },
            }
            for each in kitchens
        },
    }


def _result(kitchen: Kitchen, number: int, habits: Habits, draw: Uniform) -> dict[str, Any]:
    frame = {"business_id": kitchen.case, "name": kitchen.name}
    if number in habits.failed:
        return {**frame, "error": "the request timed out"}
    cited = list(_cited(kitchen, habits, draw))
    evidences = [dict(row) for row, _ in cited]
    score: float = sum(points for _, points in cited)
    if draw() < habits.misstates_score:
        score = max(0, score + draw.pick((-4, -3, 3, 5)))
    verdict = _verdict(score)
    rule = _rule(verdict)
    if draw() < habits.misapplies_rule:
        verdict = str(draw.pick(("Low Risk", "High Risk", "Critical Risk")))
    risk = score + round(draw(), 2) if habits.scores else None
    if number in habits.unstructured:
        text = f"I would call this place {verdict}, going by what guests wrote."
        return {**frame, "response": text, "parsed": None, "verdict": verdict, "risk_score": risk}
    if number in habits.malformed:
        evidences += [{"review_id": f"{kitchen.case}-r1", "field": "", "judgement": None}]
    parsed = {
        "verdict": verdict,
        "evidences": evidences,
        "justification": {
            "triggered_rule": rule,
            "direct_evidence": [each["evidence_id"] for each in evidences if "evidence_id" in each],
            "scoring_trace": {"total_score": score},
        },
    }
    return {**frame, "parsed": parsed, "verdict": verdict.upper(), "risk_score": risk}


Cited = Iterator[tuple[dict[str, Any], int]]


def _cited(kitchen: Kitchen, habits: Habits, draw: Uniform) -> Cited:
    """Yield what a system cites and how many points it makes of it."""
    count = 0
    known = {each.review_id: each for each in kitchen.incidents}
    for review in kitchen.reviews:
        incident = known.get(review)
        missed, invented = draw() < habits.misses, draw() < habits.invents_evidence * 0.3
        if (incident is None and not invented) or (incident is not None and missed):
            continue
        count += 1
        severity = incident.severity if incident else "mild"
        if draw() < habits.misjudges:
            severity = str(draw.pick(("mild", "moderate", "severe")))
        row = {"evidence_id": f"E{count}", "review_id": review, "field": "INCIDENT_SEVERITY"}
        row |= {"judgement": f"{severity} incident"}
        row |= {"snippet": _quotation(kitchen, review, habits, draw)}
        yield row, POINTS[severity]
        for name, judgement, points in _modifiers(incident):
            count += 1
            beside = {"evidence_id": f"E{count}", "review_id": review, "field": name}
            yield {**beside, "judgement": judgement}, points


def _modifiers(incident: Incident | None) -> Iterator[tuple[str, str, int]]:
    modifiers = incident.modifiers if incident else ()
    if "False assurance" in modifiers:
        yield "ASSURANCE_CLAIM", "false assurance", FALSE_ASSURANCE
    if "Dismissive staff" in modifiers:
        yield "STAFF_RESPONSE", "dismissive", DISMISSIVE


def _quotation(kitchen: Kitchen, review: str, habits: Habits, draw: Uniform) -> str:
    """Quote a review as systems do: exactly, tidied up, in pieces, from elsewhere, invented."""
    chance = draw()
    if chance < habits.invents_quotes:
        return INVENTED
    chance -= habits.invents_quotes
    if chance < habits.misquotes:
        others = [text for each, text in kitchen.reviews.items() if each != review]
        return _sentences(str(draw.pick(others)))[0]
    sentences = _sentences(kitchen.reviews[review])
    ways: tuple[Callable[[], str], ...] = (
        lambda: sentences[-1],
        lambda: sentences[-1],
        lambda: f"\u201c{sentences[-1].lower()}\u201d",
        lambda: f"{sentences[0]} ... {sentences[-1]}",
    )
    return str(draw.pick(ways)())


def _sentences(text: str) -> list[str]:
    return [f"{each.rstrip('.')}." for each in text.split(". ")]


def _lines(rows: Iterator[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _document(content: Any) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def example_files() -> dict[str, bytes]:
    """Return the files of the example by name."""
    kitchens = _kitchens()
    files = {
        "ground_truth.json": _document(_truth(kitchens)),
        "reviews.jsonl": _lines(
            {"business_id": each.case, "review_id": review, "text": text}
            for each in kitchens
            for review, text in each.reviews.items()
        ),
    }
    for habits in SYSTEMS:
        draw = Uniform(habits.seed)
        results = [_result(each, number, habits, draw) for number, each in enumerate(kitchens)]
        about: dict[str, Any] = {"run_id": f"{habits.method}-example", "policy_id": POLICY}
        about |= {"method": habits.method, "model": habits.model, "n": len(results)}
        files[f"{habits.method}.json"] = _document({**about, "results": results})
    return files
