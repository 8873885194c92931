"""Routes of a game's story, its statistics once it is over, and its record."""

from flask import Blueprint, Response
from flask.typing import ResponseReturnValue

from web.access import For, audience, looks, person, table
from web.live import draw_for_visitor, stream_to_all, stream_to_phone

story = Blueprint("story", __name__)


@story.get("/story")
@audience(For.EVERYBODY)
def story_page() -> ResponseReturnValue:
    """Show everything that happened in this game."""
    return draw_for_visitor("story", looks(), {})


@story.get("/live/story")
@audience(For.EVERYBODY)
def live_story() -> ResponseReturnValue:
    """Stream the story; call a phone that holds a seat back to its page when it is needed."""
    if person() is None:
        return stream_to_all("story", dict)
    return stream_to_phone("story", dict)


@story.get("/record")
@audience(For.EVERYBODY)
def record() -> ResponseReturnValue:
    """Send the record of a finished game as a file."""
    response = Response(table().record(), mimetype="application/jsonl")
    name = f"bang-game-{table().view().game_number}.jsonl"
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response
