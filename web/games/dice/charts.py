"""The pictures of a finished game, as coordinates for templates to draw.

Units are those of an SVG's viewBox, x to the right and y down.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.dice.rules.faces import Face
from web.games.dice.chronicle import Luck
from web.story.charts import LIFE_HEIGHT, WIDTH, steps

ARROW_HEIGHT = 16.0
"""Of a player's arrows, which hang below their life points."""


def held_arrows(arrows: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """Draw each player's arrows by turn as steps below the line, as SVG paths of one scale."""
    step, most = WIDTH / len(arrows[0]), max(1, *map(max, arrows))
    return tuple(steps(own, step, LIFE_HEIGHT + 2, ARROW_HEIGHT / most) for own in arrows)


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
