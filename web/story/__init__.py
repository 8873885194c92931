"""The story of a game and, once it is over, its statistics."""
