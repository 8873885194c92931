"""Tell which taught card a picture shows, and where exactly it lies.

A rectified card is compared with all taught ones by histograms of gradients (Dalal and Triggs,
"Histograms of oriented gradients for human detection", 2005), which bear an outline that is a
little off. The best are laid onto the picture. A title is sure if, in what tells it from each
other title, the picture is on its side, far enough from the middle: what glare has burnt out says
nothing, nor what two share.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.sides import (
    HALF,
    Mask,
    Outline,
    card_size,
    glare_mask,
    is_card_shaped,
    move,
    outline_of,
    take_to,
)
from vision.cards.signs import SignPlace
from vision.imaging.geometry import Array, Image
from vision.imaging.overlay import align

SIZE = card_size(1.52)
"""Pixels of a rectified card: its width and height."""
_CELL, _BINS = 4, 8
"""Pixels of a cell of the histograms, and directions in it."""
_COLUMNS, _ROWS = SIZE[0] // _CELL, SIZE[1] // _CELL
"""Cells of the histograms, across and along."""
CELLS = (_COLUMNS // _CELL, _ROWS // _CELL)
"""Larger cells, across and along, in each of which a card is correlated with a taught one."""
_AROUND = 8.0
"""How far the surroundings of a pixel reach whose contrast is taken, pixels."""
_LOOK = (SIZE[0] // HALF, SIZE[1] // HALF)
"""Pixels of what is compared in colour, across and along."""
_AHEAD = 0.34
"""From the middle between two titles, 0, to its own, 0.5: how far a picture that is sure must be.
Taught titles have 0.4, rarely 0.3; titles that weren't taught 0.28 at most."""
_PARTS = 4
"""Parts of a card, as many across as along, of which most must be on its side."""
_TELLS, _AHEAD_THERE, _AGREE, _AGREE_BY_SIGN = 0.03, 0.15, 0.8, 0.6
"""The share of what tells it from others that a part has at least, how far from the middle it must
be, and the share of the parts that must be: fewer where the card has a sign of its title."""
_SEEN = 0.25
"""The share of what tells two titles apart that must be seen."""
_APART = 0.03
"""The mean square from which two taught cards of different titles differ."""
LIKE = 0.58
"""The least likeness of a card whose title is sure."""
_TRIED = 4
"""Titles that are laid onto the picture, and again where the best one lies."""
_CLOSE = 0.6
"""The share of the best likeness from which a title is taken by what tells it from the others, and
of the best cosine from which another one may be the card in the same place, at any end up: where
two look alike turned it has 0.8 at least, titles with pictures 0.35 at most."""
_RESEMBLES = 0.13
"""The cosine of histograms below which no title but the likeliest is worth it. Cards that the
picture shows have 0.17 at least; half of the backs and of what is no card have less."""
_FITS = 0.87
"""The mean correlation from which no other title needs to be tried elsewhere."""
_CLEARLY = 0.03
"""By how much the mean correlation of a card must be larger than that of another title that, laid
onto the picture itself, is told from it: the wrong one of two is ahead by 0.009 at most."""


def rectify_card(picture: Image, outline: Outline, size: tuple[int, int] = SIZE) -> Image:
    """Return a card as seen from straight above, upright: (h, w, 3); size: (w, h)."""
    matrix = take_to(outline, outline_of(size))
    flat = cv2.warpPerspective(
        picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(flat, np.uint8)


def shrink(card: Image) -> Image:
    """Return a rectified card (h, w, 3) in the size in which cards are compared."""
    return np.asarray(cv2.resize(card, SIZE, interpolation=cv2.INTER_AREA), np.uint8)


class _Try(NamedTuple):
    """A taught card that a picture may show."""

    resemblance: float
    """The cosine of their histograms."""
    number: int
    """Which of the taught cards."""
    outline: Outline
    """About where it lies, from its own top left."""


class CardMatch(NamedTuple):
    """A taught card laid onto a picture."""

    number: int
    """Which of the taught cards."""
    outline: Outline
    """Where the card lies, from its own top left."""
    cells: Array
    """(CELLS[1], CELLS[0]): the correlation of each cell, NaN where nothing can be seen."""
    look: Array
    """What is seen, in colour, the light taken out: one vector."""
    seen: Array
    """1 for each of its numbers that says something, otherwise 0."""
    lead: float = 1.0
    """How far it is ahead of the title that it is told from worst, 0.5 where it is the card."""
    sure: bool = False
    """Whether it is told from all other titles."""

    @property
    def likeness(self) -> float:
        """The mean correlation of what can be seen, in [0, 1]; 0 if that is less than a sixth."""
        seen = self.cells[np.isfinite(self.cells)]
        return float(np.clip(seen, 0, 1).mean()) if len(seen) > self.cells.size / 6 else 0.0


def _rank(matches: Iterable[CardMatch]) -> list[CardMatch]:
    """Return matches of different titles, the likeliest first.

    Of those that are seen, that is the one that is told best from all others.
    """
    all_laid = list(matches)
    close = _CLOSE * max(match.likeness for match in all_laid)
    return sorted(
        all_laid,
        key=lambda m: (m.sure, m.likeness > close, m.likeness if m.sure else m.lead),
        reverse=True,
    )


class TitleMatcher:
    """Compares pictures with taught cards. It keeps no state between calls."""

    def __init__(
        self,
        cards: Sequence[Image],
        titles: Sequence[str],
        sign: SignPlace | None = None,
        odd: frozenset[int] = frozenset(),
    ) -> None:
        """`cards`: rectified, (h, w, 3) each, of any size; titles: theirs.

        sign: where cards have their sign, by which no title is told. odd: the numbers of cards that
        were cut otherwise than the rest, and so are never sure.
        """
        self._odd = odd
        self._titles = titles
        small = [shrink(card) for card in cards]
        self._rivals = [[n for n, other in enumerate(titles) if other != title] for title in titles]
        self._flat = [local_contrast(card) for card in small]
        histograms = np.stack([_histograms(card) for card in small])
        # What all cards have in common, such as their frame, tells nothing.
        self._usual = histograms.mean(axis=0) if len(cards) > 1 else np.zeros_like(histograms[0])
        self._known = histograms - self._usual
        self._shown = _sign_free_mask(sign)
        self._looks = np.stack([_look(card) for card in small])
        self._squares = self._looks**2
        shown = _number_mask(self._shown)
        products = (self._looks * shown) @ self._looks.T
        own = np.diag(products)
        self._apart = (own[:, None] + own - 2 * products) / max(1.0, float(shown.sum()))

    def matches(self, picture: Image, outline: Outline) -> list[CardMatch]:
        """Return the likeliest cards in an outline of unknown turn, a title once, likeliest first.

        Once one fits well and is sure, no more are tried.
        """
        tries = self._tries(picture, outline)
        found: dict[str, CardMatch] = {}
        for each in tries:
            if found and (len(found) == _TRIED or each.resemblance < _RESEMBLES):
                break
            title = self._titles[each.number]
            if title in found:
                continue
            found[title] = match = self.lay(each.number, picture, each.outline)
            if match.likeness > _FITS and match.sure:
                break
        best, *others = _rank(found.values())
        if best.likeness > LIKE and not best.sure:
            # Another picture of that title may show more of what glare has left.
            title = self._titles[best.number]
            places = {
                t.number: t.outline for t in reversed(tries) if self._titles[t.number] == title
            }
            again = (self.lay(n, picture, places[n]) for n in places if n != best.number)
            best = next((one for one in again if one.sure), best)
        settled = not best.sure
        while not settled:
            beside = list(self._lay_beside(best, picture))
            laid = {self._titles[match.number] for match in beside}
            tried = [match for match in others if self._titles[match.number] not in laid]
            first = best
            best, *others = _rank([best, *beside, *tried])
            settled = best is first
        if best.sure and any(self._contradicts(match, best) for match in others):
            either = sorted((best, *others), key=lambda m: -m.likeness)
            return [match._replace(sure=False) for match in either]
        return [best, *others]

    def _lay_beside(self, best: CardMatch, picture: Image) -> Iterator[CardMatch]:
        """Yield the likeliest cards of other titles, laid where the best one lies, or turned there.

        They may fit better there than where they were tried.
        """
        alike, turned = self._resemblance(rectify_card(picture, best.outline))
        rivals = self._rivals[best.number]
        near = [n for n in rivals if max(alike[n], turned[n]) >= _CLOSE * alike[best.number]]
        for number in sorted(near, key=lambda n: -max(alike[n], turned[n]))[:_TRIED]:
            half = 2 * int(turned[number] > alike[number])
            yield self.lay(number, picture, np.roll(best.outline, half, axis=0))

    def _contradicts(self, other: CardMatch, best: CardMatch) -> bool:
        """Return whether another title may be the card though the best one is sure.

        It fits as well; or hardly worse, and where it was laid, it is told from the best one. What
        fits no title well must not be told from two.
        """
        if other.likeness >= best.likeness or (other.sure and best.likeness <= _FITS):
            return True
        if other.likeness < best.likeness - _CLEARLY:
            return False
        _, ahead = self._leads(other, [best.number])
        return bool(ahead[0] > _AHEAD_THERE)

    def _tries(self, picture: Image, outline: Outline) -> list[_Try]:
        """Return which cards an outline may hold, and how they lie, the likeliest first."""
        tries: list[_Try] = []
        for size in (0.99, 0.95, 0.91):
            # A sleeve is wider than its card.
            middle = outline.mean(axis=0)
            place = middle + (outline - middle) * size
            upright, turned = self._resemblance(rectify_card(picture, place))
            for alike, lying in ((upright, place), (turned, np.roll(place, 2, axis=0))):
                tries += [_Try(float(each), number, lying) for number, each in enumerate(alike)]
        return sorted(tries, key=lambda each: -each.resemblance)

    def _resemblance(self, card: Image) -> tuple[Array, Array]:
        """Return how much each taught card resembles a rectified one, upright and upside down.

        By what can be seen of it.
        """
        seen, histograms = _visible_cells(card), _histograms(card)
        return (
            self._alignments(histograms, seen),
            self._alignments(_turn_half(histograms), seen[::-1, ::-1]),
        )

    def _alignments(self, histograms: npt.NDArray[np.float32], seen: Mask) -> Array:
        """Return the cosine between histograms and those of each taught card."""
        found = ((histograms - self._usual) * seen[..., None]).ravel()
        known = self._known.reshape(len(self._known), -1)
        lengths = np.sqrt((known * known) @ np.repeat(seen.ravel(), _BINS).astype(np.float32))
        return np.asarray(known @ found / (lengths * np.linalg.norm(found) + 1e-6), np.float32)

    def lay(self, number: int, picture: Image, outline: Outline) -> CardMatch:
        """Return a card laid onto the picture from about where it lies."""
        place = outline
        card = rectify_card(picture, place)
        shown = np.where(_burnt_mask(card), 0, 255).astype(np.uint8)
        here = np.eye(3, dtype=np.float32)
        _, found = align(self._flat[number], local_contrast(card), here, 5, shown)
        everywhere = outline_of(SIZE)
        moved = move(everywhere, take_to(everywhere, place) @ found)
        if is_card_shaped(moved):
            place = moved
        flat = rectify_card(picture, place)
        burnt = _burnt_mask(flat)
        cells, seen = self._cells(number, flat, burnt), _number_mask(self._shown & ~burnt)
        match = CardMatch(number, place, cells, _look(flat), seen)
        return self.tell_from(match, self._rivals[number])

    def likeness_at(self, picture: Image, match: CardMatch) -> float:
        """Return the likeness of the card of a match to what another picture shows in its place."""
        flat = rectify_card(picture, match.outline)
        return match._replace(cells=self._cells(match.number, flat, _burnt_mask(flat))).likeness

    def _cells(self, number: int, flat: Image, burnt: Mask) -> Array:
        return _correlations(local_contrast(flat), self._flat[number], ~burnt)

    def tell_from(self, match: CardMatch, rivals: Sequence[int]) -> CardMatch:
        """Return a match that is sure if it is told from these cards of other titles."""
        if not rivals:
            return match._replace(sure=match.likeness > _FITS)
        apart, ahead = self._leads(match, rivals)
        sure = self._can_be_sure(match) and (
            self._is_distinct(match, rivals, apart, ahead)
            and self._is_nearer_than_usual(match, rivals, _AGREE)
        )
        return match._replace(lead=float(ahead.min()), sure=sure)

    def tell_by_sign(self, matches: Sequence[CardMatch], titles: Collection[str]) -> CardMatch:
        """Return the first match, sure if it is told from cards of titles that have its sign.

        matches: as `matches` returns them, the first not sure. titles: those that have the sign
        which is seen on it.
        """
        match, *others = matches
        rivals = self._rivals[match.number]
        near = [number for number in rivals if self._titles[number] in titles]
        sure = (
            bool(rivals)
            and self._titles[match.number] in titles
            and self._can_be_sure(match)
            and all(other.likeness < match.likeness for other in others)
            and self._is_distinct(match, near, *self._leads(match, near))
            and self._is_nearer_than_usual(match, rivals, _AGREE_BY_SIGN)
        )
        return match._replace(sure=sure)

    def _can_be_sure(self, match: CardMatch) -> bool:
        return (
            match.likeness >= LIKE
            and match.number not in self._odd
            and is_card_shaped(match.outline)
        )

    def _is_distinct(
        self, match: CardMatch, rivals: Sequence[int], apart: Array, ahead: Array
    ) -> bool:
        """Return whether what it doesn't share with them tells a match from cards of other titles.

        apart, ahead: as `_leads` returns them.
        """
        whole = self._apart[match.number][rivals]
        shown = max(1.0, float(_number_mask(self._shown).sum()))
        if (whole < _APART).any() or (apart < _SEEN * shown * whole).any():
            return False
        return bool((ahead >= _AHEAD).all())

    def _is_nearer_than_usual(self, match: CardMatch, rivals: Sequence[int], agree: float) -> bool:
        """Return whether a match is nearer to its card than to the mean of these of other titles.

        A title that was never taught isn't. agree: the share of its parts that must be.
        """
        own, look = self._looks[match.number], self._equalise_contrast(match)
        usual = self._looks[rivals].mean(axis=0)
        apart_from_usual = (own - usual) * match.seen
        ahead_of_usual = (look - (own + usual) / 2) @ apart_from_usual
        if ahead_of_usual < _AHEAD * (apart_from_usual @ (own - usual)):
            return False
        # What was cut differently is alike along its rim: most parts of a card must agree.
        parts = _sum_by_part(apart_from_usual * (own - usual))
        ahead_there = _sum_by_part(apart_from_usual * (look - (own + usual) / 2))
        tell = parts > _TELLS * parts.sum()
        return bool((ahead_there > _AHEAD_THERE * parts)[tell].mean() >= agree)

    def _leads(self, match: CardMatch, rivals: Sequence[int]) -> tuple[Array, Array]:
        """Return the distances of a taught card from rivals where the picture shows something.

        And the lead over each: how far the picture is from the middle between the two, 0.5 where it
        is the card.
        """
        own, looks = self._looks[match.number], self._looks[rivals]
        clear = own * match.seen
        energy = float(clear @ own)
        squares = self._squares[rivals] @ match.seen
        apart = energy + squares - 2 * looks @ clear
        look = self._equalise_contrast(match)
        ahead = look @ own - looks @ look - (energy - squares) / 2
        return apart, ahead / np.maximum(apart, 1e-6)

    def _equalise_contrast(self, match: CardMatch) -> Array:
        """Return what a match shows, its contrast as that of the taught card."""
        own, look = self._looks[match.number], match.look * match.seen
        energy = float((own * match.seen) @ own)
        return np.asarray(look / max(look @ own / max(energy, 1e-6), 1e-4), np.float32)


def _sign_free_mask(sign: SignPlace | None) -> Mask:
    """Return where a rectified card shows something else than its sign."""
    beside = np.ones((SIZE[1], SIZE[0]), bool)
    if sign is not None:
        w, h = SIZE
        rows = slice(max(0, round(sign.top * h)), max(0, round((sign.top + sign.height) * h)))
        beside[rows, max(0, round(sign.ranks[0] * w)) : max(0, round(sign.right * w))] = False
    return beside


def _look(card: Image) -> Array:
    """Return a rectified card in colour, the light taken out, as one vector."""
    small = cv2.resize(card, _LOOK, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    colours = small.astype(np.float32)
    around = _AROUND / HALF
    mean = cv2.GaussianBlur(grey, (0, 0), around)
    square = cv2.GaussianBlur(grey * grey, (0, 0), around)
    spread = np.sqrt(np.maximum(square - mean * mean, 0)) + 6
    usual = cv2.GaussianBlur(colours, (0, 0), around)
    return np.asarray(((colours - usual) / spread[..., None]).ravel(), np.float32)


def _sum_by_part(numbers: Array) -> Array:
    """Return the sums of the numbers of a look in each part of a card."""
    look = numbers.reshape(_LOOK[1], _LOOK[0], 3).sum(axis=2)
    rows = np.add.reduceat(look, range(0, _LOOK[1] - 3, _LOOK[1] // _PARTS), axis=0)
    parts = np.add.reduceat(rows, range(0, _LOOK[0], _LOOK[0] // _PARTS), axis=1)
    return np.asarray(parts.ravel(), np.float32)


def _number_mask(which: Mask) -> Array:
    """Return 1 for each number of a look whose pixels are mostly in a mask, otherwise 0."""
    share = cv2.resize(which.astype(np.float32), _LOOK, interpolation=cv2.INTER_AREA)
    return np.repeat((share > 0.6).ravel(), 3).astype(np.float32)


def _histograms(card: Image) -> npt.NDArray[np.float32]:
    """Return how edges run in each part of a rectified card, (_ROWS, _COLUMNS, _BINS)."""
    grey = cv2.GaussianBlur(cv2.cvtColor(card, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)
    right, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    size, turn = cv2.cartToPolar(right, down)
    small = cv2.resize(size, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA)
    usual = cv2.resize(cv2.GaussianBlur(small, (0, 0), 3.0), SIZE)
    # The rim of a burnt spot is no edge of the card.
    size = np.where(_burnt_mask(card), 0, size / (usual + 8))
    place = turn * (_BINS / (2 * np.pi))
    first = np.floor(place)
    part = place - first
    bins = first.astype(np.int32) % _BINS
    shares = np.zeros((*size.shape, _BINS), np.float32)
    starts = _BINS * np.arange(size.size, dtype=np.int32).reshape(size.shape)
    shares.reshape(-1)[starts + bins] = size * (1 - part)
    shares.reshape(-1)[starts + (bins + 1) % _BINS] = size * part
    halves = (np.ascontiguousarray(half) for half in np.split(shares, _BINS // 4, axis=2))
    # OpenCV reduces pictures of four channels at most.
    cells = [
        cv2.GaussianBlur(
            cv2.resize(half, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA), (0, 0), 1.0
        )
        for half in halves
    ]
    return np.asarray(np.sqrt(np.concatenate(cells, axis=2)), np.float32)


def _turn_half(histograms: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the histograms of the same card turned by half a turn."""
    return np.roll(histograms[::-1, ::-1], _BINS // 2, axis=2)


def _burnt_mask(card: Image) -> Mask:
    """Return which pixels are burnt out, or close to one that is."""
    burnt = glare_mask(card)
    return np.asarray(cv2.dilate(burnt, np.ones((5, 5), np.uint8)) > 0)


def _visible_cells(card: Image) -> Mask:
    """Return where its histograms say something, (_ROWS, _COLUMNS): not where it is burnt out."""
    burnt = _burnt_mask(card).astype(np.float32)
    share = cv2.GaussianBlur(burnt, (0, 0), _CELL)
    return cv2.resize(share, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA) < 0.25


def local_contrast(picture: Image, around: float = _AROUND) -> Array:
    """Return a picture in grey, the light taken out: as far from its surroundings' mean."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    mean = cv2.GaussianBlur(grey, (0, 0), around)
    spread = np.sqrt(np.maximum(cv2.GaussianBlur(grey * grey, (0, 0), around) - mean * mean, 0))
    return np.asarray((grey - mean) / (spread + 6), np.float32)


def _correlations(one: Array, other: Array, seen: Mask) -> Array:
    """Return the correlation of two flattened cards in each cell; NaN if under 60 % is seen."""
    rows = np.linspace(0, SIZE[1], CELLS[1] + 1).astype(int)
    columns = np.linspace(0, SIZE[0], CELLS[0] + 1).astype(int)

    def sums(values: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
        by_row = np.add.reduceat(values.astype(np.float64), rows[:-1], axis=0)
        return np.asarray(np.add.reduceat(by_row, columns[:-1], axis=1), np.float64)

    weight = seen.astype(np.float64)
    count = np.maximum(sums(weight), 1)
    x, y = one * weight, other * weight
    covariance = sums(x * y) - sums(x) * sums(y) / count
    spread = (sums(x * x) - sums(x) ** 2 / count) * (sums(y * y) - sums(y) ** 2 / count)
    cells = covariance / (np.sqrt(np.maximum(spread, 0)) + 1e-3 * count)
    whole = sums(np.ones_like(weight))
    return np.asarray(np.where(sums(weight) < 0.6 * whole, np.nan, cells), np.float32)
