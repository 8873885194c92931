"""Games with dealt hands at a running table: what is saved, undone and seen, and by whom."""

import io
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from dealt_hands import legal_moves
from dealt_table import DealtTable
from waiting import wait_until

from companion.base.refused import Problem, Refused
from companion.base.worker import WorkerThread
from companion.games.cards.dealt.moves import EndTurn, TurnUp
from companion.games.cards.dealt.options import can_only_pass
from companion.games.cards.dealt.views import HeldHand
from companion.games.cards.dealt_game import DEALT_GAME
from companion.games.cards.rules import record
from companion.games.cards.rules.moves import Pass, Play
from companion.games.cards.rules.titles import Title
from companion.table import moves, rounds
from companion.table.journal.saved import LineKind
from companion.table.past.past_games import record_of
from companion.table.scene import Phase
from companion.table.stand_ins import StandIns
from companion.table.surface.interface import Signal
from companion.table.views import hand_at
from tests.tools.reference import cards as reference


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[DealtTable]:
    with closing(DealtTable(tmp_path)) as table:
        yield table


@pytest.fixture
def dealt(lobby: DealtTable) -> DealtTable:
    """A game of four that has begun."""
    lobby.begin()
    return lobby


def test_stand_ins_play_a_whole_game_whose_record_is_an_ordinary_one(lobby):
    lobby.seat(1, 3)
    lobby.start()
    with pytest.raises(Refused):
        record_of(lobby.table.scene)
    lobby.worker.start()

    def over() -> bool:
        """The host does what the strongest stand-in would."""
        if lobby.state.decider == 0 and not can_only_pass(lobby.state):
            states = [moment.state for moment in lobby.history.moments]
            made = DEALT_GAME.opaque.decide("strong", states, [], random.Random(1)).move
            lobby.do(moves.move, made)
        return lobby.table.scene.phase is Phase.OVER

    wait_until(over)
    told = record_of(lobby.table.scene).encode()
    *_, last = record.replay(io.BytesIO(told))
    assert last == lobby.state.public
    *_, other = reference.replay(io.BytesIO(told))
    assert other["result"] is not None
    lobby.do(rounds.new_game)
    number = lobby.table.past.games()[0].number
    assert lobby.table.past.record(number) == told.decode()
    view = lobby.table.past.view(number)
    assert view is not None
    assert view.phase is Phase.OVER
    assert lobby.table.past.replay(number) is not None


def test_undo_puts_cards_back_and_the_same_decision_brings_the_same_cards(dealt):
    for seed in range(12):
        if dealt.table.scene.phase is Phase.OVER:
            break
        dealt.make(3, seed)
        earlier = dealt.history.moments
        chance = random.Random(seed)
        made = chance.choice(list(legal_moves(dealt.state))[:200])
        dealt.decide(made)
        once = dealt.state
        dealt.undo()
        assert dealt.history.moments == earlier
        dealt.decide(made)
        assert dealt.state == once
        dealt.undo()
        dealt.reopen()
        assert dealt.history.moments == earlier


def test_a_hand_is_given_to_its_player_alone(dealt):
    scene = dealt.table.scene
    people = [person.id for person in scene.people]
    for seat, owner in enumerate(people):
        for person in (*people, None):
            if person == owner:
                hand = hand_at(scene, person, seat)
                assert isinstance(hand, HeldHand)
                assert hand.cards == dealt.state.hands[seat]
            else:
                with pytest.raises(Refused):
                    hand_at(scene, person, seat)


def test_everybody_is_asked_alike_and_passed_for_without_an_answer(dealt):
    dealt.worker.start()
    chance, passed, could = random.Random(2), 0, 0
    while passed < 3 or could < 3:
        wait_until(lambda: not can_only_pass(dealt.state))
        state = dealt.state
        assert state.decider is not None
        if state.public.open and state.public.open.needed:
            could += 1
            assert DEALT_GAME.question(state).actions
        options = list(legal_moves(state))[:100]
        shots = [move for move in options if isinstance(move, Play)]
        made = chance.choice(shots or options)
        dealt.decide(made)
        passed = sum(isinstance(one.move, Pass) for one in dealt.history.moments)


def test_buttons_end_the_turn_and_pass(dealt):
    scene = dealt.table.scene
    seat = dealt.state.public.turn
    hand = dealt.state.hands[seat]
    excess = len(hand) - dealt.state.public.life[seat]
    assert excess > 0
    assert scene.signal is Signal.WAITING
    dealt.table.press_green()
    assert "can’t end now" in str(dealt.table.scene.notice)
    dealt.decide(EndTurn(seat, hand[:excess]))
    dealt.table.press_red()
    assert "nothing to pass on" in str(dealt.table.scene.notice)


def test_what_all_see_to_be_the_only_choice_happens_by_itself(dealt):
    forced: list[object] = []
    for seed in range(20):
        dealt.make(60, seed)
        forced += [one.move for one in dealt.history.moments if one.kind is LineKind.FORCED]
        if dealt.table.scene.phase is Phase.OVER:
            dealt.do(rounds.play_again)
    assert {type(move) for move in forced} == {TurnUp, EndTurn}
    assert not any(move.cards for move in forced if isinstance(move, EndTurn))


def test_while_a_player_thinks_the_table_waits_for_a_press_and_looks_no_more(dealt, monkeypatch):
    waits: list[float | None] = []
    rest = StandIns.rest

    def counted(worker: StandIns, thread: WorkerThread, seconds: float | None) -> bool:
        waits.append(seconds)
        return rest(worker, thread, seconds)

    dealt.ask_all()
    while can_only_pass(dealt.state):
        dealt.make(1)
        dealt.ask_all(1)
    seat = dealt.state.decider
    monkeypatch.setattr(StandIns, "rest", counted)
    dealt.worker.start()
    # Once for the first work, and then until the player has answered.
    wait_until(lambda: len(waits) == 2)
    assert waits == [None, None]
    assert dealt.state.decider == seat
    dealt.decide(Pass(seat or 0))
    wait_until(lambda: len(waits) > 2)


# Answers before one's turn to answer comes


def hand(dealt: DealtTable, seat: int) -> HeldHand:
    held = hand_at(dealt.table.scene, dealt.table.scene.people[seat].id, seat)
    assert isinstance(held, HeldHand)
    return held


def answers(dealt: DealtTable, seat: int) -> list[Play]:
    """The cards with which a seat can answer early."""
    return [Play(seat, title) for title in hand(dealt, seat).plays]


def everybody(dealt: DealtTable, *but: int) -> dict[int | None, object]:
    """What all phones see but those of these seats."""
    people = [entry.id for seat, entry in enumerate(dealt.table.scene.people) if seat not in but]
    return {person: dealt.table.view(person) for person in (None, *people)}


def test_all_who_are_asked_may_answer_at_once_and_results_come_in_order(dealt):
    first, *others = dealt.ask_all()
    begun, pile = len(dealt.history.moments), len(dealt.state.pile)
    given = {seat: next(iter(answers(dealt, seat)), Pass(seat)) for seat in reversed(others)}
    for seat, answer in given.items():
        before = everybody(dealt, seat)
        dealt.answer_early(answer)
        assert everybody(dealt, seat) == before
        assert dealt.table.view(dealt.table.scene.people[seat].id).early.given == {seat: answer}
    dealt.decide(Pass(first))
    made = [moment.move for moment in dealt.history.moments[begun:]]
    assert [move for move in made if move in given.values()] == [given[seat] for seat in others]
    played = [move for move in given.values() if isinstance(move, Play)]
    assert played
    assert len(dealt.state.pile) >= pile + len(played)


def test_only_a_card_in_hand_or_passing_can_be_an_early_answer(dealt):
    first, second, *_ = dealt.ask_all()
    held = set(hand(dealt, second).plays)
    missing = next(title for title in Title if title not in held)
    for made in (Play(second, missing), TurnUp(second), Pass(first)):
        with pytest.raises(Refused) as refused:
            dealt.answer_early(made)
        assert refused.value.problem is Problem.ILLEGAL


def test_who_is_not_asked_sees_nothing_to_play(dealt):
    asked = dealt.ask_all()
    for seat in set(range(4)) - set(asked):
        assert hand(dealt, seat).plays == {}
    question = DEALT_GAME.question(dealt.state)
    assert question.seat == asked[0]
