"""The pages on which the host chooses the next game and its rules; what is chosen: seats.txt."""

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


def choose(site, ruleset):
    assert site.host.post("/game/ruleset", ruleset=ruleset).status_code == 204


def switch(site, rule, on):
    assert site.host.post("/game/house-rule", rule=rule, yes=int(on)).status_code == 204


def test_what_is_no_rule_is_refused(site):
    for path, fields in (
        ("/game/ruleset", {}),
        ("/game/house-rule", {"yes": 1}),
        ("/game/choose", {"game": ""}),
    ):
        assert reason(site.host.post(path, **fields), 422) == "there is no such option"
    assert site.host.post("/game/house-rule", rule=RULE).status_code == 400
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
        site.journal.close()
        site.journal = Journal(tmp_path)
        site.table = Table(site.journal, GAMES, dice_game())
        assert chosen(site) == BASE


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


def test_the_settings_file_names_the_first_game(tmp_path):
    settings = Settings(host="127.0.0.1", port=0, camera="none", data=tmp_path, game="cards")
    with ExitStack() as stack:
        assert start_table(settings, stack).table.view().selection.game is CARD_GAME
