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
