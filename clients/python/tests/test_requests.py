"""What both clients send: the table of cases that they share with the TypeScript client."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from cases import given, load

from stellar_teller import (
    AsyncTellerClient,
    Hooks,
    ReceivedResponse,
    Retry,
    SentRequest,
    TellerClient,
    TellerConnectionError,
    UnexpectedAnswerError,
)
from stellar_teller._version import VERSION

TABLE = load("requests")


class Recorder:
    """Answers as a case says, and keeps what was sent."""

    def __init__(self, answers: list[Any]) -> None:
        self.sent: list[dict[str, Any]] = []
        self._answers = iter(answers)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        assert request.headers["user-agent"] == f"{TABLE['user_agent']}{VERSION} (Python)"
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
        text = json.dumps({"statusCode": 200, "message": "m", "data": data})
        return httpx.Response(200, text=text, headers={"x-from": "table", "x-request-id": "req_1"})


class Hooked:
    """Counts what the hooks of a client see."""

    def __init__(self) -> None:
        self.sent, self.received, self.again = 0, 0, 0
        self.hooks = Hooks(on_request=self.request, on_response=self.response, on_retry=self.retry)

    def request(self, request: SentRequest) -> None:
        self.sent += 1

    def response(self, response: ReceivedResponse) -> None:
        assert (response.status, response.headers["x-from"], response.request_id) == (200, "table", "req_1")
        self.received += 1
        raise RuntimeError("what a hook raises is dropped")

    def retry(self, retry: Retry) -> None:
        self.again += 1


@pytest.mark.parametrize("kind", ["sync", "async"])
@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: case["name"])
def test_a_call_sends_what_the_table_says(case: dict[str, Any], kind: str) -> None:
    recorder, hooked = Recorder(case["answers"]), Hooked()
    is_another = case.get("another", False)
    refused = pytest.raises(UnexpectedAnswerError, match="is another request's answer")
    with refused if is_another else nullcontext():
        if kind == "sync":
            call(case, recorder, hooked.hooks)
        else:
            anyio.run(call_async, case, recorder, hooked.hooks)
    made = {key for one in recorder.sent if (key := one["idempotency_key"] or "").startswith("auto_")}
    assert len(made) <= 1, "a call has one key"
    shown = [
        {**one, **({"idempotency_key": "auto"} if one["idempotency_key"] in made else {})}
        for one in recorder.sent
    ]
    assert shown == case["sent"]
    lost = case["answers"].count(None)
    assert (hooked.sent, hooked.received, hooked.again) == (len(case["sent"]), len(case["sent"]) - lost, lost)


def call(case: dict[str, Any], recorder: Recorder, hooks: Hooks) -> None:
    with httpx.Client(transport=httpx.MockTransport(recorder)) as http:
        result = method_of(TellerClient(token="t", hooks=hooks, http=http), case)(
            case["wallet"], **given(case["given"])
        )
        if hasattr(result, "first"):
            result.first()
        elif hasattr(result, "__next__"):
            next(result)


async def call_async(case: dict[str, Any], recorder: Recorder, hooks: Hooks) -> None:
    async with httpx.AsyncClient(transport=httpx.MockTransport(recorder)) as http:
        client = AsyncTellerClient(token="t", hooks=hooks, http=http)
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


def test_some_calls_have_a_limit_retries_and_hooks_of_their_own() -> None:
    limits: list[float] = []

    def answer(request: httpx.Request) -> httpx.Response:
        limits.append(request.extensions["timeout"]["read"])
        if len(limits) in (1, 3):
            raise httpx.ReadError("the connection has ended")
        data: dict[str, Any] = {"items": [], "next_cursor": None}
        headers = {"ratelimit": '"team";r=59;t=30'}
        return httpx.Response(200, json={"statusCode": 200, "message": "m", "data": data}, headers=headers)

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        client = TellerClient(token="t", http=http)
        answers: list[ReceivedResponse] = []
        hurried = client.with_options(timeout_seconds=5, hooks=Hooks(on_response=answers.append))
        hurried.withdrawals.list("wal_1").first()
        assert [one.headers["ratelimit"] for one in answers] == ['"team";r=59;t=30']
        once = client.with_options(max_retries=0)
        with pytest.raises(TellerConnectionError):
            once.withdrawals.list("wal_1").first()
        once.close()
        client.withdrawals.list("wal_1").first()
        assert limits == [5, 5, 30, 30], (
            "the connections of the first one are open, and its options unchanged"
        )
        assert len(answers) == 1
        with pytest.raises(ValueError):
            client.with_options(timeout_seconds=0)


def test_a_logger_gets_a_line_for_each_response_and_retry(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", logger="stellar_teller")
    case = {"call": "withdrawals.list", "wallet": "wal_1", "given": {}}
    call(case, Recorder([None, {"items": [], "next_cursor": None}]), Hooks())
    lines = [
        (record.levelname, record.getMessage())
        for record in caplog.records
        if record.name == "stellar_teller"
    ]
    assert [level for level, _ in lines] == ["WARNING", "DEBUG"]
    assert lines[0][1].startswith("GET /v1/wallets/wal_1/withdrawals: try 1 failed: ")
    assert lines[1][1].startswith("GET /v1/wallets/wal_1/withdrawals: 200 in ")


def test_the_version_is_that_of_the_package() -> None:
    project = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{VERSION}"\n' in project
