"""The host chooses in the lobby by which rules the next game is played."""

import json
import re
from pathlib import Path

import pytest
from sites import Site, reason
from stand_ins import dice_game

from companion.games.dice.game import DICE_GAME
from companion.games.dice.rules.house import HouseRule
from companion.games.registry import GAMES
from companion.table.journal.journal import Journal
from companion.table.table import Table

pytestmark = pytest.mark.tables

RULE = HouseRule.ONE_ARROW_A_TURN


@pytest.fixture
def site(tmp_path: Path):
    made = Site(tmp_path)
    yield made
    made.journal.close()


def chosen(site: Site) -> tuple[str, frozenset[str]]:
    selection = site.view.selection
    return selection.ruleset.id, selection.house_rules


def reopened(site: Site, folder: Path, ruleset: str = "base") -> tuple[str, frozenset[str]]:
    """What is played after a restart with these settings."""
    site.journal.close()
    site.journal = Journal(folder)
    site.table = Table(site.journal, GAMES, dice_game(ruleset))
    return chosen(site)


def choose(site: Site, ruleset: str) -> None:
    assert site.host.post("/game/ruleset", ruleset=ruleset).status_code == 204


def switch(site: Site, rule: str, on: bool) -> None:
    assert site.host.post("/game/house-rule", rule=rule, yes=int(on)).status_code == 204


def test_the_next_game_is_played_by_what_was_chosen(site: Site) -> None:
    choose(site, "walking-dead")
    switch(site, RULE, on=True)
    site.start()
    assert chosen(site) == ("walking-dead", {RULE})
    header = json.loads(site.table.scene.history.record.split("\n")[0])
    assert (header["ruleset"], header["house_rules"]) == ("walking-dead", [RULE])
    assert "Leader" in site.host.open("/seat").text


def test_a_choice_outlasts_restarts_and_the_end_of_a_game(site: Site, tmp_path: Path) -> None:
    choose(site, "base-fr")
    switch(site, RULE, on=True)
    assert reopened(site, tmp_path) == ("base-fr", {RULE})


def test_a_choice_in_the_middle_of_dealing_deals_by_it(site: Site, tmp_path: Path) -> None:
    choose(site, "walking-dead")
    site.host.post("/game/options", option="characters", value="choice")
    site.start()
    assert site.table.scene.dealing is not None
    assert reopened(site, tmp_path) == ("walking-dead", frozenset())
    assert site.table.scene.dealing is not None


def test_the_settings_hold_until_the_host_chooses_otherwise(site: Site, tmp_path: Path) -> None:
    assert reopened(site, tmp_path, "quick") == ("quick", frozenset())


def test_going_back_to_the_settings_follows_them(site: Site, tmp_path: Path) -> None:
    choose(site, "base-fr")
    choose(site, "base")
    assert reopened(site, tmp_path, "quick") == ("quick", frozenset())


def test_a_house_rule_is_turned_off_again(site: Site) -> None:
    switch(site, RULE, on=True)
    switch(site, RULE, on=True)
    switch(site, RULE, on=False)
    assert chosen(site) == ("base", frozenset())


def test_rules_that_contradict_each_other_are_refused(site: Site) -> None:
    switch(site, HouseRule.FALLEN_KEEP_PLACES, on=True)
    answer = site.host.post("/game/house-rule", rule=HouseRule.FALLEN_LEAVE_PLACES, yes=1)
    assert "contradict each other" in reason(answer, 422)
    assert chosen(site) == ("base", {HouseRule.FALLEN_KEEP_PLACES})


def test_what_is_no_rule_is_refused(site: Site) -> None:
    for path, fields in (
        ("/game/ruleset", {"ruleset": "chess"}),
        ("/game/ruleset", {}),
        ("/game/house-rule", {"rule": "chess", "yes": 1}),
        ("/game/house-rule", {"rule": "chess", "yes": 0}),
    ):
        assert reason(site.host.post(path, **fields), 422) == "there is no such option"
    assert chosen(site) == ("base", frozenset())
    assert site.host.post("/game/house-rule", rule=RULE).status_code == 400


def test_only_the_host_chooses_and_only_before_a_game(site: Site) -> None:
    assert site.phones[1].post("/game/ruleset", ruleset="quick").status_code == 403
    site.start()
    answer = site.host.post("/game/ruleset", ruleset="quick")
    assert reason(answer, 422) == "you can’t do that during a game"
    assert chosen(site) == ("base", frozenset())


def test_a_choice_for_other_numbers_of_players_is_told_before_the_start(tmp_path: Path) -> None:
    site = Site(tmp_path, roles="soroo")
    choose(site, "quick")
    page = site.host.open("/seat").text
    assert "This game needs four players." in page
    assert site.host.post("/game/start").status_code == 422
    site.journal.close()


def test_a_house_rule_that_the_edition_follows_anyway_is_not_offered(site: Site) -> None:
    def offered() -> set[str]:
        return {*re.findall(r"rule=(\w+)&amp;yes", site.host.live("seat"))}

    every = {*map(str, HouseRule)}
    assert offered() == every - {HouseRule.FALLEN_KEEP_PLACES}
    switch(site, HouseRule.FALLEN_LEAVE_PLACES, on=True)
    choose(site, "base-fr")
    # It is on, and can be turned off.
    assert offered() == every
    switch(site, HouseRule.FALLEN_LEAVE_PLACES, on=False)
    assert offered() == every - {HouseRule.FALLEN_LEAVE_PLACES}


def test_the_lobby_shows_all_rules_and_guests_read_what_was_chosen(site: Site) -> None:
    switch(site, RULE, on=True)
    page = site.host.live("seat")
    for ruleset in DICE_GAME.rulesets:
        assert f"ruleset={ruleset}" in page
    for rule in set(HouseRule) - {HouseRule.FALLEN_KEEP_PLACES}:
        assert f"rule={rule}&amp;yes={int(rule is not RULE)}" in page
    assert "Rules: Base game, one house rule" in site.phones[1].live("seat")


def test_saved_rules_that_nobody_knows_are_set_aside(site: Site, tmp_path: Path) -> None:
    for text in ('{"game": "chess"}', "[]", '{"game": "bang-dice", "ruleset": "x"}', "["):
        saved = site.journal.saved
        facts = {**saved.facts, "rules": text}
        site.journal.save(type(saved)(**{**fields_of(saved), "facts": facts}))
        assert reopened(site, tmp_path) == ("base", frozenset())


def fields_of(saved: object) -> dict[str, object]:
    return {name: getattr(saved, name) for name in saved.__slots__}
