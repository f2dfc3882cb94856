from __future__ import annotations

from types import TracebackType

import httpx

from ._async import AsyncDriver
from ._async_groups import AsyncGroups
from ._core import Core, Credential
from ._credentials import ServiceUser, ServiceUserCredential
from ._groups import Groups
from ._http import HttpSettings, connecting, connecting_async
from ._retries import MAX_RETRIES
from ._sync import Driver

BASE_URL = "http://127.0.0.1:3000"
TIMEOUT_SECONDS = 30.0


class TellerClient(Groups):
    """The client of a service. One client is for all threads of a program.

    `api_key`, `token` (a login token) or `service_user`: at most one of them. `timeout_seconds`: for each try;
    withdrawals, payouts and exams have longer ones of their own. `http`: an httpx client of yours, for proxies and
    certificates; you close it. After a fork a child connects by itself; with a client of yours it needs one of its own.

    The limit of a try is for each read until the headers of the answer are there, and for all of it from then on.
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
        http: httpx.Client | None = None,
    ) -> None:
        settings = HttpSettings.of(base_url)
        credential = _credential_of(api_key, token, service_user)
        core = Core(credential, timeout_seconds=timeout_seconds, max_retries=max_retries)
        self._is_owned = http is None
        self._driver = Driver(core, connecting(http), settings)
        super().__init__(self._driver)

    def close(self) -> None:
        if self._is_owned:
            self._driver.http.close()

    def __enter__(self) -> TellerClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncTellerClient(AsyncGroups):
    """As TellerClient, for asyncio and trio. The limit of a try is for all of it."""

    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        api_key: str | None = None,
        token: str | None = None,
        service_user: ServiceUser | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        settings = HttpSettings.of(base_url)
        credential = _credential_of(api_key, token, service_user)
        core = Core(credential, timeout_seconds=timeout_seconds, max_retries=max_retries)
        self._is_owned = http is None
        self._driver = AsyncDriver(core, connecting_async(http), settings)
        super().__init__(self._driver)

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


def _credential_of(api_key: str | None, token: str | None, service_user: ServiceUser | None) -> Credential:
    given = [one for one in (api_key, token, service_user) if one is not None]
    if len(given) > 1:
        raise ValueError("give one of api_key, token and service_user")
    if service_user is not None:
        return ServiceUserCredential(service_user)
    return Credential(api_key if api_key is not None else token)
