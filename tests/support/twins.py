"""Twins: two tables that differ in hidden roles alone, with everything that they answer."""

import io
import itertools
import math
import random
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import numpy as np
import pytest
from school import Class
from setting_up import Camera, Inspector, SetUp
from sites import Phone, Site, endpoints, first_part
from stand_ins import Dealer
from waiting import wait_until
from werkzeug.test import TestResponse

from companion.base.worker import WorkerThread
from companion.camera.frames import SharedCamera
from companion.camera.pile_reader import PileReader
from companion.camera.setup_store import SetupStore
from companion.camera.table_reader import TableReader
from companion.club.publishing.messages import TableName, encode, state_message
from companion.club.publishing.progress import Sent, due
from companion.games.cards.dealt_game import DEALT_GAME
from companion.games.cards.game import CARD_GAME
from companion.games.dice.odds import public_history
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.roles import Role
from companion.games.dice.stand_ins import decide
from companion.games.game import AnyMove, Decision, Selection
from companion.games.odds import estimate_odds
from companion.games.registry import card_signs
from companion.memory.backup.backups import Backups
from companion.memory.statistics.keeper import Statistics
from companion.settings import Hotspot
from companion.setup.aiming import CameraSetup, Inspection
from companion.setup.decks import Decks
from companion.setup.dice_sets import DiceSets
from companion.setup.first_run import FirstRun
from companion.table import moves, stand_ins
from companion.table.changes import Press
from companion.table.controls.announcer import Announcer
from companion.table.controls.buttons import ButtonRouter
from companion.table.controls.light import SignalRouter
from companion.table.scene import running
from companion.table.surface.cards.state import PileObservation, PileVerdict
from companion.table.views import PersonView
from vision.dice.profile import load_profile
from web.play.narration import PagesNarration
from web.serving.refusals import Throttle
from web.serving.stream import HEARTBEAT, Broadcast, Stream

BESIDE = re.compile(r"(/live)?/(setup|teach|first-run)\b|/card$|.*\.(svg|jpg|png)$")
"""What shows nothing of the game: asked for only now and then."""


def pages_of_game(number: int) -> tuple[str, ...]:
    """The pages and files of one of an evening's games, which show nothing of it until it is over.

    A game that isn't over is asked for by its number, and by the name of its record.
    """
    names = (number, f"HHHH-{number}")
    parts = ("", "/1?roles=1", "/summary.txt", "/summary.png")
    pages = [f"/{page}/{number}" for page in ("story", "live/story", "record", "live/watch")]
    return (*pages, *(f"/watch/{name}{part}" for name in names for part in parts))


FIRST, SECOND = pages_of_game(1), pages_of_game(2)
OF_ANN = ("/statistics/player?name=Ann", "/live/statistics?of=player&name=Ann")
"""Statistics of a player at every table."""

BACKUP = "/backup/file.zip"
CAMERAS = ("/collection/camera", "/setup/camera", "/teach/camera")
"""Moving pictures, which never end."""
PARTS = 2
"""So many pictures of each are compared."""

LEVEL = "sensible"
"""How stand-ins play: their reasons say most."""

TABLE = TableName("k3", "corner", "0.3.0")
"""What messages name."""

EVENTS = "/api/events"
"""The stream that tells other programs what happens."""

MANY = 10_000
"""Streams that stay open."""
KEPT = "tests.support.twins"
"""The key in a request's environ for the stream that the table answers with."""


class Noted:
    """A loudspeaker that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def play(self, sound: str) -> None:
        self.told.append(sound)

    def say(self, text: str, language: str) -> None:
        self.told.append(f"{language}: {text}")

    def silence(self) -> None:
        self.told.append("silence")

    def taken(self) -> list[str]:
        taken, self.told = self.told, []
        return taken


class FrankInspector(Inspector):
    """Gives all that it is to draw in a picture as the picture."""

    def jpeg(
        self,
        frame: np.ndarray,
        inspection: Inspection | None = None,
        names: Mapping[str, str] | None = None,
    ) -> bytes:
        return repr((int(frame[0, 0, 0]), inspection, names)).encode()


def keeping(app: WSGIApplication) -> WSGIApplication:
    """Return `app`, which puts a stream into the list that a request brings for it."""

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        body = app(environ, start_response)
        if KEPT not in environ or not isinstance(body, Stream):
            return body
        environ[KEPT].append(body)
        return iter(list(body))

    return respond


class Received:
    """What a stream's client received since it was last looked at."""

    def __init__(self, stream: Stream) -> None:
        self.events: list[bytes] = []
        self.stream = stream
        stream.attach(self)

    def is_drained(self) -> bool:
        return True

    def send_event(self, event: bytes) -> None:
        # A busy machine would tell the twins apart.
        if event != HEARTBEAT:
            self.events.append(event)

    def end_stream(self) -> None:
        self.events.append(b"the end")

    def taken(self) -> str:
        self.stream.push()
        taken, self.events = self.events, []
        return repr(taken)


class Twin(Site):
    """A table with every page: its cookies, code, chance and time are its twin's."""

    def __init__(
        self, folder: Path, roles: str, seed: int, selection: Selection | None = None
    ) -> None:
        """selection: the game that is played; by default, the dice game."""
        ruleset: Any = selection and selection.ruleset
        known = ruleset.characters if ruleset else CHARACTERS
        characters = tuple(random.Random(seed).sample(sorted(known), len(roles)))
        self.dealer = Dealer(roles, characters)
        super().__init__(
            folder,
            roles,
            # The last player has no phone.
            phones=len(roles) - 1,
            chance=self.dealer,
            settings={"now": lambda: "2026-01-01T20:00:00Z"},
            # A second from try to try: a busy machine would tell the twins apart.
            tries=Throttle(clock=itertools.count().__next__),
            hotspot=Hotspot("table", "12345678"),
            streams=Broadcast(players=MANY, spectators=MANY, each_player=MANY, each_address=MANY),
            selection=selection,
        )
        shared = SharedCamera()
        made, store = SetUp(self, folder, shared), SetupStore(folder)
        self.inspector = FrankInspector()
        made.setup = CameraSetup(self.table, shared, made.lock, made.tray, self.inspector)
        made.setup.listeners.add(self.streams.notify)
        self._setup = made.setup
        sets = DiceSets(folder, store, TableReader(load_profile("pips"), made.tray))
        decks = Decks(folder, store, PileReader(), card_signs())
        now = "2026-11-22T19:30:00Z"
        backups = Backups(folder, self.table, store, sets, decks, now=lambda: now)
        self.statistics = Statistics(folder, self.table, lambda: "pips")
        # A lesson that any of its pages can show.
        lessons = Class(self)
        self._cameras = [shared.share(Camera()), lessons.camera]
        self._followed: dict[str, Received] = {}
        buttons, light = ButtonRouter(self.table), SignalRouter(self.table)
        first_run = FirstRun(self.table, store, made.setup, buttons, light, wired=False)
        self.furnish(
            setup=made.setup, backups=backups, statistics=self.statistics, first_run=first_run
        )
        self._sent = Sent()
        self.speaker = Noted()
        # In both languages: one table has only one.
        narrations = map(PagesNarration, ("en", "fr"))
        self.announcers = [Announcer(self.table, each, self.speaker) for each in narrations]
        shown = endpoints(self, "GET").keys() | {*FIRST, *SECOND, *OF_ANN}
        self.gets = sorted(shown - {*CAMERAS})
        self.app.wsgi_app = keeping(self.app.wsgi_app)  # type: ignore[assignment,method-assign]
        self.presses = sorted(endpoints(self, "POST"))
        self.everybody = {"stranger": self.stranger}
        self.everybody |= {f"phone {seat}": phone for seat, phone in enumerate(self.phones)}

    @property
    def awaited(self) -> PersonView:
        """Who must decide."""
        seat = self.standing.awaited
        assert seat is not None
        return self.view.people[seat]

    def shown(self, beside: bool = True) -> dict[str, str]:
        """What everybody is shown now: pages, streams, files, with their headers.

        `beside`: also what shows nothing of the game.
        """
        self.show_odds()
        for announcer in self.announcers:
            announcer.catch_up(WorkerThread(announcer))
        found = {"the loudspeaker": "\n".join(self.speaker.taken()), "messages": self._messages()}
        self.statistics.bring_up_to_date()
        paths = [path for path in self.gets if beside or not BESIDE.match(path)]
        for (who, phone), path in itertools.product(self.everybody.items(), paths):
            answer = phone.client.get(path, buffered=False)
            live = path.startswith("/live/") or path == EVENTS
            stream = live and answer.status_code == 200
            if path == BACKUP and answer.status_code == 200:
                found |= {f"{who} GET {path}: {name}": kept for name, kept in unpacked(answer)}
            found[f"{who} GET {path}"] = told(answer, first_part(answer) if stream else b"")
        return found

    def _messages(self) -> str:
        """What a broker is told now."""
        view, history = self.view, self.table.scene.history
        record = history.record if history else ""
        found, self._sent = due(view, record, self._sent, TABLE)
        return repr([*found, encode(state_message(view, TABLE))])

    def show_odds(self) -> None:
        """Work out the odds as the table's own worker does, with fewer games."""
        self.table.spectators.view(None)
        wanted = self.table.spectators.wanted()
        if wanted is not None:
            states: Any = wanted.states
            moves_made: Any = wanted.moves
            saw = public_history(states, moves_made)
            self.table.spectators.show(wanted, estimate_odds(saw.sides, saw.play(range(2))))

    def pictures(self) -> dict[str, str]:
        """What everybody is shown of the moving pictures: the first of them, one for each frame."""
        found = {}
        with ExitStack() as stack:
            # However slow this machine is, each frame is inspected and what was read is drawn.
            stack.enter_context(mock.patch("companion.setup.aiming.AIMED_S", 0.0))
            stack.enter_context(mock.patch("companion.setup.aiming.DRAWN_S", math.inf))
            for pages in ("collecting", "setup", "teaching"):
                stack.enter_context(mock.patch(f"web.{pages}.routes.FPS", 1e6))
            for (who, phone), path in itertools.product(self.everybody.items(), CAMERAS):
                found[f"{who} GET {path}"] = self._pictures(phone, path)
        return found

    def _pictures(self, phone: Phone, path: str) -> str:
        self._take_pictures()
        answer = phone.client.get(path, buffered=False)
        parts: list[bytes] = []
        if answer.status_code == 200:
            read = path != "/teach/camera"
            pictures: Iterator[Any] = iter(answer.response)
            # The client takes the first as it comes, inspected or not yet.
            next(pictures)
            wait_until(lambda: self._setup.view().inspection or not read)
            for _ in range(PARTS):
                self._take_pictures()
                parts.append(next(pictures))
        try:
            return told(answer, b"".join(parts))
        finally:
            wait_until(lambda: self._setup.view().inspection is None)

    def _take_pictures(self) -> None:
        for camera in self._cameras:
            camera.frame()

    def follow(self) -> None:
        """Keep streams of the game open at all phones; `followed` tells what they get."""
        streams = [path for path in self.gets if "/live/" in path or path == EVENTS]
        paths = [path for path in streams if not BESIDE.match(path)]
        for (who, phone), path in itertools.product(self.everybody.items(), paths):
            kept: list[Stream] = []
            phone.client.get(path, environ_overrides={KEPT: kept})
            self._followed |= {f"{who} follows {path}": Received(stream) for stream in kept}

    def followed(self) -> dict[str, str]:
        """What each stream got since it was last looked at, be it nothing."""
        return {name: received.taken() for name, received in self._followed.items()}

    def refused(self, turn: int) -> dict[str, str]:
        """How one of them, in turn, is refused: old presses, and such as no page proves."""
        found = {}
        who, phone = list(self.everybody.items())[turn % len(self.everybody)]
        for path in self.presses:
            found[f"{who} POST {path}, forged"] = told(phone.send(path, {}, **{"X-Page": "forged"}))
            if not path.startswith(("/role", "/language", "/host/bid")):
                found[f"{who} POST {path}, old"] = told(phone.send(path, {"version": "0"}))
        return found

    def roles(self, exchanged: tuple[int, int]) -> dict[str, str]:
        """The roles that each phone is told, but for the two that differ by rights."""
        found = {}
        seats = range(len(self.view.people))
        for (who, phone), seat in itertools.product(self.everybody.items(), seats):
            answer = phone.post(f"/role/{seat}")
            if seat not in exchanged or answer.status_code != 200:
                found[f"{who} role of {seat}"] = told(answer)
        return found

    def enter(self, seat: int, character: str) -> None:
        """Let the player of a seat enter the cards that were dealt; the host has the last one's."""
        known = {role.value[0]: role.value for role in Role}
        phone = self.phones[seat] if seat < len(self.phones) else self.host
        fields = {"role": known[self.dealer.roles[seat]], "character": character}
        dealing = self.table.scene.dealing
        assert dealing is not None
        answer = phone.post("/cards/enter", seat=seat, round=dealing.round, **fields)
        assert answer.status_code == 204, answer.text

    def stand_in_decision(self) -> Decision:
        """What a stand-in decides now for the seat that is awaited, by what it knows here."""
        start, *moments = running(self.table.scene).moments
        states: list[Any] = [moment.state for moment in (start, *moments)]
        made: list[Any] = [moment.move for moment in moments]
        return decide(LEVEL, states, made, random.Random(len(made)))

    def stand_in(self, decision: Decision) -> None:
        """Let the stand-in of the awaited seat show its wish, or make its move with its reasons."""
        press = Press(self.awaited.id, self.view.version, self.view.reading)
        if decision.move is None:
            self.table.do(stand_ins.ask_for_throw, press, decision.throw)
        else:
            self.table.do(stand_ins.decide, press, decision.move, decision.why)

    def decide(self, move: AnyMove) -> None:
        """Make a move as the player who decides it, or as the host for a player without a phone."""
        seat = move.seat if self.view.people[move.seat].has_phone else 0
        self.table.do(moves.move, Press(self.view.people[seat].id, self.view.version), move)


def unpacked(answer: TestResponse) -> Iterable[tuple[str, str]]:
    """What a backup has, by the names of its entries, in their order."""
    with zipfile.ZipFile(io.BytesIO(answer.get_data())) as kept:
        for entry in kept.infolist():
            yield entry.filename, repr((entry, kept.read(entry)))


def told(answer: TestResponse, first: bytes = b"") -> str:
    """All of an answer; of a stream its first event. When a cookie ends depends on the clock."""
    headers = re.sub(r"Expires=[^;]*;", "", str(answer.headers))
    text = f"{answer.status}\n{headers}\n{first or answer.data!r}"
    answer.close()
    return text


def open_twin(
    folder: Path,
    roles: str,
    patch: pytest.MonkeyPatch,
    characters: Sequence[str] = (),
    luck: int | None = None,
) -> Twin:
    """Return a table that deals these roles and, unless none are named, these characters.

    luck: of a game with dealt hands, which is played then.
    """
    tokens = itertools.count()
    patch.setattr("secrets.token_urlsafe", lambda *_: f"token-{next(tokens)}-of-this-table")
    patch.setattr("secrets.choice", lambda letters: letters[7])
    game = CARD_GAME if luck is None else DEALT_GAME
    site = Twin(folder, roles, seed=3, selection=game.select("base"))
    site.dealer.luck = luck
    site.dealer.characters = characters or site.dealer.characters
    site.start()
    site.table.see(PileObservation(PileVerdict.NONE))
    return site
