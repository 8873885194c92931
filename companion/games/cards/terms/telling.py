"""Tell events and refusals as sentences."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games.cards.rules import events
from companion.games.cards.rules.moves import HAND
from companion.games.cards.rules.reasons import CardRefusal
from companion.games.cards.rules.titles import Sign, Title
from companion.games.cards.terms.words import CardTerms
from companion.games.common.events import Eliminated, GameEnded, TurnBegan


def card_name(card: Title | Sign, words: CardTerms) -> str:
    """Return the name of a card: its title, or its rank and suit, the suit alone if need be."""
    if isinstance(card, Sign):
        if not card.rank:
            return words.any_of_suit[card.suit]
        return f"{card.rank} {words.suits[card.suit]}"
    return words.cards[card].name


def _name_within(card: Title | Sign, words: CardTerms) -> str:
    """Return a card that everybody sees, within a sentence."""
    name = card_name(card, words)
    return words.shown.format(card=name) if isinstance(card, Sign) and card.rank else name


def drop_double_stops(sentences: str) -> str:
    """Return sentences without a full stop after the exclamation mark of a card's name."""
    return sentences.replace("!.", "!")


def tell(event: events.CardEvent, names: Sequence[str], words: CardTerms) -> str:
    """Return an event as a sentence. names: of the players, by seat."""
    return drop_double_stops(_event_text(event, names, words))


def _event_text(event: events.CardEvent, names: Sequence[str], words: CardTerms) -> str:
    story = words.story

    def cards(count: int) -> str:
        return words.quantity(count, words.card)

    match event:
        case TurnBegan(seat):
            return story.begins.format(who=names[seat])
        case events.Drawn(seat, card=Title() as card):
            return story.takes_from_store.format(who=names[seat], card=card_name(card, words))
        case events.Drawn(seat, count, occasion):
            return story.draws[occasion].format(who=names[seat], cards=cards(count))
        case events.DrawnFromPile(seat, known):
            if known is None:
                return story.draws_from_pile.format(who=names[seat])
            name = _name_within(known, words)
            return story.draws_known_from_pile.format(who=names[seat], card=name)
        case events.SecondShown(seat, sign):
            return story.shows.format(who=names[seat], card=_name_within(sign, words))
        case events.CardPlayed(seat, card, target):
            return _tell_played(seat, card, target, names, words)
        case events.CardAnswered(seat, card):
            return story.answers.format(who=names[seat], card=card_name(card, words))
        case events.CardFlipped(seat, signs, card, success):
            sentence = story.flips[card].success if success else story.flips[card].failure
            shown = words.join([_name_within(sign, words) for sign in signs])
            return sentence.format(who=names[seat], cards=shown)
        case events.Cancelled(seat):
            return story.cancels.format(who=names[seat])
        case events.Hurt(seat, count):
            points = words.quantity(count, words.life_point)
            return story.loses.format(who=names[seat], points=points)
        case events.Regained(seat, count, card):
            sentence = story.regains if card else story.trades
            return (sentence if count else story.regains_nothing).format(who=names[seat])
        case events.Taken(seat, source, take, count):
            whom = names[source]
            if take == HAND:
                told = story.takes_from_hand
                return told.format(who=names[seat], whom=whom, cards=cards(count))
            sentence = story.takes_back if seat == source else story.takes
            return sentence.format(who=names[seat], whom=whom, card=words.cards[take].name)
        case events.Removed(seat, take):
            if take == HAND:
                return story.removed_from_hand.format(who=names[seat])
            return story.removed.format(who=names[seat], card=words.cards[take].name)
        case events.Discarded(seat, count, occasion):
            return story.discards[occasion].format(who=names[seat], cards=cards(count))
        case events.DynamitePassed(seat, target):
            return story.passes_dynamite.format(who=names[seat], whom=names[target])
        case events.JailServed(seat):
            return story.serves.format(who=names[seat])
        case events.Counted(seat, count, before):
            sentence = story.counts
            return sentence.format(who=names[seat], cards=cards(count), before=before)
        case events.Shuffled(count):
            return story.shuffles.format(cards=cards(count))
        case events.Inherited(seat, source, count):
            whom = names[source]
            return story.inherits.format(who=names[seat], whom=whom, cards=cards(count))
        case Eliminated(seat, role):
            return story.out.format(who=names[seat], role=words.roles[role])
        case GameEnded(result):
            return story.ends[result.side]


def _tell_played(
    seat: int, card: Title, target: int | None, names: Sequence[str], words: CardTerms
) -> str:
    story, name = words.story, card_name(card, words)
    if target is None:
        return story.plays.format(who=names[seat], card=name)
    if target == seat:
        return story.plays_on_themselves.format(who=names[seat], card=name)
    return story.plays_on.format(who=names[seat], whom=names[target], card=name)


def tell_refusal(refusal: CardRefusal, names: Sequence[str], words: CardTerms) -> str:
    """Return why a move is illegal. names: of the players, by seat."""

    def who(seat: Any) -> str:
        known = isinstance(seat, int) and 0 <= seat < len(names)
        return names[seat] if known else "?"

    def card(card: Title | Sign) -> str:
        return card_name(card, words)

    # The placeholder of each particular in the sentence, and its text.
    told: Mapping[str, tuple[str, Callable[[Any], str]]] = {
        "seat": ("who", who),
        "card": ("card", card),
        "sign": ("sign", card),
        "distance": ("distance", str),
        "needed": ("needed", words.number),
    }
    places = {
        place: text(refusal.particulars[particular])
        for particular, (place, text) in told.items()
        if particular in refusal.particulars
    }
    return drop_double_stops(words.refusals[refusal.reason].format(**places))
