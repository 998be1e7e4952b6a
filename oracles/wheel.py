"""Expected values of papers/torus-plane: small motions of a rolling ring about steady ones (figure `stability`).

Rolling without slip: the equations of a ring in the frame of its lean, (along the track, up in the ring's plane, along its axis), are written down and
solved for the accelerations; their linearisation about a steady motion is taken by differences of them, in 40 digits. It knows nothing of the closed
form in the book. With friction that creeps: the linear equations of lean, side speed and precession, by a matrix exponential.
"""

import numpy as np
from mpmath import cos, findroot, matrix, mp, mpf, pi, sin
from scipy.linalg import expm

RELATIVE = 0.0
ABSOLUTE = 0.0
M, G, R, TUBE, A, C = (mpf(x) for x in ("0.0968", "9.81", "0.025", "0.005", "3.176e-5", "6.23e-5"))


def cross(u, v):
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def accelerations(state):
    """Of (lean, its rate, precession, spin about the axis): second derivative of the lean, rates of precession and spin, by Newton and Euler."""
    alpha, rate, turn, spin = state
    frame = [rate, turn * sin(alpha), turn * cos(alpha)]
    contact = [0, -(R + TUBE * sin(alpha)), -TUBE * cos(alpha)]
    moved = [0, -TUBE * cos(alpha) * rate, TUBE * sin(alpha) * rate]
    omega = [rate, turn * sin(alpha), spin]
    up = [0, sin(alpha), cos(alpha)]

    def residual(x):
        omega_dot = [x[0], x[1] * sin(alpha) + turn * cos(alpha) * rate, x[2]]
        momentum = [A * omega[0], A * omega[1], C * omega[2]]
        momentum_dot = [A * omega_dot[0], A * omega_dot[1], C * omega_dot[2]]
        velocity = [-v for v in cross(omega, contact)]
        velocity_dot = [-p - q for p, q in zip(cross(omega_dot, contact), cross(omega, moved))]
        carried = cross(frame, velocity)
        force = [M * (a + b + G * u) for a, b, u in zip(velocity_dot, carried, up)]
        torque = cross(contact, force)
        return [a + b - t for a, b, t in zip(momentum_dot, cross(frame, momentum), torque)]

    # the residual is linear in what is sought
    zero = residual([0, 0, 0])
    columns = [[p - z for p, z in zip(residual([int(i == j) for i in range(3)]), zero)] for j in range(3)]
    system = matrix([[columns[j][i] for j in range(3)] for i in range(3)])
    return mp.lu_solve(system, matrix([-z for z in zero]))


def square_of_growth(alpha, turn, spin):
    """λ² of small motions about the steady motion (alpha, turn, spin); spin is None where the motion leans: it follows."""
    mp.dps = 40
    alpha, turn = mpf(alpha), mpf(turn)
    if spin is None:
        # the lean's acceleration is linear in the spin
        at = [accelerations([alpha, mpf(0), turn, mpf(s)])[0] for s in (0, 1)]
        spin = at[0] / (at[0] - at[1])
    steady, e = [alpha, mpf(0), turn, mpf(spin)], mpf(10) ** -12

    def slope(component, of):
        ahead, behind = list(steady), list(steady)
        ahead[component] += e
        behind[component] -= e
        return (accelerations(ahead)[of] - accelerations(behind)[of]) / (2 * e)

    return slope(0, 0) + slope(2, 0) * slope(1, 1) + slope(3, 0) * slope(1, 2)


def least_spin():
    """The spin at which upright rolling becomes stable."""
    return findroot(lambda w: square_of_growth(pi / 2, 0, w), 9)


def creeping(share, time):
    """Lean after a time over that at the start: friction with μ = 0.4 and 1000 s/m, at that share of the least spin."""
    m, g, major, about, axis = (float(x) for x in (M, G, R, A, C))
    a, s, kappa = float(R + TUBE), share * float(least_spin()), 0.4 * m * g * 1000
    # φ, φ', u, Ω
    rates = np.zeros((4, 4))
    force = -kappa * np.array([0, a, 1, 0])
    rates[0, 1] = 1
    rates[1] = (np.array([m * g * major, 0, 0, axis * s]) + a * force) / about
    rates[2] = force / m - np.array([0, 0, 0, a * s])
    rates[3, 1] = -axis * s / about
    start = np.array([1, 0, 0, -axis * s / about])
    return float((expm(rates * time) @ start)[0])


def values(data):
    figure = next(i for i, f in enumerate(data["figure"]) if f["name"] == "stability")
    for e, row in enumerate(data["figure"][figure]["expect"]):
        place, tolerance, words = ("figure", figure, "expect", e, "value"), (0.0, row.get("tolerance", 0.0)), row["what"].split()
        if row["what"].startswith("leaning"):
            yield place, float(square_of_growth(mpf(words[1][:-2]) * pi / 180, mpf(words[3]), None)), *tolerance
        elif row["what"].startswith("friction"):
            yield place, creeping(float(words[2]), 2.0 if "2 s" in row["what"] else 1.0), *tolerance
