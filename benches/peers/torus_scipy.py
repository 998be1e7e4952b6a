"""A ring in slices dropped on a plane, in SciPy: LSODA on a right-hand side in NumPy or compiled by numba.

Reads a line of JSON with the ring and the plane, compiles, says so; then makes a run for every further line of JSON, and says what
it cost and where the centre was at the times asked for. An empty line ends it.

Everything is in the frame of the ring, whose axis is its z axis. There the plane's normal is m, and a slice at the angle phi has
the radial direction u = (cos phi, sin phi, 0). Marques & Silva's projected normal n_P = m - (m.t) t is (m.u) u + m_z e_z, so that
with nu = |n_P| the lowest point is Q = (R - r (m.u)/nu) u - r (m_z/nu) e_z, and its height z + R (m.u) - r nu.
Forces: normal K_s delta^1.5 (1 + chi delta_dot), friction mu F tanh(k_t v) against the slip v.
State: place, quaternion (w, x, y, z), velocity, angular velocity in the frame of the ring.
"""

import json
import math
import sys
import time

import numba
import numpy as np
import scipy
from numba import njit
from scipy.integrate import odeint, solve_ivp

RING = json.loads(sys.stdin.readline())
MAJOR, MINOR, MASS, G = RING["R"], RING["r"], RING["mass"], RING["gravity"]
I_X, I_Y, I_Z = RING["I_xi_xi"], RING["I_eta_eta"], RING["I_zeta_zeta"]
INERTIA = np.array([I_X, I_Y, I_Z])
CHI, MU, K_T = RING["chi_bar_default"], RING["mu_case2"], RING["k_t"]
N = RING["slices"]
STIFFNESS = RING["K_total"] / N
PHI = 2.0 * np.pi * np.arange(N) / N
COS, SIN = np.cos(PHI), np.sin(PHI)
WEIGHT = np.array([0.0, 0.0, -G])


def rotation(w, x, y, z):
    """From the ring's frame to the world's; its last row is the plane's normal in the ring's frame."""
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def quaternion_rate(q, o):
    w, x, y, z = q
    return 0.5 * np.array(
        [
            -x * o[0] - y * o[1] - z * o[2],
            w * o[0] + y * o[2] - z * o[1],
            w * o[1] + z * o[0] - x * o[2],
            w * o[2] + x * o[1] - y * o[0],
        ]
    )


def rates_numpy(t, y):
    """All slices at once; the forces of those that touch."""
    q, v, o = y[3:7], y[7:10], y[10:13]
    turn = rotation(*(q / math.sqrt(q @ q)))
    m = turn[2]
    along = m[0] * COS + m[1] * SIN
    nu = np.sqrt(along * along + m[2] * m[2])
    delta = MINOR * nu - y[2] - MAJOR * along
    touching = np.flatnonzero(delta > 0.0)
    force, moment = np.zeros(3), np.zeros(3)
    if touching.size:
        delta, nu, along = delta[touching], nu[touching], along[touching]
        radial = MAJOR - MINOR * along / nu
        point = np.stack([radial * COS[touching], radial * SIN[touching], -MINOR * m[2] / nu])
        # o x point, row by row: numpy.cross is slower
        slip = np.stack(
            [
                o[1] * point[2] - o[2] * point[1],
                o[2] * point[0] - o[0] * point[2],
                o[0] * point[1] - o[1] * point[0],
            ]
        )
        slip += (v @ turn)[:, None]
        rate = m @ slip
        slip -= m[:, None] * rate
        normal = STIFFNESS * delta * np.sqrt(delta) * (1.0 - CHI * rate)
        speed = np.sqrt((slip * slip).sum(axis=0))
        drag = MU * normal * np.tanh(K_T * speed) / np.maximum(speed, 1e-300)
        all_forces = m[:, None] * normal - slip * drag
        force = all_forces.sum(axis=1)
        # the sum of point x force, out of the matrix of all products
        product = point @ all_forces.T
        moment = np.array(
            [product[1, 2] - product[2, 1], product[2, 0] - product[0, 2], product[0, 1] - product[1, 0]]
        )
    spin = INERTIA * o
    gyro = np.array([o[1] * spin[2] - o[2] * spin[1], o[2] * spin[0] - o[0] * spin[2], o[0] * spin[1] - o[1] * spin[0]])
    return np.concatenate([v, quaternion_rate(q, o), turn @ force / MASS + WEIGHT, (moment - gyro) / INERTIA])


@njit
def rates_numba(t, y):
    """Slice by slice."""
    w, x, yy, z = y[3], y[4], y[5], y[6]
    size = 1.0 / math.sqrt(w * w + x * x + yy * yy + z * z)
    a, b, c, d = w * size, x * size, yy * size, z * size
    r11, r12, r13 = 1.0 - 2.0 * (c * c + d * d), 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)
    r21, r22, r23 = 2.0 * (b * c + a * d), 1.0 - 2.0 * (b * b + d * d), 2.0 * (c * d - a * b)
    mx, my, mz = 2.0 * (b * d - a * c), 2.0 * (c * d + a * b), 1.0 - 2.0 * (b * b + c * c)
    vx, vy, vz = y[7], y[8], y[9]
    ox, oy, oz = y[10], y[11], y[12]
    # the velocity of the centre in the ring's frame
    cx, cy, cz = r11 * vx + r21 * vy + mx * vz, r12 * vx + r22 * vy + my * vz, r13 * vx + r23 * vy + mz * vz
    fx, fy, fz, tx, ty, tz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(N):
        along = mx * COS[k] + my * SIN[k]
        base = -y[2] - MAJOR * along
        if base <= -MINOR:
            continue  # the centre line is too high
        nu = math.sqrt(along * along + mz * mz)
        delta = base + MINOR * nu
        if delta <= 0.0:
            continue
        radial = MAJOR - MINOR * along / nu
        px, py, pz = radial * COS[k], radial * SIN[k], -MINOR * mz / nu
        sx, sy, sz = cx + oy * pz - oz * py, cy + oz * px - ox * pz, cz + ox * py - oy * px
        rate = mx * sx + my * sy + mz * sz
        sx, sy, sz = sx - rate * mx, sy - rate * my, sz - rate * mz
        normal = STIFFNESS * delta * math.sqrt(delta) * (1.0 - CHI * rate)
        speed = math.sqrt(sx * sx + sy * sy + sz * sz)
        drag = MU * normal * (math.tanh(K_T * speed) / speed if speed > 0.0 else K_T)
        ex, ey, ez = normal * mx - drag * sx, normal * my - drag * sy, normal * mz - drag * sz
        fx += ex
        fy += ey
        fz += ez
        tx += py * ez - pz * ey
        ty += pz * ex - px * ez
        tz += px * ey - py * ex
    out = np.empty(13)
    out[0], out[1], out[2] = vx, vy, vz
    out[3] = 0.5 * (-x * ox - yy * oy - z * oz)
    out[4] = 0.5 * (w * ox + yy * oz - z * oy)
    out[5] = 0.5 * (w * oy + z * ox - x * oz)
    out[6] = 0.5 * (w * oz + x * oy - yy * ox)
    out[7] = (r11 * fx + r12 * fy + r13 * fz) / MASS
    out[8] = (r21 * fx + r22 * fy + r23 * fz) / MASS
    out[9] = (mx * fx + my * fy + mz * fz) / MASS - G
    out[10] = (tx - (I_Z - I_Y) * oy * oz) / I_X
    out[11] = (ty - (I_X - I_Z) * oz * ox) / I_Y
    out[12] = (tz - (I_Y - I_X) * ox * oy) / I_Z
    return out


RATES = {"numpy": rates_numpy, "numba": rates_numba}


def run(job, start):
    """One run; with times, where the centre was then."""
    rates, rtol, times = RATES[job["rates"]], job["rtol"], job["times"]
    atol = rtol * np.array(job["atol"])
    end = job["duration"]
    begin = time.process_time()
    if job["front"] == "odeint":
        t = np.concatenate([[0.0], times]) if times else np.array([0.0, end])
        y, told = odeint(
            rates, start, t, tfirst=True, rtol=rtol, atol=atol, mxstep=10_000_000, full_output=True
        )
        cpu = time.process_time() - begin
        places, evaluations, steps = y[1:, :3], told["nfe"][-1], told["nst"][-1]
    else:
        s = solve_ivp(rates, (0.0, end), start, method="LSODA", rtol=rtol, atol=atol, t_eval=times or None)
        cpu = time.process_time() - begin
        places, evaluations, steps = s.y[:3].T, s.nfev, len(s.t) - 1
    return {
        "cpu": cpu,
        "evaluations": int(evaluations),
        "steps": int(steps),
        "places": places.tolist() if times else [],
    }


def main():
    half = 0.5 * RING["tilt"]
    start = np.array([0.0, 0.0, RING["z0"], math.cos(half), math.sin(half)] + 8 * [0.0])
    rates_numba(0.0, start)  # compiles
    print(
        json.dumps({"version": f"SciPy {scipy.__version__}, NumPy {np.__version__}, numba {numba.__version__}"}),
        flush=True,
    )
    for line in sys.stdin:
        if not line.strip():
            break
        print(json.dumps(run(json.loads(line), start)), flush=True)


main()
