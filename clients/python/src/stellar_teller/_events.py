"""Events of a wallet, one after the other, for as long as they are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from . import _operations as op
from . import models
from ._core import Call, Core, Flow, Pause, may_ask_again, retry_after_of
from ._retries import retry_after_seconds, wait_seconds
from .errors import TellerError, UnexpectedAnswerError
from .webhooks import EventBody, read_event

# As long as the service waits for an event.
WAIT_SECONDS = 30


class FollowedEvent(models.WebhookEvent):
    """An event of a wallet. `parsed` is its body, read exactly."""

    parsed: EventBody


@dataclass
class Follower:
    """`after`: the number of the last event that was read, or `latest` until the service has answered."""

    wallet_id: str
    query: Mapping[str, Any]
    after: int | str

    def read(self, core: Core) -> Flow[list[FollowedEvent]]:
        """The next events; none when no one came in time. It goes on after an outage."""
        failures = 0
        while True:
            try:
                return (yield from self._read(core))
            except TellerError as error:
                if not may_ask_again(error, repeatable=True):
                    raise
                asked = retry_after_of(error)
            failures += 1
            yield Pause(wait_seconds(failures, asked, core.chance()))

    def _read(self, core: Core) -> Flow[list[FollowedEvent]]:
        query = {**self.query, "after": self.after}
        if self.after != "latest":
            # A request for the latest does not wait: until its answer is here there is no number to go on from.
            query["wait_seconds"] = WAIT_SECONDS
        answer = yield from core.call(Call(op.LIST_EVENTS, {"id": self.wallet_id}, query))
        items, next_after = answer.data.get("items"), answer.data.get("next_after")
        if not isinstance(items, list) or not isinstance(next_after, int):
            raise UnexpectedAnswerError("The answer is no list of events.", status=answer.status)
        pause = retry_after_seconds(answer.headers.get("retry-after"))
        if not items and pause is not None:
            # The service had no place for a request that waits.
            yield Pause(wait_seconds(1, pause, core.chance()))
        try:
            events = [_followed(item) for item in items]
        except (KeyError, ValueError) as error:
            text = f"An event of the answer is not readable: {error}"
            raise UnexpectedAnswerError(text, status=answer.status) from None
        self.after = next_after
        return events


def _followed(item: dict[str, Any]) -> FollowedEvent:
    return cast(FollowedEvent, {**item, "parsed": read_event(item["body"].encode())})
