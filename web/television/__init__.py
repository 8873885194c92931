"""The table page, for a television."""
