"""The rules: random games to their end, one thread.

    python -m tests.tools.bench.games [--games N]

Prints Markdown. A loop of plain Python before and after each row tells machines, and busy moments
of one machine, apart.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from companion.games.cards.game import CARD_GAME
from companion.games.cards.players import play_game as play_cards
from companion.games.common.played import Played
from companion.games.dice.game import DICE_GAME
from companion.games.dice.players import FAIR, play_game, random_move
from companion.games.dice.rules.faces import BEER, Dice
from companion.games.dice.rules.record import header_line, move_line, replay, view_line
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.views import Audience, view
from companion.games.game import Selection
from companion.table.dealing import deal
from tests.tools.bench.machine import machine

BASE = DICE_GAME.select("base")
CARDS = CARD_GAME.select("base")
NAMES = tuple(f"Player {seat}" for seat in range(8))

HEAD = (
    "| players | games a second | plain loop, million additions a second "
    "| actions a game | turns | sides that won |\n|---|---|---|---|---|---|"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4000)
    games = parser.parse_args().games
    print(f"\nRandom games to their end, base rules, all 16 characters, one thread. {machine()}\n")
    print(HEAD)
    for players in (3, 4, 5, 6, 7, 8):
        print(f"| {players} | {play(BASE, play_game, players, games)} |")
    print(f"\nThe same of the card game.\n\n{HEAD}")
    for players in (4, 5, 6, 7):
        print(f"| {players} | {play(CARDS, play_cards, players, games)} |")
    print("\n| an action of a game of 8,000 actions | µs |\n|---|---|")
    for name, cost in long_game(8000):
        print(f"| {name} | {cost:.1f} |")
    print(f"\nA record of 400 actions replays, each state printed, in {replay_400():.3f} s.")


def calibration() -> float:
    begun, total = time.perf_counter(), 0
    for number in range(1_000_000):
        total += number
    return 1 / (time.perf_counter() - begun)


def play(
    selection: Selection,
    play_one: Callable[[Any, random.Random], Played[Any, Any]],
    players: int,
    games: int,
) -> str:
    """The best of five parts: what other processes take away is not ours."""
    chance = random.Random(players)
    actions, turns, best, plain = 0, 0, 0.0, calibration()
    sides = Counter[str]()
    for _ in range(5):
        begun = time.perf_counter()
        for _ in range(games // 5):
            played = play_one(deal(selection, NAMES[:players], chance), chance)
            actions += len(played.moves)
            turns += played.turns
            sides[played.end.result.side] += 1
        best = max(best, games // 5 / (time.perf_counter() - begun))
        plain = max(plain, calibration())
    count = sides.total()
    won = ", ".join(f"{side} {won / count:.1%}" for side, won in sides.most_common())
    return f"{best:.0f} | {plain:.0f} | {actions / count:.0f} | {turns / count:.0f} | {won}"


def peaceful() -> list[Dice]:
    """Throws that hurt nobody for long, so that a game goes on."""
    return [dice for dice in FAIR if dice.count(BEER) >= 3]


def long_game(actions: int) -> list[tuple[str, float]]:
    """Mean cost of an action in each quarter of one game, policy included."""
    chance, throws = random.Random(2), peaceful()
    setup: Any = deal(BASE, NAMES[:5], chance)
    state = start(setup)
    marks = [time.perf_counter()]
    for number in range(1, actions + 1):
        state = apply(state, random_move(state, chance, throws))
        if number % (actions // 4) == 0:
            marks.append(time.perf_counter())
    quarters = ("first quarter", "second", "third", "last")
    costs = [(after - before) / (actions // 4) * 1e6 for before, after in pairwise(marks)]
    return list(zip(quarters, costs, strict=True))


def replay_400() -> float:
    chance, throws = random.Random(2), peaceful()
    setup: Any = deal(BASE, NAMES[:5], chance)
    state, lines = start(setup), [header_line(setup).encode()]
    while len(lines) <= 400:
        move = random_move(state, chance, throws)
        state = apply(state, move)
        lines.append(move_line(move).encode())
    begun = time.perf_counter()
    for at in replay(lines):
        view_line(view(at, Audience.TABLE))
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
