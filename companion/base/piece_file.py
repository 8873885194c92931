"""A file that a page sends in pieces, because no request may be large."""

from pathlib import Path

from companion.base.refused import Problem, Refused


def append_piece(path: Path, at: int, size: int, piece: bytes) -> bool:
    """Append the next piece of a file; return whether it is whole now.

    at: where the piece begins; size: of the whole file; both in bytes. A piece that has arrived
    already is ignored: the answer to it was lost. Raises Refused, and OSError.
    """
    there = path.stat().st_size if path.is_file() else 0
    if at and there == at + len(piece):
        return False
    if there != at or at >= size:
        raise Refused(Problem.STALE, "The upload was interrupted. Choose the file again.")
    if not piece or at + len(piece) > size:
        raise Refused(Problem.ILLEGAL, "a piece of the file is missing")
    with path.open("ab") as file:
        file.write(piece)
    return at + len(piece) == size
