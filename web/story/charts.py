"""Drawings that games share on the page of a finished game, as coordinates for templates to draw.

Units are those of an SVG's viewBox, x to the right and y down.
"""

from collections.abc import Sequence
from math import cos, hypot, pi, sin
from typing import NamedTuple

# Who shot whom, round the table


class RoundLayout(NamedTuple):
    """How the round is laid out, in units of its picture."""

    width: float
    """Width of the picture."""
    height: float
    """Its height."""
    across: float
    """From the middle to a player at the side."""
    down: float
    """From the middle to a player at the top."""
    node: float
    """Radius of a player's circle, where lines begin and end."""
    named_beside: bool
    """Whether names stand beside the players, not above and below, but at top and bottom."""


ON_PHONE = RoundLayout(340.0, 340.0, 118.0, 118.0, 15.0, named_beside=False)
ON_TELEVISION = RoundLayout(660.0, 340.0, 138.0, 108.0, 20.0, named_beside=True)
"""As wide as the middle between players at the sides; read from a sofa, so that names are large."""

_BEND = 0.2
"""How far a line bends from the straight one, as a share of its length: two players who shot
each other get two lines."""
_HEAD = 9.0


class Node(NamedTuple):
    """A player at their place in the round."""

    seat: int
    """Their seat."""
    x: float
    """Centre of their circle, from the left."""
    y: float
    """Centre of their circle, from the top."""
    name_x: float
    """Where their name stands, which is outside the round."""
    name_y: float
    """Baseline of their name."""
    anchor: str
    """Which part of the name stands there: `start`, `middle` or `end`."""


class ShotLine(NamedTuple):
    """All shots of one player at another: a line with a head; width by their number."""

    shooter: int
    """Seat of the player who shot."""
    target: int
    """Seat of the player who was shot at."""
    shots: int
    """How many shots; a doubled shot counts twice."""
    path: str
    """The line, as an SVG path."""
    head: str
    """The arrowhead, as SVG."""
    width: float
    """Width of the line."""


class Round(NamedTuple):
    """Who shot whom, as a picture."""

    nodes: tuple[Node, ...]
    """The players, by seat."""
    shot_lines: tuple[ShotLine, ...]
    """The shots, one line for each shooter and target."""


def shooting(shots: Sequence[Sequence[int]], layout: RoundLayout = ON_PHONE) -> Round:
    """Draw who shot whom, with the players clockwise round the table, the first at the top."""
    count = len(shots)
    turns = [2 * pi * seat / count for seat in range(count)]
    nodes = tuple(_node(seat, turn, layout) for seat, turn in enumerate(turns))
    places = [(node.x, node.y) for node in nodes]
    most = max(max(row) for row in shots)
    shot_lines = tuple(
        _shot_line(shooter, target, shots[shooter][target], most, places, layout.node)
        for shooter in range(count)
        for target in range(count)
        if shots[shooter][target]
    )
    # Thick lines first, so that thin ones stay visible above them.
    return Round(nodes, tuple(sorted(shot_lines, key=lambda line: -line.shots)))


def _node(seat: int, turn: float, layout: RoundLayout) -> Node:
    """Return a player's place in the round; turn: clockwise from the top, in radians."""
    x = layout.width / 2 + layout.across * sin(turn)
    y = layout.height / 2 - layout.down * cos(turn)
    if layout.named_beside and abs(sin(turn)) > 0.1:
        right = sin(turn) > 0
        beside = layout.node + 8
        anchor = "start" if right else "end"
        return Node(seat, x, y, x + (beside if right else -beside), y + 8, anchor)
    below = layout.node + (24 if layout.named_beside else 17)
    name_y = y - layout.node - 7 if cos(turn) > 0.1 else y + below
    return Node(seat, x, y, x, name_y, "middle")


def _shot_line(
    shooter: int,
    target: int,
    count: int,
    most: int,
    places: Sequence[tuple[float, float]],
    node: float,
) -> ShotLine:
    (x1, y1), (x2, y2) = places[shooter], places[target]
    length = hypot(x2 - x1, y2 - y1)
    right, down = (x2 - x1) / length, (y2 - y1) / length
    bend = _BEND * length
    over_x, over_y = (x1 + x2) / 2 - down * bend, (y1 + y2) / 2 + right * bend
    width = 1.5 + 5 * count / most
    reach = _HEAD + width
    begin_x, begin_y = _towards((x1, y1), (over_x, over_y), node)
    tip_x, tip_y = _towards((x2, y2), (over_x, over_y), node + 2)
    end_x, end_y = _towards((x2, y2), (over_x, over_y), node + 2 + reach)
    along = hypot(tip_x - end_x, tip_y - end_y)
    half = reach / 2 + 1
    side_x, side_y = -(tip_y - end_y) / along * half, (tip_x - end_x) / along * half
    head = ((tip_x, tip_y), (end_x + side_x, end_y + side_y), (end_x - side_x, end_y - side_y))
    return ShotLine(
        shooter=shooter,
        target=target,
        shots=count,
        path=f"M{_at(begin_x, begin_y)}Q{_at(over_x, over_y)} {_at(end_x, end_y)}",
        head="M" + "L".join(_at(x, y) for x, y in head) + "Z",
        width=round(width, 1),
    )


def _towards(
    here: tuple[float, float], there: tuple[float, float], far: float
) -> tuple[float, float]:
    """Return the point at a distance from `here` on the way to `there`."""
    share = far / hypot(there[0] - here[0], there[1] - here[1])
    return here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1])


def _at(x: float, y: float) -> str:
    return f"{x:.1f} {y:.1f}"


# Values over the turns

WIDTH, LIFE_HEIGHT = 300.0, 44.0
"""Of a chart, and of a player's life points in it, upwards."""


class LifeChart(NamedTuple):
    """A player's life points, WIDTH wide."""

    life: str
    """Their life points turn by turn, as an SVG path to fill."""
    end: float | None
    """Where they were eliminated, from the left; None if they survived."""


def courses(life: Sequence[Sequence[int]]) -> tuple[LifeChart, ...]:
    """Draw each player's life points by turn as steps, all to the same scale."""
    step, most = WIDTH / len(life[0]), max(map(max, life))
    return tuple(
        LifeChart(
            steps(own, step, LIFE_HEIGHT, -LIFE_HEIGHT / most),
            round(own.index(0) * step, 1) if 0 in own else None,
        )
        for own in life
    )


def steps(values: Sequence[int], step: float, floor: float, scale: float) -> str:
    """Return the outline of a step chart; each value lasts until the next."""
    path = f"M0 {floor:g}"
    for number, value in enumerate(values):
        path += f"V{floor + value * scale:.1f}H{(number + 1) * step:.1f}"
    return path + f"V{floor:g}Z"
