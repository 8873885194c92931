"""The first run without a page: what ticks by itself, whose a press is, and what is kept."""

import random
from pathlib import Path
from typing import NamedTuple

import pytest
from evening import Evening
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin
from people import join
from running import running_table
from waiting import wait_until

from companion.base.listeners import Listeners
from companion.base.refused import Refused
from companion.camera.camera_lock import LockState
from companion.camera.empty_tray import EmptyTrayState
from companion.camera.setup_store import SetupStore
from companion.games.cards.game import CARD_GAME
from companion.settings import PinNumbers
from companion.setup.aiming import SetupView
from companion.setup.first_run import COLOURS, FirstRun, Step, Tick
from companion.table import rounds, seats
from companion.table.changes import Press
from companion.table.controls.buttons import ButtonRouter
from companion.table.controls.light import SignalRouter
from companion.table.scene import Signal
from hardware.light import LOOKS, Light


class Seen(NamedTuple):
    dice: int = 5
    sure: int = 5
    advice: tuple[object, ...] = ()


class Setup:
    """Says what the camera sees."""

    def __init__(self) -> None:
        self.listeners = Listeners()
        self.show(None, EmptyTrayState.UNKNOWN)

    def show(self, sight: Seen | None, tray: EmptyTrayState) -> None:
        self.seen = SetupView(True, sight, LockState.NONE, 50, tray, 0)
        self.listeners.tell()

    def view(self) -> SetupView:
        return self.seen


class NewTable(Evening):
    camera = None

    def __init__(self, folder: Path) -> None:
        # A deal in which nobody is asked before the first roll.
        super().__init__(folder, people=1, chance=random.Random(1))
        self.setup, self.buttons = Setup(), ButtonRouter(self.table)
        self.light = SignalRouter(self.table)
        self.deck = ""
        self.run = self.another_run()

    def another_run(self) -> FirstRun:
        store, router = SetupStore(self.folder), self.buttons
        parts = (self.table, store, self.setup, router, self.light)
        return FirstRun(*parts, wired=False, deck=lambda: self.deck)

    def go(self, step: str) -> None:
        self.run.go(self.press(), step)

    def looks(self, sight: Seen | None, tray: EmptyTrayState = EmptyTrayState.UNKNOWN) -> None:
        self.setup.show(sight, tray)

    def choose_cards(self) -> None:
        self.do(rounds.choose_game, CARD_GAME.record_name)

    def start_game(self) -> None:
        for name in ("Bob", "Cleo"):
            self.do(seats.add_person, name)
        self.do(rounds.start_game)


@pytest.fixture
def home(tmp_path):
    return NewTable(tmp_path)


UNKNOWN, KNOWN, MOVED = EmptyTrayState.UNKNOWN, EmptyTrayState.KNOWN, EmptyTrayState.MOVED


@pytest.mark.parametrize(
    ("step", "sight", "tray", "ticks"),
    [
        (Step.CAMERA, Seen(dice=2, sure=1), UNKNOWN, True),
        (Step.CAMERA, Seen(advice=("too dark",)), UNKNOWN, False),
        (Step.CAMERA, None, KNOWN, False),
        (Step.TRAY, None, KNOWN, True),
        (Step.TRAY, Seen(), MOVED, False),
        (Step.DICE, Seen(), UNKNOWN, True),
        (Step.DICE, Seen(sure=4), UNKNOWN, False),
        (Step.DICE, Seen(dice=6), UNKNOWN, False),
        (Step.DICE, Seen(advice=("glare",)), UNKNOWN, False),
    ],
)
def test_what_the_camera_shows_to_be_well_gets_its_tick(home, step, sight, tray, ticks):
    home.looks(sight, tray)
    assert home.run.view().ticks == {}
    home.go(step)
    home.looks(sight, tray)
    assert home.run.view().ticks == ({step: Tick.DONE} if ticks else {})


def test_buttons_are_asked_for_one_by_one_and_swapped_ones_noticed(home):
    home.go("buttons")
    home.buttons.press_red()
    assert home.run.view().swapped
    assert home.run.view().pressed == ()
    home.buttons.press_green()
    assert not home.run.view().swapped
    assert home.run.view().asked == "red"
    home.buttons.press_green()
    assert home.run.view().swapped
    home.buttons.press_red()
    assert home.run.view().ticks == {Step.BUTTONS: Tick.DONE}
    # None of these presses was the table's.
    assert home.view.notice == ""
    home.buttons.press_green()
    assert home.view.notice != ""


def test_a_press_in_a_game_is_the_games(home):
    home.go("buttons")
    home.start_game()
    home.buttons.press_green()
    assert home.run.view().pressed == ()
    assert home.view.notice == "throw the dice first"
    with pytest.raises(Refused, match="you can’t do that during a game"):
        home.go("light")


def test_the_light_shows_each_colour_until_somebody_has_seen_it(home):
    home.go("light")
    for colour in COLOURS:
        assert home.light.signal is colour
        home.run.see(home.press(), seen=False)
        assert home.run.view().unseen
        assert home.light.signal is colour
        home.run.see(home.press(), seen=True)
    assert home.run.view().ticks == {Step.LIGHT: Tick.DONE}
    assert home.light.signal is home.table.scene.signal
    with pytest.raises(Refused):
        home.run.see(home.press(), seen=True)


def test_only_the_host_sets_the_table_up_on_a_page_that_is_up_to_date(home):
    join(home.table, "Bob", home.table.scene.code)
    guest = home.view.people[1].id
    for press in (home.press(guest), Press(home.host, home.version - 1)):
        for change in (
            lambda press: home.run.go(press, "light"),
            lambda press: home.run.without(press, "light"),
            lambda press: home.run.see(press, seen=True),
        ):
            with pytest.raises(Refused):
                change(press)
    with pytest.raises(Refused):
        home.go("lantern")
    assert (home.run.view().now, home.run.view().ticks) == (None, {})


def test_ticks_outlast_a_restart_and_those_of_another_version_are_passed_over(home):
    home.run.without(home.press(), "buttons")
    assert home.run.view().now is Step.LIGHT
    again = home.another_run().view()
    assert (again.ticks, again.now) == ({Step.BUTTONS: Tick.WITHOUT}, None)
    (home.folder / "setup.json").write_text('{"steps": {"lasso": "done", "tray": "maybe"}}')
    assert home.another_run().view().ticks == {}


def test_presses_and_colours_go_through_the_pins_that_are_set(tmp_path, monkeypatch):
    monkeypatch.setattr(Device, "pin_factory", MockFactory(pin_class=MockPWMPin))
    pins = PinNumbers()
    with running_table(tmp_path) as running:
        run, table, factory = running.first_run, running.table, running.controls.pins.factory
        join(table, "Ann", "")
        host = table.view().people[0].id

        def shows(signal: Signal) -> bool:
            numbers = pins.light_red, pins.light_green, pins.light_blue
            shown = tuple(factory.pin(number).state for number in numbers)
            return shown == LOOKS[Light(signal)].colour

        run.go(Press(host, table.view().version), "light")
        for colour in COLOURS:
            wait_until(lambda colour=colour: shows(colour))
            run.see(Press(host, table.view().version), seen=True)
        assert shows(table.scene.signal)

        run.go(Press(host, table.view().version), "buttons")
        factory.pin(pins.red).drive_low()
        factory.pin(pins.red).drive_high()
        assert run.view().swapped


def test_a_table_of_cards_is_set_up_without_dice(home):
    home.choose_cards()
    steps = (Step.CAMERA, Step.CARDS, Step.BUTTONS, Step.LIGHT)
    assert home.run.view().steps == steps
    home.go("camera")
    # What the camera sees of dice says nothing here: the host looks whether the tray is there.
    home.looks(Seen())
    assert home.run.view().ticks == {}
    home.run.confirm(home.press())
    assert home.run.view().ticks == {Step.CAMERA: Tick.DONE}
    assert home.run.view().following is Step.CARDS
    home.go("cards")
    home.run.look()
    assert Step.CARDS not in home.run.view().ticks
    home.deck = "Ours"
    home.run.look()
    assert home.run.view().ticks[Step.CARDS] is Tick.DONE
    assert home.run.view().deck == "Ours"
    with pytest.raises(Refused, match="Something has changed"):
        home.run.confirm(home.press())


def test_cards_are_tapped_if_nobody_teaches_them(home):
    home.choose_cards()
    home.go("cards")
    home.run.without(home.press(), "cards")
    assert home.run.view().ticks == {Step.CARDS: Tick.WITHOUT}
    assert home.run.view().now is Step.BUTTONS


def test_only_cards_need_a_look_at_the_whole_tray(home):
    home.go("camera")
    with pytest.raises(Refused, match="Something has changed"):
        home.run.confirm(home.press())
    steps = (Step.CAMERA, Step.TRAY, Step.DICE, Step.BUTTONS, Step.LIGHT)
    assert home.run.view().steps == steps
