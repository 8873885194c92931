"""Plays the same moment of a card game for ever: a Duel, a Gatling, a dying player's last Beer."""

from collections.abc import Callable, Iterator, Mapping

from card_evening import CardEvening

from companion.games.cards.rules.moves import Pass, Play
from companion.games.cards.rules.titles import Title
from companion.table import moves
from companion.table.surface.cards.state import PileVerdict

T = Title


def played(evening: CardEvening, situation: str) -> Iterator[dict[str, object]]:
    """Play a situation again and again; yield what is saved after each step."""
    evening.start(watched=False)
    begin, steps = SITUATIONS[situation]
    begin(evening)
    evening.see(PileVerdict.NONE)
    begun = len(evening.lines) - 1
    while True:
        for step in steps(evening):
            step()
            yield saved(evening)
        evening.table.do(moves.go_back, evening.press, begun)
        yield saved(evening)


def saved(evening: CardEvening) -> dict[str, object]:
    """Return what a restart must find: moves, cards that wait or are owed, early answers."""
    known = evening.table.scene.surface.state
    return {
        "lines": evening.lines if evening.table.scene.history else [],
        "waiting": [list(card.likely) for card in known.laid],
        "owed": [list(owed) for owed in known.owed],
        "early": sorted(evening.table.scene.surface.early),
    }


Steps = list[Callable[[], None]]


def begin_turn(evening: CardEvening) -> None:
    """The Sheriff's first turn."""
    evening.tap(Play(0, T.BEER))


def duel(evening: CardEvening) -> Steps:
    """A duel in which one BANG! was hard to read."""
    return [
        lambda: evening.lay(T.DUEL),
        lambda: evening.tap(Play(0, T.DUEL, 2)),
        lambda: evening.lay(T.BANG),
        lambda: evening.see(PileVerdict.UNSURE, [T.BANG, T.DUEL]),
        lambda: evening.name(T.BANG),
        lambda: evening.lay(T.BANG),
        evening.table.press_red,
    ]


def gatling(evening: CardEvening) -> Steps:
    """A Gatling that one answers early, one answers and the others take."""
    return [
        lambda: evening.lay(T.GATLING),
        lambda: evening.table.do(moves.answer_early, evening.press, Play(3, T.MISSED)),
        lambda: evening.lay(T.MISSED),
        evening.table.press_red,
        lambda: evening.lay(T.MISSED),
        evening.table.press_red,
    ]


def begin_dying(evening: CardEvening) -> None:
    """Ben has one life point left."""
    begin_turn(evening)
    for _ in range(3):
        evening.tap(Play(0, T.DUEL, 1), Pass(1))


def beer(evening: CardEvening) -> Steps:
    """A dying player plays their last Beer, and the next time they don't."""
    return [
        lambda: evening.lay(T.BANG),
        lambda: evening.tap(Play(0, T.BANG, 1)),
        evening.table.press_red,
        lambda: evening.lay(T.BEER),
        evening.undo,
        evening.table.press_red,
        lambda: evening.see(PileVerdict.MANY),
    ]


SITUATIONS: Mapping[str, tuple[Callable[[CardEvening], None], Callable[[CardEvening], Steps]]] = {
    "duel": (begin_turn, duel),
    "gatling": (begin_turn, gatling),
    "beer": (begin_dying, beer),
}
