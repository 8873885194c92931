"""Lets phones of strangers try to take over the seats and the host of a table.

    make attack ATTACKS=puppets

Three players sit down, and six phones at two addresses try in random order whatever could get
them a seat or make one of them the host: they join, ask for seats, vote, answer requests and press
the host's buttons, in the lobby and during games, before and after restarts. The host removes the
strangers before each game, and refuses some of their requests. Prints a Markdown table. Exits with
1 if a stranger got the host's place or a player's seat, or an address asked for two seats at once.
"""

import argparse
import itertools
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from sites import Phone, Site
from stand_ins import Dealer, dice_game

from companion.games.registry import GAMES
from companion.table import seats
from companion.table.changes import Press
from companion.table.journal.journal import Journal
from companion.table.scene import CameraStatus, Phase
from companion.table.table import Table
from tests.tools.bench.machine import machine
from web.serving.refusals import Throttle

PLAYERS = 3
PUPPETS, ADDRESSES = 6, 2
RESTARTS, REFUSALS, GAMES_LEFT = 0.02, 0.02, 0.04
"""After how many steps the table restarts, the host refuses what is asked, and a game ends."""

NEVER = ("host taken", "seats taken", "two requests of one address")
"""What must not happen."""

NAMES = ("Xena", "Yann", "Zoe", "Walt", "Vera", "Uma")


class Puppet(Phone):
    """A stranger's phone."""

    def __init__(self, site: Site, name: str, address: str) -> None:
        super().__init__(site)
        self.name, self.address = name, address
        self.client.environ_base["REMOTE_ADDR"] = address
        self.open()


class Takeover:
    """An evening with strangers, and what they achieved."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance, self.folder = random.Random(seed), folder
        # As if it took days: nothing is refused only because it comes too soon.
        throttle = Throttle(clock=itertools.count(step=60.0).__next__)
        self.site = Site(folder, "dor", tries=throttle)
        self.host = self.table.scene.people[0].id
        self.seats = [(one.id, one.token) for one in self.table.scene.people]
        self.puppets = [
            Puppet(self.site, name, f"192.0.2.{number % ADDRESSES}")
            for number, name in zip(range(PUPPETS), NAMES, strict=True)
        ]
        self.answers: Counter[int] = Counter()
        self.figures: Counter[str] = Counter()

    def close(self) -> None:
        self.site.journal.close()

    @property
    def table(self) -> Table:
        return self.site.table

    def go_on(self, steps: int) -> None:
        """Let strangers try so many things, until they have what they must not have."""
        for _ in range(steps):
            self.chance.choice(self.tries)(self.chance.choice(self.puppets))
            if not self.holds():
                break
            if self.chance.random() < REFUSALS:
                self.refuse()
            if self.chance.random() < GAMES_LEFT:
                self.next_phase()
            if self.chance.random() < RESTARTS:
                self.restart()

    # What strangers do

    @property
    def tries(self) -> list[Callable[[Puppet], None]]:
        return [self.join, self.claim, self.bid, self.vote, self.vote, self.answer, self.command]

    def press(self, puppet: Puppet, path: str, **fields: object) -> None:
        puppet.open("/seat")
        answer = puppet.post(path, **fields)
        assert answer.status_code < 500, answer.text
        self.answers[answer.status_code] += 1

    def join(self, puppet: Puppet) -> None:
        self.press(puppet, "/join", name=puppet.name, code=self.table.scene.code)

    def claim(self, puppet: Puppet) -> None:
        """Ask for anybody's seat, or take that back."""
        whose = self.chance.choice(self.table.scene.people).id
        self.press(puppet, "/seat/claim", person=whose, code=self.table.scene.code)
        if self.chance.random() < 0.2:
            self.press(puppet, "/seat/withdraw")

    def bid(self, puppet: Puppet) -> None:
        self.press(puppet, "/host/bid")

    def vote(self, puppet: Puppet) -> None:
        bid = self.table.scene.requests.bid
        if bid is not None:
            self.press(puppet, "/host/vote", person=bid.person, yes=1)

    def answer(self, puppet: Puppet) -> None:
        for claim in self.table.scene.requests.claims:
            self.press(puppet, "/seat/answer", claim=claim.number, yes=1)

    def command(self, puppet: Puppet) -> None:
        """Press what is the host's alone."""
        person = self.chance.choice(self.table.scene.people).id
        path = self.chance.choice(["/people/remove", "/people/phoneless", "/game/start"])
        self.press(puppet, path, person=person)

    # What players do

    def refuse(self) -> None:
        """Let the host refuse what is asked."""
        scene = self.table.scene
        for claim in scene.requests.claims:
            self.table.do(seats.answer_claim, Press(self.host), claim.number, yes=False)
        if scene.requests.bid is not None:
            self.table.do(seats.vote, Press(self.host), scene.requests.bid.person, yes=False)

    def next_phase(self) -> None:
        """Leave the game or, without the strangers, start one."""
        if self.table.view().phase is not Phase.LOBBY:
            self.site.host.post("/game/new")
            return
        while len(self.table.scene.people) > PLAYERS:
            # Another one who waited may take the seat.
            person = self.table.scene.people[-1].id
            assert self.site.host.post("/people/remove", person=person).status_code == 204
        self.site.start()
        self.figures["games"] += 1

    def restart(self) -> None:
        self.site.journal.close()
        self.site.journal = Journal(self.folder)
        self.site.table = Table(
            self.site.journal, GAMES, dice_game(), chance=Dealer("dor"), epoch=lambda _: 0
        )
        self.site.furnish(table=self.site.table)
        self.site.table.watch(CameraStatus("test"))
        self.figures["restarts"] += 1

    # What they have

    def holds(self) -> bool:
        """Return whether nothing happened that must not happen, and count it."""
        people = self.table.scene.people
        self.figures["host taken"] += next(one.id for one in people if one.host) != self.host
        held = [(one.id, one.token) for one in people[:PLAYERS]]
        self.figures["seats taken"] += held != self.seats
        self.figures["two requests of one address"] += (
            len(self.table.scene.requests.claims) > ADDRESSES
        )
        return not any(self.figures[name] for name in NEVER)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        takeover = Takeover(Path(folder), arguments.seed)
        takeover.go_on(arguments.steps)
        takeover.close()
    print(f"\n{arguments.steps} steps, seed {arguments.seed}, {machine()}\n\n| figure | value |")
    print("|---|---|")
    for status, count in sorted(takeover.answers.items()):
        print(f"| answered with {status} | {count} |")
    for name, count in takeover.figures.items():
        print(f"| {name} | {count} |")
    return int(any(takeover.figures[name] for name in NEVER))


if __name__ == "__main__":
    sys.exit(main())
