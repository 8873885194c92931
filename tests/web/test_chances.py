"""Chances are for spectators and eliminated players, on their own phones, and for nobody else."""

from collections import Counter
from html import unescape
from random import Random

import pytest
from sites import Phone, Site

from companion.base.refused import Refused
from companion.games.common.endings import Side
from companion.games.dice.players import random_move
from companion.games.odds import estimate_odds

pytestmark = pytest.mark.tables

SIDES = (Side.LAW, Side.OUTLAWS, Side.RENEGADE)


@pytest.fixture
def site(tmp_path) -> Site:
    made = Site(tmp_path, "sorood").start()
    made.roll("bullseye1", "gatling", "gatling", "arrow", "arrow")
    return made


def show_odds(site: Site, law: int = 50) -> None:
    site.table.spectators.view(None)
    won = Counter({Side.LAW: law, Side.OUTLAWS: 30, Side.RENEGADE: 20})
    site.table.spectators.show(site.table.spectators.wanted(), estimate_odds(SIDES, won))


def fallen(site: Site) -> Phone:
    """The phone of the first player who falls to the others' Gatlings."""
    while True:
        while site.view.rolling:
            site.throw("gatling", "gatling", "gatling", "dynamite", "beer")
            site.table.press_green()
            site.table.press_red()
        out = [s for s, alive in enumerate(site.view.standing.alive) if not alive]
        if out:
            return site.phones[out[0]]
        answer(site)


def answer(site: Site) -> None:
    site.move(random_move(site.table.scene.history.state, Random(1)))


def test_spectators_see_what_the_next_throws_decide(site):
    page = unescape(site.stranger.open("/chances").text)
    assert "Ann needs Gatling\u00a0×3 to hit everybody else." in page
    assert "in the next throw would end Ann’s rolling." in page
    assert "The games are being played" in page
    show_odds(site)
    live = unescape(site.stranger.live("chances"))
    for told in ("50%", "40% to 60%", "100 times"):
        assert told in live, told


def test_one_sentence_says_who_leads_and_methods_are_folded(site):
    phone = fallen(site)
    while not site.view.rolling:
        answer(site)
    for law, told in (
        (300, "The Sheriff and the Deputies: the best chances from here."),
        (31, "It is close: no side stands out from here."),
    ):
        show_odds(site, law)
        for page in (site.stranger.live("chances"), phone.live("chances"), phone.live("seat")):
            assert told in unescape(page)
            folded = page[page.index("How is this worked out?") : page.rindex("</details>")]
            assert "19 times in 20" in folded
        site.roll("beer", "beer", "beer", "beer", "arrow")
        while not site.view.rolling:
            answer(site)


def test_living_players_are_sent_to_their_page(site):
    show_odds(site)
    for phone in site.phones:
        answer = phone.client.get("/chances")
        assert (answer.status_code, answer.location) == (303, "/seat")
        live = phone.live("chances")
        assert "data-goto" in live
        assert "stakes" not in live
        assert "%" not in live
        for page in (phone.live("seat"), site.stranger.live("table")):
            assert "stakes" not in page
            assert "50%" not in page
    with pytest.raises(Refused, match="only spectators"):
        site.table.spectators.view(site.view.people[0].id)


def test_odds_are_worked_out_only_while_somebody_looks(tmp_path):
    site = Site(tmp_path).start()
    asked = []
    site.table.spectators.listeners.add(lambda: asked.append(True))
    assert site.table.spectators.wanted() is None
    site.stranger.open("/chances")
    assert site.table.spectators.wanted() is not None
    site.stranger.open("/chances")
    assert asked == [True]
