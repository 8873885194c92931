"""What players do with the real cards now: one sentence each, told and never confirmed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from companion.games.cards.rules.events import (
    CardEvent,
    CardFlipped,
    CardPlayed,
    Discarded,
    Drawn,
    DrawnFromPile,
    DynamitePassed,
    Inherited,
    Occasion,
    Removed,
    SecondShown,
    Shuffled,
    Taken,
    is_share,
)
from companion.games.cards.rules.moves import HAND
from companion.games.cards.rules.titles import Title
from companion.games.cards.terms import CardTerms
from companion.games.cards.terms.telling import drop_double_stops
from companion.games.cards.terms.words import Told
from companion.games.common.events import Eliminated
from companion.table.history import Retitled, Undone
from companion.table.views import TableView
from web.games.cards import recount
from web.games.cards.board import names_of, terms_of
from web.games.cards.laid import is_watched
from web.games.cards.story import last_move

LOOKS = "kit_carlson"
"""The character who looks at more cards than they draw."""


def lines(view: TableView) -> tuple[str, ...]:
    """Return what the last move asks players to do with the real cards, as its reader is told."""
    last = last_move(view)
    if isinstance(last.undone, Undone):
        return (_put_back(view),)
    assert view.standing is not None
    if isinstance(last.undone, Retitled):
        # Another card may have drawn or taken more of them, or fewer.
        holds = view.seat is not None and view.standing.alive[view.seat]
        return (recount.hand(view),) if holds else ()
    characters = [player.character for player in view.game.players]
    helper = Helper(view.seat, view.standing.turn, names_of(view), terms_of(view), characters)
    events = last.events
    told = tuple(map(drop_double_stops, helper.tell([*_still_to_do(view, events)])))
    if events and len(events) == len(view.story):
        # Nobody has played yet: the hands are dealt before the first turn.
        told = (terms_of(view).help.deal, *told)
    if view.deck_check and any(isinstance(event, Shuffled) for event in events):
        return *told, *filter(None, [recount.twice(view, view.deck_check)])
    return told


def _still_to_do(view: TableView, events: Sequence[CardEvent]) -> Iterator[CardEvent]:
    """Yield events without the cards that the camera has seen on the pile since."""
    owing = Counter(each.seat for each in view.pile.owed if each.move >= view.latest)
    for event in events:
        if is_watched(view) and isinstance(event, Discarded | Removed | CardFlipped):
            # Once several cards are laid at once, nobody knows whose are left.
            left = owing[event.seat] + owing[None]
            if not left:
                continue
            if isinstance(event, Discarded):
                event = replace(event, count=min(event.count, left))
        yield event


def _put_back(view: TableView) -> str:
    """Return where the cards were before the move that was undone: more than one may have moved."""
    told, game = terms_of(view).help.put_back, view.game
    if view.seat is None:
        return told.others.format(deck=game.deck, pile=game.discard)
    hand = game.players[view.seat].hand
    return told.own.format(hand=hand, deck=game.deck, pile=game.discard)


class Helper:
    """Puts into words what players do, for one reader."""

    def __init__(
        self,
        reader: int | None,
        turn: int,
        names: Sequence[str],
        words: CardTerms,
        characters: Sequence[str],
    ) -> None:
        """`reader`: the seat of who reads it, None for everybody; `turn`: whose turn it is."""
        self._reader, self._turn, self._names, self._words = reader, turn, names, words
        self._characters = characters

    def tell(self, events: Sequence[CardEvent]) -> Iterator[str]:
        """Yield a sentence for each event that moves real cards."""
        help, fallen = self._words.help, ""
        events = _in_order(events)
        for event in events:
            match event:
                case Eliminated(seat):
                    fallen = self._names[seat]
                case CardPlayed(seat, Title.GENERAL_STORE):
                    # Everybody draws one, whatever it is.
                    shares = [one for one in events if is_share(one)]
                    yield help.store.format(who=self._names[seat], cards=self._cards(len(shares)))
                case Drawn(_, _, Occasion.TURN) if any(isinstance(e, SecondShown) for e in events):
                    # Its player has drawn both to show the second one.
                    pass
                case Drawn(occasion=Occasion.STORE):
                    pass
                case Drawn():
                    yield self._tell_draw(event, fallen)
                case Discarded(seat, _, Occasion.PENALTY):
                    yield self._say(help.penalty, seat, whom=fallen)
                case Discarded(seat, _, Occasion.OUT):
                    yield self._say(help.lay_all, seat)
                case Discarded(seat, count):
                    yield self._say(help.lay, seat, cards=self._cards(count))
                case DrawnFromPile(seat):
                    yield self._say(help.draw_from_pile, seat)
                case Taken():
                    yield self._tell_take(event)
                case Removed():
                    yield self._tell_removal(event)
                case CardFlipped(seat, _, Title.JAIL) | CardFlipped(seat, _, Title.DYNAMITE, True):
                    yield self._tell_discard(seat, event.card)
                case DynamitePassed(_, target):
                    yield help.pass_dynamite.format(whom=self._names[target])
                case Shuffled(count):
                    yield help.shuffle.format(cards=self._cards(count))
                case Inherited(seat, source):
                    yield self._say(help.inherit, seat, whom=self._names[source])

    def _say(self, told: Told, seat: int, **particulars: Any) -> str:
        sentence = told.own if seat == self._reader else told.others
        return sentence.format(**{"who": self._names[seat], **particulars})

    def _cards(self, count: int) -> str:
        return self._words.quantity(count, self._words.card)

    def _tell_draw(self, event: Drawn, fallen: str) -> str:
        help, cards = self._words.help, self._cards(event.count)
        if event.occasion is Occasion.REWARD:
            return self._say(help.reward, event.seat, cards=cards, whom=fallen)
        if event.occasion is Occasion.TURN and self._characters[event.seat] == LOOKS:
            return self._say(help.look, event.seat)
        return self._say(help.draw, event.seat, cards=cards)

    def _tell_take(self, event: Taken) -> str:
        help, whom = self._words.help, self._names[event.source]
        if event.take != HAND:
            card = self._words.cards[Title(event.take)].name
            told = help.take_back if event.seat == event.source else help.take
            return self._say(told, event.seat, whom=whom, card=card)
        cards = self._cards(event.count)
        if event.source == self._reader:
            return help.pulled_from.format(who=self._names[event.seat], cards=cards)
        return self._say(help.pull, event.seat, whom=whom, cards=cards)

    def _tell_removal(self, event: Removed) -> str:
        if event.take != HAND:
            return self._tell_discard(event.seat, Title(event.take))
        who, whom = self._names[self._turn], self._names[event.seat]
        return self._say(self._words.help.pulled_onto_pile, event.seat, who=who, whom=whom)

    def _tell_discard(self, seat: int, title: Title) -> str:
        card = self._words.cards[title].name
        return self._say(self._words.help.onto_pile, seat, whom=self._names[seat], card=card)


def _in_order(events: Sequence[CardEvent]) -> Sequence[CardEvent]:
    """Return events as people see them: the deck is shuffled once its last card is drawn."""
    ordered = list(events)
    for place, (event, following) in enumerate(pairwise(events)):
        if isinstance(event, Shuffled) and isinstance(following, Drawn):
            ordered[place : place + 2] = following, event
    return ordered
