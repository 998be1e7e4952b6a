"""Expected values of papers/sphere-algorithms: the break with gaps of 1 to 50 mm (Fig. 14c), and a ball down stairs (Fig. 17).

Both are written from the equations of motion alone, in double precision with SciPy's DOP853. A touch whose law keeps its impact speed is located
on the dense output, and the integration starts anew there. Contact forces act on each body at its own contact point,
F = K d^(3/2) (1 + eta d'/v) with eta = 3 (1 - c^2)/4 and v the rate at the touch.
"""

from math import sqrt, tanh

import numpy as np
from scipy.integrate import DOP853
from scipy.optimize import brentq

RELATIVE = 0.0
ABSOLUTE = 0.0
G = 9.81
# A contact that begins more slowly than this counts as having begun at this speed [m/s].
LEAST = 1e-3


def follow(model, y, end, rtol, longest, times):
    """Integrates to the end; locates touches and releases of the contacts that remember; returns the states at the given times."""
    t, states, times = 0.0, {}, list(times)
    model.begin(y)
    while t < end:
        solver = DOP853(model.rates, t, y, end, rtol=rtol, atol=rtol * 1e-2, max_step=longest, first_step=min(1e-7, end - t))
        while solver.status == "running":
            solver.step()
            dense, last = solver.dense_output(), solver.t_old
            hit = model.first_change(dense, last, solver.t, solver.y)
            until = hit[0] if hit else solver.t
            while times and times[0] <= until:
                states[times[0]] = dense(times[0])
                times.pop(0)
            if hit:
                t, y = until, dense(until)
                model.change(t, y, hit[1])
                break
        else:
            return states
    return states


class Latching:
    """Contacts by number: which of them are closed, and at which speed each began."""

    def begin(self, y):
        gaps, rates = self.gaps(y)
        self.speed = {int(i): max(-rates[i], LEAST) for i in np.flatnonzero(gaps < 0)}
        self.touches = []

    def first_change(self, dense, t0, t1, y1):
        gaps, _ = self.gaps(y1)
        closed = np.zeros(len(gaps), bool)
        closed[list(self.speed)] = True
        found = []
        for i in np.flatnonzero((gaps < 0) != closed):
            gap = lambda t, i=i: self.gaps(dense(t))[0][i] + (1e-300 if closed[i] else -1e-300)
            # right after a change the gap is zero to rounding
            if gap(t0) * gap(t1) < 0:
                found.append((brentq(gap, t0, t1, xtol=1e-16, rtol=8.9e-16), int(i)))
            else:
                found.append((t1, int(i)))
        return min(found) if found else None

    def change(self, t, y, i):
        if i in self.speed:
            del self.speed[i]
        else:
            self.speed[i] = max(-self.gaps(y)[1][i], LEAST)
            self.touches.append((t, i))


class Break(Latching):
    """Fifteen balls in a rack and a cue ball on an elastic cloth between cushions. y: positions, velocities, angular velocities."""

    D, M, BALLS, CLOTH, CUSHION = 0.05715, 0.17, 5.262001600575186e8, 1e8, 1e8
    WALLS = [([-1.905, 0, 0], [1, 0, 0]), ([0.635, 0, 0], [-1, 0, 0]), ([0, -0.635, 0], [0, 1, 0]), ([0, 0.635, 0], [0, -1, 0])]

    def __init__(self, gap, ahead, speed):
        half, self.n = (self.D + gap) / 2, 16
        rest = self.D / 2 - (self.M * G / self.CLOTH) ** (2 / 3)
        x = [[-self.D - ahead, 1e-3, rest]]
        for row in range(5):
            x += [[row * half * sqrt(3), (2 * k - row) * half, rest] for k in range(row + 1)]
        v = np.zeros((self.n, 3))
        v[0, 0] = speed
        self.start = np.concatenate([np.array(x).ravel(), v.ravel(), np.zeros(3 * self.n)])
        self.a, self.b = np.triu_indices(self.n, 1)
        self.wall_at, self.wall_n = (np.array([w[i] for w in self.WALLS], float) for i in (0, 1))

    def split(self, y):
        return np.reshape(y, (3, self.n, 3))

    def gaps(self, y):
        """Of all pairs of balls, then of every ball at every cushion."""
        x, v, _ = self.split(y)
        d = x[self.b] - x[self.a]
        length = np.sqrt((d * d).sum(1))
        rate = ((v[self.b] - v[self.a]) * d).sum(1) / length
        wall = (x[:, None, :] - self.wall_at).reshape(self.n, 4, 3)
        return (
            np.concatenate([length - self.D, ((wall * self.wall_n).sum(2) - self.D / 2).ravel()]),
            np.concatenate([rate, (v @ self.wall_n.T).ravel()]),
        )

    @staticmethod
    def friction(mu, normal, slip):
        """Ambrósio's: a dead band up to 0.1 mm/s, full friction from 1 cm/s on."""
        v = np.sqrt((slip * slip).sum(-1))
        share = np.clip((v - 1e-4) / (1e-2 - 1e-4), 0, 1)
        return -(mu * normal * share / np.where(v > 0, v, 1))[..., None] * slip

    def rates(self, _, y):
        x, v, w = self.split(y)
        r, force, torque = self.D / 2, np.zeros((self.n, 3)), np.zeros((self.n, 3))
        force[:, 2] -= self.M * G
        depth = np.maximum(r - x[:, 2], 0)
        normal = self.CLOTH * depth**1.5
        arm = np.array([0, 0, -r])
        slip = v + np.cross(w, arm)
        slip[:, 2] = 0
        f = self.friction(0.2, normal, slip)
        force += f
        force[:, 2] += normal
        torque += np.cross(arm, f)
        pairs = len(self.a)
        for i, began in self.speed.items():
            if i < pairs:
                a, b = self.a[i], self.b[i]
                d = x[b] - x[a]
                length = sqrt(d @ d)
                n, deep, k, c, mu = d / length, self.D - length, self.BALLS, 0.96, 0.06
                relative = v[a] - v[b] + np.cross(w[a] + w[b], r * n)
            else:
                a, b, wall = (i - pairs) // 4, None, (i - pairs) % 4
                n, k, c, mu = -self.wall_n[wall], self.CUSHION, 0.75, 0.2
                deep = r + (x[a] - self.wall_at[wall]) @ n
                relative = v[a] + np.cross(w[a], r * n)
            if deep <= 0:
                continue
            rate = relative @ n
            press = max(k * deep**1.5 * (1 + 0.75 * (1 - c * c) * rate / began), 0.0)
            f = self.friction(mu, press, relative - rate * n)
            force[a] += f - press * n
            torque[a] += np.cross(r * n, f)
            if b is not None:
                force[b] -= f - press * n
                torque[b] += np.cross(r * n, f)
        return np.concatenate([v.ravel(), force.ravel() / self.M, torque.ravel() / (0.4 * self.M * r * r)])


def hop(gap):
    """The highest that the cue ball is above touching the cloth, at output times every 0.5 ms up to 0.6 s [µm]."""
    model = Break(gap, 0.6, 5.0)
    times = [round(5e-4 * i, 6) for i in range(1201)]
    states = follow(model, model.start, 0.6, 1e-9, 1e-2, times)
    return 1e6 * (max(y[2] for y in states.values()) - model.D / 2)


class Stairs(Latching):
    """A ball on six prisms, in a plane; every other prism has friction. y: x, z, angle about y, and their rates."""

    R, M, K, RISE, LONG = 0.03, 0.1, 1e7, 0.03, 0.2

    def __init__(self, speed):
        self.start = np.array([0.03, self.R - (self.M * G / self.K) ** (2 / 3), 0.0, speed, 0.0, 0.0])

    def normal(self, i, y):
        """From prism i to the ball's centre: unit vector and length."""
        dx = y[0] - min(max(y[0], i * self.LONG), (i + 1) * self.LONG)
        dz = y[1] - min(max(y[1], -0.2 - i * self.RISE), -i * self.RISE)
        length = sqrt(dx * dx + dz * dz)
        return dx / length, dz / length, length

    def gaps(self, y):
        rows = [self.normal(i, y) for i in range(6)]
        return np.array([l - self.R for _, _, l in rows]), np.array([nx * y[3] + nz * y[4] for nx, nz, _ in rows])

    def rates(self, _, y):
        fx, fz, torque = 0.0, -self.M * G, 0.0
        for i, began in self.speed.items():
            nx, nz, length = self.normal(i, y)
            deep = self.R - length
            if deep <= 0:
                continue
            press = self.K * deep**1.5 * (1 - 0.75 * (1 - 0.7**2) * (nx * y[3] + nz * y[4]) / began)
            press = max(press, 0.0)
            slip = nz * y[3] - nx * y[4] - self.R * y[5]
            f = -0.3 * press * tanh(1000 * slip) if i % 2 == 0 else 0.0
            fx, fz, torque = fx + press * nx + f * nz, fz + press * nz - f * nx, torque - self.R * f
        return np.array([*y[3:], fx / self.M, fz / self.M, torque / (0.4 * self.M * self.R**2)])


def stairs():
    model = Stairs(0.8)
    times = [0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0]
    return follow(model, model.start, 2.0, 1e-13, 2e-3, times), [t for t, _ in model.touches]


def values(data):
    """The numbers of the recipe that are computed here, each to the tolerance that the recipe allows."""
    states, touches = stairs()
    for f, figure in enumerate(data["figure"]):
        for e, row in enumerate(figure.get("expect", [])):
            place, tolerance = ("figure", f, "expect", e, "value"), (0.0, row.get("tolerance", 0.0))
            if figure["name"] == "fig14" and row["what"].startswith("highest hop, gap "):
                yield place, hop(float(row["what"].split()[3]) * 1e-3), *tolerance
            if figure["name"] == "fig17" and "source" not in row:
                # (the ball lies on the first prism at the start, which counts as its first touch)
                if row["of"] == "summary.touches":
                    yield place, len(touches) + 1, *tolerance
                elif row["of"].startswith("touch."):
                    yield place, touches[int(row["of"][6:]) - 2], *tolerance
                else:
                    column = {"ball.x": 0, "ball.z": 1, "ball.wy": 5}[row["of"]]
                    yield place, float(states[row["at"]][column]), *tolerance
