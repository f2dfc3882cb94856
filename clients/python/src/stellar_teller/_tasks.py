"""What tasks wait with, under asyncio or trio. `_threads.py` has the same for threads."""

from anyio import Lock, sleep
from anyio import move_on_after as limit

__all__ = ["Lock", "limit", "sleep"]
