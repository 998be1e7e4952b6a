"""Notebooks are stored small, without outputs, and of code that compiles. `cargo xtask notebooks` executes them."""

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook(file: Path) -> None:
    assert file.stat().st_size < 30_000
    notebook = json.loads(file.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells = notebook["cells"]
    assert cells[0]["cell_type"] == "markdown" and cells[0]["source"][0].startswith("# ")
    assert len({cell["id"] for cell in cells}) == len(cells)
    checked = 0
    for i, cell in enumerate(cells, 1):
        source = "".join(cell["source"])
        assert source.strip(), f"cell {i} is empty"
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None, f"cell {i} has outputs"
            compile(source, f"{file.name}, cell {i}", "exec")
            checked += source.count("assert ")
    assert checked > 0, "it checks nothing"
