"""The live loop: frames, what follows and reads them, and what is learned from them."""
