"""The rules: random games to their end, one thread: `python -m tests.bench.games [--games N]`.

Prints a Markdown table; a loop of plain Python in the same run tells machines apart.
"""

import argparse
import random
import time
from collections import Counter

from companion.dicegame.characters import CHARACTERS
from companion.dicegame.roles import ROLES
from companion.dicegame.rules import apply, start
from companion.dicegame.rulesets import RULESETS
from companion.dicegame.state import Player, Setup
from companion.play import random_move
from tests.bench.machine import machine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    games = parser.parse_args().games
    print(f"\nRandom games, all 16 characters, {machine()}\n")
    print(f"Calibration: {calibration():.1f} million additions a second in a plain loop\n")
    print("| players | games a second | actions a game | sides that won |\n|---|---|---|---|")
    for players in (5, 8):
        speed, actions, sides = play(players, games)
        won = ", ".join(f"{side} {count / games:.0%}" for side, count in sides.most_common())
        print(f"| {players} | {speed:.0f} | {actions:.0f} | {won} |")


def calibration() -> float:
    begun, total = time.perf_counter(), 0
    for number in range(3_000_000):
        total += number
    return 3 / (time.perf_counter() - begun)


def play(players: int, games: int) -> tuple[float, float, Counter[str]]:
    chance = random.Random(1)
    actions, sides = 0, Counter[str]()
    begun = time.perf_counter()
    for _ in range(games):
        roles = chance.sample(ROLES[players], players)
        characters = chance.sample(sorted(CHARACTERS), players)
        seats = tuple(
            Player(f"P{seat}", role, CHARACTERS[character])
            for seat, (role, character) in enumerate(zip(roles, characters, strict=True))
        )
        state = start(Setup(RULESETS["base"], seats))
        while state.result is None:
            state = apply(state, random_move(state, chance))
            actions += 1
        sides[state.result.side] += 1
    return games / (time.perf_counter() - begun), actions / games, sides


if __name__ == "__main__":
    main()
