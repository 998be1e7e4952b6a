"""Integration of ordinary differential equations in high precision, with located events.

The explicit midpoint rule with 2, 4, ... 2k substeps, extrapolated to order 2k (Gragg, Bulirsch and Stoer). The numbers
are whatever the caller uses: `gmpy2.mpfr` for some 34 digits, or Python's floats. Events are located on the
solution itself: a step of another length is computed anew, nothing is interpolated.
"""

from gmpy2 import mpfr


class Solution:
    """The state `y` at time `t` of y' = f(t, y), moved on by `run`."""

    def __init__(self, f, t, y, *, tolerance=1e-24, scale=1, columns=12, longest=None, first=None):
        """`tolerance`: error of a step as a part of |y| + `scale` (one number, or one a component)."""
        self.f, self.t, self.y = f, t, list(y)
        self.tolerance, self.columns, self.longest = tolerance, columns, longest
        self.scale = list(scale) if hasattr(scale, "__len__") else [scale] * len(self.y)
        self.h = first
        self.steps = 0

    def _step(self, h):
        """The state after a step `h`, and its error in units of the tolerance."""
        f, t, y = self.f, self.t, self.y
        start = f(t, y)
        last = []
        for j in range(1, self.columns + 1):
            n = 2 * j
            d = h / n
            two = 2 * d
            a, b = y, [u + d * v for u, v in zip(y, start)]
            for m in range(1, n):
                a, b = b, [u + two * v for u, v in zip(a, f(t + m * d, b))]
            end = f(t + h, b)
            row = [[(u + v + d * w) / 2 for u, v, w in zip(a, b, end)]]
            for q in range(1, j):
                # The error goes with the square of the substep, and substeps are as 1/j.
                below = (j * j) / mpfr((j - q) * (j - q)) - 1
                row.append([u + (u - v) / below for u, v in zip(row[-1], last[q - 1])])
            last = row
        new, less = last[-1], last[-2]
        error = max(
            abs(u - v) / (s + max(abs(u), abs(w))) for u, v, w, s in zip(new, less, y, self.scale)
        )
        return new, float(error / self.tolerance)

    def run(self, end, events=(), chosen=None):
        """Goes on to the time `end`, or to the first zero of an event, whose place in `events` it returns.

        An event is a pair (g, direction): g(t, y) and +1, -1 or 0 for the sign of the change that counts.
        An event that is zero at the start is not found there.
        """
        if self.h is None:
            self.h = (end - self.t) / 100
        before = [g(self.t, self.y) for g, _ in events]
        for i in range(len(before)):
            if i == chosen:  # where the last run ended: whichever side it came from, it is beyond now
                before[i] = None
        while self.t < end:
            h = self.h if self.longest is None else min(self.h, self.longest)
            last = self.t + h * (1 + 1e-12) >= end
            if last:
                h = end - self.t
            new, error = self._step(h)
            power = 1 / (2 * self.columns - 1)
            if not error <= 1:
                self.h = h * max(0.1, min(0.8, 0.9 * error**-power)) if error == error else h / 10
                continue
            self.steps += 1
            following = h * min(3.0, 0.9 * max(error, 1e-12) ** -power)
            after = [g(self.t + h, new) for g, _ in events]
            hit, first = None, None
            for i, (g, direction) in enumerate(events):
                if not _crosses(before[i], after[i], direction):
                    continue
                length = self._locate(g, before[i], after[i], h)
                if hit is None or length < first:
                    hit, first = i, length
            if hit is not None:
                self.y, _ = self._step(first)
                self.t += first
                self.h = max(first, h * 1e-3)
                return hit
            self.t = end if last else self.t + h
            self.y = new
            before = after
            if not last or following > self.h:
                self.h = following
        return None

    def _locate(self, g, ga, gb, h):
        """The length of the step, at most `h`, after which `g` is zero: false position that halves what lags behind."""
        a, b, side = mpfr(0), h, 0
        for _ in range(120):
            c = (a * gb - b * ga) / (gb - ga)
            if not a < c < b:
                c = (a + b) / 2
            y, _ = self._step(c)
            gc = g(self.t + c, y)
            if gc == 0 or b - a <= h * 1e-30:
                return c
            if (gc > 0) == (ga > 0):
                if abs(c - a) <= h * 1e-28:
                    return c
                a, ga = c, gc
                if side == 1:
                    gb /= 2
                side = 1
            else:
                if abs(c - b) <= h * 1e-28:
                    return c
                b, gb = c, gc
                if side == -1:
                    ga /= 2
                side = -1
        return c


def _crosses(before, after, direction):
    if before is None or before == 0:
        return False
    down = before > 0 >= after
    up = before < 0 <= after
    return (down and direction <= 0) or (up and direction >= 0)


class Stiff(Solution):
    """The same for stiff equations: the semi-implicit midpoint rule with 2, 6, 10, ... substeps (Bader and Deuflhard), whose Jacobian is taken by differences at the start of each step.

    Time is one more unknown, so that equations in which it appears are solved as well as others.
    """

    def _step(self, h):
        size = len(self.y)

        def f(u):
            return [*self.f(u[size], u[:size]), mpfr(1)]

        start = [*self.y, self.t]
        rates = f(start)
        columns = []
        for k in range(size + 1):
            moved = list(start)
            moved[k] += mpfr(10) ** -30
            columns.append([(a - b) * mpfr(10) ** 30 for a, b in zip(f(moved), rates)])
        last = []
        for j in range(self.columns):
            n = 2 * (2 * j + 1)
            d = h / n
            solve = factorised([[(i == k) - d * columns[k][i] for k in range(size + 1)] for i in range(size + 1)])
            change = solve([d * r for r in rates])
            u = [a + b for a, b in zip(start, change)]
            for _ in range(1, n):
                change = [a + 2 * b for a, b in zip(change, solve([d * r - c for r, c in zip(f(u), change)]))]
                u = [a + b for a, b in zip(u, change)]
            u = [a + b for a, b in zip(u, solve([d * r - c for r, c in zip(f(u), change)]))]
            row = [u[:size]]
            for q in range(1, j + 1):
                below = mpfr((2 * j + 1) ** 2) / (2 * (j - q) + 1) ** 2 - 1
                row.append([a + (a - b) / below for a, b in zip(row[-1], last[q - 1])])
            last = row
        error = max(abs(a - b) / (s + max(abs(a), abs(c))) for a, b, c, s in zip(last[-1], last[-2], self.y, self.scale))
        return last[-1], float(error / self.tolerance)


def factorised(matrix):
    """The function that solves with a matrix: Gauss, with the largest of a column as its pivot."""
    size = len(matrix)
    a, order = [list(row) for row in matrix], list(range(size))
    for k in range(size):
        p = max(range(k, size), key=lambda i: abs(a[i][k]))
        a[k], a[p], order[k], order[p] = a[p], a[k], order[p], order[k]
        for i in range(k + 1, size):
            a[i][k] /= a[k][k]
            for m in range(k + 1, size):
                a[i][m] -= a[i][k] * a[k][m]

    def solve(right):
        x = [right[i] for i in order]
        for i in range(size):
            for m in range(i):
                x[i] -= a[i][m] * x[m]
        for i in reversed(range(size)):
            for m in range(i + 1, size):
                x[i] -= a[i][m] * x[m]
            x[i] /= a[i][i]
        return x

    return solve
