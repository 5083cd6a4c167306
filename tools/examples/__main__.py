"""Write the bundled examples anew: `python -m tools.examples`."""

from __future__ import annotations

from assay.demo import DEMO_PATH, REASONING_FOLDER, VERDICTS_FOLDER
from tools.examples import demo_run, reasoning, verdicts

DEMO_PATH.write_bytes(demo_run.demo_bytes())
for folder, files in (
    (VERDICTS_FOLDER, verdicts.example_files()),
    (REASONING_FOLDER, reasoning.example_files()),
):
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
