"""A player's own page, and what phones do about seats."""
