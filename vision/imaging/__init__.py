"""Scale pictures, lay them onto each other, describe faces in them, and run networks on them."""
