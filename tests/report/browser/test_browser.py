"""The page as a reader meets it, in a real browser."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from assay.report.figures import figures
from assay.report.page import page
from tests.report.families import (
    HOSTILE,
    KINDS,
    endless,
    made,
    shown,
    stills_drawn_once,
    whole_page,
)

SELECTIVE = "selective"
CONTRAST = """() => {
  const rgb = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = (c) => {
    const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = c.map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    for (let each = node; each; each = each.parentElement) {
      const c = rgb(getComputedStyle(each).backgroundColor);
      if (c.length === 3 || c[3] > 0) return c.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const low = [];
  const walk = document.createTreeWalker(document.querySelector("body"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || !node.checkVisibility()) continue;
    if (node.closest("svg, script")) continue;
    const [a, b] = [light(rgb(getComputedStyle(node).color).slice(0, 3)), light(behind(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(`${node.className || node.tagName}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(low)];
}"""
"""texts whose colour is too close to what is behind them"""
WITHIN = """() => [...document.querySelectorAll('.drawn')].every(
  (each) => each.querySelector('svg').getBoundingClientRect().right <= innerWidth + 1
)"""
FAINT = """(each) => [...each.querySelectorAll('.mark-line path')].filter(
  (line) => Number(line.getAttribute('opacity')) < 0.5
).length"""
CLAIMED = """() => {
  const rows = document.querySelectorAll('details.cases')[0].querySelectorAll('tbody tr');
  return [...rows].map((row) => Number(row.cells[7].textContent));
}"""


def assert_accessible(found) -> None:
    levels = found.page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4')].map((each) => Number(each.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    alternatives = found.page.evaluate(
        "[...document.querySelectorAll('img')].map((each) => each.alt)"
    )
    assert all(re.search(r"\d", each) for each in alternatives)
    nameless = found.page.evaluate(
        "[...document.querySelectorAll('button, select, input')]"
        ".filter((each) => !each.textContent.trim() && !each.labels?.length).length"
    )
    assert nameless == 0
    identities = found.page.evaluate(
        "[...document.querySelectorAll('[id]')].map((each) => each.id)"
    )
    assert len(identities) == len(set(identities))


def test_every_family_draws_every_figure_at_any_width_and_asks_for_nothing(opened):
    found = opened(whole_page())
    assert found.page.locator("section.artifact").count() == len(KINDS)
    assert found.page.locator("nav.contents a").count() == len(KINDS)
    found.page.locator("nav.contents a").last.click()
    assert_accessible(found)
    n_figures = sum(len(figures(made(kind))) for kind in KINDS)
    assert found.draw_all() == found.page.locator("[data-figure]").count() == n_figures
    assert found.overflow() == 0
    assert found.page.evaluate(CONTRAST) == []
    found.page.set_viewport_size({"width": 400, "height": 900})
    found.page.emulate_media(color_scheme="dark")
    found.draw_all(look="dark")
    assert found.overflow() == 0
    assert found.page.evaluate(WITHIN)
    assert found.page.evaluate(CONTRAST) == []
    assert found.faults == []
    elsewhere = [each for each in found.requests if not each.startswith(("file:", "data:"))]
    assert elsewhere == []


def test_the_pointer_brings_up_threshold_coverage_risk_and_n(used):
    figure = used.draw("[data-figure*='risk-coverage']")
    tip = used.page.locator("#tip:not([hidden])")
    for _ in range(20):
        # A figure that is drawn above this one moves it from under the pointer.
        box = figure.locator("svg").bounding_box()
        used.page.mouse.move(box["x"] + box["width"] * 0.45, box["y"] + box["height"] * 0.5)
        used.page.wait_for_timeout(100)
        if tip.count():
            break
    told = used.page.inner_text("#tip")
    for word in ("threshold", "coverage", "risk", "n accepted"):
        assert word in told
    assert "undefined" not in told
    used.page.mouse.move(2, 2)
    used.page.wait_for_selector("#tip", state="hidden")


def test_arrow_keys_walk_through_the_points(used):
    figure = used.draw("[data-figure*='risk-coverage']")
    figure.focus()
    told = []
    for _ in range(3):
        used.page.keyboard.press("ArrowRight")
        told.append(used.page.inner_text("#tip"))
    assert len(set(told)) == 3
    assert all("threshold" in each and "undefined" not in each for each in told)
    used.page.keyboard.press("Escape")
    assert used.page.locator("#tip").is_hidden()


def test_the_legend_can_be_toggled_with_the_keyboard(used):
    used.draw("[data-figure*='by-confidence']")
    part = used.page.locator(
        "figure", has=used.page.locator("[data-figure*='by-confidence']")
    ).first
    before = part.evaluate(FAINT)
    button = part.locator(".toggles button", has_text="token_msp")
    button.focus()
    used.page.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "true"
    assert part.evaluate(FAINT) > before
    part.locator(".toggles button", has_text="all").click()
    assert part.evaluate(FAINT) == before


def test_the_slider_reads_off_the_operating_points_of_the_artifact(used):
    curve = made(SELECTIVE).systems[0].variants["verbalized"].parts.curve
    used.page.select_option(".operating select", index=0)
    slider = used.page.locator(".operating input[type=range]")
    slider.scroll_into_view_if_needed()
    read = lambda name: used.page.inner_text(f".operating [data-field={name}]")  # noqa: E731
    slider.focus()
    used.page.keyboard.press("Home")
    assert float(used.page.inner_text(".operating .threshold")) == pytest.approx(curve.threshold[0])
    assert read("accepted") == f"{curve.n_accepted[0]:.0f}"
    used.page.keyboard.press("End")
    assert read("handed") == f"{curve.n_handed_over[-1]:.0f}"
    assert read("coverage").startswith(f"{100 * curve.coverage[-1]:.1f}% [")
    assert read("risk").startswith(f"{curve.selective_risk[-1]:.3f} [")
    assert read("command").endswith(f"--threshold {curve.threshold[-1]!r}")
    used.page.keyboard.press("ArrowLeft")
    assert read("handed") == f"{curve.n_handed_over[-2]:.0f}"
    used.page.select_option(".operating select", index=1)
    assert used.page.locator(".operating .drawn svg").count() == 1
    assert used.faults == []


def test_a_click_into_the_small_curve_moves_the_slider(used):
    used.page.locator(".operating").scroll_into_view_if_needed()
    picture = used.page.locator(".operating .drawn svg")
    picture.wait_for()
    used.page.focus(".operating input[type=range]")
    used.page.keyboard.press("End")
    before = used.page.inner_text(".operating .threshold")
    box = picture.bounding_box()
    picture.click(position={"x": 0.2 * box["width"], "y": 0.5 * box["height"]})
    assert used.page.inner_text(".operating .threshold") != before


def test_cases_are_closed_then_searched_and_sorted(opened):
    found = opened(shown("verdicts"))
    part = found.page.locator("details.cases").first
    assert part.get_attribute("open") is None
    part.locator("summary").click()
    part.locator("th button", has_text="claimed").click()
    upwards = found.page.evaluate(CLAIMED)
    assert upwards == sorted(upwards)
    part.locator("th button", has_text="claimed").click()
    assert found.page.evaluate(CLAIMED) == sorted(upwards, reverse=True)
    assert part.locator("th", has_text="claimed").get_attribute("aria-sort") == "descending"
    name = made("verdicts").systems[0].parts.cases[3].case
    part.locator("input[type=search]").fill(name.upper())
    shown_rows = part.locator("tbody tr:visible")
    assert 1 <= shown_rows.count() < len(upwards)
    assert f"{shown_rows.count()} of {len(upwards)} rows" in part.inner_text()


def test_the_theme_button_redraws_the_figures(opened):
    found = opened(shown(SELECTIVE))
    before = found.draw("[data-figure]").get_attribute("data-look")
    found.page.evaluate("scrollTo(0, 0)")
    found.page.click("#theme")
    found.page.locator("[data-figure]").first.scroll_into_view_if_needed()
    found.page.wait_for_selector("[data-figure][data-look='dark']")
    assert before == "light"
    assert found.page.inner_text("#theme") == "Light"
    assert found.faults == []


def test_a_command_is_copied(used):
    used.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = used.page.locator(".operating .copy")
    button.click()
    used.page.wait_for_function(
        "() => document.querySelector('.operating .copy').textContent.match(/Copied|Selected/)"
    )
    copied = used.page.evaluate(
        "navigator.clipboard.readText().catch(() => getSelection().toString())"
    )
    assert copied == used.page.inner_text(".operating [data-field=command]")


@pytest.mark.parametrize("kind", ["selective", "verdicts"])
def test_a_print_has_readable_pages_with_stills_and_no_controls(opened, tmp_path, kind):
    found = opened(shown(kind))
    found.draw_all()
    found.page.emulate_media(media="print")
    assert (
        found.page.locator("figure .still:visible").count() == found.page.locator("figure").count()
    )
    for gone in (".live", ".toggles", ".copy", "#theme", "input[type=range]", ".search"):
        assert found.page.locator(f"{gone}:visible").count() == 0
    printed = found.page.pdf(format="A4")
    n_pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert 2 <= n_pages <= 40
    assert b"/Font" in printed


def test_without_scripts_pictures_and_words_are_there(opened):
    found = opened(shown(SELECTIVE), script=False)
    assert found.page.locator("figure .still:visible").count() >= 3
    assert found.page.locator(".headline li").count() >= 3
    assert found.page.locator(".copy:visible").count() == 0
    loaded = "each => each.decode().then(() => each.naturalWidth)"
    assert found.page.locator("figure .still").first.evaluate(loaded) > 300


def test_hostile_texts_stay_texts(opened):
    found = opened(whole_page(of_hostile=True), width=400)
    assert found.draw_all() == found.page.locator("[data-figure]").count()
    for part in found.page.locator("section.artifact").all():
        for each in part.locator("[data-figure]").all()[:4]:
            each.hover(force=True)
    assert found.page.evaluate("window.pwned") is None
    assert found.faults == []
    assert found.overflow() == 0
    assert [each for each in found.requests if not each.startswith(("file:", "data:"))] == []
    assert found.page.locator("script").count() == 3


@pytest.mark.parametrize("kind", ["selective", "verdicts"])
def test_a_megabyte_of_text_neither_slows_nor_widens_the_page(opened, kind):
    with stills_drawn_once():
        data = page([endless(kind)])
    assert len(data) < 3_000_000
    found = opened(data, width=400)
    assert found.overflow() == 0
    assert found.faults == []


def test_the_policy_stops_a_script_that_got_in(opened):
    data = shown("sets").replace(b"</main>", b"<script>window.pwned = 1</script></main>")
    data = data.replace(b"</footer>", b'</footer><img src=x onerror="window.pwned = 2">')
    found = opened(data)
    assert found.page.evaluate("window.pwned") is None
    assert any("Content Security Policy" in each for each in found.faults)


def test_the_corpus_has_what_is_known_to_hurt():
    every = "".join(HOSTILE)
    for each in ("</script>", "onerror", "javascript:", "\x00", "\u202e", "{{", "\u2028"):
        assert each in every
