"""Train the embedder: `python -m vision.training.train_embedder FACES OUT STEPS`.

Needs torch 2.13 and onnx, which the product does not. FACES is a folder of vision/training/
tray_pool.py. The network turns a face into a unit vector; a face that was shown is told by the
similarity to its pictures, as in Snell et al., Prototypical Networks (2017). Each step is a little
game of its own: faces are shown in a few pictures, others must be named, and those burnt out or
never shown must be named as none. A further argument is what to go on from, with batch
normalisation as in vision/training/train_detector.py: a checkpoint, or an exported network such as
vision/profiles/embedder.onnx.
"""

import sys
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.training import network
from vision.training.drawing import turn_matrix
from vision.training.network import Block, down
from vision.training.trays.scenes import CROP, FACE

SIDE, SHARE = 48, 1.04  # pixels of the network's picture; edges of the face that it shows
SETS, SHOTS, QUERIES = 4, 3, 3
GONE, LEFT = 0.3, 0.6  # a face less legible than GONE is none; from LEFT on it must be named
NONE = -1
PEAK = 2e-3


class EmbedderModule(nn.Module):
    """(n, 1, SIDE, SIDE), each of mean 0 and deviation 1, to unit vectors (n, 576)."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            down(1, 24),
            Block(24),
            down(24, 48),
            Block(48),
            down(48, 64),
            Block(64),
            nn.Conv2d(64, 16, 1),
            nn.Flatten(),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the unit vectors of faces."""
        x = self.layers(x)
        return x / torch.sqrt((x * x).sum(1, keepdim=True) + 1e-6)


class Faces:
    """Sets of faces drawn beforehand."""

    def __init__(self, folder: Path) -> None:
        shards = [np.load(f) for f in sorted(folder.glob("*.npz"))]
        self.crops = np.concatenate([s["crops"] for s in shards])
        self.legible = np.concatenate([s["legible"] for s in shards])

    def game(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Pictures shown (SETS * 6, SHOTS, ...), asked about (SETS * 6, QUERIES, ...), legible."""
        shown: list[np.ndarray] = []
        asked: list[np.ndarray] = []
        legible = []
        for group in rng.choice(len(self.crops), SETS, replace=False):
            mirror, negative = rng.random() < 0.5, rng.random() < 0.4
            for face in range(6):
                clear = self.legible[group, face]
                order = np.argsort(-(clear + rng.random(len(clear)) * (1 if len(clear) else 0)))
                good = [v for v in rng.permutation(len(clear)) if clear[v] > 0.8][:SHOTS]
                good = (good + list(order))[:SHOTS]
                rest = rng.permutation([v for v in range(len(clear)) if v not in good])[:QUERIES]
                for views, into in ((good, shown), (rest, asked)):
                    for v in views:
                        into.append(jitter(rng, self.crops[group, face, v], mirror, negative))
                legible.append(clear[rest])
        return np.stack(shown), np.stack(asked), np.stack(legible)


def jitter(rng: np.random.Generator, crop: np.ndarray, mirror: bool, negative: bool) -> np.ndarray:
    """The face as it will be cut out: turned anyhow, and not quite where it is, normalised."""
    turn = np.radians(rng.integers(4) * 90 + rng.normal(0, 3.0))
    scale = SIDE / SHARE / FACE * np.exp(rng.normal(0, 0.045))
    m = turn_matrix(turn) @ np.diag(np.exp(rng.normal(0, 0.025, 2))) * scale
    if mirror:
        m = m @ np.diag([-1, 1])
    shift = (SIDE - 1) / 2 + rng.normal(0, 0.03 * SIDE, 2) - m @ np.full(2, (CROP - 1) / 2)
    border = cv2.BORDER_REPLICATE
    warp, size = np.column_stack([m, shift]), (SIDE, SIDE)
    cut = cv2.warpAffine(crop, warp, size, flags=cv2.INTER_LINEAR, borderMode=border)
    out = np.asarray(cut, np.float32)
    if rng.random() < 0.2:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.2)), np.float32)
    if rng.random() < 0.3:
        noise = np.asarray(rng.normal(0, rng.uniform(1, 8), out.shape), np.float32)
        out = out + noise
    if rng.random() < 0.2:  # a slope of light
        out = out * np.linspace(rng.uniform(0.7, 1), rng.uniform(0.7, 1), SIDE, dtype=np.float32)
    return normalise(-out if negative else out)


def normalise(face: np.ndarray) -> np.ndarray:
    """Return a face with mean 0 and deviation about 1, less where it has hardly any contrast."""
    face = face - face.mean()
    return (face / (np.sqrt((face * face).mean()) + 4)).astype(np.float32)


def scores(shown: torch.Tensor, asked: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """Log-likelihoods (m, classes); shown: (4 turns, classes, shots, d), asked: (m, d)."""
    alike = torch.einsum("md,rcsd->mcrs", asked, shown) * scale
    return torch.logsumexp(alike.flatten(2), 2) - np.log(shown.shape[2])


def main() -> None:
    """Train, and write checkpoint and embedder."""
    pool, out, steps = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    rng = network.begin()
    data, net = Faces(pool), EmbedderModule()
    peak = PEAK
    scale = nn.Parameter(torch.tensor(20.0))
    none = nn.Parameter(torch.tensor(12.0))
    if len(sys.argv) > 4:
        peak, start = PEAK / 2, Path(sys.argv[4])
        if start.suffix == ".onnx":
            network.restore(net, start)
        else:
            state = torch.load(start)
            net.load_state_dict(state["net"])
            scale.data, none.data = state["scale"], state["none"]
        network.steady(net)
    print(data.crops.shape, sum(p.numel() for p in net.parameters()), "parameters", flush=True)
    net = net.to(memory_format=torch.channels_last)
    classes = SETS * 6

    def look() -> tuple[torch.Tensor, list[float]]:
        shown, asked, legible = data.game(rng)
        shown = torch.from_numpy(shown)[:, None]
        turns = torch.cat([torch.rot90(shown, k, (2, 3)) for k in range(4)])
        both = torch.cat([turns, torch.from_numpy(asked)[:, None]])
        with torch.autocast("cpu", torch.bfloat16):
            features = net.layers(both.to(memory_format=torch.channels_last))
        features = functional.normalize(features.float(), dim=1)
        cut = len(turns)
        logits = scores(features[:cut].view(4, classes, SHOTS, -1), features[cut:], scale)
        target = torch.arange(classes).repeat_interleave(QUERIES)
        clear = torch.from_numpy(legible.ravel())
        hidden = torch.from_numpy(rng.random(len(target)) < 0.15)
        rows = torch.arange(len(target))
        own = logits[rows, target]
        logits = logits.clone()
        logits[rows[hidden], target[hidden]] = -30.0
        target = torch.where(hidden | (clear < GONE), classes, target)
        logits = torch.cat([logits, none.expand(len(target), 1)], 1)
        weight = ((clear < GONE) | (clear > LEFT) | hidden).float()
        weight = weight * torch.where((clear < GONE) & ~hidden, 0.6, 1.0)
        each = functional.cross_entropy(logits, target, reduction="none", label_smoothing=0.01)
        loss = (each * weight).sum() / weight.sum()
        hit = logits.argmax(1) == target
        known = (target < classes) & (weight > 0)
        closed = logits[:, :classes].argmax(1) == target
        shares = (closed[known], hit[known], hit[target == classes])
        return loss, [
            loss.item(),
            *(share.float().mean().item() for share in shares),
            own.mean().item(),
            scale.item(),
            none.item(),
        ]

    def keep() -> None:
        state = {"net": net.state_dict(), "scale": scale.data, "none": none.data}
        torch.save(state, out.with_suffix(".pt"))
        face = torch.zeros(1, 1, SIDE, SIDE)
        network.export(net, out, face, ("face", {0: "n"}), ("vector", {0: "n"}))

    numbers = {"params": [scale, none], "weight_decay": 0.0, "k": 50.0}
    network.descend(
        *(net, network.half_turn(steps), look, keep),
        peak=peak,
        warm_up=100,
        least=1e-6,
        decay=2e-2,
        others=[numbers],
    )


if __name__ == "__main__":
    main()
