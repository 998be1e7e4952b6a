"""Sweeps: the program's table, byte for byte, whoever runs it."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from conftest import EXAMPLES
from sweep_functions import dies_always, dies_once, half_height, lowest, pull

import carom

BALL = EXAMPLES / "bouncing-ball.toml"
RESTITUTION = "contact/ball~floor/normal/restitution"
#: six short runs
VARY = {RESTITUTION: [0.2, 0.5, 0.9], "run/rtol": ["1e-6", "1e-8"]}
SET = {"run/duration": "0.35 s"}
MEASURES = {"top": "max(ball.z)", "f": "max(ball~floor.fn)", "first": "touch.1"}


def stone(**more):
    body = {"name": "stone", "mass": 1, "inertia": [1, 1, 1]}
    return carom.Scene.from_dict({"run": {"duration": 1, "output_every": 0.25}, "body": [body | more]})


def spring():
    """A mass on a spring that is a function of a module."""
    b = carom.Builder("spring")
    b.run(duration=0.2, output_every=0.1)
    b.world(gravity=[0, 0, 0])
    b.body("mass", mass=1, inertia=[1, 1, 1], position=[0, 0, 0.6])
    b.body("wall", fixed=True)
    b.force(carom.ForceLaw(pull, reference=0.5, elastic=True), between=["mass", "wall"])
    return b.scene()


def swept(program, folder, *more):
    args = [program, "sweep", BALL, "-q", "-o", folder, "--set", "run/duration=0.35 s"]
    args += ["--vary", f"{RESTITUTION}=0.2,0.5,0.9", "--vary", "run/rtol=1e-6,1e-8"]
    args += [f"--measure={name}={text}" for name, text in MEASURES.items()]
    return subprocess.run([*map(str, args), *more], capture_output=True, text=True)


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def expected(program, tmp_path_factory):
    """The program's table."""
    folder = tmp_path_factory.mktemp("program") / "sweep"
    done = swept(program, folder)
    assert done.returncode == 0, done.stderr
    return (folder / "table.csv").read_bytes()


# ------------------------------------------------------------------ the same bytes


def test_threads_of_the_engine_give_the_programs_table(expected, tmp_path):
    table = carom.sweep(BALL, VARY, MEASURES, set=SET, folder=tmp_path / "s", jobs=2)
    assert (tmp_path / "s" / "table.csv").read_bytes() == expected
    assert table.to_csv().encode() == expected
    # without a folder, of a scene that was read before, and of the program's own texts
    scene = carom.Scene.load(BALL, SET)
    texts = [f"{RESTITUTION}=0.2,0.5,0.9", "run/rtol=1e-6,1e-8"]
    again = carom.sweep(scene, texts, [f"{n}={e}" for n, e in MEASURES.items()], jobs=1)
    assert again.to_csv().encode() == expected


def test_executors_give_the_same(expected, processes, tmp_path):
    with ThreadPoolExecutor(3) as threads:
        for executor in (threads, processes):
            table = carom.sweep(BALL, VARY, MEASURES, set=SET, executor=executor)
            assert table.to_csv().encode() == expected
    table.to_csv(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == expected


def test_a_sweep_goes_on_with_the_program_and_back(program, expected, tmp_path):
    journal = tmp_path / "s" / "sweep.journal"

    def cut(rows):
        lines = journal.read_bytes().splitlines(keepends=True)
        journal.write_bytes(b"".join(lines[: 1 + rows]) + b"0123456789abcdef,4,0.9")
        (tmp_path / "s" / "table.csv").unlink()

    carom.sweep(BALL, VARY, MEASURES, set=SET, folder=tmp_path / "s")
    cut(2)
    done = swept(program, tmp_path / "s")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "s" / "table.csv").read_bytes() == expected
    cut(3)
    counts = []
    table = carom.sweep(
        BALL, VARY, MEASURES, set=SET, folder=tmp_path / "s", progress=lambda done, all: counts.append((done, all))
    )
    assert table.to_csv().encode() == expected and counts[-1] == (6, 6)
    # each run once, the lines that were cut by hand apart
    rows = [line for line in journal.read_text().splitlines()[1:] if not line.startswith("0123456789abcdef")]
    assert len(rows) == 6


def test_another_sweep_is_refused(program, expected, tmp_path):
    carom.sweep(BALL, VARY, MEASURES, set=SET, folder=tmp_path / "s")
    for wrong, what in [
        ({"set": {"run/duration": 0.3}}, "its set was"),
        ({"measures": {"top": "max(ball.z)"}}, "its measure was"),
        ({"measures": {**MEASURES, "top": lambda r: 1.0}}, "its measure was"),
        ({"vary": {RESTITUTION: [0.2, 0.5], "run/rtol": ["1e-6", "1e-8"]}}, "its vary was"),
        ({"keep": True}, "its keep was"),
    ]:
        args = {"vary": VARY, "measures": MEASURES, "set": SET} | wrong
        with pytest.raises(carom.SweepError, match=f"holds another sweep: {what}"):
            carom.sweep(BALL, folder=tmp_path / "s", **args)
    table = carom.sweep(BALL, {"run/rtol": [1e-6]}, folder=tmp_path / "s", restart=True)
    assert table.rows == 1


def test_a_folder_is_taken_once(tmp_path):
    seen = []

    def second(done, all):
        if not seen:
            seen.append(pytest.raises(carom.SweepError, carom.sweep, scene, vary, folder=tmp_path / "s"))

    scene, vary = stone(), {"body/stone/velocity/2": "0:1:2000"}
    carom.sweep(scene, vary, folder=tmp_path / "s", progress=second)
    assert "another process" in str(seen[0].value)


# ------------------------------------------------------------------ what is varied and told


def test_values_of_all_kinds():
    paths = "body/stone/mass", "body/stone/velocity", "body/stone/inertia/0", "run/method"
    values = np.array([1, 2]), [[0, 0, 1], np.zeros(3)], "1:1.5:2", ["ode45", "dop853"]
    table = carom.sweep(stone(), dict(zip(paths, values, strict=True)), {"end": "final(stone.z)"})
    assert table.rows == 16 and not table.errors
    assert table["mass"].tolist() == [1.0] * 8 + [2.0] * 8
    assert table["method"][:2].tolist() == ["ode45", "dop853"]
    assert table["velocity"][[0, 4]].tolist() == ["[0, 0, 1]", "[0.0, 0.0, 0.0]"]
    assert table.end[[0, 4]] == pytest.approx([1 - 4.905, -4.905], abs=1e-9)
    single = carom.sweep(stone(), {"body/stone/mass": np.float32(2.0), "run/rtol": 1e-7})
    assert single["mass"].tolist() == [2.0] and single["rtol"].tolist() == [1e-7]


def test_samples_are_the_programs(program, tmp_path):
    vary = {RESTITUTION: "0.1:0.9", "run/rtol": "1e-8:1e-5:log"}
    for design, seed in [(None, None), ("latin-hypercube", 7), ("sobol", None), ("sobol", 3)]:
        table = carom.sweep(BALL, vary, set={"run/duration": 0.01}, samples=4, design=design, seed=seed)
        args = [program, "sweep", BALL, "-q", "-o", tmp_path / "s", "--restart", "--samples=4", "--set=run/duration=0.01"]
        args += [f"--vary={path}={values}" for path, values in vary.items()]
        args += [] if design is None else [f"--design={design}"]
        args += [] if seed is None else [f"--seed={seed}"]
        subprocess.run(list(map(str, args)), check=True, capture_output=True)
        assert table.to_csv().encode() == (tmp_path / "s" / "table.csv").read_bytes()
        assert table.design == (design or "latin-hypercube")


def test_functions_are_measures(processes):
    vary = {"body/stone/velocity/2": [0, 5]}
    table = carom.sweep(stone(), vary, {"a": "final(stone.z)", "half": half_height, "n": lambda r: len(r.t)})
    assert table.half.tolist() == (table.a / 2).tolist() and table.n.tolist() == [5, 5]
    assert table.measures[:3] == ["a", "half", "n"]
    sent = carom.sweep(stone(), vary, {"a": "final(stone.z)", "half": half_height}, executor=processes)
    assert sent.half.tolist() == table.half.tolist()


def test_functions_in_the_scene(processes):
    vary = {"body/mass/mass": [1, 4], "body/mass/position/2": "0.55:0.7:2"}
    here = carom.sweep(spring(), vary, {"low": lowest})
    omega = 20 / np.sqrt(here["mass/mass"])
    # at 0.1 s, or at 0 and 0.2 s
    exact = [min(0.5 + (z - 0.5) * np.cos(w * t) for t in (0, 0.1, 0.2)) for z, w in zip(here["position/2"], omega, strict=True)]
    assert here.low == pytest.approx(exact, abs=1e-7)
    there = carom.sweep(spring(), vary, {"low": lowest}, executor=processes)
    assert there.to_csv() == here.to_csv()


def test_what_raises_is_a_row_of_its_own():
    def only_slow(result):
        if result["stone"].velocity[0, 2] > 1:
            raise RuntimeError("too fast")
        return 1

    with pytest.warns(carom.CaromWarning, match="1 of 3 runs"):
        table = carom.sweep(stone(), {"body/stone/velocity/2": [0, 2, 1]}, {"x": only_slow}, jobs=2)
    assert table.errors == {1: "x: RuntimeError: too fast"}
    assert table.x[[0, 2]].tolist() == [1, 1] and np.isnan(table.x[1])

    def fragile(length, rate):
        if length > 0.65:
            raise ZeroDivisionError("too long")
        return 400.0 * (length - 0.5)

    b = spring_of(fragile)
    with pytest.warns(carom.CaromWarning, match="2 of 4 runs"):
        table = carom.sweep(b, {"body/mass/position/2": [0.6, 0.7, 0.55, 0.8]}, jobs=2)
    assert table.errors == {i: "a function of the scene raised ZeroDivisionError: too long" for i in (1, 3)}

    def unknown(length, rate):
        return float("nan") if length > 0.65 else 400.0 * (length - 0.5)

    with pytest.warns(carom.CaromWarning, match="2 of 4 runs"):
        table = carom.sweep(spring_of(unknown), {"body/mass/position/2": [0.6, 0.7, 0.55, 0.8]}, jobs=1)
    assert sorted(table.errors) == [1, 3]
    for run, length in [(1, "0.7"), (3, "0.8")]:
        assert f"the function at force/0 gave NaN for ({length}" in table.errors[run], table.errors


def spring_of(function):
    return carom.Scene.from_dict(
        {
            "run": {"duration": 0.1},
            "body": [
                {"name": "mass", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 0.6]},
                {"name": "wall", "fixed": True},
            ],
            "force": [{"type": carom.ForceLaw(function, reference=0.5), "between": ["mass", "wall"]}],
        }
    )


def test_modes_and_equilibria():
    b = carom.Builder()
    b.run(duration=1, analysis="modes")
    b.body("mass", mass=2, dofs=["z"])
    b.body("wall", fixed=True, position=[0, 0, 1])
    b.force("spring-damper", between=["mass", "wall"], stiffness=800, rest_length=0.5)
    vary = {"body/mass/mass": [2, 8]}
    table = carom.sweep(b.scene(), vary, {"z": "final(mass.z)", "first": "frequency.1"})
    assert 2 * np.pi * table.first == pytest.approx([20, 10], rel=1e-12)
    assert table.lowest_frequency.tolist() == table.first.tolist() and table.stable.tolist() == [1, 1]
    assert table.z == pytest.approx(0.5 - table["mass/mass"] * 9.81 / 800, rel=1e-12)


def test_wrong_input_is_said_at_once(tmp_path):
    for args, kind, what in [
        ({"vary": {"run/rtoll": [1]}}, carom.SceneError, "did you mean `rtol`"),
        ({"vary": {"run/rtol": "1e-6:1e-9"}}, carom.SweepError, "how many"),
        ({"vary": {"run/rtol": []}}, ValueError, "takes no value"),
        ({"vary": {"run/rtol": [float("nan")]}}, ValueError, "finite"),
        ({"vary": {"run/rtol": None}}, TypeError, "allowed"),
        ({"vary": [1e-6]}, TypeError, "PATH=VALUES"),
        ({"vary": {}}, carom.SweepError, "nothing is varied"),
        ({"measures": {"a": "max(bal.z)"}}, carom.SweepError, "did you mean `ball.z`"),
        ({"measures": {"a": 3}}, TypeError, "a function of a Result"),
        ({"design": "sobl", "samples": 3}, carom.SweepError, "did you mean `sobol`"),
        ({"design": "sobol"}, carom.SweepError, "need `samples`"),
        ({"keep": True}, ValueError, "needs a folder"),
        ({"jobs": 0}, ValueError, "jobs is 0"),
        ({"executor": 3}, TypeError, "concurrent.futures.Executor"),
    ]:
        with pytest.raises(kind, match=what):
            carom.sweep(BALL, **({"vary": {"run/rtol": [1e-6, 1e-7]}} | args))
    with pytest.raises(carom.SceneError, match="there is no file"):
        carom.sweep(tmp_path / "none.toml", {"run/rtol": [1]})


def test_the_table_and_its_figures(tmp_path):
    table = carom.sweep(stone(), {"body/stone/mass": [1, 2], "body/stone/velocity/2": "1:5:3"}, {"end": "final(stone.z)"})
    assert table.to_pandas().loc[5, "end"] == table.end[5]
    assert table.units["end"] == "m" and table.varied == ["body/stone/mass", "body/stone/velocity/2"]
    assert "velocity/2" in table and "velocity" not in table
    with pytest.raises(KeyError, match="did you mean 'end'"):
        table["ende"]
    assert len(table.plot("end").collections) == 1
    lines = table.plot("end", against="velocity/2", by="mass").get_lines()
    assert [line.get_label() for line in lines] == ["mass = 1.0", "mass = 2.0"]
    assert table.plot("end", at={"mass": 2}).get_lines()[0].get_ydata().tolist() == table.end[3:].tolist()
    with pytest.raises(KeyError, match="did you mean 'end'"):
        table.plot("edn")
    drawn = carom.sweep(stone(), {"body/stone/mass": "1:2", "body/stone/velocity/2": "1:5"}, samples=8)
    assert drawn.plot("energy_end").get_ylabel() == "body/stone/velocity/2"
    words = carom.sweep(stone(), {"run/method": ["ode45", "dop853"], "run/rtol": "1e-8:1e-5:4:log"})
    axes = words.plot("steps", against="rtol")
    assert axes.get_xscale() == "log" and [t.get_text() for t in axes.get_yticklabels()] == ["ode45", "dop853"]
    assert repr(drawn).startswith("<carom.SweepTable: 8 of 8 runs, latin-hypercube;")
    carom.sweep(stone(), {"body/stone/mass": [1, 2]}, folder=tmp_path / "s", keep=True)
    assert carom.SweepTable.open(tmp_path / "s").rows == 2
    assert (tmp_path / "s" / "runs" / "1" / "states.csv").exists()


# ------------------------------------------------------------------ workers


class Counting(Executor):
    """Runs at once; says how much was on its way."""

    _max_workers = 2

    def __init__(self):
        self.chunks, self.most, self.waiting = [], 0, []

    def submit(self, function, /, *args):
        future = Future()
        self.waiting.append((future, function, args))
        self.chunks.append(len(args[2]))
        self.most = max(self.most, len(self.waiting))
        threading.Timer(0.001, self.one).start()
        return future

    def one(self):
        future, function, args = self.waiting.pop(0)
        future.set_result(function(*args))


def test_chunks_grow_and_few_are_on_their_way():
    pool = Counting()
    table = carom.sweep(stone(), {"body/stone/velocity/2": "0:1:1500"}, executor=pool)
    assert table.rows == 1500 and pool.most <= 4
    # single ones first, to see how long they take; large ones; single ones at the end
    assert pool.chunks[0] == 1 and max(pool.chunks) > 50 and pool.chunks[-1] == 1 and len(pool.chunks) < 150


def test_a_worker_reads_the_scene_once(monkeypatch):
    reads = []
    read = carom._worker.Task.study
    monkeypatch.setattr(carom._worker.Task, "study", lambda task: reads.append(task) or read(task))
    pool = Counting()
    carom.sweep(stone(), {"body/stone/velocity/2": "0:1:40"}, executor=pool)
    # once by who asks, once by the worker
    assert len(reads) == 2 and len(pool.chunks) > 4


def test_scenes_are_pickled():
    for scene in (carom.Scene.load(BALL, SET), spring(), stone().replace({"run/duration": 2})):
        again = pickle.loads(pickle.dumps(scene))
        assert (again.to_json(), again.duration) == (scene.to_json(), scene.duration)
    assert pickle.loads(pickle.dumps(spring())).run().t[-1] == 0.2
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(spring_of(lambda length, rate: 0.0))


def test_what_cannot_be_sent_is_said(processes, monkeypatch):
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(carom.SweepError, match="a function cannot be sent to other processes"):
        carom.sweep(stone(), {"body/stone/mass": [1, 2]}, {"x": lambda r: 1.0}, executor=processes)


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_worker_that_is_killed_loses_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("CAROM_TEST_MARK", str(tmp_path / "mark"))
    vary = {"body/stone/velocity/2": "0:9:10"}
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as pool:
        table = carom.sweep(stone(), vary, {"x": dies_once}, executor=pool, folder=tmp_path / "s")
    assert (tmp_path / "mark").exists()
    assert table.rows == 10 and not table.errors
    # every row was written once
    assert len((tmp_path / "s" / "sweep.journal").read_text().splitlines()) == 11


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_run_that_kills_its_worker_is_a_row():
    # five of them one after the other: forked, they start sooner
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
        with pytest.warns(carom.CaromWarning, match="died, 3 times"):
            table = carom.sweep(stone(), {"body/stone/velocity/2": "4:6:3"}, {"x": dies_always}, executor=pool)
    assert table.errors == {1: "the process that ran it died, 3 times"}
    assert table.x[[0, 2]].tolist() == [1, 1]


class Failing(Executor):
    _max_workers = 1

    def submit(self, function, /, *args):
        future = Future()
        future.set_exception(ModuleNotFoundError("No module named 'carom'"))
        return future


class Closing(Counting):
    """Is gone after some chunks."""

    def one(self):
        future, function, args = self.waiting.pop(0)
        if not future.set_running_or_notify_cancel():
            return
        if len(self.chunks) < 6:
            future.set_result(function(*args))
        else:
            future.set_exception(ConnectionError("the scheduler is gone"))


def test_a_cluster_that_goes_away_makes_no_rows(tmp_path):
    with pytest.raises(carom.SweepError, match="no worker can go on: ConnectionError"):
        carom.sweep(stone(), {"body/stone/mass": "1:2:50"}, executor=Closing(), folder=tmp_path / "s")
    table = carom.SweepTable.open(tmp_path / "s")
    assert 0 < table.rows < 50 and not table.errors


def test_workers_that_can_do_nothing_are_told_of():
    with pytest.raises(carom.SweepError, match="no worker could run anything: ModuleNotFoundError"):
        carom.sweep(stone(), {"body/stone/mass": "1:2:100"}, executor=Failing())


# ------------------------------------------------------------------ stopping


def test_what_progress_raises_stops_in_good_order(processes, tmp_path):
    class Enough(Exception):
        pass

    def enough(done, all):
        if done >= 3:
            raise Enough

    vary = {"body/stone/velocity/2": "0:1:100000"}
    with ThreadPoolExecutor(2) as threads:
        for name, executor in [("engine", None), ("threads", threads), ("processes", processes)]:
            with pytest.raises(Enough):
                carom.sweep(stone(), vary, executor=executor, folder=tmp_path / name, progress=enough)
            table = carom.SweepTable.open(tmp_path / name)
            assert 3 <= table.rows < 100000
            # nobody holds the folder
            with pytest.raises(Enough):
                carom.sweep(stone(), vary, folder=tmp_path / name, progress=enough)


@pytest.mark.skipif(os.name == "nt", reason="needs SIGINT")
def test_ctrl_c_keeps_what_was_done(tmp_path, ctrl_c):
    before = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    before.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        carom.sweep(stone(), {"body/stone/velocity/2": "0:1:1000000"}, folder=tmp_path / "s")
    assert time.monotonic() - start < 3
    table = carom.SweepTable.open(tmp_path / "s")
    assert 0 < table.rows < 1000000
    assert (tmp_path / "s" / "table.csv").read_text().count("\n") == table.rows + 1


def test_other_threads_go_on():
    count = 0
    over = threading.Event()

    def tick():
        nonlocal count
        while not over.wait(0.005):
            count += 1

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    carom.sweep(stone(), {"body/stone/velocity/2": "0:1:3000"}, jobs=1)
    seconds = time.monotonic() - start
    over.set()
    thread.join()
    assert count > 20 * seconds


def test_runs_that_fail_are_not_passed_over():
    with pytest.warns(carom.CaromWarning, match=r"1 of 3 runs of the sweep failed; run 1: .*`mass` cannot be -1"):
        table = carom.sweep(stone(), {"body/stone/mass": [1, -1, 2]}, {"end": "final(stone.z)"})
    assert list(table.errors) == [1] and np.isnan(table.end[1]) and np.isfinite(table.end[[0, 2]]).all()
    with pytest.raises(carom.SweepError, match=r"2 of 2 runs of the sweep failed; run 0: ") as caught:
        carom.sweep(stone(), {"body/stone/mass": [-1, -2]})
    assert caught.value.table.rows == 2 and list(caught.value.table.errors) == [0, 1]


def test_a_table_pickles():
    table = carom.sweep(stone(), {"body/stone/velocity/2": [0, 2, 1]}, {"end": "final(stone.z)"})
    again = pickle.loads(pickle.dumps(table))
    assert again == table and again.to_csv() == table.to_csv()
    assert again.grid("end").tolist() == table.grid("end").tolist() and again.units == table.units
