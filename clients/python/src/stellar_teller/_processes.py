"""What belongs to one process: connections and locks.

After a fork both processes would use the same connections, and each would read answers to requests of the other one.
So a child of a fork makes its own before it runs anything.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class OfThisProcess(Generic[T]):
    """Makes its value again in each child of a fork, which neither uses nor closes that of its parent."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self.value = make()
        self._of_parents: list[T] = []
        _all.add(self)

    def renew(self) -> None:
        self._of_parents.append(self.value)
        self.value = self._make()


_all: weakref.WeakSet[OfThisProcess[Any]] = weakref.WeakSet()


def _renew_all() -> None:
    for one in list(_all):
        one.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
