"""Waits for outcomes. `withdraw_and_wait` ends with the proven outcome, or says that it is not known yet.

| what is known | what is asked next |
|---|---|
| nothing: no try had an answer of the service | the withdrawal again, with the same key |
| the withdrawal is pending or awaits approvals | the withdrawal by its id |
| its id is not found (an answer that was not of this service) | the withdrawal again, with the same key |

A process that ends in any of these lines calls again with the same key: the first request asks for what is there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from . import _operations as op
from ._core import (
    Call,
    Core,
    Flow,
    Pause,
    Request,
    is_unanswered,
    may_ask_again,
    outcome_of,
    proves_only_itself,
    retry_after_of,
)
from ._retries import retry_after_seconds, wait_seconds
from .errors import (
    ApiError,
    NotKnownYetError,
    TellerError,
    UnexpectedAnswerError,
)
from .models import Payout, Withdrawal

# How long one request is held while the outcome is not known.
_WAIT_SECONDS = 20
# Between two looks at a payout, which the service does not hold.
_LOOK_SECONDS = 1.0


def withdraw_and_wait(
    core: Core,
    wallet_id: str,
    body: Mapping[str, Any],
    idempotency_key: str,
    deadline_seconds: float | None,
) -> Flow[Withdrawal]:
    """The withdrawal with the outcome that the ledger proves. `deadline_seconds`: from now on; None: no deadline.

    Raises ApiError when the service refused it and nothing can have been accepted, else NotKnownYetError.
    """
    ends_at = core.clock() + (math.inf if deadline_seconds is None else deadline_seconds)
    headers = {"idempotency-key": idempotency_key}
    withdraw = core.request(Call(op.CREATE_WITHDRAWAL, {"id": wallet_id}, body=body, headers=headers))
    withdrawal: Withdrawal | None = None
    unanswered = False
    failures = 0
    last_error: TellerError | None = None
    while True:
        retry_after: int | None = None
        remaining = ends_at - core.clock()
        seen_before, failed = withdrawal, None
        operation, request = op.CREATE_WITHDRAWAL, withdraw
        if withdrawal is not None:
            operation, request = op.GET_WITHDRAWAL, _read_of(core, wallet_id, withdrawal, remaining)
        try:
            answer = yield from core.once(operation, _within(request, remaining))
            if not _is_withdrawal(answer.data) or answer.data.get("idempotency_key") != idempotency_key:
                raise UnexpectedAnswerError("The answer is no withdrawal of this key.", status=answer.status)
            failures = 0
            retry_after = retry_after_seconds(answer.headers.get("retry-after"))
            withdrawal = cast(Withdrawal, answer.data)
            if withdrawal.get("status") in ("confirmed", "failed"):
                return withdrawal
        except TellerError as error:
            error.idempotency_key = idempotency_key
            last_error = failed = error
            if withdrawal is not None and outcome_of(error) == (404, "not_found"):
                withdrawal, unanswered = None, True
            elif withdrawal is None and (seen := _seen(error)):
                withdrawal = seen
            elif not may_ask_again(error, repeatable=True):
                if withdrawal is None and _is_refusal(error, unanswered):
                    raise
                raise NotKnownYetError(
                    f"The outcome of the withdrawal is not known: {error}",
                    idempotency_key=idempotency_key,
                    withdrawal=withdrawal,
                ) from error
            unanswered = unanswered or is_unanswered(error)
            failures += 1
            retry_after = retry_after_of(error)
        pause = wait_seconds(failures, retry_after, core.chance())
        if core.clock() + pause >= ends_at:
            raise NotKnownYetError(
                _why_not_yet(withdrawal, last_error),
                idempotency_key=idempotency_key,
                withdrawal=withdrawal,
            ) from last_error
        if failed is not None and withdrawal is seen_before:
            # What an error tells of the withdrawal leads to another request.
            core.retried(request, failed, failures, pause)
        yield Pause(pause)


def _why_not_yet(withdrawal: Withdrawal | None, last_error: TellerError | None) -> str:
    """What is known at the deadline. Members have up to a day for approvals: such a wait is no fault of the network."""
    if withdrawal is not None and withdrawal.get("status") == "awaiting_approval":
        ends_at = withdrawal.get("approval_expires_at")
        return (
            f"The withdrawal awaits approvals until {ends_at}. Nothing is paid before. "
            "Call again with the same key."
        )
    last = f" The last try: {last_error}" if last_error else ""
    return f"The outcome of the withdrawal is not known at the deadline. Call again with the same key.{last}"


def until_ended(core: Core, wallet_id: str, payout_id: str, deadline_seconds: float | None) -> Flow[Payout]:
    """The payout once no further row begins: a paused one goes on only when somebody resumes it.

    Raises NotKnownYetError at the deadline, ApiError for what no waiting mends.
    """
    ends_at = core.clock() + (math.inf if deadline_seconds is None else deadline_seconds)
    request = core.request(Call(op.GET_PAYOUT, {"id": wallet_id, "payout_id": payout_id}))
    failures = 0
    while True:
        try:
            answer = yield from core.once(op.GET_PAYOUT, _within(request, ends_at - core.clock()))
            if answer.data.get("status") in ("completed", "cancelled", "paused"):
                return cast(Payout, answer.data)
            failures = 0
            pause = _LOOK_SECONDS
        except TellerError as error:
            if not may_ask_again(error, repeatable=True):
                raise
            failures += 1
            pause = wait_seconds(failures, retry_after_of(error), core.chance())
            core.retried(request, error, failures, pause)
        if core.clock() + pause >= ends_at:
            raise NotKnownYetError(
                "The payout has not ended at the deadline.", idempotency_key=None, withdrawal=None
            )
        yield Pause(pause)


def _read_of(core: Core, wallet_id: str, withdrawal: Withdrawal, remaining_seconds: float) -> Request:
    path = {"id": wallet_id, "withdrawal_id": withdrawal["id"]}
    waits = max(1, int(min(_WAIT_SECONDS, remaining_seconds)))
    return core.request(Call(op.GET_WITHDRAWAL, path, {"wait_seconds": waits}))


def _within(request: Request, remaining_seconds: float) -> Request:
    return replace(request, timeout_seconds=max(0.1, min(request.timeout_seconds, remaining_seconds)))


def _seen(error: TellerError) -> Withdrawal | None:
    """The withdrawal of this key, as an error shows it. The one of `idempotency_key_mismatch` is another one."""
    if not isinstance(error, ApiError) or error.code not in ("outcome_pending", "idempotency_key_in_flight"):
        return None
    return cast(Withdrawal, error.data) if _is_withdrawal(error.data) else None


def _is_withdrawal(data: object) -> bool:
    return isinstance(data, dict) and isinstance(data.get("id"), str) and isinstance(data.get("status"), str)


def _is_refusal(error: TellerError, unanswered: bool) -> bool:
    """Whether nothing can have been accepted. After a try without an answer only a 409 says so: it is about the key."""
    is_of_key = isinstance(error, ApiError) and error.status == 409
    return is_of_key or (proves_only_itself(error) and not unanswered)
