"""An evening of both games at one table, and what is the same in both: seats, phones, records."""

import json
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from card_evening import KNOWN, CardEvening
from endless_game import play as play_dice
from people import claim_seat, join

from companion.base.refused import Problem, Refused
from companion.camera.game_follower import pile_state
from companion.games.cards.game import CARD_GAME
from companion.games.cards.players import random_move
from companion.games.cards.rules.titles import Title
from companion.memory.statistics import queries
from companion.memory.statistics.keeper import Statistics
from companion.table import moves, rounds, seats, stand_ins
from companion.table.changes import claim_of, guest_of, person_of
from companion.table.past.past_games import record_of
from companion.table.past.replays import open_replay
from companion.table.scene import CameraStatus, Phase, Signal
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PILE_MOVING, PileStatus, PileVerdict

pytestmark = pytest.mark.pictures

T = Title


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[CardEvening]:
    with closing(CardEvening(tmp_path, chance=random.Random(6))) as made:
        yield made


def choose(evening: CardEvening, name: str) -> None:
    """Choose the game that is played next."""
    evening.table.do(rounds.choose_game, evening.press, name)


def finish(evening: CardEvening, chance: random.Random) -> None:
    """Play the game on the table to its end."""
    while evening.view.phase is Phase.PLAYING:
        if evening.table.scene.history.game is CARD_GAME:
            evening.tap(random_move(evening.state, chance))
        else:
            play_dice(evening.table, 1, chance)


def test_dice_cards_and_dice_again_with_the_same_seats(evening: CardEvening) -> None:
    chance = random.Random(1)
    names = [person.name for person in evening.view.people]
    records = []
    for name in ("bang-dice", "bang-card", "bang-dice"):
        choose(evening, name)
        evening.table.do(rounds.start_game, evening.press)
        assert evening.view.selection.game.record_name == name
        evening.see(PileVerdict.NONE)
        finish(evening, chance)
        records.append(record_of(evening.table.scene))
        # What happened in the tray of one game is nothing to the next.
        evening.lay(T.BANG)
        evening.table.do(rounds.new_game, evening.press)
        assert [person.name for person in evening.view.people] == names
        assert pile_state(evening.table.scene).laid == ()
        evening.reopen()
        assert evening.view.selection.game.record_name == name
    assert [game.number for game in evening.table.past.games()] == [3, 2, 1]
    for number, record in enumerate(records, start=1):
        kept = evening.table.past.replay(number)
        assert kept is not None
        assert kept.history.record == record
        for step in range(kept.last + 1):
            view = kept.view(step, roles=True)
            assert view.pile.status is PileStatus.UNWATCHED
            assert len(view.story) == len(view.statuses)
        assert evening.table.past.view(number) == kept.end


def test_the_sheriff_is_handed_round_from_one_game_to_the_other(evening: CardEvening) -> None:
    choose(evening, "bang-card")
    evening.table.do(rounds.choose, evening.press, "sheriff", "turn")
    evening.table.do(rounds.start_game, evening.press)
    first = evening.view.standing.turn
    evening.tap(random_move(evening.state, random.Random(1)))
    evening.table.do(rounds.new_game, evening.press)
    choose(evening, "bang-dice")
    evening.table.do(rounds.start_game, evening.press)
    assert evening.view.standing.turn == (first + 1) % 5


@pytest.mark.parametrize("count", [3, 8])
def test_too_few_or_too_many_for_the_card_game_are_told_how_many_it_takes(
    tmp_path: Path, count: int
) -> None:
    with closing(CardEvening(tmp_path, roles="srood")) as evening:
        while len(evening.view.people) < count:
            evening.table.do(seats.add_person, evening.press, f"P{len(evening.view.people)}")
        while len(evening.view.people) > count:
            evening.table.do(seats.remove_person, evening.press, evening.view.people[-1].id)
        with pytest.raises(Refused, match="this game needs 4 to 7 players"):
            evening.table.do(rounds.start_game, evening.press)


def test_stand_ins_are_told_not_to_play_cards(evening: CardEvening) -> None:
    choose(evening, "bang-dice")
    evening.table.do(stand_ins.add, evening.press, "strong")
    choose(evening, "bang-card")
    with pytest.raises(Refused, match="stand-ins can’t play this game"):
        evening.table.do(rounds.start_game, evening.press)
    with pytest.raises(Refused, match="no such stand-in"):
        evening.table.do(stand_ins.add, evening.press, "strong")


def test_no_stand_in_takes_over_in_a_card_game(evening: CardEvening) -> None:
    evening.start()
    with pytest.raises(Refused, match="no such stand-in"):
        evening.table.do(stand_ins.assign, evening.press, 3, "strong")


# Phones


def test_the_hosts_phone_decides_for_players_without_one(tmp_path: Path) -> None:
    with closing(CardEvening(tmp_path, phones=2)) as evening:
        evening.start()
        assert evening.table.view(1).decides == (0, 2, 3, 4)
        evening.lay(T.INDIANS)
        with pytest.raises(Refused) as refused:
            evening.table.do(moves.move, evening.press_of(1), moves_of(evening, "pass", seat=1))
        assert refused.value.problem is Problem.FORBIDDEN
        assert set(evening.table.view(1).early.questions) == {2, 3, 4}
        assert set(evening.table.view(2).early.questions) == set()


def moves_of(evening: CardEvening, action: str, seat: int) -> object:
    return CARD_GAME.parse_move(json.dumps({"action": action, "seat": seat}).encode())


def test_a_lost_phone_is_passed_on_in_the_middle_of_an_answer(tmp_path: Path) -> None:
    with closing(CardEvening(tmp_path, phones=5)) as evening:
        evening.start()
        evening.lay(T.GATLING)
        evening.table.do(laying.answer_early, evening.press_of(4), moves_of(evening, "pass", 3))
        evening.table.do(seats.take_phone, evening.press, 4)
        assert evening.table.view(1).decides == (0, 3)
        # Their early answer stands, and the host may change it.
        assert evening.table.view(1).early.given == {3: moves_of(evening, "pass", 3)}
        token = claim_seat(evening.table, 4, evening.table.scene.code)
        claim = claim_of(evening.table.scene, token)
        assert claim is not None
        evening.table.do(seats.answer_claim, evening.press, claim.number, yes=True)
        assert person_of(evening.table.scene, token) == 4
        assert evening.table.view(4).early.given == {3: moves_of(evening, "pass", 3)}


def test_a_guest_watches_and_plays_in_the_next_game(evening: CardEvening) -> None:
    evening.start()
    token = join(evening.table, "Hal", evening.table.scene.code)
    assert guest_of(evening.table.scene, token) is not None
    evening.lay(T.BEER)
    finish(evening, random.Random(2))
    evening.table.do(rounds.play_again, evening.press)
    assert person_of(evening.table.scene, token) is not None
    assert len(evening.view.people) == 6
    assert evening.state.awaited is not None


# Records and statistics


def test_a_record_of_cards_is_opened_and_watched_like_any(evening: CardEvening) -> None:
    evening.start()
    finish(evening, random.Random(3))
    record = record_of(evening.table.scene)
    number = evening.table.opened.receive(1, 0, len(record.encode()), record.encode())
    assert number is not None
    kept = evening.table.opened.replay(number)
    assert kept is not None
    assert kept.history.record == record
    replayed = open_replay(evening.table.scene.history, KNOWN)
    assert replayed.end.phase is Phase.OVER


def test_the_light_is_off_without_a_game(evening: CardEvening) -> None:
    assert evening.table.scene.signal is Signal.OFF
    evening.start()
    assert evening.table.scene.signal is Signal.CERTAIN
    evening.table.see(PILE_MOVING)
    assert evening.table.scene.signal is Signal.WAITING
    evening.see(PileVerdict.NONE)
    finish(evening, random.Random(4))
    assert evening.table.scene.signal is Signal.OFF
    evening.table.watch(CameraStatus())
    assert evening.table.scene.signal is Signal.OFF


def test_statistics_keep_cards_and_dice_apart(evening: CardEvening) -> None:
    statistics = Statistics(evening.folder, evening.table, lambda: None)
    chance = random.Random(5)
    for name in ("bang-dice", "bang-card", "bang-card"):
        choose(evening, name)
        evening.table.do(rounds.start_game, evening.press)
        finish(evening, chance)
        evening.table.do(rounds.new_game, evening.press)
    choose(evening, "bang-card")
    evening.table.do(rounds.start_game, evening.press)
    evening.tap(random_move(evening.state, chance))
    evening.table.do(rounds.new_game, evening.press)
    statistics.bring_up_to_date()
    found = statistics.ask(queries.overviews)
    assert found is not None
    cards = found["bang-card"]
    assert (found["bang-dice"].games, cards.games, cards.stopped) == (1, 2, 1)
    (sides,) = cards.sides
    assert (sides.players, sum(sides.sides.values())) == (5, 2)
    assert {line.name: line.wins.games for line in cards.players} == dict.fromkeys(
        ("Ann", "Ben", "Cat", "Dan", "Eve"), 2
    )
    assert statistics.ask(queries.games_page).wrong == ()
