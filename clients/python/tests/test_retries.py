"""Calls through cut connections: no payment is made twice, and nothing is repeated that may act twice."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import anyio
import httpx
import pytest
from cases import load
from proxy import Proxy
from service import DESTINATION, ROOT, Service

import stellar_teller
from stellar_teller import (
    ApiError,
    AsyncTellerClient,
    NotKnownYetError,
    ServiceUser,
    TellerClient,
    TellerConnectionError,
    TellerError,
    TellerTimeoutError,
    TellerUnreachableError,
    UnexpectedAnswerError,
    _core,
    _http,
    _operations,
    _retries,
    new_idempotency_key,
)
from stellar_teller._answers import Asked
from stellar_teller.errors import KIND_OF_STATUS

RETRIES = load("retries")
RULES = RETRIES["rules"]


def call(client: TellerClient, service: Service, name: str, key: str) -> Any:
    order: dict[str, Any] = {
        "destination": DESTINATION,
        "amount_stroops": 50_000_000,
        "idempotency_key": key,
    }
    match name:
        case "withdraw":
            return client.withdrawals.withdraw(service.wallet_id, **order)
        case "withdraw_and_wait":
            return client.withdrawals.withdraw_and_wait(service.wallet_id, **order, deadline_seconds=60)
        case "list_addresses":
            return client.addresses.list(service.wallet_id, limit=1).first()
        case "create_address":
            return client.addresses.create(service.wallet_id)
        case "audit_csv":
            return client.audit.csv().text()
    raise AssertionError(f"the table has the unknown call {name}")


async def call_async(url: str, service: Service, name: str, key: str) -> Any:
    order: dict[str, Any] = {
        "destination": DESTINATION,
        "amount_stroops": 50_000_000,
        "idempotency_key": key,
    }
    async with AsyncTellerClient(url, token=service.token) as client:
        match name:
            case "withdraw":
                return await client.withdrawals.withdraw(service.wallet_id, **order)
            case "withdraw_and_wait":
                return await client.withdrawals.withdraw_and_wait(
                    service.wallet_id, **order, deadline_seconds=60
                )
            case "list_addresses":
                return await client.addresses.list(service.wallet_id, limit=1).first()
            case "create_address":
                return await client.addresses.create(service.wallet_id)
            case "audit_csv":
                return await client.audit.csv().text()
    raise AssertionError(f"the table has the unknown call {name}")


@pytest.mark.parametrize("kind", ["sync", "async"])
@pytest.mark.parametrize("case", RETRIES["cases"], ids=lambda case: case["name"])
def test_a_call_ends_as_the_table_says(
    case: dict[str, Any], kind: str, service: Service, teller: TellerClient
) -> None:
    expected = case["expected"]
    key = new_idempotency_key()
    addresses = len(list(teller.addresses.list(service.wallet_id)))
    began = time.monotonic()
    with Proxy(service.url, case["proxy"]) as proxy:
        outcome: Any
        try:
            if kind == "sync":
                with TellerClient(proxy.url, token=service.token) as client:
                    outcome = call(client, service, case["call"], key)
            else:
                outcome = anyio.run(call_async, proxy.url, service, case["call"], key)
        except TellerError as error:
            outcome = error
        waited_ms = (time.monotonic() - began) * 1000
    if "kind" in expected:
        assert isinstance(outcome, getattr(stellar_teller, expected["kind"])), repr(outcome)
        assert getattr(outcome, "code", None) == expected.get("code", getattr(outcome, "code", None))
    else:
        assert not isinstance(outcome, TellerError), repr(outcome)
    if "status" in expected:
        assert outcome["status"] == expected["status"]
    if "connections" in expected:
        assert proxy.connections == expected["connections"]
    assert proxy.connections >= expected.get("connections_at_least", 0)
    assert waited_ms >= expected.get("waited_at_least_ms", 0)
    if "payments" in expected:
        made = list(teller.withdrawals.list(service.wallet_id, idempotency_key=key))
        assert len(made) == expected["payments"]
    if "addresses" in expected:
        made_addresses = len(list(teller.addresses.list(service.wallet_id))) - addresses
        assert made_addresses == expected["addresses"]


@pytest.mark.parametrize("row", RULES["table"], ids=str)
def test_what_is_repeated_is_in_the_table(row: dict[str, Any]) -> None:
    assert _retries.may_repeat(row["repeatable"], row["status"], row["code"]) is row["retry"]


@pytest.mark.parametrize("row", RULES["table"], ids=str)
def test_what_may_be_accepted_is_in_the_table(row: dict[str, Any]) -> None:
    assert _core.is_unanswered(error_of(row["status"], row["code"])) is row["may_be_accepted"]


def error_of(status: int | None, code: str | None) -> TellerError:
    if status is None:
        return TellerConnectionError("m")
    if code is None:
        return UnexpectedAnswerError("m", status=status)
    return KIND_OF_STATUS.get(status, ApiError)("m", status=status, code=code)


@pytest.mark.parametrize("row", RULES["waits"], ids=str)
def test_the_pause_of_a_wait_is_in_the_table(row: dict[str, Any]) -> None:
    pause = _retries.wait_seconds(row["failures"], row["retry_after_seconds"], row["random"])
    assert pause * 1000 == row["wait_ms"]


@pytest.mark.parametrize("key", RULES["keys"]["good"])
def test_a_key_arrives_as_it_was_given(key: str, service: Service, teller: TellerClient) -> None:
    given = f"{new_idempotency_key()} {key}" if len(key) < 200 else key
    order: dict[str, Any] = {"destination": DESTINATION, "amount_stroops": 50_000_000}
    made = teller.withdrawals.withdraw(service.wallet_id, **order, idempotency_key=given)
    assert made["idempotency_key"] == given


@pytest.mark.parametrize("key", [*RULES["keys"]["bad"], 7, b"a", True])
def test_a_key_that_would_change_on_its_way_is_never_sent(
    key: Any, service: Service, teller: TellerClient
) -> None:
    order: dict[str, Any] = {"destination": DESTINATION, "amount_stroops": 1, "idempotency_key": key}
    for method in (teller.withdrawals.withdraw, teller.withdrawals.withdraw_and_wait):
        with pytest.raises(ValueError):
            method(service.wallet_id, **order)


def test_every_get_and_what_the_document_names_may_be_repeated() -> None:
    document = json.loads((ROOT / "docs" / "openapi.json").read_text())
    operations = [each for methods in document["paths"].values() for each in methods.values()]
    named = {each["operationId"] for each in operations if each["x-client"].get("repeatable")}
    assert "createWithdrawal" in named
    for operation in _operations.ALL:
        assert operation.repeatable is (operation.method == "GET" or operation.id in named)


def test_a_pause_doubles_up_to_its_limit_and_obeys_retry_after() -> None:
    assert [_retries.pause_seconds(tries, None, 1) for tries in (1, 2, 3, 9)] == [0.5, 1, 2, 8]
    assert _retries.pause_seconds(1, None, 0) == 0.25
    assert _retries.pause_seconds(1, 7, 0) == 7.0625
    assert _retries.pause_seconds(1, 61, 0) is None
    assert _retries.MAX_RETRIES == RULES["max_retries"]


def test_a_withdrawal_without_an_answer_is_not_known_at_the_deadline(service: Service) -> None:
    key = new_idempotency_key()
    with Proxy(service.url, ["cut_request"] * 50) as proxy:
        with TellerClient(proxy.url, token=service.token) as client:
            with pytest.raises(NotKnownYetError) as caught:
                client.withdrawals.withdraw_and_wait(
                    service.wallet_id,
                    destination=DESTINATION,
                    amount_stroops=1,
                    idempotency_key=key,
                    deadline_seconds=2,
                )
    assert caught.value.idempotency_key == key
    assert caught.value.withdrawal is None
    assert isinstance(caught.value.__cause__, TellerConnectionError)
    assert str(caught.value.__cause__) in str(caught.value)


def test_a_withdrawal_that_awaits_approvals_says_so_at_the_deadline(service: Service) -> None:
    key = new_idempotency_key()
    awaiting = {
        "id": "wd_1",
        "wallet_id": service.wallet_id,
        "status": "awaiting_approval",
        "idempotency_key": key,
        "approval_expires_at": "2026-03-02T09:00:00.000Z",
    }
    answer = httpx.MockTransport(lambda _: httpx.Response(202, json={"data": awaiting}))
    with httpx.Client(transport=answer) as http, TellerClient(service.url, token="t", http=http) as client:
        with pytest.raises(NotKnownYetError, match="awaits approvals until 2026-03-02") as caught:
            client.withdrawals.withdraw_and_wait(
                service.wallet_id,
                destination=DESTINATION,
                amount_stroops=1,
                idempotency_key=key,
                deadline_seconds=1,
            )
    assert caught.value.withdrawal is not None
    assert caught.value.withdrawal["status"] == "awaiting_approval"


def test_where_nobody_listens_only_a_client_that_had_an_answer_tries_again(service: Service) -> None:
    order: dict[str, Any] = {"destination": DESTINATION, "amount_stroops": 1}
    each_its_own = httpx.Client(headers={"connection": "close"})
    with Proxy(service.url, []) as proxy:
        known = TellerClient(proxy.url, token=service.token, http=each_its_own)
        known.auth.me()
    with closing(each_its_own), known, pytest.raises(NotKnownYetError) as waited:
        known.withdrawals.withdraw_and_wait(
            service.wallet_id, **order, idempotency_key=new_idempotency_key(), deadline_seconds=2
        )
    assert isinstance(waited.value.__cause__, TellerUnreachableError)
    assert not waited.value.__cause__.is_lasting
    with TellerClient(proxy.url, token=service.token) as unknown:
        with pytest.raises(TellerUnreachableError, match=r"Nothing was sent.*refused") as caught:
            unknown.withdrawals.withdraw_and_wait(
                service.wallet_id, **order, idempotency_key=new_idempotency_key()
            )
    assert caught.value.is_lasting


def test_where_nobody_listens_the_client_for_tasks_ends_at_once_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    async def ask() -> None:
        # Two addresses, of which nobody listens at either.
        async with AsyncTellerClient(f"http://localhost:{port}", token="t") as client:
            with pytest.raises(TellerUnreachableError):
                await client.auth.me()

    anyio.run(ask)


@pytest.mark.parametrize(
    ("cause", "lasting"),
    [
        (ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed"), True),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), False),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"), None),
        (ConnectionResetError(104, "Connection reset by peer"), None),
    ],
)
def test_what_an_error_of_the_connection_says(cause: OSError, lasting: bool | None) -> None:
    if isinstance(cause, ssl.SSLError):
        cause.reason = "CERTIFICATE_VERIFY_FAILED"
    error = httpx.ConnectError(str(cause))
    error.__cause__ = cause
    request = _core.Request("GET", "/", {}, None, 1.0, Asked(None, None, None))
    made = _http.connection_error(error, request)
    assert (made.is_lasting if isinstance(made, TellerUnreachableError) else None) == lasting


def test_a_try_that_was_not_sent_proves_nothing_about_an_earlier_one() -> None:
    failures: list[Exception] = [httpx.ReadError("cut"), httpx.ConnectError("away")]
    failures[1].__cause__ = ConnectionRefusedError(111, "Connection refused")

    def fail(_: httpx.Request) -> httpx.Response:
        raise failures.pop(0)

    http = httpx.Client(transport=httpx.MockTransport(fail))
    with TellerClient("http://service", token="t", http=http) as client:
        with pytest.raises(NotKnownYetError):
            client.withdrawals.withdraw("wal_1", destination="G", amount_stroops=1, idempotency_key="k")
    assert failures == []


@pytest.mark.parametrize("method", ["withdraw", "withdraw_and_wait"])
def test_a_refusal_after_a_try_without_an_answer_is_no_outcome(
    method: str, service: Service, teller: TellerClient
) -> None:
    """The token ends between the two tries. The first one has paid."""
    refusal = {
        "status": 401,
        "headers": {"content-type": "application/json"},
        "body": '{"statusCode":401,"message":"m","error":{"code":"unauthenticated","request_id":"r"}}',
    }
    key = new_idempotency_key()
    with Proxy(service.url, ["cut_answer", {"answer": refusal}]) as proxy:
        with TellerClient(proxy.url, token=service.token) as client:
            with pytest.raises(NotKnownYetError):
                getattr(client.withdrawals, method)(
                    service.wallet_id,
                    destination=DESTINATION,
                    amount_stroops=50_000_000,
                    idempotency_key=key,
                )
    again = teller.withdrawals.withdraw_and_wait(
        service.wallet_id, destination=DESTINATION, amount_stroops=50_000_000, idempotency_key=key
    )
    assert again["status"] == "confirmed"
    assert len(list(teller.withdrawals.list(service.wallet_id, idempotency_key=key))) == 1


def test_429_to_the_exchange_of_a_token_says_nothing_about_a_try_before_it_that_had_no_answer() -> None:
    answers: list[dict[str, Any] | None] = [
        {"statusCode": 200, "message": "m", "data": {"token": "t", "expires_in": 0}},
        None,
        {"statusCode": 429, "message": "m", "error": {"code": "too_many_logins", "request_id": "r"}},
    ]

    def answer(request: httpx.Request) -> httpx.Response:
        body = answers.pop(0)
        if body is None:
            raise httpx.ReadError("the connection has ended")
        return httpx.Response(body["statusCode"], headers={"retry-after": "3600"}, json=body)

    user = ServiceUser("usr_1", "s")
    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        with pytest.raises(NotKnownYetError) as caught:
            TellerClient(service_user=user, http=http).withdrawals.withdraw(
                "wal_1", destination="G", amount_stroops=1, idempotency_key="key-1"
            )
    assert caught.value.idempotency_key == "key-1"
    assert isinstance(caught.value.__cause__, ApiError)
    assert caught.value.__cause__.retry_after_seconds == 3600
    assert not answers


def pending(id: str) -> dict[str, Any]:
    """What the service answers when it cannot prove the outcome in time."""
    body = {
        "statusCode": 504,
        "message": "m",
        "error": {"code": "outcome_pending", "request_id": "r"},
        "data": {"id": id, "status": "pending"},
    }
    return {"status": 504, "headers": {"content-type": "application/json"}, "body": json.dumps(body)}


def test_a_withdrawal_that_is_pending_is_awaited_by_its_id(service: Service, teller: TellerClient) -> None:
    order: dict[str, Any] = {
        "destination": DESTINATION,
        "amount_stroops": 50_000_000,
        "idempotency_key": new_idempotency_key(),
    }
    accepted = teller.withdrawals.withdraw(service.wallet_id, **order, prefer="respond-async")
    steps = [{"answer": pending(accepted["id"])}, "cut_request"]
    with Proxy(service.url, steps) as proxy, TellerClient(proxy.url, token=service.token) as client:
        outcome = client.withdrawals.withdraw_and_wait(service.wallet_id, **order, deadline_seconds=60)
    assert (outcome["id"], outcome["status"]) == (accepted["id"], "confirmed")
    assert proxy.connections == 3
    assert teller.withdrawals.get(service.wallet_id, accepted["id"], wait_seconds=30)["status"] == "confirmed"


def test_a_withdrawal_that_was_shown_and_is_not_found_is_asked_for_by_its_key(
    service: Service, teller: TellerClient
) -> None:
    key = new_idempotency_key()
    steps = [{"answer": pending("wd_x")}]
    with Proxy(service.url, steps) as proxy, TellerClient(proxy.url, token=service.token) as client:
        outcome = client.withdrawals.withdraw_and_wait(
            service.wallet_id,
            destination=DESTINATION,
            amount_stroops=50_000_000,
            idempotency_key=key,
        )
    assert outcome["status"] == "confirmed"
    assert outcome["idempotency_key"] == key


@contextmanager
def dripping(head: bytes, drop: bytes) -> Iterator[str]:
    """The URL of a server that answers with the head, and then with a drop each tenth of a second."""
    stopped = threading.Event()

    def serve() -> None:
        client, _ = server.accept()
        with client, suppress(OSError):
            client.sendall(head)
            while not stopped.wait(0.1):
                client.sendall(drop)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        stopped.set()
        thread.join()


HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n"


def test_an_answer_in_drops_ends_at_the_time_limit() -> None:
    with dripping(HEAD + b"\r\n", b" ") as url:
        with TellerClient(url, timeout_seconds=0.5, max_retries=0) as client:
            with pytest.raises(TellerTimeoutError):
                client.service.get()


@pytest.mark.parametrize("head", [HEAD + b"\r\n", HEAD + b"x: "], ids=["body", "header"])
def test_an_answer_in_drops_ends_at_the_time_limit_of_a_task(head: bytes) -> None:
    async def ask(url: str) -> None:
        async with AsyncTellerClient(url, timeout_seconds=0.5, max_retries=0) as client:
            with pytest.raises(TellerTimeoutError):
                await client.service.get()

    with dripping(head, b" ") as url:
        anyio.run(ask, url)
