"""Cards that the camera sees laid in the tray: what pages say of them, and what taps may do."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast
from urllib.parse import urlencode

from companion.games.cards.rules.moves import HAND, CardMove, Draw, Flip, Play
from companion.games.cards.rules.reasons import CardReason
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.cards.terms.telling import card_name, drop_double_stops, tell_refusal
from companion.games.cards.terms.words import AnswerNeed
from companion.games.common.refusals import Refusal
from companion.games.game import Owed, ReadAs
from companion.table.surface.cards.state import PileStatus
from companion.table.views import TableView
from web.games.cards.board import names_of, need, terms_of
from web.i18n import gettext
from web.play.turn import must_decide
from web.text import capital


def is_watched(view: TableView) -> bool:
    """Return whether a camera watches the cards."""
    return view.pile.status is not PileStatus.UNWATCHED


ASKING = (PileStatus.CHOOSE, PileStatus.UNSURE, PileStatus.SIGN_UNSURE, PileStatus.ILLEGAL)
"""While the pile waits for a tap on one of these, the player is asked about nothing else."""


def asks(view: TableView) -> bool:
    """Return whether a card that was laid waits for a tap by the awaited player."""
    return view.pile.status in ASKING


def is_urgent(view: TableView) -> bool:
    """Return whether what the pile asks must come into view on a scrolled phone."""
    return asks(view) or view.pile.status is PileStatus.GONE


DISTURBED = (
    PileStatus.FACEDOWN,
    PileStatus.MANY,
    PileStatus.BLOCKED,
    PileStatus.MOVED,
    PileStatus.GONE,
)
"""While the camera can't tell what was laid, no card counts; the player's other choices stay."""


def is_disturbed(view: TableView) -> bool:
    """Return whether the awaited player must put the pile right, or put aside what is seen."""
    return view.pile.status in DISTURBED


def mark(view: TableView) -> str:
    """Return a text that changes with what the pile asks the awaited player."""
    pile = view.pile
    stays = pile.drawing or pile.status is PileStatus.DISCARDING
    if not asks(view) and not is_disturbed(view) and not stays:
        return str(is_watched(view))
    return f"{pile.status}-{view.reading}"


def guide(view: TableView) -> str:
    """Return what to do with the cards in the tray, or what this page's reader waits for."""
    told, title = _GUIDES.get(view.pile.status), view.pile.read_title
    guided = told(view) if told else ""
    if title is None or asks(view) or view.pile.signs:
        return drop_double_stops(guided)
    read = gettext("Read: %(card)s.", card=_title(view, title))
    return drop_double_stops(f"{read} {guided}".strip())


def _waiting(view: TableView) -> str:
    if not must_decide(view):
        return _last(view) if view.pile.last else ""
    if view.pile.awaits is ReadAs.SIGN:
        if view.pile.signs:
            first = card_name(SIGNS[view.pile.signs[-1]], terms_of(view))
            return gettext("%(card)s was read. Flip the other card.", card=first)
        return gettext("Lay the flipped card in the tray, or tap it.")
    return gettext("Lay a card in the tray, or tap it.") if view.pile.awaits else ""


def _last(view: TableView) -> str:
    assert view.standing is not None
    return gettext("Then %(name)s’s turn ends.", name=view.people[view.standing.turn].name)


def _choice(view: TableView) -> str:
    if view.pile.may_be_owed and view.pile.title is None:
        return gettext("A card was laid: choose.")
    if view.pile.title is None:
        return gettext("Which of the flipped cards counts?")
    card = _title(view, view.pile.title)
    if must_decide(view):
        return gettext("%(card)s was laid: choose.", card=card)
    return gettext("%(card)s: %(name)s chooses what it does.", name=_decider(view), card=card)


def _unsure(view: TableView) -> str:
    if must_decide(view):
        if view.pile.status is PileStatus.SIGN_UNSURE:
            return terms_of(view).questions.flipped
        return gettext("Which card was laid? Tap it.")
    return gettext("Waiting for %(name)s to say which card was laid.", name=_decider(view))


def _glimpse(view: TableView) -> str:
    card = gettext(" or ").join(_title(view, title) for title in view.pile.likely)
    if must_decide(view):
        return gettext("%(card)s was seen for a moment. Was it played?", card=card)
    return gettext("%(card)s was seen for a moment: %(name)s says whether it was played.",
                   name=_decider(view), card=card)  # fmt: skip


def _illegal(view: TableView) -> str:
    words = terms_of(view)
    assert isinstance(view.pile.reason, Refusal)
    reason = tell_refusal(view.pile.reason, names_of(view), words)
    return gettext("%(reason)s Take the card back.", reason=capital(reason))


def hand_is_empty(view: TableView) -> bool:
    """Return whether the card can't be played because its player has no card by the count.

    Then no other copy of its title can be the mistake.
    """
    reason = view.pile.reason
    return isinstance(reason, Refusal) and reason.reason is CardReason.NO_CARDS


def _still_to_lay(view: TableView) -> str:
    owed = view.pile.owed
    seats = dict.fromkeys(each.seat for each in owed)
    told = [_debts_of(view, seat, [each for each in owed if each.seat == seat]) for seat in seats]
    return gettext("Still to lay on the pile: %(cards)s.", cards=terms_of(view).join(told))


def _debts_of(view: TableView, seat: int | None, owed: Sequence[Owed]) -> str:
    words = terms_of(view)
    cards = [words.cards[Title(each.card)].name for each in owed if each.card]
    if from_hand := len(owed) - len(cards):
        cards.append(words.quantity(from_hand, words.card))
    told = words.join(cards)
    if seat is None:
        return told
    return gettext("%(cards)s (%(name)s)", name=names_of(view)[seat], cards=told)


def debt_label(view: TableView) -> str:
    """Return the button which says that the card in the tray was owed, and by whom."""
    owed = view.pile.may_be_owed
    if owed is None or owed.seat is None:
        return gettext("Laid aside")
    return gettext("Laid aside by %(name)s", name=names_of(view)[owed.seat])


def _discarding(view: TableView) -> str:
    words = terms_of(view)
    there = words.quantity(view.pile.discarded, words.card)
    return gettext("Discarding: %(cards)s so far. The last one ends the turn.", cards=there)


_GUIDES: Mapping[PileStatus, Callable[[TableView], str]] = {
    PileStatus.WAITING: _waiting,
    PileStatus.MOVING: lambda _: gettext("The camera waits until the cards lie still."),
    PileStatus.CHOOSE: _choice,
    PileStatus.UNSURE: _unsure,
    PileStatus.SIGN_UNSURE: _unsure,
    PileStatus.ILLEGAL: _illegal,
    PileStatus.FACEDOWN: lambda _: gettext(
        "A card lies face down, or is from another game: turn it over, or take it back."
    ),
    PileStatus.MANY: lambda _: gettext("Several cards were laid at once: lay them one by one."),
    PileStatus.BLOCKED: lambda _: gettext("Something covers the pile: clear the tray."),
    PileStatus.MOVED: lambda _: gettext("The pile was moved, or a card was taken off it."),
    PileStatus.GONE: _glimpse,
    PileStatus.DISCARDING: _discarding,
    PileStatus.OWED: _still_to_lay,
}
"""By what the pile waits for, or what is wrong with it."""

PUT_ASIDE: Mapping[PileStatus, Callable[[], str]] = {
    PileStatus.CHOOSE: lambda: gettext("No card was laid"),
    PileStatus.UNSURE: lambda: gettext("No card was laid"),
    PileStatus.SIGN_UNSURE: lambda: gettext("No card was laid"),
    PileStatus.ILLEGAL: lambda: gettext("Ignore it"),
    PileStatus.FACEDOWN: lambda: gettext("Go on with the pile as it lies"),
    PileStatus.MANY: lambda: gettext("Go on with the pile as it lies"),
    PileStatus.BLOCKED: lambda: gettext("Go on with the pile as it lies"),
    PileStatus.MOVED: lambda: gettext("Nothing was taken back"),
    PileStatus.GONE: lambda: gettext("No card was played"),
    PileStatus.DISCARDING: lambda: gettext("Play on first"),
    PileStatus.OWED: lambda: gettext("They are all there"),
}
"""By status, the button that puts aside what the camera claims to see."""


def put_aside(view: TableView) -> str:
    """Return the button that puts aside what the camera claims to see; empty if none is shown."""
    label = PUT_ASIDE.get(view.pile.status)
    if label is None or not must_decide(view):
        return ""
    if view.pile.status is PileStatus.MANY and view.pile.owed:
        return gettext("They were to be laid aside")
    return label()


class WhoseChoice(NamedTuple):
    """A player whose card the one in the tray may be."""

    name: str
    """The player's name."""
    path: str
    """Where a tap is sent."""
    fields: str
    """What a tap sends."""


def whose(view: TableView) -> tuple[WhoseChoice, ...]:
    """Return whose card the one in the tray may be, if several are asked at once."""
    pile, names = view.pile, names_of(view)
    if not pile.others:
        return ()
    own = [
        (move, "/game/move", _move_choice(view, cast(CardMove, move)).fields) for move in pile.moves
    ]
    others = [(move, "/pile/whose", urlencode({"seat": move.seat})) for move in pile.others]
    return tuple(WhoseChoice(names[move.seat], *sent) for move, *sent in (*own, *others))


def _decider(view: TableView) -> str:
    assert view.standing is not None
    assert view.standing.awaited is not None
    return view.people[view.standing.awaited].name


def _title(view: TableView, title: str) -> str:
    return terms_of(view).cards[Title(title)].name


class MoveChoice(NamedTuple):
    """A move that a card in the tray can mean."""

    fields: str
    """What a tap on it sends."""
    card: str
    """The name of the card, or the cards that were flipped with the one that counts first."""
    whom: str
    """On whom it is played; empty without a target."""


def move_choices(view: TableView) -> tuple[MoveChoice, ...]:
    """Return the moves that the card in the tray can mean, as buttons."""
    return tuple(_move_choice(view, cast(CardMove, move)) for move in view.pile.moves)


def _move_choice(view: TableView, move: CardMove) -> MoveChoice:
    words, whom, card = terms_of(view), "", ""
    fields: dict[str, object] = {"seat": move.seat, "action": move.action}
    match move:
        case Play(_, title, target, take):
            fields["card"], card = title, words.cards[title].name
            if target is not None:
                fields["target"], whom = target, names_of(view)[target]
            if take is not None:
                fields["take"] = take
                hand = words.questions.hand_card
                whom = f"{whom}: {hand if take == HAND else words.cards[Title(take)].name}"
        case Flip(_, signs):
            fields |= {f"sign-{number}": sign for number, sign in enumerate(signs)}
            card = card_name(signs[0], words)
        case Draw(_, _, shown) if shown is not None:
            fields["shown"], card = shown, card_name(shown, words)
    return MoveChoice(urlencode(fields), card, whom)


def likely_sign(view: TableView) -> str:
    """Return the name of the sign that the camera suggests; empty if it suggests none."""
    sign = view.pile.sign
    return card_name(SIGNS[sign], terms_of(view)) if sign else ""


def titles(view: TableView) -> tuple[tuple[Title, str], ...]:
    """Return all titles with their names, to choose from."""
    return tuple((title, text.name) for title, text in terms_of(view).cards.items())


# Early answers


class EarlyQuestion(NamedTuple):
    """A question that a seat may answer before its turn comes."""

    seat: int
    """The seat."""
    need: AnswerNeed
    """What an answer is needed for."""
    titles: tuple[Title, ...]
    """The titles that answer."""


def early(view: TableView) -> tuple[EarlyQuestion, ...]:
    """Return the questions that players may answer early on this phone."""
    needed = need(view.game)
    if needed is AnswerNeed.DYING:
        # The others are asked by the card that hit this player.
        needed = _OF_CARD.get(view.game.open.card, AnswerNeed.GATLING)
    if needed is None:
        return ()
    return tuple(
        EarlyQuestion(seat, needed, tuple(question.plays))
        for seat, question in view.early.questions.items()
    )


_OF_CARD = {Title.INDIANS: AnswerNeed.INDIANS}


def why_early(view: TableView, question: EarlyQuestion) -> str:
    """Return why a seat will be asked, as its player reads it."""
    words, card = terms_of(view), view.game.open
    told = words.questions.why[question.need]
    sentence = told.own if question.seat == view.seat else told.others
    who = names_of(view)[card.by] if card.by is not None else ""
    return sentence.format(who=who, whom=names_of(view)[question.seat])


def early_answer(view: TableView, seat: int) -> str:
    """Return the early answer of a seat of this phone, in words."""
    words, move = terms_of(view), view.early.given[seat]
    if isinstance(move, Play):
        return words.cards[move.card].name
    needed = need(view.game) or AnswerNeed.SHOT
    return words.questions.passes.get(needed, "")
