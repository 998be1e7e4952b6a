"""Laws, forces and drives as Python functions."""

import math

import numpy as np
import pytest

import carom


def ball_on_floor(normal, friction=None, run=None, **ball):
    return carom.Scene.from_dict({
        "run": {"duration": 0.3, "rtol": 1e-10, "output_every": 0.01, **(run or {})},
        "body": [
            {"name": "ball", "mass": 0.1, "position": [0, 0, 0.12],
             "surface": [carom.surface("sphere", radius=0.02)], **ball},
            {"name": "floor", "fixed": True, "surface": [carom.surface("plane")]},
        ],
        "contact": [{"between": ["ball", "floor"], "normal": normal, "friction": friction}],
    })


HERTZ = carom.NormalLaw(lambda x, v, v0: 1e8 * x**1.5, stiffness=1e8, elastic=True)


@pytest.mark.parametrize("method", ["dop853", "radau5"])
def test_a_normal_law_that_is_hertz_s_is_hertz_s(method):
    run = {"method": method}
    a = ball_on_floor({"law": "hertz", "stiffness": 1e8}, run=run).run()
    b = ball_on_floor(HERTZ, run=run).run()
    np.testing.assert_allclose(b["ball"].position, a["ball"].position, atol=1e-9)
    assert b.summary["touches"] == a.summary["touches"] == 1
    assert b.summary["audit_relative"] < 1e-8


def test_a_dissipative_law_s_ledger_adds_up():
    # Hunt and Crossley, as the library has it
    def law(x, v, v0):
        return 1e8 * x**1.5 * (1 + 1.5 * (1 - 0.7) * v / v0)

    a = ball_on_floor({"law": "hunt-crossley", "stiffness": 1e8, "restitution": 0.7}).run()
    b = ball_on_floor(carom.NormalLaw(law, stiffness=1e8)).run()
    np.testing.assert_allclose(b["ball"].position, a["ball"].position, atol=1e-8)
    np.testing.assert_allclose(b.energy.dissipated_normal, a.energy.dissipated_normal, atol=1e-9)
    assert b.summary["audit_relative"] < 1e-8 and b.energy.dissipated_normal[-1] > 0


@pytest.mark.parametrize("vector", [False, True])
def test_a_friction_law(vector):
    def size(f_n, speed):
        return 0.2 * f_n * math.tanh(1000 * speed)

    def force(f_n, v):
        speed = math.hypot(*v)
        return [-size(f_n, speed) * x / speed if speed else 0.0 for x in v]

    own = carom.FrictionLaw(force if vector else size, width=1e-3, vector=vector)
    known = {"law": "tanh", "coefficient": 0.2, "slope": 1000}
    mine, r = (ball_on_floor(HERTZ, friction, velocity=[1, 0.5, 0]).run() for friction in (own, known))
    np.testing.assert_allclose(mine["ball"].angular_velocity, r["ball"].angular_velocity, atol=1e-6)
    assert abs(r["ball"].angular_velocity[-1]).max() > 1


def test_a_force_law_is_an_oscillator():
    spring = carom.ForceLaw(lambda length, rate: 40.0 * (length - 0.5) + 0.4 * rate, reference=0.5)
    b = carom.Builder()
    b.run(duration=2, rtol=1e-11, output_every=0.1)
    b.world(gravity=[0, 0, 0])
    b.body("block", mass=0.4, inertia=[1, 1, 1], position=[0.6, 0, 0])
    b.body("wall", fixed=True)
    b.force(spring, between=["block", "wall"])
    r = b.scene().run()
    t, damping = r.t, 0.5
    w = math.sqrt(100 - damping**2)
    exact = 0.5 + 0.1 * np.exp(-damping * t) * (np.cos(w * t) + damping / w * np.sin(w * t))
    np.testing.assert_allclose(r["block"].position[:, 0], exact, atol=1e-9)
    assert r.summary["audit_relative"] < 1e-9


def test_a_drive_by_a_function():
    b = carom.Builder()
    b.run(duration=1, rtol=1e-12)
    b.body("stone", mass=1, inertia=[1, 1, 1])
    b.drive("world/gravity/2", expression=lambda t: -9.81 * math.cos(t))
    scene = b.scene()
    r = scene.run()
    assert abs(r["stone"].velocity[-1, 2] + 9.81 * math.sin(1)) < 1e-11
    # the same function, made anew for another duration
    longer = scene.replace({"run/duration": 2}).run()
    assert abs(longer["stone"].velocity[-1, 2] + 9.81 * math.sin(2)) < 1e-11


def test_a_drive_with_a_kink_needs_to_be_told():
    def scene(kinks):
        b = carom.Builder()
        b.run(duration=1)
        b.body("stone", mass=1, inertia=[1, 1, 1])
        b.drive("world/gravity/0", expression=carom.Curve(lambda t: abs(t - 0.3), kinks=kinks))
        return b.scene()

    r = scene([0.3]).run()
    assert abs(r["stone"].velocity[-1, 0] - (0.045 + 0.245)) < 1e-9
    with pytest.raises(carom.SceneError, match="not smooth near 0.3|not smooth near 0.2999"):
        scene([])


def test_what_a_function_raises_is_the_cause_of_the_run_s_end():
    calls = 0

    def law(x, v, v0):
        nonlocal calls
        calls += 1
        if calls > 20:
            raise LookupError("no such indentation")
        return 1e8 * x**1.5

    with pytest.raises(carom.RunError, match="LookupError: no such indentation") as caught:
        ball_on_floor(carom.NormalLaw(law, stiffness=1e8)).run()
    assert isinstance(caught.value.__cause__, LookupError)
    # what it did up to there is kept, and no function is called after
    assert calls == 21 and 0.12 < caught.value.result.t[-1] < 0.3


def test_a_law_that_gives_no_number_fails_the_run():
    with pytest.raises(carom.RunError) as caught:
        ball_on_floor(carom.NormalLaw(lambda x, v, v0: math.nan, stiffness=1e8)).run()
    assert caught.value.__cause__ is None and len(caught.value.result.t) > 10
    # the contact and the function are named, with what it was given
    assert "contact ball" in str(caught.value)
    assert "the function at contact/0/normal gave NaN for (" in str(caught.value)
    with pytest.raises(carom.RunError, match="TypeError"):
        ball_on_floor(carom.NormalLaw(lambda x, v, v0: "much", stiffness=1e8)).run()


def test_functions_without_a_wrapper_are_refused_by_their_place():
    with pytest.raises(TypeError, match="scene/contact/0/normal is a function"):
        ball_on_floor(lambda x, v, v0: 1.0)


def test_the_written_scene_says_that_a_program_gave_the_law(tmp_path):
    ball_on_floor(HERTZ).run(tmp_path / "out")
    with pytest.raises(carom.SceneError, match="no program gives a normal law"):
        carom.Scene.load(tmp_path / "out" / "scene.json")


def hertz_on(surface, method="dop853", **ball):
    return carom.Scene.from_dict({
        "run": {"duration": 0.6, "rtol": 1e-9, "method": method, "output_every": 0.02},
        "body": [
            {"name": "hill", "fixed": True, "surface": [surface]},
            {"name": "ball", "mass": 0.1, "surface": [carom.surface("sphere", radius=0.1)], **ball},
        ],
        "contact": [{"between": ["ball", "hill"], "normal": {"law": "hertz", "stiffness": 1e6}}],
    })


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("method", ["dop853", "radau5"])
def test_an_implicit_surface_that_is_an_ellipsoid_is_an_ellipsoid(exact, method):
    egg = carom.ImplicitSurface(
        lambda x, y, z: x * x + (y / 0.7) ** 2 + (z / 0.5) ** 2 - 1,
        min=[-1.1, -0.8, -0.6],
        max=[1.1, 0.8, 0.6],
        gradient=(lambda x, y, z: (2 * x, 2 * y / 0.49, 2 * z / 0.25)) if exact else None,
    )
    ball = {"position": [0.2, 0.1, 0.9], "velocity": [0.3, 0, 0]}
    a = hertz_on(carom.surface("ellipsoid", semi_axes=[1.0, 0.7, 0.5]), method, **ball).run()
    b = hertz_on({"type": egg}, method, **ball).run()
    assert a.summary["touches"] == b.summary["touches"] > 0
    np.testing.assert_allclose(b["ball"].position, a["ball"].position, atol=1e-7 if exact else 1e-6)
    assert b.summary["audit_relative"] < 1e-7


def test_a_ball_inside_an_implicit_surface():
    room = carom.ImplicitSurface(lambda x, y, z: x**4 + y**4 + z**4 - 1, min=[-1.2] * 3, max=[1.2] * 3)
    r = hertz_on({"type": room, "side": "inside"}, position=[0, 0, 0]).run()
    assert abs(r.events.t[0] - math.sqrt(2 * 0.9 / 9.81)) < 1e-8


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda x, y, z: 1.0, "without a zero in the box"),
        (lambda x, y, z: z, "all of it within the box"),
    ],
)
def test_functions_that_are_no_closed_surface_are_refused(function, text):
    surface = carom.ImplicitSurface(function, min=[-1] * 3, max=[1] * 3)
    with pytest.raises(carom.GeometryError, match=text):
        hertz_on({"type": surface})
    broken = carom.ImplicitSurface(lambda x, y, z: 1 / 0, min=[-1] * 3, max=[1] * 3)
    with pytest.raises(ZeroDivisionError):
        hertz_on({"type": broken})


def test_surfaces_by_functions_have_distances():
    rng = np.random.default_rng(4)
    at = rng.normal(size=(25, 3)) * 2
    q = rng.normal(size=(25, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    for exact in (False, True):
        egg = carom.ImplicitSurface(
            lambda x, y, z: x * x + (y / 0.7) ** 2 + (z / 0.5) ** 2 - 1,
            min=[-1.1, -0.8, -0.6],
            max=[1.1, 0.8, 0.6],
            gradient=(lambda x, y, z: (2 * x, 2 * y / 0.49, 2 * z / 0.25)) if exact else None,
        )
        known = carom.surface("ellipsoid", semi_axes=[1.0, 0.7, 0.5])
        for other in (
            carom.surface("sphere", radius=0.5),
            carom.surface("plane"),
            carom.surface("box", size=[1, 0.8, 0.5]),
            carom.surface("ellipsoid", semi_axes=[0.3, 0.5, 0.9]),
            carom.surface("sphere", radius=9, side="inside"),
        ):
            a = carom.distance(egg, other, position_b=at, quaternion_b=q)
            b = carom.distance(known, other, position_b=at, quaternion_b=q)
            assert a.found.all()
            np.testing.assert_allclose(a.distance, b.distance, atol=1e-10)
    ball = carom.surface("sphere", radius=0.1)
    inside = carom.distance({"type": egg, "side": "inside"}, ball)
    assert abs(inside.distance - 0.4) < 1e-10


def test_a_surface_that_is_not_convex_has_a_distance_from_all_others():
    ring = carom.ImplicitSurface(
        lambda x, y, z: (math.hypot(x, y) - 0.8) ** 2 + z * z - 0.09, min=[-1.2, -1.2, -0.4], max=[1.2, 1.2, 0.4]
    )
    assert abs(carom.distance(ring, carom.surface("sphere", radius=0.1)).distance - 0.4) < 1e-10
    assert abs(carom.distance(ring, carom.surface("plane")).distance + 0.3) < 1e-9
    with pytest.raises(carom.GeometryError, match="own .inside. against plane has no distance: both are without end"):
        carom.distance({"type": ring, "side": "inside"}, carom.surface("plane"))
    with pytest.raises(ZeroDivisionError):
        broken = carom.ImplicitSurface(lambda x, y, z: 1 / 0, min=[-1] * 3, max=[1] * 3)
        carom.distance(broken, carom.surface("plane"))


def test_an_egg_by_a_function_rocks_on_a_table_as_an_ellipsoid():
    def egg(surface):
        return carom.Scene.from_dict({
            "run": {"duration": 0.3, "rtol": 1e-8, "output_every": 0.02},
            "body": [
                {"name": "egg", "mass": 1, "inertia": [0.15, 0.25, 0.3], "position": [0, 0, 0.55],
                 "angular_velocity": [0, 1, 0], "surface": [surface]},
                {"name": "table", "fixed": True, "surface": [carom.surface("plane")]},
            ],
            "contact": [{"between": ["egg", "table"], "normal": {"law": "hertz", "stiffness": 1e5}}],
        }).run()

    own = carom.ImplicitSurface(
        lambda x, y, z: x * x + (y / 0.7) ** 2 + (z / 0.5) ** 2 - 1,
        min=[-1.1, -0.8, -0.6],
        max=[1.1, 0.8, 0.6],
        gradient=lambda x, y, z: (2 * x, 2 * y / 0.49, 2 * z / 0.25),
    )
    a, b = egg({"type": own}), egg(carom.surface("ellipsoid", semi_axes=[1.0, 0.7, 0.5]))
    assert a.summary["touches"] == b.summary["touches"] > 0
    np.testing.assert_allclose(a["egg"].position, b["egg"].position, atol=1e-7)


def slider(**more):
    """A block on a guide along x, by a function or not."""
    b = carom.Builder()
    b.run(duration=2, rtol=1e-11, output_every=0.1)
    b.world(gravity=[0, 0, -9.81])
    b.body("block", mass=0.4, inertia=[1, 1, 1], position=[0.1, 0, 0])
    b.body("rail", fixed=True)
    b.joint("prismatic", name="guide", between=["block", "rail"], point=[0, 0, 0], axis=[1, 0, 0], **more)
    return b


def test_a_force_law_on_a_slide():
    b = slider()
    law = carom.ForceLaw(lambda s, rate: 40.0 * (s + 0.1) + 0.4 * rate, reference=-0.1)
    b.force(law, joint="guide", coordinate="displacement")
    r = b.scene().run()
    damping = 0.5
    w = math.sqrt(100 - damping**2)
    t = r.t
    exact = 0.1 * np.exp(-damping * t) * (np.cos(w * t) + damping / w * np.sin(w * t))
    np.testing.assert_allclose(r["block"].position[:, 0], exact, atol=1e-9)
    assert r.summary["audit_relative"] < 1e-9


def test_a_force_law_about_an_axis_between_bodies():
    def turned(**force):
        b = carom.Builder()
        b.run(duration=1, rtol=1e-11, output_every=0.1)
        b.world(gravity=[0, 0, 0])
        b.body("wheel", mass=1, inertia=[1, 1, 2], angular_velocity=[0, 0, 3])
        b.body("base", fixed=True)
        b.force(between=["wheel", "base"], axis=[0, 0, 1], **force)
        return b.scene().run()

    own = turned(type=carom.ForceLaw(lambda angle, rate: 50 * angle, elastic=True))
    w = np.sqrt(50 / 2)
    np.testing.assert_allclose(own["wheel"].angular_velocity[:, 2], 3 * np.cos(w * own.t), atol=1e-8)


def test_laws_in_joints_friction_and_stops():
    def size(f_n, speed):
        return 0.2 * f_n * math.tanh(100 * speed)

    def run(friction, stop):
        b = slider(friction=friction, stop=stop, max_displacement=0.2)
        scene = b.to_dict()
        scene["body"][0]["velocity"] = [2, 0, 0]
        return carom.Scene.from_dict(scene).run()

    stop = {"law": "hertz", "stiffness": 1e6}
    known = run({"law": "tanh", "coefficient": 0.2, "slope": 100}, stop)
    own = run(
        carom.FrictionLaw(size, width=1e-2),
        carom.NormalLaw(lambda x, v, v0: 1e6 * x**1.5, stiffness=1e6, elastic=True),
    )
    assert known.summary["touches"] == own.summary["touches"] >= 1
    np.testing.assert_allclose(own["block"].position, known["block"].position, atol=1e-7)


def test_numbers_that_are_too_coarse_are_refused():
    b = carom.Builder()
    b.run(duration=0.3)
    b.body("ball", mass=1, position=[0, 0, 0.1], surface=[carom.surface("sphere", radius=0.05)])
    b.body("floor", fixed=True, surface=[carom.surface("plane")])
    b.contact("ball", "floor", normal=carom.NormalLaw(lambda delta, delta_dot, v0: np.float32(1e6 * delta), stiffness=1e6))
    with pytest.raises(carom.RunError, match="float32"):
        b.scene().run()


def test_a_force_that_is_not_finite_is_named():
    def tension(length, rate):
        return math.inf if length > 1.2 else 1.0

    scene = {
        "run": {"duration": 2},
        "world": {"gravity": [0, 0, 0]},
        "body": [
            {"name": "mass", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 1], "velocity": [0, 0, 2]},
            {"name": "wall", "fixed": True},
        ],
        "force": [{"name": "rope", "type": carom.ForceLaw(tension, reference=1.0), "between": ["mass", "wall"]}],
    }
    with pytest.raises(carom.RunError, match=r"force rope.*the function at force/0 gave inf for \(1\.2"):
        carom.Scene.from_dict(scene).run()
    # the load of a scene without functions
    scene["force"] = [{"name": "brake", "type": "load", "body": "mass", "force": ["1[N]*sqrt((1.2[m] - mass.z)/1[m])", 0, 0]}]
    with pytest.raises(carom.RunError, match="force brake"):
        carom.Scene.from_dict(scene).run()
