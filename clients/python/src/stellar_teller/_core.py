"""What both clients share: which request is sent, what its answer means, and whether and when it is sent again.

Nothing here waits or uses the network. A flow is a generator that yields what must be done next, an effect; `_sync.py`
and `_async.py` do the effects, send back what came of them, or throw the error in.

| what happened to a request | what is true | what the flow does |
|---|---|---|
| no answer, or one of a proxy | it may have been carried out | asks again only if the same again acts once |
| 429 of the service | nothing was done | waits, and asks again |
| 401 of a token that was exchanged before | nothing was done | exchanges a new one and asks again, once |
| 409: done before | what it gave is in `data` | answers with that |
| nothing was sent | nothing was done | ends at once where no try can help, else as without an answer |
| refused or not sent after a try without an answer | the earlier one may have acted | raises NotKnownYetError |
| an answer that names another key, wallet or id | somebody else reads ours | raises UnexpectedAnswerError |
"""

from __future__ import annotations

import copy
import random
import re
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote, urlencode

from . import _json
from ._answers import Answer, Asked, read_answer, require_own, require_own_key
from ._hooks import AllHooks, Hooks, ReceivedResponse, Retry, SentRequest
from ._retries import may_repeat, pause_seconds
from ._version import VERSION
from .errors import (
    ApiError,
    NotKnownYetError,
    RateLimitedError,
    TellerError,
    TellerUnreachableError,
    UnavailableError,
    UnexpectedAnswerError,
)

_USER_AGENT = f"stellar-teller-client/{VERSION} (Python)"

T = TypeVar("T")

_HEADER = re.compile(r"[!-~](?:[ -~]{0,253}[!-~])?")

# A request was carried out before, and `data` is what it gave: to the caller who lost that answer, this is the answer.
_DONE_BEFORE = ("idempotency_key_reused", "deposit_refunded")

# How long a call waits for a key in flight, in limits of a try. After a crash the service keeps the key for less.
_IN_FLIGHT_TIMES = 2

# The codes of 503 that say that nothing was begun. `database_unavailable` does not: a commit may have lost its answer.
_NOTHING_WAS_BEGUN = (
    "key_journal_unavailable",
    "key_provider_unavailable",
    "ledger_not_caught_up",
    "network_unavailable",
    "search_timed_out",
    "service_stopping",
    "treasury_unfunded",
)


@dataclass(frozen=True)
class Operation(Generic[T]):
    """An operation of the API. T: the type of `data`, or of an item of its pages."""

    id: str
    method: str
    path: str
    pages: Literal["cursor", "after"] | None = None
    repeatable: bool = False
    """The same request again acts once."""
    makes: bool = False
    """Only with one Idempotency-Key, which the client makes where the caller gives none."""
    timeout_seconds: float | None = None
    """Where the service may need longer than for others."""
    public: bool = False
    """Without a credential."""
    statuses_with_data: tuple[int, ...] = ()
    """Statuses beyond 2xx that are no error: `data` says what is wrong."""


@dataclass(frozen=True)
class Call(Generic[T]):
    """An operation with what a caller has given. None is not sent."""

    operation: Operation[T]
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def idempotency_key(self) -> str | None:
        return self.headers.get("idempotency-key")


@dataclass(frozen=True)
class Request:
    """An effect: sends this; comes back as a RawAnswer, or as a TellerConnectionError."""

    method: str
    path: str
    headers: Mapping[str, str]
    content: bytes | None
    timeout_seconds: float
    asked: Asked


@dataclass(frozen=True)
class Pause:
    """An effect: waits."""

    seconds: float


@dataclass(frozen=True)
class OneAtATime:
    """An effect: runs the flow while no other such flow of the client runs, and comes back as its result."""

    flow: Flow[str | None]


Effect = Request | Pause | OneAtATime
Flow = Generator[Effect, Any, T]


class Credential:
    """Where the token of a request comes from: here an API key, a login token, or nothing."""

    def __init__(self, token: str | None) -> None:
        if token == "":
            raise ValueError("the credential is empty: is the variable set that it is read from?")
        if token is not None and not (token.isascii() and token.isprintable() and " " not in token):
            raise ValueError("a credential has no spaces and line breaks: was it read from a file?")
        self._token = token

    def token(self, core: Core) -> Flow[str | None]:
        return self._token
        yield  # makes it a flow, of no effects

    def refused(self, token: str) -> bool:
        """The service has refused this token. True if another one may be had."""
        return False


class Core:
    """The decisions of one client. `clock`: seconds that only grow."""

    def __init__(
        self,
        credential: Credential,
        *,
        timeout_seconds: float,
        max_retries: int,
        hooks: Hooks | None = None,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._credential = credential
        self._timeout_seconds = timeout_seconds
        self._timeout_of_calls: float | None = None
        self._max_retries = max_retries
        self._hooks = AllHooks((hooks,) if hooks else ())
        self._has_answered = False
        self.clock = clock
        self.chance = chance

    def with_options(
        self, timeout_seconds: float | None, max_retries: int | None, hooks: Hooks | None
    ) -> Core:
        """The same, with what is not None. The hooks are beside those of this one."""
        if timeout_seconds is not None and not timeout_seconds > 0:
            raise ValueError("timeout_seconds must be a number above 0")
        made = copy.copy(self)
        if timeout_seconds is not None:
            made._timeout_of_calls = timeout_seconds
        if max_retries is not None:
            made._max_retries = max_retries
        if hooks is not None:
            made._hooks = AllHooks((*self._hooks.given, hooks))
        return made

    def call(self, call: Call[Any]) -> Flow[Answer]:
        """The answer of an operation, asked for as often as is safe.

        Raises TellerError of the kind that errors.py says, ValueError for an id or key that cannot be one.
        """
        call = _with_key(call)
        request = self.request(call)
        unanswered = False
        tries = 0
        waits = 0  # tries that only wait for the answer of an earlier one
        waits_until: float | None = None
        while True:
            tries += 1
            try:
                return (yield from self.once(call.operation, request))
            except TellerError as error:
                error.idempotency_key = call.idempotency_key
                wait = self._pause_after(call.operation, error, tries)
                if self._max_retries > 0 and call.operation.makes and _is_in_flight(error):
                    now = self.clock()
                    waits_until = waits_until or now + request.timeout_seconds * _IN_FLIGHT_TIMES
                    waits += now < waits_until
                if wait is None or tries - waits > self._max_retries:
                    doubt = doubt_of(error, call.idempotency_key) if unanswered else None
                    if doubt is None:
                        raise
                    raise doubt from error
                unanswered = unanswered or is_unanswered(error)
                self.retried(request, error, tries, wait)
            yield Pause(wait)

    def once(self, operation: Operation[Any], request: Request) -> Flow[Answer]:
        """One try, or two when the token has ended before its time."""
        token = yield from self._token(operation)
        try:
            return (yield from self._exchange(operation, request, token))
        except ApiError as error:
            if error.code != "unauthenticated" or token is None or not self._credential.refused(token):
                raise
        token = yield from self._token(operation)
        return (yield from self._exchange(operation, request, token))

    def retried(self, request: Request, error: TellerError, tries: int, pause: float) -> None:
        """Tells the hooks that the request is sent again."""
        self._hooks.retried(Retry(_shown(request), error, tries, pause))

    def request(self, call: Call[Any]) -> Request:
        """Raises ValueError for an id, key or value that cannot be sent as it is."""
        operation = call.operation
        segments = {name: _segment(name, value) for name, value in call.path.items()}
        # `null` and absent are the same to the service. It refuses a type without a body.
        members = {name: value for name, value in call.body.items() if value is not None}
        content = _json.write(members) if members else None
        headers = {"accept": "application/json", "user-agent": _USER_AGENT}
        if content is not None:
            headers["content-type"] = "application/json"
        for name, value in call.headers.items():
            if value is not None:
                headers[name] = _header(name, value)
        limit = self._timeout_of_calls or operation.timeout_seconds or self._timeout_seconds
        timeout = limit + (call.query.get("wait_seconds") or 0)
        path = operation.path.format_map(segments) + _query(call.query)
        asked = Asked.of(operation.path, call.path, call.idempotency_key)
        return Request(operation.method, path, headers, content, timeout, asked)

    def _token(self, operation: Operation[Any]) -> Flow[str | None]:
        if operation.public:
            return None
        return (yield from self._credential.token(self))

    def _exchange(self, operation: Operation[Any], request: Request, token: str | None) -> Flow[Answer]:
        headers = dict(request.headers)
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        shown = _shown(request)
        self._hooks.requested(shown)
        began_at = self.clock()
        try:
            raw = yield replace(request, headers=headers)
        except TellerUnreachableError as error:
            # After an answer, a refused connection may mean a service that starts again.
            error.is_lasting = error.is_lasting or not self._has_answered
            raise
        self._has_answered = True
        request_id, duration = raw.headers.get("x-request-id"), self.clock() - began_at
        self._hooks.received(ReceivedResponse(shown, raw.status, raw.headers, request_id, duration))
        try:
            answer = read_answer(raw, operation.statuses_with_data)
        except ApiError as error:
            if error.code not in _DONE_BEFORE or not isinstance(error.data, dict):
                require_own_key(request.asked, error.data, raw)
                raise
            answer = Answer(error.status, error.data, raw.headers)
        require_own(request.asked, answer.data, raw)
        return answer

    def _pause_after(self, operation: Operation[Any], error: TellerError, tries: int) -> float | None:
        if not may_ask_again(error, operation.repeatable):
            return None
        return pause_seconds(tries, retry_after_of(error), self.chance())


def outcome_of(error: TellerError) -> tuple[int | None, str | None]:
    """Status and code of what came back; None where nothing came, or nothing of the service."""
    if isinstance(error, ApiError):
        return error.status, error.code
    return (error.status if isinstance(error, UnexpectedAnswerError) else None), None


def _is_in_flight(error: TellerError) -> bool:
    """Whether the request with this key is under way, or a crash has ended it."""
    return outcome_of(error)[1] == "idempotency_key_in_flight"


def may_ask_again(error: TellerError, repeatable: bool) -> bool:
    """Whether the same request again may help, and acts once."""
    if isinstance(error, TellerUnreachableError) and error.is_lasting:
        return False
    return may_repeat(repeatable, *outcome_of(error))


def retry_after_of(error: TellerError) -> int | None:
    """The seconds of Retry-After that came with it."""
    return error.retry_after_seconds if isinstance(error, ApiError) else None


def is_unanswered(error: TellerError) -> bool:
    """Whether the service may have carried out what was sent: no answer came, or one that does not say otherwise."""
    if isinstance(error, (RateLimitedError, TellerUnreachableError)):
        return False
    return not (isinstance(error, UnavailableError) and error.code in _NOTHING_WAS_BEGUN)


def proves_only_itself(error: TellerError) -> bool:
    """Whether an error says of its own try that nothing was accepted, and nothing of an earlier try without an answer.

    Between the two a credential may have ended, or the caller may have used up its requests. A 409 is about the key
    itself, and what is 500 or above says already that the outcome is not known.
    """
    was_refused = isinstance(error, ApiError) and error.status < 500 and error.status != 409
    return was_refused or isinstance(error, TellerUnreachableError)


def doubt_of(error: TellerError, idempotency_key: str | None) -> NotKnownYetError | None:
    """What is known when a try without an answer was followed by this refusal, or by a try that was not sent.

    None when the last try says it all.
    """
    if idempotency_key is None or not proves_only_itself(error):
        return None
    return NotKnownYetError(
        f"An earlier try had no answer and may have been accepted; the last one: {error}",
        idempotency_key=idempotency_key,
        withdrawal=None,
    )


def _with_key(call: Call[Any]) -> Call[Any]:
    """The call with a key, where it makes something: one key for all its tries, so that it makes nothing twice."""
    if not call.operation.makes or call.idempotency_key is not None:
        return call
    return replace(call, headers={**call.headers, "idempotency-key": f"auto_{uuid.uuid4()}"})


def _shown(request: Request) -> SentRequest:
    return SentRequest(request.method, request.path, request.asked.idempotency_key)


def _segment(name: str, value: str) -> str:
    """A segment of a path. An empty one, `.` or `..` would lead to another operation."""
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError(f"{name} must be an id, not {value!r}")
    return quote(value, safe="")


def _header(name: str, value: object) -> str:
    """Spaces around a value are lost on the way: the service would read another key."""
    if not isinstance(value, str) or not _HEADER.fullmatch(value):
        raise ValueError(f"{name} must be 1 to 255 printable ASCII characters, without spaces around")
    return value


def _query(query: Mapping[str, Any]) -> str:
    given = {name: _text(value) for name, value in query.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
