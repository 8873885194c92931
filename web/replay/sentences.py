"""What the page says of a step of a finished game."""

from companion.table.past.replays import Replay
from companion.table.views import TableView
from web.games.game import GamePages
from web.i18n import gettext
from web.play.log import LogLine, whole


def place(replay: Replay, step: int) -> str:
    """Return where a step is in the game."""
    return gettext(
        "Turn %(turn)s of %(turns)s, move %(move)s of %(moves)s",
        turn=replay.turn(step),
        turns=len(replay.turns),
        move=step,
        moves=replay.last,
    )


def step_lines(view: TableView, game: GamePages, step: int) -> tuple[LogLine, ...]:
    """Return what happened in the last step of a view, latest first."""
    return tuple(line for line in whole(view, game) if line.moves == step)
