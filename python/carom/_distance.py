"""Surfaces and the distances between them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _carom
from ._arrays import reals
from ._errors import GeometryError
from ._own import Functions, ImplicitSurface
from ._text import to_json

Floats = NDArray[np.float64]
#: type and parameters, as in a scene; or a surface by a function
Surface = Mapping[str, Any] | ImplicitSurface


def surface(type: str, **parameters: Any) -> dict[str, Any]:
    """A surface with the keys of a scene: ``surface("sphere", radius=0.02)``, ``side="inside"`` for a cavity.

    >>> import carom
    >>> carom.surface("sphere", radius=0.02)
    {'type': 'sphere', 'radius': 0.02}

    The ``file`` of a ``mesh`` is relative to the current folder: ``surface("mesh", file="part.stl", unit="mm")``.
    """
    known = surfaces()
    if type not in known:
        near = get_close_matches(type, known, n=1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"no surface is called {type!r}{meant} There are {', '.join(known)}")
    return {"type": type, **parameters}


def surfaces() -> dict[str, str]:
    """The surfaces there are, and what each is.

    >>> import carom
    >>> "torus" in carom.surfaces()
    True
    """
    return {name: summary for name, summary, _ in _carom.surfaces()}


@dataclass(frozen=True)
class Distances:
    """Distances, one or n of them. Of one, ``distance`` is a number and points have shape (3,); of n, (n,) and (n, 3)."""

    #: [m], negative on overlap; NaN where the search failed
    distance: Any
    #: whether it was found
    found: Any
    #: the nearest point on a, or the deepest [m]
    point_a: Floats
    #: the nearest point on b, or the deepest [m]
    point_b: Floats
    #: unit normal, out of a into b (of a cavity: from its wall into it)
    normal: Floats
    #: the algorithm that gave the answer; of n distances, all that did, with commas between them
    method: str


class Pair:
    """Two surfaces, bound once to the algorithm that knows them, to be asked of many poses.

    >>> import carom, numpy as np
    >>> pair = carom.Pair(carom.surface("plane"), carom.surface("sphere", radius=1))
    >>> pair.distance(position_b=[[0, 0, 1.5], [0, 0, 3]]).distance
    array([0.5, 2. ])

    A surface may be an :class:`ImplicitSurface`, or ``{"type": surface, "side": "inside"}``: a convex one against whatever convex
    solids are known against, any other against spheres.

    >>> egg = carom.ImplicitSurface(lambda x, y, z: x * x + 4 * y * y + 4 * z * z - 1, min=[-1.1] * 3, max=[1.1] * 3)
    >>> d = carom.distance(egg, carom.surface("box", size=[1, 1, 1]), position_b=[0, 0, 2]).distance
    >>> bool(abs(d - 1) < 1e-12)
    True
    """

    def __init__(self, a: Surface, b: Surface, *, solver: str | Mapping[str, Any] | None = None) -> None:
        functions = Functions()
        both = {name: {"type": s} if isinstance(s, ImplicitSurface) else dict(s) for name, s in (("a", a), ("b", b))}
        request = functions.take({**both, "solver": solver}, "surface")
        self._inner = _carom.Pair(to_json(request, "surface"), functions.made())

    @property
    def method(self) -> str:
        """The algorithm that is asked first."""
        return self._inner.method

    def distance(
        self,
        *,
        position_a: ArrayLike | None = None,
        quaternion_a: ArrayLike | None = None,
        position_b: ArrayLike | None = None,
        quaternion_b: ArrayLike | None = None,
    ) -> Distances:
        """The distance, the surfaces being there: positions [m] and unit quaternions w, x, y, z. Arrays of n rows, of any
        real dtype and layout, give n distances; single rows go with all of them. What is left out is that of the world."""
        given = {
            "position_a": (position_a, 3),
            "quaternion_a": (quaternion_a, 4),
            "position_b": (position_b, 3),
            "quaternion_b": (quaternion_b, 4),
        }
        single = True
        rows: dict[str, Floats] = {}
        for name, (value, width) in given.items():
            array = _rows(name, value, width)
            single = single and array.ndim == 1
            rows[name] = np.atleast_2d(array)
        lengths = {name: len(array) for name, array in rows.items() if len(array) != 1}
        if len(set(lengths.values())) > 1:
            text = ", ".join(f"{name} {n}" for name, n in lengths.items())
            raise ValueError(f"as many rows are needed of each, or one: {text}")
        distance, found, point_a, point_b, normal, method = self._inner.distances(*rows.values())
        if single:
            return Distances(
                float(distance[0]), bool(found[0]), point_a[0], point_b[0], normal[0], method
            )
        return Distances(distance, found, point_a, point_b, normal, method)


#: where the world is: a position, a quaternion
_WORLD = {3: np.zeros(3), 4: np.array([1.0, 0.0, 0.0, 0.0])}


def _rows(name: str, value: ArrayLike | None, width: int) -> Floats:
    """An array (n, width) or (width,) of doubles, one row after the other."""
    if value is None:
        return _WORLD[width]
    return reals(name, value, f"({width},) or (n, {width})", lambda s: len(s) in (1, 2) and s[-1] == width)


def distance(
    a: Surface,
    b: Surface,
    *,
    position_a: ArrayLike | None = None,
    quaternion_a: ArrayLike | None = None,
    position_b: ArrayLike | None = None,
    quaternion_b: ArrayLike | None = None,
    solver: str | Mapping[str, Any] | None = None,
) -> Distances:
    """The distance between two surfaces [m], negative on overlap: see :meth:`Pair.distance`.

    >>> import carom
    >>> box, ball = carom.surface("box", size=[2, 2, 2]), carom.surface("sphere", radius=1)
    >>> d = carom.distance(box, ball, position_b=[0, 0, 2.5])
    >>> d.distance, d.point_a.tolist(), d.normal.tolist()
    (0.5, [0.0, 0.0, 1.0], [0.0, 0.0, 1.0])
    """
    return Pair(a, b, solver=solver).distance(
        position_a=position_a, quaternion_a=quaternion_a, position_b=position_b, quaternion_b=quaternion_b
    )


@dataclass(frozen=True)
class CommonNormals:
    """All common normals of two ellipsoids, n of them: lines at right angles to both surfaces, and where they meet them. The one that the
    distance of the solids is along comes first, the others follow by the distance of their points."""

    #: n·(point_b − point_a), n out of a [m]; shape (n,)
    distance: Floats
    #: the points on a and on b [m], (n, 3)
    point_a: Floats
    point_b: Floats
    #: unit normals, out of a, (n, 3)
    normal: Floats
    #: ``nearest``, ``furthest`` or ``saddle``: what the points are among those near by
    kind: list[str]
    #: in how many directions of four the distance of the points falls as they move on their surfaces
    index: NDArray[np.int64]
    #: whether the outward normals are opposite, as where surfaces touch from outside
    opposite: NDArray[np.bool_]
    #: whether there are certainly no others; false if some are not isolated, as circles of them about a common axis
    complete: bool


def common_normals(
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    *,
    position_a: ArrayLike | None = None,
    quaternion_a: ArrayLike | None = None,
    position_b: ArrayLike | None = None,
    quaternion_b: ArrayLike | None = None,
) -> CommonNormals:
    """All common normals of two ellipsoids or spheres: positions [m] and unit quaternions w, x, y, z, one of each.

    >>> import carom
    >>> ball = carom.surface("sphere", radius=1)
    >>> found = carom.common_normals(ball, carom.surface("ellipsoid", semi_axes=[1, 1, 2]), position_b=[0, 0, 5])
    >>> [round(d, 12) for d in found.distance.tolist()], found.kind, found.complete
    ([2.0, -4.0, 6.0, -8.0], ['nearest', 'saddle', 'saddle', 'furthest'], True)
    """
    given = {"position": (position_a, position_b, 3), "quaternion": (quaternion_a, quaternion_b, 4)}
    poses: dict[str, dict[str, list[float]]] = {"pose_a": {}, "pose_b": {}}
    for name, (of_a, of_b, width) in given.items():
        for which, value in (("a", of_a), ("b", of_b)):
            row = _rows(f"{name}_{which}", value, width)
            if row.ndim != 1:
                raise ValueError(f"{name}_{which} has shape {row.shape}; one row is needed: ({width},)")
            poses[f"pose_{which}"][name] = row.tolist()
    line = to_json({"a": dict(a), "b": dict(b), **poses, "all": True}, "surface")
    found = json.loads(_carom.answer(line))
    if "error" in found:
        raise GeometryError(found["error"])
    normals = found["common_normals"]

    def column(key: str) -> Floats:
        return np.array([normal[key] for normal in normals], dtype=np.float64)

    return CommonNormals(
        distance=column("distance"),
        point_a=column("point_a"),
        point_b=column("point_b"),
        normal=column("normal"),
        kind=[normal["kind"] for normal in normals],
        index=column("index").astype(np.int64),
        opposite=np.array([normal["opposite"] for normal in normals], dtype=np.bool_),
        complete=found["complete"],
    )
