"""What the host changes of the machine: its settings, version and Wi-Fi, and turning it off."""
