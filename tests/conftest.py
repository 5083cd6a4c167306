"""What every test runs under."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from tests.engines import FORMS, under

# A fixture chooses the engine or silences nothing; it does not change between examples.
COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture]}
settings.register_profile("local", max_examples=20, **COMMON)
settings.register_profile("ci", max_examples=25, derandomize=True, print_blob=True, **COMMON)
settings.register_profile("soak", max_examples=300, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "local"))


@pytest.fixture(autouse=True)
def _no_silent_arithmetic():
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        yield


@pytest.fixture(params=FORMS)
def engine(request):
    """Run the test once per engine."""
    with under(request.param):
        yield request.param
