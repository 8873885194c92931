"""How the pages show the dice game."""

from companion.games.dice.rules.reasons import Refusal
from companion.games.dice.rules.roles import Role
from companion.table.views import TableView

# Only templates use some of them.
from web.games.dice import (
    awards,
    board,
    charts,
    chronicle,
    cues,
    forms,
    moments,
    refusals,
    stakes,
    story,
    whys,
)
from web.games.game import GamePages, names_of
from web.games.moments import LATEST
from web.games.tray import DICE_TRAY
from web.i18n import lazy_gettext
from web.play import finale

__all__ = ["DICE_PAGES", "charts", "stakes"]


def tell_refusal(view: TableView, reason: object) -> str | None:
    """Return why the dice game refuses a move; None for any other reason."""
    if not isinstance(reason, Refusal):
        return None
    return refusals.tell_refusal(reason, names_of(view), board.terms_of(view))


DICE_PAGES = GamePages(
    name=lazy_gettext("The dice game"),
    tray=DICE_TRAY,
    secret_icons=frozenset(map(str, Role)) - {Role.SHERIFF},
    parts="games/dice/parts.html",
    question="games/dice/question.html",
    finale="games/dice/finale.html",
    summary_picture="games/dice/summary.svg",
    tally="games/dice/tally.html",
    stakes="games/dice/stakes.html",
    figures="games/dice/figures.html",
    look=board.look,
    roll=board.rolls,
    decides=board.decides,
    tell=story.tell_entries,
    just_happened=story.just_happened,
    moments=moments.moments,
    chronicle=chronicle.chronicle_of,
    audio=lambda view, words: cues.audio(view.story, view.game.players, words, LATEST),
    because=whys.because,
    summary=lambda view: finale.summary(view, awards.awards(view)),
    tell_refusal=tell_refusal,
    move=forms.move,
    words=board.words,
    rulesets=board.rulesets,
    house_rule_choices=board.house_rule_choices,
    house_rules=board.house_rules,
)
"""The pages of the dice game."""
