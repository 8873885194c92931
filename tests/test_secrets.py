"""Two games that differ in hidden roles alone: every byte that anybody receives is the same."""

import itertools
import logging
import random
import re
import threading
from pathlib import Path

import pytest
from sites import Phone
from twins import Twin

from companion.chance.dice_players import random_move
from companion.dicegame.faces import Face
from companion.dicegame.moves import Action
from companion.table.scene import Phase

GAMES = {"oors": (0, 2), "sorodo": (1, 2)}
"""Roles by their first letter, and the two seats whose roles are exchanged in the twin."""

SELDOM = 8
"""Steps from one look at everything to the next."""


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
    # A guest who waits for the next game.
    site.everybody["guest"] = guest = Phone(site)
    guest.open()
    assert guest.send("/join", {"name": "Guest", "code": site.table.code}).status_code == 303
    guest.open("/")
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
            thrown = chance.choices([*Face, Face.BULLSEYE1, Face.GATLING], k=5)
            if seldom:
                # Someone corrects a die, and everybody sees it before it is accepted.
                site.throw(*thrown)
                site.host.post("/dice/mark", die=0, face=Face.ARROW)
                received |= site.shown(beside=False)
                thrown[0] = Face.ARROW
                site.table.press_green()
            else:
                site.roll(*thrown)
            if Action.STOP in site.view.game.actions and site.view.rolling:
                site.table.press_red()
        else:
            site.decide(random_move(site.table.scene.history.state, chance))
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
    told = "\n".join(step["the loudspeaker"] for step in mine)
    assert {"fr: À Bob de jouer.", "en: It is Bob’s turn."} <= set(told.splitlines())
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
