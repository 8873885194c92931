"""The rulesets that can be played."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.cards.rules.characters import CHARACTERS
from companion.games.common.players import numbers


@dataclass(frozen=True, slots=True)
class CardRuleset:
    """How a game is played."""

    id: str
    """The name in settings and records."""
    language: str
    """The language of its pages, unless a phone asks for another."""
    players: range
    """How many players it is for."""
    characters: tuple[str, ...]
    """The ids of the characters to deal from."""

    @property
    def numbers(self) -> str:
        """How many can play, in words: `4 to 7 players`."""
        return numbers(self.players)


_TABLE = (CardRuleset("base", "en", range(4, 8), tuple(CHARACTERS)),)

RULESETS: Mapping[str, CardRuleset] = {ruleset.id: ruleset for ruleset in _TABLE}
"""All rulesets by id."""
