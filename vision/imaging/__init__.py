"""Hold pictures at several scales, describe faces in them, and run networks on them."""
