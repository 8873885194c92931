"""The page that a phone opens first, and the codes that lead to it."""
