"""What buttons and keys share."""

import logging
from collections.abc import Callable

_log = logging.getLogger(__name__)


def guarded(name: str, action: Callable[[], None]) -> Callable[[], None]:
    """`action`, with its errors logged instead of raised.

    One error in the thread that reports presses would end it, and with it every button.
    """

    def act() -> None:
        try:
            action()
        except Exception:
            _log.exception("%s: the press was not handled", name)

    return act
