"""The dice in the tray: what the camera sees, and players' corrections."""
