"""Arrays of any dtype and layout are taken, or refused by name."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import carom
from carom.ode import solve

BALL = carom.surface("sphere", radius=1)
ROWS = np.array([[0, 0, 3], [4, 0, 0], [0, 5, 0], [0, 0, 6]])


def distance(rows):
    return carom.distance(BALL, BALL, position_b=rows).distance


def of_scene(rows):
    """Each row as the place of a body."""
    bodies = [{"name": f"b{i}", "mass": 1, "inertia": [1, 1, 1], "position": row} for i, row in enumerate(rows)]
    r = carom.Scene.from_dict({"run": {"duration": 1e-3}, "body": bodies}).run()
    return np.array([np.linalg.norm(r[b].position[0]) - 2 for b in r])


def of_ode(rows):
    """Each row as a state that stays."""
    ends = [solve(lambda t, y: 0 * y, (0, 1), row).y_end for row in rows]
    return np.linalg.norm(ends, axis=1) - 2


ENTRIES = [distance, of_scene, of_ode]


def strided(rows):
    wide = np.zeros((8, 7), dtype=rows.dtype)
    wide[::2, ::3] = rows
    return wide[::2, ::3]


def read_only(rows):
    out = rows.copy()
    out.setflags(write=False)
    return out


LAYOUTS = {
    "plain": np.ascontiguousarray,
    "fortran": np.asfortranarray,
    "strided": strided,
    "backwards": lambda rows: rows[::-1].copy()[::-1],
    "read-only": read_only,
    "masked without masks": np.ma.array,
    "list": lambda rows: rows.tolist(),
}


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_layout(entry, layout):
    np.testing.assert_allclose(entry(LAYOUTS[layout](ROWS.astype(float))), [1, 2, 3, 4], atol=1e-15)


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", ">f4", ">f8", "i1", "i2", ">i4", "i8", "u1", "u8", object])
def test_any_dtype(entry, dtype):
    np.testing.assert_allclose(entry(ROWS.astype(dtype)), [1, 2, 3, 4], atol=1e-15)


@pytest.mark.parametrize("entry", [distance, of_ode])
def test_truth_values_are_numbers_but_not_in_scenes(entry):
    np.testing.assert_allclose(entry(ROWS > 0), [-1] * 4)
    with pytest.raises(carom.SceneError, match="true or false where a number belongs"):
        of_scene(ROWS > 0)


@pytest.mark.parametrize("entry", ENTRIES)
def test_numbers_that_are_objects(entry):
    rows = np.array([[Fraction(0), Decimal(0), 3], [4, 0.0, np.float32(0)]], dtype=object)
    np.testing.assert_allclose(entry(rows), [1, 2], atol=1e-15)


NAMES = {distance: "position_b", of_scene: "scene/body/0/position", of_ode: "y0"}
REFUSED = [
    (np.ones((2, 3)) * 1j, TypeError, "complex128"),
    (np.array([["a", "b", "c"]]), TypeError, "allowed: real numbers"),
    (np.array([["a", 1, None]], dtype=object), TypeError, "'a' in it"),
    (np.array([[1, 2, None]], dtype=object), TypeError, "None in it"),
    (np.full((2, 3), np.nan), ValueError, "not finite"),
    (np.full((2, 3), np.inf, dtype="f4"), ValueError, "not finite"),
    (np.ma.array(np.ones((2, 3)), mask=[[1, 0, 0], [0, 0, 0]]), ValueError, "masked"),
    (np.zeros((1, 3), dtype="M8[s]"), TypeError, "datetime64"),
]


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize(("rows", "error", "text"), REFUSED)
def test_what_is_not_real_is_refused_by_name(entry, rows, error, text):
    with pytest.raises(error, match=f"{NAMES[entry]}.*{text}"):
        entry(rows)


@pytest.mark.parametrize("shape", [(), (2,), (4, 2), (2, 4, 3), (3, 4)])
def test_wrong_shapes_of_positions(shape):
    with pytest.raises(ValueError, match=r"position_b has the shape .*; allowed: \(3,\) or \(n, 3\)"):
        distance(np.ones(shape))
    with pytest.raises(ValueError, match="position_b has rows of different lengths"):
        distance([[1, 2, 3], [1, 2]])
    assert distance(np.zeros((0, 3))).shape == (0,)


def test_wrong_shapes_of_states_and_times():
    for y0 in (np.ones((2, 2)), np.ones((1, 1, 1))):
        with pytest.raises(ValueError, match=r"y0 has the shape .*; allowed: a number or \(n,\)"):
            solve(lambda t, y: y, (0, 1), y0)
    assert solve(lambda t, y: 0 * y, (0, 1), np.float32(2)).y_end.tolist() == [2]
    with pytest.raises(ValueError, match=r"t_span has the shape \(3,\)"):
        solve(lambda t, y: y, (0, 1, 2), [1])
    with pytest.raises(ValueError, match="t_eval has values that are not finite"):
        solve(lambda t, y: y, (0, 1), [1], t_eval=[0, np.nan])
    s = solve(lambda t, y: 0 * y, np.array([0, 1], dtype=">i2"), [1], t_eval=np.arange(0, 1, 0.25, dtype="f4"))
    assert s.y.shape == (4, 1)
    with pytest.raises(TypeError, match="t is an array of complex128"):
        s(1j)


def test_what_functions_of_an_integration_give():
    for give in (lambda y: y.astype("f4"), lambda y: list(y), lambda y: y[::-1][::-1], lambda y: tuple(y), lambda y: y.astype(">f8")):
        s = solve(lambda t, y: give(0 * y), (0, 1), [1, 2])
        assert s.y_end.tolist() == [1, 2]
    with pytest.raises(TypeError, match="gives a"):
        solve(lambda t, y: y * 1j, (0, 1), [1, 2])


def test_wrong_shapes_in_scenes_are_the_scene_s_errors():
    body = {"name": "b", "mass": 1, "inertia": [1, 1, 1]}
    for position in (np.ones(2), np.ones((3, 3))):
        with pytest.raises(carom.SceneError, match="position"):
            carom.Scene.from_dict({"run": {"duration": 1}, "body": [{**body, "position": position}]})
    mass = np.array(2.0)  # 0-d
    assert carom.Scene.from_dict({"run": {"duration": 1}, "body": [{**body, "mass": mass}]}).bodies == ["b"]
