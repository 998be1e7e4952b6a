"""A body over all output times, and the viewer with a run in it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Track:
    """A moving body or a probe over all output times; world frame."""

    def __init__(self, name: str, columns: Mapping[str, Floats]) -> None:
        #: its name
        self.name = name
        self._columns = columns

    def _stack(self, what: str, parts: Sequence[str]) -> Floats:
        if parts[0] not in self._columns:
            raise AttributeError(f"{self.name!r} has no {what}")
        out = np.stack([self._columns[part] for part in parts], axis=1)
        out.setflags(write=False)
        return out

    @cached_property
    def t(self) -> Floats:
        """Output times [s], (n,)."""
        return self._columns["t"]

    @cached_property
    def position(self) -> Floats:
        """Of the reference point [m], (n, 3)."""
        return self._stack("position", ["x", "y", "z"])

    @cached_property
    def velocity(self) -> Floats:
        """Of the reference point [m/s], (n, 3)."""
        return self._stack("velocity", ["vx", "vy", "vz"])

    @cached_property
    def quaternion(self) -> Floats:
        """Orientation: unit quaternions w, x, y, z from the body's axes to the world's, (n, 4). A rigid body has it."""
        return self._stack("quaternion", ["qw", "qx", "qy", "qz"])

    @cached_property
    def rotation(self) -> Floats:
        """Orientation as matrices, (n, 3, 3): columns are the body's axes in the world, so that ``rotation @ v`` turns a vector of
        the body into the world. A rigid body has it."""
        w, x, y, z = self.quaternion.T
        rows = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        out = np.array(rows).transpose(2, 0, 1)
        out.setflags(write=False)
        return out

    @cached_property
    def angular_velocity(self) -> Floats:
        """[rad/s], (n, 3). A rigid body has it."""
        return self._stack("angular_velocity", ["wx", "wy", "wz"])

    @cached_property
    def deformation(self) -> Floats:
        """F of x = p + F X, (n, 3, 3). A body that deforms has it."""
        parts = [f"F{i}{j}" for i in "123" for j in "123"]
        return self._stack("deformation", parts).reshape(-1, 3, 3)

    @cached_property
    def deformation_rate(self) -> Floats:
        """The rate of F [1/s], (n, 3, 3). A body that deforms has it."""
        parts = [f"dF{i}{j}" for i in "123" for j in "123"]
        return self._stack("deformation_rate", parts).reshape(-1, 3, 3)

    @cached_property
    def acceleration(self) -> Floats:
        """Of the reference point [m/s²], (n, 3). A body of a kinematic or inverse analysis has it."""
        return self._stack("acceleration", ["ax", "ay", "az"])

    @cached_property
    def angular_acceleration(self) -> Floats:
        """[rad/s²], (n, 3). A body of a kinematic or inverse analysis has it."""
        return self._stack("angular_acceleration", ["alphax", "alphay", "alphaz"])

    def to_pandas(self) -> Any:
        """A pandas frame over t: x, y, z, qw …"""
        import pandas

        columns = {key: array for key, array in self._columns.items() if key != "t"}
        return pandas.DataFrame(columns, index=pandas.Index(self.t, name="t"))

    def __repr__(self) -> str:
        return f"<carom.Track {self.name!r}: {len(self.t)} output times>"


class View:
    """The viewer with a run in it: shows itself in a notebook."""

    def __init__(self, page: str, height: int) -> None:
        #: the page, which needs no network
        self.html = page
        self._height = height

    def _repr_html_(self) -> str:
        # within the quotes of an attribute nothing else means anything
        page = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return (
            f'<iframe srcdoc="{page}" width="100%" height="{self._height}" '
            'style="border:0" allowfullscreen></iframe>'
        )

    def __repr__(self) -> str:
        return f"<carom.View, {len(self.html) / 1e6:.1f} MB: shows itself in a notebook; save() writes a page>"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page to a file, to be opened in any browser."""
        file = Path(path)
        file.write_text(self.html, encoding="utf-8")
        return file
