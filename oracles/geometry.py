"""Vectors and frames in 45 digits, and what the files of pairs share."""

import math

import gmpy2
from gmpy2 import mpfr


def precise():
    gmpy2.get_context().precision = 150


def sqrt(x):
    """The root in the precision of x: searches go in double precision first."""
    return math.sqrt(x) if isinstance(x, float) else gmpy2.sqrt(x)


def vector(numbers):
    return [mpfr(x) for x in numbers]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def add(a, b, factor=1):
    """a + factor b"""
    return [x + factor * y for x, y in zip(a, b)]


def scaled(a, factor):
    return [factor * x for x in a]


def norm(a):
    return sqrt(dot(a, a))


def unit(a):
    return scaled(a, 1 / norm(a))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


class Frame:
    """A pose: position and the three axes of the body, from a unit quaternion (w, x, y, z) or from the axes themselves."""

    def __init__(self, pose):
        self.p = vector(pose["position"])
        if "columns" in pose:
            self.axes = [vector(column) for column in pose["columns"]]
            return
        w, x, y, z = scaled(q := vector(pose["quaternion"]), 1 / sqrt(sum(u * u for u in q)))
        self.axes = [
            [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
            [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
            [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
        ]

    def turned(self, v):
        """A vector of the body in world axes."""
        a, b, c = self.axes
        return [v[0] * a[i] + v[1] * b[i] + v[2] * c[i] for i in range(3)]

    def point(self, x):
        return add(self.p, self.turned(x))

    def of(self, v):
        """A vector of the world in the axes of the body."""
        return [dot(v, axis) for axis in self.axes]

    def place(self, x):
        """A point of the world in the frame of the body."""
        return self.of(add(x, self.p, -1))


def expected(row, expect, found):
    """(place, number) of the entries of `found` that row `row` of a file asks for; all if it asks for none yet."""
    for name in ("distance", "point_a", "point_b", "normal"):
        if name not in found or (expect and name not in expect):
            continue
        value = found[name]
        if isinstance(value, list):
            for i, x in enumerate(value):
                yield (row, "expect", name, i), x
        else:
            yield (row, "expect", name), value
