"""Games played by chance: random players, and the odds that follow from them."""
