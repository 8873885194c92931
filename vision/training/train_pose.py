"""Train the pose network: `python -m vision.training.train_pose SCENES OUT STEPS`.

Needs torch 2.13 and onnx, which the product does not. SCENES is a folder of vision/training/
tray_pool.py. What vision/dice/find/detector.py finds there is looked at again: is it a die, how
does its top face lie exactly, and where is the opposite face, so which way is down? A further
argument is a checkpoint to go on from, with batch normalisation as in train_detector.py.
"""

import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.dice.find.detector import DiceDetector
from vision.dice.find.pose import EDGE, WINDOW
from vision.imaging.geometry import HALF_EDGE, nearest_rotations
from vision.imaging.pyramid import build_pyramid, crop
from vision.training import network
from vision.training.drawing import decode_picture, turn_matrix, unmirrored
from vision.training.network import Block, down
from vision.training.train_detector import SHARE, Look, scenes_of

SCENES, EACH = 8, 14
LONG_SIDES = (416, 208, 104)  # at which the finder proposes where to look


class PoseModule(nn.Module):
    """(n, 3, WINDOW, WINDOW) in [0, 1] to (n, 10).

    Log-odds of a die; its centre x, y, in edges off the middle; shape xx, xy, yy, cos, sin in units
    of EDGE / 2, as in vision/training/pips/train.py; lean x, y in edges.
    """

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            *(down(3, 16), down(16, 32), Block(32), down(32, 48), Block(48)),
            *(down(48, 56), Block(56), nn.Flatten(), nn.Linear(896, 80), nn.ReLU(True)),
            nn.Linear(80, 10),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the poses of windows."""
        return self.layers(x * 2 - 1)


class Proposals:
    """What the finder finds in scenes drawn beforehand, and the dice."""

    def __init__(self, folder: Path) -> None:
        finder = DiceDetector()
        self.drawn = [propose(finder, scene) for scene in scenes_of(folder)]
        self.traced = [propose(finder, scene) for scene in scenes_of(folder / "traced")]

    def batch(self, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Windows; targets (n, 10); and (n, 2): whether the first counts, and whether the rest."""
        windows, targets, counts = [], [], []
        for _ in range(SCENES):
            pool = self.traced if self.traced and rng.random() < SHARE else self.drawn
            coded, truths, poses = pool[rng.integers(len(pool))]
            levels = build_pyramid(decode_picture(coded))
            for _ in range(EACH):
                x, y, edge, turn = self._pose(rng, truths, poses, levels[0].shape)
                back = turn * edge / EDGE
                window = crop(levels, x, y, back.astype(np.float32), (WINDOW, WINDOW))
                target, count = aim(truths, np.array([x, y]), back)
                if rng.random() < 0.25:
                    window = window[..., rng.permutation(3)]
                if rng.random() < 0.5:
                    window, target = window[:, ::-1], mirror(target)
                windows.append(window)
                targets.append(target)
                counts.append(count)
        return (
            network.pictures_tensor(windows),
            torch.from_numpy(np.array(targets, np.float32)),
            torch.from_numpy(np.array(counts, np.float32)),
        )

    def _pose(
        self,
        rng: np.random.Generator,
        truths: np.ndarray,
        poses: np.ndarray,
        shape: tuple[int, ...],
    ) -> tuple[float, float, float, np.ndarray]:
        kind = rng.random()
        if len(truths) and kind < 0.45:  # a die, framed badly
            cocked = np.flatnonzero(truths[:, 8] > 0)
            few = len(cocked) and rng.random() < 0.3
            t = truths[rng.choice(cocked) if few else rng.integers(len(truths))]
            axes = unmirrored(t[2:6].reshape(2, 2))
            edge = 2 * np.sqrt(np.linalg.det(axes))
            at = t[:2] + rng.normal(0, 0.07, 2) * edge
            off = rng.normal(0, 0.15) if rng.random() < 0.8 else rng.uniform(-0.8, 0.8)
            turn = nearest_rotations(axes) @ turn_matrix(off)
            edge *= 0.92 * np.exp(rng.normal(0, 0.12))
        elif len(poses) and kind < 0.95:
            pose = poses[rng.integers(len(poses))]
            at, edge, turn = pose[:2], pose[2], pose[3:].reshape(2, 2)
            at = at + rng.normal(0, 0.03, 2) * edge
            edge = edge * np.exp(rng.normal(0, 0.07))
            turn = turn @ turn_matrix(rng.normal(0, 0.08))
        else:
            at = rng.uniform(0, 1, 2) * shape[1::-1]
            edge, turn = rng.uniform(20, 60), turn_matrix(rng.uniform(0, 6.3))
        return at[0], at[1], edge, turn @ turn_matrix(rng.integers(4) * np.pi / 2)


def propose(finder: DiceDetector, scene: Look) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A scene as JPEG bytes, its truths, and (n, 7) where dice may be: x, y, edge and the turn."""
    coded, _, truths = scene
    levels = build_pyramid(decode_picture(coded))
    spots = [s for side in LONG_SIDES for s in finder.detect(levels, side).boxes]
    poses = [[s.x, s.y, s.edge, *nearest_rotations(s.axes).ravel()] for s in spots]
    return coded, truths, np.array(poses).reshape(-1, 7)


def aim(truths: np.ndarray, at: np.ndarray, back: np.ndarray) -> tuple[list[float], list[float]]:
    """What the network must say of a window, and whether that counts."""
    target = [0.0] * 10
    if not len(truths):
        return target, [1.0, 0.0]
    forth = np.linalg.inv(back)
    off = (truths[:, :2] - at) @ forth.T / EDGE
    near = int(np.argmin(np.linalg.norm(off, axis=1)))
    t = truths[near]
    axes = forth @ t[2:6].reshape(2, 2)
    size = 2 * np.sqrt(abs(np.linalg.det(axes))) / EDGE
    gone = np.abs(off[near]).max()
    if gone > 0.45 or not 0.6 < size < 1.6:
        # Neither a die nor none: something of one in the middle.
        return target, [float(gone > 0.6 or t[10] < 0.3), 0.0]
    if t[10] < 0.75:
        return target, [0.0, 0.0]
    lean = forth @ t[6:8] / np.sqrt(abs(np.linalg.det(forth)))
    numbers = np.array(network.decompose(axes)) * [*[HALF_EDGE / (EDGE / 2)] * 3, 1, 1]
    return [1.0, *off[near], *numbers, *lean], [1.0, float(gone < 0.3)]


def mirror(target: list[float]) -> list[float]:
    """Return the target of a window that is mirrored from left to right."""
    die, x, y, xx, xy, yy, cos, sin, lx, ly = target
    return [die, -x, y, xx, -xy, yy, cos, -sin, -lx, ly]


def main() -> None:
    """Train, and write the network and its checkpoint."""
    folder, out, steps = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    rng = network.begin()
    data, net = Proposals(folder), PoseModule()
    if len(sys.argv) > 4:
        network.go_on(net, Path(sys.argv[4]))
    print(len(data.drawn), "and", len(data.traced), "scenes", flush=True)
    batches = network.prefetch(lambda: data.batch(rng))
    net = net.to(memory_format=torch.channels_last)

    def look() -> tuple[torch.Tensor, list[float]]:
        images, targets, counts = next(batches)
        with torch.autocast("cpu", torch.bfloat16):
            result = net(images)
        result = result.float()
        die = functional.binary_cross_entropy_with_logits(
            result[:, 0], targets[:, 0], reduction="none"
        )
        die = (die * counts[:, 0]).sum() / counts[:, 0].sum()
        use = counts[:, 1] > 0
        off = functional.smooth_l1_loss(result[use, 1:3], targets[use, 1:3], beta=0.02)
        shape = functional.smooth_l1_loss(result[use, 3:6], targets[use, 3:6], beta=0.03)
        turn = functional.smooth_l1_loss(result[use, 6:8], targets[use, 6:8], beta=0.1)
        lean = functional.smooth_l1_loss(result[use, 8:], targets[use, 8:], beta=0.03)
        loss = die + 8 * off + 4 * shape + turn + 16 * lean
        return loss, [x.item() for x in (die, off, shape, turn, lean)]

    def keep() -> None:
        torch.save(net.state_dict(), out.with_suffix(".pt"))

    network.descend(
        *(net, network.half_turn(steps), look, keep),
        peak=2e-3,
        warm_up=100,
        least=1e-6,
        keep_each=500,
    )
    window = torch.zeros(1, 3, WINDOW, WINDOW)
    network.export(net, out, window, ("window", {0: "n"}), ("look", {0: "n"}))


if __name__ == "__main__":
    main()
