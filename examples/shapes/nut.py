"""Writes nut.obj [mm]: a nut with a trapezoidal thread of one start.

    python3 examples/shapes/nut.py

Rows of vertices follow the helix, so that flanks, crests and roots are flat along it; ends are ramps with a step.
"""

import math
import pathlib

LEAD = 20.0  # [mm] a turn
ROWS = 4  # of vertices a turn along the axis: root, flank, crest, flank
SIDES = 36  # a turn
CREST, ROOT = 10.4, 14.4  # radii of the thread [mm]
OUTSIDE = 20.0  # radius of the nut [mm]


def lattice(radius, turns, first):
    """Vertices (i, j) of a surface along the helix: i around, j along the axis; and their numbers, from `first`."""
    rows = ROWS * turns
    at = {}
    vertices = []
    for j in range(rows + ROWS + 1):
        for i in range(SIDES):
            if j > rows and i > 0:
                break  # what follows the last row is but the step of the ramp, at i = 0
            z = LEAD * (j / ROWS + i / SIDES) - 0.5 * LEAD * (turns + 1)
            angle = 2.0 * math.pi * i / SIDES
            vertices.append((radius(j) * math.cos(angle), radius(j) * math.sin(angle), z))
            at[i, j] = first + len(vertices) - 1
    # once around is one turn up
    for j in range(rows + 1):
        at[SIDES, j] = at[0, j + ROWS]
    return vertices, at, rows


def mantle(at, rows):
    """Triangles of the surface, seen from outside."""
    for j in range(rows):
        for i in range(SIDES):
            a, b, c, d = at[i, j], at[i + 1, j], at[i + 1, j + 1], at[i, j + 1]
            yield a, b, c
            yield a, c, d


def rim(at, row):
    """The edge of an end: around, and down the step."""
    return [at[i, row] for i in range(SIDES)] + [at[0, row + j] for j in range(ROWS, 0, -1)]


def profile(j):
    """Radius of the thread's rows."""
    return (CREST, CREST, ROOT, ROOT)[j % ROWS]


def nut(turns):
    inner, a, rows = lattice(profile, turns, 1)
    outer, b, _ = lattice(lambda j: OUTSIDE, turns, len(inner) + 1)
    triangles = [(p, r, q) for p, q, r in mantle(a, rows)] + list(mantle(b, rows))
    for row, up in ((0, False), (rows, True)):
        inside, outside = rim(a, row), rim(b, row)
        for k in range(len(inside)):
            n = (k + 1) % len(inside)
            p, q, r, s = inside[k], outside[k], outside[n], inside[n]
            faces = [(p, q, r), (p, r, s)]
            triangles += faces if up else [(x, z, y) for x, y, z in faces]
    return inner + outer, triangles


def write(name, shape):
    vertices, triangles = shape
    lines = [f"# {name}, by nut.py [mm]"]
    lines += ["v %.6f %.6f %.6f" % v for v in vertices]
    lines += ["f %d %d %d" % t for t in triangles]
    path = pathlib.Path(__file__).parent / f"{name}.obj"
    path.write_text("\n".join(lines) + "\n")
    print(f"{path}: {len(vertices)} vertices, {len(triangles)} triangles")


if __name__ == "__main__":
    write("nut", nut(2))
