"""Rigid bodies near a plane under short-range tractions: closed forms, and motions in the plane.

The traction at the distance d is alpha d^-nu along the normal, less beta_d d^-nu_d times the normal velocity, less beta_f d^-nu_f times the
velocity along the plane, less the adhesion beta_a ((d/d_a)^-nu_aa - (d/d_a)^-nu_ar). Over the sides of a square by Gauss' rule in the
logarithm of the distance, around a circle by the trapezoidal rule. In double precision with the steps of DOP853 of SciPy: this
checks the file to about 1e-11 times what the motion makes of an error, which the file tells.
"""

import math

import numpy as np
from mpmath import mp, mpf, quad, sin, sqrt
from mpmath import pi as mpi
from scipy.integrate import solve_ivp

from .planar import HEIGHTS
from .simplex import average

RELATIVE = 1e-12
ABSOLUTE = 0.0
G = 9.81
# Cases in the plane that have not been followed to their end with these steps: they take minutes.
NOT_YET = ("fig13a_ceiling", "fig14_rolling")
SIDES = {"B": (-1, -1, 1, -1), "R": (1, -1, 1, 1), "T": (1, 1, -1, 1), "L": (-1, 1, -1, -1)}
NODES, WEIGHTS = np.polynomial.legendre.leggauss(48)
NODES, WEIGHTS = (NODES + 1) / 2, WEIGHTS / 2


def bounce(d0, height, nu):
    """(period, smallest distance) of a flat face let go `height` above d0, where it would rest: d'' = g ((d0/d)^nu - 1)."""
    mp.dps = 50
    g, d0 = mpf("9.81"), mpf(str(d0))
    top = d0 + mpf(str(height))

    def energy(d):
        return g * d + g * d0**nu * d ** (1 - nu) / (nu - 1)

    total = energy(top)
    # The lower turning point is below d0: by halving.
    low, high = d0 / 100, d0
    for _ in range(170):
        middle = (low + high) / 2
        low, high = (middle, high) if energy(middle) > total else (low, middle)

    def time(a):
        """Between both turning points as a sine, so that the ends are smooth."""
        d = (top + low) / 2 + (top - low) / 2 * sin(a)
        return sqrt((top - d) * (d - low) / (2 * (total - energy(d))))

    # Gauss' points stay away from the ends, where the root is of rounding over rounding.
    period = 2 * quad(time, [-mpi / 2, 0, mpi / 2], method="gauss-legendre")
    return period, low


def nodes(near, far):
    """Places between 0 and 1 and weights, for integrands in powers of a distance that goes from one value to the other."""
    stretch = math.log(far / near)
    if abs(stretch) < 1e-12:
        return NODES, WEIGHTS
    grown = np.expm1(NODES * stretch)
    return grown / math.expm1(stretch), WEIGHTS * stretch * (grown + 1) / math.expm1(stretch)


class Body:
    """A square or a circle in the plane; y: x, y, theta, their rates, and the energy lost."""

    def __init__(self, p):
        self.p = p
        self.round = p.get("shape") == "cylinder"
        size = p["R"] if self.round else p["L"]
        self.area = math.pi * size**2 if self.round else size**2
        self.gyration = size**2 / 2 if self.round else size**2 / 6
        slope = p.get("slope", 0.0)
        self.gravity = p.get("gx", -G * math.sin(slope)), p.get("gy", -G * math.cos(slope))

    def mass(self, t):
        p = self.p
        grown = p.get("rho_rate", 0.0) * max(0.0, t - p.get("rho_t0", 0.0))
        return p["rho"] * (1 + grown) * self.area

    def boundary(self, y):
        """Points relative to the centre, their distances and lengths of boundary, a list of arrays."""
        c, s = math.cos(y[2]), math.sin(y[2])
        if self.round:
            radius, gap = self.p["R"], y[1] - self.p["R"]
            n = int(52 / math.acosh(1 + gap / radius)) + 24
            a = 2 * math.pi * np.arange(n) / n
            yield radius * np.sin(a), -radius * np.cos(a), gap + 2 * radius * np.sin(a / 2) ** 2, np.full(n, 2 * math.pi * radius / n)
            return
        half = self.p["L"] / 2
        for side in self.p["faces"]:
            x0, y0, x1, y1 = (half * v for v in SIDES[side])
            ax, ay, bx, by = c * x0 - s * y0, s * x0 + c * y0, c * x1 - s * y1, s * x1 + c * y1
            q, w = nodes(y[1] + ay, y[1] + by)
            # The distance from its nearer end, so that nothing cancels.
            d = y[1] + ay + (by - ay) * q if ay <= by else y[1] + by + (ay - by) * (1 - q)
            yield ax + (bx - ax) * q, ay + (by - ay) * q, d, w * self.p["L"]

    def rates(self, t, y):
        p = self.p
        fx = fy = torque = lost = 0.0
        for rx, ry, d, w in self.boundary(y):
            vx, vy = y[3] - y[5] * ry, y[4] + y[5] * rx
            resist = p.get("beta_d", 0.0) * d ** -p["nu_d"]
            along = p.get("beta_f", 0.0) * d ** -p.get("nu_f", 0.0)
            normal = p["alpha_r"] * d ** -p["nu_r"] - resist * vy
            if "beta_a" in p:
                u = d / p["d_a"]
                normal = normal - p["beta_a"] * (u ** -p["nu_aa"] - u ** -p["nu_ar"])
            tangent = -along * vx
            fx += w @ tangent
            fy += w @ normal
            torque += w @ (rx * normal - ry * tangent)
            lost += w @ (resist * vy * vy + along * vx * vx)
        m = self.mass(t)
        return [y[3], y[4], y[5], fx / m + self.gravity[0], fy / m + self.gravity[1], torque / (m * self.gyration), lost / p["rho"]]


def motion(name, case):
    body = Body(case["params"])
    y = np.array([*case["initial_state"].values(), 0.0])
    t = 0.0
    kink = case["params"].get("rho_t0")
    for i, row in enumerate(case["reference"]):
        # A step must not go past the instant at which the density starts to grow.
        for end in sorted({row["t"], kink} if kink and t < kink < row["t"] else {row["t"]}):
            if end > t:
                run = solve_ivp(body.rates, (t, end), y, method="DOP853", rtol=1e-13, atol=1e-14)
                t, y = end, run.y[:, -1]
        if not row["usable_to_1e-8"]:
            break
        tolerance = max(1e-11, 1e-12 * row["amplification_1e9"], 10 * row["trust_abs"])
        for value, key in zip(y, case["state_order"]):
            yield ("cases", name, "reference", i, "state", key), float(value), 1e-11, tolerance
        yield ("cases", name, "reference", i, "dissipated_J"), float(y[6] * body.p["rho"]), 1e-10, body.p["rho"] * body.area * tolerance


def values(data):
    for name, row in data["vertical_bounce_closed_form"].items():
        period, least = bounce(row["d0"], row["v0"], row["nu_r"])
        yield ("vertical_bounce_closed_form", name, "period"), period
        yield ("vertical_bounce_closed_form", name, "d_min"), least
    for nu, row in data["linear_frequencies_square_L1"].items():
        mp.dps = 30
        d, g, n = mpf(str(row["d0"])), mpf("9.81"), int(nu)
        bounce_rate, rock_rate = sqrt(n * g / d), sqrt(n * g / (2 * d) - 3 * g)
        yield ("linear_frequencies_square_L1", nu, "omega_v"), bounce_rate
        yield ("linear_frequencies_square_L1", nu, "omega_r"), rock_rate
        yield ("linear_frequencies_square_L1", nu, "ratio"), rock_rate / bounce_rate, 1e-9, 0.0
    triangle = "triangle_closed_form_vs_adaptive"
    for i, row in enumerate(data["quadrature"][triangle]):
        yield ("quadrature", triangle, i, "value"), average(HEIGHTS, row["nu"], row["m"]) / 2, 1e-15, 0.0
    for name, case in data["cases"].items():
        if case["model"] == "plane_rigid" and name not in NOT_YET:
            yield from motion(name, case)
