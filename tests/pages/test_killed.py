"""The plug is pulled in the middle of a turn, twice: everybody finds their place again."""

import re

import pytest
from evening import Evening
from mosquitto import free_port
from playwright.sync_api import Locator, Page, expect
from process import table
from stand_ins import Dealer

LOST = "ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY"


def dice(page: Page) -> Locator:
    return page.locator("#tray .die .cube")


def faces(page: Page) -> list[str]:
    return [str(die.get_attribute("aria-label")) for die in dice(page).all()]


def enter_by_hand(phone: Page, names: list[str]) -> None:
    phone.locator("[data-opens='die-0']").click()
    for number, name in enumerate(names):
        # After each, the sheet of the next opens by itself.
        phone.locator(f"#die-{number}").get_by_role("button", name=name, exact=True).click()
        expect(dice(phone).nth(number)).to_have_attribute(
            "aria-label", re.compile(name, re.IGNORECASE)
        )


@pytest.mark.slow
def test_a_killed_table_stands_where_it_stood_and_phones_come_back_by_themselves(tmp_path, screens):
    screens.expect(LOST)
    begun = Evening(tmp_path, people=3, chance=Dealer("dor")).start()
    begun.journal.close()
    arguments = ("--camera", "none", "--port", free_port(), "--data", tmp_path)
    with table(*arguments) as (process, url):
        phones = [screens.seated(url, token) for token in begun.tokens]
        turn = phones[begun.turn]
        enter_by_hand(turn, ["Beer", "Beer", "Gatling", "Arrow", "Beer"])
        turn.locator("button.accept").click()
        expect(turn.get_by_text("Roll 2 of")).to_be_visible()
        before = [(faces(phone), phone.url) for phone in phones]
        for phone in phones:
            phone.evaluate("window.here = 'never loaded again'")
        process.kill()
        process.wait()
        for phone in phones:
            expect(phone.locator("#lost")).to_be_visible()
    for _ in range(2):
        with table(*arguments) as (process, _url):
            for phone in phones:
                expect(phone.locator("#lost")).to_be_hidden(timeout=30_000)
                assert phone.evaluate("window.here") == "never loaded again"
            assert [(faces(phone), phone.url) for phone in phones] == before
            process.kill()
            process.wait()
            for phone in phones:
                expect(phone.locator("#lost")).to_be_visible()
    with table(*arguments):
        expect(turn.locator("#lost")).to_be_hidden(timeout=30_000)
        turn.get_by_role("button", name="Stop rolling").click()
        # Everybody is at full life: nobody is asked who drinks.
        expect(phones[2].locator(".lines").get_by_text("drinks").first).to_be_attached()
