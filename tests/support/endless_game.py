"""Plays games by hand for ever and prints each version once it is accepted: to be killed."""

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from people import arrive
from stand_ins import dice_game

from companion.games.dice.players import random_move
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Roll, Stop
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats
from companion.table.changes import Press
from companion.table.journal.journal import Journal
from companion.table.scene import Phase
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayMark
from companion.table.table import Table


@contextmanager
def table_of(folder: Path) -> Iterator[Table]:
    """The table of a folder, which deals alike at each start."""
    with closing(Journal(folder)) as journal:
        yield Table(journal, GAMES, dice_game(), chance=random.Random(5))


def press(table: Table, person: int, change: Callable[..., None], *said: object) -> None:
    """Somebody presses on a page that is up to date."""
    view = table.view()
    table.do(change, Press(person, view.version, view.reading), *said)


def main(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    table = Table(Journal(folder), GAMES, dice_game())
    host = seat(table)
    while True:
        view = table.view(host)
        if view.phase is Phase.LOBBY:
            press(table, host, rounds.start_game)
        elif view.phase is Phase.OVER:
            press(table, host, rounds.new_game)
        elif chance.random() < 0.1 and view.to_undo:
            press(table, host, moves.undo)
        else:
            play(table, host, chance)
        print(table.view().version, flush=True)


def seat(table: Table) -> int:
    """Let four people sit down, unless they do; return the host."""
    if not table.view().people:
        host = arrive(table, "Ann", "")
        for name in ("Bob", "Cleo", "Dan"):
            press(table, host, seats.add_person, name)
    return table.view().people[0].id


def begin(table: Table) -> int:
    """Begin a game; return the host."""
    host = seat(table)
    press(table, host, rounds.start_game)
    return host


def play(table: Table, host: int, chance: random.Random) -> None:
    move = random_move(table.scene.history.state, chance)
    begun = unfinished(table)
    if isinstance(move, Stop) and begun is None:
        press(table, host, rolling.stop)
    elif isinstance(move, Roll | Stop):
        faces = begun if begun is not None else to_enter(move)
        for die, face in faces.items():
            press(table, host, rolling.mark, die, TrayMark(face=Face(face)))
        press(table, host, rolling.accept)
    else:
        press(table, host, moves.move, move)


def to_enter(roll: Roll) -> dict[int, str]:
    """The dice that a roll throws, with what they show."""
    thrown = range(5) if roll.rerolled is None else roll.rerolled
    return {die: roll.dice[die] for die in thrown}


def unfinished(table: Table) -> dict[int, str] | None:
    """What is left to enter of a roll that a kill interrupted; None if none was."""
    dice, marks = table.view().tray.dice, table.scene.surface.state.marks
    if not table.scene.rolling or not marks:
        return None
    return {number: Face.BEER for number, die in enumerate(dice) if die.face is None}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
