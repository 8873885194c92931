"""Pages for games without pages of their own."""
