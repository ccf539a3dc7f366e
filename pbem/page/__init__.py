"""The page of a game in the browser: what can be clicked, the list of orders, and the server that shows both."""
