"""What the benchmarks say of an earlier run."""

from __future__ import annotations

from bench.__main__ import worse

BEFORE = {
    "assay --help": {"seconds": 0.2},
    "case": {"seconds": 1.0, "peak_megabytes": 50.0},
    "gone": {"seconds": 1.0},
}


def test_a_step_back_in_start_up_speed_or_memory_is_named_and_noise_is_not():
    now = {
        "assay --help": {"seconds": 0.31},
        "case": {"seconds": 1.3, "peak_megabytes": 64.0},
        "new": {"seconds": 9.0},
    }
    found = ["assay --help: 0.31 s, before 0.2", "case: 1.3 s, before 1", "case: 64 MB, before 50"]
    assert worse(now, BEFORE, 0.25) == found
    assert worse(now, BEFORE, 0.5) == found[:1]
    assert (
        worse({"assay --help": {"seconds": 0.24}}, {"assay --help": {"seconds": 0.19}}, 0.1) == []
    )
    assert worse(BEFORE, BEFORE, 0.0) == []
