"""Stand-ins against each other: `python -m tests.tools.bench.minds [--games N] [--players 4,5]`.

Prints Markdown. Two measures, both with intervals that hold the truth 19 times in 20, from the
differences of single games, because players of one team win together:

* mixed tables: every other seat plays at the one level, and the seats move on from game to game;
* one side: the same deals twice, with the side at the one level or the other, the rest unchanged.

`published` is the method of a published bot, made anew from its public description: see below.
"""

import argparse
import random
import time
from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from companion.games.common.beliefs import Memory
from companion.games.common.endings import TEAMS, Side
from companion.games.dice.game import DICE_GAME
from companion.games.dice.minds.choice import Choice, Mind, Throw
from companion.games.dice.minds.known import Known, world
from companion.games.dice.minds.levels import MINDS
from companion.games.dice.minds.match import play_match
from companion.games.dice.minds.sensible import sensible
from companion.games.dice.rules.faces import ALL_DICE, BEER, BULLSEYE1, BULLSEYES, DYNAMITE, GATLING
from companion.games.dice.rules.moves import Action, Beer, Heal, Shoot, Shot, Stop
from companion.games.dice.rules.roles import PREY, ROLES, Role
from companion.games.dice.rules.sides import ALONE
from companion.games.dice.rules.state import State
from companion.games.dice.rules.targets import beer_dice, in_reach
from companion.table.dealing import deal
from tests.tools.bench.machine import machine

BASE = DICE_GAME.select("base")
NAMES = tuple(f"Player {seat}" for seat in range(8))

SKEPTICISM = 0.1
"""By how much a shot at the Sheriff, or a beer for them, changes a probability."""


def published(known: Known, memory: Memory, chance: random.Random) -> Choice:
    """The method of https://github.com/shanto268/BangTheDiceGame (README.md and AIlogic.txt).

    Each player has a vector of probabilities of roles, which a shot at the Sheriff or a beer for
    them moves by a fixed amount; the greatest element is the role that it is taken for. Dice are
    kept with a probability for each face, Gatlings more willingly from two on; how often it throws
    again is chance. Beers are for itself below a threshold, otherwise for whom its role helps.
    Made in its favour: it never plays at random to deceive, and does as `sensible` does where the
    description is silent (characters' abilities).
    """
    state = world(known)
    assert state.awaits is not None
    seat, action = state.awaits
    guesses = guessed(known, memory)
    targets = wanted(known, guesses, seat)
    if action is Action.ROLL:
        return keep(state, seat, targets, chance)
    if action is Action.SHOOT:
        near, far = in_reach(state)
        shots = []
        for die in state.hand.shooting:
            reach = near if state.dice[die] is BULLSEYE1 else far
            liked = [other for other in reach if other in targets] or list(reach)
            shots.append(Shot(die, chance.choice(liked) if liked else None))
        return Shoot(seat, tuple(shots))
    if action is Action.BEER:
        return Beer(seat, (drinker(state, guesses, seat),) * beer_dice(state))
    if action is Action.HEAL:
        return Heal(seat, drinker(state, guesses, seat))
    return sensible(known, memory, chance)


def guessed(known: Known, memory: Memory) -> list[Role]:
    """The role that each player is taken for."""
    roles, dealt = known.roles, ROLES[len(known.roles)]
    vectors = [{role: dealt.count(role) / len(dealt) for role in Role} for _ in roles]
    sheriff = roles.index(Role.SHERIFF) if Role.SHERIFF in roles else None
    for deed in memory.deeds:
        if deed.target == sheriff:
            sign = 1 if deed.hurts else -1
            vectors[deed.doer][Role.OUTLAW] += sign * SKEPTICISM
            vectors[deed.doer][Role.RENEGADE] -= sign * SKEPTICISM
            vectors[deed.doer][Role.DEPUTY] -= sign * SKEPTICISM
    hidden = set(known.hidden_roles)
    return [
        role or max(hidden, key=vector.__getitem__)
        for role, vector in zip(roles, vectors, strict=True)
    ]


def wanted(known: Known, guesses: Sequence[Role], seat: int) -> set[int]:
    own = guesses[seat]
    others = {at for at, player in enumerate(known.seen.players) if player.alive} - {seat}
    if Role.SHERIFF not in known.roles:
        kinds = {PREY[own]}
    elif own is Role.OUTLAW:
        kinds = {Role.SHERIFF}
    elif own is Role.RENEGADE:
        everybody = all(player.alive for player in known.seen.players)
        kinds = {Role.DEPUTY, Role.OUTLAW} if everybody else {Role.SHERIFF}
    else:
        kinds = {Role.OUTLAW, Role.RENEGADE}
    return {other for other in others if guesses[other] in kinds}


def keep(state: State, seat: int, targets: set[int], chance: random.Random) -> Choice:
    if not state.rolls:
        return Throw(seat, ALL_DICE)
    near, far = in_reach(state)
    gatlings = state.dice.count(GATLING)
    thrown = []
    for die, face in enumerate(state.dice):
        if face is DYNAMITE:
            continue
        if face in BULLSEYES:
            willing = 0.95 if targets.intersection(near if face is BULLSEYE1 else far) else 0.1
        elif face is BEER:
            willing = 0.95 if state.life[seat] < state.setup.max_life[seat] else 0.1
        else:
            willing = (0.3, 0.3, 0.8, 1.0, 1.0, 1.0)[gatlings] if face is GATLING else 0.0
        if chance.random() > willing:
            thrown.append(die)
    return Throw(seat, tuple(thrown)) if thrown and chance.random() < 0.9 else Stop(seat)


def drinker(state: State, guesses: Sequence[Role], seat: int) -> int:
    life, most = state.life, state.setup.max_life
    others = [other for other in state.living if other != seat and life[other] < most[other]]
    if life[seat] > most[seat] // 2 and not state.setup.roles_open:
        everybody = len(state.living) == len(life)
        own = guesses[seat]
        kinds = {Role.OUTLAW} if own is Role.OUTLAW else {Role.SHERIFF, Role.DEPUTY}
        if own is not Role.RENEGADE or everybody:
            helped = [other for other in others if guesses[other] in kinds]
            if helped and life[seat] == most[seat]:
                return min(helped, key=life.__getitem__)
    return seat


LEVELS: Mapping[str, Mind] = {**MINDS, "published": published}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--players", default="3,4,5,6,7,8")
    parser.add_argument("--level", default="strong")
    parser.add_argument("--against", default="random,sensible,published")
    parser.add_argument("--measure", choices=("mixed", "sides"), default="mixed")
    arguments = parser.parse_args()
    counts = [int(count) for count in arguments.players.split(",")]
    print(f"\n{arguments.level}: {arguments.measure}, {arguments.games} games each. {machine()}\n")
    header = "level | the other | difference" if arguments.measure == "mixed" else "by side"
    print(f"| players | against | {header} | games a processor second |")
    print("|---" * (4 + 2 * (arguments.measure == "mixed")) + "|")
    for players in counts:
        for other in arguments.against.split(","):
            begun = time.process_time()
            measure = mixed if arguments.measure == "mixed" else by_side
            found = measure(arguments.level, other, players, arguments.games)
            rate = arguments.games / (time.process_time() - begun)
            print(f"| {players} | {other} | {found} | {rate:.0f} |", flush=True)


def mixed(level: str, other: str, players: int, games: int) -> str:
    """Every other seat at each level, or one more of the one, in turns."""
    chance, shares = random.Random(players), []
    for number in range(games):
        setup: Any = deal(BASE, NAMES[:players], chance)
        strong = {seat for seat in range(players) if (seat + number) % 2}
        levels = [level if seat in strong else other for seat in range(players)]
        end = play_match(setup, [LEVELS[name] for name in levels], chance).end
        assert end.result is not None
        wins = [float(seat in end.result.winners) for seat in range(players)]
        shares.append(
            (
                fmean(wins[seat] for seat in range(players) if seat in strong),
                fmean(wins[seat] for seat in range(players) if seat not in strong),
            )
        )
    first, second = (fmean(column) for column in zip(*shares, strict=True))
    return f"{first:.1%} | {second:.1%} | {interval([one - two for one, two in shares])}"


def by_side(level: str, other: str, players: int, games: int) -> str:
    """How much more often each side wins at the one level than at the other, in the same deals."""
    sides = TEAMS if players > 3 else ALONE
    won: dict[tuple[Side | None, Side], list[float]] = {}
    kinds = list(dict.fromkeys(sides[role] for role in ROLES[players]))
    for strong in (None, *kinds):
        chance = random.Random(players)
        for _ in range(games):
            setup: Any = deal(BASE, NAMES[:players], chance)
            throws = random.Random(chance.random())
            minds = [LEVELS[level if sides[role] is strong else other] for role in setup.roles]
            result = play_match(setup, minds, throws).end.result
            assert result is not None
            for side in kinds:
                won.setdefault((strong, side), []).append(float(result.side is side))
    return "; ".join(
        f"{side} {fmean(won[None, side]):.1%} → {fmean(won[side, side]):.1%}, "
        + interval([a - b for a, b in zip(won[side, side], won[None, side], strict=True)])
        for side in kinds
    )


def interval(differences: Sequence[float]) -> str:
    """The mean in percentage points, and how far it may be off 19 times in 20."""
    reach = 1.96 * stdev(differences) / sqrt(len(differences))
    return f"{fmean(differences) * 100:+.1f} ± {reach * 100:.1f}"


if __name__ == "__main__":
    main()
