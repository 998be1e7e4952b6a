"""What a sweep tells: columns by name, and figures of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from . import _carom
from ._table import Array, Table, unknown

#: Points are shown on lines of so few.
FEW = 60


class SweepTable(Table):
    """The table of a sweep: columns by name, as keys or as attributes, one row a run in the order of the plan.

    ``table["lift"]`` is a measure, in SI units, NaN where there is none; ``table["parameter/tilt"]`` what was varied, in the unit it was varied in (:attr:`units`), or
    words; the end of a path is enough (``table["tilt"]``) where only one ends so. ``run`` is the number of the run, ``error`` what went wrong in it.
    """

    def __init__(self, told: dict[str, Any], folder: str | None = None) -> None:
        super().__init__("the sweep", told["columns"])
        self._text: bytes = told["text"]
        self._varied: list[tuple[str, str, str, bool]] = told["varied"]
        self._measures: list[tuple[str, str]] = told["measures"]
        #: ``"grid"``, ``"latin-hypercube"`` or ``"sobol"``
        self.design: str = told["design"]
        #: how many runs the plan has, done or not
        self.runs: int = told["runs"]
        #: where its files are, if they were written
        self.folder = None if folder is None else Path(folder)

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> SweepTable:
        """The table of a folder, of this package's or of the program's, finished or not."""
        return cls(_carom.sweep_table(os.fspath(folder)), os.fspath(folder))

    def __getitem__(self, column: str) -> Array:
        return super().__getitem__(self._named(column) if column not in self._columns else column)

    def __contains__(self, column: object) -> bool:
        try:
            return isinstance(column, str) and bool(self._named(column))
        except KeyError:
            return False

    def _named(self, name: str) -> str:
        """A column by its name, its path, or the end of that."""
        if name in self._columns:
            return name
        fits = [column for column, path, _, _ in self._varied if path == name]
        fits = fits or [column for column, path, _, _ in self._varied if path.endswith(f"/{name}")]
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise KeyError(f"several paths end in {name!r}: {', '.join(fits)}")
        ends = [path.rpartition("/")[2] for _, path, _, _ in self._varied]
        raise unknown("column of the sweep", name, [*self._columns, *ends])

    @property
    def varied(self) -> list[str]:
        """The columns of what was varied."""
        return [column for column, *_ in self._varied]

    @property
    def measures(self) -> list[str]:
        """The columns of measures."""
        return [name for name, _ in self._measures]

    @property
    def units(self) -> dict[str, str]:
        """The units of columns, where they are known."""
        known = [(column, unit) for column, _, unit, _ in self._varied] + self._measures
        return {column: unit for column, unit in known if unit}

    @property
    def errors(self) -> dict[int, str]:
        """What went wrong, by the number of the run."""
        return {int(i): str(why) for i, why in zip(self["run"], self["error"], strict=True) if why}

    def grid(self, column: str) -> Array:
        """A column of a grid as an array with one axis for each path, in their order: of ``{"a": [1, 2, 3], "b": [0, 1]}`` it is (3, 2). NaN, or None, where a run is missing.

        >>> import carom
        >>> scene = carom.Scene.from_dict(
        ...     {"run": {"duration": 1}, "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}]})
        >>> table = carom.sweep(scene, {"run/duration": [1, 2], "body/stone/velocity/2": "0:10:3"}, {"end": "final(stone.z)"})
        >>> table.grid("end").round(3)
        array([[ -4.905,   0.095,   5.095],
               [-19.62 ,  -9.62 ,   0.38 ]])
        """
        if self.design != "grid":
            raise ValueError(f"a {self.design} has no grid")
        shape = [len(dict.fromkeys(self._columns[c].tolist())) for c in self.varied]
        if int(np.prod(shape)) != self.runs:
            raise ValueError(f"the sweep has {self.rows} of {self.runs} runs, or values that are the same: there is no grid of them yet")
        values = self[column]
        number = values.dtype.kind in "iuf"
        all = np.full(self.runs, np.nan if number else None, dtype=float if number else object)
        all[self["run"].astype(int)] = values
        return all.reshape(shape)

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """The table as the program writes it, byte for byte; into a file, if one is named."""
        if path is not None:
            Path(path).write_bytes(self._text)
        return self._text.decode()

    def to_pandas(self) -> Any:
        """A pandas frame over the runs' numbers."""
        return super().to_pandas().set_index("run")

    def plot(
        self,
        measure: str,
        *,
        against: str | None = None,
        by: str | None = None,
        at: Mapping[str, Any] | None = None,
        log: bool = False,
        axes: Any = None,
    ) -> Any:
        """Draws a measure with matplotlib, and returns the axes.

        Over one path a line; over two a map, or with ``by`` a line for each value of the second; of samples dots over one (``against``), and over two a scatter map, its dots
        coloured by the measure. ``against`` is the path across, ``at={"law": "hertz"}`` takes the rows with these values only. Paths may be named by their ends.
        """
        if measure not in self.measures:
            raise unknown("measure", measure, self.measures)
        fixed = {self._named(name): value for name, value in (at or {}).items()}
        chosen = np.ones(self.rows, dtype=bool)
        for column, value in fixed.items():
            chosen &= self._columns[column] == value
        if not chosen.any():
            raise ValueError("there is no row to draw")
        second = None if by is None else self._named(by)
        free = [c for c in self.varied if c not in fixed and c != second]
        across = self._named(against) if against is not None else next(iter(free), None)
        if across is None or across == second:
            raise ValueError("nothing is left to draw it over" if across is None else "against and by name the same")
        rest = [c for c in free if c != across]
        values = np.where(chosen, self[measure], np.nan)
        if axes is None:
            from matplotlib import pyplot

            _, axes = pyplot.subplots(layout="constrained")
        if self.design == "grid" and len(rest) > (0 if second else 1):
            raise ValueError(f"say at which value of {', '.join(rest)}: at={{path: value}}")
        if len(rest) == 1 and second is None and (self.design == "grid" or against is None):
            draw = self._map if self.design == "grid" else self._scatter
            draw(axes, across, rest[0], values, chosen, measure, log)
        else:
            self._lines(axes, across, second, values, chosen)
            axes.set_ylabel(self._label(measure))
            if log:
                axes.set_yscale("log")
        self._axis(axes, "x", across)
        return axes

    def _label(self, column: str) -> str:
        unit = dict(self._measures).get(column)
        return f"{column} [{unit}]" if unit else column

    def _places(self, column: str) -> Array:
        """Values along an axis, words by their place among all."""
        values = self._columns[column]
        if values.dtype.kind in "iuf":
            return values
        words = list(dict.fromkeys(values.tolist()))
        return np.array([words.index(v) for v in values.tolist()], dtype=float)

    def _axis(self, axes: Any, which: str, column: str) -> None:
        """Words in their places, or even ratios; and what it is."""
        values = self._columns[column]
        if values.dtype.kind not in "iuf":
            words = list(dict.fromkeys(values.tolist()))
            axes.set(**{f"{which}ticks": range(len(words)), f"{which}ticklabels": words})
        elif any(name == column and is_log for name, _, _, is_log in self._varied):
            axes.set(**{f"{which}scale": "log"})
        axes.set(**{f"{which}label": self._label(column)})

    def _lines(self, axes: Any, across: str, by: str | None, values: Array, chosen: Array) -> None:
        x = self._places(across)
        lines = [None] if by is None else list(dict.fromkeys(self._columns[by][chosen].tolist()))
        for line in lines:
            rows = chosen if by is None else chosen & (self._columns[by] == line)
            order = np.flatnonzero(rows)[np.argsort(x[rows], kind="stable")]
            label = None if by is None else f"{by.rpartition('/')[2]} = {line}"
            dots = self.design != "grid" or len(order) <= FEW
            style = {"linestyle": "none" if self.design != "grid" else "-", "marker": "o" if dots else None, "markersize": 4}
            axes.plot(x[order], values[order], label=label, **style)
        if by is not None:
            axes.legend()

    def _map(self, axes: Any, across: str, up: str, values: Array, chosen: Array, measure: str, log: bool) -> None:
        x, y = self._places(across), self._places(up)
        xs, ys = np.unique(x[chosen]), np.unique(y[chosen])
        grid = np.full((len(ys), len(xs)), np.nan)
        grid[np.searchsorted(ys, y[chosen]), np.searchsorted(xs, x[chosen])] = values[chosen]
        axes.set_facecolor("0.85")
        mesh = axes.pcolormesh(xs, ys, grid, shading="nearest", norm="log" if log else None)
        axes.figure.colorbar(mesh, ax=axes, label=self._label(measure))
        self._axis(axes, "y", up)

    def _scatter(self, axes: Any, across: str, up: str, values: Array, chosen: Array, measure: str, log: bool) -> None:
        x, y = self._places(across), self._places(up)
        known = chosen & np.isfinite(values)
        missing = chosen & ~known
        axes.scatter(x[missing], y[missing], color="0.75", s=18)
        dots = axes.scatter(x[known], y[known], c=values[known], s=24, norm="log" if log else None)
        axes.figure.colorbar(dots, ax=axes, label=self._label(measure))
        self._axis(axes, "y", up)

    def __repr__(self) -> str:
        failed = len(self.errors)
        some = f", {failed} failed" if failed else ""
        return (
            f"<carom.SweepTable: {self.rows} of {self.runs} runs, {self.design}{some}; "
            f"{', '.join(self.varied)} → {', '.join(self.measures)}>"
        )
