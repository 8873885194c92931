"""An evening of both games at one table, and what is the same in both: seats, phones, records."""

import random

import pytest
from card_evening import CardEvening
from endless_game import play as play_dice
from people import claim_seat

from companion.base.refused import Problem, Refused
from companion.camera.game_follower import pile_state
from companion.games.cards.game import CARD_GAME
from companion.games.cards.players import random_move
from companion.games.cards.rules.moves import CardAction, Pass
from companion.games.cards.rules.titles import Title
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats, stand_ins
from companion.table.changes import claim_of, person_of
from companion.table.past.past_games import record_of
from companion.table.past.replays import open_replay
from companion.table.scene import CameraStatus, Phase, Signal
from companion.table.surface.cards.state import PILE_MOVING, PileStatus, PileVerdict
from companion.table.surface.dice import rolling

pytestmark = pytest.mark.pictures

T = Title


@pytest.fixture
def evening(tmp_path):
    return CardEvening(tmp_path, chance=random.Random(6))


def choose(evening, name):
    """Choose the game that is played next."""
    evening.do(rounds.choose_game, name)


def finish(evening, chance):
    """Play the game on the table to its end."""
    while evening.view.phase is Phase.PLAYING:
        if evening.table.scene.history.game is CARD_GAME:
            evening.tap(random_move(evening.state, chance))
        else:
            play_dice(evening.table, 1, chance)


def test_dice_cards_and_dice_again_with_the_same_seats(evening):
    chance = random.Random(1)
    names = [person.name for person in evening.view.people]
    records = []
    for name in ("bang-dice", "bang-card", "bang-dice"):
        choose(evening, name)
        evening.do(rounds.start_game)
        assert evening.view.selection.game.record_name == name
        evening.see(PileVerdict.NONE)
        finish(evening, chance)
        records.append(record_of(evening.table.scene))
        # What happened in the tray of one game is nothing to the next.
        evening.lay(T.BANG)
        evening.do(rounds.new_game)
        assert [person.name for person in evening.view.people] == names
        assert pile_state(evening.table.scene).laid == ()
        evening.reopen()
        assert evening.view.selection.game.record_name == name
    assert [game.number for game in evening.table.past.games()] == [3, 2, 1]
    for number, record in enumerate(records, start=1):
        kept = evening.table.past.replay(number)
        assert kept.history.record == record
        for step in range(kept.last + 1):
            view = kept.view(step, roles=True)
            assert view.pile.status is PileStatus.UNWATCHED
            assert len(view.story) == len(view.statuses)
        assert evening.table.past.view(number) == kept.end


def test_the_sheriff_is_handed_round_from_one_game_to_the_other(evening):
    choose(evening, "bang-card")
    evening.do(rounds.choose, "sheriff", "turn")
    evening.do(rounds.start_game)
    first = evening.view.standing.turn
    evening.tap(random_move(evening.state, random.Random(1)))
    evening.do(rounds.new_game)
    choose(evening, "bang-dice")
    evening.do(rounds.start_game)
    assert evening.view.standing.turn == (first + 1) % 5


def test_stand_ins_neither_play_cards_nor_take_over_there(evening):
    choose(evening, "bang-dice")
    evening.do(stand_ins.add, "strong")
    choose(evening, "bang-card")
    with pytest.raises(Refused, match="stand-ins can’t play this game"):
        evening.do(rounds.start_game)
    with pytest.raises(Refused, match="no such stand-in"):
        evening.do(stand_ins.add, "strong")
    evening.do(seats.remove_person, evening.view.people[-1].id)
    evening.start()
    with pytest.raises(Refused, match="no such stand-in"):
        evening.do(stand_ins.assign, 3, "strong")


def test_what_the_rules_of_cards_forbid_is_refused_and_changes_nothing(card_evenings):
    evening = card_evenings(watched=False)
    before = evening.state
    with pytest.raises(Refused):
        evening.do(rolling.enter_by_hand)
    with pytest.raises(Refused, match="not pass"):
        evening.tap(Pass(before.awaited))
    assert evening.state == before


def test_the_game_answers_all_that_the_table_asks():
    ruleset = CARD_GAME.rulesets["base"]
    deck = CARD_GAME.deck(ruleset, 6)
    assert (deck.roles.count("outlaw"), deck.first_role, len(deck.characters)) == (3, "sheriff", 16)
    assert CARD_GAME.sides(4) == ("law", "outlaws", "renegade")
    assert CARD_GAME.house_rules == ()
    assert not CARD_GAME.stand_ins
    assert CARD_GAME.terms(ruleset, "fr").roles["sheriff"] == "Shérif"
    with pytest.raises(ValueError, match="poker: no such ruleset"):
        CARD_GAME.select("poker")
    with pytest.raises(ValueError, match="the card game has no house rules"):
        CARD_GAME.select("base", ["one_arrow_a_turn"])


# Phones


def test_the_hosts_phone_decides_for_players_without_one(card_evenings):
    evening = card_evenings(phones=2)
    assert evening.table.view(1).decides == (0, 2, 3, 4)
    evening.lay(T.INDIANS)
    assert evening.refused(moves.move, Pass(1)) is Problem.FORBIDDEN
    asked = evening.table.view(1).early.questions
    assert set(asked) == {2, 3, 4}
    assert (asked[4].seat, asked[4].plays) == (4, {T.BANG: ()})
    assert asked[4].actions == (CardAction.PLAY, CardAction.PASS)
    assert evening.table.view(2).early.questions == evening.table.view().early.questions == {}


def test_a_lost_phone_is_passed_on_in_the_middle_of_an_answer(card_evenings):
    evening = card_evenings(phones=5)
    evening.lay(T.GATLING)
    evening.do(moves.answer_early, Pass(3), by=4)
    evening.do(seats.take_phone, 4)
    assert evening.table.view(1).decides == (0, 3)
    # Their early answer stands, and the host may change it.
    assert evening.table.view(1).early.given == {3: Pass(3)}
    token = claim_seat(evening.table, 4, evening.table.scene.code)
    evening.do(seats.answer_claim, claim_of(evening.table.scene, token).number, yes=True)
    assert person_of(evening.table.scene, token) == 4
    assert evening.table.view(4).early.given == {3: Pass(3)}


# Records and statistics


def test_a_record_of_cards_is_watched_like_any_and_the_light_is_off_without_a_game(evening):
    scene = evening.table.scene
    assert scene.signal is Signal.OFF
    evening.start()
    assert evening.table.scene.signal is Signal.CERTAIN
    evening.table.see(PILE_MOVING)
    assert evening.table.scene.signal is Signal.WAITING
    evening.see(PileVerdict.NONE)
    finish(evening, random.Random(3))
    assert evening.table.scene.signal is Signal.OFF
    evening.table.watch(CameraStatus())
    assert evening.table.scene.signal is Signal.OFF
    record = record_of(evening.table.scene)
    number = evening.table.opened.receive(1, 0, len(record.encode()), record.encode())
    assert evening.table.opened.replay(number).history.record == record
    assert open_replay(evening.table.scene.history, GAMES).end.phase is Phase.OVER
