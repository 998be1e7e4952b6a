"""Figures of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

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
        values, unit = result._column(name)
        axes.plot(result.t, values, label=name)
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
    for body in result.scene.moving_bodies[:MOST_BODIES]:
        track = result[body]
        for i, axis in enumerate("xyz"):
            values = track.position[:, i]
            # what stays where it is tells nothing
            if values.size and values.max() > values.min():
                axes[0].plot(result.t, values, label=f"{body}.{axis}")
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
    """A line a mode."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(layout="constrained")
    figure.suptitle(result.scene.title)
    modes = result.modes
    swings = modes.kind == "oscillates"
    axes.vlines(modes["mode"][swings], 0, modes.frequency[swings], linewidth=3)
    axes.plot(modes["mode"][swings], modes.frequency[swings], "o")
    axes.set_xticks(modes["mode"])
    axes.set_xlabel("mode")
    axes.set_ylabel("frequency [Hz]")
    axes.set_ylim(bottom=0)
    return axes
