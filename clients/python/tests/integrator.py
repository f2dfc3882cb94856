"""What an integrator writes: test_types.py checks it with `mypy --strict`, and nothing runs it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from stellar_teller import (
    ApiError,
    AsyncTellerClient,
    NotKnownYetError,
    NotPossibleError,
    ServiceUser,
    TellerClient,
    VerifiedWebhook,
    WebhookVerificationError,
    models,
    new_idempotency_key,
    verify_webhook,
)


def address_for(client: TellerClient, wallet_id: str, customer: int) -> str:
    return client.addresses.create(wallet_id, label=f"Customer {customer}", metadata={"customer": customer})[
        "address"
    ]


def pay(client: TellerClient, wallet_id: str, order: dict[str, str], amount_stroops: int) -> str | None:
    try:
        withdrawal = client.withdrawals.withdraw_and_wait(
            wallet_id,
            destination=order["destination"],
            amount_stroops=amount_stroops,
            idempotency_key=order["key"],
            deadline_seconds=60,
        )
    except NotPossibleError as error:
        return error.code
    except NotKnownYetError as error:
        return error.withdrawal["status"] if error.withdrawal else None
    except ApiError as error:
        return f"{error.status} {error.code} {error.request_id} {error.retry_after_seconds}"
    return withdrawal["stellar_tx_hash"] if withdrawal["status"] == "confirmed" else withdrawal["status"]


def pay_all(client: TellerClient, wallet_id: str, amounts: Iterable[tuple[str, int]]) -> models.Payout:
    rows: list[models.PayoutRowBody] = [
        {"idempotency_key": new_idempotency_key(), "destination": to, "amount_stroops": amount}
        for to, amount in amounts
    ]
    report = client.payouts.preview(wallet_id, name="October", rows=rows)
    total = sum(one["amount_stroops"] for one in report["totals"])
    if report["error_count"] > 0:
        raise ValueError([problem["message"] for problem in report["errors"]])
    payout = client.payouts.create(wallet_id, name="October", rows=rows, expected_total_stroops=total)
    client.payouts.start(wallet_id, payout["id"])
    return client.payouts.until_ended(wallet_id, payout["id"])


def deposits_of(client: TellerClient, wallet_id: str) -> dict[str, int]:
    return {
        deposit["id"]: deposit["amount_stroops"]
        for deposit in client.deposits.list(wallet_id, attributed=True)
        if deposit["asset_issuer"] is None
    }


def receive(headers: dict[str, str], body: bytes, secret: str) -> int | None:
    try:
        delivery: VerifiedWebhook = verify_webhook(headers, body, secret)
    except WebhookVerificationError as error:
        raise PermissionError(error.reason) from error
    event = delivery.known
    if event is None:
        return None
    if event["event"] == "deposit.created":
        return event["data"]["amount_stroops"]
    if event["event"] == "withdrawal.failed":
        return event["data"]["fee_stroops"]
    return None


async def follow(wallet_id: str) -> None:
    user = ServiceUser("svc_1", "secret")
    async with AsyncTellerClient("http://127.0.0.1:3000", service_user=user) as client:
        report = await client.payouts.preview(wallet_id, name="Two", csv="…")
        print(report["needs_confirmation"], report["fee_stroops"])
        page = await client.withdrawals.list(wallet_id).first()
        print(page.is_last, [withdrawal["status"] for withdrawal in page.items])
        async for event in client.events.follow(wallet_id, after="latest"):
            print(event["sequence"], event["parsed"]["event"])


if __name__ == "__main__":
    with TellerClient("http://127.0.0.1:3000", api_key="sk_test") as shop:
        print(address_for(shop, "wal_1", 42), deposits_of(shop, "wal_1"))
    asyncio.run(follow("wal_1"))
