"""What statistics keep of the card game."""

from collections import Counter
from collections.abc import Set

from companion.games.cards.rules.events import CardPlayed
from companion.games.cards.rules.record import NAME, header_line, replay
from companion.games.cards.rules.titles import Title
from companion.games.common.endings import TEAMS
from companion.games.common.events import Eliminated
from companion.games.summary import GameSummary, SeatSummary, digest, play_again, turns

_AIMED = (Title.BANG, Title.MISSED)
"""The cards that are aimed at somebody as a BANG!: Calamity Janet plays both so."""

_AT_ALL = (Title.GATLING, Title.INDIANS)
"""The cards that attack everybody else."""


def shot_at(seat: int, card: Title, target: int | None, living: Set[int]) -> Set[int]:
    """Return whom a card that a seat plays shoots at or attacks, of the living players."""
    if card in _AT_ALL:
        return living - {seat}
    return {target} if card in _AIMED and target is not None else set()


def summarise(record: bytes) -> GameSummary:
    """Return the summary of a card game's record. Raises RecordError at the first wrong line."""
    state, log, lines = play_again(record, replay)
    setup, result = state.setup, state.result
    shots: Counter[tuple[int, int]] = Counter()
    living = set(range(len(setup.players)))
    for kind, *fields in log:
        if kind is Eliminated:
            living.discard(fields[0])
        elif kind is CardPlayed:
            seat, card, target = fields
            shots.update((seat, other) for other in shot_at(seat, card, target, living))
    return GameSummary(
        kind=NAME,
        ruleset=setup.ruleset.id,
        date="",
        side=result.side if result else "",
        turns=turns(log),
        seats=tuple(
            SeatSummary(
                name=name,
                role=role,
                team=TEAMS[role],
                character=character.id,
                place=(seat - setup.sheriff) % len(setup.players),
                won=result is not None and seat in result.winners,
                alive=seat in state.living,
            )
            for seat, (name, role, character) in enumerate(setup.players)
        ),
        shots=shots,
        digest=digest(header_line(setup), lines),
    )
