"""How pages show the card game with dealt hands: as the card game, but played from hands."""
