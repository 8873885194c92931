"""The page of the Pi itself: its time, and turning it off."""
