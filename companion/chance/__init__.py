"""Simulated games: random players, and the odds computed from their games."""
