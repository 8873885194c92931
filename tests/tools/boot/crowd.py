"""Eight phones and the table page at a table that runs: what that costs its process.

    python -m tests.tools.boot.crowd URL PID PRESSES SECONDS

PID: of the table, as this machine counts; PRESSES: made before anything is measured; SECONDS: for
which the processor is watched then, while nobody presses. Prints a JSON line.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from tests.tools.bench.table import PLAYERS, Screen, processor_time, resident_mb, sit_down
from tests.tools.boot.player import PATIENCE_S, Phone, wait_for

SETTLED_S = 2.0
"""Seconds without growth after which a table that has started needs no more memory."""


def main(url: str, pid: int, presses: int, seconds: float) -> None:
    wait_for(url)
    alone = settled(pid)
    guests = [sit_down(url, f"Player{number}") for number in range(PLAYERS)]
    for screen in [*(Screen(url, "seat", guest.cookies) for guest in guests),
                   Screen(url, "table", "")]:  # fmt: skip
        screen.start()
    with tempfile.TemporaryDirectory() as folder:
        phones = []
        for number, guest in enumerate(guests):
            memory = Path(folder) / str(number)
            memory.write_text(
                json.dumps(dict(one.split("=", 1) for one in guest.cookies.split("; ")))
            )
            phones.append(Phone(url, memory))
        most = play(phones, presses, pid)
        after = resident_mb(pid)
        before, begun = processor_time(pid), time.monotonic()
        time.sleep(seconds)
        busy = (processor_time(pid) - before) / (time.monotonic() - begun)
    print(json.dumps({"alone": alone, "most": most, "after": after, "busy": busy}))


def settled(pid: int) -> float:
    """Return the memory of a table that has just started, once it grows no more."""
    begun = grown = time.monotonic()
    memory = resident_mb(pid)
    while time.monotonic() - grown < SETTLED_S:
        assert time.monotonic() - begun < PATIENCE_S, "its memory grows and grows"
        time.sleep(0.1)
        now = resident_mb(pid)
        if now > memory + 0.1:
            memory, grown = now, time.monotonic()
    return memory


def play(phones: list[Phone], presses: int, pid: int) -> float:
    """Let whoever can press something press, so many times; returns the most memory meanwhile."""
    made, most, last, refused = 0, 0.0, time.monotonic(), ""
    while made < presses:
        before = made
        for phone in phones:
            # Somebody else may have been quicker.
            try:
                made += phone.press()
            except SystemExit as refusal:
                refused = str(refusal)
            most = max(most, resident_mb(pid))
        if made > before:
            last = time.monotonic()
        else:
            assert time.monotonic() - last < PATIENCE_S, f"nothing can be pressed: {refused}"
            time.sleep(0.2)
    return most


if __name__ == "__main__":
    where, process, number, watched = sys.argv[1:]
    main(where, int(process), int(number), float(watched))
