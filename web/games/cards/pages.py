"""How the pages show the card game."""

from companion.games.cards.rules.reasons import CardReason
from companion.games.cards.terms import telling
from companion.games.common.refusals import Refusal
from companion.games.common.roles import Role
from companion.table.views import TableView

# Only templates use some of them.
from web.games.cards import (
    awards,
    board,
    chronicle,
    cues,
    forms,
    helping,
    laid,
    moments,
    recount,
    story,
)
from web.games.game import GamePages, RulesChoice, names_of, turns
from web.games.moments import LATEST
from web.games.tray import CARD_TRAY
from web.i18n import lazy_gettext
from web.play import finale

__all__ = ["CARD_PAGES", "helping", "laid", "recount"]


NAME = lazy_gettext("The card game")


def alert_key(view: TableView) -> str:
    """Return a text that changes when a player is asked anew.

    A player who goes on playing cards isn't.
    """
    if view.game.open:
        return f"question-{view.version}"
    return f"turn-{view.game_number}-{turns(view)}"


def tell_refusal(view: TableView, reason: object) -> str | None:
    """Return why the card game refuses a move; None for any other reason."""
    if not isinstance(reason, Refusal) or not isinstance(reason.reason, CardReason):
        return None
    return telling.tell_refusal(reason, names_of(view), board.terms_of(view))


CARD_PAGES = GamePages(
    name=NAME,
    tray=CARD_TRAY,
    secret_icons=frozenset(map(str, Role)) - {Role.SHERIFF},
    parts="games/cards/parts.html",
    question="games/cards/question.html",
    turn="games/cards/turn.html",
    middle="games/cards/middle.html",
    finale="games/cards/finale.html",
    summary_picture="games/cards/summary.svg",
    looks="games/cards/looks.html",
    wrong="games/cards/wrong.html",
    correct="games/cards/correct.html",
    tally="games/cards/tally.html",
    figures="games/cards/figures.html",
    stage="card-stage.js",
    look=lambda view: "cards",
    decides=board.doing,
    alert_key=alert_key,
    tell=story.tell_entries,
    just_happened=story.just_happened,
    moments=moments.moments,
    chronicle=chronicle.chronicle_of,
    audio=lambda view, words: cues.audio(
        view.story, view.statuses, board.names_of(view), words, LATEST
    ),
    summary=lambda view: finale.summary(view, awards.awards(view)),
    tell_refusal=tell_refusal,
    move=forms.move,
    rulesets=lambda view: [
        RulesChoice(id, str(NAME), "", True) for id in view.selection.game.rulesets
    ],
)
"""The pages of the card game."""
