"""Strangers get neither seats nor the host's place: `make attack ATTACKS=puppets` tries longer."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.table import seats
from companion.table.scene import Scene
from tests.tools.attacks.puppets import NEVER, Takeover

STEPS = 300


@pytest.fixture
def takeover(tmp_path: Path) -> Iterator[Takeover]:
    made = Takeover(tmp_path, seed=1)
    yield made
    made.close()


def test_strangers_get_no_seat_of_a_player_and_not_the_hosts_place(takeover):
    takeover.go_on(STEPS)
    assert {name: takeover.figures[name] for name in NEVER} == dict.fromkeys(NEVER, 0)
    # They did sit down, ask, vote and be refused, in games and after restarts.
    assert takeover.answers.keys() >= {204, 303, 403, 422}
    assert takeover.figures["games"] > 1
    assert takeover.figures["restarts"] > 1


def test_a_majority_of_strangers_would_be_noticed(takeover, monkeypatch):
    monkeypatch.setattr(seats, "votes_needed", lambda scene, bid: 2)
    takeover.go_on(STEPS)
    assert takeover.figures["host taken"]


def test_requests_of_unknown_addresses_would_be_noticed(takeover, monkeypatch):
    claim = seats.claim

    def forgetful(scene: Scene, who: int | None, *given: Any) -> Scene:
        return claim.function(scene, who, *given[:4])

    monkeypatch.setattr(seats, "claim", replace(claim, function=forgetful))
    takeover.go_on(STEPS)
    assert takeover.figures["two requests of one address"]
