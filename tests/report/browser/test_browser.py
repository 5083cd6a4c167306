"""The page as a reader meets it, in a real browser."""

from __future__ import annotations

import re

import pytest

from assay.report.figures import figures
from assay.report.page import page
from assay.stored import encode
from tests.report.families import HOSTILE, KINDS, endless, made, shown, whole_page

SELECTIVE, COMPARED = "selective", "selective-comparison"
OUTSIDE = """() => [...document.querySelectorAll('svg.fig')]
  .filter((each) => each.checkVisibility())
  .flatMap((each) => [...each.querySelectorAll('text')].filter((text) => {
    const [own, all] = [text.getBoundingClientRect(), each.getBoundingClientRect()];
    return own.left < all.left - 4 || own.right > all.right + 4;
  }).map((text) => text.textContent))"""
"""words of figures that do not lie inside their figures"""
OPEN = "document.querySelectorAll('details:not(.case)').forEach((each) => (each.open = true))"
"""cases are opened one by one"""
CLAIMED = """() => {
  const rows = document.querySelectorAll('details.cases')[0].querySelectorAll('tbody tr');
  return [...rows].map((row) => Number(row.cells[7].textContent));
}"""


def test_every_family_shows_every_figure_at_any_width_and_asks_for_nothing(opened):
    found = opened(whole_page())
    assert found.page.locator("article.artifact").count() == len(KINDS)
    assert found.page.locator("nav.contents a").count() == len(KINDS)
    found.page.locator("nav.contents a").last.click()
    found.page.evaluate(OPEN)
    n_figures = sum(len(figures(made(kind))) for kind in KINDS)
    first = found.page.locator("figure.main").count()
    assert first == len(KINDS) - 1, "a calibrator has no first figure"
    assert found.figures() == n_figures + first
    assert found.overflow() == 0
    assert found.page.evaluate(OUTSIDE) == []
    assert found.violations() == []
    found.page.set_viewport_size({"width": 390, "height": 900})
    found.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert found.figures() == n_figures + first
    assert found.overflow() == 0
    assert found.page.evaluate(OUTSIDE) == []
    assert found.violations(only=("color-contrast",)) == [], "the dark colours"
    assert found.faults == []
    assert [each for each in found.requests if not each.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "calibrator"])
def test_the_first_screen_has_answer_figure_and_table_without_scripts(opened, kind):
    found = opened(shown(kind), script=False)
    found.page.set_viewport_size({"width": 1280, "height": 800})
    bottoms = {}
    for part in (".answer", ".seen", ".on", "figure.main svg.fig.wide", ".systems"):
        box = found.page.locator(f".first {part}").first.bounding_box()
        bottoms[part] = box["y"] + box["height"]
        assert box["y"] < 800
    assert bottoms[".answer"] < 220, "the answer takes three lines at most"
    assert bottoms["figure.main svg.fig.wide"] < 860
    assert found.page.locator(".first .remarks li").count() <= 5
    for hidden in ("#theme", ".copy", "[data-take]", ".toggles"):
        assert found.page.locator(f"{hidden}:visible").count() == 0


def test_points_tell_their_numbers_to_pointer_and_keyboard(used):
    figure = used.page.locator("[id*='risk-coverage'] .drawing").first
    figure.scroll_into_view_if_needed()
    figure.locator("svg.fig.wide .pt").last.hover()
    told = used.page.inner_text("#tip")
    for word in ("threshold", "coverage", "risk", "n accepted"):
        assert word in told
    used.page.mouse.move(2, 2)
    figure.focus()
    seen = []
    for _ in range(3):
        used.page.keyboard.press("ArrowRight")
        seen.append(used.page.inner_text("#tip"))
    assert len(set(seen)) > 1
    used.page.keyboard.press("Escape")
    assert used.page.locator("#tip").is_hidden()


def test_what_a_figure_tells_apart_can_be_faded_with_the_keyboard(used):
    part = used.page.locator("figure[id*='by-confidence']").first
    part.scroll_into_view_if_needed()
    button = part.locator(".toggles button", has_text="token_msp")
    button.focus()
    used.page.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "true"
    assert part.locator(".faded").count() > 0
    part.locator(".toggles button", has_text="all").click()
    assert part.locator(".faded").count() == 0


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
    picture = used.page.locator(".operating svg")
    before = used.page.inner_text(".operating .threshold")
    box = picture.bounding_box()
    picture.click(position={"x": 0.2 * box["width"], "y": 0.5 * box["height"]})
    assert used.page.inner_text(".operating .threshold") != before
    assert used.faults == []


def test_tables_are_searched_and_sorted(opened):
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


def taken(found, button) -> tuple[str, bytes]:
    """Click what saves a file, and return its name and content."""
    with found.page.expect_download() as download:
        button.click()
    return download.value.suggested_filename, download.value.path().read_bytes()


def test_everything_can_be_taken_away_without_a_request(opened):
    found = opened(shown(COMPARED))
    name, data = taken(found, found.page.locator("[data-artifact]"))
    assert (name, data) == ("selective.json", encode(made(COMPARED)))
    figure = found.page.locator("figure.main")
    name, data = taken(found, figure.locator("[data-take=svg]"))
    assert name == "mean-loss-of-what-is-accepted.svg"
    assert b"var(" not in data
    assert b'fill="rgb(' in data
    name, data = taken(found, figure.locator("[data-take=png]"))
    assert name.endswith(".png")
    assert data.startswith(b"\x89PNG")
    name, data = taken(found, found.page.locator(".tablebox .csv button"))
    lines = data.decode("utf-8-sig").splitlines()
    assert name == "systems.csv"
    assert [line.split(",")[0].strip('"').split()[0] for line in lines[1:]] == [
        *("zero_shot", "few_shot", "difference"),
    ]
    assert found.faults == []
    assert [
        each for each in found.requests if not each.startswith(("file:", "data:", "blob:"))
    ] == []


def test_a_command_is_copied_and_the_theme_changes(used):
    used.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    used.page.locator(".operating .copy").click()
    used.page.wait_for_function(
        "() => document.querySelector('.operating .copy').textContent.match(/Copied|Selected/)"
    )
    copied = used.page.evaluate(
        "navigator.clipboard.readText().catch(() => getSelection().toString())"
    )
    assert copied == used.page.inner_text(".operating [data-field=command]")
    ground = "getComputedStyle(document.body).backgroundColor"
    before = used.page.evaluate(ground)
    used.page.click("#theme")
    assert used.page.inner_text("#theme") == "Light"
    assert used.page.evaluate(ground) != before
    used.page.click("#theme")


@pytest.mark.parametrize("kind", [COMPARED, "verdicts"])
def test_a_print_has_figures_and_no_controls(opened, kind):
    found = opened(shown(kind))
    found.page.emulate_media(media="print")
    assert found.page.locator("figure.main svg.fig:visible").count() == 1
    for gone in ("button", "select", "input", ".tabs", ".toggles"):
        assert found.page.locator(f"{gone}:visible").count() == 0
    printed = found.page.pdf(format="A4")
    n_pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert 2 <= n_pages <= 30
    assert b"/Font" in printed


def test_hostile_texts_stay_texts(opened):
    found = opened(whole_page(of_hostile=True), width=390)
    found.page.evaluate(OPEN)
    for part in found.page.locator(".pt:visible").all()[:8]:
        part.hover(force=True)
    for part in found.page.locator("button:visible").all()[:12]:
        part.click(force=True)
    assert found.page.evaluate("window.pwned") is None
    assert found.faults == []
    assert found.overflow() == 0
    elsewhere = ("file:", "data:", "blob:")
    assert [each for each in found.requests if not each.startswith(elsewhere)] == []


@pytest.mark.parametrize("kind", ["selective", "verdicts"])
def test_a_megabyte_of_text_neither_slows_nor_widens_the_page(opened, kind):
    data = page([endless(kind)])
    assert len(data) < 3_000_000
    found = opened(data, width=390)
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
