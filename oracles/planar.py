"""Integrals of lambda^m d^-nu over a triangle, and how many points Gauss' rule needs over a square.

The triangle has the area 1/2 and the heights 0.001, 0.3, 0.02 at its vertices. Over the unit square, d = gap + slope_u u + slope_v v,
the integral of d^-8 is known in closed form; n is the number of points along each side with which the rule is first within 1e-8.
"""

import json

from mpmath import mp, mpf
from scipy.special import roots_legendre

from .simplex import average

RELATIVE = 1e-15
ABSOLUTE = 0.0
HEIGHTS = [0.001, 0.3, 0.02]


def square(gap, u, v, nu=8):
    """The integral over the square, divided by gap^-nu."""
    mp.dps = 40
    g, u, v = mpf(gap), mpf(u), mpf(v)
    total = sum(sign * x ** (2 - nu) for sign, x in [(1, g), (-1, g + u), (-1, g + v), (1, g + u + v)])
    return total / ((nu - 1) * (nu - 2) * u * v * g**-nu)


def points(gap, u, v):
    """The smallest number of points along a side with an error of at most 1e-8."""
    exact = float(square(gap, u, v))

    def error(n):
        x, w = roots_legendre(n)
        x, w = (x + 1) / 2, w / 2
        d = (gap + u * x[:, None] + v * x[None, :]) / gap
        return abs(w @ d**-8 @ w / exact - 1)

    low, high = 0, 1
    while error(high) > 1e-8:
        low, high = high, 2 * high
    while high - low > 1:  # the error falls with every point
        middle = (low + high) // 2
        low, high = (middle, high) if error(middle) > 1e-8 else (low, middle)
    return high


def values(data):
    for i, row in enumerate(data["triangle"]):
        yield ("triangle", i, "value"), average(HEIGHTS, row["nu"], row["m"]) / 2
    for i, row in enumerate(data["gauss"]):
        n = points(row["gap"], row["slope_u"], row["slope_v"])
        # Beyond 64 the committed numbers are enough, but not the smallest: not all numbers were tried.
        yield ("gauss", i, "n"), float(n), 0.03 if n > 60 else 0.0, 0.5


def dump(data):
    def rows(name):
        return f'"{name}": [\n' + ",\n".join(json.dumps(row) for row in data[name]) + "\n]"

    return f'{{\n"_about": {json.dumps(data["_about"])},\n{rows("triangle")},\n{rows("gauss")}\n}}\n'
