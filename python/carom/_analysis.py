"""What analyses give besides tables: drives, equilibria, modes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._table import Table, unknown

Floats = NDArray[np.float64]


def fixed(values: Any) -> Floats:
    """An array that nobody changes."""
    array = np.asarray(values, dtype=np.float64)
    array.setflags(write=False)
    return array


@dataclass(frozen=True)
class Drive:
    """What a drive must do, over all output times."""

    #: the joint, and what is driven of it: ``main/speed``
    name: str
    #: output times [s], (n,)
    t: Floats
    #: along the coordinate [N], or about it [N m], on the first body, (n,)
    force: Floats
    #: [W], (n,)
    power: Floats


@dataclass(frozen=True)
class Place:
    """Where a body is at rest; world frame."""

    #: of its reference point [m], (3,)
    position: Floats
    #: unit quaternion w, x, y, z from the body's axes to the world's, (4,)
    quaternion: Floats


class Equilibrium(Mapping[str, Place]):
    """Where bodies come to rest: ``r.equilibrium["ball"].position``.

    >>> import carom
    >>> r = carom.Scene.from_dict({
    ...     "run": {"duration": 1, "analysis": "static"},
    ...     "body": [
    ...         {"name": "ball", "mass": 0.1, "position": [0, 0, 0.5],
    ...          "surface": [carom.surface("sphere", radius=0.02)]},
    ...         {"name": "floor", "fixed": True, "surface": [carom.surface("plane")]},
    ...     ],
    ...     "contact": [{"between": ["ball", "floor"], "normal": {"law": "hertz", "stiffness": 1e8}}],
    ... }).run()
    >>> depth = 0.02 - r.equilibrium["ball"].position[2]
    >>> bool(abs(depth - (0.1 * 9.81 / 1e8) ** (2 / 3)) < 1e-16)  # K depth^1.5 = m g
    True
    >>> r.equilibrium.stable, len(r.equilibrium.neutral)
    (True, 5)
    """

    def __init__(self, found: Mapping[str, Any]) -> None:
        self._bodies = {
            name: Place(fixed(body["position"]), fixed(body["quaternion"]))
            for name, body in found["bodies"].items()
        }
        #: steps of the search; 0: the bodies were given there
        self.iterations: int = found["iterations"]
        #: what is left of the forces on a body, as a part of the sum of their amounts: the largest of all bodies
        self.residual: float = found["residual"]
        #: whether every small motion away from it needs a force, or none
        self.stable: bool = found["stable"]
        #: motions that need no force, in words
        self.neutral: list[str] = found["neutral"]
        #: motions that go on by themselves, in words
        self.unstable: list[str] = found["unstable"]
        over = found.get("turned")
        #: the body turned most from how it is given, and by how much [rad], if that is more than a third of a turn
        self.turned: tuple[str, float] | None = None if over is None else (over["body"], over["angle"])

    def __getitem__(self, body: str) -> Place:
        try:
            return self._bodies[body]
        except KeyError:
            raise unknown("moving body", body, list(self._bodies)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._bodies)

    def __len__(self) -> int:
        return len(self._bodies)

    def to_pandas(self) -> Any:
        """A pandas frame, one row a body: x, y, z [m], qw, qx, qy, qz."""
        import pandas

        rows = [[*place.position, *place.quaternion] for place in self._bodies.values()]
        return pandas.DataFrame(rows, index=list(self._bodies), columns=["x", "y", "z", "qw", "qx", "qy", "qz"])

    def __repr__(self) -> str:
        lines = [f"  {name} at {np.array2string(p.position, precision=6)} m" for name, p in self._bodies.items()]
        some = "\n".join(lines[:8]) + ("\n  …" if len(lines) > 8 else "")
        return f"<carom.Equilibrium, {'stable' if self.stable else 'unstable'}, {self.residual:.0e} of the forces left\n{some}>"


class Modes(Table):
    """Small motions about an equilibrium without damping, one row a mode, and the roots with damping.

    Columns: ``frequency`` [Hz], ``omega`` [rad/s], ``omega_squared`` [1/s²], ``kind``. ``modes["ball.z"]`` is a component of
    all shapes; :meth:`shape` has those of a body.

    >>> import carom, numpy as np
    >>> b = carom.Builder()
    >>> b.run(duration=1, analysis="modes")
    >>> b.body("mass", mass=2, dofs=["z"])
    >>> b.body("wall", fixed=True, position=[0, 0, 1])
    >>> b.force("spring-damper", between=["mass", "wall"], stiffness=800, damping=8, rest_length=0.5)
    >>> m = b.scene().run().modes
    >>> bool(abs(m.omega[0] - np.sqrt(800 / 2)) < 1e-12), bool(abs(m.damping[0] - 8 / (2 * np.sqrt(800 * 2))) < 1e-12)
    (True, True)
    >>> m.shape("mass")
    array([[1.]])
    """

    def __init__(self, found: Mapping[str, Any], modes: Mapping[str, Any], roots: Mapping[str, Any]) -> None:
        super().__init__("modes", modes)
        self._found = found
        #: with damping: growth [1/s], omega [rad/s], frequency [Hz], damping_ratio, the mode it is most like (from 1), its share
        self.roots = Table("roots", roots)
        #: where the motion is linear
        self.equilibrium = Equilibrium(found["equilibrium"])
        #: whether anything damps
        self.damped: bool = found["damped"]

    @cached_property
    def damping(self) -> Floats:
        """The damping ratio of every mode: that of the root most like it; NaN of one that no root is like."""
        out = np.full(self.rows, np.nan)
        best = np.zeros(self.rows)
        for mode, share, ratio in zip(self.roots.mode, self.roots.share, self.roots.damping_ratio, strict=True):
            if share > best[int(mode) - 1]:
                best[int(mode) - 1], out[int(mode) - 1] = share, ratio
        return fixed(out)

    @cached_property
    def directions(self) -> dict[str, list[str]]:
        """The directions in which bodies move: x, y, z of the centre of mass, rx, ry, rz about it."""
        modes = self._found["modes"]
        return {body: list(parts) for body, parts in modes[0]["components"].items()} if modes else {}

    def _components(self, which: str, body: str) -> list[list[Any]]:
        if body not in self.directions:
            raise unknown("moving body", body, list(self.directions))
        return [list(one["components"][body].values()) for one in self._found[which]]

    def shape(self, body: str) -> Floats:
        """How a body moves in every mode: (modes, directions) [m], of turns [rad]."""
        return fixed(self._components("modes", body))

    def root_shape(self, body: str) -> NDArray[np.complex128]:
        """How it moves with damping: (roots, directions), complex, as some are ahead of others."""
        parts = np.asarray(self._components("roots", body), dtype=np.float64).reshape(
            -1, len(self.directions[body]), 2
        )
        out: NDArray[np.complex128] = parts[..., 0] * np.exp(1j * parts[..., 1])
        return out

    @property
    def names(self) -> list[str]:
        """The largest components of every shape, in words: ``egg rx 1.00, egg y 0.55``."""
        return [mode["shape"] for mode in self._found["modes"]]

    def __repr__(self) -> str:
        lines = [
            f"  {frequency:12.6g} Hz  {name}" if kind == "oscillates" else f"  {kind:>12}     {name}"
            for frequency, kind, name in zip(self.frequency, self.kind, self.names, strict=True)
        ]
        some = "\n".join(lines[:12]) + ("\n  …" if len(lines) > 12 else "")
        return f"<carom.Modes, {self.rows} of them, {'damped' if self.damped else 'undamped'}\n{some}>"
