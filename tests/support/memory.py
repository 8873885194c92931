"""What the tests of a process share: the same input isn't worked out twice."""

from collections import OrderedDict
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np
from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

import web.app
from vision.imaging.geometry import Array
from vision.imaging.network import OnnxNetwork
from web.assets import Assets

ROOM = 50_000_000
"""Bytes of a network's answers that are kept."""


class Bytecode(BytecodeCache):
    """The templates that any app of this process compiled.

    Nearly each test has an app of its own, and to compile a page takes far longer than to draw it.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill a bucket, if its template was compiled for an app that reads templates alike."""
        if (key := _key(bucket)) in self._kept:
            bucket.bytecode_from_string(self._kept[key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template that has just been compiled."""
        self._kept[_key(bucket)] = bucket.bytecode_to_string()


def _key(bucket: Bucket) -> tuple[Any, ...]:
    how = bucket.environment
    return bucket.key, bucket.checksum, how.trim_blocks, how.lstrip_blocks, *sorted(how.extensions)


class SharedRule(Rule):
    """An address of an app, which is compiled once for all apps of this process."""

    kept: ClassVar[dict[tuple[str, str], dict[str, Any]]] = {}

    def compile(self) -> None:
        """Take over what was worked out for another app, or work it out."""
        key = self.rule, repr(self.defaults)
        if key not in self.kept:
            before = dict(vars(self))
            super().compile()
            now = vars(self).items()
            self.kept[key] = {name: made for name, made in now if before.get(name) is not made}
        vars(self).update(self.kept[key])


class SharedAssets(Assets):
    """The static files that any app of this process sends."""

    drawings = cache(Assets.drawings)


@cache
def shared_assets(secret: frozenset[str]) -> Assets:
    """Return the static files without these drawings: they don't change while tests run."""
    return SharedAssets(secret)


class Answers:
    """What networks answered to the same inputs: half of what the tests show them is not new."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Any, ...], Array] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def answer(self, file: Path, network: OnnxNetwork, each: Array) -> Array:
        """Return the answer (1, …) of a network, which is in `file`, to one input."""
        each = np.ascontiguousarray(each)
        key = file, each.shape, each.dtype.str, blake2b(each).digest()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        answer = run(network, [each])
        with self._lock:
            self._size += answer.nbytes - self._kept.pop(key, answer[:0]).nbytes
            self._kept[key] = answer
            while self._size > ROOM:
                self._size -= self._kept.popitem(last=False)[1].nbytes
        return answer


run, load = OnnxNetwork.__call__, OnnxNetwork.__init__


def share() -> None:
    """Let all apps and networks of this process share what they worked out."""
    Flask.jinja_options = Flask.jinja_options | {"bytecode_cache": Bytecode()}
    Flask.url_rule_class = SharedRule
    web.app.Assets = lambda secret: shared_assets(frozenset(secret))  # type: ignore[assignment,misc]
    answers = Answers()
    files: WeakKeyDictionary[OnnxNetwork, Path] = WeakKeyDictionary()

    def remember(network: OnnxNetwork, path: Path, *shape: int) -> None:
        files[network] = path
        load(network, path, *shape)

    def ask(network: OnnxNetwork, inputs: Iterable[Array]) -> Array:
        return np.concatenate([answers.answer(files[network], network, one) for one in inputs])

    OnnxNetwork.__init__ = remember  # type: ignore[method-assign]
    OnnxNetwork.__call__ = ask  # type: ignore[method-assign]
