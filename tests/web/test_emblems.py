"""Colours, emblems and portraits: each player's own, and told apart by everybody."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from scenes import rulings
from sites import Site

from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.rulesets import Edition
from companion.table.views import PersonView
from web.assets import FOLDER, Assets
from web.emblems import EMBLEMS, emblems

PLAYERS = (FOLDER / "styles/players.css").read_text("utf-8")
BASE = (FOLDER / "styles/base.css").read_text("utf-8")

SEEN_BY = {
    matrix.title: np.array([line.split() for _, line in matrix.lines], float)
    for matrix in rulings(Path(__file__).with_name("colours.txt"))
}
"""How colours look to people, by who they are."""
CONES, TO_LAB = map(SEEN_BY.pop, ("cones", "lab"))
"""From linear RGB to Oklab, in two steps."""
APART = 0.1
"""In Oklab, where black and white are 1 apart and neighbours of a rainbow of eight some 0.15."""


def linear(colour: str) -> np.ndarray:
    value = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def oklab(light: np.ndarray) -> np.ndarray:
    return np.cbrt(np.clip(light @ CONES, 0, None)) @ TO_LAB


def contrast(one: str, other: str) -> float:
    lights = [float(linear(c) @ np.array([0.2126, 0.7152, 0.0722])) + 0.05 for c in (one, other)]
    return max(lights) / min(lights)


BY_DAY = re.compile(r"^@media \(prefers-color-scheme: light\) {$.*?^}$", re.MULTILINE | re.DOTALL)


def declared(styles: str, name: str, *, by_day: bool) -> list[str]:
    """The values of a variable, by night or by day, in every look."""
    shown = "".join(BY_DAY.findall(styles)) if by_day else BY_DAY.sub("", styles)
    return re.findall(rf"--{name}: (#\w{{6}});", shown)


def test_a_colour_is_far_from_every_other_for_everybody():
    for by_day in (False, True):
        colours = declared(PLAYERS, "own", by_day=by_day)
        assert len(colours) == len(EMBLEMS)
        for who, seen in SEEN_BY.items():
            shown = [oklab(np.clip(seen @ linear(colour), 0, 1)) for colour in colours]
            nearest = min(np.linalg.norm(a - b) for a, b in itertools.combinations(shown, 2))
            assert nearest >= APART, (who, by_day)


def test_colours_stand_out_from_the_page_and_emblems_from_their_badge():
    for by_day in (False, True):
        grounds = [*declared(BASE, "wood", by_day=by_day), *declared(BASE, "plank", by_day=by_day)]
        assert len(grounds) == 2 * len(Edition)
        for colour, ground in itertools.product(declared(PLAYERS, "own", by_day=by_day), grounds):
            assert contrast(colour, ground) >= 3, (colour, ground)
    (ink,) = re.findall(r"\n  color: (#\w{6});", PLAYERS)
    badges = declared(PLAYERS, "badge", by_day=False)
    assert len(badges) == len(EMBLEMS)
    assert min(contrast(badge, ink) for badge in badges) >= 4.5


def person(number: int) -> PersonView:
    return PersonView(number, f"P{number}", has_phone=True, host=number == 1)


def test_everybody_keeps_their_emblem_when_seats_change_or_players_leave():
    people = tuple(person(number) for number in range(1, 9))
    given = dict(zip((p.id for p in people), emblems(people), strict=True))
    assert sorted(given.values()) == list(range(len(EMBLEMS)))
    for left in range(len(people)):
        staying = tuple(p for p in reversed(people) if p is not people[left])
        assert emblems(staying) == tuple(given[p.id] for p in staying)
    # The ninth takes what the third leaves.
    assert emblems((*people[:2], *people[3:], person(9)))[-1] == given[3]


@pytest.mark.parametrize("count", [9, 20])
def test_with_more_people_than_emblems_some_share_one(count):
    given = emblems(tuple(person(number) for number in range(1, count + 1)))
    assert set(given) == set(range(len(EMBLEMS)))


def test_every_character_of_both_editions_has_a_portrait_of_their_own():
    drawn = re.findall(
        r'<symbol id="([\w-]+)" viewBox="0 0 64 64">(.*?)</symbol>',
        (FOLDER / "portraits.svg").read_text("ascii"),
    )
    shapes = {name: shape for name, shape in drawn if "-" in name}
    assert set(shapes) == {f"{edition}-{name}" for edition in Edition for name in CHARACTERS}
    assert len(set(shapes.values())) == len(shapes)
    used = set(re.findall(r'href="#(\w+)"', "".join(shape for _, shape in drawn)))
    assert used == {name for name, _ in drawn} - set(shapes)


def test_a_page_contains_the_drawings_that_it_names():
    drawings = Assets().values()["drawings"]
    named = set(re.findall(r'href="#([\w-]+)"', drawings))
    assert named <= set(re.findall(r'id="([\w-]+)"', drawings))
    assert "portraits" not in drawings


@pytest.mark.parametrize("ruleset", ["base", "walking-dead"])
def test_the_table_page_names_the_drawings_of_its_portraits(tmp_path, ruleset):
    site = Site(tmp_path, ruleset=ruleset).start()
    shown = site.stranger.open("/table").text
    drawings = site.stranger.client.get(re.search('data-drawings="(.*?)"', shown)[1]).text
    named = re.findall('href="#(portraits-.*?)"', shown)
    assert len(named) == len(site.view.game.players)
    assert all(f'id="{name}"' in drawings for name in named)
