"""Seats, the phones that hold them, and cards that are entered: seats.txt, and what is seen of it.

Whatever happens, nobody comes to another seat but by the host's word: test_whole_table.py.
"""

import threading
from contextlib import ExitStack

from people import join
from scenes import each_scene
from seat_scenes import seat_words

from companion.app.build import start_table
from companion.settings import Settings
from companion.table import seats
from companion.table.changes import Press, person_of


@each_scene(__file__, "seats.txt")
def test_a_scene_of_seats_goes_as_it_is_told(ruling, tmp_path):
    ruling.check(seat_words(tmp_path))


def test_both_buttons_are_held_at_their_pins(tmp_path):
    with ExitStack() as stack:
        settings = Settings(host="127.0.0.1", port=0, camera="none", data=tmp_path / "data")
        running = start_table(settings, stack)
        code = running.table.scene.code
        tokens = [join(running.table, name, code) for name in ("Ann", "Bob")]
        host, other = (person_of(running.table.scene, token) for token in tokens)
        running.table.do(seats.bid, Press(other))
        changed = threading.Event()
        running.table.follow(lambda *_: changed.set() if running.table.view(other).host else None)
        for pin in (settings.pins.green, settings.pins.red):
            running.controls.pins.factory.pin(pin).drive_low()
        assert changed.wait(60)
        assert not running.table.view(host).host
