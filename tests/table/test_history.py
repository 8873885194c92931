"""A game on the table: undoing, redoing, saving and restoring, whatever is played."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import BIASES, chances, deal, loaded, setups

from companion.games.common.endings import Side
from companion.games.dice.game import DICE_GAME
from companion.games.dice.players import random_move
from companion.games.dice.rules.moves import Move, Roll
from companion.games.dice.rules.record import Origin, replay
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import Setup
from companion.games.registry import GAMES
from companion.table.history import History, Undone, begin, go_back, guess, play, restore, undo
from companion.table.surface.dice.state import TrayDie


def begun(setup: Setup, *, ask_always: bool = True) -> History:
    origin = Origin("0.2.0", "2026-11-22T19:30:00Z")
    return begin(7, DICE_GAME, setup, origin, ask_always=ask_always)


def lying(game: History, move: Move) -> tuple[TrayDie, ...]:
    """The dice after a move, entered by hand."""
    if not isinstance(move, Roll):
        return game.lying
    return tuple(TrayDie(face, thrown=False, sure=True) for face in move.dice)


@pytest.mark.tables
@given(setups(), chances, st.sampled_from(BIASES), st.booleans(), st.integers(1, 40))
def test_undo_then_redo_is_the_identity(setup, chance, faces, ask_always, most):
    game = begun(setup, ask_always=ask_always)
    before: list[tuple[History, Move]] = []
    while game.state.awaits and len(before) < most:
        move = random_move(game.state, chance, loaded(faces))
        before.append((game, move))
        game = play(game, move, lying(game, move), ask_always=ask_always)
    played = game
    for earlier, move in reversed(before):
        game = undo(game, chance.randrange(len(setup.players)))
        assert isinstance(undone := game.story[-1], Undone)
        assert (undone.whose, undone.action) == move[0:1] + move[-1:]
        assert (game.moments, game.record) == (earlier.moments, earlier.record)
        assert restore(7, game.lines, GAMES) == game
    assert not game.undoable
    for _, move in before:
        game = play(game, move, lying(game, move), ask_always=ask_always)
    assert (game.moments, game.record) == (played.moments, played.record)
    states = tuple(replay(game.record.encode().splitlines(keepends=True)))
    assert states == tuple(moment.state for moment in game.moments)
    assert restore(7, game.lines, GAMES) == game
    assert restore(7, played.lines, GAMES) == played


@given(setups(), chances, st.integers(1, 60))
def test_going_back_leaves_the_game_as_it_was_and_strikes_the_rest(setup, chance, most):
    game = begun(setup, ask_always=False)
    earlier = {len(game.moments) - 1: game}
    while game.state.awaits and len(earlier) < most:
        move = random_move(game.state, chance)
        game = play(game, move, lying(game, move), ask_always=False)
        earlier[len(game.moments) - 1] = game
    for _ in range(3):
        if not game.landings:
            return
        moves = chance.choice(game.landings)
        left = go_back(game, 0, moves)
        assert left.moments == earlier[moves].moments
        kept = [e for e, status in zip(left.story, left.statuses, strict=True) if not status.undone]
        assert tuple(e for e in kept if not isinstance(e, Undone)) == left.events
        assert isinstance(undone := left.story[-1], Undone)
        assert undone.decisions == sum(number >= moves for number in game.landings)
        assert restore(7, left.lines, GAMES) == left
        game = left


def test_a_guess_lasts_as_long_as_its_player_is_out():
    chance = random.Random(3)
    game = begun(deal(RULESETS["base"], 5, chance))
    while all(game.state.life):
        move = random_move(game.state, chance)
        game = play(game, move, lying(game, move), ask_always=True)
    fallen = game.state.life.index(0)
    for side in (Side.LAW, Side.OUTLAWS):
        before, game = game, guess(game, fallen, side)
        assert game.lines == before.lines, "guessing makes no game longer"
    assert game.guesses == {fallen: Side.OUTLAWS}
    assert "outlaws" not in game.record.splitlines()[-1]
    game = undo(game, 0)
    assert game.guesses == {}
    assert restore(7, game.lines, GAMES) == game
