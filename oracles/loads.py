"""A pole held up by a sampled controller, and a slider-crank with a stop on one side, in 30 digits.

Each has one coordinate, whose equation of motion is written by hand. The pole is integrated from one change of its torque to the
next; the stop's two changes of branch are located. Numbers of the file are those of the examples.
"""

import gmpy2
from gmpy2 import cos, mpfr, sin, sqrt

from .extrapolation import Solution

# Numbers in the file are the nearest doubles: half a last bit.
RELATIVE = 1.2e-16
ABSOLUTE = 1e-15
BITS = 100


def numbers(table):
    return {key: mpfr(str(value)) for key, value in table.items()}


class Pid:
    """u = limit(K_p e + I + D) with e = -angle; the integral does not grow further into a limit."""

    def __init__(self, p):
        self.p = p
        self.sum = self.slope = mpfr(0)
        self.last = None

    def sample(self, angle):
        p, e = self.p, -angle
        last = e if self.last is None else self.last
        self.slope = (p["filter"] * self.slope + p["derivative"] * (e - last)) / (p["filter"] + p["every"])
        step = p["integral"] * p["every"] * e
        raw = p["gain"] * e + self.sum + step + self.slope
        limited = min(max(raw, -p["limit"]), p["limit"])
        # outside of the limits by as much, and the integral would make it more
        if (raw - limited) * step <= 0:
            self.sum += step
        self.last = e
        return min(max(p["gain"] * e + self.sum + self.slope, -p["limit"]), p["limit"])


def pole(place, case):
    """I q'' = m g l/2 sin q + u + l cos q F(t)."""
    p = numbers(case["parameters"])
    length, half = p["length"], p["length"] / 2
    inertia = p["inertia"] + p["mass"] * half * half
    held = {"u": mpfr(0), "push": mpfr(0)}

    def rates(_, y):
        moment = p["mass"] * p["gravity"] * half * sin(y[0]) + held["u"] + length * cos(y[0]) * held["push"]
        return [y[1], moment / inertia]

    pid = Pid(p)
    run = Solution(rates, mpfr(0), [mpfr(0), p["spin"]], tolerance=1e-22, columns=7, first=p["every"])
    ends = [mpfr(str(t)) for t in case["times"]]
    # What happens when: samples, outputs, the push, and times of the file. Exact fractions of a second.
    todo = [(t, "row", i) for i, t in enumerate(ends)]
    todo += [(p["push_from"], "push", p["push"]), (p["push_to"], "push", mpfr(0))]
    for k in range(int(ends[-1] / p["every"]) + 1):
        todo += [(k * p["every"], "sample", k), (k * p["every"] + p["delay"], "hold", k)]
    computed = {}
    for t, what, value in sorted(todo, key=lambda row: row[0]):
        if t > run.t:
            run.h = t - run.t
            run.run(t)
        if what == "sample":
            computed[value] = pid.sample(run.y[0])
        elif what == "hold":
            held["u"] = computed[value]
        elif what == "push":
            held["push"] = value
        else:
            yield (*place, "states", value, 0), run.y[0]
            yield (*place, "states", value, 1), run.y[1]


class Crank:
    """J(a) a'' + J'(a) a'^2/2 = M(a') + x'(a) F, with x = r cos a + w and w = sqrt(l^2 - r^2 sin^2 a)."""

    def __init__(self, p):
        self.p = p
        self.pushes = False

    def piston(self, a):
        """x and its first two derivatives by a; w and its likewise."""
        p, s, c = self.p, sin(a), cos(a)
        r, r2 = p["r"], p["r"] * p["r"]
        w = sqrt(p["l"] * p["l"] - r2 * s * s)
        w1 = -r2 * s * c / w
        w2 = -r2 * (c * c - s * s) / w - w1 * w1 / w
        return (r * c + w, -r * s + w1, -r * c + w2), (w, w1, w2)

    def excess(self, y):
        """How far the piston is in the stop, and how fast it goes further."""
        x, x1, _ = self.piston(y[0])[0]
        return self.p["stop"] - x, -x1 * y[1]

    def force(self, y):
        depth, rate = self.excess(y)
        return self.p["stiffness"] * depth + self.p["damping"] * rate

    def rates(self, _, y):
        p, (a, rate) = self.p, y
        s, c, r = sin(a), cos(a), p["r"]
        (x, x1, x2), (w, w1, w2) = self.piston(a)
        # the middle of the rod: (r cos a + w/2, r sin a/2); the rod turns by phi with sin phi = -r sin a/l
        u1, u2 = -r * s + w1 / 2, -r * c + w2 / 2
        v1, v2 = r * c / 2, -r * s / 2
        turn1 = -r * c / w
        turn2 = r * s / w + r * c * w1 / (w * w)
        inertia = p["crank_inertia"] + p["rod_mass"] * (u1 * u1 + v1 * v1) + p["rod_inertia"] * turn1 * turn1
        inertia += p["piston_mass"] * x1 * x1
        half = p["rod_mass"] * (u1 * u2 + v1 * v2) + p["rod_inertia"] * turn1 * turn2 + p["piston_mass"] * x1 * x2
        moment = p["torque"] * (1 - rate / p["idle_speed"])
        if self.pushes:
            moment += x1 * self.force(y)
        return [rate, (moment - half * rate * rate) / inertia]


def crank(place, case):
    p = numbers(case["parameters"])
    body = Crank(p)
    run = Solution(body.rates, mpfr(0), [mpfr(0), p["speed"]], tolerance=1e-20, scale=[1, 60], columns=8, longest=mpfr("1e-3"), first=mpfr("1e-4"))
    events = [(lambda t, y: body.excess(y)[0], 0), (lambda t, y: body.force(y), -1)]
    count, inside, hit = 0, False, None
    for i, t in enumerate(case["times"]):
        end = mpfr(str(t))
        while True:
            # (the dashpot could turn the force around only while the piston is in the stop)
            hit = run.run(end, events if inside and body.pushes else events[:1], hit)
            if hit is None:
                break
            run.h = mpfr("1e-5")
            if hit == 0:
                inside = not inside
                body.pushes = inside
                hit = 0
            else:
                body.pushes = False
            yield (*place, "changes", count), run.t
            count += 1
            if hit == 1:
                hit = None
        x, x1, _ = body.piston(run.y[0])[0]
        for j, value in enumerate([run.y[0], run.y[1], x, x1 * run.y[1]]):
            yield (*place, "states", i, j), value


def values(data):
    with gmpy2.context(gmpy2.get_context(), precision=BITS):
        yield from pole(("pole",), data["pole"])
        yield from crank(("slider_crank",), data["slider_crank"])
