"""A running table whose players hold dealt hands, with a thread for stand-ins."""

import random
from pathlib import Path

from dealt_hands import any_legal, legal_moves
from people import join

from companion.games.cards.dealt.moves import DealtMove
from companion.games.cards.dealt.state import DealtState
from companion.games.cards.dealt_game import DEALT_GAME
from companion.games.cards.rules.moves import Play
from companion.games.cards.rules.titles import Title
from companion.games.game import Selection
from companion.games.registry import GAMES
from companion.table import moves, rounds, stand_ins
from companion.table.changes import Press
from companion.table.history import History
from companion.table.journal.journal import Journal
from companion.table.stand_ins import StandIns
from companion.table.table import Table

ASKING_ALL = (Title.GATLING, Title.INDIANS)
"""Cards that ask all players, one after the other."""


class DealtTable:
    """A table with a thread for stand-ins; the first person is the host."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.open()

    def open(self) -> None:
        self.journal = Journal(self.folder)
        self.table = Table(
            self.journal,
            GAMES,
            Selection(DEALT_GAME.opaque, DEALT_GAME.rulesets["base"]),
            chance=random.Random(6),
            now=lambda: "2026-11-26T20:00:00Z",
        )
        self.worker = StandIns(self.table, pause=0)
        self.table.follow(lambda *_: self.worker.wake())

    def close(self) -> None:
        self.worker.stop()
        self.journal.close()

    def reopen(self) -> None:
        self.close()
        self.open()

    def seat(self, people: int, levels: int) -> None:
        for number in range(people):
            join(self.table, f"P{number}", self.table.scene.code)
        for _ in range(levels):
            self.press(stand_ins.add, "strong")

    def press(self, change: object, *given: object, person: int = 0) -> None:
        scene = self.table.scene
        who = scene.people[person].id if scene.people else None
        self.table.do(change, Press(who, scene.version, scene.reading), *given)  # type: ignore[arg-type]

    def begin(self, people: int = 4) -> None:
        self.seat(people, 0)
        self.press(rounds.start_game)

    @property
    def history(self) -> History:
        assert self.table.scene.history is not None
        return self.table.scene.history

    @property
    def state(self) -> DealtState:
        return self.history.state  # type: ignore[return-value]

    def make(self, count: int, seed: int = 1) -> None:
        """Make random decisions, each from its player's phone."""
        chance = random.Random(seed)
        for _ in range(count):
            if self.state.decider is None:
                return
            self.decide(any_legal(self.state, chance))

    def decide(self, made: DealtMove) -> None:
        """Make a decision from its player's phone."""
        self.press(moves.move, made, person=made.seat)

    def answer_early(self, made: DealtMove) -> None:
        """Answer early from the phone of the seat."""
        self.press(moves.answer_early, made, person=made.seat)

    def ask_all(self, least: int = 3) -> list[int]:
        """Play until a card asks so many players; return them in order."""
        chance = random.Random(1)
        for _ in range(2000):
            asked = answerers(self.state)
            if len(asked) >= least:
                return asked
            if self.state.decider is None:
                self.press(rounds.play_again)
            all_hit = [one for one in legal_moves(self.state) if asks_all(one)]
            self.decide(all_hit[0] if all_hit else any_legal(self.state, chance))
        raise AssertionError("nobody played such a card")


def answerers(state: DealtState) -> list[int]:
    """The players that a card for all still asks, in order."""
    assert DEALT_GAME.hands is not None
    return list(DEALT_GAME.hands.answerers(state))


def asks_all(move: DealtMove) -> bool:
    return isinstance(move, Play) and move.card in ASKING_ALL
