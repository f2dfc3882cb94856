"""Lists, page by page. How one is read is decided here; who waits for it is not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from ._core import Call, Core, Flow
from .errors import UnexpectedAnswerError

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    items: list[T]
    next: str | int | None
    """What the next page is asked for with."""
    is_last: bool
    """Of events: the last one for now."""


def read_page(core: Core, call: Call[T]) -> Flow[Page[T]]:
    answer = yield from core.call(call)
    items = answer.data.get("items")
    if not isinstance(items, list):
        raise UnexpectedAnswerError("The answer is no list.", status=answer.status)
    if call.operation.pages == "after":
        # Events come without an end, so the service never says that a page is the last one.
        return Page(items, answer.data.get("next_after"), is_last=not items)
    cursor = answer.data.get("next_cursor")
    return Page(items, cursor, is_last=cursor is None)


def call_after(call: Call[T], page: Page[T]) -> Call[T]:
    """The call for the page after this one."""
    return replace(call, query={**call.query, str(call.operation.pages): page.next})
