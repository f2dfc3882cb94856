"""What both clients send: the table of cases that they share with the TypeScript client."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import Any

import anyio
import httpx
import pytest
from cases import given, load

from stellar_teller import AsyncTellerClient, TellerClient, UnexpectedAnswerError


class Recorder:
    """Answers as a case says, and keeps what was sent."""

    def __init__(self, answers: list[Any]) -> None:
        self.sent: list[dict[str, Any]] = []
        self._answers = iter(answers)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(
            {
                "method": request.method,
                "path": request.url.path,
                "query": dict(request.url.params),
                "idempotency_key": request.headers.get("idempotency-key"),
            }
        )
        data = next(self._answers)
        if data is None:
            raise httpx.ReadError("the connection has ended")
        return httpx.Response(200, text=json.dumps({"statusCode": 200, "message": "m", "data": data}))


@pytest.mark.parametrize("kind", ["sync", "async"])
@pytest.mark.parametrize("case", load("requests")["cases"], ids=lambda case: case["name"])
def test_a_call_sends_what_the_table_says(case: dict[str, Any], kind: str) -> None:
    recorder = Recorder(case["answers"])
    is_another = case.get("another", False)
    refused = pytest.raises(UnexpectedAnswerError, match="is another request's answer")
    with refused if is_another else nullcontext():
        if kind == "sync":
            call(case, recorder)
        else:
            anyio.run(call_async, case, recorder)
    assert recorder.sent == case["sent"]


def call(case: dict[str, Any], recorder: Recorder) -> None:
    with httpx.Client(transport=httpx.MockTransport(recorder)) as http:
        result = method_of(TellerClient(token="t", http=http), case)(case["wallet"], **given(case["given"]))
        if hasattr(result, "first"):
            result.first()
        elif hasattr(result, "__next__"):
            next(result)


async def call_async(case: dict[str, Any], recorder: Recorder) -> None:
    async with httpx.AsyncClient(transport=httpx.MockTransport(recorder)) as http:
        client = AsyncTellerClient(token="t", http=http)
        result = method_of(client, case)(case["wallet"], **given(case["given"]))
        if hasattr(result, "first"):
            await result.first()
        elif hasattr(result, "__anext__"):
            await result.__anext__()
        else:
            await result


def method_of(client: TellerClient | AsyncTellerClient, case: dict[str, Any]) -> Any:
    group, method = case["call"].split(".")
    return getattr(getattr(client, group), method)
