"""The game on every page: dice, decisions and guesses, whichever game it is."""
