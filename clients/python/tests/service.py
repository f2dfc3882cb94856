"""The real service with its sandbox, as a user starts it, and what the tests need from it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
DESTINATION = "GB2HHONBICW25FXNU2G44S3SHBGRL3ZTRCZMIVCJQXNBYC5ZG44MZXLG"
_START_SECONDS = 120
_STOP_SECONDS = 60


@dataclass(frozen=True)
class Service:
    url: str
    token: str
    """A login token of the demo user."""
    password: str
    """Of the demo user."""
    wallet_id: str
    api_key: str


@contextmanager
def started() -> Iterator[tuple[str, Path]]:
    """URL and data directory of a new service. Its ledgers close every 100 ms."""
    with tempfile.TemporaryDirectory(prefix="teller-python-") as data_dir:
        os.chmod(data_dir, 0o755)  # as root the database runs as somebody else, who must get there
        environment = {
            **os.environ,
            "DATA_DIR": data_dir,
            "PORT": "0",
            "METRICS_PORT": "0",
            "SANDBOX_PORT": "0",
            "SANDBOX_CLOSE_MS": "100",
            # At ten ledgers a second the time of ledgers runs ten times as fast as ours.
            "WITHDRAW_VALID_SECONDS": "600",
            "LOG_LEVEL": "warn",
            "TEAM_REQUESTS_PER_MINUTE": "1000000",
            "WEBHOOK_ALLOWED_HOSTS": "127.0.0.1",
        }
        log = Path(data_dir) / "output"
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["node", "bin/teller.js", "serve"], cwd=ROOT, env=environment, stdout=output, stderr=output
            )
        try:
            yield _url_of(process, log), Path(data_dir)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def _url_of(process: subprocess.Popen[bytes], log: Path) -> str:
    ends_at = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < ends_at:
        if found := re.search(r"URL +(\S+)", log.read_text()):
            return found.group(1)
        time.sleep(0.1)
    process.kill()
    raise AssertionError(f"the service did not start:\n{log.read_text()}")


def demo_login(data_dir: Path) -> dict[str, str]:
    credentials: dict[str, str] = json.loads((data_dir / "demo-login").read_text())
    return credentials
