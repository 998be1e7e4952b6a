"""What Python costs: distances over arrays against one call a pair, a run, a call of a law.

    pip install ./python            # a release build
    python python/benches/speed.py

The least of several times. Arrays use all cores, a call one: on a machine that is busy the ratios are less. It fails where a bar is missed.
"""

import time

import numpy as np

import carom

ROWS = 200_000
CALLS = 2_000
#: arrays are faster than a call a pair by at least this
FASTER = 50
#: a run of next to nothing takes less [s]
RUN = 1e-3
#: a call of a Python law takes at most this more than one of the library's [s]
LAW = 5e-6


def least(f, n=7):
    """The least time of n [s]."""
    times = []
    for _ in range(n):
        start = time.perf_counter()
        f()
        times.append(time.perf_counter() - start)
    return min(times)


def distances():
    ball = carom.surface("sphere", radius=1)
    others = {
        "plane": carom.surface("plane"),
        "box": carom.surface("box", size=[2, 2, 2]),
        "ellipsoid": carom.surface("ellipsoid", semi_axes=[1.0, 0.7, 0.5]),
        "torus": carom.surface("torus", major_radius=1, minor_radius=0.3),
    }
    at = np.random.default_rng(1).normal(size=(ROWS, 3)) * 4
    print(f"{'a ball against':<16}{'array':>10}{'Pair':>10}{'distance':>10}   a row or call [µs]; times faster")
    for name, other in others.items():
        pair = carom.Pair(other, ball)
        many = least(lambda: pair.distance(position_b=at)) / ROWS
        bound = least(lambda: [pair.distance(position_b=x) for x in at[:CALLS]], 3) / CALLS
        alone = least(lambda: [carom.distance(other, ball, position_b=x) for x in at[:CALLS]], 3) / CALLS
        numbers = "".join(f"{1e6 * t:10.3f}" for t in (many, bound, alone))
        print(f"{name:<16}{numbers}   {bound / many:.0f} and {alone / many:.0f}")
        assert bound / many >= FASTER, f"{name}: arrays are {bound / many:.0f} times faster, not {FASTER}"


def run():
    scene = carom.Scene.from_dict(
        {"run": {"duration": 1e-3}, "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}]}
    )
    each = least(scene.run, 200)
    print(f"a run of next to nothing: {1e6 * each:.0f} µs")
    assert each < RUN


def law():
    def scene(type, **keys):
        b = carom.Builder()
        b.run(duration=200, rtol=1e-9)
        b.world(gravity=[0, 0, 0])
        b.body("block", mass=0.4, inertia=[1, 1, 1], position=[0.6, 0, 0])
        b.body("wall", fixed=True)
        b.force(type, between=["block", "wall"], **keys)
        return b.scene()

    calls = 0

    def tension(length, rate):
        nonlocal calls
        calls += 1
        return 40.0 * (length - 0.5)

    own = scene(carom.ForceLaw(tension, reference=0.5, elastic=True))
    known = scene("spring-damper", stiffness=40, rest_length=0.5)
    own.run(progress=False)
    calls = 0
    own.run(progress=False)
    once = calls
    more = least(lambda: own.run(progress=False), 5) - least(lambda: known.run(progress=False), 5)
    print(f"a call of a force law: {1e6 * more / once:.2f} µs more than the library's ({once} calls)")
    assert more / once <= LAW


if __name__ == "__main__":
    distances()
    run()
    law()
