"""The examples, as they are: receivers behind real HTTP servers that the real service calls, and the payer."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from service import DESTINATION, Service

from stellar_teller import TellerClient

PACKAGE = Path(__file__).parents[1]
EXAMPLES = PACKAGE / "examples"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGE / "src"), "PYTHONUNBUFFERED": "1"}
_START_SECONDS = 60

SERVERS = {
    "fastapi": ["-m", "uvicorn", "receiver_fastapi:app", "--port", "{port}"],
    "flask": ["-m", "flask", "--app", "receiver_flask", "run", "--port", "{port}"],
    "django": ["receiver_django.py", "runserver", "--noreload", "{port}"],
}


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def running(name: str, port: int, secret: str, log: Path) -> Iterator[None]:
    command = [sys.executable, *(part.format(port=port) for part in SERVERS[name])]
    environment = {**ENVIRONMENT, "SIGNING_SECRET": secret}
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=EXAMPLES, env=environment, stdout=output, stderr=output)
    try:
        ends_at = time.monotonic() + _START_SECONDS
        while True:
            assert process.poll() is None and time.monotonic() < ends_at, log.read_text()
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        yield
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


@pytest.mark.parametrize("name", SERVERS)
def test_a_receiver_takes_what_the_service_signed_and_nothing_else(
    name: str, service: Service, teller: TellerClient, integration: TellerClient, tmp_path: Path
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/hook"
    endpoint = integration.webhooks.register(service.wallet_id, url=url)
    log = tmp_path / "log"
    with running(name, port, endpoint["signing_secret"], log):
        address = integration.addresses.create(service.wallet_id, metadata={"customer": name})
        teller.sandbox.pay(destination=address["address"], amount_stroops=12345)
        ends_at = time.monotonic() + 60
        while not any(
            delivery["status"] == "delivered"
            for delivery in integration.webhooks.list_deliveries(service.wallet_id, endpoint["id"])
        ):
            assert time.monotonic() < ends_at, log.read_text()
            time.sleep(0.1)
        assert f"12345 stroops for {{'customer': '{name}'}}" in log.read_text()
        forged = httpx.post(
            url,
            content=b'{"event":"deposit.created","data":{}}',
            headers={
                b"webhook-id": b"evt_1",
                b"webhook-timestamp": str(int(time.time())).encode(),
                b"webhook-signature": "v1,é".encode("latin-1"),
            },
        )
        assert forged.status_code == 401
    teller.webhooks.delete(service.wallet_id, endpoint["id"])


def test_the_payer_pays_each_order_once_when_it_runs_again(
    service: Service, teller: TellerClient, tmp_path: Path
) -> None:
    made = teller.service_users.create(name="Payer of the example", role="operator")
    assert "client_secret" in made and made["client_secret"]
    environment = {
        **ENVIRONMENT,
        "API_URL": service.url,
        "CLIENT_ID": made["client_id"],
        "CLIENT_SECRET": made["client_secret"],
        "WALLET": service.wallet_id,
    }

    def run(*arguments: str) -> None:
        command = [sys.executable, str(EXAMPLES / "payer.py"), *arguments]
        subprocess.run(command, cwd=tmp_path, env=environment, check=True, timeout=120)

    run(DESTINATION, "50000000")
    with closing(sqlite3.connect(tmp_path / "orders.sqlite")) as database:
        key, status = database.execute("select idempotency_key, status from orders").fetchone()
        assert status == "confirmed"
        with database:  # as if it had died before it could note the outcome
            database.execute("update orders set status = 'open'")
        run()
        assert database.execute("select status from orders").fetchall() == [("confirmed",)]
    assert len(list(teller.withdrawals.list(service.wallet_id, idempotency_key=key))) == 1


def test_the_tour_of_the_readme_works_when_it_is_pasted(service: Service, tmp_path: Path) -> None:
    readme = (PACKAGE / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python tour\n(.*?)```", readme, re.DOTALL)
    assert found
    (tmp_path / "tour.py").write_text(found.group(1), encoding="utf-8")
    environment = {**ENVIRONMENT, "API_URL": service.url, "PASSWORD": service.password}
    shown = subprocess.run(
        [sys.executable, "tour.py"],
        cwd=tmp_path,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout.split("\n")
    assert shown[0] == "customer 42 paid 255000000 stroops"
    assert shown[1].startswith("confirmed ")
    assert shown[2:4] == ["withdrawal 150000000", "deposit 255000000"]
