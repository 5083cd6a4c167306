"""Many systems and many runs as a reader meets them, in a real browser."""

from __future__ import annotations

import msgspec
import pytest

from assay.report.index import index_page
from assay.report.page import page
from assay.stored import encode
from tests.report.boards import FAMILIES, many
from tests.report.browser.test_browser import OUTSIDE, taken
from tests.report.families import made

replace = msgspec.structs.replace
HEADS = ".board thead button"


@pytest.fixture(scope="module")
def board() -> bytes:
    return page([many("selective")])


def seats(found) -> list[str]:
    return found.page.locator("tr.seat .named b").all_inner_texts()


def test_another_reference_shows_its_own_differences(opened, board):
    found = opened(board)
    artifact = many("selective")
    select = found.page.locator(".league select")
    assert select.locator("option").count() == 5
    for number in (0, 3):
        select.select_option(index=number)
        one = artifact.board.references[number]
        told = {
            row.locator("b").first.inner_text(): row.locator(".against:visible").inner_text()
            for row in found.page.locator("tr.seat").all()
        }
        assert told[artifact.systems[one.system].name] == "reference"
        for each in one.others:
            assert (each.delta.word or "cannot tell") in told[artifact.systems[each.system].name]
    name, data = taken(found, found.page.locator(".tablebox .csv button"))
    assert name == "systems.csv"
    assert data.decode("utf-8-sig").count("reference") == 1
    assert found.faults == []


def test_rows_are_sorted_by_prepared_places_and_go_home_to_their_groups(opened, board):
    found = opened(board)
    before = seats(found)
    found.page.locator("th button", has_text="answers").click()
    artifact = many("selective")
    shares = {each.name: each.parts.population.cmax for each in artifact.systems}
    assert [shares[name] for name in seats(found)] == sorted(shares.values(), reverse=True)
    assert found.page.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    found.page.locator("th.main button").click()
    risks = found.page.locator("td.main .num").all_inner_texts()
    assert risks == sorted(risks, key=float), "by the number, which the rank need not follow"
    assert found.page.locator("th[aria-sort]").get_attribute("class") == "main"
    assert found.page.locator("tr.group:visible").count() == 0
    found.page.locator("th button", has_text="system").click()
    assert seats(found) == sorted(before)
    found.page.locator("th button", has_text="rank").press("Enter")
    assert seats(found) == before
    assert found.page.locator("tr.group:visible").count() == len(artifact.board.groups)


def test_three_systems_are_in_colour_whichever_are_chosen(opened, board):
    found = opened(board)
    boxes = found.page.locator("tr.seat input")
    chosen = lambda: [at for at in range(5) if boxes.nth(at).is_checked()]  # noqa: E731
    assert len(chosen()) == 3
    grey = next(at for at in range(5) if at not in chosen())
    boxes.nth(grey).focus()
    found.page.keyboard.press("Space")
    assert grey in chosen()
    assert len(chosen()) == 3, "the one that was chosen first makes room"
    legend = found.page.locator(".legend li:visible").all_inner_texts()
    assert sorted(legend) == sorted(seats(found)[at] for at in chosen())
    drawn = "svg.fig .sys:not(.others)"
    systems = found.page.locator(drawn).evaluate_all("all => all.map((each) => each.dataset.sys)")
    order = many("selective").board.order
    assert {int(each) for each in systems} == {order[at] for at in chosen()}
    name, data = taken(found, found.page.locator("figure.main [data-take=svg]"))
    assert name == "curves-of-the-chosen-three.svg"
    assert data.count(b"<circle") + data.count(b"<rect") >= 3
    for at in chosen():
        boxes.nth(at).uncheck()
    assert found.page.locator(drawn).count() == 0


def test_boards_are_whole_on_a_screen_and_on_a_phone_in_both_themes(opened, board):
    assert opened(board).violations() == []
    found = opened(page([many(family) for family in FAMILIES]))
    assert found.overflow() == 0
    assert found.page.evaluate(OUTSIDE) == []
    assert found.violations(".first") == []
    found.page.set_viewport_size({"width": 390, "height": 900})
    found.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert found.overflow() == 0
    assert found.page.evaluate(OUTSIDE) == []
    assert found.page.locator("figure.main svg.fig:visible").count() == len(FAMILIES)
    assert found.violations(".first", only=("color-contrast",)) == [], "the dark colours"
    assert found.faults == []
    found.page.emulate_media(media="print")
    shown = "input:visible, select:visible, button:visible"
    assert {*found.page.locator(shown).all_inner_texts()} <= {
        *found.page.locator(HEADS).all_inner_texts()
    }
    assert found.page.locator(".league .reference:visible").count() == len(FAMILIES)


def test_a_board_needs_no_script(opened, board):
    found = opened(board, script=False)
    assert found.page.locator("tr.seat").count() == 5
    assert found.page.locator(".against:visible").count() == 5
    for hidden in (".league select", ".league input"):
        assert found.page.locator(f"{hidden}:visible").count() == 0
    assert found.page.locator("svg.fig .sys.others").count() == 2


def test_twenty_systems_fit_on_a_page_that_is_ready_at_once(opened):
    data = page([many("selective", 20, 60)])
    assert len(data) < 3_000_000
    found = opened(data)
    assert found.page.locator("tr.seat").count() == 20
    assert found.page.locator(".against:visible").count() == 20


def test_hostile_names_of_many_systems_stay_texts(opened):
    found = opened(page([many("selective", 4, 60, hostile=True)]), width=390)
    for part in found.page.locator(".league button:visible, .league input:visible").all():
        part.click(force=True)
    found.page.locator(".league select").select_option(index=2)
    assert found.page.evaluate("window.pwned") is None
    assert found.overflow() == 0
    assert found.faults == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> bytes:
    """Index three runs of which two were compared as a pair, and a file that is torn."""
    place = tmp_path_factory.mktemp("runs")
    both = made("selective-comparison")
    for at, day in ((0, 1), (1, 2)):
        alone = replace(
            both, systems=[replace(both.systems[at], input=0)], pairs=[], inputs=[both.inputs[at]]
        )
        data = encode(replace(alone, created_at=f"2026-01-0{day}T00:00:00Z"))
        (place / f"run{day}.json").write_bytes(data)
    other = replace(alone.inputs[0], sha256="0" * 64)
    third = replace(alone, created_at="2026-01-03T00:00:00Z", inputs=[other])
    (place / "run3.json").write_bytes(encode(third))
    (place / "pair.json").write_bytes(encode(both))
    (place / "calibration.json").write_bytes(encode(made("calibration")))
    (place / "torn.json").write_bytes(encode(both)[:3_000])
    return index_page(place)


def test_two_chosen_runs_are_compared_as_far_as_the_folder_goes(opened, folder):
    found = opened(folder)
    boxes = {name: found.page.get_by_label(f"choose {name}, ") for name in ("run1", "run2", "run3")}
    tray = found.page.locator(".tray")
    boxes["run1"].check()
    boxes["run2"].check()
    told = tray.inner_text()
    word = made("selective-comparison").pairs[0].deltas["llm"]["risk"].word or "cannot tell"
    assert told.startswith("run1 \u2192 run2")
    assert word in told
    assert "paired over 39 participants" in told
    boxes["run3"].check()
    assert not boxes["run1"].is_checked(), "two are compared"
    told = tray.inner_text()
    assert "These two were not compared as a pair; their intervals decide nothing." in told
    command = tray.locator("code").inner_text()
    assert command.startswith("assay selective ")
    assert "--output" not in command
    found.page.get_by_label("choose calibration, p").check()
    assert "no command compares them" in tray.inner_text()
    assert found.faults == []


def test_the_index_is_filtered_and_its_number_chosen(opened, folder):
    found = opened(folder)
    rows = found.page.locator("tr.run:visible")
    assert rows.count() == 5
    found.page.get_by_label("family").select_option("calibration")
    assert rows.count() == 2
    assert found.page.locator(".found").inner_text() == "2 of 5 rows"
    found.page.get_by_label("family").select_option("")
    found.page.get_by_label("text").fill("run3")
    assert rows.count() == 1
    found.page.get_by_label("text").fill("")
    found.page.get_by_label("number").select_option("answers")
    assert found.page.locator("figure:visible h4").inner_text() == "answers over 3 runs"
    assert (
        found.page.locator("#unreadable code").inner_text() == made("selective-comparison").command
    )
    assert found.violations() == []
    found.page.set_viewport_size({"width": 390, "height": 900})
    found.page.emulate_media(color_scheme="dark")
    assert found.overflow() == 0
    assert found.violations(only=("color-contrast",)) == [], "the dark colours"
    assert [each for each in found.requests if not each.startswith(("file:", "data:"))] == []
