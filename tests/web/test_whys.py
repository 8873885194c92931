"""Stand-ins say why: a tap on their line of the log shows the reasons, which give away nothing."""

import re
from html import unescape

import pytest
from sites import Site

from companion.games.dice.rules.motives import Why, WhyKind
from companion.games.dice.rules.roles import Role
from companion.table import stand_ins
from companion.table.changes import Press
from web.games.dice.whys import because

pytestmark = pytest.mark.tables


@pytest.fixture
def site(tmp_path) -> Site:
    """A game that Ann, the Sheriff and host, begins."""
    return Site(tmp_path, roles="soro").start()


def hand_over(site: Site, level: str = "strong") -> int:
    """Let a stand-in play for Ann, who goes home: the next phone is the host's."""
    person, host = (entry.id for entry in site.view.people[:2])
    assert site.host.post("/seat/leave").status_code == 204
    site.table.do(stand_ins.assign, Press(host, site.view.version), person, level)
    return person


def whys(page: str) -> list[tuple[str, str]]:
    """Lines of the log that can be asked, with what they answer."""
    found = re.findall('<details class="why".*?<summary>(.*?)</summary><p>(.*?)</p>', page)
    return [(unescape(line), unescape(why)) for line, why in found]


def shoot(site: Site, level: str = "strong") -> None:
    """Let a stand-in take Ann's turn, and shoot as the stand-ins' thread does."""
    person = hand_over(site, level)
    site.roll("bullseye1", "bullseye1", "dynamite", "dynamite", "arrow")
    site.table.press_red()
    history = site.table.scene.history
    states = [moment.state for moment in history.moments]
    made = [moment.move for moment in history.moments[1:]]
    decision = history.game.decide(level, states, made, site.chance)
    press = Press(person, site.view.version, site.view.reading)
    site.table.do(stand_ins.decide, press, decision.move, decision.why)


def test_a_tap_on_a_stand_ins_line_says_why(site):
    assert whys(site.phones[1].live("seat")) == []
    shoot(site)
    for page in (site.phones[1].live("seat"), site.stranger.live("story")):
        ((line, why),) = whys(page)
        assert line.startswith("Ann shoots ")
        assert why.endswith(".")
        assert "%" not in why
    site.phones[2].post("/language", language="fr")
    ((line, why),) = whys(site.phones[2].live("seat"))
    assert line.startswith("Ann tire ")


def test_the_throw_that_a_stand_in_asks_for_is_told_on_every_page(site):
    person = hand_over(site)
    site.roll("arrow", "arrow", "beer", "bullseye1", "bullseye2")
    press = Press(person, site.view.version, site.view.reading)
    site.table.do(stand_ins.ask_for_throw, press, (0, 1))
    for page in (site.phones[1].live("seat"), site.stranger.live("table")):
        assert "Ann throws again: arrow\N{NO-BREAK SPACE}×2." in page
        assert "stand-in" in page
    assert f'data-with="person={person}&amp;level="' in site.phones[1].live("seat")
    answer = site.phones[1].post("/people/play-for", person=person, level="")
    assert (answer.status_code, site.table.scene.stand_ins.levels) == (204, {})


def test_people_are_not_explained_nor_what_was_undone(site):
    shoot(site)
    site.phones[1].post("/game/undo")
    page = site.phones[1].live("seat")
    assert whys(page) == []
    assert "<s>Ann shoots" in page
    # Another decision at the same place is explained by its own reasons alone.
    assert site.view.reasons == {}


def test_a_stand_in_that_plays_at_random_says_so_as_long_as_the_game_is_there(site):
    shoot(site, "random")
    ((_, why),) = whys(site.stranger.live("story"))
    assert why == "This stand-in decides at random."
    site.phones[1].post("/game/new")
    assert site.view.reasons == {}


@pytest.mark.parametrize(("ruleset", "leader"), [("base", "Sheriff"), ("walking-dead", "Leader")])
def test_every_reason_for_a_line_is_a_sentence(tmp_path, ruleset, leader):
    site = Site(tmp_path, ruleset=ruleset).start()
    told = {"target": 1, "times": 2, "life": 3, "most": 8}
    kinds = set(WhyKind) - {WhyKind.FIRST_THROW, WhyKind.THROWS_AGAIN}
    with site.app.test_request_context("/"):
        sentences = {kind: because(site.view, Why(kind, told)) for kind in kinds}
    for sentence in sentences.values():
        assert re.fullmatch("[A-Z][^%]*[.]", sentence)
        assert Role.SHERIFF not in sentence
    assert sentences[WhyKind.SHERIFF] == f"Bob is the {leader}."
