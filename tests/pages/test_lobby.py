"""Before and beside the game, on real phones: the order of the table, new phones, entered cards."""

import time

import pytest
from layout import fits
from people import claim_seat, join
from playwright.sync_api import Locator, Page, expect
from served import Served
from stand_ins import PLAIN
from tiers import later
from waiting import wait_until

from companion.games.dice.rules.roles import Role
from companion.table import rounds, seats
from companion.table.changes import Press


def names(served: Served) -> list[str]:
    return [person.name for person in served.view.people]


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def grip(served: Served, seat: int) -> str:
    return f"#person-{served.person(seat)} .grip"


def drag_by_finger(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag as a finger does: what it touches first stays what it moves."""
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", start)
    for step in range(1, 9):
        touch("touchMove", tuple(a + (b - a) * step / 8 for a, b in zip(start, end, strict=True)))
    touch("touchEnd")


def drag_by_mouse(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=8)
    page.mouse.up()


# A newcomer, alone

READ_MS = 1000
"""For how long they look at their role."""


def test_a_newcomer_alone_throws_after_a_few_touches(home):
    home.screens.roles_are_known = False
    home.start()
    began, phone = time.monotonic(), home.screens.phone(home.url)
    touches = 0

    def tap(button: Locator) -> None:
        nonlocal touches
        expect(button).to_be_in_viewport(ratio=1)
        button.tap()
        touches += 1

    def hold(button: Locator) -> None:
        nonlocal touches
        button.hover()
        phone.mouse.down()
        expect(phone.locator("dialog.dealt[open] .role")).to_be_visible()
        phone.wait_for_timeout(READ_MS)
        phone.mouse.up()
        touches += 1

    tap(phone.get_by_label("Your name"))
    phone.keyboard.type("Ann")
    tap(phone.get_by_role("button", name="Open the table"))
    for stand_ins in (1, 2):
        tap(phone.get_by_role("button", name="Add a stand-in, which the table plays"))
        expect(phone.locator("#order li")).to_have_count(1 + stand_ins)
    tap(phone.get_by_role("button", name="Start the game"))
    hold(phone.locator("dialog.dealt[open] [data-hold]"))
    tap(phone.get_by_role("button", name="Throw"))
    wait_until(lambda: home.simulated.tray.faces, phone)
    print(f"{touches} touches, {time.monotonic() - began:.0f} s")
    assert touches <= 8


@pytest.mark.parametrize("language", ["en-GB", *later("fr-FR")])
@pytest.mark.parametrize(
    ("players", "height", "whole"), [(4, 568, 4), *later((8, 568, 4), (8, 844, 8))]
)
def test_the_host_sees_who_plays_what_and_how_to_join_on_one_screen(
    served, players, height, whole, language
):
    """whole: how many seats are above the bar, which stays."""
    served.seat(players, 2)
    width = 320 if height == 568 else 390
    host = served.phone(0, locale=language, viewport={"width": width, "height": height})
    for part in (".invite img", ".invite .code", "#games summary", ".bar button"):
        expect(host.locator(part)).to_be_in_viewport(ratio=1)
    bar = host.locator(".bar").bounding_box()["y"]
    seats = [seat.bounding_box() for seat in host.locator("#order li").all()]
    assert sum(box["y"] + box["height"] <= bar for box in seats) == whole
    host.locator("#order li").last.scroll_into_view_if_needed()
    expect(host.locator(".bar button")).to_be_in_viewport(ratio=1)


# The order of the table


@pytest.mark.parametrize("drag", [drag_by_finger, drag_by_mouse])
def test_everybody_is_dragged_to_their_place(served, drag):
    served.seat(5)
    host, order = served.phone(0), names(served)
    for seat, to in ((0, 2), (4, 0), (1, 4)):
        start, end = middle(host, grip(served, seat)), middle(host, grip(served, to))
        # Past the middle of the one who sits there.
        drag(host, start, (end[0], end[1] + (8 if to > seat else -8)))
        order.insert(to, order.pop(seat))
        expect(host.locator("#order strong")).to_have_text(order)
        assert names(served) == order
        expect(host.locator("#order li[style*=transform]")).to_have_count(0)
        expect(host.locator(".dragged")).to_have_count(0)


def test_a_finger_that_comes_back_moves_nobody_nor_does_one_while_somebody_comes(served):
    served.seat(4)
    host, version = served.phone(0), served.view.version
    start, end = middle(host, grip(served, 0)), middle(host, grip(served, 3))
    drag_by_finger(host, start, (start[0], start[1] + 6))
    expect(host.locator(".dragged")).to_have_count(0)
    assert served.view.version == version
    host.mouse.move(*start)
    host.mouse.down()
    host.mouse.move(*end, steps=4)
    join(served.table, "Zoe", served.table.scene.code)
    expect(host.locator("#order strong")).to_have_count(5)
    host.mouse.up()
    expect(host.locator(".dragged")).to_have_count(0)
    assert names(served) == ["Ann", "Bob", "Cleo", "Dan", "Zoe"]


def test_everybody_is_tapped_in_order_round_the_table(served):
    served.seat(5)
    host = served.phone(0)
    host.get_by_role("button", name="Tap in order").tap()
    sheet = host.get_by_role("dialog", name="Tap in order")
    version = served.view.version
    for name in ("Dan", "Bob", "Eve"):
        sheet.get_by_role("button", name=name).tap()
    expect(sheet.get_by_role("status")).to_have_text("1 Dan, 2 Bob, 3 Eve")
    # Bob was too early: Bob and Eve, who came later, are taken back.
    sheet.get_by_role("button", name="Bob").tap()
    expect(sheet.get_by_role("status")).to_have_text("1 Dan")
    expect(sheet.locator("[aria-pressed=true]")).to_have_text("Dan")
    assert served.view.version == version
    # The rest by keys; who is left is the last.
    sheet.get_by_role("button", name="Eve").focus()
    host.keyboard.press("Space")
    for name in ("Ann", "Cleo"):
        sheet.get_by_role("button", name=name).press("Enter")
    expect(sheet).to_be_hidden()
    order = ["Dan", "Eve", "Ann", "Cleo", "Bob"]
    expect(host.locator("#order strong")).to_have_text(order)
    assert names(served) == order


def test_who_comes_while_the_order_is_tapped_takes_part(served):
    served.seat(3)
    host = served.phone(0)
    host.get_by_role("button", name="Tap in order").tap()
    sheet = host.get_by_role("dialog", name="Tap in order")
    sheet.get_by_role("button", name="Cleo").tap()
    join(served.table, "Dan", served.table.scene.code)
    # It begins again, with all four.
    expect(sheet.get_by_role("button", name="Dan")).to_be_visible()
    expect(sheet.get_by_role("status")).to_be_empty()
    for name in ("Dan", "Cleo", "Bob"):
        sheet.get_by_role("button", name=name).tap()
    expect(host.locator("#order strong")).to_have_text(["Dan", "Cleo", "Bob", "Ann"])


# A seat on another phone


def test_a_dead_phone_is_replaced_by_a_new_one(served, screens):
    served.seat(4)
    host, old = served.phone(0), served.phone(1)
    new = screens.phone(served.url)
    new.get_by_text("I already have a seat").click()
    new.locator("#claim").get_by_label("Code from the table").fill(served.table.scene.code.lower())
    new.get_by_role("button", name="I am Bob").click()
    new.wait_for_url(f"{served.url}?asked=1")
    mark = new.locator("#claim .code").inner_text()
    question = host.locator(".asked")
    expect(question).to_contain_text("Is this Bob’s new phone?")
    expect(question.locator(".code")).to_have_text(mark)
    # The table is started again while it is asked, and everybody comes back.
    screens.expect("ERR_|Failed to load")
    port = served.server.port
    served.stop()
    served.start(port)
    expect(host.locator("#lost")).to_be_hidden(timeout=30_000)
    question.get_by_role("button", name="Yes, it is").click()
    expect(question).to_have_count(0)
    expect(new.get_by_role("heading", name="Bob")).to_be_visible()
    expect(old.get_by_role("heading", name="Bang companion")).to_be_visible(timeout=30_000)
    expect(old.get_by_text("This phone no longer has a seat")).to_be_visible()
    # A reload in the middle of the way to the seat has no page to be of.
    expect(new).to_have_url(f"{served.url}seat")
    new.reload()
    expect(new).to_have_url(f"{served.url}seat")


# Cards that are entered


def enter(page: Page, seat: int, role: Role, character: str) -> None:
    """Enter both cards of a seat, on the phone that is in its player's hand."""
    page.locator(f"#cards-{seat}").get_by_role("button", name="Enter your cards").click()
    sheet = page.locator(f"#enter-{seat}")
    sheet.locator("label", has=page.locator(f"[value={role}]")).click()
    sheet.get_by_label("Your character card").select_option(label=character)
    sheet.get_by_role("button", name="Confirm cards").click()
    expect(sheet).to_have_count(0)


def test_real_cards_are_entered_on_three_phones_and_one_that_is_passed(served):
    served.seat(4, 3)
    host, *others = [served.phone(seat) for seat in range(3)]
    host.locator("#options > summary").click()
    for kind in ("Roles", "Characters"):
        group = host.get_by_role("group", name=kind)
        group.get_by_role("button", name="Real cards").click()
        expect(group.get_by_role("button", name="Real cards")).to_have_attribute(
            "aria-pressed", "true"
        )
    host.get_by_role("button", name="Start the game").click()
    enter(host, 0, Role.RENEGADE, "Black Jack")
    enter(others[0], 1, Role.OUTLAW, "Rose Doolan")
    enter(host, 3, Role.OUTLAW, "Sid Ketchum")
    for page in (host, *others):
        expect(page.locator("#entered li", has_text="ready")).to_have_count(3)
    expect(served.television().locator(".place .ready")).to_have_count(3)
    hold = host.locator("#cards-3 [data-hold]")
    hold.hover()
    host.mouse.down()
    expect(host.locator("#role-3")).to_contain_text("Outlaw")
    host.mouse.up()
    expect(host.locator("#role-3")).to_be_empty()
    assert "Outlaw" not in host.content()
    enter(others[1], 2, Role.SHERIFF, "Bart Cassidy")
    expect(others[1].locator("header.turn h1")).to_have_text("Your turn")
    assert served.view.game is not None
    assert served.view.game.turn == 2
    # Nobody is shown the role that they entered.
    expect(others[0].locator("#part-me [data-hold]")).to_be_visible()
    expect(others[0].locator(".dealt")).to_have_count(0)


def test_a_half_entered_sheet_outlives_what_others_do_and_is_gone_once_closed_or_refused(served):
    served.seat(4)
    served.dealer.characters = PLAIN
    served.do(rounds.choose, "roles", "cards")
    served.do(rounds.start_game)
    phone = served.phone(1)
    phone.get_by_role("button", name="Enter your cards").click()
    sheet = phone.locator("#enter-1")
    sheet.locator("label", has=phone.locator("[value=outlaw]")).click()
    number = served.table.view(1).dealing.round
    served.table.do(rounds.enter, Press(served.person(0)), 0, Role.SHERIFF, None, number)
    expect(phone.locator("#entered li", has_text="ready")).to_have_count(1)
    expect(sheet.locator(":checked")).to_have_value("outlaw")
    # The next player may hold this phone.
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()
    expect(sheet.locator(":checked")).to_have_count(0)
    # The last player's closes over roles that can't be.
    for seat in (2, 3):
        served.table.do(rounds.enter, Press(served.person(seat)), seat, Role.OUTLAW, None, number)
    phone.get_by_role("button", name="Enter your cards").click()
    sheet.locator("label", has=phone.locator("[value=outlaw]")).click()
    sheet.get_by_role("button", name="Confirm cards").click()
    expect(phone.locator(".notice").first).to_be_visible()
    expect(sheet).to_be_hidden()


# Large text and many people


def test_eight_players_fit_on_a_narrow_phone(served, screens):
    """With large text, and in French, which has the longer words."""
    narrow = {"viewport": {"width": 320, "height": 640}, "locale": "fr-FR"}
    served.seat(8, 7)
    served.table.do(seats.bid, Press(served.person(1)))
    claim_seat(served.table, served.person(2), served.table.scene.code)
    host, other = served.phone(0, **narrow), served.phone(1, **narrow)
    new = screens.phone(f"{served.url}?code={served.table.scene.code}", **narrow)
    for name, page in {"host": host, "other": other, "new": new}.items():
        expect(page.locator("[data-version]")).to_be_visible()
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        fits(page, name)
    for option in ("roles", "characters"):
        served.do(rounds.choose, option, "cards")
    served.do(rounds.start_game)
    expect(host.locator("#entered")).to_be_visible()
    fits(host, "dealing")
    host.locator("#cards-7 > button.main").click()
    expect(host.locator("#enter-7")).to_be_visible()
    fits(host, "entering")
    host.locator("#enter-7 .close").click()
    host.locator("#phones summary").click()
    fits(host, "phones")
