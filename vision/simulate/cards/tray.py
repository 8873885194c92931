"""Simulate a tray that is a discard pile, as a camera above it sees it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from vision.simulate.camera import Box, Floats, Image, join_boxes
from vision.simulate.cards.art import draw_card
from vision.simulate.cards.sheet import CardPainter, Mask, PlacedCard, SleeveSettings
from vision.simulate.scenery import BuiltTray
from vision.simulate.settings import RenderSettings

Card = tuple[str, str]
"""Title and sign, such as `("cat_balou", "KH")`."""

DrawCard = Callable[[str | None, str], Image]
"""A function that returns the print of a card (h, w, 3), upright; title None: of the back."""

_HIGHEST = 2.5
"""How high a pile gets, cm."""
_SHUTTER = 0.45
"""How much of the time from frame to frame the shutter is open."""
_FRAMES = 8
"""Frames until a card lies."""
_UNCOVERED = 3
"""Cards that are taken off without drawing all others again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PileSettings:
    """How cards are laid onto the pile, and what they are like."""

    thickness: float = 0.033
    """Of a card, cm."""
    sleeve: SleeveSettings | None = None
    """What sleeves are like; None where cards have none."""
    spread: float = 0.8
    """Standard deviation of the place of a card, cm."""
    turn: float = 12.0
    """Standard deviation of its turn, degrees."""
    any_turn: bool = False
    """Whether players lay cards from all sides, not only from below."""
    bent: float = 0.08
    """Standard deviation of how far the ends or the middle of a card are bent up, cm."""
    slid: float = 0.0
    """The share of sleeved cards that have slid out by up to 1 cm."""


class _Beneath(NamedTuple):
    """What the tray showed where a card was laid."""

    box: Box
    """Where that is."""
    drawn: Floats
    """The picture there."""
    ground: Floats
    """How high what it shows is, cm."""


class SimulatedCardTray(BuiltTray):
    """A camera over a tray in which the cards of one deck are laid. The seed decides everything."""

    def __init__(
        self,
        cards: Sequence[Card],
        size: tuple[int, int] = (820, 616),
        seed: int | None = None,
        *,
        settings: RenderSettings | None = None,
        pile: PileSettings | None = None,
        draw: DrawCard = draw_card,
        mat: Image | None = None,
    ) -> None:
        """Build an empty tray; size: (width, height) of its pictures, in pixels.

        cards: all cards of the deck. draw: what they look like. mat: a picture that covers the
        floor, BGR; without one it is felt.
        """
        super().__init__(size, seed, settings, mat)
        self._pile = pile or PileSettings()
        self._painter = CardPainter(self._settings, self._camera, self._pile.sleeve)
        self._draw = draw
        self._deck = tuple(cards)
        self._left = list(cards)
        self._lying: list[PlacedCard] = []
        self._beneath: list[_Beneath] = []
        self._bare = np.empty_like(self._empty)
        self._changed: Box | None = None
        self._flying: PlacedCard | None = None
        self._from = np.zeros(2)
        self._time = 0
        self.clear()

    # What lies in the tray

    @property
    def laid_cards(self) -> tuple[PlacedCard, ...]:
        """The cards in the tray from below, with one that is on its way."""
        return tuple(self._lying) if self._flying is None else (*self._lying, self._flying)

    @property
    def stock(self) -> tuple[Card, ...]:
        """The cards that don't lie in the tray, in the order in which flips take them."""
        return tuple(self._left)

    def copies(self, title: str) -> int:
        """Return how many cards of a title don't lie in the tray."""
        return sum(one == title for one, _ in self._left)

    @property
    def at_rest(self) -> bool:
        """Whether the next frame shows everything lying still."""
        return self._flying is None

    def corners(self, card: PlacedCard) -> Floats:
        """Return the corners (4, 2) of a card in pixels, clockwise from its own top left."""
        return self._painter.corners(card)

    # What players do

    def lay(self, title: str, sign: str | None = None, *, face_up: bool = True) -> Card:
        """Lay a card onto the pile; it flies in. Return its title and sign.

        sign: None for any copy. Raises ValueError if no such card is left.
        """
        copies = [n for n, (t, s) in enumerate(self._left) if t == title and sign in (None, s)]
        if not copies:
            raise ValueError(f"no {title} {sign or ''}".rstrip() + " is left: it lies in the tray")
        return self._take(int(self._chance.choice(copies)), face_up)

    def flip(self) -> Card:
        """Lay the top card of the shuffled deck. Raises ValueError if none is left."""
        if not self._left:
            raise ValueError("no card is left: all lie in the tray")
        return self._take(0, True)

    def settle(self) -> None:
        """Let a card that is on its way lie at once."""
        if self._flying is not None:
            card, self._flying = self._flying, None
            self._put(card)
            self._rest()

    def stack(self, cards: Sequence[Card]) -> None:
        """Lay cards, at rest, as a pile that was there before. Raises ValueError as `lay` does."""
        self.settle()
        for card in cards:
            if card not in self._left:
                raise ValueError(f"no {card[0]} {card[1]} is left: it lies in the tray")
            self._left.remove(card)
            self._put(self._choose_place(card, True))
        self._rest()

    def place(self, card: PlacedCard) -> None:
        """Lay a card of any deck exactly there, on top of the pile, at rest."""
        self.settle()
        self._put(card)
        self._rest()

    def push(self, right: float, up: float, turned: float) -> None:
        """Push the whole pile by cm, and turn it by degrees."""
        self.settle()
        self._lay_anew([card.move(right, up, turned) for card in self._lying])
        self._rest()

    def take_off(self) -> PlacedCard:
        """Take the topmost card off and return it. Raises ValueError if there is none."""
        self.settle()
        if not self._lying:
            raise ValueError("no card lies in the tray")
        *rest, top = self._lying
        if self._beneath:
            box, drawn, ground = self._beneath.pop()
            part = _slices(box)
            self._drawn[part], self._ground[part] = drawn, ground
            self._lying = rest
            self._changed = join_boxes((self._changed, box))
        else:
            self._lay_anew(rest)
        self._left.append((top.title, top.sign))
        self._shuffle()
        self._rest()
        return top

    def clear(self) -> None:
        """Take all cards out of the tray, and shuffle the deck."""
        self._flying = None
        self._lay_anew([])
        self._rest()
        self._left = list(self._deck)
        self._shuffle()

    def frame(self) -> Image:
        """Return the next picture of the pile, BGR, uint8, (H, W, 3)."""
        picture = self._still
        if self._flying is not None:
            picture = self._draw_flying(self._flying)
            self._time += 1
            if self._time >= _FRAMES:
                self.settle()
        return self._sensor.expose(picture)

    # How it is done

    def _lay_anew(self, cards: Sequence[PlacedCard]) -> None:
        """Lay cards into the empty tray."""
        self._lying, self._beneath = [], []
        self._drawn = self._empty.astype(np.float32)
        self._changed = (0, 0, self._drawn.shape[1], self._drawn.shape[0])
        self._ground = np.zeros(self._drawn.shape[:2], np.float32)
        # Which card hides all that lies below it; what is taken off soon hides nothing for long.
        hiding = np.zeros(self._drawn.shape[:2], np.int16)
        kept = len(cards) - _UNCOVERED
        for number, card in enumerate(cards[: max(0, kept)]):
            self._painter.cover(hiding, card, number)
        for number, card in enumerate(cards):
            self._put(card, hiding <= number, uncovers=number >= kept)

    def _shuffle(self) -> None:
        self._left = [self._left[n] for n in self._chance.permutation(len(self._left))]

    def _take(self, number: int, face_up: bool) -> Card:
        self.settle()
        card = self._left.pop(number)
        self._flying = self._choose_place(card, face_up)
        side = self._chance.uniform(0, 2 * np.pi)
        self._from = 26 * np.array((np.cos(side), np.sin(side)))
        self._time = 0
        return card

    def _choose_place(self, card: Card, face_up: bool) -> PlacedCard:
        """Return where a card will lie on the pile."""
        pile, chance = self._pile, self._chance
        x, y = np.clip(chance.normal(0, pile.spread, 2), -2.5, 2.5)
        angle = chance.normal(0, pile.turn)
        if pile.any_turn:
            angle += 90 * chance.integers(4)
        slid = chance.uniform(0.2, 1) if pile.sleeve and chance.random() < pile.slid else 0.0
        return PlacedCard(
            *card, float(x), float(y), float(angle),
            z=min(_HIGHEST, len(self._lying) * pile.thickness),
            face_up=face_up,
            lift=float(abs(chance.normal(0, pile.bent))),
            bow=float(chance.normal(0, pile.bent / 2)),
            bent_along=float(chance.choice((0, 40, 90, 140)) + 180 * chance.integers(2)),
            slid=float(slid),
        )  # fmt: skip

    def _put(self, card: PlacedCard, visible: Mask | None = None, *, uncovers: bool = True) -> None:
        """Lay a card.

        visible: where other cards won't hide it. uncovers: whether to keep what it lies on, for
        when it is taken off.
        """
        box = self._painter.reach(card) or (0, 0, 0, 0)
        if uncovers:
            part = _slices(box)
            beneath = _Beneath(box, self._drawn[part].copy(), self._ground[part].copy())
            self._beneath = [*self._beneath, beneath][-_UNCOVERED:]
        self._painter.shade(self._drawn, card, self._ground, visible)
        self._painter.add(self._drawn, [card], self._print(card), self._ground, visible)
        self._lying.append(card)
        self._changed = join_boxes((self._changed, box))

    def _print(self, card: PlacedCard) -> Image:
        return self._draw(card.title if card.face_up else None, card.sign)

    def _rest(self) -> None:
        if self._changed is not None:
            self._lens.develop_part(self._drawn, self._changed, self._bare)
            self._changed = None
        self._still = self._bare

    def _draw_flying(self, card: PlacedCard) -> Image:
        """Return the tray with a card on its way, smeared while the shutter is open."""
        picture = self._drawn.copy()
        way = [self._flying_card(card, self._time + part) for part in (0, _SHUTTER / 2, _SHUTTER)]
        self._painter.shade(picture, way[1], self._ground)
        self._painter.add(picture, way, self._print(card))
        return self._lens.develop(picture)

    def _flying_card(self, card: PlacedCard, time: float) -> PlacedCard:
        left = 1 - min(time / _FRAMES, 1.0)
        to_go = left**2
        x, y = (1 - to_go) * np.array((card.x, card.y)) + to_go * self._from
        return replace(
            card, x=float(x), y=float(y), z=card.z + 5 * to_go, angle=card.angle + 70 * to_go
        )


def _slices(box: Box) -> tuple[slice, slice]:
    """Return the rows and columns of a box."""
    left, top, right, bottom = box
    return slice(top, bottom), slice(left, right)
