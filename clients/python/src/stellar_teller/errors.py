"""Every error of the client. `TellerError` is the base of all of them.

| class | what is true |
|---|---|
| ApiError and its subclasses | the service answered, and this is its answer |
| UnexpectedAnswerError | something else answered, or the answer is not readable |
| TellerConnectionError | there was no answer. TellerTimeoutError: none in time |
| TellerUnreachableError | nothing was sent, so nothing was done |
| NotKnownYetError | a withdrawal has no proven outcome yet. It may have been paid |
| WebhookVerificationError | a delivery is refused |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .models import Withdrawal


class TellerError(Exception):
    """The base of every error of this package."""

    idempotency_key: str | None = None
    """The key of the request, where it has one: the same call with the same key never pays twice."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Queues of jobs pickle errors. Without this they call the class with the message alone.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[TellerError], args: tuple[Any, ...], fields: dict[str, Any]) -> TellerError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error


class ApiError(TellerError):
    """The service answered with an error. `code` is a stable word; later versions have more of them."""

    status: int
    code: str
    message: str
    details: list[dict[str, str]]
    request_id: str | None
    data: Any
    """The resource that the answer holds beside the error: of a 409 or 504 of a withdrawal, the withdrawal."""
    retry_after_seconds: int | None

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        details: list[dict[str, str]] | None = None,
        request_id: str | None = None,
        data: Any = None,
        retry_after_seconds: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details = details or []
        self.request_id = request_id
        self.data = data
        self.retry_after_seconds = retry_after_seconds

    def __str__(self) -> str:
        fields = "".join(f" {one.get('path')}: {one.get('message')}." for one in self.details)
        return f"{self.status} {self.code}: {self.message}{fields} ({self.request_id})"


class InvalidRequestError(ApiError):
    """400, 413, 415, 421: the request is wrong. `details` names the fields."""


class AuthenticationError(ApiError):
    """401: no credential, or one that is wrong, expired or of the wrong kind."""


class ForbiddenError(ApiError):
    """403: the credential is right and may not do this."""


class NotFoundError(ApiError):
    """404: it does not exist, or the credential may not see it."""


class ConflictError(ApiError):
    """409: the state does not allow it, for example an Idempotency-Key that is used."""


class NotPossibleError(ApiError):
    """422: not possible now, for example because of a policy. The Idempotency-Key is free."""


class RateLimitedError(ApiError):
    """429: too many requests."""


class ServerError(ApiError):
    """500: a fault of the service."""


class UnavailableError(ApiError):
    """503: the network or the database cannot be used now."""


class OutcomePendingError(ApiError):
    """504: accepted, and the outcome is not proven yet. `data` is what is known so far."""


class UnexpectedAnswerError(TellerError):
    """An answer that the service does not give: of a proxy, of another server, or one that is cut."""

    status: int
    text: str
    """The first 1,000 bytes of the body."""
    request_id: str | None

    def __init__(self, message: str, *, status: int, text: str = "", request_id: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.text = text
        self.request_id = request_id


class TellerConnectionError(TellerError):
    """There was no answer. The service may have acted all the same."""


class TellerUnreachableError(TellerConnectionError):
    """Nothing was sent: nobody knows the name, nobody listens there, or its certificate is not trusted."""

    is_lasting: bool
    """Whether another try cannot help: the certificate is wrong, or this client has never had an answer."""

    def __init__(self, message: str, *, is_lasting: bool) -> None:
        super().__init__(message)
        self.is_lasting = is_lasting


class TellerTimeoutError(TellerConnectionError):
    """There was no answer in time. The service may have acted all the same."""


class NotKnownYetError(TellerError):
    """A withdrawal has no proven outcome yet, and it may be paid. Never pay again under a new key.

    Ask for it later with the same `idempotency_key`. `withdrawal`: what the service said last, if it said anything.
    A call that makes something else raises it too: with its key the same call gives what was made, or makes it.
    """

    withdrawal: Withdrawal | None

    def __init__(self, message: str, *, idempotency_key: str | None, withdrawal: Withdrawal | None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key
        self.withdrawal = withdrawal


RefusalReason = Literal[
    "headers_missing",
    "headers_malformed",
    "too_old",
    "too_new",
    "wrong_signature",
    "malformed_body",
]


class WebhookVerificationError(TellerError):
    """A delivery is refused. Answer with a status of 4xx, and do not trust the body."""

    reason: RefusalReason

    def __init__(self, reason: RefusalReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


KIND_OF_STATUS: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    421: InvalidRequestError,
    422: NotPossibleError,
    429: RateLimitedError,
    500: ServerError,
    503: UnavailableError,
    504: OutcomePendingError,
}
