"""Many payments as one file: from rows, and from a CSV."""

from __future__ import annotations

from typing import Any

import pytest
from service import DESTINATION, Service

from stellar_teller import InvalidRequestError, NotKnownYetError, TellerClient, new_idempotency_key

_PATIENCE_SECONDS = 120


def completed(teller: TellerClient, service: Service, payout_id: str) -> list[Any]:
    """The rows of the payout when it has ended."""
    ended = teller.payouts.until_ended(service.wallet_id, payout_id, deadline_seconds=_PATIENCE_SECONDS)
    assert ended["status"] == "completed"
    return list(teller.payouts.list_rows(service.wallet_id, payout_id, limit=2))


def test_a_payout_of_rows_is_paid_once_each(service: Service, teller: TellerClient) -> None:
    keys = [new_idempotency_key() for _ in range(5)]
    made = teller.payouts.create(
        service.wallet_id,
        name="October",
        rows=[
            {"idempotency_key": key, "destination": DESTINATION, "amount_stroops": 1000 + number}
            for number, key in enumerate(keys)
        ],
        expected_count=5,
    )
    assert made["status"] == "draft"
    with pytest.raises(NotKnownYetError):
        teller.payouts.until_ended(service.wallet_id, made["id"], deadline_seconds=0.1)
    started = teller.payouts.start(service.wallet_id, made["id"])
    assert started["status"] in ("running", "completed")
    rows = completed(teller, service, made["id"])
    assert {row["idempotency_key"] for row in rows} == set(keys)
    assert {row["status"] for row in rows} == {"confirmed"}
    result = teller.payouts.rows_csv(service.wallet_id, made["id"]).text().splitlines()
    assert [line.split(",")[1] for line in result[1:]] == keys
    for key in keys:
        assert len(list(teller.withdrawals.list(service.wallet_id, idempotency_key=key))) == 1


def test_a_csv_is_previewed_and_its_errors_are_named(service: Service, teller: TellerClient) -> None:
    header = "idempotency_key,destination,amount_stroops\n"
    good = f"{header}{new_idempotency_key()},{DESTINATION},1000\n"
    before = len(list(teller.payouts.list(service.wallet_id)))
    report = teller.payouts.preview(service.wallet_id, name="CSV", csv=good)
    assert report["rows"] == 1
    assert len(list(teller.payouts.list(service.wallet_id))) == before, "nothing is kept"
    with pytest.raises(InvalidRequestError) as caught:
        teller.payouts.create(service.wallet_id, name="CSV", csv=f"{header}a,{DESTINATION},1.5\n")
    assert caught.value.data["error_count"] == 1
