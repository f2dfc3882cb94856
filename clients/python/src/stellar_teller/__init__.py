"""The client of Stellar Teller, a self-hosted wallet payments service for the Stellar network."""

from uuid import uuid4

from . import models
from ._async_client import AsyncTellerClient
from ._credentials import ServiceUser
from ._events import FollowedEvent
from ._hooks import Hooks, ReceivedResponse, Retry, SentRequest
from ._sync_client import TellerClient
from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    NotKnownYetError,
    NotPossibleError,
    OutcomePendingError,
    RateLimitedError,
    ServerError,
    TellerConnectionError,
    TellerError,
    TellerTimeoutError,
    TellerUnreachableError,
    UnavailableError,
    UnexpectedAnswerError,
    WebhookVerificationError,
)
from .webhooks import EventBody, VerifiedWebhook, known_event, sign_test_delivery, verify_webhook


def new_idempotency_key() -> str:
    """A key for one withdrawal. Keep it, for example beside the order that you pay, before you use it."""
    return str(uuid4())


__all__ = [
    "ApiError",
    "AsyncTellerClient",
    "AuthenticationError",
    "ConflictError",
    "EventBody",
    "FollowedEvent",
    "ForbiddenError",
    "Hooks",
    "InvalidRequestError",
    "NotFoundError",
    "NotKnownYetError",
    "NotPossibleError",
    "OutcomePendingError",
    "RateLimitedError",
    "ReceivedResponse",
    "Retry",
    "SentRequest",
    "ServerError",
    "ServiceUser",
    "TellerClient",
    "TellerConnectionError",
    "TellerError",
    "TellerTimeoutError",
    "TellerUnreachableError",
    "UnavailableError",
    "UnexpectedAnswerError",
    "VerifiedWebhook",
    "WebhookVerificationError",
    "known_event",
    "models",
    "new_idempotency_key",
    "sign_test_delivery",
    "verify_webhook",
]
