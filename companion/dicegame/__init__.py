"""The rules of the dice game, pure: no input, output, clock or chance."""
