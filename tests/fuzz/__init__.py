"""Fuzzing of everything that reads what others wrote: mails, orders, logs, scenarios, keys, signatures, caches."""
