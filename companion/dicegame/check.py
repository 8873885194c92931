"""Legality: the one place that says whether a move may be made now, and if not, why."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from companion.dicegame.faces import BULLSEYES, DICE, Face
from companion.dicegame.moves import (
    ACTIONS,
    Beer,
    DiscardArrows,
    DiscardFrom,
    Heal,
    Move,
    Roll,
    Shoot,
    Shot,
    Stop,
    TakeArrows,
)
from companion.dicegame.state import State
from companion.dicegame.targets import (
    beer_dice,
    in_reach,
    max_arrows_for_hits,
    max_discards_when_hurt,
    uses,
)


def check(state: State, move: Move) -> str | None:
    """Return why `move` is illegal in `state`, None if it is legal."""
    if state.awaits is None:
        return "the game is over"
    if ACTIONS[type(move)] not in state.actions:
        return f"{' or '.join(state.actions)} is awaited, not {ACTIONS[type(move)]}"
    if move.seat != state.awaits.seat:
        return f"seat {state.awaits.seat} decides now, not seat {move.seat}"
    return _CHECKS[type(move)](state, move)


def _unless_living(state: State, seat: int) -> str | None:
    if not 0 <= seat < len(state.life):
        return f"there is no seat {seat}"
    if not state.life[seat]:
        return f"seat {seat} is eliminated"
    return None


def _check_heal(state: State, move: Heal) -> str | None:
    return _unless_living(state, move.target)


def _check_roll(state: State, move: Roll) -> str | None:
    if len(move.dice) != DICE:
        return f"a roll has {DICE} dice, not {len(move.dice)}"
    if state.dice is None:
        return None if move.rerolled is None else "the first roll throws all dice: no rerolled"
    thrown = move.rerolled
    if not thrown:
        return "a further roll names the dice that were thrown again"
    if not all(0 <= die < DICE for die in thrown):
        return f"dice are numbered 0 to {DICE - 1}"
    if any(after <= before for before, after in pairwise(thrown)):
        return "rerolled dice stand in ascending order, each once"
    for die, (before, after) in enumerate(zip(state.dice, move.dice, strict=True)):
        if die not in thrown and before is not after:
            return f"die {die} was kept: it still shows {before}, not {after}"
    if not state.player(state.turn).character.ability.rerolls_dynamite:
        for die in thrown:
            if state.dice[die] is Face.DYNAMITE:
                return f"die {die} shows dynamite, which is never rolled again"
    return None


def _check_stop(state: State, move: Stop) -> str | None:
    return None


def _check_shoot(state: State, move: Shoot) -> str | None:
    assert state.dice is not None
    shooting = [die for die, face in enumerate(state.dice) if face in BULLSEYES]
    if [shot.die for shot in move.shots] != shooting:
        return f"the bull's eyes are dice {shooting}: one shot each, in this order"
    if sum(shot.beer is not None for shot in move.shots) > 1:
        return "only one shot a turn may be doubled"
    return next(filter(None, (_check_shot(state, shot) for shot in move.shots)), None)


def _check_shot(state: State, shot: Shot) -> str | None:
    assert state.dice is not None
    ability = state.player(state.turn).character.ability
    if shot.used_as is not None and not ability.swaps_bullseyes:
        return f"die {shot.die}: this character uses each bull's eye as it is"
    face = shot.used_as or state.dice[shot.die]
    if face not in uses(state, shot.die):
        return f"die {shot.die} can't be used as {face}"
    targets = in_reach(state, face)
    if shot.target is None and targets:
        return f"die {shot.die} must hit one of the seats {list(targets)}"
    if shot.target is not None and shot.target not in targets:
        return _unless_living(state, shot.target) or (
            f"die {shot.die} does not reach seat {shot.target}, only {list(targets) or 'nobody'}"
        )
    if shot.beer is None:
        return None
    if not ability.doubles_with_beer:
        return f"die {shot.die}: this character can't double a shot"
    if not 0 <= shot.beer < DICE or state.dice[shot.beer] is not Face.BEER:
        return f"die {shot.beer} shows no beer"
    return f"die {shot.die} hits nobody: nothing to double" if shot.target is None else None


def _check_count(count: int, most: int) -> str | None:
    return None if 0 <= count <= most else f"0 to {most} arrows, not {count}"


def _check_take_arrows(state: State, move: TakeArrows) -> str | None:
    assert state.damage is not None
    return _check_count(move.count, max_arrows_for_hits(state, state.damage, move.seat))


def _check_discard_arrows(state: State, move: DiscardArrows) -> str | None:
    assert state.damage is not None
    return _check_count(move.count, max_discards_when_hurt(state, state.damage, move.seat))


def _check_beer(state: State, move: Beer) -> str | None:
    if len(move.targets) != beer_dice(state):
        return f"{beer_dice(state)} beers are to be drunk, not {len(move.targets)}"
    return next(filter(None, (_unless_living(state, seat) for seat in move.targets)), None)


def _check_discard_from(state: State, move: DiscardFrom) -> str | None:
    assert state.dice is not None
    if len(move.targets) > state.dice.count(Face.GATLING):
        return f"at most {state.dice.count(Face.GATLING)} arrows, one for each Gatling die"
    for seat in move.targets:
        wrong = _unless_living(state, seat)
        if wrong:
            return wrong
        if move.targets.count(seat) > state.arrows[seat]:
            return f"seat {seat} holds only {state.arrows[seat]} arrows"
    return None


_CHECKS: dict[type[Move], Callable[[State, Any], str | None]] = {
    Heal: _check_heal,
    Roll: _check_roll,
    Stop: _check_stop,
    Shoot: _check_shoot,
    TakeArrows: _check_take_arrows,
    DiscardArrows: _check_discard_arrows,
    Beer: _check_beer,
    DiscardFrom: _check_discard_from,
}
