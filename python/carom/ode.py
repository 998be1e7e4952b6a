"""Ordinary differential equations y' = f(t, y) with Python functions.

The methods are those that run scenes: see :data:`METHODS`. Steps end exactly on events, and the solution between steps is
the method's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _carom
from ._arrays import reals

__all__ = ["METHODS", "Event", "Occurrence", "Solution", "solve"]

Floats = NDArray[np.float64]
#: Of t and y, and of ``args`` if there are any.
Rates = Callable[..., ArrayLike]

#: The methods there are, and what each is.
METHODS: dict[str, str] = dict(_carom.methods())

_DIRECTIONS = {"any": 0, "rising": 1, "falling": -1}


@dataclass(frozen=True)
class Event:
    """Something that happens when ``function(t, y)`` reaches zero.

    ``direction``: ``"rising"`` (from below), ``"falling"`` (from above) or ``"any"``. ``terminal``: whether it ends the
    integration; a number: when it has happened so often. ``action(t, y)`` gives the state after it.
    """

    function: Callable[..., float]
    direction: str = "any"
    terminal: bool | int = False
    action: Callable[..., ArrayLike] | None = None

    def __post_init__(self) -> None:
        if self.direction not in _DIRECTIONS:
            raise ValueError(f"direction is {self.direction!r}; allowed: {', '.join(_DIRECTIONS)}")
        if int(self.terminal) < 0:
            raise ValueError(f"terminal is {self.terminal}; allowed: True, False, or how often it happens before")


@dataclass(frozen=True)
class Occurrence:
    """An event that has happened."""

    #: when
    t: float
    #: which, by its place among the events given
    event: int
    #: whether the function came from below
    rising: bool
    #: the state before any action
    y: Floats
    #: the state after all actions of that time
    y_after: Floats


class Solution:
    """A solution: outputs, events, and the motion between."""

    def __init__(self, inner: _carom.Solution) -> None:
        self._inner = inner

    @cached_property
    def t(self) -> Floats:
        """The times of the outputs, (n,)."""
        return self._inner.t

    @cached_property
    def y(self) -> Floats:
        """The states there, one row a time: (n, components)."""
        return self._inner.y

    @property
    def t_end(self) -> float:
        """The time reached, whether or not there is an output at it."""
        return self._inner.t_end

    @property
    def y_end(self) -> Floats:
        """The state at the time reached; after the action, where an event ended it."""
        return self._inner.y_end

    @cached_property
    def events(self) -> list[Occurrence]:
        """Events in the order in which they happened."""
        return [Occurrence(*o) for o in self._inner.events]

    @property
    def ended_by(self) -> int | None:
        """The event that ended it, by its place among those given; None if it reached the end."""
        return self._inner.ended_by

    @property
    def method(self) -> str:
        """The method."""
        return self._inner.method

    @property
    def stats(self) -> dict[str, int]:
        """What it cost: steps, rejected, evaluations, jacobians, factorisations."""
        return dict(self._inner.stats)

    def __reduce__(self) -> tuple[Any, ...]:
        return _read_again, (self._inner.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        """Whether all of it is the same to the bit."""
        return isinstance(other, Solution) and self._inner.to_bytes() == other._inner.to_bytes()

    __hash__ = object.__hash__

    def __call__(self, t: ArrayLike) -> Floats:
        """The state at any time between start and end, or at many: (components,) or (n, components)."""
        times = reals("t", t, "a number or (n,)", lambda s: len(s) < 2)
        rows = self._inner.at(np.atleast_1d(times))
        return rows[0] if times.ndim == 0 else rows

    def __repr__(self) -> str:
        return f"<carom.ode.Solution to t = {self.t_end:g}: {len(self.t)} outputs, {len(self.events)} events>"


def _read_again(data: bytes) -> Solution:
    return Solution(_carom.solution_from_bytes(data))


def _with(function: Callable[..., Any], args: tuple[Any, ...]) -> Callable[..., Any]:
    """The function with these arguments after its own."""
    return (lambda t, y: function(t, y, *args)) if args else function


def _numbers(name: str, value: ArrayLike) -> list[float]:
    out: list[float] = np.atleast_1d(reals(name, value, "a number or (n,)", lambda s: len(s) < 2)).tolist()
    return out


def solve(
    function: Rates,
    t_span: ArrayLike,
    y0: ArrayLike,
    *,
    method: str = "auto",
    args: Sequence[Any] = (),
    rtol: float = 1e-8,
    atol: ArrayLike = 1e-8,
    t_eval: ArrayLike | None = None,
    events: Event | Sequence[Event | Callable[..., float]] = (),
    jacobian: Callable[..., Any] | None = None,
    kinks: ArrayLike = (),
    dense: bool = True,
    first_step: float | None = None,
    max_step: float | None = None,
    max_steps: int | None = None,
) -> Solution:
    """Solves y' = function(t, y) from y(t_span[0]) = y0 to t_span[1], forward or backward.

    The error allowed in a component of a step is atol + rtol |y|; ``atol`` may be one number a component. Output is at
    every step, or at the times ``t_eval``; with ``dense`` the solution can be asked at any time. ``jacobian(t, y)`` gives ∂f/∂y
    as an array, for implicit methods. At ``kinks`` the rates are known to jump.

    ``method``: one of :data:`METHODS`; ``"auto"`` begins with an explicit one, and takes an implicit one where the equations are stiff. ``args``: further
    arguments of ``function``, ``jacobian``, and functions and actions of events, after t and y: ``args=(mu,)`` of ``function(t, y, mu)``.

    What a function raises is raised here. An integration that cannot go on raises an :class:`carom.OdeError`.

    >>> import carom, numpy as np
    >>> from carom.ode import Event
    >>> ground = Event(lambda t, y: y[0], direction="falling", terminal=True)
    >>> s = carom.ode.solve(lambda t, y: [y[1], -9.81], (0, 10), [0, 5.0], events=[ground])
    >>> bool(abs(s.t_end - 2 * 5.0 / 9.81) < 1e-12)
    True
    >>> s([0.1, 0.2]).shape
    (2, 2)
    >>> s = carom.ode.solve(lambda t, y, rate: -rate * y, (0, 1), [1.0], args=(2.0,))
    >>> bool(abs(s.y_end[0] - np.exp(-2.0)) < 1e-7)
    True
    """
    if isinstance(args, str) or not isinstance(args, Sequence):
        raise TypeError(f"args is {args!r}; allowed: a tuple, as in args=(mu,)")
    more = tuple(args)
    t_start, t_end = reals("t_span", t_span, "(2,), start and end", lambda s: s == (2,)).tolist()
    given = [events] if isinstance(events, Event) else list(events)
    all_events = [e if isinstance(e, Event) else Event(e) for e in given]
    slope = None if jacobian is None else _with(jacobian, more)
    inner = _carom.solve(
        _with(function, more),
        t_start,
        _numbers("y0", y0),
        t_end,
        method=method,
        rtol=rtol,
        atol=_numbers("atol", atol),
        t_eval=None if t_eval is None else _numbers("t_eval", t_eval),
        events=[
            (
                _with(e.function, more),
                _DIRECTIONS[e.direction],
                int(e.terminal),
                None if e.action is None else _with(e.action, more),
            )
            for e in all_events
        ],
        jacobian=None if slope is None else lambda t, y: reals("the Jacobian", slope(t, y)),
        kinks=_numbers("kinks", kinks) if np.size(kinks) else [],
        dense=dense,
        first_step=first_step,
        max_step=max_step,
        max_steps=max_steps,
    )
    return Solution(inner)
