"""Writes the half for threads from the half for tasks: `_sync*.py` from `_async*.py`.

Their methods differ in `await` and in names. Every build of the package runs this, and so do the tests. The written
files are not in the repository: to work on the client in a checkout, run `python hatch_build.py`.
"""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = Path(__file__).parent / "src" / "stellar_teller"

# Names that begin with Async lose it.
NAMES = {
    "StopAsyncIteration": "StopIteration",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
    "__anext__": "__next__",
    "_async": "_sync",
    "_async_groups": "_sync_groups",
    "_tasks": "_threads",
    "aclose": "close",
    "aclosing": "closing",
    "aiter_bytes": "iter_bytes",
}


class HalvesHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        write_threads()


def write_threads() -> None:
    for source in sorted(PACKAGE.glob("_async*.py")):
        text = f"# Written by hatch_build.py from {source.name}.\n{for_threads(source.read_text(encoding='utf-8'))}"
        source.with_name(source.name.replace("_async", "_sync")).write_text(text, encoding="utf-8")


def for_threads(source: str) -> str:
    """Returns the source with the names of the half for threads, without `async` and `await`; texts stay."""
    lines = source.splitlines(keepends=True)
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(source).readline))):
        if token.type != tokenize.NAME:
            continue
        (row, start), (_, end) = token.start, token.end
        line = lines[row - 1]
        if token.string in ("async", "await"):
            lines[row - 1] = line[:start] + line[end:].removeprefix(" ")
        else:
            name = NAMES.get(token.string) or re.sub(r"^Async(?=[A-Z])", "", token.string)
            lines[row - 1] = line[:start] + name + line[end:]
    return "".join(lines)


if __name__ == "__main__":
    write_threads()
