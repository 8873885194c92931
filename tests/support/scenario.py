"""Scenes from a game in few words, for tests that hold one rule each.

Dice are letters: A arrow, D dynamite, 1 and 2 bull's eyes, B beer, G Gatling. Moves are functions
of the state, because whoever is awaited makes them: `play(scene, roll("AAB12"), stop)`.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from companion.games.common.refusals import IllegalMove
from companion.games.dice.rules import moves
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.check import check
from companion.games.dice.rules.faces import BULLSEYES, Dice, Face
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import Awaits, Player, Setup, State

Choice = Callable[[State], moves.Move]

ROLES = {role[0].upper(): role for role in Role}
FACES = dict(zip("AD12BG", Face, strict=True))

# Nothing about them matters in these places: not on the turn played, not when they are hit.
ON_TURN = ("paul_regret", "jourdonnais")
OFF_TURN = (
    "jesse_jones", "kit_carlson", "willy_the_kid", "rose_doolan", "slab_the_killer", "lucky_duke",
    "black_jack", "calamity_janet",
)  # fmt: skip


def game(
    players: str,
    *,
    ruleset: str = "base",
    turn: int = 0,
    life: Mapping[int, int] | int = 5,
    arrows: Mapping[int, int] | None = None,
) -> State:
    """A turn about to begin.

    players: `S O:el_gringo R O`, clockwise; whoever has no character gets one without influence.
    life: of everybody, or by seat (5 for the others); 0 fell on an earlier turn. arrows: by seat.
    """
    words = [word.partition(":") for word in players.split()]
    named = {character for _, _, character in words}
    spare = [character for character in OFF_TURN if character not in named]
    on_turn = next(character for character in ON_TURN if character not in named)
    setup = Setup(
        RULESETS[ruleset],
        tuple(
            Player(
                f"P{seat}",
                ROLES[role],
                CHARACTERS[character or (on_turn if seat == turn else spare.pop(0))],
            )
            for seat, (role, _, character) in enumerate(words)
        ),
    )
    points = {} if isinstance(life, int) else life
    common = life if isinstance(life, int) else 5
    heals = setup.players[turn].character.ability.heals_at_start
    return replace(
        start(setup),
        turn=turn,
        life=tuple(points.get(seat, common) for seat in range(len(words))),
        living=tuple(seat for seat in range(len(words)) if points.get(seat, common)),
        arrows=tuple((arrows or {}).get(seat, 0) for seat in range(len(words))),
        awaits=Awaits(turn, moves.Action.HEAL if heals else moves.Action.ROLL),
    )


def dice(letters: str) -> Dice:
    return tuple(FACES[letter] for letter in letters)


def play(state: State, *choices: Choice) -> State:
    for choice in choices:
        state = apply(state, choice(state))
    return state


def throw(state: State, letters: str) -> State:
    """Roll once and, unless rolling is over by itself, stop."""
    state = play(state, roll(letters))
    return play(state, stop) if "stop" in state.actions else state


def refusal(state: State, choice: Choice) -> str:
    """Why the move is illegal: both who asks and who tries anyway are told the same."""
    with pytest.raises(IllegalMove) as illegal:
        apply(state, choice(state))
    assert illegal.value.refusal == check(state, choice(state))
    return str(illegal.value)


def _awaited(state: State) -> int:
    assert state.awaits
    return state.awaits.seat


def roll(letters: str, thrown: tuple[int, ...] | None = None) -> Choice:
    return lambda state: moves.Roll(_awaited(state), dice(letters), thrown)


def reroll(thrown: Mapping[int, str]) -> Choice:
    """Throw some dice again: what each of them shows now."""

    def choice(state: State) -> moves.Move:
        after = list(state.dice)
        for die, letter in thrown.items():
            after[die] = FACES[letter]
        return moves.Roll(_awaited(state), tuple(after), tuple(sorted(thrown)))

    return choice


def stop(state: State) -> moves.Move:
    return moves.Stop(_awaited(state))


def at(target: int | None, *, used_as: str | None = None, beer: int | None = None) -> moves.Shot:
    """A shot with a twist; which die fires it, `shoot` says."""
    return moves.Shot(-1, target, FACES[used_as] if used_as else None, beer)


def shoot(*targets: int | moves.Shot | None) -> Choice:
    """One target for each bull's eye, in the order of the dice."""

    def choice(state: State) -> moves.Move:
        shooting = [die for die, face in enumerate(state.dice) if face in BULLSEYES]
        twisted = [target if isinstance(target, moves.Shot) else at(target) for target in targets]
        return moves.Shoot(
            _awaited(state),
            tuple(
                moves.Shot(die, shot.target, shot.used_as, shot.beer)
                for die, shot in zip(shooting, twisted, strict=True)
            ),
        )

    return choice


def fire(*shots: moves.Shot) -> Choice:
    """Shots, each with its die."""
    return lambda state: moves.Shoot(_awaited(state), shots)


def drink(*targets: int) -> Choice:
    return lambda state: moves.Beer(_awaited(state), targets)


def heal(target: int) -> Choice:
    return lambda state: moves.Heal(_awaited(state), target)


def take(count: int) -> Choice:
    return lambda state: moves.TakeArrows(_awaited(state), count)


def put_back(count: int) -> Choice:
    return lambda state: moves.DiscardArrows(_awaited(state), count)


def discard_from(*targets: int) -> Choice:
    return lambda state: moves.DiscardFrom(_awaited(state), targets)


def reached(state: State, used_as: str | None = None) -> set[int | None]:
    """Whom the only bull's eye may hit, by trying every seat; None: it may be lost."""
    tried = (*range(len(state.life)), None)
    return {
        target
        for target in tried
        if check(state, shoot(at(target, used_as=used_as))(state)) is None
    }


def ended(state: State) -> tuple[str, tuple[int, ...]]:
    """The side that won and its seats; a game that is over awaits nobody."""
    assert state.result is not None
    assert state.awaits is None
    return state.result.side, state.result.winners
