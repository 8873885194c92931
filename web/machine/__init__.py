"""The pages of the Pi itself: its time, updates and settings, and turning it off."""
