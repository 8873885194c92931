"""What the rules of several games share: roles, refusals, records. All of it is pure."""
