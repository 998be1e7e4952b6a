"""What comes out of a run."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _carom
from ._analysis import Drive, Equilibrium, Modes
from ._errors import CaromError
from ._table import Table, unknown
from ._track import Floats, Track, View

if TYPE_CHECKING:
    from ._scene import Scene


class Result:
    """What a run or an analysis did: arrays by name, in SI units and the world frame.

    >>> import carom
    >>> r = carom.Scene.from_dict({
    ...     "run": {"duration": 1, "output_every": 0.25},
    ...     "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1], "velocity": [3, 0, 0]}],
    ... }).run()
    >>> r.t
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    >>> r["stone"].position[:, 0].round(9)
    array([0.  , 0.75, 1.5 , 2.25, 3.  ])
    >>> bool(abs(r.energy.audit).max() < 1e-12)  # what the integration gained or lost [J]
    True

    Of a kinematic or an inverse analysis there are bodies, :attr:`kinematics` and :attr:`drives`; of a static one
    :attr:`equilibrium`; of modes :attr:`modes` too.
    """

    def __init__(self, run: _carom.Run, scene: Scene, folder: str | None) -> None:
        self._run = run
        #: the scene that was run
        self.scene = scene
        #: where its files are, if they were written
        self.folder = None if folder is None else Path(folder)
        self._tables: dict[str, Table] = {}

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Result:
        """The results in a folder, of the program's or of :meth:`Scene.run`; of a run that was killed, what is whole of them.

        A scene with Python functions in it cannot be read back, and so its folder cannot.
        """
        from ._scene import Scene

        scene = Scene.load(os.path.join(folder, "scene.json"))
        return cls(_carom.open_run(os.fspath(folder), scene._inner), scene, os.fspath(folder))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as the files of its folder, with its scene; functions in the scene are pickled where they can be."""
        with tempfile.TemporaryDirectory(prefix="carom-result-") as place:
            self._run.save(place, True)
            files = {file.name: file.read_bytes() for file in sorted(Path(place).iterdir()) if file.is_file()}
        folder = None if self.folder is None else str(self.folder)
        return _read_again, (files, self._run.text, self.scene, folder)

    def __eq__(self, other: object) -> bool:
        """Whether scenes, tables and summaries are the same, number for number."""
        if not isinstance(other, Result):
            return NotImplemented
        same = self._run.texts == other._run.texts and set(self._run.tables) == set(other._run.tables)
        same = same and self.scene.to_json() == other.scene.to_json()
        return same and all(self._table(name) == other._table(name) for name in self._run.tables)

    __hash__ = object.__hash__

    @property
    def analysis(self) -> str:
        """What was asked for: dynamic, kinematic, inverse, static or modes."""
        return self.scene.analysis

    def _table(self, name: str) -> Table:
        if name not in self._tables:
            self._tables[name] = Table(name, self._run.table(name))
        return self._tables[name]

    @cached_property
    def t(self) -> Floats:
        """Output times [s]; of a static analysis one, none of modes."""
        states = self._table("states")
        return states["t"] if len(states) else np.zeros(0)

    @cached_property
    def _tracks(self) -> dict[str, dict[str, Floats]]:
        inner = self.scene._inner
        names = [*inner.moving_bodies, *inner.probes] if self.t.size else []
        tracks: dict[str, dict[str, Floats]] = {name: {"t": self.t} for name in names}
        for table in ("states", "kinematics"):
            for column, values in self._table(table).items():
                name, _, part = column.rpartition(".")
                if name in tracks:
                    tracks[name][part] = values
        return tracks

    @property
    def names(self) -> list[str]:
        """The moving bodies and the probes."""
        return list(self._tracks)

    def __getitem__(self, name: str) -> Any:
        """A moving body or a probe by name, a :class:`Track`; or a quantity by name, as :meth:`column` has it: ``r["hinge.angle"]``."""
        if name in self._tracks:
            return Track(name, self._tracks[name])
        if "." in name or name in self.signals:
            return self.column(name)
        raise unknown("moving body or probe", name, self.names)

    def __iter__(self) -> Any:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._tracks

    @property
    def states(self) -> Table:
        """Everything of bodies and probes, one row an output time: ``ball.x``, ``ball.vx`` …"""
        return self._table("states")

    @property
    def states_within(self) -> Table:
        """The same at some moments of contacts between output times: touches, peaks, releases."""
        return self._table("states_within")

    @property
    def energy(self) -> Table:
        """The ledger [J], one row an output time: kinetic, potential, elastic …, total, audit."""
        return self._table("energy")

    @property
    def momentum(self) -> Table:
        """Momentum of all bodies that move by their forces, one row an output time: ``p`` [kg m/s], ``l`` [kg m²/s], the impulses of all that acts on them from outside, and
        what these do not account for."""
        return self._table("momentum")

    @property
    def contacts(self) -> Table:
        """Contact points that carry a force, one row a point and output time: contact, feature, point ``p``, normal ``n``,
        delta [m], delta_dot [m/s], fn [N], friction ``ft`` [N], couple ``m`` [N m].

        Rows with ``within`` = 1 are of moments between output times: touch and release, peaks, and what else the curve of the force
        needs; ``contacts.where(within=0)`` leaves them out."""
        return self._table("contacts")

    @property
    def events(self) -> Table:
        """Touches and releases: t, kind, contact, feature, speed [m/s]; of a release peak_force [N], max_indentation [m]."""
        return self._table("events")

    @property
    def joints(self) -> Table:
        """What joints do to their second body, one row a joint and output time: force ``f`` [N], couple ``m`` [N m]."""
        return self._table("joints")

    @property
    def forces(self) -> Table:
        """What springs, motors, loads and other forces do, one row an output time: force ``spring.fx`` … [N] and couple
        ``spring.mx`` … [N m] on the first body, about its centre of mass; along a line ``length`` [m], ``rate`` [m/s] and ``tension`` [N];
        along a coordinate ``effort`` [N or N m]; ``power`` [W]; of loads, motors and actuators ``work`` [J]. Then ``force`` and ``power``
        of the drives of joints, as in ``hinge/angle.force``."""
        return self._table("forces")

    @property
    def signals(self) -> Table:
        """Inputs and outputs of controllers, one row an output time, by the names that expressions use: ``push``, ``balance.u``. Where a
        controller samples at an output time, it is the output after the sample."""
        return self._table("signals")

    @property
    def distances(self) -> Table:
        """The distances that the scene asks for, one row an output time."""
        return self._table("distances")

    @property
    def fields(self) -> Table:
        """What short-range fields do, one row an output time."""
        return self._table("fields")

    @property
    def wear(self) -> Table:
        """What contacts have worn off, one row an output time: NAME.volume [m³], NAME.depth [m]."""
        return self._table("wear")

    @property
    def wear_profile(self) -> Table:
        """How bearings are worn at the end: contact, end, angle [rad], depth [m]."""
        return self._table("wear_profile")

    @property
    def kinematics(self) -> Table:
        """Joint coordinates with their rates, one row an output time: ``hinge.angle``, ``hinge.angle_rate``, ``hinge.angle_second``, turns
        counted; of a kinematic or inverse analysis also accelerations ``rod.ax`` …"""
        return self._table("kinematics")

    @cached_property
    def drives(self) -> dict[str, Drive]:
        """What every drive of a joint does, in a run or an inverse analysis: ``r.drives["main/speed"].force``."""
        table = self._table("forces" if self.analysis == "dynamic" else "inverse")
        names = [column.removesuffix(".force") for column in table if column.endswith(".force")]
        return {n: Drive(n, table["t"], table[f"{n}.force"], table[f"{n}.power"]) for n in names}

    @cached_property
    def _texts(self) -> dict[str, dict[str, Any]]:
        return {name: json.loads(text) for name, text in self._run.texts}

    @cached_property
    def equilibrium(self) -> Equilibrium:
        """Of a static analysis, and of modes: where bodies come to rest."""
        for text in self._texts.values():
            if "equilibrium" in text:
                return Equilibrium(text["equilibrium"])
        raise CaromError(f"a {self.analysis} analysis has no equilibrium: run/analysis = static, or modes, has")

    @cached_property
    def modes(self) -> Modes:
        """Frequencies, damping and shapes of small motions, of an analysis of modes."""
        if "modes.json" not in self._texts:
            raise CaromError(f"a {self.analysis} analysis has no modes: run/analysis = modes has")
        return Modes(self._texts["modes.json"], self._run.table("modes"), self._run.table("roots"))

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What ``summary.json`` says: steps, peaks, energies, the audit, warnings, the end state; ``failed`` and ``t_end`` of a run that
        failed. Of an analysis what ``analysis.json``, ``equilibrium.json`` or ``modes.json`` says."""
        return next(iter(self._texts.values()))

    def to_pandas(self) -> Any:
        """A pandas frame: of bodies and probes over t; of a static analysis, places by body; of modes, one row a mode."""
        if self.analysis == "static":
            return self.equilibrium.to_pandas()
        if self.analysis == "modes":
            return self.modes.to_pandas().set_index("mode")
        return self.states.to_pandas().set_index("t")

    def save(self, folder: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Writes the folder of results that ``carom run`` writes, but for ``timing.json``."""
        self._run.save(os.fspath(folder), force)
        return Path(folder)

    def column(self, name: str) -> Floats:
        """A number over all output times, by the name that plots have for it: ``ball.z``, ``ball.speed``, ``ball~floor.fn``,
        ``hinge.fx``, ``hinge.angle``, ``spring.tension``, ``energy.total``. :attr:`quantities` are all there are.

        >>> import carom
        >>> r = carom.Scene.from_dict({
        ...     "run": {"duration": 1},
        ...     "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1], "velocity": [3, 4, 0]}],
        ... }).run()
        >>> float(r.column("stone.speed")[0])
        5.0
        """
        return self._column(name)[0]

    def _column(self, name: str) -> tuple[Floats, str]:
        # the ledger's may say that they are
        return self._run.column(name.removeprefix("energy."))

    def curve(self, name: str) -> tuple[Floats, Floats]:
        """Times and values of a number, by the name that :meth:`column` has for it, at all moments at which it is recorded. Contacts
        have some between output times, so that their curves have their peaks however far apart these are; so have bodies.

        >>> import carom
        >>> r = carom.Scene.from_dict({
        ...     "run": {"duration": 0.2, "output_every": 0.1},
        ...     "body": [
        ...         {"name": "ball", "mass": 0.1, "position": [0, 0, 0.1], "surface": [{"type": "sphere", "radius": 0.02}]},
        ...         {"name": "floor", "fixed": True, "surface": [{"type": "plane"}]},
        ...     ],
        ...     "contact": [{"between": ["ball", "floor"], "normal": {"law": "hertz", "stiffness": 1e8}}],
        ... }).run()
        >>> t, force = r.curve("ball~floor.fn")
        >>> bool(abs(force.max() / r.summary["peak_force"] - 1) < 1e-9)
        True
        """
        t, values, _ = self._run.curve(name.removeprefix("energy."))
        return t, values

    @cached_property
    def quantities(self) -> dict[str, tuple[str, str]]:
        """What :meth:`column` and :meth:`plot` know: names, each with what it is and its unit."""
        return {name: (what, unit) for name, what, unit in self._run.quantities()}

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Draws numbers over time with matplotlib, and returns the axes.

        ``r.plot("ball.z", "ball.vz")`` puts all into one panel, with an axis for every unit: the first at the left, others at the right.
        Without names there is a panel of the positions of up to four bodies,
        and one of energies, or of what drives must do; of modes, the frequencies.
        """
        from ._plot import overview, panel

        return panel(self, names, axes) if names else overview(self)

    def view(self, *, height: int = 480, frames: int | None = None) -> View:
        """The run in three dimensions: inline in a notebook, or a page to :meth:`View.save`. Of an analysis of modes, the mode
        shapes, each over one period, as ``carom view`` shows them.

        At most ``frames`` output times are shown; left out: 2000, fewer with very many bodies. The page is 0.8 MB and some
        250 bytes a body and frame: what a notebook stores of it is smaller with fewer.
        """
        if frames is not None and frames < 1:
            raise ValueError(f"frames is {frames}; allowed: 1 and more")
        return View(self._run.page(frames), height)

    def __repr__(self) -> str:
        lines = self._run.text
        if self.analysis == "modes":
            lines += "\n" + repr(self.modes)[1:-1]
        elif self.analysis == "static":
            lines = repr(self.equilibrium)[1:-1]
        elif self.analysis != "dynamic":
            lines = f"  {self.analysis} analysis, {lines} over {self.scene.duration:g} s"
            for name, drive in self.drives.items():
                lines += f"\n  {name}: {np.abs(drive.force).max(initial=0.0):.6g} at most (N or N m)"
        return f"<carom.Result of {self.scene.title!r}\n{lines}>"


def _read_again(files: Mapping[str, bytes], text: str, scene: Scene, folder: str | None) -> Result:
    """A result from its files."""
    with tempfile.TemporaryDirectory(prefix="carom-result-") as place:
        for name, content in files.items():
            (Path(place) / name).write_bytes(content)
        run = _carom.open_run(place, scene._inner, text)
    return Result(run, scene, folder)
