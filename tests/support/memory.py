"""What the tests of a process share: the same input isn't worked out twice."""

import os
import pickle
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from shutil import rmtree
from threading import Lock, get_ident
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import cv2
import numpy as np
from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from places import KEPT_PICTURES, ROOT
from werkzeug.routing import Rule

import vision.cards.capture
import vision.cards.reader
import vision.cards.teach
import web.app
from vision.cards.agree import AgreedCards, align_cards
from vision.cards.capture import DeckCheck, check_deck
from vision.cards.deck import TaughtCard, TaughtDeck
from vision.cards.outline import likely_outlines, lone_outline
from vision.cards.reader import CardReader
from vision.dice.faces.classifier import FaceClassifier
from vision.dice.faces.embedder import Embedder
from vision.dice.profile import Profile
from vision.dice.teach import ProfileTrainer
from vision.imaging.geometry import Array, Image
from vision.imaging.network import OnnxNetwork
from web.assets import Assets

ROOM = 200_000_000
"""Bytes of a network's answers that are kept."""


DECKS = 6
"""Decks and sets of dice of which is kept what was learned from their pictures."""


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


class Pictures:
    """What pictures gave, in files that all processes and later runs with the same code share.

    Decks and dice are taught by the same pictures again and again, and no answer is new.
    """

    def __init__(self, folder: Path) -> None:
        sources = sorted(path for path in (ROOT / "vision").rglob("*") if path.is_file())
        code = blake2b(f"{sys.version} {cv2.__version__} {np.__version__}".encode())
        for path in sources:
            if "__pycache__" not in path.parts:
                code.update(path.read_bytes())
        self._folder = folder / code.hexdigest()[:16]
        if not self._folder.exists():
            rmtree(folder, ignore_errors=True)
            self._folder.mkdir(parents=True, exist_ok=True)

    def keep(self, work: Callable[..., Any], *given: Any, of: object = None, **options: Any) -> Any:
        """Return what a function, or a method `of` an object, makes of what is given."""
        told = pickle.dumps((work.__qualname__, given, options))
        file = self._folder / blake2b(told, digest_size=16).hexdigest()
        with suppress(OSError):
            return pickle.loads(file.read_bytes())
        answer = work(*(() if of is None else (of,)), *given, **options)
        half = file.with_suffix(f".{os.getpid()}-{get_ident()}")
        with suppress(OSError):
            half.write_bytes(pickle.dumps(answer))
            half.replace(file)
        return answer


class Recent:
    """What was last made in this process of the same things: half of what tests give isn't new.

    most: of what is made, as much is kept, by its `size`.
    """

    def __init__(self, most: int, size: Callable[[Any], int] = lambda made: 1) -> None:
        self._kept: OrderedDict[bytes, Any] = OrderedDict()
        self._most, self._size_of, self._size = most, size, 0
        self._lock = Lock()

    def get(self, given: object, make: Callable[[], Any]) -> Any:
        """Return what was made of what is given, or make it."""
        key = blake2b(pickle.dumps(given, pickle.HIGHEST_PROTOCOL)).digest()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            if key not in self._kept:
                self._size += self._size_of(made)
                self._kept[key] = made
            while self._size > self._most:
                self._size -= self._size_of(self._kept.popitem(last=False)[1])
        return made


run, load = OnnxNetwork.__call__, OnnxNetwork.__init__


def share() -> None:
    """Let all apps and networks of this process share what they worked out."""
    # There are as many processes as cores already.
    cv2.setNumThreads(1)
    share_pictures(Pictures(KEPT_PICTURES))
    Flask.jinja_options = Flask.jinja_options | {"bytecode_cache": Bytecode()}
    Flask.url_rule_class = SharedRule
    web.app.Assets = lambda secret: shared_assets(frozenset(secret))  # type: ignore[assignment,misc]
    answers = Recent(ROOM, lambda answer: answer.nbytes)
    files: WeakKeyDictionary[OnnxNetwork, Path] = WeakKeyDictionary()

    def remember(network: OnnxNetwork, path: Path, *shape: int) -> None:
        files[network] = path
        load(network, path, *shape)

    def ask(network: OnnxNetwork, inputs: Iterable[Array]) -> Array:
        each = map(np.ascontiguousarray, inputs)
        return np.concatenate(
            [answers.get((files[network], one), partial(run, network, [one])) for one in each]
        )

    OnnxNetwork.__init__ = remember  # type: ignore[method-assign]
    OnnxNetwork.__call__ = ask  # type: ignore[method-assign]


def share_pictures(kept: Pictures) -> None:
    """Teach no deck and no die twice by the same pictures."""
    crops = ProfileTrainer.crops
    ProfileTrainer.crops = (  # type: ignore[method-assign]
        lambda trainer, image: kept.keep(crops, image, of=trainer)
    )
    embed, classifiers = FaceClassifier.__init__, Recent(DECKS)

    def embed_once(
        classifier: FaceClassifier,
        embedder: Embedder,
        profile: Profile,
        before: FaceClassifier | None = None,
    ) -> None:
        def embedded() -> FaceClassifier:
            embed(classifier, embedder, profile, before)
            return classifier

        known = classifiers.get(profile.taught, embedded)
        if known is not classifier:
            embed(classifier, embedder, profile, before or known)

    FaceClassifier.__init__ = embed_once  # type: ignore[method-assign]
    learn, readers, aligned = CardReader.__init__, Recent(DECKS), Recent(DECKS)

    def learn_once(
        reader: CardReader, deck: TaughtDeck, signs: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        def learned() -> dict[str, object]:
            learn(reader, deck, signs)
            return vars(reader)

        # A reader keeps no state between calls.
        known = signs and {title: tuple(each) for title, each in signs.items()}
        vars(reader).update(readers.get((deck.cards, deck.learned, known), learned))

    def align_once(
        cards: Sequence[Image], progress: Callable[[], None] = lambda: None
    ) -> AgreedCards:
        pictures, odd = aligned.get([*cards], partial(align_cards, cards, progress))
        return AgreedCards([*pictures], odd)

    def check_once(
        cards: Sequence[TaughtCard], progress: Callable[[], None] = lambda: None
    ) -> DeckCheck:
        def check(cards: Sequence[TaughtCard]) -> DeckCheck:
            return check_deck(cards, progress)

        found: DeckCheck = kept.keep(check, cards)
        return found

    vision.cards.capture.check_deck = check_once
    CardReader.__init__ = learn_once  # type: ignore[method-assign]
    vision.cards.capture.align_cards = align_once
    vision.cards.teach.likely_outlines = partial(kept.keep, likely_outlines)
    for module in (vision.cards.reader, vision.cards.capture):
        module.lone_outline = partial(kept.keep, lone_outline)
