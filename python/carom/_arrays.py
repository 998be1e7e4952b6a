"""Arrays of real numbers from whatever people give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def reals(
    name: str,
    value: ArrayLike,
    shapes: str = "any",
    fits: Callable[[tuple[int, ...]], bool] = lambda shape: True,
) -> NDArray[np.float64]:
    """Doubles, one row after the other: from integers, floats and truth values of any size, order of bytes and layout. What is complex, text, masked,
    not finite, of another shape or no array at all is refused by name."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(f"{name} has masked values; allowed: arrays without (filled() makes one)")
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths; allowed: the shape {shapes}") from None
    if array.dtype.kind == "O":
        array = _numbers(name, array)
    if array.dtype.kind not in "iufb":
        raise TypeError(f"{name} is an array of {array.dtype}; allowed: real numbers")
    if not fits(array.shape):
        raise ValueError(f"{name} has the shape {array.shape}; allowed: {shapes}")
    out = np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)
    if not np.isfinite(out).all():
        raise ValueError(f"{name} has values that are not finite")
    return out


def _numbers(name: str, array: NDArray[Any]) -> NDArray[np.float64]:
    """Of an array of objects: fractions, decimals and the like are numbers too, if all of them are."""
    for x in array.flat:
        if not hasattr(type(x), "__float__") or isinstance(x, (str, bytes)):
            raise TypeError(f"{name} has {x!r} in it; allowed: real numbers")
    return array.astype(np.float64)
