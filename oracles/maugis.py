"""Adhesion of spheres by Maugis' equations (J. Colloid Interface Sci. 150 (1992) 243-269), in his units: forces by π w R, indentations by (π² w² R/K²)^(1/3), K = 4E*/3, energies by both.

His three equations in a and m = c/a are solved as printed, in 50 digits; the engine has them in an angle, with series. Surfaces that do not touch: a uniform stress on a disc of radius c displaces its rim by
(4/π) σ c/E*, its middle by 2 σ c/E*. Energies are integrals of the force over the indentation along the equilibria, from surfaces that do not act on each other; the engine has a closed form.
"""

from mpmath import acos, findroot, mp, mpf, pi, quad, sqrt

RELATIVE, ABSOLUTE = 1e-13, 1e-13

mp.dps = 50


def radius(lam, m):
    """a of m, from λ a²/2 [√(m²−1) + (m²−2) arctan √(m²−1)] + 4λ² a/3 [√(m²−1) arctan √(m²−1) − m + 1] = 1."""
    root, angle = sqrt(m * m - 1), acos(1 / m)
    p, q = lam / 2 * (root + (m * m - 2) * angle), 4 * lam**2 / 3 * (root * angle - m + 1)
    return (-q + sqrt(q * q + 4 * p)) / (2 * p)


def in_contact(lam, m):
    """(δ, F) of m."""
    a, root = radius(lam, m), sqrt(m * m - 1)
    return a * a - mpf(4) / 3 * lam * a * root, a**3 - lam * a * a * (root + m * m * acos(1 / m))


def across_gap(lam, c):
    """(δ, F) of c where the surfaces do not touch: the gap at the rim is w/σ = 2/(πλ), and 4σ/(πE*) is 8λ/(3π) in these units."""
    return c * c / 2 - 8 * lam / (3 * pi) * c - 2 / (pi * lam), -pi * lam / 2 * c * c


def first_touch(lam):
    """c at which the gap closes in the middle, which is displaced by π/2 times as much as the rim."""
    rim = 8 * lam / (3 * pi)
    # −δ = (π/2) rim c
    return findroot(lambda c: across_gap(lam, c)[0] + pi / 2 * rim * c, 1 / sqrt(lam) if lam < 1 else 1 / lam**2)


def slope(f, x):
    return mp.diff(f, x)


def equilibrium(lam, delta):
    """The stable equilibrium: ('m', m) or ('c', c)."""
    c0 = first_touch(lam)
    if c0 > 8 * lam / (3 * pi) and delta <= across_gap(lam, c0)[0]:
        rim = 8 * lam / (3 * pi)
        return "c", rim + sqrt(rim**2 + 2 * (delta + 2 / (pi * lam)))
    # δ falls with m from infinity up to the last equilibrium: bisection in the logarithm of m − 1, then Newton's method
    at = lambda s: in_contact(lam, 1 + mp.exp(s))[0] - delta
    lo, hi = mpf(-30), mp.log(last(lam)[1] - 1) if last(lam)[0] == "m" else mpf(60)
    for _ in range(40):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if at(middle) > 0 else (lo, middle)
    return "m", 1 + mp.exp(findroot(at, (lo, hi), solver="secant", tol=mpf(10) ** -60))


CACHE = {}


def last(lam):
    """The equilibrium at which δ is least."""
    if lam not in CACHE:
        c0, rim = first_touch(lam), 8 * lam / (3 * pi)
        if c0 > rim:
            CACHE[lam] = ("c", rim)
        else:
            CACHE[lam] = ("m", extreme(lam, 0))
    return CACHE[lam]


def extreme(lam, which):
    """m at which δ (0) or F (1) is least: bisection by the sign of the derivative, in the logarithm of m − 1."""
    f = lambda s: in_contact(lam, 1 + mp.exp(s))[which]
    lo, hi = mpf(-30), mpf(30)
    for _ in range(100):
        middle = (lo + hi) / 2
        if slope(f, middle) < 0:
            lo = middle
        else:
            hi = middle
    return 1 + mp.exp((lo + hi) / 2)


def energy(lam, where):
    """−∫ F dδ from an equilibrium along all of them to the one where the ring of attraction has no width."""
    kind, x = where
    c0, rim = first_touch(lam), 8 * lam / (3 * pi)
    apart = lambda c: across_gap(lam, c)[1] * (c - rim)
    if kind == "c":
        return quad(apart, [0, x])
    # in s, m = 1 + e^s: up to where the contact is a point, within what is left of it
    f = lambda s: in_contact(lam, 1 + mp.exp(s))
    integrand = lambda s: f(s)[1] * slope(lambda s: f(s)[0], s)
    start, end = mp.log(x - 1), mpf(40)
    places = [start + (end - start) * mpf(i) / 24 for i in range(25)]
    return quad(apart, [0, c0]) - quad(integrand, places)


def of(lam, where):
    kind, x = where
    return in_contact(lam, x) if kind == "m" else across_gap(lam, x)


def values(data):
    for i, row in enumerate(data["rows"]):
        lam = mpf(str(row["lambda"]))
        yield ("rows", i, "pull_off"), -in_contact(lam, extreme(lam, 1))[1]
        yield ("rows", i, "end"), of(lam, last(lam))[0]
        begin = equilibrium(lam, -2 / (pi * lam))
        yield ("rows", i, "loss"), energy(lam, last(lam)) - energy(lam, begin)
        for k, at in enumerate(row["at"]):
            where = equilibrium(lam, mpf(str(at["delta"])))
            yield ("rows", i, "at", k, "force"), of(lam, where)[1]
            yield ("rows", i, "at", k, "energy"), energy(lam, where)
