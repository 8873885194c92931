"""What pages show of the dice game, worked out from a view alone, for templates to lay out."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from companion.dicegame.characters import CHARACTERS
from companion.dicegame.house import HouseRule
from companion.dicegame.rulesets import RULESETS
from companion.dicegame.terms import Terms, terms
from companion.table.views import TableView
from web.i18n import gettext, language, ngettext

_ALTERED = {
    HouseRule.PLACES_EITHER_WAY: "rose_doolan",
    HouseRule.THIRST_AT_EACH_BEER: "jesse_jones",
    HouseRule.VULTURE_OUTLIVES: "vulture_sam",
    HouseRule.KIT_DISCARDS_LAST: "kit_carlson",
    HouseRule.ONE_ARROW_A_TURN: "el_gringo",
}
"""Whose ability a house rule alters."""


def terms_of(view: TableView) -> Terms:
    """Return the terms of the dice game at this table, in the language of the page."""
    return terms(RULESETS[view.selection.ruleset.id], language())


def house_rules(view: TableView) -> tuple[str, ...]:
    """Return what is played otherwise at this table, a sentence each."""
    words = terms_of(view)
    return tuple(
        words.house_rules[rule] for rule in HouseRule if rule in view.selection.house_rules
    )


def altered(view: TableView, character: str) -> tuple[str, ...]:
    """Return the house rules of this table that alter the ability of a character."""
    words = terms_of(view)
    return tuple(
        words.house_rules[rule]
        for rule, whose in _ALTERED.items()
        if whose == character and rule in view.selection.house_rules
    )


def life_of(character: str) -> int:
    """Return the life points that a character begins with."""
    return CHARACTERS[character].life


def choices(
    view: TableView, seats: Sequence[int], targets: Sequence[int], why: str
) -> Iterator[tuple[str, list[int]]]:
    """Group seats, in their order, by the reason why they can't be chosen ("": they can).

    targets: the seats that can be chosen; why: the reason against others who live.
    """
    assert view.game is not None
    players, out = view.game.players, terms_of(view).questions.out

    def reason(seat: int) -> str:
        if seat in targets:
            return ""
        return why if players[seat].alive else out

    return ((reason, list(same)) for reason, same in groupby(seats, reason))


def rolls(view: TableView) -> str:
    """Return which roll is next: `Roll 2 of 3`."""
    assert view.game is not None
    character = CHARACTERS[view.game.players[view.game.turn].character]
    most = character.ability.max_rolls
    return gettext("Roll %(roll)s of %(most)s", roll=min(view.game.rolls + 1, most), most=most)


class Away(NamedTuple):
    """How far somebody sits from the player whose turn it is, by the shorter way round."""

    places: int
    """How many places."""
    left: bool
    """Whether the way on the left hand is the shorter one, or as short."""
    right: bool
    """Whether the way on the right hand is the shorter one, or as short."""


def away(view: TableView, seat: int) -> Away | None:
    """Return how far `seat` is away while that counts: to a player who is in the game."""
    ways = view.question.away.get(seat) if view.question else None
    if ways is None:
        return None
    # Seats are numbered clockwise, and the next one clockwise sits on the left hand.
    left, right = ways
    places = min(ways)
    return Away(places, left == places, right == places)


def spoken_away(distance: Away) -> str:
    """Return a distance in words, for those who hear the page."""
    if distance.left and distance.right:
        return ngettext("%(num)s place away", "%(num)s places away", distance.places)
    if distance.left:
        return ngettext("%(num)s place to the left", "%(num)s places to the left", distance.places)
    return ngettext("%(num)s place to the right", "%(num)s places to the right", distance.places)
