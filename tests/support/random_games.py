"""Random games of both kinds, as tables show them step by step, with undos and corrections."""

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from companion.chance import card_players, dice_players
from companion.games.cards import CARD_GAME
from companion.games.dice import DICE_GAME
from companion.table.dealing import deal
from companion.table.game import Game, RecordOrigin, Seat
from companion.table.history import History, begin, play, undo
from companion.table.saved import Person
from companion.table.scene import Scene
from companion.table.tray.corrections import Correction, CorrectionKind
from companion.table.views import Viewer

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fritz", "Greta", "Hugo")
ORIGIN = RecordOrigin("0.3.0", "2026-01-01T20:00:00Z")

Chooses = Callable[[Any, random.Random], Any]


class Kind(NamedTuple):
    game: Game
    random_move: Chooses
    players: range


KINDS = {
    "dice": Kind(DICE_GAME, dice_players.random_move, range(4, 9)),
    "cards": Kind(CARD_GAME, card_players.random_move, range(4, 8)),
}
"""With so many players that roles are secret."""


class Step(NamedTuple):
    """A random move, or an undo."""

    move: Any
    """None: undo the last move."""
    corrected: tuple[Correction, ...] = ()


class RandomGame:
    """One game, and its twin in which two hidden roles are exchanged."""

    def __init__(self, kind: str, seed: int) -> None:
        self.kind, self.chance = KINDS[kind], random.Random(seed)
        game = self.kind.game
        names = NAMES[: self.chance.choice(self.kind.players)]
        selection = game.select("base")
        setup = deal(selection, names, self.chance)
        roles = list(game.roles(game.start(setup)))
        hidden = [seat for seat, role in enumerate(roles) if role != "sheriff"]
        pairs = [(a, b) for a in hidden for b in hidden if roles[a] != roles[b]]
        self.exchanged = one, other = self.chance.choice(pairs)
        swapped = list(roles)
        swapped[one], swapped[other] = roles[other], roles[one]
        self.histories = [self._begun(setup, names, dealt) for dealt in (roles, swapped)]

    def _begun(self, setup: Any, names: tuple[str, ...], roles: list[str]) -> History:
        game = self.kind.game
        view = game.open_view(game.start(setup))
        seats = [
            Seat(name, role, player.character)
            for name, role, player in zip(names, roles, view.players, strict=True)
        ]
        again = game.setup(game.selection(setup), seats)
        return begin(1, game, again, ORIGIN, ask_always=True)

    def steps(self) -> Iterator[Step]:
        """Random steps of the first game, to be made by `make`, until it is over."""
        faces = self.kind.game.dice.faces()
        while self.histories[0].standing.outcome is None:
            if self.histories[0].undoable and self.chance.random() < 0.05:
                yield Step(None)
                continue
            move = self.kind.random_move(self.histories[0].state, self.chance)
            said = ()
            if self.kind.game.dice.rolled(move) and self.chance.random() < 0.2:
                after = self.chance.choice(faces)
                said = (Correction(CorrectionKind.FACE, move.seat, 0, None, after),)
            yield Step(move, said)

    def make(self, step: Step, number: int = 0) -> None:
        history = self.histories[number]
        self.histories[number] = (
            undo(history, history.standing.turn)
            if step.move is None
            else play(history, step.move, (), step.corrected, ask_always=True)
        )

    @property
    def told_apart(self) -> bool:
        """Whether one of the exchanged players shows their role, or the game is over."""
        return any(
            history.standing.outcome is not None
            or not all(history.standing.alive[seat] for seat in self.exchanged)
            for history in self.histories
        )

    def view(self, number: int = 0):
        """What spectators see."""
        return Viewer().view(scene_of(self.histories[number]))


def scene_of(history: History) -> Scene:
    """A table on which a game is played."""
    names = history.game.names(history.game.parse_header(history.lines[0].body.encode()))
    return Scene(
        version=1,
        code="ABCD",
        games={},
        selection=history.selection,
        usual=history.selection,
        people=tuple(Person(seat + 1, name, None, not seat) for seat, name in enumerate(names)),
        history=history,
    )
