"""The package that is published."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

PACKAGE = Path(__file__).parents[1]
THREADS = {"_sync.py", "_sync_client.py", "_sync_groups.py"}


def build(into: Path) -> Path:
    """The wheel, built from the source package that is built from a checkout: it has no half for threads."""
    checkout = into / "checkout"
    shutil.copytree(PACKAGE, checkout, ignore=shutil.ignore_patterns("_sync*.py"))
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(into)]
    subprocess.run(command, cwd=checkout, check=True, capture_output=True)
    (wheel,) = into.glob("*.whl")
    return wheel


def test_the_wheel_is_complete_and_the_same_each_time(tmp_path: Path) -> None:
    first, second = build(tmp_path / "a"), build(tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()
    with ZipFile(first) as wheel:
        names = set(wheel.namelist())
    for source in (PACKAGE / "src").rglob("*.py"):
        assert source.relative_to(PACKAGE / "src").as_posix() in names
    assert {f"stellar_teller/{name}" for name in THREADS} < names
    assert "stellar_teller/py.typed" in names
    assert all(name.startswith("stellar_teller") for name in names)
    (sources,) = (tmp_path / "a").glob("*.tar.gz")
    with tarfile.open(sources) as archive:
        assert THREADS < {Path(name).name for name in archive.getnames()}


def test_the_wheel_works_where_it_is_installed(tmp_path: Path) -> None:
    wheel = build(tmp_path / "wheel")
    target = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet"]
    subprocess.run([*install, "--target", str(target), str(wheel)], check=True)
    program = "import stellar_teller; print(stellar_teller.__file__, stellar_teller.new_idempotency_key())"
    shown = subprocess.run(
        [sys.executable, "-P", "-c", program]
        if sys.version_info >= (3, 11)
        else [sys.executable, "-c", program],
        env={"PYTHONPATH": str(target)},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert shown.startswith(str(target))
