"""Sweeps on real clusters on this machine: the same bytes as in one process, nothing lost with a worker, and how fast.

python check.py EXAMPLES dask|ray|processes|rate
python -m mpi4py.futures check.py EXAMPLES mpi     (under mpiexec)
"""

import logging
import multiprocessing
import os
import signal
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import carom

SCENE = Path(sys.argv[1]).resolve() / "torus-tilted.toml"
FRICTION, TILT = "contact/ring~floor/friction/coefficient", "body/ring/orientation/angle"
#: what two workers must do at least in the time of one
BAR = 1.6


def drops(friction, tilts):
    return {FRICTION: f"0:0.5:{friction}", TILT: f"5:85deg:{tilts}"}


def few(executor=None, *, functions=False, count=(6, 10), **more):
    """Short drops."""
    measures = {"lift": "max(ring.z) - min(ring.z)", "f": "max(ring~floor.fn)"}
    if functions:
        measures["turned"] = lambda r: abs(r["ring"].angular_velocity[:, 2]).max()
    return carom.sweep(SCENE, drops(*count), measures, set={"run/duration": 0.25}, executor=executor, **more)


def same(name, executor):
    """The same bytes, with functions too."""
    for functions in (False, True):
        here, there = few(functions=functions), few(executor, functions=functions)
        assert here.rows == 60 and not here.errors, here.errors
        assert there.to_csv() == here.to_csv(), f"{name} gives another table"
    print(f"{name}: the same {len(here.to_csv())} bytes", flush=True)


def local_cluster(workers):
    from dask.distributed import Client, LocalCluster

    quiet = {"dashboard_address": None, "silence_logs": logging.ERROR}
    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, **quiet)
    return cluster, Client(cluster)


def dask():
    cluster, client = local_cluster(2)
    with cluster, client:
        same("Dask, a client", client)
        same("Dask, an executor", client.get_executor())
        killed(client)


def killed(client):
    """A worker is killed in the middle: every row is there, once."""
    import tempfile

    deaths = []

    def kill(done, all):
        if done >= all / 3 and not deaths:
            pid = next(iter(client.run(os.getpid).values()))
            os.kill(pid, signal.SIGKILL)
            deaths.append((done, pid))

    with tempfile.TemporaryDirectory() as place:
        here = few(count=(20, 20))
        there = few(client, count=(20, 20), folder=Path(place) / "s", progress=kill)
        lines = (Path(place) / "s" / "sweep.journal").read_text().splitlines()
    assert deaths, "nobody was killed"
    assert there.to_csv() == here.to_csv(), "the table of a cluster that lost a worker is another one"
    assert len(lines) == 1 + 400, f"{len(lines) - 1} rows were written"
    pids = client.run(os.getpid).values()
    assert deaths[0][1] not in pids
    print(f"Dask, a worker killed after {deaths[0][0]} of 400 runs: nothing lost, no row twice", flush=True)


def ray():
    import ray

    ray.init(num_cpus=2, include_dashboard=False, logging_level="error")
    same("Ray", ray)
    ray.shutdown()


def processes():
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        same("processes", pool)


def mpi():
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor() as pool:
        print(f"MPI: {pool.num_workers} workers", flush=True)
        same("MPI", pool)


def cpu():
    return sum(os.times()[:2])


def timed(what, sweep, spent):
    """Seconds, and CPU seconds of who runs the drops."""
    before, start = spent(), time.perf_counter()
    table = sweep()
    wall, used = time.perf_counter() - start, spent() - before
    assert table.rows == 1000 and not table.errors
    print(f"  {what}: {wall:.2f} s, {1000 / wall:.1f} runs/s, CPU {used:.2f} s", flush=True)
    return wall


def rate(rounds=3):
    """1,000 drops of a second: one thread here, one worker, two workers, in turn."""

    def thousand(executor=None, jobs=None):
        return carom.sweep(SCENE, drops(25, 40), executor=executor, jobs=jobs)

    clusters = [local_cluster(workers) for workers in (1, 2)]
    ratios = []
    for _ in range(rounds):
        walls = [timed("1 thread, in process ", lambda: thousand(jobs=1), cpu)]
        for (_, client), name in zip(clusters, ("1 worker of Dask     ", "2 workers of Dask    "), strict=True):

            def spent(client=client):
                return sum(client.run(cpu).values())

            walls.append(timed(name, lambda client=client: thousand(client), spent))
        ratios.append((walls[0] / walls[2], walls[1] / walls[2]))
        print(f"  2 workers: {ratios[-1][0]:.2f} times one thread, {ratios[-1][1]:.2f} times one worker", flush=True)
    for cluster, client in clusters:
        client.close()
        cluster.close()
    best = max(min(pair) for pair in ratios)
    assert best >= BAR, f"two workers are {best:.2f} times as fast as one at best, not {BAR}: was the machine busy?"


if __name__ == "__main__":
    {"dask": dask, "ray": ray, "processes": processes, "mpi": mpi, "rate": rate}[sys.argv[2]]()
