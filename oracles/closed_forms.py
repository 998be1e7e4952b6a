"""The closed forms of `dynamics.json`: a Hertz bounce, slip to rolling, an incline, a free top, a ball in a bowl."""

from mpmath import beta, ellipfun, ellipk, expm1, findroot, log1p, mp, mpf, pi, quad, sin, sqrt, tan

G = "9.81"


def hertz_bounce(m, k, h, g):
    """A mass m falls by h on a stiff plane, F = k d^(3/2), in gravity g."""
    v = sqrt(2 * g * h)
    free = (5 * m * v**2 / (4 * k)) ** mpf("0.4")
    deepest = findroot(lambda d: v**2 / 2 + g * d - 2 * k * d ** mpf("2.5") / (5 * m), free)

    def time(s):
        """With d = deepest (1 - s^2) the speed goes to zero as s does; what it is is counted from the deepest point."""
        lost = -expm1(mpf("2.5") * log1p(-s * s))
        return 2 * deepest * s / sqrt(4 * k * deepest ** mpf("2.5") * lost / (5 * m) - 2 * g * deepest * s * s)

    duration = 2 * quad(time, [0, 0.5, 1])
    constant = mpf(4) / 5 * beta(mpf(2) / 5, mpf(1) / 2)
    return {
        "v0": v,
        "t_first_touch": v / g,
        "max_indentation_with_gravity": deepest,
        "peak_force_with_gravity": k * deepest ** mpf("1.5"),
        "contact_duration_with_gravity": duration,
        "bounce_period": duration + 2 * v / g,
        "max_indentation_no_gravity": free,
        "contact_duration_no_gravity": constant * free / v,
        "duration_constant 2*sqrt(pi)*Gamma(7/5)/Gamma(9/10)": constant,
    }


def top():
    """Moments 1, 2, 3, almost about the middle axis: Jacobi's functions from the energy and the angular momentum."""
    i1, i2, i3 = 1, 2, 3
    w = [mpf("0.001"), mpf(1), mpf("0.001")]
    energy = i1 * w[0] ** 2 + i2 * w[1] ** 2 + i3 * w[2] ** 2
    momentum = (i1 * w[0]) ** 2 + (i2 * w[1]) ** 2 + (i3 * w[2]) ** 2
    high, low = energy * i3 - momentum, momentum - energy * i1
    a = sqrt(high / (i1 * (i3 - i1)))
    b = sqrt(high / (i2 * (i3 - i2)))
    c = sqrt(low / (i3 * (i3 - i1)))
    rate = sqrt((i3 - i2) * low / (i1 * i2 * i3))
    m = (i2 - i1) * high / ((i3 - i2) * low)
    # At t = 0 both w1 and w3 are positive and w2 is just below its largest value: past a quarter period in the sign of
    # w2' = (i3 - i1) w3 w1 / i2 > 0.
    phase = findroot(lambda u: b * ellipfun("sn", u, m=m) - w[1], ellipk(m) * mpf("0.85"))

    def at(t):
        u = phase + rate * t
        return [a * ellipfun("cn", u, m=m), b * ellipfun("sn", u, m=m), c * ellipfun("dn", u, m=m)]

    return at, [a, b, c], rate, m, energy, momentum


def values():
    """(place, number) within the table `closed_forms`."""
    mp.dps = 40
    for name, value in hertz_bounce(mpf("0.1"), mpf("1e8"), mpf("0.1"), mpf(G)).items():
        yield ("hertz_bounce", name), value
    mu, g, v, radius = mpf("0.2"), mpf(G), mpf(5), mpf("0.028575")
    yield ("slip_to_roll", "v_final=5/7 v0"), 5 * v / 7
    yield ("slip_to_roll", "t_slip=2v0/(7 mu g)"), 2 * v / (7 * mu * g)
    yield ("slip_to_roll", "distance=12 v0^2/(49 mu g)"), 12 * v**2 / (49 * mu * g)
    yield ("slip_to_roll", "omega_final=v_final/R"), 5 * v / 7 / radius
    slope, mu = pi / 6, mpf("0.1")
    cosine = sqrt(mpf(3)) / 2
    yield ("incline", "theta=30deg", "mu_crit"), 2 * tan(slope) / 7
    yield ("incline", "theta=30deg", "a_roll=5/7 g sin"), 5 * g / 14
    yield ("incline", "theta=30deg", "mu=0.1", "a=g(sin-mu cos)"), g * (mpf("0.5") - mu * cosine)
    yield ("incline", "theta=30deg", "mu=0.1", "alpha=5 mu g cos/(2R), R=0.028575"), 5 * mu * g * cosine / (2 * radius)
    at, amplitudes, rate, m, energy, momentum = top()
    for t in (5, 10, 20):
        for i, w in enumerate(at(t)):
            yield ("dzhanibekov_top", "omega", f"t={t}", i), w
    for i, a in enumerate(amplitudes):
        yield ("dzhanibekov_top", "A,B,C", i), a
    yield ("dzhanibekov_top", "lambda"), rate
    yield ("dzhanibekov_top", "m=k^2"), m
    yield ("dzhanibekov_top", "1-m"), 1 - m
    yield ("dzhanibekov_top", "period_omega=4K(m)/lambda"), 4 * ellipk(m) / rate
    yield ("dzhanibekov_top", "2T=I.w.w"), energy
    yield ("dzhanibekov_top", "L^2"), momentum
    gap, swing = mpf("0.04"), ellipk(sin(pi / 12) ** 2)
    yield ("ball_rolling_in_spherical_bowl", "R=0.05,r=0.01,amp=30deg_rolling"), 4 * sqrt(7 * gap / (5 * g)) * swing
    yield ("ball_rolling_in_spherical_bowl", "same_frictionless"), 4 * sqrt(gap / g) * swing
