"""The common normal of two solids as Lopes, Silva, Ambrósio and Flores (2010) print it: Newton's steps of Tables 5 and 6, and searches that succeed.

Unknown are the six coordinates of P and Q in the frames of their surfaces (Eq 10), or four parameters on these; equations are those of Eq 9, steps those of Eq 8. Derivatives are not written
down: each is the imaginary part of the equations at a point that is moved by 1e-30 i (for 100 digits more, by less), exact to rounding, all columns of a Jacobian at once. Where tangents have
two cases, the point that was not moved decides: at a flat pole, where a normal's component is zero, the moved ones would take now one and now the other. What the paper leaves open is
read as the README of `papers/quadric-superquadric` says. Bodies never touch here, so that a common normal is the one looked for if outward normals are opposite and P
sees Q in front of it: no other pair of points of separate convex solids is so.

Runs, with their settings, are those of the recipe. How often a search fails may hang on the last digit; more digits tell.

    python -m oracles.lopes                          # all runs of Tables 5 and 6, steps and successes, beside those of the recipe
    python -m oracles.lopes --digits 60 table5-slow  # one figure, in 60 digits
"""

import argparse
import tomllib
from pathlib import Path

import mpmath
import numpy as np

ABSOLUTE = RELATIVE = 0.0
RECIPE = Path(__file__).resolve().parent.parent / "papers/quadric-superquadric/paper.toml"
FIGURES = ("table5", "table6", "table5-slow", "table6-slow", "forms")
QUANTITIES = {"gap.iterations": 0, "gap.found": 1}
SOURCE = "oracles/lopes.py"
TIMES, MOST_STEPS = 200, 50


class Numbers:
    """Double precision with NumPy, or `digits` decimal ones with mpmath, in arrays of objects."""

    def __init__(self, digits=None):
        self.exact = digits is not None
        if self.exact:
            mpmath.mp.dps = digits
        self.small = mpmath.mpf(10) ** -(2 * digits) if self.exact else 1e-30

    def of(self, values):
        return np.array([mpmath.mpf(v) for v in values], dtype=object) if self.exact else np.array(values, dtype=float)

    def angle(self, degrees):
        return mpmath.radians(mpmath.mpf(degrees)) if self.exact else np.radians(degrees)

    def cos_sin(self, angle):
        return (mpmath.cos(angle), mpmath.sin(angle)) if self.exact else (np.cos(angle), np.sin(angle))

    def imaginary(self):
        """A small imaginary number; in mpmath digits are relative, so that its size does not matter."""
        return mpmath.mpc(0, self.small) if self.exact else 1j * self.small

    def imaginary_parts(self, values):
        return np.array([[c.imag for c in row] for row in values]) if self.exact else values.imag

    def solve(self, matrix, right):
        """None where the matrix is singular, in double precision but for rounding."""
        try:
            if self.exact:
                return np.array(list(mpmath.lu_solve(mpmath.matrix(matrix.tolist()), mpmath.matrix(right.tolist()))), dtype=object)
            return np.linalg.solve(matrix, right) if np.linalg.cond(matrix) < 1 / np.finfo(float).eps else None
        except (ZeroDivisionError, np.linalg.LinAlgError):
            return None

    def least(self, matrix, right, cut):
        """The pseudo-inverse of section 8, applied to a vector: singular values below `cut` times the largest are left out."""
        if not self.exact:
            return np.linalg.pinv(matrix, rcond=cut) @ right
        u, s, v = mpmath.svd_r(mpmath.matrix(matrix.tolist()))
        kept = [(u[:, k].T * mpmath.matrix(right.tolist()))[0] / s[k] if s[k] > cut * s[0] else 0 for k in range(len(s))]
        return np.array(list(v.T * mpmath.matrix(kept)), dtype=object)


class Solid:
    """The surface sum of |x/e|^gamma = 1, Eqs 25 and 37, its centre at the origin of its frame."""

    def __init__(self, semi, gamma):
        self.semi, self.gamma = semi, gamma

    def size(self):
        """The largest distance from the centre: Hölder's inequality."""
        largest, g = max(float(e) for e in self.semi), self.gamma
        return largest if g == 2 else largest * sum((float(e) / largest) ** (2 * g / (g - 2)) for e in self.semi) ** ((g - 2) / (2 * g))

    def value(self, x):
        # in the order of section 4.2, so that negative coordinates have real powers
        return sum(((c / e) * (c / e)) ** (self.gamma / 2) for c, e in zip(x, self.semi)) - 1

    def normal(self, x):
        """Eqs 31 and 38."""
        g = self.gamma
        return np.array([g * (c / e) * power((c / e) * (c / e), g / 2 - 1) / e for c, e in zip(x, self.semi)])

    def leaves(self, u):
        """Where a ray from the centre leaves the surface."""
        return u * sum(((c / e) * (c / e)) ** (self.gamma / 2) for c, e in zip(u, self.semi)) ** (-1 / self.gamma)


def power(x, exponent):
    return 1 if exponent == 0 else x**exponent


def length(v):
    return sum(c * c for c in v) ** 0.5


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def householder(n, here):
    """Eqs 15 to 17; h grows away from zero, with the sign of n_x, `here`."""
    h = np.array([n[0] + (-length(n) if here[0] < 0 else length(n)), n[1], n[2]])
    square = dot(h, h)
    return [np.array([(1 if i == k else 0) - 2 * h[i] * h[k] / square for i in range(3)]) for k in (1, 2)]


def auxiliary(n, here):
    """Eqs 18 and 19 with Table 1: the second of the four vectors where n_x n_y is not negative, `here`, else the first."""
    side = -1 if here[0] * here[1] >= 0 else 1
    v = np.array([n[0] + side * length(n), n[1] + length(n), n[2]])
    t = cross(n, v)
    return [t, cross(n, t)]


class Search:
    """Two solids and the options of a run."""

    def __init__(self, i, j, options, numbers):
        self.i, self.j, self.options, self.numbers = i, j, options, numbers
        self.tangents = auxiliary if options.get("tangents") == "auxiliary" else householder
        self.size = max(i.size(), j.size())
        self.last = options.get("absolute_tolerance", 1e-6 * self.size)
        self.cut = options.get("pseudo_inverse", 0)
        self.parametric = options.get("form") == "parametric"

    def equations(self, at, turn, centre, here):
        """Eq 9 at columns of points, seen from the frame of i; `turn` and `centre`: of the frame of j; `here`: its normal where none is moved."""
        p, q = at[:3], at[3:]
        n, d = self.i.normal(p), centre[:, None] + turn @ q - p
        t, b = (turn @ v for v in self.tangents(self.j.normal(q), here))
        return np.array([dot(n, t), dot(n, b), dot(d, t), dot(d, b), self.i.value(p), self.j.value(q)])

    def on_surfaces(self, at):
        """Both points moved onto their surfaces, along the rays from their centres."""
        return np.concatenate([self.i.leaves(at[:3]), self.j.leaves(at[3:])])

    def chart(self, at):
        """Four unknowns in place of six (Eq 3): the points on the surfaces whose directions from the centres are moved by them, across."""
        axes = []
        for w in (at[:3] / length(at[:3]), at[3:] / length(at[3:])):
            least = min(range(3), key=lambda k: abs(w[k]))
            t = cross(w, np.array([1 if k == least else 0 for k in range(3)]))
            axes.append((w, t / length(t), cross(w, t / length(t))))
        return lambda s: self.on_surfaces(
            np.concatenate([w[:, None] + np.outer(t, s[2 * k]) + np.outer(b, s[2 * k + 1]) for k, (w, t, b) in enumerate(axes)])
        )

    def step(self, at, turn, centre):
        """Eq 8: the points after it."""
        if self.parametric:
            point, count = self.chart(at), 4
        else:
            point, count = (lambda s: at[:, None] + s), 6
        move = self.solved(point, count, at, turn, centre)
        return None if move is None else point(move[:, None])[:, 0]

    def solved(self, point, count, at, turn, centre):
        """By how much the unknowns change."""
        here = self.j.normal(at[3:])
        values = self.equations(at[:, None], turn, centre, here)[:count, 0]
        moved = np.array([[self.numbers.imaginary() if i == k else 0 for k in range(count)] for i in range(count)])
        jacobian = self.numbers.imaginary_parts(self.equations(point(moved), turn, centre, here)[:count]) / self.numbers.small
        # Tangents of length one, lengths in units of the size: then singular values can be compared.
        t, b = (length(v) for v in self.tangents(here, here))
        weights = np.array([self.size / t, self.size / b, 1 / (self.size * t), 1 / (self.size * b), 1, 1])[:count]
        jacobian, values = weights[:, None] * jacobian, weights * values
        if not all(abs(x) < 1e200 for x in jacobian.flat):
            return None
        if not self.cut:
            return self.numbers.solve(jacobian, -values)
        return -self.numbers.least(jacobian, values, self.cut)

    def newton(self, at, turn, centre):
        """The points and the number of steps; None if they do not converge."""
        if self.parametric:
            at = self.on_surfaces(at)
        for steps in range(1, MOST_STEPS + 1):
            before, at = at, self.step(at, turn, centre)
            if at is None or not all(abs(c) < 1e100 for c in at):
                return None
            if length(at - before) <= self.last:
                return at, steps
        return None

    def front(self, at, turn, centre):
        """n . (q - p) if outward normals are opposite, else None."""
        n, m = self.i.normal(at[:3]), turn @ self.j.normal(at[3:])
        return dot(n, centre + turn @ at[3:] - at[:3]) / length(n) if dot(n, m) < 0 else None

    def start(self, turn, centre):
        """Section 7: both points in the middle between the centroids; or where the line between these leaves the surfaces."""
        if self.options.get("start") == "between":
            middle = centre / 2
            return np.concatenate([middle, turn.T @ (middle - centre)])
        u = centre / length(centre)
        return np.concatenate([self.i.leaves(u), self.j.leaves(-(turn.T @ u))])

    def find(self, seed, turn, centre):
        """The points and the number of steps; None if the search fails."""
        found = self.newton(self.start(turn, centre) if seed is None else seed, turn, centre)
        if found is None:
            return None
        at, steps = found
        front = self.front(at, turn, centre)
        if front is not None and front > 0:
            return at, steps
        if not self.options.get("reflect"):
            return None
        # Eqs 22 to 24, of those with opposite normals the one that is furthest in front.
        others = [np.concatenate([a * at[:3], b * at[3:]]) for a in (1, -1) for b in (1, -1)]
        ranked = [(self.front(other, turn, centre), k) for k, other in enumerate(others)]
        ranked = [pair for pair in ranked if pair[0] is not None]
        if not ranked or max(ranked)[1] == 0:
            return None
        found = self.newton(others[max(ranked)[1]], turn, centre)
        if found is None or not (self.front(found[0], turn, centre) or -1) > 0:
            return None
        return found[0], steps + found[1]


def rotation(numbers, axis, angle):
    """Rodrigues' formula."""
    axis = numbers.of(axis)
    x, y, z = axis / length(axis)
    c, s = numbers.cos_sin(angle)
    k = 1 - c
    return np.array([
        [c + x * x * k, x * y * k - z * s, x * z * k + y * s],
        [x * y * k + z * s, c + y * y * k, y * z * k - x * s],
        [x * z * k - y * s, y * z * k + x * s, c + z * z * k],
    ])


def settings(run):
    """{path: value} of a run of the recipe."""
    found = {}
    for text in run.get("set", []):
        path, value = text.split("=", 1)
        try:
            found[path] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            found[path] = value.strip()
    return found


def motion(run, numbers):
    """The search of a run, and the function that gives turn and centre of j, seen from i, at the k-th of its 200 times (section 7)."""
    given, orbit = settings(run), run["scene"] == "orbit"
    solver = given.get("distance/gap/solver", {})
    gamma = lambda body: given.get(f"body/{body}/surface/hull/exponents", [2])[0]
    semi = lambda body, usual: numbers.of(given.get(f"body/{body}/surface/hull/semi_axes", usual))
    options = solver if isinstance(solver, dict) else {}
    search = Search(Solid(semi("i", [3] * 3), gamma("i")), Solid(semi("j", [0.5] * 3), gamma("j")), options, numbers)
    along = numbers.of([given.get(f"parameter/along_{c}", usual) for c, usual in zip("xyz", (0.60, 0.48, 0.64))])
    centre = along * given.get("parameter/apart", 4.5) / length(along)
    if "body/j/position" in given:
        centre = numbers.of(given["body/j/position"])
    turn = given.get("parameter/turn")
    diagonal = given.get("parameter/diagonal", 1)

    def place(k):
        degrees = k * turn if turn else k * (numbers.of([360])[0] / 199)
        angle = numbers.angle(degrees)
        a = rotation(numbers, [1, 0, 0], angle)
        if orbit:
            b = rotation(numbers, [1, 0, 0], -angle)
            return a.T @ b, a.T @ (b @ centre)
        return a.T @ rotation(numbers, [diagonal, diagonal, 1], angle), a.T @ centre

    return search, place


def followed(run, numbers):
    """Newton's steps of the searches that succeed, and how many do, of 200."""
    search, place = motion(run, numbers)
    total, right, seed = 0, 0, None
    for k in range(TIMES):
        found = search.find(seed, *place(k))
        seed = None
        if found:
            seed, total, right = found[0], total + found[1], right + 1
    return total, right


def distance(run, k, numbers):
    """The distance at the k-th time, Newton's steps being taken until they are below 1e-12 m; from the time before where they go astray."""
    search, place = motion(run, numbers)
    search.last = 1e-12
    for first in range(k, -1, -1):
        seed = None
        for at in range(first, k + 1):
            turn, centre = place(at)
            found = search.find(seed, turn, centre)
            if found is None:
                break
            seed = found[0]
        else:
            return length(centre + turn @ seed[3:] - seed[:3])


def values(data):
    """Rows of the recipe that have this program as their source."""
    numbers = Numbers()
    for f, figure in enumerate(data["figure"]):
        runs, known = {run["name"]: run for run in figure.get("run", [])}, {}
        for e, row in enumerate(figure.get("expect", [])):
            if row.get("source", "").startswith(SOURCE):
                name, place = row["run"], ("figure", f, "expect", e, "value")
                if row["of"] == "gap.distance":
                    # (`at` is a time, written as "= 15/199")
                    k = int(str(row["at"]).strip("= ").split("/")[0])
                    yield place, float(distance(runs[name], k, numbers)), 0.0, row["tolerance"] / 10
                    continue
                if name not in known:
                    known[name] = followed(runs[name], numbers)
                yield place, float(known[name][QUANTITIES[row["of"]]]), 0.0, row["tolerance"]


def main():
    parser = argparse.ArgumentParser(prog="python -m oracles.lopes", description=__doc__.splitlines()[0])
    parser.add_argument("figure", nargs="*", help=f"of {', '.join(FIGURES)} (default: all)")
    parser.add_argument("--digits", type=int, help="decimal digits (default: double precision)")
    parser.add_argument("--run", action="append", help="these runs only")
    options = parser.parse_args()
    numbers = Numbers(options.digits)
    for figure in tomllib.loads(RECIPE.read_text())["figure"]:
        if figure["name"] not in (options.figure or FIGURES):
            continue
        for run in figure["run"]:
            if settings(run).get("distance/gap/solver") == "convex" or (options.run and run["name"] not in options.run):
                continue
            total, right = followed(run, numbers)
            paper = f", the paper has {run['value']} steps" if "value" in run else ""
            print(f"{figure['name']} {run['name']}: {total} steps, {right} of {TIMES} searches succeed{paper}", flush=True)


if __name__ == "__main__":
    main()
