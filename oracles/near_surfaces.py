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
