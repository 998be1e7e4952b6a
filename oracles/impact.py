"""The standard impact m d'' = -F(d, d'), d(0) = 0, d'(0) = v0, of every normal force law.

Everything is dimensionless: lengths in d* = (m v0^2 / K)^(1/(n+1)), times in d*/v0, forces in K d*^n. X is the
indentation, V its rate, so that X'' = -F, X(0) = 0, V(0) = 1.

Two families, and laws with plastic deformation:

- `FAMILY`: F = X^n (1 + eta V), with eta a function of the coefficient of restitution c. The motion is known but for
  integrals: X^(n+1)/(n+1) is the integral of w/(1 + eta w) from V to 1.
- `DASHPOT`: F = X^n + a X^p V. With X = s^k and dt = s^(k-1) dq the equations are polynomials in s and V, also
  where the impact starts and ends, and are integrated in 34 digits.

- `PLASTIC`: a loading curve and, from the deepest point on, an unloading curve, each a function of X alone: energies are
  integrals.

To add a law: one line in `FAMILY`, `DASHPOT` or `PLASTIC`, then `python -m oracles write crates/carom-law/tests/data/impact.json`.
"""

import gmpy2
from gmpy2 import mpfr
from mpmath import beta, exp, log, log1p, mp, mpf, nstr, pi, quad, sqrt

from .extrapolation import Solution

RELATIVE = 1e-12
ABSOLUTE = 1e-14
DIGITS = 14


def exact_damping(c):
    """eta for which the restitution is c itself: the root of ln((1 + eta)/(1 - eta c)) = eta (1 + c) (Gonthier and others 2004)."""

    def f(eta):
        return log1p(eta) - log1p(-eta * c) - eta * (1 + c)

    return _bisect(f, mpf("1e-6"), (1 - mpf("1e-30")) / c)


def _bisect(f, low, high):
    """The zero of `f`, which is negative at `low` and positive at `high`."""
    for _ in range(4 * mp.dps):
        middle = (low + high) / 2
        if f(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


FAMILY = {
    "hunt-crossley": lambda c: 3 * (1 - c) / 2,
    "herbert-mcwhannell": lambda c: 6 * (1 - c) / ((2 * c - 1) ** 2 + 3),
    "lee-wang": lambda c: 3 * (1 - c) / 4,
    "lankarani-nikravesh": lambda c: 3 * (1 - c * c) / 4,
    "gonthier": lambda c: (1 - c * c) / c,
    "gonthier-implicit": exact_damping,
    "zhiying-qishao": lambda c: 3 * (1 - c * c) * exp(2 * (1 - c)) / 4,
    "flores": lambda c: 8 * (1 - c) / (5 * c),
    "gharib-hurmuzlu": lambda c: 1 / c,
    "hu-guo": lambda c: 3 * (1 - c) / (2 * c),
    "carvalho-martins": lambda c: 3 * (1 - c) * (11 - c) / (2 * (1 + 9 * c)),
    "safaeifar-farshidianfar": lambda c: 5 * (1 - c) / (4 * c),
}


def critical_part(c):
    """Damping of a linear oscillator whose half period loses 1 - c of its speed, as a part of the critical one."""
    return -log(c) / sqrt(pi**2 + log(c) ** 2)


def jankowski(c):
    return 9 * sqrt(5) * (1 - c * c) / (c * (c * (9 * pi - 16) + 16))


# (n, p, k: powers of s = X^(1/k) are whole; a of the key; whether the dashpot acts while X grows only)
DASHPOT = {
    "kelvin-voigt": (1.0, 0.0, 1, lambda c: 2 * critical_part(c), False),
    "tsuji": (1.5, 0.25, 4, lambda c: sqrt(5) * critical_part(c), False),
    "jankowski": (1.5, 0.25, 4, jankowski, True),
    "pant-wijeyewickrema": (1.0, 1.0, 1, lambda c: 3 * (1 - c * c) / (2 * c * c), True),
    "kuwabara-kono": (1.5, 0.5, 2, lambda a: a, False),
    "ristow": (1.5, 0.0, 2, lambda a: a, False),
}


def elastic(n):
    """F = X^n."""
    n1 = mpf(n) + 1
    deepest = (n1 / 2) ** (1 / n1)
    duration = 2 * deepest * beta(1 / n1, mpf(1) / 2) / n1
    return {"restitution": mpf(1), "max_indentation": deepest, "peak_force": deepest ** mpf(n), "duration": duration}


def damped(eta, n=mpf("1.5")):
    """F = X^n (1 + eta V)."""
    n1 = n + 1

    def gone(start, w):
        """The integral of u/(1 + eta u) from start - w to start, without cancellation where w is small."""
        return w / eta + log1p(-eta * w / (1 + eta * start)) / eta**2

    restitution = _bisect(lambda e: -gone(mpf(1), 1 + e), mpf(0), (1 - mpf("1e-30")) / eta) if eta > 0 else mpf(1)

    def indentation(v):
        return (n1 * gone(mpf(1), 1 - v)) ** (1 / n1)

    # dF/dV = 0, with dX/dV = -V/(X^n (1 + eta V))
    at_peak = _bisect(lambda v: n * v - eta * indentation(v) ** n1, mpf(0), mpf(1))
    peak = indentation(at_peak) ** n * (1 + eta * at_peak)

    def time(start):
        """From V = start, where X = 0, to V = 0. dt = -dV/F; V = start (1 - s^(n+1)) makes it smooth at s = 0."""

        def rate(s):
            w = start * s**n1
            x = (n1 * gone(start, w)) ** (1 / n1)
            return abs(start) * n1 * s**n / (x**n * (1 + eta * (start - w)))

        return quad(rate, [0, 1])

    compression = time(mpf(1))
    return {
        "eta": eta,
        "restitution": restitution,
        "max_indentation": indentation(mpf(0)),
        "peak_force": peak,
        "duration": compression + time(-restitution),
        "compression": compression,
    }


def dashpot(n, p, k, a, approach_only):
    """F = X^n + a X^p V, in y = (s, V, t) over q."""
    gmpy2.get_context().precision = 120
    a = mpfr(nstr(a, 36))
    kn, kp = round(k * n), round(k * p)
    damping = a

    def force(y):
        s, v, _ = y
        return s**kn + damping * s**kp * v

    def rates(_, y):
        s, v, _ = y
        return [v / k, -(s ** (k - 1)) * force(y), s ** (k - 1)]

    def growth(q, y):
        """dF/dq."""
        s, v, _ = y
        ds, dv, _ = rates(q, y)
        change = kn * s ** (kn - 1) * ds + damping * s**kp * dv
        return change + (damping * kp * s ** (kp - 1) * ds * v if kp else 0)

    run = Solution(rates, mpfr(0), [mpfr(0), mpfr(1), mpfr(0)], tolerance=1e-22, columns=10, longest=mpfr("0.2"), first=mpfr("0.05"))
    events = [
        (lambda q, y: y[0], -1),
        (lambda q, y: y[1], -1),
        (lambda q, y: force(y) if damping else mpfr(1), -1),
        (growth, -1),
    ]
    found = {"peak_force": force(run.y)}
    hit = None
    while True:
        hit = run.run(mpfr(1000), events, hit)
        if hit is None:
            raise ArithmeticError(f"no end of the impact for n = {n}, p = {p}, a = {a}")
        s, v, t = run.y
        if hit == 0:
            break
        if hit == 1:
            found["max_indentation"], found["compression"] = s**k, t
            # The force falls at the deepest point, so that its maximum is behind.
            events.pop()
            if approach_only:
                damping = mpfr(0)
        elif hit == 2:
            found["force"] = {"restitution": -v, "duration": t}
        else:
            found["peak_force"] = max(found["peak_force"], force(run.y))
    found["indentation"] = {"restitution": -v, "duration": t}
    # A dashpot that does not pull leaves the force positive to the end.
    found.setdefault("force", found["indentation"])
    found["a"] = a
    return found


def thornton(x):
    """By x = v_y/v_0: X^(3/2) up to Y, its tangent beyond; unloading in the dent of the same circle of contact."""
    y = (mpf(5) / 4 * x * x) ** (mpf(2) / 5)

    def load(d):
        return d ** mpf("1.5") if d <= y else 1.5 * sqrt(y) * (d - y / 3)

    def unload(deepest):
        # a^2 = R d is the square of the circle's radius, in units in which R = 1: F = 4/3 E* a^3/R_p and K = 4/3 E*
        a = sqrt(deepest)
        radius = a**3 / load(deepest)
        rest = deepest - a * a / radius
        return rest, lambda d: sqrt(radius) * (d - rest) ** mpf("1.5")

    return load, unload, [y]


def walton_braun(c):
    def unload(deepest):
        rest = deepest * (1 - c * c)
        return rest, lambda d: (d - rest) / (c * c)

    return (lambda d: d), unload, []


def stronge(x):
    """v_Y/v0 = x: F_Y δ_Y = (5/4) x² in units of m v0²; K = 1. Fully plastic from δ_Y on; what springs back is found by its energy, which is no more than what was put in."""
    depth = (mpf(5) / 4 * x * x) ** mpf("0.4")
    force = depth ** mpf("1.5")

    def load(d):
        return d ** mpf("1.5") if d <= depth else force * (2 * d / depth - 1)

    def unload(deepest):
        if deepest <= depth:
            return mpf(0), load
        # a Hertzian contact as wide as the plastic one: F = (F_Y/(a_Y δ_Y)) a δ_r
        width = sqrt(2 * deepest / depth - 1)
        back = load(deepest) / force * depth / width
        put_in = quad(load, [0, depth, deepest])
        back = min(back, mpf("2.5") * put_in / load(deepest))
        rest = deepest - back
        return rest, lambda d: load(deepest) * ((d - rest) / back) ** mpf("1.5")

    return load, unload, (depth,)


def edinburgh(plasticity):
    """n = 3/2 with K_a = K_1/5: a hold as the surfaces part."""
    n, k2, adhesion = mpf("1.5"), 1 / (1 - plasticity), mpf("0.2")

    def unload(deepest):
        return mpf(0), lambda d: max(k2 * (d**n - plasticity * deepest**n), -adhesion * d**n)

    return (lambda d: d**n), unload, []


# (loading curve, deepest point -> (end of the force, unloading curve), corners of the loading curve) of the key
PLASTIC = {"walton-braun": walton_braun, "thornton": thornton, "stronge": stronge, "edinburgh": edinburgh}


def plastic(load, unload, corners):
    """A free impact: all energies are integrals of forces over the indentation."""

    def work(force, low, high, at=()):
        return quad(force, [low, *sorted(p for p in at if low < p < high), high])

    deepest = _bisect(lambda d: work(load, 0, d, corners) - mpf("0.5"), mpf("0.01"), mpf(20))
    rest, back = unload(deepest)
    # where the unloading curve meets another one, the smaller force in size rules: found where its slope jumps
    joints = [j for j in (_joint(back, rest, deepest),) if j is not None]
    returned = 2 * work(back, rest, deepest, joints)
    return {"max_indentation": deepest, "peak_force": load(deepest), "restitution": sqrt(returned) if returned > 0 else mpf(0)}


def _joint(back, rest, deepest):
    """Where the branches of Edinburgh's unloading curve meet: F/X^(3/2) is constant below; None for other curves."""
    ratio = lambda d: back(d) / d ** mpf("1.5")
    low = deepest * mpf("1e-6")
    if rest > 0 or abs(ratio(low) - ratio(2 * low)) > mpf("1e-30"):
        return None
    return _bisect(lambda d: ratio(d) - ratio(low) - mpf("1e-40"), low, deepest)


def rows():
    """(kind, law, key, values) of the whole table."""
    mp.dps = 50
    for n in ("1", "1.5", "2"):
        yield "elastic", None, n, elastic(n)
    coefficients = [f"0.{i}" for i in range(1, 10)]
    for law, eta in FAMILY.items():
        for c in coefficients:
            yield "family", law, c, damped(eta(mpf(c)))
    for law, (n, p, k, a, approach_only) in DASHPOT.items():
        for key in coefficients:
            yield "dashpot", law, key, dashpot(n, p, k, a(mpf(key)), approach_only)
    for law, curves in PLASTIC.items():
        for key in coefficients:
            yield "plastic", law, key, plastic(*curves(mpf(key)))


def values(data):
    """The numbers of `crates/carom-law/tests/data/impact.json`."""
    for kind, law, key, found in rows():
        row = (kind, key) if law is None else (kind, law, key)
        for name, value in found.items():
            if law == "kelvin-voigt" and name == "compression":
                continue
            for part, number in value.items() if isinstance(value, dict) else [(None, value)]:
                yield (*row, name) if part is None else (*row, name, part), number


def dump(data):
    """The text of the file: one line a row."""
    import json

    def block(table, indent):
        inner = ",\n".join(f'{indent}  "{k}": {json.dumps(v)}' for k, v in table.items())
        return f"{{\n{inner}\n{indent}}}"

    def laws(tables):
        return "{\n" + ",\n".join(f'    "{k}": {block(v, "    ")}' for k, v in tables.items()) + "\n  }"

    parts = [f'  "trust": {data["trust"]}', f'  "elastic": {block(data["elastic"], "  ")}']
    parts += [f'  "{kind}": {laws(data[kind])}' for kind in ("family", "dashpot", "plastic")]
    return "{\n" + ",\n".join(parts) + "\n}\n"
