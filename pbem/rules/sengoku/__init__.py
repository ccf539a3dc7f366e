"""The Sengoku series (rulebook 1 to 36): begun, and offered by nothing yet."""
