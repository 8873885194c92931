"""Plays the same moment of a card game for ever: a Duel, a Gatling, a dying player's last Beer."""

from collections.abc import Iterator
from typing import Any

from card_evening import CardEvening
from pile_scenes import STEPS
from table_scenes import Played

from companion.table import moves

BEGUN = "tap beer"
"""The Sheriff's first turn."""

SITUATIONS = {
    # One BANG! was hard to read.
    "duel": (
        BEGUN,
        "lay duel, tap duel 2, lay bang, see unsure bang duel, name bang, lay bang, red",
    ),
    # One answers early, one answers, and the others take it.
    "gatling": (BEGUN, "lay gatling, early 3 missed from 0, lay missed, red, lay missed, red"),
    # Ben, who has one life point left, plays their last Beer, and the next time they don't.
    "beer": (
        ", ".join([BEGUN, *["tap duel 1, tap pass"] * 3]),
        "lay bang, tap bang 1, red, lay beer, undo, red, see many",
    ),
}
"""What leads to each, and what happens then, in the words of scenes."""


def played(evening: CardEvening, situation: str) -> Iterator[dict[str, object]]:
    """Play a situation again and again; yield what is saved after each step."""
    evening.start(watched=False)
    begin, steps = SITUATIONS[situation]
    game = Played(lambda: evening, STEPS, [*begin.split(", "), "see none"])
    begun = len(evening.lines) - 1
    while True:
        for step in steps.split(", "):
            game.do(step)
            yield saved(evening)
        evening.do(moves.go_back, begun)
        yield saved(evening)


def saved(evening: CardEvening) -> dict[str, object]:
    """Return what a restart must find: moves, cards that wait or are owed, early answers."""
    surface: Any = evening.table.scene.surface
    return {
        "lines": evening.lines if evening.table.scene.history else [],
        "waiting": [list(card.likely) for card in surface.state.laid],
        "owed": [list(owed) for owed in surface.state.owed],
        "early": sorted(surface.early),
    }
