"""The page that leads the host through camera, tray, dice, buttons and light."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from flask import Blueprint, Response, abort, current_app, render_template, request
from flask.typing import ResponseReturnValue

from companion.controls.buttons import Button
from companion.table.scene import Signal
from companion.watching.first_run import FirstRun, FirstRunView, Step, Tick, following
from web import forms
from web.access import SEAT, For, audience, looks, person, proof, table
from web.i18n import gettext, in_same_language, lazy_gettext
from web.setup import DONE, SetupPage, setup_page
from web.stream import Broadcast

if TYPE_CHECKING:
    from companion.watching.aiming import CameraSetup

first_run = Blueprint("first_run", __name__)

_NAMES = {
    Step.CAMERA: lazy_gettext("The camera"),
    Step.TRAY: lazy_gettext("The tray"),
    Step.DICE: lazy_gettext("The dice"),
    Step.BUTTONS: lazy_gettext("The buttons"),
    Step.LIGHT: lazy_gettext("The light"),
}

_TICKS = {
    Tick.DONE: lazy_gettext("well"),
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
    Signal.CERTAIN: lazy_gettext("Does the light shine green?"),
    Signal.UNCERTAIN: lazy_gettext("Does the light shine amber, between yellow and orange?"),
    Signal.ILLEGAL: lazy_gettext("Does the light shine red?"),
    Signal.WAITING: lazy_gettext("Does the light shine blue, and dimly?"),
}


class ShownStep(NamedTuple):
    """A step in the list of all: its name, how it ended ("" if it hasn't) and that in a word."""

    id: Step
    name: str
    tick: str
    word: str


class FirstRunPage(NamedTuple):
    """What the page shows beside the table.

    following: the name of the step after the open one; press, shines: what is asked for now;
    came: what was found of the buttons; ready: whether every step has ended.
    """

    state: FirstRunView
    steps: tuple[ShownStep, ...]
    following: Step | None
    press: str
    came: tuple[str, ...]
    shines: str
    ready: bool


def first_run_page(state: FirstRunView) -> FirstRunPage:
    """Return what the page of the first run shows."""
    return FirstRunPage(
        state,
        tuple(
            ShownStep(
                step,
                str(_NAMES[step]),
                state.ticks.get(step, ""),
                str(_TICKS[state.ticks.get(step)]),
            )
            for step in Step
        ),
        following(state.now) if state.now else None,
        str(_PRESS[state.asked]) if state.asked else "",
        tuple(str(_CAME[button]) for button in state.pressed),
        str(_SHINES[state.colour]) if state.colour else "",
        all(step in state.ticks for step in Step),
    )


@first_run.get("/first-run")
@audience(For.HOST)
def first_run_shown() -> ResponseReturnValue:
    """Where the host begins with a new table."""
    known = _known()()
    return render_template("page.html", page="first-run", view=looks(), proof=proof(), **known)


@first_run.get("/live/first-run")
@audience(For.HOST)
def live_first_run() -> ResponseReturnValue:
    """The stream of that page."""
    streams: Broadcast = current_app.extensions["streams"]
    watched, token = table(), request.cookies.get(SEAT, "")
    template = current_app.jinja_env.get_template("live/first-run.html")
    known = _known()

    def show() -> str:
        return template.render(view=watched.view(watched.person(token)), **known())

    response: Response = streams.response(in_same_language(show), player=True, whose=person())
    return response


@first_run.post("/first-run/go")
@audience(For.HOST)
def go() -> ResponseReturnValue:
    """Open a step; without one, close all."""
    _first_run().go(person(), _version(), request.form.get("step", ""))
    return DONE


@first_run.post("/first-run/without")
@audience(For.HOST)
def without() -> ResponseReturnValue:
    """Go on without a part."""
    _first_run().without(person(), _version(), request.form.get("step", ""))
    return DONE


@first_run.post("/first-run/light")
@audience(For.HOST)
def see() -> ResponseReturnValue:
    """Say whether the light shows the colour; `seen`: 1 if so."""
    _first_run().see(person(), _version(), seen=request.form.get("seen") == "1")
    return DONE


def _first_run() -> FirstRun:
    found: FirstRun | None = current_app.extensions["first_run"]
    return found if found is not None else abort(404, gettext("this table can’t be set up here"))


def _version() -> int:
    return forms.field(request.form, "version")


def _known() -> Callable[[], dict[str, object]]:
    """What the page shows beside the table, asked for whenever it is drawn."""
    running = _first_run()
    setup: CameraSetup | None = current_app.extensions["setup"]

    def known() -> dict[str, object]:
        shown: SetupPage | None = setup_page(setup.view()) if setup else None
        return {"run": first_run_page(running.view()), "shown": shown}

    return known
