"""Does the effects of the flows: with tasks in `_async.py`, with threads in `_sync.py`, which is written from it."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from copy import copy
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
from ._tasks import Lock, limit, sleep
from ._waiting import until_ended, withdraw_and_wait
from .errors import TellerError, UnexpectedAnswerError

T = TypeVar("T")


class AsyncDriver:
    def __init__(self, core: Core, connect: Callable[[], httpx.AsyncClient], settings: HttpSettings) -> None:
        self.core = core
        self._http = OfThisProcess(connect)
        self._settings = settings
        self._lock = OfThisProcess(Lock)

    def with_core(self, core: Core) -> AsyncDriver:
        """The same connections, with other decisions."""
        made = copy(self)
        made.core = core
        return made

    @property
    def http(self) -> httpx.AsyncClient:
        return self._http.value

    async def run(self, flow: Flow[T]) -> T:
        try:
            effect = next(flow)
            while True:
                try:
                    came = await self._do(effect)
                except TellerError as error:
                    effect = flow.throw(error)
                else:
                    effect = flow.send(came)
        except StopIteration as end:
            return cast(T, end.value)

    async def _do(self, effect: Effect) -> Any:
        if isinstance(effect, Request):
            return await self._send(effect)
        if isinstance(effect, OneAtATime):
            async with self._lock.value:
                return await self.run(effect.flow)
        await sleep(effect.seconds)
        return None

    async def _send(self, request: Request) -> RawAnswer:
        ends_at = self.core.clock() + request.timeout_seconds
        with limit(request.timeout_seconds):
            return await self._exchange(request, ends_at)
        raise late(request)

    async def _exchange(self, request: Request, ends_at: float) -> RawAnswer:
        try:
            sent = self.http.build_request(**self._settings.arguments(request))
            # A redirect is not followed: the credential would go where somebody else says.
            response = await self.http.send(sent, stream=True, follow_redirects=False)
            if is_csv(request, response):
                return RawAnswer(
                    response.status_code, response.headers, b"", csv=self._parts(request, response)
                )
            try:
                chunks: list[bytes] = []
                async for chunk in response.aiter_bytes():
                    chunks.append(chunk)
                    if self.core.clock() > ends_at:  # nothing else ends a thread that reads
                        raise late(request)
                return RawAnswer(response.status_code, response.headers, b"".join(chunks))
            finally:
                await response.aclose()
        except httpx.HTTPError as error:
            raise connection_error(error, request) from error

    async def _parts(self, request: Request, response: httpx.Response) -> AsyncIterator[str]:
        decode = getincrementaldecoder("utf-8")().decode
        try:
            async for chunk in response.aiter_bytes():
                yield decode(chunk)
            yield decode(b"", True)
        except UnicodeDecodeError:
            raise UnexpectedAnswerError("The CSV is no UTF-8.", status=200) from None
        except httpx.HTTPError as error:
            raise connection_error(error, request) from error
        finally:
            await response.aclose()


class AsyncPages(Generic[T]):
    """Page after page. An iterator and no generator: nothing is left to clean up where a loop ends early."""

    def __init__(self, driver: AsyncDriver, call: Call[T]) -> None:
        self._driver = driver
        self._call: Call[T] | None = call

    def __aiter__(self) -> AsyncPages[T]:
        return self

    async def __anext__(self) -> Page[T]:
        call = self._call
        if call is None:
            raise StopAsyncIteration
        page = await self._driver.run(read_page(self._driver.core, call))
        self._call = None if page.is_last else call_after(call, page)
        return page


class AsyncItems(Generic[T]):
    """The items of pages, one by one."""

    def __init__(self, pages: AsyncPages[T]) -> None:
        self._pages = pages
        self._items: Iterator[T] = iter(())

    def __aiter__(self) -> AsyncItems[T]:
        return self

    async def __anext__(self) -> T:
        while True:
            for item in self._items:
                return item
            self._items = iter((await self._pages.__anext__()).items)


class AsyncEvents:
    """Events, one by one, without an end."""

    def __init__(self, driver: AsyncDriver, follower: Follower) -> None:
        self._driver = driver
        self._follower = follower
        self._items: Iterator[FollowedEvent] = iter(())

    def __aiter__(self) -> AsyncEvents:
        return self

    async def __anext__(self) -> FollowedEvent:
        while True:
            for item in self._items:
                return item
            events = await self._driver.run(self._follower.read(self._driver.core))
            self._items = iter(events)


class AsyncListing(Generic[T]):
    """A list: iterating reads page after page while they are needed."""

    def __init__(self, driver: AsyncDriver, call: Call[T]) -> None:
        self._driver = driver
        self._call = call

    def __aiter__(self) -> AsyncItems[T]:
        return AsyncItems(self.pages())

    async def first(self) -> Page[T]:
        """The first page."""
        return await self._driver.run(read_page(self._driver.core, self._call))

    def pages(self) -> AsyncPages[T]:
        """Page after page."""
        return AsyncPages(self._driver, self._call)

    async def all(self, *, at_most: int | None = None) -> list[T]:
        """Every item, for a list that is known to be short. `at_most`: how many there may be; None: any number.

        Raises ValueError where there are more; no further page is read then.
        """
        items: list[T] = []
        async for page in self.pages():
            items.extend(page.items)
            if at_most is not None and len(items) > at_most:
                raise ValueError(f"the list has more than {at_most} items")
        return items


class AsyncCsv:
    """A CSV: iterating gives part after part, as they arrive. A line may begin in one part and end in the next.

    Each reading sends a new request. A CSV that is cut ends with an error, never silently.
    """

    def __init__(self, driver: AsyncDriver, call: Call[Any]) -> None:
        self._driver = driver
        self._call = call

    async def __aiter__(self) -> AsyncIterator[str]:
        answer = await self._driver.run(self._driver.core.call(self._call))
        if answer.csv is None:
            raise UnexpectedAnswerError("The answer is no CSV.", status=answer.status)
        async with aclosing(answer.csv) as parts:
            async for part in parts:
                yield part

    async def text(self) -> str:
        """Everything."""
        return "".join([part async for part in self])


class AsyncGroup:
    """Methods about one kind of resource."""

    def __init__(self, driver: AsyncDriver) -> None:
        self._driver = driver

    async def _call(self, call: Call[T]) -> T:
        answer = await self._driver.run(self._driver.core.call(call))
        return cast(T, answer.data)

    def _list(self, call: Call[T]) -> AsyncListing[T]:
        return AsyncListing(self._driver, call)

    def _csv(self, call: Call[Any]) -> AsyncCsv:
        return AsyncCsv(self._driver, replace(call, headers={"accept": CSV}))


class WithdrawalsBase(AsyncGroup):
    async def withdraw_and_wait(
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
        reference: str | None = None,
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
            "reference": reference,
        }
        return await self._driver.run(
            withdraw_and_wait(self._driver.core, wallet_id, body, idempotency_key, deadline_seconds)
        )


class PayoutsBase(AsyncGroup):
    async def until_ended(
        self, wallet_id: str, payout_id: str, *, deadline_seconds: float | None = None
    ) -> models.Payout:
        """The payout once no further row begins: it is `completed`, `cancelled`, or `paused` until somebody resumes it.

        Raises NotKnownYetError at the deadline.
        """
        return await self._driver.run(until_ended(self._driver.core, wallet_id, payout_id, deadline_seconds))


class EventsBase(AsyncGroup):
    def follow(
        self,
        wallet_id: str,
        *,
        after: int | Literal["latest"],
        webhook_id: str | None = None,
    ) -> AsyncEvents:
        """The events after a number, and every later one when it comes, without a gap. It goes on after an outage.

        Keep the `sequence` of each event that you have handled, and continue after it. `after=0` begins with the first
        event, `after="latest"` with the first one after the service has answered. With `webhook_id`: only the events of
        this endpoint, by their `webhook-sequence`.
        """
        return AsyncEvents(self._driver, Follower(wallet_id, {"webhook_id": webhook_id}, after))
