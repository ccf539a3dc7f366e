"""Messages in and out; this room knows blocks, but no game."""
