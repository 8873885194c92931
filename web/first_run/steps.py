"""What the first-run page says: the steps, and what each asks for."""

from typing import NamedTuple

from companion.setup.first_run import FirstRunView, Step, Tick
from companion.table.controls.buttons import Button
from companion.table.scene import Signal
from web.i18n import lazy_gettext

_NAMES = {
    Step.CAMERA: lazy_gettext("The camera"),
    Step.TRAY: lazy_gettext("The tray"),
    Step.DICE: lazy_gettext("The dice"),
    Step.CARDS: lazy_gettext("The cards"),
    Step.BUTTONS: lazy_gettext("The buttons"),
    Step.LIGHT: lazy_gettext("The light"),
}

_TICKS = {
    Tick.DONE: lazy_gettext("done"),
    Tick.WITHOUT: lazy_gettext("not needed"),
    None: lazy_gettext("to do"),
}

_PRESS = {
    Button.GREEN: lazy_gettext("Press the green button."),
    Button.RED: lazy_gettext("Press the red button."),
}

_CAME = {
    Button.GREEN: lazy_gettext("The green button works."),
    Button.RED: lazy_gettext("The red button works."),
}

_SHINES = {
    Signal.CERTAIN: lazy_gettext("Is the light green and steady?"),
    Signal.UNCERTAIN: lazy_gettext(
        "Is the light amber, between yellow and orange, and blinking slowly?"
    ),
    Signal.ILLEGAL: lazy_gettext("Is the light red and blinking quickly?"),
    Signal.WAITING: lazy_gettext("Is the light dim blue, with a short flash every two seconds?"),
}


class ShownStep(NamedTuple):
    """A step in the list of all steps."""

    id: Step
    """Which step."""
    name: str
    """Its name."""
    tick: str
    """How it ended; empty while it hasn't."""
    word: str
    """How it ended, in a word for players."""


class FirstRunPage(NamedTuple):
    """What the page shows besides the table."""

    state: FirstRunView
    """How far the set-up is."""
    steps: tuple[ShownStep, ...]
    """All steps, in order."""
    following: Step | None
    """The step after the open one; None after the last."""
    press: str
    """Which button to press now; empty for none."""
    came: tuple[str, ...]
    """The buttons that work, a sentence each."""
    shines: str
    """The question about the light's colour; empty for none."""
    ready: bool
    """Whether every step has ended."""


def first_run_page(state: FirstRunView) -> FirstRunPage:
    """Return what the first-run page shows."""
    return FirstRunPage(
        state=state,
        steps=tuple(
            ShownStep(
                step,
                str(_NAMES[step]),
                state.ticks.get(step, ""),
                str(_TICKS[state.ticks.get(step)]),
            )
            for step in state.steps
        ),
        following=state.following,
        press=str(_PRESS[state.asked]) if state.asked else "",
        came=tuple(str(_CAME[button]) for button in state.pressed),
        shines=str(_SHINES[state.colour]) if state.colour else "",
        ready=all(step in state.ticks for step in state.steps),
    )
