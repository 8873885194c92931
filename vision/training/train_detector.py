"""Train the detector, which finds dice of any kind, in two turns.

`python -m vision.training.train_detector larger SCENES OUT STEPS [START.pt]`, then
`... smaller SCENES OUT STEPS LARGER.pt [START.pt]`. Needs torch 2.13 and onnx, which the product
does not. SCENES is a folder of pools of vision/training/tray_pool.py, with those of traced.py in
SCENES/traced; START is a checkpoint to go on from. Fully convolutional networks with stride 4,
after Zhou et al., Objects as Points (2019): a heat map of the centres of top faces; at each the
shape of the face, and where the opposite face lies from it (so which way is down); everywhere,
whether it is inside the tray and whether a hand or another thing covers it. Shapes are told as in
vision/training/pips/train.py.

The smaller one works at an eighth, gives four numbers a channel, for the quarters of a cell (Shi et
al., Real-Time Single Image and Video Super-Resolution, 2016), and is the one that is shipped. It
begins with the larger one's weights, and learns from what that says as well as from the truth. From
START on, batch normalisation goes by the statistics that it has by then: those of a batch tell how
much of its few frames is tray, and a network that was taught by them finds it worse without them.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from vision.imaging.geometry import nearest_rotations
from vision.training import network
from vision.training.drawing import decode_picture, turn_matrix, unmirrored
from vision.training.network import Block, double, down, head, side

STRIDE, FRAMES, WINDOWS = 4, 5, 4
SMALLEST, LARGEST, MARGIN = 10.0, 46.0, 1.25
CHANNELS = 1 + 5 + 2 + 2  # heat; S xx xy yy, cos 4t, sin 4t; lean x y; inside, other
PEAK = 1.2e-3
SHARE = 0.4  # of scenes that are path-traced
HINT = 0.3  # how much it counts what the larger network says


class DetectorTrunk(nn.Module):
    """(n, 3, h, w) in [0, 1], sides multiples of 32, to what both networks go on with, at h / 8."""

    def __init__(self, *quarter: nn.Module) -> None:
        """`quarter`: what works at a quarter after the second layer."""
        super().__init__()
        self.s2, self.s4 = down(3, 12), nn.Sequential(down(12, 24), *quarter)
        self.s8 = nn.Sequential(down(24, 36), Block(36))
        self.s16 = nn.Sequential(down(36, 48), Block(48))
        self.s32 = nn.Sequential(down(48, 44), Block(44))
        self.up16, self.mix16 = side(44, 48), Block(48)
        self.up8, self.mix8 = side(48, 36), Block(36)

    def features(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the features at a quarter, and at an eighth with what lies around."""
        s4 = self.s4(self.s2(x * 2 - 1))
        s8 = self.s8(s4)
        s16 = self.s16(s8)
        m16 = self.mix16(functional.relu(s16 + double(self.up16(self.s32(s16)))))
        return s4, self.mix8(functional.relu(s8 + double(self.up8(m16))))


class LargerDetector(DetectorTrunk):
    """(n, 3, h, w) in [0, 1], sides multiples of 32, to (n, CHANNELS, h / 4, w / 4)."""

    def __init__(self) -> None:
        super().__init__(Block(24))
        self.up4, self.mix4 = side(36, 24), Block(24)
        self.head = head(24, 32, CHANNELS, heat=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the maps of pictures at a quarter of their size."""
        s4, m8 = self.features(x)
        return self.head(self.mix4(functional.relu(s4 + double(self.up4(m8)))))


class SmallerDetector(DetectorTrunk):
    """(n, 3, h, w) in [0, 1], sides multiples of 32, to (n, 4 * CHANNELS, h / 8, w / 8)."""

    def __init__(self) -> None:
        super().__init__()
        self.head = head(36, 64, 4 * CHANNELS, heat=4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the maps of pictures at an eighth, four numbers a channel."""
        return self.head(self.features(x)[1])

    def begin_with(self, larger: LargerDetector) -> None:
        """Take over its trunk."""
        own = self.state_dict()
        known = {k: v for k, v in larger.state_dict().items() if k in own and "head" not in k}
        self.load_state_dict(own | known)


Targets = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]
"""What the network should say of n pictures: peaks at the centres of dice (n, h, w), and the weight
of their loss; masks of the tray's inside and of other things (n, 2, h, w), and the weight of
theirs; cells around the centres (m, 3): picture, row, column; and for each its shape (m, 7): five
numbers of the axes, two of the lean.
"""
Look = tuple[np.ndarray, Sequence[np.ndarray] | None, np.ndarray]
"""A picture or the bytes of its JPEG, the masks of the tray's inside and of other things, None if
unknown, and its dice (n, 11), see `FaceTruth.row`.
"""


def scenes_of(folder: Path) -> list[Look]:
    """Return the scenes of all pools in a folder."""
    found: list[Look] = []
    for path in sorted(folder.glob("*.npz")):
        with np.load(path, allow_pickle=True) as shard:
            pool = dict(shard)
        masks = list(zip(pool["inside"], pool["other"], strict=True)) if "inside" in pool else None
        for i, coded in enumerate(pool["pictures"]):
            rows = pool["truths"][pool["truths"][:, 0] == i, 1:]
            found.append((coded, masks[i] if masks else None, rows))
    return found


class Scenes:
    """Scenes drawn beforehand: as whole frames, and as windows of second looks."""

    def __init__(self, folder: Path) -> None:
        self.drawn, self.traced = scenes_of(folder), scenes_of(folder / "traced")

    def choose(self, rng: np.random.Generator, count: int) -> list[Look]:
        """Scenes taken by chance, a SHARE of them path-traced."""
        pools = [
            self.traced if self.traced and rng.random() < SHARE else self.drawn
            for _ in range(count)
        ]
        return [pool[rng.integers(len(pool))] for pool in pools]

    def looks(self, rng: np.random.Generator) -> tuple[list[Look], list[Look]]:
        """A frame (320, 416), and WINDOWS windows (96, 96) of FRAMES scenes each."""
        frames, windows = [], []
        for coded, masks, truths in self.choose(rng, FRAMES):
            image = decode_picture(coded)
            if rng.random() < 0.25:
                image = np.ascontiguousarray(image[..., rng.permutation(3)])
            if rng.random() < 0.08:
                image = 255 - image
            scene = image, masks, truths
            h, w = image.shape[:2]
            flips = np.diag(rng.choice([-1.0, 1.0], 2))
            scale = 416 / w * (1 if rng.random() < 0.4 else np.exp(rng.uniform(-0.25, 0.2)))
            turn = rng.normal(0, 0.03) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi)
            middle = np.array([w, h]) / 2 - 0.5
            shift = rng.normal(0, 8, 2) if rng.random() < 0.5 else np.zeros(2)
            frames.append(
                move_scene(scene, turn_matrix(turn) @ flips * scale, middle, (416, 320), shift)
            )
            for _ in range(WINDOWS):
                if len(truths) and rng.random() < 0.65:
                    t = truths[rng.integers(len(truths))]
                    axes = unmirrored(t[2:6].reshape(2, 2))
                    loose = 0.06 if rng.random() < 0.7 else 0.5
                    focus = t[:2] + axes @ rng.normal(0, loose, 2)
                    edge = 2 * np.sqrt(np.linalg.det(axes)) * np.exp(rng.normal(0, 0.12))
                    off = rng.integers(4) * np.pi / 2 + rng.normal(0, 0.1)
                    start = nearest_rotations(axes).T @ turn_matrix(off)
                else:
                    focus, edge = rng.uniform(0, 1, 2) * [w, h], rng.uniform(22, 60)
                    start = turn_matrix(rng.uniform(0, 2 * np.pi))
                m = start @ flips * 32 / edge
                windows.append(move_scene(scene, m, focus, (96, 96), np.zeros(2)))
        return frames, windows


def move_scene(
    scene: Look, m: np.ndarray, focus: np.ndarray, size: tuple[int, int], by: np.ndarray
) -> Look:
    """The scene moved by `m` (2, 2) so that `focus` lies in the middle, `by` pixels off: a picture
    of `size`, two masks of a quarter of it or None, and the truths in its pixels.
    """
    image, masks, truths = scene
    h, w = image.shape[:2]
    shift = (np.array(size) - 1) / 2 + by - m @ focus
    big, full = image, np.column_stack([m, shift])
    if np.sqrt(abs(np.linalg.det(m))) < 0.75:  # as cv2.INTER_AREA will do it
        big = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        full = np.column_stack([2 * m, shift + m @ [0.5, 0.5]])
    out = cv2.warpAffine(big, full, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cells = size[0] // STRIDE, size[1] // STRIDE
    moved_masks = None
    if masks:
        ratio = np.array([w / masks[0].shape[1], h / masks[0].shape[0]])
        origin = (m @ (ratio / 2 - 0.5) + shift + 0.5) / STRIDE - 0.5
        full = np.column_stack([m * ratio / STRIDE, origin])
        moved_masks = [
            cv2.warpAffine(k, full, cells, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            / np.float32(255)
            for k in masks
        ]
    moved = network.move_truths(truths, m, shift)
    moved[:, 6:8] = truths[:, 6:8] @ (m / np.sqrt(abs(np.linalg.det(m)))).T
    return out, moved_masks, moved


def targets_of(looks: list[Look]) -> tuple[torch.Tensor, Targets]:
    """Return pictures as the network takes them, and what it should say of them."""
    n = len(looks)
    tall, wide = looks[0][0].shape[:2]
    h, w = tall // STRIDE, wide // STRIDE
    heat, weight = np.zeros((n, h, w), np.float32), np.ones((n, h, w), np.float32)
    masks, care = np.zeros((n, 2, h, w), np.float32), np.zeros((n, 2, h, w), np.float32)
    cells, shapes = [], []
    ys, xs = np.mgrid[:h, :w]
    for i, (_, known, truths) in enumerate(looks):
        if known:
            masks[i] = known
            care[i, 0], care[i, 1] = 1, 1 + 2 * masks[i, 1]
        for x, y, a, b, c, d, lean_x, lean_y, _, _, seen_share in truths:
            axes = np.array([[a, b], [c, d]])
            edge = 2 * np.sqrt(abs(a * d - b * c))
            u, v = (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5
            near = (xs - u) ** 2 + (ys - v) ** 2
            care[i, 0][near < (0.8 * edge / STRIDE) ** 2] *= 4  # is a die in the tray or beside it?
            if not SMALLEST / MARGIN < edge < LARGEST * MARGIN or seen_share < 0.25:
                continue
            within = 0 <= round(u) < w and 0 <= round(v) < h
            reach = min(x, y, wide - 1 - x, tall - 1 - y)
            whole = seen_share > 0.75 and reach > 0.35 * edge and SMALLEST < edge < LARGEST
            if not (within and whole):
                weight[i][near < (edge / STRIDE / 2) ** 2] = 0
                continue
            bump = np.exp(-near / (2 * max(0.7, 0.07 * edge / STRIDE) ** 2))
            heat[i] = np.maximum(heat[i], bump)
            target = [*network.decompose(axes), lean_x, lean_y]
            for cell in network.cells_around(u, v, w, h):
                cells.append((i, *cell))
                shapes.append(target)
    return network.pictures_tensor([look[0] for look in looks]), (
        torch.from_numpy(heat),
        torch.from_numpy(weight),
        torch.from_numpy(masks),
        torch.from_numpy(care.clip(0, 4)),
        torch.tensor(cells, dtype=torch.long).reshape(-1, 3),
        torch.tensor(np.array(shapes, np.float32).reshape(-1, 7)),
    )


def loss_of(
    out: torch.Tensor, targets: Targets, larger: torch.Tensor | None = None
) -> tuple[torch.Tensor, list[float]]:
    """`larger`: what the larger network says of the same pictures."""
    heat, weight, masks, care, cells, shapes = targets
    out = out.float()
    found = network.loss_of_heat(out[:, 0], heat, weight, len(cells))
    at = out[cells[:, 0], :, cells[:, 1], cells[:, 2]]
    shape = functional.smooth_l1_loss(at[:, 1:6], shapes[:, :5], beta=0.1)
    lean = functional.smooth_l1_loss(at[:, 6:8], shapes[:, 5:], beta=0.1)
    where = functional.binary_cross_entropy_with_logits(out[:, 8:], masks, reduction="none")
    inside, other = (where * care).mean((0, 2, 3))
    loss = found + 3 * shape + 4 * lean + 1.5 * inside + 4 * other
    if larger is not None:
        said = torch.sigmoid(larger)
        dice = functional.binary_cross_entropy_with_logits(out[:, 0], said[:, 0], reduction="none")
        dice = (dice * (1 + 20 * said[:, 0])).mean()
        where = functional.binary_cross_entropy_with_logits(out[:, 8:], said[:, 8:])
        apart = functional.smooth_l1_loss(out[:, 1:8], larger[:, 1:8], beta=0.1, reduction="none")
        alike = (apart * said[:, :1]).sum() / (said[:, 0].sum() * 7 + 1)
        loss = loss + HINT * (20 * dice + 3 * where + 4 * alike)
    return loss, [x.item() for x in (found, shape, lean, inside, other)]


def main() -> None:
    """Train the larger or the smaller detector; write the mean of the last thousand steps or so."""
    rng = network.begin()
    folder, out, steps, starts = (
        Path(sys.argv[2]),
        Path(sys.argv[3]),
        int(sys.argv[4]),
        sys.argv[5:],
    )
    first, peak = LargerDetector(), PEAK
    net: LargerDetector | SmallerDetector = first
    larger: LargerDetector | None = None
    if sys.argv[1] == "smaller":
        larger, net = first.eval(), SmallerDetector()
        larger.load_state_dict(torch.load(starts.pop(0)))
        net.begin_with(larger)
    if starts:
        network.go_on(net, Path(starts[0]))
        peak = PEAK / 2
    data = Scenes(folder)
    print(len(data.drawn), "and", len(data.traced), "scenes", flush=True)
    net = net.to(memory_format=torch.channels_last)
    mean = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.999), use_buffers=True)
    batches = network.prefetch(lambda: [targets_of(looks) for looks in data.looks(rng)])

    def look() -> tuple[torch.Tensor, list[float]]:
        loss, parts = torch.zeros(()), []
        for (images, targets), share in zip(next(batches), (1.0, 0.5), strict=True):
            with torch.autocast("cpu", torch.bfloat16):
                result = net(images)
                with torch.no_grad():
                    hint = larger(images).float() if larger else None
            result = functional.pixel_shuffle(result, 2) if larger else result
            part, said = loss_of(result, targets, hint)
            loss = loss + share * part
            parts += said
        return loss, parts

    def keep() -> None:
        torch.save(mean.module.state_dict(), out.with_suffix(".pt"))

    network.descend(
        *(net, network.half_turn(steps), look, keep),
        peak=peak,
        warm_up=200,
        least=1e-5,
        after_step=lambda: mean.update_parameters(net),
    )
    given = "image", {0: "n", 2: "h", 3: "w"}
    result = "dice", {0: "n", 2: "rows", 3: "columns"}
    network.export(mean.module, out, torch.zeros(1, 3, 320, 416), given, result)


if __name__ == "__main__":
    main()
