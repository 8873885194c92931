"""The page of chances, for spectators on their own phones."""
