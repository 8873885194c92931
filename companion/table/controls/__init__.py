"""The buttons and the light: where a press goes, and what the light shows."""
