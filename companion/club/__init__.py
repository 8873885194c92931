"""What goes beyond the table: what it publishes, and the hall of a club night."""
