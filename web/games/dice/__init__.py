"""The pages of the dice game: its sentences, questions and charts."""
