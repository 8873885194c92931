"""The running table: people, one game, the dice, undo and saving."""
