"""The moments that the table page names: each once, by its place in the story."""

from collections.abc import Iterator

import pytest
from random_games import RandomGame
from tiers import later

from companion.games.common.events import Eliminated, TurnBegan
from companion.games.dice.rules.events import (
    ArrowsTaken,
    Cause,
    GatlingFired,
    LifeLost,
    Rolled,
    ShotsFired,
)
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Shot
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.views import SeatView
from companion.table.history import EntryStatus, Undone
from companion.table.views import TableView
from web.games.dice.moments import latest_moments
from web.games.moments import LATEST, TelevisionMoment
from web.games.registry import pages_named

pytestmark = pytest.mark.pictures


def players(*alive: bool) -> tuple[SeatView, ...]:
    return tuple(SeatView("P", "el_gringo", None, 7 * lives, 7, 0, lives) for lives in alive)


FOUR = players(True, True, True, True)


def told(story: tuple, players: tuple[SeatView, ...] = FOUR) -> Iterator[TelevisionMoment]:
    return latest_moments(story, (EntryStatus(0),) * len(story), players)


def test_a_moment_keeps_its_number_however_long_the_story_grows():
    story = (TurnBegan(0), Rolled(0, (Face.BEER,) * 5, (0,)), ArrowsTaken(0, 2, Cause.ROLL))
    first = list(told(story))
    assert first == [
        TelevisionMoment(1, "deal", to=(0,)),
        TelevisionMoment(3, "arrows", to=(0,), amount=2),
    ]
    longer = (*story, Undone(1, 0, 0, "roll"), *story[1:])
    assert list(told(longer))[:2] == first
    assert [moment.number for moment in told(longer)] == [1, 3, 4, 6]
    much = longer * 30
    assert [moment.number for moment in told(much)][-1] == len(much)
    assert len(list(told(much))) <= LATEST
    assert next(told(much)).number > len(much) - LATEST


def test_a_doubled_shot_hits_twice_and_a_lost_one_nobody():
    shots = (Shot(0, 2, None, 4), Shot(1, None), Shot(2, 1))
    (moment,) = told((ShotsFired(0, shots),))
    assert (moment.by, moment.to) == (0, (2, 2, 1))


def test_the_gatling_hits_everybody_who_was_in_the_game_then():
    now = players(True, False, True, False)
    story = (
        Eliminated(3, Role.OUTLAW),
        GatlingFired(0),
        LifeLost(1, 1, Cause.GATLING),
        Eliminated(1, Role.OUTLAW),
    )
    gatling = next(moment for moment in told(story, now) if moment.kind == "gatling")
    assert gatling.to == (1, 2)


class Picture:
    """What a television shows of the seats, which changes by moments alone."""

    def __init__(self, view: TableView) -> None:
        players = view.game.players
        self.life = [player.life for player in players]
        self.arrows = [getattr(player, "arrows", 0) for player in players]
        self.out = {seat for seat, player in enumerate(players) if not player.alive}
        self.turn = view.game.turn

    def land(self, moment: TelevisionMoment) -> None:
        """Do what `land` in moments.js does."""
        match moment.kind:
            case "loss":
                self.life[moment.to[0]] -= moment.amount
            case "gain":
                self.life[moment.to[0]] += moment.amount
            case "arrows":
                self.arrows[moment.to[0]] += moment.amount
            case "returned":
                self.arrows[moment.by] -= moment.amount
            case "indians":
                self.arrows = [0] * len(self.arrows)
            case "death":
                self.out.add(moment.to[0])
                self.life[moment.to[0]] = self.arrows[moment.to[0]] = 0
            case "turn":
                self.turn = moment.to[0]


@pytest.mark.parametrize("kind", ["dice", "cards"])
@pytest.mark.parametrize("seed", [*range(10), *later(*range(10, 50))])
def test_moments_lead_from_one_picture_to_the_next_and_never_beyond(kind, seed):
    game = RandomGame(kind, seed)
    moments_of = pages_named(game.kind.game.record_name).moments
    before = game.view()
    seen = {len(before.story): Picture(before)}
    for step in game.steps():
        game.make(step)
        after = game.view()
        moments = [each for each in moments_of(after) if each.number > len(before.story)]
        end = seen[len(after.story)] = Picture(after)
        if step.move is not None:
            picture = Picture(before)
            for moment in moments:
                picture.land(moment)
            assert vars(picture) == vars(end)
        # Another title shows at once how things stand; an undo tells backwards what led there.
        for moment in moments:
            if moment.back is not None and moment.back - 1 in seen:
                assert vars(seen[moment.back - 1]) == vars(end)
        before = after
