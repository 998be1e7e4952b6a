"""SciPy's integrators on the test problems: a job a line in, what it cost a line out, both JSON.

The rates and Jacobians are written out here once more; the caller compares them with its own before the first run.
Times are those of an interpreter: the right-hand sides are Python.
"""

import json
import math
import sys
import time
import warnings

import numpy as np
import scipy
import scipy.sparse
from scipy.integrate import solve_ivp

MASSES = np.arange(1.0, 8.0)
MU = 0.012277471


class Limit(Exception):
    """The run takes too long."""


def chain(t, y):
    dy = np.empty(10)
    dy[0] = -y[0]
    dy[1:9] = y[:8] - y[1:9]
    dy[9] = y[8]
    return dy


def chain_jacobian(t, y):
    j = np.diag([-1.0] * 9 + [0.0])
    j[np.arange(1, 10), np.arange(9)] = 1.0
    return j


def rigid(t, y):
    return np.array([y[1] * y[2], -y[0] * y[2], -0.51 * y[0] * y[1]])


def rigid_jacobian(t, y):
    return np.array([[0, y[2], y[1]], [-y[2], 0, -y[0]], [-0.51 * y[1], -0.51 * y[0], 0]])


def attraction(x, y, m):
    r2 = x * x + y * y
    r5 = r2 * r2 * math.sqrt(r2)
    return m * (3 * x * x - r2) / r5, m * 3 * x * y / r5, m * (3 * y * y - r2) / r5


def kepler(t, y):
    r3 = math.hypot(y[0], y[1]) ** 3
    return np.array([y[2], y[3], -y[0] / r3, -y[1] / r3])


def kepler_jacobian(t, y):
    xx, xy, yy = attraction(y[0], y[1], 1.0)
    return np.array([[0, 0, 1, 0], [0, 0, 0, 1], [xx, xy, 0, 0], [xy, yy, 0, 0]])


def arenstorf(t, y):
    d1 = math.hypot(y[0] + MU, y[1]) ** 3
    d2 = math.hypot(y[0] - (1 - MU), y[1]) ** 3
    ax = y[0] + 2 * y[3] - (1 - MU) * (y[0] + MU) / d1 - MU * (y[0] - (1 - MU)) / d2
    ay = y[1] - 2 * y[2] - (1 - MU) * y[1] / d1 - MU * y[1] / d2
    return np.array([y[2], y[3], ax, ay])


def arenstorf_jacobian(t, y):
    a, b = attraction(y[0] + MU, y[1], 1 - MU), attraction(y[0] - (1 - MU), y[1], MU)
    xx, xy, yy = a[0] + b[0] + 1, a[1] + b[1], a[2] + b[2] + 1
    return np.array([[0, 0, 1, 0], [0, 0, 0, 1], [xx, xy, 0, 2], [xy, yy, -2, 0]])


def pleiades(t, z):
    x, y = z[:7], z[7:14]
    dx, dy = x[None, :] - x[:, None], y[None, :] - y[:, None]
    r2 = dx * dx + dy * dy
    np.fill_diagonal(r2, 1.0)
    pull = MASSES[None, :] / (r2 * np.sqrt(r2))
    return np.concatenate((z[14:], (pull * dx).sum(axis=1), (pull * dy).sum(axis=1)))


def pleiades_jacobian(t, z):
    x, y = z[:7], z[7:14]
    dx, dy = x[None, :] - x[:, None], y[None, :] - y[:, None]
    r2 = dx * dx + dy * dy
    np.fill_diagonal(r2, 1.0)
    m = MASSES[None, :] / (r2 * r2 * np.sqrt(r2))
    np.fill_diagonal(m, 0.0)
    j = np.zeros((28, 28))
    j[np.arange(14), np.arange(14, 28)] = 1.0
    xx, xy, yy = m * (r2 - 3 * dx * dx), -3 * m * dx * dy, m * (r2 - 3 * dy * dy)
    for block in (xx, xy, yy):
        np.fill_diagonal(block, -block.sum(axis=1))
    j[14:21, :7], j[14:21, 7:14], j[21:28, :7], j[21:28, 7:14] = xx, xy, xy, yy
    return j


def robertson(t, y):
    made, eaten = 0.04 * y[0] - 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]
    return np.array([-made, made - eaten, eaten])


def robertson_jacobian(t, y):
    a, b, c = 1e4 * y[2], 1e4 * y[1], 6e7 * y[1]
    return np.array([[-0.04, a, b], [0.04, -a - c, -b], [0, c, 0]])


def vdpol(t, y):
    return np.array([y[1], 1e3 * (1 - y[0] * y[0]) * y[1] - y[0]])


def vdpol_jacobian(t, y):
    return np.array([[0, 1], [-2e3 * y[0] * y[1] - 1, 1e3 * (1 - y[0] * y[0])]])


def vdpol_scaled(t, y):
    return np.array([y[1], ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-6])


def vdpol_scaled_jacobian(t, y):
    return np.array([[0, 1], [(-2 * y[0] * y[1] - 1) / 1e-6, (1 - y[0] * y[0]) / 1e-6]])


HIRES = np.zeros((8, 8))
HIRES[0, :3] = -1.71, 0.43, 8.32
HIRES[1, :2] = 1.71, -8.75
HIRES[2, 2:5] = -10.03, 0.43, 0.035
HIRES[3, 1:4] = 8.32, 1.71, -1.12
HIRES[4, 4:7] = -1.745, 0.43, 0.43
HIRES[5, 3:7] = 0.69, 1.71, -0.43, 0.69
HIRES[6, 6], HIRES[7, 6] = -1.81, 1.81


def hires(t, y):
    dy = HIRES @ y
    bound = 280.0 * y[5] * y[7]
    dy[0] += 0.0007
    dy[5] -= bound
    dy[6] += bound
    dy[7] -= bound
    return dy


def hires_jacobian(t, y):
    j = HIRES.copy()
    for row, sign in ((5, -1), (6, 1), (7, -1)):
        j[row, 5] += sign * 280.0 * y[7]
        j[row, 7] += sign * 280.0 * y[5]
    return j


def orego(t, y):
    a = 77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1]))
    return np.array([a, (y[2] - (1 + y[0]) * y[1]) / 77.27, 0.161 * (y[0] - y[2])])


def orego_jacobian(t, y):
    a = 77.27 * (1 - 2 * 8.375e-6 * y[0] - y[1])
    s = 77.27
    return np.array([[a, s * (1 - y[0]), 0], [-y[1] / s, -(1 + y[0]) / s, 1 / s], [0.161, 0, -0.161]])


def brusselator(t, y):
    n = len(y) // 2
    z = np.concatenate(([1.0, 3.0], y, [1.0, 3.0]))
    dy = (n + 1) ** 2 / 50.0 * (z[:-4] - 2 * y + z[4:])
    u, v = y[::2], y[1::2]
    reaction = u * u * v
    dy[::2] += 1 + reaction - 4 * u
    dy[1::2] += 3 * u - reaction
    return dy


def brusselator_bands(y):
    """The diagonals 2, 1, 0, -1, -2, packed as LSODA and SciPy's sparse matrices take them."""
    n = len(y) // 2
    a, u, v = (n + 1) ** 2 / 50.0, y[::2], y[1::2]
    bands = np.zeros((5, 2 * n))
    bands[0, 2:], bands[4, :-2] = a, a
    bands[1, 1::2] = u * u
    bands[2, ::2], bands[2, 1::2] = 2 * u * v - 4 - 2 * a, -u * u - 2 * a
    bands[3, ::2] = 3 - 2 * u * v
    return bands


def brusselator_jacobian(t, y):
    return scipy.sparse.dia_array((brusselator_bands(y), [2, 1, 0, -1, -2]), shape=(len(y), len(y))).tocsc()


ALL = {
    "chain": (chain, chain_jacobian),
    "rigid": (rigid, rigid_jacobian),
    "kepler": (kepler, kepler_jacobian),
    "arenstorf": (arenstorf, arenstorf_jacobian),
    "pleiades": (pleiades, pleiades_jacobian),
    "robertson": (robertson, robertson_jacobian),
    "vdpol": (vdpol, vdpol_jacobian),
    "vdpol-scaled": (vdpol_scaled, vdpol_scaled_jacobian),
    "hires": (hires, hires_jacobian),
    "orego": (orego, orego_jacobian),
    "brusselator": (brusselator, brusselator_jacobian),
}


def find(name):
    """Several ends share a right-hand side: rigid-12, robertson-long, arenstorf-1/4."""
    return ALL.get(name) or ALL[name.split("-")[0]]


def solve(job):
    """One run."""
    rates, jacobian = find(job["problem"])
    method, banded = job["method"], job["problem"] == "brusselator"
    calls, jacobians = 0, 0
    end = time.process_time() + job["limit"]

    def counted(t, y):
        nonlocal calls
        calls += 1
        if calls % 64 == 0 and time.process_time() > end:
            raise Limit(f"time limit of {job['limit']:.0f} s at t = {t:.3e}")
        return rates(t, y)

    def counted_jacobian(t, y):
        nonlocal jacobians
        jacobians += 1
        return brusselator_bands(y) if banded and method == "LSODA" else jacobian(t, y)

    options = {"method": method, "rtol": job["rtol"], "atol": np.array(job["atol"])}
    if method in ("LSODA", "Radau", "BDF"):
        if job["jacobian"] == "exact":
            options["jac"] = counted_jacobian
        elif banded and method != "LSODA":
            y = np.array(job["y0"])
            options["jac_sparsity"] = brusselator_jacobian(0.0, y + 0.1) != 0
        if banded and method == "LSODA":
            options.update(lband=2, uband=2)
    start = time.process_time()
    s = solve_ivp(counted, (job["t0"], job["t_end"]), np.array(job["y0"]), **options)
    cpu = time.process_time() - start
    if not s.success:
        return {"failed": s.message}, cpu
    if not np.all(np.isfinite(s.y[:, -1])):
        return {"failed": "the end is not finite"}, cpu
    exact = "jac" in options
    out = {"end": list(map(float, s.y[:, -1])), "evaluations": calls, "steps": len(s.t) - 1}
    out["jacobians"] = jacobians if exact else int(s.njev)
    out["factorizations"] = int(s.nlu) if method in ("Radau", "BDF") else None
    return out, cpu


def repeated(job):
    """A run, and its time as the median of up to seven."""
    try:
        out, cpu = solve(job)
        times = [cpu]
        while "failed" not in out and len(times) < 7 and sum(times) < 0.1:
            times.append(solve(job)[1])
        out["cpu"] = sorted(times)[len(times) // 2]
        return out
    except (Limit, ArithmeticError, ValueError, RuntimeError) as e:
        return {"failed": str(e).split("\n")[0]}


def check(job):
    """The rates and the Jacobian at a state."""
    rates, jacobian = find(job["problem"])
    y = np.array(job["y0"])
    j = jacobian(0.0, y)
    full = j.toarray() if scipy.sparse.issparse(j) else np.asarray(j)
    return {"rates": list(map(float, rates(0.0, y))), "jacobian": list(map(float, full.ravel()))}


def main():
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    print(json.dumps({"version": scipy.__version__}), flush=True)
    for line in sys.stdin:
        if not line.strip():
            break
        job = json.loads(line)
        print(json.dumps(check(job) if "check" in job else repeated(job)), flush=True)


main()
