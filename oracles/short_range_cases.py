"""The motions of `papers/short-range-fields` that `short_range.py` computes: sizes, coefficients and starts as its scenes have them.

Squares and the cylinder move in the plane, per metre of depth. alpha = rho g L d0^nu carries a flat face at d0; on an edge or a corner the start is
where repulsion carries the weight, the far ends of the faces left out as in the scenes.
"""

import gmpy2
from gmpy2 import mpfr

from .short_range import G, RHO, Circle, Cube, Hinge, Square

SIDE = "1.38"
RADIUS = "0.02"
TILT = "0.05"


def alpha(d0, nu):
    return RHO * mpfr(G) * mpfr(SIDE) * mpfr(d0) ** nu


class Case:
    """A motion: `make` gives its body and start, `times` when its state is asked for; `outputs`: duration of the run and time between its outputs; `stiff`: friction is."""

    def __init__(self, make, times, quantities, label="", outputs=None, stiff=False):
        self.make, self.times, self.quantities, self.outputs, self.stiff = make, times, quantities, outputs, stiff
        self.label = f"{label}: " if label else ""

    def __call__(self):
        return (*self.make(), self.times)


def face(damping, nu, angle="0", lift="0.005"):
    """Figs. 6 to 9: over the bottom face only."""

    def make():
        theta = mpfr(angle) * gmpy2.const_pi()
        height = mpfr("0.02") + mpfr(lift) + mpfr(SIDE) / 2 * (gmpy2.sin(theta) + gmpy2.cos(theta))
        return Square(SIDE, alpha("0.02", nu), nu, damping=(damping, 0), sides="B"), [0, height, theta, 0, 0, 0]

    return make


def edge(friction, angle="0.2475", away="0", nu_d=0, sides="BRTL"):
    """Figs. 10, 11: on an edge."""

    def make():
        theta = mpfr(angle) * gmpy2.const_pi() - mpfr(away)
        s, c = gmpy2.sin(theta), gmpy2.cos(theta)
        h = (mpfr("0.02") ** 8 / (7 * mpfr(SIDE)) * (1 / s + 1 / c)) ** (1 / mpfr(7))
        body = Square(SIDE, alpha("0.02", 8), 8, damping=(1, nu_d), friction=(friction, 2), sides=sides)
        return body, [0, h + mpfr(SIDE) / 2 * (s + c), theta, 0, 0, 0]

    return make


def slope(friction, sign=1, rolling=1):
    """Figs. 14 to 16, in the frame of the support."""

    def make():
        angle = sign * gmpy2.const_pi() / 20
        h = (mpfr("0.02") ** 8 / (7 * mpfr(SIDE)) * 2 * gmpy2.sqrt(mpfr(2)) / gmpy2.cos(angle)) ** (1 / mpfr(7))
        half = mpfr(SIDE) * gmpy2.sqrt(mpfr("0.5"))
        body = Square(SIDE, alpha("0.02", 8), 8, damping=(1, 2), friction=(friction, 2), slope=angle)
        return body, [0, h + half, gmpy2.const_pi() / 4, -rolling * 20 * half, 0, 20]

    return make


def sticking(friction, slope, speed):
    """Fig. 13: thrown from 30 mm against a support that adheres; `slope`: by how much of pi it is turned from a level one."""

    def make():
        d0 = mpfr("0.002")
        beta = 100 * RHO * mpfr(G) * mpfr(SIDE)
        attraction = [(-beta * d0**3, 3), (beta * d0**6, 6)]
        a = alpha("0.002", 8)
        turn = gmpy2.const_pi() * mpfr(slope)
        body = Square(SIDE, a, 8, (1, 2), (friction * a, 6), turn, attraction=attraction, growth=(1, 15))
        return body, [0, mpfr(SIDE) / 2 + mpfr("0.03"), 0, speed, -1, 0]

    return make


def hinged(beta_d):
    """What damping leaves of a fall, with the weight: the speed at first is that of a whole fall."""

    def make():
        speed = gmpy2.sqrt(mpfr("1.5") * mpfr(G) * (gmpy2.sqrt(mpfr(2)) - 1) / mpfr(SIDE))
        return Hinge(SIDE, beta_d, "0.01"), [gmpy2.const_pi() / 4, speed]

    return make


def cylinder(friction):
    """Fig. 12."""

    def make():
        return Circle(RADIUS, "0.02", 8, ("1e-5", 4), (friction, 6)), [0, mpfr(RADIUS) + mpfr("0.17"), 0, 5, 0, 0]

    return make


def corner(spin, nu, beta_d=1000, lift="0", tilt=TILT, velocity=0, axis=2):
    """Figs. 17 to 22: the diagonal upright, then tilted about x."""

    def make():
        half, d0 = gmpy2.atan2(gmpy2.sqrt(mpfr(2)), 1) / 2, mpfr("0.002")
        w0, x0 = gmpy2.cos(half), gmpy2.sin(half) / gmpy2.sqrt(mpfr(2))
        c, s = gmpy2.cos(mpfr(tilt) / 2), gmpy2.sin(mpfr(tilt) / 2)
        w, x, y, z = c * w0 - s * x0, c * x0 + s * w0, -c * x0, -s * x0
        rises = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
        a, b, c = rises
        h = (d0**8 / (42 * mpfr(SIDE) ** 2) * (1 / (a * b) + 1 / (b * c) + 1 / (c * a))) ** (1 / mpfr(6))
        turn = [0, 0, 0]
        turn[axis] = spin
        body = Cube(SIDE, alpha("0.002", 8), 8, (beta_d, nu), (100, nu))
        return body, [0, 0, h + mpfr(lift) + mpfr(SIDE) / 2 * sum(rises), w, x, y, z, velocity, 0, 0, *turn]

    return make


def level(y):
    return [
        ("x [m]", "cube.x", y[0]),
        ("height [m]", "cube.y", y[1]),
        ("sine of half the rotation", "cube.qz", gmpy2.sin(y[2] / 2)),
        ("vx [m/s]", "cube.vx", y[3]),
        ("speed [m/s]", "cube.vy", y[4]),
        ("angular velocity [rad/s]", "cube.wz", y[5]),
    ]


def rocking(y):
    return [*vertical(y), ("rotation [rad]", "2*atan2(cube.qz, cube.qw)", y[2])]


def vertical(y):
    """Without friction nothing moves sideways."""
    return [row for row in level(y) if row[1] not in ("cube.x", "cube.vx")]


def bounce(y):
    return [row for row in vertical(y) if row[1] in ("cube.y", "cube.vy")]


def rolling(y):
    named = zip(("x [m]", "y [m]", "vx [m/s]", "vy [m/s]", "angular velocity [rad/s]"), ("x", "y", "vx", "vy", "wz"), (0, 1, 3, 4, 5))
    return [(what, f"roll.{of}", y[i]) for what, of, i in named]


def falling(y):
    return [("angle [rad]", "(-2*atan2(cube.qy, cube.qw))", y[0]), ("angular velocity [rad/s]", "cube.wy", y[1])]


def ceiling(y):
    """Seen from the ceiling both axes are turned over."""
    return [
        ("x [m]", "cube.x", -y[0]),
        ("y [m]", "cube.y", -y[1]),
        ("sine of half the rotation", "cube.qz", gmpy2.sin(y[2] / 2)),
        ("vx [m/s]", "cube.vx", -y[3]),
        ("vy [m/s]", "cube.vy", -y[4]),
    ]


def wall(y):
    """Seen from the wall x is up, as its first axis is down."""
    return [
        ("distance of the centre [m]", "cube.x", y[1]),
        ("height [m]", "cube.y", -y[0]),
        ("sine of half the rotation", "cube.qz", gmpy2.sin(y[2] / 2)),
        ("vx [m/s]", "cube.vx", y[4]),
        ("vy [m/s]", "cube.vy", -y[3]),
    ]


def sloping(sign):
    a = "(pi/20)" if sign > 0 else "(-pi/20)"

    def quantities(y):
        return [
            ("position up the slope [m]", f"cube.x*cos{a} + cube.y*sin{a}", y[0]),
            ("distance of the centre [m]", f"cube.y*cos{a} - cube.x*sin{a}", y[1]),
            ("sine of the rotation", "sin(2*atan2(cube.qz, cube.qw))", gmpy2.sin(y[2] + sign * gmpy2.const_pi() / 20)),
            ("speed up the slope [m/s]", f"cube.vx*cos{a} + cube.vy*sin{a}", y[3]),
            ("speed across it [m/s]", f"cube.vy*cos{a} - cube.vx*sin{a}", y[4]),
            ("angular velocity [rad/s]", "cube.wz", y[5]),
        ]

    return quantities


def space(y):
    """Of the rotation the three heights of the edges: they, and not the sign of a quaternion, are what can be seen."""
    w, x, b, z = y[3:7]
    return [
        ("x [m]", "cube.x", y[0]),
        ("y [m]", "cube.y", y[1]),
        ("z [m]", "cube.z", y[2]),
        ("rise of the first edge", "2*(cube.qx*cube.qz - cube.qw*cube.qy)", 2 * (x * z - w * b)),
        ("rise of the second edge", "2*(cube.qy*cube.qz + cube.qw*cube.qx)", 2 * (b * z + w * x)),
        ("first edge along x", "1 - 2*(cube.qy^2 + cube.qz^2)", 1 - 2 * (b * b + z * z)),
        ("angular velocity about the vertical [rad/s]", "cube.wz", y[12]),
    ]


CASES = {
    ("fig6", "beta2"): Case(face(100, 5, lift="0.01"), [0.1, 0.5, 1], bounce, "β = 100"),
    ("fig6", "beta4"): Case(face(10**4, 5, lift="0.01"), [0.1, 0.5, 1], bounce, "β = 1e4"),
    ("fig6", "beta5"): Case(face(10**5, 5, lift="0.01"), [0.1, 0.5, 1], bounce, "β = 1e5"),
    ("fig7", "damped"): Case(face(10**4, 5, "0.01"), [0.2, 0.4, 0.6, 0.8, 1], vertical, "β = 1e4"),
    ("fig8", "a"): Case(face(10**4, 5, "0.001"), [0.5, 1], vertical, "θ_0 = 0.001 π"),
    ("fig8", "b"): Case(face(10**4, 5, "0.01"), [0.5, 1], vertical, "θ_0 = 0.01 π"),
    ("fig8", "c"): Case(face(10**4, 5, "0.1"), [0.3, 0.6, 0.9, 1.2, 1.5], vertical, "θ_0 = 0.1 π"),
    ("fig9", "a"): Case(face(10**4, 3, "0.01"), [0.5, 1], rocking, "ν = 3", outputs=(1, 0.001)),
    ("fig9", "b"): Case(face(10**4, 5, "0.01"), [0.5, 1], rocking, "ν = 5", outputs=(1, 0.001)),
    ("fig9", "c"): Case(face(10**4, 7, "0.01"), [0.5, 1], rocking, "ν = 7", outputs=(1, 0.001)),
    ("fig10", "fall"): Case(edge(0, "0.25", "0.001", nu_d=2, sides="BL"), [0.6, 1, 1.5, 2], vertical),
    ("fig11", "smooth"): Case(edge(0), [0.5, 1, 2, 3], vertical, "without friction"),
    ("fig11", "rough"): Case(edge(100), [0.5, 1, 2, 3, 4], level, "with friction"),
    ("fig12", "smooth"): Case(cylinder(0), [0.5, 1, 2, 4], rolling, "without friction"),
    ("fig12", "rough"): Case(cylinder(1000), [0.5, 1, 2, 4], rolling, "with friction"),
    ("fig13", "ceiling"): Case(sticking(10**5, "1", -1), [0.6, 1, 1.5, 2], ceiling, "ceiling", stiff=True),
    ("fig13", "wall"): Case(sticking(10**8, "-0.5", -1), [0.1, 0.3, 1, 2, 2.3, 2.5, 3], wall, "wall", stiff=True),
    ("fig14", "edge"): Case(slope(1000), [0.5, 1, 1.5, 2, 2.5, 3], sloping(1)),
    ("fig15", "edge"): Case(slope(10), [0.25, 0.5, 1, 2, 3], sloping(1)),
    ("fig16", "edge"): Case(slope(100, -1), [0.25, 0.5, 1, 2, 3], sloping(-1)),
    ("fig17", "slow"): Case(corner(5, 0), [0.5, 1, 1.5], space),
    ("fig18", "fast"): Case(corner(50, 0), [0.5, 1, 2], space),
    ("fig19", "rough"): Case(corner(5, 2), [0.5, 1, 1.5], space),
    ("fig19", "light"): Case(corner(5, 2, 1), [0.5, 0.9], space, "β_d = 1"),
    ("fig20", "rough"): Case(corner(50, 2), [0.5, 1, 2], space),
    ("fig20", "light"): Case(corner(50, 2, 1), [0.5, 1, 2], space, "β_d = 1"),
    ("damping", "sinks"): Case(hinged(1000), [0.5, 1, 2], falling, "β_d = 1000, with weight"),
    ("fig21", "thrown"): Case(corner(10, 2, lift="0.3", tilt="0.1", velocity=1, axis=1), [0.3, 0.6, 0.9, 1.2], space),
    ("fig22", "thrown"): Case(corner(10, 2, lift="0.3", tilt="0.1", velocity=1), [0.3, 0.6, 0.9, 1.2], space),
}
