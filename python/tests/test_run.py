"""Runs: results, files, progress, stopping."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import EXAMPLES

import carom

@pytest.fixture(scope="module")
def ball():
    return carom.Scene.load(EXAMPLES / "bouncing-ball.toml").run()


def test_arrays_by_name(ball):
    n = len(ball.t)
    track = ball["ball"]
    assert track.position.shape == (n, 3) and track.velocity.shape == (n, 3)
    assert track.quaternion.shape == (n, 4) and track.angular_velocity.shape == (n, 3)
    np.testing.assert_allclose(np.linalg.norm(track.quaternion, axis=1), 1, atol=1e-14)
    assert ball.energy.total.shape == (n,)
    assert ball.contacts.vector("n").shape == (ball.contacts.rows, 3)
    assert set(ball.events.kind) == {"touch", "release"}
    assert ball.summary["touches"] == (ball.events.kind == "touch").sum()
    # the ledger adds up, and is that of the body's motion
    e = ball.energy
    np.testing.assert_allclose(e.kinetic + e.potential + e.elastic + e.field + e.strain, e.total, rtol=1e-12)


def test_rotations_turn_with_the_angular_velocity():
    stick = {"name": "stick", "mass": 1, "inertia": [1, 2, 3], "angular_velocity": [0.1, 3, 0.2]}
    stick["orientation"] = {"axis": [1, 0, 0], "angle": "60 deg"}
    run = {"duration": 1, "output_every": 1e-3, "rtol": 1e-12, "atol": 1e-12}
    track = carom.Scene.from_dict({"run": run, "body": [stick]}).run()["stick"]
    c, s = 0.5, 0.75**0.5
    np.testing.assert_allclose(track.rotation[0], [[1, 0, 0], [0, c, -s], [0, s, c]], atol=1e-15)
    # dR/dt = ω × R, by differences of the second order
    rate = (track.rotation[2:] - track.rotation[:-2]) / 2e-3
    spun = np.cross(track.angular_velocity[1:-1, None, :], track.rotation[1:-1].transpose(0, 2, 1)).transpose(0, 2, 1)
    np.testing.assert_allclose(rate, spun, atol=3e-5)


def test_what_is_not_there_is_said_with_the_nearest_word(ball):
    with pytest.raises(KeyError, match="did you mean 'ball'"):
        ball["bal"]
    with pytest.raises(AttributeError, match="did you mean 'kinetic'"):
        ball.energy.kinetc
    with pytest.raises(AttributeError, match="no deformation"):
        ball["ball"].deformation
    with pytest.raises(ValueError, match="read-only"):
        ball["ball"].position[0, 0] = 1


def test_a_folder_of_someone_else_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    scene = carom.Scene.load(EXAMPLES / "bouncing-ball.toml", {"run/duration": 0.01})
    with pytest.raises(carom.ResultsError, match="holds files that are no results of carom: choose another folder, or say force=True"):
        scene.run(tmp_path)
    scene.run(tmp_path, force=True)
    assert (tmp_path / "states.csv").exists() and (tmp_path / "notes.txt").read_text() == "mine"


#: seconds of work
LONG = {"run/duration": 1e5, "run/output_every": 1e4}


def test_progress_is_told_and_what_it_raises_stops_the_run():
    scene = carom.Scene.load(EXAMPLES / "double-pendulum.toml", LONG)
    seen = []

    def progress(t):
        seen.append(t)
        if len(seen) == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        scene.run(progress=progress)
    assert len(seen) == 3 and 0 < seen[0] < seen[1] < seen[2] < scene.duration


def test_other_threads_go_on_meanwhile():
    scene = carom.Scene.load(EXAMPLES / "double-pendulum.toml", LONG)
    count, done = 0, threading.Event()

    def stop(t):
        if count > 1000:
            raise InterruptedError

    def work():
        nonlocal count
        while not done.is_set():
            count += 1
            time.sleep(0)

    thread = threading.Thread(target=work)
    thread.start()
    with pytest.raises(InterruptedError):
        scene.run(progress=stop)
    done.set()
    thread.join()
    assert count > 1000


@pytest.mark.skipif(os.name != "posix", reason="signals are sent by kill")
def test_ctrl_c_stops_cleanly_and_keeps_what_was_done(tmp_path, ctrl_c):
    code = f"""
        import carom, sys
        scene = carom.Scene.load({str(EXAMPLES / "double-pendulum.toml")!r}, {LONG | {"run/output_every": 0.1}!r})
        print("ready", flush=True)
        try:
            scene.run({str(tmp_path / "out")!r})
        except KeyboardInterrupt:
            print("stopped", flush=True)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert out == "stopped\n" and process.returncode == 0
    summary = (tmp_path / "out" / "summary.json").read_text()
    assert '"stopped": true' in summary
    assert (tmp_path / "out" / "states.csv").read_text().count("\n") > 2


def test_curves_have_their_peaks_between_output_times():
    r = carom.Scene.load(EXAMPLES / "bouncing-ball.toml", {"run/output_every": "0.1 s"}).run()
    t, force = r.curve("ball~floor.fn")
    assert abs(force.max() / r.summary["peak_force"] - 1) < 1e-9
    assert len(t) == len(force) and np.all(np.diff(t) > 0) and set(r.t) < set(t)
    # over output times there is what was there then
    assert len(r.column("ball~floor.fn")) == len(r.t) == len(r["ball"].position)
    assert r.contacts.fn.max() == force.max() and set(r.contacts.within) == {0.0, 1.0} or set(r.contacts.within) == {1.0}
    assert abs(r.states_within["ball.z"].min() - 0.03 + r.summary["max_indentation"]) < 1e-9
    assert abs(r.curve("ball.z")[1].min() - r.states_within["ball.z"].min()) < 1e-15
    with pytest.raises(KeyError, match="ball~floor.fm"):
        r.curve("ball~floor.fm")


def test_a_folder_belongs_to_one_run(tmp_path):
    scene = carom.Scene.load(EXAMPLES / "bouncing-ball.toml")
    scene_long = carom.Scene.load(EXAMPLES / "double-pendulum.toml", LONG)
    begun, over = threading.Event(), threading.Event()

    def go_on(_):
        begun.set()
        if over.is_set():
            raise InterruptedError

    def first():
        with pytest.raises(InterruptedError):
            scene_long.run(tmp_path / "out", progress=go_on)

    thread = threading.Thread(target=first)
    thread.start()
    assert begun.wait(60)
    for write in (lambda: scene.run(tmp_path / "out"), lambda: scene.run().save(tmp_path / "out")):
        with pytest.raises(carom.CaromError, match="out is being written by another run"):
            write()
    over.set()
    thread.join()
    scene.run(tmp_path / "out")
    assert not (tmp_path / "out" / "run.lock").exists()


def test_pandas(ball):
    frame = ball.to_pandas()
    assert frame.index.name == "t" and np.array_equal(frame["ball.z"], ball["ball"].position[:, 2])
    assert list(ball.events.to_pandas().columns)[:2] == ["t", "kind"]


def test_plot(ball, tmp_path):
    from matplotlib import pyplot

    axes = ball.plot()
    assert axes[1].get_ylabel() == "energy [J]"
    ax = ball.plot("ball.z", "energy.total", "ball~floor.fn")
    # an axis for every unit, with its own curve, and one legend
    axes = ax.figure.axes
    assert [[line.get_label() for line in own.lines] for own in axes] == [["ball.z"], ["energy.total"], ["ball~floor.fn"]]
    assert [own.get_ylabel() for own in axes] == ["ball.z [m]", "energy.total [J]", "ball~floor.fn [N]"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["ball.z", "energy.total", "ball~floor.fn"]
    assert len({line.get_color() for own in axes for line in own.lines}) == 3
    assert axes[2].spines["right"].get_position() == ("outward", 52)
    # of one unit one axis
    ax = ball.plot("ball.vx", "ball.vz")
    assert len(ax.figure.axes) == 1 and ax.get_ylabel() == "[m/s]" and len(ax.lines) == 2
    assert ball.plot("ball.az").get_ylabel() == "[m/s²]"
    assert ball.quantities["ball.speed"] == ("speed", "m/s")
    with pytest.raises(KeyError, match="did you mean"):
        ball.plot("ball.zz")
    pyplot.close("all")


def test_view(ball, tmp_path):
    view = ball.view(height=300)
    assert view._repr_html_().startswith("<iframe srcdoc=")
    page = view.save(tmp_path / "view.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and "carom-film" in page


def test_a_run_that_is_not_to_be_trusted_warns():
    b = carom.Builder("pulled in")
    b.run(duration=0.3, rtol=1e-6)
    b.body("ball", mass=1, position=[0, 0, 0.1], surface=[carom.surface("sphere", radius=0.05)])
    b.body("floor", fixed=True, surface=[carom.surface("plane")])
    b.contact("ball", "floor", normal=carom.NormalLaw(lambda delta, delta_dot, v0: -1e6 * delta, stiffness=1e6))
    with pytest.warns(carom.CaromWarning, match="pulled in: "):
        b.scene().run()


def test_only_a_plain_run_passes_through_and_it_warns():
    b = carom.Builder("bullet")
    b.world(gravity=[0, 0, 0])
    b.run(duration=0.1, method="ode45", rtol=1e-3)
    b.body("bullet", mass=0.01, velocity=[100, 0, 0], surface=[carom.surface("sphere", radius=0.005)])
    b.body("sheet", fixed=True, position=[5, 0, 0], surface=[carom.surface("box", size=[0.002, 1, 1])])
    b.contact("bullet", "sheet", normal={"law": "hertz", "stiffness": 1e9})
    assert b.scene().run().summary["touches"] == 1
    b.run(plain=True)
    with pytest.warns(carom.CaromWarning, match="a plain run"):
        assert b.scene().run().summary["touches"] == 0


def test_ctrl_c_within_a_function_is_ctrl_c():
    def interrupted(delta, delta_dot, v0):
        raise KeyboardInterrupt

    b = carom.Builder()
    b.run(duration=0.3)
    b.body("ball", mass=1, position=[0, 0, 0.1], surface=[carom.surface("sphere", radius=0.05)])
    b.body("floor", fixed=True, surface=[carom.surface("plane")])
    b.contact("ball", "floor", normal=carom.NormalLaw(interrupted, stiffness=1e4))
    with pytest.raises(KeyboardInterrupt):
        b.scene().run()


def test_a_folder_read_back(ball, tmp_path):
    again = carom.Scene.load(EXAMPLES / "bouncing-ball.toml").run(tmp_path / "ball")
    read = carom.Result.open(tmp_path / "ball")
    assert read.t.tobytes() == ball.t.tobytes() == again.t.tobytes()
    assert read["ball"].position.tobytes() == ball["ball"].position.tobytes()
    assert read.summary["audit_relative"] == ball.summary["audit_relative"]
    assert read.events.kind.tolist() == ball.events.kind.tolist()
    assert read.column("ball~floor.fn").tobytes() == ball.column("ball~floor.fn").tobytes()
    assert "read from" in repr(read) and "ball" in read.view(frames=5).html
    read.save(tmp_path / "saved")
    assert (tmp_path / "saved" / "states.csv").read_bytes() == (tmp_path / "ball" / "states.csv").read_bytes()
    with pytest.raises(carom.CaromError):
        carom.Result.open(tmp_path)


def test_coordinates_and_forces_by_name():
    r = carom.Scene.from_dict(
        {
            "run": {"duration": 4, "output_every": 0.1},
            "world": {"gravity": [0, 0, 0]},
            "body": [{"name": "ground", "fixed": True}, {"name": "rotor", "mass": 1, "inertia": [0.1, 0.1, 0.2]}],
            "joint": [{"name": "shaft", "type": "revolute", "between": ["rotor", "ground"], "point": [0, 0, 0], "axis": [0, 0, 1]}],
            "force": [{"name": "engine", "type": "motor", "joint": "shaft", "torque": "3 - 0.5*shaft.rate"}],
        }
    ).run()
    omega = 6 * (1 - np.exp(-2.5 * r.t))
    np.testing.assert_allclose(r["shaft.rate"], omega, atol=1e-7)
    np.testing.assert_allclose(r["shaft.angle"], 6 * r.t - omega / 2.5, atol=1e-7)
    np.testing.assert_allclose(r["engine.effort"], 3 - 0.5 * omega, atol=1e-7)
    np.testing.assert_allclose(r.forces["engine.work"], 0.1 * omega**2, atol=1e-7)
    assert r["rotor"].position.shape == (len(r.t), 3) and r.drives == {}
    with pytest.raises(KeyError, match="engine.effort"):
        r["engine.efort"]


def test_results_and_tables_pickle(ball):
    again = pickle.loads(pickle.dumps(ball))
    assert again == ball and again is not ball
    assert again.summary == ball.summary and repr(again) == repr(ball)
    np.testing.assert_array_equal(again["ball"].position, ball["ball"].position)
    np.testing.assert_array_equal(again.curve("ball~floor.fn")[1], ball.curve("ball~floor.fn")[1])
    table = pickle.loads(pickle.dumps(ball.contacts))
    assert table == ball.contacts and not table.fn.flags.writeable
    assert ball.contacts != ball.events
    other = ball.scene.replace({"run/rtol": 1e-6}).run()
    assert other != ball


def test_results_of_analyses_and_of_functions_pickle():
    modes = carom.Scene.load(EXAMPLES / "engine-mounts.toml").replace({"run/analysis": "modes"}).run()
    again = pickle.loads(pickle.dumps(modes))
    assert again == modes
    np.testing.assert_array_equal(again.modes.frequency, modes.modes.frequency)


def test_words_that_no_row_can_have_are_refused(ball):
    assert ball.events.where(kind="touch").rows == ball.summary["touches"]
    with pytest.raises(KeyError, match="no kind in events 'tuoch'; did you mean 'touch'"):
        ball.events.where(kind="tuoch")
    with pytest.raises(KeyError, match="did you mean"):
        ball.contacts.where(contact=str(ball.contacts.contact[0]) + "s")
    with pytest.raises(KeyError, match="no column of events 'kin'; did you mean 'kind'"):
        ball.events.where(kin="touch")
    with pytest.raises(TypeError, match="kind of events is 1; allowed: a word"):
        ball.events.where(kind=1)
    with pytest.raises(TypeError, match="within of contacts is 'no'; allowed: a number"):
        ball.contacts.where(within="no")
    # what may happen and did not
    stone = {"run": {"duration": 0.1}, "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}]}
    assert carom.Scene.from_dict(stone).run().events.where(kind="release").rows == 0
