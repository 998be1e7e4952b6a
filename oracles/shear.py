"""How stiff an elliptical contact is along its axes, as a part of how stiff it is along the normal, by integrating Boussinesq's and Cerruti's solutions numerically, unlike the crate, which has elliptic integrals.

The tractions p₀/√(1 − x²/a² − y²/b²) along the normal and along x or y press and shift a half-space by

u_z = (1 − ν)/(2πG) ∫ p/r dA,  u_x = 1/(2πG) ∫ q [(1 − ν)/r + ν x²/r³] dA,

x and r from the load to the point. They are the same at every point of the ellipse; here they are taken at one that is on no axis, in polar coordinates about it. The semi-axes of Hertz's ellipse follow from the ratio of the
relative curvatures by the classical K and E. (mpmath, 20 digits.)
"""

import functools

from mpmath import mp, mpf

RELATIVE, ABSOLUTE = 1e-12, 0.0

mp.dps = 20


def axis_ratio(ratio):
    """b/a of the ellipse for the ratio B/A of the relative curvatures."""

    def excess(q):
        m = 1 - q * q
        k, e = mp.ellipk(m), mp.ellipe(m)
        return mp.log((e / (1 - m) - k) / (k - e)) - mp.log(ratio)

    return mp.findroot(excess, (mpf(ratio) ** (-mpf(2) / 3), mpf(ratio) ** (-mpf(1) / 2)), solver="secant")


@functools.cache
def integrals(ratio):
    """∫ p/r dA, ∫ p x²/r³ dA and ∫ p y²/r³ dA for a = p₀ = 1."""
    b = axis_ratio(ratio)
    x0, y0 = mpf("0.31"), mpf("0.47") * b
    alpha = 1 - x0**2 - (y0 / b) ** 2

    def chord(theta):
        """∫ p ds from the point to the edge."""
        cos, sin = mp.cos(theta), mp.sin(theta)
        beta, gamma = x0 * cos + y0 * sin / b**2, cos**2 + (sin / b) ** 2
        end = (-beta + mp.sqrt(beta**2 + alpha * gamma)) / gamma
        other = (-beta - mp.sqrt(beta**2 + alpha * gamma)) / gamma
        # p = 1/√(γ (end − s)(s − other)); s = end − t²
        return mp.quad(lambda t: 2 / mp.sqrt(gamma * (end - t * t - other)), [0, mp.sqrt(end)])

    # (the narrow directions near the x-axis by themselves)
    turns = sorted({mp.pi * mpf(k) / 2 + s * c for k in range(5) for s in (-1, 0, 1) for c in (b / 2, 2 * b, mpf("0.7")) if 0 <= mp.pi * mpf(k) / 2 + s * c <= 2 * mp.pi})
    whole = lambda f: mp.quad(lambda theta: f(theta) * chord(theta), turns)
    return whole(lambda t: mpf(1)), whole(lambda t: mp.cos(t) ** 2), whole(lambda t: mp.sin(t) ** 2)


def stiffness(ratio, materials):
    """κ along a and along b for the materials [G, ν] of both bodies."""
    r, xx, yy = integrals(ratio)
    normal = sum((1 - mpf(nu)) / mpf(g) * r for g, nu in materials)
    along, across = (sum(((1 - mpf(nu)) * r + mpf(nu) * part) / mpf(g) for g, nu in materials) for part in (xx, yy))
    return normal / along, normal / across


def values(data):
    for i, row in enumerate(data["rows"]):
        along, across = stiffness(row["ratio"], [row["a"], row["b"]])
        yield ("rows", i, "along"), along
        yield ("rows", i, "across"), across
