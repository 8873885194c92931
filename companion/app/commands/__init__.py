"""What each command does, a module for each."""
