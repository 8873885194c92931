"""A digest within a JSON object: damage that leaves it readable shows by it."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

PROOF = "proof"
"""The key of the digest."""


def prove(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object with its digest."""
    return {**said, PROOF: _digest(said)}


def take_proven(said: Any) -> Any:
    """Return what `prove` was given. Raises ValueError if it has changed since then.

    What has no digest is returned as it is: earlier versions wrote none, and it is to be taken out
    of a file that is changed by hand.
    """
    if not isinstance(said, dict) or PROOF not in said:
        return said
    left = {key: value for key, value in said.items() if key != PROOF}
    if said[PROOF] != _digest(left):
        raise ValueError(f'it is not what was saved; if you changed it, take "{PROOF}" out')
    return left


def _digest(said: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]
