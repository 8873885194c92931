"""Train the network that finds and counts pips.

`python -m vision.training.pips.train POOL OUT.onnx MINUTES [START.pt]`

Needs torch 2.13 and onnx, which the product itself does not. A fully convolutional network with
stride 4, after Zhou et al., Objects as Points (2019): a heat map of the centres, and at each centre
the face and the shape of the top face.
The shape is the polar decomposition A = S R of its half-edge vectors: S symmetric (3 numbers, in
units of EDGE / 2), R a turn, known up to 90 degrees (cosine and sine of four times the angle).
"""

import copy
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.training import network
from vision.training.network import Block, double, down, head, side

CROP, STRIDE, EDGE, FACES = 192, 4, 32.0, 7
SMALLEST, LARGEST, MARGIN = 17.0, 54.0, 1.3
CHANNELS = 1 + 5 + FACES  # heat, S xx xy yy, cos 4t, sin 4t, face
FLIP = np.diag([-1, 1]), np.array([CROP - 1, 0])
TURN = np.array([[0, 1], [-1, 0]]), np.array([0, CROP - 1])
"""How places move as a crop is mirrored from left to right, or turned by np.rot90."""


class PipModule(nn.Module):
    """(n, 3, h, w) in [0, 1], sides multiples of 16, to (n, CHANNELS, h / 4, w / 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.s2, self.s4 = down(3, 16), nn.Sequential(down(16, 32), Block(32))
        self.s8 = nn.Sequential(down(32, 48), Block(48))
        self.s16 = nn.Sequential(down(48, 56), Block(56))
        self.up8, self.mix8 = side(56, 48), Block(48)
        self.up4, self.mix4 = side(48, 32), Block(32)
        self.head = head(32, 48, CHANNELS, heat=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return what is said of each cell of the pictures."""
        s4 = self.s4(self.s2(x * 2 - 1))
        s8 = self.s8(s4)
        m8 = self.mix8(functional.relu(s8 + double(self.up8(self.s16(s8)))))
        return self.head(self.mix4(functional.relu(s4 + double(self.up4(m8)))))


class MiddleCell(nn.Module):
    """(n, 3, 64, 64) in [0, 1] to (n, CHANNELS): what a PipModule says of the cell (8, 8).

    Near its end it computes what that cell depends on, and no more: half of the whole work.
    """

    def __init__(self, whole: PipModule) -> None:
        super().__init__()
        self.whole = copy.deepcopy(whole)
        for part in (self.whole.mix8, self.whole.mix4, self.whole.head):
            for layer in part.modules():
                if isinstance(layer, nn.Conv2d):
                    layer.padding = (0, 0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return what is said of the middle of each window."""
        net = self.whole
        s4 = net.s4(net.s2(x * 2 - 1))
        s8 = net.s8(s4)
        m8 = net.mix8(functional.relu(s8 + double(net.up8(net.s16(s8)))))  # cells 2 to 5
        m4 = s4[..., 5:12, 5:12] + double(net.up4(m8))[..., 1:8, 1:8]
        return net.head(net.mix4(functional.relu(m4)))[..., 0, 0]


class Pool:
    """Scenes drawn beforehand, as random crops with their targets."""

    def __init__(self, folder: Path) -> None:
        shards = [np.load(f) for f in sorted(folder.glob("*.npz"))]
        self.images = np.concatenate([s["images"] for s in shards])
        self.truths: list[np.ndarray] = []
        for s in shards:
            t = s["truths"]
            self.truths += [t[t[:, 0] == i, 1:] for i in range(len(s["images"]))]

    def batch(self, rng: np.random.Generator, n: int) -> tuple[torch.Tensor, ...]:
        """Images; heat, weight of its loss; and per centre: its cell, shape target, face."""
        g = CROP // STRIDE
        images = np.empty((n, CROP, CROP, 3), np.uint8)
        heat, weight = np.zeros((n, g, g), np.float32), np.ones((n, g, g), np.float32)
        cells, shapes, faces = [], [], []
        ys, xs = np.mgrid[:g, :g]
        for i in range(n):
            k = rng.integers(len(self.images))
            image, truths = self.images[k], self.truths[k].copy()
            size = image.shape[0]
            ox, oy = rng.integers(0, size - CROP + 1, 2)
            image = image[oy : oy + CROP, ox : ox + CROP]
            truths[:, :2] -= [ox, oy]
            if rng.random() < 0.5:
                image, truths = image[:, ::-1], network.move_truths(truths, *FLIP)
            for _ in range(rng.integers(4)):
                image, truths = np.rot90(image), network.move_truths(truths, *TURN)
            if rng.random() < 0.3:
                image = image[..., rng.permutation(3)]
            if rng.random() < 0.3:
                image = 255 - image
            images[i] = image
            for x, y, a, b, c, d, face, seen in truths:
                axes = np.array([[a, b], [c, d]])
                edge = 2 * np.sqrt(abs(a * d - b * c))
                u, v = (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5
                near = (xs - u) ** 2 + (ys - v) ** 2
                if not SMALLEST / MARGIN < edge < LARGEST * MARGIN:
                    continue
                inside = 0 <= round(u) < g and 0 <= round(v) < g
                reach = min(x, y, CROP - 1 - x, CROP - 1 - y)
                whole = seen > 0.7 and reach > 0.3 * edge and SMALLEST < edge < LARGEST
                if not (inside and whole):
                    weight[i][near < (edge / STRIDE / 2) ** 2] = 0
                    continue
                bump = np.exp(-near / (2 * max(0.8, 0.07 * edge / STRIDE) ** 2))
                heat[i] = np.maximum(heat[i], bump)
                shape = network.decompose(axes)
                for cell in network.cells_around(u, v, g, g):
                    cells.append((i, *cell))
                    shapes.append(shape)
                    faces.append(int(face))
        return (
            network.pictures_tensor(images),
            torch.from_numpy(heat),
            torch.from_numpy(weight),
            torch.tensor(cells, dtype=torch.long).reshape(-1, 3),
            torch.tensor(np.array(shapes, np.float32).reshape(-1, 5)),
            torch.tensor(faces, dtype=torch.long),
        )


def loss_of(
    out: torch.Tensor,
    heat: torch.Tensor,
    weight: torch.Tensor,
    cells: torch.Tensor,
    shapes: torch.Tensor,
    faces: torch.Tensor,
) -> tuple[torch.Tensor, list[float]]:
    """Return the loss of a batch, and its parts: found, shape, face, share of right faces."""
    found = network.loss_of_heat(out[:, 0], heat, weight, len(cells))
    at = out[cells[:, 0], :, cells[:, 1], cells[:, 2]]
    shape = functional.smooth_l1_loss(at[:, 1:6], shapes, beta=0.1)
    face = functional.cross_entropy(at[:, 6:], faces, label_smoothing=0.02)
    right = (at[:, 6:].argmax(1) == faces).float().mean()
    return found + 3 * shape + face, [x.item() for x in (found, shape, face, right)]


def half_turn_in(minutes: float) -> Iterator[float]:
    """Yield how far training is, from 0 to pi, for so many minutes."""
    start = time.monotonic()
    while (done := (time.monotonic() - start) / 60 / minutes) < 1:
        yield np.pi * done


def main() -> None:
    """Train, and write checkpoint and network."""
    pool, out, minutes = Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])
    rng = network.begin(len(sys.argv))
    data, net, peak = Pool(pool), PipModule(), 2.5e-3
    if len(sys.argv) > 4:
        net.load_state_dict(torch.load(sys.argv[4]))
        peak = 1.2e-3
    print(len(data.images), "scenes", flush=True)
    net = net.to(memory_format=torch.channels_last)

    def look() -> tuple[torch.Tensor, list[float]]:
        images, *targets = data.batch(rng, 16)
        return loss_of(net(images), *targets)

    def keep() -> None:
        torch.save(net.state_dict(), out.with_suffix(".pt"))

    network.descend(net, half_turn_in(minutes), look, keep, peak=peak, warm_up=200, least=1e-5)
    given, found = ("image", {0: "n"}), ("face", {0: "n"})
    network.export(MiddleCell(net), out, torch.zeros(1, 3, 64, 64), given, found)


if __name__ == "__main__":
    main()
