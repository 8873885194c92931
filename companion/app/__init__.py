"""The program: its commands, and the one place that builds the parts and joins them."""
