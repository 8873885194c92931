"""People who come to a table with their phones."""

from companion.table import changes, seats
from companion.table.changes import Press
from companion.table.table import Table


def join(table: Table, name: str, code: str) -> str:
    """Take a seat, or a place in the queue; return the secret of the phone."""
    secret = changes.new_secret()
    table.do(seats.join, Press(None), name, code, secret)
    return secret


def arrive(table: Table, name: str, code: str) -> int | None:
    """Take a seat; return the person."""
    secret = join(table, name, code)
    return changes.person_of(table.scene, secret)


def claim_seat(table: Table, person: int, code: str, before: str = "", *, address: str = "") -> str:
    """Ask for a seat from a phone without one; return the secret that will open it."""
    secret = changes.new_secret()
    table.do(seats.claim, Press(None), person, code, secret, before, address)
    return secret
