"""The dice in the tray: what the camera sees, and what players say of it."""
