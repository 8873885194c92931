"""Real cards that are hard to see, laid into the watched tray: the table follows each of them."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from card_rooms import ToldRoom
from real_cards import RealCards
from tiers import later

from companion.games.cards.laid import LaidCardRules
from companion.games.cards.rules.claims import may_flip
from companion.games.cards.rules.deck import KINDS
from companion.games.cards.rules.record import replay
from companion.table.scene import Phase
from companion.table.surface.cards.state import PileStatus, PileVerdict
from tests.tools.bench.late_hands import play

pytestmark = pytest.mark.tables

TITLES = tuple(KINDS)


class HardRoom(ToldRoom):
    """A room in which some cards can't be read, hands reach in, and the power fails."""

    def __init__(self, folder: Path, seed: int, players: int, *, restarts: bool) -> None:
        self.restarts = restarts
        super().__init__(folder, seed, players)

    def happens(self, share: float) -> bool:
        return self.luck.random() < share

    def lay(self, *titles: str, sign: str = "") -> None:
        (title,) = titles
        waits = self.status is PileStatus.WAITING and not self.owed
        if waits and not self.pile.signs:
            self.disturb()
        doubted = waits and self.happens(0.2)
        if doubted and self.pile.awaits == "sign":
            self.flip(f"{sign}?")
        elif doubted and not may_flip(self.state):
            others = self.luck.sample(TITLES, 2)
            self.see(PileVerdict.UNSURE, list(dict.fromkeys([title, *others])), sign)
            assert self.status is PileStatus.UNSURE
        else:
            super().lay(title, sign=sign)
        self.restart()

    def disturb(self) -> None:
        """Let something happen that no move follows from."""
        before = self.state
        if self.happens(0.1):
            self.see(self.luck.choice([PileVerdict.BLOCKED, PileVerdict.NONE]))
            self.see(PileVerdict.NONE)
            if self.happens(0.3):
                self.see(PileVerdict.GONE, self.luck.sample(TITLES, 2))
        assert self.state == before

    def restart(self) -> None:
        if self.restarts and self.happens(0.1):
            pile = self.table.scene.surface.state
            self.reopen()
            self.see(PileVerdict.NONE)
            again = self.table.scene.surface.state
            # Pictures are gone after a restart.
            laid = tuple(replace(card, number=0) for card in pile.laid)
            assert (again.laid, again.owed, again.drawing) == (laid, pile.owed, pile.drawing)


@pytest.mark.parametrize("seed", [*range(8), *later(*range(8, 25))])
def test_a_game_that_is_hard_to_see_is_followed_card_by_card(tmp_path, seed):
    room = HardRoom(tmp_path, seed, 4 + seed % 4, restarts=seed % 5 == 0)
    RealCards(room, random.Random(seed)).play()
    assert room.view.phase is Phase.OVER
    *_, last = replay(line.encode() for line in room.lines)
    assert last == room.state
    room.close()


@pytest.mark.parametrize("seeds", [range(2), *later(range(2, 8))])
@pytest.mark.parametrize("players", [4, 5, 7])
def test_no_card_counts_wrongly_without_a_question(players, seeds):
    games = [play(seed, players, late=0.5) for seed in seeds]
    assert {wrong for *_, wrong in games} == {""}
    assert sum(touches["asked whether owed"] + touches["asked whose"] for touches, *_ in games)


def test_a_table_that_forgets_what_is_owed_is_found_out(monkeypatch):
    monkeypatch.setattr(LaidCardRules, "debts", lambda *_: ())
    assert "laid aside, counted as" in "".join(play(seed, 5, late=0.5)[2] for seed in range(8))
