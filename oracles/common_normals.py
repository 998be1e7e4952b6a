"""All common normals of two ellipsoids: the stationary distances of a point of one from a point of the other.

With u and v unit vectors the points are p = x_a + K_a u and q = x_b + K_b v, K = R diag(semi axes). The distance is stationary where
K_a^T (p - q) is along u and K_b^T (q - p) along v. Newton's method for both on the product of two spheres, from some
thousand random pairs of points in double precision; what it finds, without the points that both surfaces share, is improved in 40 digits by
Newton's method for u, v and two multipliers. The index of each is the number of negative eigenvalues of the Hessian on the two spheres. Nothing
here knows of support functions or of how directions are searched.
"""

import mpmath
import numpy as np
from gmpy2 import mpfr

from .geometry import Frame, precise

RELATIVE = 0.0
ABSOLUTE = 2e-14
STARTS = 6000


def matrix(surface, frame):
    return np.array([[float(frame.axes[j][i]) * surface["semi_axes"][j] for j in range(3)] for i in range(3)])


def tangents(u):
    """Two unit vectors across each of the unit vectors."""
    other = np.where(np.abs(u[:, :1]) < 0.5, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    t = np.cross(u, other)
    t /= np.linalg.norm(t, axis=1, keepdims=True)
    return np.stack([t, np.cross(u, t)], axis=2)


def derivatives(ka, kb, c, u, v):
    """Gradient (4) and Hessian (4 x 4) of |p - q|^2/2 on the two spheres, and the tangents."""
    d = u @ ka.T - v @ kb.T - c
    gu, gv = d @ ka, -d @ kb
    tu, tv = tangents(u), tangents(v)
    gradient = np.concatenate([np.einsum("ni,nij->nj", gu, tu), np.einsum("ni,nij->nj", gv, tv)], axis=1)
    at, bt = np.einsum("ij,njk->nik", ka, tu), np.einsum("ij,njk->nik", kb, tv)
    hessian = np.zeros((len(u), 4, 4))
    one = np.eye(2)
    hessian[:, :2, :2] = np.einsum("nij,nik->njk", at, at) - np.einsum("ni,ni->n", gu, u)[:, None, None] * one
    hessian[:, 2:, 2:] = np.einsum("nij,nik->njk", bt, bt) - np.einsum("ni,ni->n", gv, v)[:, None, None] * one
    hessian[:, :2, 2:] = -np.einsum("nij,nik->njk", at, bt)
    hessian[:, 2:, :2] = np.swapaxes(hessian[:, :2, 2:], 1, 2)
    return gradient, hessian, tu, tv


def search(ka, kb, c):
    """All stationary pairs of unit vectors that Newton's method finds."""
    random = np.random.default_rng(1)
    u, v = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in random.normal(size=(2, STARTS, 3)))
    for _ in range(80):
        gradient, hessian, tu, tv = derivatives(ka, kb, c, u, v)
        # Where both surfaces share a curve the Hessian is singular along it.
        step = -np.einsum("nij,nj->ni", np.linalg.pinv(hessian, rcond=1e-12, hermitian=True), gradient)
        step *= np.minimum(1, 0.4 / np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-300))
        u, v = u + np.einsum("nij,nj->ni", tu, step[:, :2]), v + np.einsum("nij,nj->ni", tv, step[:, 2:])
        u, v = u / np.linalg.norm(u, axis=1, keepdims=True), v / np.linalg.norm(v, axis=1, keepdims=True)
    gradient, hessian, _, _ = derivatives(ka, kb, c, u, v)
    distance = np.linalg.norm(u @ ka.T - v @ kb.T - c, axis=1)
    scale = np.linalg.norm(c) + np.linalg.norm(ka) + np.linalg.norm(kb)
    good = (np.linalg.norm(gradient, axis=1) < 1e-12 * scale**2) & (distance > 1e-6 * scale)
    found = []
    for x, y, h in zip(u[good], v[good], hessian[good]):
        if all(np.linalg.norm(x - a) + np.linalg.norm(y - b) > 1e-6 for a, b, _ in found):
            found.append((x, y, int((np.linalg.eigvalsh(h) < 0).sum())))
    return found


def distance(ka, kb, c, u, v):
    """The distance of a stationary pair of points, from u and v nearby."""
    ka, kb = (mpmath.matrix([[mpmath.mpf(x) for x in row] for row in k]) for k in (ka, kb))
    c = mpmath.matrix([mpmath.mpf(x) for x in c])

    def equations(*x):
        u, v = mpmath.matrix(x[:3]), mpmath.matrix(x[3:6])
        d = ka * u - kb * v - c
        on_u, on_v = ka.T * d - x[6] * u, kb.T * -d - x[7] * v
        return [*on_u, *on_v, (u.T * u)[0] - 1, (v.T * v)[0] - 1]

    d = [float(x) for x in ka * mpmath.matrix(list(u)) - kb * mpmath.matrix(list(v)) - c]
    start = [*u, *v, float(u @ np.array((ka.T * mpmath.matrix(d)).T.tolist()[0], dtype=float))]
    start.append(-float(v @ np.array((kb.T * mpmath.matrix(d)).T.tolist()[0], dtype=float)))
    x = mpmath.findroot(equations, start, tol=1e-60, maxsteps=30)
    return mpmath.norm(ka * x[:3] - kb * x[3:6] - c)


def values(rows):
    """The distances of each row in order, the index of each, and how many there are."""
    precise()
    mpmath.mp.dps = 40
    for i, row in enumerate(rows):
        frames = [Frame(row["pose_a"]), Frame(row["pose_b"])]
        exact = [
            [[frame.axes[j][k] * mpfr(surface["semi_axes"][j]) for j in range(3)] for k in range(3)]
            for surface, frame in zip((row["a"], row["b"]), frames)
        ]
        apart = [q - p for p, q in zip(frames[0].p, frames[1].p)]
        text = [[[str(x) for x in r] for r in k] for k in exact]
        ka, kb = matrix(row["a"], frames[0]), matrix(row["b"], frames[1])
        found = [
            (distance(*text, [str(x) for x in apart], u, v), index)
            for u, v, index in search(ka, kb, np.array([float(x) for x in apart]))
        ]
        found.sort()
        yield (i, "expect", "count"), mpfr(len(found)), 0.0, 0.5
        for k, (d, index) in enumerate(found):
            yield (i, "expect", "distances", k), mpfr(str(d)), RELATIVE, ABSOLUTE
            yield (i, "expect", "indices", k), mpfr(index), 0.0, 0.5
