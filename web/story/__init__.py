"""The story of a game, and its figures once it is over."""
