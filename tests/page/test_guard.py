"""The door of the page: who has its link gets in, with the page's own questions alone."""

from __future__ import annotations

import pytest

from pbem.page.guard import HEADERS, PAGE, REPLAY, REPORT, Guard

GUARD = Guard(4711, "token", "secret", key="page")
COOKIE = {"pbem-4711": "secret"}
GET = {"Host": "127.0.0.1:4711"}
POST = {**GET, "X-Pbem": "page", "Content-Type": "application/json", "Origin": "http://127.0.0.1:4711"}


def lets(method: str, headers: dict[str, str], cookies: dict[str, str] = COOKIE, *, first: bool = False) -> bool:
    """Whether a request may pass."""
    return not GUARD.why_not(method, headers, cookies, first=first)


def test_the_page_s_own_questions_pass() -> None:
    assert lets("GET", GET)
    assert lets("POST", POST)
    assert lets("POST", {name: value for name, value in POST.items() if name != "Origin"}), "not every browser sends it"
    assert lets("POST", {**POST, "Content-Type": "application/json; charset=utf-8"})
    by_name = {"Host": "localhost:4711", "Origin": "http://localhost:4711"}
    assert lets("POST", {**POST, **by_name})


@pytest.mark.parametrize(
    "host", ["", "127.0.0.1", "127.0.0.1:4712", "evil.example:4711", "127.0.0.1:4711.evil.example", "[::1]:4711",
             "127.0.0.1:4711, evil.example:4711", "localhost.:4711"],
)  # fmt: skip
def test_another_host_is_refused(host: str) -> None:
    assert not lets("GET", {"Host": host})
    assert not lets("GET", {"Host": host}, first=True)


@pytest.mark.parametrize(
    "changed",
    [
        {"X-Pbem": ""},
        {"X-Pbem": "Page"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:4711"},
        {"Origin": "http://127.0.0.1:4712"},
        {"Origin": "http://localhost:4711"},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "multipart/form-data; boundary=application/json"},
        {"Content-Type": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_question_from_elsewhere_is_refused(changed: dict[str, str]) -> None:
    assert lets("POST", POST)
    assert not lets("POST", {**POST, **changed})


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"])
def test_nothing_but_reading_and_asking_is_let_in(method: str) -> None:
    assert not lets(method, POST)


@pytest.mark.parametrize(
    "cookies",
    [{}, {"pbem-4711": ""}, {"pbem-4711": "secre"}, {"pbem-4711": "secrets"}, {"pbem-4712": "secret"},
     {"pbem-4711": "token"}, {"pbem-4711": "sécret"}, {"pbem-4711": "\udc80"}],
)  # fmt: skip
def test_who_has_not_the_cookie_is_refused_but_for_the_first_link(cookies: dict[str, str]) -> None:
    assert not lets("GET", GET, cookies)
    assert not lets("POST", POST, cookies)
    assert lets("GET", GET, cookies, first=True)


def test_the_link_has_its_token_and_no_other_opens() -> None:
    assert GUARD.link == "http://127.0.0.1:4711/?token=token"
    assert GUARD.opens("token")
    assert not any(map(GUARD.opens, ["", "toke", "tokens", "secret", "Token"]))


def test_each_port_has_a_cookie_of_its_own() -> None:
    assert GUARD.cookie != GUARD._replace(port=4712).cookie


def policy(text: str) -> dict[str, str]:
    """A content security policy by its directives."""
    return {name: rest for part in text.split("; ") for name, _, rest in [part.partition(" ")]}


@pytest.mark.parametrize("text", [PAGE, REPORT, REPLAY])
def test_no_policy_lets_data_run_or_anything_be_fetched_from_elsewhere(text: str) -> None:
    found = policy(text)
    assert found["default-src"] == found["base-uri"] == found["form-action"] == "'none'"
    scripts = found.get("script-src", "'none'")
    assert "unsafe" not in scripts
    assert "data:" not in scripts
    assert not any(word in text for word in ("http", "*", "//"))


def test_the_report_runs_no_script_and_both_have_no_address_of_their_own() -> None:
    assert policy(REPORT)["sandbox"] == ""
    assert "script-src" not in policy(REPORT)
    assert policy(REPLAY)["sandbox"] == "allow-scripts", "and not allow-same-origin"
    assert policy(PAGE)["frame-ancestors"] == "'none'"


def test_what_goes_with_every_answer() -> None:
    wanted = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
    assert HEADERS.items() >= wanted.items()
    assert {HEADERS["Cross-Origin-Opener-Policy"], HEADERS["Cross-Origin-Resource-Policy"]} == {"same-origin"}
