"""What a client makes of an answer: the table of cases that both clients share."""

from __future__ import annotations

import pickle
from typing import Any

import httpx
import pytest
from cases import at, load
from service import Service

import stellar_teller
from stellar_teller import ApiError, TellerClient
from stellar_teller._answers import RawAnswer, read_answer
from stellar_teller.errors import KIND_OF_STATUS

ERRORS = load("errors")


@pytest.mark.parametrize("case", ERRORS["cases"], ids=lambda case: case["name"])
def test_an_answer_is_the_error_that_the_table_says(case: dict[str, Any]) -> None:
    expected = case["expected"]
    with pytest.raises(getattr(stellar_teller, expected["kind"])) as caught:
        read_answer(RawAnswer(case["status"], case["headers"], case["body"].encode()))
    error = caught.value
    assert type(error).__name__ == expected["kind"]
    for name in ("status", "code", "message", "request_id", "details", "retry_after_seconds"):
        if name in expected:
            assert getattr(error, name) == expected[name], name
    for pointer, digits in expected.get("data_integers", {}).items():
        assert at(error.data, pointer) == int(digits)


def test_the_kind_of_each_status_is_that_of_the_table() -> None:
    kinds = {str(status): kind.__name__ for status, kind in KIND_OF_STATUS.items()}
    assert kinds == ERRORS["kinds"]


@pytest.mark.parametrize("case", ERRORS["real"], ids=lambda case: case["name"])
def test_the_real_service_answers_so_too(case: dict[str, Any], service: Service) -> None:
    token = {"nobody": None, "api_key": service.api_key, "login": service.token}[case["as"]]
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    if "idempotency_key" in case:
        headers["idempotency-key"] = case["idempotency_key"]
    if "body" in case:
        headers["content-type"] = "application/json"
    path = case["path"].replace("{wallet}", service.wallet_id)
    answer = httpx.request(case["method"], service.url + path, headers=headers, content=case.get("body"))
    with pytest.raises(getattr(stellar_teller, case["kind"])) as caught:
        read_answer(RawAnswer(answer.status_code, answer.headers, answer.content))
    assert caught.value.code == case["code"]
    assert caught.value.request_id == answer.headers["x-request-id"]


def test_an_error_names_the_fields_and_the_request(service: Service, teller: TellerClient) -> None:
    with pytest.raises(stellar_teller.InvalidRequestError) as caught:
        teller.withdrawals.withdraw(
            service.wallet_id, destination="G", amount_stroops=0, idempotency_key="errors-1"
        )
    error: ApiError = caught.value
    assert [detail["path"] for detail in error.details] == ["/amount_stroops"]
    assert error.request_id and error.request_id in str(error)
    assert error.idempotency_key == "errors-1"
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.__dict__) == (type(error), str(error), error.__dict__)
