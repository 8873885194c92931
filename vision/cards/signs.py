"""Read the sign in the corner of a card: its rank and its suit, as printed for drawing cards.

Where a deck prints its signs, and what they look like, is learned from the taught cards. The ink of
a sign is what differs from the paper around it, so that the light matters little.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np

from vision.cards.sides import Outline, card_size, move, outline_of, shape_of, take_to
from vision.imaging.geometry import Array, Image
from vision.imaging.overlay import align

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""All ranks, from low to high."""
SUITS = ("S", "H", "C", "D")
"""All suits, by their initials: spades, hearts, clubs, diamonds."""
SIGNS = tuple(rank + suit for suit in SUITS for rank in RANKS)

_HEIGHT = 24
"""Pixels of a sign's height when it is read."""
_FLAT = card_size(6)
"""Pixels of the rectified card in which signs are searched while teaching."""
_WIDE, _HIGH = 0.5, 0.24
"""How much of a card's width and height a corner has in which signs are searched while teaching.
Behind a `10`, the suit ends at 0.43 in some decks."""
Corner = tuple[float, float]
"""Where a corner of a card begins, in shares of the card's width and height."""
_CORNERS: tuple[Corner, ...] = (
    (0.0, 1 - _HIGH),
    (1 - _WIDE, 0.0),
    (0.0, 0.0),
    (1 - _WIDE, 1 - _HIGH),
)
"""Bottom left, where most decks have their signs, top right, top left and bottom right."""
_MOST = 0.5
"""The share of a deck's cards that show a sign in the corner that has them."""
_ASKED = 9
"""Cards that tell which corner that is: reading all of them would take as long as all else."""
_ASIDE = 0.9
"""How far left of where a taught card has its suit another may have its own, in heights of the
sign: behind a `10`, the suit stands further right than behind a `7`."""
_BESIDE, _ABOVE = 2.0, 0.4
"""How far a reading looks left and right of a suit's left side, and beyond its top and bottom, in
heights of the sign."""
_LEFT = _ASIDE + _BESIDE
"""How far left of where a taught card has its suit a reading looks, in heights of the sign."""
_SOFTER = tuple(0.8 * step for step in range(5))
"""By how much taught signs are blurred, in pixels, to compare them with a picture out of focus."""
_FIRST = 1
"""Which of them suits are compared with first."""
_BENT, _OFF = 0.2, 5
"""By what share of its size a suit is stretched or slanted at most, and by how many pixels its
place, and the room between it and its rank, differ from those of the taught cards."""
_PALE = 0.15
"""The share of a sign's darkest ink below which there is none."""
_FAR = 1.2
"""How far a sign's row may be from that of the other cards, in heights of the sign."""
_SURE = 0.97
"""The least probability of a sign that is sure. Signs that were misread, of cards far out of focus,
have 0.963 at most."""
_SEEN = 0.8
"""The least correlation of a rank and of a suit that are seen at all."""
_TELL = 9.0, 2.5
"""How much what a rank, or a suit, leaves unexplained tells against it, and how much less for each
pixel of blur: a share `r` makes it `r ** -9` times as likely where the picture is sharp. Chosen by
846 laid cards of 24 drawn decks, each also blurred twice or more: most are sure, none wrong."""
_SHARP, _SCUFFED_TELL = 1.0, (3.3, 0.0)
"""Blurred by more, a club of which a lobe is scuffed off looks like a spade, never the other way
round: how much what a club then leaves tells against it. Such clubs have 0.38 at least of what a
spade leaves."""
_LEAST = 0.005
"""The least share that is left unexplained, of noise alone."""
_OTHER = 0.01
"""The probability that a card has none of the signs that its title is known to have."""


class PrintedSign(NamedTuple):
    """What is printed in the corner of a card."""

    rank: str
    """One of RANKS."""
    suit: str
    """One of SUITS."""

    def __str__(self) -> str:
        """Return both, as in `10S`."""
        return self.rank + self.suit


def parse_sign(text: str) -> PrintedSign:
    """Return the sign that a text such as `10S` or `AH` names. Raises ValueError."""
    if text not in SIGNS:
        raise ValueError(f"{text!r} is no sign: a rank ({', '.join(RANKS)}) and S, H, C or D")
    return PrintedSign(text[:-1], text[-1])


SignChances = Mapping[PrintedSign, float]
"""How likely each sign is; empty where nothing is known."""


def probably_agree(one: SignChances, other: SignChances) -> bool:
    """Return whether two cards more likely have the same sign than not."""
    return _chance_of_same(one, other) > 0.5


def surely_differ(one: SignChances, other: SignChances) -> bool:
    """Return whether two cards surely have different signs; they don't if one isn't known."""
    return bool(one and other) and _chance_of_same(one, other) < 1 - _SURE


def _chance_of_same(one: SignChances, other: SignChances) -> float:
    return sum(chance * other.get(sign, 0.0) for sign, chance in one.items())


class SignReading(NamedTuple):
    """A sign as read, and whether to trust it."""

    sign: PrintedSign
    """The likeliest."""
    ahead: bool
    """Whether it is far ahead of all others that were taught."""
    sure: bool
    """Whether it is, and all ranks and suits were taught."""
    chances: SignChances
    """How likely each sign is; none where it can't be told."""


class SignPlace(NamedTuple):
    """Where a taught card has its sign, in shares of the card's width and height."""

    left: float
    """The left side of the suit."""
    top: float
    """Its top."""
    height: float
    """Its height."""
    ranks: tuple[float, float]
    """From where to where the rank reaches, left and right."""
    rows: tuple[float, float]
    """From where to where it reaches, top and bottom."""
    right: float
    """The right side of the suit."""


def find_signs(cards: Sequence[tuple[Image, PrintedSign | None]]) -> list[SignPlace | None]:
    """Return where rectified cards of one deck have their signs; None where none is found.

    A sign is a suit, and its rank left of it. They are searched in the corner in which most cards
    have one that is like those of their rank and suit, the bottom left first. All cards of a deck
    have it about as high, and about as low.
    """
    first = _find_in_corner(cards, _CORNERS[0])
    if _explained_share(cards, first) > _MOST:
        return first
    others = (_find_in_corner(cards, corner) for corner in _CORNERS[1:])
    return max((first, *others), key=lambda found: _explained_share(cards, found))


def _explained_share(
    cards: Sequence[tuple[Image, PrintedSign | None]], found: Sequence[SignPlace | None]
) -> float:
    """Return about which share of cards show, where it was found, the sign that they should have.

    By all cards: what is no sign isn't alike on those of one suit. Without names, any sign counts.
    """
    seen = sum(place is not None for place in found) / max(1, len(cards))
    placed = [
        (card, sign, place)
        for (card, sign), place in zip(cards, found, strict=True)
        if sign and place
    ]
    if not placed:
        return seen
    reader = SignReader(placed)
    asked = placed[:: -(-len(placed) // _ASKED)]
    read = (reader.read(card, outline_of(card.shape[1::-1]), place) for card, _, place in asked)
    right = [one.sign == sign for one, (_, sign, _) in zip(read, asked, strict=True) if one]
    return seen * sum(right) / len(asked)


def _find_in_corner(
    cards: Sequence[tuple[Image, PrintedSign | None]], corner: Corner
) -> list[SignPlace | None]:
    """Return where cards have their signs in one of _CORNERS; None where none is found there."""
    found = [_likely_places(card, (sign.rank,) if sign else RANKS, corner) for card, sign in cards]
    usual = usual_place([place for places in found for place in places])
    if usual is None:
        return [None] * len(cards)
    # Once more with those that are near the usual one: a few others may have led it astray.
    near = [place for places in found for place in places if _row_distance(place, usual) < 2 * _FAR]
    usual = usual_place(near) or usual
    best = [min(places, key=lambda p: _row_distance(p, usual), default=None) for places in found]
    return [place if place and _row_distance(place, usual) < _FAR else None for place in best]


def find_sign(card: Image, corner: Corner = _CORNERS[0]) -> SignPlace | None:
    """Return where one rectified card seems to have its sign, whatever it is; None if nowhere.

    corner: the one in which cards of its deck have theirs, see `usual_corner`.
    """
    return next(iter(_likely_places(card, RANKS, corner)), None)


def usual_corner(cards: Sequence[Image]) -> Corner:
    """Return in which corner most rectified cards have what looks like a sign, whatever it is.

    The bottom left where there are no cards.
    """
    asked = cards[:_ASKED]

    def shows(corner: Corner) -> int:
        return sum(bool(_likely_places(card, RANKS, corner)) for card in asked)

    return _CORNERS[0] if shows(_CORNERS[0]) >= _MOST * len(asked) else max(_CORNERS, key=shows)


def _row_distance(place: SignPlace, usual: SignPlace) -> float:
    """Return how far a sign's row is from the usual one, in heights of the sign."""
    low, high = place.top + place.height, place.top
    other_low, other_high = usual.top + usual.height, usual.top
    return max(abs(low - other_low), abs(high - other_high)) / usual.height


def _likely_places(card: Image, ranks: Sequence[str], where: Corner) -> list[SignPlace]:
    """Return where a rectified card may have its sign, with one of these ranks, likeliest first.

    where: one of _CORNERS.
    """
    how = cv2.INTER_AREA if card.shape[1] > _FLAT[0] else cv2.INTER_LINEAR
    flat = cv2.resize(card, _FLAT, interpolation=how)
    w, h = _FLAT
    start = (round(where[0] * w), round(where[1] * h))
    end = (start[0] + round(_WIDE * w), start[1] + round(_HIGH * h))
    corner = np.asarray(flat[start[1] : end[1], start[0] : end[0]], np.uint8)
    ink = _ink(corner, 61).mean(axis=2)
    # Thin strokes are pale out of focus, and thick ones merge.
    shares = (0.45, 0.3, 0.2, 0.6)
    return [place for share in shares for place in _signs_in(corner, ink, share, start, ranks)]


def _signs_in(
    corner: Image, ink: Array, share: float, start: tuple[int, int], ranks: Sequence[str]
) -> Iterator[SignPlace]:
    """Yield where a corner may have its sign.

    share: of the darkest ink that counts as ink; start: where the corner begins on the card.
    """
    w, h = _FLAT
    inked = (ink > max(0.1, share * float(np.percentile(ink, 98)))).astype(np.uint8)
    _, _, found, _ = cv2.connectedComponentsWithStats(inked, connectivity=8)
    tall, wide = corner.shape[:2]
    glyphs = [
        (x, y, x + across, y + down)
        for x, y, across, down, area in found[1:].tolist()
        if x > 0 and x + across < wide and y + down < tall
        and 0.025 * h < down < 0.11 * h and area > 0.001 * w * h / 4 and across < 1.6 * down
    ]  # fmt: skip
    for suit in glyphs:
        high = suit[3] - suit[1]
        row = [
            g for g in glyphs
            if 0.55 < (g[3] - g[1]) / high < 1.6
            and min(g[3], suit[3]) - max(g[1], suit[1]) > 0.6 * min(g[3] - g[1], high)
        ]  # fmt: skip
        own = [g for g in row if g[2] <= suit[0] + 0.15 * high and suit[0] - g[0] < 2.1 * high]
        others = [g for g in row if g[0] > suit[2] and g[0] - suit[2] < 0.8 * high]
        if high < 0.035 * h or others or not any(_can_be_rank(rank, own, high) for rank in ranks):
            continue
        left, right = min(g[0] for g in own), max(g[2] for g in own)
        rows = min(g[1] for g in own), max(g[3] for g in own)
        # With its pale hooks and serifs.
        pale = ink[suit[1] : suit[3]].max(axis=0) < _PALE * ink[suit[1] : suit[3]].max()
        while left > 0 and not pale[left - 1]:
            left -= 1
        beside, top = start
        yield SignPlace(
            (beside + suit[0]) / w, (top + suit[1]) / h, high / h,
            ((beside + left) / w, (beside + right) / w),
            ((top + rows[0]) / h, (top + rows[1]) / h), (beside + suit[2]) / w,
        )  # fmt: skip


def _can_be_rank(rank: str, glyphs: Sequence[tuple[int, int, int, int]], high: int) -> bool:
    """Return whether glyphs left of a suit that is so high can be a rank."""
    if rank == "10" and len(glyphs) == 2:
        return True
    # Both digits of a ten may have merged.
    least = 0.7 if rank == "10" else 0.0
    return len(glyphs) == 1 and least * high < glyphs[0][2] - glyphs[0][0] < 1.4 * high


def usual_place(places: Sequence[SignPlace]) -> SignPlace | None:
    """Return where most cards of a deck have their sign; None if there are none."""
    if not places:
        return None
    left, top, height, right = np.median(
        [(p.left, p.top, p.height, p.right) for p in places], axis=0
    )
    ranks, rows = np.median([(p.ranks, p.rows) for p in places], axis=0)
    return SignPlace(left, top, height, (ranks[0], ranks[1]), (rows[0], rows[1]), right)


class SignReader:
    """Compares signs with taught ones. It keeps no state between calls."""

    def __init__(self, cards: Sequence[tuple[Image, PrintedSign, SignPlace]]) -> None:
        """`cards`: rectified, with their signs and where these are."""
        ranks: dict[str, list[Array]] = {}
        suits: dict[str, list[Array]] = {}
        gaps: list[int] = []
        for card, sign, place in cards:
            h, w = card.shape[:2]
            ink = _sign_ink(card, outline_of((w, h)), place)
            unit = _HEIGHT / (place.height * h) * w
            middle, top = round(_LEFT * _HEIGHT), round(_ABOVE * _HEIGHT)
            left, right = (middle + round((x - place.left) * unit) for x in place.ranks)
            end = middle + round((place.right - place.left) * unit)
            rows = slice(max(0, top - 2), top + _HEIGHT + 2)
            # With the paper left of it: a J isn't the end of a 10.
            high, low = (top + round((y - place.top) / place.height * _HEIGHT) for y in place.rows)
            rank_rows = slice(max(0, min(top, high) - 2), max(top + _HEIGHT, low) + 2)
            rank = ink[rank_rows, max(0, left - _HEIGHT // 3) : right + 2, :2].mean(axis=2)
            ranks.setdefault(sign.rank, []).append(np.asarray(rank, np.float32))
            gaps.append(middle - right)
            suits.setdefault(sign.suit, []).append(ink[rows, middle - 2 : end + 2])
        self._ranks = {rank: _blurred_means(seen) for rank, seen in ranks.items()}
        self._suits = {suit: _blurred_means(seen) for suit, seen in suits.items()}
        # What was never taught may look like anything that was.
        self._complete = self._ranks.keys() >= set(RANKS) and self._suits.keys() >= set(SUITS)
        self._gaps = (min(gaps, default=0) - _OFF, max(gaps, default=0) + _OFF)

    def read(
        self,
        picture: Image,
        outline: Outline,
        place: SignPlace,
        known: Collection[PrintedSign] = (),
    ) -> SignReading | None:
        """Return the sign of a card; None if nothing was taught.

        outline: where the card lies; place: where the taught card has its sign that it matches;
        known: the signs that cards of its title have, if that is known.
        """
        if not self._ranks:
            return None
        ranks, suits, soft = self._compare(picture, outline, place)
        rank_chances = _chances(ranks, _TELL, soft)
        suit_chances = _chances(suits, _TELL, soft)
        if soft > _SHARP and suits.keys() >= {"S", "C"}:
            scuffed = _chances(suits, _SCUFFED_TELL, soft)
            least = suit_chances["S"] * scuffed["C"] / scuffed["S"]
            suit_chances["C"] = max(suit_chances["C"], least)
        chances = {}
        for rank, suit in product(rank_chances, suit_chances):
            sign = PrintedSign(rank, suit)
            usual = 1 / len(known) if sign in known else 0.0 if known else 1.0
            prior = (1 - _OTHER) * usual + _OTHER / len(SIGNS)
            chances[sign] = prior * rank_chances[rank] * suit_chances[suit]
        best = max(chances, key=chances.__getitem__)
        seen = ranks[best.rank] > _SEEN and suits[best.suit] > _SEEN
        whole = sum(chances.values())
        shares = {sign: chance / whole for sign, chance in chances.items()}
        ahead = seen and shares[best] > _SURE
        told = shares if seen and self._complete else {}
        return SignReading(best, ahead, ahead and self._complete, told)

    def sees(self, picture: Image, outline: Outline, place: SignPlace) -> bool:
        """Return whether there is any taught rank and any taught suit."""
        if not self._ranks:
            return False
        ranks, suits, _ = self._compare(picture, outline, place)
        return min(max(ranks.values()), max(suits.values())) > _SEEN

    def _compare(
        self, picture: Image, outline: Outline, place: SignPlace
    ) -> tuple[Mapping[str, float], Mapping[str, float], float]:
        """Return the likeness of each rank and of each suit, and how blurred the suit is."""
        ink = _sign_ink(picture, outline, place)
        first = round(_BESIDE * _HEIGHT)
        suits, soft = _likeness(np.ascontiguousarray(ink[:, first:]), self._suits, _FIRST)
        suit, there = max(suits.items(), key=lambda one: one[1])
        there = there._replace(left=first + there.left)
        # Ranks are thinner than suits: the suit tells how focus and a bend change both.
        flat = _straighten(ink[..., :2].mean(axis=2), self._suits[suit][soft], there)
        start = there.left + 2
        ends = (start - self._gaps[1], start - self._gaps[0])
        ranks, _ = _likeness(flat, self._ranks, soft, ends)
        return _scores(ranks), _scores(suits), _SOFTER[soft]


class _Likeness(NamedTuple):
    """How well a glyph fits where it fits best."""

    score: float
    """The correlation."""
    left: int
    """Where it begins, pixels."""
    top: int
    """The same downwards."""


def _scores(likeness: Mapping[str, _Likeness]) -> Mapping[str, float]:
    return {name: one.score for name, one in likeness.items()}


def _blurred_means(seen: Sequence[Array]) -> list[Array]:
    """Return the mean of what was seen of a glyph, as blurred as _SOFTER says."""
    width, height = np.median([ink.shape[1::-1] for ink in seen], axis=0).round().astype(int)
    mean = np.mean([cv2.resize(ink, (int(width), int(height))) for ink in seen], axis=0)
    return [_blur(np.asarray(mean, np.float32), size) for size in _SOFTER]


def _blur(ink: Array, size: float) -> Array:
    return ink if size == 0 else np.asarray(cv2.GaussianBlur(ink, (0, 0), size), np.float32)


def _chances(
    likeness: Mapping[str, float], tells: tuple[float, float], soft: float
) -> dict[str, float]:
    """Return how likely each glyph makes what is seen, up to a factor, as blurred as it is."""
    power = tells[0] - tells[1] * soft
    return {name: max(_LEAST, 1 - score) ** -power for name, score in likeness.items()}


def _likeness(
    ink: Array,
    known: Mapping[str, Sequence[Array]],
    first: int,
    ends: tuple[int, int] | None = None,
) -> tuple[dict[str, _Likeness], int]:
    """Return how well each glyph fits into a picture of ink, and how blurred that is.

    first: which of _SOFTER is compared first; ends: from which to which column their right sides
    may be; None: anywhere.
    """

    def fits(names: Iterable[str], soft: int) -> dict[str, _Likeness]:
        return {name: _best_fit(ink, known[name][soft], ends) for name in names}

    found = fits(known, first)
    # A picture is as much out of focus for one glyph as for the next.
    likeliest = sorted(found, key=found.__getitem__, reverse=True)[:2]
    soft, highest = first, found[likeliest[0]]
    for other in (*range(first + 1, len(_SOFTER)), *range(first - 1, -1, -1)):
        if abs(other - soft) == 1:
            fit = max(fits(likeliest, other).values())
            soft, highest = (other, fit) if fit > highest else (soft, highest)
    return (found if soft == first else fits(known, soft)), soft


def _best_fit(ink: Array, glyph: Array, ends: tuple[int, int] | None) -> _Likeness:
    # With two columns of paper beyond the right side, see `SignReader`.
    width = glyph.shape[1]
    first = 0 if ends is None else max(0, ends[0] + 2 - width)
    last = ink.shape[1] if ends is None else min(ink.shape[1], ends[1] + 2)
    if glyph.shape[0] > ink.shape[0] or last - first < width:
        return _Likeness(0.0, first, 0)
    fits = np.asarray(
        cv2.matchTemplate(ink[:, first:last], glyph, cv2.TM_CCOEFF_NORMED), np.float32
    )
    _, score, _, (left, top) = cv2.minMaxLoc(fits)
    peak = score + _peak_rise(fits[top], left) + _peak_rise(fits[:, left], top)
    return _Likeness(min(1.0, peak), first + int(left), int(top))


def _peak_rise(row: Array, at: int) -> float:
    """Return the height of a row's peak between two pixels above that on a pixel.

    That of the parabola through three of them: no glyph lies exactly on pixels.
    """
    if not 0 < at < len(row) - 1:
        return 0.0
    before, highest, after = (float(number) for number in row[at - 1 : at + 2])
    return (after - before) ** 2 / max(8 * (2 * highest - before - after), 1e-6)


def _straighten(ink: Array, suit: Array, there: _Likeness) -> Array:
    """Return ink (h, w) with the suit as tall, as wide and as upright as the taught one."""
    ink = np.asarray(ink, np.float32)
    start = np.array([(1, 0, there.left), (0, 1, there.top)], np.float32)
    _, warp = align(suit.mean(axis=2), ink, start, 1)
    off = abs(warp - start)
    if off[:, :2].max() > _BENT or off[:, 2].max() > _OFF:
        return ink
    # The suit stays where it was found.
    warp[:, 2] -= warp[:, :2] @ start[:, 2]
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpAffine(ink, warp, ink.shape[1::-1], flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.float32)


def _sign_ink(picture: Image, outline: Outline, place: SignPlace) -> Array:
    """Return the ink (h, w, 3) around a sign, _HEIGHT pixels high, its suit's left at _LEFT."""
    # As long a way across the card as along it.
    across = place.height / shape_of(outline)
    left, right = place.left - _LEFT * across, place.left + _BESIDE * across
    top, bottom = place.top - _ABOVE * place.height, place.top + (1 + _ABOVE) * place.height
    size = (round((_LEFT + _BESIDE) * _HEIGHT), round((1 + 2 * _ABOVE) * _HEIGHT))
    window = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    matrix = take_to(move(window, take_to(outline_of((1, 1)), outline)), outline_of(size))
    flat = cv2.warpPerspective(
        picture, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return _ink(np.asarray(flat, np.uint8), 41)


def _ink(paper: Image, around: int) -> Array:
    """Return how much darker each channel is than the paper around, (h, w, 3), in [0, 1]."""
    usual = cv2.medianBlur(paper, around).astype(np.float32)
    return np.asarray(np.clip((usual - paper) / (usual + 20), 0, 1), np.float32)
