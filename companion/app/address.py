"""Tells where the pages are, once they answer."""

import json
import sys


def tell_address(what: str, url: str) -> None:
    """Print the address: a sentence on a terminal, JSON for a program.

    what: what is served there, such as "the table".
    """
    if sys.stdout.isatty():
        print(f"Open {url} to see {what}. Ctrl-C stops it.", flush=True)
    else:
        print(json.dumps({"url": url}), flush=True)
