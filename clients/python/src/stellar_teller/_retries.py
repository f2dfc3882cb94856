"""When a request is sent again.

A request that the service may have carried out is sent again only if the same again acts once. 429 of the service is
the one answer that says of every request that nothing was done.
"""

from __future__ import annotations

import re

MAX_RETRIES = 3
_BASE_SECONDS = 0.5
_LONGEST_SECONDS = 8.0
# A longer Retry-After is for the caller to decide about; who waits for an outcome asks once in so long.
_RETRY_AFTER_MAX_SECONDS = 60

_NOTHING_WAS_DONE = ("rate_limited", "too_many_waiting")
_MAY_END_BY_ITSELF = (502, 503, 504)


def may_repeat(repeatable: bool, status: int | None, code: str | None) -> bool:
    """`repeatable`: the same request again acts once. `status`: None when no answer came. `code`: of the service."""
    if status == 429 and code in _NOTHING_WAS_DONE:
        return True
    if not repeatable or code == "too_many_logins":
        return False
    if status is None or status == 429 or status in _MAY_END_BY_ITSELF:
        return True
    return code == "idempotency_key_in_flight"


def backoff_seconds(tries: int, chance: float) -> float:
    """The pause after so many tries. `chance`: 0 to 1; clients of a service that was away must not return at once."""
    longest = min(_LONGEST_SECONDS, _BASE_SECONDS * 2.0 ** min(tries - 1, 30))
    return longest * (0.5 + chance / 2)


def pause_seconds(tries: int, retry_after_seconds: int | None, chance: float) -> float | None:
    """The pause before the next try; None when the service asks for a longer one than a client makes."""
    pause = backoff_seconds(tries, chance)
    if retry_after_seconds is None:
        return pause
    if retry_after_seconds > _RETRY_AFTER_MAX_SECONDS:
        return None
    return retry_after_seconds + pause / 4


def wait_seconds(failures: int, retry_after_seconds: int | None, chance: float) -> float:
    """The pause of a caller who waits for an outcome, after so many failures in a row.

    Such a wait never ends because of what the service asks for.
    """
    asked = min(retry_after_seconds or 0, _RETRY_AFTER_MAX_SECONDS)
    return max(backoff_seconds(max(failures, 1), chance), asked)


def retry_after_seconds(header: str | None) -> int | None:
    """The seconds of a Retry-After header; None where it is absent, a date, or nonsense."""
    return int(header) if header is not None and re.fullmatch(r"[0-9]{1,9}", header) else None
