import itertools
import threading
import warnings
from unittest import mock

import pytest
from gpiozero import Device, SPISoftwareFallback
from gpiozero.pins.mock import MockFactory, MockPin, MockSPIDevice
from loose_pin import Loose
from waiting import wait_until

from hardware.buttons import open_button
from hardware.light import FLASH, LOOKS, QUICK, SLOW, STEADY, WINK, Light, StatusLight
from hardware.pins import HardwareError

PINS = (22, 23, 24)
"""Of red, green and blue."""


def brightness(factory: MockFactory, *pins: int) -> tuple[float, ...]:
    return tuple(factory.pin(pin).state for pin in pins)


def blinking() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "status light"]


@pytest.mark.parametrize("state", Light)
def test_each_state_has_its_colour_and_rhythm_on_the_pins(factory, state):
    light, (colour, rhythm) = StatusLight(factory, PINS), LOOKS[state]
    brightest = max(PINS, key=lambda pin: colour[pin - 22])
    light.show(state)
    wait_until(lambda: brightness(factory, *PINS) == colour)
    assert light.state is state
    assert len(blinking()) == (rhythm is not STEADY)
    if rhythm is not STEADY:
        changes = factory.pin(brightest).states
        # Dark, on, off, on, off: each after the time that the one before it lasted.
        wait_until(lambda: len(changes) >= 5)
        assert [change.state for change in changes[:5]] == [0, max(colour), 0, max(colour), 0]
        for change, least in zip(changes[2:5], itertools.cycle(rhythm), strict=False):
            assert change.timestamp >= 0.99 * least
    light.close()
    assert blinking() == []


def test_the_colours_are_told_apart_and_mean_what_the_table_expects():
    colours = {state: look.colour for state, look in LOOKS.items()}
    assert len(set(colours.values())) == len(Light)
    told = colours[Light.OFF], colours[Light.CERTAIN], colours[Light.ILLEGAL]
    assert told == ((0, 0, 0), (0, 1, 0), (1, 0, 0))
    red, green, blue = colours[Light.UNCERTAIN]
    assert red > green > blue == 0


def test_the_rhythms_alone_tell_the_states_of_a_light_of_one_colour_apart():
    rhythms = {state: look.rhythm for state, look in LOOKS.items() if state is not Light.OFF}
    assert sorted(rhythms.values()) == sorted([STEADY, FLASH, SLOW, WINK, QUICK])
    for one, other in itertools.combinations(rhythms.values(), 2):
        # At least one of the two times is several times as long: nobody needs to compare closely.
        ratios = [max(a, b) / max(min(a, b), 0.01) for a, b in zip(one, other, strict=True)]
        assert max(ratios) >= 4 or STEADY in (one, other), (one, other)
    for rhythm in {*rhythms.values()} - {STEADY}:
        assert 1 / sum(rhythm) <= 3, "flashes of more than three a second are dangerous to some"


def test_a_state_that_is_shown_again_keeps_its_rhythm(factory):
    light = StatusLight(factory, PINS)
    light.show(Light.UNCERTAIN)
    (thread,) = blinking()
    light.show(Light.UNCERTAIN)
    assert blinking() == [thread]
    light.show(Light.CERTAIN)
    assert brightness(factory, *PINS) == LOOKS[Light.CERTAIN].colour
    light.show(Light.UNCERTAIN)
    assert blinking() not in ([], [thread])
    light.close()


@pytest.mark.parametrize(("state", "green"), [(Light.CERTAIN, [0, 1]), (Light.WAITING, [1, 0])])
def test_a_reading_is_confirmed_by_a_moment_of_dark_and_of_green(factory, state, green):
    light, pin = StatusLight(factory, PINS), factory.pin(PINS[1])
    light.show(state)
    shown = len(pin.states)
    light.show(state, confirms=True)
    wait_until(lambda: [each.state for each in pin.states[shown:]][-2:] == green)
    light.close()


def test_a_light_whose_pin_fails_while_it_blinks_blinks_again_at_the_next_change(factory):
    pin = factory.pin(22, pin_class=Loose)
    light = StatusLight(factory, PINS)
    light.show(Light.ILLEGAL)
    pin.broken = True
    wait_until(lambda: not blinking())
    with pytest.raises(HardwareError, match="Input/output error"):
        light.show(Light.ILLEGAL)
    pin.broken = False
    pin.clear_states()
    light.show(Light.ILLEGAL)
    wait_until(lambda: len(pin.states) > 3)
    light.close()


def test_a_light_for_which_no_thread_can_be_started_blinks_at_the_next_change(factory):
    pin = factory.pin(22)
    light = StatusLight(factory, PINS)
    full = mock.patch.object(threading.Thread, "start", side_effect=RuntimeError("no new thread"))
    with full, pytest.raises(HardwareError, match="new thread"):
        light.show(Light.ILLEGAL)
    pin.clear_states()
    light.show(Light.ILLEGAL)
    wait_until(lambda: len(pin.states) > 3)
    light.close()


def test_a_light_begins_dark_and_closing_darkens_it_and_frees_its_pins(factory):
    light = StatusLight(factory, (5, 6, 13))
    assert brightness(factory, 5, 6, 13) == (0, 0, 0)
    light.show(Light.ILLEGAL)
    light.close()
    light.close()
    assert light.state is Light.OFF
    assert [factory.pin(pin).function for pin in (5, 6, 13)] == ["input"] * 3
    StatusLight(factory, (5, 6, 13)).close()


@pytest.mark.parametrize(
    ("pins", "reason"),
    [((22, 23, 17), "pin GPIO17 is already in use"), ((22, 23, 22), "pin GPIO22 is already in use"),
     ((22, 40, 24), "40 is not a valid pin name")],
)  # fmt: skip
def test_a_pin_that_cannot_be_had_is_named_and_the_others_are_given_back(factory, pins, reason):
    green = open_button("green button", 17, lambda: None, factory)
    with pytest.raises(HardwareError) as caught:
        StatusLight(factory, pins)
    assert str(caught.value) == f"status light (GPIO {str(pins).strip('()')}): {reason}"
    del caught
    StatusLight(factory, PINS).close()
    green.close()


def test_pins_that_cannot_be_dimmed_are_refused(factory):
    factory.pin_class = MockPin
    with pytest.raises(HardwareError, match=r"status light \(GPIO 22, 23, 24\): "):
        StatusLight(factory, PINS)


class Strip(MockSPIDevice):
    """Two pixels at the first SPI: what they show by the data sheet, as bytes in their order."""

    shown: tuple[int, ...] = ()

    def on_bit(self) -> None:
        """Take over what came once the wire has been low for 300 µs, at 2.4 MHz."""
        sent = "".join(str(int(bit)) for bit in self.rx_buf)
        colours = sent.strip("0") + "00"
        if sent.endswith("0" * 720) and len(colours) >= 2 * 24 * 3 - 1:
            bits = [colours[at : at + 3] for at in range(0, 2 * 24 * 3, 3)]
            assert set(bits) <= {"110", "100"}
            levels = "".join(bit[1] for bit in bits)
            self.shown = tuple(int(levels[at : at + 8], 2) for at in range(0, 48, 8))


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    """Mock pins on which gpiozero simulates an SPI."""
    monkeypatch.setattr(Device, "pin_factory", MockFactory())
    return Device.pin_factory


def test_pixels_show_what_the_light_would_until_they_are_closed(plain):
    with Strip(11, mosi_pin=10, miso_pin=9, select_pin=8, pin_factory=plain) as strip:
        light = StatusLight(plain, PINS, pixels=2)
        # A pixel of this kind takes green first.
        for state, shown in ((Light.CERTAIN, (255, 0, 0)), (Light.UNCERTAIN, (89, 255, 0))):
            light.show(state)
            assert strip.shown == 2 * shown
        light.close()
        assert strip.shown == (0,) * 6


def test_without_the_fast_wire_that_pixels_need_they_are_named(plain, monkeypatch):
    def refuse(**wires: int) -> None:
        warnings.warn(SPISoftwareFallback("can not open SPI device"), stacklevel=1)

    monkeypatch.setattr(plain, "spi", refuse)
    with pytest.raises(HardwareError, match=r"status light \(GPIO 10\): can not open SPI device"):
        StatusLight(plain, PINS, pixels=1)
