"""Which deliveries a receiver accepts: the table of cases that both clients share."""

from __future__ import annotations

import base64
import random
from typing import Any

import pytest
from cases import at, load

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
    assert event.text.encode() == body_of(case)


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


@pytest.mark.parametrize("secret", ["", "whsec_", "secret", "whsec_é", [], ["whsec_AAAA", "x"]])
def test_a_secret_that_is_none_is_a_mistake_of_the_receiver(secret: Any) -> None:
    with pytest.raises(ValueError):
        verify_webhook(SIGNATURES[0]["headers"], b"{}", secret)


@pytest.mark.parametrize("body", ["{}", {}, None])
def test_a_body_that_is_no_bytes_is_a_mistake_of_the_receiver(body: Any) -> None:
    with pytest.raises(TypeError):
        verify_webhook(SIGNATURES[0]["headers"], body, SIGNATURES[0]["secrets"])
