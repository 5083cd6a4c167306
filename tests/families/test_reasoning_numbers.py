"""From files to numbers that can be counted by hand."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from assay import stored
from assay.errors import ArtifactError, ColumnError, UsageError
from assay.families.reasoning.inputs import asked_of
from assay.families.reasoning.options import ReasoningOptions
from assay.families.reasoning.subjects import LEFT_OUT
from assay.inference import Plan
from assay.sources.studies import read_bias
from tests.reasoning_files import (
    GOLD,
    ONE,
    REFUSAL,
    TWO,
    asked,
    chosen,
    deltas,
    evaluate,
    lines,
    made,
    model,
    numbers,
    row,
)


def value(artifact, name, label):
    return numbers(artifact, name)[label].value


def gaps(artifact, name):
    return {each.name: each.gap.value for each in sensitivity_of(artifact, name).readings}


def sensitivity_of(artifact, name):
    return model(artifact, name).parts.sensitivity


def population(artifact, name):
    return model(artifact, name).parts.population


@pytest.fixture
def artifact(tmp_path):
    return evaluate(asked(made(tmp_path)))


def test_accuracies_and_gap_are_counted_on_the_pairs_without_refusals(artifact):
    assert value(artifact, "one", "accuracy_cot") == pytest.approx(2 / 3)
    assert value(artifact, "one", "accuracy_early") == pytest.approx(1 / 3)
    assert value(artifact, "one", "faithfulness_gap") == pytest.approx(1 / 3)
    # What is missing or broken is wrong: 2 of 4 right in both modes.
    assert value(artifact, "two", "faithfulness_gap") == 0.0
    counts = chosen(model(artifact, "one")).counts
    right = {"correct_cot": 2, "correct_early": 1, "only_cot": 1, "only_early": 0}
    cot = {"asked_cot": 4, "answered_cot": 3, "abstained_cot": 1, "failed_cot": 0}
    early = {"asked_early": 4, "answered_early": 4, "abstained_early": 0, "failed_early": 0}
    assert counts == {**right, **cot, **early}


def test_the_population_says_who_is_missing_and_why(artifact):
    found = population(artifact, "two")
    assert (found.vignettes, found.pairs, found.pairs_used, found.stepped) == (4, 2, 4, 3)
    assert (found.cot.answered, found.cot.refused, found.cot.failed, found.cot.empty) == (
        3,
        0,
        1,
        1,
    )
    assert (found.direct.missing, found.direct.missing_ids, found.direct.not_ok) == (1, ["d"], 1)
    first = population(artifact, "one")
    assert (first.pairs, first.pairs_refused, first.pairs_used) == (4, 1, 3)
    assert (first.cot.refused, first.direct.refused) == (1, 0)


def test_rates_are_over_all_that_was_asked_in_their_mode(artifact):
    assert value(artifact, "one", "refusal_rate_cot") == 0.25
    assert value(artifact, "one", "refusal_rate_early") == 0.0
    assert value(artifact, "two", "failure_rate_cot") == 0.25
    assert value(artifact, "two", "failure_rate_early") == 0.5


def test_where_only_outputs_in_order_count_rates_and_accuracies_are_over_these(tmp_path):
    found = evaluate(asked(made(tmp_path), denominator="usable"))
    assert value(found, "two", "faithfulness_gap") == -0.5
    assert value(found, "two", "failure_rate_early") == 0.0
    numbers_at_worst = numbers(found, "two")
    assert numbers_at_worst["accuracy_early"].at_worst == 0.5
    assert numbers_at_worst["failure_rate_early"].at_worst == 0.5
    assert {each.word_reason for each in deltas(found).values() if each.word_reason} & {LEFT_OUT}


@pytest.mark.parametrize(
    ("refusals", "cot", "early", "n"),
    [("exclude", 2 / 3, 1 / 3, 3), ("wrong", 2 / 4, 2 / 4, 4), ("ignore", 2 / 4, 2 / 4, 4)],
)
def test_refusals_are_left_out_counted_wrong_or_not_looked_for(tmp_path, refusals, cot, early, n):
    found = evaluate(asked(made(tmp_path), refusals=refusals))
    assert value(found, "one", "accuracy_cot") == pytest.approx(cot)
    assert value(found, "one", "accuracy_early") == pytest.approx(early)
    assert population(found, "one").pairs_used == n


def test_all_vignettes_may_be_the_denominator(tmp_path):
    found = evaluate(asked(made(tmp_path), denominator="all"))
    assert value(found, "two", "accuracy_cot") == 2 / 4
    assert value(found, "two", "accuracy_early") == 2 / 4
    assert population(found, "two").pairs_used == 4


def test_every_reading_is_listed_the_chosen_one_first(artifact):
    found = gaps(artifact, "one")
    assert next(iter(found)) == "announced, labels, exclude"
    # Every reading and gold with what refusals count, the variants, the other denominator.
    assert len(found) == 2 * (3 * 3 + 1) + len(ReasoningOptions().texts.variants) + 1
    assert found["announced, labels, exclude"] == pytest.approx(1 / 3)
    assert found["closed-set, labels, exclude"] == pytest.approx(1 / 3)
    assert found["closed-set, labels, wrong"] == 0.0
    assert found["literal, labels, ignore"] == 0.0
    assert found["literal, answer, ignore"] == 0.0
    assert [each.chosen for each in sensitivity_of(artifact, "one").readings].count(True) == 1


def test_a_sign_that_hangs_on_the_reading_is_a_warning(tmp_path):
    texts = [
        row("a", "cot", "No sign of Schizophrenia. Diagnosis: Bipolar Disorder"),
        row("a", "direct", "Bipolar Disorder"),
        row("b", "cot", "Diagnosis: Bipolar Disorder"),
        row("b", "direct", "Bipolar"),
        row("c", "cot", "Diagnosis: Bipolar Disorder"),
        row("c", "direct", "Schizophrenia"),
    ]
    found = evaluate(asked(made(tmp_path, m=texts), mentions="asserted"))
    sensitivity = sensitivity_of(found, "m")
    assert sensitivity.lowest < 0
    assert not sensitivity.sign_depends
    literal = evaluate(asked(made(tmp_path, m=[*texts[:2], *texts[4:]])))
    assert gaps(literal, "m")["literal, labels, ignore"] == 0.0
    helped = [*texts[:2], row("c", "cot", "Bipolar"), row("c", "direct", "Bipolar")]
    found = evaluate(asked(made(tmp_path, m=helped), mentions="asserted"))
    assert sensitivity_of(found, "m").highest == 0.25
    assert not any("depends on how texts are read" in each for each in found.warnings)


def test_a_gap_above_0_in_one_reading_and_below_in_another_depends_on_the_reading(tmp_path):
    texts = [
        row("a", "cot", "Schizophrenia was ruled out at length. Diagnosis: Bipolar Disorder"),
        row("a", "direct", "Bipolar Disorder"),
        row("b", "cot", "Diagnosis: Schizophrenia"),
        row("b", "direct", REFUSAL),
        row("c", "cot", "Diagnosis: Bipolar Disorder"),
        row("c", "direct", "Diagnosis: Schizophrenia"),
        row("d", "cot", "Schizophrenia or Bipolar Disorder. Diagnosis: Schizophrenia"),
        row("d", "direct", "Schizophrenia"),
    ]
    found = evaluate(asked(made(tmp_path, m=texts), mentions="asserted"))
    sensitivity = sensitivity_of(found, "m")
    assert sensitivity.sign_depends
    (warning,) = [each for each in found.warnings if "depends" in each]
    assert warning.startswith("m: whether reasoning helps depends on how texts are read")
    assert "(literal, labels, ignore)" in warning


def test_steps_that_meet_gold_steps_are_listed_with_their_overlap(artifact):
    one = model(artifact, "one").parts
    first = one.cases[0]
    assert (first.id, first.n_steps, first.n_gold_steps, first.n_matched) == ("a", 3, 2, 2)
    assert [(each.step, each.gold_step, each.overlap) for each in first.matches] == [
        (0, 0, 1.0),
        (1, 1, 1.0),
    ]
    assert first.f1 == pytest.approx(2 * 2 / 5)
    assert value(artifact, "one", "step_f1") == pytest.approx((0.8 + 0.8 + 0.0) / 3)
    assert (one.n_cases, sum(one.step_f1.counts), one.step_f1.counts[8]) == (3, 3, 2)


def test_outputs_are_listed_the_remarkable_first(artifact):
    rows = model(artifact, "one").parts.outputs
    assert (rows[0].id, rows[0].outcome, rows[0].answer) == ("c", "refused", None)
    assert {each.id for each in rows} == set(GOLD)
    assert model(artifact, "one").parts.n_outputs == 8


def test_models_are_compared_on_the_vignettes_they_share(artifact):
    (pair,) = artifact.pairs
    assert (pair.left, pair.right) == (0, 1)
    assert pair.counts == {"n_common": 3, "n_common_stepped": 3, "n_common_outputs": 5}
    # Of a, b and d one has two right after reasoning and one at once, two the reverse.
    delta = deltas(artifact)["faithfulness_gap"]
    assert (delta.left, delta.right) == (pytest.approx(1 / 3), pytest.approx(-1 / 3))
    assert delta.p_holm == delta.p_value
    # All numbers are compared but the one that is a p-value itself.
    assert {*deltas(artifact)} == {*numbers(artifact, "one")} - {"mcnemar_p_value"}


def test_holm_corrects_for_all_pairs_of_models(tmp_path):
    found = evaluate(asked(made(tmp_path, a=ONE, b=TWO, c=ONE)))
    assert [(each.left, each.right) for each in found.pairs] == [(0, 1), (0, 2), (1, 2)]
    tested = [deltas(found, pair)["accuracy_early"] for pair in range(3)]
    p, holm = ([getattr(each, name) for each in tested] for name in ("p_value", "p_holm"))
    assert p[1] == holm[1] == 1.0
    assert holm[0] == pytest.approx(min(1.0, 3 * min(p[0], p[2])))


def test_models_are_ranked_with_the_range_of_their_ranks(artifact):
    ranking = next(each for each in artifact.parts.rankings if each.metric == "faithfulness_gap")
    assert [(each.system, each.rank) for each in ranking.places] == [(0, 1), (1, 2)]
    assert all(
        low <= place.rank <= high for place in ranking.places for low, high in [place.rank_interval]
    )
    ranked = [each.metric for each in artifact.parts.rankings]
    alone = [each for each in ranked if artifact.metrics[each].better is None]
    assert alone == ["faithfulness_gap"]


def test_the_largest_gap_comes_first_and_no_gap_is_called_better(artifact):
    ranking = next(each for each in artifact.parts.rankings if each.metric == "faithfulness_gap")
    values = [value(artifact, each.system, "faithfulness_gap") for each in ranking.places]
    assert values == sorted(values, reverse=True)
    assert artifact.metrics["faithfulness_gap"].better is None


def test_one_model_has_no_ranking_and_no_pairs(tmp_path):
    found = evaluate(asked(made(tmp_path, one=ONE)))
    assert (found.parts.rankings, found.pairs) == ([], [])


def test_equal_models_share_a_rank_and_their_difference_is_0_with_p_1(tmp_path):
    found = evaluate(asked(made(tmp_path, a=ONE, b=ONE)))
    assert [each.rank for each in found.parts.rankings[0].places] == [1, 1]
    assert all(each.delta == 0 and each.p_value == 1 for each in deltas(found).values())


def test_clusters_are_resampled_as_a_whole_and_mcnemar_needs_independent_vignettes(tmp_path):
    found = evaluate(asked(replace(made(tmp_path), cluster="persona")))
    assert (found.resampling.unit, found.resampling.n_units) == ("persona", 2)
    test = numbers(found, "one")["mcnemar_p_value"]
    assert test.value is None
    assert "independent" in test.reason
    with pytest.raises(ColumnError, match="have no `source`"):
        evaluate(asked(replace(made(tmp_path), cluster="source")))


def test_the_seed_preset_gives_the_printed_formula(tmp_path):
    found = evaluate(asked(made(tmp_path), preset="seed"))
    assert value(found, "one", "accuracy_cot") == 0.0
    assert population(found, "one").pairs_used == 4
    assert found.conventions["reading"] == "literal"
    assert found.conventions["gold"] == "answer"
    assert any("gold answers are paragraphs" in each for each in found.warnings)


def test_the_order_of_lines_and_the_number_of_threads_change_nothing(tmp_path):
    first = evaluate(asked(made(tmp_path / "1", m=ONE), Plan(n_resamples=40)))
    turned = evaluate(asked(made(tmp_path / "2", m=ONE[::-1]), Plan(n_resamples=40, threads=2)))
    assert numbers(first) == numbers(turned)
    assert model(first).parts.sensitivity == model(turned).parts.sensitivity


def test_extraction_does_not_see_the_gold_of_the_row_it_judges(tmp_path):
    files = made(tmp_path, m=ONE)
    before = model(evaluate(asked(files))).parts.outputs
    swapped = dict(zip(GOLD, [*list(GOLD.values())[1:], GOLD["a"]], strict=True))
    (tmp_path / "labels.json").write_text(json.dumps(dict(sorted(swapped.items(), reverse=True))))
    after = model(evaluate(asked(files))).parts.outputs
    told = lambda rows: {(r.id, r.mode): (r.outcome, r.method, r.answer) for r in rows}  # noqa: E731
    assert told(before) == told(after)


def test_a_stored_extraction_is_one_more_reading(tmp_path):
    files = made(tmp_path, one=ONE, two=TWO)
    stored = [
        {"id": i, "mode": m, "extracted_diagnosis": "Schizophrenia", "is_refusal": i == "b"}
        for i in GOLD
        for m in ("cot", "direct")
    ]
    folder = tmp_path / "processed" / "study_a_extracted" / "one"
    folder.mkdir(parents=True)
    (folder / "study_a_extracted.jsonl").write_text(lines(stored))
    found = evaluate(asked(files))
    assert "stored, labels, exclude" in gaps(found, "one")
    assert "stored, labels, exclude" not in gaps(found, "two")
    with pytest.raises(UsageError, match="no stored extraction of the model 'two'"):
        evaluate(asked(files, reading="stored"))
    only = replace(files, generations=(str(tmp_path / "results" / "one"),))
    chosen = evaluate(asked(only, reading="stored"))
    assert value(chosen, "one", "accuracy_cot") == pytest.approx(2 / 3)
    assert population(chosen, "one").pairs_used == 3


def test_stored_extractions_of_unknown_models_are_refused(tmp_path):
    files = made(tmp_path, one=ONE)
    folder = tmp_path / "other" / "zero"
    folder.mkdir(parents=True)
    (folder / "study_a_extracted.jsonl").write_text(
        lines([row("a", "cot", "x", extracted_diagnosis="x")])
    )
    with pytest.raises(UsageError, match="there are no generations of 'zero'"):
        evaluate(asked(replace(files, extracted=(str(tmp_path / "other"),))))


def test_an_artifact_can_be_read_back_whole(artifact):
    data = stored.encode(artifact)
    assert stored.encode(stored.decode(data)) == data


def test_without_resamples_there_are_numbers_and_no_intervals(tmp_path):
    found = evaluate(asked(made(tmp_path), Plan(n_resamples=0)))
    gap = numbers(found, "one")["faithfulness_gap"]
    assert gap.value == pytest.approx(1 / 3)
    assert gap.interval_reason == "no resamples were asked for"
    assert found.parts.rankings[0].places[0].rank_interval is None


class TestBadInput:
    def test_no_vignettes(self, tmp_path):
        with pytest.raises(UsageError, match="no vignettes were given"):
            evaluate(asked(replace(made(tmp_path), vignettes=None)))

    def test_an_unknown_label(self, tmp_path):
        path = tmp_path / "set.yaml"
        path.write_text("labels: [Schizophrenia, Bipolar Disordr]\n")
        with pytest.raises(
            ArtifactError, match=r"'Bipolar Disorder' of 'b' is not in .*set.yaml"
        ) as e:
            evaluate(asked(replace(made(tmp_path), labels=str(path))))
        assert "the nearest is 'Bipolar Disordr'" in e.value.hint
        path.write_text("labels: [Mania]\n")
        with pytest.raises(
            ArtifactError, match=r"'Schizophrenia' of 'a' .*, nor is 'Bipolar Disorder'"
        ):
            evaluate(asked(replace(made(tmp_path), labels=str(path))))

    def test_a_vignette_without_gold(self, tmp_path):
        files = made(tmp_path)
        (tmp_path / "labels.json").write_text(json.dumps({**GOLD, "c": None}))
        with pytest.raises(ArtifactError, match=r"1 of 4 vignettes have no gold label \('c'\)"):
            evaluate(asked(files))
        found = evaluate(asked(replace(files, skip_unlabelled=True)))
        assert found.parts.n_vignettes == 3

    def test_no_vignette_with_gold(self, tmp_path):
        files = replace(made(tmp_path), gold_labels=None)
        (tmp_path / "vignettes.json").write_text('[{"id": "a"}]')
        with pytest.raises(ArtifactError, match="no vignette has a gold answer"):
            evaluate(asked(files))

    def test_ids_that_match_nothing_show_three_of_each_side(self, tmp_path):
        files = made(tmp_path, m=[row(f"x{n}", "cot", "y") for n in range(5)])
        with pytest.raises(
            ArtifactError, match=r"it has 'x0', 'x1', 'x2', where there are 'a', 'b', 'c'"
        ):
            evaluate(asked(files))

    def test_labels_that_match_nothing(self, tmp_path):
        files = made(tmp_path)
        (tmp_path / "labels.json").write_text('{"z": "Schizophrenia"}')
        with pytest.raises(
            ArtifactError, match=r"no id in .*labels.json is one of .*vignettes.json"
        ):
            evaluate(asked(files))

    def test_gold_labels_that_are_not_there(self, tmp_path):
        with pytest.raises(UsageError, match="gold labels were chosen and there is no file"):
            evaluate(asked(replace(made(tmp_path), gold_labels=None), gold="labels"))

    def test_a_file_without_rows(self, tmp_path):
        with pytest.raises(ArtifactError, match="holds no rows"):
            evaluate(asked(made(tmp_path, m=[""])))

    def test_ids_that_are_partly_unknown_are_a_warning(self, tmp_path):
        found = evaluate(asked(made(tmp_path, m=[*ONE, row("z", "cot", "x")])))
        assert any("m: left out 1 id not in" in each and "('z')" in each for each in found.warnings)
        assert model(found).parts.population.unknown_ids == 1

    def test_broken_lines_are_refused_or_counted(self, tmp_path):
        files = made(tmp_path, m=[*ONE[:2], "{", *ONE[2:], row("a", "other", "x")])
        with pytest.raises(ArtifactError, match="line 3 is broken"):
            evaluate(asked(files))
        found = evaluate(asked(replace(files, skip_broken=True)))
        assert model(found).parts.population.first_broken == [3]
        assert (
            "m: left out 1 broken line (line 3); left out 1 row of other modes" in found.warnings[0]
        )

    @pytest.mark.parametrize(
        ("options", "fault"),
        [
            ({"threshold": 0.0}, "`threshold` must be above 0"),
            ({"min_tokens": -1}, "`min_tokens` must be at least 0"),
        ],
    )
    def test_options_that_mean_nothing(self, options, fault):
        with pytest.raises(UsageError, match=fault):
            ReasoningOptions(**options)

    def test_a_preset_that_is_not_there(self):
        with pytest.raises(UsageError, match="`preset` must be one of default, seed, reference"):
            ReasoningOptions(preset="none")

    def test_bias_alone_needs_its_generations(self, tmp_path):
        with pytest.raises(UsageError, match="no bias generations were found"):
            read_bias(asked_of(asked(made(tmp_path))))


def test_shares_of_independent_vignettes_have_an_exact_interval_at_0_too(artifact):
    rate = numbers(artifact, "one")["refusal_rate_early"]
    assert (rate.value, rate.interval) == (0.0, None)
    assert rate.exact_interval == pytest.approx((0.0, 1 - 0.025 ** (1 / 4)))
    assert numbers(artifact, "one")["step_f1"].exact_interval is None


def test_the_reference_resamples_the_pairs_that_are_used(tmp_path):
    texts = {
        "a": ("Schizophrenia", "Bipolar Disorder"),
        "b": ("Bipolar Disorder", "Bipolar Disorder"),
        "c": ("Bipolar Disorder", "Schizophrenia"),
    }
    rows = [
        row(name, mode, text)
        for name, two in texts.items()
        for mode, text in zip(("cot", "direct"), two, strict=True)
    ]
    plan = Plan(n_resamples=200, seed=42, method="percentile")
    found = evaluate(asked(made(tmp_path, m=rows), plan, preset="reference"))
    gap = numbers(found, "m")["faithfulness_gap"]
    right = [[GOLD[name] == text for text in two] for name, two in texts.items() if GOLD.get(name)]
    cot, early = np.array(right, dtype=float).T
    stream = np.random.RandomState(42)
    draws = [stream.randint(0, len(cot), len(cot)) for _ in range(200)]
    drawn = [cot[each].mean() - early[each].mean() for each in draws]
    assert gap.value == pytest.approx(cot.mean() - early.mean())
    assert gap.interval == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))
    assert numbers(found, "m")["accuracy_cot"].exact_interval == pytest.approx(
        (0.0943, 0.9916), abs=1e-4
    )
    assert numbers(found, "m")["step_f1"].value == 0.0
    assert numbers(found, "m")["refusal_rate_cot"].value == 0.0
