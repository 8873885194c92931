"""What the table keeps of a game with dealt hands, line by line, to go on after a restart.

The lines hold what only one player knows, and the luck of the whole game. The public record is
another one: that of the card game, without a trace of them.
"""

from typing import Any, NamedTuple

from companion.games.cards.dealt.luck import LUCK_BITS
from companion.games.cards.dealt.moves import Choose, DealtAction, DealtMove, EndTurn, Trade, TurnUp
from companion.games.cards.dealt.state import DECK, Cards, PlayingCard
from companion.games.cards.rules import record
from companion.games.cards.rules.moves import CardAction, Draw, Pass, Play
from companion.games.cards.rules.state import CardSetup
from companion.games.common.lines import FormatError, choice, dump, integer, keys, load, load_action

NAME = "bang-card-dealt"
"""What tells the lines of such a game from those with real cards."""

_CARDS = {f"{card.title} {card.sign}": card for card in DECK}
_ACTIONS = {action.value: action for action in DealtAction}
_PUBLIC = {action.value: action for action in CardAction}


class DealtSetup(NamedTuple):
    """What is dealt before the first turn."""

    public: CardSetup
    """Roles and characters."""
    luck: int
    """The luck of the whole game, see `luck`."""


def header_line(setup: DealtSetup) -> str:
    """Return the first line of a game, without the line feed."""
    header: dict[str, Any] = load(record.header_line(setup.public).encode())
    return dump({**header, "record": NAME, "luck": f"{setup.luck:x}"})


def parse_header(line: bytes) -> DealtSetup:
    """Return the setup from the first line of a game. Raises FormatError."""
    header = keys(load(line), {"record", "version", "ruleset", "players", "luck"})
    if header["record"] != NAME:
        raise FormatError(f'"record" is not "{NAME}"')
    try:
        luck = int(header.pop("luck"), 16)
    except (TypeError, ValueError):
        raise FormatError('"luck" is no number') from None
    if not 0 <= luck < 1 << LUCK_BITS:
        raise FormatError('"luck" is too large')
    public = dump({**header, "record": record.NAME})
    return DealtSetup(record.parse_header(public.encode()), luck)


def move_line(move: DealtMove) -> str:
    """Return the line of a decision, without the line feed."""
    entry: dict[str, Any] = {"action": move.action, "seat": move.seat}
    match move:
        case Play() | Pass() | Draw():
            return record.move_line(move)
        case Choose(card=card):
            entry["card"] = _name(card)
        case Trade(cards=cards) | EndTurn(cards=cards):
            entry["cards"] = list(map(_name, cards))
    return dump(entry)


def parse_move(line: bytes) -> DealtMove:
    """Return the decision on a line, legal or not. Raises FormatError."""
    entry, action = load_action(line, {**_PUBLIC, **_ACTIONS})
    if not isinstance(action, DealtAction):
        move = record.parse_move(line)
        if isinstance(move, Play | Pass | Draw):
            return move
        raise FormatError(f"{action} is no decision of a player who holds their hand")
    named = {"action", "seat"}
    match action:
        case DealtAction.TURN_UP:
            return TurnUp(integer(keys(entry, named), "seat"))
        case DealtAction.CHOOSE:
            keys(entry, named | {"card"})
            return Choose(integer(entry, "seat"), choice(entry, "card", _CARDS))
        case DealtAction.TRADE:
            return Trade(integer(keys(entry, named | {"cards"}), "seat"), _cards(entry))
        case DealtAction.END_TURN:
            return EndTurn(integer(keys(entry, named | {"cards"}), "seat"), _cards(entry))


def _name(card: PlayingCard) -> str:
    return f"{card.title} {card.sign}"


def _cards(entry: dict[str, Any]) -> Cards:
    names = entry["cards"]
    if not isinstance(names, list):
        raise FormatError('"cards" is not a list')
    return tuple([choice({"cards": name}, "cards", _CARDS) for name in names])
