"""Verification of deliveries of webhooks, by the Standard Webhooks rules.

`webhook-signature` covers the id, the time and the body. X-Svc-Signature covers the body alone: whoever has seen a
delivery could send it again at any time. So it counts only where the receiver asks for it (`accept_without_time`), and
only when no header of Standard Webhooks is there.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from . import _json
from .errors import RefusalReason, WebhookVerificationError

TOLERANCE_SECONDS = 300

_ID = re.compile(r"[A-Za-z0-9_-]{1,255}")
# Without a leading zero and within 2^53: another reader must not see another time in the same text.
_TIMESTAMP = re.compile(r"0|[1-9][0-9]{0,14}")
_SEQUENCE = re.compile(r"0|[1-9][0-9]{0,18}")
# The service sends five at most: its newest secret and four that were replaced.
_SIGNATURES_MAX = 16
_STANDARD = ("webhook-id", "webhook-timestamp", "webhook-signature")
_SVC = "x-svc-signature"
_READ = frozenset((*_STANDARD, _SVC, "webhook-sequence"))


@dataclass(frozen=True)
class WebhookEvent:
    """A verified event."""

    event: str
    """`deposit.created`, `ping`, …; later versions have more. Ignore what you do not know."""
    data: dict[str, Any]
    """The resource. Integers are exact; `metadata_text` is the source text of `metadata`."""
    id: str | None
    """Names the event: handle each id once. None only when X-Svc-Signature alone was accepted."""
    sent_at: datetime | None
    """When this attempt was sent, in UTC. None as for `id`."""
    sequence: int | None
    """Counts the deliveries of the endpoint without a gap. It is not signed."""
    body: str
    """The verified text."""


def verify_webhook(
    headers: Mapping[str, Any] | Iterable[tuple[str, Any]],
    body: bytes,
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    accept_without_time: bool = False,
    now: float | None = None,
) -> WebhookEvent:
    """The event of a delivery that the service signed with one of the secrets, not long ago.

    `headers`: as a framework gives them; case does not matter. `body`: the bytes that arrived, before any parsing.
    `secret`: the signing secret, or several of them while you replace one. `now`: Unix seconds, for tests.

    Raises WebhookVerificationError for every delivery that is refused, whatever headers and body hold. Raises TypeError
    and ValueError for a wrong `body` type or `secret` only: these are mistakes of the receiver.
    """
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("body must be the bytes that arrived, not a text or a parsed object")
    raw = bytes(body)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    keys = [_key_of(text) for text in secrets]
    if not keys:
        raise ValueError("no secret was given")
    given = _read_headers(headers)
    if accept_without_time and not any(name in given for name in _STANDARD) and _SVC in given:
        _check_svc_signature(_text(given, _SVC), raw, secrets)
        return _event_of(raw, id=None, sent_at=None, sequence=None)

    missing = [name for name in _STANDARD if given.get(name) in (None, "")]
    if missing:
        raise _refused("headers_missing", f"The delivery has no {' and no '.join(missing)}.")
    id, timestamp, signatures = (_text(given, name) for name in _STANDARD)
    if not _ID.fullmatch(id) or not _TIMESTAMP.fullmatch(timestamp):
        raise _refused("headers_malformed", "webhook-id or webhook-timestamp is not readable.")
    _check_time(int(timestamp), time.time() if now is None else now, tolerance_seconds)
    _check_signatures(signatures, f"{id}.{timestamp}.".encode("ascii") + raw, keys)
    sent_at = datetime.fromtimestamp(int(timestamp), timezone.utc)
    return _event_of(raw, id=id, sent_at=sent_at, sequence=_sequence_of(given))


def _refused(reason: RefusalReason, message: str) -> WebhookVerificationError:
    return WebhookVerificationError(reason, message)


def _key_of(secret: str) -> bytes:
    try:
        if not secret.startswith("whsec_"):
            raise ValueError
        key = base64.b64decode(secret[len("whsec_") :], validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("a signing secret is whsec_ and base64") from None
    if not key:
        raise ValueError("a signing secret is whsec_ and base64")
    return key


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
    entries = signatures.split()
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
    # As bytes: compare_digest throws for a text that is not ASCII. Half a surrogate pair has no bytes without surrogatepass.
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), expected)


def _sequence_of(given: Mapping[str, Any]) -> int | None:
    text = given.get("webhook-sequence")
    return int(text) if isinstance(text, str) and _SEQUENCE.fullmatch(text) else None


def _event_of(
    raw: bytes, *, id: str | None, sent_at: datetime | None, sequence: int | None
) -> WebhookEvent:
    try:
        value = _json.read(raw)
    except ValueError as error:
        raise _refused("malformed_body", f"The body {error}.") from None
    event = value.get("event") if isinstance(value, dict) else None
    data = value.get("data") if isinstance(value, dict) else None
    if not isinstance(event, str) or not isinstance(data, dict):
        raise _refused("malformed_body", "The body is no event.")
    return WebhookEvent(event, data, id, sent_at, sequence, raw.decode("utf-8"))
