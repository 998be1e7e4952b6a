"""Runs that are advanced, looked at, acted upon and taken back."""

import gc
import pickle
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import EXAMPLES

import carom


def cart(**run):
    return carom.Scene.from_dict({
        "run": {"duration": 4, "output_every": 0.5, **run},
        "world": {"gravity": [0, 0, 0]},
        "body": [{"name": "cart", "mass": 2, "inertia": [1, 1, 1]}],
        "input": [{"name": "push"}, {"name": "turn", "value": 0.5}],
        "force": [{"type": "load", "body": "cart", "force": ["push", 0, 0], "torque": [0, 0, "turn"]}],
    })


def same(a, b):
    assert a._run.tables == b._run.tables
    for name in a._run.tables:
        assert a._table(name) == b._table(name), name


@pytest.mark.parametrize("example", ["bouncing-ball", "double-pendulum", "torus-tilted"])
def test_a_run_in_which_nothing_is_set_is_that_of_run(example):
    scene = carom.Scene.load(EXAMPLES / f"{example}.toml").replace({"run/duration": "0.5 s"})
    whole = scene.run(progress=False)
    sim = scene.start()
    while sim.advance(0.013):
        assert sim.state.t == sim.t
    assert sim.t == 0.5 and sim.done
    result = sim.finish()
    same(result, whole)
    assert result.summary == whole.summary and result == whole
    assert sim.finish() is result


def test_intervals_add_up_to_the_end():
    sim, count = cart(duration=10).start(), 1
    while sim.advance(0.02):
        count += 1
    assert count == 500 and sim.t == 10


def test_states_are_those_of_results():
    scene = carom.Scene.load(EXAMPLES / "double-pendulum.toml")
    whole = scene.run(progress=False)
    sim = scene.start()
    for i in (0, 3, 7):
        sim.advance(until=float(whole.t[i]))
        state = sim.state
        body = whole.names[0]
        assert list(state.bodies) == whole.names
        for name in (f"{body}.x", f"{body}.vz", f"{body}.speed", "energy.total"):
            assert state[name] == whole.column(name)[i], name
        for what in ("position", "velocity", "quaternion", "rotation", "angular_velocity"):
            np.testing.assert_array_equal(getattr(state.bodies[body], what), getattr(whole[body], what)[i])
        joint = next(name for name in whole.quantities if name.endswith(".angle"))
        assert state[joint] == whole[joint][i]
        # (accelerations of a probe are differences of several output times)
        assert set(whole.quantities) - set(state) == {"end.a", "end.ax", "end.ay", "end.az"}
        assert set(state) < set(whole.quantities)
    with pytest.raises(KeyError, match="did you mean"):
        state[f"{body}.xx"]
    assert sim.state is sim.state


def test_inputs_act_from_where_they_are_set():
    with cart().start() as sim:
        sim.advance(1)
        assert sim.state["cart.vx"] == 0 and sim.state["cart.wz"] == pytest.approx(0.5, rel=1e-12)
        sim.set(push=4.0, turn=0)
        sim.advance(until=1.25)
        sim.set(push=-2)
        assert sim.t == 1.25
        assert sim.advance(2)
        # 4 N for 0.25 s, then −2 N for 2 s, on 2 kg
        v, x = 4 / 2 * 0.25, 4 / 2 * 0.25**2 / 2
        assert sim.state["cart.vx"] == pytest.approx(v - 2, rel=1e-12)
        assert sim.state["cart.x"] == pytest.approx(x + v * 2 - 2, rel=1e-12)
        assert sim.state["cart.wz"] == pytest.approx(0.5, rel=1e-12)
        r = sim.finish()
        assert r.summary["stopped"] and r.summary["t_end"] == 3.25
        np.testing.assert_array_equal(r.t, [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.25])
        exact = np.where(r.t < 1, 0, np.where(r.t < 1.25, 2 * (r.t - 1), v - (r.t - 1.25)))
        np.testing.assert_allclose(r["cart"].velocity[:, 0], exact, atol=1e-12)


def test_a_checkpoint_goes_back_to_the_bit():
    scene = carom.Scene.load(EXAMPLES / "bouncing-ball.toml").replace({"run/duration": "1 s"})
    whole = scene.run(progress=False)
    sim = scene.start()
    start = sim.checkpoint()
    sim.advance(0.433)
    there = sim.checkpoint()
    assert (start.t, there.t) == (0, 0.433)
    before = dict(sim.state)
    assert sim.advance(until=2) is False
    sim.rewind(there)
    assert sim.t == 0.433
    np.testing.assert_equal(dict(sim.state), before)
    sim.advance(0.2)
    sim.rewind(start)
    assert sim.t == 0 and sim.state["ball.vz"] == whole.column("ball.vz")[0]
    # forward again, and once more from what was pickled
    sim.rewind(there)
    sim.advance(0.3)
    sim.rewind(pickle.loads(pickle.dumps(there)))
    while sim.advance(0.1):
        pass
    same(sim.finish(), whole)
    # another run goes on from it; its results begin there
    other = pickle.loads(pickle.dumps(scene)).start()
    other.rewind(pickle.loads(pickle.dumps(there)))
    other.advance(2)
    r = other.finish()
    later = whole.t > 0.433
    np.testing.assert_array_equal(r["ball"].position[1:], whole["ball"].position[later])
    assert r.contacts.rows == (whole.contacts.t > 0.433).sum()


def test_a_checkpoint_keeps_inputs():
    sim = cart().start()
    sim.set(push=4)
    sim.advance(1)
    there = sim.checkpoint()
    sim.set(push=0)
    sim.advance(1)
    assert sim.state["cart.vx"] == pytest.approx(2, rel=1e-12)
    sim.rewind(there)
    sim.advance(1)
    assert sim.state["cart.vx"] == pytest.approx(4, rel=1e-12)


def test_what_is_refused():
    sim = cart().start()
    with pytest.raises(carom.RunError, match="did you mean `push`"):
        sim.set(pusch=1)
    with pytest.raises(carom.RunError, match="finite"):
        sim.set(push=float("nan"))
    with pytest.raises(TypeError, match="either dt or until"):
        sim.advance()
    with pytest.raises(TypeError, match="either dt or until"):
        sim.advance(1, until=2)
    with pytest.raises(ValueError, match="0 and more"):
        sim.advance(-1)
    sim.advance(1)
    with pytest.raises(ValueError, match="the time reached"):
        sim.advance(until=0.5)
    with pytest.raises(TypeError, match="takes a Checkpoint"):
        sim.rewind(b"")
    with pytest.raises(carom.RunError, match="no snapshot"):
        sim.rewind(carom.Checkpoint(b"something", 0.0))
    with pytest.raises(carom.RunError, match="another model"):
        sim.rewind(cart(rtol=1e-5).start().checkpoint())
    # nothing of this has ended it
    assert sim.t == 1 and sim.advance(1)
    sim.close()
    assert sim.t == 2 and "ended" in repr(sim)
    with pytest.raises(carom.RunError, match=r"has ended: scene.start\(\)"):
        sim.advance(1)
    with pytest.raises(carom.CaromError, match="has no steps"):
        carom.Scene.load(EXAMPLES / "four-bar.toml").replace({"run/analysis": "kinematic"}).start()


def test_a_folder_is_written_at_the_end(tmp_path):
    scene = carom.Scene.load(EXAMPLES / "bouncing-ball.toml").replace({"run/duration": "0.5 s"})
    scene.run(tmp_path / "whole", progress=False)
    sim = scene.start(tmp_path / "stepped")
    sim.advance(until=1)
    assert not (tmp_path / "stepped").exists()
    assert sim.finish().folder == tmp_path / "stepped"
    for file in sorted((tmp_path / "whole").glob("*.csv")):
        assert (tmp_path / "stepped" / file.name).read_bytes() == file.read_bytes(), file.name


def spring(tension):
    return carom.Scene.from_dict({
        "run": {"duration": 2, "output_every": 0.1},
        "world": {"gravity": [0, 0, 0]},
        "body": [
            {"name": "mass", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 1.5]},
            {"name": "wall", "fixed": True},
        ],
        "force": [{"type": carom.ForceLaw(tension, reference=1.0), "between": ["mass", "wall"]}],
    })


def test_functions_of_the_scene_are_called():
    main, threads = threading.get_ident(), set()

    def tension(length, rate):
        threads.add(threading.get_ident())
        return 4.0 * (length - 1)

    scene = spring(tension)
    sim = scene.start()
    sim.advance(1.5)
    # 0.5 cos 2 t
    assert sim.state["mass.z"] == pytest.approx(1 + 0.5 * np.cos(3.0), abs=1e-6)
    sim.advance(until=2)
    same(sim.finish(), scene.run(progress=False))
    assert threads - {main}


def test_what_a_function_raises_is_the_cause():
    def fragile(length, rate):
        if length < 0.8:
            raise ZeroDivisionError("too short")
        return 4.0 * (length - 1)

    sim = spring(fragile).start()
    sim.advance(0.3)
    there = sim.checkpoint()
    with pytest.raises(carom.RunError, match="raised ZeroDivisionError: too short") as info:
        sim.advance(1)
    assert isinstance(info.value.__cause__, ZeroDivisionError)
    with pytest.raises(carom.RunError):
        sim.advance(until=2)
    sim.rewind(there)
    assert sim.advance(0.1) and sim.t == pytest.approx(0.4)


def test_progress_is_told_and_may_stop():
    seen = []

    def tell(t):
        seen.append(t)
        raise LookupError("enough")

    sim = carom.Scene.load(EXAMPLES / "torus-tilted.toml").replace({"run/duration": 200}).start(progress=tell)
    with pytest.raises(LookupError, match="enough"):
        sim.advance(200)
    assert 0 < sim.t < 200 and len(seen) == 1
    sim.close()


def test_ctrl_c_stops_it_and_it_goes_on():
    program = textwrap.dedent(f"""
        import signal, threading, os, carom
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sim = carom.Scene.load({str(EXAMPLES / "torus-tilted.toml")!r}).replace({{"run/duration": 500}}).start()
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            sim.advance(500)
        except KeyboardInterrupt:
            t = sim.t
            sim.advance(0.01)
            print(0 < t < sim.t < 500)
    """)
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert out.stdout == "True\n", out.stderr


def test_other_threads_go_on_meanwhile():
    sim = carom.Scene.load(EXAMPLES / "torus-tilted.toml").replace({"run/duration": 20}).start()
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    sim.advance(2)
    stop.set()
    thread.join()
    assert counted[0] > 3


def test_runs_that_are_let_go_end_their_threads():
    tasks = Path("/proc/self/task")
    if not tasks.exists():
        pytest.skip("threads are counted where /proc is")
    before = len(list(tasks.iterdir()))
    for _ in range(20):
        cart().start().advance(0.1)
    gc.collect()
    for _ in range(100):
        if len(list(tasks.iterdir())) < before + 5:
            return
        time.sleep(0.02)
    raise AssertionError(f"{len(list(tasks.iterdir()))} threads, {before} before")


def test_the_cart_and_pole_of_the_examples():
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
    try:
        import cart_pole
    finally:
        sys.path.pop(0)
    assert cart_pole.check() < 1e-7
    # without a push it falls, and the same start gives the same bits
    env = cart_pole.CartPole()
    first = env.reset(0.05)
    for _ in range(500):
        now, reward, fallen, late = env.step(0.0)
        if fallen:
            break
    assert fallen and reward == 0 and not late
    np.testing.assert_array_equal(env.reset(0.05), first)


def test_accelerations_are_those_of_the_equations_of_motion():
    scene = carom.Scene.from_dict({
        "run": {"duration": 4},
        "world": {"gravity": [0, 0, -9.81]},
        "body": [
            {"name": "cart", "mass": 2, "inertia": [4, 4, 4]},
            {"name": "turntable", "motion": {"spin": {"axis": [0, 0, 1], "rate": 2}}},
        ],
        "probe": [{"name": "tip", "body": "cart", "point": [1, 0, 0]}],
        "input": [{"name": "push"}],
        "force": [{"type": "load", "body": "cart", "force": ["push", 0, 0], "torque": [0, 0, "2[N m]"]}],
    })
    with scene.start() as sim:
        assert sim.state["cart.ax"] == 0
        sim.advance(1.3)
        sim.set(push=3.0)
        state = sim.state
        assert (state["push"], state["cart.ax"], state["cart.az"]) == (3, 1.5, -9.81)
        assert state["cart.a"] == pytest.approx(np.hypot(1.5, 9.81), rel=1e-15)
        assert (state["cart.alphaz"], state["cart.alpha"]) == (0.5, 0.5)
        assert state.bodies["cart"].acceleration.tolist() == [1.5, 0, -9.81]
        assert state.signals["push"].tolist() == [3]
        assert not any(np.isnan(state[name]) for name in state)
        # of others they would be differences of several output times
        for name in ("tip.ax", "turntable.a"):
            assert name not in list(state)
            with pytest.raises(KeyError, match="several output times"):
                state[name]


def test_signals_are_recorded():
    scene = carom.Scene.from_dict({
        "run": {"duration": 1, "output_every": 0.25},
        "world": {"gravity": [0, 0, 0]},
        "body": [{"name": "cart", "mass": 2, "inertia": [1, 1, 1], "velocity": [0.4, 0, 0]}],
        "input": [{"name": "target", "value": 1}],
        "controller": [{"name": "p", "type": "pid", "input": "cart.x", "setpoint": "target", "every": 0.5, "gain": 3}],
    })
    r = scene.run(progress=False)
    assert r["p.u"] == pytest.approx([3, 3, 2.4, 2.4, 1.8], rel=1e-12)
    assert r["target"].tolist() == [1] * 5
    assert list(r.signals) == ["t", "target", "p.u"]
