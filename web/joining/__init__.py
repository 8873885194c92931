"""The page that a phone opens first, and the QR codes for it."""
