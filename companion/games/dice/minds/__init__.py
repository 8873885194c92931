"""Stand-in players: they know what their seat may know, and decide by the level they play at."""
