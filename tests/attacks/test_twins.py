"""Hidden roles change nothing that anybody receives: `make attack ATTACKS=twins` does it longer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

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
