"""The page where a finished game is watched again, step by step."""
