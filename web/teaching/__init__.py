"""The page on which the host teaches dice."""
