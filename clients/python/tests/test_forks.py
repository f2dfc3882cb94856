"""A program that forks after it has used a client: gunicorn --preload, Celery, multiprocessing."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import anyio
import httpx
import pytest
from service import Service

import stellar_teller
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


PRELOADED = """
import os
from stellar_teller import TellerClient

client = TellerClient(os.environ["API_URL"], token=os.environ["TOKEN"])
client.wallets.get(os.environ["WALLET"])  # before the fork


def application(environ, start_response):
    made = client.addresses.create(os.environ["WALLET"], label=environ["PATH_INFO"])
    start_response("200 OK", [("content-type", "text/plain")])
    return [f"{os.getpid()} {made['label']}".encode()]
"""


def test_workers_of_gunicorn_preload_get_their_own_answers(service: Service, tmp_path: Path) -> None:
    (tmp_path / "preloaded.py").write_text(PRELOADED)
    with gunicorn(service, tmp_path) as url, ThreadPoolExecutor(8) as threads:
        paths = [f"/{number}" for number in range(80)]
        answers = list(threads.map(lambda path: httpx.get(url + path, timeout=60).text.split(), paths))
    assert [label for _, label in answers] == paths
    assert len({worker for worker, _ in answers}) > 1, "several workers answered"


@contextmanager
def gunicorn(service: Service, folder: Path) -> Iterator[str]:
    """The URL of `preloaded.py` in four workers, which are forks of a process that has used the client."""
    log = folder / "log"
    options = ["--preload", "--workers", str(CHILDREN), "--threads", "2", "--bind", "127.0.0.1:0"]
    environment = {
        "API_URL": service.url,
        "TOKEN": service.token,
        "WALLET": service.wallet_id,
        "PYTHONPATH": str(Path(stellar_teller.__file__).parents[1]),
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *options, "preloaded:application"],
            cwd=folder,
            env={**os.environ, **environment},
            stdout=output,
            stderr=output,
        )
    try:
        ends_at = time.monotonic() + 60
        while not (found := re.search(r"Listening at: (http://[^ ]+)", log.read_text())):
            assert process.poll() is None and time.monotonic() < ends_at, log.read_text()
            time.sleep(0.05)
        yield found[1]
    finally:
        process.terminate()
        process.wait()
