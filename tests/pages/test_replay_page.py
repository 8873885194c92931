"""A finished game is watched again in a browser: by keyboard, by finger, and from a link."""

import re

from browser import choose_file
from places import RECORDED
from playwright.sync_api import Page, expect
from served import Served

from companion.table import rounds

RECORD = RECORDED / "five-players-law.jsonl"


def play_to_the_end(served: Served, roles: str = "dor") -> None:
    """Players shoot each other until the game is over."""
    served.deal(roles)
    while served.view.phase == "playing":
        if served.view.rolling:
            served.throw_and_stop("GGGDA")


def opened(served: Served, address: str = "watch/1", **options: str) -> Page:
    page = served.screens.phone(f"{served.url}{address}", **options)
    expect(page.locator("#step [data-step]")).to_be_visible()
    return page


def at(page: Page, step: int) -> None:
    """Wait until a step is shown, everywhere on the page."""
    expect(page.locator(f"#step [data-step='{step}']")).to_be_visible()
    expect(page.locator("#at")).to_have_value(str(step))
    expect(page.locator("#here")).to_have_attribute("href", re.compile(rf"step={step}\b"))
    expect(page).to_have_url(re.compile(rf"step={step}\b"))
    expect(page.locator("#at")).to_have_attribute("aria-valuetext", re.compile(rf"move {step} of"))


def test_keys_buttons_and_fingers_lead_through_a_game_without_reloading(served):
    play_to_the_end(served)
    page = opened(served)
    page.evaluate("window.loadedOnce = true")
    last = int(page.locator("#at").get_attribute("max") or 0)
    assert last > 5
    page.locator("#at").focus()
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.keyboard.press("End")
    at(page, last)
    expect(page.locator("#step .winner").first).to_be_visible()
    page.keyboard.press("Home")
    at(page, 0)
    page.locator("[data-go=after]").tap()
    page.locator("[data-go=after]").tap()
    at(page, 2)
    page.locator("[data-go=before]").tap()
    at(page, 1)
    first, second = served.table.past.replay(1, served.table.scene).turns[:2]
    assert first == 1
    page.locator("[data-go=turn-after]").tap()
    at(page, second)
    page.locator("[data-go=turn-before]").tap()
    at(page, 1)
    box = page.locator("#at").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    at(page, last)
    assert page.evaluate("window.loadedOnce")


def test_a_link_opens_a_moment_and_a_button_shows_all_roles(served):
    play_to_the_end(served, "soro")
    page = opened(served)
    page.locator("[data-go=after]").click()
    at(page, 1)
    expect(page.locator("#step .place .role")).to_have_count(1)
    page.locator("[data-roles]").click()
    expect(page.locator("#step .place .role")).to_have_count(4)
    expect(page.locator("#here")).to_have_attribute("href", re.compile("roles=1"))
    link = page.locator("#here").get_attribute("href") or ""
    other = opened(served, link.lstrip("/"), locale="fr-FR")
    expect(other.locator("#step [data-step='1']")).to_be_visible()
    expect(other.locator("#step .place .role")).to_have_count(4)
    expect(other.locator("#at")).to_have_value("1")


def test_the_game_plays_by_itself_until_its_end(served):
    play_to_the_end(served)
    page = opened(served)
    last = int(page.locator("#at").get_attribute("max") or 0)
    page.goto(f"{served.url}watch/1?step={last - 1}")
    page.locator("[data-play]").click()
    at(page, last)
    expect(page.locator("[data-play]")).to_have_attribute("aria-pressed", "false")


def test_a_viewer_whose_turn_comes_is_called_and_stays_at_their_step(served):
    play_to_the_end(served)
    page = served.phone(0)
    page.goto(f"{served.url}watch/1?step=3")
    expect(page.locator("#step [data-step='3']")).to_be_visible()
    served.do(rounds.play_again)
    expect(page.locator("a.main[href='/seat']")).to_be_visible()
    expect(page.locator("#step [data-step='3']")).to_be_visible()
    page.locator("[data-go=after]").tap()
    at(page, 4)


def test_a_record_from_another_table_is_opened_and_a_wrong_one_explained(served, tmp_path):
    served.seat(2)
    host = served.phone(0)
    host.goto(f"{served.url}story")
    host.locator("#open summary").click()
    field = host.locator("#record-file")
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_bytes(RECORD.read_bytes().replace(b'"seat": 1', b'"seat": 7', 1))
    served.screens.expect("422")
    choose_file(field, wrong)
    expect(host.locator("#said")).to_contain_text(re.compile(r"^Line \d+ of the record is wrong"))
    expect(field).to_be_enabled()
    choose_file(field, RECORD)
    host.wait_for_url("**/watch/opened-1")
    host.locator("#at").focus()
    host.keyboard.press("ArrowRight")
    at(host, 1)
    host.locator("[data-press='/records/keep']").click()
    expect(host.locator("header")).to_contain_text("It is kept with the games of this table.")
    at(host, 1)
