"""The games that a table can play, each listed once.

A game is loaded when it is first asked for, so that a program which plays none starts quickly.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.games.cards.rules import rulesets as cards
from companion.games.dice.rules import rulesets as dice
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import CONTRADICTORY, HouseRule

if TYPE_CHECKING:
    from companion.games.game import AnyRuleset, Game
    from companion.games.summary import GameSummary


def _dice() -> "Game":
    from companion.games.dice.game import DICE_GAME

    return DICE_GAME.opaque


def _cards() -> "Game":
    from companion.games.cards.game import CARD_GAME

    return CARD_GAME.opaque


def _cards_with_hands() -> "Game":
    from companion.games.cards.dealt_game import DEALT_GAME

    return DEALT_GAME.opaque


def _dice_replay() -> "Replay":
    from companion.games.dice.rules.record import replay, view_line
    from companion.games.dice.rules.views import view

    return replay, lambda *seen: view_line(view(*seen))


def _cards_replay() -> "Replay":
    from companion.games.cards.rules.record import replay, view_line
    from companion.games.cards.rules.views import view

    return replay, lambda *seen: view_line(view(*seen))


def _dice_summary() -> "Summarise":
    from companion.games.dice.summary import summarise

    return summarise


def _cards_summary() -> "Summarise":
    from companion.games.cards.summary import summarise

    return summarise


Summarise = Callable[[bytes], "GameSummary"]
"""Returns what statistics keep of a record. Raises RecordError at the first wrong line."""

Replay = tuple[Callable[..., Iterator[Any]], Callable[..., str]]
"""Yields the state after each line of a record; returns what a viewer sees of one, as a line."""


class ListedGame(NamedTuple):
    """A game in the list, with what settings may choose of it."""

    record_name: str
    """The name in its records' headers."""
    load: "Callable[[], Game]"
    """Returns the game."""
    replay: Callable[[], Replay]
    """Returns how its records are replayed."""
    summary: Callable[[], Summarise]
    """Returns how statistics summarise its records."""
    rulesets: "Mapping[str, AnyRuleset]"
    """Its rulesets, by id."""
    house_rules: Sequence[str] = ()
    """The names of its house rules."""
    contradictory: frozenset[str] = frozenset()
    """House rules that can't all be on."""
    faces: Sequence[str] = ()
    """The faces of its dice, in the order in which they are counted."""


LIST: Mapping[str, ListedGame] = {
    "dice": ListedGame(
        "bang-dice",
        _dice,
        _dice_replay,
        _dice_summary,
        dice.RULESETS,
        tuple(HouseRule),
        CONTRADICTORY,
        tuple(Face),
    ),
    "cards": ListedGame("bang-card", _cards, _cards_replay, _cards_summary, cards.RULESETS),
}
"""All games by their names in settings and options, in the order of the lobby."""


class _Games(Mapping[str, "Game"]):
    def __init__(self) -> None:
        self._load = {listed.record_name: listed.load for listed in LIST.values()}
        # Its records are those of the card game.
        self._load["bang-card-dealt"] = _cards_with_hands

    def __getitem__(self, name: str) -> "Game":
        return self._load[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._load)

    def __len__(self) -> int:
        return len(self._load)


GAMES: Mapping[str, "Game"] = _Games()
"""All games, by the name in the header of their records, in the order of the lobby."""


def card_signs() -> Mapping[str, Sequence[str]]:
    """Return the signs of each title's copies, of all games with cards."""
    decks = [game.cards for game in GAMES.values() if game.cards is not None]
    return {str(title): deck.copies_of(title) for deck in decks for title in deck.titles()}
