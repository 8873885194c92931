"""A tournament as JSON, signed, so that halls on one broker can share it.

`tournament.json` among the schemas of messages is its JSON Schema. The signature is an HMAC with a
key made from the organiser's password: anybody who knows the password may change the tournament, at
any hall.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.base import codec
from companion.club.hall.tournament import Tournament
from companion.club.publishing import reading
from companion.club.publishing.reading import SCHEMA, UnreadableMessageError

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, and halves of surrogate pairs."""


class Revision(NamedTuple):
    """One state of the tournament, in the order in which halls agree on: the greater one counts."""

    number: int
    """Counts the changes."""
    hall: str
    """The number of the hall that made the change."""


class SharedTournament(NamedTuple):
    """A tournament with its revision."""

    revision: Revision
    """Which change led to it."""
    tournament: Tournament | None
    """The tournament; None after the organiser removed it."""


def clean(value: Any) -> Any:
    """Return a JSON value whose texts can be written and shown: without control characters."""
    if isinstance(value, str):
        return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, list):
        return [clean(each) for each in value]
    if isinstance(value, dict):
        return {clean(key): clean(each) for key, each in value.items()}
    return value


def key_from(password: str, prefix: str) -> bytes:
    """Return the key for signatures. Takes a tenth of a second, so that guessing is slow."""
    salt = f"bang-companion hall {prefix}".encode()
    return hashlib.scrypt(password.encode(), salt=salt, n=1 << 14, r=8, p=1, dklen=32)


def encode(shared: SharedTournament, key: bytes) -> bytes:
    """Return the signed document."""
    content = {
        "schema": SCHEMA,
        "revision": shared.revision.number,
        "hall": shared.revision.hall,
        "tournament": codec.write(shared.tournament),
    }
    return json.dumps(
        content | {"signature": _signature(content, key)}, ensure_ascii=False, separators=(",", ":")
    ).encode("utf-8", "backslashreplace")


def decode(payload: bytes, key: bytes | None) -> SharedTournament:
    """Return what a document says. key: None if nobody can sign in at this hall; then any counts.

    Raises UnreadableMessageError.
    """
    content = clean(reading.read("tournament", payload))
    signature = content.pop("signature")
    if key is not None and not _same(signature, _signature(content, key)):
        raise UnreadableMessageError("signed with another password")
    found = content["tournament"]
    tournament = _tournament(found) if found is not None else None
    return SharedTournament(Revision(content["revision"], content["hall"]), tournament)


def _signature(content: Mapping[str, Any], key: bytes) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _tournament(entry: Mapping[str, Any]) -> Tournament:
    """Return a tournament from its checked JSON.

    Raises UnreadableMessageError if it contradicts itself.
    """
    try:
        tournament = codec.read(Tournament, entry)
    except codec.MisfitError as error:
        raise UnreadableMessageError(str(error)) from None
    count = len(tournament.entrants)
    if [entrant.id for entrant in tournament.entrants] != list(range(1, count + 1)):
        raise UnreadableMessageError("the players are not numbered from 1")
    for round_ in tournament.rounds:
        placed = [*round_.byes, *(player for table in round_.tables for player in table.seats)]
        if len(set(placed)) < len(placed) or any(player > count for player in placed):
            raise UnreadableMessageError("a player sits twice in a round, or isn't a player")
        games = ((table.game, table.seats) for table in round_.tables)
        if any(game and len(game.seats) != len(seats) for game, seats in games):
            raise UnreadableMessageError("a game has other players than its table")
    if any(not round_.closed for round_ in tournament.rounds[:-1]):
        raise UnreadableMessageError("a round before the last one is not closed")
    return tournament
