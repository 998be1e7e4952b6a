"""What tests share."""

import os
import shutil
import signal
from pathlib import Path

import matplotlib
import pytest

matplotlib.use("Agg")

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="session")
def program() -> Path:
    """The program `carom`: named by CAROM_PROGRAM, or on the path."""
    named = os.environ.get("CAROM_PROGRAM")
    found = named or shutil.which("carom")
    if found is None:
        pytest.skip("there is no program carom to compare with: set CAROM_PROGRAM")
    return Path(found)


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises KeyboardInterrupt, here and in the processes started from here. Whoever starts tests in the background may have SIGINT ignored,
    and Python then leaves it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
