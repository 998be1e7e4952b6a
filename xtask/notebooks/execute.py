"""Executes notebooks, each in a kernel of its own: execute.py OUT SECONDS NOTEBOOK…

Writes the executed copies, pages of them and their pictures (NAME-1.png …) to the folder OUT. Ends with 1 if a cell
raised or a notebook took longer than SECONDS.
"""

import asyncio
import base64
import re
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbconvert import HTMLExporter


def execute(file: Path, out: Path, limit: float) -> str | None:
    """What went wrong, if anything."""
    notebook = nbformat.read(file, as_version=4)
    place = {"metadata": {"path": str(file.parent)}}
    client = NotebookClient(notebook, timeout=None, resources=place, extra_arguments=["--log-level=ERROR"])
    wrong, start = None, time.perf_counter()
    try:
        asyncio.run(asyncio.wait_for(client.async_execute(), limit))
    except (asyncio.TimeoutError, CellExecutionError, DeadKernelError) as error:
        # a kernel that is stopped for its time dies in the middle of a cell
        late = time.perf_counter() - start >= limit
        wrong = f"took longer than {limit:g} s" if late else re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    nbformat.write(notebook, out / file.name)
    page, _ = HTMLExporter().from_notebook_node(notebook, {"metadata": {"name": file.stem}})
    (out / file.name).with_suffix(".html").write_text(page, encoding="utf-8")
    for i, picture in enumerate(pictures(notebook), 1):
        (out / f"{file.stem}-{i}.png").write_bytes(picture)
    return wrong


def pictures(notebook: nbformat.NotebookNode) -> list[bytes]:
    """All that were drawn, in order."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    drawn = [output.get("data", {}).get("image/png") for output in outputs]
    return [base64.b64decode(picture) for picture in drawn if picture]


def main() -> int:
    out, limit, files = Path(sys.argv[1]), float(sys.argv[2]), [Path(file) for file in sys.argv[3:]]
    out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for file in files:
        start = time.perf_counter()
        wrong = execute(file, out, limit)
        print(f"{file.stem:20} {time.perf_counter() - start:6.1f} s  {'FAILED' if wrong else 'good'}", flush=True)
        if wrong:
            failed += 1
            print(wrong, file=sys.stderr, flush=True)
    print(f"pages: {out}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
