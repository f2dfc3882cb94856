"""Both clients at the real service: deposits, withdrawals, lists, events, service users."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

import anyio
import pytest
from service import DESTINATION, ROOT, Service

from stellar_teller import (
    AsyncTellerClient,
    AuthenticationError,
    ConflictError,
    ServiceUser,
    TellerClient,
    TellerError,
    _operations,
    models,
    new_idempotency_key,
)

BIG = 2**53 + 1


def test_every_operation_of_the_document_has_a_method_in_both_clients(service: Service) -> None:
    document = json.loads((ROOT / "docs" / "openapi.json").read_text())
    names = {
        operation["operationId"]: operation["x-client"]["method"]
        for methods in document["paths"].values()
        for operation in methods.values()
    }
    assert {operation.id for operation in _operations.ALL} == set(names)
    with TellerClient(service.url) as client:
        for name in names.values():
            group, method = name.split(".")
            assert callable(getattr(getattr(client, group), method))
            assert callable(getattr(getattr(AsyncTellerClient(), group), method))


def test_a_deposit_keeps_metadata_and_large_integers(
    service: Service, teller: TellerClient, integration: TellerClient
) -> None:
    text = '{"b": 1.10,"2":9007199254740993,"1":1e400}'
    address = integration.addresses.create(service.wallet_id, label="a", metadata_text=text)
    assert json.loads(address["metadata_text"] or "") == json.loads(text)
    assert address["metadata_text"] == text
    usdc = next(asset for asset in teller.service.get()["test_assets"] if asset["asset_code"] == "USDC")
    asset: dict[str, Any] = {"asset_code": usdc["asset_code"], "asset_issuer": usdc["asset_issuer"]}
    assert teller.assets.add(service.wallet_id, **asset)["status"] == "active"
    paid = teller.sandbox.pay(destination=address["address"], amount_stroops=BIG, **asset)
    for event in integration.events.follow(service.wallet_id, after=0):
        told: models.Deposit = event["parsed"]["data"]
        if told.get("stellar_tx_hash") == paid["stellar_tx_hash"]:
            break
    assert told["amount_stroops"] == BIG
    assert told["metadata_text"] == text
    deposit = integration.deposits.get(service.wallet_id, told["id"])
    assert deposit["amount_stroops"] == BIG
    assert deposit["metadata_text"] == text
    assert deposit["memo_id"] == address["memo_id"]


def test_an_address_changes_its_label_and_keeps_its_metadata(
    service: Service, integration: TellerClient
) -> None:
    made = integration.addresses.create(service.wallet_id, label="a", metadata={"n": BIG})
    changed = integration.addresses.change(service.wallet_id, made["id"], label="b")
    assert (changed["label"], changed["metadata"]) == ("b", {"n": BIG})


def test_a_largest_memo_id_is_paid_exactly(service: Service, teller: TellerClient) -> None:
    withdrawal = teller.withdrawals.withdraw(
        service.wallet_id,
        destination=DESTINATION,
        amount_stroops=50_000_000,
        memo_id=2**64 - 1,
        idempotency_key=new_idempotency_key(),
    )
    assert (withdrawal["status"], withdrawal["memo_id"]) == ("confirmed", 2**64 - 1)


def test_a_key_that_is_used_gives_its_withdrawal_and_another_order_is_refused(
    service: Service, teller: TellerClient
) -> None:
    key = new_idempotency_key()

    def withdraw(amount_stroops: int) -> Any:
        return teller.withdrawals.withdraw(
            service.wallet_id,
            destination=DESTINATION,
            amount_stroops=amount_stroops,
            idempotency_key=key,
        )

    first, again = withdraw(50_000_000), withdraw(50_000_000)
    assert again["id"] == first["id"]
    with pytest.raises(ConflictError) as caught:
        withdraw(50_000_001)
    assert caught.value.code == "idempotency_key_mismatch"


def test_a_list_reads_all_pages(service: Service, integration: TellerClient) -> None:
    made = [integration.addresses.create(service.wallet_id)["id"] for _ in range(5)]
    listed = integration.addresses.list(service.wallet_id, limit=2)
    assert [address["id"] for address in islice(listed, 5)] == made[::-1]
    assert all(len(page.items) <= 2 for page in listed.pages())
    assert len(listed.first().items) == 2
    everything = listed.all()
    assert listed.all(at_most=len(everything)) == everything
    with pytest.raises(ValueError, match="more than 3 items"):
        listed.all(at_most=3)


def test_a_list_that_grows_while_it_is_read_shows_each_item_once(
    service: Service, teller: TellerClient
) -> None:
    wallet = teller.wallets.create(name="Grows")
    made = [teller.addresses.create(wallet["id"])["id"] for _ in range(5)]
    read = []
    for address in teller.addresses.list(wallet["id"], limit=2):
        read.append(address["id"])
        teller.addresses.create(wallet["id"])
    assert read == made[::-1]


def test_events_end_with_the_newest_and_a_follower_waits_for_the_next(
    service: Service, teller: TellerClient, integration: TellerClient
) -> None:
    address = integration.addresses.create(service.wallet_id)
    before = [event["sequence"] for event in integration.events.list(service.wallet_id, after=0)]
    followed: list[Any] = []

    def follow() -> None:
        for event in integration.events.follow(service.wallet_id, after=max(before, default=0)):
            followed.append(event["parsed"])
            return

    follower = threading.Thread(target=follow)
    follower.start()
    paid = teller.sandbox.pay(destination=address["address"], amount_stroops=7)
    follower.join(60)
    assert [event["data"]["stellar_tx_hash"] for event in followed] == [paid["stellar_tx_hash"]]


def test_readiness_answers_what_works(service: Service) -> None:
    with TellerClient(service.url) as client:
        assert client.service.ready()["database"]["ok"] is True
        assert client.service.get()["network"] == "sandbox"


@pytest.fixture
def service_user(teller: TellerClient) -> tuple[str, str, str]:
    """Client id, secret, and id of the secret."""
    made = teller.service_users.create(name=f"Payer {new_idempotency_key()}", role="operator")
    assert "client_secret" in made and made["client_secret"]
    return made["client_id"], made["client_secret"], made["secrets"][0]["id"]


def test_threads_of_a_service_user_share_one_exchange(
    service: Service, teller: TellerClient, service_user: tuple[str, str, str]
) -> None:
    client_id, client_secret, _ = service_user
    user = ServiceUser(client_id, client_secret)
    assert client_secret not in repr(user)
    with TellerClient(service.url, service_user=user) as client:
        with ThreadPoolExecutor(8) as threads:
            names = list(threads.map(lambda _: client.auth.me()["kind"], range(16)))
    assert names == ["service"] * 16
    assert len(exchanges(teller, client_id)) == 1


def test_a_token_that_ends_before_its_time_is_exchanged_again(
    service: Service, teller: TellerClient, service_user: tuple[str, str, str]
) -> None:
    client_id, first_secret, first_id = service_user
    second = teller.service_users.add_secret(client_id)
    assert "client_secret" in second

    user = ServiceUser(client_id, first_secret)
    with TellerClient(service.url, service_user=user) as client:
        assert client.auth.me()["kind"] == "service"
        teller.service_users.retire_secret(client_id, first_id)
        object.__setattr__(
            user, "client_secret", second["client_secret"]
        )  # the program reads its secret again
        assert client.auth.me()["kind"] == "service"
    assert len(exchanges(teller, client_id)) == 2


def test_a_wrong_secret_is_refused_at_the_first_call(
    service: Service, service_user: tuple[str, str, str]
) -> None:
    with TellerClient(service.url, service_user=ServiceUser(service_user[0], "wrong")) as client:
        with pytest.raises(AuthenticationError) as caught:
            client.auth.me()
    assert caught.value.code == "invalid_client"


def exchanges(teller: TellerClient, client_id: str) -> list[Any]:
    return [entry for entry in teller.audit.list(actor_id=client_id) if "token" in entry["action"]]


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_the_asynchronous_client_pays_lists_and_follows(
    backend: str, service: Service, service_user: tuple[str, str, str]
) -> None:
    async def everything() -> None:
        user = ServiceUser(service_user[0], service_user[1])
        async with AsyncTellerClient(service.url, service_user=user) as client:
            address = await client.addresses.create(service.wallet_id, metadata={"customer": BIG})
            assert address["metadata"] == {"customer": BIG}
            listed = [one["id"] async for one in client.addresses.list(service.wallet_id, limit=1)]
            assert address["id"] in listed
            results: list[Any] = []

            async def withdraw() -> None:
                results.append(
                    await client.withdrawals.withdraw_and_wait(
                        service.wallet_id,
                        destination=DESTINATION,
                        amount_stroops=50_000_000,
                        idempotency_key=new_idempotency_key(),
                        deadline_seconds=60,
                    )
                )

            async with anyio.create_task_group() as tasks:
                for _ in range(3):
                    tasks.start_soon(withdraw)
            assert [one["status"] for one in results] == ["confirmed"] * 3
            async with AsyncTellerClient(service.url, token=service.token) as payer:
                paid = await payer.sandbox.pay(destination=address["address"], amount_stroops=9)
            async for event in client.events.follow(service.wallet_id, after=0):
                body = event["parsed"]
                if body["data"].get("stellar_tx_hash") == paid["stellar_tx_hash"]:
                    break
            assert body["data"]["metadata"] == {"customer": BIG}
            with anyio.move_on_after(0.2) as ended:
                await anext(client.events.follow(service.wallet_id, after="latest"))
            assert ended.cancelled_caught, "nothing happens before a cancelled call ends"
            assert (await client.wallets.get(service.wallet_id))["id"] == service.wallet_id

    anyio.run(everything, backend=backend)


REFUSED: list[Callable[[], Any]] = [
    lambda: TellerClient("ftp://localhost"),
    lambda: TellerClient("http://user:word@localhost"),
    lambda: TellerClient("http://localhost/?a=1"),
    lambda: TellerClient("http://[::1"),
    lambda: TellerClient(api_key="svc_sk_test_a\n"),
    lambda: TellerClient(api_key="a", token="b"),
    lambda: TellerClient(api_key=""),
    lambda: TellerClient(token=""),
    lambda: ServiceUser("usr_1"),
    lambda: ServiceUser("", client_secret="s"),
    lambda: ServiceUser("usr_1", client_secret=""),
]


@pytest.mark.parametrize("make", REFUSED)
def test_what_cannot_work_is_refused_before_any_request(make: Callable[[], Any]) -> None:
    with pytest.raises(ValueError):
        make()


@pytest.mark.parametrize("make", [TellerClient, AsyncTellerClient])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NO_PROXY", "[::1]"),
        ("NO_PROXY", "fd00::/8"),
        ("ALL_PROXY", "socks5://127.0.0.1:1"),
        ("ALL_PROXY", "no://a"),
    ],
)
def test_proxy_settings_that_httpx_cannot_read_are_an_error_with_the_way_out(
    make: Callable[..., Any], name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(TellerError, match="trust_env=False"):
        make("http://127.0.0.1:1", token="t")


@pytest.mark.parametrize("id", ["", ".", ".."])
def test_an_id_that_leads_to_another_operation_is_refused(id: str, teller: TellerClient) -> None:
    with pytest.raises(ValueError):
        teller.wallets.get(id)
