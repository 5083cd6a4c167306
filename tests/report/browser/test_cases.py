"""Cases as a reader meets them: tiles, filters, the address, keys, and figures that lead there."""

from __future__ import annotations

import pytest

from assay.display.changes import query as query_of
from assay.report.page import page
from tests.report.boards import many
from tests.report.families import HOSTILE, hostile, made, shown

VERDICTS, COMPARED = "verdicts", "selective-comparison"
ROWS = ".case:visible > summary"


def count(found) -> str:
    return found.page.inner_text(".casebar .found")


def ids(found) -> list[str]:
    return found.page.locator(".case:visible .caseid").all_inner_texts()


def query(found) -> str:
    return found.page.evaluate("decodeURIComponent(location.hash)")


def changed(kind: str, left: str, right: str) -> list[str]:
    """Return the cases of the artifact that went from one state to another, in its order."""
    return [
        each.id
        for each in made(kind).cases.kept
        if (each.answers[0].state, each.answers[1].state) == (left, right)
    ]


def extents(places) -> list[list[float]]:
    """Return tops and bottoms, all at one moment: the page may still be scrolling to a case."""
    return places.evaluate_all(
        "(all) => all.map((each) => each.getBoundingClientRect()).map((at) => [at.top, at.bottom])"
    )


def test_tiles_filters_and_back(opened):
    found = opened(shown(VERDICTS))
    told = made(VERDICTS).pairs[0].transitions
    assert count(found) == "40 of 40 cases"
    found.page.click(".tile[data-kind=right-wrong]")
    assert count(found) == f"{told.right_to_wrong} of 40 cases"
    assert ids(found) == changed(VERDICTS, "right", "wrong")
    assert query(found) == "#cases?pair=direct~checked&change=right-wrong"
    assert found.page.locator(".tile[aria-current]").count() == 1
    assert found.page.locator(".matrix a[aria-current]").inner_text() == str(told.right_to_wrong)
    found.page.select_option("select[name=truth]", "Low Risk")
    assert "truth=Low Risk" in query(found)
    low = ids(found)
    assert 0 < len(low) < told.right_to_wrong
    found.page.go_back()
    assert ids(found) == changed(VERDICTS, "right", "wrong")
    found.page.go_back()
    assert count(found) == "40 of 40 cases"
    found.page.go_forward()
    found.page.click(".casecount .clear")
    assert count(found) == "40 of 40 cases"
    assert found.faults == []


def test_a_case_shows_both_answers_side_by_side(opened):
    found = opened(shown(VERDICTS), at="#cases?change=right-wrong&case=kitchen-21")
    pane = found.page.locator(".casepane")
    left, right = pane.locator(".side:visible").all()
    (top, _), (other, _) = extents(pane.locator(".side:visible"))
    assert top == other
    assert "Critical Risk" in left.inner_text()
    assert "right" in left.inner_text()
    assert "Low Risk" in right.inner_text()
    assert "Critical Risk, not its answer" in right.locator("mark").first.inner_text()
    assert "is not cited" in pane.inner_text()
    found.page.set_viewport_size({"width": 390, "height": 900})
    (_, bottom), (top, _) = extents(found.page.locator(".case[open] .side:visible"))
    assert top > bottom - 1
    assert found.overflow() == 0


def test_keys_work_at_once_where_an_address_leads_to_cases(opened):
    found = opened(shown(VERDICTS), at="#cases?change=right-wrong", still=False)
    found.page.keyboard.press("j")
    assert query(found).endswith(f"&case={ids(found)[1]}")


def test_keys_go_through_the_cases(opened):
    found = opened(shown(VERDICTS), at="#cases?change=right-wrong")
    every = ids(found)
    current = lambda: found.page.inner_text(".case > summary[aria-current] .caseid")  # noqa: E731
    assert current() == every[0]
    found.page.keyboard.press("j")
    found.page.keyboard.press("j")
    assert current() == every[2]
    assert query(found).endswith(f"&case={every[2]}")
    found.page.keyboard.press("k")
    assert current() == every[1]
    found.page.keyboard.press("/")
    assert found.page.evaluate("document.activeElement.name") == "q"
    found.page.keyboard.type(every[3])
    assert ids(found) == [every[3]]
    assert "1 of 40 cases" in count(found)
    found.page.keyboard.press("Escape")
    assert ids(found) == every
    found.page.locator(ROWS).first.focus()
    found.page.keyboard.press("ArrowDown")
    found.page.keyboard.press("Enter")
    assert current() == every[1]
    found.page.keyboard.press("Escape")
    assert "case=" not in query(found)
    assert found.page.get_attribute(".casebar .found", "aria-live") == "polite"


@pytest.mark.parametrize("hostile", ["<img src=x onerror=alert(1)>", "javascript:alert(1)"])
def test_an_address_selects_known_values_and_never_becomes_markup(opened, hostile):
    odd = "&".join(f"{key}={hostile}" for key in ("change", "pair", "case", "zzz"))
    at = f"#cases?{odd}&answer=wrong&q=kitchen"
    found = opened(shown(VERDICTS), at=at)
    assert found.page.input_value("select[name=answer]") == "wrong"
    assert found.page.input_value("select[name=change]") == ""
    told = found.page.inner_text(".unknown")
    assert told.count(hostile) == 4
    assert "zzz" in told
    assert count(found) == "21 of 40 cases"
    assert found.page.locator(".explorer img").count() == 0
    assert found.faults == []


def test_any_two_of_many_systems_are_compared_and_taken_away(opened):
    artifact = many("verdicts")
    told = next(each for each in artifact.cases.between if (each.left, each.right) == (3, 4))
    found = opened(page([artifact]), at="#cases?pair=system%203~system%204&change=right-wrong")
    shown_now = found.page.locator(".change:visible")
    assert shown_now.count() == 1
    assert count(found) == f"{told.right_to_wrong} of 60 cases"
    tiles = shown_now.locator(".tile b").all_inner_texts()
    four = told.right_to_wrong, told.wrong_to_right, told.newly_abstained, told.newly_failed
    assert tiles == [str(each) for each in four]
    assert "corrected for 10 pairs" in shown_now.locator(".mcnemar").inner_text()
    assert found.page.locator(".casepane .who:visible").all_inner_texts() == [
        "system 3",
        "system 4",
    ]
    with found.page.expect_download() as taken:
        shown_now.locator(".csv button").click()
    rows = taken.value.path().read_text("utf-8-sig").splitlines()
    assert rows[0] == '"system 3 to system 4","right","wrong","all"'
    assert rows[1].split(",")[1:3] == [f'"{each}"' for each in told.matrix[0][:2]]
    shown_now.locator(".matrix a.same").first.click()
    assert count(found).startswith(str(told.matrix[0][0]))
    found.page.select_option("select[name=pair]", "system 0~system 1")
    assert "system 0 → system 1" in found.page.locator(".change:visible").inner_text()
    found.page.locator(".explorer .astable summary").click()
    assert found.page.locator(".pairs tbody tr").count() == 10
    assert found.violations("#cases") == []
    assert found.faults == []


def test_texts_are_searched_and_nothing_found_says_so(opened):
    found = opened(shown(VERDICTS), at="#cases?q=called%20for%20help")
    assert 0 < len(ids(found)) < 40
    found.page.fill("input[name=q]", "no such words anywhere")
    assert found.page.inner_text(".nomatch b") == "0 of 40 cases match"
    found.page.locator(".nomatch .clear").click()
    assert count(found) == "40 of 40 cases"


def test_cells_points_and_bins_lead_to_their_cases(opened):
    found = opened(shown(VERDICTS))
    artifact = made(VERDICTS)
    table = artifact.systems[1].parts.confusion
    names = artifact.parts.policy.verdicts
    true, given = next((a, b) for a in range(3) for b in range(3) if a != b and table[a][b])
    found.page.locator("details.more-figures").evaluate("each => (each.open = true)")
    wanted = query_of(system="checked", truth=names[true], given=names[given])
    found.page.locator(f'svg.fig.wide [data-go="{wanted}"]').dispatch_event("click")
    assert count(found) == f"{table[true][given]} of 40 cases"
    assert "answer" in found.page.inner_text(".chips")
    found.page.locator(".chips button").click()
    assert int(count(found).split()[0]) >= table[true][given]


def test_a_bin_leads_to_what_was_stated_there_by_pointer_and_keyboard(opened):
    found = opened(shown("calibration"))
    point = found.page.locator("figure.main svg.fig.wide .pt").first
    asked = point.get_attribute("data-go")
    point.dispatch_event("click")
    assert asked in found.page.evaluate("location.hash")
    low, high = (float(part.split("=")[1]) for part in asked.split("&")[1:])
    kept = made("calibration").cases.kept
    inside = [each for each in kept if low <= each.answers[0].confidence <= high]
    assert len(inside) > 0
    assert count(found).startswith(f"{len(inside)} of ")
    found.page.evaluate("location.hash = ''")
    found.page.locator("figure.main .drawing").focus()
    found.page.keyboard.press("ArrowRight")
    found.page.keyboard.press("Enter")
    assert "from=" in query(found)


def test_parts_by_size_lead_to_the_rows_that_were_missed_there(opened):
    found = opened(shown("intervals"))
    part = next(
        each
        for each in made("intervals").systems[1].variants["0.90"].parts.sizes
        if each.n > each.n_covered
    )
    asked = {"from": part.size_low, "to": part.size_high}
    wanted = query_of(system="low2:up2", answer="wrong", **asked)
    found.page.locator(f'svg.fig [data-go="{wanted}"]').first.dispatch_event("click")
    assert count(found) == f"{part.n - part.n_covered} of 90 rows"
    assert found.page.inner_text(".chips").startswith("width from ")


def test_a_budget_says_how_many_of_how_many(opened):
    found = opened(shown(COMPARED))
    kept, n = len(made(COMPARED).cases.kept), made(COMPARED).cases.n
    assert count(found) == f"{kept} of {n} items are in this file"
    told = made(COMPARED).pairs[0].transitions
    held = len(changed(COMPARED, "abstained", "abstained"))
    assert held < told.matrix[2][2]
    found.page.select_option("select[name=change]", "abstained-abstained")
    assert f"; {held} of {told.matrix[2][2]} are in this file" in count(found)
    assert found.page.locator(ROWS).count() <= 40
    found.page.click(".tile[data-kind=wrong-right]")
    assert count(found) == f"{told.wrong_to_right} of {n} items"
    line = found.page.locator(".casepane .numline")
    assert line.locator("text").all_text_contents() == ["truth"]
    assert line.locator("[data-side]").count() == 2
    cluster = found.page.locator(".casepane .casetitle a")
    who = cluster.inner_text().removeprefix("participant ")
    cluster.click()
    assert all(each.startswith(f"{who} ") for each in ids(found))
    found.page.locator(".chips button").click()
    found.page.select_option("select[name=item]", "Tired")
    kept_items = [each for each in made(COMPARED).cases.kept if each.item == "Tired"]
    assert count(found).startswith(f"{len(kept_items)} of ")


def test_without_scripts_all_cases_are_listed_by_change(opened):
    found = opened(shown(VERDICTS), script=False)
    assert found.page.locator(".case").count() == 40
    assert found.page.locator(".casebar:visible").count() == 0
    heads = found.page.locator(".grouphead:visible").all_inner_texts()
    assert heads[:2] == ["right → wrong 14", "wrong → right 6"]
    found.page.locator("a", has_text="side by side").click()
    assert query(found) == "#cases-list"
    assert 0 <= extents(found.page.locator("#cases-list"))[0][0] < 200
    first = found.page.locator(".case").first
    first.locator("summary").click()
    assert first.locator(".side:visible").count() == 2
    assert first.locator(".sources p:visible").count() == 1 + 6, "its sources stand below"
    assert found.overflow() == 0


@pytest.mark.parametrize("dark", [False, True])
def test_the_section_has_no_fault_of_access(opened, dark):
    found = opened(shown("reasoning"), dark=dark, at="#cases?", width=1200 - 810 * dark)
    found.page.locator(ROWS).first.click()
    assert found.violations("#cases") == []
    assert found.overflow() == 0
    assert found.faults == []


def test_hostile_cases_stay_texts(opened):
    found = opened(page([hostile(VERDICTS, 3)]), width=1200)
    for _ in range(3):
        found.page.keyboard.press("j")
    for choice in found.page.locator(".casebar select:visible").all():
        values = choice.locator("option").evaluate_all("every => every.map((each) => each.value)")
        choice.select_option(values[-1])
    found.page.fill("input[name=q]", HOSTILE[0])
    assert found.page.evaluate("window.pwned") is None
    assert found.faults == []
    assert found.overflow() == 0


def test_keys_work_after_a_point_of_the_figure_led_to_the_cases(opened):
    found = opened(shown("selective-comparison"), width=1200)
    found.page.locator(".fig.wide [data-go]").first.dispatch_event("click")
    assert query(found).startswith("#cases?")
    found.page.locator("figure.main .drawing").evaluate("e => e.focus({ preventScroll: true })")
    found.page.keyboard.press("j")
    assert "case=" in query(found)
    found.page.keyboard.press("/")
    assert found.page.evaluate("document.activeElement.name") == "q"
