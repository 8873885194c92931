"""Plays games with dealt hands for ever."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from dealt_hands import any_legal
from dealt_table import DealtTable, answerers

from companion.games.cards.rules.moves import Pass
from companion.table import rounds


class Found(NamedTuple):
    """What a table holds: all moments of its game, with hands, deck and luck."""

    moments: object
    early: object

    @classmethod
    def at(cls, dealt: DealtTable) -> "Found":
        """What this table holds now."""
        scene = dealt.table.scene
        return cls(scene.history and scene.history.moments, getattr(scene.surface, "early", {}))


def presses(dealt: DealtTable) -> Iterator[Found]:
    """Begin a game in which many answer, and press for ever; yield what is there after each."""
    dealt.begin()
    dealt.ask_all()
    chance = random.Random(8)
    while True:
        _press(dealt, chance)
        yield Found.at(dealt)


def _press(dealt: DealtTable, chance: random.Random) -> None:
    """Make a decision, take one back, or answer early."""
    if dealt.state.decider is None:
        dealt.do(rounds.play_again)
        return
    later = answerers(dealt.state)[1:]
    if later and chance.random() < 0.5:
        dealt.answer_early(Pass(chance.choice(later)))
    elif dealt.history.undoable and chance.random() < 0.2:
        dealt.undo()
    else:
        dealt.decide(any_legal(dealt.state, chance))
