"""The table asks dice and cards the same questions; one never goes through the other's modules."""

from pathlib import Path

import pytest
from sites import Site
from stand_ins import Die, reading

from companion.games.cards.game import CARD_GAME
from companion.games.dice.game import DICE_GAME
from companion.games.game import Game
from companion.table.scene import CameraStatus
from companion.table.surface.cards.state import PileObservation, PileVerdict
from companion.table.surface.cards.surface import CardSurface
from companion.table.surface.dice.surface import DiceSurface
from companion.table.surface.interface import Seen
from tests.tools.house import ROOT, trace

ROLL = reading("ok", [Die("arrow", 100.0 * n) for n in range(5)])
CARD = PileObservation(PileVerdict.OK, ("saloon",))
KINDS = {DICE_GAME: (DiceSurface, ROLL, "cards"), CARD_GAME: (CardSurface, CARD, "dice")}


@pytest.fixture(params=KINDS, ids=lambda game: game.record_name)
def game(request: pytest.FixtureRequest) -> Game:
    return request.param


@pytest.fixture
def site(tmp_path: Path, game: Game) -> Site:
    site = Site(tmp_path, roles="soro")
    # The other game first, so that the tray changes.
    for chosen in (*(KINDS.keys() - {game}), game):
        site.host.post("/game/choose", game=chosen.record_name)
    return site


def test_the_tray_holds_what_the_chosen_game_is_played_with(site, game):
    assert type(site.table.scene.surface) is KINDS[game][0]
    assert not site.view.by_hand, "the camera works as before"
    site.table.watch(CameraStatus())
    assert site.view.by_hand


def test_observations_of_what_is_not_played_change_nothing(site, game):
    site.start()
    before = site.table.scene
    others: list[Seen] = [seen for kind, seen, _ in KINDS.values() if kind is not KINDS[game][0]]
    for seen in others:
        site.table.see(seen)
    assert site.table.scene is before
    site.table.see(KINDS[game][1])
    assert site.table.scene is not before


def test_presses_and_observations_never_go_through_the_other_kind(site, game):
    site.start()
    _, seen, other = KINDS[game]

    def play() -> None:
        site.table.see(seen)
        site.table.press_green()
        site.table.press_red()

    files, _ = trace(ROOT, play)
    assert not [file for file in files if f"/surface/{other}/" in file]
    assert any("/surface/" in file for file in files)
