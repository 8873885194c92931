"""Read and write game records: UTF-8 JSON Lines, a header and then one action a line.

`parse_*` reads a line, `*_line` writes one, and `replay` replays a whole record. Reading is strict:
anything that the format doesn't mention is an error that names its line. docs/dev/card-record.md
describes the format.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from companion.games.cards.rules import moves
from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.public import player_entries
from companion.games.cards.rules.rules import apply, start
from companion.games.cards.rules.rulesets import RULESETS
from companion.games.cards.rules.state import CardPlayer, CardSetup, CardState
from companion.games.cards.rules.titles import SAID_SIGNS, Sign, Title
from companion.games.cards.rules.views import CardView
from companion.games.common.lines import (
    FormatError,
    choice,
    dump,
    each_player,
    integer,
    keys,
    load,
    load_action,
    replay_lines,
)
from companion.games.common.players import SetupError
from companion.games.common.roles import Role

NAME = "bang-card"
VERSION = 1
"""The version of the format."""

_ROLES = {role.value: role for role in Role}
_ACTIONS = {action.value: action for action in moves.CardAction}
_TITLES = {title.value: title for title in Title}
_TAKES: dict[str, moves.Take] = {moves.HAND: moves.HAND, **_TITLES}
_SOURCES = {source.value: source for source in moves.DrawSource}


def replay(lines: Iterable[bytes]) -> Iterator[CardState]:
    """Yield the state after each line of a record of cards, see `replay_lines`."""
    return replay_lines(
        lines,
        lambda line: start(parse_header(line)),
        lambda state, line: apply(state, parse_move(line)),
    )


def parse_header(line: bytes) -> CardSetup:
    """Return what was dealt, from the first line of a record. Raises FormatError."""
    header = keys(load(line), {"record", "version", "ruleset", "players"})
    if header["record"] != NAME:
        raise FormatError(f'this is not a record: "record" is not "{NAME}"')
    if (version := integer(header, "version")) != VERSION:
        raise FormatError(f"unknown version {version}: only {VERSION} is known")
    ruleset = choice(header, "ruleset", RULESETS)

    def player(entry: dict[str, Any]) -> CardPlayer:
        role = choice(entry, "role", _ROLES)
        return CardPlayer(entry["name"], role, choice(entry, "character", CHARACTERS))

    players = each_player(header, player)
    try:
        return CardSetup(ruleset, players)
    except SetupError as error:
        raise FormatError(str(error)) from None


def header_line(setup: CardSetup) -> str:
    """Return the first line of a game's record, without the line feed."""
    return dump(
        {
            "record": NAME,
            "version": VERSION,
            "ruleset": setup.ruleset.id,
            "players": [
                {"name": player.name, "role": player.role, "character": player.character.id}
                for player in setup.players
            ],
        }
    )


def parse_move(line: bytes) -> moves.CardMove:
    """Return the move on a line, legal or not. Raises FormatError."""
    entry, action = load_action(line, _ACTIONS)
    named = {"action", "seat"}
    match action:
        case moves.CardAction.FLIP:
            keys(entry, named | {"signs"})
            return moves.Flip(integer(entry, "seat"), _signs(entry))
        case moves.CardAction.DRAW:
            return _parse_draw(keys(entry, named, {"from", "shown"}))
        case moves.CardAction.PLAY:
            keys(entry, named | {"card"}, {"target", "take"})
            return moves.Play(
                integer(entry, "seat"),
                choice(entry, "card", _TITLES),
                integer(entry, "target") if "target" in entry else None,
                choice(entry, "take", _TAKES) if "take" in entry else None,
            )
        case moves.CardAction.PASS:
            return moves.Pass(integer(keys(entry, named), "seat"))
        case moves.CardAction.REGAIN:
            return moves.Regain(integer(keys(entry, named), "seat"))
        case moves.CardAction.COUNT:
            keys(entry, named | {"hand"})
            return moves.Count(integer(entry, "seat"), integer(entry, "hand"))
        case moves.CardAction.END:
            return moves.End(integer(keys(entry, named), "seat"))


def _parse_draw(entry: dict[str, Any]) -> moves.Draw:
    seat = integer(entry, "seat")
    if ("from" in entry) == ("shown" in entry):
        raise FormatError('a draw has either "from" or "shown"')
    if "shown" in entry:
        return moves.Draw(seat, shown=choice(entry, "shown", SAID_SIGNS))
    if type(entry["from"]) is int:
        return moves.Draw(seat, entry["from"])
    if not isinstance(entry["from"], str):
        raise FormatError('"from" is neither a seat nor a string')
    return moves.Draw(seat, choice(entry, "from", _SOURCES))


def _signs(entry: dict[str, Any]) -> tuple[Sign, ...]:
    names = entry["signs"]
    if not isinstance(names, list):
        raise FormatError('"signs" is not a list')
    return tuple(choice({"signs": name}, "signs", SAID_SIGNS) for name in names)


def move_line(move: moves.CardMove) -> str:
    """Return the line of a move of the card game, without the line feed."""
    entry: dict[str, Any] = {"action": move.action, "seat": move.seat}
    match move:
        case moves.Flip():
            entry["signs"] = [str(sign) for sign in move.signs]
        case moves.Draw() if move.shown is not None:
            entry["shown"] = str(move.shown)
        case moves.Draw():
            entry["from"] = move.source
        case moves.Count():
            entry["hand"] = move.hand
        case moves.Play():
            entry["card"] = move.card
            if move.target is not None:
                entry["target"] = move.target
            if move.take is not None:
                entry["take"] = move.take
    return dump(entry)


def view_line(view: CardView) -> str:
    """Return a view of a card game, as `bang-companion replay` prints it."""
    opened, awaits, result = view.open, view.awaits, view.result
    return dump(
        {
            "turn": view.turn,
            "phase": view.phase,
            "bangs": view.bangs,
            "deck": view.deck,
            "discard": view.discard,
            "top": str(view.top) if view.top is not None else None,
            "regain": view.regain,
            "players": player_entries(view),
            "open": opened and opened._asdict(),
            "awaits": awaits and awaits._asdict(),
            "result": result and result._asdict(),
        }
    )
