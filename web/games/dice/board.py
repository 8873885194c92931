"""What pages show of the dice game, derived from a view, for templates to lay out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple
from urllib.parse import urlencode

from companion.games.dice.rules import choices
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Shot
from companion.games.dice.rules.rulesets import RULESETS, Edition, followed
from companion.games.dice.terms import DiceTerms, terms
from companion.table.views import TableView
from web.games.dice import hall_words
from web.games.game import RulesChoice
from web.i18n import gettext, language, ngettext
from web.play.tray import counted_faces
from web.play.turn import round_table

_ALTERED = {
    HouseRule.PLACES_EITHER_WAY: "rose_doolan",
    HouseRule.THIRST_AT_EACH_BEER: "jesse_jones",
    HouseRule.VULTURE_OUTLIVES: "vulture_sam",
    HouseRule.KIT_DISCARDS_LAST: "kit_carlson",
    HouseRule.ONE_ARROW_A_TURN: "el_gringo",
}
"""The character whose ability a house rule changes."""


def terms_of(view: TableView) -> DiceTerms:
    """Return the terms of the dice game at this table, in the language of the page."""
    return terms(RULESETS[view.selection.ruleset.id], language())


def words(view: TableView) -> DiceTerms:
    """Return the terms of the edition at this table; of the base game, if it plays another game."""
    return hall_words.words(view.selection.ruleset.id, language())


def house_rules(view: TableView) -> tuple[str, ...]:
    """Return this table's house rules in the words of the dice game, a sentence each."""
    if not view.selection.house_rules:
        return ()
    words = terms_of(view)
    return tuple(
        words.house_rules[rule] for rule in HouseRule if rule in view.selection.house_rules
    )


def ability_changes(view: TableView, character: str) -> tuple[str, ...]:
    """Return this table's house rules that change a character's ability."""
    if not view.selection.house_rules:
        return ()
    words = terms_of(view)
    return tuple(
        words.house_rules[rule]
        for rule, whose in _ALTERED.items()
        if whose == character and rule in view.selection.house_rules
    )


def life_of(character: str) -> int:
    """Return a character's starting life points."""
    return CHARACTERS[character].life


def look(view: TableView) -> str:
    """Return the class of an edition with symbols and colours of its own."""
    edition = RULESETS[view.selection.ruleset.id].edition
    return "" if edition is Edition.BASE else edition


def decides(view: TableView) -> str:
    """Return what a player is deciding: `chooses a target`."""
    return terms_of(view).questions.decides[view.question.action]


def rulesets(view: TableView) -> tuple[RulesChoice, ...]:
    """Return the rulesets of the dice game to choose from."""
    chosen = view.selection.ruleset.id
    return tuple(
        RulesChoice(id, *text, id == chosen) for id, text in terms_of(view).rulesets.items()
    )


def house_rule_choices(view: TableView) -> tuple[RulesChoice, ...]:
    """Return the house rules to choose from, a sentence each.

    One that says what the edition's own rules say is left out, unless it is on.
    """
    chosen = view.selection.house_rules
    own = followed(RULESETS[view.selection.ruleset.id])
    return tuple(
        RulesChoice(rule, "", text, rule in chosen)
        for rule, text in terms_of(view).house_rules.items()
        if rule in chosen or rule is not own
    )


def portrait(view: TableView, seat: int) -> str:
    """Return the drawing of a player's character in this edition."""
    assert view.game is not None
    edition = RULESETS[view.selection.ruleset.id].edition
    return f"{edition}-{view.game.players[seat].character}"


def group_seats(
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


class AimedAt(NamedTuple):
    """The dice of a volley that hit a player."""

    target: int | None
    """The player; None for shots that are lost."""
    faces: tuple[Face, ...]
    """What the dice show; last, the beer that doubles a shot."""


class Volley(NamedTuple):
    """All shots of a turn, as one button offers them."""

    aimed: tuple[AimedAt, ...]
    """Whom they hit, in table order."""
    fields: str
    """What the button sends."""


def volleys(view: TableView) -> tuple[Volley, ...]:
    """Return how all shots can be aimed at once; nothing if one tap answers the question anyway."""
    return tuple(_volley(view, shots) for shots in choices.volleys(view.question).offered)


def spoken_dice(view: TableView, aimed: AimedAt) -> str:
    """Return the dice that hit a player in words, for screen readers."""
    return terms_of(view).join(counted_faces(view, Counter(aimed.faces)))


def asks_each_shot(view: TableView) -> bool:
    """Return whether shots can be aimed one at a time."""
    return not choices.volleys(view.question).complete


def _volley(view: TableView, shots: Sequence[Shot]) -> Volley:
    question = view.question
    hit: dict[int | None, list[Shot]] = {}
    for shot in shots:
        hit.setdefault(shot.target, []).append(shot)
    order: list[int | None] = [*round_table(view, question.seat), None]
    aimed = tuple(
        AimedAt(
            seat,
            (
                *(question.aims[shot.die][0].face for shot in hit[seat]),
                *(Face.BEER for shot in hit[seat] if shot.beer is not None),
            ),
        )
        for seat in sorted(hit, key=order.index)
    )
    fields: list[tuple[str, object]] = [("seat", question.seat), ("action", question.action)]
    for shot in shots:
        target = "none" if shot.target is None else shot.target
        used = f"{shot.used_as}:" if shot.used_as else ""
        fields.append((f"shot-{shot.die}", f"{used}{target}"))
        if shot.beer is not None:
            fields += [("double", shot.die), ("beer", shot.beer)]
    return Volley(aimed, urlencode(fields))


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


def describe_distance(distance: Away) -> str:
    """Return a distance in words, for screen readers."""
    if distance.left and distance.right:
        return ngettext("%(num)s place away", "%(num)s places away", distance.places)
    if distance.left:
        return ngettext("%(num)s place to the left", "%(num)s places to the left", distance.places)
    return ngettext("%(num)s place to the right", "%(num)s places to the right", distance.places)
