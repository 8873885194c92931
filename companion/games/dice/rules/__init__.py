"""The rules of the dice game, as pure functions: no I/O, no clock, no randomness."""
