"""Which deliveries a receiver accepts: the table of cases that both clients share."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest
from cases import CASES, at, load

from stellar_teller import WebhookVerificationError, verify_webhook

SIGNATURES = load("signatures")["cases"]


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
    assert event.body.encode() == body_of(case)
