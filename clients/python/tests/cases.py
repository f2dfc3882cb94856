"""Reads the table of cases that this client and the TypeScript client pass."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[2] / "cases"


def load(name: str) -> Any:
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


def at(value: Any, pointer: str) -> Any:
    """The value at a JSON pointer."""
    for step in pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def given(value: Any) -> Any:
    """`{"$integer": digits}` stands for an int."""
    if isinstance(value, list):
        return [given(item) for item in value]
    if isinstance(value, dict):
        if list(value) == ["$integer"]:
            return int(value["$integer"])
        return {name: given(item) for name, item in value.items()}
    return value
