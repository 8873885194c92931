"""The page of the Pi itself: turning it off."""
