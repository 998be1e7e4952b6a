"""The billiard break in SciPy: DOP853 on a right-hand side compiled by numba.

Reads a line of JSON with the model and the tolerances, compiles, says so; then makes a run for every line `round`, and says
what it cost. The forces are those of the scene: Hertz K d^1.5, and Ambrósio's friction at the point of the undeformed ball.
Balls need no orientation: the state is place, velocity and angular velocity of each. An empty line ends it.
"""

import json
import sys
import time

import numba
import numpy as np
import scipy
from numba import njit
from scipy.integrate import solve_ivp

MODEL = json.loads(sys.stdin.readline())
N = len(MODEL["place"])
RADIUS, MASS, G = MODEL["radius"], MODEL["mass"], 9.81
INERTIA = 0.4 * MASS * RADIUS**2
K_BALL, K_CLOTH, K_CUSHION = MODEL["k_balls"], MODEL["k_cloth"], MODEL["k_cushions"]
MU_BALL, MU_CLOTH, MU_CUSHION = MODEL["mu_balls"], MODEL["mu_cloth"], MODEL["mu_cushions"]
V0, V1 = MODEL["v0"], MODEL["v1"]
# inward normals of the cushions, and how far the plane is from the origin along them
WALLS = np.array([[1.0, 0.0, 1.905], [-1.0, 0.0, 0.635], [0.0, 1.0, 0.635], [0.0, -1.0, 0.635]])


@njit
def friction(normal, mu, vx, vy, vz):
    """The factor of the slip in the friction force."""
    v = np.sqrt(vx * vx + vy * vy + vz * vz)
    if v <= V0:
        return 0.0
    c = (v - V0) / (V1 - V0) if v < V1 else 1.0
    return -mu * normal * c / v


@njit
def point_velocity(w, ax, ay, az, vx, vy, vz):
    """Of the point at the arm a."""
    return (vx + w[1] * az - w[2] * ay, vy + w[2] * ax - w[0] * az, vz + w[0] * ay - w[1] * ax)


@njit
def wall(x, v, w, f, m, nx, ny, nz, gap, k, mu):
    """A fixed plane with the inward normal n that the ball overlaps: `gap` is below 0."""
    normal = k * (-gap) ** 1.5
    ax, ay, az = -RADIUS * nx, -RADIUS * ny, -RADIUS * nz
    px, py, pz = point_velocity(w, ax, ay, az, v[0], v[1], v[2])
    vn = px * nx + py * ny + pz * nz
    sx, sy, sz = px - vn * nx, py - vn * ny, pz - vn * nz
    c = friction(normal, mu, sx, sy, sz)
    fx, fy, fz = c * sx, c * sy, c * sz
    f[0] += normal * nx + fx
    f[1] += normal * ny + fy
    f[2] += normal * nz + fz
    m[0] += ay * fz - az * fy
    m[1] += az * fx - ax * fz
    m[2] += ax * fy - ay * fx


@njit
def pair(x, v, w, f, m, i, j):
    """Two balls that overlap."""
    dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
    d = np.sqrt(dx * dx + dy * dy + dz * dz)
    nx, ny, nz = dx / d, dy / d, dz / d
    normal = K_BALL * (2.0 * RADIUS - d) ** 1.5
    ax, ay, az = RADIUS * nx, RADIUS * ny, RADIUS * nz
    ix, iy, iz = point_velocity(w[i], ax, ay, az, v[i, 0], v[i, 1], v[i, 2])
    jx, jy, jz = point_velocity(w[j], -ax, -ay, -az, v[j, 0], v[j, 1], v[j, 2])
    rx, ry, rz = ix - jx, iy - jy, iz - jz
    vn = rx * nx + ry * ny + rz * nz
    sx, sy, sz = rx - vn * nx, ry - vn * ny, rz - vn * nz
    c = friction(normal, MU_BALL, sx, sy, sz)
    fx, fy, fz = c * sx, c * sy, c * sz
    f[i, 0] += fx - normal * nx
    f[i, 1] += fy - normal * ny
    f[i, 2] += fz - normal * nz
    f[j, 0] += normal * nx - fx
    f[j, 1] += normal * ny - fy
    f[j, 2] += normal * nz - fz
    # both arms and both forces change sign: the same moment on both
    tx, ty, tz = ay * fz - az * fy, az * fx - ax * fz, ax * fy - ay * fx
    m[i, 0] += tx
    m[i, 1] += ty
    m[i, 2] += tz
    m[j, 0] += tx
    m[j, 1] += ty
    m[j, 2] += tz


@njit
def rates(t, y):
    x = y[: 3 * N].reshape((N, 3))
    v = y[3 * N : 6 * N].reshape((N, 3))
    w = y[6 * N :].reshape((N, 3))
    f = np.zeros((N, 3))
    m = np.zeros((N, 3))
    for i in range(N):
        f[i, 2] -= MASS * G
        gap = x[i, 2] - RADIUS
        if gap < 0.0:
            wall(x[i], v[i], w[i], f[i], m[i], 0.0, 0.0, 1.0, gap, K_CLOTH, MU_CLOTH)
        for k in range(4):
            gap = x[i, 0] * WALLS[k, 0] + x[i, 1] * WALLS[k, 1] + WALLS[k, 2] - RADIUS
            if gap < 0.0:
                wall(x[i], v[i], w[i], f[i], m[i], WALLS[k, 0], WALLS[k, 1], 0.0, gap, K_CUSHION, MU_CUSHION)
        for j in range(i + 1, N):
            dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
            if dx * dx + dy * dy + dz * dz < 4.0 * RADIUS * RADIUS:
                pair(x, v, w, f, m, i, j)
    out = np.empty(9 * N)
    out[: 3 * N] = y[3 * N : 6 * N]
    out[3 * N : 6 * N] = (f / MASS).ravel()
    out[6 * N :] = (m / INERTIA).ravel()
    return out


def run(start, atol):
    begin = time.process_time()
    s = solve_ivp(rates, (0.0, MODEL["duration"]), start, method="DOP853", rtol=MODEL["rtol"], atol=atol)
    cpu = time.process_time() - begin
    return {
        "cpu": cpu,
        "evaluations": int(s.nfev),
        "steps": len(s.t) - 1,
        "end": s.y[: 3 * N, -1].tolist() if s.success else None,
    }


def main():
    start = np.concatenate([np.ravel(MODEL["place"]), np.ravel(MODEL["velocity"]), np.zeros(3 * N)])
    atol = MODEL["rtol"] * np.repeat([MODEL["length"], MODEL["speed"], MODEL["speed"] / MODEL["length"]], 3 * N)
    rates(0.0, start)  # compiles
    print(json.dumps({"version": f"SciPy {scipy.__version__}, numba {numba.__version__}"}), flush=True)
    for line in sys.stdin:
        if line.strip() != "round":
            break
        print(json.dumps(run(start, atol)), flush=True)


main()
