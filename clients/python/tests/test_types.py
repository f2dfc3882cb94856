"""The types of the client in a program of an integrator."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def test_mypy_strict_accepts_a_program_that_uses_the_client(tmp_path: Path) -> None:
    program = (PACKAGE / "tests" / "integrator.py").read_text(encoding="utf-8")
    (tmp_path / "integrator.py").write_text(program, encoding="utf-8")
    readme = (PACKAGE / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python tour\n(.*?)```", readme, re.DOTALL)
    assert found
    (tmp_path / "tour.py").write_text(found.group(1), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--python-version",
        "3.10",
        "integrator.py",
        "tour.py",
    ]
    checked = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(PACKAGE / "src"), "MYPY_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout
