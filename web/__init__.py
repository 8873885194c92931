"""The pages on every phone: Flask over the running table."""
