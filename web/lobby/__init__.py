"""Before the game: who plays, in which order, and how cards are dealt."""
