"""Motions with impacts, in 30 digits: a box on a ball, a ball on stairs, a ball between races; and closed forms.

Each is written for itself, from the equations of motion of its few coordinates. Every touch and release is located. Contact
forces act on each body at its own contact point. F = K d^(3/2) (1 + eta d'/v) with eta = 3 (1 - c^2)/4, v the rate at
the touch.
"""

import gmpy2
from gmpy2 import mpfr, sqrt, tanh

from . import closed_forms
from .extrapolation import Solution
from .geometry import cross, dot

RELATIVE = 1e-17
ABSOLUTE = 0.0
G = mpfr("9.81", 100)


def damping(c):
    return 3 * (1 - c * c) / 4


class Prism:
    """A box that falls on a fixed ball about the origin. y: position, quaternion, velocity, angular velocity (body)."""

    def __init__(self, params):
        self.radius = mpfr("0.05")
        self.half = [mpfr("0.1"), mpfr("0.06"), mpfr("0.04")]
        self.k, self.eta = mpfr(params["K"]), damping(mpfr(str(params["c_r"])))
        a, b, c = (x * x / 3 for x in self.half)
        self.inertia = [b + c, a + c, a + b]
        self.speed = mpfr(1)
        self.start = [mpfr(str(x)) for x in params["x0"]]

    def contact(self, y):
        """Rows of the rotation, nearest point of the box, unit vector to the ball's centre (both in the body), indentation."""
        w, x, z, u = y[3:7]
        n2 = w * w + x * x + z * z + u * u
        s = 2 / n2
        rows = [
            [1 - s * (z * z + u * u), s * (x * z - w * u), s * (x * u + w * z)],
            [s * (x * z + w * u), 1 - s * (x * x + u * u), s * (z * u - w * x)],
            [s * (x * u - w * z), s * (z * u + w * x), 1 - s * (x * x + z * z)],
        ]
        centre = [-(rows[0][i] * y[0] + rows[1][i] * y[1] + rows[2][i] * y[2]) for i in range(3)]
        p = [min(max(c, -h), h) for c, h in zip(centre, self.half)]
        n = [c - q for c, q in zip(centre, p)]
        length = sqrt(dot(n, n))
        return rows, p, [c / length for c in n], self.radius - length, centre

    def rate(self, y):
        """How fast the indentation grows."""
        rows, p, n, _, _ = self.contact(y)
        v = [rows[0][i] * y[7] + rows[1][i] * y[8] + rows[2][i] * y[9] for i in range(3)]
        turn = cross(y[10:13], p)
        return dot([a + b for a, b in zip(v, turn)], n)

    def rates(self, _, y):
        rows, p, n, depth, _ = self.contact(y)
        w = y[10:13]
        force = [mpfr(0)] * 3
        if depth > 0 and self.touching:
            size = self.k * depth * sqrt(depth)
            if self.eta:
                size *= 1 + self.eta * self.rate(y) / self.speed
            force = [-size * x for x in n]
        torque = cross(p, force)
        acceleration = [dot(row, force) for row in rows]
        acceleration[2] -= G
        q = y[3:7]
        i = self.inertia
        return [
            *y[7:10],
            (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]) / 2,
            (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]) / 2,
            (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]) / 2,
            (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]) / 2,
            *acceleration,
            (torque[0] - (i[2] - i[1]) * w[1] * w[2]) / i[0],
            (torque[1] - (i[0] - i[2]) * w[2] * w[0]) / i[1],
            (torque[2] - (i[1] - i[0]) * w[0] * w[1]) / i[2],
        ]


def prism(name, case):
    body = Prism(case["params"])
    body.touching = False
    run = Solution(body.rates, mpfr(0), [*body.start, 1, *[mpfr(0)] * 9], tolerance=1e-18, scale=0.1, columns=8, longest=mpfr("5e-3"), first=mpfr("1e-3"))
    # Touches and releases; and where the nearest point goes from a face to an edge, as the curvature jumps there.
    events = [(lambda t, y: body.contact(y)[3], 0)]
    for i in range(3):
        for sign in (1, -1):
            events.append((lambda t, y, i=i, sign=sign: body.contact(y)[4][i] - sign * body.half[i], 0))
    place = ("prism_on_fixed_ball", "cases", name)
    count, hit = 0, None
    for key in case["states"]:
        end = mpfr(key[2:])
        while True:
            hit = run.run(end, events, hit)
            if hit is None:
                break
            run.h = mpfr("1e-7")
            if hit == 0:
                body.touching = not body.touching
                if body.touching:
                    body.speed = body.rate(run.y)
                event = (*place, "events", count)
                yield (*event, "t"), run.t, 0.0, 1e-14
                yield (*event, "normal_rate"), body.rate(run.y), 0.0, 1e-12
                for i, x in enumerate(body.contact(run.y)[1]):
                    yield (*event, "contact_point_body", i), x, 0.0, 1e-13
                for i, x in enumerate(run.y):
                    yield (*event, "state", i), x, 1e-13, 1e-13
                count += 1
        for i, x in enumerate(run.y):
            yield (*place, "states", key, i), x, 2e-13, 1e-13


# The radius at which both races press alike [m], with the digits of the file.
START = "0.024997613080635667"


def bearing(table):
    """A ball between two races: plane motion, no gravity. y: x, y, angle and their rates."""
    p = {k: mpfr(repr(v)) for k, v in table["params"].items() if isinstance(v, (int, float))}
    inner, outer, ball, m, mu = p["Ri"], p["Ro"], p["rb"], p["m"], p["mu"]
    inertia, width = 2 * m * ball * ball / 5, mpfr("0.01")

    def rates(_, y):
        radius = sqrt(y[0] * y[0] + y[1] * y[1])
        c, s = y[0] / radius, y[1] / radius
        along = -s * y[3] + c * y[4]
        a, b = inner + ball - radius, radius + ball - outer
        fa, fb = p["K_inner"] * a * sqrt(a), p["K_outer"] * b * sqrt(b)
        ta = -mu * fa * tanh((along - ball * y[5] - p["omega_inner"] * inner) / width)
        tb = -mu * fb * tanh((along + ball * y[5] - p["omega_outer"] * outer) / width)
        out, around = fa - fb, ta + tb
        return [y[3], y[4], y[5], (c * out - s * around) / m, (s * out + c * around) / m, ball * (tb - ta) / inertia]

    run = Solution(rates, mpfr(0), [mpfr(START), *[mpfr(0)] * 5], tolerance=1e-20, scale=[0.02, 0.02, 1, 1, 1, 100], columns=10, first=mpfr("1e-7"))
    for key in table["states"]:
        run.run(mpfr(key[2:]))
        y = run.y
        place = ("bearing_ball_between_races", "states", key)
        for i, x in enumerate(y):
            yield (*place, "state", i), x, 1e-12, 1e-12 if i >= 3 else 1e-15
        radius = sqrt(y[0] ** 2 + y[1] ** 2)
        yield (*place, "radius"), radius, 1e-13, 0.0
        yield (*place, "cage_speed"), (y[0] * y[4] - y[1] * y[3]) / radius**2, 1e-12, 0.0
        yield (*place, "ball_spin"), y[5], 1e-12, 0.0


class Stairs:
    """A ball on stairs in a plane. y: x, z, angle about y, and their rates."""

    def __init__(self):
        self.radius, self.mass, self.k, self.eta = mpfr("0.03"), mpfr("0.1"), mpfr("1e7"), damping(mpfr("0.7"))
        self.width = mpfr("0.001")
        self.speed = {}  # of the boxes that are touched: the rate at the touch

    def contact(self, i, y):
        """Unit vector from box i to the ball's centre, and the indentation."""
        left, right, top = mpfr(2 * i) / 10, mpfr(2 * i + 2) / 10, -mpfr(i) / 10
        dx, dz = y[0] - min(max(y[0], left), right), y[1] - min(max(y[1], mpfr(-1)), top)
        length = sqrt(dx * dx + dz * dz)
        return dx / length, dz / length, self.radius - length

    def rate(self, i, y):
        nx, nz, _ = self.contact(i, y)
        return -(nx * y[3] + nz * y[4])

    def rates(self, _, y):
        fx, fz, torque = mpfr(0), -self.mass * G, mpfr(0)
        for i, speed in self.speed.items():
            nx, nz, depth = self.contact(i, y)
            if depth <= 0:
                continue
            normal = self.k * depth * sqrt(depth) * (1 + self.eta * self.rate(i, y) / speed)
            # The ball's point is R n below its centre; it slips along (nz, -nx).
            slip = nz * y[3] - nx * y[4] - self.radius * y[5]
            friction = -mpfr("0.3") * normal * tanh(slip / self.width) if i % 2 == 0 else mpfr(0)
            fx += normal * nx + friction * nz
            fz += normal * nz - friction * nx
            torque -= self.radius * friction
        inertia = 2 * self.mass * self.radius**2 / 5
        return [y[3], y[4], y[5], fx / self.mass, fz / self.mass, torque / inertia]


def stairs(table):
    body = Stairs()
    run = Solution(body.rates, mpfr(0), [mpfr(str(x)) for x in table["params"]["y0"]], tolerance=1e-18, scale=0.1, columns=8, longest=mpfr("5e-3"), first=mpfr("1e-3"))
    events = [(lambda t, y, i=i: body.contact(i, y)[2], 0) for i in range(6)]
    events += [(lambda t, y, i=i: y[0] - mpfr(2 * i) / 10, 0) for i in range(1, 6)]
    count, hit = 0, None
    for key in table["states"]:
        loose = 100 if key == "t=1" else 1
        while True:
            hit = run.run(mpfr(key[2:]), events, hit)
            if hit is None:
                break
            run.h = mpfr("1e-7")
            if hit < 6:
                if hit in body.speed:
                    del body.speed[hit]
                else:
                    body.speed[hit] = body.rate(hit, run.y)
                event = ("ball_on_stairs", "events", count)
                yield (*event, "t"), run.t, 0.0, 1e-13 * loose
                yield (*event, "contact"), mpfr(hit), 0.0, 0.0
                yield (*event, "rate"), body.rate(hit, run.y), 0.0, 1e-12 * loose
                count += 1
        for i, x in enumerate(run.y):
            yield ("ball_on_stairs", "states", key, i), x, 2e-13 * loose, 1e-12 * loose


def values(data):
    gmpy2.get_context().precision = 100
    for place, value in closed_forms.values():
        yield ("closed_forms", *place), value
    yield from bearing(data["bearing_ball_between_races"])
    for name, case in data["prism_on_fixed_ball"]["cases"].items():
        yield from prism(name, case)
    yield from stairs(data["ball_on_stairs"])
