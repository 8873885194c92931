"""Reads the cards that are laid in the tray, with the deck in use."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from companion.base.listeners import Listeners
from companion.table.surface.cards.state import PILE_MOVING, PileObservation, PileState
from companion.table.surface.cards.surface import NamedCard
from vision.cards.capture import is_unchanged
from vision.cards.deck import PICTURE, TaughtDeck
from vision.cards.follow import CardFollower
from vision.cards.reader import CardReader
from vision.cards.reading import UNREAD, CardReading, PileVerdict
from vision.cards.sides import Outline
from vision.cards.signs import PrintedSign, parse_sign
from vision.cards.titles import rectify_card
from vision.imaging.geometry import Image

REMEMBERED = 24
"""Pictures of cards that a correction may still be learned from, the newest."""


class PileReader:
    """The table's reader of cards, whose deck can change while it runs. Any thread may call."""

    def __init__(
        self,
        deck: TaughtDeck | None = None,
        signs: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Read cards of a deck; None: no card is read until one is in use.

        signs: those of each title's copies, by title, if that is known.
        """
        self._deck, self._signs = deck, signs
        self._lock = threading.Lock()
        self._reader: CardReader | None = None
        self.listeners = Listeners()
        """Told whenever another deck comes into use."""
        self._pictures: OrderedDict[int, Image] = OrderedDict()
        self._named: list[NamedCard] = []
        self._number = 0

    @property
    def deck(self) -> TaughtDeck | None:
        """The deck in use, with what was learned of it; None if there is none."""
        return self._deck

    def use(self, deck: TaughtDeck | None) -> None:
        """Read another deck from now on; None: no card is read."""
        with self._lock:
            self._deck, self._reader = deck, None
        self.listeners.tell()

    def know(self, deck: TaughtDeck) -> None:
        """Take over what was learned of the deck in use, once its reader is built."""
        reader = CardReader(deck, self._signs)
        with self._lock:
            if self._deck is not None and self._deck.name == deck.name:
                self._deck, self._reader = deck, reader

    def read(self, picture: Image, before: Image, top: Outline | None = None) -> CardReading:
        """Return what was laid since the picture before, as `vision.cards.reader.CardReader` does.

        Nothing is read without a deck.
        """
        reader = self.prepare()
        if reader is None:
            return CardReading(PileVerdict.NONE)
        return reader.read(picture, before, top)

    def shows(self, picture: Image, card: CardReading) -> bool:
        """Return whether a picture surely shows a card that was read, as `CardReader` does."""
        reader = self.prepare()
        return reader is not None and reader.shows(picture, card)

    def is_empty(self, picture: Image) -> bool:
        """Return whether a picture shows no card, as `CardReader` does."""
        reader = self.prepare()
        return reader is not None and reader.is_empty(picture)

    def name(self, card: NamedCard) -> None:
        """Let the pile be followed by what players said of a card that lies there."""
        with self._lock:
            self._named.append(card)

    def take_named(self) -> list[tuple[NamedCard, PrintedSign | None]]:
        """Return the cards named since the last call, each with its sign if that is sure."""
        with self._lock:
            named, self._named = self._named, []
        return [(card, self._sign_of(card)) for card in named]

    def _sign_of(self, card: NamedCard) -> PrintedSign | None:
        if card.sign is not None:
            return parse_sign(card.sign)
        picture, reader = self.picture(card.number), self.prepare()
        if picture is None or reader is None or card.title is None:
            return None
        return reader.sign_of(picture, card.title)

    def prepare(self) -> CardReader | None:
        """Learn the deck in use, if that isn't done; None if there is none. It takes a second."""
        with self._lock:
            if self._reader is None and self._deck is not None:
                self._reader = CardReader(self._deck, self._signs)
            return self._reader

    def remember(self, picture: Image) -> int:
        """Keep the picture of a card that was read, and return its number."""
        with self._lock:
            self._number += 1
            self._pictures[self._number] = picture
            if len(self._pictures) > REMEMBERED:
                self._pictures.popitem(last=False)
            return self._number

    def pictures(self) -> dict[int, Image]:
        """Return the pictures of the cards that were read last, by their numbers."""
        with self._lock:
            return dict(self._pictures)

    def picture(self, number: int) -> Image | None:
        """Return the picture of a card that was read, as a deck keeps it; None if it is gone."""
        with self._lock:
            return self._pictures.get(number)


class PileFollower:
    """Follows the cards of a `PileReader` from frame to frame. Not for two threads at a time."""

    def __init__(self, reader: PileReader, state: Callable[[], PileState]) -> None:
        """Begin with the pile as the first frames show it; `state`: what the table knows of it."""
        self._reader, self._state = reader, state
        self._taken = state().taken_as_is
        self._begin()

    def _begin(self) -> None:
        reader = self._reader
        self._follower = CardFollower(self._read, reader.read, reader.shows, reader.is_empty)
        self._cards: dict[int, int] = {}
        self._reads = False
        self._first: Image | None = None
        self._doubted: Image | None = None

    def update(self, frame: Image, at: float) -> PileObservation | None:
        """Return what one more frame changes; `at`: when it was taken, in seconds.

        Nothing while no deck is in use. The first frame of a deck takes a second more.
        """
        if self._reader.deck is None:
            if self._reads:
                self._begin()
            return None
        self._reads = True
        # Now, not once a card lies there: players wait for that one.
        self._reader.prepare()
        taken = self._state().taken_as_is
        if taken != self._taken:
            self._taken = taken
            self._follower.take_as_is()
        for card, named_sign in self._reader.take_named():
            if card.number in self._cards:
                self._follower.name_card(self._cards[card.number], card.title, named_sign)
        change = self._follower.update(frame, at)
        if change is None:
            return None
        reading = change.reading
        if reading is None:
            return PILE_MOVING
        number = 0
        if reading.likely and reading.outline is not None:
            number = self._reader.remember(rectify_card(frame, reading.outline, PICTURE))
            self._cards[number] = reading.number
        sign = None if reading.sign is None else str(reading.sign)
        return PileObservation(
            reading.verdict, reading.likely, sign, reading.sign_sure, number=number
        )

    def _read(self, picture: Image, before: Image, top: Outline | None) -> CardReading:
        """Return what was laid since the picture before; top: as `CardReader.read` takes it.

        Where the whole pile was taken away, to be shuffled, no single card has changed. If the tray
        then looks as it did at first, nothing lies there; otherwise, the next card is compared with
        what lies there now.
        """
        if self._first is None:
            self._first = before
        reading = self._reader.read(picture, before, top)
        doubted, self._doubted = self._doubted, None
        if doubted is not None and reading.verdict is not PileVerdict.OK:
            again = self._reader.read(picture, doubted, top)
            if again.verdict is PileVerdict.OK:
                return again
        if reading.verdict not in UNREAD:
            return reading
        if is_unchanged(self._first, picture):
            self._follower.forget_cards()
            return CardReading(PileVerdict.MOVED)
        if reading.verdict is PileVerdict.BLOCKED or self._state().lifting:
            self._doubted = picture
        return reading
