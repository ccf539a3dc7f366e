"""A table told: plain data, then text and HTML."""
