"""Which cases of a test wait for `make test-all`."""

import pytest


def later(*cases: object) -> list[object]:
    """Cases like others of their test, which are enough for `make test`; tuples: of arguments."""
    each = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*case, marks=pytest.mark.slow) for case in each]
