"""Plays games by hand for ever and prints each version once it is accepted: to be killed."""

import random
import sys
from pathlib import Path

from stand_ins import dice_game

from companion.chance.dice_players import random_move
from companion.dicegame.moves import Roll, Stop
from companion.games import GAMES
from companion.table import moves, rolling, rounds, seats
from companion.table.changes import Press
from companion.table.journal import Journal
from companion.table.scene import Phase
from companion.table.table import Table
from companion.table.tray.state import Mark


def main(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    table = Table(Journal(folder), GAMES, dice_game())
    host = seat(table)
    while True:
        view = table.view(host)
        if view.phase is Phase.LOBBY:
            table.start_game(Press(host, view.version))
        elif view.phase is Phase.OVER:
            table.do(rounds.new_game, Press(host, view.version))
        elif chance.random() < 0.1 and view.to_undo:
            table.do(moves.undo, Press(host, view.version))
        else:
            play(table, host, chance)
        print(table.view().version, flush=True)


def seat(table: Table) -> int:
    """Let four people sit down, unless they do; return the host."""
    if not table.view().people:
        host = table.person(table.join("Ann", ""))
        for name in ("Bob", "Cleo", "Dan"):
            table.do(seats.add_person, Press(host, table.view().version), name)
    return table.view().people[0].id


def begin(table: Table) -> int:
    """Begin a game; return the host."""
    host = seat(table)
    table.start_game(Press(host, table.view().version))
    return host


def play(table: Table, host: int, chance: random.Random) -> None:
    move = random_move(table.scene.history.state, chance)
    if isinstance(move, Stop):
        table.do(rolling.stop, Press(host, table.view().version))
    elif isinstance(move, Roll):
        for die in move.rerolled if move.rerolled is not None else range(5):
            view = table.view()
            table.do(
                rolling.mark,
                Press(host, view.version, view.reading),
                die,
                Mark(face=move.dice[die]),
            )
        view = table.view()
        table.do(rolling.accept, Press(host, view.version, view.reading))
    else:
        table.do(moves.move, Press(host, table.view().version), move)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
