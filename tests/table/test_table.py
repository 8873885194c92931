"""The running table: presses, phones, undo, and what is refused; of the tray: rolls.txt."""

import os
import random
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from evening import PLAIN, dice, refusal
from roll_scenes import roll_words
from scenes import each_scene
from stand_ins import Dealer, played_unseen

from companion import __version__
from companion.games.common.endings import Side
from companion.games.dice.players import random_move
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Action, Beer, Roll, Shoot, Shot
from companion.games.dice.rules.record import Origin, parse_origin
from companion.games.dice.rules.roles import Role
from companion.games.odds import Odds
from companion.table import moves, rounds
from companion.table.changes import Press
from companion.table.history import Undone
from companion.table.journal.journal import BACKUP, FILE, WITNESS, Journal, JournalError
from companion.table.past.past_games import record_of
from companion.table.scene import CameraStatus, Phase
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayDie, TrayStatus
from companion.table.table import Problem, Refused
from companion.table.views import all_roles, role_at

FORBIDDEN, ILLEGAL, STALE = Problem.FORBIDDEN, Problem.ILLEGAL, Problem.STALE


@pytest.fixture
def lobby(evenings):
    return evenings(ask_always=True)


@pytest.fixture
def evening(lobby):
    """A game that has begun, in which four people with phones are asked about everything."""
    return lobby.start()


# People


def test_a_token_opens_one_seat_and_is_saved_as_a_digest_only(lobby):
    assert list(map(lobby.holder, lobby.tokens)) == [1, 2, 3, 4]
    assert lobby.holder("") is lobby.holder(lobby.tokens[0] + "x") is None
    files = (path for path in lobby.folder.rglob("*") if path.is_file())
    content = b"".join(path.read_bytes() for path in files)
    assert not any(token.encode() in content for token in lobby.tokens)


# Secrets


def test_a_role_is_told_to_its_owner_alone_and_stands_in_no_view(evening):
    scene = evening.table.scene
    told = [role_at(scene, evening.person(seat), seat) for seat in range(4)]
    assert sorted(told) == ["outlaw", "outlaw", "renegade", "sheriff"]
    for person in (None, evening.person(0), evening.person(1)):
        assert refusal(role_at, scene, person, 3) is FORBIDDEN
    for person in (None, *(person.id for person in evening.view.people)):
        roles = [player.role for player in evening.table.view(person).game.players]
        assert roles[evening.turn] is Role.SHERIFF
        assert roles.count(None) == 3
    assert refusal(record_of, scene) is FORBIDDEN


def origin(evening):
    return parse_origin(evening.journal.saved.lines[0].body.encode())


def test_the_record_says_when_the_game_began_and_under_which_version(evenings):
    times = iter(("2026-11-22T19:30:00Z", "2026-11-22T20:15:00Z"))
    evening = evenings(now=lambda: next(times)).start()
    evening.roll(*PLAIN)
    evening.do(moves.undo)
    evening.reopen()
    assert origin(evening) == Origin(__version__, "2026-11-22T19:30:00Z")
    evening.do(rounds.new_game)
    evening.start()
    assert origin(evening) == Origin(__version__, "2026-11-22T20:15:00Z")


def test_a_table_that_is_told_nothing_asks_the_clock(evening):
    began = datetime.fromisoformat(origin(evening).date)
    assert abs(began - datetime.now(UTC)) < timedelta(days=1)


# Dice and buttons


@each_scene(__file__, "rolls.txt")
def test_a_scene_at_the_tray_goes_as_it_is_told(ruling, evenings):
    ruling.check(roll_words(evenings))


def test_dice_are_taken_from_no_phone(evening):
    roll = Roll(evening.turn, (Face.BEER,) * 5)
    assert evening.refused(moves.move, roll, by=evening.person(evening.turn)) is ILLEGAL


def test_dice_by_hand_without_a_camera_that_is_tried_again_in_vain(evening):
    fault = CameraStatus("none", "usb:0: unplugged")
    for number, face in enumerate(PLAIN):
        evening.table.watch(fault)
        assert evening.view.camera.fault == "usb:0: unplugged"
        evening.correct(number, face)
        before = evening.view
    evening.table.watch(fault)
    assert evening.view == before
    evening.table.press_green()
    assert evening.game.dice == PLAIN


def test_a_listener_that_fails_does_not_undo_a_press(evening, caplog):
    told = []

    def broken():
        raise OSError("no such pin")

    evening.table.follow(lambda *_: broken())
    evening.table.follow(lambda *_: told.append(evening.version))
    evening.roll(*PLAIN)
    assert evening.game.rolls == 1
    assert told
    assert "no such pin" in caplog.text


def test_a_stale_press_changes_nothing(evening):
    evening.see("ok", *dice(*PLAIN))
    stale = evening.press()
    evening.see("ok", *dice(*reversed(PLAIN), y=300))
    assert refusal(evening.table.do, rolling.accept, stale) is STALE
    evening.table.press_green()
    assert refusal(evening.table.do, rolling.stop, stale) is STALE
    assert evening.game.rolls == 1


def test_of_many_phones_at_once_one_is_first(evening):
    evening.roll(*PLAIN)
    at_once, answers = evening.press(), []

    def press():
        try:
            evening.table.do(rolling.stop, at_once)
            answers.append("done")
        except Refused as refused:
            answers.append(refused.problem)

    threads = [threading.Thread(target=press) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["done"] + [STALE] * 15


# Decisions


@pytest.mark.parametrize("options", [{}, {"ask_always": True}])
def test_where_one_answer_is_legal_nobody_is_asked_unless_a_setting_says_so(evenings, options):
    """A game of three, in which the first shot the second, who was not their prey."""
    evening = evenings(people=3, chance=Dealer("dor"), **options).start()
    assert evening.turn == 0
    while evening.game.players[1].alive:
        seat = evening.turn
        evening.roll(*["beer" if seat else "bullseye1"] * 5, y=100 + 10 * evening.version)
        evening.table.press_red()
        shots = tuple(Shot(die, 1) for die in range(5))
        move = Beer(seat, (0,) * 5) if seat else Shoot(0, shots)
        evening.do(moves.move, move, by=evening.person(seat))
    assert evening.turn == 2
    life = evening.game.players[0].life
    evening.roll("bullseye1", "arrow", "gatling", "gatling", "arrow", y=50)
    evening.table.press_red()
    if options:
        assert evening.view.question.action is Action.SHOOT
        return
    assert (evening.turn, evening.game.players[0].life) == (0, life - 1)
    evening.do(moves.undo)
    game = evening.game
    assert (game.turn, game.rolls, game.players[0].life) == (2, 1, life)


# Undo


def test_undo_takes_back_the_last_press_and_says_so(evening):
    before = evening.game
    evening.roll(*PLAIN)
    seat = evening.turn
    for other in range(1, 4):
        to_undo = evening.table.view(evening.person(other)).to_undo
        assert to_undo == (Undone(1, other, seat, Action.ROLL) if other == seat else None)
    assert evening.refused(moves.undo, by=None) is FORBIDDEN
    evening.do(moves.undo)
    assert evening.game == before
    assert evening.view.story[-1] == Undone(1, by=0, whose=seat, action=Action.ROLL)
    assert evening.table.view(evening.host).to_undo is None
    assert evening.status is TrayStatus.READY, "the dice still lie there and are asked for again"
    evening.table.press_green()
    assert evening.game.rolls == 1


# Out of the game


def play_while(evening, goes_on):
    """Let chance play, with dice that nobody saw."""
    chance = random.Random(5)
    while goes_on(evening.view):
        game = evening.table.scene.history
        move, lying = random_move(game.state, chance), game.lying
        if isinstance(move, Roll):
            lying = tuple(TrayDie(face, thrown=False, sure=True) for face in move.dice)
        evening.table.do(played_unseen, Press(None), move, lying)


def with_fallen(evening):
    """Play until somebody is out; return that person and another one."""
    play_while(evening, lambda view: all(player.alive for player in view.game.players))
    seat = [player.alive for player in evening.game.players].index(False)
    return evening.person(seat), evening.person((seat + 1) % 4), seat


def test_a_fallen_player_guesses_in_secret_until_the_end(evening):
    fallen, other, seat = with_fallen(evening)
    version = evening.version
    evening.table.do(moves.guess, Press(fallen), Side.LAW)
    evening.table.do(moves.guess, Press(fallen), Side.OUTLAWS)
    assert evening.version == version, "nobody else's press is refused for it"
    for _ in range(2):
        assert evening.table.view(fallen).guesses == {seat: Side.OUTLAWS}
        assert evening.table.view(other).guesses == evening.view.guesses == {}
        evening.reopen()
        assert evening.refused(moves.guess, Side.LAW, by=other) is FORBIDDEN
        assert evening.refused(moves.guess, Side.LAW, by=None) is FORBIDDEN
    play_while(evening, lambda view: view.phase is Phase.PLAYING)
    assert evening.view.guesses == {seat: Side.OUTLAWS}
    assert evening.refused(moves.guess, Side.LAW, by=fallen) is FORBIDDEN


@pytest.mark.parametrize(("setting", "other"), [(False, "roles"), (True, "own")])
def test_the_host_chooses_in_the_lobby_whether_the_fallen_see_roles(evenings, setting, other):
    evening = evenings(fallen_see_roles=setting)
    assert evening.view.fallen_see_roles is setting
    evening.do(rounds.choose, "fallen", other)
    evening.reopen()
    assert evening.view.fallen_see_roles is not setting
    fallen, alive, _ = with_fallen(evening.start())
    scene = evening.table.scene
    for nobody in (alive, None):
        assert refusal(all_roles, scene, nobody) is FORBIDDEN
    if setting:
        assert refusal(all_roles, scene, fallen) is FORBIDDEN
    else:
        assert all_roles(scene, fallen) == scene.history.state.setup.roles
    assert evening.refused(rounds.choose, "fallen", other) is ILLEGAL


def test_odds_are_for_the_fallen_and_of_the_turn_that_is_played(evenings):
    evening = evenings(people=8)
    spectators = evening.start().table.spectators
    assert spectators.wanted() is None
    evening.do(rounds.new_game)
    fallen, other, _ = with_fallen(evening.start())
    wanted, odds = spectators.wanted(), Odds({Side.LAW: 1.0}, 1)
    spectators.show(wanted, odds)
    assert evening.table.view(fallen).odds is odds
    assert evening.table.view(other).odds is evening.view.odds is None
    play_while(evening, lambda view: spectators.wanted() == wanted)
    spectators.show(wanted, Odds({Side.LAW: 0.0}, 1))
    assert evening.table.view(fallen).odds is odds, "what comes too late is not shown"
    play_while(evening, lambda view: view.phase is Phase.PLAYING)
    assert spectators.wanted() is None
    assert evening.table.view(fallen).odds is None


# The journal


def test_a_page_of_before_a_restart_can_press_nothing_after_it(evening):
    """What it names, the dice it shows included, never comes back."""
    evening.see("ok", *dice(*PLAIN))
    old = evening.press()
    evening.reopen()
    evening.see("ok", *dice(*PLAIN))
    for _ in range(5):
        evening.see("moving")
        evening.see("ok", *dice(*PLAIN))
        now = evening.press()
        assert now.reading != old.reading
        for stale in (old._replace(reading=now.reading), old._replace(version=now.version)):
            assert refusal(evening.table.do, rolling.accept, stale) is STALE


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

    evening.see("ok", *dice(*PLAIN))
    noted("pwrite")
    noted("fdatasync")
    evening.correct(1, Face.GATLING)
    assert done == [("pwrite", FILE), ("pwrite", BACKUP)]
    done.clear()
    evening.do(rolling.accept)
    # Room for more lines may be written first.
    *earlier, synced, copied, witnessed, again = done
    assert {*earlier} == {("pwrite", FILE)}
    assert (synced, copied) == (("fdatasync", FILE), ("pwrite", BACKUP))
    assert witnessed == again == ("pwrite", WITNESS)


def test_a_folder_in_use_and_one_that_cannot_be_made_are_one_clear_error(lobby, tmp_path):
    with pytest.raises(JournalError, match="locked"):
        Journal(lobby.folder)
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="can't be opened"):
        Journal(tmp_path / "file" / "data")
