"""Two convex solids, or a ball in a convex cavity, by their support functions.

The support function h(n) of a solid is how far it reaches in the direction n. The signed distance of two solids is the
largest value over all unit n of n . (x_b - x_a) - h_a(n) - h_b(-n): how far apart two tangent planes across n are, for
solids that are apart; for solids that overlap, how far one of them must be moved, with the sign reversed. Whatever
direction is tried gives a lower bound, so that a search that misses the maximum gives too small a value, never
another. The largest is looked for from several hundred directions in double precision, and from the best in 45 digits; and
apart from that along the circles and at the directions where h of a box, cylinder or capsule has a crease.
"""

import itertools
import math

import numpy as np
from gmpy2 import cos, exp, log, mpfr, sin

from .geometry import Frame, add, cross, dot, expected, norm, precise, scaled, sqrt, unit, vector

RELATIVE = 0.0
ABSOLUTE = 2e-14


def _signed(size, like):
    return size if like >= 0 else -size


def support(surface, n):
    """The point of a solid, in its own frame, that is farthest in the direction n."""
    kind = surface["type"]
    zero = 0 * n[0]
    if kind == "sphere":
        return [surface["radius"] * x / norm(n) for x in n]
    if kind == "box":
        return [_signed(zero + s / 2, x) for s, x in zip(surface["size"], n)]
    if kind == "cylinder":
        rho = sqrt(n[0] ** 2 + n[1] ** 2)
        side = [surface["radius"] * x / rho for x in n[:2]] if rho > 0 else [zero, zero]
        return [*side, _signed(zero + surface["length"] / 2, n[2])]
    if kind == "capsule":
        x = [surface["radius"] * u / norm(n) for u in n]
        return [x[0], x[1], x[2] + _signed(zero + surface["length"] / 2, n[2])]
    if kind == "torus":
        rho = sqrt(n[0] ** 2 + n[1] ** 2)
        x = [surface["minor_radius"] * u / norm(n) for u in n]
        return [x[0] + surface["major_radius"] * n[0] / rho, x[1] + surface["major_radius"] * n[1] / rho, x[2]]
    if kind == "ellipsoid":
        a = surface["semi_axes"]
        length = sqrt(sum((u * x) ** 2 for u, x in zip(a, n)))
        return [u * u * x / length for u, x in zip(a, n)]
    if kind == "superellipsoid":
        return _superellipsoid(surface["semi_axes"], surface["exponents"], n)
    if kind == "barr-superellipsoid":
        return _barr(surface["semi_axes"], surface["exponents"], n)
    raise ValueError(f"no support function of a {kind}")


def _power(x, e):
    return x**e if x > 0 else x * 0


def _superellipsoid(a, e, n):
    """|x/a|^e1 + |y/b|^e2 + |z/c|^e3 = 1: its gradient is n times a factor, which Newton's method finds."""
    dual = [x / (x - 1) for x in map(type(n[0]), e)]
    parts = [abs(x) * u / w for x, u, w in zip(n, a, e)]
    used = [i for i in range(3) if parts[i] > 0]
    # The sum of (factor parts)^dual is 1; in the logarithm of the factor, its logarithm is convex and increasing.
    power, logarithm = (math.exp, math.log) if isinstance(n[0], float) else (exp, log)
    logs = {i: logarithm(parts[i]) for i in used}
    y = min(-x for x in logs.values())
    for _ in range(200):
        terms = {i: power(dual[i] * (y + logs[i])) for i in used}
        total = sum(terms.values())
        change = logarithm(total) * total / sum(dual[i] * terms[i] for i in used)
        y -= change
        if abs(change) < (1e-15 if isinstance(n[0], float) else 1e-40):
            break
    x = [n[0] * 0] * 3
    for i in used:
        x[i] = _signed(a[i] * power((y + logs[i]) / (e[i] - 1)), n[i])
    return x


def _barr(a, e, n):
    """(|x/a|^e2 + |y/b|^e2)^(e1/e2) + |z/c|^e1 = 1: the dual norms, one in the other."""
    number = type(n[0])
    e1, e2 = number(e[0]), number(e[1])
    p, q = e2 / (e2 - 1), e1 / (e1 - 1)
    m = [abs(u * x) for u, x in zip(a, n)]
    flat = _power(_power(m[0], p) + _power(m[1], p), 1 / p)
    whole = _power(_power(flat, q) + _power(m[2], q), 1 / q)
    in_plane = _power(flat / whole, q - 1)
    x = [_power(u / flat, p - 1) * in_plane if flat > 0 else flat for u in m[:2]] + [_power(m[2] / whole, q - 1)]
    return [_signed(u * v, w) for u, v, w in zip(a, x, n)]


class Pair:
    """f(n) of two solids, each (surface, frame), or of a solid and a point (`b` is None)."""

    def __init__(self, a, frame_a, b, frame_b):
        self.a, self.frame_a, self.b, self.frame_b = a, frame_a, b, frame_b

    def points(self, n):
        """Where the tangent planes across n touch."""
        point_a = self.frame_a.point(support(self.a, self.frame_a.of(n)))
        if self.b is None:
            return point_a, self.frame_b.p
        return point_a, self.frame_b.point(support(self.b, self.frame_b.of(scaled(n, -1))))

    def value(self, n):
        a, b = self.points(n)
        return dot(n, add(b, a, -1))

    def rough(self):
        """The same in double precision."""
        a, b = ({key: _rough(x) for key, x in s.items()} if s else None for s in (self.a, self.b))
        return Pair(a, _Rough(self.frame_a), b, _Rough(self.frame_b))

    def creases(self):
        """Frames and directions: where h of one of the solids has no derivative."""
        for surface, frame in ((self.a, self.frame_a), (self.b, self.frame_b)):
            kind = surface and surface["type"]
            if kind == "box":
                yield from ((frame, axis) for axis in range(3))
            elif kind in ("cylinder", "capsule"):
                yield frame, 2


def _rough(x):
    if isinstance(x, list):
        return [float(u) for u in x]
    return x if isinstance(x, str) else float(x)


class _Rough:
    """A frame in double precision."""

    def __init__(self, frame):
        self.p = [float(x) for x in frame.p]
        self.axes = [[float(x) for x in axis] for axis in frame.axes]

    turned, point, of, place = Frame.turned, Frame.point, Frame.of, Frame.place


def directions(count):
    """Points spread over the sphere."""
    golden = math.pi * (3 - math.sqrt(5))
    for i in range(count):
        z = 1 - (2 * i + 1) / count
        r = math.sqrt(1 - z * z)
        yield [r * math.cos(golden * i), r * math.sin(golden * i), z]


def across(n):
    """Two unit vectors across n."""
    axis = min(range(3), key=lambda i: abs(n[i]))
    e = [n[0] * 0] * 3
    e[axis] = e[axis] + 1
    first = unit(cross(n, e))
    return first, cross(n, first)


def newton(pair, n):
    """The direction near n in which the line between the two points is along n, in 45 digits; None if it is not found."""
    small = mpfr("1e-18")
    n = unit(vector(n))
    for _ in range(60):
        s, t = across(n)

        def off(u, v):
            m = unit(add(add(n, s, u), t, v))
            a, b = pair.points(m)
            w = add(b, a, -1)
            # components across m itself, in axes that go with it
            along = dot(w, m)
            w = add(w, m, -along)
            return dot(w, s), dot(w, t)

        x, y = off(0, 0)
        (xu, yu), (xv, yv) = off(small, 0), off(0, small)
        a, b, c, d = (xu - x) / small, (xv - x) / small, (yu - y) / small, (yv - y) / small
        det = a * d - b * c
        if det == 0:
            return None
        u, v = -(d * x - b * y) / det, -(a * y - c * x) / det
        length = sqrt(u * u + v * v)
        if not length < 0.2:
            u, v = u * 0.1 / length, v * 0.1 / length
        n = unit(add(add(n, s, u), t, v))
        if length < 1e-30:
            return n
    return None


def along_circle(pair, frame, axis):
    """The largest f over the directions across an axis of a frame, where a crease is; and its direction."""
    rough = pair.rough()
    p, q = (frame.axes[(axis + 1) % 3], frame.axes[(axis + 2) % 3])

    def direction(angle, number):
        c, s = (math.cos(angle), math.sin(angle)) if number is float else (cos(angle), sin(angle))
        return add(scaled([number(x) for x in p], c), [number(x) for x in q], s)

    angles = np.linspace(0, 2 * np.pi, 721)[:-1]
    heights = [rough.value(direction(float(a), float)) for a in angles]
    best = None
    for k in np.argsort(heights)[::-1][:6]:
        low, high = mpfr(float(angles[k])) - 0.01, mpfr(float(angles[k])) + 0.01
        ratio = (sqrt(mpfr(5)) - 1) / 2
        c, d = high - ratio * (high - low), low + ratio * (high - low)
        fc, fd = pair.value(direction(c, mpfr)), pair.value(direction(d, mpfr))
        for _ in range(110):
            if fc > fd:
                high, d, fd = d, c, fc
                c = high - ratio * (high - low)
                fc = pair.value(direction(c, mpfr))
            else:
                low, c, fc = c, d, fd
                d = low + ratio * (high - low)
                fd = pair.value(direction(d, mpfr))
        if best is None or fc > best[0]:
            best = (fc, direction(c, mpfr))
    return best


def climb(rough, n, steps=300):
    """A local search upwards in double precision: steps of a length that halves where nothing around is higher."""
    height, length = rough.value(n), 0.3
    while length > 1e-9 and steps > 0:
        s, t = across(n)
        for k in range(6):
            u, v = length * math.cos(k * math.pi / 3 + length), length * math.sin(k * math.pi / 3 + length)
            m = [float(x) for x in unit(add(add(n, s, u), t, v))]
            higher = rough.value(m)
            if higher > height:
                n, height = m, higher
                break
        else:
            length /= 2
        steps -= 1
    return height, n


def largest(pair):
    """(signed distance, its direction)."""
    rough = pair.rough()
    starts = sorted(directions(400), key=rough.value, reverse=True)
    tops = []
    for start in itertools.chain(starts[:10], starts[10::60]):
        top = climb(rough, start)
        if all(math.dist(top[1], other) > 1e-4 for _, other in tops):
            tops.append(top)
    tops.sort(reverse=True)
    found = []
    for _, n in tops[:3]:
        found.append((pair.value(unit(vector(n))), unit(vector(n))))
        if (better := newton(pair, n)) is not None:
            found.append((pair.value(better), better))
    for frame, axis in pair.creases():
        found.append(along_circle(pair, frame, axis))
    # Faces of boxes and cylinders, and the poles of superellipsoids, where they are flat and Newton's method fails.
    for frame in (pair.frame_a, pair.frame_b) if pair.b else (pair.frame_a,):
        for axis, sign in itertools.product(range(3), (1, -1)):
            n = unit(scaled(frame.axes[axis], mpfr(sign)))
            found.append((pair.value(n), n))
    return max(found, key=lambda pair: pair[0])


def solve(row):
    """What the row of a file asks for."""
    a, b = exact(row["a"]), exact(row["b"])
    frame_a, frame_b = Frame(row["pose_a"]), Frame(row["pose_b"])
    if a["type"] == "plane":
        from .pairs import on_plane

        return on_plane(frame_a, b, frame_b)
    if b["type"] == "sphere":
        # The centre's signed distance: positive outside, negative within.
        distance, n = largest(Pair(a, frame_a, None, frame_b))
        out = -1 if a.get("side") == "inside" else 1
        normal, gap = scaled(n, out), out * distance - b["radius"]
        point_b = add(frame_b.p, normal, -b["radius"])
        return {"distance": gap, "normal": normal, "point_a": add(point_b, normal, -gap), "point_b": point_b}
    pair = Pair(a, frame_a, b, frame_b)
    distance, n = largest(pair)
    point_a, point_b = pair.points(n)
    # Where the plane across n touches a solid in a face or an edge, its point is the one nearest to the other's.
    if is_flat(a, frame_a.of(n)):
        point_a = add(point_b, n, -distance)
    elif is_flat(b, frame_b.of(n)):
        point_b = add(point_a, n, distance)
    return {"distance": distance, "normal": n, "point_a": point_a, "point_b": point_b}


def is_flat(surface, n):
    """Whether the plane across n, in the frame of the solid, touches it along a face or an edge."""
    if surface["type"] == "box":
        return min(abs(x) for x in n) < 1e-25
    if surface["type"] == "cylinder":
        return abs(n[2]) < 1e-25 or sqrt(n[0] ** 2 + n[1] ** 2) < 1e-25
    return surface["type"] == "capsule" and abs(n[2]) < 1e-25


def exact(surface):
    """The surface with its numbers as they are, of the working precision."""
    def number(x):
        if isinstance(x, list):
            return [mpfr(u) for u in x]
        return mpfr(x) if isinstance(x, (int, float)) else x

    return {key: number(value) for key, value in surface.items()}


def values(rows):
    precise()
    for i, row in enumerate(rows):
        found = solve(row)
        if "flat_pole" in row["tags"]:  # the points are some of many
            found = {"distance": found["distance"], "normal": found["normal"]}
        yield from expected(i, row.get("expect"), found)
