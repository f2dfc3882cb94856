"""Does the effects of the flows with threads that wait."""

from __future__ import annotations

import threading
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Generic, Literal, TypeVar, cast

import httpx

from . import models
from ._answers import RawAnswer
from ._core import Call, Core, Effect, Flow, OneAtATime, Request
from ._events import FollowedEvent, Follower
from ._http import CSV, HttpSettings, connection_error, is_csv, late
from ._pages import Page, call_after, read_page
from ._processes import OfThisProcess
from ._waiting import until_ended, withdraw_and_wait
from .errors import TellerError, UnexpectedAnswerError

T = TypeVar("T")


class Driver:
    def __init__(self, core: Core, connect: Callable[[], httpx.Client], settings: HttpSettings) -> None:
        self.core = core
        self._http = OfThisProcess(connect)
        self._settings = settings
        self._lock = OfThisProcess(threading.Lock)

    @property
    def http(self) -> httpx.Client:
        return self._http.value

    def run(self, flow: Flow[T]) -> T:
        try:
            effect = next(flow)
            while True:
                try:
                    came = self._do(effect)
                except TellerError as error:
                    effect = flow.throw(error)
                else:
                    effect = flow.send(came)
        except StopIteration as end:
            return cast(T, end.value)

    def _do(self, effect: Effect) -> Any:
        if isinstance(effect, Request):
            return self._send(effect)
        if isinstance(effect, OneAtATime):
            with self._lock.value:
                return self.run(effect.flow)
        time.sleep(effect.seconds)
        return None

    def _send(self, request: Request) -> RawAnswer:
        ends_at = self.core.clock() + request.timeout_seconds
        try:
            sent = self.http.build_request(**self._settings.arguments(request))
            # A redirect is not followed: the credential would go where somebody else says.
            response = self.http.send(sent, stream=True, follow_redirects=False)
            if is_csv(request, response):
                return RawAnswer(
                    response.status_code, response.headers, b"", csv=self._parts(request, response)
                )
            try:
                chunks: list[bytes] = []
                for chunk in response.iter_bytes():
                    chunks.append(chunk)
                    if self.core.clock() > ends_at:
                        raise late(request)
                return RawAnswer(response.status_code, response.headers, b"".join(chunks))
            finally:
                response.close()
        except httpx.HTTPError as error:
            raise connection_error(error, request) from error

    def _parts(self, request: Request, response: httpx.Response) -> Iterator[str]:
        decode = getincrementaldecoder("utf-8")().decode
        try:
            for chunk in response.iter_bytes():
                yield decode(chunk)
            yield decode(b"", True)
        except UnicodeDecodeError:
            raise UnexpectedAnswerError("The CSV is no UTF-8.", status=200) from None
        except httpx.HTTPError as error:
            raise connection_error(error, request) from error
        finally:
            response.close()


class Listing(Generic[T]):
    """A list: iterating reads page after page while they are needed."""

    def __init__(self, driver: Driver, call: Call[T]) -> None:
        self._driver = driver
        self._call = call

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items

    def first(self) -> Page[T]:
        """The first page."""
        return self._driver.run(read_page(self._driver.core, self._call))

    def pages(self) -> Iterator[Page[T]]:
        """Page after page."""
        call = self._call
        while True:
            page = self._driver.run(read_page(self._driver.core, call))
            yield page
            if page.is_last:
                return
            call = call_after(call, page)


class Csv:
    """A CSV: iterating gives part after part, as they arrive. A line may begin in one part and end in the next.

    Each reading sends a new request. A CSV that is cut ends with an error, never silently.
    """

    def __init__(self, driver: Driver, call: Call[Any]) -> None:
        self._driver = driver
        self._call = call

    def __iter__(self) -> Iterator[str]:
        answer = self._driver.run(self._driver.core.call(self._call))
        if answer.csv is None:
            raise UnexpectedAnswerError("The answer is no CSV.", status=answer.status)
        yield from answer.csv

    def text(self) -> str:
        """Everything."""
        return "".join(self)


class Group:
    """Methods about one kind of resource."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def _call(self, call: Call[T]) -> T:
        answer = self._driver.run(self._driver.core.call(call))
        return cast(T, answer.data)

    def _list(self, call: Call[T]) -> Listing[T]:
        return Listing(self._driver, call)

    def _csv(self, call: Call[Any]) -> Csv:
        return Csv(self._driver, replace(call, headers={"accept": CSV}))


class WithdrawalsBase(Group):
    def withdraw_and_wait(
        self,
        wallet_id: str,
        *,
        destination: str,
        amount_stroops: int,
        idempotency_key: str,
        asset_code: str | None = None,
        asset_issuer: str | None = None,
        memo_id: int | None = None,
        allow_issuer: bool | None = None,
        deadline_seconds: float | None = None,
    ) -> models.Withdrawal:
        """Withdraws, and ends with the outcome that the ledger proves: `confirmed` or `failed`.

        Call it again with the same key after every error but a refusal: it never pays twice. Without `deadline_seconds`
        it waits as long as it takes, also for approvals.

        Raises NotKnownYetError at the deadline, ApiError when the withdrawal was refused.
        """
        body = {
            "destination": destination,
            "amount_stroops": amount_stroops,
            "asset_code": asset_code,
            "asset_issuer": asset_issuer,
            "memo_id": memo_id,
            "allow_issuer": allow_issuer,
        }
        return self._driver.run(
            withdraw_and_wait(self._driver.core, wallet_id, body, idempotency_key, deadline_seconds)
        )


class PayoutsBase(Group):
    def until_ended(
        self, wallet_id: str, payout_id: str, *, deadline_seconds: float | None = None
    ) -> models.Payout:
        """The payout once no further row begins: it is `completed`, `cancelled`, or `paused` until somebody resumes it.

        Raises NotKnownYetError at the deadline.
        """
        return self._driver.run(until_ended(self._driver.core, wallet_id, payout_id, deadline_seconds))


class EventsBase(Group):
    def follow(
        self,
        wallet_id: str,
        *,
        after: int | Literal["latest"],
        webhook_id: str | None = None,
    ) -> Iterator[FollowedEvent]:
        """The events after a number, and every later one when it comes, without a gap. It goes on after an outage.

        Keep the `sequence` of each event that you have handled, and continue after it. `after=0` begins with the first
        event, `after="latest"` with the first one after the service has answered. With `webhook_id`: only the events of
        this endpoint, by their `webhook-sequence`.
        """
        follower = Follower(wallet_id, {"webhook_id": webhook_id}, after)
        while True:
            yield from self._driver.run(follower.read(self._driver.core))
