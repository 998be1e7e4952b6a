"""Runs that go on after they were broken off."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from ._errors import CaromError
from ._result import Result
from ._scene import Scene


def resume(
    folder: str | os.PathLike[str],
    *,
    until: float | str | None = None,
    scene: Scene | None = None,
    progress: bool | Callable[[float], object] | None = None,
) -> Result:
    """Goes on with the run whose results are in ``folder``, whatever broke it off (an exception, a kill, a full disk), from its last checkpoint,
    or from its start if it has none. It ends with the same files, byte for byte, as a run that was not broken off.

    ``until``: a later time, in seconds or with a unit (``"20 s"``), prolongs a finished run. ``scene``: the scene itself, where functions of yours are in it, which no file can hold; otherwise
    it is read from the folder. ``progress`` is as in :meth:`Scene.run`, and so are errors and warnings. A finished run is not run again.

    >>> import carom, tempfile
    >>> place = tempfile.TemporaryDirectory()
    >>> folder = place.name + "/fall"
    >>> scene = carom.Scene.from_dict(
    ...     {"run": {"duration": 1}, "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}]})
    >>> result = scene.run(folder)
    >>> round(float(carom.resume(folder, until=2)["stone"].position[-1, 2]), 6)  # -g t^2/2 [m]
    -19.62
    """
    place = Path(folder)
    try:
        summary = json.loads((place / "summary.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CaromError(f"{place} holds no run: {error}") from error
    if scene is None:
        scene = Scene.load(place / "scene.json")
    if until is not None:
        scene = scene.replace({"run/duration": until})
    finished = "failed" not in summary and "stopped" not in summary
    if finished and summary.get("duration") == scene.duration:
        return Result.open(place)
    return scene._resume(os.fspath(place), summary.get("title"), progress)
