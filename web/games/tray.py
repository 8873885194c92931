"""What pages say of dice in the tray, and of cards."""

from web.games.game import TrayPages
from web.i18n import lazy_gettext
from web.teaching import cards, dice

DICE_TRAY = TrayPages(
    cards=False,
    heading=lazy_gettext("Dice"),
    teach=lazy_gettext("Teach the dice"),
    no_camera=lazy_gettext("No camera (%(fault)s). Dice are entered by hand until it is back."),
    teaching=lambda site: site.teaching,
    sets=dice.sets,
    lesson=dice.dice_lesson_page,
)
"""Five dice, which are thrown."""

CARD_TRAY = TrayPages(
    cards=True,
    heading=lazy_gettext("Cards"),
    teach=lazy_gettext("Teach the cards"),
    no_camera=lazy_gettext("No camera (%(fault)s). Cards are tapped until it is back."),
    teaching=lambda site: site.card_teaching,
    sets=cards.decks,
    lesson=cards.card_lesson_page,
)
"""The discard pile, on which cards are laid."""
