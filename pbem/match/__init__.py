"""Two players over one game; this room knows no file, no mail and no clock."""
