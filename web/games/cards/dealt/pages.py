"""How the pages show the card game with dealt hands."""

from dataclasses import replace

from companion.games.cards.dealt.options import DealtReason
from companion.games.cards.dealt.state import OfferKind
from companion.games.cards.dealt.views import OfferQuestion
from companion.games.cards.rules import events
from companion.games.cards.rules.titles import Title
from companion.games.common.refusals import Refusal
from companion.table.views import TableView
from web.games.cards import story
from web.games.cards.board import terms_of
from web.games.cards.dealt import forms, hands
from web.games.cards.pages import CARD_PAGES
from web.games.cards.pages import tell_refusal as tell_publicly
from web.games.game import Entry, RulesChoice, StoryLine
from web.i18n import gettext, lazy_gettext

__all__ = ["DEALT_PAGES", "hands"]

NAME = lazy_gettext("Cards, dealt here")


def tell_refusal(view: TableView, reason: object) -> str | None:
    """Return why the game refuses a move; None for any other reason."""
    if isinstance(reason, Refusal) and isinstance(reason.reason, DealtReason):
        if reason.reason is DealtReason.NOT_IN_HAND:
            name = terms_of(view).cards[Title(str(reason.particulars["card"]))].name
            return gettext("your hand has no %(card)s", card=name)
        return gettext("that isn’t possible with this hand")
    return tell_publicly(view, reason)


def tell(view: TableView, told: tuple[Entry, ...]) -> tuple[StoryLine, ...]:
    """Return the story as sentences; no card in it can have been read wrongly."""
    return tuple([line._replace(cards=()) for line in CARD_PAGES.tell(view, told)])


MOVED = (
    events.Inherited,
    events.Taken,
    events.Removed,
    events.Drawn,
    events.DrawnFromPile,
    events.Discarded,
)
"""The kinds of events that move cards: nobody does what they tell, so that it is news."""


def just_happened(view: TableView) -> tuple[StoryLine, ...]:
    """Return what the last press caused, how cards moved included.

    While a player chooses among cards of their own, it doesn't say that they drew them.
    """
    asked = view.question
    choosing = isinstance(asked, OfferQuestion) and asked.offer is not OfferKind.STORE
    return story.just_happened(view, (*story.TELLING, *(() if choosing else MOVED)))


TRAY = replace(
    CARD_PAGES.tray,
    no_camera=lazy_gettext("No camera (%(fault)s). This game needs none."),
    sets=lambda teaching, words: (),
)
"""No tray: what pages say of it elsewhere."""

DEALT_PAGES = replace(
    CARD_PAGES,
    name=NAME,
    tray=TRAY,
    parts="games/cards/dealt/parts.html",
    question="games/cards/dealt/question.html",
    turn="games/cards/dealt/turn.html",
    middle="games/cards/dealt/middle.html",
    hand="games/cards/dealt/hand.html",
    looks="games/cards/dealt/looks.html",
    wrong="",
    correct="",
    decides=hands.decides,
    tell=tell,
    just_happened=just_happened,
    tell_refusal=tell_refusal,
    undo_caveat=hands.undo_caveat,
    move=forms.move,
    rulesets=lambda view: [
        RulesChoice(id, str(NAME), "", True) for id in view.selection.game.rulesets
    ],
)
"""The pages of the card game with dealt hands."""
