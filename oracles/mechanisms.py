"""Andrews' squeezing mechanism, a slider-crank, and a heavy symmetric top.

The squeezer by its positions of centres of mass and angles of bodies as functions of seven angles: mass matrix, constraints and their
derivatives follow in one way for all, in 34 digits. The accelerations and multipliers solve
M q'' + G^T lambda = f, G q'' = -G' q'.
"""

import gmpy2
from gmpy2 import asin, const_pi, cos, mpfr, sin, sqrt
from mpmath import cos as mcos
from mpmath import findroot, mp, mpf, quad
from mpmath import pi as mpi
from mpmath import sin as msin

from .extrapolation import Solution

RELATIVE = 1e-14
ABSOLUTE = 1e-15


def unit(*which):
    """The sum of some of the seven angles."""
    return [int(i in which) for i in range(7)]


BETA, BETA_THETA, GAMMA = unit(0), unit(0, 1), unit(2)
DELTA, PHI_DELTA, EPSILON, OMEGA_EPSILON = unit(4), unit(3, 4), unit(6), unit(5, 6)


class Squeezer:
    """A point is a list of (length, angle as a sum, quarter turns): the sum of length (cos, sin)(angle + quarters pi/2)."""

    def __init__(self, definition):
        g = {k: mpfr(repr(v)) for k, v in definition["lengths"].items()}
        p = {k: mpfr(repr(v)) for k, v in definition["points"].items()}
        m = [mpfr(repr(definition["masses"][f"m{i}"])) for i in range(1, 8)]
        inertia = [mpfr(repr(definition["inertias"][f"I{i}"])) for i in range(1, 8)]
        # A quarter turn back makes (sin, -cos), one forward (-sin, cos).
        bodies = [
            (BETA, [(g["ra"], BETA, 0)]),
            (BETA_THETA, [(g["rr"], BETA, 0), (-g["da"], BETA_THETA, 0)]),
            (GAMMA, [(g["sa"], GAMMA, -1), (g["sb"], GAMMA, 0)]),
            (PHI_DELTA, [(g["zt"], DELTA, 0), (g["e"] - g["ea"], PHI_DELTA, -1)]),
            (DELTA, [(g["ta"], DELTA, -1), (-g["tb"], DELTA, 0)]),
            (OMEGA_EPSILON, [(g["u"], EPSILON, -1), (g["zf"] - g["fa"], OMEGA_EPSILON, 0)]),
            (EPSILON, [(g["ua"], EPSILON, -1), (-g["ub"], EPSILON, 0)]),
        ]
        self.bodies = [(m[i], inertia[i], angle, point) for i, (angle, point) in enumerate(bodies)]
        arm = [(g["rr"], BETA, 0), (-g["d"], BETA_THETA, 0)]
        # Three points of other bodies meet the end of the arm.
        self.loops = [
            arm + [(-g["ss"], GAMMA, -1)],
            arm + [(-g["e"], PHI_DELTA, -1), (-g["zt"], DELTA, 0)],
            arm + [(-g["zf"], OMEGA_EPSILON, 0), (-g["u"], EPSILON, -1)],
        ]
        self.spring = [(g["sd"], GAMMA, 0), (g["sc"], GAMMA, -1)]
        self.anchor = (p["xb"] - p["xc"], p["yb"] - p["yc"])
        self.stiffness, self.rest = mpfr(definition["spring_stiffness_c0"]), g["l0"]
        self.torque = mpfr(repr(definition["drive_torque"]))

    def motion(self, point, q, rates):
        """Position, its derivatives by the angles (two lists), and the acceleration at constant rates, of a point."""
        place, along, bias = [mpfr(0)] * 2, [[mpfr(0)] * 7, [mpfr(0)] * 7], [mpfr(0)] * 2
        for length, angle, quarters in point:
            phi = sum(x for x, a in zip(q, angle) if a)
            rate = sum(x for x, a in zip(rates, angle) if a)
            c, s = length * cos(phi), length * sin(phi)
            if quarters == -1:
                c, s = s, -c
            place = [place[0] + c, place[1] + s]
            bias = [bias[0] - c * rate * rate, bias[1] - s * rate * rate]
            for i, a in enumerate(angle):
                if a:
                    along[0][i] -= s
                    along[1][i] += c
        return place, along, bias

    def accelerations(self, y):
        """The seven accelerations and the six multipliers."""
        q, rates = y[:7], y[7:]
        matrix = [[mpfr(0)] * 14 for _ in range(13)]
        for mass, inertia, angle, point in self.bodies:
            _, along, bias = self.motion(point, q, rates)
            used = [i for i in range(7) if along[0][i] or along[1][i] or angle[i]]
            for i in used:
                matrix[i][13] -= mass * (along[0][i] * bias[0] + along[1][i] * bias[1])
                for j in used:
                    matrix[i][j] += mass * (along[0][i] * along[0][j] + along[1][i] * along[1][j]) + inertia * angle[i] * angle[j]
        place, along, _ = self.motion(self.spring, q, rates)
        dx, dy = place[0] + self.anchor[0], place[1] + self.anchor[1]
        length = sqrt(dx * dx + dy * dy)
        pull = self.stiffness * (length - self.rest) / length
        for i in range(7):
            matrix[i][13] -= pull * (dx * along[0][i] + dy * along[1][i])
        matrix[0][13] += self.torque
        for k, loop in enumerate(self.loops):
            _, along, bias = self.motion(loop, q, rates)
            for d in range(2):
                row = 7 + 2 * k + d
                for i in range(7):
                    matrix[i][row] = matrix[row][i] = along[d][i]
                matrix[row][13] = -bias[d]
        return eliminate(matrix)

    def rates(self, _, y):
        return y[7:] + self.accelerations(y)[:7]


def eliminate(matrix):
    """The solution of linear equations, the right-hand side being the last column: Gauss with pivots."""
    n = len(matrix)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(matrix[i][k]))
        matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
        row = matrix[k]
        for i in range(k + 1, n):
            if matrix[i][k] != 0:
                factor = matrix[i][k] / row[k]
                matrix[i] = [0] * (k + 1) + [x - factor * y for x, y in zip(matrix[i][k + 1 :], row[k + 1 :])]
    x = [None] * n
    for k in reversed(range(n)):
        x[k] = (matrix[k][n] - sum(matrix[k][j] * x[j] for j in range(k + 1, n))) / matrix[k][k]
    return x


def squeezer(table):
    machine = Squeezer(table["definition"])
    # The start is taken as it is written, to 17 digits: the loops are closed to rounding.
    q = [mpfr(x) for x in table["definition"]["initial_q"]]
    run = Solution(machine.rates, mpfr(0), q + [mpfr(0)] * 7, tolerance=1e-19, scale=[1] * 7 + [1000] * 7, columns=8, first=mpfr("1e-5"))
    name = "accelerations_and_multipliers"
    for i, x in enumerate(machine.accelerations(run.y)):
        yield ("andrews_squeezer", name, "0", i), x, 1e-11, 1e-9
    for time in table["q_and_rates"]:
        run.run(mpfr(time))
        for i, x in enumerate(run.y):
            yield ("andrews_squeezer", "q_and_rates", time, i), x, 2e-13, 0.0
        if time in table[name]:
            for i, x in enumerate(machine.accelerations(run.y)):
                yield ("andrews_squeezer", name, time, i), x, 1e-11, 0.0


def slider_crank(table):
    """The crank turns steadily; x is the slider's position, phi the rod's angle."""
    p = table["params"]
    r, l = mpfr(repr(p["crank"])), mpfr(repr(p["rod"]))
    w = p["crank_rpm"] * const_pi() / 30
    for key in table:
        if not key.endswith("deg"):
            continue
        a = int(key[:-3]) * const_pi() / 180
        phi = -asin(r * sin(a) / l)
        phi1 = -r * w * cos(a) / (l * cos(phi))
        phi2 = (r * w * w * sin(a) / l + phi1 * phi1 * sin(phi)) / cos(phi)
        found = {
            "x": r * cos(a) + l * cos(phi),
            "xdot": -r * w * sin(a) - l * phi1 * sin(phi),
            "xddot": -r * w * w * cos(a) - l * (phi2 * sin(phi) + phi1 * phi1 * cos(phi)),
            "phi": phi,
            "phidot": phi1,
            "phiddot": phi2,
        }
        size = {"xdot": r * w, "xddot": r * w * w, "phidot": w, "phiddot": w * w}
        for name, value in found.items():
            yield ("ideal_slider_crank", key, name), value, 2e-15, float(1e-15 * size.get(name, 0.1))


def top(table):
    """Released at rest but for its spin: the vertical and the axial angular momentum and the energy are kept."""
    mp.dps = 40
    i1, i3, weight = mpf("0.002"), mpf("0.0008"), mpf("0.5") * mpf("9.81") * mpf("0.04")
    spin = i3 * 150
    start = mpi / 6
    u0 = mcos(start)
    # With u = cos theta: u'^2 = (u0 - u) (2 weight (1 - u^2)/i1 - spin^2 (u0 - u)/i1^2) =: (u0 - u)(u - low) rest(u)
    rest = findroot(lambda u: 2 * weight * (1 - u * u) / i1 - spin**2 * (u0 - u) / i1**2, u0 - mpf("0.02"))
    other = spin**2 / (2 * weight * i1) - rest  # the third root: the sum of both is spin^2/(2 weight i1)
    lead = 2 * weight / i1
    yield ("heavy_symmetric_top", "theta_range", 0), start
    yield ("heavy_symmetric_top", "theta_range", 1), mp.acos(rest)

    def rate(a):
        """u between its bounds as the square of a sine: the integrand is smooth."""
        u = rest + (u0 - rest) * msin(a) ** 2
        return 2 / mp.sqrt(lead * (other - u))

    yield ("heavy_symmetric_top", "nutation_period"), 2 * quad(rate, [0, mpi / 2])
    a1, w, s = mpfr("0.002"), mpfr("0.5") * mpfr("9.81") * mpfr("0.04"), mpfr("0.12")
    c0 = cos(const_pi() / 6)

    def f(_, y):
        c, n = cos(y[0]), sin(y[0])
        turning = s * (c0 - c) / (a1 * n * n)
        return [y[1], (a1 * turning * turning * n * c - s * turning * n + w * n) / a1]

    run = Solution(f, mpfr(0), [const_pi() / 6, mpfr(0)], tolerance=1e-24, columns=10, first=mpfr("1e-3"))
    for key in table["theta"]:
        run.run(mpfr(key[2:]))
        yield ("heavy_symmetric_top", "theta", key, "theta"), run.y[0]


def values(data):
    gmpy2.get_context().precision = 113
    yield from slider_crank(data["ideal_slider_crank"])
    yield from top(data["heavy_symmetric_top"])
    yield from squeezer(data["andrews_squeezer"])
