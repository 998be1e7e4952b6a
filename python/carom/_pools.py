"""Sweeps on executors: processes, clusters."""

from __future__ import annotations

import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from types import ModuleType
from typing import Any

from . import _carom
from ._errors import SweepError
from ._worker import Row, Task, work

#: Points are sent in chunks that take about so long [s]: long beside a message, short beside a sweep.
CHUNK = 0.5
#: So many chunks are on their way for each worker: one that is run, one that waits for it.
AHEAD = 2
#: While there is more than so many times its share left, a worker gets all of a chunk.
SHARE = 4
#: No chunk has more points.
MOST = 10_000
#: A point that fails to be run so often becomes a row with the error.
TRIES = 3
#: The journal is brought to the disk so often [s].
SYNC = 1.0
#: How often a cluster is asked for its size [s].
ASK = 1.0
#: How often it is said how far the sweep is [s].
LOOK = 0.1
#: Exceptions that say that the process of a worker has died.
DEATHS = ("BrokenExecutor", "BrokenProcessPool", "KilledWorker", "WorkerCrashedError", "OutOfMemoryError")

Chunk = Future[tuple[list[Row], float]]


class Pool:
    """Any ``concurrent.futures.Executor``, or what has a ``submit`` as it has."""

    def __init__(self, executor: Any, task: Task, keep: str | None) -> None:
        self.executor = executor
        self.keep = keep
        self.token = uuid.uuid4().hex
        self.packed: Any = task.packed()
        #: a pool that was begun here, in place of one that broke down
        self.own: ProcessPoolExecutor | None = None

    def workers(self) -> int:
        """How many points are run at a time; asked again and again, as clusters grow and shrink."""
        for name in ("_max_workers", "num_workers", "max_workers"):
            known = getattr(self.executor, name, None)
            if isinstance(known, int) and known > 0:
                return known
        return 1

    def submit(self, points: list[int]) -> Chunk:
        """Sends these points to a worker."""
        future: Chunk = self.executor.submit(work, self.token, self.packed, points, self.keep)
        return future

    def renew(self) -> bool:
        """Another pool in place of one that broke down, if there can be one."""
        old = self.executor
        if type(old) is not ProcessPoolExecutor:
            return False
        old.shutdown(wait=False, cancel_futures=True)
        # nothing public says how a pool was made
        made = {name: getattr(old, f"_{name}") for name in ("max_workers", "mp_context", "initializer", "initargs")}
        self.executor = self.own = ProcessPoolExecutor(**made)
        return True

    def cancel(self, future: Chunk) -> None:
        """Nobody waits for it any more."""
        future.cancel()

    def close(self) -> None:
        """Ends what was begun here; the executor itself belongs to who gave it."""
        if self.own is not None:
            self.own.shutdown(wait=False, cancel_futures=True)


class Threads(Pool):
    """Threads of this process: nothing is sent."""

    def __init__(self, executor: Any, study: _carom.Study, keep: str | None) -> None:
        self.executor, self.study, self.keep, self.own = executor, study, keep, None

    def submit(self, points: list[int]) -> Chunk:
        def here() -> tuple[list[Row], float]:
            start = time.perf_counter()
            return self.study.run(points, self.keep), time.perf_counter() - start

        future: Chunk = self.executor.submit(here)
        return future

    def cancel(self, future: Chunk) -> None:
        future.cancel()
        self.study.stop()


class Dask(Pool):
    """Workers of Dask. Tasks of a worker that dies are run again by Dask, on another."""

    def __init__(self, client: Any, executor: Any, task: Task, keep: str | None) -> None:
        super().__init__(executor, task, keep)
        self.client = client

    def workers(self) -> int:
        return max(1, sum(int(n) for n in self.client.ncores().values()))


class Ray(Pool):
    """Tasks of Ray."""

    def __init__(self, ray: Any, task: Task, keep: str | None) -> None:
        if not ray.is_initialized():
            raise SweepError("ray is not there yet: ray.init() before the sweep")
        super().__init__(ray, task, keep)
        # the scene goes to every node once
        self.packed = ray.put(self.packed)
        self.remote = ray.remote(num_cpus=1, max_retries=TRIES)(work)
        self.references: dict[Chunk, Any] = {}

    def workers(self) -> int:
        return max(1, int(self.executor.cluster_resources().get("CPU", 1)))

    def submit(self, points: list[int]) -> Chunk:
        reference = self.remote.remote(self.token, self.packed, points, self.keep)
        future: Chunk = reference.future()
        self.references[future] = reference
        future.add_done_callback(lambda done: self.references.pop(done, None))
        return future

    def cancel(self, future: Chunk) -> None:
        reference = self.references.pop(future, None)
        if reference is not None:
            self.executor.cancel(reference)


def pool(executor: Any, task: Task, study: _carom.Study, keep: str | None) -> Pool:
    """What sends points to this executor."""
    home = type(executor).__module__.partition(".")[0]
    if isinstance(executor, ModuleType) and executor.__name__ == "ray":
        return Ray(executor, task, keep)
    if isinstance(executor, ThreadPoolExecutor):
        return Threads(executor, study, keep)
    if home == "distributed" and hasattr(executor, "get_executor"):
        return Dask(executor, executor.get_executor(pure=False), task, keep)
    if home == "distributed" and hasattr(executor, "_client"):
        return Dask(executor._client, executor, task, keep)
    if isinstance(executor, type) or not callable(getattr(executor, "submit", None)):
        raise TypeError(
            f"executor is {executor!r}; allowed: a concurrent.futures.Executor, a dask.distributed.Client, the module ray, or None"
        )
    return Pool(executor, task, keep)


class Dispatch:
    """Sends points out in chunks, and writes the rows that come back to the journal."""

    def __init__(
        self,
        pool: Pool,
        study: _carom.Study,
        journal: _carom.Journal,
        jobs: int | None,
        tell: Callable[[int, int], object] | None,
    ) -> None:
        self.pool, self.study, self.journal, self.jobs, self.tell = pool, study, journal, jobs, tell
        self.pending = journal.pending()
        self.sent = 0
        #: points of chunks that failed, to be tried one by one; the last exceptions, and how often
        self.again: deque[int] = deque()
        self.tries: dict[int, int] = {}
        #: points that failed for good, and none was done since
        self.given_up: dict[int, BaseException] = {}
        self.flight: dict[Chunk, list[int]] = {}
        self.back: SimpleQueue[Chunk] = SimpleQueue()
        #: seconds a point, of late
        self.pace: float | None = None
        self.any_done = False
        #: a pool broke down: until it is known by which point, points go one at a time
        self.broken, self.alone = False, False
        self.synced = self.said = self.asked = time.monotonic()
        self.known: int | None = None

    def workers(self) -> int:
        """How many there are, as of late: a cluster is asked for it."""
        if self.jobs is not None:
            return self.jobs
        now = time.monotonic()
        if self.known is None or now - self.asked > ASK:
            self.known, self.asked = self.pool.workers(), now
        return self.known

    def left(self) -> int:
        return len(self.pending) - self.sent

    def go(self) -> None:
        """Until nothing is left."""
        try:
            self.fill()
            while self.flight:
                try:
                    self.take(self.back.get(timeout=LOOK))
                except Empty:
                    pass
                self.fill()
                self.say()
            self.judge(over=True)
            self.note_given_up()
        finally:
            for future in list(self.flight):
                self.pool.cancel(future)
            self.pool.close()

    def say(self) -> None:
        """How far it is, now and then."""
        now = time.monotonic()
        if self.tell is not None and now - self.said >= LOOK:
            self.said = now
            self.tell(*self.journal.done())

    def chunks(self) -> Iterator[list[int]]:
        """What can be sent now."""
        if self.again:
            yield [self.again.popleft()]
        elif self.left():
            wanted = 1.0 if self.pace is None else CHUNK / max(self.pace, 1e-9)
            size = int(max(1, min(wanted, self.left() / (SHARE * self.workers()), MOST)))
            chunk = [int(i) for i in self.pending[self.sent : self.sent + size]]
            self.sent += len(chunk)
            yield chunk

    def fill(self) -> None:
        """Sends what may be on its way."""
        if self.broken:
            if self.flight:
                return
            if not self.pool.renew():
                raise SweepError(
                    "the executor broke down: what was done is in the folder, if there is one, and another executor can go on from there"
                )
            self.broken, self.alone = False, True
        self.alone = self.alone and bool(self.again or self.flight)
        most = 1 if self.alone else AHEAD * self.workers()
        while len(self.flight) < most:
            points = next(self.chunks(), None)
            if points is None:
                return
            try:
                future = self.pool.submit(points)
            except BrokenExecutor:
                self.broken = True
                self.again.extend(points)
                return
            self.flight[future] = points
            future.add_done_callback(self.back.put)

    def take(self, future: Chunk) -> None:
        """What came of a chunk."""
        points = self.flight.pop(future)
        try:
            rows, seconds = future.result()
        except Exception as error:
            self.failed(points, error)
            return
        self.journal.append(self.study, rows)
        if time.monotonic() - self.synced > SYNC:
            self.journal.sync()
            self.synced = time.monotonic()
        now = seconds / max(len(points), 1)
        self.pace = now if self.pace is None else 0.7 * self.pace + 0.3 * now
        self.any_done = True
        self.note_given_up()

    def failed(self, points: list[int], error: BaseException) -> None:
        """Points whose run gave no row."""
        breaks = isinstance(error, BrokenExecutor)
        self.broken = self.broken or breaks
        # all that is on its way fails with a pool; what was alone is to blame
        if len(points) > 1 or (breaks and not self.alone):
            self.again.extend(points)
            return
        point = points[0]
        self.tries[point] = self.tries.get(point, 0) + 1
        if self.tries[point] < TRIES:
            self.again.append(point)
            return
        self.given_up[point] = error
        if len(self.given_up) >= TRIES:
            self.judge()

    def judge(self, over: bool = False) -> None:
        """Points that failed for good, one after the other and no other between them: it is not the points. What killed its process alone is to blame, unless
        everything does."""
        machinery = [error for error in self.given_up.values() if not died(error)]
        if len(machinery) >= TRIES or (not self.any_done and self.given_up and (machinery or over or len(self.given_up) >= TRIES)):
            last = list(self.given_up.values())[-1]
            what = "no worker can go on" if self.any_done else "no worker could run anything"
            raise SweepError(f"{what}: {type(last).__name__}: {last}") from last

    def note_given_up(self) -> None:
        """They are rows with their errors."""
        rows: list[Row] = [(i, None, told(error)) for i, error in self.given_up.items()]
        self.given_up.clear()
        self.journal.append(self.study, rows)


def died(error: BaseException) -> bool:
    """Whether a process ended that should not have."""
    return any(kind.__name__ in DEATHS for kind in type(error).__mro__)


def told(error: BaseException) -> str:
    """The error of a row, the same on every machine."""
    return f"the process that ran it died, {TRIES} times" if died(error) else f"{type(error).__name__}: {error}"
