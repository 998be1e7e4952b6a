"""A torus that falls on a plane, by slices.

Flat (case 1): the vertical motion with all its impacts, in 34 digits, and closed forms.

All slices of a ring that lies flat are indented alike, so that F = K d^(3/2) (1 + chi d'), K = E* sqrt(2 r)/h 2 pi R. Flight is a
parabola. The growth of a small tilt over a period, without damping, is the larger eigenvalue of the map from apex to
apex: I theta'' = -(3/4 K d^(1/2) R^2 - K d^(3/2) r/2) theta while it touches.

Leaning by 60 degrees, with friction (case 2): all slices in double precision, with the steps of DOP853 of SciPy. The touches of the
slices are not located, so that this checks the file to 1e-8 m only, as far as the motion can be followed so.
"""

import gmpy2
import numpy as np
from gmpy2 import const_pi, mpfr, sqrt
from mpmath import mp, mpf
from scipy.integrate import solve_ivp

from .closed_forms import hertz_bounce
from .extrapolation import Solution
from .impact import damped

RELATIVE = 1e-14
ABSOLUTE = 0.0


class Ring:
    def __init__(self, parameters):
        p = {k: mpfr(repr(v)) for k, v in parameters.items() if isinstance(v, (int, float))}
        self.p = p
        self.modulus = 1 / ((1 - p["poisson"] ** 2) * (1 / p["E_torus"] + 1 / p["E_plane"]))
        self.k = self.modulus * sqrt(2 * p["r"]) / p["h"] * 2 * const_pi() * p["R"]
        self.m, self.g, self.r = p["mass"], p["gravity"], p["r"]

    def energy(self, z, v):
        """(without and with what the contact stores)"""
        free = self.m * self.g * z + self.m * v * v / 2
        depth = self.r - z
        return free, free + (2 * self.k * depth * depth * sqrt(depth) / 5 if depth > 0 else 0)

    def contact(self, chi, speed):
        """The motion while it touches, from the touch: y is the indentation and its rate."""

        def rates(_, y):
            d = max(y[0], mpfr(0))
            return [y[1], self.g - self.k * d * sqrt(d) * (1 + chi * y[1]) / self.m]

        scale = [mpfr("1e-4"), mpfr(1)]
        return Solution(rates, mpfr(0), [mpfr(0), speed], tolerance=1e-20, scale=scale, columns=8, first=mpfr("1e-8"))


def fall(ring, chi, end, times):
    """(contacts, samples at the times) of the fall from rest."""
    deepest = (lambda t, y: y[1], -1)
    out = (lambda t, y: y[0], -1)
    contacts, samples = [], []
    t, z, v = mpfr(0), ring.p["z0"], mpfr(0)
    times = list(times)
    while True:
        # Flight to the next touch.
        drop = sqrt(v * v + 2 * ring.g * (z - ring.r))
        touch = t + (v + drop) / ring.g
        while times and times[0] <= touch:
            s = times.pop(0) - t
            samples.append((z + v * s - ring.g * s * s / 2, v - ring.g * s))
        if touch > end:
            return contacts, samples
        run, hit = ring.contact(chi, drop), None
        depth = None
        while hit != 1:
            stop = times[0] - touch if times else mpfr(1)
            hit = run.run(min(stop, mpfr(1)), [deepest, out], hit)
            if hit is None:
                times.pop(0)
                samples.append((ring.r - run.y[0], -run.y[1]))
            elif hit == 0:
                depth = run.y[0]
        t, z, v = touch + run.t, ring.r, -run.y[1]
        contacts.append(
            {
                "t_start": touch,
                "t_end": t,
                "duration": run.t,
                "v_in": drop,
                "v_out": v,
                "restitution": v / drop,
                "delta_max": depth,
                "E_after": ring.energy(z, v)[0],
                "apex_time_after": t + v / ring.g,
                "apex_height_after": z + v * v / (2 * ring.g),
            }
        )


def tilt(ring):
    """Both eigenvalues of the map of a small tilt from apex to apex, without damping."""
    p = ring.p
    speed = sqrt(2 * ring.g * (p["z0"] - ring.r))
    flight = speed / ring.g

    def rates(_, y):
        d = max(y[0], mpfr(0))
        root = sqrt(d)
        k = ring.k * root * (3 * p["R"] ** 2 / 4 - d * ring.r / 2) / p["I_xi_xi"]
        return [y[1], ring.g - ring.k * d * root / ring.m, y[3], -k * y[2], y[5], -k * y[4]]

    # Two tilts, with theta = 1 and with theta' = 1 at the apex.
    start = [mpfr(0), speed, mpfr(1), mpfr(0), flight, mpfr(1)]
    scale = [mpfr("1e-4"), 1, 1, 1000, 1, 1000]
    run = Solution(rates, mpfr(0), start, tolerance=1e-19, scale=scale, columns=8, first=mpfr("1e-8"))
    run.run(mpfr(1), [(lambda t, y: y[0], -1)])
    _, _, a, a1, b, b1 = run.y
    trace = a + flight * a1 + b1
    root = sqrt(trace * trace - 4)
    return (trace - root) / 2, (trace + root) / 2


def closed_forms(ring):
    p = ring.p
    speed = sqrt(2 * ring.g * (p["z0"] - ring.r))
    yield "Estar", ring.modulus
    yield "K_total", ring.k
    yield "fall_time", speed / ring.g
    yield "impact_speed", speed
    yield "E0", ring.m * ring.g * p["z0"]
    mp.dps = 50
    for chi in ("0.05", "0.1", "0.2"):
        yield f"restitution_nogravity_{chi}", damped(mpf(chi) * mpf(str(speed)))["restitution"]
    bounce = hertz_bounce(*(mpf(str(x)) for x in (ring.m, ring.k, p["z0"] - ring.r, ring.g)))
    yield "delta_max_chi0", bounce["max_indentation_with_gravity"]
    yield "contact_duration_chi0", bounce["contact_duration_with_gravity"]
    yield "period_chi0", bounce["bounce_period"]


class Slices:
    """The leaning torus. y: position, quaternion, velocity, angular velocity in the body."""

    def __init__(self, ring, count, chi, friction):
        p = {k: float(v) for k, v in ring.p.items()}
        self.p, self.chi, self.friction = p, chi, friction
        self.k = float(ring.k) / count
        angle = 2 * np.pi * np.arange(count) / count
        self.c, self.s = np.cos(angle), np.sin(angle)

    def rotation(self, q):
        w, x, y, z = q / np.sqrt(q @ q)
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )

    def touching(self, y, turn):
        """Of the slices that touch: indentation, and the lowest point of the slice's circle in the body."""
        n, p = turn[2], self.p
        along = n[0] * self.c + n[1] * self.s
        length = np.sqrt(along**2 + n[2] ** 2)
        depth = p["r"] * length - p["R"] * along - y[2]
        on = depth > 0
        out = p["R"] - p["r"] * along[on] / length[on]
        points = np.stack([out * self.c[on], out * self.s[on], -p["r"] * n[2] / length[on]])
        return depth[on], points

    def rates(self, _, y):
        p = self.p
        turn = self.rotation(y[3:7])
        q, w = y[3:7], y[10:13]
        force, torque = np.zeros(3), np.zeros(3)
        if y[2] < p["r"] + p["R"]:
            depth, x = self.touching(y, turn)
            if depth.size:
                n = turn[2][:, None]
                v = (turn.T @ y[7:10])[:, None] + np.cross(w, x, axisb=0, axisc=0)
                normal_rate = (n * v).sum(0)
                normal = self.k * depth**1.5 * (1 - self.chi * normal_rate)
                slip = v - n * normal_rate
                speed = np.sqrt((slip * slip).sum(0))
                ratio = np.where(speed > 1e-15, np.tanh(p["k_t"] * speed) / np.maximum(speed, 1e-15), p["k_t"])
                f = n * normal - self.friction * normal * ratio * slip
                force, torque = f.sum(1), np.cross(x, f, axisa=0, axisb=0, axisc=0).sum(1)
        a, c = p["I_xi_xi"], p["I_zeta_zeta"]
        acceleration = turn @ force / p["mass"]
        acceleration[2] -= p["gravity"]
        return np.array(
            [
                *y[7:10],
                (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]) / 2,
                (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]) / 2,
                (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]) / 2,
                (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]) / 2,
                *acceleration,
                (torque[0] + (a - c) * w[1] * w[2]) / a,
                (torque[1] + (c - a) * w[2] * w[0]) / a,
                torque[2] / c,
            ]
        )

    def energies(self, y):
        p = self.p
        depth, _ = self.touching(y, self.rotation(y[3:7]))
        spin = (p["I_xi_xi"] * (y[10] ** 2 + y[11] ** 2) + p["I_zeta_zeta"] * y[12] ** 2) / 2
        return p["mass"] * (y[7:10] @ y[7:10]) / 2, spin, p["mass"] * p["gravity"] * y[2], 0.4 * self.k * (depth**2.5).sum()


def leaning(ring, parameters, count, case, until, tolerances):
    body = Slices(ring, count, parameters["chi_bar_default"], parameters["mu_case2"])
    rows = case["samples_5ms"]["rows"]
    y, t = np.array(rows[0][1:14]), 0.0
    scale = np.array([0.02] * 3 + [1.0] * 4 + [0.5] * 3 + [20.0] * 3)
    position, quaternion, velocity, spin, energy = tolerances
    allowed = [position] * 3 + [quaternion] * 4 + [velocity] * 3 + [spin] * 3 + [energy] * 4
    for i, row in enumerate(rows[1:], 1):
        if row[0] > until:
            return
        y = solve_ivp(body.rates, (t, row[0]), y, method="DOP853", rtol=1e-13, atol=1e-13 * scale, max_step=1e-3).y[:, -1]
        t = row[0]
        y[3:7] /= np.sqrt(y[3:7] @ y[3:7])
        for j, (value, size) in enumerate(zip([*y, *body.energies(y)], allowed), 1):
            yield ("case2", str(count), "samples_5ms", "rows", i, j), float(value), 0.0, size


def values(data):
    gmpy2.get_context().precision = 120
    ring = Ring(data["parameters"])
    for name, value in closed_forms(ring):
        # Of these two the file has 16 right digits: quadrature and integration agree with each other beyond.
        digits = 1e-15 if name in ("contact_duration_chi0", "period_chi0") else 1e-28
        yield ("closed_form_checks_case1", name), value, digits, 0.0
    for i, value in enumerate(tilt(ring)):
        # The product of both is 1; that of the file's is 1 - 1e-12.
        yield ("closed_form_checks_case1", "tilt_floquet_chi0", i), value, 2e-12, 0.0
    yield ("parameters", "E_star"), ring.modulus
    yield ("parameters", "K_total"), ring.k
    for key, case in data["case1"].items():
        if "contacts" not in case:
            continue
        chi = mpfr(repr(case["chi_bar"]))
        times = [mpfr(str(x)) for x in case["samples"]["t"]]
        contacts, samples = fall(ring, chi, mpfr(2), times)
        for i, contact in enumerate(contacts[: len(case["contacts"])]):
            for name, value in contact.items():
                yield ("case1", key, "contacts", i, name), value, 1e-13, 2e-15
        for i, (z, v) in enumerate(samples):
            free, whole = ring.energy(z, v)
            for name, value, size in (("z", z, 1e-14), ("vz", v, 1e-12), ("E_total", whole, 1e-14), ("E_without_elastic", free, 1e-14)):
                yield ("case1", key, "samples", name, i), value, 1e-13, size
        z, v = samples[-1]
        yield ("case1", key, "z_at_1s"), z, 1e-13, 1e-14
        yield ("case1", key, "vz_at_1s"), v, 1e-13, 1e-12
        yield ("case1", key, "E_total_at_1s"), ring.energy(z, v)[1], 1e-13, 0.0
    yield from leaning(ring, data["parameters"], 36, data["case2"]["36"], 1.0, (2e-8, 5e-7, 5e-7, 1e-5, 2e-9))
    yield from leaning(ring, data["parameters"], 18, data["case2"]["18"], 0.5, (1e-7, 2e-6, 2e-6, 1e-4, 1e-8))
