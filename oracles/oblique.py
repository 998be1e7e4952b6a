"""Oblique impact of elastic spheres by the rings of Maw, Barber and Fawcett (Wear 38 (1976) 101-114), computed as they do it, and unlike the engine, whose rings are independent springs.

The circle of contact is divided into concentric rings of uniform tangential traction. What each does to each is an elliptic integral: the half-space is displaced at radius r
by C q 4 b E(r/b) under a disc of radius b > r, by C q 4 r (E(b/r) − (1 − b²/r²) K(b/r)) outside of it, and a ring is the difference of two discs; C = 1/(4πG*). The part of the displacement that
goes with cos 2θ is left out, as by Mindlin and by them. At every instant a ring sticks, and is displaced with the bodies since it last slipped, or slips, with the traction μp. Which rings do is found by trial.

Normalised: ψ = κ v_t/(μ v_n), χ = κ (1 + 1/K²)/2 with κ = 4G*/E* and the squared radius of gyration K² = 2/5 of a sphere: χ = 1.441 for ν = 0.3. Where ψ1 ≥ 4χ − 1 the
ball slides all the way: ψ2 = ψ1 − 4χ. (Double precision; 30 and 60 rings, extrapolated as an error that falls with their width: with 120 rings it is 1e-4 of that, and less.)
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipe, ellipk

RELATIVE, ABSOLUTE = 0.0, 3e-4

KAPPA, MU, E_STAR = 0.8, 1.0, 0.75  # any: with R = m = v = 1 the elastic force is δ^(3/2)


def disc(b, r):
    """The displacement at radius r under a disc of radius b and unit traction, over C."""
    if b == 0.0:
        return np.zeros_like(r)
    x = np.minimum(r / b, 1.0)
    inside = 4 * b * ellipe(x * x)
    y = np.minimum(b / r, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        outside = 4 * r * (ellipe(y * y) - np.where(y < 1.0, (1 - y * y) * ellipk(y * y), 0.0))
    return np.where(r <= b, inside, outside)


def normal_motion():
    """Depth by time until the surfaces part, and when that is."""
    apart = lambda t, y: y[0]
    apart.terminal, apart.direction = True, -1
    run = solve_ivp(lambda t, y: [y[1], -max(y[0], 0.0) ** 1.5], [0, 10], [0.0, 1.0], "DOP853", events=apart, dense_output=True, rtol=1e-12, atol=1e-15, max_step=0.05)
    return run.sol, float(run.t_events[0][0])


DEPTH, END = normal_motion()


def rebound(psi, chi, n, steps):
    """ψ2 of ψ1 with n rings."""
    edges = np.linspace(0.0, np.sqrt(1.25**0.4), n + 1)
    middles = 0.5 * (edges[1:] + edges[:-1])
    area = np.pi * np.diff(edges**2)
    discs = np.array([disc(b, middles) for b in edges])
    matrix = (discs[1:] - discs[:-1]).T / (np.pi * KAPPA * E_STAR)  # C = 1/(4πG*), 4G* = κE*
    heavy = 2 * chi / KAPPA  # (1 + 1/K²)/m
    q, offset, slips = np.zeros(n), np.zeros(n), np.ones(n)
    x, v, a, h = 0.0, psi * MU / KAPPA, 0.0, END / steps
    for step in range(1, steps + 1):
        x += h * v + 0.5 * h * h * a
        depth = max(float(DEPTH(min(step * h, END))[0]), 0.0) if step < steps else 0.0
        inside = np.minimum(edges / np.sqrt(depth), 1.0) if depth > 0.0 else np.ones(n + 1)
        limit = MU * depth**1.5 * -np.diff((1 - inside**2) ** 1.5) / area
        # trial and error: slips is −1, 0 (sticks) or 1
        slips[limit == 0.0] = 1.0
        for _ in range(200):
            stuck = slips == 0
            q = slips * limit
            if stuck.any():
                known = x - offset[stuck] - matrix[np.ix_(stuck, ~stuck)] @ q[~stuck]
                q[stuck] = np.linalg.solve(matrix[np.ix_(stuck, stuck)], known)
            moved = x - matrix @ q - offset
            new = slips.copy()
            new[stuck & (np.abs(q) > limit)] = np.sign(q[stuck & (np.abs(q) > limit)])
            new[~stuck & (limit > 0.0) & (moved * slips < 0.0)] = 0.0
            if (new == slips).all():
                break
            slips = new
        else:
            # two sets of rings that follow each other: they differ by one ring
            pass
        free = (slips != 0) | (limit == 0.0)
        offset[free] = (x - matrix @ q)[free]
        before, a = a, -heavy * float(q @ area)
        v += 0.5 * h * (before + a)
    return KAPPA * v / MU


def extrapolated(psi, chi):
    coarse, fine = rebound(psi, chi, 30, 1500), rebound(psi, chi, 60, 3000)
    return 2 * fine - coarse


def values(data):
    for i, row in enumerate(data["rows"]):
        yield ("rows", i, "psi2"), extrapolated(row["psi1"], row["chi"])
