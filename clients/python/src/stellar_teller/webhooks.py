"""Verification of deliveries of webhooks, by the Standard Webhooks rules.

`webhook-signature` covers the id, the time and the body. X-Svc-Signature covers the body alone: whoever has seen a
delivery could send it again at any time. So it counts only where the receiver asks for it (`accept_without_time`), and
only when no header of Standard Webhooks is there.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import math
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, TypedDict, cast

from . import _json, models
from .errors import RefusalReason, WebhookVerificationError

TOLERANCE_SECONDS = 300

_ID = re.compile(r"[A-Za-z0-9_-]{1,255}")
# Without a leading zero, for another reader could see another time in it; of a year that a datetime has.
_TIMESTAMP = re.compile(r"[1-9][0-9]{0,10}")
_SECRET = re.compile(r"whsec_([A-Za-z0-9+/]{43}=)")
_SEQUENCE = re.compile(r"0|[1-9][0-9]{0,18}")
# The service sends five at most: its newest secret and four that were replaced.
_SIGNATURES_MAX = 16
_STANDARD = ("webhook-id", "webhook-timestamp", "webhook-signature")
_SVC = "x-svc-signature"
_READ = frozenset((*_STANDARD, _SVC, "webhook-sequence"))


class EventBody(TypedDict):
    """What an event tells. A later version of the service may send other events."""

    event: str
    """`deposit.created`, `ping`, …: answer 2xx to those that you do not know."""
    data: Any
    """The resource, for example a `models.Deposit`. `metadata_text` is the source text of its `metadata`."""


@dataclass(frozen=True)
class VerifiedWebhook:
    """A delivery that is accepted. Handle each `id` once: a delivery comes again until it is acknowledged."""

    event: str
    """As in EventBody."""
    data: Any
    """As in EventBody."""
    id: str | None
    """`webhook-id`, the same on each attempt. None where X-Svc-Signature alone was accepted."""
    sent_at: datetime | None
    """`webhook-timestamp`, in UTC. None as `id`."""
    sequence: int | None
    """`webhook-sequence`: counts the deliveries of the endpoint. It is not signed, so it is a hint only."""
    text: str
    """The exact text that was signed."""

    @property
    def known(self) -> models.KnownEvent | None:
        """Event and data, with their types. None for an event of a later version: acknowledge and ignore it."""
        return known_event({"event": self.event, "data": self.data})


def known_event(body: EventBody) -> models.KnownEvent | None:
    """The same body with its type: `event["event"] == "deposit.created"` narrows `event["data"]`.

    None for an event of a later version: acknowledge and ignore it.
    """
    return cast(models.KnownEvent, body) if body["event"] in models.EVENTS else None


def verify_webhook(
    headers: Mapping[str, Any] | Iterable[tuple[str, Any]],
    body: bytes,
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    accept_without_time: bool = False,
    now: float | None = None,
) -> VerifiedWebhook:
    """The delivery, if the service signed it with one of the secrets, not long ago.

    `headers`: as a framework gives them; case does not matter. `body`: the bytes that arrived, before any parsing.
    `secret`: the signing secret, or several of them while it changes. `tolerance_seconds`: how far the time may be off,
    both ways. `accept_without_time`: take X-Svc-Signature alone. `now`: Unix seconds, for tests.

    Raises WebhookVerificationError for every delivery that is not accepted, whatever it holds. TypeError and ValueError
    are for a body or secret that no receiver can verify: mistakes in the receiver.
    """
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("body must be the bytes that arrived, not a text or a parsed object")
    raw = bytes(body)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    keys = [_key_of(text) for text in secrets]
    if not keys:
        raise ValueError("no secret was given")
    at = time.time() if now is None else now
    # Else every comparison with it would be false, and no delivery would be too old.
    if not tolerance_seconds >= 0 or math.isnan(at):
        raise ValueError("tolerance_seconds and now must be numbers")
    try:
        given = _read_headers(headers)
    except WebhookVerificationError:
        raise
    except Exception as error:  # headers that fail when they are read
        raise _refused("headers_malformed", "The headers are not readable.") from error
    sequence = _sequence_of(given)
    if accept_without_time and not any(name in given for name in _STANDARD) and _SVC in given:
        _check_svc_signature(_text(given, _SVC), raw, secrets)
        return _delivery_of(raw, id=None, sent_at=None, sequence=sequence)

    missing = [name for name in _STANDARD if given.get(name) in (None, "")]
    if missing:
        raise _refused("headers_missing", f"The delivery has no {' and no '.join(missing)}.")
    id, timestamp, signatures = (_text(given, name) for name in _STANDARD)
    if not _ID.fullmatch(id) or not _TIMESTAMP.fullmatch(timestamp):
        raise _refused("headers_malformed", "webhook-id or webhook-timestamp is malformed.")
    _check_time(int(timestamp), at, tolerance_seconds)
    _check_signatures(signatures, f"{id}.{timestamp}.".encode("ascii") + raw, keys)
    sent_at = datetime.fromtimestamp(int(timestamp), timezone.utc)
    return _delivery_of(raw, id=id, sent_at=sent_at, sequence=sequence)


def sign_test_delivery(
    body: Mapping[str, Any] | str | bytes,
    secret: str,
    *,
    id: str = "evt_test",
    sent_at: float | None = None,
    sequence: int = 1,
) -> tuple[dict[str, str], bytes]:
    """The headers and the body of a delivery, signed as the service signs, for the unit tests of a receiver.

    A body that is no text is written exactly. `sent_at`: Unix seconds, now when absent. Raises ValueError for what is
    no signing secret.
    """
    key = _key_of(secret)
    if isinstance(body, bytes):
        raw = body
    else:
        raw = body.encode("utf-8") if isinstance(body, str) else _json.write(body)
    timestamp = str(int(time.time() if sent_at is None else sent_at))
    standard = base64.b64encode(_hmac(key, f"{id}.{timestamp}.".encode() + raw)).decode("ascii")
    headers = {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-sequence": str(sequence),
        "webhook-signature": f"v1,{standard}",
        "x-svc-signature": _hmac(secret.encode("utf-8"), raw).hex(),
    }
    return headers, raw


def read_event(content: bytes) -> EventBody:
    """The body of an event, read exactly. Raises ValueError for any other content."""
    value = _json.read(content)
    if not isinstance(value, dict) or not isinstance(value.get("event"), str):
        raise ValueError("is no event")
    if not isinstance(value.get("data"), dict):
        raise ValueError("is no event: it has no data")
    body: EventBody = {"event": value["event"], "data": value["data"]}
    return body


def _refused(reason: RefusalReason, message: str) -> WebhookVerificationError:
    return WebhookVerificationError(reason, message)


def _key_of(secret: str) -> bytes:
    found = _SECRET.fullmatch(secret)
    if found is None:
        raise ValueError("a signing secret is whsec_ and 32 bytes in base64")
    return base64.b64decode(found.group(1))


def _read_headers(headers: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The headers that matter, by their names in small letters."""
    pairs = headers.items() if hasattr(headers, "items") else headers
    given: dict[str, Any] = {}
    for name, value in pairs:
        if not isinstance(name, str) or name.lower() not in _READ:
            continue
        if name.lower() in given:
            raise _refused("headers_malformed", f"The delivery has {name} twice.")
        given[name.lower()] = value
    return given


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given[name]
    if not isinstance(value, str):
        raise _refused("headers_malformed", f"{name} is no text.")
    return value


def _check_time(sent: int, now: float, tolerance_seconds: float) -> None:
    if now - sent > tolerance_seconds:
        raise _refused("too_old", "The delivery is too old: is the clock of this machine right?")
    if sent - now > tolerance_seconds:
        raise _refused("too_new", "The delivery is of the future: is the clock of this machine right?")


def _check_signatures(signatures: str, signed: bytes, keys: Sequence[bytes]) -> None:
    entries = [entry for entry in signatures.split(" ") if entry]
    if len(entries) > _SIGNATURES_MAX:
        raise _refused("headers_malformed", "webhook-signature has too many signatures.")
    expected = [b"v1," + base64.b64encode(_hmac(key, signed)) for key in keys]
    if not any(_is_same(entry, one) for entry in entries for one in expected):
        raise _refused("wrong_signature", "No secret has made the signature of this delivery.")


def _check_svc_signature(signature: str, body: bytes, secrets: Sequence[str]) -> None:
    # The key is the text of the secret as it is shown, whsec_ included.
    expected = [_hmac(secret.encode("utf-8"), body).hex().encode("ascii") for secret in secrets]
    if not any(_is_same(signature, one) for one in expected):
        raise _refused("wrong_signature", "No secret has made the signature of this delivery.")


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def _is_same(given: str, expected: bytes) -> bool:
    # As bytes: compare_digest throws for a text that is not ASCII. Half a surrogate pair needs surrogatepass.
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), expected)


def _sequence_of(given: Mapping[str, Any]) -> int | None:
    if given.get("webhook-sequence") is None:
        return None
    text = _text(given, "webhook-sequence")
    return int(text) if _SEQUENCE.fullmatch(text) else None


def _delivery_of(
    raw: bytes, *, id: str | None, sent_at: datetime | None, sequence: int | None
) -> VerifiedWebhook:
    try:
        body = read_event(raw)
    except ValueError as error:
        raise _refused("malformed_body", f"The body {error}.") from None
    return VerifiedWebhook(body["event"], body["data"], id, sent_at, sequence, raw.decode("utf-8"))
