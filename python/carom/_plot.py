"""Figures of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._result import Result

#: What columns of bodies are in.
UNITS = {
    **dict.fromkeys(["x", "y", "z"], "m"),
    **dict.fromkeys(["vx", "vy", "vz"], "m/s"),
    **dict.fromkeys(["wx", "wy", "wz"], "rad/s"),
}
#: What is drawn of the ledger, if it is anything.
ENERGIES = ["kinetic", "potential", "elastic", "field", "strain", "total"]
#: More bodies than these would be a thicket.
MOST_BODIES = 4


def unit(name: str) -> str:
    """Of a column; nothing where there is none."""
    return "J" if name.startswith("energy.") else UNITS.get(name.rpartition(".")[2], "")


def panel(result: Result, names: Sequence[str], axes: Any) -> Any:
    """Columns over time, in one panel."""
    if axes is None:
        from matplotlib import pyplot

        _, axes = pyplot.subplots(layout="constrained")
    for name in names:
        axes.plot(result.t, result.column(name), label=name)
    units = sorted({unit(name) for name in names} - {""})
    axes.set_xlabel("t [s]")
    axes.set_ylabel(f"[{', '.join(units)}]" if units else "")
    axes.legend()
    return axes


def overview(result: Result) -> Any:
    """Positions above, energies below."""
    from matplotlib import pyplot

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
    for name in ENERGIES:
        values = result.energy[name]
        if values.any():
            axes[1].plot(result.t, values, label=name)
    axes[1].set_ylabel("energy [J]")
    axes[1].set_xlabel("t [s]")
    for ax in axes:
        if ax.get_legend_handles_labels()[0]:
            ax.legend()
    return axes
