"""The examples, as they are: receivers behind real HTTP servers that the real service calls, and the payer."""

from __future__ import annotations

import base64
import hmac
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
def running(name: str, port: int, secret: str, folder: Path) -> Iterator[None]:
    """A receiver with its database and its log in the folder."""
    command = [sys.executable, *(part.format(port=port) for part in SERVERS[name])]
    environment = {**ENVIRONMENT, "SIGNING_SECRET": secret, "DATABASE": str(folder / "receiver.sqlite")}
    log = folder / "log"
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


PING = b'{"event":"ping","data":{}}'
BODIES = {
    "nothing": b"",
    "a byte order mark": b"\xef\xbb\xbf" + PING,
    "bytes that are not UTF-8": b"{\xff\xfe}",
    "UTF-16": PING.decode().encode("utf-16"),
    "no JSON": b'{"event":',
    "null": b"null",
    "an array": b"[]",
    "a NUL": b'{"event":"ping\0","data":{}}',
    "deep nesting": b"[" * 100_000,
    "a member twice": b'{"event":"ping","data":{},"event":"deposit.created"}',
    "2 MiB": b" " * 2_097_152,
}
TIMES = ["-1", "0", "NaN", "Infinity", "1e9", "99999999999", "999999999999", "9" * 400, ""]
SIGNATURES = ["zzz", "v1,é", "v1,", "v1", ",", "=", "v1," * 4000, "v1,AA " * 2000, "v1,\0", "v" * 1_000_000]
TYPES = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "application/json; charset=none",
    ";;",
    "",
]


def signed(secret: str, body: bytes, timestamp: str | None = None, id: str = "evt_1") -> dict[str, str]:
    """The headers of a delivery."""
    sent = str(int(time.time())) if timestamp is None else timestamp
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"{id}.{sent}.".encode() + body, "sha256").digest()
    return {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": sent,
        "webhook-signature": f"v1,{base64.b64encode(mac).decode()}",
    }


def request_of(headers: dict[str, str], body: bytes, more: str = "") -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = f"POST /hook HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{lines}{more}"
    return head.encode("latin-1") + f"content-length: {len(body)}\r\n\r\n".encode() + body


def hostile(secret: str) -> Iterator[tuple[str, bytes]]:
    """Requests of strangers: none of them is a delivery."""
    good = signed(secret, PING)
    for what, body in BODIES.items():
        yield f"a signed body: {what}", request_of(signed(secret, body), body)
    for timestamp in TIMES:
        yield f"the time {timestamp[:20]}", request_of(signed(secret, PING, timestamp), PING)
    for signature in SIGNATURES:
        headers = {**good, "webhook-signature": signature}
        yield f"the signature {signature[:20]}", request_of(headers, PING)
    for kind in TYPES:
        headers = {**good, "content-type": kind}
        yield f"an altered body of type {kind}", request_of(headers, PING + b" ")
        yield f"no event, of type {kind}", request_of({**signed(secret, b"{}"), "content-type": kind}, b"{}")
    for name in good:
        if name != "content-type":
            yield f"no {name}", request_of({one: good[one] for one in good if one != name}, PING)
            yield f"{name} twice", request_of(good, PING, f"{name}: {good[name]}\r\n")


def exchange(port: int, content: bytes) -> int:
    """The status of the answer; 0 when the connection ends without one."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        answer = b""
        try:
            connection.sendall(content)
        except OSError:
            pass  # a receiver may close before it has read everything
        try:
            while more := connection.recv(65536):
                answer += more
        except OSError:
            pass
    found = re.match(rb"HTTP/1\.[01] (\d+)", answer)
    return int(found.group(1)) if found else 0


def credits(folder: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / "receiver.sqlite")) as database:
        return database.execute("select * from credits order by deposit_id").fetchall()


def change(folder: Path, sql: str) -> None:
    with closing(sqlite3.connect(folder / "receiver.sqlite")) as database, database:
        database.execute(sql)


def deposit(id: str) -> bytes:
    amount = 9_007_199_254_740_993  # no float is this
    return (
        f'{{"event":"deposit.created","data":{{"id":"{id}","asset_code":"native","asset_issuer":null,'
        f'"amount_stroops":{amount},"metadata":{{"a": 1.50}}}}}}'
    ).encode()


def new_secret() -> str:
    return f"whsec_{base64.b64encode(os.urandom(32)).decode()}"


@pytest.mark.parametrize("name", SERVERS)
def test_a_receiver_credits_a_deposit_once_whatever_comes_fails_or_ends(name: str, tmp_path: Path) -> None:
    port = free_port()
    old, new = new_secret(), new_secret()
    first = ("dep_1", "evt_1", '{"a": 1.50}', "native", None, 9_007_199_254_740_993)
    second = ("dep_2", "evt_2", *first[2:])

    def post(body: bytes, headers: dict[str, str], sequence: int = 1) -> int:
        return exchange(port, request_of({**headers, "webhook-sequence": str(sequence)}, body))

    with running(name, port, old, tmp_path):
        headers = signed(old, deposit("dep_1"))
        for sequence in (1, 1, 2, 1000):  # again, and with numbers that somebody has changed
            assert post(deposit("dep_1"), headers, sequence) == 204
        assert credits(tmp_path) == [first]

        refuse = (
            "create trigger refuse before insert on credits begin select raise(abort, 'no customer'); end"
        )
        change(tmp_path, refuse)
        headers = signed(old, deposit("dep_2"), id="evt_2")
        assert post(deposit("dep_2"), headers) == 500
        assert post(deposit("dep_2"), headers) == 500
        change(tmp_path, "drop trigger refuse")
        assert post(deposit("dep_2"), headers) == 204
        assert credits(tmp_path) == [first, second]

        by_both = {**headers}  # while the secret is replaced
        newer = signed(new, deposit("dep_2"), headers["webhook-timestamp"], id="evt_2")
        by_both["webhook-signature"] = f"{newer['webhook-signature']} {headers['webhook-signature']}"
        assert post(deposit("dep_2"), by_both) == 204
    with running(name, port, new, tmp_path):  # it starts again, with the new secret
        assert post(deposit("dep_2"), by_both) == 204
        assert post(deposit("dep_1"), signed(new, deposit("dep_1"))) == 204
        assert post(deposit("dep_3"), signed(old, deposit("dep_3"), id="evt_3")) == 401
    assert credits(tmp_path) == [first, second]


@pytest.mark.parametrize("name", SERVERS)
def test_a_receiver_takes_what_the_service_signed_and_nothing_else(
    name: str, service: Service, teller: TellerClient, integration: TellerClient, tmp_path: Path
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/hook"
    endpoint = integration.webhooks.register(service.wallet_id, url=url)
    assert endpoint["signing_secret"]
    log = tmp_path / "log"
    with running(name, port, endpoint["signing_secret"], tmp_path):
        address = integration.addresses.create(service.wallet_id, metadata={"customer": name})
        teller.sandbox.pay(destination=address["address"], amount_stroops=12345)
        ends_at = time.monotonic() + 60
        while not any(
            delivery["status"] == "delivered"
            for delivery in integration.webhooks.list_deliveries(service.wallet_id, endpoint["id"])
        ):
            assert time.monotonic() < ends_at, log.read_text()
            time.sleep(0.1)
        (credit,) = credits(tmp_path)
        assert credit[2:] == (f'{{"customer":"{name}"}}', "native", None, 12345)
        report = integration.webhooks.examine(service.wallet_id, endpoint["id"])
        assert report["passed"] and report["unseen"] == [], report
        assert len(credits(tmp_path)) == 1, "an exam credits nobody"
        (delivery,) = integration.webhooks.list_deliveries(service.wallet_id, endpoint["id"])
        real = httpx.get(url, params={"handled": delivery["event_id"]})
        assert (real.status_code, real.json()) == (200, {"handled": 0}), "a stranger learns nothing"
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
        for what, content in hostile(endpoint["signing_secret"]):
            status = exchange(port, content)
            assert 400 <= status < 500, (what, status, log.read_text()[-2000:])
        assert exchange(port, request_of(signed(endpoint["signing_secret"], PING), PING)) == 204
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

    run("GNOBODY", "50000000")  # it is refused in each run, and holds up no other
    run(DESTINATION, "50000000")
    with closing(sqlite3.connect(tmp_path / "orders.sqlite")) as database:
        statuses = "select status from orders order by id"
        assert database.execute(statuses).fetchall() == [("open",), ("confirmed",)]
        (key,) = database.execute("select idempotency_key from orders where id = 2").fetchone()
        with database:  # as if it had died before it could note the outcome
            database.execute("update orders set status = 'open'")
        run()
        assert database.execute(statuses).fetchall() == [("open",), ("confirmed",)]
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
