"""What logs tell, and what others see of early answers; attacks/test_twins.py compares all else."""

import logging
import random
import re

import dealt_table
import pytest
from twins import Twin, open_twin

from companion.games.cards.game import CARD_GAME
from companion.games.cards.rules.moves import Pass, Play
from companion.games.cards.rules.titles import Title
from companion.table import moves
from companion.table.changes import Press
from companion.table.surface.cards import laying

pytestmark = pytest.mark.tables

T = Title


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


@pytest.mark.parametrize("luck", [None, 3**20_000], ids=["laid", "dealt"])
def test_nobody_else_sees_whether_somebody_answered_early(tmp_path, monkeypatch, luck):
    """On no page, in no stream, in no file, and not in what other programs ask for."""
    site = open_twin(tmp_path, "soro", monkeypatch, luck=luck)
    asked = ask_all(site) if luck else answerers(site, Play(0, T.GATLING))
    early = next(seat for seat in asked[1:] if seat < len(site.phones))
    site.follow()
    # What the loudspeaker says is heard once.
    site.shown(beside=False)
    before = site.shown(beside=False)
    site.followed()
    press = Press(site.view.people[early].id, site.view.version)
    site.table.do(moves.answer_early, press, Pass(early))
    after = site.shown(beside=False)
    assert any("/api/" in what for what in before)
    for what, text in before.items():
        if not what.startswith(f"phone {early} "):
            assert text == after[what], what
    own = f"phone {early} GET /seat"
    assert before[own] != after[own]
    for name, received in site.followed().items():
        if not name.startswith(f"phone {early} "):
            assert received == "[]", name
    site.journal.close()


def answerers(site: Twin, move: Play) -> list[int]:
    site.decide(move)
    return list(CARD_GAME.cards.answerers(site.table.scene.history.state))


def ask_all(site: Twin) -> list[int]:
    """Play with dealt hands until a card asks three players, two of them with a phone."""
    chance = random.Random(1)
    for _ in range(500):
        state = site.table.scene.history.state
        asked = dealt_table.answerers(state)
        if len(asked) > 2 and any(seat < len(site.phones) for seat in asked[1:]):
            return asked
        assert state.decider is not None
        site.decide(dealt_table.asking_all(state, chance))
    raise AssertionError("nobody played such a card")


def test_every_page_is_drawn_after_a_correction(tmp_path, monkeypatch):
    site = open_twin(tmp_path, "soro", monkeypatch)
    site.decide(Play(0, T.BEER))
    before = site.shown(beside=False)
    press = Press(1, site.view.version)
    site.table.do(laying.retitle, press, 1, T.SALOON)
    after = site.shown(beside=False)
    assert {what: text[:3] for what, text in after.items() if " GET " in what} == {
        what: text[:3] for what, text in before.items() if " GET " in what
    }
    assert "corrects what" in after["phone 0 GET /live/story"]
    assert "corrects what" in after["the loudspeaker"]
    site.journal.close()
