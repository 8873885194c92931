"""The games that are over: kept, shown again, opened from a file."""
