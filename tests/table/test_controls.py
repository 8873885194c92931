"""Where a press goes and what the light shows, with set-up and without."""

from collections.abc import Callable
from contextlib import ExitStack

import pytest
from evening import PLAIN, Evening, dice
from gpiozero.pins.mock import MockFactory, MockPWMPin
from people import join

from companion.app.controls import build_controls
from companion.base.worker import Supervisor
from companion.games.cards.rules.moves import End
from companion.games.cards.rules.titles import Title
from companion.settings import PinNumbers, Settings
from companion.table import seats
from companion.table.controls.buttons import Button, ButtonRouter
from companion.table.controls.light import SignalRouter
from companion.table.scene import Signal, Trouble
from companion.table.surface.cards.state import PileVerdict
from hardware.light import Light, StatusLight
from hardware.pins import Pins


@pytest.fixture
def evening(evenings: Callable[..., Evening]) -> Evening:
    """A table at which nobody sits yet."""
    return evenings(people=0)


def test_presses_are_the_tables_until_they_are_taken_over_and_after(evening):
    buttons, taken = ButtonRouter(evening.table), list[Button]()

    def handler(button: Button) -> bool:
        taken.append(button)
        return button is Button.GREEN

    buttons.take_over(handler)
    buttons.press_green()
    assert taken == [Button.GREEN]
    assert evening.view.notice == ""
    buttons.press_red()
    # It was declined, so the table says why it did nothing.
    assert taken == [Button.GREEN, Button.RED]
    assert evening.view.notice == "no game is running"
    buttons.release()
    buttons.press_green()
    assert taken == [Button.GREEN, Button.RED]


def test_the_light_shows_the_tables_signal_until_it_is_taken_over_and_after(evening):
    light, told = SignalRouter(evening.table), list[Signal]()
    light.listeners.add(lambda: told.append(light.signal))
    assert light.signal is Signal.OFF
    chosen: Signal | None = Signal.CERTAIN
    light.take_over(lambda: chosen)
    chosen = None
    assert light.signal is Signal.OFF
    chosen = Signal.ILLEGAL
    join(evening.table, "Ann", "")
    light.release()
    light.release()
    assert told == [Signal.CERTAIN, Signal.ILLEGAL, Signal.OFF]
    for name in ("Bob", "Cleo"):
        evening.do(seats.add_person, name)
    evening.start()
    assert told[-1] is Signal.WAITING


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Pins:
    made = Pins(MockFactory(pin_class=MockPWMPin), False, "simulated")
    monkeypatch.setattr("companion.app.controls.open_pins", lambda: made)
    return made


def test_the_lamp_of_a_button_is_lit_while_it_does_something(evening, pins):
    with ExitStack() as stack:
        settings = Settings(lamps=True, pins=PinNumbers(lamp_green=5, lamp_red=6))
        built = build_controls(settings, evening.table, Supervisor(stack), stack)

        def lit() -> tuple[bool, bool]:
            green, red = (bool(pins.factory.pin(pin).state) for pin in (5, 6))
            return green, red

        assert lit() == (False, False)
        built.buttons.take_over(lambda button: True)
        assert lit() == (True, True)
        built.buttons.release()
        assert lit() == (False, False)
        join(evening.table, "Ann", "")
        for name in ("Bob", "Cleo"):
            evening.do(seats.add_person, name)
        evening.start()
        # Before the first roll, rolling can't be stopped.
        assert lit() == (False, False)
        evening.see("ok", *dice(*PLAIN))
        assert lit() == (True, False)
        built.buttons.press_green()
        assert lit() == (False, True)
        built.buttons.press_red()
        assert lit() == (False, False)
    assert pins.factory.pin(5).function == pins.factory.pin(6).function == "input"


def test_a_lamp_whose_pin_is_taken_or_fails_leaves_its_button_alone(
    evening, pins, monkeypatch, caplog
):
    with ExitStack() as stack:
        settings = Settings(lamps=True, pins=PinNumbers(lamp_green=17, lamp_red=6))
        built = build_controls(settings, evening.table, Supervisor(stack), stack)
        assert "lamp of the green button (GPIO 17)" in caplog.text
        monkeypatch.setattr("gpiozero.LED.value", property(None, fail))
        built.buttons.take_over(lambda button: True)
        assert "red button (GPIO 6): broken" in evening.table.scene.troubles[Trouble.LIGHT]
        monkeypatch.undo()
        built.buttons.release()
        assert Trouble.LIGHT not in evening.table.scene.troubles


def fail(led: object, value: object) -> None:
    raise OSError("broken")


def test_the_light_confirms_each_card_that_counts(card_evenings, monkeypatch):
    evening, confirmed = card_evenings(), []
    show = StatusLight.show

    def note(light: StatusLight, state: Light, *, confirms: bool) -> None:
        confirmed.append(confirms)
        show(light, state, confirms=confirms)

    monkeypatch.setattr(StatusLight, "show", note)
    with ExitStack() as stack:
        build_controls(Settings(), evening.table, Supervisor(stack), stack)
        for read, times in [
            (lambda: evening.lay(Title.BARREL), 1),
            (lambda: evening.tap(End(0)), 0),
            (lambda: evening.see(PileVerdict.UNSURE, [Title.BEER]), 0),
        ]:
            confirmed.clear()
            read()
            assert confirmed.count(True) == times
