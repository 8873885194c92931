"""The dice game: its rules, and all that the table, stand-ins and statistics need of it."""
