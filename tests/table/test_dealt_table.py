"""Games with dealt hands at a running table: what is saved, undone and seen, and by whom."""

import io
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from dealt_hands import exchange, legal_moves
from dealt_table import DealtTable
from waiting import wait_until

from companion.base.refused import Refused
from companion.games.cards.dealt.moves import EndTurn, TurnUp
from companion.games.cards.dealt.options import can_only_pass
from companion.games.cards.dealt.state import DealtState
from companion.games.cards.dealt.views import HeldHand
from companion.games.cards.dealt_game import DEALT_GAME
from companion.games.cards.rules import record
from companion.games.cards.rules.moves import Pass, Play
from companion.games.common.audience import Audience
from companion.table import moves, rounds
from companion.table.journal.journal import FILE
from companion.table.journal.saved import LineKind
from companion.table.past.past_games import record_of
from companion.table.scene import Phase, Scene
from companion.table.surface.interface import Signal
from companion.table.views import Viewer, hand_at
from tests.tools.reference import cards as reference


@pytest.fixture
def dealt(tmp_path: Path) -> Iterator[DealtTable]:
    table = DealtTable(tmp_path)
    yield table
    table.close()


def test_stand_ins_play_a_whole_game_whose_record_is_an_ordinary_one(dealt: DealtTable) -> None:
    dealt.seat(1, 3)
    dealt.press(rounds.start_game)
    with pytest.raises(Refused):
        record_of(dealt.table.scene)
    dealt.worker.start()

    def over() -> bool:
        """The host does what the strongest stand-in would."""
        scene = dealt.table.scene
        state = dealt.state
        if state.decider == 0 and not can_only_pass(state):
            assert scene.history is not None
            states = [moment.state for moment in scene.history.moments]
            made = DEALT_GAME.opaque.decide("strong", states, [], random.Random(1)).move
            dealt.press(moves.move, made)
        return dealt.table.scene.phase is Phase.OVER

    wait_until(over)
    told = record_of(dealt.table.scene).encode()
    *_, last = record.replay(io.BytesIO(told))
    assert last == dealt.state.public
    *_, other = reference.replay(io.BytesIO(told))
    assert other["result"] is not None
    dealt.press(rounds.new_game)
    number = dealt.table.past.games()[0].number
    assert dealt.table.past.record(number) == told.decode()
    view = dealt.table.past.view(number)
    assert view is not None
    assert view.phase is Phase.OVER
    replay = dealt.table.past.replay(number)
    assert replay is not None


def test_hands_survive_a_restart_as_they_were(dealt: DealtTable) -> None:
    dealt.begin()
    dealt.make(40)
    before = dealt.table.scene.history
    assert before is not None
    dealt.reopen()
    after = dealt.table.scene.history
    assert after is not None
    assert after.moments == before.moments
    assert after.story == before.story
    assert after.record == before.record
    # So does the luck that is left.
    dealt.make(30, seed=3)
    again = dealt.state
    dealt.reopen()
    assert dealt.state == again


def test_undo_puts_cards_back_and_the_same_decision_brings_the_same_cards(
    dealt: DealtTable,
) -> None:
    dealt.begin()
    for seed in range(12):
        if dealt.table.scene.phase is Phase.OVER:
            break
        dealt.make(3, seed)
        history = dealt.table.scene.history
        assert history is not None
        earlier = history.moments
        chance = random.Random(seed)
        made = chance.choice(list(legal_moves(dealt.state))[:200])
        dealt.press(moves.move, made, person=made.seat)
        once = dealt.state
        dealt.press(moves.undo)
        assert dealt.table.scene.history is not None
        assert dealt.table.scene.history.moments == earlier
        dealt.press(moves.move, made, person=made.seat)
        assert dealt.state == once
        dealt.press(moves.undo)
        dealt.reopen()
        assert dealt.table.scene.history is not None
        assert dealt.table.scene.history.moments == earlier


def test_a_hand_is_given_to_its_player_alone(dealt: DealtTable) -> None:
    dealt.begin()
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


def test_twins_with_other_hidden_cards_look_alike_to_everybody_else(dealt: DealtTable) -> None:
    dealt.begin()
    for seed in range(20):
        dealt.make(2, seed)
        if dealt.table.scene.phase is Phase.OVER:
            break
        scene, state = dealt.table.scene, dealt.state
        twin = with_state(scene, exchange(state, random.Random(seed)))
        for person in (None, *(entry.id for entry in scene.people)):
            assert repr(Viewer().view(twin, person)) == repr(Viewer().view(scene, person))
        assert twin.signal == scene.signal
        history = twin.history
        assert history is not None
        assert history.record == scene.history.record  # type: ignore[union-attr]


def with_state(scene: Scene, state: DealtState) -> Scene:
    history = scene.history
    assert history is not None
    last = replace(history.moments[-1], state=state)  # type: ignore[arg-type]
    return replace(scene, history=replace(history, moments=(*history.moments[:-1], last)))


def test_everybody_is_asked_alike_and_passed_for_without_an_answer(dealt: DealtTable) -> None:
    dealt.begin()
    dealt.worker.start()
    chance, passed, could = random.Random(2), 0, 0
    while passed < 3 or could < 3:
        wait_until(lambda: not can_only_pass(dealt.state))
        state, scene = dealt.state, dealt.table.scene
        assert state.decider is not None
        assert scene.history is not None
        if state.public.open and state.public.open.needed:
            could += 1
            assert DEALT_GAME.question(state).actions
        options = list(legal_moves(state))[:100]
        shots = [move for move in options if isinstance(move, Play)]
        made = chance.choice(shots or options)
        dealt.press(moves.move, made, person=made.seat)
        passes = [one for one in dealt.table.scene.history.moments if isinstance(one.move, Pass)]  # type: ignore[union-attr]
        passed = len(passes)


def test_buttons_end_the_turn_and_pass(dealt: DealtTable) -> None:
    dealt.begin()
    scene = dealt.table.scene
    seat = dealt.state.public.turn
    hand = dealt.state.hands[seat]
    excess = len(hand) - dealt.state.public.life[seat]
    assert excess > 0
    assert scene.signal is Signal.WAITING
    dealt.table.press_green()
    assert "can’t end now" in str(dealt.table.scene.notice)
    dealt.press(moves.move, EndTurn(seat, hand[:excess]), person=seat)
    dealt.table.press_red()
    assert "nothing to pass on" in str(dealt.table.scene.notice)


def test_nothing_that_is_sent_or_kept_for_others_tells_of_hands(dealt: DealtTable) -> None:
    dealt.begin()
    dealt.make(25)
    luck = f"{dealt.table.scene.history.moments[0].state.luck:x}"[:40]  # type: ignore[union-attr]
    assert luck not in repr(dealt.table.view())
    assert "luck" not in dealt.table.scene.history.record  # type: ignore[union-attr]
    assert b'"luck"' in (dealt.folder / FILE).read_bytes()
    table = DEALT_GAME.view(dealt.state, Audience.TABLE)
    assert all(isinstance(player.hand, int) for player in table.players)


def test_what_the_deck_decides_alone_happens_by_itself(dealt: DealtTable) -> None:
    dealt.begin()
    forced: list[object] = []
    for seed in range(20):
        dealt.make(60, seed)
        history = dealt.table.scene.history
        assert history is not None
        forced += [one.move for one in history.moments if one.kind is LineKind.FORCED]
        if dealt.table.scene.phase is Phase.OVER:
            dealt.press(rounds.play_again)
    assert forced
    assert all(isinstance(move, TurnUp) for move in forced)
