"""The card game: its rules, and all that the table and statistics need of it."""
