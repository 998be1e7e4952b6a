"""Motions of the figures of Contento et al. (2009): cubes and a cylinder near a plane, of any size.

The tractions are powers of the distance d, which is linear over a face. With A_n, the n-fold antiderivative of d^-nu, integration by parts gives

    integral of d^-nu u^i v^j over a rectangle = sum over k, l of (-1)^(k+l) j!/(j-k)! i!/(i-l)! q^-(k+1) p^-(l+1) [[u^(i-l) v^(j-k) A_(k+l+2)(d)]],

d = h + p u + q v, [[ ]] the difference over the four corners; over a side of a square the same with one variable. These differences cancel when p or q is small, which
65 digits make up for; below that a series takes over. Around a circle the integrals are Legendre's polynomials. Time is advanced by extrapolation to an error
of 1e-18 a step (where friction is stiff: 1e-16, by semi-implicit extrapolation). How much an error grows comes from a second motion that starts 1e-14 away.

    python -m oracles.short_range fig14        # the rows of `expect` of a figure, to be put into its recipe
"""

import math
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import product

import gmpy2
from gmpy2 import mpfr

from .extrapolation import Solution, Stiff

ABSOLUTE = RELATIVE = 0.0
BITS = 216
G, RHO = "9.81", 1000
AWAY = 1e-14
# Beyond this distance of its nearest corner a face is left out of the repulsion, whose exponent is 8: what it adds is less than 1e-16 of the weight.
FAR = 0.2


def antiderivative(nu, n, d, log_d):
    """The n-fold antiderivative of d^-nu."""
    if n < nu:
        return (-1) ** n * d ** (n - nu) * math.factorial(nu - 1 - n) / math.factorial(nu - 1)
    # nu-fold: d^-1 was integrated to a logarithm; further: d^m ln d/m! less its harmonic number.
    if nu == 0:
        return d**n / math.factorial(n)
    m = n - nu
    harmonic = sum(1 / mpfr(k) for k in range(1, m + 1))
    return (-1) ** (nu - 1) / mpfr(math.factorial(nu - 1)) * d**m / math.factorial(m) * (log_d - harmonic)


def along(nu, h, p, length, order):
    """Integrals of d^-nu u^i, i = 0 ... order, over 0 < u < length with d = h + p u."""
    e = p * length / h
    if abs(e) < 1e-5:
        result, factor = [mpfr(0)] * (order + 1), h**-nu
        for m in range(9):
            for i in range(order + 1):
                result[i] += factor * length ** (i + 1) / (m + i + 1)
            factor *= -e * (nu + m) / (m + 1)
        return result
    ends = [(mpfr(0), h), (length, h + p * length)]
    logs = [gmpy2.log(d) if order + 1 >= nu > 0 else None for _, d in ends]
    powers = [[antiderivative(nu, n, d, logs[e]) for n in range(1, order + 2)] for e, (_, d) in enumerate(ends)]
    result = []
    for i in range(order + 1):
        total = mpfr(0)
        for l in range(i + 1):
            c = (-1) ** l * math.factorial(i) // math.factorial(i - l) / p ** (l + 1)
            total += c * (length ** (i - l) * powers[1][l] - (powers[0][l] if i == l else 0))
        result.append(total)
    return result


@lru_cache(maxsize=None)
def terms(i, j):
    """(coefficient, k, l, corners whose u^(i-l) v^(j-k) is not zero) of the integration by parts; corners: sign, whether u and v are L."""
    f = math.factorial
    corners = [(1, 0, 0), (-1, 0, 1), (-1, 1, 0), (1, 1, 1)]
    return [
        ((-1) ** (k + l) * (f(j) // f(j - k)) * (f(i) // f(i - l)), k, l, [(c, s) for c, (s, u, v) in enumerate(corners) if (u or i == l) and (v or j == k)])
        for k in range(j + 1)
        for l in range(i + 1)
    ]


def antiderivatives(nu, d, order):
    """What `over` needs of a corner at the distance d: the n-fold antiderivatives of d^-nu, in their places."""
    log_d = gmpy2.log(d) if order + 2 >= nu > 0 else None
    return [None, None] + [antiderivative(nu, n, d, log_d) for n in range(2, order + 3)]


def over(nu, powers, p, q, length, order):
    """Integrals of d^-nu u^i v^j, i + j <= order, over a square, d rising by p along u and q along v; a table by (i, j). `powers`: of its corners, v running first."""
    table = [(i, j) for i in range(order + 1) for j in range(order + 1 - i)]
    if nu == 0:
        return {(i, j): length ** (i + j + 2) / ((i + 1) * (j + 1)) for i, j in table}
    ip, iq, lengths = [1 / p], [1 / q], [mpfr(1)]
    for _ in range(order):
        ip.append(ip[-1] * ip[0])
        iq.append(iq[-1] * iq[0])
        lengths.append(lengths[-1] * length)
    result = {}
    for i, j in table:
        total = mpfr(0)
        for c, k, l, corners in terms(i, j):
            part = 0
            for corner, s in corners:
                part += powers[corner][k + l + 2] if s > 0 else -powers[corner][k + l + 2]
            total += c * lengths[i - l + j - k] * iq[k] * ip[l] * part
        result[i, j] = total
    return result


class Square:
    """A square of side L in the plane; y: x, y, theta and their rates, y away from the support, which may slope.

    `attraction`: more powers (c, nu) of the distance, as adhesion has two. `growth`: a time and a rate by which the density grows from then on.
    """

    names = ("x", "y", "theta", "vx", "vy", "wz")

    def __init__(self, L, alpha, nu, damping=(0, 0), friction=(0, 0), slope=0, sides="BRTL", attraction=(), growth=(0, 0)):
        self.L, self.sides, self.growth = mpfr(L), sides, growth
        self.powers = [(mpfr(alpha), nu), *attraction]
        self.damping, self.friction = [(mpfr(c), n) for c, n in (damping, friction)]
        g = mpfr(G)
        self.g = -g * gmpy2.sin(mpfr(slope)), -g * gmpy2.cos(mpfr(slope))

    def rates(self, t, y):
        c, s, a, L = gmpy2.cos(y[2]), gmpy2.sin(y[2]), self.L / 2, self.L
        # A side from its first corner on: outward corner and direction, in the square's axes.
        sides = {"B": (-a, -a, 1, 0), "R": (a, -a, 0, 1), "T": (a, a, -1, 0), "L": (-a, a, 0, -1)}
        fx = fy = torque = mpfr(0)
        for side in self.sides:
            x0, y0, ex, ey = sides[side]
            rx, ry, ex, ey = c * x0 - s * y0, s * x0 + c * y0, c * ex - s * ey, s * ex + c * ey
            h, p = y[1] + ry, ey
            for coefficient, nu in self.powers:
                i = along(nu, h, p, L, 1)
                fy += coefficient * i[0]
                torque += coefficient * (rx * i[0] + ex * i[1])
            for (beta, nu), normal in ((self.damping, True), (self.friction, False)):
                if beta == 0:
                    continue
                i = along(nu, h, p, L, 2)
                # The velocity v0 + v1 u along its direction, and the arm r0 + r1 u.
                v0, v1 = (y[4] + y[5] * rx, y[5] * ex) if normal else (y[3] - y[5] * ry, -y[5] * ey)
                r0, r1 = (rx, ex) if normal else (-ry, -ey)
                f = -beta * (v0 * i[0] + v1 * i[1])
                torque -= beta * (r0 * v0 * i[0] + (r0 * v1 + r1 * v0) * i[1] + r1 * v1 * i[2])
                fx, fy = (fx, fy + f) if normal else (fx + f, fy)
        since, rate = self.growth
        m = RHO * (1 + rate * max(0, t - since)) * L * L
        return [y[3], y[4], y[5], fx / m + self.g[0], fy / m + self.g[1], torque * 6 / (m * L * L)]


class Hinge:
    """A cube of side L that falls about a hinge on the support, `beyond` its edge and in the plane of its bottom face, which is damped with the exponent 2; y: theta and omega = -theta'."""

    names = ("theta", "omega")

    def __init__(self, L, damping, beyond):
        self.L, self.damping, self.beyond = mpfr(L), damping, mpfr(beyond)

    def rates(self, _, y):
        theta, omega = y
        c, s, L, m, a = gmpy2.cos(theta), gmpy2.sin(theta), self.L, RHO * self.L**3, self.beyond + self.L / 2
        # At x from the hinge velocity, arm and distance are x cos(theta) omega, x cos(theta) and x sin(theta).
        braking = self.damping * L * L * omega * (c / s) ** 2
        weight = m * mpfr(G) * (a * c - L / 2 * s)
        return [-omega, (weight - braking) / (m * (L * L / 6 + a * a + L * L / 4))]


class Circle:
    """A cylinder of radius R over a level support; y as that of a square."""

    names = Square.names

    def __init__(self, R, d0, nu, damping, friction):
        """`friction`: its coefficient by that of repulsion, which carries the cylinder at d0."""
        self.R, self.nu = mpfr(R), nu
        weight = RHO * mpfr(G) * gmpy2.const_pi() * self.R**2
        self.alpha = weight / (self.R * self.integral(nu, self.R + mpfr(d0)))
        self.damping, self.friction = (mpfr(damping[0]), damping[1]), (friction[0] * self.alpha, friction[1])

    def integral(self, nu, a):
        """The integral of (a - R cos phi)^-nu around: 2 pi r^-nu P_(nu-1)(a/r), r^2 = a^2 - R^2."""
        r = gmpy2.sqrt(a * a - self.R * self.R)
        x, before, p = a / r, mpfr(1), a / r
        for k in range(1, nu - 1):
            before, p = p, ((2 * k + 1) * x * p - k * before) / (k + 1)
        return 2 * gmpy2.const_pi() * r**-nu * (p if nu > 1 else 1)

    def rates(self, _, y):
        R, a = self.R, y[1]

        def cosines(nu):
            """Integrals of d^-nu, d^-nu cos and d^-nu cos^2, by cos = (a - d)/R."""
            i0, i1, i2 = (self.integral(n, a) for n in (nu, nu - 1, nu - 2))
            return i0, (a * i0 - i1) / R, (a * a * i0 - 2 * a * i1 + i2) / (R * R)

        fx = torque = mpfr(0)
        beta, nu = self.damping
        i0, _, i2 = cosines(nu)
        fy = self.alpha * R * self.integral(self.nu, a) - beta * R * y[4] * i0
        torque -= beta * R**3 * y[5] * (i0 - i2)
        beta, nu = self.friction
        if beta:
            i0, i1, i2 = cosines(nu)
            fx -= beta * R * (y[3] * i0 + y[5] * R * i1)
            torque -= beta * R * R * (y[3] * i1 + y[5] * R * i2)
        m = RHO * gmpy2.const_pi() * R * R
        return [y[3], y[4], y[5], fx / m, fy / m - mpfr(G), torque * 2 / (m * R * R)]


class Cube:
    """A cube of side L over a level support, z up; y: position, quaternion (w, x, y, z), velocity, angular velocity."""

    names = ("x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz")

    def __init__(self, L, alpha, nu, damping, friction):
        self.L, self.alpha, self.nu = mpfr(L), mpfr(alpha), nu
        # Both have one exponent in all figures, so that their integrals are the same.
        (self.beta_d, self.nu_d), (self.beta_f, nu_f) = damping, friction
        assert self.nu_d == nu_f
        assert self.alpha / mpfr(FAR) ** nu < 1e-16 * RHO * mpfr(G) * self.L

    def rates(self, _, y):
        L = self.L
        Q = rotation(*y[3:7])
        v, w = y[7:10], y[10:13]
        # In the cube's axes: the force of repulsion, that times the place, and the moments of d^-nu_d over the boundary.
        push, arm = mpfr(0), [mpfr(0)] * 3
        whole, first, second = mpfr(0), [mpfr(0)] * 3, [[mpfr(0)] * 3 for _ in range(3)]
        d = {k: y[2] + (Q[2][0] * k[0] + Q[2][1] * k[1] + Q[2][2] * k[2]) * L / 2 for k in product((-1, 1), repeat=3)}
        repulsion = {k: antiderivatives(self.nu, d[k], 1) for k in d}
        resistance = {k: antiderivatives(self.nu_d, d[k], 2) for k in d} if self.nu_d else None
        for axis, sign in product(range(3), (-1, 1)):
            b, c = (axis + 1) % 3, (axis + 2) % 3
            p, q = Q[2][b], Q[2][c]
            corners = [tuple({axis: sign, b: u, c: v}[i] for i in range(3)) for u, v in product((-1, 1), repeat=2)]
            # A face from its corner (-L/2, -L/2) on; its third coordinate is the same everywhere.
            r = sign * L / 2
            if min(d[k] for k in corners) < FAR:
                m = over(self.nu, [repulsion[k] for k in corners], p, q, L, 1)
                push += m[0, 0]
                arm[axis] += r * m[0, 0]
                arm[b] += m[1, 0] - L / 2 * m[0, 0]
                arm[c] += m[0, 1] - L / 2 * m[0, 0]
            m = over(self.nu_d, resistance and [resistance[k] for k in corners], p, q, L, 2)
            x1, y1 = m[1, 0] - L / 2 * m[0, 0], m[0, 1] - L / 2 * m[0, 0]
            whole += m[0, 0]
            first[axis] += r * m[0, 0]
            first[b] += x1
            first[c] += y1
            second[axis][axis] += r * r * m[0, 0]
            second[b][b] += m[2, 0] - L * m[1, 0] + L * L / 4 * m[0, 0]
            second[c][c] += m[0, 2] - L * m[0, 1] + L * L / 4 * m[0, 0]
            for i, j, value in ((axis, b, r * x1), (axis, c, r * y1), (b, c, m[1, 1] - L / 2 * (x1 + m[0, 1]))):
                second[i][j] += value
                second[j][i] += value
        n = turned(Q, arm)
        f = [mpfr(0), mpfr(0), self.alpha * push]
        torque = [self.alpha * n[1], -self.alpha * n[0], mpfr(0)]
        # Q S Q^T
        second = list(zip(*(turned(Q, row) for row in zip(*(turned(Q, row) for row in second)))))
        self.resist(whole, turned(Q, first), second, v, w, f, torque)
        mass = RHO * L**3
        inertia = mass * L * L / 6
        qw, qx, qy, qz = y[3:7]
        spin = [
            (-w[0] * qx - w[1] * qy - w[2] * qz) / 2,
            (w[0] * qw + w[1] * qz - w[2] * qy) / 2,
            (w[1] * qw + w[2] * qx - w[0] * qz) / 2,
            (w[2] * qw + w[0] * qy - w[1] * qx) / 2,
        ]
        return [*v, *spin, f[0] / mass, f[1] / mass, f[2] / mass - mpfr(G), *(t / inertia for t in torque)]

    def resist(self, whole, first, second, v, w, f, torque):
        """Adds damping and friction, both linear in the velocity v + w x r, by the moments of d^-nu_d over the boundary: of 1, r and r r^T."""
        W = [[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]]
        beta = (self.beta_f, self.beta_f, self.beta_d)
        # q_i = -beta_i (v_i + W_ik r_k): its integral, and that of q_i r_j
        force = [-beta[i] * (v[i] * whole + sum(W[i][k] * first[k] for k in range(3))) for i in range(3)]
        moment = [
            [-beta[i] * (v[i] * first[j] + sum(W[i][k] * second[k][j] for k in range(3))) for j in range(3)] for i in range(3)
        ]
        for i in range(3):
            f[i] += force[i]
            j, k = (i + 1) % 3, (i + 2) % 3
            torque[i] += moment[k][j] - moment[j][k]


def turned(Q, v):
    return [Q[i][0] * v[0] + Q[i][1] * v[1] + Q[i][2] * v[2] for i in range(3)]


def rotation(w, x, y, z):
    s = 2 / (w * w + x * x + y * y + z * z)
    return [
        [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
    ]


def path(body, start, times, growth=True, stiff=False):
    """(time, state, growth of an error of the start if asked for) at the given times."""
    begin = [mpfr(v) for v in start]
    twin = [v + AWAY * (-1) ** i for i, v in enumerate(begin)]

    def solution(y):
        method, tolerance, columns = (Stiff, 1e-16, 8) if stiff else (Solution, 1e-18, 10)
        return method(body.rates, mpfr(0), y, tolerance=tolerance, columns=columns, scale=1)

    runs = [solution(y) for y in ([begin, twin] if growth else [begin])]
    for t in times:
        for run in runs:
            run.run(mpfr(str(t)))
        apart = max(abs(float(a - b)) for a, b in zip(runs[0].y, runs[-1].y))
        yield t, runs[0].y, apart / AWAY


def cases():
    """{(figure, run): (body, start, times)} with the sizes of the scenes."""
    from . import short_range_cases

    return short_range_cases.CASES


def tolerance(growth):
    """What a run may differ by: 1e-9, or what 1e-11 at the start grows to, in two digits."""
    return float(f"{max(1e-9, 1e-11 * growth):.1e}")


def rows(figure):
    """The rows of `expect` of a figure, as lines of its recipe."""
    for (name, run), case in cases().items():
        if name != figure:
            continue
        for t, y, growth in path(*case(), stiff=case.stiff):
            for what, of, value in case.quantities(y):
                print(
                    f'    {{ what = "{case.label}{what} at {t:g} s", run = "{run}", of = "{of}", at = {t:g}, '
                    f"value = {float(value):.15g}, tolerance = {tolerance(growth):g} }},",
                    flush=True,
                )


def solved(key, needed):
    """{time: {quantity: value}} of a case at the times that are needed."""
    gmpy2.get_context().precision = BITS
    case = cases()[key]
    body, start, times = case()
    return key, {
        t: {of: float(v) for _, of, v in case.quantities(y)} for t, y, _ in path(body, start, sorted({*times, *needed}), growth=False, stiff=case.stiff)
    }


def outputs(row, key):
    """The output times that a row looks at: one, or with `over` all from there on."""
    if "over" not in row:
        return [row["at"]]
    end, step = cases()[key].outputs
    return [round(n * step, 9) for n in range(round(row["at"] / step), round(end / step) + 1)]


def values(data):
    """The expected values of the recipe that have no other source; each motion in a process of its own."""
    rows = []
    for f, figure in enumerate(data["figure"]):
        for e, row in enumerate(figure.get("expect", [])):
            runs = [(figure["name"], row[name]) for name in ("run", "less") if name in row]
            if "source" not in row and "at" in row and "value" in row and all(key in cases() for key in runs):
                rows.append((("figure", f, "expect", e, "value"), row, runs))
    needed = {}
    for _, row, runs in rows:
        for key in runs:
            needed.setdefault(key, set()).update(outputs(row, key))
    with ProcessPoolExecutor() as pool:
        known = dict(pool.map(solved, needed, needed.values()))
    for place, row, runs in rows:
        of = [max(known[key][t][row["of"]] for t in outputs(row, key)) for key in runs]
        yield place, of[0] - sum(of[1:]), 0.0, row["tolerance"] / 10


if __name__ == "__main__":
    gmpy2.get_context().precision = BITS
    for figure in sys.argv[1:]:
        rows(figure)
