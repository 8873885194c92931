"""What all networks share that are trained here: layers, targets, the loop, and the way to ONNX.

Needs torch 2.13 and onnx, which the product itself does not.
"""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn import functional

from vision.imaging.geometry import shapes_of_axes
from vision.training.drawing import unmirrored

SEED = 20261121
T = TypeVar("T")


class Block(nn.Module):
    """A residual block of two convolutions (He et al., Deep Residual Learning, 2015)."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.a = nn.Sequential(
            nn.Conv2d(n, n, 3, padding=1, bias=False), nn.BatchNorm2d(n), nn.ReLU(True)
        )
        self.b = nn.Sequential(nn.Conv2d(n, n, 3, padding=1, bias=False), nn.BatchNorm2d(n))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return as many channels of the same size, or less by what isn't padded."""
        y = self.b(self.a(x))
        rim = (x.shape[-1] - y.shape[-1]) // 2  # where there is no padding
        return functional.relu(x[..., rim : x.shape[-2] - rim, rim : x.shape[-1] - rim] + y)


def down(a: int, b: int) -> nn.Module:
    """Return a layer that halves the size: from `a` channels to `b`."""
    return nn.Sequential(nn.Conv2d(a, b, 3, 2, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(True))


def side(a: int, b: int) -> nn.Module:
    """Return a layer of single pixels: from `a` channels to `b`."""
    return nn.Sequential(nn.Conv2d(a, b, 1, bias=False), nn.BatchNorm2d(b))


def head(a: int, between: int, b: int, *, heat: int) -> nn.Sequential:
    """Return the last layers: from `a` channels to `b`, of which the first `heat` begin low."""
    layers = nn.Sequential(
        nn.Conv2d(a, between, 3, padding=1), nn.ReLU(True), nn.Conv2d(between, b, 1)
    )
    nn.init.constant_(layers[2].bias[:heat], -4)
    return layers


def double(x: torch.Tensor) -> torch.Tensor:
    """Return maps of twice the size, each value four times."""
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


def steady(net: nn.Module) -> None:
    """Let batch normalisation go by the statistics that it has, as when the network is used."""
    for layer in net.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.eval()


# Pictures, and what is to be said of them


def pictures_tensor(pictures: Iterable[np.ndarray]) -> torch.Tensor:
    """Return pictures (n, h, w, 3) uint8 as networks take them, (n, 3, h, w) in [0, 1]."""
    images = torch.from_numpy(np.stack(list(pictures))).permute(0, 3, 1, 2)
    return (images.float() / 255).contiguous(memory_format=torch.channels_last)


def decompose(axes: np.ndarray) -> list[float]:
    """Return the shape of a face, see `shapes_of_axes`, mirrored or not."""
    return shapes_of_axes(unmirrored(axes)).tolist()


def move_truths(truths: np.ndarray, m: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """Return truths (n, ...), which begin with centre and axes, moved by `m` (2, 2) and a shift."""
    moved = truths.copy()
    moved[:, :2] = truths[:, :2] @ m.T + shift
    moved[:, 2:6] = (m @ truths[:, 2:6].reshape(-1, 2, 2)).reshape(-1, 4)
    return moved


def cells_around(u: float, v: float, w: int, h: int) -> Iterator[tuple[int, int]]:
    """Yield the cells around a centre, of those that there are: row and column."""
    for row in (int(np.floor(v)), int(np.floor(v)) + 1):
        for column in (int(np.floor(u)), int(np.floor(u)) + 1):
            if 0 <= column < w and 0 <= row < h:
                yield row, column


def loss_of_heat(
    said: torch.Tensor, heat: torch.Tensor, weight: torch.Tensor, cells: int
) -> torch.Tensor:
    """Return the loss of a heat map (n, h, w); said: log-odds; cells: around all centres."""
    p = torch.sigmoid(said).clamp(1e-4, 1 - 1e-4)
    peak = (heat > 0.8).float() * heat
    hit = -peak * (1 - p) ** 2 * torch.log(p)
    miss = -((1 - heat) ** 4) * (heat <= 0.8) * p**2 * torch.log(1 - p)
    return ((hit + miss) * weight).sum() / max(1, cells // 4)


# The loop


def begin(more: int = 0) -> np.random.Generator:
    """Make training repeatable, with one thread; return the chance for its data.

    more: what is added to its SEED.
    """
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    return np.random.default_rng(SEED + more)


def half_turn(steps: int) -> Iterator[float]:
    """Yield how far each of so many steps is, from 0 to pi."""
    return (np.pi * step / steps for step in range(steps))


def descend(
    net: nn.Module,
    angles: Iterable[float],
    look: Callable[[], tuple[torch.Tensor, Sequence[float]]],
    keep: Callable[[], None],
    *,
    peak: float,
    warm_up: int,
    least: float,
    decay: float = 1e-2,
    keep_each: int = 250,
    after_step: Callable[[], None] = lambda: None,
    others: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Train a network, and tell every 50 steps how that goes.

    angles: for each step how far it is, see `half_turn`; look: returns the loss of a batch, and
    what to tell of it; keep: keeps a checkpoint, after `keep_each` steps. The learning rate grows
    to `peak` for `warm_up` steps, then falls as half a cosine to `least`; decay: that of weights.
    others: more to train, each with its `k`, how many times as fast.
    """
    groups = [{"params": net.parameters()}, *others]
    optimiser = torch.optim.AdamW(groups, peak, weight_decay=decay)
    told = []
    for step, angle in enumerate(angles):
        rate = min(1, step / warm_up) * (0.5 + 0.5 * np.cos(angle))
        for group in optimiser.param_groups:
            group["lr"] = peak * rate * group.get("k", 1.0) + least
        loss, parts = look()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5)
        optimiser.step()
        after_step()
        told.append(parts)
        if (step + 1) % 50 == 0:
            print(step + 1, np.round(np.nanmean(told, 0), 4), flush=True)
            told = []
        if (step + 1) % keep_each == 0:
            keep()
    keep()


def prefetch(make: Callable[[], T]) -> Iterator[T]:
    """What `make` gives again and again, made in another thread while the last is used."""
    with ThreadPoolExecutor(1) as pool:
        waiting = [pool.submit(make) for _ in range(3)]
        while True:
            waiting.append(pool.submit(make))
            yield waiting.pop(0).result()


def export(
    net: nn.Module,
    out: Path,
    example: torch.Tensor,
    given: tuple[str, dict[int, str]],
    result: tuple[str, dict[int, str]],
) -> None:
    """Write the network as ONNX; given, result: the names of what goes in and comes out, and of
    those of their axes that may be of any length.
    """
    used = copy.deepcopy(net).eval()  # a network that is trained on stays as it is, see `steady`
    with torch.no_grad():
        torch.onnx.export(
            used,
            (example,),
            out,
            input_names=[given[0]],
            output_names=[result[0]],
            dynamic_axes=dict((given, result)),
            opset_version=13,
            dynamo=False,
        )


def restore(net: nn.Module, path: Path) -> None:
    """Take the weights of an exported network, whose batch normalisation its convolutions hold."""
    graph = onnx.load(path).graph
    values = {
        weights.name.removesuffix("_half"): torch.from_numpy(
            numpy_helper.to_array(weights).astype(np.float32)
        )
        for weights in graph.initializer
    }
    exported = [node.input for node in graph.node if node.op_type in ("Conv", "Gemm")]
    layers = [layer for layer in net.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]
    norms = [layer for layer in net.modules() if isinstance(layer, nn.BatchNorm2d)]
    with torch.no_grad():
        for layer, (_, weight, bias) in zip(layers, exported, strict=True):
            layer.weight.copy_(values[weight])
            if layer.bias is not None:
                layer.bias.copy_(values[bias])
                continue
            norm = norms.pop(0)
            norm.weight.fill_(1)
            norm.bias.copy_(values[bias])
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)


def go_on(net: nn.Module, start: Path) -> None:
    """Take the weights of a checkpoint or of an exported network, and train on, see `steady`."""
    if start.suffix == ".onnx":
        restore(net, start)
    else:
        net.load_state_dict(torch.load(start))
    steady(net)


def halve(path: Path) -> None:
    """Keep the weights of a network in a file as half floats, which it makes whole as it loads."""
    model = onnx.load(path)
    graph, casts = model.graph, []
    for weights in graph.initializer:
        half = numpy_helper.to_array(weights).astype(np.float16)
        name = weights.name
        weights.CopyFrom(numpy_helper.from_array(half, f"{name}_half"))
        casts.append(helper.make_node("Cast", [weights.name], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, path)
