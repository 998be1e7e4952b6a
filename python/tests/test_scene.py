"""Scenes from files, texts and dictionaries; errors."""

import numpy as np
import pytest
from conftest import EXAMPLES

import carom

STONE = {"run": {"duration": 1.0}, "body": [{"name": "stone", "mass": 1.0, "inertia": [1, 1, 1]}]}


def test_a_file_a_text_and_a_dictionary_are_the_same_scene():
    path = EXAMPLES / "newtons-cradle.json"
    a = carom.Scene.load(path)
    b = carom.Scene.from_string(path.read_text(), name=str(path))
    assert a.to_json() == b.to_json()
    assert a.bodies == b.bodies and a.duration == b.duration


def test_numpy_values_of_any_kind_are_read():
    turned = np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))
    scene = carom.Scene.from_dict({
        "run": {"duration": np.int64(1), "output_at": np.array([0.0, 0.5, 1.0])},
        "body": [
            {"name": "a", "mass": np.float32(2), "inertia": (1, 1, 1), "position": turned[1], "velocity": None},
            {"name": "b", "mass": 1, "inertia": [1, 1, 1], "position": np.arange(9)[::3]},
        ],
    })
    r = scene.run()
    assert r["a"].position[0].tolist() == [3, 4, 5]
    assert r["b"].position[0].tolist() == [0, 3, 6]


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (np.array([1j, 0, 0]), TypeError),
        (np.array(["a", "b", "c"]), TypeError),
        (float("nan"), ValueError),
        ({1: 2}, TypeError),
        (object(), TypeError),
    ],
)
def test_values_that_no_scene_can_hold_are_refused_by_their_place(value, error):
    scene = {**STONE, "body": [{**STONE["body"][0], "position": value}]}
    with pytest.raises(error, match="scene/body/0/position"):
        carom.Scene.from_dict(scene)


def test_errors_show_the_place_with_a_caret():
    with pytest.raises(carom.SceneError) as caught:
        carom.Scene.from_string("[run]\nduratoin = 1\n", name="ball.toml")
    error = caught.value
    assert (error.line, error.column) == (2, 1)
    text = str(error)
    assert "ball.toml:2:1" in text and "^^^^^^^^" in text and "did you mean `duration`?" in text
    assert isinstance(error, ValueError) and isinstance(error, carom.CaromError)


def test_a_dictionary_s_error_shows_its_place_as_json():
    with pytest.raises(carom.SceneError) as caught:
        carom.Scene.from_dict({**STONE, "run": {"duration": "1 kg"}})
    assert '"duration": "1 kg"' in str(caught.value) and "^" in str(caught.value)


def test_a_file_that_is_not_there():
    with pytest.raises(carom.SceneError, match="there is no file `no-such.toml`"):
        carom.Scene.load("no-such.toml")


def test_replaced_values():
    path = EXAMPLES / "bouncing-ball.toml"
    scene = carom.Scene.load(path, {"run/rtol": 1e-6, "run/duration": "50 ms"})
    assert (scene.rtol, scene.duration) == (1e-6, 0.05)
    assert scene.replace({"run/method": "ode45"}).method == "ode45"
    with pytest.raises(carom.SceneError, match="did you mean `rtol`"):
        scene.replace({"run/rtl": 1e-6})


def test_a_scene_built_in_code():
    b = carom.Builder("a ball on a floor")
    b.run(duration=0.3, rtol=1e-10)
    b.world(gravity=np.array([0, 0, -9.81]))
    b.material("steel", youngs_modulus="210 GPa", poisson_ratio=0.3, density="7850 kg/m^3")
    b.body("ball", position=[0, 0, 0.1], surface=[carom.surface("sphere", radius="20 mm", material="steel")])
    b.body("floor", fixed=True, surface=[carom.surface("plane", material="steel")])
    b.contact("ball", "floor", normal="hertz")
    b.add("probe", name="top", body="ball", point=[0, 0, 0.02])
    r = b.scene().run()
    touch = r.events["t"][0]
    assert abs(touch - np.sqrt(2 * 0.08 / 9.81)) < 1e-12
    np.testing.assert_allclose(r["top"].position[0], [0, 0, 0.12], atol=1e-15)
    with pytest.raises(ValueError, match="did you mean 'sphere'"):
        carom.surface("sphre")
