"""What pages show of the card game, derived from a view, for templates to lay out."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.choices import CardQuestion
from companion.games.cards.rules.deck import KINDS, WEAPONS, Border, Targeting, needs_rank
from companion.games.cards.rules.moves import CardAction, DrawSource, Take
from companion.games.cards.rules.reasons import CardReason
from companion.games.cards.rules.sight import distances_from, reach_of
from companion.games.cards.rules.state import TurnPhase
from companion.games.cards.rules.titles import RANKS, Sign, Suit, Title
from companion.games.cards.rules.views import CardView
from companion.games.cards.terms import CardTerms, terms
from companion.games.cards.terms.telling import card_name
from companion.games.cards.terms.words import AnswerNeed
from companion.table.views import TableView
from web.i18n import language
from web.play.turn import round_table


def terms_of(view: TableView) -> CardTerms:
    """Return the terms of the card game in the language of the page."""
    return terms(language())


def names_of(view: TableView) -> tuple[str, ...]:
    """Return the players' names, by seat."""
    return tuple(player.name for player in view.game.players)


def portrait(view: TableView, seat: int) -> str:
    """Return the drawing of a player's character: the same as in the dice game."""
    return f"base-{view.game.players[seat].character}"


def life_of(character: str) -> int:
    """Return the life points with which a character of the card game starts."""
    return CHARACTERS[character].life


def is_blue(title: Title) -> bool:
    """Return whether a card stays on the table."""
    return KINDS[title].border is Border.BLUE


def top_of_pile(view: TableView) -> str:
    """Return the name of the top card of the pile; empty if nobody named it."""
    top = view.game.top
    return card_name(top, terms_of(view)) if top else ""


class Distance(NamedTuple):
    """How far away a player is, as one seat sees them."""

    distance: int
    """The distance."""
    reached: bool
    """Whether the weapon of that seat reaches them."""
    spoken: str
    """Both in words."""


def distances(view: TableView, seat: int) -> dict[int, Distance]:
    """Return how far away a seat sees each other living player, by seat."""
    says, reach = terms_of(view).questions, reach_of(view.game.players[seat])
    return {
        other: Distance(
            distance,
            distance <= reach,
            (says.in_reach if distance <= reach else says.distance).format(distance=distance),
        )
        for other, distance in distances_from(view.game, seat).items()
    }


def reach(view: TableView, seat: int) -> str:
    """Return how far a seat shoots, in words."""
    return terms_of(view).questions.reach.format(distance=reach_of(view.game.players[seat]))


# What is asked


def need(game: CardView) -> AnswerNeed | None:
    """Return what an answer is awaited for; None on a turn without an open card."""
    card = game.open
    if card is None:
        return None
    if game.players[card.on].life < 1:
        return AnswerNeed.DYING
    return _NEEDS.get(card.card, AnswerNeed.SHOT)


_NEEDS = {
    Title.GATLING: AnswerNeed.GATLING,
    Title.INDIANS: AnswerNeed.INDIANS,
    Title.DUEL: AnswerNeed.DUEL,
    Title.DYNAMITE: AnswerNeed.DYNAMITE,
    Title.JAIL: AnswerNeed.JAIL,
}
"""What the answer to a card is needed for; to any other, it is a shot."""


def why(view: TableView, reader: int | None) -> str:
    """Return why an answer is awaited, for the reader with this seat; empty without an open card.

    It follows from public facts alone.
    """
    game, words = view.game, terms_of(view)
    needed = need(game)
    if needed is None:
        return ""
    card, says = game.open, words.questions
    told = says.why[needed].own if card.on == reader else says.why[needed].others
    sentence = told.format(
        who=game.players[card.by].name if card.by is not None else "",
        whom=game.players[card.on].name,
        points=words.quantity(card.needed, words.life_point),
    )
    if needed is not AnswerNeed.SHOT or card.by is None:
        return sentence
    if card.needed > 1:
        return f"{sentence} {says.more_missed.format(number=words.number(card.needed))}"
    asked = CHARACTERS[game.players[card.by].character].ability.missed_needed
    return f"{sentence} {says.another_missed}" if asked > card.needed else sentence


def doing(view: TableView) -> str:
    """Return what everybody waits for, as a sentence or a phrase after a name."""
    if view.question is None:
        return ""
    game, words = view.game, terms_of(view)
    if game.open:
        return why(view, None)
    action = CardAction.DRAW if game.phase is TurnPhase.DRAW else CardAction.END
    return words.decides[action]


class OtherPlayer(NamedTuple):
    """A player to choose, or why they can't be chosen."""

    seat: int
    """Their seat."""
    why_not: str
    """Why they can't be chosen; empty if they can."""
    distance: Distance | None
    """How far away they are; None for oneself."""
    takes: tuple[Take, ...] = ()
    """What can be taken from them, if the card takes something."""


class TitleChoice(NamedTuple):
    """A title that may be played now."""

    title: Title
    """The title."""
    players: tuple[OtherPlayer, ...]
    """The players to choose from, in table order; empty if none is named."""
    direct: tuple[int, Take | None] | None
    """The only target and what is taken there; None if there is a choice, or no target."""


def choices(view: TableView) -> tuple[TitleChoice, ...]:
    """Return the titles that may be played on one's own turn."""
    question: CardQuestion = view.question
    return tuple(_choice(view, title, targets) for title, targets in question.plays.items())


def _choice(view: TableView, title: Title, targets: Sequence[int]) -> TitleChoice:
    question: CardQuestion = view.question
    if not targets:
        return TitleChoice(title, (), None)
    takes = KINDS[title].takes
    ways = [
        (seat, take) for seat in targets for take in (question.takes[seat] if takes else (None,))
    ]
    order = round_table(view, question.seat)
    shown = [*order[1:], *([order[0]] if question.seat in targets else [])]
    players = [seat for seat in shown if view.game.players[seat].alive]
    return TitleChoice(
        title,
        tuple(_player(view, title, seat, targets) for seat in players),
        ways[0] if len(ways) == 1 else None,
    )


def _player(view: TableView, title: Title, seat: int, targets: Sequence[int]) -> OtherPlayer:
    question: CardQuestion = view.question
    far = distances(view, question.seat).get(seat)
    takes = question.takes[seat] if KINDS[title].takes else ()
    if seat in targets:
        return OtherPlayer(seat, "", far, takes)
    says = terms_of(view).questions
    if KINDS[title].targeting is Targeting.PRISONER:
        jailed = Title.JAIL in view.game.players[seat].in_play
        return OtherPlayer(seat, says.jailed if jailed else says.no_jail, far)
    if KINDS[title].takes and not takes:
        return OtherPlayer(seat, says.no_card, far)
    return OtherPlayer(seat, says.out_of_reach, far)


def may_be_last(view: TableView) -> bool:
    """Return whether a player who plays a card now holds no more than they may keep."""
    own = view.game.players[view.question.seat]
    return view.game.open is None and own.hand - 1 <= own.life


class Unplayable(NamedTuple):
    """Titles that can't be played now, for the same reason."""

    titles: tuple[Title, ...]
    """The titles."""
    why_not: str
    """Why not."""


def unplayable(view: TableView) -> tuple[Unplayable, ...]:
    """Return the titles that can't be played now; none with an empty hand, where all are."""
    off = terms_of(view).questions.off
    reasons: dict[str, list[Title]] = {}
    for title, refusal in view.question.refused.items():
        if refusal.reason is not CardReason.NO_CARDS:
            reasons.setdefault(off[refusal.reason], []).append(title)
    return tuple(Unplayable(tuple(titles), why_not) for why_not, titles in reasons.items())


SUITS = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
"""The suits, black and red by turns."""

SIGNS_BY_SUIT = {suit: tuple(Sign(rank, suit) for rank in RANKS) for suit in SUITS}
"""All signs to choose from: first the suit, then the rank."""


def rankless(view: TableView) -> tuple[Suit, ...]:
    """Return the suits of which no rank matters now, in a card that is flipped or shown."""
    card = view.game.open.card if view.game.open else None
    return tuple(suit for suit in SUITS if not needs_rank(Sign("", suit), card))


class SourceChoice(NamedTuple):
    """Where the first card of a turn may come from."""

    source: DrawSource | int
    """The source, as a form names it."""
    name: str
    """What players call it."""


def sources(view: TableView) -> tuple[SourceChoice, ...]:
    """Return where the first card of a turn may come from: the deck first, then in table order."""
    question: CardQuestion = view.question
    order = [*DrawSource, *round_table(view, question.seat)]
    return tuple(
        SourceChoice(source, _source(view, source))
        for source in sorted(question.sources, key=order.index)
    )


def _source(view: TableView, source: DrawSource | int) -> str:
    says = terms_of(view).questions
    if isinstance(source, int):
        return says.from_hand.format(who=view.game.players[source].name)
    if source is DrawSource.DECK:
        return says.from_deck
    top = top_of_pile(view)
    return says.from_pile.format(card=top) if top else says.from_pile_unnamed


_RIFLES = (Title.REMINGTON, Title.REV_CARABINE, Title.WINCHESTER)


def drawing_of(title: Title) -> str:
    """Return the name of the drawing of a title; weapons share two."""
    if title in WEAPONS:
        return "rifle" if title in _RIFLES else "pistol"
    return title
