"""What is remembered: the statistics of all games, and backups."""
