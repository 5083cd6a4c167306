"""How the numbers in calibration_peers.json are obtained; nothing here runs in the test suite.

The packages weigh gigabytes (torch) and are not installed for the tests. The file records numbers
read once, to four digits: MAPIE 1.6.0, netcal 1.4, torchmetrics 1.9, uqlm 0.6.7, HELM 0.5.16 (with
the p-lambda library it uses), lm-polygraph 0.7; the versions of relplot, calzone and TrustLens were
not written down. MAPIE is installed with the tests, which compare with it directly.
To read a number again, install the package in an environment of its own and run

    python calibration_peers.py netcal|torchmetrics|relplot
"""

from __future__ import annotations

import json
import sys
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


def relplot() -> float:
    from relplot import smECE

    return float(smECE(PROBABILITY, CORRECT))


if __name__ == "__main__":
    program = {"netcal": netcal, "torchmetrics": torchmetrics, "relplot": relplot}[sys.argv[1]]
    sys.stdout.write(f"{program()}\n")
