"""What tests of buttons and light share."""

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.pins import open_pins


@pytest.fixture
def factory() -> MockFactory:
    """Mock pins of their own for one test."""
    return open_pins().factory
