"""Scenes: read, built, run."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from . import _carom, _progress, _stepping
from ._errors import CaromError, CaromWarning, RunError
from ._own import ForceLaw, Functions
from ._result import Result
from ._stepping import Stepping
from ._text import replacements, to_json

Path = str | os.PathLike[str]
_Ended = tuple[_carom.Run | None, str | None, BaseException | None, BaseException | None]


class Scene:
    """A scene that was read and checked: bodies, surfaces, contacts, forces, joints, and how it is to be run.

    Made by :meth:`load`, :meth:`from_string` or :meth:`from_dict`, or built by a :class:`Builder`. It never changes;
    :meth:`replace` makes another.

    >>> import carom
    >>> scene = carom.Scene.from_dict({
    ...     "run": {"duration": 1.0},
    ...     "body": [{"name": "stone", "mass": 1.0, "inertia": [1, 1, 1]}],
    ... })
    >>> r = scene.run()
    >>> print(f"{r['stone'].position[-1, 2]:.6f}")  # fell for 1 s [m]
    -4.905000
    """

    def __init__(
        self,
        inner: _carom.Scene,
        functions: _carom.Functions | None = None,
        own: Functions | None = None,
    ) -> None:
        if not isinstance(inner, _carom.Scene):
            raise TypeError("a scene is made by Scene.load, Scene.from_string, Scene.from_dict or a Builder")
        self._inner = inner
        #: the functions in it, as the scene has them and as they were given
        self._functions = functions
        self._own = own

    @classmethod
    def load(cls, path: Path, set: Mapping[str, Any] | None = None) -> Scene:
        """Reads a file: TOML, or JSON if it ends in ``.json``.

        ``set`` replaces values by their paths, as the program's ``--set`` does: ``{"run/rtol": 1e-10,
        "body/ball/position/2": "20 mm"}``.
        """
        return cls(_carom.Scene.load(os.fspath(path), replacements(set)))

    @classmethod
    def from_string(
        cls,
        text: str,
        *,
        format: str | None = None,
        name: str = "scene",
        set: Mapping[str, Any] | None = None,
    ) -> Scene:
        """Reads a text, ``"toml"`` or ``"json"``; left out: JSON if it begins with a brace.

        ``name`` is what messages call it; files that the scene names are relative to its folder.

        >>> import carom
        >>> carom.Scene.from_string('''
        ...     run.duration = "20 ms"
        ...     body = [{ name = "stone", mass = "2 kg", inertia = [1, 1, 1] }]
        ... ''').duration
        0.02
        """
        if format is None:
            format = "json" if text.lstrip().startswith("{") else "toml"
        return cls(_carom.Scene.from_text(text, format, name, replacements(set)))

    @classmethod
    def from_dict(
        cls, scene: Mapping[str, Any], *, name: str = "scene.json", set: Mapping[str, Any] | None = None
    ) -> Scene:
        """A scene of dictionaries and lists, with the keys of scene files; arrays and NumPy's numbers are welcome, values
        may have units (``"20 mm"``), and what is None is left out. Laws, forces and drives may be Python functions: see
        :class:`NormalLaw`, :class:`FrictionLaw`, :class:`ForceLaw`, :class:`ImplicitSurface` and :class:`Curve`.

        An error shows its place in the scene as JSON.
        """
        functions = Functions()
        text = to_json(functions.take(scene))
        made = functions.made()
        own = None if made is None else functions
        return cls(_carom.Scene.from_text(text, "json", name, replacements(set), made), made, own)

    def replace(self, values: Mapping[str, Any]) -> Scene:
        """The same scene with other values, by their paths.

        >>> import carom
        >>> scene = carom.Scene.from_dict(
        ...     {"run": {"duration": 1}, "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}]})
        >>> scene.replace({"run/duration": 2, "body/stone/mass": "3 kg"}).duration
        2.0
        """
        text, format, name, set = self._inner.origin
        made = self._functions
        if made is None and self._own is not None:
            made = self._own.made()
        read = _carom.Scene.from_text(text, format, name, [*set, *replacements(values)], made)
        return Scene(read, made, self._own)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as what it was read from, and the functions in it, where those can be."""
        return _read_again, (*self._inner.origin, self._own)

    def run(
        self,
        folder: Path | None = None,
        *,
        force: bool = False,
        progress: bool | Callable[[float], object] | None = None,
    ) -> Result:
        """Runs it, or does the analysis that ``run/analysis`` asks for: kinematic, inverse, static or modes. Other Python threads go
        on meanwhile.

        ``folder``: results are written there too, as the run goes, the same files byte for byte as those of the program;
        results of an earlier run are replaced, and a folder with other files is refused unless ``force`` is true.

        ``progress``: a bar after 0.3 s in a terminal or a notebook (None), always (True) or never (False); or a
        function that is called with the time reached [s] ten times a second. What it raises stops the run.

        Ctrl-C stops the run in good order, and is raised as KeyboardInterrupt; ``folder`` then has what was done.
        What the program would warn of is a :class:`CaromWarning`. A run that fails raises a :class:`RunError`, whose ``result`` is what was done; so
        does one in which a function of yours raises, with that exception as its cause.
        """
        place = None if folder is None else os.fspath(folder)
        return self._ran(lambda call: self._inner.run(place, force, call), place, progress)

    def _resume(
        self, folder: str, title: str | None, progress: bool | Callable[[float], object] | None
    ) -> Result:
        """Goes on with the run in a folder."""
        return self._ran(lambda call: self._inner.resume(folder, title, call), folder, progress)

    def _ran(
        self,
        runs: Callable[[Callable[[float], object] | None], _Ended],
        place: str | None,
        progress: bool | Callable[[float], object] | None,
    ) -> Result:
        """What is left of a run, or the error of it."""
        bar = _progress.bar(progress, self.duration)
        call = progress if callable(progress) else bar
        try:
            run, failed, raised, cause = runs(call)
        finally:
            if bar is not None:
                bar.clear()
        result = None if run is None else Result(run, self, place)
        if raised is not None:
            raise raised
        if isinstance(cause, KeyboardInterrupt):
            raise cause
        if cause is not None:
            raise RunError(f"a function of the scene raised {type(cause).__name__}: {cause}", result) from cause
        if failed is not None or result is None:
            raise RunError(failed or "nothing was done", result)
        for warning in result.summary.get("warnings", []):
            warnings.warn(f"{self.title}: {warning['message']}", CaromWarning, stacklevel=3)
        return result

    def start(
        self,
        folder: Path | None = None,
        *,
        force: bool = False,
        progress: Callable[[float], object] | None = None,
    ) -> Stepping:
        """Begins a run that is taken from one time to the next, looked at and acted upon: see :class:`Stepping`.

        ``folder`` and ``force`` are as those of :meth:`run`; the folder is written when the run is finished. ``progress`` is a function that
        is called with the time reached [s] ten times a second, while the run advances.

        >>> import carom
        >>> scene = carom.Scene.from_dict(
        ...     {"run": {"duration": 1}, "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}]})
        >>> sim = scene.start()
        >>> while sim.advance(0.1) and sim.state["stone.z"] > -1.0:
        ...     pass
        >>> round(sim.t, 12)
        0.5
        >>> round(float(sim.finish()["stone"].position[-1, 2]), 6)
        -1.22625
        """
        if self.analysis != "dynamic":
            raise CaromError(f"a {self.analysis} analysis has no steps: run/analysis = dynamic has")
        return _stepping.start(self, folder, force, progress)

    @property
    def title(self) -> str:
        """Its title; the file's name where it has none."""
        return self._inner.title

    @property
    def duration(self) -> float:
        """How long it runs [s]."""
        return self._inner.duration

    @property
    def analysis(self) -> str:
        """What is asked of it: dynamic, kinematic, inverse, static or modes."""
        return self._inner.analysis

    @property
    def method(self) -> str:
        """The integration method."""
        return self._inner.method

    @property
    def rtol(self) -> float:
        """Relative tolerance."""
        return self._inner.rtol

    @property
    def atol(self) -> float:
        """Absolute tolerance, in the model's scales."""
        return self._inner.atol

    @property
    def bodies(self) -> list[str]:
        """The names of all bodies."""
        return self._inner.bodies

    @property
    def moving_bodies(self) -> list[str]:
        """The names of the bodies that results have."""
        return self._inner.moving_bodies

    @property
    def joints(self) -> list[str]:
        """The names of the joints."""
        return self._inner.joints

    @property
    def parameters(self) -> dict[str, float]:
        """Its parameters, in SI units."""
        return dict(self._inner.parameters)

    def to_json(self) -> str:
        """The scene as JSON, values replaced: it reads to the same scene."""
        return self._inner.source

    def __repr__(self) -> str:
        return f"<carom.Scene {self.title!r}: {', '.join(self.bodies)}; {self.duration:g} s>"


def _read_again(text: str, format: str, name: str, set: list[str], own: Functions | None) -> Scene:
    made = None if own is None else own.made()
    return Scene(_carom.Scene.from_text(text, format, name, set, made), made, own)


class Builder:
    """Builds a scene in code, one call a table of the scene file; keys are those of the scene reference.

    >>> import carom
    >>> b = carom.Builder("a ball on a floor")
    >>> b.run(duration=0.5, rtol=1e-10)
    >>> b.material("steel", youngs_modulus="210 GPa", poisson_ratio=0.3, density="7850 kg/m^3")
    >>> b.body("ball", position=[0, 0, 0.1], surface=[carom.surface("sphere", radius="20 mm", material="steel")])
    >>> b.body("floor", fixed=True, surface=[carom.surface("plane", material="steel")])
    >>> b.contact("ball", "floor", normal="hertz")
    >>> r = b.scene().run()
    >>> r.summary["touches"]
    2
    """

    def __init__(self, title: str | None = None) -> None:
        self._scene: dict[str, Any] = {} if title is None else {"title": title}

    def _add(self, table: str, keys: dict[str, Any]) -> None:
        self._scene.setdefault(table, []).append(keys)

    def run(self, **keys: Any) -> None:
        """``[run]``: duration, method, rtol, output_every, plain …"""
        self._scene.setdefault("run", {}).update(keys)

    def world(self, **keys: Any) -> None:
        """``[world]``: gravity."""
        self._scene.setdefault("world", {}).update(keys)

    def material(self, name: str, **keys: Any) -> None:
        """``[material.NAME]``: youngs_modulus, poisson_ratio, density."""
        self._scene.setdefault("material", {})[name] = keys

    def body(self, name: str, **keys: Any) -> None:
        """``[[body]]``: mass or density, position, velocity, fixed, surface …"""
        self._add("body", {"name": name, **keys})

    def contact(self, a: str, b: str, **keys: Any) -> None:
        """``[[contact]]`` between two bodies or surfaces: normal, friction …"""
        self._add("contact", {"between": [a, b], **keys})

    def force(self, type: str | ForceLaw, **keys: Any) -> None:
        """``[[force]]``: between, stiffness …; of a type, or a :class:`ForceLaw`."""
        self._add("force", {"type": type, **keys})

    def joint(self, type: str, **keys: Any) -> None:
        """``[[joint]]``: between, point, axis …"""
        self._add("joint", {"type": type, **keys})

    def drive(self, target: str, **keys: Any) -> None:
        """``[[drive]]``: table or expression, which may be a function of t, or a :class:`Curve`."""
        self._add("drive", {"target": target, **keys})

    def add(self, table: str, **keys: Any) -> None:
        """Any other list of tables: ``probe``, ``distance``, ``field`` …"""
        self._add(table, keys)

    def to_dict(self) -> dict[str, Any]:
        """What was said so far, for :meth:`Scene.from_dict`."""
        return self._scene

    def scene(self, *, name: str = "scene.json") -> Scene:
        """The scene, checked."""
        return Scene.from_dict(self._scene, name=name)
