"""Folders full of games: what a table keeps after some evenings."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from companion.games.dice.game import DICE_GAME
from companion.games.dice.minds.levels import MINDS
from companion.games.dice.minds.match import play_match
from companion.games.dice.players import play_game
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.record import Origin, header_line, move_line
from companion.memory.statistics.notes import GameNotes, write
from companion.table.dealing import deal

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fritz", "Greta", "Hugo", "Ines", "Jo")
FIRST = datetime(2025, 1, 3, 19)
GAMES_AN_EVENING = 4


def record(
    names: Sequence[str] = NAMES[:5],
    seed: int = 1,
    date: str = "2026-01-01T19:00:00Z",
    levels: Sequence[str] = (),
) -> bytes:
    """A whole game between random players; `levels`: between stand-ins."""
    chance = random.Random(seed)
    setup = deal(DICE_GAME.select("base"), list(names), chance)
    if levels:
        played = play_match(setup, [MINDS[level] for level in levels], chance)
    else:
        played = play_game(setup, chance)
    lines = [header_line(setup, Origin("0.3.0", date)), *map(move_line, played.moves)]
    return "".join(f"{line}\n" for line in lines).encode()


def fill(
    folder: Path, games: int, *, code: str = "ABCD", first: int = 1, sensible: int = 0
) -> None:
    """Write the records of so many games, a few an evening and an evening a week.

    first: the number of the first; sensible: one game in so many is played by sensible stand-ins;
    0: none.
    """
    (folder / "games").mkdir(parents=True, exist_ok=True)
    for number in range(games):
        chance = random.Random(number)
        weeks, game = divmod(number, GAMES_AN_EVENING)
        when = FIRST + timedelta(weeks=weeks, minutes=45 * game)
        names = chance.sample(NAMES, chance.choice((3, 4, 5, 5, 5, 6, 7, 8)))
        path = folder / f"games/{code}-{number + first}.jsonl"
        levels = ["sensible"] * len(names) if sensible and number % sensible == 0 else []
        path.write_bytes(record(names, number, when.strftime("%Y-%m-%dT%H:%M:%SZ"), levels))
        stand_ins = {len(names) - 1: "strong"} if number % 5 == 0 else {}
        readings = {(face.value, face.value): 20 for face in Face} | {("beer", "arrow"): 1}
        notes = GameNotes("oak" if number % 3 else "pips", stand_ins, readings)
        write(path, notes)
