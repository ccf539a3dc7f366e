"""A turn as text; this room knows no key, no file and no rule."""
