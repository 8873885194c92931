"""A table with its pages, asked over HTTP by phones without a browser."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from stand_ins import PLAIN, Dealer, Die, dice_game, reading
from werkzeug.test import Client, TestResponse

from companion.club.publishing.messages import TableName
from companion.club.publishing.public_table import PublicTable
from companion.games.cards import players as card_players
from companion.games.cards.rules.state import CardState
from companion.games.dice import players as dice_players
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Action
from companion.games.game import AnyMove, Selection, Standing
from companion.games.registry import GAMES
from companion.table import moves
from companion.table.changes import Press, new_secret
from companion.table.journal.journal import Journal
from companion.table.scene import CameraStatus, Phase, running
from companion.table.table import Table
from companion.table.views import TableView
from web.access import SEAT, VISIT, For, prove
from web.app import create_app
from web.serving.stream import Broadcast
from web.site import EXTENSION, TableSite

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fritz", "Greta", "Hugo")
PIECE = 16 * 1024
"""Bytes of a piece of a file, as pages send them."""


class Phone:
    """A client with the cookies of one phone."""

    def __init__(self, site: "Site") -> None:
        self.site = site
        self.client = site.app.test_client()
        self.proof = ""

    def hold(self, cookie: str, secret: str) -> "Phone":
        """Have what a page brings, without drawing it for each phone of each table."""
        self.client.set_cookie(cookie, secret)
        self.proof = prove(secret)
        return self

    def open(self, path: str = "/") -> TestResponse:
        answer = self.client.get(path, follow_redirects=True)
        found = re.search(rb'<meta name="page" content="(\w*)">', answer.data)
        if found:
            self.proof = found[1].decode()
        return answer

    def post(self, path: str, **fields: Any) -> TestResponse:
        return self.send(path, self.site.now | fields)

    def send(self, path: str, fields: Mapping[str, Any], **headers: str) -> TestResponse:
        return self.client.post(path, data=fields, headers={"X-Page": self.proof} | headers)

    def send_piece(self, path: str, piece: bytes, at: int, size: int) -> TestResponse:
        """Send a piece of a file of so many bytes."""
        where = f"{path}?at={at}&size={size}"
        return self.client.post(where, data=piece, headers={"X-Page": self.proof})

    def upload(self, path: str, content: bytes, piece: int = PIECE) -> TestResponse:
        """Send a file in pieces of so many bytes; return the answer to the last one sent."""
        for at in range(0, len(content), piece):
            answer = self.send_piece(path, content[at : at + piece], at, len(content))
            if answer.status_code != 204:
                break
        return answer

    def join(self, name: str, code: str) -> "Phone":
        self.hold(VISIT, new_secret())
        assert self.send("/join", {"name": name, "code": code}).status_code == 303
        seat = self.client.get_cookie(SEAT)
        assert seat is not None
        return self.hold(SEAT, seat.value)

    def ask(self, path: str, **fields: Any) -> TestResponse:
        """Open the page that joins, and send something from it with the code of the table."""
        self.open()
        return self.send(path, {"code": self.site.table.scene.code} | fields)

    def live(self, page: str) -> str:
        """What is pushed to a page first."""
        return first_push(self.client, page)


class Site:
    """A table with its app; phones are in the order of the seats, the first is the host's."""

    def __init__(
        self,
        folder: Path,
        roles: str = "soro",
        characters: Sequence[str] = PLAIN,
        phones: int | None = None,
        chance: Any = None,
        ruleset: str = "base",
        settings: Mapping[str, Any] | None = None,
        streams: Broadcast | None = None,
        selection: Selection | None = None,
        **options: Any,
    ) -> None:
        self.folder, self.journal = folder, Journal(folder)
        settings = dict(settings or {})
        selection = selection or dice_game(ruleset, settings.pop("house_rules", ()))
        self.chance = chance = chance or Dealer(roles, characters)
        # Pages of two tables are compared: both count from the same number.
        settings = {"epoch": lambda most: 0} | settings
        self.table = Table(self.journal, GAMES, selection, chance=chance, **settings)
        self.streams = Broadcast() if streams is None else streams
        named = TableName("k3", "corner", "0.3.0")
        public = PublicTable(self.table, lambda: named)
        self.app = create_app(TableSite(self.table, self.streams, public=public, **options))
        self.table.follow(lambda *_: self.streams.notify())
        self.table.watch(CameraStatus("test"))
        names = NAMES[: len(roles)]
        phones = len(names) if phones is None else phones
        self.phones = [Phone(self).join(name, self.table.scene.code) for name in names[:phones]]
        self.stranger = Phone(self).hold(VISIT, new_secret())
        for name in names[phones:]:
            assert self.host.post("/people/add", name=name).status_code == 204
        self.throws = 0

    @property
    def host(self) -> Phone:
        return self.phones[0]

    @property
    def view(self) -> TableView:
        return self.table.view()

    @property
    def standing(self) -> Standing:
        """How the game stands."""
        return running(self.table.scene).standing

    @property
    def now(self) -> dict[str, int]:
        return {"version": self.view.version, "reading": self.view.reading}

    @property
    def parts(self) -> TableSite:
        """What stands round the table."""
        parts: TableSite = self.app.extensions[EXTENSION]
        return parts

    def furnish(self, **parts: Any) -> None:
        """Put parts round the table that it didn't have, or others."""
        self.app.extensions[EXTENSION] = replace(self.parts, **parts)

    def start(self) -> "Site":
        assert self.host.post("/game/start").status_code == 204
        return self

    def throw(self, *faces: str) -> None:
        self.throws += 1
        self.table.see(
            reading("ok", [Die(f, 100.0 * n, 100.0 * self.throws) for n, f in enumerate(faces)])
        )

    def roll(self, *faces: str) -> None:
        self.throw(*faces)
        self.table.press_green()
        assert self.view.notice == ""

    def move(self, move: AnyMove) -> None:
        """Make a move on the phone of its player, or the host's."""
        person = self.view.people[move.seat if move.seat < len(self.phones) else 0].id
        press = Press(person, self.view.version, self.view.reading)
        self.table.do(moves.move, press, move)

    def play_on(self, chance: Random, faces: Sequence[Face] = tuple(Face)) -> None:
        """Throw some of these faces and throw no more, or decide by chance."""
        if not self.view.rolling:
            state: Any = running(self.table.scene).state
            players = card_players if isinstance(state, CardState) else dice_players
            self.move(players.random_move(state, chance))
            return
        self.roll(*chance.choices(faces, k=5))
        if self.view.rolling and Action.STOP in self.view.game.actions:
            self.table.press_red()


def first_load(site: Site, client: Client, path: str) -> int:
    """How many bytes a page needs the first time, with the files that it names.

    What home screens show is none of them: it is asked for when it is put there.
    """
    page = client.get(path, follow_redirects=True).text
    asks = set(re.findall('(?<!touch-icon" )(?<!manifest" )(?:href|src)="(/static/[^"#]+)', page))
    assert len(asks) >= 4
    sizes = []
    for address in asks:
        with site.stranger.client.get(address) as answer:
            sizes.append(len(answer.data))
    return len(page.encode()) + sum(sizes)


def first_part(answer: TestResponse) -> bytes:
    """What a stream sends first."""
    parts: Iterable[Any] = answer.response
    part: bytes = next(iter(parts))
    return part


def first_push(client: Client, page: str) -> str:
    """What is pushed first to a page of a client."""
    answer = client.get(f"/live/{page}", buffered=False)
    try:
        lines = first_part(answer).decode().split("\n")
    finally:
        answer.close()
    return "\n".join(line[6:] for line in lines if line.startswith("data: "))


def reason(answer: TestResponse, status: int) -> str:
    """The one line of a refusal."""
    assert answer.status_code == status, answer.text
    assert answer.mimetype == "text/plain"
    text = answer.text
    assert text.endswith("\n")
    assert text.count("\n") == 1
    assert "Traceback" not in text
    return text.strip()


def endpoints(site: Site, method: str) -> dict[str, For]:
    """The addresses that answer a method, with their audiences."""
    views: Mapping[str, Any] = site.app.view_functions
    return {
        re.sub("<[^>]*>", "0", re.sub(r"<any\((\w+)[^>]*>", r"\1", rule.rule)): views[
            rule.endpoint
        ].audience
        for rule in site.app.url_map.iter_rules()
        if method in (rule.methods or ()) and rule.endpoint != "static"
    }


def finish(site: Site) -> Site:
    """Let the Sheriff fall by their own dynamite, which ends the game."""
    while site.view.phase is Phase.PLAYING:
        site.roll("dynamite", "dynamite", "dynamite", "gatling", "gatling")
    return site


def deal_to(site: Site, roles: str) -> None:
    """Let the next game be dealt to so many."""
    site.chance.roles, site.chance.characters = roles, PLAIN
