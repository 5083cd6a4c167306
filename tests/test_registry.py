"""How a function becomes a metric or a confidence function, and when it does not."""

from __future__ import annotations

import numpy as np
import pytest

import assay.metrics  # noqa: F401 - fills METRICS, whichever test comes first
from assay.errors import UsageError
from assay.registry import CONFIDENCE, METRICS, Metric, confidence, metric


@pytest.fixture(autouse=True)
def _restored():
    before = dict(METRICS), dict(CONFIDENCE)
    yield
    for registered, entries in zip((METRICS, CONFIDENCE), before, strict=True):
        registered.clear()
        registered.update(entries)


def mean_loss(loss, *, weight=None, power: float = 1.0, ends: str = "open"):
    """Mean loss.

    And more about it.
    """
    return 0.0


def test_metric_is_described_by_its_function() -> None:
    declared = metric(
        better="lower",
        bounds=(0.0, 1.0),
        undefined="there is nothing",
        copies=True,
        ordered={"ends": "closed"},
        reference=0.0,
        common={"power": "cmax"},
    )
    called = declared(mean_loss)
    found = METRICS["mean_loss"]
    assert called is found.checked
    assert called.__wrapped__ is mean_loss
    assert (found.name, found.title, found.function) == ("mean_loss", "Mean loss", mean_loss)
    assert found.columns == ("loss",)
    assert found.optional == ("weight",)
    assert found.options == {"power": 1.0, "ends": "open"}
    assert (found.better, found.bounds, found.reference) == ("lower", (0.0, 1.0), 0.0)
    assert found.undefined == "there is nothing"
    assert found.common == {"power": "cmax"}


def test_declarations_may_hold_for_some_options_only() -> None:
    metric(better=None, bounds=(0.0, 1.0), ordered={"ends": "closed"}, copies=True)(mean_loss)
    found = METRICS["mean_loss"]
    assert not found.holds("ordered")
    assert found.holds("ordered", ends="closed")
    assert not found.holds("ordered", ends="open", power=2.0)
    assert found.holds("copies")
    assert found.holds("copies", ends="closed")


def test_nothing_is_declared_unless_it_is() -> None:
    metric(better="higher", bounds=(0.0, 1.0))(mean_loss)
    found = METRICS["mean_loss"]
    assert not found.holds("copies")
    assert not found.holds("ordered", ends="closed")
    assert found.undefined == ""
    assert found.reference is None
    assert found.common == {}


def test_options_of_a_registered_metric_cannot_be_changed() -> None:
    with pytest.raises(TypeError, match="does not support item assignment"):
        METRICS["aurc"].options["area"] = "step"


def test_family_is_the_package_of_the_function() -> None:
    families = {each.name: each.family for each in METRICS.values()}
    assert families["aurc"] == families["failure_rate"] == "selective"


def test_name_can_be_taken_once() -> None:
    register = metric(better=None, bounds=(0.0, 1.0))
    register(mean_loss)
    with pytest.raises(UsageError, match="'mean_loss' is registered twice"):
        register(mean_loss)
    assert isinstance(METRICS["mean_loss"], Metric)


def test_unknown_required_parameter_fails_at_registration() -> None:
    def lost(loss, gravity, *, weight=None):
        """Lost."""

    with pytest.raises(UsageError, match="metric lost asks for 'gravity'") as caught:
        metric(better=None, bounds=(0.0, 1.0))(lost)
    assert "COLUMNS" in caught.value.hint
    assert "lost" not in METRICS


def test_metric_without_weight_fails_at_registration() -> None:
    def unweighted(loss):
        """Unweighted."""

    with pytest.raises(UsageError, match="metric unweighted takes no weight"):
        metric(better=None, bounds=(0.0, 1.0))(unweighted)
    assert "unweighted" not in METRICS


def test_function_without_a_docstring_has_an_empty_title() -> None:
    def bare(loss, *, weight=None):
        return 0.0

    metric(better=None, bounds=(0.0, 1.0))(bare)
    assert METRICS["bare"].title == ""


def test_confidence_function_asks_for_signals_by_name() -> None:
    def doubled(token_msp, token_pe):
        """Twice."""
        return token_msp + token_pe

    assert confidence(doubled) is doubled
    found = CONFIDENCE["doubled"]
    assert found.signals == ("token_msp", "token_pe")
    assert (found.name, found.title, found.function) == ("doubled", "Twice", doubled)
    with pytest.raises(UsageError, match="'doubled' is registered twice"):
        confidence(doubled)


@pytest.mark.parametrize("name", ["aura", "loss"])
def test_confidence_function_may_ask_for_signals_only(name: str) -> None:
    namespace: dict[str, object] = {}
    exec(f"def sensed({name}): 'Sensed.'", namespace)  # noqa: S102 - a parameter by name
    with pytest.raises(UsageError, match=f"sensed asks for '{name}', which is not a signal") as e:
        confidence(namespace["sensed"])
    assert "COLUMNS" in e.value.hint
    assert "sensed" not in CONFIDENCE


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("aurc_at_coverage", {"area_coverage": "0.9"}, "`area_coverage` must be a number"),
        ("mean_risk_at_coverage", {"area_coverage": ()}, "`area_coverage` must be a number"),
        ("mean_risk_at_coverage", {"area_coverage": True}, "`area_coverage` must be a number"),
        ("coverage_at_risk", {"risk_target": np.ones(2)}, "`risk_target` must be a number"),
        ("aurc", {"area": np.ones(2)}, "`area` must be one of"),
        ("augrc_normalized", {"loss_range": 0}, "`loss_range` must be above 0, found 0"),
        ("augrc_normalized", {"loss_range": -1.0}, "`loss_range` must be above 0, found -1.0"),
    ],
)
def test_options_of_metrics_that_are_no_single_value_are_refused(name, options, message):
    with pytest.raises(UsageError, match=f"^{message}"):
        METRICS[name].checked([0.0, 1.0], [0.5, 0.25], **options)
