"""The whole service, which plays games by itself for ever until it is killed: see `kills.py`.

    python -m tests.tools.attacks.endless_service DATA SEED

Presses come from a phone over HTTP and from the mock pins. Each is printed, as JSON, once it was
answered: the version that the table had then, how the press came, the digest of the game, and the
faces that were entered for dice not accepted yet.
"""

import hashlib
import http.client
import json
import random
import re
import sys
import urllib.parse
from contextlib import ExitStack
from pathlib import Path

from endless_game import to_enter, unfinished

from companion.app.build import RunningTable, start_table
from companion.games.dice.players import random_move
from companion.games.dice.rules.moves import (
    Beer,
    DiscardArrows,
    DiscardFrom,
    Heal,
    Move,
    Roll,
    Shoot,
    Stop,
    TakeArrows,
)
from companion.games.dice.rules.state import State
from companion.settings import Settings
from companion.table.scene import Phase
from companion.table.surface.dice.surface import DiceSurface
from companion.table.table import Table
from web import access
from web.serving.pacing import Rate

UNDOS = 0.05
GREEN, RED = 17, 27


class Phone:
    """The host's phone. What it must remember lies in a file, as in a browser's."""

    def __init__(self, running: RunningTable, memory: Path) -> None:
        self._table = running.table
        self._connection = http.client.HTTPConnection("127.0.0.1", running.server.port, timeout=60)
        self._memory = memory
        self._cookies = json.loads(memory.read_text()) if memory.exists() else {}

    def load(self, path: str) -> None:
        """Open a page and keep what proves it."""
        body = self._send("GET", path, None)
        proof = re.search('name="page" content="([^"]+)"', body)
        assert proof, body
        self._proof = proof[1]

    def press(self, path: str, **fields: object) -> None:
        """Press something on the page as the table is now, and wait for the answer."""
        view = self._table.view()
        seen = {"version": view.version, "reading": view.reading, "page": self._proof}
        self._send("POST", path, urllib.parse.urlencode(seen | fields, doseq=True))
        tell(self._table, "phone")

    def _send(self, method: str, path: str, body: str | None) -> str:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        assert answer.status in (200, 204, 303), f"{path} {body}: {answer.status} {text}"
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        # Of the table, not of the phone, it is seen what a kill leaves of its files.
        part = self._memory.with_suffix(".part")
        part.write_text(json.dumps(self._cookies))
        part.replace(self._memory)
        return text


def digest(table: Table) -> str:
    """What tells a game from another: its record, or nothing where there is none."""
    game = table.scene.history
    return hashlib.sha256((game.record if game else "").encode()).hexdigest()


def entered(table: Table) -> dict[str, str]:
    """The faces that players entered for a roll that is not accepted yet, by number of the die."""
    surface = table.scene.surface
    assert isinstance(surface, DiceSurface)
    marks = surface.state.marks
    return {str(number): str(mark.face) for number, mark in marks.items()}


def tell(table: Table, by: str) -> None:
    """Print a press that was answered."""
    entry = {"version": table.view().version, "by": by, "game": digest(table)}
    print(json.dumps(entry | {"entered": entered(table)}), flush=True)


def main(data: Path, seed: int) -> None:
    chance = random.Random(seed)
    # This phone presses faster than any player.
    access.PRESSES = Rate(burst=1_000_000, per_s=1e6)
    with ExitStack() as stack:
        settings = Settings(host="127.0.0.1", port=0, camera="none", data=data)
        running = start_table(settings, stack)
        phone = Phone(running, data.with_suffix(".phone"))
        sit(running.table, phone)
        while True:
            press(running, phone, chance)


def sit(table: Table, phone: Phone) -> None:
    if not table.view().people:
        phone.load("/")
        phone.press("/join", name="Ann", code="")
    phone.load("/seat")
    while len(table.view().people) < 4:
        phone.press("/people/add", name=f"Player{len(table.view().people)}")


def press(running: RunningTable, phone: Phone, chance: random.Random) -> None:
    """Make one move by phone or button."""
    table = running.table
    host = table.view().people[0].id
    view = table.view(host)
    if view.phase is Phase.LOBBY:
        phone.press("/game/start")
    elif view.phase is Phase.OVER:
        phone.press("/game/new")
    elif view.to_undo and chance.random() < UNDOS:
        phone.press("/game/undo")
    else:
        play(running, phone, chance)


def play(running: RunningTable, phone: Phone, chance: random.Random) -> None:
    history = running.table.scene.history
    assert history is not None
    assert isinstance(history.state, State)
    move = random_move(history.state, chance)
    if not isinstance(move, Roll | Stop):
        phone.press("/game/move", **fields(move))
        return
    faces = unfinished(running.table)
    rolls = isinstance(move, Roll) or faces is not None
    if isinstance(move, Roll) and faces is None:
        faces = to_enter(move)
    for die, face in (faces or {}).items():
        phone.press("/dice/mark", die=die, face=face)
    if chance.random() < 0.5:
        phone.press("/dice/accept" if rolls else "/dice/stop")
        return
    pin = running.controls.pins.factory.pin(GREEN if rolls else RED)
    before = running.table.view().version
    pin.drive_low()
    pin.drive_high()
    assert running.table.view().version > before, running.table.view().notice
    tell(running.table, "pin")


def fields(move: Move) -> dict[str, object]:
    """A decision as the form on the page sends it."""
    match move:
        case Shoot(seat, shots):
            said: dict[str, object] = {"action": "shoot", "seat": seat}
            for shot in shots:
                target = "none" if shot.target is None else str(shot.target)
                used = f"{shot.used_as}:" if shot.used_as else ""
                said[f"shot-{shot.die}"] = used + target
                if shot.beer is not None:
                    said |= {"double": shot.die, "beer": shot.beer}
            return said
        case Beer(seat, targets):
            return {"action": "beer", "seat": seat, "target": targets}
        case DiscardFrom(seat, targets):
            return {"action": "discard_from", "seat": seat, "target": targets}
        case Heal(seat, target):
            return {"action": "heal", "seat": seat, "target": target}
        case DiscardArrows(seat, arrows) | TakeArrows(seat, arrows):
            return {"action": move.action, "seat": seat, "count": arrows}
    raise AssertionError(f"no decision of a phone: {move}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
