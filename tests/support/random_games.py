"""Random games of both kinds, as tables show them step by step, with undos and corrections."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from companion.games.cards import players as card_players
from companion.games.cards.game import CARD_GAME
from companion.games.cards.rules.titles import Title
from companion.games.dice import players as dice_players
from companion.games.dice.game import DICE_GAME
from companion.games.dice.minds.levels import MINDS
from companion.games.game import (
    Correction,
    CorrectionKind,
    Game,
    Odds,
    RecordOrigin,
    Seat,
    Selection,
)
from companion.table.dealing import deal
from companion.table.history import History, begin, play, retitle, undo
from companion.table.journal.saved import Person
from companion.table.scene import Environment, Guest, Requests, Scene, StandInSeats, surface_of
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
    """None: none; undo the last one, unless a card gets another title."""
    corrected: tuple[Correction, ...] = ()
    """What was corrected in its dice."""
    retitled: tuple[int, str] | None = None
    """Instead: an earlier move, and the other title that its card gets."""


class RandomGame:
    """One game, and its twin in which two hidden roles are exchanged."""

    def __init__(self, kind: str | Kind, seed: int) -> None:
        self.kind = KINDS[kind] if isinstance(kind, str) else kind
        self.chance = random.Random(seed)
        game = self.kind.game
        self.selection = selection = self._selection()
        possible = [count for count in selection.ruleset.players if count in self.kind.players]
        names = NAMES[: self.chance.choice(possible)]
        self.ask_always = self.chance.random() < 0.5
        self.people = tuple(Person(n + 1, name, None, not n) for n, name in enumerate(names))
        self.stand_ins = {
            person.id: self.chance.choice(list(MINDS))
            for person in self.people
            if game.stand_ins and self.chance.random() < 0.3
        }
        """How stand-ins play, by the number of the person whose seat they have."""
        self.left = frozenset(person.id for person in self.people if self.chance.random() < 0.1)
        """The numbers of those who won't play the next game."""
        self.histories = self.begin_twins(deal(selection, names, self.chance), names)

    def begin_twins(self, setup: Any, names: tuple[str, ...]) -> list[History]:
        """Begin the game as it was dealt, and its twin."""
        game = self.kind.game
        roles = list(game.roles(game.start(setup)))
        hidden = [seat for seat, role in enumerate(roles) if role != "sheriff"]
        pairs = [(a, b) for a in hidden for b in hidden if roles[a] != roles[b]]
        self.exchanged = one, other = self.chance.choice(pairs)
        swapped = list(roles)
        swapped[one], swapped[other] = roles[other], roles[one]
        return [self._begun(setup, names, dealt) for dealt in (roles, swapped)]

    def _selection(self) -> Selection:
        """Any ruleset; in half of the games, house rules."""
        game = self.kind.game
        ruleset = self.chance.choice(list(game.rulesets))
        if self.chance.random() < 0.5:
            return game.select(ruleset)
        while True:
            rules = [rule for rule in game.house_rules if self.chance.random() < 0.5]
            # Some contradict each other.
            with suppress(ValueError):
                return game.select(ruleset, rules)

    def _begun(self, setup: Any, names: tuple[str, ...], roles: list[str]) -> History:
        game = self.kind.game
        view = game.open_view(game.start(setup))
        seats = map(Seat, names, roles, (player.character for player in view.players))
        again = game.setup(game.selection(setup), [*seats])
        return begin(1, game, again, ORIGIN, ask_always=self.ask_always)

    def steps(self) -> Iterator[Step]:
        """Random steps of the first game, to be made by `make`, until it is over."""
        dice = self.kind.game.dice
        faces = dice.faces() if dice else ()
        while self.histories[0].standing.outcome is None:
            if self.histories[0].undoable and self.chance.random() < 0.05:
                yield Step(None)
                continue
            if self.kind.game.cards and (other := self._other_title()):
                yield Step(None, retitled=other)
                continue
            move = self.kind.random_move(self.histories[0].state, self.chance)
            said = ()
            if self.kind.game.rolled(move) and self.chance.random() < 0.2:
                after = self.chance.choice(faces)
                said = (Correction(CorrectionKind.FACE, move.seat, 0, None, after),)
            yield Step(move, said)

    def _other_title(self) -> tuple[int, str] | None:
        """Now and then, a move and a title that its card may get; mostly None."""
        moments = len(self.histories[0].moments)
        if moments < 2 or self.chance.random() > 0.1:
            return None
        found = self.chance.randrange(1, moments), self.chance.choice(list(Title)).value
        with suppress(ValueError):
            retitle(self.histories[0], 0, *found)
            return found
        return None

    def make(self, step: Step, number: int = 0) -> None:
        history = self.histories[number]
        turn = history.standing.turn
        if step.retitled:
            history = retitle(history, turn, *step.retitled)
        elif step.move is None:
            history = undo(history, turn)
        else:
            history = play(history, step.move, (), step.corrected, ask_always=self.ask_always)
        self.histories[number] = history

    @property
    def told_apart(self) -> bool:
        """Whether one of the exchanged players shows their role, or the game is over."""
        return any(
            history.standing.outcome is not None
            or not all(history.standing.alive[seat] for seat in self.exchanged)
            for history in self.histories
        )

    def scene(self, twin: int = 0, number: int = 1) -> Scene:
        """The table on which the game is played, as its game of a number."""
        history = replace(self.histories[twin], number=number)
        return Scene(
            version=1,
            code="ABCD",
            environment=Environment({}, self.selection, ask_always=self.ask_always),
            selection=self.selection,
            people=self.people,
            surface=surface_of(history.game),
            history=history,
            stand_ins=StandInSeats(self.stand_ins),
            left=self.left,
            requests=Requests(queue=(Guest(99, "Zoe", "a token"),)),
            # Eliminated players see odds; programs never do, even if they told the twins apart.
            odds=Odds({"law": float(twin)}, 1),
        )

    def view(self, number: int = 0):
        """What spectators see."""
        return Viewer().view(self.scene(number))
