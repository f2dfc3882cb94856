"""How both clients use httpx."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from ._core import Request
from .errors import TellerConnectionError, TellerError, TellerTimeoutError, TellerUnreachableError

T = TypeVar("T")

_CONNECT_SECONDS = 10.0
# The service says so in `accept`, and in the type of its answer.
CSV = "text/csv"
# A pool smaller than the number of threads would make withdrawals wait for each other.
LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=100)


class OfTheParent(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """In a child of a fork, in place of the httpx client that the caller gave to the parent."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        raise RuntimeError(_OF_THE_PARENT)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        raise RuntimeError(_OF_THE_PARENT)


_OF_THE_PARENT = (
    "This process is a fork, and the httpx client belongs to its parent: both would read each other's answers. "
    "Make the client of the service after the fork."
)


def with_readable_proxies(make: Callable[[], T]) -> T:
    """Makes a client of httpx, which reads HTTP_PROXY, NO_PROXY and their like, and takes fewer forms than others."""
    try:
        return make()
    except (httpx.InvalidURL, ValueError, ImportError) as error:
        raise TellerError(
            f"httpx cannot use the proxy settings of the environment: {error}. Correct HTTP_PROXY, HTTPS_PROXY, "
            "ALL_PROXY and NO_PROXY, or give `http=httpx.Client(trust_env=False)` to use no proxy."
        ) from error


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
    """What a caller learns of an httpx error. Whether one lasts depends on earlier answers too, which `Core` knows."""
    if isinstance(error, httpx.TimeoutException):
        return late(request)
    causes = list(_causes(error)) if isinstance(error, httpx.ConnectError) else []
    for cause in causes:
        is_certificate = isinstance(cause, ssl.SSLError) and cause.reason in _CERTIFICATE
        if is_certificate or isinstance(cause, (socket.gaierror, ConnectionRefusedError)):
            if isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_AGAIN:
                break  # the server of names is away, which ends by itself
            return TellerUnreachableError(
                f"Nothing was sent by {request.method}: {cause}", is_lasting=is_certificate
            )
    return TellerConnectionError(f"{request.method} had no answer: {error or type(error).__name__}")


# Of the other side, or no TLS at all where the URL says https.
_CERTIFICATE = ("CERTIFICATE_VERIFY_FAILED", "WRONG_VERSION_NUMBER")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        # asyncio tries several addresses, and tells of all of them.
        for one in getattr(error, "exceptions", ()):
            yield from _causes(one)
        error = error.__cause__ or error.__context__


def late(request: Request) -> TellerTimeoutError:
    return TellerTimeoutError(f"{request.method} had no answer in {request.timeout_seconds:.1f} seconds")
