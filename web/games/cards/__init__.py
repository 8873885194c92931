"""The pages of the card game: its sentences, questions and charts."""
