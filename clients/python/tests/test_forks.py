"""A program that forks after it has used a client: gunicorn --preload, Celery, multiprocessing."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import traceback
from collections.abc import Callable

import anyio
import httpx
import pytest
from service import Service

from stellar_teller import AsyncTellerClient, TellerClient

if not hasattr(os, "fork"):
    pytest.skip("this system has no fork", allow_module_level=True)

CHILDREN = 4
ROUNDS = 25


def in_child(work: Callable[[], None]) -> int:
    """The process id of a child that does this, and ends with 0 if nothing fails."""
    if pid := os.fork():
        return pid
    try:
        work()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


def ended_well(children: list[int]) -> None:
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * len(children)


def test_a_client_that_was_used_before_a_fork_gives_each_process_its_own_answers(service: Service) -> None:
    with TellerClient(service.url, token=service.token) as client:
        wallets = [client.wallets.create(name=f"of child {number}")["id"] for number in range(CHILDREN)]

        def ask(wallet_id: str) -> Callable[[], None]:
            def work() -> None:
                for _ in range(ROUNDS):
                    made = client.addresses.create(wallet_id, label=f"of {os.getpid()}")
                    assert made["wallet_id"] == wallet_id
                    assert client.addresses.get(wallet_id, made["id"])["label"] == f"of {os.getpid()}"

            return work

        children = [in_child(ask(wallet_id)) for wallet_id in wallets]
        ask(service.wallet_id)()
        ended_well(children)


def test_an_async_client_too(service: Service) -> None:
    client = AsyncTellerClient(service.url, token=service.token)

    async def read_wallet() -> None:
        for _ in range(ROUNDS):
            assert (await client.wallets.get(service.wallet_id))["id"] == service.wallet_id

    loop = asyncio.new_event_loop()
    loop.run_until_complete(read_wallet())
    children = [in_child(lambda: anyio.run(read_wallet)) for _ in range(CHILDREN)]
    loop.run_until_complete(read_wallet())
    ended_well(children)
    loop.run_until_complete(client.close())
    loop.close()


def test_a_lock_that_a_thread_holds_at_a_fork_does_not_stop_the_child(service: Service) -> None:
    with TellerClient(service.url) as client:
        held, done = threading.Event(), threading.Event()

        def hold() -> None:
            with client._driver._lock.value:
                held.set()
                done.wait()

        thread = threading.Thread(target=hold)
        thread.start()
        held.wait()

        def take() -> None:
            assert client._driver._lock.value.acquire(timeout=1)

        child = in_child(take)
        ended_well([child])
        done.set()
        thread.join()


def test_a_given_httpx_client_is_refused_in_a_child(service: Service) -> None:
    with httpx.Client() as http:
        client = TellerClient(service.url, token=service.token, http=http)
        client.service.get()

        def ask() -> None:
            with pytest.raises(RuntimeError, match="after the fork"):
                client.service.get()

        ended_well([in_child(ask)])
        client.service.get()
