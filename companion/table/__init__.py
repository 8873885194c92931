"""The running table: people, one game, the dice, undo, and what is saved of them."""
