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
#: A coordinate whose way is less than this share of the longest is a straight line, and left out.
STILL = 1e-3
#: What is smaller than this share of the largest of its kind is rounding.
NOISE = 1e-9
#: How far a third axis is from the second, and a fourth from the third [points].
APART = 52


def panel(result: Result, names: Sequence[str], axes: Any) -> Any:
    """Columns over time, in one panel, with an axis upwards for every unit."""
    if axes is None:
        from matplotlib import pyplot

        _, axes = pyplot.subplots(layout="constrained")
    curves = [(name, *result._run.curve(name.removeprefix("energy."))) for name in names]
    by_unit(axes, curves)
    axes.set_xlabel("t [s]")
    return axes


def by_unit(axes: Any, curves: Sequence[tuple[str, Any, Any, str]], word: str = "") -> None:
    """Curves (name, times, values, unit): those of the first unit on the axis at the left, those of others on twins at the right.

    The legend has all of them. An axis of a single curve says its name in the curve's colour, so that it is seen which is which.
    """
    units = list(dict.fromkeys(unit for *_, unit in curves))
    # matplotlib makes a twin's colours begin anew: each curve is given its own
    colours = [f"C{i}" for i in range(10)]
    lines = []
    for k, unit in enumerate(units):
        own = axes if k == 0 else axes.twinx()
        if k > 1:
            own.spines["right"].set_position(("outward", APART * (k - 1)))
        mine = [(i, curve) for i, curve in enumerate(curves) if curve[3] == unit]
        for i, (name, t, values, _) in mine:
            lines += own.plot(t, values, label=name, color=colours[i % len(colours)])
        alone = len(units) > 1 and len(mine) == 1
        words = mine[0][1][0] if alone else word
        label = f"{words} [{raised(unit)}]".strip() if unit else words
        own.set_ylabel(label, **({"color": colours[mine[0][0] % len(colours)]} if alone else {}))
    if lines:
        axes.legend(handles=lines)
    if len(units) > 1:
        # the legend is the first axis's, and lines of twins are not to be drawn over it
        axes.set_zorder(axes.get_zorder() + 1)
        axes.patch.set_visible(False)


def raised(unit: str) -> str:
    """A unit with its powers as superscripts: m/s^2 as m/s²."""
    digits = str.maketrans("0123456789-.", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻·")
    head, *powers = unit.split("^")
    for power in powers:
        size = len(power) - len(power.lstrip("0123456789-."))
        head += power[:size].translate(digits) + power[size:]
    return head


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
    farthest = max((np.abs(track.position).max(initial=0.0) for track in tracks), default=0.0)
    # what stays where it is tells nothing, and rounding less
    least = max(STILL * np.max(ways, initial=0.0), 1e-12 * farthest, 1e-15)
    for track, way in zip(tracks, ways, strict=True):
        for i, axis in enumerate("xyz"):
            if way[i] > least:
                axes[0].plot(result.t, track.position[:, i], label=f"{track.name}.{axis}")
    axes[0].set_ylabel("position [m]")
    (ledger if result.analysis == "dynamic" else mechanism)(result, axes[1])
    axes[1].set_xlabel("t [s]")
    for ax in axes:
        if ax.get_legend_handles_labels()[0]:
            ax.legend()
    return axes


def ledger(result: Result, ax: Any) -> None:
    """Energies, but rounding beside the largest."""
    sizes = {name: np.abs(result.energy[name]).max(initial=0.0) for name in ENERGIES}
    for name, size in sizes.items():
        if size > NOISE * max(sizes.values()):
            ax.plot(result.t, result.energy[name], label=name)
    ax.set_ylabel("energy [J]")


def mechanism(result: Result, ax: Any) -> None:
    """What drives must do; of a kinematic analysis, accelerations."""
    names = [f"{name}.force" for name in result.drives]
    if not names:
        names = [f"{body}.a" for body in result.scene.moving_bodies[:MOST_BODIES] if f"{body}.ax" in result.kinematics]
    columns = [(name, *result._column(name)) for name in names]
    curves = [(name, result.t, values, unit) for name, values, unit in columns]
    by_unit(ax, curves, "drives" if result.drives else "acceleration")


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
