"""Columns by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def unknown(what: str, name: str, known: list[str]) -> KeyError:
    """Says what there is, and what may be meant."""
    near = get_close_matches(name, known, n=1)
    meant = f"; did you mean {near[0]!r}?" if near else "."
    some = ", ".join(map(repr, known[:20])) + (" …" if len(known) > 20 else "")
    return KeyError(f"there is no {what} {name!r}{meant} There are: {some or 'none'}")


class Table(Mapping[str, Array]):
    """A table of results: arrays by the names of its columns, as keys or as attributes. SI units, world frame.

    The arrays are read-only: results do not change. ``table["fn"].copy()`` may be changed.
    """

    def __init__(self, name: str, columns: Mapping[str, Any]) -> None:
        self._name = name
        self._columns: dict[str, Array] = {}
        for key, values in columns.items():
            array = np.asarray(values, dtype=np.str_) if isinstance(values, list) else np.asarray(values)
            array.setflags(write=False)
            self._columns[key] = array

    def __getitem__(self, column: str) -> Array:
        try:
            return self._columns[column]
        except KeyError:
            raise unknown(f"column of {self._name}", column, list(self._columns)) from None

    def __getattr__(self, column: str) -> Array:
        if column.startswith("_"):
            raise AttributeError(column)
        try:
            return self[column]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """How many columns; :attr:`rows` says how many rows."""
        return len(self._columns)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(c for c in self._columns if c.isidentifier())]

    @property
    def rows(self) -> int:
        """How many rows."""
        return len(next(iter(self._columns.values()), ()))

    def vector(self, name: str) -> NDArray[np.float64]:
        """The columns ``NAMEx, NAMEy, NAMEz`` as one array (rows, 3): ``contacts.vector("n")`` are normals."""
        return np.stack([self[name + axis] for axis in "xyz"], axis=1)

    def where(self, **values: Any) -> Table:
        """The rows in which columns have these values: ``contacts.where(contact="ball/surface~floor/surface")``."""
        keep = np.ones(self.rows, dtype=bool)
        for column, value in values.items():
            keep &= self[column] == value
        return Table(self._name, {key: array[keep] for key, array in self._columns.items()})

    def to_pandas(self) -> Any:
        """A pandas frame of the table."""
        import pandas

        return pandas.DataFrame({key: array.copy() for key, array in self._columns.items()})

    def __repr__(self) -> str:
        return f"<carom.Table {self._name}: {self.rows} rows of {', '.join(self._columns)}>"
