"""What pages show of the dice game, derived from a view, for templates to lay out."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from companion.dicegame.characters import CHARACTERS
from companion.dicegame.house import HouseRule
from companion.dicegame.roles import Role
from companion.dicegame.rulesets import RULESETS
from companion.dicegame.terms import Terms, terms
from companion.table.views import TableView
from web.i18n import gettext, language, ngettext
from web.play.turn import round_table

_ALTERED = {
    HouseRule.PLACES_EITHER_WAY: "rose_doolan",
    HouseRule.THIRST_AT_EACH_BEER: "jesse_jones",
    HouseRule.VULTURE_OUTLIVES: "vulture_sam",
    HouseRule.KIT_DISCARDS_LAST: "kit_carlson",
    HouseRule.ONE_ARROW_A_TURN: "el_gringo",
}
"""The character whose ability a house rule changes."""


def terms_of(view: TableView) -> Terms:
    """Return the terms of the dice game at this table, in the language of the page."""
    return terms(RULESETS[view.selection.ruleset.id], language())


def house_rules(view: TableView) -> tuple[str, ...]:
    """Return this table's house rules, a sentence each."""
    words = terms_of(view)
    return tuple(
        words.house_rules[rule] for rule in HouseRule if rule in view.selection.house_rules
    )


def altered(view: TableView, character: str) -> tuple[str, ...]:
    """Return this table's house rules that change a character's ability."""
    words = terms_of(view)
    return tuple(
        words.house_rules[rule]
        for rule, whose in _ALTERED.items()
        if whose == character and rule in view.selection.house_rules
    )


def life_of(character: str) -> int:
    """Return a character's starting life points."""
    return CHARACTERS[character].life


def portrait(view: TableView, seat: int) -> str:
    """Return the drawing of a player's character in this edition."""
    assert view.game is not None
    edition = RULESETS[view.selection.ruleset.id].edition
    return f"{edition}-{view.game.players[seat].character}"


def choices(
    view: TableView, seats: Sequence[int], targets: Sequence[int], why: str
) -> Iterator[tuple[str, list[int]]]:
    """Group seats, in order, by why they can't be chosen ("" if they can).

    targets: the seats that can be chosen; why: the reason against other living players.
    """
    assert view.game is not None
    players, out = view.game.players, terms_of(view).questions.out

    def reason(seat: int) -> str:
        if seat in targets:
            return ""
        return why if players[seat].alive else out

    return ((reason, list(same)) for reason, same in groupby(seats, reason))


class OpenGoal(NamedTuple):
    """The goal of a role that everybody knows somebody has."""

    role: Role
    """The role."""
    goal: str
    """What it must do to win."""


def open_goals(view: TableView) -> tuple[OpenGoal, ...]:
    """Return the goals of the open roles of living players, each once."""
    assert view.game is not None
    words, players = terms_of(view), view.game.players
    known = {player.role for player in players if player.alive}
    return tuple(OpenGoal(role, words.goal(role, len(players))) for role in Role if role in known)


def rolls(view: TableView) -> str:
    """Return which roll is next: `Roll 2 of 3`."""
    assert view.game is not None
    character = CHARACTERS[view.game.players[view.game.turn].character]
    most = character.ability.max_rolls
    return gettext("Roll %(roll)s of %(most)s", roll=min(view.game.rolls + 1, most), most=most)


def drinks_all(view: TableView) -> tuple[int, ...]:
    """Return who may well drink all beers: the player who hands them out, and who lacks as many."""
    assert view.game is not None
    question, players = view.question, view.game.players
    return tuple(
        seat
        for seat in round_table(view, question.seat)
        if seat in question.targets
        and players[seat].max_life - players[seat].life
        >= (1 if seat == question.seat else question.most)
    )


class Volley(NamedTuple):
    """All shots of a turn, those with a choice at the same player."""

    target: int
    """The player."""
    shots: tuple[tuple[int, int | None], ...]
    """Each die with its target; None for a shot that is lost."""


def volleys(view: TableView) -> tuple[Volley, ...]:
    """Return how all shots with a choice can go to one player; nothing unless several have one."""
    question = view.question
    if question.beers or any(len(aims) > 1 for aims in question.aims.values()):
        return ()
    reached = {die: aims[0].targets for die, aims in question.aims.items()}
    open_shots = [set(targets) for targets in reached.values() if len(targets) > 1]
    if len(open_shots) < MANY:
        return ()
    common = set.intersection(*open_shots)
    return tuple(
        Volley(
            seat,
            tuple(
                (die, seat if len(targets) > 1 else next(iter(targets), None))
                for die, targets in reached.items()
            ),
        )
        for seat in round_table(view, question.seat)
        if seat in common
    )


MANY = 2
"""From so many shots on, giving them all to one player saves taps."""


class Away(NamedTuple):
    """How far a player sits from the current player, the shorter way round."""

    places: int
    """How many places."""
    left: bool
    """Whether the way to the left is the shorter one, or equally short."""
    right: bool
    """Whether the way to the right is the shorter one, or equally short."""


def away(view: TableView, seat: int) -> Away | None:
    """Return how far away `seat` is; None if the question has no distance for it."""
    ways = view.question.away.get(seat) if view.question else None
    if ways is None:
        return None
    # Seats are numbered clockwise, and the next one clockwise sits on the left hand.
    left, right = ways
    places = min(ways)
    return Away(places, left == places, right == places)


def spoken_away(distance: Away) -> str:
    """Return a distance in words, for screen readers."""
    if distance.left and distance.right:
        return ngettext("%(num)s place away", "%(num)s places away", distance.places)
    if distance.left:
        return ngettext("%(num)s place to the left", "%(num)s places to the left", distance.places)
    return ngettext("%(num)s place to the right", "%(num)s places to the right", distance.places)
