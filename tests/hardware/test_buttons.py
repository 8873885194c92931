import re
import threading
from contextlib import closing
from unittest import mock

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.buttons import BOUNCE_S, open_button, watch_both_held
from hardware.pins import HardwareError, open_pins

GREEN_PIN, RED_PIN = 17, 27


@pytest.fixture
def buttons(factory):
    """The green and the red one, and what they said."""
    said: list[str] = []
    with (
        closing(open_button("green button", GREEN_PIN, lambda: said.append("green"), factory)) as g,
        closing(open_button("red button", RED_PIN, lambda: said.append("red"), factory)) as r,
    ):
        yield g, r, said


def test_a_press_of_the_pin_is_one_call_for_the_right_button(factory, buttons):
    *_, said = buttons
    for pin in (GREEN_PIN, RED_PIN, GREEN_PIN):
        factory.pin(pin).drive_low()
        factory.pin(pin).drive_low()
        factory.pin(pin).drive_high()
    assert said == ["green", "red", "green"]


def test_a_button_is_pulled_up_and_debounced_and_has_its_pin_alone(factory, buttons):
    green, _, said = buttons
    pin = factory.pin(GREEN_PIN)
    assert (pin.function, pin.pull, pin.bounce) == ("input", "up", BOUNCE_S)
    assert not green.is_pressed
    with pytest.raises(HardwareError) as caught:
        open_button("third button", GREEN_PIN, lambda: said.append("third"), factory)
    assert str(caught.value) == "third button (GPIO 17): pin GPIO17 is already in use"
    pin.drive_low()
    assert green.is_pressed
    assert said == ["green"]


def test_a_closed_button_is_deaf_and_its_pin_is_free(factory):
    said: list[str] = []
    open_button("green button", 17, lambda: said.append("old"), factory).close()
    factory.pin(17).drive_low()
    factory.pin(17).drive_high()
    with closing(open_button("green button", 17, lambda: said.append("new"), factory)):
        factory.pin(17).drive_low()
    assert said == ["new"]


@pytest.mark.parametrize("pin", [-1, 28, 99])
def test_a_pin_that_does_not_exist_is_named(factory, pin):
    with pytest.raises(HardwareError) as caught:
        open_button("red button", pin, lambda: None, factory)
    assert str(caught.value) == f"red button (GPIO {pin}): {pin} is not a valid pin name"


def test_a_pin_that_cannot_report_edges_is_given_back(factory):
    class NoEdges(MockPin):  # as on a kernel whose GPIO the pin library does not know
        def _enable_event_detect(self) -> None:
            raise RuntimeError("Failed to add edge detection")

    factory.pin_class = NoEdges
    with pytest.raises(HardwareError, match=r"\(GPIO 27\): Failed to add edge detection"):
        open_button("red button", 27, lambda: None, factory)
    del factory.pins[factory.pin(27).info]
    factory.pin_class = MockPin
    open_button("red button", 27, lambda: None, factory).close()


def test_an_error_while_a_press_is_handled_is_logged_and_the_button_lives(factory, caplog):
    pressed = mock.Mock(side_effect=[RuntimeError("no such roll"), None])
    with closing(open_button("green button", 17, pressed, factory)):
        for _ in range(2):
            factory.pin(17).drive_low()
            factory.pin(17).drive_high()
    assert pressed.call_count == 2
    assert caplog.messages == ["green button: the press was not handled"]


# Which pins


class LGPIOFactory:
    """Stands for a library that works."""


@pytest.mark.parametrize(
    ("works", "wished", "note"),
    [(None, "", r"simulated \(no Raspberry Pi\)"), (None, "mock", "simulated"),
     (None, "nowhere", r"simulated \(.*nowhere.*\)"), (LGPIOFactory(), "", "LGPIOFactory")],
)  # fmt: skip
def test_the_pins_are_those_that_work_or_are_asked_for(monkeypatch, works, wished, note):
    monkeypatch.setattr(Device, "pin_factory", works)
    if wished:
        monkeypatch.setenv("GPIOZERO_PIN_FACTORY", wished)
    pins = open_pins()
    assert re.fullmatch(f"pins: {note}", pins.note)
    assert pins.real is (works is not None)
    assert isinstance(pins.factory, LGPIOFactory if pins.real else MockFactory)
    assert (pins.factory is Device.pin_factory) is (pins.real or wished == "mock")


def test_one_button_held_alone_is_no_call(factory, buttons):
    green, red, _ = buttons
    both, held = threading.Event(), threading.Event()
    watch_both_held(green, red, both.set, seconds=0.01)
    own = green.when_held
    green.when_held = lambda: (own(), held.set())
    factory.pin(GREEN_PIN).drive_low()
    assert held.wait(30)
    factory.pin(GREEN_PIN).drive_high()
    assert not both.is_set()


@pytest.mark.parametrize("let_go", [False, True])
def test_both_buttons_held_on_are_another_call_unless_one_was_let_go(factory, buttons, let_go):
    green, red, _ = buttons
    both, on = threading.Semaphore(0), threading.Semaphore(0)
    watch_both_held(green, red, both.release, on.release, seconds=0.05, on_seconds=0.4)
    for pin in (GREEN_PIN, RED_PIN):
        factory.pin(pin).drive_low()
    assert both.acquire(timeout=30)
    if let_go:
        factory.pin(RED_PIN).drive_high()
    assert on.acquire(timeout=1 if let_go else 30) is not let_go
    assert not both.acquire(blocking=False)
