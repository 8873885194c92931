"""The page where the host teaches the reader new dice."""
