"""Sends malformed and huge cookies beside those of phones with and without a seat.

    make attack ATTACKS=cookies

Browsers don't separate cookies by port, so any other page on the table's machine can set them. Each
request asks a served table for a page, with junk before and after the phone's own cookies. Prints a
Markdown table. Exits with 1 if a request gets no answer, a phone isn't known by its own cookies any
more, a stranger is taken for a player, or the table changes.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http.client import HTTPResponse
from pathlib import Path
from socket import create_connection
from unittest import mock

from sites import Phone, Site

from tests.tools.bench.machine import machine
from web import access
from web.serving.pacing import Rate
from web.serving.server import MAX_HEADER, serve

OURS = ("seat", "visit", "name", "language")
NEVER = ("no answer", "not known", "taken for a player", "table changed")
"""What must not happen."""

MOST = MAX_HEADER - 1500
"""Bytes of junk that are still read: the rest of the header needs some, too."""


def raw(chance: random.Random) -> bytes:
    """Bytes that aren't UTF-8."""
    return b"other=" + bytes(chance.randrange(0x80, 0x100) for _ in range(50))


def quoted(chance: random.Random) -> bytes:
    """Quotes, backslashes and separators in any order."""
    return ("other=" + "".join(chance.choices('"\\;=, a', k=60))).encode()


def doubled(chance: random.Random) -> bytes:
    """Several of each of our names."""
    values = ("", "forged", '"', '"\\377"', "x" * 43, "\xff", "é")
    pairs = (f"{name}={chance.choice(values)}" for name in OURS * 3)
    return "; ".join(pairs).encode("latin-1")


def long(chance: random.Random) -> bytes:
    """A value of 8 kB, of our name or another."""
    return f"{chance.choice((*OURS, 'other'))}={'x' * 8000}".encode()


def many(chance: random.Random) -> bytes:
    """Thousands of short cookies."""
    return b"; ".join(b"%c=%d" % (chance.choice(b"abns"), n % 10) for n in range(MOST // 5))


def same(chance: random.Random) -> bytes:
    """Thousands of cookies of one of our names."""
    pair = f"{chance.choice(OURS)}=x; ".encode()
    return pair * (MOST // len(pair) - 1) + b"end=x"


def huge(chance: random.Random) -> bytes:
    """One cookie as large as a header may be."""
    return b"other=" + bytes([chance.choice(b'x; ="')]) * (MOST - 6)


def nothing(_: random.Random) -> bytes:
    """No other cookie, to compare with."""
    return b"other=x"


def control(chance: random.Random) -> bytes:
    """A character that no header may have: the request is refused."""
    return b"other=" + bytes([chance.choice(b"\0\x01\x0b\x7f")])


def beyond(_: random.Random) -> bytes:
    """More than a header may hold: the request is refused."""
    return b"other=" + b"x" * MAX_HEADER


Junk = Callable[[random.Random], bytes]

READ: tuple[Junk, ...] = (nothing, raw, quoted, doubled, long, many, same, huge)
"""Among these, a phone is known by its own cookies."""

REFUSED: Mapping[Junk, int] = {control: 400, beyond: 431}
"""These are answered with a status that says so."""


class Jar:
    """A served table, and what its phones were answered."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.site = Site(folder).start()
        self.server = serve(
            self.site.app,
            self.site.streams,
            "127.0.0.1",
            0,
            sender_of=access.sender_of(self.site.table),
            queue_of=access.queue_of(self.site.table),
        )
        self.before = self.site.table.scene
        self.answers: Counter[int] = Counter()
        self.figures = Counter(dict.fromkeys(NEVER, 0))
        self.processor_ms: defaultdict[str, list[float]] = defaultdict(list)
        """Processor time of each request, of table and phone together, by kind of junk."""

    def close(self) -> None:
        self.server.stop()
        self.site.journal.close()

    def go_on(self, requests: int) -> None:
        """Send so many requests of each kind, of a player and of a stranger in turns."""
        for number in range(requests):
            for junk in (*READ, *REFUSED):
                self.send(junk, self.site.phones[1] if number % 2 else self.site.stranger)

    def send(self, junk: Junk, phone: Phone) -> None:
        """Ask for the page of a player's own phone, and see for whom the answer takes it."""
        player = phone is not self.site.stranger
        own = "; ".join(f"{name}={value}" for name, value in self.own(phone)).encode()
        # What is set for a longer path comes before ours, and ours may be older than the rest.
        cookies = b"; ".join((junk(self.chance), own))
        if self.chance.random() < 0.5 and junk not in (long, many, same, huge):
            cookies += b"; " + junk(self.chance)
        begun = time.process_time()
        status, page = self.ask(b"/seat" if player else b"/", cookies)
        self.processor_ms[junk.__name__].append((time.process_time() - begun) * 1000)
        self.answers[status] += 1
        self.figures["no answer"] += not status
        self.figures["not known"] += status != REFUSED.get(junk, 200)
        if junk in READ and player:
            self.figures["not known"] += phone.proof.encode() not in page
        self.figures["taken for a player"] += not player and status == 303
        self.figures["table changed"] += self.site.table.scene is not self.before

    def own(self, phone: Phone) -> Iterator[tuple[str, str]]:
        """Return the cookies of a phone."""
        for name in OURS:
            if cookie := phone.client.get_cookie(name):
                yield name, cookie.value

    def ask(self, path: bytes, cookies: bytes) -> tuple[int, bytes]:
        """Return the status of an answer, 0 if there is none, and its body."""
        with create_connection(self.server.here, timeout=20) as client:
            try:
                client.sendall(
                    b"GET %b HTTP/1.1\r\nHost: table\r\nCookie: %b\r\n\r\n" % (path, cookies)
                )
                answer = HTTPResponse(client)
                answer.begin()
                return answer.status, answer.read()
            except ConnectionError:
                return 0, b""

    def holds(self) -> bool:
        """Return whether nothing happened that must not happen."""
        return not any(self.figures[name] for name in NEVER)


@contextmanager
def nobody_waits() -> Iterator[None]:
    """Serve everything at once: what is measured is the work, not the waiting."""
    with ExitStack() as patched:
        for name in ("STRANGERS", "PRESSES", "PAGES", "FILES"):
            patched.enter_context(mock.patch.object(access, name, Rate(10**6, 1e6)))
        yield


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=100, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, nobody_waits():
        jar = Jar(Path(folder), arguments.seed)
        jar.go_on(arguments.requests)
        jar.close()
    print(f"\n{arguments.requests} requests of each kind, seed {arguments.seed}, {machine()}\n")
    print("| figure | value |\n|---|---|")
    for status, count in sorted(jar.answers.items()):
        print(f"| answered with {status} | {count} |")
    for name, count in jar.figures.items():
        print(f"| {name} | {count} |")
    print("\n| cookies | processor time of a request, median; most, ms |\n|---|---|")
    for name, times in jar.processor_ms.items():
        print(f"| {name} | {sorted(times)[len(times) // 2]:.1f}; {max(times):.1f} |")
    return int(not jar.holds())


if __name__ == "__main__":
    sys.exit(main())
