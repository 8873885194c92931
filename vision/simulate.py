"""A tray with five thrown dice, drawn as a camera above it would see it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import ceil
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.symbols import ART, FACES, MARGIN, DiceKind, draw

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Colour = tuple[int, int, int]

SIDE_VALUES = (1, 6, 2, 5, 3, 4)
"""The pips on the sides +x, -x, +y, -y, +z, -z: opposite sides sum to 7."""

_TEXTURE = 160
_COLOURS: dict[DiceKind, tuple[Colour, Colour]] = {
    "pips": ((222, 236, 240), (30, 26, 28)),
    "symbols": ((118, 62, 32), (208, 234, 240)),
}
_GAP = 0.25
_WALL_GAP = 0.3
_WALL_THICKNESS = 1.2
_SHUTTER = 0.45
"""How much of the time from frame to frame the shutter is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How the tray is built, lit and seen: centimetres, degrees, colours as (B, G, R)."""

    dice_colour: Colour | None = None
    ink_colour: Colour | None = None
    felt_colour: Colour = (58, 92, 40)
    wall_colour: Colour = (44, 72, 112)
    table_colour: Colour = (150, 152, 150)
    floor: tuple[float, float] = (26.0, 19.0)
    wall: float = 2.5
    edge: float = 1.6
    height: float = 28.0
    tilt: float = 6.0
    turn: float = 0.0
    field_of_view: float = 66.0
    light: tuple[float, float] = (125.0, 55.0)
    """Where the light comes from: degrees from the picture's right, and above the table."""
    ambient: float = 0.55
    noise: float = 3.0
    """Standard deviation of the sensor's noise in grey levels."""
    blur: float = 0.6
    """Standard deviation of the lens's blur in pixels of a picture 820 wide."""
    vignette: float = 0.22

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("height", self.height, 15, 80),
            ("tilt", self.tilt, 0, 30),
            ("field_of_view", self.field_of_view, 30, 100),
            ("the light's height", self.light[1], 20, 90),
            ("ambient", self.ambient, 0, 1),
            ("noise", self.noise, 0, 40),
            ("blur", self.blur, 0, 5),
            ("edge", self.edge, 0.8, 3.0),
        ):
            if not low <= value <= high:
                raise ValueError(f"{name} is {value}: not between {low} and {high}")


class Placed(NamedTuple):
    """A die lying flat: the game's face on top, its centre on the floor in cm, degrees of turn."""

    face: str
    x: float
    y: float
    angle: float


class _Camera:
    """A pinhole above the origin; world axes: x right, y up in the picture, z towards the lens."""

    def __init__(self, look: Look, size: tuple[int, int]) -> None:
        tilt, turn = np.radians(look.tilt), np.radians(look.turn)
        self.size = size
        self.origin = np.array((0.0, -look.height * np.tan(tilt), look.height))
        forward = np.array((0.0, np.sin(tilt), -np.cos(tilt)))
        right, down = np.array((1.0, 0.0, 0.0)), np.cross(forward, (1.0, 0.0, 0.0))
        self.axes = np.stack(
            (
                np.cos(turn) * right + np.sin(turn) * down,
                np.cos(turn) * down - np.sin(turn) * right,
                forward,
            )
        )
        self.focal = size[0] / 2 / np.tan(np.radians(look.field_of_view) / 2)
        self.middle = np.array(((size[0] - 1) / 2, (size[1] - 1) / 2))

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """World points (..., 3) in cm to pixels (..., 2)."""
        seen = (points - self.origin) @ self.axes.T
        return np.asarray(seen[..., :2] / seen[..., 2:] * self.focal + self.middle)

    def rays(self, left: int, top: int, columns: int, rows: int, pitch: float) -> Floats:
        """Unit directions (3, rows, columns), `pitch` pixels apart, from a pixel on."""
        across = left - 0.5 + (np.arange(columns) + 0.5) * pitch - self.middle[0]
        along = top - 0.5 + (np.arange(rows) + 0.5) * pitch - self.middle[1]
        x, y = np.meshgrid(across / self.focal, along / self.focal)
        rays = np.tensordot(self.axes.T, np.stack((x, y, np.ones_like(x))), 1)
        return np.asarray(rays / np.linalg.norm(rays, axis=0), np.float32)


class _Pose(NamedTuple):
    """A cube in space: rotation from its own axes to the world's, and its centre in cm."""

    rotation: NDArray[np.float64]
    centre: NDArray[np.float64]


def _turn(axis: Sequence[float] | NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    return np.asarray(cv2.Rodrigues(np.array(axis, np.float64) * angle)[0])


def _side_frames() -> NDArray[np.float64]:
    """For each side of the cube (right, up, outward) of the art on it, (6, 3, 3)."""
    unit = np.eye(3)
    return np.stack(
        [
            np.stack((sign * unit[(axis + 1) % 3], unit[(axis + 2) % 3], sign * unit[axis]))
            for axis in range(3)
            for sign in (1, -1)
        ]
    )


_FRAMES = _side_frames()
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) / 2
_TOP = np.array(((-1, 1, 1), (1, 1, 1), (1, -1, 1), (-1, -1, 1)), float) / 2


@lru_cache(maxsize=2)
def _atlas(dice: DiceKind) -> Floats:
    """The ink of the six sides, (6, pixels, pixels), in the order of SIDE_VALUES."""
    art = ART[dice]
    return np.stack([draw(art[v - 1], _TEXTURE, MARGIN[dice]) for v in SIDE_VALUES])


def _grain(rng: np.random.Generator, shape: tuple[int, int], cell: tuple[float, float]) -> Floats:
    """Smooth noise with deviation 1, in cells of (height, width) pixels."""
    coarse = tuple(max(2, round(n / c) + 1) for n, c in zip(shape, cell, strict=True))
    noise = rng.standard_normal(coarse).astype(np.float32)
    return np.asarray(cv2.resize(noise, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


class _Scene:
    """Everything that stays while dice are thrown: camera, light, and the empty tray."""

    def __init__(
        self, dice: DiceKind, look: Look, size: tuple[int, int], rng: np.random.Generator
    ) -> None:
        self.look = look
        self.size = size
        self.camera = _Camera(look, size)
        self.atlas = _atlas(dice)
        colours = _COLOURS[dice]
        self.body = np.array(look.dice_colour or colours[0], np.float32)
        self.ink = np.array(look.ink_colour or colours[1], np.float32)
        azimuth, elevation = np.radians(look.light)
        self.light = np.array(
            (
                np.cos(elevation) * np.cos(azimuth),
                np.cos(elevation) * np.sin(azimuth),
                np.sin(elevation),
            )
        )
        self.scale = size[0] / 820
        self.empty = self._tray(rng)
        y, x = np.mgrid[-1 : 1 : size[1] * 1j, -1 : 1 : size[0] * 1j]
        self.lens = (1 - look.vignette * (x**2 + y**2) / 2).astype(np.float32)[..., None]

    def _lit(self, normal: NDArray[np.float64]) -> float:
        """Brightness of a matt surface, 1 for one that lies flat."""
        ambient = self.look.ambient
        facing = max(0.0, float(np.dot(normal, self.light))) / self.light[2]
        return ambient + (1 - ambient) * min(1.3, float(facing))

    def _tray(self, rng: np.random.Generator) -> Floats:
        look = self.look
        picture = np.empty((self.size[1], self.size[0], 3), np.float32)
        table = 1 + 0.015 * _grain(rng, picture.shape[:2], (3, 3))
        picture[:] = np.array(look.table_colour, np.float32) * table[..., None]
        x, y = look.floor[0] / 2, look.floor[1] / 2
        out_x, out_y, up = x + _WALL_THICKNESS, y + _WALL_THICKNESS, look.wall
        inner = np.array(((-x, y), (x, y), (x, -y), (-x, -y)))
        outer = np.array(((-out_x, out_y), (out_x, out_y), (out_x, -out_y), (-out_x, -out_y)))
        self._paint(picture, _raised(inner, 0.0), self._felt(rng))
        for side in range(4):
            ends = [side, (side + 1) % 4]
            low, high = _raised(inner[ends], 0.0), _raised(inner[ends], up)
            rim = _raised(outer[ends], up)
            inward = np.append(
                -(inner[ends].mean(axis=0) / np.abs(inner[ends].mean(axis=0)).max()), 0
            )
            wood = self._wood(rng, look.floor[side % 2])
            height = np.linspace(1, 0.72, wood.shape[0], dtype=np.float32)[:, None, None]
            self._paint(
                picture,
                np.concatenate((high, low[::-1])),
                wood * height * self._lit(inward),
            )
            self._paint(picture, np.concatenate((rim, high[::-1])), wood * 1.12)
        return picture

    def _felt(self, rng: np.random.Generator) -> Floats:
        """The floor seen from above: fibres, a few worn places, the wall's shadow."""
        look = self.look
        per_cm = 26 * self.scale
        shape = (round(look.floor[1] * per_cm), round(look.floor[0] * per_cm))
        fine = 0.075 * _grain(rng, shape, (1.3 * self.scale,) * 2)
        worn = 0.03 * _grain(rng, shape, (7 * self.scale,) * 2)
        patches = 0.03 * _grain(rng, shape, (90 * self.scale,) * 2)
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / per_cm
        reach = self.light[:2] / self.light[2] * look.wall
        from_wall = _inside(x, y, look.floor, (0.0, 0.0))
        nook = 1 - 0.3 * np.exp(-from_wall / 0.7)
        sun = np.clip(_inside(x, y, look.floor, (reach[0], -reach[1])) / 0.8 + 0.5, 0, 1)
        light = nook * (1 - (1 - look.ambient) * 0.6 * (1 - sun))
        felt = (1 + fine + worn + patches) * light
        return np.asarray(np.array(look.felt_colour, np.float32) * felt[..., None], np.float32)

    def _wood(self, rng: np.random.Generator, length: float) -> Floats:
        shape = (round(60 * self.scale), round(26 * length * self.scale))
        grain = 0.07 * _grain(rng, shape, (3 * self.scale, 90 * self.scale))
        grain += 0.025 * _grain(rng, shape, (1.2 * self.scale, 14 * self.scale))
        return np.asarray(
            np.array(self.look.wall_colour, np.float32) * (1 + grain)[..., None], np.float32
        )

    def _paint(self, picture: Floats, quad: NDArray[np.float64], texture: Floats) -> None:
        """Lays a texture on a flat quad in space, (4, 3) clockwise from the texture's top left."""
        corners = self.camera.project(quad)
        left, top = np.clip(np.floor(corners.min(axis=0)).astype(int) - 1, 0, self.size)
        right, bottom = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 2, 0, self.size)
        part = picture[top:bottom, left:right]
        if not part.size:
            return
        here = (corners - (left, top)).astype(np.float32)
        height, width = texture.shape[:2]
        flat = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(flat, here)
        laid = cv2.warpPerspective(
            texture, warp, part.shape[1::-1], borderMode=cv2.BORDER_REPLICATE
        )
        cover = np.zeros(part.shape[:2], np.uint8)
        cv2.fillConvexPoly(cover, _fixed(here), 255, cv2.LINE_AA, 4)
        share = cover[..., None].astype(np.float32) / 255
        part += share * (laid - part)

    def develop(self, picture: Floats) -> Image:
        """What the lens makes of the light: blur and dark corners, as uint8."""
        sigma = self.look.blur * self.scale
        soft = cv2.GaussianBlur(picture, (0, 0), sigma) if sigma else picture
        return np.asarray(cv2.convertScaleAbs(soft * self.lens), np.uint8)

    def shade(self, picture: Floats, poses: Iterable[_Pose]) -> None:
        """Darkens the floor under and beside dice, in place."""
        slant = self.light[:2] / self.light[2]
        cast = np.zeros(picture.shape[:2], np.uint8)
        near = np.zeros(picture.shape[:2], np.uint8)
        for pose in poses:
            corners = self._corners(pose)
            fallen = corners.copy()
            fallen[:, :2] -= slant * corners[:, 2:]
            fallen[:, 2] = 0
            below = corners * (1.06, 1.06, 0) - (0.06, 0.06, 0) * pose.centre
            for layer, points in ((cast, fallen), (near, below)):
                hull = cv2.convexHull(self.camera.project(points).astype(np.float32))
                cv2.fillConvexPoly(layer, _fixed(hull), 255, cv2.LINE_AA, 4)
        dark = cv2.GaussianBlur(cast, (0, 0), 4.0 * self.scale).astype(np.float32)
        dark *= (1 - self.look.ambient) * 0.95 / 255
        contact = cv2.GaussianBlur(near, (0, 0), 3.0 * self.scale).astype(np.float32)
        picture *= ((1 - dark) * (1 - contact * (0.45 / 255)))[..., None]

    def add(self, picture: Floats, poses: Sequence[_Pose]) -> None:
        """Draws one die in place; several poses are its way while the shutter is open."""
        spots = np.concatenate([self.camera.project(self._corners(pose)) for pose in poses])
        left, top = np.maximum(np.floor(spots.min(axis=0)).astype(int) - 1, 0)
        right, bottom = np.minimum(np.ceil(spots.max(axis=0)).astype(int) + 2, self.size)
        width, height = int(right - left), int(bottom - top)
        if width <= 0 or height <= 0:
            return
        # What moves is smeared anyway: one ray for 2 x 2 pixels, instead of nine for each pixel.
        pitch = 1 / 3 if len(poses) == 1 else 2.0
        columns, rows = ceil(width / pitch), ceil(height / pitch)
        rays = self.camera.rays(left, top, columns, rows, pitch)
        die = np.mean([self._trace(rays, pose) for pose in poses], axis=0)
        drawn = cv2.resize(
            die,
            (round(columns * pitch), round(rows * pitch)),
            interpolation=cv2.INTER_AREA if pitch < 1 else cv2.INTER_LINEAR,
        )[:height, :width]
        part = picture[top:bottom, left:right]
        part *= 1 - drawn[..., 3:]
        part += drawn[..., :3]

    def _corners(self, pose: _Pose) -> NDArray[np.float64]:
        return np.asarray(_CORNERS * self.look.edge @ pose.rotation.T + pose.centre)

    def _trace(self, rays: Floats, pose: _Pose) -> Floats:
        """Colour times cover, and cover, (H, W, 4), of a cube with rounded edges.

        The rays march by the distance to the rounded box (J. C. Hart, Sphere tracing, 1996).
        """
        half = np.float32(self.look.edge / 2)
        radius = np.float32(0.17) * half
        turn = pose.rotation.T.astype(np.float32)
        eye = (turn @ (self.camera.origin - pose.centre)).astype(np.float32)[:, None]
        ways = turn @ rays.reshape(3, -1)
        ways[np.abs(ways) < 1e-6] = 1e-6
        one, two = (-half - eye) / ways, (half - eye) / ways
        start, stop = np.minimum(one, two).max(axis=0), np.maximum(one, two).min(axis=0)
        (met,) = np.nonzero(start < stop)
        way, far = ways[:, met], start[met]
        for _ in range(9):
            beyond = np.maximum(np.abs(eye + way * far) - (half - radius), 0)
            far += np.sqrt((beyond**2).sum(axis=0)) - radius
        point = eye + way * far
        beyond = np.maximum(np.abs(point) - (half - radius), 0)
        length = np.sqrt((beyond**2).sum(axis=0))
        hit = length < 1.1 * radius
        met, way, point, beyond, length = (
            met[hit],
            way[:, hit],
            point[:, hit],
            beyond[:, hit],
            length[hit],
        )
        normal = np.sign(point) * beyond / length
        ink = self._ink_at(point, half)
        light = turn @ self.light.astype(np.float32)
        up = turn[:, 2]
        upward = up @ normal
        diffuse = np.maximum(light @ normal, 0) / self.light[2]
        height = up @ point + pose.centre[2]
        open_sky = np.clip(0.62 + 0.38 * height / self.look.edge, 0, 1) * (0.75 + 0.25 * upward)
        ambient = self.look.ambient
        bright = ambient * open_sky + (1 - ambient) * np.minimum(diffuse, 1.3)
        mirrored = 2 * (light @ normal) * normal - light[:, None]
        gloss = 70 * np.maximum(-(mirrored * way).sum(axis=0), 0) ** 30
        paint = self.body + (self.ink - self.body) * ink[:, None]
        felt = np.array(self.look.felt_colour, np.float32)
        bounce = 0.18 * (1 - upward)[:, None] * felt * (paint / 255)
        out = np.zeros((rays.shape[1] * rays.shape[2], 4), np.float32)
        out[met, :3] = paint * bright[:, None] + bounce + gloss[:, None]
        out[met, 3] = 1
        return out.reshape(*rays.shape[1:], 4)

    def _ink_at(self, point: Floats, half: np.float32) -> Floats:
        axis = np.abs(point).argmax(axis=0)
        each = np.arange(len(axis))
        sign = np.sign(point[axis, each])
        across = sign * point[(axis + 1) % 3, each] / half
        down = -point[(axis + 2) % 3, each] / half
        column, row = (
            np.clip(((v + 1) / 2 * _TEXTURE).astype(np.intp), 0, _TEXTURE - 1)
            for v in (across, down)
        )
        return np.asarray(self.atlas[2 * axis + (sign < 0), row, column], np.float32)


def _raised(points: NDArray[np.float64], z: float) -> NDArray[np.float64]:
    return np.column_stack((points, np.full(len(points), z)))


def _fixed(points: NDArray[np.generic] | cv2.typing.MatLike) -> NDArray[np.int32]:
    """Pixels as OpenCV's fixed point numbers with 4 binary places."""
    return np.round(np.asarray(points, np.float64) * 16).astype(np.int32)


def _inside(x: Floats, y: Floats, floor: tuple[float, float], shift: tuple[float, float]) -> Floats:
    """Distance of shifted floor points from the nearest wall in cm, negative beyond it."""
    x, y = x + shift[0], y + shift[1]
    nearest = np.minimum(np.minimum(x, floor[0] - x), np.minimum(y, floor[1] - y))
    return np.asarray(nearest, np.float32)


@dataclass(slots=True)
class _Flight:
    """How one die comes in: from where, over how many frames, tumbling how far."""

    start: NDArray[np.float64]
    frames: int
    turns: float
    spin: float
    hop: float

    def pose(self, rest: _Pose, time: float, edge: float) -> _Pose:
        """Where the die is `time` frames after the throw."""
        left = 1 - min(time / self.frames, 1.0)
        rolled = left**2
        way = rest.centre[:2] - self.start
        across = np.array((-way[1], way[0], 0)) / np.linalg.norm(way)
        tumble = _turn(across, -self.turns * 2 * np.pi * rolled) @ _turn(
            (0, 0, 1), self.spin * rolled
        )
        rotation = tumble @ rest.rotation
        lift = edge / 2 * np.abs(rotation[2]).sum() + self.hop * rolled * abs(np.cos(7 * left))
        return _Pose(rotation, np.append(rest.centre[:2] - way * rolled, lift))


class SimulatedTray:
    """A camera over a tray in which dice are thrown; everything follows from the seed.

    `size` is the picture's width and height in pixels.
    """

    def __init__(
        self,
        dice: DiceKind = "pips",
        size: tuple[int, int] = (820, 616),
        seed: int | None = None,
        *,
        look: Look | None = None,
    ) -> None:
        build, throws, grain = (
            np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(3)
        )
        self._look = look or Look()
        self._scene = _Scene(dice, self._look, size, build)
        self._throws = throws
        self._grain = grain
        self._dice: tuple[Placed, ...] = ()
        self._flights: dict[int, _Flight] = {}
        self._time = 0
        self._still = self._scene.develop(self._scene.empty)
        self._base = self._scene.empty
        tall, wide = size[1] + 64, size[0] + 64
        noise = grain.standard_normal((tall, wide, 3), np.float32) * self._look.noise
        self._noise = np.clip(np.round(noise), -127, 127).astype(np.int8)

    @property
    def faces(self) -> tuple[str, ...]:
        """The game's faces on top, by die; those that will be, while dice roll."""
        return tuple(die.face for die in self._dice)

    @property
    def placed(self) -> tuple[Placed, ...]:
        """Where the dice lie, by die, in cm from the middle of the floor."""
        return self._dice

    @property
    def quads(self) -> Floats:
        """The corners of the top faces in pixels, (dice, 4, 2), clockwise from the art's left."""
        edge = self._look.edge
        tops = [_raised(_footprint(die, edge), edge) for die in self._dice]
        return self._scene.camera.project(np.reshape(tops, (-1, 4, 3))).astype(np.float32)

    @property
    def centres(self) -> Floats:
        """The middles of the top faces in pixels, (dice, 2)."""
        return np.asarray(self.quads.mean(axis=1), np.float32)

    @property
    def sizes(self) -> Floats:
        """The mean edges of the top faces in pixels, (dice,)."""
        quads = self.quads
        sides = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2)
        return np.asarray(sides.mean(axis=1), np.float32)

    @property
    def at_rest(self) -> bool:
        """Whether the next frame shows all dice lying still."""
        return not self._flights

    def throw(self, keep: Collection[int] = (), faces: Sequence[str] | None = None) -> None:
        """Throws the five dice but those kept, which stay as they lie.

        `faces` forces the five dice's faces (those of kept dice count for nothing).
        ValueError for a kept die that is not in the tray, and for an unknown face.
        """
        absent = sorted(set(keep) - set(range(len(self._dice))))
        if absent:
            raise ValueError(f"die {absent[0]} is not in the tray and can't be kept")
        if faces is not None and len(faces) != 5:
            raise ValueError(f"{len(faces)} faces for five dice")
        lying = {number: self._dice[number] for number in keep}
        thrown = [number for number in range(5) if number not in lying]
        for number in thrown:
            face = str(self._throws.choice(FACES)) if faces is None else faces[number]
            lying[number] = self._free_place(face, lying.values())
        self._lay([lying[number] for number in range(5)])
        edge = self._look.edge
        reach = np.linalg.norm(self._look.floor)
        side = self._throws.uniform(0, 2 * np.pi)
        for number in thrown:
            angle = side + self._throws.uniform(-0.3, 0.3)
            self._flights[number] = _Flight(
                start=reach * np.array((np.cos(angle), np.sin(angle))) * 0.8,
                frames=int(self._throws.integers(8, 13)),
                turns=self._throws.uniform(1.2, 2.5),
                spin=self._throws.uniform(-3, 3),
                hop=self._throws.uniform(3, 6),
            )
        kept = [_rest(self._dice[number], edge) for number in keep]
        self._base = self._drawn(kept)
        self._time = 0

    def place(self, dice: Iterable[Placed]) -> None:
        """Lays any number of dice, at rest at once; ValueError where they overlap or don't fit."""
        dice = tuple(dice)
        for die in dice:
            if not self._fits(die):
                raise ValueError(f"the die at ({die.x:g}, {die.y:g}) sticks in the wall")
        for one, other in combinations(dice, 2):
            if _overlap(one, other, self._look.edge):
                raise ValueError(
                    f"the dice at ({one.x:g}, {one.y:g}) and ({other.x:g}, {other.y:g}) overlap"
                )
        self._lay(dice)

    def tip(self, number: int, lean: float, *, over: float = 0.0, turn: float = 0.0) -> None:
        """Shows a die tipped by `lean` degrees, until dice are thrown, placed or tipped again.

        over: the direction of its level axis, in degrees from its own side: 0 tips it over an edge,
        45 over a corner; turn: how far it has then spun about the upright, in degrees.
        """
        edge, poses = self._look.edge, [_rest(die, self._look.edge) for die in self._dice]
        axis = np.radians(self._dice[number].angle + over)
        spun = _turn((0, 0, 1), np.radians(turn))
        tipped = _turn((np.cos(axis), np.sin(axis), 0), np.radians(lean))
        rotation = spun @ tipped @ poses[number].rotation
        lift = edge / 2 * np.abs(rotation[2]).sum()
        poses[number] = _Pose(rotation, np.append(poses[number].centre[:2], lift))
        self._still = self._scene.develop(self._drawn(poses))

    def clear(self) -> None:
        """Takes all dice out of the tray."""
        self._lay(())

    def frame(self) -> Image:
        """The next picture, BGR (H, W, 3)."""
        if self._flights:
            picture = self._moving()
            self._time += 1
            if self._time >= max(flight.frames for flight in self._flights.values()):
                self._flights = {}
        else:
            picture = self._still
        x, y = self._grain.integers(0, 64, 2)
        height, width = picture.shape[:2]
        noise = self._noise[y : y + height, x : x + width]
        return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)

    def _lay(self, dice: Sequence[Placed]) -> None:
        unknown = [die.face for die in dice if die.face not in FACES]
        if unknown:
            raise ValueError(f"no face {unknown[0]!r}: one of {', '.join(FACES)}")
        self._dice = tuple(dice)
        self._flights = {}
        self._still = self._scene.develop(self._drawn([_rest(d, self._look.edge) for d in dice]))

    def _drawn(self, poses: Sequence[_Pose]) -> Floats:
        picture = self._scene.empty.copy()
        self._scene.shade(picture, poses)
        eye = self._scene.camera.origin
        for pose in sorted(poses, key=lambda p: -float(np.linalg.norm(p.centre - eye))):
            self._scene.add(picture, [pose])
        return picture

    def _moving(self) -> Image:
        picture = self._base.copy()
        ways = [self._smear(number, flight) for number, flight in self._flights.items()]
        self._scene.shade(picture, [way[len(way) // 2] for way in ways])
        for way in ways:
            self._scene.add(picture, way)
        return self._scene.develop(picture)

    def _smear(self, number: int, flight: _Flight) -> list[_Pose]:
        """The poses of a die while the shutter is open, the more the faster it is."""
        edge = self._look.edge
        rest = _rest(self._dice[number], edge)
        if self._time >= flight.frames:
            return [rest]
        first, last = (flight.pose(rest, self._time + part, edge).centre for part in (0, _SHUTTER))
        count = int(np.clip(np.linalg.norm(last - first) / edge * 9, 3, 12))
        times = self._time + np.linspace(0, _SHUTTER, count)
        return [flight.pose(rest, time, edge) for time in times]

    def _fits(self, die: Placed, margin: float = 0.0) -> bool:
        corners = _footprint(die, self._look.edge + 2 * margin)
        return bool((np.abs(corners) <= np.array(self._look.floor) / 2).all())

    def _free_place(self, face: str, others: Collection[Placed]) -> Placed:
        x, y = np.array(self._look.floor) / 2
        while True:
            die = Placed(
                face,
                float(self._throws.uniform(-x, x)),
                float(self._throws.uniform(-y, y)),
                float(self._throws.uniform(0, 360)),
            )
            if self._fits(die, _WALL_GAP) and not any(
                _overlap(die, o, self._look.edge + _GAP) for o in others
            ):
                return die


def _footprint(die: Placed, edge: float) -> NDArray[np.float64]:
    """The corners on the floor in cm, (4, 2)."""
    turned = _TOP * edge @ _turn((0, 0, 1), np.radians(die.angle)).T
    return np.asarray(turned[:, :2] + (die.x, die.y))


def _overlap(one: Placed, other: Placed, edge: float) -> bool:
    first, second = (_footprint(die, edge).astype(np.float32) for die in (one, other))
    return bool(cv2.intersectConvexConvex(first, second)[0] > 1e-3)


def _rest(die: Placed, edge: float) -> _Pose:
    side = SIDE_VALUES.index(FACES.index(die.face) + 1)
    rotation = _turn((0, 0, 1), np.radians(die.angle)) @ _FRAMES[side]
    return _Pose(rotation, np.array((die.x, die.y, edge / 2)))
