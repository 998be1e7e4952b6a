"""Repulsion on an ellipsoid near or within a sphere or a cylinder: potential and force, by quadrature over its surface.

The integrand d^-nu is smooth: Gauss' rule in the polar angle and the trapezoidal rule around converge exponentially, here with 600 and 1200 points about the x axis of
the ellipsoid, in double precision. Distances are those of the surfaces' formulas, |p| - R and its like.
"""

import numpy as np

RELATIVE = 1e-12
ABSOLUTE = 1e-14
DIGITS = 16


def points(axes):
    """Points of an ellipsoid about x and their areas."""
    a, b, c = axes
    x, w = np.polynomial.legendre.leggauss(600)
    polar, w = np.pi * (x + 1) / 2, w * np.pi / 2
    around = 2 * np.pi * np.arange(1200) / 1200
    s, t = np.sin(polar)[:, None], np.cos(polar)[:, None]
    cp, sp = np.cos(around)[None, :], np.sin(around)[None, :]
    p = np.stack([a * t + 0 * cp, b * s * cp, c * s * sp])
    # |dp/dpolar x dp/daround|
    area = s * np.sqrt((b * c * t) ** 2 + (a * c * s * cp) ** 2 + (a * b * s * sp) ** 2)
    return p, area * w[:, None] * (2 * np.pi / 1200)


def values(data):
    for i, case in enumerate(data["cases"]):
        p, area = points(case["semi_axes"])
        p = p + np.array(case["position"])[:, None, None]
        # A cylinder is about z.
        flat = p.copy()
        if case["support"] in ("cylinder", "tube"):
            flat[2] = 0
        r = np.sqrt((flat**2).sum(axis=0))
        sign = -1 if case["support"] in ("bowl", "tube") else 1
        d, n, nu = sign * (r - case["radius"]), sign * flat / r, case["exponent"]
        yield ("cases", i, "potential"), float((area * d ** (1 - nu)).sum() / (nu - 1))
        for k in range(3):
            yield ("cases", i, "force", k), float((area * d**-nu * n[k]).sum())


def bowl_rest(a=0.06, R=0.5, alpha=6e-8, rho=1000, g=9.81, nu=5):
    """The distance r from the middle of a bowl at which a ball rests: the closed form of its force is its weight."""
    from mpmath import mp, mpf, pi

    mp.dps = 30
    a, R, alpha, g = (mpf(str(v)) for v in (a, R, alpha, g))

    def potential(r):
        def part(x):  # antiderivative of x (R - x)^(1 - nu) by x
            s = R - x
            return -(R * s ** (2 - nu) / (2 - nu) - s ** (3 - nu) / (3 - nu))

        return alpha / (nu - 1) * 2 * pi * a / r * (part(r + a) - part(r - a))

    weight = rho * 4 * pi / 3 * a**3 * g
    low, high = mpf("0.42"), mpf("0.4395")
    for _ in range(90):
        r = (low + high) / 2
        low, high = (r, high) if mp.diff(potential, r) < weight else (low, r)
    return r


def slide(times, r=0.5655, angle=0.1, a=0.06, R=0.5, alpha=6e-8, rho=1000, g=9.81, nu=5):
    """(t, x, z) of a ball that slides over a cylinder: in polar coordinates, the force a function of the distance from its axis, by quadrature."""
    from scipy.integrate import solve_ivp

    n = 120
    x, w = np.polynomial.legendre.leggauss(n)
    around = np.pi * (np.arange(2 * n) + 0.25) / n
    s = np.sqrt(1 - x * x)[:, None]
    across, up = a * s * np.cos(around), a * x[:, None] + 0 * around
    area = a * a * w[:, None] * np.pi / n + 0 * around
    m = rho * 4 / 3 * np.pi * a**3

    def force(r):
        rx, ry = r + across, up
        d = np.hypot(rx, ry) - R
        return float((area * alpha * d**-nu * rx / np.hypot(rx, ry)).sum())

    def rates(_, y):
        r, q, vr, w = y
        return [vr, w, r * w * w - g * np.cos(q) + force(r) / m, (g * np.sin(q) - 2 * vr * w) / r]

    run = solve_ivp(rates, (0, max(times)), [r, angle, 0, 0], method="DOP853", rtol=1e-12, atol=1e-13, t_eval=times)
    return [(t, y[0] * np.sin(y[1]), y[0] * np.cos(y[1]), force(y[0]) / (m * g)) for t, y in zip(run.t, run.y.T)]


if __name__ == "__main__":
    print("bowl:", bowl_rest())
    for row in slide([0.2, 0.4, 0.6, 0.8, 1.0]):
        print("cylinder: t %g x %.12g z %.12g force by weight %.6g" % row)
