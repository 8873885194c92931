"""The statistics of all games: players, sides, characters, dice, and the list of games."""
