"""How sure a share is that was counted in a number of games."""

from math import sqrt


def interval(won: int, games: int) -> tuple[float, float]:
    """Return the bounds that hold the true share of wins 19 times in 20: Wilson's interval."""
    if not games:
        return 0.0, 1.0
    share, z = won / games, 1.96
    scale = 1 + z * z / games
    centre = (share + z * z / (2 * games)) / scale
    reach = z / scale * sqrt(share * (1 - share) / games + (z / (2 * games)) ** 2)
    return max(centre - reach, 0.0), min(centre + reach, 1.0)
