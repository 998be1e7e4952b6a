"""Runs that go on after they were broken off."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from conftest import EXAMPLES
from test_bytes import same_files

import carom

HERTZ = carom.NormalLaw(lambda x, v, v0: 1e6 * x**1.5, stiffness=1e6, elastic=True)


def enough(_):
    raise InterruptedError


def longer_than_a_tenth(scene, folder):
    """The scene, so long that it is broken off at the first report of progress, as it then was."""
    while True:
        try:
            scene.run(folder, progress=enough)
        except InterruptedError:
            return scene
        scene = scene.replace({"run/duration": 4 * scene.duration, "run/output_every": scene.duration / 10})


def hopping(law):
    return carom.Scene.from_dict({
        "run": {"duration": 0.5, "output_every": 0.01},
        "body": [
            {"name": "ball", "mass": 0.1, "position": [0, 0, 0.05], "surface": [{"type": "sphere", "radius": 0.02}]},
            {"name": "floor", "fixed": True, "surface": [{"type": "plane"}]},
        ],
        "contact": [{"between": ["ball", "floor"], "normal": law}],
    })


@pytest.mark.parametrize("name", ["double-pendulum.toml", "inverted-pendulum.toml"])
def test_a_run_that_was_broken_off_ends_with_the_same_bytes(tmp_path, name):
    scene = longer_than_a_tenth(carom.Scene.load(EXAMPLES / name), tmp_path / "broken")
    assert json.loads((tmp_path / "broken" / "summary.json").read_text())["stopped"]
    whole = scene.run(tmp_path / "whole")
    # (broken off once more, if that comes before the end)
    with contextlib.suppress(InterruptedError):
        carom.resume(tmp_path / "broken", progress=enough)
    result = carom.resume(tmp_path / "broken")
    same_files(tmp_path / "whole", tmp_path / "broken")
    assert np.array_equal(result.t, whole.t) and result.summary == whole.summary
    # what is finished is read, not run again
    before = (tmp_path / "broken" / "timing.json").read_bytes()
    again = carom.resume(tmp_path / "broken", progress=enough)
    assert again.summary == whole.summary
    assert (tmp_path / "broken" / "timing.json").read_bytes() == before


def test_the_program_goes_on_with_a_run_of_python_s_and_the_other_way_round(tmp_path, program):
    scene = longer_than_a_tenth(carom.Scene.load(EXAMPLES / "double-pendulum.toml"), tmp_path / "broken")
    scene.run(tmp_path / "whole")
    subprocess.run([program, "run", "--quiet", "--resume", tmp_path / "broken"], check=True)
    same_files(tmp_path / "whole", tmp_path / "broken")
    until = str(2 * scene.duration)
    subprocess.run([program, "run", "--quiet", "--resume", tmp_path / "broken", "--until", until], check=True)
    carom.resume(tmp_path / "whole", until=2 * scene.duration)
    same_files(tmp_path / "whole", tmp_path / "broken")


@pytest.mark.skipif(os.name != "posix", reason="signals are sent by kill")
def test_a_killed_process_loses_nothing(tmp_path):
    scene = longer_than_a_tenth(carom.Scene.load(EXAMPLES / "double-pendulum.toml"), tmp_path / "whole")
    # (longer still, so that another process is surely killed on its way)
    values = {"run/duration": 8 * scene.duration, "run/output_every": scene.duration / 5}
    carom.Scene.load(EXAMPLES / "double-pendulum.toml", values).run(tmp_path / "whole")
    code = f"""
        import carom, os, signal
        scene = carom.Scene.load({str(EXAMPLES / "double-pendulum.toml")!r}, {values!r})
        scene.run({str(tmp_path / "killed")!r}, progress=lambda t: os.kill(os.getpid(), signal.SIGKILL))
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False)
    assert ended.returncode == -signal.SIGKILL
    carom.resume(tmp_path / "killed")
    same_files(tmp_path / "whole", tmp_path / "killed")


def test_a_finished_run_is_prolonged(tmp_path):
    scene = carom.Scene.load(EXAMPLES / "bouncing-ball.toml", {"run/duration": 0.5, "run/output_every": 0.05})
    scene.run(tmp_path / "run")
    result = carom.resume(tmp_path / "run", until="0.8 s")
    scene.replace({"run/duration": 0.8}).run(tmp_path / "whole")
    assert result.summary["duration"] == 0.8 and result.t[-1] == 0.8
    whole = carom.Result.open(tmp_path / "whole")
    np.testing.assert_array_equal(result.t, whole.t)
    np.testing.assert_allclose(result["ball"].position, whole["ball"].position, atol=1e-6)
    np.testing.assert_allclose(result.events.t, whole.events.t, rtol=1e-6)
    with pytest.raises(carom.CaromError, match="of another model|past"):
        carom.resume(tmp_path / "run", until=0.1)


def test_crowds_go_on_too(tmp_path):
    balls = [
        {"name": f"b{i}", "mass": 0.1, "position": [0.05 * i, 0, 0.03], "velocity": [-0.2 * i, 0, -0.1],
         "surface": [{"type": "sphere", "radius": 0.02}]}
        for i in range(5)
    ]
    scene = carom.Scene.from_dict({
        "run": {"duration": 0.1, "output_every": 0.01, "method": "crowd"},
        "body": [*balls, {"name": "floor", "fixed": True, "surface": [{"type": "plane"}]}],
        "contact": [{"between": ["*", "*"], "normal": {"law": "hertz", "stiffness": 1e6}}],
    })
    scene = longer_than_a_tenth(scene, tmp_path / "broken")
    scene.run(tmp_path / "whole")
    carom.resume(tmp_path / "broken")
    same_files(tmp_path / "whole", tmp_path / "broken")
    with scene.start() as sim:
        sim.advance(0.033)
        there = sim.checkpoint()
        x = sim.state["b3.x"]
        sim.advance(0.02)
        sim.rewind(there)
        assert sim.state["b3.x"] == x and sim.t == 0.033


def test_functions_are_given_anew(tmp_path):
    calls = 0

    def breaks(x, v, v0):
        nonlocal calls
        calls += 1
        if calls == 300:
            raise ArithmeticError("not today")
        return 1e6 * x**1.5

    whole = hopping(HERTZ).run(tmp_path / "whole")
    with pytest.raises(carom.RunError, match="not today"):
        hopping(carom.NormalLaw(breaks, stiffness=1e6, elastic=True)).run(tmp_path / "broken")
    assert calls >= 300
    result = carom.resume(tmp_path / "broken", scene=hopping(HERTZ))
    assert result.summary["touches"] == whole.summary["touches"] > 1
    same_files(tmp_path / "whole", tmp_path / "broken")


def test_what_cannot_go_on_is_said(tmp_path):
    with pytest.raises(carom.CaromError, match="holds no run"):
        carom.resume(tmp_path / "nothing")
    scene = carom.Scene.load(EXAMPLES / "bouncing-ball.toml", {"run/duration": 0.5, "run/output_every": 0.05})
    scene.run(tmp_path / "run")
    file = tmp_path / "run" / "checkpoint.bin"
    whole = file.read_bytes()
    for damaged in (whole[:-1], whole[:20] + b"?" + whole[21:], b""):
        file.write_bytes(damaged)
        with pytest.raises(carom.CaromError, match="checkpoint.bin: it "):
            carom.resume(tmp_path / "run", until=1)
    file.write_bytes(whole)
    with pytest.raises(carom.CaromError, match="another model"):
        carom.resume(tmp_path / "run", until=1, scene=scene.replace({"run/rtol": 1e-5}))
    carom.resume(tmp_path / "run", until=1)
