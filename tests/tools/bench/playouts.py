"""Play-outs for stand-ins: is a decision better if games are played on from each choice?

    python -m tests.tools.bench.playouts [--games N] [--players 4,5,6] [--worlds 8,32,128]
                                         [--tested N]

Prints Markdown. Strong stand-ins play games. At decisions taken by chance, each of a few good
choices is tried in as many worlds: hidden roles are dealt as what everybody saw makes likely, dice
are thrown, and sensible players play on to the end. The same worlds and throws serve all choices.
Some worlds choose; others, that had no part in it, tell what the choice is worth. So the table says
by how many percentage points the choice by play-outs wins more often than that of `strong`, with
the interval that holds it 19 times in 20, and how long the play-outs take.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from companion.games.common.beliefs import Memory, believe, no_memory, weigh_assignments
from companion.games.common.endings import TEAMS, Side
from companion.games.dice.game import DICE_GAME
from companion.games.dice.minds.choice import Choice, Throw, simulate_roll
from companion.games.dice.minds.known import Known, knowledge, world
from companion.games.dice.minds.levels import strong
from companion.games.dice.minds.memory import remember
from companion.games.dice.minds.rerolls import to_throw
from companion.games.dice.minds.sensible import deeds
from companion.games.dice.minds.tactics import weigh
from companion.games.dice.minds.worth import worth
from companion.games.dice.odds import play_on
from companion.games.dice.players import FAIR
from companion.games.dice.rules.faces import BULLSEYE1
from companion.games.dice.rules.moves import Action, Beer, Roll, Shoot, Stop
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.state import State
from companion.games.dice.rules.targets import beer_dice, in_reach
from companion.table.dealing import deal
from tests.tools.bench.machine import machine
from tests.tools.bench.minds import interval

BASE = DICE_GAME.select("base")
NAMES = tuple(f"Player {seat}" for seat in range(8))
OPTIONS = 4
"""Choices that are tried, that of `strong` included."""

TAKEN = {Action.ROLL: 0.06, Action.SHOOT: 0.15, Action.BEER: 0.15}
"""How often a decision of each kind is looked at."""


class Decision(NamedTuple):
    """A decision with several good choices, that of `strong` first."""

    known: Known
    memory: Memory
    options: Sequence[Choice]


def options(known: Known, memory: Memory, chosen: Choice) -> Sequence[Choice]:
    """The choice of `strong`, and a few others that are worth trying."""
    state = world(known)
    assert state.awaits is not None
    seat, action = state.awaits
    found: list[Choice] = [chosen]
    if action is Action.ROLL and state.rolls:
        role = known.roles[seat]
        assert role is not None
        ahead = weigh(state, worth(state, seat, role, believe(memory, known)))
        ranked: dict[Choice, float] = {Stop(seat): ahead.stop}
        for kept, value in ahead.throws.items():
            ranked[Throw(seat, to_throw(state.dice, kept))] = value
        found += sorted(ranked, key=ranked.__getitem__, reverse=True)
    elif isinstance(chosen, Shoot):
        near, far = in_reach(state)
        for target in dict.fromkeys((*near, *far)):
            shots = [
                shot._replace(target=target, used_as=None, beer=None)
                if target in (near if state.hand.dice[shot.die] is BULLSEYE1 else far)
                else shot
                for shot in chosen.shots
            ]
            found.append(Shoot(seat, tuple(shots)))
    elif isinstance(chosen, Beer):
        found += [Beer(seat, (target,) * beer_dice(state)) for target in state.living]
    return list(dict.fromkeys(found))[:OPTIONS]


def decisions(players: int, games: int) -> list[Decision]:
    """Decisions from games of strong stand-ins, taken by chance."""
    found = []
    for number in range(games):
        chance = Random(f"{players} {number}")
        setup: Any = deal(BASE, NAMES[:players], chance)
        state, memory = start(setup), no_memory(players)
        while state.awaits is not None:
            seat, action = state.awaits
            seen = knowledge(state, seat)
            choice = strong(seen, memory, chance)
            if chance.random() < TAKEN.get(action, 0.0):
                several = options(seen, memory, choice)
                if len(several) > 1:
                    found.append(Decision(seen, memory, several))
            move = _made(choice, state, chance)
            memory = remember(memory, state, move)
            state = apply(state, move)
    return found


def _made(choice: Choice, state: State, chance: Random) -> Roll:
    if isinstance(choice, Throw):
        return simulate_roll(choice, state.dice, lambda: chance.choice(FAIR))
    return choice  # type: ignore[return-value]


def won(decision: Decision, worlds: range) -> list[list[float]]:
    """By choice, whether the side that decides wins in each world."""
    seen, memory, several = decision
    assert seen.seat is not None
    hidden = [memory.weights[seat] for seat, role in enumerate(seen.roles) if role is None]
    deals = weigh_assignments(hidden, seen.hidden_roles)
    weights = list(accumulate(weight for _, weight in deals))
    against = Counter(deeds(memory, seen.roles))
    own = seen.roles[seen.seat]
    assert own is not None
    found: list[list[float]] = [[] for _ in several]
    for number in worlds:
        chance = Random(f"world {number}")
        ((roles, _),) = chance.choices(deals, cum_weights=weights)
        state = world(seen, roles)
        for wins, choice in zip(found, several, strict=True):
            luck = Random(f"luck {number}")
            after = apply(state, _made(choice, state, luck))
            side: Side = after.result.side if after.result else play_on(after, against, luck)
            wins.append(float(side is TEAMS[own]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20, help="of each number of players")
    parser.add_argument("--players", default="4,5,6")
    parser.add_argument("--worlds", default="8,32,128", help="in which play-outs choose")
    parser.add_argument("--tested", type=int, default=128, help="worlds that judge the choice")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.worlds.split(",")]
    print(f"\nPlay-outs, {machine()}\n")
    print("| players | decisions | worlds | another choice | gain | seconds a decision |")
    print("|---" * 6 + "|")
    for players in map(int, arguments.players.split(",")):
        looked_at = decisions(players, arguments.games)
        begun = time.process_time()
        outcomes = [won(each, range(max(sizes) + arguments.tested)) for each in looked_at]
        world_s = (time.process_time() - begun) / len(looked_at) / len(outcomes[0][0])
        for size in sizes:
            gains, others = [], 0
            for wins in outcomes:
                chosen = max(wins, key=lambda one: sum(one[:size]))
                others += chosen is not wins[0]
                judged = [fmean(one[-arguments.tested :]) for one in (chosen, wins[0])]
                gains.append(judged[0] - judged[1])
            print(
                f"| {players} | {len(looked_at)} | {size} | {others / len(looked_at):.0%} "
                f"| {interval(gains)} | {size * world_s:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
