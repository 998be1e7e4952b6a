"""What a sweep is, as it is sent to workers; and what workers do with it."""

from __future__ import annotations

import hashlib
import os
import pickle
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from . import _carom
from ._errors import SweepError
from ._own import Functions
from ._result import Result
from ._scene import Scene

#: A row: the point, its measures, or why there are none.
Row = tuple[int, list[float] | None, str | None]
#: Studies that a process keeps: those of sweeps that go on side by side.
KEPT = 8


def _code(code: CodeType) -> bytes:
    """What of compiled code does not depend on where it is."""
    parts = [_code(c) if isinstance(c, CodeType) else repr(c).encode() for c in code.co_consts]
    return b"\0".join([code.co_code, repr(code.co_names).encode(), *parts])


def mark(function: Any) -> str:
    """The name of a function, and a hash of its code: what stands for it in the journal."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return name if code is None else f"{name} {hashlib.sha256(_code(code)).hexdigest()[:16]}"


def _tell(functions: Sequence[tuple[str, Callable[[Result], Any]]], own: Functions | None) -> Any:
    """All measures that are functions, of one result."""

    def told(scene: _carom.Scene, run: _carom.Run) -> list[float] | str:
        result = Result(run, Scene(scene, own=own), None)
        numbers = []
        for name, function in functions:
            try:
                numbers.append(float(function(result)))
            except Exception as error:
                return f"{name}: {type(error).__name__}: {error}"
        return numbers

    return told


@dataclass(frozen=True)
class Task:
    """A sweep in texts and functions."""

    #: text, format, name, replaced values
    origin: tuple[str, str, str, list[str]]
    own: Functions | None
    vary: list[str]
    samples: int | None
    design: str | None
    seed: int | None
    #: name, expression or mark, whether it is a function
    measures: list[tuple[str, str, bool]]
    functions: list[tuple[str, Callable[[Result], Any]]]
    mark: str
    version: str = _carom.__version__
    #: what the name of the scene is relative to
    folder: str = field(default_factory=os.getcwd)

    def study(self) -> _carom.Study:
        """What runs its points."""
        text, format, name, set = self.origin
        if os.getcwd() != self.folder:
            name = os.path.join(self.folder, name)
        return _carom.Study(
            (text, format, name, set),
            None if self.own is None else self.own.made(),
            self.mark,
            self.vary,
            self.samples,
            self.design,
            self.seed,
            self.measures,
            _tell(self.functions, self.own) if self.functions else None,
        )

    def packed(self) -> bytes:
        """As it is sent: functions by cloudpickle where there is one, which takes lambdas and what is defined in a notebook."""
        if not self.functions and self.own is None:
            return pickle.dumps(self)
        try:
            import cloudpickle
        except ImportError:
            try:
                return pickle.dumps(self)
            except (pickle.PicklingError, AttributeError, TypeError) as error:
                raise SweepError(
                    f"a function cannot be sent to other processes ({error}): define it in a module, "
                    "pip install cloudpickle, or leave out executor, or take a ThreadPoolExecutor"
                ) from error
        out: bytes = cloudpickle.dumps(self)
        return out


_studies: OrderedDict[str, _carom.Study] = OrderedDict()
_lock = threading.Lock()


def study_of(token: str, packed: bytes) -> _carom.Study:
    """The study of a sweep, made once in a process."""
    with _lock:
        study = _studies.get(token)
        if study is None:
            task: Task = pickle.loads(packed)
            if task.version != _carom.__version__:
                raise SweepError(f"this worker has carom {_carom.__version__}, the sweep is one of {task.version}")
            study = _studies[token] = task.study()
        _studies.move_to_end(token)
        while len(_studies) > KEPT:
            _studies.popitem(last=False)
    return study


def work(token: str, packed: bytes, points: list[int], keep: str | None) -> tuple[list[Row], float]:
    """Runs these points, on a worker; the rows, and how long it took [s]."""
    study = study_of(token, packed)
    start = time.perf_counter()
    rows = study.run(points, keep)
    return rows, time.perf_counter() - start
