"""Laws, forces, surfaces and drives of your own: Python functions in scenes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _carom


@dataclass(frozen=True)
class NormalLaw:
    """A normal force by a function: ``function(delta, delta_dot, v0)`` [N].

    ``delta`` > 0 is the indentation [m], ``delta_dot`` its rate [m/s], positive while approaching, ``v0`` the speed of the
    impact [m/s]. ``stiffness`` K [N/m^n] and ``exponent`` n tell what is large and small for the contact: the force should be
    about K delta^n.

    What the function gives at ``delta_dot`` = 0 counts as elastic, the rest as dissipated. ``energy(delta)`` [J] is what is
    stored, ∫ function(delta, 0) d delta; left out, it is integrated. ``elastic``: nothing depends on the rate, and the
    function is called half as often. ``lets_go_early``: the force may fall to zero while the surfaces still overlap.

    >>> import carom
    >>> scene = carom.Scene.from_dict({
    ...     "run": {"duration": 0.2, "rtol": 1e-10},
    ...     "body": [
    ...         {"name": "ball", "mass": 1, "position": [0, 0, 0.06],
    ...          "surface": [carom.surface("sphere", radius=0.05)]},
    ...         {"name": "floor", "fixed": True, "surface": [carom.surface("plane")]},
    ...     ],
    ...     "contact": [{"between": ["ball", "floor"],
    ...                  "normal": carom.NormalLaw(lambda x, v, v0: 1e5 * x, stiffness=1e5, exponent=1, elastic=True)}],
    ... })
    >>> scene.run().summary["audit_relative"] < 1e-9
    True
    """

    function: Callable[[float, float, float], float]
    stiffness: float = field(kw_only=True)
    exponent: float = field(default=1.5, kw_only=True)
    energy: Callable[[float], float] | None = field(default=None, kw_only=True)
    elastic: bool = field(default=False, kw_only=True)
    lets_go_early: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class FrictionLaw:
    """A friction force by a function: ``function(f_n, speed)`` [N], against the slip.

    ``f_n`` is the normal force [N], ``speed`` the slip [m/s]. Without slip the force must be zero, or it would jump there: a
    ``width`` [m/s] says over which slip it turns round. ``vector``: the function is given the slip as three numbers instead
    of its size, and gives the force on the first body as three numbers.
    """

    function: Callable[..., Any]
    width: float = field(default=0.0, kw_only=True)
    vector: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class ForceLaw:
    """A tension by a function: ``function(length, rate)`` [N] between two points, by their distance [m] and its rate [m/s]; with an
    ``axis``, or on a ``joint``, a couple [N m] by the angle [rad] and its rate, which draws the angle back; on a ``joint`` with
    a ``coordinate`` that is a displacement (``"displacement"``, ``"x"``, ``"y"``) a force [N] by the displacement [m], likewise,
    and with one that is an angle (``"second_angle"``) a couple about its axis.

    What the function gives at ``rate`` = 0 counts as elastic, the rest as dissipated. The energy stored is
    ``energy(length)`` [J], or the integral from ``reference`` [m].
    """

    function: Callable[[float, float], float]
    reference: float = field(default=0.0, kw_only=True)
    energy: Callable[[float], float] | None = field(default=None, kw_only=True)
    elastic: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Curve:
    """A number in time by a function of t [s], in SI units: the ``expression`` of a drive.

    It is called when the scene is made, and kept as polynomials that agree with it to rounding; it must be smooth but
    for the ``kinks`` [s].
    """

    function: Callable[[float], float]
    kinks: Sequence[float] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class ImplicitSurface:
    """A closed, smooth surface function(x, y, z) = 0 [m]: the ``type`` of a surface.

    The function is negative in the material and positive outside; ``min`` and ``max`` are corners of a box that holds all of the
    surface. ``gradient(x, y, z)`` gives three numbers [1/m]: with it closest points are exact to rounding, without it normals are good to
    about 1e-9. A convex one touches whatever convex solids touch, and has the walls of a cavity with ``side="inside"``; any other touches
    balls. Sheets or folds that are nearer to each other than a twentieth of the box are not told apart. Its body needs a mass and an inertia.

    >>> import carom
    >>> egg = carom.ImplicitSurface(lambda x, y, z: x * x + 4 * y * y + 4 * z * z - 1, min=[-1.1] * 3, max=[1.1] * 3)
    >>> scene = carom.Scene.from_dict({
    ...     "run": {"duration": 1},
    ...     "body": [
    ...         {"name": "egg", "fixed": True, "surface": [{"type": egg}]},
    ...         {"name": "ball", "mass": 1, "position": [0, 0, 1.5], "surface": [carom.surface("sphere", radius=0.5)]},
    ...     ],
    ...     "contact": [{"between": ["ball", "egg"], "normal": {"law": "hertz", "stiffness": 1e6}}],
    ... })
    >>> touch = scene.run().events.t[0]
    >>> bool(abs(touch - (2 * 0.5 / 9.81) ** 0.5) < 1e-9)  # fell from 0.5 m above the top
    True
    """

    function: Callable[[float, float, float], float]
    min: Sequence[float] = field(kw_only=True)
    max: Sequence[float] = field(kw_only=True)
    gradient: Callable[[float, float, float], Any] | None = field(default=None, kw_only=True)


class Functions:
    """Takes the functions out of a scene of dictionaries, and puts names in their places."""

    def __init__(self) -> None:
        self.normal: list[tuple[str, NormalLaw]] = []
        self.friction: list[tuple[str, FrictionLaw]] = []
        self.forces: list[tuple[str, ForceLaw]] = []
        self.surfaces: list[tuple[str, ImplicitSurface]] = []
        self.courses: list[tuple[str, Curve]] = []

    def take(self, value: Any, place: str = "scene") -> Any:
        """The value without functions. They are named by their places."""
        if isinstance(value, NormalLaw):
            self.normal.append((place, value))
            return {"law": "own", "object": place}
        if isinstance(value, FrictionLaw):
            self.friction.append((place, value))
            return {"law": "own", "object": place}
        if isinstance(value, Mapping):
            return self._table(dict(value), place)
        if isinstance(value, (list, tuple)):
            return [self.take(v, f"{place}/{i}") for i, v in enumerate(value)]
        if callable(value):
            raise TypeError(f"{place} is a function: put it into a carom.NormalLaw, FrictionLaw, ForceLaw, ImplicitSurface or Curve")
        return value

    def _table(self, table: dict[str, Any], place: str) -> dict[str, Any]:
        kind, curve = table.get("type"), table.get("expression")
        if isinstance(kind, ForceLaw):
            self.forces.append((place, kind))
            table |= {"type": "own", "object": place}
        if isinstance(kind, ImplicitSurface):
            self.surfaces.append((place, kind))
            table |= {"type": "own", "object": place}
        if callable(curve):
            curve = Curve(curve)
        if isinstance(curve, Curve):
            self.courses.append((place, curve))
            del table["expression"]
            table["own"] = place
        return {key: self.take(v, f"{place}/{key}") for key, v in table.items()}

    def mark(self, code: Callable[[Any], str]) -> str:
        """What stands for all of them in the journal of a sweep: their places, numbers and ``code``."""
        parts = []
        for place, law in [*self.normal, *self.friction, *self.forces, *self.surfaces, *self.courses]:
            told = [code(v) if callable(v) else repr(v) for v in vars(law).values()]
            parts.append(f"{place}: {', '.join(told)}")
        return "; ".join(parts)

    def made(self) -> _carom.Functions | None:
        """What the scene gets; None if there is none."""
        if not (self.normal or self.friction or self.forces or self.surfaces or self.courses):
            return None
        return _carom.Functions(
            [
                (name, law.function, law.energy, law.stiffness, law.exponent, law.elastic, law.lets_go_early)
                for name, law in self.normal
            ],
            [(name, law.function, law.width, law.vector) for name, law in self.friction],
            [(name, law.function, law.energy, law.reference, law.elastic) for name, law in self.forces],
            [
                (name, s.function, s.gradient, [float(x) for x in s.min], [float(x) for x in s.max])
                for name, s in self.surfaces
            ],
            [(name, curve.function, [float(t) for t in curve.kinks]) for name, curve in self.courses],
        )
