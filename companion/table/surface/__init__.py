"""What lies in the tray: dice or cards, behind one interface."""
