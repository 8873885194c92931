"""What the set-up page says: what to change, and how well dice are read."""

from typing import TYPE_CHECKING, NamedTuple

from companion.table.surface.dice.state import DICE
from web.i18n import gettext, lazy_gettext, ngettext

if TYPE_CHECKING:
    from companion.setup.aiming import Advice, SetupView

_ADVICE = {
    "too_dark": lazy_gettext("Too dark: switch on a lamp, and check that nothing covers the lens."),
    "no_tray": lazy_gettext("No tray in the picture: point the camera at it."),
    "no_dice": lazy_gettext(
        "No dice found: put all five in the tray. If they are there, move the camera closer."
    ),
    "too_far": lazy_gettext(
        "Too far away: move the camera closer. Dice are %(seen)s pixels wide and must be at least "
        "%(needed)s."
    ),
    "too_near": lazy_gettext(
        "Too close: raise the camera until a die takes up less than a fifth of the picture’s width."
    ),
    "cut_off": lazy_gettext("The tray is cut off %(side)s: move the camera or the tray."),
    "too_bright": lazy_gettext("Too bright: dim the lamp or turn it away."),
    "blurred": lazy_gettext("Out of focus: turn the lens or wipe it clean."),
    "glare": lazy_gettext("A lamp is reflected %(side)s: move it or shade it."),
    "uneven": lazy_gettext(
        "The light is uneven: the tray is darkest %(side)s. Point a second lamp there."
    ),
}
"""What to change, by the fault's name."""

_ABOUT_DICE = frozenset({"no_dice", "too_far", "too_near"})
"""The faults that only dice show."""

_SIDES = {
    "": lazy_gettext("somewhere"),
    "left": lazy_gettext("on the left"),
    "right": lazy_gettext("on the right"),
    "top": lazy_gettext("at the top"),
    "bottom": lazy_gettext("at the bottom"),
    "middle": lazy_gettext("in the middle"),
}


def describe(advice: "Advice") -> str:
    """Return what to change, as a sentence."""
    side = _SIDES[advice.region or ""]
    return str(_ADVICE[advice.fault]) % {"side": side, "seen": advice.seen, "needed": advice.needed}


class SetupPage(NamedTuple):
    """What the set-up page shows besides the table."""

    state: "SetupView"
    """The findings about the camera and the tray."""
    advice: tuple[str, ...] | None
    """What to change, a sentence each; None until the camera has looked."""
    well: str
    """That nothing needs to change, and how well dice are read."""
    cards: bool
    """Whether cards are laid in the tray."""


def setup_page(state: "SetupView", *, cards: bool = False) -> SetupPage:
    """Return what the set-up page shows; nothing about dice if a game with `cards` is chosen."""
    inspection = state.inspection
    if inspection is None:
        return SetupPage(state, None, "", cards)
    left_out = _ABOUT_DICE if cards else frozenset()
    advice = tuple(describe(one) for one in inspection.advice if one.fault not in left_out)
    if advice:
        well = ""
    elif cards:
        well = gettext("The picture is good. Check that the whole tray is in it.")
    elif inspection.dice != DICE:
        well = ngettext(
            "The picture is good. Put five dice in the tray: the camera sees one.",
            "The picture is good. Put five dice in the tray: the camera sees %(num)s.",
            inspection.dice,
        )
    elif inspection.sure == DICE:
        well = gettext("All good: five dice, all certain.")
    else:
        well = ngettext(
            "The picture is good, but one of five dice is uncertain.",
            "The picture is good, but %(num)s of five dice are uncertain.",
            DICE - inspection.sure,
        )
    return SetupPage(state, advice, well, cards)
