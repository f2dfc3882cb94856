"""The client: for tasks in `_async_client.py`, for threads in `_sync_client.py`, which is written from it."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from types import TracebackType

import httpx

from ._async import AsyncDriver
from ._async_groups import AsyncGroups
from ._core import Core
from ._credentials import ServiceUser, credential_of
from ._hooks import Hooks
from ._http import LIMITS, HttpSettings, OfTheParent, with_readable_proxies
from ._retries import MAX_RETRIES

BASE_URL = "http://127.0.0.1:3000"
TIMEOUT_SECONDS = 30.0


class AsyncTellerClient(AsyncGroups):
    """The client of a service. TellerClient is for threads, AsyncTellerClient for asyncio and trio.

    One client is for everything that a program does at the same time. `api_key`, `token` (a login token) or
    `service_user`: at most one of them. `timeout_seconds`: for each try; withdrawals, payouts and exams have longer
    ones of their own. `hooks`: called for each request, response and retry. `http`: an httpx client of yours, for
    proxies and certificates; you close it. After a fork a child connects by itself; with a client of yours it needs one
    of its own.

    The limit of a try of AsyncTellerClient is for all of it; that of TellerClient for each read until the headers of
    the answer are there, and for all of it from then on.
    """

    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        api_key: str | None = None,
        token: str | None = None,
        service_user: ServiceUser | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        hooks: Hooks | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        settings = HttpSettings.of(base_url)
        credential = credential_of(api_key, token, service_user)
        core = Core(credential, timeout_seconds=timeout_seconds, max_retries=max_retries, hooks=hooks)
        self._is_owned = http is None
        self._driver = AsyncDriver(core, _connecting(http), settings)
        super().__init__(self._driver)

    def with_options(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
        hooks: Hooks | None = None,
    ) -> AsyncTellerClient:
        """A client with options of its own for some calls, over the connections and with the credential of this one.

        `timeout_seconds`: for each try of every operation. `hooks`: beside those of this client; `on_response` gives
        the headers of the answer. It needs no closing.
        """
        made = copy(self)
        made._is_owned = False
        made._driver = self._driver.with_core(
            self._driver.core.with_options(timeout_seconds, max_retries, hooks)
        )
        AsyncGroups.__init__(made, made._driver)
        return made

    async def close(self) -> None:
        if self._is_owned:
            await self._driver.http.aclose()

    async def __aenter__(self) -> AsyncTellerClient:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


def _connecting(given: httpx.AsyncClient | None) -> Callable[[], httpx.AsyncClient]:
    """Returns what makes the connections of this process, then those of each fork."""
    if given is None:
        return lambda: with_readable_proxies(lambda: httpx.AsyncClient(limits=LIMITS))
    own = [given]
    return lambda: own.pop() if own else httpx.AsyncClient(transport=OfTheParent())
