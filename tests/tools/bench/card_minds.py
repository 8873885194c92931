"""Stand-ins of the card game against each other: `python -m tests.tools.bench.card_minds`.

The same deals are played twice, with one side at a level or, like all others, at the other level.
Prints Markdown: how often that side wins, and the difference in percentage points with the interval
that holds it 19 times in 20.
"""

import argparse
import random
import time
from typing import Any

from companion.games.cards.game import CARD_GAME
from companion.games.cards.minds.levels import MINDS
from companion.games.cards.minds.match import play_match
from companion.games.common.endings import TEAMS, Side
from companion.table.dealing import deal
from tests.tools.bench.machine import machine
from tests.tools.bench.minds import NAMES, interval

SIDES = tuple(dict.fromkeys(TEAMS.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--players", default="4,5,6,7")
    parser.add_argument("--level", default="strong")
    parser.add_argument("--against", default="sensible,random")
    arguments = parser.parse_args()
    print(f"\n{arguments.level}, {arguments.games} deals each. {machine()}\n")
    print("| players | against | law | Outlaws | Renegade | games a processor second |")
    print("|---" * 6 + "|")
    for players in map(int, arguments.players.split(",")):
        for other in arguments.against.split(","):
            begun = time.process_time()
            found = [by_side(arguments.level, other, players, arguments.games, s) for s in SIDES]
            rate = 2 * len(SIDES) * arguments.games / (time.process_time() - begun)
            print(f"| {players} | {other} | {' | '.join(found)} | {rate:.0f} |", flush=True)


def by_side(level: str, other: str, players: int, games: int, side: Side) -> str:
    """How much more often a side wins at a level than at the other one, in the same deals."""
    won = {level: [0.0] * games, other: [0.0] * games}
    for number in range(games):
        for played, wins in won.items():
            chance = random.Random(f"{players} {number}")
            setup: Any = deal(CARD_GAME.select("base"), NAMES[:players], chance)
            levels = [played if TEAMS[role] is side else other for role in setup.roles]
            end = play_match(setup, [MINDS[name] for name in levels], chance).end
            wins[number] = float(end.result is not None and end.result.side is side)
    first, second = won[level], won[other]
    gained = interval([one - two for one, two in zip(first, second, strict=True)])
    return f"{sum(second) / games:.1%} → {sum(first) / games:.1%}, {gained}"


if __name__ == "__main__":
    main()
