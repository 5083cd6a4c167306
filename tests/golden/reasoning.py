"""Write the golden artifacts of reasoning anew, after a change that is meant.

    python -m tests.golden.reasoning

The first eight vignettes of the bundled example and all its cases of bias, by the default
conventions and by the printed formulas of the earlier program.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from types import SimpleNamespace

import msgspec

from assay import stored
from assay.artifact import Engine, Tool
from assay.demo import REASONING_FOLDER as EXAMPLE_FOLDER
from assay.families.choices import planned
from tests.reasoning_files import Files, asked, evaluate

EXPECTED = Path(__file__).parent / "expected"
N_VIGNETTES = 8
ANY_TOOL = Tool(name="assay", version="any", kernels="numpy")
ANY_ENGINE = Engine(name="memory")
CASES = {
    "reasoning.json": (("guarded", "steady"), "default", "persona"),
    "reasoning_seed.json": (("hasty",), "seed", None),
}
"""artifact: models, preset, clusters"""


def golden(name: str) -> bytes:
    """Compute one golden artifact."""
    models, preset, cluster = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        files = _files(Path(folder), models, cluster)
        plan = planned(SimpleNamespace(preset=preset), {"n_resamples": 100})
        found = evaluate(asked(files, plan, preset=preset))
        inputs = [
            msgspec.structs.replace(each, path=str(Path(each.path).relative_to(folder)))
            for each in found.inputs
        ]
        return stored.encode(
            msgspec.structs.replace(found, tool=ANY_TOOL, engine=ANY_ENGINE, inputs=inputs)
        )


def write_inputs(root: Path, models: tuple[str, ...], n_vignettes: int = N_VIGNETTES) -> None:
    """Write the first vignettes, what models said of them, and all cases of bias."""
    kept = json.loads((EXAMPLE_FOLDER / "vignettes.json").read_bytes())[:n_vignettes]
    ids = {each["id"] for each in kept}
    (root / "vignettes.json").write_text(json.dumps(kept), encoding="utf-8")
    for model in models:
        (root / "results" / model).mkdir(parents=True)
        for name in ("study_a_generations.jsonl", "study_a_bias_generations.jsonl"):
            place = Path("results") / model / name
            lines = (EXAMPLE_FOLDER / place).read_text(encoding="utf-8").splitlines()
            rows = [line for line in lines if not line or json.loads(line)["id"][:4] == "bias"]
            rows += [line for line in lines if line and json.loads(line)["id"] in ids]
            (root / place).write_text("\n".join(rows), encoding="utf-8")
    for name in ("gold_labels.json", "bias_cases.json"):
        (root / name).write_bytes((EXAMPLE_FOLDER / name).read_bytes())


def _files(root: Path, models: tuple[str, ...], cluster: str | None) -> Files:
    write_inputs(root, models)
    return Files(
        generations=(str(root / "results"),),
        vignettes=str(root / "vignettes.json"),
        gold_labels=str(root / "gold_labels.json"),
        bias_cases=str(root / "bias_cases.json"),
        cluster=cluster,
    )


def main() -> None:
    """Write every file."""
    for name in CASES:
        (EXPECTED / name).write_bytes(golden(name))


if __name__ == "__main__":
    main()
