"""Exact integers and metadata as given: the table of cases that both clients share."""

from __future__ import annotations

from typing import Any

import pytest
from cases import at, given, load

from stellar_teller import _json

INTEGERS = load("integers")


@pytest.mark.parametrize("case", INTEGERS["reading"], ids=lambda case: case["name"])
def test_an_answer_is_read_exactly_or_not_at_all(case: dict[str, Any]) -> None:
    content = case["text"].encode()
    if case.get("bad"):
        with pytest.raises(ValueError):
            _json.read(content)
        return
    value = _json.read(content)
    for pointer, digits in case["integers"].items():
        found = at(value, pointer)
        assert (type(found), found) == (int, int(digits))
    for pointer, text in case["metadata_text"].items():
        assert at(value, pointer)["metadata_text"] == text
    for pointer in case.get("nulls", []):
        assert at(value, pointer) is None


@pytest.mark.parametrize("case", INTEGERS["writing"], ids=lambda case: case["name"])
def test_a_body_is_written_exactly(case: dict[str, Any]) -> None:
    value = given(case["value"])
    if case.get("bad"):
        with pytest.raises(ValueError):
            _json.write(value)
        return
    assert _json.write(value).decode() == case["text"]


def test_the_names_of_exact_integers_are_those_of_the_table() -> None:
    assert _json.EXACT_NAME.pattern == INTEGERS["exact_names"]


@pytest.mark.parametrize("text", ['{},"label":"x"', "[]", "null", "", '{"a":NaN}', "{} {}"])
def test_metadata_text_that_is_no_object_is_never_sent(text: str) -> None:
    with pytest.raises(ValueError):
        _json.write({"metadata_text": text})


@pytest.mark.parametrize("value", [{"a": float("nan")}, {"a": float("inf")}])
def test_a_number_that_is_not_finite_is_never_sent(value: object) -> None:
    with pytest.raises(ValueError):
        _json.write(value)


def test_a_name_with_escapes_is_metadata_too() -> None:
    assert _json.read(b'{"meta\\u0064ata":{"a":1.0}}') == {
        "metadata": {"a": 1.0},
        "metadata_text": '{"a":1.0}',
    }


def test_a_text_that_holds_the_word_metadata_is_left_alone() -> None:
    assert _json.read(b'{"a":"metadata","b":["metadata"],"c":"\\"metadata\\":{"}') == {
        "a": "metadata",
        "b": ["metadata"],
        "c": '"metadata":{',
    }
