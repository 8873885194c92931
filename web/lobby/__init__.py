"""Before the game: who plays, in what order, and how cards are dealt."""
