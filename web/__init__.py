"""The pages on every phone and on the television."""
