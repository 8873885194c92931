"""The pages of the statistics in a browser: charts, and tables beside them."""

import pytest
from home import Home
from many_games import fill
from people import join
from playwright.sync_api import Page, expect

GAMES = 24


@pytest.fixture
def place(home: Home) -> Home:
    """A table that keeps many games."""
    home.start("none")
    home.seated()
    fill(home.data, GAMES)
    home.running.statistics.bring_up_to_date()
    return home


def drawn(page: Page, charts: int) -> None:
    """Wait until this many charts are drawn."""
    expect(page.locator("figure .drawn svg")).to_have_count(charts)


def test_charts_are_drawn_from_the_tables_beside_them_on_the_smallest_phone_too(place):
    television = place.screens.television(f"{place.url}statistics")
    drawn(television, 4)
    cards = television.locator(".card").evaluate_all("all => all.map(card => card.offsetLeft)")
    assert len(set(cards)) == 3, "side by side"
    page = place.screens.phone(f"{place.url}statistics", viewport={"width": 320, "height": 568})
    drawn(page, 4)
    players = page.get_by_role("region", name="Players", exact=True)
    assert players.evaluate("wide => wide.scrollWidth - wide.clientWidth") == 0
    looks = page.locator(".legend .swatch").evaluate_all(
        "all => all.map(one => getComputedStyle(one).background)"
    )
    bars = page.locator("figure .stacked .series").evaluate_all(
        "all => all.map(one => getComputedStyle(one.querySelector('.bar')))"
        ".map(({ stroke, strokeDasharray }) => stroke + strokeDasharray)"
    )
    assert len(looks) == len(set(looks)) == len(set(bars)) == 4, "sides look different"
    for figure in page.locator("figure").all():
        expect(figure.locator(".drawn")).to_have_attribute("aria-hidden", "true")
        figure.locator("summary").click()
        rows = figure.locator("tbody tr")
        expect(rows.first).to_be_visible()
        series = figure.locator("th[data-series]").count()
        if figure.get_attribute("data-chart") != "stacked":
            assert figure.locator(".drawn .bar").count() == rows.count() * series
            told = figure.locator(".drawn text.figure").all_text_contents()
            cells = figure.locator("td[data-value]").all_text_contents()
            assert sorted(told) == sorted(cell.split()[0] for cell in cells)


def test_charts_stay_while_the_table_goes_on_and_follow_a_new_game(place):
    page = place.seated("statistics")
    drawn(page, 4)
    page.evaluate("document.querySelector('.drawn svg').dataset.old = 'yes'")
    join(place.table, "Bob", place.table.scene.code)
    expect(page.locator(f"[data-version='{place.table.view().version}']")).to_be_attached()
    assert page.locator(".drawn svg[data-old]").count() == 1
    expect(page.locator("header p")).to_contain_text(f"{GAMES} games")
    fill(place.data, GAMES + 1)
    place.running.statistics.wake()
    expect(page.locator("header p")).to_contain_text(f"{GAMES + 1} games")
    drawn(page, 4)
    page.get_by_role("region", name="Players").get_by_role("link", name="Cleo").click()
    expect(page.locator("h1")).to_have_text("Cleo")
    drawn(page, 5)
