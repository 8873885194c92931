"""Back up the games, the dice and the settings of a table in one file, and restore them."""
