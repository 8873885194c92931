"""Watching the tray: frames, the empty tray, camera lock, aiming, teaching and first run."""
