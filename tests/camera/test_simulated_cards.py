"""The simulated tray of cards: one person lays any card, and the rest happens by itself."""

from pathlib import Path

import pytest
from card_evening import CardEvening

from companion.app.cameras import card_copies
from companion.base.refused import Refused
from companion.camera.pile_reader import PileFollower, PileReader
from companion.camera.simulated_cards import SimulatedCards
from companion.games.cards.rules.moves import End, Play
from companion.games.cards.rules.titles import Title
from companion.table import rounds
from companion.table.scene import CameraStatus, SimulatedTray
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PileStatus
from vision.cards.deck import TaughtDeck

pytestmark = pytest.mark.pictures


class Alone:
    """Somebody who tries the card game alone, with a simulated camera."""

    def __init__(self, folder: Path, deck: TaughtDeck) -> None:
        self.evening = CardEvening(folder)
        self.table = self.evening.table
        self.cards, self.at = SimulatedCards(card_copies(), seed=2), 0.0
        self.table.watch(CameraStatus("simulated", tray=SimulatedTray(layer=self.cards)))
        self.table.follow(lambda *_: self.cards.follow(self.table.scene))
        self.follower = PileFollower(PileReader(deck), lambda: self.table.scene.surface.state)
        self.watch()
        self.evening.start(watched=False)

    def watch(self, frames: int = 60) -> None:
        """Let frames come until nothing happens any more."""
        for _ in range(frames):
            self.at += 1 / 12
            seen = self.follower.update(self.cards.frame(), self.at)
            if seen is not None:
                self.table.see(seen)

    def lay(self, title: str = "") -> None:
        laying.lay_card(self.table.scene, self.evening.press(), title)
        self.watch()

    @property
    def lying(self) -> list[str]:
        return [card.title for card in self.cards.tray.laid_cards]


@pytest.fixture
def alone(tmp_path: Path, deck: TaughtDeck) -> Alone:
    return Alone(tmp_path, deck)


def test_a_blue_card_is_taken_back_by_itself(alone):
    turn = alone.evening.state.turn
    alone.lay("stagecoach")
    assert alone.evening.state.hands[turn] == alone.evening.state.life[turn] + 2 + 1
    alone.lay("mustang")
    assert Title.MUSTANG in alone.evening.state.in_play[turn]
    assert alone.lying == ["stagecoach"]
    assert alone.evening.pile.status is PileStatus.WAITING


def test_cards_beyond_the_limit_are_laid_by_themselves(alone):
    turn = alone.evening.state.turn
    excess = alone.evening.state.hands[turn] - alone.evening.state.life[turn]
    assert excess > 0
    alone.evening.tap(End(turn))
    assert len(alone.evening.owed) == excess
    alone.watch(40 * excess)
    assert alone.evening.owed == ()
    assert len(alone.lying) == excess


def test_all_copies_lie_in_the_tray_until_it_is_shuffled(alone):
    alone.lay("saloon")
    assert '"saloon"' in alone.evening.lines[-1]
    with pytest.raises(Refused, match="all cards with this title lie in the tray"):
        laying.lay_card(alone.table.scene, alone.evening.press(), "saloon")
    assert "saloon" not in alone.cards.left
    alone.cards.shuffle()
    assert "saloon" in alone.cards.left


def test_a_card_is_taken_off_and_another_game_begins_with_an_empty_tray(alone):
    alone.lay("missed")
    assert alone.evening.pile.status is PileStatus.ILLEGAL
    laying.lift_card(alone.table.scene, alone.evening.press())
    alone.watch()
    assert alone.evening.pile.status is PileStatus.WAITING
    assert alone.lying == []
    alone.lay("stagecoach")
    alone.evening.do(rounds.new_game)
    alone.evening.start(watched=False)
    alone.watch()
    assert alone.lying == []


def test_a_flipped_card_comes_from_the_deck(alone):
    turn = alone.evening.state.turn
    target = next(seat for seat in alone.evening.state.living if seat != turn)
    alone.evening.tap(Play(turn, Title.DUEL, target))
    # What was tapped is laid, too.
    alone.watch()
    assert alone.lying == ["duel"]
    alone.lay()
    assert len(alone.lying) == 2


def test_only_a_simulated_tray_can_be_filled(alone):
    alone.table.watch(CameraStatus("usb:0"))
    for change, *title in ((laying.lay_card, "beer"), (laying.lift_card,)):
        with pytest.raises(Refused, match="can’t lay cards"):
            change(alone.table.scene, alone.evening.press(), *title)
