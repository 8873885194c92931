"""Train the lean network: `python -m vision.training.train_lean WINDOWS OUT.onnx STEPS [START]`.

Needs torch and onnx, which the product does not, and takes minutes on a graphics card. WINDOWS is a
folder of vision/training/lean_windows.py; START an exported network to go on from, at a quarter of
the rate and with fixed statistics of batch normalisation. A die's window says how the log-odds that
it leans depend on how a flat one would lean in its place, and how it does, see
vision/dice/find/lean.py. The last sixteenth of the windows' files is kept to say how well that
goes.
"""

import copy
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.dice.find.lean import TERMS
from vision.dice.find.pose import WINDOW
from vision.training import lean_windows, network
from vision.training.network import Block, down

BATCH, DRAWN = 512, 0.4  # windows, and what share of them is drawn
PEAK, WARM_UP, LEAST, DECAY = 2e-3, 300, 1e-6, 2e-2
EACH = 20  # steps at one rate
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]
"""Windows; how flat dice would lean there, as it is seen; how these do; whether they lean."""


class LeanModule(nn.Module):
    """(n, 3, WINDOW, WINDOW) in [0, 1] to (n, TERMS + 2): the form, and the lean in edges."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            *(down(3, 24), down(24, 48), Block(48), down(48, 72), Block(72)),
            *(down(72, 80), Block(80), nn.Flatten()),
        )
        self.verdict = nn.Sequential(
            nn.Linear((WINDOW // 16) ** 2 * 80, 120), nn.ReLU(True), nn.Linear(120, TERMS + 2)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return what windows say."""
        with torch.autocast(DEVICE, torch.bfloat16, enabled=self.training):
            seen = self.layers(x * 2 - 1)
        return self.verdict(seen.float())


def log_odds(said: torch.Tensor, flat: torch.Tensor) -> torch.Tensor:
    """Return the log-odds (n,) that dice lean; flat: (n, 2), see `lean_odds`."""
    x, y = flat[:, 0], flat[:, 1]
    terms = torch.stack([torch.ones_like(x), x, y, x * x, x * y, y * y], 1)
    return (said[:, :TERMS] * terms).sum(1)


def load(paths: Sequence[Path]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return windows (n, h, w, 3) and their rows (n, 5)."""
    seen = [np.load(str(path).replace(".rows.npy", ".npy")) for path in paths]
    rows = [np.load(path) for path in paths]
    return tuple(torch.from_numpy(np.concatenate(each)).to(DEVICE) for each in (seen, rows))


class Windows:
    """Windows that were cut beforehand, by kind."""

    def __init__(self, folder: Path) -> None:
        self.train, self.test = {}, {}
        for kind in ("traced", "drawn"):
            paths = list(folder.glob(f"{kind}-*.rows.npy"))
            paths.sort(key=lambda path: int(path.name.split("-")[1].split(".")[0]))
            few = max(1, len(paths) // 16)
            self.train[kind], self.test[kind] = load(paths[:-few]), load(paths[-few:])

    def batch(self) -> Batch:
        """Return windows by chance, framed and lit a little otherwise."""
        drawn = int(BATCH * DRAWN)
        parts = []
        for kind, count in (("drawn", drawn), ("traced", BATCH - drawn)):
            seen, rows = self.train[kind]
            chosen = torch.randint(len(seen), (count,), device=DEVICE)
            parts.append((seen[chosen], rows[chosen]))
        x = torch.cat([seen for seen, _ in parts]).permute(0, 3, 1, 2).float() / 255
        rows = torch.cat([rows for _, rows in parts])
        x, turn = move(x)
        flat, lean = (torch.einsum("nij,ni->nj", turn, v) for v in (rows[:, :2], rows[:, 2:4]))
        x = light(x)
        # How flat dice lean is seen with an error, sometimes a large one.
        kind = torch.rand(len(x), 1, device=DEVICE)
        off = torch.where(kind < 0.7, 0.05, torch.where(kind < 0.95, 0.1, 0.2))
        x = x.clamp(0, 1).contiguous(memory_format=torch.channels_last)
        return x, flat + off * torch.randn(len(x), 2, device=DEVICE), lean, rows[:, 4]

    def report(self, net: nn.Module) -> None:
        """Print how well leaning dice are told in windows that were not trained on."""
        net, rim = copy.deepcopy(net).eval(), (lean_windows.WINDOW - WINDOW) // 2
        for kind, (seen, rows) in self.test.items():
            cut = seen[:, rim:-rim, rim:-rim].permute(0, 3, 1, 2).float() / 255
            with torch.no_grad():
                said = torch.cat([net(part) for part in cut.split(2048)])
            odds, leans = log_odds(said, rows[:, :2]), rows[:, 4]
            loss = functional.binary_cross_entropy_with_logits(odds, leans)
            called = (odds[leans == 0] > odds[leans > 0].quantile(0.05)).float().mean()
            print(f"{kind}: loss {loss:.4f}; {called:.1%} of flat dice where 5 % are missed")


def move(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return windows turned by quarters or mirrored, half of them framed a little otherwise.

    With them the turns (n, 2, 2) from the new windows to the old ones.
    """
    n = len(x)
    loose = (torch.rand(n, device=DEVICE) < 0.5).float()
    angle = torch.floor(torch.rand(n, device=DEVICE) * 4) * (np.pi / 2)
    angle = angle + loose * 0.07 * torch.randn(n, device=DEVICE)
    mirror = torch.where(torch.rand(n, device=DEVICE) < 0.5, -1.0, 1.0)
    c, s = torch.cos(angle), torch.sin(angle)
    turn = torch.stack([torch.stack([c * mirror, -s], 1), torch.stack([s * mirror, c], 1)], 1)
    scale = torch.exp(loose * 0.06 * torch.randn(n, device=DEVICE))
    shift = loose[:, None] * torch.randn(n, 2, device=DEVICE) * 2 / lean_windows.WINDOW
    grown = turn * (scale * WINDOW / lean_windows.WINDOW)[:, None, None]
    matrix = torch.cat([grown, shift[:, :, None]], 2)
    places = functional.affine_grid(matrix, [n, 3, WINDOW, WINDOW], align_corners=False)
    return functional.grid_sample(x, places, padding_mode="border", align_corners=False), turn


def light(x: torch.Tensor) -> torch.Tensor:
    """Return windows in other light, some with other colours, with a little noise."""
    n = len(x)
    mixed = torch.rand(n, 3, device=DEVICE).argsort(1)
    usual = torch.arange(3, device=DEVICE)[None].expand(n, 3)
    order = torch.where(torch.rand(n, 1, device=DEVICE) < 0.25, mixed, usual)
    x = torch.gather(x, 1, order[:, :, None, None].expand_as(x))
    gain = 1 + 0.12 * torch.randn(n, 1, 1, 1, device=DEVICE)
    gain = gain + 0.04 * torch.randn(n, 3, 1, 1, device=DEVICE)
    noise = 0.012 * torch.rand(n, 1, 1, 1, device=DEVICE)
    return x * gain + noise * torch.randn_like(x)


def recorded(step: Callable[[], None]) -> Callable[[], None]:
    """Return the step as a graph, which a graphics card runs several times as fast."""
    if DEVICE != "cuda":
        return step
    aside = torch.cuda.Stream()
    aside.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(aside):
        for _ in range(5):
            step()
    torch.cuda.current_stream().wait_stream(aside)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def train(data: Windows, steps: int, start: Path | None) -> LeanModule:
    """Return the network after so many steps, its weights averaged over the last thousand or so.

    start: an exported network to go on from.
    """
    net, peak = LeanModule().to(DEVICE).to(memory_format=torch.channels_last), PEAK
    if start:
        network.go_on(net, start)
        peak = PEAK / 4
    mean = copy.deepcopy(net)
    rate = torch.tensor(0.0, device=DEVICE)
    optimiser = torch.optim.AdamW(
        net.parameters(), lr=rate, weight_decay=DECAY, capturable=DEVICE == "cuda"
    )
    told = torch.zeros(2, device=DEVICE)

    def step() -> None:
        x, flat, lean, leans = data.batch()
        said = net(x)
        odds = functional.binary_cross_entropy_with_logits(log_odds(said, flat), leans)
        off = functional.smooth_l1_loss(said[:, TERMS:], lean, beta=0.03)
        optimiser.zero_grad(set_to_none=True)
        (2 * odds + 8 * off).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5)
        optimiser.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(mean.parameters()), list(net.parameters()), 0.002)
            told.lerp_(torch.stack([odds, off]).detach(), 0.02)

    run = recorded(step)
    for done in range(0, steps, EACH):
        angle = np.pi * done / steps
        rate.fill_(peak * min(1, done / WARM_UP) * (0.5 + 0.5 * np.cos(angle)) + LEAST)
        for _ in range(EACH):
            run()
        if done % 1000 == 0:
            print(done, told.tolist(), flush=True)
    for to, of in zip(mean.buffers(), net.buffers(), strict=True):
        to.copy_(of)
    return mean


def main() -> None:
    """Write the network and its checkpoint."""
    folder, out, steps = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    torch.manual_seed(network.SEED)
    torch.backends.cudnn.deterministic = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    data = Windows(folder)
    start = Path(sys.argv[4]) if len(sys.argv) > 4 else None
    if start:
        net = LeanModule().to(DEVICE)
        network.restore(net, start)
        data.report(net)
    net = train(data, steps, start)
    data.report(net)
    net = net.float().cpu()
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    window = torch.zeros(1, 3, WINDOW, WINDOW)
    network.export(net, out, window, ("window", {0: "n"}), ("said", {0: "n"}))
    network.halve(out)


if __name__ == "__main__":
    main()
