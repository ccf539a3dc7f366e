"""Pages in a real browser: Debian's chromium, driven by Playwright; without it these tests are left out, and say so."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="pages are looked at with playwright, in pbem[dev]")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

SIZES = {"phone": (390, 800), "desk": (1280, 900)}
"""Pixels of the windows in which pages are looked at."""

Opened = Callable[..., "sync_api.Page"]
"""Opens a file or address in a window of a size."""


@pytest.fixture(scope="session")
def browser() -> Iterator[sync_api.Browser]:
    """One browser for all pages."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium here: `apt-get install chromium`")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def opened(browser: sync_api.Browser) -> Iterator[Opened]:
    """Opens pages; when the test is over none of them may have reported an error, or asked for anything elsewhere."""
    pages: list[sync_api.Page] = []
    wrong: list[str] = []

    def open_page(address: str | Path, size: str = "desk", anchor: str = "") -> sync_api.Page:
        wide, high = SIZES[size]
        page = browser.new_page(viewport={"width": wide, "height": high})
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda asked: wrong.append(asked.url) if asked.url.startswith("http") else None)
        url = address.as_uri() if isinstance(address, Path) else address
        page.goto(url + anchor)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert wrong == []
