"""How both clients use httpx."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx

from ._core import Request
from .errors import TellerConnectionError, TellerTimeoutError

_CONNECT_SECONDS = 10.0
# The service says so in `accept`, and in the type of its answer.
CSV = "text/csv"
# A pool smaller than the number of threads would make withdrawals wait for each other.
LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=100)


@dataclass(frozen=True)
class HttpSettings:
    base_url: str

    @staticmethod
    def of(base_url: str) -> HttpSettings:
        """Raises ValueError for what is not the address of a service."""
        try:
            url = httpx.URL(base_url)
        except httpx.InvalidURL as error:
            raise ValueError(f"{base_url!r} is no URL: {error}") from None
        if url.scheme not in ("http", "https") or not url.host or url.userinfo:
            raise ValueError(f"{base_url!r} is not the http(s) URL of a service")
        if url.query or url.fragment:
            raise ValueError("the URL of the service has no ? and no #")
        return HttpSettings(str(url).rstrip("/"))

    def arguments(self, request: Request) -> dict[str, Any]:
        seconds = request.timeout_seconds
        return {
            "method": request.method,
            "url": self.base_url + request.path,
            "headers": dict(request.headers),
            "content": request.content,
            "timeout": httpx.Timeout(seconds, connect=min(_CONNECT_SECONDS, seconds)),
        }


def is_csv(request: Request, response: httpx.Response) -> bool:
    """Whether a CSV was asked for and comes."""
    kind = response.headers.get("content-type", "")
    return request.headers["accept"] == CSV and response.status_code == 200 and kind.startswith(CSV)


def connection_error(error: httpx.HTTPError, request: Request) -> TellerConnectionError:
    if isinstance(error, httpx.TimeoutException):
        return late(request)
    return TellerConnectionError(f"{request.method} had no answer: {error or type(error).__name__}")


def late(request: Request) -> TellerTimeoutError:
    return TellerTimeoutError(f"{request.method} had no answer in {request.timeout_seconds:.1f} seconds")
