"""pbem: wargames of counters or miniatures by plain e-mail, with enforced rules and dice that anyone can verify."""

__version__ = "1.0.0"

__all__ = ["__version__"]
