"""Distances between surfaces."""


import numpy as np
import pytest

import carom

BOX = carom.surface("box", size=[2, 2, 2])
BALL = carom.surface("sphere", radius=1)


def test_a_ball_over_a_box():
    d = carom.distance(BOX, BALL, position_b=[0, 0, 2.5])
    assert d.distance == 0.5 and d.found is True
    assert d.point_a.tolist() == [0, 0, 1] and d.point_b.tolist() == [0, 0, 1.5]
    assert d.normal.tolist() == [0, 0, 1]


def test_many_are_one_by_one():
    rng = np.random.default_rng(1)
    n = 200
    at = rng.normal(scale=3, size=(n, 3))
    q = rng.normal(size=(n, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    egg = carom.surface("ellipsoid", semi_axes=[1.0, 0.7, 0.5])
    pair = carom.Pair(BOX, egg)
    many = pair.distance(position_b=at, quaternion_b=q)
    for i in range(n):
        one = pair.distance(position_b=at[i], quaternion_b=q[i])
        assert one.distance == many.distance[i]
        assert np.array_equal(one.point_a, many.point_a[i]) and np.array_equal(one.normal, many.normal[i])


def test_balls_by_their_closed_form():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 1000, 3)) * 4
    d = carom.distance(BALL, carom.surface("sphere", radius=0.5), position_a=a, position_b=b)
    np.testing.assert_allclose(d.distance, np.linalg.norm(b - a, axis=1) - 1.5, atol=1e-14)


def test_wrong_surfaces_and_quaternions_are_refused_clearly():
    with pytest.raises(carom.GeometryError, match="sphere has no `raduis`; it has radius"):
        carom.Pair(BALL, {"type": "sphere", "raduis": 1})
    with pytest.raises(carom.GeometryError, match="row 1: `quaternion` is .*of length 2"):
        carom.distance(BOX, BALL, position_b=[0, 0, 3], quaternion_b=[[1, 0, 0, 0], [2, 0, 0, 0]])
    with pytest.raises(ValueError, match="position_a 2, position_b 3"):
        carom.distance(BALL, BALL, position_a=np.zeros((2, 3)), position_b=np.zeros((3, 3)))


def test_many_rows_on_several_cores_are_the_same_rows():
    at = np.random.default_rng(5).normal(size=(9_001, 3)) * 4
    pair = carom.Pair(BOX, carom.surface("ellipsoid", semi_axes=[1.0, 0.7, 0.5]))
    whole = pair.distance(position_b=at)
    parts = [pair.distance(position_b=at[i : i + 500]).point_b for i in range(0, len(at), 500)]
    assert np.array_equal(whole.point_b, np.concatenate(parts))
    bad = np.tile([1.0, 0, 0, 0], (9_001, 1))
    bad[8_000] = 0
    with pytest.raises(carom.GeometryError, match="row 8000"):
        pair.distance(quaternion_b=bad)


def test_all_common_normals_of_an_ellipsoid_and_a_ball():
    egg = carom.surface("ellipsoid", semi_axes=[1.0, 1.5, 2.0])
    found = carom.common_normals(egg, carom.surface("sphere", radius=0.125), position_b=[0.01, 0, 0])
    # a point near the centre has six normals, and each meets the ball twice
    assert found.complete and found.distance.shape == (12,)
    apart = found.point_b - found.point_a
    np.testing.assert_allclose(apart, found.distance[:, None] * found.normal, atol=1e-14)
    assert sum((-1) ** found.index) == 4
    # the shortest way out is along the shortest axis
    assert abs(found.distance[0] + 1.115) < 1e-12


def test_common_normals_are_of_ellipsoids():
    with pytest.raises(carom.GeometryError, match="ellipsoid or sphere"):
        carom.common_normals(BALL, BOX)
    with pytest.raises(ValueError, match="one row"):
        carom.common_normals(BALL, BALL, position_b=[[0, 0, 5], [0, 0, 6]])


CUBE = """v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1
f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6
"""


def test_a_cube_of_triangles_is_as_far_as_a_box(tmp_path):
    (tmp_path / "cube.obj").write_text(CUBE)
    cube = carom.surface("mesh", file=str(tmp_path / "cube.obj"))
    rng = np.random.default_rng(3)
    q = rng.normal(size=(50, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    at = q[:, 1:] / np.linalg.norm(q[:, 1:], axis=1, keepdims=True) * 4
    brick = carom.surface("box", size=[1, 2, 3])
    by_mesh = carom.distance(cube, brick, position_b=at, quaternion_b=q)
    by_box = carom.distance(BOX, brick, position_b=at, quaternion_b=q)
    np.testing.assert_allclose(by_mesh.distance, by_box.distance, atol=1e-12)
    assert by_mesh.method == "mesh" and by_mesh.found.all()
    with pytest.raises(carom.GeometryError, match="did you mean `cube.obj`"):
        carom.Pair(carom.surface("mesh", file=str(tmp_path / "cub.obj")), BOX)


def test_the_method_is_that_of_the_answer():
    # a disc in a ball touches along its rim, which the algorithm for cavities refuses
    cavity = carom.surface("sphere", radius=0.6, side="inside")
    disc = carom.distance(cavity, carom.surface("ellipsoid", semi_axes=[0.5, 0.5, 0.05]))
    assert disc.method == "apart" and abs(disc.distance - 0.1) < 1e-12
