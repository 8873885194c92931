"""What statistics keep of the dice game."""

from collections import Counter

from companion.games.common.endings import TEAMS
from companion.games.dice.rules.events import Rolled, ShotsFired
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.record import NAME, header_line, parse_origin, replay
from companion.games.dice.rules.roles import OPEN_ROLES
from companion.games.dice.rules.sides import ALONE
from companion.games.summary import GameSummary, SeatSummary, digest, play_again, turns


def summarise(record: bytes) -> GameSummary:
    """Return the summary of a dice game's record. Raises RecordError at the first wrong line."""
    state, log, lines = play_again(record, replay)
    setup, result = state.setup, state.result
    count = len(setup.players)
    teams = ALONE if count == OPEN_ROLES else TEAMS
    thrown: list[Counter[Face]] = [Counter() for _ in setup.players]
    shots: Counter[tuple[int, int]] = Counter()
    for kind, *fields in log:
        if kind is Rolled:
            seat, dice, dice_thrown = fields
            thrown[seat].update(dice[die] for die in dice_thrown)
        elif kind is ShotsFired:
            seat, fired = fields
            for shot in fired:
                if shot.target is not None:
                    shots[seat, shot.target] += 1 if shot.beer is None else 2
    origin = parse_origin(lines[0])
    return GameSummary(
        kind=NAME,
        ruleset=setup.ruleset.id,
        date=origin.date if origin else "",
        side=result.side if result else "",
        turns=turns(log),
        seats=tuple(
            SeatSummary(
                name=name,
                role=role,
                team=teams[role],
                character=character.id,
                place=(seat - setup.first) % count,
                won=result is not None and seat in result.winners,
                alive=state.life[seat] > 0,
                thrown=tuple(thrown[seat][face] for face in Face),
            )
            for seat, (name, role, character) in enumerate(setup.players)
        ),
        shots=shots,
        digest=digest(header_line(setup), lines),
    )
