"""Runs that a program takes from one time to the next."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _carom
from ._errors import CaromWarning, RunError
from ._result import Result
from ._table import Table
from ._track import Track

if TYPE_CHECKING:
    from ._scene import Scene

Floats = NDArray[np.float64]
T = TypeVar("T")

#: The names of accelerations of bodies and probes.
ACCELERATIONS = {f"{what}{axis}" for what in ("a", "alpha") for axis in ("", "x", "y", "z")}


class Checkpoint:
    """A run at a time: everything that the rest of it depends on, to the bit. :meth:`Stepping.checkpoint` makes it.

    It is compared by its bytes, and pickles: another process can go on from it with the same scene. What the run has recorded before it goes with it, but is
    not pickled.

    >>> import carom, pickle
    >>> sim = carom.Scene.from_dict(
    ...     {"run": {"duration": 1}, "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}]}).start()
    >>> there = sim.checkpoint()
    >>> pickle.loads(pickle.dumps(there)) == there
    True
    """

    def __init__(self, data: bytes, t: float, recorded: _carom.Recorded | None = None) -> None:
        #: all of it
        self.data = bytes(data)
        #: the time [s]
        self.t = t
        self._recorded = recorded

    def __reduce__(self) -> tuple[Any, ...]:
        return Checkpoint, (self.data, self.t)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Checkpoint) and (self.data, self.t) == (other.data, other.t)

    def __hash__(self) -> int:
        return hash((self.data, self.t))

    def __repr__(self) -> str:
        return f"<carom.Checkpoint at t = {self.t:g} s: {len(self.data)} bytes>"


def _only(all: Floats) -> Floats:
    """What there is at the only time."""
    row: Floats = all[0]
    return row


class BodyState:
    """A moving body or a probe at one time; world frame."""

    def __init__(self, track: Track) -> None:
        self._track = track
        #: its name
        self.name = track.name

    @property
    def position(self) -> Floats:
        """Of the reference point [m], (3,)."""
        return _only(self._track.position)

    @property
    def velocity(self) -> Floats:
        """Of the reference point [m/s], (3,)."""
        return _only(self._track.velocity)

    @property
    def quaternion(self) -> Floats:
        """Orientation: a unit quaternion w, x, y, z from the body's axes to the world's, (4,). A rigid body has it."""
        return _only(self._track.quaternion)

    @property
    def rotation(self) -> Floats:
        """Orientation as a matrix, (3, 3): its columns are the body's axes in the world. A rigid body has it."""
        return _only(self._track.rotation)

    @property
    def angular_velocity(self) -> Floats:
        """[rad/s], (3,). A rigid body has it."""
        return _only(self._track.angular_velocity)

    @property
    def acceleration(self) -> Floats:
        """Of the reference point [m/s²], (3,). A rigid body that moves by its forces has it."""
        return _only(self._track.acceleration)

    @property
    def angular_acceleration(self) -> Floats:
        """[rad/s²], (3,). A rigid body that moves by its forces has it."""
        return _only(self._track.angular_acceleration)

    @property
    def deformation(self) -> Floats:
        """F of x = p + F X, (3, 3). A body that deforms has it."""
        return _only(self._track.deformation)

    @property
    def deformation_rate(self) -> Floats:
        """The rate of F [1/s], (3, 3). A body that deforms has it."""
        return _only(self._track.deformation_rate)

    def __repr__(self) -> str:
        return f"<carom.BodyState {self.name!r}: position {self.position.tolist()}>"


class State(Mapping[str, float]):
    """A run at one time. Numbers by the names that results have for them: ``state["ball.x"]`` [m], ``state["hinge.angle"]`` [rad],
    ``state["energy.total"]`` [J]; bodies with their vectors: ``state.bodies["ball"].velocity`` [m/s]. Accelerations of rigid bodies that
    move by their forces are those of this time, as the equations of motion have them: ``state["ball.az"]`` [m/s²]. Those of probes, of bodies that are moved
    as prescribed or that deform are not among the names: results have them by differences of several output times, and here is one.

    >>> import carom
    >>> sim = carom.Scene.from_dict({
    ...     "run": {"duration": 1},
    ...     "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1], "velocity": [3, 4, 0]}],
    ... }).start()
    >>> sim.state["stone.speed"]
    5.0
    >>> sim.state.bodies["stone"].velocity.tolist()
    [3.0, 4.0, 0.0]
    """

    def __init__(self, result: Result) -> None:
        self._result = result
        #: the time [s]
        self.t = float(result.t[0])

    def __getitem__(self, name: str) -> float:
        if self._needs_several_times(name):
            raise KeyError(f"{name!r} follows from several output times, and a state is one: the results have it")
        return float(self._result.column(name)[0])

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @cached_property
    def _names(self) -> list[str]:
        return [name for name in self._result.quantities if not self._needs_several_times(name)]

    def _needs_several_times(self, name: str) -> bool:
        """Whether it is an acceleration of a body or a probe that this state does not know."""
        owner, _, part = name.rpartition(".")
        if part not in ACCELERATIONS or owner not in self._result.names:
            return False
        return f"{owner}.{part.rstrip('xyz')}x" not in self._result.kinematics

    @cached_property
    def bodies(self) -> dict[str, BodyState]:
        """The moving bodies and the probes by name."""
        return {name: BodyState(self._result[name]) for name in self._result.names}

    @property
    def contacts(self) -> Table:
        """Contact points that carry a force, one row a point, as :attr:`Result.contacts` has them."""
        return self._result.contacts

    @property
    def joints(self) -> Table:
        """What joints do to their second body, one row a joint: force ``f`` [N], couple ``m`` [N m]."""
        return self._result.joints

    @property
    def forces(self) -> Table:
        """What springs, motors, loads and other forces do, one row."""
        return self._result.forces

    @property
    def signals(self) -> Table:
        """Inputs and outputs of controllers, one row."""
        return self._result.signals

    @property
    def energy(self) -> Table:
        """The ledger [J], one row."""
        return self._result.energy

    def __repr__(self) -> str:
        return f"<carom.State at t = {self.t:g} s: {', '.join(self._result.names)}>"


class Stepping:
    """A run in progress, which a program advances, looks at and acts upon. :meth:`Scene.start` begins it.

    Steps do not end at the times to which it is advanced, unless an input is set there: a run in which nothing is set has the same results,
    to the bit, as :meth:`Scene.run` has. Other Python threads go on while it advances.

    >>> import carom
    >>> scene = carom.Scene.from_dict({
    ...     "run": {"duration": 10},
    ...     "world": {"gravity": [0, 0, 0]},
    ...     "body": [{"name": "cart", "mass": 2, "inertia": [1, 1, 1]}],
    ...     "input": [{"name": "push"}],
    ...     "force": [{"type": "load", "body": "cart", "force": ["push", 0, 0]}],
    ... })
    >>> with scene.start() as sim:
    ...     on = sim.advance(1.0)          # by 1 s
    ...     sim.set(push=4.0)              # [N]
    ...     on = sim.advance(until=3.0)
    ...     print(round(sim.state["cart.vx"], 12))  # F t/m [m/s]
    4.0
    """

    def __init__(self, scene: Scene, folder: str | None, force: bool, inner: _carom.Stepping) -> None:
        #: the scene that is run
        self.scene = scene
        self._inner = inner
        self._folder = folder
        self._force = force
        self._end: float = 0.0
        self._state: State | None = None
        self._result: Result | None = None
        self._closed = False

    @property
    def t(self) -> float:
        """The time reached [s]."""
        return self._end if self._closed else self._inner.t

    @property
    def done(self) -> bool:
        """Whether the end of the run is reached, or it was finished."""
        return self._closed or self.t >= self.scene.duration

    def _told(self, told: tuple[T | None, str | None, BaseException | None]) -> T:
        """What was told, or why not."""
        value, failed, cause = told
        return _given(value, failed, cause, None)

    def advance(self, dt: float | None = None, *, until: float | None = None) -> bool:
        """Advances by ``dt`` [s], or to the time ``until`` [s], but not beyond the end of the run. Says whether the run goes on from there.

        Ctrl-C stops it after the step that is being taken, and is raised as KeyboardInterrupt; it can be advanced further. A run that
        fails raises a :class:`RunError`, and so does one in which a function of yours raises, with that exception as its cause.

        >>> import carom
        >>> sim = carom.Scene.from_dict(
        ...     {"run": {"duration": 1}, "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}]}).start()
        >>> sim.advance(0.25), sim.t, sim.advance(until=2), sim.t
        (True, 0.25, False, 1.0)
        """
        if (dt is None) == (until is None):
            raise TypeError("advance takes either dt or until")
        if until is None:
            assert dt is not None
            if not dt >= 0:
                raise ValueError(f"dt is {dt}; allowed: 0 and more")
            until = self.t + dt
            # intervals that add up to the end reach it, but for their rounding
            if abs(until - self.scene.duration) <= 1e-9 * dt:
                until = self.scene.duration
        if not until >= self.t:
            raise ValueError(f"until is {until}; allowed: the time reached, {self.t}, and later")
        self._state = None
        return self._told(self._inner.advance(float(until)))

    @property
    def state(self) -> State:
        """The state at the time reached, computed when it is first asked for. Asking for it does not change the run.

        >>> import carom
        >>> sim = carom.Scene.from_dict(
        ...     {"run": {"duration": 1}, "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}]}).start()
        >>> on = sim.advance(0.5)
        >>> round(sim.state["stone.vz"], 9)  # g t [m/s]
        -4.905
        """
        if self._state is None:
            run = self._told(self._inner.state())
            self._state = State(Result(run, self.scene, None))
        return self._state

    def set(self, **inputs: float) -> None:
        """Sets inputs of the scene (``[[input]]``) from the time reached on, in the SI units of what uses them: ``sim.set(push=3.0)``. The step
        that is being taken then ends there.

        Names that are no Python words are given as ``sim.set(**{"left wheel": 1.0})``.
        """
        self._state = None
        self._told(self._inner.set([(name, float(value)) for name, value in inputs.items()]))

    def checkpoint(self) -> Checkpoint:
        """Everything that the rest of the run depends on; :meth:`rewind` goes on from it. Taking it does not change the run.

        >>> import carom
        >>> sim = carom.Scene.from_dict(
        ...     {"run": {"duration": 1}, "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}]}).start()
        >>> start, on = sim.checkpoint(), sim.advance(0.5)
        >>> sim.rewind(start)
        >>> sim.t
        0.0
        """
        data, recorded = self._told(self._inner.checkpoint())
        return Checkpoint(data, self.t, recorded)

    def rewind(self, checkpoint: Checkpoint) -> None:
        """Goes on from a checkpoint of this run or of another of the same scene; any other raises a :class:`RunError`.

        Results have what was recorded before the checkpoint, and what follows; with a checkpoint that was pickled, what this run itself has recorded up to its time: in
        another process they begin there. A run that has failed can be rewound, a finished one cannot.
        """
        if not isinstance(checkpoint, Checkpoint):
            raise TypeError(f"rewind takes a Checkpoint, and not {checkpoint!r}")
        self._state = None
        self._told(self._inner.rewind(checkpoint.data, checkpoint._recorded))

    def finish(self) -> Result:
        """Ends the run at the time reached, writes its folder if one was named, and gives its results, as :meth:`Scene.run` does. A second call
        gives the same."""
        if self._result is not None:
            return self._result
        self._end, self._closed = self.t, True
        run, failed, cause = self._inner.finish(self._folder, self._force)
        result = None if run is None else Result(run, self.scene, self._folder)
        self._result = _given(result, failed, cause, result)
        for warning in self._result.summary.get("warnings", []):
            warnings.warn(f"{self.scene.title}: {warning['message']}", CaromWarning, stacklevel=2)
        return self._result

    def close(self) -> None:
        """Lets the run go, without results. The end of a ``with`` block does so too."""
        if not self._closed:
            self._end, self._closed = self.t, True
            self._inner.close()

    def __enter__(self) -> Stepping:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "ended" if self._closed else "at"
        return f"<carom.Stepping of {self.scene.title!r}: {state} t = {self.t:g} s of {self.scene.duration:g} s>"


def _given(value: T | None, failed: str | None, cause: BaseException | None, result: Result | None) -> T:
    """The value, or the error instead of it."""
    if isinstance(cause, KeyboardInterrupt):
        raise cause
    if cause is not None:
        raise RunError(f"a function of the scene raised {type(cause).__name__}: {cause}", result) from cause
    if failed is not None or value is None:
        raise RunError(failed or "nothing was done", result)
    return value


def start(
    scene: Scene, folder: str | os.PathLike[str] | None, force: bool, progress: Any
) -> Stepping:
    """Begins a run of a scene."""
    inner, failed, cause = scene._inner.start(progress)
    _given(inner, failed, cause, None)
    return Stepping(scene, None if folder is None else os.fspath(folder), force, inner)
