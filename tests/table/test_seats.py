"""Seats, the phones that hold them, and cards that are entered: seats.txt, and what is seen of it.

Whatever happens, nobody comes to another seat but by the host's word: test_whole_table.py.
"""

import threading
from contextlib import ExitStack

from people import join
from scenes import each_scene
from seat_scenes import PhonesEvening, seat_words
from stand_ins import PLAIN, Dealer

from companion.app.build import start_table
from companion.settings import Settings
from companion.table import seats
from companion.table.changes import Press, claim_of, person_of


@each_scene(__file__, "seats.txt")
def test_a_scene_of_seats_goes_as_it_is_told(ruling, tmp_path):
    ruling.check(seat_words(tmp_path))


def test_who_is_asked_for_a_seat_sees_the_question_and_nobody_else(evening):
    token, _ = evening.claim(2)
    mark = claim_of(evening.table.scene, token).mark
    seen = {person: evening.table.view(person).requests.claims for person in (1, 2, 3, None)}
    assert [(claim.name, claim.mark, claim.grants) for claim in seen[1]] == [("P1", mark, True)]
    assert [claim.grants for claim in seen[2]] == [False]
    assert seen[3] == seen[None] == ()


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


def test_one_of_two_characters_is_seen_by_its_owner_alone(tmp_path):
    evening = PhonesEvening(tmp_path, phones=3, chance=Dealer("sroo", PLAIN))
    evening.start(characters="choice")
    asked = {who: evening.table.view(who).dealing.to_enter for who in (1, 2, 3, None)}
    offers = {
        who: {seat: each.characters for seat, each in seats.items()} for who, seats in asked.items()
    }
    assert offers == {1: {0: PLAIN[:2], 3: PLAIN[6:]}, 2: {1: PLAIN[2:4]}, 3: {2: PLAIN[4:6]},
                      None: {}}  # fmt: skip
    for seat in range(4):
        evening.enter(str(seat), "-", PLAIN[2 * seat + 1], evening.round)
    assert [player.character for player in evening.game.players] == list(PLAIN[1::2])
