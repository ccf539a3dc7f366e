"""Many games between programs, without mails: one after another, by several processes, by several machines."""
