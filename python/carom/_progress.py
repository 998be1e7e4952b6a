"""How far a run is: a line in a terminal, a bar in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

#: Runs that are done before show nothing [s].
PATIENCE = 0.3


def _notebook() -> bool:
    shell = sys.modules.get("IPython")
    get = getattr(shell, "get_ipython", None)
    return get is not None and type(get()).__name__ == "ZMQInteractiveShell"


def left(passed: float, share: float) -> str:
    """How long it will take still."""
    seconds = passed * (1.0 / share - 1.0) if share > 0 else 0.0
    if seconds >= 5940:
        return f"{seconds / 3600:.1f} h left"
    return (f"{seconds:.0f} s left" if seconds < 99 else f"{seconds / 60:.0f} min left") if share > 0 else ""


class Bar:
    """Called with the time reached [s]; cleared when the run ends."""

    def __init__(self, duration: float, in_notebook: bool) -> None:
        self.duration = duration
        self.start = time.monotonic()
        self.in_notebook = in_notebook
        self.handle: Any = None
        self.shown = False

    def __call__(self, t: float) -> None:
        passed = time.monotonic() - self.start
        if passed < PATIENCE:
            return
        share = min(t / self.duration, 1.0)
        self.show(share, f"{100 * share:3.0f} %  t = {t:.4g} s    {left(passed, share)}")
        self.shown = True

    def show(self, share: float, text: str) -> None:
        if self.in_notebook:
            from IPython.display import HTML, display

            kept = text.replace("  ", "&ensp;")
            page = HTML(f'<progress value="{share:.4f}" max="1" style="width: 20em"></progress>&ensp;{kept}')
            if self.handle is None:
                self.handle = display(page, display_id=True)
            else:
                self.handle.update(page)
            return
        full = int(40 * share)
        sys.stderr.write(f"\r  [{'#' * full}{'.' * (40 - full)}] {text}\x1b[K")
        sys.stderr.flush()

    def clear(self) -> None:
        if not self.shown:
            return
        if self.handle is not None:
            from IPython.display import HTML

            self.handle.update(HTML(""))
        elif not self.in_notebook:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class Runs(Bar):
    """Told how many runs of a sweep are done, and how many of them failed."""

    def __init__(self, all: int, before: int, in_notebook: bool) -> None:
        super().__init__(all, in_notebook)
        self.all, self.before = all, before

    def told(self, done: int, failed: int) -> None:
        passed = time.monotonic() - self.start
        if passed < PATIENCE:
            return
        # the time left is that of what is done now
        share = (done - self.before) / (self.all - self.before)
        some = f", {failed} failed" if failed else ""
        self.show(done / self.all, f"{done} of {self.all}{some}    {left(passed, share)}")
        self.shown = True


def _seen(progress: object) -> bool | None:
    """Whether ``progress`` asks for a bar, and if it is in a notebook; None: it does not."""
    if callable(progress) or progress is False:
        return None
    in_notebook = _notebook()
    if progress is None and not in_notebook and not sys.stderr.isatty():
        return None
    return in_notebook


def runs(progress: bool | Callable[[int, int], object] | None, all: int, before: int) -> Runs | None:
    """The same of a sweep."""
    seen = _seen(progress)
    return None if seen is None else Runs(all, before, seen)


def bar(progress: bool | Callable[[float], object] | None, duration: float) -> Bar | None:
    """The bar that ``progress`` asks for: None shows one where somebody can see it."""
    seen = _seen(progress)
    return None if seen is None else Bar(duration, seen)
