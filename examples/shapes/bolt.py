"""Writes bolt.obj and hex-nut.obj [mm]: a bolt with a trapezoidal thread of two starts, and a nut for it with play.

    python3 examples/shapes/bolt.py

Rows of vertices follow the helix, so that flanks, crests and roots are flat along it; planes cut them off at the ends. The numbers of sides have no common factor, so that the edges of nut and bolt pass one another one by one.
"""

import math
import pathlib

LEAD = 20.0  # [mm] a turn
ROWS = 8  # of vertices a turn along the axis: root, flank, crest, flank of both starts
ENDS = 0.113  # how far the plane that cuts off an end is from a row of vertices [mm]


def thread(radii, sides, low, high):
    """Triangles of a thread between two heights, seen from outside; `radii` of the rows, one after another."""

    def at(i, j):
        angle = 2.0 * math.pi * (i % sides) / sides
        radius = radii[j % len(radii)]
        return radius * math.cos(angle), radius * math.sin(angle), LEAD * (j / ROWS + i / sides)

    triangles = []
    for j in range(math.floor(low / LEAD * ROWS) - ROWS, math.ceil(high / LEAD * ROWS)):
        for i in range(sides):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            triangles += [(a, b, c), (a, c, d)]
    return cut(cut(triangles, high, 1.0), low, -1.0)


def cut(triangles, height, side):
    """What is below the height, or above it if `side` is −1."""
    kept = []
    for triangle in triangles:
        above = [side * (p[2] - height) for p in triangle]
        polygon = []
        for k in range(3):
            p, q, f, g = triangle[k], triangle[k - 2], above[k], above[k - 2]
            if f <= 0.0:
                polygon.append(p)
            if f * g < 0.0:
                polygon.append(between(p, q, height))
        kept += [(polygon[0], polygon[k], polygon[k + 1]) for k in range(1, len(polygon) - 1)]
    return kept


def between(p, q, height):
    """Where an edge passes the height: the same number whichever end comes first."""
    p, q = sorted((p, q))
    t = (height - p[2]) / (q[2] - p[2])
    return p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), height


def outline(triangles, height):
    """The corners at a height, by their angle."""
    corners = {p for triangle in triangles for p in triangle if p[2] == height}
    return sorted(corners, key=lambda p: math.atan2(p[1], p[0]))


def cap(inner, outer):
    """A flat ring between two outlines, seen from above; the inner one may be a point."""
    angle = lambda p: math.atan2(p[1], p[0])
    triangles, i, o = [], 0, 0
    while i < len(inner) or o < len(outer):
        p, q = inner[i % len(inner)], outer[o % len(outer)]
        next_in = angle(inner[i]) if i < len(inner) else math.inf
        next_out = angle(outer[o]) if o < len(outer) else math.inf
        if next_in < next_out:
            triangles.append((inner[i - 1], outer[o % len(outer) - 1], p))
            i += 1
        else:
            triangles.append((inner[i % len(inner) - 1], outer[o - 1], q))
            o += 1
    return triangles


def turned(triangles):
    return [(a, c, b) for a, b, c in triangles]


def hexagon(width, low, high):
    """Sides of a prism of six sides, that wide across its flats, seen from outside; and its outlines below and above, by their angle."""
    radius, parts = width / math.sqrt(3.0), 6

    def at(k, z):
        (x, y), (u, v) = ((radius * math.cos(n * math.pi / 3), radius * math.sin(n * math.pi / 3)) for n in (k // parts, k // parts + 1))
        t = k % parts / parts
        return x + t * (u - x), y + t * (v - y), z

    below, above = ([at(k, z) for k in range(1 - 3 * parts, 1 + 3 * parts)] for z in (low, high))
    sides = []
    for k in range(len(below)):
        a, b, c, d = below[k - 1], below[k], above[k], above[k - 1]
        sides += [(a, b, c), (a, c, d)]
    return sides, below, above


def bolt():
    low, high, head = ENDS, 110.0 + ENDS, -12.0
    shaft = thread((9.9, 9.9, 12.5, 12.5), 19, low, high)
    sides, below, above = hexagon(32.0, head, low)
    middle = [(0.0, 0.0, high)]
    top = [(middle[0], q, p) for p, q in pairs(outline(shaft, high), turn=True)]
    bottom = [((0.0, 0.0, head), q, p) for p, q in pairs(below)]
    return shaft + sides + cap(outline(shaft, low), above) + top + bottom


def pairs(outline, turn=False):
    """Neighbours along an outline, clockwise or, turned, the other way."""
    around = list(zip(outline, outline[1:] + outline[:1]))
    return [(q, p) for p, q in around] if turn else around


def nut():
    low, high = 80.0 + ENDS, 106.0 + ENDS
    inside = thread((10.3, 10.3, 12.9, 12.9), 24, low, high)
    sides, below, above = hexagon(34.0, low, high)
    rings = cap(outline(inside, high), above) + turned(cap(outline(inside, low), below))
    return turned(inside) + sides + rings


def write(name, triangles):
    numbers, faces = {}, []
    for triangle in triangles:
        faces.append([numbers.setdefault(tuple(round(x, 6) for x in p), len(numbers) + 1) for p in triangle])
    lines = [f"# {name}, by bolt.py [mm]"]
    lines += ["v %.6f %.6f %.6f" % p for p in numbers]
    lines += ["f %d %d %d" % tuple(f) for f in faces if len(set(f)) == 3]
    path = pathlib.Path(__file__).parent / f"{name}.obj"
    path.write_text("\n".join(lines) + "\n")
    print(f"{path}: {len(numbers)} vertices, {len(lines) - 1 - len(numbers)} triangles")


if __name__ == "__main__":
    write("bolt", bolt())
    write("hex-nut", nut())
