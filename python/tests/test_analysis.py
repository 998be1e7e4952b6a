"""Analyses besides the motion under forces."""

import time

import numpy as np
import pytest
from conftest import EXAMPLES

import carom


def crank(analysis):
    return carom.Scene.load(EXAMPLES / "slider-crank.toml", {"run/analysis": analysis}).run()


def test_the_kinematics_of_a_slider_crank():
    r = crank("kinematic")
    a = 5000 * 2 * np.pi / 60 * r.t
    r0, l = 0.05, 0.12
    # x = r cos a + l cos b, r sin a = l sin b
    expected = r0 * np.cos(a) + np.sqrt(l**2 - (r0 * np.sin(a)) ** 2)
    x = r["piston"].position[:, 0]
    np.testing.assert_allclose(x - x[0], expected - expected[0], atol=1e-12)
    np.testing.assert_allclose(r.kinematics["main.angle"], a, atol=1e-11)
    assert r["piston"].acceleration.shape == (len(r.t), 3) and r["rod"].angular_acceleration.any()
    assert r.drives == {} and r.analysis == "kinematic" and r.summary["analysis"] == "kinematic"
    assert "kinematic analysis" in repr(r)


def test_what_the_drive_of_a_slider_crank_must_do():
    r = crank("inverse")
    drive = r.drives["main/speed"]
    # the work of a whole turn comes back
    assert abs(drive.power[:120].sum()) * 1e-4 < 1e-9 and np.abs(drive.force).max() > 1
    assert np.array_equal(drive.force, r.column("main/speed.force"))
    assert r.joints.where(joint="main").rows == len(r.t)
    assert "main/speed" in repr(r)
    axes = r.plot()
    assert axes[1].get_ylabel() == "drives [N m]"
    assert r.view(frames=10).html.startswith("<!doctype html>")
    assert r.to_pandas().shape[0] == len(r.t)


def springs(k, c, m):
    """Two masses between walls, along x."""
    b = carom.Builder("two masses")
    b.run(duration=1, analysis="modes")
    b.world(gravity=[0, 0, 0])
    for i, x in enumerate([1.0, 2.0]):
        b.body(f"m{i}", mass=m, dofs=["x"], position=[x, 0, 0])
    b.body("left", fixed=True)
    b.body("right", fixed=True, position=[3, 0, 0])
    for pair in (["left", "m0"], ["m0", "m1"], ["m1", "right"]):
        b.force("spring-damper", between=pair, stiffness=k, damping=c, rest_length=1)
    return b.scene()


def test_modes_of_two_masses_by_their_closed_form():
    k, c, m = 400.0, 2.0, 0.5
    r = springs(k, c, m).run()
    modes = r.modes
    omega = np.sqrt(np.array([k, 3 * k]) / m)
    np.testing.assert_allclose(modes.omega, omega, rtol=1e-13)
    np.testing.assert_allclose(modes.frequency, omega / (2 * np.pi), rtol=1e-13)
    # proportional damping: zeta = c omega/(2 k)
    np.testing.assert_allclose(modes.damping, c * omega / (2 * k), rtol=1e-11)
    np.testing.assert_allclose(modes.shape("m0") * np.sign(modes.shape("m0")), [[1], [1]], atol=1e-12)
    np.testing.assert_allclose(modes.shape("m1") / modes.shape("m0"), [[1], [-1]], atol=1e-12)
    assert modes.directions == {"m0": ["x"], "m1": ["x"]}
    ratio = modes.root_shape("m1") / modes.root_shape("m0")
    np.testing.assert_allclose(ratio, [[1], [-1]], atol=1e-9)
    np.testing.assert_allclose(modes.roots.omega, omega * np.sqrt(1 - modes.damping**2), rtol=1e-11)
    assert modes.damped and r.equilibrium.stable and modes.equilibrium["m0"].position[0] == 1
    assert "Hz" in repr(r) and "m0 x 1.00" in repr(r)
    assert list(r.to_pandas().columns)[:2] == ["kind", "omega_squared"]
    assert r.plot().get_xlabel() == "frequency [Hz]"
    with pytest.raises(KeyError, match="did you mean 'm0'"):
        modes.shape("m00")
    page = r.view().html
    assert '"m0 x 1.00' in page and '"first":0' in page


def test_an_equilibrium():
    b = carom.Builder()
    b.run(duration=1, analysis="static")
    b.body("weight", mass=2, inertia=[1, 1, 1], dofs=["z"], position=[0, 0, -1])
    b.body("hook", fixed=True)
    b.force("spring-damper", between=["weight", "hook"], stiffness=400, rest_length=0.5)
    r = b.scene().run()
    assert abs(r.equilibrium["weight"].position[2] + 0.5 + 2 * 9.81 / 400) < 1e-14
    assert r.equilibrium.stable and "weight at" in repr(r)
    assert r.to_pandas().loc["weight", "z"] == r.equilibrium["weight"].position[2]
    assert r.t.tolist() == [0] and r["weight"].position.tolist() == [r.equilibrium["weight"].position.tolist()]
    assert "weight" in r.view().html
    for ask, text in [(lambda: r.modes, "no modes"), (r.plot, "nothing to draw")]:
        with pytest.raises(carom.CaromError, match=text):
            ask()


def test_what_cannot_be_analysed_fails_with_the_reason():
    free = {"run": {"duration": 1, "analysis": "static"}, "body": [{"name": "stone", "mass": 1, "inertia": [1, 1, 1]}]}
    with pytest.raises(carom.RunError, match="stone") as caught:
        carom.Scene.from_dict(free).run()
    assert caught.value.result is None
    with pytest.raises(carom.RunError, match="there is no joint"):
        carom.Scene.from_dict({**free, "run": {"duration": 1, "analysis": "inverse"}}).run()


def test_a_function_that_raises_is_the_cause():
    b = carom.Builder()
    b.run(duration=1, analysis="static")
    b.body("weight", mass=2, inertia=[1, 1, 1], dofs=["z"], position=[0, 0, -1])
    b.body("hook", fixed=True)
    # (as the scene is checked, at its start, it is well)
    b.force(carom.ForceLaw(lambda length, rate: 10.0 if length <= 1 else 1 / 0), between=["weight", "hook"])
    with pytest.raises(carom.RunError, match="ZeroDivisionError") as caught:
        b.scene().run()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_search_for_an_equilibrium_can_be_ended():
    b = carom.Builder()
    b.run(duration=1, analysis="static")
    b.body("weight", mass=2, inertia=[1, 1, 1], dofs=["z"], position=[0, 0, -1])
    b.body("hook", fixed=True)

    def slow(length, rate):
        time.sleep(0.06)
        return 40 * (length - 0.5) ** 3

    b.force(carom.ForceLaw(slow), between=["weight", "hook"])

    def enough(t):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        b.scene().run(progress=enough)


def test_a_long_analysis_tells_how_far_it_is_and_stops(tmp_path):
    scene = carom.Scene.load(
        EXAMPLES / "slider-crank.toml", {"run/analysis": "inverse", "run/duration": 50, "run/output_every": 1e-4}
    )
    seen = []

    def enough(t):
        seen.append(t)
        raise InterruptedError

    start = time.perf_counter()
    with pytest.raises(InterruptedError):
        scene.run(tmp_path / "out", progress=enough)
    assert 0 < seen[0] < 50 and time.perf_counter() - start < 10
    assert '"stopped": true' in (tmp_path / "out" / "analysis.json").read_text()
    assert (tmp_path / "out" / "kinematics.csv").read_text().count("\n") > 10
