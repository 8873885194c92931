"""The games on pages: each in a folder of its own, and what they share."""
