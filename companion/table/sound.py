"""Muting the table: no sounds and no announcer, on the television nor at the table's speaker."""

from companion.base.refused import Problem, Refused
from companion.table.changes import change, person_here
from companion.table.scene import Scene


@change(versioned=False)
def mute(scene: Scene, person: int | None, on: bool) -> Scene:
    """Mute the table, or let it be heard again.

    Any player may. It changes nothing that pages offer, so presses aren't refused because of it.
    """
    if person_here(scene, person) is None:
        raise Refused(Problem.FORBIDDEN, "only players can mute the table")
    return scene.choose(muted=on)
