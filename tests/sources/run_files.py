"""Small run files to break in one place at a time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assay.sources.items import PHQ8_ITEMS

SIGNALS = {"llm_evidence_count": 2, "token_msp": 0.5, "verbalized_confidence": 4}


def person(participant_id: Any = 300, **changes: Any) -> dict[str, Any]:
    return {
        "participant_id": participant_id,
        "success": True,
        "error": None,
        "predicted_items": dict.fromkeys(PHQ8_ITEMS, 1) | {"Sleep": None},
        "ground_truth_items": dict.fromkeys(PHQ8_ITEMS, 2),
        "item_signals": {item: dict(SIGNALS) for item in PHQ8_ITEMS},
        **changes,
    }


def failed(participant_id: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {"predicted_items": {}, "ground_truth_items": {}, "item_signals": {}}
    return person(participant_id, success=False, error="no answer", **empty)


def experiment(*people: dict[str, Any], mode: str | None = "few_shot") -> dict[str, Any]:
    return {"provenance": {"mode": mode}, "results": {"mode": mode, "results": list(people)}}


def run(*experiments: dict[str, Any]) -> dict[str, Any]:
    metadata = {"run_id": "abcd1234", "git_commit": "f00", "platform": "synthetic"}
    return {"run_metadata": metadata, "experiments": list(experiments)}


def write(folder: Path, content: Any, name: str = "run.json") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path
