"""What may stand in the headers of a mail, whoever wrote it first."""

import re

__all__ = ["HEADER_MAX", "MESSAGE_ID"]

HEADER_MAX = 900
"""Letters of a header's value: with its name they are fewer than a line may have (998, RFC 5322 2.1.1)."""

MESSAGE_ID = re.compile(rf"<[!-;=?-~]{{1,{HEADER_MAX - 2}}}>")
"""The name of a mail, as the answer to it repeats it."""
