"""Two tori: the distance of their centre circles less their minor radii.

The circles are c + R (cos u e_1 + sin u e_2). The distance of a point from a circle is known in closed form, so that
only one angle is left: every local minimum over it on a grid, refined by golden sections in 45 digits.
The points are the middle of the last interval, improved by Newton's method for both angles where the minimum is a regular one.
"""

import math

from gmpy2 import atan2, cos, mpfr, sin, sqrt

from .geometry import Frame, add, dot, expected, norm, precise, scaled

RELATIVE = 0.0
ABSOLUTE = 1e-13
GRID = 720


class Circle:
    def __init__(self, frame, radius):
        self.frame, self.radius = frame, mpfr(radius)

    def at(self, u):
        c, s = (math.cos(u), math.sin(u)) if isinstance(u, float) else (cos(u), sin(u))
        return self.frame.point([self.radius * c, self.radius * s, 0])

    def angle(self, x):
        """The angle of the point of the circle nearest to x."""
        local = self.frame.place(x)
        return atan2(local[1], local[0])

    def distance(self, x):
        local = self.frame.place(x)
        rho = sqrt(local[0] ** 2 + local[1] ** 2)
        return sqrt((rho - self.radius) ** 2 + local[2] ** 2)

    def tangent(self, u):
        return self.frame.turned([-self.radius * sin(u), self.radius * cos(u), mpfr(0)])

    def bend(self, u):
        return self.frame.turned([-self.radius * cos(u), -self.radius * sin(u), mpfr(0)])


def golden(f, low, high):
    """Where f is least between low and high."""
    ratio = (sqrt(mpfr(5)) - 1) / 2
    c, d = high - ratio * (high - low), low + ratio * (high - low)
    fc, fd = f(c), f(d)
    for _ in range(100):
        if fc < fd:
            high, d, fd = d, c, fc
            c = high - ratio * (high - low)
            fc = f(c)
        else:
            low, c, fc = c, d, fd
            d = low + ratio * (high - low)
            fd = f(d)
    return (low + high) / 2


def newton(a, b, u, v):
    """Angles of both circles where the line between the points is across both; None where that is not a regular point."""
    for _ in range(30):
        w = add(b.at(v), a.at(u), -1)
        ta, tb = a.tangent(u), b.tangent(v)
        fu, fv = -dot(w, ta), dot(w, tb)
        uu, vv, uv = dot(ta, ta) - dot(w, a.bend(u)), dot(tb, tb) + dot(w, b.bend(v)), -dot(ta, tb)
        det = uu * vv - uv * uv
        if abs(det) < 1e-9 * uu * vv:
            return None
        du, dv = -(vv * fu - uv * fv) / det, -(uu * fv - uv * fu) / det
        u, v = u + du, v + dv
        if abs(du) + abs(dv) < 1e-38:
            return u, v
    return None


def closest(a, b):
    """(distance of two circles, angles)."""
    step = 2 * math.pi / GRID
    heights = [float(b.distance(a.at(k * step))) for k in range(GRID)]
    least = min(heights)
    best = None
    for k in range(GRID):
        if heights[k] > min(heights[k - 1], heights[(k + 1) % GRID]):
            continue
        # A lower minimum than the best so far is at most a step's length below the grid's value.
        if heights[k] - float(a.radius) * step > least or (best and heights[k] - float(a.radius) * step > best[0]):
            continue
        u = golden(lambda angle: b.distance(a.at(angle)), mpfr((k - 1) * step), mpfr((k + 1) * step))
        v = b.angle(a.at(u))
        u, v = newton(a, b, u, v) or (u, v)
        distance = norm(add(b.at(v), a.at(u), -1))
        if best is None or distance < best[0]:
            best = (distance, u, v)
        if len(heights) - heights.count(heights[k]) < GRID // 2:
            break  # a continuum of nearest points: one is as good as all
    return best


def values(rows):
    precise()
    for i, row in enumerate(rows):
        a = Circle(Frame(row["pose_a"]), row["a"]["major_radius"])
        b = Circle(Frame(row["pose_b"]), row["b"]["major_radius"])
        ra, rb = mpfr(row["a"]["minor_radius"]), mpfr(row["b"]["minor_radius"])
        distance, u, v = closest(a, b)
        found = {"distance": distance - ra - rb}
        if distance > 1e-30:
            normal = scaled(add(b.at(v), a.at(u), -1), 1 / distance)
            found |= {"normal": normal, "point_a": add(a.at(u), normal, ra), "point_b": add(b.at(v), normal, -rb)}
        yield from expected(i, row.get("expect"), found)
