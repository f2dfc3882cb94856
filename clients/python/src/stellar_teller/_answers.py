"""What an HTTP answer means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _json
from ._retries import retry_after_seconds
from .errors import KIND_OF_STATUS, ApiError, UnexpectedAnswerError


@dataclass(frozen=True)
class RawAnswer:
    """`headers`: by names in small letters."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    csv: Any = None
    """In place of the content, where a CSV was asked for and comes: a response that is not read yet."""


@dataclass(frozen=True)
class Answer:
    status: int
    data: dict[str, Any]
    headers: Mapping[str, str]
    csv: Any = None
    """As in RawAnswer."""


@dataclass(frozen=True)
class Asked:
    """What an answer says of itself, if it says it and is the answer to this request. None: anything."""

    idempotency_key: str | None
    wallet_id: str | None
    id: str | None

    @staticmethod
    def of(template: str, path: Mapping[str, str], idempotency_key: str | None) -> Asked:
        """`template`: the path of the operation, with names in braces. `path`: their values."""
        last = template.rpartition("/")[2]
        names_one = last.startswith("{")
        return Asked(
            idempotency_key,
            path["id"] if template.startswith("/v1/wallets/{id}") else None,
            path[last[1:-1]] if names_one else None,
        )


def require_own(asked: Asked, data: Mapping[str, Any], raw: RawAnswer) -> None:
    """Raises UnexpectedAnswerError for the answer to another request."""
    require_own_key(asked, data, raw)
    _require("wallet", asked.wallet_id, data.get("wallet_id"), raw)
    _require("id", asked.id, data.get("id"), raw)


def require_own_key(asked: Asked, data: object, raw: RawAnswer) -> None:
    """The same for what an error shows: the withdrawal that has the key may be of another wallet."""
    if isinstance(data, dict):
        _require("Idempotency-Key", asked.idempotency_key, data.get("idempotency_key"), raw)


def _require(what: str, asked: str | None, came: object, raw: RawAnswer) -> None:
    if asked is not None and isinstance(came, str) and came != asked:
        raise _unexpected(
            raw, f"is another request's answer: it names the {what} {came}, and {asked} was asked"
        )


def read_answer(raw: RawAnswer, statuses_with_data: tuple[int, ...] = ()) -> Answer:
    """Raises ApiError for what the service refuses, UnexpectedAnswerError for what the service does not say."""
    if raw.csv is not None:
        return Answer(raw.status, {}, raw.headers, raw.csv)
    try:
        body = _json.read(raw.content)
    except ValueError as error:
        raise _unexpected(raw, f"is not readable: it {error}") from None
    if not isinstance(body, dict):
        raise _unexpected(raw, "is no JSON object of the service")
    data = body.get("data")
    if 200 <= raw.status < 300 or (raw.status in statuses_with_data and "error" not in body):
        if not isinstance(data, dict):
            raise _unexpected(raw, "has no data")
        return Answer(raw.status, data, raw.headers)
    raise _error_of(body, raw)


def _error_of(body: dict[str, Any], raw: RawAnswer) -> ApiError:
    error, message = body.get("error"), body.get("message")
    code = error.get("code") if isinstance(error, dict) else None
    if not isinstance(error, dict) or not isinstance(code, str) or not isinstance(message, str):
        raise _unexpected(raw, "is no error of the service")
    details, request_id = error.get("details"), error.get("request_id")
    return KIND_OF_STATUS.get(raw.status, ApiError)(
        message,
        status=raw.status,
        code=code,
        details=[one for one in details if isinstance(one, dict)] if isinstance(details, list) else [],
        request_id=request_id if isinstance(request_id, str) else raw.headers.get("x-request-id"),
        data=body.get("data"),
        retry_after_seconds=retry_after_seconds(raw.headers.get("retry-after")),
    )


def _unexpected(raw: RawAnswer, why: str) -> UnexpectedAnswerError:
    text = raw.content[:1000].decode("utf-8", "replace")
    return UnexpectedAnswerError(
        f"The answer ({raw.status}) {why}.",
        status=raw.status,
        text=text,
        request_id=raw.headers.get("x-request-id"),
    )
