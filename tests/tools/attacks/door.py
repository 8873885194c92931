"""Attack a running table from the network, and print what its players notice.

    python -m tests.tools.attacks.door [--seconds N] [--rounds N] [--seed N] [--only X]
                                       [--before FOLDER]

The table runs in a process of its own, without a camera, with eight players' phones. Its host
presses all the time, undisturbed and then beside an attack in turns; everything uses loopback. With
`--before`, the table of another commit takes turns with this one. Prints a Markdown table: how long
a press took to its answer, and a new phone's first page from the attacker's address, the most
memory, and what the attack was answered.
"""

import argparse
import contextlib
import multiprocessing
import random
import re
import statistics
import tempfile
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from multiprocessing.synchronize import Event
from pathlib import Path
from socket import create_connection, socket
from subprocess import Popen
from typing import NamedTuple
from urllib.parse import urlencode

from many_games import fill

from tests.tools.bench.load import HOST, Play, begin, served
from tests.tools.bench.machine import machine
from tests.tools.bench.table import processor_time, resident_mb

WARM_UP_S = 3.0
FIRST_PAGE_S = 0.8
"""Seconds of presses between two first pages."""

PAST_GAMES, FIRST_PAST = 60, 1001
"""How many finished games are attacked, and the number of the first one."""

LARGE, MAX_FORM = 31_000, 16_000
"""Bytes of a header and of a form that the table still reads."""

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Assault:
    """An attack that goes on in threads until it is over."""

    def __init__(
        self, port: int, seats: Sequence["Seat"], seed: int, ended: threading.Event
    ) -> None:
        self.port, self.seats, self.chance, self.ended = port, seats, random.Random(seed), ended
        self.answers: Counter[str] = Counter()

    def ask(
        self,
        client: HTTPConnection,
        method: str,
        path: str,
        body: str = "page=forged",
        **headers: str,
    ) -> None:
        """Send one request, and count its answer."""
        try:
            client.request(method, path, body if method == "POST" else None, headers)
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


def pages(assault: Assault) -> None:
    """Open pages that don't exist as a page of another site does, with a new connection each."""
    while not assault.ended.is_set():
        client = HTTPConnection(HOST, assault.port, timeout=60)
        assault.ask(client, "GET", f"/{assault.chance.getrandbits(60):x}")
        client.close()


def past_games(assault: Assault) -> None:
    """Page through finished games without a cookie, so that each is read anew."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    while not assault.ended.is_set():
        assault.ask(client, "GET", past_game(assault.chance))
    client.close()


def past_game(chance: random.Random) -> str:
    """The address of a finished game, in one of the forms that has to read it."""
    game = chance.randrange(FIRST_PAST, FIRST_PAST + PAST_GAMES)
    return chance.choice(["/watch/{}", "/watch/{}/40", "/story/{}", "/record/{}"]).format(game)


def crowds(assault: Assault) -> None:
    """Send many requests at once, hang up without reading the answers, and begin again."""
    asked = b"POST /join HTTP/1.1\r\nHost: table\r\nContent-Length: 4\r\n\r\nform" * 20
    while not assault.ended.is_set():
        with contextlib.suppress(OSError), create_connection((HOST, assault.port), 60) as client:
            client.sendall(asked)
            assault.answers["sent"] += 20
            assault.ended.wait(0.01)


def seated_pages(assault: Assault) -> None:
    """Load pages again and again with the cookie of a player's own phone."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    while not assault.ended.is_set():
        path = assault.chance.choice(["/seat", "/table", "/story/1", "/nothing"])
        assault.ask(client, "GET", path, Cookie=assault.seats[-1].cookies)
    client.close()


def seated_past_games(assault: Assault) -> None:
    """Page through finished games with the cookie of a player's own phone."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    while not assault.ended.is_set():
        path = past_game(assault.chance)
        assault.ask(client, "GET", path, Cookie=assault.seats[-1].cookies)
    client.close()


def seated_files(assault: Assault) -> None:
    """Ask again and again for pictures, with the cookie of a player's own phone."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    while not assault.ended.is_set():
        path = assault.chance.choice(["/page.svg", "/die/0.jpg", "/watch/nothing"])
        assault.ask(client, "GET", path, Cookie=assault.seats[-1].cookies)
    client.close()


def seated_streams(assault: Assault) -> None:
    """Open the event stream of a player's own page, read its first bytes, and begin again."""
    cookies = assault.seats[-1].cookies
    asked = f"GET /live/seat HTTP/1.1\r\nHost: table\r\nCookie: {cookies}\r\n\r\n".encode()
    while not assault.ended.is_set():
        with contextlib.suppress(OSError), create_connection((HOST, assault.port), 60) as client:
            client.sendall(asked)
            assault.answers[client.recv(12).decode()[9:] or "hung up"] += 1


def seated_votes(assault: Assault) -> None:
    """Vote on another host, now yes, now no: each is saved, and every page shows it."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    *_, voter, candidate = assault.seats
    assault.ask(client, "POST", "/host/bid", "person=0", **candidate.headers)
    while not assault.ended.is_set():
        for yes in (1, 0):
            body = urlencode({"person": len(assault.seats), "yes": yes})
            assault.ask(client, "POST", "/host/vote", body, **voter.headers)
    client.close()


def seated_refused(assault: Assault) -> None:
    """Press what only the host may, from a player's own phone."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    while not assault.ended.is_set():
        assault.ask(client, "POST", "/game/new", "version=1", **assault.seats[-1].headers)
    client.close()


def large(head: str, pair: str, size: int = LARGE) -> str:
    """Repeat a pair after a head until it is as large as a request may be."""
    return head + pair * ((size - len(head)) // len(pair))


def cookies(assault: Assault) -> None:
    """Ask for a page with as many cookies as a header may hold."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    while not assault.ended.is_set():
        assault.ask(client, "GET", "/nothing", Cookie=large("", "a=b; "))
    client.close()


def seated_cookies(assault: Assault) -> None:
    """Load a file with a player's own cookie among as many as a header may hold."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    while not assault.ended.is_set():
        junk = large(f"{assault.seats[-1].cookies}; ", "a=b; ")
        assault.ask(client, "GET", "/page.svg", Cookie=junk)
    client.close()


def no_utf8(assault: Assault) -> None:
    """Open first pages with a cookie that isn't UTF-8."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    while not assault.ended.is_set():
        assault.ask(client, "GET", "/table", Cookie="other=\xff\xfe")
    client.close()


def headers(assault: Assault) -> None:
    """Open first pages with as many headers as there is room for, and hang up at once."""
    asked = large("GET / HTTP/1.1\r\nHost: table\r\n", "a: b\r\n") + "\r\n"
    while not assault.ended.is_set():
        with contextlib.suppress(OSError), create_connection((HOST, assault.port), 60) as client:
            client.sendall(asked.encode())
            assault.answers["sent"] += 1
            assault.ended.wait(0.01)


def addresses(assault: Assault) -> None:
    """Ask for pages whose address is as long as a header may be."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    while not assault.ended.is_set():
        assault.ask(client, "GET", large("/", "%41"))
    client.close()


def forms(assault: Assault) -> None:
    """Post the largest form that is read, without a cookie."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    while not assault.ended.is_set():
        assault.ask(client, "POST", "/join", large("", "a=b&", MAX_FORM), **FORM)
    client.close()


def seated_forms(assault: Assault) -> None:
    """Post the largest form that is read, with a player's own cookie and no proof."""
    client = HTTPConnection(HOST, assault.port, timeout=60)
    form = FORM | {"Cookie": assault.seats[-1].cookies}
    while not assault.ended.is_set():
        assault.ask(client, "POST", "/game/new", large("", "a=b&", MAX_FORM), **form)
    client.close()


def unread(assault: Assault) -> None:
    """Send a few requests in a row, read no answer, and begin again with another connection."""
    asked = b"GET /table HTTP/1.1\r\nHost: table\r\n\r\n" * 4
    unread: deque[socket] = deque()
    while not assault.ended.wait(0.01):
        with contextlib.suppress(OSError):
            unread.append(create_connection((HOST, assault.port), 60))
            unread[-1].sendall(asked)
            assault.answers["sent"] += 4
        if len(unread) > 20:
            unread.popleft().close()
    for client in unread:
        client.close()


def neighbours(assault: Assault) -> None:
    """Open the table page from forty addresses, a connection each."""
    while not assault.ended.is_set():
        address = f"127.0.0.{assault.chance.randrange(2, 42)}"
        client = HTTPConnection(HOST, assault.port, timeout=60, source_address=(address, 0))
        assault.ask(client, "GET", "/table")
        client.close()


class Seat(NamedTuple):
    """What a player's phone sends."""

    cookies: str
    proof: str

    @property
    def headers(self) -> dict[str, str]:
        """What a press sends beside its fields."""
        return FORM | {"Cookie": self.cookies, "X-Page": self.proof}


class Attack(NamedTuple):
    """What an attacker does, and in how many threads."""

    name: str
    go_on: Callable[[Assault], None]
    threads: int


ATTACKS: Sequence[Attack] = (
    Attack("QR codes for other names", qr_codes, 4),
    Attack("unfinished bodies of 16 MB", bodies, 18),
    Attack("60 dripping requests", drips, 60),
    Attack("forged posts from the host's address", forged, 4),
    Attack("missing pages, a connection each", pages, 4),
    Attack("finished games, one after the other", past_games, 4),
    Attack("posts 20 at a time, hung up", crowds, 4),
    Attack("a player's phone loads pages", seated_pages, 4),
    Attack("a player's phone loads finished games", seated_past_games, 4),
    Attack("a player's phone loads pictures", seated_files, 4),
    Attack("a player's phone opens streams", seated_streams, 4),
    Attack("a player's phone votes to and fro", seated_votes, 4),
    Attack("a player's phone presses what is refused", seated_refused, 4),
    Attack("31 kB of cookies", cookies, 4),
    Attack("a player's phone sends 31 kB of cookies", seated_cookies, 4),
    Attack("cookies that are not UTF-8", no_utf8, 4),
    Attack("31 kB of headers, hung up", headers, 4),
    Attack("addresses of 31 kB", addresses, 4),
    Attack("forms of 16 kB", forms, 4),
    Attack("a player's phone sends forms of 16 kB", seated_forms, 4),
    Attack("requests in a row, no answer read", unread, 4),
    Attack("the table page for forty addresses", neighbours, 40),
)


class Figures:
    """What was measured beside one attack."""

    def __init__(self) -> None:
        self.presses: list[float] = []
        """Seconds from each press of the host to its answer."""
        self.undisturbed: list[float] = []
        """The same directly before the attack."""
        self.first_pages: list[float] = []
        """Seconds that a phone without a cookie waited for its first page."""
        self.refused = 0
        """First pages that were refused."""
        self.answers: Counter[str] = Counter()
        """What the attack was answered."""
        self.memory_mb = 0.0
        self.seconds = self.processor_s = 0.0
        """How long it lasted, and the table's processor time in it."""


class Table:
    """A running table with its phones, and what was measured on it, by attack."""

    def __init__(self, name: str, process: Popen[str], port: int, folder: Path) -> None:
        self.name, self.process, self.port = name, process, port
        self.phones = begin(port)
        found = re.search(r'class="code">(\w+)<', self.phones[0].page)
        assert found
        fill(folder, PAST_GAMES, code=found[1], first=FIRST_PAST)
        self.play = Play(self.phones)
        self.figures: defaultdict[str, Figures] = defaultdict(Figures)
        self.quiet = Figures()

    def measure(self, attack: Attack, seconds: float, seed: int) -> None:
        """Press for so long undisturbed, and as long beside an attack."""
        found = self.figures[attack.name]
        begun, used = time.monotonic(), processor_time(self.process.pid)
        found.undisturbed += self.press(seconds, self.quiet)
        self.quiet.processor_s += processor_time(self.process.pid) - used
        self.quiet.seconds += time.monotonic() - begun
        seats = [Seat(phone.cookies, phone.proof) for phone in self.phones]
        with attacked(self.port, attack, seats, seed) as answers:
            begun, used = time.monotonic(), processor_time(self.process.pid)
            found.presses += self.press(seconds, found)
            found.processor_s += processor_time(self.process.pid) - used
            found.seconds += time.monotonic() - begun
        found.answers += answers
        found.memory_mb = max(found.memory_mb, resident_mb(self.process.pid))

    def press(self, seconds: float, found: Figures) -> Sequence[float]:
        """Press for so long, and open first pages; return how long each press took."""
        presses: list[float] = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.play.answered.clear()
            self.play.go_on(FIRST_PAGE_S)
            presses += self.play.answered
            self.open_first_page(found)
        return presses

    def open_first_page(self, found: Figures) -> None:
        """Open the join page as a new phone does, from the address of the attack."""
        client = HTTPConnection(HOST, self.port, timeout=60)
        begun = time.perf_counter()
        try:
            client.request("GET", "/")
            answer = client.getresponse()
            answer.read()
            found.refused += answer.status != HTTPStatus.OK
        except ConnectionError:
            found.refused += 1
        found.first_pages.append(time.perf_counter() - begun)
        client.close()


@contextlib.contextmanager
def attacked(port: int, attack: Attack, seats: Sequence[Seat], seed: int) -> Iterator[Counter[str]]:
    """Attack from a process of its own; what was answered is known at the end."""
    answers: Counter[str] = Counter()
    # Threads of this process would keep the phones waiting, too.
    processes = multiprocessing.get_context("spawn")
    counted: multiprocessing.Queue[Counter[str]] = processes.Queue()
    begun, over = processes.Event(), processes.Event()
    attacker = processes.Process(
        target=go_on, args=(port, attack, seats, seed, begun, over, counted), daemon=True
    )
    attacker.start()
    # On a busy machine that takes longer than the attack.
    begun.wait()
    time.sleep(WARM_UP_S)
    try:
        yield answers
    finally:
        over.set()
        answers.update(counted.get())
        attacker.join()


def go_on(
    port: int,
    attack: Attack,
    seats: Sequence[Seat],
    seed: int,
    begun: Event,
    over: Event,
    answers: "multiprocessing.Queue[Counter[str]]",
) -> None:
    """Attack until it is over, and tell what was answered."""
    ended = threading.Event()
    assaults = [Assault(port, seats, seed + number, ended) for number in range(attack.threads)]
    running = [threading.Thread(target=attack.go_on, args=[one], daemon=True) for one in assaults]
    for thread in running:
        thread.start()
    begun.set()
    over.wait()
    ended.set()
    for thread in running:
        thread.join()
    answers.put(sum((one.answers for one in assaults), Counter()))


def ms(values: Sequence[float], percentile: int) -> float:
    # Beside a flood that stops everything, there may be only one.
    every = statistics.quantiles(values, n=100) if len(values) > 1 else [*values] * 99
    return every[percentile - 1] * 1000


def rows(table: Table) -> Iterator[str]:
    quiet = table.quiet
    quiet.presses = [each for found in table.figures.values() for each in found.undisturbed]
    quiet.undisturbed = quiet.presses
    for name, found in (("nothing", quiet), *table.figures.items()):
        answers = ", ".join(f"{what}: {count}" for what, count in sorted(found.answers.items()))
        press, opened = ms(found.presses, 50), len(found.first_pages)
        yield (
            f"| {name} | {press:.1f} | {press / ms(found.undisturbed, 50):.2f} | "
            f"{ms(found.presses, 95) / ms(found.undisturbed, 95):.2f} | "
            f"{ms(found.presses, 99):.0f} | "
            f"{ms(found.first_pages, 50):.1f} | {opened - found.refused} of {opened} | "
            f"{found.memory_mb:.0f} | {100 * found.processor_s / (found.seconds or 1):.0f} | "
            f"{answers} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5, help="of each attack and round")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="attacks whose name has this text")
    parser.add_argument("--before", type=Path, help="folder of another commit to measure as well")
    arguments = parser.parse_args()
    attacks = [attack for attack in ATTACKS if arguments.only in attack.name]
    sources = [(f"in {arguments.before}", arguments.before)] if arguments.before else []
    with contextlib.ExitStack() as stack:
        tables = []
        for name, source in (*sources, ("of this commit", None)):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            tables.append(Table(name, *stack.enter_context(served(folder, source=source)), folder))
            tables[-1].play.go_on(WARM_UP_S)
        for number in range(arguments.rounds):
            for attack in attacks:
                # Each round begins with another one.
                for table in tables[:: 1 if number % 2 else -1]:
                    table.measure(attack, arguments.seconds, arguments.seed + 1000 * number)
        print(
            f"\nAttacks in turns, {arguments.rounds} rounds of {arguments.seconds:.0f} s each, "
            f"seed {arguments.seed}, {machine()}"
        )
        for table in tables:
            most = resident_mb(table.process.pid, "VmHWM")
            print(f"\nThe table {table.name}, whose memory was {most:.0f} MB at most:\n")
            print(
                "| beside | press to answer, p50, ms | directly before = 1 | p95, the same | "
                "p99, ms | first page, p50, ms | first pages shown | memory, MB | "
                "processor, % of a core | answers |\n"
                "|---|---|---|---|---|---|---|---|---|---|"
            )
            print(*rows(table), sep="\n", flush=True)


if __name__ == "__main__":
    main()
