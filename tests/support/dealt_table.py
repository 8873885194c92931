"""A running table whose players hold dealt hands, with a thread for stand-ins."""

import random
from pathlib import Path

from dealt_hands import any_legal, legal_moves
from evening import Evening
from people import join

from companion.games.cards.dealt.moves import DealtMove
from companion.games.cards.dealt.state import DealtState
from companion.games.cards.dealt_game import DEALT_GAME
from companion.games.cards.rules.moves import Play
from companion.games.cards.rules.titles import Title
from companion.table import moves, rounds, stand_ins
from companion.table.stand_ins import StandIns

ASKING_ALL = (Title.GATLING, Title.INDIANS)
"""Cards that ask all players, one after the other."""


class Attended(Evening):
    """A table with a thread for stand-ins, once it is started."""

    def open(self) -> None:
        super().open()
        self.worker = StandIns(self.table, pause=0)
        self.table.follow(lambda *_: self.worker.wake())

    def close(self) -> None:
        self.worker.stop()
        super().close()


class DealtTable(Attended):
    """One with dealt hands; the first person is the host."""

    camera = None
    state: DealtState

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, 0, selection=DEALT_GAME.select("base"), chance=random.Random(6))

    def seat(self, people: int, levels: int) -> None:
        for name in self.called[:people]:
            join(self.table, name, self.table.scene.code)
        for _ in range(levels):
            self.do(stand_ins.add, "strong")

    def begin(self, people: int = 4) -> None:
        self.seat(people, 0)
        self.start()

    def make(self, count: int, seed: int = 1) -> None:
        """Make random decisions, each from its player's phone."""
        chance = random.Random(seed)
        for _ in range(count):
            if self.state.decider is None:
                return
            self.decide(any_legal(self.state, chance))

    def decide(self, made: DealtMove) -> None:
        """Make a decision from its player's phone."""
        self.do(moves.move, made, by=self.person(made.seat))

    def answer_early(self, made: DealtMove) -> None:
        """Answer early from the phone of the seat."""
        self.do(moves.answer_early, made, by=self.person(made.seat))

    def ask_all(self, least: int = 3) -> list[int]:
        """Play until a card asks so many players; return them in order."""
        chance = random.Random(1)
        for _ in range(2000):
            asked = answerers(self.state)
            if len(asked) >= least:
                return asked
            if self.state.decider is None:
                self.do(rounds.play_again)
            self.decide(asking_all(self.state, chance))
        raise AssertionError("nobody played such a card")


def answerers(state: DealtState) -> list[int]:
    """The players that a card for all still asks, in order."""
    assert DEALT_GAME.hands is not None
    return list(DEALT_GAME.hands.answerers(state))


def asking_all(state: DealtState, chance: random.Random) -> DealtMove:
    """A move with a card that asks all, if somebody can make one; else any."""
    moves = legal_moves(state)
    found = (move for move in moves if isinstance(move, Play) and move.card in ASKING_ALL)
    return next(found, None) or any_legal(state, chance)
