"""A game without pages of its own on real phones and a television: what every game has is shown."""

import json

from most_pips import FACES, MOST_PIPS
from playwright.sync_api import expect
from served import Served
from stand_ins import Die, reading


def test_another_game_is_played_on_phones_from_joining_to_its_record(served, screens):
    served.play(MOST_PIPS, "one-throw")
    television = served.television()
    ann = screens.phone(served.url)
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_role("button", name="Open the table").tap()
    expect(ann.get_by_role("button", name="Start the game")).to_be_disabled()
    bob = screens.phone(f"{served.url}?code={served.table.scene.code}")
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Join the table").tap()
    expect(television.locator(".round")).to_contain_text("Bob")
    # The game has no roles or characters that could be dealt in several ways.
    expect(ann.get_by_text("Dealing")).to_have_count(0)
    ann.get_by_role("button", name="Start the game").tap()

    expect(ann.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(bob.get_by_role("heading", name="Ann’s turn")).to_be_visible()
    throw(served, "66661", 100)
    expect(bob.get_by_role("img", name="Die 5: 1 pips")).to_be_visible()
    ann.locator(".accept").tap()
    expect(bob.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(television.locator("#told")).to_contain_text("Seat 1 throws 25 pips.")

    served.stop()
    served.start(int(served.url.rsplit(":")[-1].strip("/")))
    throw(served, "11111", 200)
    bob.locator(".accept").tap()
    expect(ann.get_by_role("heading", name="You won")).to_be_visible()
    expect(bob.get_by_role("heading", name="You lost")).to_be_visible()
    expect(television.locator(".winners")).to_have_text("Ann")
    bob.get_by_role("link", name="The game in pictures").tap()
    expect(bob.locator(".lines li")).to_have_text(
        ["Seat 1 throws 25 pips.", "Seat 2 throws 5 pips."]
    )
    with ann.expect_download() as download:
        ann.get_by_role("link", name="Save the record").tap()
    header, *moves = download.value.path().read_text("utf-8").splitlines()
    assert (json.loads(header)["record"], len(moves)) == ("most-pips", 2)
    ann.get_by_role("button", name="Play again").tap()
    expect(ann.get_by_role("heading", name="Your turn")).to_be_visible()


def throw(served: Served, pips: str, y: float) -> None:
    dice = [Die(FACES[int(n) - 1], 100.0 * place, y) for place, n in enumerate(pips, start=1)]
    served.table.see(reading("moving"))
    served.table.see(reading("ok", dice))
