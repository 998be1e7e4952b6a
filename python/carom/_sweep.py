"""Parameter studies: a scene run many times with other values, one row a run."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _carom, _progress
from ._errors import CaromWarning, SweepError
from ._pools import Dispatch, pool
from ._result import Result
from ._scene import Path, Scene
from ._sweep_table import SweepTable
from ._text import as_toml, plain, replacements
from ._worker import Task, mark

#: What a path takes: numbers, texts, vectors; or a text of the program.
Values = str | float | Sequence[Any] | np.ndarray[Any, Any]
#: An expression, or a function of the result.
Measure = str | Callable[[Result], Any]


def sweep(
    scene: Scene | Path,
    vary: Mapping[str, Values] | Sequence[str] | str,
    measures: Mapping[str, Measure] | Sequence[str] | str | None = None,
    *,
    set: Mapping[str, Any] | None = None,
    samples: int | None = None,
    design: str | None = None,
    seed: int | None = None,
    executor: Any = None,
    folder: Path | None = None,
    keep: bool = False,
    restart: bool = False,
    jobs: int | None = None,
    progress: bool | Callable[[int, int], object] | None = None,
) -> SweepTable:
    """Runs a scene many times with other values: the sweeps of ``carom sweep``, by the same engine, with the same table byte for byte.

    ``scene``: a :class:`Scene`, Python functions in it included, or the path of a file. ``set`` replaces values in all runs.

    ``vary``: what takes which values, by its path: a list, an array, or a text as the program takes it: ``{"parameter/tilt": "0:60deg:7",
    "body/ring/mass": [0.1, 0.2], "contact/ring~floor/normal/law": ["hertz", "flores"]}``; or a list of the program's texts
    (``["parameter/tilt=0:60deg:7"]``). Every value goes with every other, the last path changing fastest. With ``samples`` so many runs are drawn from ranges
    ``"0:60deg"`` and ``"1e-3:1:log"`` instead: ``design`` is ``"latin-hypercube"`` (left out) or ``"sobol"``, ``seed`` gives others of the kind.

    ``measures``: columns by name, each an expression (``"max(ring.z) - min(ring.z)"``) or a function of the :class:`Result` that gives a number; or a list of
    texts ``"name=expression"``. Those that every sweep has follow them: touches, peak_force, energy_end, audit_relative … SI units. A run that fails, or in which a
    function raises, is a row with an ``error``: a :class:`CaromWarning` says how many there are, and if no run succeeds, a :class:`SweepError` is raised, whose ``table`` has them.

    ``folder``: rows are written there as they come, and ``table.csv`` at the end. The same call goes on where an earlier one was stopped or killed, and so does the
    program with the same scene, values and expressions; ``restart`` begins anew, ``keep`` keeps all runs in ``runs/``.

    ``executor``: None runs on ``jobs`` threads, one a core if left out, without holding the interpreter. Else a ``concurrent.futures`` executor (threads, spawned processes,
    mpi4py's ``MPIPoolExecutor``), a ``dask.distributed.Client``, or the module ``ray`` after ``ray.init()``. Points are sent in chunks of about half a second, two a worker at a
    time; ``jobs`` says how many workers there are where the executor does not. Points of a worker that died are run again on another; one that
    fails three times by itself is a row with an error.

    ``progress``: a bar where somebody can see it (None), always (True) or never (False); or a function that is called with the runs done and all runs ten times a
    second. What it raises stops the sweep, and so does Ctrl-C: in good order, with what was done in ``folder``.

    >>> import carom
    >>> scene = carom.Scene.from_dict({
    ...     "run": {"duration": 1, "output_every": 0.1},
    ...     "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}],
    ... })
    >>> table = carom.sweep(scene, {"body/stone/velocity/2": "0:10:3"},
    ...                     {"end": "final(stone.z)", "top": lambda r: r["stone"].position[:, 2].max()})
    >>> table["velocity/2"], table.end.round(6)
    (array([ 0.,  5., 10.]), array([-4.905,  0.095,  5.095]))
    >>> table.top.round(3), table.errors
    (array([0.   , 1.274, 5.095]), {})
    """
    if keep and folder is None:
        raise ValueError("keep needs a folder, in which the runs are kept")
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs is {jobs}; allowed: 1 and more")
    task = _task(scene, set, vary, measures, samples, design, seed)
    study = task.study()
    with tempfile.TemporaryDirectory(prefix="carom-sweep-") as nowhere:
        place = os.path.abspath(os.path.join(nowhere, "sweep") if folder is None else os.fspath(folder))
        journal = _carom.Journal(place, study, keep, restart)
        try:
            _go(study, journal, task, executor, jobs, place if keep else None, progress)
        finally:
            journal.table()
            journal.close()
        table = SweepTable(_carom.sweep_table(place), None if folder is None else os.fspath(folder))
    failed = table.errors
    if failed:
        run, why = next(iter(failed.items()))
        text = f"{len(failed)} of {table.rows} runs of the sweep failed; run {run}: {why}"
        if len(failed) == table.rows:
            raise SweepError(text, table)
        warnings.warn(f"{text} (table.errors has all)", CaromWarning, stacklevel=2)
    return table


def _go(
    study: _carom.Study,
    journal: _carom.Journal,
    task: Task,
    executor: Any,
    jobs: int | None,
    keep: str | None,
    progress: bool | Callable[[int, int], object] | None,
) -> None:
    """All that is not done yet."""
    all, (before, _) = study.runs, journal.done()
    if before == all:
        return
    bar = _progress.runs(progress, all, before)

    def tell(done: int, failed: int) -> None:
        if callable(progress):
            progress(done, all)
        elif bar is not None:
            bar.told(done, failed)

    call = tell if callable(progress) or bar is not None else None
    try:
        if executor is None:
            study.sweep(journal, jobs, keep, call)
        else:
            Dispatch(pool(executor, task, study, keep), study, journal, jobs, call).go()
    finally:
        if bar is not None:
            bar.clear()
    if callable(progress):
        progress(journal.done()[0], all)


def _task(
    scene: Scene | Path,
    set: Mapping[str, Any] | None,
    vary: Mapping[str, Values] | Sequence[str] | str,
    measures: Mapping[str, Measure] | Sequence[str] | str | None,
    samples: int | None,
    design: str | None,
    seed: int | None,
) -> Task:
    own = None
    if isinstance(scene, Scene):
        text, format, name, replaced = scene._inner.origin
        own = scene._own
    else:
        # what is varied may be all that it lacks
        name = os.fspath(scene)
        (text, format), replaced = _carom.scene_text(name), []
    origin = (text, format, name, [*replaced, *replacements(set)])
    told, functions = _measures(measures)
    code = "" if own is None else own.mark(mark)
    return Task(origin, own, _varied(vary), samples, design, seed, told, functions, code)


def _varied(vary: Mapping[str, Values] | Sequence[str] | str) -> list[str]:
    """As the program takes them."""
    if isinstance(vary, str):
        return [vary]
    if isinstance(vary, Mapping):
        return [f"{path}={_values(path, values)}" for path, values in vary.items()]
    texts = list(vary)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"vary has {text!r}; allowed: a mapping of paths to values, or texts PATH=VALUES")
    return texts


def _values(path: str, values: Any) -> str:
    if isinstance(values, str):
        return values
    if isinstance(values, (bool, int, float, np.generic)):
        return _cell(path, values)
    try:
        cells = [_cell(path, value) for value in values]
    except TypeError as error:
        if "not iterable" not in str(error):
            raise
        raise TypeError(f"{path} takes {values!r}; allowed: a list, an array, or a text as in 0:60deg:7") from None
    if not cells:
        raise ValueError(f"{path} takes no value")
    return ",".join(cells)


def _cell(path: str, value: Any) -> str:
    """A value in a list of the program."""
    value = plain(value, path)
    if isinstance(value, str):
        text: str = value.strip()
        # what would be taken apart is put in quotes, unless it is a list or in quotes already
        if any(c in text for c in ",\"'[]{}()") and text[:1] not in ("[", "{", '"', "'"):
            return as_toml(text)
        return text
    return as_toml(value)


def _measures(
    measures: Mapping[str, Measure] | Sequence[str] | str | None,
) -> tuple[list[tuple[str, str, bool]], list[tuple[str, Callable[[Result], Any]]]]:
    """Names with expressions or marks, and the functions among them."""
    told: list[tuple[str, str, bool]] = []
    functions: list[tuple[str, Callable[[Result], Any]]] = []
    if isinstance(measures, Mapping):
        for name, measure in measures.items():
            if "=" in name or not name.strip():
                raise ValueError(f"a measure is called {name!r}; allowed: names without `=`")
            if isinstance(measure, str):
                told.append((name.strip(), measure.strip(), False))
            elif callable(measure):
                told.append((name.strip(), mark(measure), True))
                functions.append((name.strip(), measure))
            else:
                raise TypeError(f"the measure {name!r} is {measure!r}; allowed: an expression or a function of a Result")
        return told, functions
    for text in [measures] if isinstance(measures, str) else measures or []:
        if not isinstance(text, str):
            raise TypeError(f"measures has {text!r}; allowed: texts NAME=EXPRESSION, or a mapping of names to expressions or functions")
        name, equals, expression = text.partition("=")
        told.append((name.strip(), (expression if equals else name).strip(), False))
    return told, functions
