"""Keys, signatures, hashes and dice; this room knows no game."""
