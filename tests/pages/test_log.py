"""The log of a game in a browser: what was undone is struck through, and each line leads back."""

from playwright.sync_api import expect
from served import Served


def test_one_tap_and_a_yes_lead_back_to_a_line_of_the_log(served: Served) -> None:
    served.deal("soro")
    for letters in ("DDDAG", "DDDAG"):
        served.roll(letters)
    host, guest, television = served.phone(0), served.phone(3), served.television()
    expect(host.locator("#recent .lines button")).to_have_count(1)
    host.goto(f"{served.url}story")
    lines = host.locator(".lines")
    expect(lines.locator("button")).to_have_count(2)
    expect(guest.locator("#recent .lines li").first).to_be_visible()
    assert guest.locator("#recent .lines button").count() == 0
    begun = lines.locator("li", has_text="It is Bob's turn.")
    begun.get_by_role("button", name="Back to here: It is Bob's turn.").tap()
    dialog = host.get_by_role("dialog", name="Back to here")
    expect(dialog.locator("[data-quoted]")).to_have_text("It is Bob's turn.")
    dialog.get_by_role("button", name="Cancel").tap()
    lines.locator("li", has_text="It is Ann's turn.").get_by_role("button").tap()
    expect(dialog.locator("[data-quoted]")).to_have_text("It is Ann's turn.")
    dialog.get_by_role("button", name="Back to here").tap()
    expect(lines.locator("button")).to_have_count(0)
    assert served.view.game.turn == 0
    for page in (host, guest, television):
        log = page.locator(".lines")
        expect(log.get_by_text("Ann undoes the last two moves.")).to_be_visible()
        expect(log.locator("s", has_text="It is Bob's turn.")).to_be_visible()
        assert log.locator("s", has_text="It is Ann's turn.").count() == 0
