"""Secrets change nothing that anybody receives: `make attack ATTACKS=twins` does it longer."""

import io
import itertools
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from twins import BACKUP, LEVEL, Twin

from companion.games.dice.rules.motives import Why, WhyKind
from companion.memory.backup import archive
from companion.memory.backup.archive import SETTINGS
from companion.memory.backup.backups import MadeBackup
from tests.tools.attacks.twins import Evening
from web.access import For, audience

EVENINGS = {"dice": 6, "cards": 4}
"""Evenings with every kind of moment: there are deaths, stand-ins and early answers."""

ASKED = ("a question", "a question out of turn")
MET = {
    "dice": {"a roll", *ASKED, "a roll after a death", "a question after a death"},
    "cards": {*ASKED, "an early answer"},
}


@pytest.fixture
def kind() -> str:
    return "dice"


@pytest.fixture
def evening(tmp_path: Path, kind: str) -> Iterator[Evening]:
    made = Evening(tmp_path, EVENINGS[kind], kind)
    yield made
    made.close()


@pytest.mark.parametrize("kind", EVENINGS)
def test_twins_are_the_same_on_every_page_of_every_phase(evening, kind):
    evening.play(moments=1)
    assert evening.differences == []
    # What the loudspeaker was told was compared in both languages, too.
    assert "It is" in evening.heard
    assert "de jouer" in evening.heard
    asked = "a roll" if kind == "dice" else "a question"
    assert evening.moments.keys() >= {
        "lobby",
        "end of a game",
        f"played again: {asked}",
        "lobby after a game that was left",
        "cards are entered",
        f"cards entered: {asked}",
    }
    assert {moment.rpartition(": ")[2] for moment in evening.moments} >= MET[kind]
    gets = {"/seat", "/table", "/story", "/record", "/setup", "/teach", "/first-run", "/join.svg"}
    gets |= {"/statistics", "/statistics/games", "/statistics/games.csv", "/live/statistics"}
    gets |= {"/wifi.svg", "/live/table", "/live/teach", "/api/state", "/backup/file.zip"}
    gets |= {"/watch/1/1?roles=1", "/watch/1/summary.png", "/record/1", "/live/story/1"}
    assert gets <= set(evening.twins[0].gets)
    assert evening.events > 1000
    assert (evening.reasons > 0) == (kind == "dice")


def lay_open(twin: Twin) -> None:
    """Show the roles on a page."""
    told = audience(For.EVERYBODY)(lambda: twin.dealer.roles)
    twin.app.view_functions["codes.card"] = told


def film_roles(twin: Twin) -> None:
    """Show the roles in the second and later pictures of the camera."""
    shown = itertools.cycle([b"a picture", twin.dealer.roles.encode()])
    twin.inspector.jpeg = lambda *_: next(shown)


def save_roles(twin: Twin) -> None:
    """Write the roles into a backup."""

    def make() -> MadeBackup:
        file = io.BytesIO()
        archive.write(file, "2026-11-22T19:30:00Z", [(SETTINGS, twin.dealer.roles.encode())])
        file.seek(0)
        return MadeBackup(file, "backup.zip")

    twin.parts.backups.make = make


CAMERAS = [f"phone 0 GET /{pages}/camera" for pages in ("collection", "setup")]


@pytest.mark.parametrize(
    ("leak", "seen"),
    [
        (lambda twin: twin.speaker.say(twin.dealer.roles, "en"), ["the loudspeaker"]),
        (lay_open, ["phone 0 GET /card", "stranger GET /card"]),
        (film_roles, CAMERAS),
        (save_roles, [f"phone 0 GET {BACKUP}: {SETTINGS}"]),
    ],
    ids=["loudspeaker", "page", "moving picture", "backup"],
)
def test_whatever_shows_a_hidden_role_is_noticed(evening, leak, seen):
    evening.exchange()
    for twin in evening.twins:
        leak(twin)
    evening.look("lobby")
    assert {f"lobby: {difference}" for difference in seen} <= set(evening.differences)


def test_a_stream_that_shows_a_hidden_role_later_is_noticed(evening):
    evening.exchange()
    for twin in evening.twins:
        leaks(twin)
    evening.both(lambda: evening.twin.follow())
    evening.compare_streams("before")
    assert evening.differences == []
    evening.both(lambda: evening.press("/game/start"))
    evening.compare_streams("a game")
    everybody = sorted(evening.twins[0].everybody)
    assert evening.differences == [f"a game: {who} follows /live/story" for who in everybody]


def leaks(twin: Twin) -> None:
    """Show the roles in the second and later events of the story's stream."""

    def drawn(numbers: Iterator[int]) -> str:
        return twin.dealer.roles if next(numbers) else "nothing"

    twin.app.view_functions["story.live_story"] = audience(For.EVERYBODY)(
        lambda: twin.streams.response(partial(drawn, itertools.count()))
    )


def test_a_reason_that_shows_a_hidden_role_is_noticed(evening, monkeypatch):
    def explain(*_: object) -> tuple[Why, ...]:
        role = evening.twin.dealer.roles[evening.exchanged[0]]
        return (Why(WhyKind.SHOT_SHERIFF, {"target": 0, "times": ord(role)}),)

    monkeypatch.setattr("companion.games.dice.stand_ins.explain", explain)
    evening.exchange()
    person = evening.twin.view.people[-1].id
    evening.both(lambda: evening.press("/people/play-for", person=person, level=LEVEL))
    evening.both(lambda: evening.press("/game/start"))
    evening.both(lambda: evening.twin.follow())
    while not evening.differences:
        evening.step()
    assert "a decision of a stand-in: stranger follows /live/story" in evening.differences


@pytest.mark.parametrize("kind", ["cards"])
def test_a_page_that_shows_an_early_answer_is_noticed(evening):
    for twin in evening.twins:
        told = audience(For.EVERYBODY)(lambda twin=twin: repr(twin.table.scene.surface.early))
        twin.app.view_functions["codes.card"] = told
    evening.both(lambda: evening.press("/game/start"))
    while not evening.moments:
        evening.answer_early("an early answer")
        evening.step()
    assert "an early answer: stranger GET /card" in evening.differences
