"""How far long work is, on a terminal."""

import sys


def show_progress(number: int, of: int) -> None:
    """Say on standard error that `number` of so many are done."""
    # Where the lines go to a terminal themselves they are progress enough.
    if sys.stderr.isatty() and not sys.stdout.isatty():
        end = "\n" if number == of else ""
        print(f"\r{number} of {of}", end=end, file=sys.stderr, flush=True)
