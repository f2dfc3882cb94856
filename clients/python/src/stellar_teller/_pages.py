"""Lists, page by page. How one is read is decided here; who waits for it is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ._core import Core, Flow, Operation
from .errors import UnexpectedAnswerError

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    items: list[T]
    next: str | int | None
    """What the next page is asked for with."""
    is_last: bool
    """Of events: the last one for now."""


@dataclass(frozen=True)
class ListRequest(Generic[T]):
    """A list from its first page, or from a later one."""

    operation: Operation[T]
    path: Mapping[str, str]
    query: Mapping[str, Any]

    def read(self, core: Core) -> Flow[Page[T]]:
        answer = yield from core.call(self.operation, path=self.path, query=self.query)
        items = answer.data.get("items")
        if not isinstance(items, list):
            raise UnexpectedAnswerError("The answer is no list.", status=answer.status)
        if self.operation.pages == "after":
            # Events come without an end, so the service never says that a page is the last one.
            return Page(items, answer.data.get("next_after"), is_last=not items)
        cursor = answer.data.get("next_cursor")
        return Page(items, cursor, is_last=cursor is None)

    def after(self, page: Page[T]) -> ListRequest[T]:
        """The same list from the page after this one."""
        query = {**self.query, str(self.operation.pages): page.next}
        return ListRequest(self.operation, self.path, query)
