"""Figures of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import CaromError

if TYPE_CHECKING:
    from ._result import Result

#: What is drawn of the ledger, if it is anything.
ENERGIES = ["kinetic", "potential", "elastic", "field", "strain", "total"]
#: More bodies than these would be a thicket.
MOST_BODIES = 4


def panel(result: Result, names: Sequence[str], axes: Any) -> Any:
    """Columns over time, in one panel."""
    if axes is None:
        from matplotlib import pyplot

        _, axes = pyplot.subplots(layout="constrained")
    units = set()
    for name in names:
        t, values, unit = result._run.curve(name.removeprefix("energy."))
        axes.plot(t, values, label=name)
        units.add(unit)
    shown = sorted(units - {""})
    axes.set_xlabel("t [s]")
    axes.set_ylabel(f"[{', '.join(shown)}]" if shown else "")
    axes.legend()
    return axes


def overview(result: Result) -> Any:
    """Positions above, energies or drives below; of modes, frequencies."""
    from matplotlib import pyplot

    if result.analysis == "static":
        raise CaromError("a static analysis has nothing to draw over time: see equilibrium")
    if result.analysis == "modes":
        return frequencies(result)
    figure, axes = pyplot.subplots(2, 1, sharex=True, layout="constrained", figsize=(7, 6))
    figure.suptitle(result.scene.title)
    tracks = [result[body] for body in result.scene.moving_bodies[:MOST_BODIES]]
    ways = [np.ptp(track.position, axis=0) if result.t.size else np.zeros(3) for track in tracks]
    for track, way in zip(tracks, ways, strict=True):
        for i, axis in enumerate("xyz"):
            # what stays where it is tells nothing
            if way[i] > 1e-9 * np.max(ways):
                axes[0].plot(result.t, track.position[:, i], label=f"{track.name}.{axis}")
    axes[0].set_ylabel("position [m]")
    (ledger if result.analysis == "dynamic" else mechanism)(result, axes[1])
    axes[1].set_xlabel("t [s]")
    for ax in axes:
        if ax.get_legend_handles_labels()[0]:
            ax.legend()
    return axes


def ledger(result: Result, ax: Any) -> None:
    """Energies."""
    for name in ENERGIES:
        values = result.energy[name]
        if values.any():
            ax.plot(result.t, values, label=name)
    ax.set_ylabel("energy [J]")


def mechanism(result: Result, ax: Any) -> None:
    """What drives must do; of a kinematic analysis, accelerations."""
    names = [f"{name}.force" for name in result.drives]
    if not names:
        names = [f"{body}.a" for body in result.scene.moving_bodies[:MOST_BODIES] if f"{body}.ax" in result.kinematics]
    units = set()
    for name in names:
        values, unit = result._column(name)
        ax.plot(result.t, values, label=name)
        units.add(unit)
    ax.set_ylabel(f"{'drives' if result.drives else 'acceleration'} [{', '.join(sorted(units))}]")


def frequencies(result: Result) -> Any:
    """A line a mode, named by what moves most."""
    from matplotlib import pyplot

    modes = result.modes
    swings = [i for i in range(modes.rows) if modes.kind[i] == "oscillates"]
    figure, axes = pyplot.subplots(layout="constrained", figsize=(7, 1.5 + 0.3 * len(swings)))
    figure.suptitle(result.scene.title)
    values = modes.frequency[swings]
    places = range(len(swings))
    axes.plot(values, places, "o")
    # far apart: one beside the other would be all that is seen
    log = values.size > 1 and values.max() > 30 * values.min()
    axes.set_xscale("log" if log else "linear")
    low = values.min() / 2 if log else 0.0
    axes.hlines(places, low, values, linewidth=2)
    for place, value in zip(places, values, strict=True):
        axes.annotate(f"{value:.4g}", (value, place), xytext=(8, 0), textcoords="offset points", va="center")
    if values.size:
        axes.set_xlim(low, values.max() * (3 if log else 1.15))
        axes.set_ylim(-0.5, len(swings) - 0.5)
    axes.set_yticks(places, [f"{i + 1}: {', '.join(modes.names[i].split(', ')[:3])}" for i in swings])
    axes.invert_yaxis()
    axes.set_xlabel("frequency [Hz]")
    axes.set_ylabel("mode")
    return axes
