"""Fixtures of tests with a real broker."""

from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from mosquitto import Ear, Mosquitto


@pytest.fixture
def start_broker(tmp_path: Path, stack: ExitStack) -> Callable[..., Mosquitto]:
    numbers = count(1)

    def start(**options: Any) -> Mosquitto:
        made = Mosquitto(tmp_path / f"broker-{next(numbers)}", **options)
        made.start()
        stack.callback(made.stop)
        return made

    return start


@pytest.fixture
def broker(start_broker: Callable[..., Mosquitto]) -> Mosquitto:
    """A broker that nobody kills: it needs no disk."""
    return start_broker(saving=False)


@pytest.fixture
def listen(stack: ExitStack) -> Callable[..., Ear]:
    """Opens ears, which are closed at the end."""

    def made(*given: Any, kind: type[Ear] = Ear, **options: Any) -> Ear:
        ear = kind(*given, **options)
        stack.callback(ear.close)
        return ear

    return made
