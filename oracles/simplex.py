"""Averages over a segment or a triangle of lambda^m d^-nu, where d is linear with the given heights at the vertices.

By the formula of Hermite and Genocchi such an average is a divided difference of an antiderivative F of x^-nu of the
order k + |m| (k = 1 for a segment, 2 for a triangle), in which the height of vertex i occurs m_i + 1 times: k! m! F[...].
Heights that coincide are moved apart by 1e-45 of themselves, in arithmetic of 400 digits.
"""

import json
from math import factorial

from mpmath import log, mp, mpf

RELATIVE = 1e-15
ABSOLUTE = 0.0


def antiderivative(x, nu, order):
    """x^-nu integrated `order` times, but for a polynomial of a degree below `order`."""
    power, factor = -nu, mpf(1)
    for done in range(order):
        if power == -1:
            # ln x, and from there on x^j ln x / j!, but for polynomials
            left = order - done - 1
            return factor * x**left * log(x) / factorial(left)
        power += 1
        factor /= power
    return factor * x**power


def average(heights, nu, m):
    """The average of lambda^m d^-nu."""
    mp.dps = 400
    k, total = len(heights) - 1, sum(m)
    nodes = [mpf(x) for x, times in zip(heights, m) for _ in range(times + 1)]
    nodes = [x * (1 + i * mpf(10) ** -45) for i, x in enumerate(nodes)]
    difference = mpf(0)
    for i, x in enumerate(nodes):
        below = mpf(1)
        for j, y in enumerate(nodes):
            if i != j:
                below *= x - y
        difference += antiderivative(x, nu, k + total) / below
    weight = factorial(k)
    for times in m:
        weight *= factorial(times)
    return weight * difference


def exponents(vertices, order):
    """All m of a sum: for order 1 by vertex, for order 2 by pairs of vertices (0,0), (0,1), ..."""
    if order == 0:
        return [[0] * vertices]
    unit = [[int(i == j) for j in range(vertices)] for i in range(vertices)]
    if order == 1:
        return unit
    return [[a + b for a, b in zip(unit[i], unit[j])] for i in range(vertices) for j in range(i, vertices)]


def values(data):
    for i, row in enumerate(data["averages"]):
        for k, m in enumerate(exponents(len(row["x"]), row["order"])):
            yield ("averages", i, "avg", k), average(row["x"], row["nu"], m)


def dump(data):
    rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in data["averages"])
    return f'{{\n"_about": {json.dumps(data["_about"])},\n"averages": [\n{rows}\n]\n}}\n'
