import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.buttons import open_button
from hardware.light import COLOURS, Light, StatusLight
from hardware.pins import HardwareError, open_pins


@pytest.fixture
def factory() -> MockFactory:
    """Mock pins of their own for one test."""
    return open_pins().factory


def brightness(factory: MockFactory, *pins: int) -> tuple[float, ...]:
    return tuple(factory.pin(pin).state for pin in pins)


@pytest.mark.parametrize("state", Light)
def test_each_state_has_its_colour_on_the_pins(factory: MockFactory, state: Light) -> None:
    light = StatusLight(factory)
    light.show(state)
    assert brightness(factory, 22, 23, 24) == COLOURS[state]
    assert light.state is state
    light.close()


def test_the_states_are_told_apart_and_mean_what_the_table_expects() -> None:
    assert set(COLOURS) == set(Light)
    assert len(set(COLOURS.values())) == len(Light)
    assert COLOURS[Light.OFF] == (0, 0, 0)
    assert COLOURS[Light.CERTAIN] == (0, 1, 0)
    assert COLOURS[Light.ILLEGAL] == (1, 0, 0)
    red, green, blue = COLOURS[Light.UNCERTAIN]
    assert red > green > blue == 0


def test_a_light_begins_dark_and_closing_darkens_it_and_frees_its_pins(
    factory: MockFactory,
) -> None:
    light = StatusLight(factory, 5, 6, 13)
    assert brightness(factory, 5, 6, 13) == (0, 0, 0)
    light.show(Light.ILLEGAL)
    light.close()
    light.close()
    assert light.state is Light.OFF
    assert [factory.pin(pin).function for pin in (5, 6, 13)] == ["input"] * 3
    StatusLight(factory, 5, 6, 13).close()


def test_a_light_without_pins_remembers_what_it_would_show() -> None:
    light = StatusLight(None)
    assert light.state is Light.OFF
    light.show(Light.UNCERTAIN)
    assert light.state is Light.UNCERTAIN
    light.close()
    assert light.state is Light.OFF


@pytest.mark.parametrize(
    ("pins", "reason"),
    [
        ((22, 23, 17), "pin GPIO17 is already in use"),
        ((22, 23, 22), "pin GPIO22 is already in use"),
        ((22, 40, 24), "40 is not a valid pin name"),
    ],
)
def test_a_pin_that_cannot_be_had_is_named_and_the_others_are_given_back(
    factory: MockFactory, pins: tuple[int, int, int], reason: str
) -> None:
    green = open_button("green button", 17, lambda: None, factory)
    with pytest.raises(HardwareError) as caught:
        StatusLight(factory, *pins)
    listed = ", ".join(map(str, pins))
    assert str(caught.value) == f"status light (GPIO {listed}): {reason}"
    del caught
    StatusLight(factory, 22, 23, 24).close()
    green.close()


def test_pins_that_cannot_be_dimmed_are_refused(factory: MockFactory) -> None:
    factory.pin_class = MockPin
    with pytest.raises(HardwareError, match=r"status light \(GPIO 22, 23, 24\): "):
        StatusLight(factory)
