"""The host chooses in the lobby which game is played next, and by which rules."""

import json
import re
from contextlib import ExitStack
from dataclasses import replace

import pytest
from sites import Site, reason
from stand_ins import dice_game

from companion.app.build import start_table
from companion.games.cards.game import CARD_GAME
from companion.games.dice.game import DICE_GAME
from companion.games.dice.rules.house import HouseRule
from companion.games.registry import GAMES
from companion.settings import Settings
from companion.table.journal.journal import Journal
from companion.table.table import Table

pytestmark = pytest.mark.tables

RULE = HouseRule.ONE_ARROW_A_TURN
BASE = ("base", frozenset())
CARDS, DICE = CARD_GAME.record_name, DICE_GAME.record_name


def chosen(site):
    selection = site.view.selection
    return selection.ruleset.id, selection.house_rules


def reopened(site, folder, ruleset="base"):
    """What is played after a restart with these settings."""
    site.journal.close()
    site.journal = Journal(folder)
    site.table = Table(site.journal, GAMES, dice_game(ruleset))
    return chosen(site)


def choose(site, *rulesets):
    for ruleset in rulesets:
        assert site.host.post("/game/ruleset", ruleset=ruleset).status_code == 204


def switch(site, rule, on):
    assert site.host.post("/game/house-rule", rule=rule, yes=int(on)).status_code == 204


def test_the_next_game_is_played_by_what_was_chosen(site):
    choose(site, "walking-dead")
    switch(site, RULE, on=True)
    site.start()
    assert chosen(site) == ("walking-dead", {RULE})
    header = json.loads(site.table.scene.history.record.split("\n")[0])
    assert (header["ruleset"], header["house_rules"]) == ("walking-dead", [RULE])
    assert "Leader" in site.host.open("/seat").text


@pytest.mark.parametrize("dealing", [False, True])
def test_a_choice_outlasts_a_restart_also_in_the_middle_of_dealing(site, tmp_path, dealing):
    choose(site, "base-fr")
    switch(site, RULE, on=True)
    site.host.post("/game/options", option="characters", value="choice")
    if dealing:
        site.start()
    assert reopened(site, tmp_path) == ("base-fr", {RULE})
    assert (site.table.scene.dealing is not None) is dealing


@pytest.mark.parametrize("made", [(), ("base-fr", "base")], ids=["nothing", "back to them"])
def test_the_settings_hold_until_the_host_chooses_otherwise(site, tmp_path, made):
    choose(site, *made)
    assert reopened(site, tmp_path, "quick") == ("quick", frozenset())


def test_a_house_rule_is_turned_off_again(site):
    for on in (True, True, False):
        switch(site, RULE, on=on)
    assert chosen(site) == BASE


def test_rules_that_contradict_each_other_are_refused(site):
    switch(site, HouseRule.FALLEN_KEEP_PLACES, on=True)
    answer = site.host.post("/game/house-rule", rule=HouseRule.FALLEN_LEAVE_PLACES, yes=1)
    assert "contradict each other" in reason(answer, 422)
    assert chosen(site) == ("base", {HouseRule.FALLEN_KEEP_PLACES})


def test_what_is_no_rule_is_refused(site):
    for path, fields in (
        ("/game/ruleset", {"ruleset": "chess"}),
        ("/game/ruleset", {}),
        ("/game/house-rule", {"rule": "chess", "yes": 1}),
        ("/game/house-rule", {"rule": "chess", "yes": 0}),
        ("/game/choose", {"game": "chess"}),
        ("/game/choose", {"game": ""}),
    ):
        assert reason(site.host.post(path, **fields), 422) == "there is no such option"
    assert site.host.post("/game/house-rule", rule=RULE).status_code == 400
    assert chosen(site) == BASE


def test_only_the_host_chooses_and_only_before_a_game(site):
    assert site.phones[1].post("/game/ruleset", ruleset="quick").status_code == 403
    site.start()
    answer = site.host.post("/game/ruleset", ruleset="quick")
    assert reason(answer, 422) == "you can’t do that during a game"
    assert chosen(site) == BASE


def test_a_choice_for_other_numbers_of_players_is_told_before_the_start(tmp_path):
    site = Site(tmp_path, roles="soroo")
    choose(site, "quick")
    assert "This game needs four players." in site.host.open("/seat").text
    assert site.host.post("/game/start").status_code == 422


def test_a_house_rule_that_the_edition_follows_anyway_is_not_offered(site):
    def offered():
        return {*re.findall(r"rule=(\w+)&amp;yes", site.host.live("seat"))}

    every = {*map(str, HouseRule)}
    assert offered() == every - {HouseRule.FALLEN_KEEP_PLACES}
    switch(site, HouseRule.FALLEN_LEAVE_PLACES, on=True)
    choose(site, "base-fr")
    # It is on, and can be turned off.
    assert offered() == every
    switch(site, HouseRule.FALLEN_LEAVE_PLACES, on=False)
    assert offered() == every - {HouseRule.FALLEN_LEAVE_PLACES}


def test_the_lobby_shows_all_rules_and_guests_read_what_was_chosen(site):
    switch(site, RULE, on=True)
    page = site.host.live("seat")
    for ruleset in DICE_GAME.rulesets:
        assert f"ruleset={ruleset}" in page
    for rule in set(HouseRule) - {HouseRule.FALLEN_KEEP_PLACES}:
        assert f"rule={rule}&amp;yes={int(rule is not RULE)}" in page
    assert "Rules: The dice game, Base game, one house rule" in site.phones[1].live("seat")


def test_saved_rules_that_nobody_knows_are_set_aside(site, tmp_path):
    for text in ('{"game": "chess"}', "[]", '{"game": "bang-dice", "ruleset": "x"}', "["):
        saved = site.journal.saved
        site.journal.save(replace(saved, facts={**saved.facts, "rules": text}))
        assert reopened(site, tmp_path) == BASE


# Dice or cards


def choose_game(site, game):
    assert site.host.post("/game/choose", game=game).status_code == 204


def test_the_lobby_offers_both_games_and_says_which_is_chosen(site):
    page = site.host.open("/seat").text
    for game, pressed in ((DICE, "true"), (CARDS, "false")):
        assert f'data-with="game={game}" aria-pressed="{pressed}"' in page
    choose_game(site, CARDS)
    page = site.host.open("/seat").text
    assert f'data-with="game={CARDS}" aria-pressed="true"' in page
    # Editions, house rules and stand-ins are those of the dice game.
    for part in ('id="rules"', "/game/ruleset", "/people/stand-in"):
        assert part not in page
    assert "The card game" in site.phones[1].open("/seat").text


def test_cards_need_four_to_seven_players_and_the_lobby_says_so(tmp_path):
    for number, (roles, fits) in enumerate((("sro", False), ("soro", True), ("s" * 8, False))):
        site = Site(tmp_path / str(number), roles=roles)
        choose_game(site, CARDS)
        said = "This game needs four to seven players."
        assert (said in site.host.open("/seat").text) is not fits
        if not fits:
            refused = reason(site.host.post("/game/start"), 422)
            assert refused == "this game needs 4 to 7 players"


def test_an_evening_changes_from_dice_to_cards_and_back_by_the_rules_of_before(tmp_path):
    site = Site(tmp_path, roles="soro", ruleset="quick")
    choose_game(site, CARDS)
    site.start()
    assert site.view.selection.game is CARD_GAME
    refused = reason(site.host.post("/game/choose", game=DICE), 422)
    assert refused == "you can’t do that during a game"
    assert site.host.post("/game/new").status_code == 204
    choose_game(site, DICE)
    assert site.view.selection.ruleset.id == "quick"
    site.start()


def test_the_settings_file_names_the_first_game(tmp_path):
    settings = Settings(host="127.0.0.1", port=0, camera="none", data=tmp_path, game="cards")
    with ExitStack() as stack:
        assert start_table(settings, stack).table.view().selection.game is CARD_GAME
