"""The speed at which a row of dominoes falls, by the classical model of leaning dominoes.

Each domino turns about its lower front edge, which does not slip. It falls onto the next one without rebound, and from then on leans on it: its upper
front edge slides down the back of the next, with friction. So the whole train has one degree of freedom, the angle of its head. (W. J. Stronge,
Proc. R. Soc. A 409, 1987; J. M. J. van Leeuwen, Am. J. Phys. 78, 2010.) All angles are from the vertical, forces per mass of a domino.
"""

from math import asin, cos, sin, sqrt

import numpy as np
from scipy.integrate import solve_ivp

RELATIVE = 1e-9
ABSOLUTE = 0.0


class Row:
    def __init__(self, p):
        self.h, self.d, self.pitch = p["height"], p["thickness"], p["pitch"]
        self.friction, self.g = p["friction"], p["gravity"]
        self.inertia = (self.h**2 + self.d**2) / 3
        # the head of a train meets the next domino, which is upright
        self.hit = asin((self.pitch - self.d) / self.h)

    def lean(self, head, n):
        """The angles of a train of n by that of its head, with first and second derivatives, the head last.

        The edge of one is on the back of the next: h sin(a - b) = pitch cos b - d.
        """
        rows = [(head, 1.0, 0.0)]
        for _ in range(n - 1):
            b, b1, b2 = rows[-1]
            x, x1, x2 = ((self.pitch * cos(b) - self.d) / self.h, -self.pitch * sin(b) / self.h, -self.pitch * cos(b) / self.h)
            root = sqrt(1 - x * x)
            # of a = b + asin x by b
            slope, bend = 1 + x1 / root, x2 / root + x * x1 * x1 / root**3
            rows.append((b + asin(x), slope * b1, slope * b2 + bend * b1 * b1))
        return np.array(rows[::-1]).T

    def levers(self, a, a1):
        """What a force between two dominoes turns the one in front by, and the one behind, friction included."""
        lean = a[:-1] - a[1:]
        # how high on the back of the next the edge is; it slides down where that falls
        rate = -self.pitch * np.cos(a[1:]) * a1[1:] - self.h * np.sin(lean) * (a1[:-1] - a1[1:])
        mu = self.friction * np.sign(rate)
        front = -self.pitch * np.sin(a[1:]) + self.h * np.cos(lean) + mu * self.d
        return front, self.h * (np.cos(lean) - mu * np.sin(lean))

    def head(self, known, unknown, levers):
        """The x with known + unknown x + what forces between the dominoes turn by = 0 for every one, from the last in the train to its head."""
        front, behind = levers
        force = (0.0, 0.0)
        for i in range(len(known)):
            push = front[i - 1] if i else 0.0
            rest = (known[i] + push * force[0], unknown[i] + push * force[1])
            if i < len(behind):
                force = (rest[0] / behind[i], rest[1] / behind[i])
        return -rest[0] / rest[1]

    def acceleration(self, head, rate, n):
        a, a1, a2 = self.lean(head, n)
        weight = self.g * (self.h / 2 * np.sin(a) - self.d / 2 * np.cos(a))
        return self.head(weight - self.inertia * a2 * rate**2, -self.inertia * a1, self.levers(a, a1))

    def impact(self, rate, n):
        """The rate of the new head, upright, once a train of n has met it: no rebound anywhere."""
        before = np.append(self.lean(self.hit, n)[1] * rate, 0.0)
        a, a1, _ = self.lean(0.0, n + 1)
        return self.head(self.inertia * before, -self.inertia * a1, self.levers(a, a1))


def values(data):
    row, rate = Row(data["parameters"]), data["parameters"]["spin"]

    def met(_, y):
        return y[0] - row.hit

    met.terminal, met.direction = True, 1
    for n in range(1, data["parameters"]["dominoes"]):
        fall = solve_ivp(lambda _, y: [y[1], row.acceleration(y[0], y[1], n)], [0, 1], [0.0, rate], method="DOP853", events=met, rtol=1e-12, atol=1e-13)
        yield ("speeds", n - 1), row.pitch / float(fall.t_events[0][0])
        rate = row.impact(float(fall.y_events[0][0][1]), n)
