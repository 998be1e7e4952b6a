"""Columns by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


#: Words that columns have, whether or not they occur in a run.
KNOWN = {("events", "kind"): ("touch", "release")}


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

    def __eq__(self, other: object) -> bool:
        """Whether the columns are the same, number for number; NaN is the same as NaN."""
        if not isinstance(other, Table):
            return NotImplemented
        if list(self._columns) != list(other._columns):
            return False
        pairs = ((a, other._columns[key]) for key, a in self._columns.items())
        return all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f" and b.dtype.kind == "f") for a, b in pairs)

    __hash__ = object.__hash__

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for array in self._columns.values():
            array.setflags(write=False)

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
        """The rows in which columns have these values: ``contacts.where(contact="ball/surface~floor/surface")``.

        A word that a column of words never has is a KeyError, which names the nearest one; a kind of event that did not happen, though it might
        have, gives no rows.

        >>> import carom
        >>> r = carom.Scene.from_dict(
        ...     {"run": {"duration": 1}, "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}]}).run()
        >>> r.events.where(kind="touch").rows
        0
        """
        keep = np.ones(self.rows, dtype=bool)
        for column, value in values.items():
            array = self[column]
            self._check(column, array, value)
            keep &= array == value
        return Table(self._name, {key: array[keep] for key, array in self._columns.items()})

    def _check(self, column: str, array: Array, value: Any) -> None:
        """Refuses what a column can never have."""
        words = array.dtype.kind == "U"
        if words != isinstance(value, str) and (words or array.size):
            raise TypeError(f"{column} of {self._name} is {value!r}; allowed: {'a word' if words else 'a number'}")
        if words:
            known = list(dict.fromkeys([*KNOWN.get((self._name, column), ()), *array.tolist()]))
            if value not in known and known:
                raise unknown(f"{column} in {self._name}", value, known)

    def to_pandas(self) -> Any:
        """A pandas frame of the table."""
        import pandas

        return pandas.DataFrame({key: array.copy() for key, array in self._columns.items()})

    def __repr__(self) -> str:
        return f"<carom.Table {self._name}: {self.rows} rows of {', '.join(self._columns)}>"
