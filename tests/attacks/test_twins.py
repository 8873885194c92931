"""Hidden roles change nothing that anybody receives: `make attack ATTACKS=twins` does it longer."""

import itertools
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from twins import Twin

from tests.attacks.twins import Evening
from web.access import For, audience

SEED = 6
"""An evening with every kind of moment: there are deaths and questions out of turn."""


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path, SEED)
    yield made
    made.close()


def test_twins_are_the_same_on_every_page_of_every_phase(evening: Evening) -> None:
    evening.play(moments=1)
    assert evening.differences == []
    # What the loudspeaker was told was compared, too.
    assert "It is" in evening.heard
    assert evening.moments.keys() >= {
        "lobby",
        "end of a game",
        "played again: a roll",
        "lobby after a game that was left",
        "cards are entered",
        "cards entered: a roll",
    }
    met = {moment.rpartition(": ")[2] for moment in evening.moments}
    asked = ("a roll", "a question", "a question out of turn")
    assert met >= {f"{kind}{dead}" for kind in asked for dead in ("", " after a death")}
    gets = {"/seat", "/table", "/story", "/record", "/setup", "/teach", "/first-run", "/join.svg"}
    gets |= {"/statistics", "/statistics/games", "/statistics/games.csv", "/live/statistics"}
    assert gets | {"/wifi.svg", "/live/table", "/live/teach"} <= set(evening.twins[0].gets)
    assert evening.events > 1000


def test_a_loudspeaker_that_says_a_hidden_role_is_noticed(evening: Evening) -> None:
    evening.exchange()
    for twin in evening.twins:
        twin.speaker.say(twin.dealer.roles, "en")
    evening.look("lobby")
    assert evening.differences == ["lobby: the loudspeaker"]


def test_a_page_that_shows_a_hidden_role_is_noticed(evening: Evening) -> None:
    for twin in evening.twins:
        told = audience(For.EVERYBODY)(lambda twin=twin: twin.dealer.roles)
        twin.app.view_functions["codes.card"] = told
    evening.exchange()
    evening.look("lobby")
    assert evening.differences == [
        f"lobby: {who} GET /card" for who in sorted(evening.twins[0].everybody)
    ]


def test_a_stream_that_shows_a_hidden_role_later_is_noticed(evening: Evening) -> None:
    evening.exchange()
    for twin in evening.twins:
        leaks(twin)
    evening.both(lambda: evening.twin.follow())
    evening.compare_streams("before")
    assert evening.differences == []
    evening.both(lambda: evening.press("/game/start"))
    evening.compare_streams("a game")
    assert evening.differences == [
        f"a game: {who} follows /live/story" for who in sorted(evening.twins[0].everybody)
    ]


def leaks(twin: Twin) -> None:
    """Show the roles in the second and later events of the story's stream."""

    def drawn(numbers: Iterator[int]) -> str:
        return twin.dealer.roles if next(numbers) else "nothing"

    twin.app.view_functions["story.live_story"] = audience(For.EVERYBODY)(
        lambda: twin.streams.response(partial(drawn, itertools.count()))
    )


def test_a_moving_picture_that_shows_a_hidden_role_later_is_noticed(evening: Evening) -> None:
    evening.exchange()
    for twin in evening.twins:
        shown = itertools.cycle([b"a picture", twin.dealer.roles.encode()])
        twin.inspector.jpeg = lambda *_, shown=shown: next(shown)
    evening.look("lobby")
    assert evening.differences == [
        f"lobby: phone 0 GET /{pages}/camera" for pages in ("collection", "setup")
    ]
