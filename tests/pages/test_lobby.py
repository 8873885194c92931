"""Before and beside the game, on real phones: the order of the table, new phones, entered cards."""

import pytest
from browser import Screens
from layout import overflow
from people import claim_seat, join
from playwright.sync_api import Page, expect
from served import Served
from stand_ins import PLAIN

from companion.games.dice.rules.roles import Role
from companion.table import rounds, seats
from companion.table.changes import Press
from companion.table.scene import Phase

LARGE = "document.documentElement.style.fontSize = '200%'"


def names(served: Served) -> list[str]:
    return [person.name for person in served.view.people]


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
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


# The order of the table


@pytest.mark.parametrize("drag", [drag_by_finger, drag_by_mouse])
@pytest.mark.parametrize(
    ("seat", "to", "order"),
    [
        (0, 2, ["Bob", "Cleo", "Ann", "Dan", "Eve"]),
        (4, 0, ["Eve", "Ann", "Bob", "Cleo", "Dan"]),
        (1, 4, ["Ann", "Cleo", "Dan", "Eve", "Bob"]),
    ],
)
def test_everybody_is_dragged_to_his_place(
    served: Served, drag, seat: int, to: int, order: list[str]
) -> None:
    served.seat(5)
    host = served.phone(0)
    start, end = middle(host, grip(served, seat)), middle(host, grip(served, to))
    # Past the middle of the one who sits there.
    drag(host, start, (end[0], end[1] + (8 if to > seat else -8)))
    expect(host.locator("#order strong")).to_have_text(order)
    assert names(served) == order
    expect(host.locator("#order li[style*=transform]")).to_have_count(0)
    expect(host.locator(".dragged")).to_have_count(0)


def test_everybody_is_tapped_in_order_round_the_table(served: Served) -> None:
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


def test_who_comes_while_the_order_is_tapped_takes_part(served: Served) -> None:
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


def test_the_host_says_whether_those_who_are_out_see_roles(served: Served) -> None:
    served.seat(3)
    host, guest = served.phone(0), served.phone(1)
    host.locator("#at-table summary").click()
    host.get_by_role("button", name="See all roles").click()
    line = guest.get_by_text("Players who are out of the game can see all roles.")
    expect(line).to_be_visible()
    assert served.view.fallen_see_roles
    host.get_by_role("button", name="See no roles").click()
    expect(line).to_have_count(0)


def test_a_finger_that_comes_back_moves_nobody(served: Served) -> None:
    served.seat(4)
    host = served.phone(0)
    version = served.view.version
    start = middle(host, grip(served, 1))
    drag_by_finger(host, start, (start[0], start[1] + 6))
    expect(host.locator(".dragged")).to_have_count(0)
    assert served.view.version == version


def test_somebody_who_comes_while_a_finger_drags_is_not_lost(served: Served) -> None:
    served.seat(4)
    host = served.phone(0)
    start, end = middle(host, grip(served, 0)), middle(host, grip(served, 3))
    host.mouse.move(*start)
    host.mouse.down()
    host.mouse.move(*end, steps=4)
    join(served.table, "Zoe", served.table.scene.code)
    expect(host.locator("#order strong")).to_have_count(5)
    host.mouse.up()
    expect(host.locator(".dragged")).to_have_count(0)
    assert names(served) == ["Ann", "Bob", "Cleo", "Dan", "Zoe"]


def test_the_buttons_move_without_a_finger_that_drags(served: Served) -> None:
    served.seat(4)
    host = served.phone(0)
    host.get_by_role("button", name="Move Bob down").press("Enter")
    expect(host.locator("#order strong")).to_have_text(["Ann", "Cleo", "Bob", "Dan"])
    expect(host.get_by_role("button", name="Move Bob down")).to_be_focused()


def test_only_the_host_has_grips(served: Served) -> None:
    served.seat(3)
    expect(served.phone(1).locator("#order strong")).to_have_count(3)
    expect(served.phone(1).locator(".grip")).to_have_count(0)


# A seat on another phone


@pytest.mark.parametrize("running", [False, True])
def test_a_dead_phone_is_replaced_by_a_new_one(
    served: Served, screens: Screens, running: bool
) -> None:
    if running:
        served.deal("soro")
    else:
        served.seat(4)
    host, old = served.phone(0), served.phone(1)
    new = screens.phone(served.url)
    if not running:
        new.get_by_text("I already have a seat").click()
    new.locator("#claim").get_by_label("Code from the table").fill(served.table.scene.code.lower())
    new.get_by_role("button", name="I am Bob").click()
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
    if running:
        expect(new.locator("#own h2")).to_have_text("Bob")
    else:
        expect(new.get_by_role("heading", name="Bob")).to_be_visible()
    expect(old.get_by_role("heading", name="Bang companion")).to_be_visible(timeout=30_000)
    expect(old.get_by_text("This phone no longer has a seat")).to_be_visible()
    new.reload()
    expect(new).to_have_url(f"{served.url}seat")


def test_no_from_the_host_leaves_the_seat_where_it_is(served: Served, screens: Screens) -> None:
    served.seat(3)
    host, old = served.phone(0), served.phone(1)
    new = screens.phone(f"{served.url}?code={served.table.scene.code}")
    new.get_by_text("I already have a seat").click()
    new.get_by_role("button", name="I am Bob").click()
    expect(old.locator(".asked")).to_contain_text("Another phone asks for your seat")
    host.locator(".asked").get_by_role("button", name="No").click()
    expect(new.get_by_text("the host said no")).to_be_visible()
    expect(new.get_by_text("I already have a seat")).to_be_visible()
    expect(old.locator(".asked")).to_have_count(0)
    expect(old.get_by_role("heading", name="Bob")).to_be_visible()


def test_a_phone_that_slept_wakes_to_its_seat_and_to_what_happened(
    served: Served, screens: Screens
) -> None:
    served.seat(4)
    phone = served.phone(2)
    expect(phone.get_by_role("heading", name="Cleo")).to_be_visible()
    screens.expect("ERR_|Failed to load")
    phone.context.set_offline(True)
    served.table.do(
        seats.move_person, Press(served.person(0), served.view.version), served.person(3), -3
    )
    phone.context.set_offline(False)
    expect(phone.locator("#order strong")).to_have_text(["Dan", "Ann", "Bob", "Cleo"])
    phone.reload()
    expect(phone.get_by_role("heading", name="Cleo")).to_be_visible()


def test_another_host_by_the_other_phones(served: Served) -> None:
    served.deal("soro")
    phones = [served.phone(seat) for seat in range(1, 4)]
    phones[0].get_by_text("Seats and phones").click()
    phones[0].get_by_role("button", name="Become the host").click()
    phones[0].get_by_role("dialog").get_by_role("button", name="Become the host").click()
    for phone in phones[1:]:
        phone.locator("#bid").get_by_role("button", name="Yes").click()
    expect(phones[0].get_by_text("You are the host now.")).to_be_visible()
    assert served.view.people[1].host


def test_who_leaves_a_game_is_played_from_the_hosts_phone(served: Served) -> None:
    served.deal("soro")
    host, leaver = served.phone(0), served.phone(1)
    leaver.get_by_text("Seats and phones").click()
    leaver.get_by_role("button", name="Leave the table").click()
    leaver.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
    expect(leaver.get_by_role("heading", name="Bang companion")).to_be_visible()
    expect(host.get_by_text("Bob has left")).to_be_visible()
    expect(host.get_by_role("button", name="Hold to see the role of Bob")).to_be_visible()


# Cards that are entered


def enter(page: Page, seat: int, role: Role, character: str) -> None:
    """Enter both cards of a seat, on the phone that is in its player's hand."""
    page.locator(f"#cards-{seat}").get_by_role("button", name="Enter your cards").click()
    sheet = page.locator(f"#enter-{seat}")
    sheet.locator("label", has=page.locator(f"[value={role}]")).click()
    sheet.get_by_label("Your character card").select_option(label=character)
    sheet.get_by_role("button", name="Confirm cards").click()
    expect(sheet).to_have_count(0)


def test_real_cards_are_entered_on_three_phones_and_one_that_is_passed(served: Served) -> None:
    served.seat(4, 3)
    host, *others = [served.phone(seat) for seat in range(3)]
    host.locator("#options summary").click()
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


def test_what_was_chosen_and_not_sent_is_gone_for_the_next_player(served: Served) -> None:
    served.seat(4, 1)
    served.dealer.characters = PLAIN
    served.table.do(rounds.choose, Press(served.person(0), served.view.version), "roles", "cards")
    served.table.do(rounds.start_game, Press(served.person(0), served.view.version))
    host = served.phone(0)
    host.locator("#cards-1").get_by_role("button", name="Enter your cards").click()
    sheet = host.locator("#enter-1")
    sheet.locator("label", has=host.locator("[value=outlaw]")).click()
    expect(sheet.locator(":checked")).to_have_count(1)
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()
    expect(sheet.locator(":checked")).to_have_count(0)


def test_the_page_of_others_leaves_a_half_entered_sheet_alone(served: Served) -> None:
    served.seat(4)
    served.dealer.characters = PLAIN
    served.table.do(rounds.choose, Press(served.person(0), served.view.version), "roles", "cards")
    served.table.do(rounds.start_game, Press(served.person(0), served.view.version))
    phone = served.phone(1)
    phone.get_by_role("button", name="Enter your cards").click()
    sheet = phone.locator("#enter-1")
    sheet.locator("label", has=phone.locator("[value=outlaw]")).click()
    number = served.table.view(1).dealing.round
    served.table.do(rounds.enter, Press(served.person(0)), 0, Role.SHERIFF, None, number)
    expect(phone.locator("#entered li", has_text="ready")).to_have_count(1)
    expect(sheet.locator(":checked")).to_have_value("outlaw")
    expect(sheet).to_be_visible()


def test_one_of_two_characters_is_chosen_with_the_role_in_mind(served: Served) -> None:
    served.seat(3)
    served.dealer.roles = "dor"
    served.dealer.characters = ("paul_regret", "jourdonnais", "lucky_duke", "willy_the_kid",
                                "rose_doolan", "vulture_sam")  # fmt: skip
    served.table.do(
        rounds.choose, Press(served.person(0), served.view.version), "characters", "choice"
    )
    served.table.do(rounds.start_game, Press(served.person(0), served.view.version))
    for seat, name in enumerate(("Jourdonnais", "Lucky Duke", "Vulture Sam")):
        phone = served.phone(seat)
        hold = phone.get_by_role("button", name="Hold to see your role")
        hold.hover()
        phone.mouse.down()
        expect(phone.locator(f"#role-{seat} strong")).not_to_be_empty()
        phone.mouse.up()
        phone.get_by_role("button", name="Choose your character").click()
        phone.locator(f"#enter-{seat} label", has_text=name).click()
        phone.get_by_role("button", name="Keep this character").click()
        expect(phone.locator(f"#enter-{seat}")).to_have_count(0)
    assert served.view.phase is Phase.PLAYING


# Playing again


def test_one_tap_deals_again_to_the_same_phones(served: Served) -> None:
    served.deal("dor")
    host, other = served.phone(0), served.phone(1)
    while served.view.phase is Phase.PLAYING:
        served.roll("DDDAA")
    host.get_by_role("button", name="Play again").click()
    for page in (host, other):
        expect(page.get_by_role("list", name="The dice")).to_be_visible()
    assert served.view.game_number == 2


# Large text and many people


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
def test_eight_players_fit_on_a_narrow_phone(
    served: Served, screens: Screens, large: bool, language: str
) -> None:
    narrow = {"viewport": {"width": 320, "height": 640}, "locale": language}
    served.seat(8, 7)
    served.table.do(seats.bid, Press(served.person(1)))
    claim_seat(served.table, served.person(2), served.table.scene.code)
    host, other = served.phone(0, **narrow), served.phone(1, **narrow)
    new = screens.phone(f"{served.url}?code={served.table.scene.code}", **narrow)
    pages = {"host": host, "other": other, "new": new}
    for name, page in pages.items():
        expect(page.locator("[data-version]")).to_be_visible()
        fits(served, page, f"lobby-{name}-{language}", large)
    for option in ("roles", "characters"):
        served.table.do(
            rounds.choose, Press(served.person(0), served.view.version), option, "cards"
        )
    served.table.do(rounds.start_game, Press(served.person(0), served.view.version))
    expect(host.locator("#entered")).to_be_visible()
    fits(served, host, f"dealing-host-{language}", large)
    host.locator("#cards-7 > button.main").click()
    expect(host.locator("#enter-7")).to_be_visible()
    fits(served, host, f"entering-{language}", large)
    host.locator("#enter-7 .close").click()
    host.locator("#phones summary").click()
    fits(served, host, f"phones-{language}", large)


LINES = """
element => [...element.childNodes]
  .filter((node) => node.nodeType === Node.TEXT_NODE)
  .map((node) => {
    const words = node.data.matchAll(/[^\\s-]+-?/g);
    return [...words].filter(({ index, 0: word }) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
    }).length;
  })
  .reduce((one, other) => one + other, 0)
"""
"""How many words of an element are broken between two lines."""

LONG_NAMES = ("Maximilian", "Anne-Clementine", "Bartholom\u00e4us G.", "Clementine", "Dan", "Eve")


def test_no_name_breaks_within_a_word(served: Served) -> None:
    served.seat(1)
    for name in LONG_NAMES:
        served.table.do(seats.add_person, Press(served.person(0), served.view.version), name)
    host, television = served.phone(0), served.television()

    def unbroken(pages: dict[str, Page]) -> None:
        for selector, page in pages.items():
            shown = page.locator(f"[data-version='{served.view.version}']")
            expect(shown).to_be_visible()
            for name in page.locator(selector).all():
                assert name.evaluate(LINES) == 0, (selector, name.inner_text())

    unbroken({"#order strong": host, ".place strong": television, ".invite .whole": host})
    served.dealer.roles, served.dealer.characters = "soorodd", PLAIN[:7]
    served.table.do(rounds.start_game, Press(served.person(0), served.view.version))
    unbroken({".players strong": host, ".place strong": television})
    # All distances stand beside their players, none below.
    below = """[...document.querySelectorAll(".players li")].filter((line) =>
      line.querySelector(".away").getBoundingClientRect().left < innerWidth / 2).length"""
    assert host.evaluate(below) == 0


def fits(served: Served, page: Page, name: str, large: bool) -> None:
    """Nothing is wider than the phone, and no button smaller than a finger."""
    if large:
        page.evaluate(LARGE)
    served.screens.shot(page, f"{name}{'-200' if large else ''}")
    assert overflow(page) <= 0, name
    small = page.evaluate(
        """[...document.querySelectorAll("button, summary, select, .grip")]
           .map((button) => [button.textContent.trim(), button.getBoundingClientRect()])
           .filter(([, box]) => box.width && (box.width < 44 || box.height < 44))
           .map(([text]) => text)"""
    )
    assert small == [], name


def test_the_host_chooses_edition_and_house_rules(served: Served, screens: Screens) -> None:
    served.seat(4)
    host, guest = served.phone(0), served.phone(1)
    host.locator("#rules summary").click()
    host.get_by_role("button", name="The Walking Dead").click()
    expect(guest.get_by_text("Rules: The Walking Dead")).to_be_visible()
    arrows = host.locator("[data-with*=one_arrow_a_turn]")
    arrows.click()
    expect(guest.get_by_text("Rules: The Walking Dead, one house rule")).to_be_visible()
    expect(arrows).to_have_attribute("aria-pressed", "true")
    # It stays open, so that several can be chosen.
    screens.shot(host, "lobby-rules", full_page=True)
    served.dealer.roles, served.dealer.characters = "soro", PLAIN
    host.locator("[data-press='/game/start']").click()
    expect(guest.get_by_text("Leader").first).to_be_visible()
