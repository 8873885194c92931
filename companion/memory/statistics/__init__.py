"""The statistics of all games of a table, in an SQLite file worked out from their records."""
