"""What the throws to come decide, in words; all of it follows from what everybody sees."""

from typing import NamedTuple

from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.throws import Stake, StakeKind, stakes
from companion.games.dice.terms import DiceTerms
from companion.table.views import TableView
from web.games.dice.board import terms_of
from web.i18n import gettext, lazy_gettext, percent
from web.text import capital

_TOLD = {
    StakeKind.GATLING: lazy_gettext("%(name)s needs %(dice)s to hit everybody else."),
    StakeKind.SHOT: lazy_gettext("%(name)s needs %(dice)s to eliminate %(whom)s."),
    StakeKind.BEER: lazy_gettext("%(name)s needs %(dice)s to gain %(points)s."),
    StakeKind.DYNAMITE: lazy_gettext("%(dice)s in the next throw would end %(name)s’s rolling."),
    StakeKind.INDIANS: lazy_gettext("%(dice)s in the next throw would empty the pile."),
}
"""By kind, the sentence."""


class StakeLine(NamedTuple):
    """Something at stake, as a page shows it."""

    face: Face
    """The face that is drawn beside it."""
    text: str
    """The sentence."""
    chance: str
    """How likely it is."""


def lines(view: TableView) -> tuple[StakeLine, ...]:
    """Return what the throws to come decide; nothing while no dice are awaited."""
    if not view.rolling or view.question is None:
        return ()
    words = terms_of(view)
    either_way = HouseRule.PLACES_EITHER_WAY in view.selection.house_rules
    found = stakes(view.game, view.question.away, either_way)
    return tuple(
        StakeLine(stake.faces[0], _tell(view, stake, words), round_chance(stake.chance))
        for stake in found
    )


def _tell(view: TableView, stake: Stake, words: DiceTerms) -> str:
    name = view.game.players[view.game.turn].name
    names = " / ".join(words.faces[face] for face in stake.faces)
    dice = f"{names}\N{NO-BREAK SPACE}×{stake.needed}" if stake.needed > 1 else names
    whom = " / ".join(view.game.players[seat].name for seat in stake.whom)
    particulars = {"name": name, "dice": dice, "whom": whom, "points": words.life_point.many}
    return capital(str(_TOLD[stake.kind]) % particulars)


def round_chance(chance: float) -> str:
    """Return a chance in whole percent; what is not certain is never called 0 or 100."""
    if 0 < chance < 0.01:
        return gettext("under %(share)s", share=percent(0.01))
    if 0.99 < chance < 1:
        return gettext("over %(share)s", share=percent(0.99))
    return percent(chance)
