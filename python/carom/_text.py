"""Python values as text of scenes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._arrays import reals


def plain(value: Any, place: str = "scene") -> Any:
    """The same with lists for arrays and tuples, Python's numbers for NumPy's; refuses what no scene can hold."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"{place} is {float(value)}; allowed: finite numbers")
        return float(value)
    if isinstance(value, np.ndarray):
        # (whole numbers stay whole)
        whole = value.dtype.kind in "iub"
        return plain(value.tolist(), place) if whole and not np.ma.is_masked(value) else reals(place, value).tolist()
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"{place} has the key {key!r}; allowed: texts")
        # what is not there is left out
        return {key: plain(v, f"{place}/{key}") for key, v in value.items() if v is not None}
    if isinstance(value, (list, tuple)):
        return [plain(v, f"{place}/{i}") for i, v in enumerate(value)]
    raise TypeError(
        f"{place} is of type {type(value).__name__}; allowed: numbers, texts, lists, arrays, dictionaries"
    )


def to_json(value: Any, place: str = "scene") -> str:
    """JSON, one key a line, so that a caret has a line to point at."""
    return json.dumps(plain(value, place), indent=2, ensure_ascii=False, allow_nan=False)


def as_toml(value: Any) -> str:
    """A plain value as TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {as_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def replacements(values: Mapping[str, Any] | None) -> list[str]:
    """``{"run/rtol": 1e-10}`` as the program's ``--set run/rtol=1e-10``."""
    return [f"{path}={as_toml(plain(value, path))}" for path, value in (values or {}).items()]
