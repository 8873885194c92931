"""A finished game in figures: they agree with the states that the game went through."""

import random
import re
from collections import Counter

import pytest
from hypothesis import given
from strategies import chances, play_on, setups

from companion.games.cards.rules.events import CardPlayed
from companion.games.cards.rules.titles import Title
from companion.games.common.events import Eliminated, TurnBegan
from companion.games.common.roles import Role
from companion.games.dice.rules.events import Rolled, ShotsFired
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Shot
from companion.games.dice.rules.rules import start
from web.games.cards.chronicle import chronicle as card_chronicle
from web.games.dice.charts import BAR_HEIGHT, bars, held_arrows
from web.games.dice.chronicle import chronicle
from web.story.charts import LIFE_HEIGHT, ON_PHONE, ON_TELEVISION, WIDTH, courses, shooting


@given(setups(), chances)
def test_life_arrows_throws_and_shots_are_those_of_the_game(setup, chance):
    played = play_on(start(setup), chance)
    events = [event for state in played.states for event in state.events]
    found = chronicle(events, setup.max_life)
    end = played.states[-1]
    for seat in range(len(setup.players)):
        assert found.life[seat][0] == setup.max_life[seat]
        assert found.life[seat][-1] == end.life[seat]
        assert found.arrows[seat][-1] == end.arrows[seat]
    assert found.turns == sum(isinstance(event, TurnBegan) for event in events)
    assert all(min(line) >= 0 for line in (*found.life, *found.arrows))
    assert all(sum(arrows) <= 9 for arrows in zip(*found.arrows, strict=True))
    for seat, luck in enumerate(found.luck):
        rolls = [event for event in events if isinstance(event, Rolled) and event.seat == seat]
        assert luck.thrown == sum(len(roll.thrown) for roll in rolls) == sum(luck.faces.values())
    hits = sum(
        (shot.target is not None) + (shot.beer is not None)
        for event in events
        if isinstance(event, ShotsFired)
        for shot in event.shots
    )
    assert sum(map(sum, found.shots)) == hits


def test_the_oddest_face_is_named_with_how_odd_it_is():
    rolls = [Rolled(0, (Face.ARROW,) * 5, (0, 1, 2, 3, 4)), Rolled(0, (Face.BEER,) * 5, (0,))]
    mine, other = chronicle([TurnBegan(0), *rolls], (8, 8)).luck
    assert (mine.thrown, mine.expected, mine.oddest) == (6, 1.0, Face.ARROW)
    assert mine.faces == Counter({Face.ARROW: 5, Face.BEER: 1})
    assert mine.off == pytest.approx(4 / (6 * 5 / 36) ** 0.5)
    assert (other.thrown, other.oddest, other.off) == (0, None, 0.0)


def test_a_shot_doubled_by_a_beer_counts_twice():
    shots = ShotsFired(1, (Shot(0, 2, beer=4), Shot(1, 2), Shot(2, None)))
    found = chronicle([TurnBegan(1), shots], (8, 8, 8))
    assert found.shots == ((0, 0, 0), (0, 0, 3), (0, 0, 0))


NUMBER = re.compile(r"-?[0-9.]+")


def test_cards_that_attack_everybody_count_as_shots_at_each_who_lives():
    gatling, indians, bang = (
        CardPlayed(0, Title.GATLING, None),
        CardPlayed(0, Title.INDIANS, None),
        CardPlayed(1, Title.BANG, 0),
    )
    duel, out = CardPlayed(1, Title.DUEL, 0), Eliminated(2, Role.OUTLAW)
    found = card_chronicle([TurnBegan(0), gatling, out, indians, bang, duel], (4, 4, 4, 4))
    assert found.shots == ((0, 2, 1, 2), (1, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))


@pytest.mark.parametrize("people", range(3, 9))
@pytest.mark.parametrize("layout", [ON_PHONE, ON_TELEVISION], ids=["phone", "television"])
def test_a_round_of_shots_stays_within_its_picture(people, layout):
    chance = random.Random(people)
    shots = [
        [0 if one == other else chance.randrange(4) for other in range(people)]
        for one in range(people)
    ]
    drawn = shooting(shots, layout)
    assert len(drawn.shot_lines) == sum(bool(count) for row in shots for count in row)
    for line in drawn.shot_lines:
        numbers = [float(number) for number in NUMBER.findall(line.path + line.head)]
        assert all(0 <= across <= layout.width for across in numbers[::2])
        assert all(0 <= down <= layout.height for down in numbers[1::2])
    widths = {line.shots: line.width for line in drawn.shot_lines}
    assert sorted(widths.values()) == [widths[count] for count in sorted(widths)]
    assert shooting([[0] * people] * people, layout).shot_lines == (), "nobody shot anybody"
    first = drawn.nodes[0]
    assert first.x == layout.width / 2 > first.y, "the first one sits at the top"


def test_a_course_ends_where_its_player_fell():
    fallen, lived = courses(((8, 4, 0, 0), (9, 9, 9, 8)))
    assert (fallen.end, lived.end) == (WIDTH / 2, None)
    assert f"V0.0H{WIDTH / 4:.1f}" in lived.life, "most life points reach the top"
    assert f"V{LIFE_HEIGHT + 2 + 16:.1f}" in held_arrows(((0, 1, 0, 0), (0, 0, 2, 0)))[1]


def test_bars_stand_on_the_ground_and_half_high_is_as_expected():
    faces = [Face.ARROW, Face.DYNAMITE, Face.BEER, Face.GATLING, Face.BULLSEYE1]
    events = [Rolled(0, tuple(faces), (0, 1, 2, 3, 4)), Rolled(0, (Face.BULLSEYE2,) * 5, (0,))]
    (luck,) = chronicle(events, (8,)).luck
    assert [bar.height for bar in bars(luck)] == [BAR_HEIGHT / 2] * 6
    assert all(bar.y + bar.height == BAR_HEIGHT for bar in bars(luck))
    (nothing,) = chronicle([], (8,)).luck
    assert [bar.height for bar in bars(nothing)] == [0] * 6
