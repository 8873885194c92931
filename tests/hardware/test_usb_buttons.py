"""USB buttons read what a kernel writes; named pipes stand for the devices."""

import os
from collections.abc import Iterator
from pathlib import Path
from struct import pack
from unittest import mock

import pytest

from hardware.usb_buttons import UsbButtons

ENTER, LEFT_SHIFT, LEFT, F5, PAGE_DOWN, PAGE_UP = 28, 42, 105, 63, 109, 104
RELEASE, PRESS, HELD = 0, 1, 2


def event(code: int, value: int, kind: int = 1) -> bytes:
    """What the kernel writes of a key: struct input_event, with the report that ends it."""
    return pack("@llHHi", 1, 2, kind, code, value) + pack("@llHHi", 1, 2, 0, 0, 0)


class Desk:
    """A folder of keyboards, and what was pressed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.pressed = folder, ""
        self.buttons = UsbButtons(lambda: self.press("g"), lambda: self.press("r"), folder, 0)

    def press(self, button: str) -> None:
        self.pressed += button

    def plug_in(self, name: str = "usb-maker_pedal-event-kbd") -> int:
        os.mkfifo(self.folder / name)
        writer = os.open(self.folder / name, os.O_RDWR)
        self.buttons.listen(0.0)
        return writer

    def listen(self, writer: int, *events: bytes) -> str:
        self.pressed = ""
        os.write(writer, b"".join(events))
        self.buttons.listen(0.0)
        return self.pressed


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.buttons.close()


def test_keys_that_lead_back_are_red_and_all_others_green(desk):
    pedal = desk.plug_in()
    assert desk.listen(pedal, event(ENTER, PRESS), event(ENTER, RELEASE)) == "g"
    assert desk.listen(pedal, event(PAGE_DOWN, PRESS), event(PAGE_UP, PRESS)) == "gr"
    assert desk.listen(pedal, event(LEFT, PRESS), event(48, PRESS)) == "rg"


def test_a_key_that_is_held_or_changes_another_is_no_further_press(desk):
    pedal = desk.plug_in()
    held = [event(ENTER, PRESS), *[event(ENTER, HELD)] * 20, event(ENTER, RELEASE)]
    assert desk.listen(pedal, *held) == "g"
    assert desk.listen(pedal, event(LEFT_SHIFT, PRESS), event(F5, PRESS)) == "g"
    # A number that is another kind of event's, such as a mouse's movement.
    assert desk.listen(pedal, event(1, PRESS, kind=2)) == ""


def test_what_is_plugged_in_later_works_and_what_is_unplugged_is_let_go(desk):
    desk.buttons.listen(0.0)
    first = desk.plug_in()
    second = desk.plug_in("usb-maker_presenter-if01-event-kbd")
    os.mkfifo(desk.folder / "usb-maker_presenter-event-mouse")
    assert desk.listen(second, event(PAGE_UP, PRESS)) == "r"
    (desk.folder / "usb-maker_pedal-event-kbd").unlink()
    os.close(first)
    desk.buttons.listen(0.0)
    assert desk.listen(second, event(ENTER, PRESS)) == "g"
    assert desk.listen(desk.plug_in(), event(ENTER, PRESS)) == "g"


def test_what_cannot_be_read_is_named_once_and_the_others_work(desk, caplog):
    (desk.folder / "usb-gone-event-kbd").symlink_to("nowhere")
    assert desk.listen(desk.plug_in(), event(ENTER, PRESS)) == "g"
    said = "usb-gone-event-kbd can't be read: No such file or directory"
    assert [record.message for record in caplog.records if record.levelname == "WARNING"] == [said]


def test_an_error_of_the_table_ends_no_button(desk):
    fail = mock.Mock(side_effect=ValueError("no such roll"))
    desk.buttons = UsbButtons(fail, lambda: desk.press("r"), desk.folder, 0)
    assert desk.listen(desk.plug_in(), event(ENTER, PRESS), event(LEFT, PRESS)) == "r"
