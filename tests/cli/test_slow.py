"""Commands that take long say what goes on."""

from __future__ import annotations

import threading

import pytest

from pbem.cli.common import said_if_slow


@pytest.mark.parametrize(("seconds", "said"), [(0.0, "pbem: the mail is written\n"), (600.0, "")])
def test_what_goes_on_is_said_of_what_is_slow_alone(
    seconds: float, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with said_if_slow("the mail is written", seconds):
        for timer in (
            thread for thread in threading.enumerate() if isinstance(thread, threading.Timer) and not seconds
        ):
            timer.join()
    assert capsys.readouterr().err == said
