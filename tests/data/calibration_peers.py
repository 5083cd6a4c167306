"""How the numbers in calibration_peers.json are obtained; nothing here runs a peer in the tests.

The packages weigh gigabytes (torch) and are not installed for the tests. The file records numbers
read once, to four digits: MAPIE 1.6.0, netcal 1.4, torchmetrics 1.9, uqlm 0.6.7, HELM 0.5.16 (with
the p-lambda library it uses), lm-polygraph 0.7; the versions of calzone and TrustLens were not
written down. The smooth errors are those of relplot 1.0.3, to every digit. MAPIE is installed with
the tests, which compare with it directly.
To read a number again, install the package in an environment of its own and run, in the folder
above the tests,

    python -m tests.data.calibration_peers netcal|torchmetrics|relplot
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import numpy as np

TABLE = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
PROBABILITY = np.array(TABLE["probability"], dtype=float)
CORRECT = np.array(TABLE["correct"], dtype=int)


def netcal() -> float:
    from netcal.metrics import ECE

    return float(ECE(bins=10).measure(PROBABILITY, CORRECT))


def torchmetrics() -> float:
    import torch
    from torchmetrics.functional.classification import binary_calibration_error

    scores = torch.tensor(PROBABILITY, dtype=torch.float32)
    return float(binary_calibration_error(scores, torch.tensor(CORRECT), n_bins=10, norm="l1"))


@cache
def smooth_inputs() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Outcomes and probabilities: of real models, and where the program's mesh shows most."""
    from tests.public_models import stated

    found = {"twenty rows": (CORRECT, PROBABILITY)}
    for model in ("bayes", "forest", "logistic", "tree"):
        label, probabilities = stated(model, "breast cancer")
        found[f"{model}, breast cancer"] = label, probabilities[:, 1]
    for n in (1, 2, 7, 100, 10_000):
        place = np.arange(n)
        even, wave = (place + 0.5) / n, (place * 0.618034) % 1
        ends = np.array([0, 1, 1e-9, 1 - 1e-9, 1e-4, 1 - 1e-4, 4e-4, 0.0009, 0.9991])[place % 9]
        for name, probability in {
            "calibrated": even,
            "beside the ends": ends,
            "hard": (place % 2).astype(float),
            "tied": np.round(even, 1),
            "constant": np.full(n, 0.3),
        }.items():
            found[f"{name}, {n}"] = (wave < probability).astype(int), probability
            found[f"{name}, {n}, never right"] = np.zeros(n, dtype=int), probability
    return found


def relplot() -> str:
    from relplot import smECE

    found = {
        name: float(smECE(probability, correct))
        for name, (correct, probability) in smooth_inputs().items()
    }
    return json.dumps(found, indent=2)


if __name__ == "__main__":
    program = {"netcal": netcal, "torchmetrics": torchmetrics, "relplot": relplot}[sys.argv[1]]
    sys.stdout.write(f"{program()}\n")
