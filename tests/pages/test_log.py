"""The log of a game in a browser: what was undone is struck through, and each line leads back."""

import re

from playwright.sync_api import expect
from served import open_tab


def test_one_tap_and_a_yes_lead_back_to_a_line_of_the_log(served):
    served.deal("soro")
    for letters in ("DDDAG", "DDDAG"):
        served.roll(letters)
    host, guest = served.phone(0), served.phone(3)
    expect(host.locator("#recent .lines button")).to_have_count(1)
    host.goto(f"{served.url}story")
    lines = host.locator(".lines")
    expect(lines.locator("button")).to_have_count(2)
    open_tab(guest, "story")
    expect(guest.locator("#recent .lines li").first).to_be_visible()
    assert guest.locator("#recent .lines button").count() == 0
    begun = lines.locator("li", has_text="It is Bob’s turn.")
    begun.get_by_role("button", name="Back to here: It is Bob’s turn.").tap()
    dialog = host.get_by_role("dialog", name="Back to here")
    expect(dialog.locator("[data-quoted]")).to_have_text("It is Bob’s turn.")
    dialog.get_by_role("button", name="Cancel").tap()
    lines.locator("li", has_text="It is Ann’s turn.").get_by_role("button").tap()
    expect(dialog.locator("[data-quoted]")).to_have_text("It is Ann’s turn.")
    dialog.get_by_role("button", name="Back to here").tap()
    expect(lines.locator("button")).to_have_count(0)
    assert served.view.game.turn == 0
    for page in (host, guest):
        log = page.locator(".lines")
        expect(log.get_by_text("Ann undoes the last two moves.")).to_be_attached()
        expect(log.locator("s", has_text="It is Bob’s turn.")).to_be_attached()
        assert log.locator("s", has_text="It is Ann’s turn.").count() == 0


def test_a_pencil_beside_a_line_corrects_its_card_or_whose_it_was(card_table):
    table = card_table
    table.deal_cards("sroo", phones=1)
    table.tap("indians, bang, pass, pass, beer")
    life = table.state.life
    host = table.phone(0)
    log = host.locator("#recent .lines")
    dialog = host.get_by_role("dialog", name="Which card is it really?")
    others = dialog.get_by_role("button", name="’s card")
    open_tab(host, "story")
    log.get_by_role("button", name="Wrong card: Beer").tap()
    expect(dialog.locator("[data-quoted]")).to_have_text(re.compile("Ann plays Beer"))
    expect(others).to_have_count(0)
    dialog.get_by_role("button", name="Stagecoach").tap()
    expect(log.get_by_text("Ann corrects what Ann played: Stagecoach, not Beer")).to_be_visible()
    log.get_by_role("button", name="Wrong card: BANG!").tap()
    expect(others).to_have_text(["It was Cleo’s card", "It was Dan’s card"])
    others.last.tap()
    expect(log.get_by_text("whose card it was: BANG! is Dan’s, not Bob’s.")).to_be_visible()
    assert table.state.life == (life[0], life[1] - 1, life[2], life[3] + 1)
