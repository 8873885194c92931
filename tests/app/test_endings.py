"""A program that waits for its end hears of it at any moment, however often it is told."""

import signal
import subprocess
import sys

PROGRAM = """
from companion.app.interrupts import take_endings
wait = take_endings()
print("waits", flush=True)
for _ in range(200):
    wait()
print("ended", flush=True)
"""


def test_signals_that_come_in_the_middle_of_a_wait_block_nothing():
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "waits\n"
        while process.poll() is None:
            process.send_signal(signal.SIGTERM)
        assert process.stdout.read() == "ended\n"
    # Told once more while it shuts down, Python ends by the signal or as ever.
    assert process.returncode in (0, -signal.SIGTERM)
