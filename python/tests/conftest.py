"""What tests share."""

import os
import shutil
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
