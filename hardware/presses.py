"""Handle presses of buttons and keys alike."""

import logging
from collections.abc import Callable

_log = logging.getLogger(__name__)


def guard(name: str, action: Callable[[], None]) -> Callable[[], None]:
    """Return `action` with its errors logged instead of raised.

    An error would end the thread that reports presses, and with it all buttons.
    """

    def act() -> None:
        try:
            action()
        except Exception:
            _log.exception("%s: the press was not handled", name)

    return act
