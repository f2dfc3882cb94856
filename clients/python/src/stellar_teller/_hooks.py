"""What a program may see of its requests, for logs, metrics and the headers of an answer."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import TellerError

# Requests are DEBUG, retries WARNING. Without a handler of the program nothing is written.
LOGGER = logging.getLogger("stellar_teller")
LOGGER.addHandler(logging.NullHandler())


@dataclass(frozen=True)
class SentRequest:
    """Without headers and body: a token is a secret. `path`: with the query."""

    method: str
    path: str
    idempotency_key: str | None


@dataclass(frozen=True)
class ReceivedResponse:
    """`headers`, by names in small letters, has the limits of the team (`ratelimit`, `ratelimit-policy`)."""

    request: SentRequest
    status: int
    headers: Mapping[str, str]
    request_id: str | None
    """Names the request in the log of the service."""
    duration_seconds: float


@dataclass(frozen=True)
class Retry:
    """The request is sent again after a pause. `tries`: how often it was sent."""

    request: SentRequest
    error: TellerError
    tries: int
    pause_seconds: float


@dataclass(frozen=True)
class Hooks:
    """A hook decides nothing. What it raises is dropped and logged: a payment does not depend on it."""

    on_request: Callable[[SentRequest], object] | None = None
    on_response: Callable[[ReceivedResponse], object] | None = None
    on_retry: Callable[[Retry], object] | None = None


@dataclass(frozen=True)
class AllHooks:
    """The hooks of a client and of a call, and the log."""

    given: tuple[Hooks, ...] = ()

    def requested(self, request: SentRequest) -> None:
        for hooks in self.given:
            _call(hooks.on_request, request)

    def received(self, response: ReceivedResponse) -> None:
        sent, millis = response.request, response.duration_seconds * 1000
        line = "%s %s: %d in %.0f ms (request %s)"
        LOGGER.debug(line, sent.method, sent.path, response.status, millis, response.request_id)
        for hooks in self.given:
            _call(hooks.on_response, response)

    def retried(self, retry: Retry) -> None:
        sent = retry.request
        line = "%s %s: try %d failed: %s Again in %.1f s."
        LOGGER.warning(line, sent.method, sent.path, retry.tries, retry.error, retry.pause_seconds)
        for hooks in self.given:
            _call(hooks.on_retry, retry)


def _call(hook: Callable[[Any], object] | None, value: object) -> None:
    if hook is None:
        return
    try:
        hook(value)
    except Exception:
        LOGGER.exception("A hook has raised")
