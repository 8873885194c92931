"""Attack a running table from the network, and print what its players notice.

    python -m tests.attacks.door [--seconds N] [--seed N]

The table runs in a process of its own, without a camera, with eight players' phones. Its host
presses all the time, undisturbed and beside each attack in turn; everything uses loopback. Prints
a Markdown table: how long a press took to its answer, the table's memory, and what it answered.
"""

import argparse
import contextlib
import multiprocessing
import random
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from http.client import HTTPConnection, HTTPException
from multiprocessing.synchronize import Event
from pathlib import Path
from socket import create_connection

from tests.bench.load import HOST, Phone, Play, begin, served
from tests.bench.machine import machine
from tests.bench.table import resident_mb

WARM_UP_S = 3.0
QR_CONNECTIONS, BODIES, DRIPS, FORGERS = 4, 18, 60, 4

Attack = Callable[["Assault"], None]


class Assault:
    """An attack that goes on in threads until it is over."""

    def __init__(self, port: int, seed: int, ended: threading.Event) -> None:
        self.port, self.chance, self.ended = port, random.Random(seed), ended
        self.answers: Counter[str] = Counter()

    def ask(self, client: HTTPConnection, method: str, path: str, **headers: str) -> None:
        """Send one request, and count its answer."""
        try:
            client.request(method, path, "page=forged" if method == "POST" else None, headers)
            answer = client.getresponse()
            answer.read()
            self.answers[str(answer.status)] += 1
        except (OSError, HTTPException):
            self.answers["hung up"] += 1
            client.close()


def qr_codes(assault: Assault) -> None:
    """Ask for the QR code again and again, each time by another name."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    while not assault.ended.is_set():
        labels = assault.chance.choice((1, 3, 20, 60))
        names = (f"{assault.chance.getrandbits(120):x}" for _ in range(labels))
        assault.ask(client, "GET", "/join.svg", Host=".".join(names))
    client.close()


def bodies(assault: Assault) -> None:
    """Send bodies of 16 MB that are never finished."""
    head = f"POST /join HTTP/1.1\r\nHost: table\r\nContent-Length: {(16 << 20) - 1}\r\n\r\n"
    part = b"x" * (1 << 16)
    while not assault.ended.is_set():
        with contextlib.suppress(OSError), create_connection((HOST, assault.port), 60) as client:
            client.sendall(head.encode())
            for _ in range(250):
                client.sendall(part)
            assault.answers["16 MB taken"] += 1
            assault.ended.wait(60)
        assault.answers["tried"] += 1
        # A body costs more to send than to refuse: the machine is shared.
        assault.ended.wait(0.05)


def drips(assault: Assault) -> None:
    """Send a request byte by byte, and begin again when the table hangs up."""
    while not assault.ended.is_set():
        with contextlib.suppress(OSError), create_connection((HOST, assault.port), 60) as client:
            client.sendall(b"POST /join HTTP/1.1\r\nContent-Length: 16000\r\n\r\n")
            assault.answers["begun"] += 1
            while not assault.ended.wait(assault.chance.uniform(0.5, 1.5)):
                client.sendall(b"x")


def forged(assault: Assault) -> None:
    """Post as a page of another site does: no cookie and no proof, from the host's address."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    while not assault.ended.is_set():
        assault.ask(client, "POST", "/game/new", Origin="http://other.example")
    client.close()


ATTACKS: Sequence[tuple[str, Attack, int]] = (
    ("QR codes for other names", qr_codes, QR_CONNECTIONS),
    ("unfinished bodies of 16 MB", bodies, BODIES),
    ("60 dripping requests", drips, DRIPS),
    ("forged posts from the host's address", forged, FORGERS),
)


def median_ms(values: Sequence[float]) -> float:
    return statistics.median(values) * 1000


def beside(
    phones: list[Phone], play: Play, seconds: float, attack: Attack | None, threads: int, seed: int
) -> tuple[list[float], Counter[str]]:
    """Return how long presses took, in seconds, and what the attack was answered."""
    again = Play(phones)
    again.steps = play.steps
    if attack is None:
        again.go_on(seconds)
        return again.answered, Counter()
    # In a process of its own, or the phones would wait for it too.
    processes = multiprocessing.get_context("spawn")
    answers: multiprocessing.Queue[Counter[str]] = processes.Queue()
    ended = processes.Event()
    attacker = processes.Process(
        target=attacked, args=(phones[0].port, attack, threads, seed, ended, answers), daemon=True
    )
    attacker.start()
    time.sleep(WARM_UP_S)
    try:
        again.go_on(seconds)
    finally:
        ended.set()
    counted = answers.get()
    attacker.join()
    return again.answered, counted


def attacked(
    port: int,
    attack: Attack,
    threads: int,
    seed: int,
    over: Event,
    answers: "multiprocessing.Queue[Counter[str]]",
) -> None:
    """Attack in so many threads until it is over, and tell what was answered."""
    ended = threading.Event()
    assaults = [Assault(port, seed + number, ended) for number in range(threads)]
    running = [threading.Thread(target=attack, args=[one], daemon=True) for one in assaults]
    for thread in running:
        thread.start()
    over.wait()
    ended.set()
    for thread in running:
        thread.join()
    answers.put(sum((one.answers for one in assaults), Counter()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20, help="of each attack")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"\nAttacks of {arguments.seconds:.0f} s, seed {arguments.seed}, {machine()}\n")
    print("| beside | press to answer, p50, ms | undisturbed = 1 | memory, MB | answers |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (process, port):
        phones = begin(port)
        play = Play(phones)
        play.go_on(WARM_UP_S)
        alone = 0.0
        for name, attack, threads in (("nothing", None, 0), *ATTACKS):
            took, answers = beside(phones, play, arguments.seconds, attack, threads, arguments.seed)
            alone = alone or median_ms(took)
            said = ", ".join(f"{what}: {count}" for what, count in sorted(answers.items()))
            print(
                f"| {name} | {median_ms(took):.1f} | {median_ms(took) / alone:.2f} | "
                f"{resident_mb(process.pid):.0f} | {said} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
