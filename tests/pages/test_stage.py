"""What happens at the table plays on the television: once, in order, never late, never untrue."""

import re
from pathlib import Path

import pytest
from browser import pace
from playwright.sync_api import Page, expect
from served import Served
from stand_ins import PLAIN, reading

from companion.games.cards.rules.moves import Play
from companion.games.cards.rules.titles import Title
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Action, Beer
from companion.table import moves, rounds
from companion.table.changes import Press
from companion.table.scene import Phase
from companion.table.surface.cards import laying
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayMark

STAGE = Path(__file__).with_name("stage.js").read_text("utf-8")


@pytest.fixture
def television(served: Served) -> Page:
    served.deal("soro", "lucky_duke", "el_gringo")
    return watched(served.television())


def watched(page: Page) -> Page:
    """Keep what a page plays, ten times as slow: it can be looked at on a busy machine."""
    expect(page.locator("main [data-version]").first).to_be_attached()
    page.evaluate(STAGE)
    pace(page, 0.1)
    return page


def kinds(page: Page) -> list[str]:
    return page.evaluate("played.map(([kind]) => kind)")


def numbers(page: Page) -> list[int]:
    played = page.evaluate("played.map(([, numbers]) => numbers)")
    return [int(number) for step in played for number in step.split()]


def wait(page: Page, *expected: str) -> None:
    """Wait until exactly this was played, and the stage is empty again."""
    page.wait_for_function("playedAll", arg=len(expected), polling=20)
    assert kinds(page) == list(expected)


def begun(page: Page, kind: str) -> None:
    """Wait until this is being played, and hold it."""
    page.wait_for_selector(f"#stage[data-kind={kind}] > *", state="attached")
    page.evaluate("hold()")


def test_what_happens_is_played_once_and_in_order(served, television):
    dice = served.dice("A11BB")
    served.table.see(reading("ok", dice))
    served.table.press_green()
    wait(television, "arrows")
    # Nothing new: the dice are touched, and put back.
    served.table.see(reading("moving"))
    expect(television.locator(".die.rolling").first).to_be_visible()
    served.table.see(reading("ok", dice))
    served.table.press_red()
    assert served.view.question.action is Action.SHOOT
    served.shoot(1, 3)
    # El Gringo's attacker takes an arrow; then come the beers.
    wait(television, "arrows", "shots", "arrows")
    served.do(moves.move, Beer(0, (1, 3)))
    wait(television, "arrows", "shots", "arrows", "gain", "turn")
    played = numbers(television)
    assert played == sorted(set(played))
    story = served.view.story
    assert len(story) == played[-1]


def test_a_page_that_loads_in_the_middle_plays_nothing_old(served, television):
    served.roll("AA1BB")
    begun(television, "arrows")
    television.reload()
    watched(television)
    expect(television.locator("[data-seat='0'] .arrows")).to_have_attribute("data-has", "2")
    served.table.press_red()
    served.shown_on(television)
    served.shoot(3)
    wait(television, "shots")


def test_an_undo_ends_what_is_played_and_nothing_comes_twice(served, television):
    served.roll("AA1BB")
    begun(television, "arrows")
    served.undo()
    expect(television.locator("[data-seat='0'] .arrows")).to_have_count(0)
    wait(television, "arrows", "undone")
    served.roll("A11BB")
    wait(television, "arrows", "undone", "arrows")
    assert numbers(television)[-1] == len(served.view.story)
    assert len(set(numbers(television))) == len(numbers(television))


def test_an_undo_runs_back_what_was_told_before_the_page_shows_it(served, television):
    served.roll("AA1BB")
    begun(television, "arrows")
    television.evaluate("goOn()")
    arrows = television.locator("[data-seat='0'] .arrows")
    expect(arrows).to_have_attribute("data-has", "2")
    wait(television, "arrows")
    served.undo()
    begun(television, "undone")
    expect(television.locator("#stage .face.arrow")).to_have_count(2)
    expect(arrows).to_have_attribute("data-has", "2")
    television.evaluate("goOn()")
    wait(television, "arrows", "undone")
    expect(arrows).to_have_count(0)


def test_a_press_that_tells_nothing_never_waits_for_an_undo(served, television):
    for _ in range(2):
        served.roll("11BBB")
        served.shown_on(television)
        served.undo()
        # Nothing runs back, not even the undo before.
        begun(television, "undone")
        served.shown_on(television)
        served.roll("11BBB")
        served.shown_on(television)
        expect(television.locator("#stage")).to_have_attribute("data-kind", "undone")
        served.undo()
        television.evaluate("goOn()")


def test_an_arrow_of_the_walking_dead_is_a_walker(served):
    served.play_by("walking-dead")
    served.deal("soro")
    television = watched(served.television())
    served.roll("A11BB")
    begun(television, "arrows")
    stage = television.locator("#stage.walking-dead")
    assert (
        stage.evaluate("(all) => getComputedStyle(all).getPropertyValue('--walking-dead')")
        == "inline"
    )


def test_a_new_game_begins_with_the_deal(served):
    served.seat(4)
    television = watched(served.television())
    served.dealer.roles, served.dealer.characters = "soro", PLAIN
    served.do(rounds.start_game)
    begun(television, "deal")
    # A card for each player; the Sheriff's alone turns over.
    expect(television.locator("#stage .sprite-card.back")).to_have_count(4)
    expect(television.locator("#stage .sprite-card:not(.back)")).to_have_count(1)
    television.evaluate("goOn()")
    wait(television, "deal")
    told = television.locator("#told li").first
    expect(told).to_have_text("Everybody: look at your role.")
    expect(television.locator("[data-seat='0'] .role.sheriff")).to_be_visible()
    served.roll("A11BB")
    expect(told).not_to_have_text("Everybody: look at your role.")


def test_thrown_dice_tumble_in_and_a_corrected_one_turns_over(served, television):
    dice = served.dice("A11BB")
    served.table.see(reading("ok", dice))
    served.shown_on(television)
    tumbling(television, 0, 1, 2, 3, 4)
    press = Press(served.person(0), served.view.version, served.view.reading)
    served.table.do(rolling.mark, press, 2, TrayMark(face=Face.BEER))
    served.shown_on(television)
    tumbling(television, 2)
    # What the camera saw, what was read, and who said so.
    proof = television.locator(".tray .die:nth-child(3) .proof")
    expect(proof.locator("img")).to_have_attribute("src", "/corrections/1-1-2.jpg")
    expect(proof.locator(".face.bullseye1")).to_be_attached()
    expect(television.locator("#told li").first).to_contain_text("Ann changed die 3")
    # Each time large at first.
    television.wait_for_function("shownLarge")
    press = Press(served.person(0), served.view.version, served.view.reading)
    served.table.do(rolling.mark, press, 2, TrayMark(face=Face.GATLING))
    served.shown_on(television)
    television.wait_for_function("shownLarge")
    tumbling(television, 2)
    served.table.press_green()
    wait(television, "arrows")
    served.shown_on(television)
    expect(television.locator(".proof")).to_have_count(0)
    served.table.see(reading("ok", dice[:3] + served.dice("BBBAG")[3:]))
    served.shown_on(television)
    tumbling(television, 3, 4)


def tumbling(page: Page, *dice: int) -> None:
    """Wait until these dice move, and no others, and let them settle."""
    page.wait_for_function("tumbling", arg=dice)


def test_the_page_tells_nothing_before_it_is_seen_to_happen(served, television):
    served.throw_and_stop("1111D")
    before, turn = served.view.game.players[3].life, served.view.game.turn
    expect(television.locator("[data-seat='3'] .number")).to_have_text(str(before))
    served.shoot(3, 3, 3, 3)
    assert served.view.game.turn != turn
    begun(television, "shots")
    assert television.evaluate("moved()") == ["opacity", "transform"], "no frame needs the page"
    # The table goes on, and the picture waits.
    expect(television.locator("[data-seat='3'] .number")).to_have_text(str(before))
    expect(television.locator(f".place.turn[data-seat='{turn}']")).to_be_visible()
    television.evaluate("goOn()")
    left = str(served.view.game.players[3].life)
    expect(television.locator("[data-seat='3'] .number")).to_have_text(left)
    begun(television, "turn")
    expect(television.locator(f".place.turn[data-seat='{turn}']")).to_be_visible()
    television.evaluate("goOn()")
    wait(television, "shots", "turn")
    served.shown_on(television)
    expect(television.locator(f".place.turn[data-seat='{served.view.game.turn}']")).to_be_visible()


def test_a_story_that_falls_far_behind_is_cut(served, television):
    served.roll("A11BB")
    begun(television, "arrows")
    for _ in range(14):
        served.play_on("AAGBB")
    # What is told is at most one move behind.
    expect(television.locator("#stage")).not_to_have_attribute("data-kind", "arrows")
    # In its own time, by which it is cut.
    pace(television, 1)
    served.shown_on(television)
    # Each of 15 rolls took arrows. A page may tell of several that came before it was sent.
    assert kinds(television).count("arrows") < 12


def test_silence_never_waits(served, television):
    served.roll("A11BB")
    begun(television, "arrows")
    served.do(rounds.mute, True)
    expect(television.locator("[data-version][data-muted]")).to_be_attached()
    assert kinds(television) == ["arrows"]


def test_who_wants_no_motion_sees_a_still_frame_instead(served):
    served.deal("soro", "lucky_duke")
    television = watched(served.television(reduced_motion="reduce"))
    served.roll("AA1BB")
    # All in the page: the frame doesn't stay.
    frames = television.wait_for_function("arrowsEmphasized").json_value()
    assert frames[0] == pytest.approx(frames[1], abs=1)
    assert television.evaluate("document.getAnimations().length") == 0
    # What the page shows at once is not told on it again.
    served.shown_on(television)
    told = television.locator("#told li").all_inner_texts()
    wait(television, "arrows")
    assert television.locator("#told li").all_inner_texts() == told
    expect(television.locator("[data-seat='0'] .arrows")).to_have_attribute("data-has", "2")
    served.table.press_red()
    served.shoot(3)
    television.wait_for_function(
        "() => [...document.querySelectorAll('.emphasis')].at(-1)?.textContent === '−1'"
    )
    assert television.evaluate("document.getAnimations().length") == 0
    wait(television, "arrows", "shots")


def test_without_motion_no_older_page_comes_back(served):
    served.deal("soro")
    television = watched(served.television(reduced_motion="reduce"))
    served.roll("A11BB")
    television.wait_for_selector("#stage[data-kind=arrows] > *", state="attached")
    # A page on which nothing happens, and one more on which something does.
    served.table.see(reading("ok", served.dice("A1GBB")))
    served.shown_on(television)
    served.table.press_green()
    wait(television, "arrows", "arrows")
    served.shown_on(television)
    assert television.locator(".television").get_attribute("data-version") == str(
        served.view.version
    )


def test_what_cant_be_played_holds_up_no_page(served, television):
    served.screens.expect("for a test")
    television.evaluate("() => { Element.prototype.animate = () => { throw 'for a test'; }; }")
    for dice in ("AA1BB", "A11BB"):
        served.roll(dice)
        served.shown_on(television)


def test_a_card_that_turns_over_shows_the_role_of_the_fallen_player(served, television):
    served.throw_and_stop("1111G")
    served.shoot(3, 3, 3, 3)
    while served.view.game.turn:
        served.throw_and_stop("GGDDA")
    television.reload()
    watched(television)
    served.throw_and_stop("1111G")
    served.shoot(3, 3, 3, 3)
    assert not served.view.game.players[3].alive
    begun(television, "shots")
    expect(television.locator("[data-seat='3'] .role")).to_have_count(0)
    television.evaluate("goOn()")
    begun(television, "death")
    expect(television.locator("#stage .card-back")).to_have_text("Outlaw")
    television.evaluate("goOn()")
    wait(television, "shots", "death", "turn")


def test_a_shot_flies_once_nobody_answered_the_card(card_table):
    card_table.deal_cards("sroo")
    television = watched(card_table.television())
    card_table.make(Play(0, Title.BANG, 1))
    begun(television, "card")
    expect(television.locator("#stage .laid-card")).to_be_attached()
    television.evaluate("goOn()")
    expect(television.locator("[data-seat='1'] .open-card")).to_be_visible()
    card_table.tap("pass")
    begun(television, "shots")
    expect(television.locator("#stage .tip")).to_be_attached()
    television.evaluate("goOn()")
    expect(television.locator(".open-card")).to_have_count(0)


def test_a_card_is_named_as_soon_as_it_is_read_while_another_is_played(card_table):
    card_table.deal_cards("sroo")
    television = watched(card_table.television())
    card_table.make(Play(0, Title.STAGECOACH))
    begun(television, "card")
    card_table.make(Play(0, Title.WELLS_FARGO))
    told = television.locator("#told li")
    expect(told.first).to_have_text("Ann plays Wells Fargo.")
    expect(television.locator("#stage .laid-card use[href$=stagecoach]")).to_be_attached()
    television.evaluate("goOn()")
    wait(television, "card", "draw", "card", "draw")
    expect(told.filter(has_text="Ann plays Wells Fargo.")).to_have_count(1)


def test_a_corrected_card_is_shown_as_the_camera_saw_it_with_who_said_so(card_table):
    card_table.deal_cards("sroo")
    card_table.watch()
    card_table.lay("stagecoach")
    television = watched(card_table.television())
    card_table.do(laying.retitle, 1, "wells_fargo")
    begun(television, "corrected")
    cards = television.locator("#stage .laid-card")
    picture = re.compile(r"/card/1-\d+\.jpg")
    expect(cards.locator("img")).to_have_attribute("src", picture)
    expect(cards.locator("use")).to_have_count(2)
    expect(television.locator("#told li").first).to_have_text(
        "Ann corrects what Ann played: Wells Fargo, not Stagecoach."
    )
    wait(television, "corrected")


def test_the_end_comes_after_what_led_to_it_and_is_still_there_after_a_reload(served):
    served.deal("dor", "lucky_duke")
    television = watched(served.television())
    while served.view.phase is Phase.PLAYING:
        assert television.locator(".poster, .award").count() == 0
        served.play_on("1111D")
    winners = served.view.standing.outcome.winners
    # What led to it comes first.
    television.wait_for_selector("#stage[data-kind] > *", state="attached")
    television.evaluate("hold()")
    expect(television.locator(".over, .winner, .poster")).to_have_count(0)
    television.wait_for_function("() => document.querySelector('.poster') || void goOn()")
    expect(television.locator(".poster")).to_have_count(len(winners))
    television.wait_for_function("() => finale().length > 0")
    # Posters, then awards.
    delays = television.evaluate("finale().map(({ effect }) => effect.getTiming().delay)")
    assert delays == sorted(delays)
    television.evaluate("goOn()")
    expect(television.locator(".poster strong")).to_have_text(
        [served.view.people[seat].name for seat in winners]
    )
    # In the end, who shot whom is shown in the place of all that.
    assert television.evaluate("uncovered()") == 0
    # Two awards stand in the middle, as three do.
    assert abs(television.evaluate("aside()")) < 1
    television.evaluate("document.querySelectorAll('.award + .award + *').forEach(e => e.remove())")
    assert abs(television.evaluate("aside()")) < 1
    television.reload()
    watched(television)
    expect(television.locator(".award").first).to_be_visible()
    assert television.evaluate("finale()") == []
    served.undo()
    expect(television.locator(".poster, .award")).to_have_count(0)
