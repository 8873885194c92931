"""Card games that differ in hidden roles alone, or in an early answer: the bytes are the same."""

import itertools
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from twins import Twin

from companion.cardgame.moves import CardMove, Pass, Play
from companion.cardgame.titles import Title
from companion.chance.card_players import random_move
from companion.games.cards import CARD_GAME
from companion.table import laying, moves
from companion.table.changes import Press
from companion.table.pile.observation import PILE_MOVING, PileObservation, PileVerdict
from companion.table.pile.status import PileStatus
from companion.table.scene import Phase

T = Title

EXCHANGED = (1, 2)
"""The seats whose roles are exchanged in the twin."""

LOOKS = 4
"""Moves from one look at everything to the next."""

MOST = 28
"""Moves of a game."""


def open_twin(
    folder: Path, roles: str, patch: pytest.MonkeyPatch, characters: Sequence[str] = ()
) -> Twin:
    """Return a table that deals these roles and, unless none are named, these characters."""
    tokens = itertools.count()
    patch.setattr("secrets.token_urlsafe", lambda *_: f"token-{next(tokens)}-of-this-table")
    patch.setattr("secrets.choice", lambda letters: letters[7])
    site = Twin(folder, roles, seed=3, selection=CARD_GAME.select("base"))
    site.dealer.characters = characters or site.dealer.characters
    site.start()
    site.table.see_pile(PileObservation(PileVerdict.NONE))
    return site


def lay(site: Twin, seen: PileObservation) -> None:
    site.table.see_pile(PILE_MOVING)
    site.table.see_pile(seen)


def make(site: Twin, move: CardMove, chance: random.Random) -> None:
    """Make a move with a card laid in the tray where one is, after another that is hard to read."""
    if isinstance(move, Play):
        others = chance.sample(list(T), 2)
        lay(site, PileObservation(PileVerdict.UNSURE, (*others, move.card)))
        if chance.random() < 0.5 and site.view.pile.status is PileStatus.UNSURE:
            press = Press(1, site.view.version, site.view.reading)
            site.table.do(laying.name_title, press, move.card)
        if site.table.scene.history.moments[-1].move == move:
            return
    site.decide(move)


def play(folder: Path, roles: str, patch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """Play a game; return what was received at each look, while both roles are hidden."""
    site, chance = open_twin(folder, roles, patch), random.Random(7)
    looks: list[dict[str, str]] = []
    for number in range(MOST):
        history = site.table.scene.history
        if site.view.phase is not Phase.PLAYING:
            break
        if not all(site.view.game.players[seat].alive for seat in EXCHANGED):
            break
        if number % LOOKS == 0:
            looks.append(site.shown(beside=False) | site.roles(EXCHANGED))
        make(site, random_move(history.state, chance), chance)
        if number % LOOKS == 0:
            lay(site, PileObservation(chance.choice([PileVerdict.MANY, PileVerdict.BLOCKED])))
            looks.append(site.shown(beside=False))
            lay(site, PileObservation(PileVerdict.OK, (T.MISSED,), "2S", True))
            looks.append(site.shown(beside=False))
            while site.view.pile.status is not PileStatus.WAITING:
                press = Press(1, site.view.version, site.view.reading)
                site.table.do(laying.ignore, press)
    site.journal.close()
    return looks


@pytest.mark.parametrize("roles", ["soro"])
def test_card_games_with_exchanged_roles_are_told_apart_by_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, roles: str
) -> None:
    one, two = EXCHANGED
    other = list(roles)
    other[one], other[two] = other[two], other[one]
    assert other != list(roles)
    mine = play(tmp_path / "mine", roles, monkeypatch)
    theirs = play(tmp_path / "theirs", "".join(other), monkeypatch)
    assert len(mine) > 10
    assert len(mine) == len(theirs)
    for look, (a, b) in enumerate(zip(mine, theirs, strict=True)):
        assert a.keys() == b.keys()
        for what, text in a.items():
            assert text == b[what], f"look {look}: {what}"


def test_nobody_else_sees_whether_somebody_answered_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = open_twin(tmp_path, "soro", monkeypatch)
    site.decide(Play(0, T.GATLING))
    asked = CARD_GAME.cards.asked(site.table.scene.history.state)
    early = next(seat for seat in asked[1:] if seat < len(site.phones))
    site.follow()
    # What the loudspeaker says is heard once.
    site.shown(beside=False)
    before = site.shown(beside=False)
    site.followed()
    press = Press(site.view.people[early].id, site.view.version)
    site.table.do(moves.answer_early, press, Pass(early))
    after = site.shown(beside=False)
    for what, text in before.items():
        if not what.startswith(f"phone {early} "):
            assert text == after[what], what
    own = f"phone {early} GET /seat"
    assert before[own] != after[own]
    for name, received in site.followed().items():
        if not name.startswith(f"phone {early} "):
            assert received == "[]", name
    site.journal.close()


def test_every_page_is_drawn_after_a_correction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = open_twin(tmp_path, "soro", monkeypatch)
    site.decide(Play(0, T.BEER))
    before = site.shown(beside=False)
    press = Press(1, site.view.version)
    site.table.do(moves.retitle, press, 1, T.SALOON)
    after = site.shown(beside=False)
    assert {what: text[:3] for what, text in after.items() if " GET " in what} == {
        what: text[:3] for what, text in before.items() if " GET " in what
    }
    assert "corrects what" in after["phone 0 GET /live/story"]
    assert "corrects what" in after["the loudspeaker"]
    site.journal.close()
