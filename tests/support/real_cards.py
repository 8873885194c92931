"""Real cards: 80 of them in a deck, in hands, in front of players and on the pile in the tray.

People hold them, and the companion knows no hand. They lay what they play into the drawn tray, a
camera sees it as frames, and what the table makes of that must agree with the cards, to the last.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from card_rooms import ToldRoom

from companion.app.cameras import card_copies
from companion.games.cards.rules import claims, events
from companion.games.cards.rules.deck import KINDS, TARGETED, Border
from companion.games.cards.rules.moves import HAND, CardMove, Draw, End, Flip, Pass, Play, Regain
from companion.games.cards.rules.state import CardState, TurnPhase
from companion.games.cards.rules.titles import Title
from companion.games.common.events import TurnBegan
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PileStatus

Card = tuple[str, str]
"""Title and sign."""

CARDS: tuple[Card, ...] = card_copies()

PLAYED_FIRST = (Title.BANG, Title.GATLING, Title.INDIANS, Title.DUEL)
"""What players play before anything else, so that games end."""


class RealCards:
    """The cards and the people who hold them. `chance` shuffles, deals and decides."""

    def __init__(
        self, room: ToldRoom, chance: random.Random, cards: Sequence[Card] = CARDS
    ) -> None:
        self.room, self.chance = room, chance
        self.deck = list(cards)
        chance.shuffle(self.deck)
        self.pile: list[Card] = []
        self.in_play: list[list[Card]] = [[] for _ in room.state.hands]
        self.hands = [[self.deck.pop() for _ in range(count)] for count in room.state.hands]
        self.touches: Counter[str] = Counter()
        self.laid, self.turns, self.followed = 0, 1, 1
        self._ahead: list[Card] = []
        self.discarded = 0
        self.check()

    def play(self, most: int = 3000) -> None:
        """Play to the end, or so many decisions."""
        for _ in range(most):
            state = self.room.state
            if state.result is not None:
                return
            self.decide(state)
            self.check()

    def check(self) -> None:
        """Hold what lies and is held against what the companion counts."""
        state = self.room.state
        assert [len(hand) for hand in self.hands] == list(state.hands)
        assert (len(self.deck), len(self.pile)) == (state.deck, len(state.pile))
        in_play = [sorted(title for title, _ in cards) for cards in self.in_play]
        assert in_play == [sorted(titles) for titles in state.in_play]

    # Deciding

    def decide(self, state: CardState) -> None:
        """Let the awaited player do something that their cards allow."""
        seat, chance = state.awaited, self.chance
        assert seat is not None
        trader = claims.regainer(state)
        # One of the two cards may have been thrown in early.
        if trader is not None and chance.random() < 0.1 and len(self.hands[trader]) > 1:
            return self.tap(Regain(trader), state)
        if state.open:
            held = [title for title in claims.answers(state) if self.holds(seat, title)]
            if claims.may_flip(state) and (not held or chance.random() < 0.5):
                return self.flip(state)
            if held:
                return self.lay(Play(seat, held[0]), state)
            return self.press("red", Pass(seat), state)
        if state.phase is TurnPhase.DRAW:
            if claims.shows_second(state):
                return self.show_second(state)
            return self.tap(Draw(seat, chance.choice(claims.sources(state))), state)
        move = self.choose(seat, state)
        if move is None:
            return self.end(seat, state)
        return self.lay(move, state)

    def holds(self, seat: int, title: str) -> bool:
        return any(each == title for each, _ in self.hands[seat])

    def choose(self, seat: int, state: CardState) -> Play | None:
        """Return a card to play on one's own turn; None to end it."""
        claimed = claims.plays(state)
        held = [title for title in claimed if self.holds(seat, title)]
        if state.life[seat] >= state.setup.max_life[seat]:
            held = [title for title in held if title not in (Title.BEER, Title.SALOON)]
        self.chance.shuffle(held)
        held.sort(key=lambda title: title not in PLAYED_FIRST)
        for title in held:
            found = claimed[title]
            if title not in TARGETED:
                return Play(seat, title)
            # Nobody shoots at themselves, nor takes from themselves.
            others = [one for one in found if one != seat]
            if others:
                target = self.chance.choice(others)
                take = (
                    self.chance.choice(claims.takes(state, target)) if KINDS[title].takes else None
                )
                return Play(seat, title, target, take)
        return None

    # Making moves

    def lay(self, move: Play, state: CardState) -> None:
        """Lay the card of a move; tap what the companion can't know."""
        card = self.take_from_hand(move.seat, move.card)
        self.put(card)
        if self.room.pile.status is PileStatus.UNSURE:
            self.touches["titles"] += 1
            self.room.name(move.card)
        if self.room.pile.status is PileStatus.CHOOSE:
            assert self.room.state == state
            self.touches["targets"] += 1
            self.aim(move, state)
        self.made(move, state)

    def aim(self, move: Play, state: CardState) -> None:
        """Tap whom a card is for; one that is plainly the last of a turn ends it with the same tap.

        That is offered if its player then holds no more cards than they may keep.
        """
        seat = move.seat
        offered = not (state.open or KINDS[move.card].takes) and (
            state.hands[seat] - 1 <= state.life[seat]
        )
        if offered and self.choose(seat, replace(state, bangs=state.bangs + 1)) is None:
            self.room.tap_last(move)
        else:
            self.room.tap(move)

    def flip(self, state: CardState) -> None:
        """Flip as many cards as it takes, and tap what the companion can't read."""
        for _ in range(claims.flips(state)):
            self.flip_one()
        if self.room.pile.status is PileStatus.CHOOSE:
            self.touches["choices"] += 1
            self.room.tap(self.room.pile.moves[0])
        move = self.room.history.moments[self.followed].move
        assert isinstance(move, Flip)
        self.made(move, state)

    def flip_one(self) -> None:
        card = self.draw_one()
        self.put(card)
        if self.room.pile.may_be_flipped:
            self.touches["draw"] += 1
            self.room.draw()
        if self.room.pile.status is PileStatus.SIGN_UNSURE:
            self.touches["signs"] += 1
            self.room.name_sign(card[1])

    def show_second(self, state: CardState) -> None:
        """Draw a card, and show the second one in the tray before it is taken, too."""
        self._ahead = [self.draw_one()]
        self.flip_one()
        self._ahead.append(self.take_back())
        move = self.room.history.moments[self.followed].move
        assert isinstance(move, Draw)
        self.made(move, state)

    def tap(self, move: CardMove, state: CardState) -> None:
        self.touches["decisions"] += 1
        self.room.tap(move)
        self.made(move, state)

    def end(self, seat: int, state: CardState) -> None:
        """End a turn; cards beyond the limit are laid first, once that was said."""
        beyond = claims.excess(state)
        if not beyond or self.discards_later():
            return self.press("green", End(seat), state)
        self.touches["discarding"] += 1
        self.room.do(laying.discard)
        for _ in range(beyond):
            RealCards.put(self, self.taken(seat, HAND))
        self.discarded = beyond
        return self.made(End(seat), state)

    def discards_later(self) -> bool:
        """Whether a player ends the turn first, and then discards."""
        return self.chance.random() < 0.5

    def press(self, colour: str, move: CardMove, state: CardState) -> None:
        self.touches[colour] += 1
        table = self.room.table
        (table.press_red if colour == "red" else table.press_green)()
        self.made(move, state)

    # What follows from them

    def made(self, move: CardMove, before: CardState) -> None:
        """Let people do with their cards what follows from a move, in order."""
        assert self.room.history.moments[self.followed].move == move, (move, self.room.pile)
        self.carry_out(move)
        assert self._ahead == []
        assert not self.room.pile.owed, (move, self.room.pile)

    def carry_out(self, move: CardMove) -> None:
        """Move the cards as a move and all that the table made since say."""
        moments = self.room.history.moments
        if isinstance(move, Play) and KINDS[move.card].border is Border.BLUE:
            owner = move.seat if move.target is None else move.target
            self.in_play[owner].append(self.take_back())
        while self.followed < len(moments):
            self.followed += 1
            for event in moments[self.followed - 1].state.events:
                self.follow(event)

    def take_back(self) -> Card:
        """Take the topmost card off the pile."""
        self.room.take_off()
        return self.pile.pop()

    def follow(self, event: events.CardEvent) -> None:
        match event:
            case TurnBegan():
                self.turns += 1
            case events.Drawn(seat, count):
                self.hands[seat] += [self.next_card() for _ in range(count)]
            case events.SecondShown(seat):
                self.hands[seat].append(self.next_card())
            case events.DrawnFromPile(seat):
                self.hands[seat].append(self.take_back())
            case events.Taken(seat, source, take, count):
                for _ in range(count):
                    self.hands[seat].append(self.taken(source, take))
            case events.Removed(seat, take):
                self.put_aside(self.taken(seat, take))
            case events.Discarded(seat, count, occasion):
                self.discard(seat, count, occasion)
            case events.CardFlipped(seat, _, Title.JAIL):
                self.put_aside(self.taken(seat, Title.JAIL))
            case events.CardFlipped(seat, _, Title.DYNAMITE, True):
                self.put_aside(self.taken(seat, Title.DYNAMITE))
            case events.DynamitePassed(seat, target):
                self.in_play[target].append(self.taken(seat, Title.DYNAMITE))
            case events.Inherited(seat, source):
                self.hands[seat] += self.hands[source] + self.in_play[source]
                self.hands[source], self.in_play[source] = [], []

    def discard(self, seat: int, count: int, occasion: events.Occasion) -> None:
        if self.discarded:
            self.discarded = 0
            return
        cards: list[Card] = []
        if occasion in (events.Occasion.OUT, events.Occasion.PENALTY):
            cards, self.in_play[seat] = self.in_play[seat], []
        while len(cards) < count:
            cards.append(self.taken(seat, HAND))
        for card in cards:
            self.put_aside(card)

    def taken(self, seat: int, take: str) -> Card:
        """Take a card in play by its title, or a random one from a hand."""
        cards = self.hands[seat] if take == HAND else self.in_play[seat]
        found = [n for n, (title, _) in enumerate(cards) if take in (HAND, title)]
        return cards.pop(self.chance.choice(found))

    def take_from_hand(self, seat: int, title: str) -> Card:
        hand = self.hands[seat]
        return hand.pop(next(n for n, (each, _) in enumerate(hand) if each == title))

    # Deck and pile

    def next_card(self) -> Card:
        return self._ahead.pop(0) if self._ahead else self.draw_one()

    def draw_one(self) -> Card:
        card = self.deck.pop()
        self.shuffle_if_empty()
        return card

    def put(self, card: Card) -> None:
        self.laid += 1
        self.pile.append(card)
        title, sign = card
        self.room.lay(title, sign=sign)
        self.shuffle_if_empty()

    def put_aside(self, card: Card) -> None:
        """Lay a card that is no move; tap so where it could be one."""
        self.put(card)
        if self.room.pile.may_be_owed:
            self.touches["laid aside"] += 1
            self.room.lay_aside()

    def shuffle_if_empty(self) -> None:
        if not self.deck and self.pile:
            self.deck, self.pile = self.pile, []
            self.chance.shuffle(self.deck)
            self.room.clear()
