"""The pages on real phones and a television: joining, pushes, secrets, questions, refusals."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import cv2
import numpy as np
import pytest
from browser import cut_off
from layout import fits, lay_all, overflow, overlaps
from people import join
from playwright.sync_api import Locator, Page, Request, Route, expect
from served import PLAIN, Served, open_tab
from stand_ins import reading
from tiers import later
from waiting import wait_until

from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rulesets import Edition
from companion.games.dice.terms import edition_terms
from companion.table import rounds
from companion.table.scene import CameraStatus, SimulatedTray
from companion.table.surface.dice.state import ByHand
from web.serving.address import PublicAddress

DRAWN = CameraStatus("simulated", tray=SimulatedTray())
ROLES = ("sheriff", "deputy", "outlaw", "renegade")


def heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text(text)


def hold(page: Page, address: str | re.Pattern[str]) -> list[Route]:
    """Hold the next request of a page to an address; returns all that it makes from then on."""
    asked: list[Route] = []

    def note(route: Route) -> None:
        asked.append(route)
        if len(asked) > 1:
            route.continue_()

    page.route(address, note)
    return asked


# Joining


def test_phones_join_by_the_code_on_the_television(served, screens):
    first = screens.phone(served.url)
    first.get_by_label("Your name").fill("Ann")
    first.get_by_role("button", name="Open the table").click()
    expect(first.get_by_text("You are the host.")).to_be_visible()

    television = served.television()
    expect(television.get_by_text(served.table.scene.code, exact=True)).to_be_visible()
    shown = cv2.imdecode(np.frombuffer(television.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    address, *_ = cv2.QRCodeDetectorAruco().detectAndDecode(shown)
    # Of others: the television is on the machine itself.
    root, code = address.split("?")
    reached = PublicAddress().url(served.url, served.server.port)
    assert (root, code) == (reached, f"code={served.table.scene.code}")

    scanned = screens.phone(f"{served.url}?{code}")
    scanned.get_by_label("Your name").fill("Bob")
    scanned.get_by_role("button", name="Join the table").click()
    typed = screens.phone(served.url)
    typed.get_by_label("Your name").fill("Cleo")
    screens.expect("status of 403")
    typed.locator("#join").get_by_label("Code from the table").fill("xxxx")
    typed.get_by_role("button", name="Join the table").click()
    expect(typed.get_by_role("alert")).to_have_text(
        "Wrong code. The table page shows the current one."
    )
    typed.locator("#join").get_by_label("Code from the table").fill(served.table.scene.code.lower())
    typed.get_by_role("button", name="Join the table").click()
    heading(typed, "Cleo")
    for page in (first, scanned, typed, television):
        for name in ("Ann", "Bob", "Cleo"):
            expect(page.get_by_role("listitem").filter(has_text=name)).to_be_visible()
    assert first.goto(served.url)
    expect(first).to_have_url(f"{served.url}seat")


def test_the_modules_run_joined_and_as_they_are_written(served):
    served.seat(2)
    television = served.television()
    # A module that fails, or names what another one lacks, is a problem of `screens`.
    television.evaluate("import('/static/scripts/main.js')")
    expect(television.locator(".place:not(.free)")).to_have_count(2)
    television.wait_for_function("() => streams.length === 2")


# Pushes


def test_nothing_is_pressed_before_the_script_runs(served):
    phone = served.screens.phone(served.url)
    script = re.compile(r"/main\.js")
    asked = hold(phone, script)
    phone.reload(wait_until="commit")
    button = phone.get_by_role("button", name="Open the table", include_hidden=True)
    expect(button).to_be_visible()
    phone.get_by_label("Your name").evaluate("(field) => { field.value = 'Ann' }")
    # By a finger: Playwright's own tap would wait until the button can be pressed.
    box = button.bounding_box()
    assert box
    phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    asked[0].continue_()
    expect(phone.locator("body")).not_to_have_attribute("inert", "")
    assert phone.url == served.url
    button.click()
    phone.wait_for_url("**/seat")


LAID = Path(__file__).with_name("laid.js").read_text("utf-8")


def test_what_is_as_before_is_left_alone(served):
    served.deal("sroo")
    television = served.television()
    pages = [served.phone(0), served.phone(1), television]
    for page in pages:
        expect(page.get_by_role("list", name="The dice")).to_be_visible()
    # The first push repeats what was loaded, the next one is laid over it whole.
    served.table.see(reading("ok", served.dice("112BG")))
    for page in pages:
        expect(page.locator(".tray.certain")).to_be_visible()
        page.evaluate(LAID)
    served.table.press_green()
    for page in pages:
        expect(page.locator(".tray.waiting")).to_be_visible()
        told = ["part-middle", "part-told"] if page is television else ["part-now", "part-recent"]
        page.wait_for_function("told => told.every((part) => laid.includes(part))", arg=told)
        laid = set(page.evaluate("laid"))
        assert laid.isdisjoint({"part-own", "part-others", "part-phones", "part-far", "part-near"})


def test_a_part_that_changed_alone_is_what_a_whole_page_is_laid_over(served):
    served.deal("sroo")
    page = served.phone(0)
    cut_off(page)
    for around, part in (("a", "1"), ("b", "1"), ("b", "2"), ("a", "1"), ("a", "2")):
        html = f'{around}<div class="part" id="part-x">{part}</div><!---->'
        page.evaluate("push", html)
        assert page.locator("main").inner_text() == around + part


def test_what_nobody_sees_waits_until_the_rest_is_painted_or_touched(served):
    served.deal("sroo")
    page = served.phone(0)
    texts = [
        f'<div class="part" id="part-x"><p>{n}</p>{"<p>.</p>" * 80}</div><!---->'
        f'<div class="part later" id="part-y"><p>{n}</p></div><!---->'
        for n in range(4)
    ]
    push_all = Path(__file__).with_name("pushes.js").read_text("utf-8")
    for scrolled, seen, touched in (
        (0, "11 22 33", False),
        (2, "10 20 33", True),
        (9, "10 20 30", False),
        (9, "10 20 30", True),
    ):
        cut_off(page)
        assert page.evaluate(push_all, [scrolled, *texts]) == seen.split()
        if touched:
            lay_all(page)
            assert page.locator("#part-y").inner_text() == "3"
        expect(page.locator("#part-y")).to_have_text("3")
        # A page that is loaded again would stay where it was scrolled to.
        page.evaluate("scrollTo(0, 0)")
        page.reload()


def test_a_page_too_many_comes_in_once_there_is_room(served, screens):
    served.deal("soro")
    served.stop()
    served.start(0, spectators=1, heartbeat=0.2)
    screens.expect("status of 503")
    first, second = served.television(), served.television()
    expect(second.get_by_text("Connection to the table lost.")).to_be_visible()
    heading(second, "Ann")
    first.close()
    expect(second.get_by_text("Connection to the table lost.")).to_be_hidden(timeout=15_000)
    served.table.see(reading("moving"))
    expect(second.get_by_text("The dice are rolling.")).to_be_visible()


def test_what_one_is_in_the_middle_of_outlives_a_push(served, screens):
    served.seat(3)
    host, stranger = served.phone(0), screens.phone(served.url)
    host.get_by_text("Add a player without a phone").click()
    host.locator("#add [name=name]").fill("Gran")
    stranger.get_by_label("Your name").fill("Dan")
    join(served.table, "Eve", served.table.scene.code)
    for page in (host, stranger):
        expect(page.get_by_text("Eve", exact=True).filter(visible=True).first).to_be_visible()
    expect(host.locator("#add [name=name]")).to_have_value("Gran")
    expect(stranger.get_by_label("Your name")).to_have_value("Dan")


# Roles


def role_in(page: Page) -> list[str]:
    """The roles that the document holds anywhere, but for the Sheriff's, which all may know."""
    # What the Sheriff plays for names the others.
    goals = edition_terms(Edition.BASE, "en").goals
    content = page.content().replace(goals[Role.SHERIFF], "").lower()
    return [role for role in ROLES[1:] if role in content]


@pytest.fixture
def outlaw(served: Served) -> Page:
    served.deal("soro")
    return served.phone(1)


def press_and_hold(page: Page) -> Locator:
    button = page.get_by_role("button", name="Hold to see your role")
    assert role_in(page) == []
    button.hover()
    page.mouse.down()
    expect(page.locator("output[id^=role]")).to_contain_text("Outlaw")
    assert role_in(page) == ["outlaw"]
    return button


def test_a_role_is_there_while_a_finger_holds_the_button(outlaw, served):
    button = press_and_hold(outlaw)
    # A push in the meantime neither takes it away nor lets it stay.
    served.table.see(reading("moving"))
    expect(outlaw.get_by_text("The dice are rolling.")).to_be_visible()
    assert role_in(outlaw) == ["outlaw"]
    outlaw.mouse.up()
    assert role_in(outlaw) == []
    button.focus()
    for key in ("Space", "Enter"):
        outlaw.keyboard.down(key)
        expect(outlaw.locator("output[id^=role]")).to_contain_text("Outlaw")
        outlaw.keyboard.up(key)
        assert role_in(outlaw) == []


ENDS = (
    "dispatchEvent(new Event('blur'))",
    "dispatchEvent(new Event('pagehide'))",
    "document.dispatchEvent(new Event('visibilitychange'))",
    "document.dispatchEvent(new PointerEvent('pointercancel'))",
    "document.activeElement.blur()",
)


def test_whatever_ends_the_hold_takes_the_role_away(outlaw):
    for end in ENDS:
        press_and_hold(outlaw)
        outlaw.evaluate(end)
        assert role_in(outlaw) == [], end
        outlaw.mouse.up()
    # A finger that slides off lets go.
    press_and_hold(outlaw)
    outlaw.mouse.move(5, 5)
    assert role_in(outlaw) == []


def test_a_short_tap_leaves_nothing_behind(outlaw, served):
    ended: list[Request] = []
    # Letting go ends the request, unless it is answered sooner.
    for event in ("requestfinished", "requestfailed"):
        outlaw.on(event, lambda request: "/static/" in request.url or ended.append(request))
    outlaw.get_by_role("button", name="Hold to see your role").tap()
    wait_until(lambda: ended, outlaw)
    assert [request.url for request in ended] == [f"{served.url}role/1"]
    assert role_in(outlaw) == []


# Dice


def test_a_sheet_stays_open_through_a_push_and_goes_with_the_dice(served):
    served.deal("soro")
    served.table.see(reading("ok", served.dice("BAAGG")))
    player = served.phone(0)
    player.get_by_role("button", name="Die 1: beer").click()
    sheet = player.get_by_role("dialog", name="Die 1")
    served.table.press_red()
    expect(player.get_by_text("The dice were thrown: accept the roll first.")).to_be_visible()
    expect(sheet).to_be_visible()
    player.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    player.get_by_role("button", name="Die 1: beer").click()
    expect(sheet).to_be_visible()
    served.table.see(reading("moving"))
    expect(sheet).to_be_hidden()


def test_dice_are_entered_by_hand_without_a_camera(served):
    served.deal("soro", eyes=CameraStatus("none", "usb:0: unplugged"))
    player = served.phone(0)
    expect(player.get_by_text("No camera (usb:0: unplugged).")).to_be_visible()
    # From anywhere, the sheet goes on to the next unknown die, and closes after the last.
    player.get_by_role("button", name="Die 3: unknown").click()
    for number in (3, 4, 5, 1, 2):
        sheet = player.get_by_role("dialog", name=f"Die {number}")
        sheet.get_by_role("button", name="Beer").click()
        expect(
            player.locator(f".die .cube[aria-label='Die {number}: beer, set by hand']")
        ).to_be_attached()
    expect(player.locator("dialog[open]")).to_have_count(0)
    # A known die that is corrected is the only one.
    player.get_by_role("button", name="Die 1: beer").click()
    player.get_by_role("dialog", name="Die 1").get_by_role("button", name="Arrow").click()
    expect(player.locator(".die .cube[aria-label='Die 1: arrow, set by hand']")).to_be_attached()
    expect(player.locator("dialog[open]")).to_have_count(0)
    player.locator("button.accept").click()
    expect(player.get_by_text("Roll 2 of 3")).to_be_visible()
    assert served.view.game.dice == (Face.ARROW, *(Face.BEER,) * 4)


def test_the_table_throws_the_dice_that_are_tapped(served):
    served.deal("soro", eyes=DRAWN)
    kept = []
    served.table.watch(replace(DRAWN, tray=SimulatedTray(lambda places: kept.append(len(places)))))
    player = served.phone(0)
    with player.expect_response("**/dice/throw"):
        player.get_by_role("button", name="Throw the dice").click()
    served.roll("BDAGG")
    expect(player.get_by_role("button", name="Throw the dice")).to_be_disabled()
    for number in (1, 3):
        player.get_by_role("button", name=f"Die {number}: ").nth(0).click()
        expect(player.get_by_role("button", name=f"Die {number}: ").nth(0)).to_have_attribute(
            "aria-pressed", "true"
        )
    player.get_by_role("button", name="A die is wrong").click()
    player.get_by_role("dialog", name="Which die is wrong?").get_by_role(
        "button", name="Die 5: "
    ).click()
    player.get_by_role("dialog", name="Die 5").get_by_role("button", name="Close").click()
    with player.expect_response("**/dice/throw"):
        player.get_by_role("button", name="Throw two dice").click()
    served.table.see(reading("moving"))
    expect(player.get_by_text("The dice are rolling.")).to_be_visible()
    assert kept == [0, 3]


def test_dice_that_roll_stand_still_for_whom_motion_disturbs(served):
    served.deal("soro")
    served.table.see(reading("moving"))
    phone = served.phone(1)
    die = phone.locator(".rolling .cube").first
    expect(die).to_have_css("animation-name", "rolling")
    phone.emulate_media(reduced_motion="reduce")
    expect(die).to_have_css("animation-name", "none")


# Questions


def test_shots_are_answered_one_by_one_and_sent_with_the_last(served):
    served.deal("sorood", "calamity_janet")
    served.throw_and_stop("12DGA")
    player = served.phone(0)
    first = player.get_by_role("group", name="Shot 1/2: bull’s eye 1")
    second = player.get_by_role("group", name="Shot 2/2: bull’s eye 2")
    expect(second).to_be_hidden()
    first.get_by_role("button", name="Bob").click()
    expect(second.get_by_role("button")).to_have_count(4)
    # Another thought: the answer opens the step again.
    first.get_by_role("button", name="Bob").click()
    expect(second).to_be_hidden()
    first.get_by_role("button", name="Cleo").click()
    expect(first.get_by_role("button")).to_have_text(["Cleo 7 2 as bull’s eye 2"])
    # What others do meanwhile leaves it alone.
    served.table.press_green()
    expect(player.get_by_text("No dice are needed now.")).to_be_visible()
    expect(first.get_by_role("button", name="Cleo")).to_have_attribute("aria-pressed", "true")
    assert served.view.question.action == "shoot"
    second.get_by_role("button", name="Fritz").click()
    open_tab(player, "story")
    expect(player.locator(".lines").get_by_text("Ann shoots Cleo and Fritz.")).to_be_visible()


def test_an_answer_that_was_not_heard_is_given_again(served, screens):
    screens.expect("ERR_FAILED")
    served.deal("sorood", "calamity_janet")
    served.throw_and_stop("12DGA")
    player = served.phone(0)
    # Long before: a browser may send what is asked at once past a route.
    player.route("**/game/move", lambda route: route.abort())
    steps = [player.get_by_role("group", name=f"Shot {shot}/2") for shot in (1, 2)]
    steps[0].get_by_role("button", name="Fritz").press("Enter")
    # The keyboard's focus goes to the next one.
    expect(steps[1].get_by_role("button", name="Bob")).to_be_focused()
    player.keyboard.press("Enter")
    expect(player.locator("#said")).to_have_text("The table didn’t receive that. Try again.")
    player.unroute("**/game/move")
    steps[1].get_by_role("button", name="Bob").click()
    open_tab(player, "story")
    expect(player.locator(".lines").get_by_text("Ann shoots Fritz and Bob.")).to_be_visible()


def test_arrows_are_taken_away_one_by_one(served):
    served.deal("soro", "paul_regret", "kit_carlson")
    served.throw_and_stop("AADDG")
    served.throw_and_stop("GGDDA")
    player = served.phone(1)
    arrows = player.get_by_label("An arrow of Ann")
    expect(arrows).to_have_count(2)
    for number in range(2):
        arrows.nth(number).check()
    expect(player.get_by_label("An arrow of Bob")).to_be_disabled()
    player.get_by_role("button", name="Put back").click()
    open_tab(player, "story")
    expect(player.locator(".lines").get_by_text("Ann puts an arrow back.")).to_have_count(2)
    assert served.view.game.players[0].arrows == 0


# Refusals, undo, the end


def test_a_finger_that_taps_twice_presses_once(served):
    served.deal("soro")
    served.table.see(reading("ok", served.dice("BDAGG")))
    player = served.phone(0)
    player.locator("button.accept").dblclick()
    expect(player.get_by_text("Roll 2 of 3")).to_be_visible()
    expect(player.get_by_role("alert")).to_be_hidden()


def test_a_press_that_changes_nothing_keeps_no_other_from_counting(served):
    served.deal("soro", eyes=DRAWN)
    thrown = []
    served.table.watch(replace(DRAWN, tray=SimulatedTray(thrown.append)))
    player = served.phone(0)
    # No other page arrives, and half a second never passes.
    player.route("**/live/*", lambda _: None)
    player.clock.install()
    player.clock.pause_at(datetime.now() + timedelta(hours=1))
    player.reload()
    throw = player.get_by_role("button", name="Throw the dice")
    with player.expect_response("**/dice/throw"):
        throw.click()
    throw.click()
    with player.expect_response("**/dice/by-hand"):
        player.get_by_role("button", name="Enter the dice by hand").click()
    assert isinstance(served.table.scene.surface.state, ByHand)
    assert len(thrown) == 1, "the second tap of a double tap counted"


def test_taps_on_two_buttons_are_sent_one_after_the_other(served, screens):
    screens.expect("status of 409")
    served.seat(4)
    host = served.phone(0)
    asked = hold(host, "**/people/remove")
    host.get_by_role("button", name="Remove Cleo").dblclick()
    host.get_by_role("button", name="Remove Dan").click()
    wait_until(lambda: asked, host)
    assert len(asked) == 1
    asked[0].continue_()
    expect(host.locator("#order strong")).to_have_text(["Ann", "Bob", "Dan"])
    # It was made on a page that showed other players.
    expect(host.get_by_role("alert")).to_have_text(
        "Something has changed. Check the page, then try again."
    )
    assert [person.name for person in served.view.people] == ["Ann", "Bob", "Dan"]


def test_an_undo_and_a_new_game_are_asked_for_twice(served):
    served.deal("soro")
    served.roll("BDAGG")
    host, sheet = served.phone(0), "dialog[open]"
    host.get_by_role("button", name="Undo").click()
    expect(host.locator(sheet)).to_contain_text("Everybody will see: “Ann undoes a roll.”")
    assert served.view.game.rolls == 1, "one tap alone undoes nothing"
    host.locator(sheet).get_by_role("button", name="Undo").click()
    for page in (host, served.television()):
        expect(page.get_by_role("status").filter(has_text="Ann undoes a roll.")).to_be_visible()
    open_tab(host, "more")
    host.get_by_role("button", name="New game").click()
    host.locator(sheet).get_by_role("button", name="Cancel").click()
    expect(host.locator(sheet)).to_have_count(0)
    heading(host, "Your turn")
    host.get_by_role("button", name="New game").click()
    host.locator(sheet).get_by_role("button", name="New game").click()
    expect(host.get_by_role("button", name="Start the game")).to_be_enabled()


# What nobody may miss


def test_who_is_asked_or_begins_sees_it_whichever_tab_they_read(served):
    served.deal("soro", "paul_regret", "bart_cassidy")
    turner, asked, other = (served.phone(seat) for seat in range(3))
    for page in (turner, asked, other):
        open_tab(page, "more")
    served.throw_and_stop("1DDGA")
    expect(turner.get_by_role("heading", name="Whom do you shoot?")).to_be_in_viewport(ratio=1)
    open_tab(turner, "table")
    expect(turner.locator("#question")).to_be_hidden()
    open_tab(turner, "now")
    turner.locator("#question").get_by_role("button", name="Bob").click()
    expect(asked.locator("#question button").first).to_be_in_viewport(ratio=1)
    asked.locator("#question").get_by_role("button", name="1", exact=True).click()
    heading(asked, "Your turn")
    expect(asked.locator("#tray")).to_be_in_viewport()
    expect(other.locator("body")).to_have_attribute("data-tab", "more")


def test_a_phone_that_asks_for_a_seat_and_an_undo_are_seen_from_below(served, screens):
    served.deal("soro")
    served.roll("BDAGG")
    host, other = served.phone(0), served.phone(1)
    for page in (host, other):
        open_tab(page, "more")
    served.undo()
    for page in (host, other):
        expect(page.get_by_text("Ann undoes a roll.").first).to_be_in_viewport()
    open_tab(host, "more")
    new = screens.phone(f"{served.url}?code={served.table.scene.code}")
    new.get_by_role("button", name="I am Bob").click()
    new.wait_for_url(f"{served.url}?asked=1")
    expect(host.get_by_text("Is this Bob’s new phone?")).to_be_in_viewport()
    new.get_by_role("button", name="Withdraw request").click()
    expect(host.locator(".asked")).to_have_count(0)
    expect(new.get_by_text("or you withdrew it")).to_be_visible()


def test_who_reads_the_story_is_called_from_there(served):
    served.deal("soro")
    reader, stranger = (served.phone(1), served.screens.phone(f"{served.url}story"))
    reader.goto(f"{served.url}story")
    expect(reader.get_by_role("link", name="Your turn")).to_have_count(0)
    served.throw_and_stop("DDGAA")
    link = reader.get_by_role("link", name="Your turn")
    expect(link).to_be_in_viewport()
    expect(stranger.get_by_text("It is Bob’s turn.")).to_be_visible()
    expect(stranger.get_by_role("link", name="Your turn")).to_have_count(0)
    link.click()
    heading(reader, "Your turn")


# Small screens and large text


@pytest.mark.parametrize(
    ("width", "height"), [(320, 568), (844, 390), *later((390, 844), (768, 1024))]
)
def test_spectators_see_the_table_on_phones(served, screens, width, height):
    served.seat(8)
    served.dealer.roles, served.dealer.characters = "oorodrds", PLAIN
    spectator = screens.phone(f"{served.url}table", viewport={"width": width, "height": height})
    expect(spectator.locator(".place")).to_have_count(8)
    assert overflow(spectator) <= 0
    served.do(rounds.start_game)
    served.table.see(reading("ok", served.dice("AGGBD")))
    expect(spectator.locator(".tray.certain")).to_be_visible()
    fits(spectator)
    assert overlaps(spectator, ".place, .tray") == []
    wider = """(place) => [...place.querySelectorAll("*")].filter((each) =>
        each.getBoundingClientRect().right > place.getBoundingClientRect().right).length"""
    assert [place.evaluate(wider) for place in spectator.locator(".place").all()] == [0] * 8
