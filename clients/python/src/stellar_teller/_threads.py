"""What threads wait with. `_tasks.py` has the same for tasks."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from threading import Lock
from time import sleep

__all__ = ["Lock", "limit", "sleep"]


def limit(_seconds: float) -> AbstractContextManager[None]:
    """Ends nothing: no thread can be interrupted. httpx limits each read; the driver looks at the clock in between."""
    return nullcontext()
