"""A table in the browser: a local page that shows a game, takes orders by clicks and sends them by the commands."""
