"""Which deliveries a receiver accepts: the table of cases that both clients share."""

from __future__ import annotations

import base64
import json
import math
import random
import sys
import time
from typing import Any

import pytest
from cases import at, load
from service import ROOT

from stellar_teller import (
    EventBody,
    WebhookVerificationError,
    known_event,
    models,
    sign_test_delivery,
    verify_webhook,
)

if sys.version_info >= (3, 11):
    from typing import assert_never
else:
    from typing_extensions import assert_never

SIGNATURES = load("signatures")["cases"]
GOOD_SECRET: str = SIGNATURES[0]["secrets"][0]


def body_of(case: dict[str, Any]) -> bytes:
    if "body_base64" in case:
        return base64.b64decode(case["body_base64"])
    return str(case["body"]).encode()


def verify(case: dict[str, Any]) -> Any:
    return verify_webhook(
        case["headers"],
        body_of(case),
        case["secrets"],
        tolerance_seconds=case.get("tolerance_seconds", 300),
        accept_without_time=case.get("accept_without_time", False),
        now=case["now"],
    )


@pytest.mark.parametrize("case", SIGNATURES, ids=lambda case: case["name"][:60])
def test_a_delivery_is_accepted_or_refused_as_the_table_says(case: dict[str, Any]) -> None:
    expected = case["expected"]
    if "refused" in expected:
        with pytest.raises(WebhookVerificationError) as caught:
            verify(case)
        assert caught.value.reason == expected["refused"]
        return
    event = verify(case)
    assert event.event == expected["event"]
    assert event.id == expected["id"]
    assert event.sequence == (None if expected["sequence"] is None else int(expected["sequence"]))
    sent_at = event.sent_at and event.sent_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert sent_at == expected["sent_at"]
    body = {"event": event.event, "data": event.data}
    for pointer, digits in expected["integers"].items():
        assert at(body, pointer) == int(digits)
    for pointer, text in expected["metadata_text"].items():
        assert at(body, pointer)["metadata_text"] == text
    assert event.text.encode() == body_of(case)


def stroops_of(event: models.KnownEvent) -> int:
    """It is here for its types: mypy names an event that is forgotten."""
    if event["event"] == "deposit.created" or event["event"] == "deposit.unattributed":
        return event["data"]["amount_stroops"]
    if event["event"] == "withdrawal.confirmed" or event["event"] == "withdrawal.failed":
        return -event["data"]["amount_stroops"]
    if event["event"] == "withdrawal.awaiting_approval":
        return -event["data"]["amount_stroops"]
    if event["event"] == "payout.completed":
        return -sum(total["amount_stroops"] for total in event["data"]["totals"])
    if event["event"] == "asset.changed":
        return len(event["data"]["asset_code"])
    if event["event"] == "endpoint.disabled":
        return len(event["data"]["url"])
    if event["event"] == "ping" or event["event"] == "deposit.test":
        return 0
    if event["event"] == "deposit.created.test" or event["event"] == "deposit.unattributed.test":
        return 0
    if event["event"] == "withdrawal.confirmed.test" or event["event"] == "withdrawal.failed.test":
        return 0
    if event["event"] == "withdrawal.awaiting_approval.test" or event["event"] == "payout.completed.test":
        return 0
    if event["event"] == "asset.changed.test" or event["event"] == "endpoint.disabled.test":
        return 0
    assert_never(event)


def test_an_event_that_this_version_knows_has_the_type_of_its_data() -> None:
    known = verify(SIGNATURES[0]).known
    assert known is not None
    assert stroops_of(known) == known["data"]["amount_stroops"] == 2**63 - 1


def test_every_event_of_the_document_is_known_and_one_of_a_later_version_stays_usable() -> None:
    document = json.loads((ROOT / "docs" / "openapi.json").read_text())
    assert set(document["webhooks"]) == models.EVENTS
    later: EventBody = {"event": "deposit.evaporated", "data": {"id": "dep_1"}}
    assert known_event(later) is None


class Hostile:
    """Headers that fail when they are read."""

    def items(self) -> object:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    "headers",
    [None, 7, "text", [1], [("a",)], {1: 2}, Hostile(), [("webhook-id", object())] * 2],
    ids=str,
)
def test_headers_of_any_form_are_refused_with_the_one_error(headers: Any) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_webhook(headers, b"{}", SIGNATURES[0]["secrets"])


def test_random_headers_and_bodies_raise_the_one_error() -> None:
    chance = random.Random(19)  # always the same
    good = SIGNATURES[0]
    alphabet = "v1, .=whsec_0aé\x00\n\ud800\uff19+-"

    def text() -> str:
        return "".join(chance.choices(alphabet, k=chance.randrange(40)))

    for _ in range(3000):
        headers = {
            name: text() if chance.random() < 0.5 else value for name, value in good["headers"].items()
        }
        body = chance.randbytes(chance.randrange(40))
        with pytest.raises(WebhookVerificationError):
            verify_webhook(headers, body, good["secrets"], now=good["now"], accept_without_time=True)


@pytest.mark.parametrize("secret", [*load("signatures")["bad_secrets"], [], [GOOD_SECRET, "x"]])
def test_a_secret_that_is_none_is_a_mistake_of_the_receiver(secret: Any) -> None:
    with pytest.raises(ValueError):
        verify_webhook(SIGNATURES[0]["headers"], b"{}", secret)


@pytest.mark.parametrize(
    "given", [{"tolerance_seconds": math.nan}, {"tolerance_seconds": -1}, {"now": math.nan}]
)
def test_a_time_that_is_no_number_is_a_mistake_of_the_receiver(given: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        verify_webhook(SIGNATURES[0]["headers"], body_of(SIGNATURES[0]), GOOD_SECRET, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "signature", ["v1," + "A" * 1_000_000, "v1,A " * 200_000, "," * 1_000_000, " " * 1_000_000]
)
def test_a_signature_header_of_a_megabyte_is_refused_at_once(signature: str) -> None:
    headers = {**SIGNATURES[0]["headers"], "webhook-signature": signature}
    began = time.monotonic()
    with pytest.raises(WebhookVerificationError):
        verify_webhook(headers, body_of(SIGNATURES[0]), GOOD_SECRET, now=SIGNATURES[0]["now"])
    assert time.monotonic() - began < 1


@pytest.mark.parametrize("body", ["{}", {}, None])
def test_a_body_that_is_no_bytes_is_a_mistake_of_the_receiver(body: Any) -> None:
    with pytest.raises(TypeError):
        verify_webhook(SIGNATURES[0]["headers"], body, SIGNATURES[0]["secrets"])


def test_a_signed_test_delivery_is_what_the_service_sends() -> None:
    case = SIGNATURES[0]
    headers, body = sign_test_delivery(
        body_of(case).decode(),
        case["secrets"][0],
        id=case["headers"]["webhook-id"],
        sent_at=int(case["headers"]["webhook-timestamp"]),
        sequence=int(case["headers"]["webhook-sequence"]),
    )
    assert headers == {"content-type": "application/json", **case["headers"]}
    assert body == body_of(case)


def test_a_receiver_is_tested_with_an_event_of_ones_own() -> None:
    event = {"event": "deposit.created", "data": {"id": "dep_1", "amount_stroops": 2**63 - 1}}
    headers, body = sign_test_delivery(event, GOOD_SECRET)
    assert verify_webhook(headers, body, GOOD_SECRET).data == event["data"]
    with pytest.raises(ValueError):
        sign_test_delivery(event, "whsec_")
