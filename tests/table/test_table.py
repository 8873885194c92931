"""The running table: presses, phones, readings, undo, and what each of them is refused."""

import os
import random
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from people import join
from stand_ins import Dealer, Die, dice_game, played_unseen, reading

from companion import __version__
from companion.games.common.endings import Side
from companion.games.dice.players import random_move
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Action, Beer, Roll, Shoot, Shot, Stop
from companion.games.dice.rules.reasons import Reason, refuse
from companion.games.dice.rules.record import Origin, parse_origin, replay
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.odds import Odds
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats
from companion.table.changes import Press, person_of
from companion.table.history import Undone
from companion.table.journal.journal import BACKUP, FILE, WITNESS, Journal, JournalError
from companion.table.past.past_games import record_of
from companion.table.scene import CameraStatus, Phase, Signal, SimulatedTray, Trouble
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import Mark, Status, TrayDie
from companion.table.table import Problem, Refused, Table
from companion.table.views import all_roles, role_at

CAMERA = CameraStatus("test")


def dice(*faces, y=100.0):
    return [Die(face, 100.0 * (number + 1), y) for number, face in enumerate(faces)]


class Evening:
    """A table with people on phones; `phones` are persons, the first is the host."""

    camera = CAMERA

    def __init__(self, folder, people=4, phones=4, **options):
        self.folder, self.options = folder, options
        self.open()
        self.tokens = [join(self.table, f"P{n}", self.table.scene.code) for n in range(phones)]
        for number in range(phones, people):
            self.table.do(seats.add_person, Press(self.host, self.version), f"P{number}")

    def open(self, ruleset="base"):
        self.journal = Journal(self.folder)
        options = {"chance": random.Random(7)} | self.options
        self.table = Table(self.journal, GAMES, dice_game(ruleset), **options)
        self.table.watch(self.camera)

    def reopen(self):
        self.journal.close()
        self.open()

    @property
    def host(self):
        return self.table.view().people[0].id

    @property
    def version(self):
        return self.table.view().version

    def start(self):
        self.table.do(rounds.start_game, Press(self.host, self.version))
        return self

    @property
    def origin(self):
        return parse_origin(self.journal.saved.lines[0].body.encode())

    @property
    def turn(self):
        return self.table.view().game.turn

    def person(self, seat):
        return self.table.view().people[seat].id

    def roll(self, *faces, y=100.0):
        self.table.see(reading("ok", dice(*faces, y=y)))
        self.table.press_green()
        assert self.table.view().notice == ""


@pytest.fixture
def evenings(tmp_path):
    """Make evenings; their journals are closed in the end."""
    made = []

    def make(**options):
        made.append(Evening(tmp_path, **options))
        return made[-1]

    yield make
    for evening in made:
        evening.journal.close()


@pytest.fixture
def evening(evenings):
    return evenings(ask_always=True)


PLAIN = ("arrow", "beer", "gatling", "arrow", "beer")


def refusal(act, *arguments):
    with pytest.raises(Refused) as caught:
        act(*arguments)
    return caught.value.problem


# People


def test_the_first_to_join_is_the_host_and_needs_no_code(evenings):
    table = evenings(people=0, phones=0).table
    token = join(table, " Ann  Lee ", "")
    view = table.view(person_of(table.scene, token))
    assert (view.people[0].name, view.host) == ("Ann Lee", True)


def test_others_need_the_code_in_any_case(evening):
    assert refusal(join, evening.table, "Eve", "") is Problem.FORBIDDEN
    join(evening.table, "Eve", f" {evening.table.scene.code.lower()} ")


@pytest.mark.parametrize("name", ["", "   ", "x" * 21, "a\x00b", "p0", "P0"])
def test_names_are_short_and_distinct(evening, name):
    assert refusal(join, evening.table, name, evening.table.scene.code) is Problem.ILLEGAL


def test_eight_sit_at_a_table_and_a_ninth_waits(evenings):
    evening = evenings(people=8)
    join(evening.table, "Nine", evening.table.scene.code)
    assert len(evening.table.view().people) == 8
    assert [guest.name for guest in evening.table.view().requests.queue] == ["Nine"]


def test_only_the_host_orders_the_seats(evening):
    table = evening.table
    order = [person.name for person in table.view().people]
    assert order == ["P0", "P1", "P2", "P3"]
    table.do(seats.move_person, Press(evening.host, evening.version), evening.person(3), -2)
    assert [person.name for person in table.view().people] == ["P0", "P3", "P1", "P2"]
    guest = evening.person(1)
    for act in (
        lambda: table.do(seats.move_person, Press(guest, evening.version), guest, 1),
        lambda: table.do(seats.add_person, Press(guest, evening.version), "Eve"),
        lambda: table.do(seats.remove_person, Press(guest, evening.version), evening.host),
        lambda: table.do(rounds.start_game, Press(guest, evening.version)),
        lambda: table.do(rounds.new_game, Press(guest, evening.version)),
    ):
        assert refusal(act) is Problem.FORBIDDEN


def test_a_token_opens_one_seat_and_no_other_token_does(evening):
    assert [person_of(evening.table.scene, token) for token in evening.tokens] == [1, 2, 3, 4]
    assert person_of(evening.table.scene, "") is None
    assert person_of(evening.table.scene, evening.tokens[0] + "x") is None


def test_tokens_are_saved_as_digests_only(evening):
    files = (path for path in evening.folder.rglob("*") if path.is_file())
    content = b"".join(path.read_bytes() for path in files)
    assert not any(token.encode() in content for token in evening.tokens)


def test_two_players_are_too_few(evenings):
    evening = evenings(people=2, phones=2)
    assert refusal(evening.start) is Problem.ILLEGAL


# Secrets


def test_a_view_holds_no_secret_role_not_even_ones_own(evening):
    evening.start()
    sheriff = evening.turn
    for person in (None, *(person.id for person in evening.table.view().people)):
        roles = [player.role for player in evening.table.view(person).game.players]
        assert roles[sheriff] is Role.SHERIFF
        assert roles.count(None) == 3


def test_a_role_is_told_to_its_owner_alone(evening):
    evening.start()
    roles = [role_at(evening.table.scene, evening.person(seat), seat) for seat in range(4)]
    assert sorted(roles) == ["outlaw", "outlaw", "renegade", "sheriff"]
    for person in (None, evening.person(0), evening.person(1)):
        assert refusal(role_at, evening.table.scene, person, 3) is Problem.FORBIDDEN


def test_the_role_of_a_seat_without_phone_is_looked_at_on_the_hosts(evenings):
    evening = evenings(phones=3).start()
    assert evening.table.view(evening.host).passed_around == (3,)
    assert isinstance(role_at(evening.table.scene, evening.host, 3), Role)
    assert refusal(role_at, evening.table.scene, evening.person(1), 3) is Problem.FORBIDDEN


def test_the_record_is_given_out_only_after_the_game(evening):
    evening.start()
    assert refusal(record_of, evening.table.scene) is Problem.FORBIDDEN


def test_the_record_says_when_the_game_began_and_under_which_version(evenings):
    times = iter(("2026-11-22T19:30:00Z", "2026-11-22T20:15:00Z"))
    evening = evenings(now=lambda: next(times)).start()
    evening.roll(*PLAIN)
    evening.table.do(moves.undo, Press(evening.host, evening.version))
    evening.reopen()
    assert evening.origin == Origin(__version__, "2026-11-22T19:30:00Z")
    evening.table.do(rounds.new_game, Press(evening.host, evening.version))
    evening.start()
    assert evening.origin == Origin(__version__, "2026-11-22T20:15:00Z")


def test_a_table_that_is_told_nothing_asks_the_clock(evening):
    evening.start()
    assert abs(datetime.fromisoformat(evening.origin.date) - datetime.now(UTC)) < timedelta(days=1)


# Dice and buttons


def test_green_accepts_what_the_camera_read(evening):
    evening.start()
    evening.table.see(reading("ok", dice(*PLAIN)))
    assert evening.table.scene.signal is Signal.CERTAIN
    evening.table.press_green()
    view = evening.table.view()
    assert view.game.dice == PLAIN
    assert (view.game.rolls, view.game.players[view.game.turn].arrows) == (1, 2)
    assert view.tray.status is Status.LYING


def test_a_bounced_green_button_accepts_once(evening):
    evening.start()
    evening.table.see(reading("ok", dice(*PLAIN)))
    evening.table.press_green()
    evening.table.press_green()
    assert evening.table.view().game.rolls == 1


def test_a_bounced_red_button_ends_one_turn(evening):
    evening.start()
    first = evening.turn
    evening.roll("arrow", "arrow", "gatling", "gatling", "arrow")
    evening.table.press_red()
    after = evening.table.view().game
    evening.table.press_red()
    assert evening.table.view().game == after
    assert after.turn != first or after.awaited_seat is not None


def test_only_thrown_dice_take_arrows_again(evening):
    evening.start()
    evening.roll(*PLAIN)
    evening.table.see(reading("ok", [*dice(*PLAIN)[:4], Die("arrow", 500, 300)]))
    evening.table.press_green()
    game = evening.table.view().game
    assert (game.rolls, game.players[game.turn].arrows) == (2, 3)


@pytest.mark.parametrize(
    ("verdict", "signal"),
    [
        ("moving", Signal.WAITING),
        ("empty", Signal.WAITING),
        ("count", Signal.ILLEGAL),
        ("cocked", Signal.ILLEGAL),
        ("blocked", Signal.ILLEGAL),
        ("too_near", Signal.ILLEGAL),
    ],
)
def test_what_is_no_reading_is_not_accepted(evening, verdict, signal):
    evening.start()
    evening.table.see(reading(verdict, dice("beer", "beer")))
    assert evening.table.scene.signal is signal
    evening.table.press_green()
    view = evening.table.view()
    assert view.game.rolls == 0
    assert view.notice != ""


def test_an_uncertain_die_is_settled_by_one_tap_of_the_player_whose_turn_it_is(evening):
    evening.start()
    uncertain = [Die("beer", 100, sure=False, likely=("beer", "gatling")), *dice(*PLAIN)[1:]]
    evening.table.see(reading("unsure", uncertain))
    assert evening.table.scene.signal is Signal.UNCERTAIN
    evening.table.press_green()
    view = evening.table.view()
    assert view.game.rolls == 0
    player, other = evening.person(evening.turn), evening.person((evening.turn + 1) % 4)
    now, mark = (view.version, view.reading), (0, Mark(face=Face.GATLING))
    if other != evening.host:
        pressed = Press(other, *now)
        assert refusal(evening.table.do, rolling.mark, pressed, *mark) is Problem.FORBIDDEN
    evening.table.do(rolling.mark, Press(player, *now), *mark)
    assert evening.table.scene.signal is Signal.CERTAIN
    evening.table.press_green()
    assert evening.table.view().game.dice[0] is Face.GATLING


def test_a_correction_outlives_a_second_look_at_the_same_dice_but_not_a_throw(evening):
    evening.start()
    evening.table.see(reading("ok", dice(*PLAIN)))
    view = evening.table.view()
    evening.table.do(
        rolling.mark, Press(evening.host, view.version, view.reading), 1, Mark(face=Face.DYNAMITE)
    )
    evening.table.see(reading("moving"))
    evening.table.see(reading("ok", [Die(d.face, d.x + 2) for d in dice(*PLAIN)]))
    assert evening.table.view().tray.dice[1].face == Face.DYNAMITE
    evening.table.see(reading("ok", dice(*PLAIN, y=300)))
    assert evening.table.view().tray.dice[1].face == Face.BEER


def corrected(evening, number, face):
    view = evening.table.view()
    evening.table.do(
        rolling.mark, Press(evening.host, view.version, view.reading), number, Mark(face=face)
    )


def test_corrected_dice_that_still_lie_there_are_no_roll_of_the_next_player(evening):
    evening.start()
    evening.table.see(reading("ok", dice("arrow", "arrow", "gatling", "arrow", "arrow")))
    corrected(evening, 0, Face.GATLING)
    evening.table.press_green()
    evening.table.press_red()
    assert evening.table.view().game.rolls == 0, "the next player's turn"
    for _ in range(2):
        assert evening.table.view().tray.status is Status.LYING
        evening.table.see(reading("moving"))
        evening.table.see(reading("ok", dice("arrow", "arrow", "gatling", "arrow", "arrow")))


def test_a_corrected_die_that_is_kept_stays_kept(evening):
    evening.start()
    evening.table.see(reading("ok", dice(*PLAIN)))
    corrected(evening, 1, Face.GATLING)
    evening.table.press_green()
    for reopen in (False, True):
        if reopen:
            evening.reopen()
        evening.table.see(reading("ok", [*dice(*PLAIN)[:4], Die("arrow", 500, 300)]))
        shown = evening.table.view().tray.dice
        assert [die.thrown for die in shown] == [False] * 4 + [True]
        assert shown[1].face is Face.GATLING


def test_dice_said_by_hand_are_no_new_roll_once_the_camera_sees_them(evening):
    evening.start()
    evening.table.see(reading("count", dice("arrow", "gatling", "gatling", "arrow")))
    evening.table.do(rolling.enter_by_hand, Press(evening.host, evening.version))
    corrected(evening, 4, Face.ARROW)
    evening.table.press_green()
    assert evening.table.view().game.rolls == 1
    evening.table.see(reading("moving"))
    evening.table.see(reading("count", dice("arrow", "gatling", "gatling", "arrow")))
    assert evening.table.view().tray.status is Status.LYING


def test_dice_kept_beside_the_tray_are_asked_for_and_take_no_arrows(evening):
    evening.start()
    evening.roll("arrow", "arrow", "beer", "gatling", "gatling")
    evening.table.see(reading("count", dice("arrow", "beer", "beer", y=300)))
    view = evening.table.view()
    assert (view.tray.status, view.signal) == (Status.BESIDE, Signal.UNCERTAIN)
    evening.table.press_green()
    assert "beside the tray" in str(evening.table.view().notice)
    other = evening.person((evening.turn + 1) % 4)
    kept, now = view.tray.choices[0], (evening.version, view.reading)
    if other != evening.host:
        pressed = Press(other, *now)
        assert refusal(evening.table.do, rolling.keep_beside, pressed, kept) is Problem.FORBIDDEN
    host = Press(evening.host, *now)
    assert refusal(evening.table.do, rolling.keep_beside, host, (0, 1, 2)) is Problem.ILLEGAL
    assert [view.game.dice[die] for die in kept] == ["arrow", "arrow"]
    evening.table.do(rolling.keep_beside, host, kept)
    evening.table.press_green()
    game = evening.table.view().game
    assert (game.rolls, game.dice) == (2, ("arrow", "arrow", "arrow", "beer", "beer"))
    assert game.players[game.turn].arrows == 3
    for _ in range(2):
        assert evening.table.view().tray.status is Status.LYING
        evening.reopen()
        evening.table.see(reading("count", dice("arrow", "beer", "beer", y=300)))


def numbered(*seen):
    return [replace(die, number=number) for number, die in enumerate(seen)]


def test_a_kept_die_that_was_bumped_is_asked_about(evening):
    evening.start()
    evening.roll(*PLAIN)
    lying = numbered(*dice(*PLAIN))
    evening.table.see(reading("moving"))
    evening.table.see(reading("count", lying[:3]))
    assert evening.table.view().tray.status is Status.PICKED_UP
    bumped = Die("arrow", 320, 160, number=2)
    evening.table.see(reading("moving"))
    evening.table.see(
        reading("ok", [*lying[:2], bumped, Die("beer", 500, 300), Die("beer", 600, 300)])
    )
    view = evening.table.view()
    assert (view.tray.status, view.tray.dice[2].face) == (Status.UNSURE, "gatling")
    evening.table.do(
        rolling.mark, Press(evening.host, view.version, view.reading), 2, Mark(thrown=False)
    )
    evening.table.press_green()
    game = evening.table.view().game
    assert game.dice[:3] == ("arrow", "beer", "gatling")
    assert game.players[game.turn].arrows == 2, "the bumped die was not thrown"


def test_dynamite_thrown_again_is_refused_with_the_reason(evening):
    evening.start()
    evening.roll("dynamite", *PLAIN[1:])
    evening.table.see(reading("ok", [Die("beer", 700), *dice(*PLAIN)[1:]]))
    evening.table.press_green()
    assert evening.table.view().notice == refuse(Reason.DYNAMITE_STAYS, die=0)
    assert evening.table.view().game.rolls == 1


def test_dice_by_hand_without_a_camera(evening):
    evening.start()
    evening.table.watch(CameraStatus("none", "usb:0: unplugged"))
    assert evening.table.view().camera.fault == "usb:0: unplugged"
    for number, face in enumerate(PLAIN):
        view = evening.table.view()
        evening.table.do(
            rolling.mark,
            Press(evening.host, view.version, view.reading),
            number,
            Mark(face=Face(face)),
        )
    evening.table.press_green()
    assert evening.table.view().game.dice == PLAIN


def test_what_the_camera_cannot_count_is_taken_by_hand_until_it_is_accepted(evening):
    evening.start()
    table = evening.table
    table.see(reading("count", dice("beer", "beer", "gatling", "arrow")))
    assert table.view().tray.status is Status.COUNT
    table.do(rolling.enter_by_hand, Press(evening.host, evening.version))
    assert table.view().tray.status is Status.INCOMPLETE
    table.see(reading("moving"))
    table.see(reading("count", dice("beer", "beer", y=300)))
    view = table.view()
    assert [die.face for die in view.tray.dice] == ["beer", "beer", "gatling", "arrow", None]
    table.do(
        rolling.mark, Press(evening.host, view.version, view.reading), 4, Mark(face=Face.ARROW)
    )
    table.press_green()
    assert table.view().game.dice == ("beer", "beer", "gatling", "arrow", "arrow")
    table.see(reading("ok", dice(*PLAIN, y=500)))
    assert table.view().tray.status is Status.READY, "the next throw is the camera's again"


def test_a_camera_that_is_tried_again_in_vain_takes_nothing_away(evening):
    evening.start()
    fault = CameraStatus("none", "usb:0: unplugged")
    evening.table.watch(fault)
    corrected(evening, 0, Face.BEER)
    before = evening.table.view()
    evening.table.watch(fault)
    assert evening.table.view() == before
    assert before.tray.dice[0].face == Face.BEER


def test_a_listener_that_fails_does_not_undo_a_press(evening, caplog):
    evening.start()
    told = []

    def broken():
        raise OSError("no such pin")

    evening.table.follow(lambda *_: broken())
    evening.table.follow(lambda *_: told.append(evening.version))
    evening.roll(*PLAIN)
    assert evening.table.view().game.rolls == 1
    assert told
    assert "no such pin" in caplog.text


def test_a_stale_press_changes_nothing(evening):
    evening.start()
    evening.table.see(reading("ok", dice(*PLAIN)))
    view = evening.table.view()
    evening.table.see(reading("ok", dice(*reversed(PLAIN), y=300)))
    stale = Press(evening.host, view.version, view.reading)
    assert refusal(evening.table.do, rolling.accept, stale) is Problem.STALE
    evening.table.press_green()
    assert (
        refusal(evening.table.do, rolling.stop, Press(evening.host, view.version)) is Problem.STALE
    )
    assert evening.table.view().game.rolls == 1


def test_of_many_phones_at_once_one_is_first(evening):
    evening.start()
    evening.roll(*PLAIN)
    view = evening.table.view()
    answers = []

    def press():
        try:
            evening.table.do(rolling.stop, Press(evening.host, view.version))
            answers.append("done")
        except Refused as refused:
            answers.append(refused.problem)

    threads = [threading.Thread(target=press) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["done"] + [Problem.STALE] * 15


# Decisions


def ready_to_drink(evening):
    """The Sheriff has a beer to give and nothing else to decide."""
    evening.start()
    evening.roll("arrow", "arrow", "beer", "gatling", "arrow")
    evening.table.press_red()
    view = evening.table.view()
    assert view.question.action is Action.BEER
    return view


def test_a_decision_is_made_on_its_owners_phone_alone(evening):
    view = ready_to_drink(evening)
    seat = view.question.seat
    move = Beer(seat, (seat,))
    for other in range(4):
        if other != seat:
            person = evening.person(other)
            assert (
                refusal(evening.table.do, moves.move, Press(person, view.version), move)
                is Problem.FORBIDDEN
            )
    assert (
        refusal(evening.table.do, moves.move, Press(None, view.version), move) is Problem.FORBIDDEN
    )
    evening.table.do(moves.move, Press(evening.person(seat), view.version), move)


def test_the_host_decides_for_a_seat_without_phone(evenings):
    evening = evenings(phones=1, ask_always=True)
    view = ready_to_drink(evening)
    evening.table.do(
        moves.move,
        Press(evening.host, view.version),
        Beer(view.question.seat, (view.question.seat,)),
    )
    assert evening.table.view().game.turn != view.game.turn


def test_an_illegal_decision_is_refused_with_the_reason(evening):
    view = ready_to_drink(evening)
    seat = view.question.seat
    person = evening.person(seat)
    with pytest.raises(Refused, match="there are 1 beers to drink, not 2"):
        evening.table.do(moves.move, Press(person, view.version), Beer(seat, (seat, seat)))
    assert evening.table.view() == view


def test_what_the_rules_refuse_is_refused_in_their_words(evening):
    view = ready_to_drink(evening)
    seat = view.question.seat
    with pytest.raises(Refused) as caught:
        evening.table.do(
            moves.move, Press(evening.person(seat), view.version), Beer(seat, (seat, seat))
        )
    assert caught.value.reason == refuse(Reason.BEERS_LEFT, beers=1, count=2)
    evening.table.press_red()
    notice = evening.table.view().notice
    assert notice.reason is Reason.NOT_AWAITED
    assert str(notice) == "expected beer, not stop"


def test_dice_that_cannot_be_picked_up_are_refused_by_the_rules(evening):
    evening.start()
    evening.table.watch(CameraStatus("simulated", tray=SimulatedTray()))
    evening.roll("dynamite", *PLAIN[1:])
    for die, reason in ((0, "die 0 shows dynamite"), (5, "0 to 4"), (-1, "0 to 4")):
        with pytest.raises(Refused, match=reason):
            evening.table.do(rolling.pick, Press(evening.host, evening.version), die)
    evening.table.do(rolling.pick, Press(evening.host, evening.version), 1)
    assert evening.table.view().picked == {1}


def test_dice_are_never_taken_from_a_phone(evening):
    evening.start()
    seat = evening.turn
    roll = Roll(seat, (Face.BEER,) * 5)
    assert (
        refusal(evening.table.do, moves.move, Press(evening.person(seat), evening.version), roll)
        is Problem.ILLEGAL
    )


def last_two(evening):
    """A game of three, in which the first shot the second, who was not their prey."""
    evening.start()
    assert evening.turn == 0
    while evening.table.view().game.players[1].alive:
        seat = evening.turn
        evening.roll(*["beer" if seat else "bullseye1"] * 5, y=100 + 10 * evening.version)
        evening.table.press_red()
        shots = tuple(Shot(die, 1) for die in range(5))
        move = Beer(seat, (0,) * 5) if seat else Shoot(0, shots)
        evening.table.do(moves.move, Press(evening.person(seat), evening.version), move)
    assert evening.turn == 2


def test_where_one_answer_is_legal_nobody_is_asked(evenings):
    evening = evenings(people=3, phones=3, chance=Dealer("dor"))
    last_two(evening)
    life = evening.table.view().game.players[0].life
    evening.roll("bullseye1", "arrow", "gatling", "gatling", "arrow", y=50)
    evening.table.press_red()
    view = evening.table.view(evening.host)
    assert (view.game.turn, view.game.players[0].life) == (0, life - 1)
    evening.table.do(moves.undo, Press(evening.host, view.version))
    game = evening.table.view().game
    assert (game.turn, game.rolls, game.players[0].life) == (2, 1, life)


def test_a_setting_asks_anyway(evenings):
    evening = evenings(people=3, phones=3, chance=Dealer("dor"), ask_always=True)
    last_two(evening)
    evening.roll("bullseye1", "arrow", "gatling", "gatling", "arrow", y=50)
    evening.table.press_red()
    assert evening.table.view().question.action is Action.SHOOT


# Too many, too few


def test_what_is_no_die_is_left_out_until_the_dice_move(evening):
    evening.start()
    six = [*dice(*PLAIN), Die("gatling", 700, 300)]
    evening.table.see(reading("count", six))
    view = evening.table.view()
    assert (view.tray.status, len(view.tray.counted)) == (Status.COUNT, 6)
    turn = evening.person(view.game.turn)
    evening.table.do(rolling.leave_out, Press(turn, view.version, view.reading), 5)
    view = evening.table.view()
    assert (view.tray.status, view.tray.counted) == (Status.READY, ())
    assert tuple(die.face for die in view.tray.dice) == PLAIN
    # The camera says the same again, as when the light changes a little.
    evening.table.see(reading("unsure", [*dice(*PLAIN), Die("gatling", 701, 300, sure=False)]))
    assert evening.table.view().tray.status is Status.READY
    evening.table.see(reading("moving"))
    evening.table.see(reading("count", [*dice(*PLAIN, y=300.0), Die("gatling", 700, 300)]))
    assert evening.table.view().tray.status is Status.COUNT


def test_a_die_that_the_camera_misses_is_added(evening):
    evening.start()
    evening.table.see(reading("count", dice(*PLAIN[:3])))
    view = evening.table.view()
    turn = evening.person(view.game.turn)
    for face in (Face.DYNAMITE, Face.BEER):
        now = evening.table.view()
        evening.table.do(rolling.add, Press(turn, now.version, now.reading), face)
    view = evening.table.view()
    assert tuple(die.face for die in view.tray.dice) == (*PLAIN[:3], "dynamite", "beer")
    assert (
        refusal(evening.table.do, rolling.add, Press(turn, view.version, view.reading), Face.BEER)
        is Problem.ILLEGAL
    )
    # What was added by mistake is taken away again.
    evening.table.do(rolling.leave_out, Press(turn, view.version, view.reading), 3)
    assert evening.table.view().tray.status is Status.COUNT
    now = evening.table.view()
    evening.table.do(rolling.add, Press(turn, now.version, now.reading), Face.GATLING)
    evening.table.press_green()
    game = evening.table.view().game
    assert game.dice == (*PLAIN[:3], "beer", "gatling")
    assert evening.table.view().tray.status is Status.LYING


def test_only_who_throws_says_how_many_dice_there_are(evening):
    evening.start()
    evening.table.see(reading("count", dice(*PLAIN[:4])))
    view = evening.table.view()
    other = next(seat for seat in range(1, 4) if seat != view.game.turn)
    theirs = Press(evening.person(other), view.version, view.reading)
    hosts = Press(evening.host, view.version, view.reading)
    do = evening.table.do
    assert refusal(do, rolling.add, theirs, Face.BEER) is Problem.FORBIDDEN
    assert refusal(do, rolling.leave_out, theirs, 0) is Problem.FORBIDDEN
    assert refusal(do, rolling.leave_out, hosts, 4) is Problem.ILLEGAL
    assert (
        refusal(evening.table.do, rolling.add, Press(evening.host, 0, 0), Face.BEER)
        is Problem.STALE
    )


# Undo


def test_undo_takes_back_the_last_press_and_says_so(evening):
    evening.start()
    before = evening.table.view().game
    evening.roll(*PLAIN)
    evening.table.do(moves.undo, Press(evening.host, evening.version))
    view = evening.table.view()
    assert view.game == before
    assert view.story[-1] == Undone(1, by=0, whose=evening.turn, action=Action.ROLL)
    assert evening.table.view(evening.host).to_undo is None
    assert view.tray.status is Status.READY, "the dice still lie there and are asked for again"
    evening.table.press_green()
    assert evening.table.view().game.rolls == 1


def test_undo_goes_back_to_the_start_of_the_game_and_no_further(evening):
    evening.start()
    start = evening.table.view().game
    evening.roll(*PLAIN)
    evening.table.press_red()
    while evening.table.view(evening.host).to_undo:
        evening.table.do(moves.undo, Press(evening.host, evening.version))
    assert evening.table.view().game == start
    assert (
        refusal(evening.table.do, moves.undo, Press(evening.host, evening.version))
        is Problem.ILLEGAL
    )


def test_undo_is_for_the_host_and_the_player_whose_turn_it_is(evening):
    evening.start()
    evening.roll(*PLAIN)
    seat = evening.turn
    for other in range(1, 4):
        to_undo = evening.table.view(evening.person(other)).to_undo
        assert to_undo == (Undone(1, other, seat, Action.ROLL) if other == seat else None)
    assert refusal(evening.table.do, moves.undo, Press(None, evening.version)) is Problem.FORBIDDEN


# A throw counts for the player who made it


@pytest.mark.parametrize(
    ("verdict", "count", "said"),
    [
        ("moving", 0, "dice are still rolling"),
        ("cocked", 5, "a die is leaning"),
        ("count", 6, "five dice are needed"),
        ("blocked", 0, "something covers the dice"),
        ("too_near", 1, "the camera is too near"),
    ],
)
def test_an_unwelcome_throw_is_not_dodged_by_stopping(evening, verdict, count, said):
    evening.start()
    evening.roll(*PLAIN)
    before = evening.table.view().game
    evening.table.see(reading(verdict, dice(*(*PLAIN, "beer")[:count], y=300.0)))
    with pytest.raises(Refused, match=said):
        evening.table.do(rolling.stop, Press(evening.host, evening.version))
    evening.table.press_red()
    assert said in str(evening.table.view().notice)
    assert evening.table.view().game == before
    evening.table.see(reading("ok", dice(*PLAIN)))
    evening.table.press_red()
    assert evening.table.view().notice == ""


NO_CHOICE = ("beer", "gatling", "gatling", "dynamite", "dynamite")


def begin_next_turn(evening):
    """Let the first player roll what asks for nothing but a drinker, and stop."""
    evening.start()
    evening.roll(*NO_CHOICE)
    evening.table.press_red()
    seat = evening.turn
    press = Press(evening.person(seat), evening.version)
    evening.table.do(moves.move, press, Beer(seat, (seat,)))
    assert evening.turn != seat
    return seat


def test_dice_that_were_dropped_after_a_turn_are_not_the_next_ones_first_roll(evening):
    begin_next_turn(evening)
    lying = dice(*NO_CHOICE)
    assert evening.table.view().tray.status is Status.LYING
    # Two dice were still in the hand of the player who stopped.
    evening.table.see(reading("count", lying[:3]))
    evening.table.see(reading("ok", [*lying[:3], *dice("beer", "arrow", y=400.0)]))
    assert evening.table.view().tray.status is Status.LYING
    evening.table.see(reading("ok", dice(*PLAIN, y=400.0)))
    assert evening.table.view().tray.status is Status.READY


def test_a_throw_does_not_become_that_of_the_player_whose_turn_comes_back(evening):
    seat = begin_next_turn(evening)
    evening.table.see(reading("ok", dice(*PLAIN, y=300.0)))
    assert evening.table.view().tray.status is Status.READY
    # The beer, the stop and the roll are undone.
    for _ in range(3):
        evening.table.do(moves.undo, Press(evening.host, evening.version))
        assert evening.table.view().tray.status is Status.LYING
    assert evening.turn == seat
    assert evening.table.view().game.dice is None
    evening.table.see(reading("ok", dice(*PLAIN, y=500.0)))
    assert evening.table.view().tray.status is Status.READY


def test_a_throw_that_nobody_accepted_is_not_the_next_games_first_roll(evening):
    begin_next_turn(evening)
    evening.table.see(reading("ok", dice(*PLAIN, y=300.0)))
    assert evening.table.view().tray.status is Status.READY
    evening.table.do(rounds.new_game, Press(evening.host, evening.version))
    evening.table.do(rounds.start_game, Press(evening.host, evening.version))
    assert evening.table.view().tray.status is Status.LYING
    evening.table.see(reading("ok", dice(*PLAIN, y=500.0)))
    assert evening.table.view().tray.status is Status.READY


def test_sure_dice_among_which_one_more_may_lie_are_asked_about(evening):
    begin_next_turn(evening)
    evening.table.see(reading("unsure", dice(*PLAIN, y=300.0)))
    view = evening.table.view()
    assert view.tray.status is Status.UNSURE
    assert evening.table.scene.signal is Signal.UNCERTAIN
    evening.table.press_green()
    assert "perhaps there is one more die" in evening.table.view().notice
    turn = evening.person(view.game.turn)
    evening.table.do(rolling.mark, Press(turn, view.version, view.reading), 0, Mark(PLAIN[0]))
    assert evening.table.view().tray.status is Status.READY


def test_no_undo_gives_rolling_dice_to_another_player(evening):
    begin_next_turn(evening)
    evening.table.see(reading("moving"))
    with pytest.raises(Refused, match="still rolling"):
        evening.table.do(moves.undo, Press(evening.host, evening.version))


# Out of the game


def play_while(evening, goes_on):
    """Let chance play, with dice that nobody saw."""
    chance = random.Random(5)
    while goes_on(evening.table.view()):
        game = evening.table.scene.history
        move, lying = random_move(game.state, chance), game.lying
        if isinstance(move, Roll):
            lying = tuple(TrayDie(face, thrown=False, sure=True) for face in move.dice)
        evening.table.do(played_unseen, Press(None), move, lying)


def with_fallen(evening):
    """Begin, and play until somebody is out; return the seat."""
    evening.start()
    play_while(evening, lambda view: all(player.alive for player in view.game.players))
    alive = [player.alive for player in evening.table.view().game.players]
    return alive.index(False)


def test_a_fallen_player_guesses_in_secret_until_the_end(evening):
    seat = with_fallen(evening)
    fallen, other = evening.person(seat), evening.person((seat + 1) % 4)
    version = evening.version
    evening.table.do(moves.guess, Press(fallen), Side.LAW)
    evening.table.do(moves.guess, Press(fallen), Side.OUTLAWS)
    assert evening.version == version, "nobody else's press is refused for it"
    assert evening.table.view(fallen).guesses == {seat: Side.OUTLAWS}
    assert evening.table.view(other).guesses == evening.table.view().guesses == {}
    evening.reopen()
    assert evening.table.view(fallen).guesses == {seat: Side.OUTLAWS}
    assert refusal(evening.table.do, moves.guess, Press(other), Side.LAW) is Problem.FORBIDDEN
    assert refusal(evening.table.do, moves.guess, Press(None), Side.LAW) is Problem.FORBIDDEN
    evening.reopen()
    assert evening.table.view(fallen).guesses == {seat: Side.OUTLAWS}
    play_while(evening, lambda view: view.phase is Phase.PLAYING)
    assert evening.table.view().guesses == {seat: Side.OUTLAWS}
    assert refusal(evening.table.do, moves.guess, Press(fallen), Side.LAW) is Problem.FORBIDDEN


def test_the_fallen_see_roles_only_where_the_table_lets_them(evenings):
    evening = evenings(fallen_see_roles=True)
    seat = with_fallen(evening)
    fallen, other = evening.person(seat), evening.person((seat + 1) % 4)
    assert all_roles(evening.table.scene, fallen) == evening.table.scene.history.state.setup.roles
    assert refusal(all_roles, evening.table.scene, other) is Problem.FORBIDDEN
    assert refusal(all_roles, evening.table.scene, None) is Problem.FORBIDDEN
    evening.options = {}
    evening.reopen()
    assert refusal(all_roles, evening.table.scene, fallen) is Problem.FORBIDDEN


@pytest.mark.parametrize("setting", [False, True])
def test_the_host_chooses_in_the_lobby_whether_the_fallen_see_roles(evenings, setting):
    evening = evenings(fallen_see_roles=setting)
    assert evening.table.view().fallen_see_roles is setting
    evening.table.do(
        rounds.choose, Press(evening.host, evening.version), "fallen", "own" if setting else "roles"
    )
    evening.reopen()
    assert evening.table.view().fallen_see_roles is not setting
    fallen = evening.person(with_fallen(evening))
    if setting:
        assert refusal(all_roles, evening.table.scene, fallen) is Problem.FORBIDDEN
    else:
        assert (
            all_roles(evening.table.scene, fallen) == evening.table.scene.history.state.setup.roles
        )
    chosen, press = ("fallen", "roles" if setting else "own"), Press(evening.host, evening.version)
    assert refusal(evening.table.do, rounds.choose, press, *chosen) is Problem.ILLEGAL


def test_odds_are_for_the_fallen_and_of_the_turn_that_is_played(evenings):
    evening = evenings(people=8, phones=8)
    assert evening.start().table.spectators.wanted() is None
    evening.table.do(rounds.new_game, Press(evening.host, evening.version))
    seat = with_fallen(evening)
    fallen, other = evening.person(seat), evening.person((seat + 1) % 4)
    wanted, odds = evening.table.spectators.wanted(), Odds({Side.LAW: 1.0}, 1)
    evening.table.spectators.show(wanted, odds)
    assert evening.table.view(fallen).odds is odds
    assert evening.table.view(other).odds is evening.table.view().odds is None
    play_while(evening, lambda view: evening.table.spectators.wanted() == wanted)
    evening.table.spectators.show(wanted, Odds({Side.LAW: 0.0}, 1))
    assert evening.table.view(fallen).odds is odds, "what comes too late is not shown"
    play_while(evening, lambda view: view.phase is Phase.PLAYING)
    assert evening.table.spectators.wanted() is None
    assert evening.table.view(fallen).odds is None


# The journal


def test_a_running_game_keeps_its_ruleset_when_the_settings_change(evening):
    assert evening.table.view().selection.ruleset is RULESETS["base"]
    evening.start()
    evening.journal.close()
    evening.open(ruleset="walking-dead")
    assert evening.table.view().selection.ruleset is RULESETS["base"]
    evening.table.do(rounds.new_game, Press(evening.host, evening.version))
    assert evening.table.view().selection.ruleset is RULESETS["walking-dead"]
    evening.start()
    assert evening.table.view().selection.ruleset is RULESETS["walking-dead"]


def test_a_reopened_table_stands_where_it_stood(evening):
    evening.start()
    evening.roll(*PLAIN)
    evening.table.see(reading("ok", [*dice(*PLAIN)[:4], Die("arrow", 500, 300)]))
    evening.table.press_green()
    evening.table.do(moves.undo, Press(evening.host, evening.version))
    before = evening.table.view(evening.host)
    evening.reopen()
    after = evening.table.view(evening.host)
    for field in ("code", "people", "game", "game_number", "story", "phase"):
        assert getattr(after, field) == getattr(before, field)
    assert after.version > before.version, "what an old page names is not named anew"
    assert [person_of(evening.table.scene, token) for token in evening.tokens] == [1, 2, 3, 4]


def test_kept_dice_are_known_after_a_restart(evening):
    evening.start()
    evening.roll(*PLAIN)
    evening.reopen()
    evening.table.see(reading("ok", [*dice(*PLAIN)[:4], Die("arrow", 500, 300)]))
    evening.table.press_green()
    game = evening.table.view().game
    assert (game.rolls, game.players[game.turn].arrows) == (2, 3)


def test_a_press_that_cannot_be_saved_changes_nothing(evening):
    evening.start()
    evening.table.see(reading("ok", dice(*PLAIN)))
    before = evening.table.view()
    evening.journal.close()
    assert (
        refusal(
            evening.table.do, rolling.accept, Press(evening.host, before.version, before.reading)
        )
        is Problem.FAILED
    )
    after = evening.table.view()
    assert list(after.troubles) == [Trouble.SAVING]
    assert replace(after, troubles={}) == before


def test_a_page_of_before_a_restart_can_press_nothing_after_it(evening):
    """What it names, the dice it shows included, never comes back."""
    evening.start()
    evening.table.see(reading("ok", dice(*PLAIN)))
    old = evening.table.view()
    evening.reopen()
    evening.table.see(reading("ok", dice(*PLAIN)))
    for _ in range(5):
        evening.table.see(reading("moving"))
        evening.table.see(reading("ok", dice(*PLAIN)))
        now = evening.table.view()
        assert now.reading != old.reading
        for press in ((old.version, now.reading), (now.version, old.reading)):
            stale = Press(evening.host, *press)
            assert refusal(evening.table.do, rolling.accept, stale) is Problem.STALE


def test_an_answered_press_is_on_the_disk_and_what_is_said_of_dice_need_not_be(
    evening, monkeypatch
):
    done: list[tuple[str, str]] = []

    def noted(name: str) -> None:
        call = getattr(os, name)

        def note(number: int, *arguments: Any) -> Any:
            done.append((name, Path(f"/proc/self/fd/{number}").readlink().name))
            return call(number, *arguments)

        monkeypatch.setattr(os, name, note)

    evening.start()
    evening.table.see(reading("ok", dice(*PLAIN)))
    noted("pwrite")
    noted("fdatasync")

    def press(change: Any, *given: Any) -> None:
        view = evening.table.view()
        evening.table.do(change, Press(evening.host, view.version, view.reading), *given)

    press(rolling.mark, 1, Mark(face=Face.GATLING))
    assert done == [("pwrite", FILE), ("pwrite", BACKUP)]
    done.clear()
    press(rolling.accept)
    # Room for more lines may be written first.
    *earlier, synced, copied, witnessed, again = done
    assert {*earlier} == {("pwrite", FILE)}
    assert (synced, copied) == (("fdatasync", FILE), ("pwrite", BACKUP))
    assert witnessed == again == ("pwrite", WITNESS)


def test_what_was_said_of_dice_outlasts_a_restart_while_they_lie_there(evening):
    evening.start()
    evening.table.see(reading("ok", dice(*PLAIN)))
    view = evening.table.view()
    now = Press(evening.host, view.version, view.reading)
    evening.table.do(rolling.mark, now, 1, Mark(face=Face.GATLING))
    said = evening.table.view().tray
    evening.reopen()
    evening.table.see(reading("moving"))
    evening.table.see(reading("ok", dice(*PLAIN)))
    assert evening.table.view().tray == said
    evening.reopen()
    evening.table.see(reading("ok", dice(*PLAIN, y=300)))
    assert evening.table.view().tray.dice[1].face == PLAIN[1], "other dice"
    evening.reopen()
    evening.table.see(reading("ok", dice(*PLAIN)))
    assert evening.table.view().tray.dice[1].face == PLAIN[1], "it was about the dice before"


def test_a_die_left_out_and_one_added_outlast_a_restart(evening):
    evening.start()
    seen = reading("count", [*dice(*PLAIN)[:4], Die("beer", 60, 400), Die("beer", 90, 500)])
    evening.table.see(seen)
    for change, said in ((rolling.leave_out, 0), (rolling.leave_out, 0), (rolling.add, Face.ARROW)):
        view = evening.table.view()
        evening.table.do(change, Press(evening.host, view.version, view.reading), said)
    before = evening.table.view().tray
    evening.reopen()
    evening.table.see(seen)
    assert evening.table.view().tray == before


@pytest.mark.parametrize("camera", [CameraStatus(), CAMERA], ids=["without", "with a camera"])
def test_dice_entered_by_hand_outlast_a_restart(evening, camera):
    evening.start()
    evening.camera = camera
    evening.reopen()
    evening.table.do(rolling.enter_by_hand, Press(evening.host, evening.version))
    for number, face in enumerate(PLAIN):
        view = evening.table.view()
        now = Press(evening.host, view.version, view.reading)
        evening.table.do(rolling.mark, now, number, Mark(face=face))
        evening.reopen()
    view = evening.table.view()
    evening.table.do(rolling.accept, Press(evening.host, view.version, view.reading))
    assert evening.table.view().game.dice == PLAIN
    evening.reopen()
    assert evening.table.scene.surface.state.marks == {}, "they were for that roll alone"


def test_a_second_table_cannot_take_the_same_folder(evening):
    with pytest.raises(JournalError, match="locked"):
        Journal(evening.folder)


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="can't be opened"):
        Journal(tmp_path / "file" / "data")


# A whole game


def test_a_whole_game_and_a_rematch(evening):
    evening.start()
    chance = random.Random(1)
    while evening.table.view().phase is Phase.PLAYING:
        view = evening.table.view()
        match view.question.action:
            case Action.ROLL if view.game.rolls:
                evening.table.press_red()
            case Action.ROLL:
                faces = chance.choices(list(Face), k=5)
                evening.roll(*faces, y=100 + 10 * view.version)
            case _:
                play_any(evening, view)
    view = evening.table.view()
    assert view.question is None
    assert all(player.role for player in view.game.players)
    states = list(replay(line.encode() for line in record_of(evening.table.scene).splitlines()))
    assert states[-1].result == view.game.result
    evening.table.do(rounds.new_game, Press(evening.host, evening.version))
    assert evening.table.view().phase is Phase.LOBBY
    evening.start()
    assert evening.table.view().game_number == 2


def play_any(evening, view):
    from companion.games.dice.rules.moves import DiscardArrows, DiscardFrom, Heal, TakeArrows

    question = view.question
    seat = question.seat
    match question.action:
        case Action.SHOOT:
            shots = [Shot(d, next(iter(a[0].targets), None)) for d, a in question.aims.items()]
            move = Shoot(seat, tuple(shots))
        case Action.BEER:
            move = Beer(seat, (seat,) * question.most)
        case Action.HEAL:
            move = Heal(seat, seat)
        case Action.TAKE_ARROWS:
            move = TakeArrows(seat, 0)
        case Action.DISCARD_ARROWS:
            move = DiscardArrows(seat, question.most)
        case Action.DISCARD_FROM:
            move = DiscardFrom(seat, ())
    evening.table.do(moves.move, Press(evening.person(seat), view.version), move)


def test_stop_is_a_move_of_the_player_whose_turn_it_is(evening):
    evening.start()
    evening.roll(*PLAIN)
    evening.table.do(
        moves.move, Press(evening.person(evening.turn), evening.version), Stop(evening.turn)
    )
    assert evening.table.view().question.action is Action.BEER
