"""The page where the host looks through pictures of dice before giving them away."""
