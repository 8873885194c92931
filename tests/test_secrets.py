"""Two games that differ in hidden roles alone: every byte that anybody receives is the same."""

import itertools
import logging
import random
import re
import threading
from pathlib import Path

import pytest
from sites import Site, endpoints
from test_setup import SetUp
from werkzeug.test import TestResponse

from companion.backup.backups import Backups
from companion.chance.dice_players import random_move
from companion.dicegame.characters import CHARACTERS
from companion.dicegame.faces import Face
from companion.dicegame.moves import Action
from companion.table import moves
from companion.table.changes import Press
from companion.table.scene import Phase
from companion.watching.dice_sets import DiceSets
from companion.watching.frames import SharedCamera
from companion.watching.setup_store import SetupStore
from companion.watching.table_reader import TableReader
from vision.profile import load_profile
from web.access import Throttle

GAMES = {"oors": (0, 2), "sorodo": (1, 2)}
"""Roles by their first letter, and the two seats whose roles are exchanged in the twin."""

BESIDE = re.compile(r"(/live)?/(setup|teach|first-run)\b|/card$|.*\.(svg|jpg)$")
"""What shows nothing of the game: asked for only now and then."""

SELDOM = 8
"""Steps from one look at everything to the next."""


class Twin(Site):
    """A table whose host has a camera to set up; its cookies, code and chance are its twin's."""

    def __init__(self, folder: Path, roles: str, seed: int) -> None:
        characters = tuple(random.Random(seed).sample(sorted(CHARACTERS), len(roles)))
        # The last player has no phone.
        phones = len(roles) - 1
        # A second from try to try: a busy machine would tell the twins apart.
        throttle = Throttle(clock=itertools.count().__next__)
        super().__init__(folder, roles, characters, phones, throttle=throttle)
        setup, store = SetUp(self, folder, SharedCamera()), SetupStore(folder)
        sets = DiceSets(folder, store, TableReader(load_profile("pips"), setup.tray))
        self.app.extensions["backups"] = Backups(
            folder, self.table, store, sets, now=lambda: "2026-11-22T19:30:00Z"
        )
        left_out = {"/setup/camera", "/teach/camera"}
        self.gets = sorted(endpoints(self, "GET").keys() - left_out)
        self.presses = sorted(endpoints(self, "POST"))
        self.everybody = {"stranger": self.stranger}
        self.everybody |= {f"phone {seat}": phone for seat, phone in enumerate(self.phones)}

    def shown(self, beside: bool = True) -> dict[str, str]:
        """What everybody is shown now: pages, streams, files, with their headers.

        `beside`: also what shows nothing of the game.
        """
        found = {}
        paths = [path for path in self.gets if beside or not BESIDE.match(path)]
        for (who, phone), path in itertools.product(self.everybody.items(), paths):
            answer = phone.client.get(path, buffered=False)
            stream = path.startswith("/live/") and answer.status_code == 200
            found[f"{who} GET {path}"] = told(answer, next(iter(answer.response)) if stream else "")
        return found

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
        for (who, phone), seat in itertools.product(
            self.everybody.items(), range(len(self.view.people))
        ):
            answer = phone.post(f"/role/{seat}")
            if seat not in exchanged or answer.status_code != 200:
                found[f"{who} role of {seat}"] = told(answer)
        return found


def told(answer: TestResponse, first: bytes | str = "") -> str:
    """All of an answer; of a stream its first event. When a cookie ends depends on the clock."""
    headers = re.sub(r"Expires=[^;]*;", "", str(answer.headers))
    text = f"{answer.status}\n{headers}\n{first or answer.data!r}"
    answer.close()
    return text


def play(
    folder: Path,
    roles: str,
    exchanged: tuple[int, int],
    patch: pytest.MonkeyPatch,
    log: pytest.LogCaptureFixture,
) -> list[dict[str, str]]:
    """Play a game; return what was received at each step, while both roles are hidden."""
    # Threads that earlier tests left behind may have their say late.
    strays = {thread.ident for thread in threading.enumerate()} - {threading.get_ident()}
    tokens = itertools.count()
    patch.setattr("secrets.token_urlsafe", lambda *_: f"token-{next(tokens)}-of-this-table")
    patch.setattr("secrets.choice", lambda letters: letters[7])
    site, chance = Twin(folder, roles, seed=1), random.Random(1)
    steps: list[dict[str, str]] = [site.shown()]
    for turn in range(len(site.everybody)):
        steps[0] |= site.refused(turn)
    site.start()
    while site.view.phase is Phase.PLAYING and all(
        site.view.game.players[seat].alive for seat in exchanged
    ):
        often, seldom = len(steps) % 2 == 1, len(steps) % SELDOM == 1
        received = site.shown(beside=seldom)
        if often:
            received |= site.refused(len(steps) // 2)
        if seldom:
            received |= site.roles(exchanged)
        said = (r.getMessage() for r in log.records if r.thread not in strays)
        steps.append(received | {"log": "\n".join(said)})
        log.clear()
        if site.view.rolling:
            site.roll(*chance.choices([*Face, Face.BULLSEYE1, Face.GATLING], k=5))
            if Action.STOP in site.view.game.actions and site.view.rolling:
                site.table.press_red()
        else:
            move = random_move(site.table.scene.history.state, chance)
            decider = move.seat if site.view.people[move.seat].has_phone else 0
            site.table.do(moves.move, Press(site.view.people[decider].id, site.view.version), move)
    site.journal.close()
    log.clear()
    return steps


@pytest.mark.parametrize("roles", GAMES)
def test_twins_are_told_apart_by_nobody(tmp_path, monkeypatch, caplog, roles):
    caplog.set_level(logging.DEBUG)
    first, second = GAMES[roles]
    other = list(roles)
    other[first], other[second] = other[second], other[first]
    assert other != list(roles)
    mine = play(tmp_path / "mine", roles, GAMES[roles], monkeypatch, caplog)
    theirs = play(tmp_path / "theirs", "".join(other), GAMES[roles], monkeypatch, caplog)
    assert len(mine) > 10
    for path in ("/live/seat", "/live/story"):
        assert all("data-version" in step[f"phone 1 GET {path}"] for step in mine)
    # A game may end where its twin goes on: from there on nothing is secret.
    for step, (one, two) in enumerate(zip(mine, theirs, strict=False)):
        assert one.keys() == two.keys()
        for what, text in one.items():
            assert text == two[what], f"step {step}: {what}"


def test_a_log_of_everything_names_no_role(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    site = Twin(tmp_path, "oors", seed=1).start()
    site.shown()
    for turn in range(len(site.everybody)):
        site.refused(turn)
    site.phones[0].post("/role/0")
    assert "outlaw" in site.phones[0].post("/role/0").text
    said = "\n".join(map(str, [*caplog.messages, *(vars(record) for record in caplog.records)]))
    assert not re.search("outlaw|renegade|deputy|token-", said, re.IGNORECASE)
    site.journal.close()
