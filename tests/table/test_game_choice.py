"""The host chooses in the lobby whether dice or cards are played."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from sites import Site, reason

from companion.app.build import start_table
from companion.games.cards.game import CARD_GAME
from companion.games.dice.game import DICE_GAME
from companion.settings import Settings

pytestmark = pytest.mark.tables

CARDS, DICE = CARD_GAME.record_name, DICE_GAME.record_name


def choose(site: Site, game: str) -> None:
    assert site.host.post("/game/choose", game=game).status_code == 204


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, roles="soro")


def test_the_lobby_offers_both_games_and_says_which_is_chosen(site):
    page = site.host.open("/seat").text
    for game, pressed in ((DICE, "true"), (CARDS, "false")):
        assert f'data-with="game={game}" aria-pressed="{pressed}"' in page
    choose(site, CARDS)
    page = site.host.open("/seat").text
    assert f'data-with="game={CARDS}" aria-pressed="true"' in page
    # Editions, house rules and stand-ins are those of the dice game.
    for part in ('id="rules"', "/game/ruleset", "/people/stand-in"):
        assert part not in page
    assert "The card game" in site.phones[1].open("/seat").text


def test_cards_need_four_to_seven_players_and_the_lobby_says_so(tmp_path):
    for number, (roles, fits) in enumerate((("sro", False), ("soro", True), ("s" * 8, False))):
        site = Site(tmp_path / str(number), roles=roles)
        choose(site, CARDS)
        said = "This game needs four to seven players."
        assert (said in site.host.open("/seat").text) is not fits
        if not fits:
            refused = reason(site.host.post("/game/start"), 422)
            assert refused == "this game needs 4 to 7 players"


def test_an_evening_changes_from_dice_to_cards_and_back_by_the_rules_of_before(tmp_path):
    site = Site(tmp_path, roles="soro", ruleset="quick")
    choose(site, CARDS)
    site.start()
    assert site.view.selection.game is CARD_GAME
    refused = reason(site.host.post("/game/choose", game=DICE), 422)
    assert refused == "you can’t do that during a game"
    assert site.host.post("/game/new").status_code == 204
    choose(site, DICE)
    assert site.view.selection.ruleset.id == "quick"
    site.start()


@pytest.mark.parametrize("game", ["chess", ""])
def test_a_game_that_there_is_not_is_refused(site, game):
    assert reason(site.host.post("/game/choose", game=game), 422) == "there is no such option"


@pytest.mark.parametrize(("named", "game"), [("cards", CARD_GAME), ("dice", DICE_GAME)])
def test_the_settings_file_names_the_first_game(tmp_path, named, game):
    settings = Settings(host="127.0.0.1", port=0, camera="none", data=tmp_path, game=named)
    with ExitStack() as stack:
        assert start_table(settings, stack).table.view().selection.game is game
