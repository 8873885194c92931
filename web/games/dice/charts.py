"""The pictures of a finished game, as coordinates for templates to draw.

Units are those of an SVG's viewBox, x to the right and y down.
"""

from typing import NamedTuple

from companion.games.dice.rules.faces import Face
from web.games.dice.chronicle import DiceChronicle, Luck
from web.story.charts import WIDTH, steps

# Life and arrows over the turns

LIFE_HEIGHT, ARROW_HEIGHT = 44.0, 16.0
"""Of a player's life points, upwards, and of their arrows, which hang below."""


class PlayerChart(NamedTuple):
    """A player's game, WIDTH wide: outlines to fill."""

    life: str
    """Their life points turn by turn, as an SVG path."""
    arrows: str
    """Their arrows turn by turn, as an SVG path below the line."""
    end: float | None
    """Where they were eliminated, from the left; None if they survived."""


def courses(found: DiceChronicle) -> tuple[PlayerChart, ...]:
    """Draw each player's life points and arrows by turn as steps, all to the same scale."""
    step = WIDTH / len(found.life[0])
    most_life = max(map(max, found.life))
    most_arrows = max(1, *map(max, found.arrows))
    drawn = []
    for life, arrows in zip(found.life, found.arrows, strict=True):
        out = life.index(0) if 0 in life else None
        drawn.append(
            PlayerChart(
                life=steps(life, step, LIFE_HEIGHT, -LIFE_HEIGHT / most_life),
                arrows=steps(arrows, step, LIFE_HEIGHT + 2, ARROW_HEIGHT / most_arrows),
                end=None if out is None else round(out * step, 1),
            )
        )
    return tuple(drawn)


# The luck of the dice

BAR, BAR_GAP, BAR_HEIGHT = 38.0, 12.0, 44.0
"""Width of a face's bar and the gap to the next one; the height of twice the expectation."""


class Bar(NamedTuple):
    """How often a face came up, as a bar whose foot is at BAR_HEIGHT."""

    face: Face
    """The face."""
    times: int
    """How often it came up."""
    x: float
    """Left edge of the bar."""
    y: float
    """Top of the bar."""
    height: float
    """Height of the bar."""


def bars(luck: Luck) -> tuple[Bar, ...]:
    """Draw a player's throws by face; the expected count is at half of BAR_HEIGHT."""
    drawn = []
    for number, face in enumerate(Face):
        share = luck.faces[face] / luck.expected / 2 if luck.expected else 0.0
        height = round(min(share, 1.0) * BAR_HEIGHT, 1)
        x = number * (BAR + BAR_GAP)
        drawn.append(Bar(face, luck.faces[face], x, round(BAR_HEIGHT - height, 1), height))
    return tuple(drawn)
