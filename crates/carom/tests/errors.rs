//! Bad input is an error with the offending name and value; a run that fails says where and when.

use carom::geometry::surfaces::{Ellipsoid, Superellipsoid};
use carom::geometry::{BoundPair, Contact, GapBounds, PairFailure, PairFeatures, PairSolver, Pose};
use carom::geometry::{RelativeCurvature, Shape};
use carom::law::friction::Coulomb;
use carom::prelude::*;
use carom::{FieldRule, Motion, MotionBounds, MotionState, Repulsion};

/// A ball over a floor, with one thing changed.
fn build(change: impl FnOnce(&mut ModelBuilder, Body)) -> Result<Model, BuildError> {
    let mut b = ModelBuilder::new();
    b.material(Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3).density(7850.0));
    b.body(Body::fixed("floor").surface(SurfaceSpec::new(Plane).material("steel")));
    let ball = Body::new("ball").surface(SurfaceSpec::new(Sphere::new(0.02).unwrap()).material("steel"));
    change(&mut b, ball);
    b.build()
}

/// Lets a chain of calls stand where nothing is expected.
fn done<T>(_: T) {}

#[track_caller]
fn refused(words: &[&str], change: impl FnOnce(&mut ModelBuilder, Body)) {
    let message = build(change).expect_err("this must be refused").to_string();
    for word in words {
        assert!(message.contains(word), "`{word}` is not in: {message}");
    }
}

#[test]
fn masses_and_inertias() {
    for bad in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        let value = format!("{bad}");
        refused(&["ball", "mass", &value], |b, ball| done(b.body(ball.mass(bad))));
        refused(&["ball", "density", &value], |b, ball| done(b.body(ball.density(bad))));
        let skin = || SurfaceSpec::new(Sphere::new(0.1).unwrap()).named("skin").shell(bad);
        refused(&["ball", "skin", "shell", &value], |b, ball| done(b.body(ball.surface(skin()))));
    }
    refused(&["rug", "plane1", "shell", "area"], |b, _| {
        b.body(Body::fixed("rug").surface(SurfaceSpec::new(Plane).shell(0.1)));
    });
    refused(&["ball", "inertia", "-1"], |b, ball| done(b.body(ball.mass(1.0).inertia([1.0, -1.0, 1.0]))));
    refused(&["ball", "NaN"], |b, ball| done(b.body(ball.mass(1.0).inertia([1.0, f64::NAN, 1.0]))));
    // no body has one moment larger than the sum of the others
    refused(&["ball", "3.5", "sum of the other two"], |b, ball| {
        done(b.body(ball.mass(1.0).inertia([1.0, 2.0, 3.5])))
    });
    let skew = Mat3::new(1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    refused(&["ball", "symmetric"], |b, ball| done(b.body(ball.mass(1.0).inertia_tensor(skew))));
    refused(&["ghost", "mass"], |b, _| done(b.body(Body::new("ghost"))));
    refused(&["ghost", "inertia"], |b, _| done(b.body(Body::new("ghost").mass(1.0))));
    // a flat body is allowed
    assert!(build(|b, ball| done(b.body(ball.mass(1.0).inertia([1.0, 2.0, 3.0])))).is_ok());
}

#[test]
fn poses_velocities_and_dofs() {
    let nan = f64::NAN;
    refused(&["ball", "position", "NaN"], |b, ball| done(b.body(ball.position([0.0, nan, 0.0]))));
    refused(&["ball", "velocity", "inf"], |b, ball| done(b.body(ball.velocity([f64::INFINITY, 0.0, 0.0]))));
    refused(&["ball", "angular_velocity"], |b, ball| done(b.body(ball.angular_velocity([nan; 3]))));
    refused(&["ball", "orientation", "length 1"], |b, ball| done(b.body(ball.quaternion([0.0; 4]))));
    refused(&["ball", "orientation"], |b, ball| done(b.body(ball.quaternion([nan, 0.0, 0.0, 0.0]))));
    refused(&["ball", "dofs", "two rotations"], |b, ball| done(b.body(ball.dofs(&[Dof::Rx, Dof::Ry]))));
    refused(&["ball", "velocity", "dofs"], |b, ball| {
        b.body(ball.dofs(&[Dof::Z]).velocity([1.0, 0.0, 0.0]));
    });
    refused(&["ball", "angular_velocity", "dofs"], |b, ball| {
        b.body(ball.dofs(&[Dof::Z, Dof::Ry]).angular_velocity([1.0, 0.0, 0.0]));
    });
    refused(&["gravity", "NaN"], |b, ball| done(b.gravity([nan, 0.0, 0.0]).body(ball)));
    refused(&["length_scale", "-1"], |b, ball| done(b.length_scale(-1.0).body(ball)));
}

#[test]
fn names() {
    refused(&["bodies", "ball"], |b, ball| done(b.body(ball.clone()).body(ball)));
    refused(&["materials", "steel"], |b, ball| done(b.material(Material::new("steel")).body(ball)));
    refused(&["surfaces", "skin"], |b, ball| {
        let skin = || SurfaceSpec::new(Sphere::new(0.1).unwrap()).named("skin");
        b.body(ball.mass(1.0).surface(skin()).surface(skin()));
    });
    refused(&["contacts", "ball~floor"], |b, ball| {
        let rule = || ContactRule::between("ball", "floor");
        b.body(ball).contact(rule()).contact(rule());
    });
    refused(&["contact `bal~floor`", "bal", "did you mean `ball`"], |b, ball| {
        b.body(ball).contact(ContactRule::between("bal", "floor"));
    });
    refused(&["ball/spere1", "sphere1"], |b, ball| {
        b.body(ball).contact(ContactRule::between("ball/spere1", "floor"));
    });
    refused(&["steal", "did you mean `steel`"], |b, ball| {
        b.body(ball.mass(1.0).surface(SurfaceSpec::new(Sphere::new(0.1).unwrap()).material("steal")));
    });
    refused(&["name", "empty"], |b, _| done(b.body(Body::fixed(""))));
}

#[test]
fn contacts() {
    // a pebble flatter than a round cavity touches it over a patch
    refused(
        &[
            "pebble/superellipsoid1",
            "bowl/sphere1",
            "`law = \"foundation\"`",
            "superellipsoid touches sphere",
        ],
        |b, _| {
            let pebble = Superellipsoid::new([0.2, 0.3, 0.5], [3.0; 3]).unwrap();
            let bowl = SurfaceSpec::new(Sphere::new(1.0).unwrap()).inside();
            b.body(Body::new("pebble").mass(1.0).inertia([0.1; 3]).surface(pebble))
                .body(Body::fixed("bowl").surface(bowl));
            b.contact(ContactRule::between("pebble", "bowl").normal(Hertz::new().stiffness(1e6)));
        },
    );
    refused(&["plane", "inside"], |b, _| {
        done(b.body(Body::fixed("tub").surface(SurfaceSpec::new(Plane).inside())))
    });
    // corners have no curvature to take a stiffness from
    refused(&["brick/box1", "floor/plane1", "stiffness"], |b, _| {
        let skin = SurfaceSpec::new(Cuboid::new([1.0; 3]).unwrap()).material("steel");
        b.body(Body::new("brick").surface(skin)).contact(ContactRule::between("brick", "floor"));
    });
    refused(&["stone/sphere1", "no material"], |b, _| {
        b.body(Body::new("stone").mass(1.0).surface(Sphere::new(0.1).unwrap()));
        b.contact(ContactRule::between("stone", "floor"));
    });
    refused(&["ball~floor", "min_impact_speed", "0"], |b, ball| {
        b.body(ball).contact(ContactRule::between("ball", "floor").min_impact_speed(0.0));
    });
    refused(&["ball~floor", "stiffness", "-1"], |b, ball| {
        b.body(ball).contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(-1.0)));
    });
    refused(&["ball~floor", "exponent"], |b, ball| {
        b.body(ball).contact(ContactRule::between("ball", "floor").normal(Hertz::new().exponent(2.0)));
    });
    refused(&["both speak of", "a", "b"], |b, ball| {
        b.body(ball);
        b.contact(ContactRule::between("ball", "*").named("a"))
            .contact(ContactRule::between("*", "floor").named("b"));
    });
    // a rule that is more specific decides, wherever it is in the list; the others still apply to a second ball
    let ball_and_floor = || ContactRule::between("ball", "floor").named("c");
    let general =
        || [ContactRule::between("ball", "*").named("a"), ContactRule::between("*", "floor").named("b")];
    for at in 0..3 {
        let mut rules = general().to_vec();
        rules.insert(at, ball_and_floor());
        let model = build(|b, ball| {
            let skin = SurfaceSpec::new(Sphere::new(0.02).unwrap()).material("steel");
            b.body(ball).body(Body::new("other").surface(skin));
            rules.into_iter().for_each(|rule| done(b.contact(rule)));
        });
        assert!(model.is_ok(), "the specific rule at {at}: {:?}", model.err());
    }
    refused(&["`a`", "never applies", "`c` is more specific"], |b, ball| {
        b.body(ball).contact(ContactRule::between("ball", "*").named("a")).contact(ball_and_floor());
    });
    refused(&["joins no two surfaces"], |b, ball| {
        done(b.body(ball).contact(ContactRule::between("ball", "ball")))
    });
    refused(&["lamp", "no surface"], |b, ball| {
        b.body(ball).body(Body::fixed("lamp")).contact(ContactRule::between("lamp", "ball"));
    });
    for bad in [f64::NAN, -1.0, 0.0, f64::INFINITY] {
        assert!(Sphere::new(bad).is_err() && Cuboid::new([1.0, bad, 1.0]).is_err());
        assert!(Cylinder::new(bad, 1.0).is_err() && Capsule::new(1.0, bad).is_err());
        assert!(LankaraniNikravesh::restitution(bad.abs() + 1.5).is_err());
        assert!(bad == 0.0 || Tanh::new(bad, 1.0).is_err());
    }
}

#[test]
fn options_of_a_run() {
    let model = build(|b, ball| done(b.body(ball))).unwrap();
    let refused = |words: &[&str], sim: Simulation<'_>| {
        let message = sim.run().expect_err("this must be refused").to_string();
        assert!(words.iter().all(|w| message.contains(w)), "{message}");
    };
    let sim = || Simulation::new(&model);
    refused(&["duration", "-1"], sim().duration(-1.0));
    refused(&["duration", "NaN"], sim().duration(f64::NAN));
    refused(&["ode46", "ode45"], sim().method("ode46"));
    refused(&["rtol", "-1"], sim().rtol(-1.0));
    refused(&["rtol", "NaN"], sim().rtol(f64::NAN));
    refused(&["atol"], sim().atol(f64::INFINITY));
    refused(&["verlet", "step"], sim().method("verlet"));
    refused(&["step", "0"], sim().step(0.0));
    refused(&["rtol", "1e-20"], sim().rtol(1e-20));
    refused(&["max_step", "1e-300"], sim().max_step(1e-300));
    refused(&["output_every", "1e-12"], sim().output_every(1e-12));
    refused(&["output_at"], sim().output(Output::At(Vec::new())));
    refused(&["output_every", "0"], sim().output_every(0.0));
    refused(&["output_at", "2"], sim().output(Output::At(vec![0.5, 2.0])));
    refused(&["output_at", "increasing"], sim().output(Output::At(vec![0.5, 0.2])));
}

/// A floor that vanishes into NaN at t = 0.3.
#[derive(Debug)]
struct Vanishing;

impl Motion for Vanishing {
    fn at(&self, t: f64) -> MotionState {
        let z = if t < 0.3 { 0.0 } else { f64::NAN };
        MotionState {
            displacement: Vec3::new(0.0, 0.0, z),
            rotation: Quat::identity(),
            velocity: Vec3::zeros(),
            angular_velocity: Vec3::zeros(),
            acceleration: Vec3::zeros(),
            angular_acceleration: Vec3::zeros(),
        }
    }
    fn bounds(&self, _: f64, _: f64) -> MotionBounds {
        MotionBounds { speed: 0.0, acceleration: 0.0, angular_speed: 0.0, angular_acceleration: 0.0 }
    }
}

#[test]
fn a_nan_on_the_way_names_contact_and_time() {
    let mut b = ModelBuilder::new();
    b.body(Body::prescribed("floor", Vanishing).surface(Plane));
    let depth = (0.1f64 * 9.81 / 1e6).powf(2.0 / 3.0);
    b.body(Body::new("ball").mass(0.1).surface(Sphere::new(0.02).unwrap()).position([
        0.0,
        0.0,
        0.02 - depth,
    ]));
    b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e6)));
    let model = b.build().unwrap();
    let mut r = Recording::default();
    let error = Simulation::new(&model).duration(1.0).output_every(0.01).run_into(&mut r).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("ball/sphere1~floor/plane1") && message.contains("not finite"), "{message}");
    let RunError::Integration { t, .. } = error else { panic!("{message}") };
    assert!((t - 0.3).abs() < 1e-9, "{t}");
    // what was recorded until then stands
    assert_eq!(r.frames.len(), 30, "{:?}", r.frames.last());
}

/// A pair that gives up when the ball is deeper than 1e-6 m: its user learns where and when.
#[derive(Debug)]
struct GivesUp;

impl PairFeatures for GivesUp {
    fn solver(&self) -> &'static str {
        "gives-up"
    }
    fn features(&self) -> usize {
        1
    }
    fn feature_name(&self, _: usize) -> String {
        "point".to_owned()
    }
    fn curvature(&self, _: usize, _: &Pose, _: &Pose) -> RelativeCurvature {
        RelativeCurvature::point(50.0, 50.0)
    }
    fn bounds(&self) -> GapBounds {
        GapBounds::CONVEX
    }
}

impl BoundPair for GivesUp {
    fn contact(&self, _: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        let n = Vec3::z();
        let delta = 0.02 - (x_b.p - x_a.p).z;
        if delta > 1e-6 {
            return Err(PairFailure::NoConvergence(7));
        }
        let p_b = x_b.p - n * 0.02;
        Ok(Contact { p_a: p_b + n * delta, p_b, n, delta, share: 1.0, common: None })
    }
}

impl PairSolver for GivesUp {
    fn name(&self) -> &'static str {
        "gives-up"
    }
    fn reference(&self) -> &'static str {
        "this test"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        let fits = a.surface.kind() == "plane" && b.surface.kind() == "sphere";
        fits.then(|| Box::new(GivesUp) as Box<dyn BoundPair>)
    }
}

#[test]
fn a_pair_that_gives_up_is_named() {
    let mut b = ModelBuilder::new();
    b.pair_solver(&GivesUp);
    b.body(Body::fixed("floor").surface(Plane));
    b.body(Body::new("ball").mass(0.1).surface(Sphere::new(0.02).unwrap()).position([0.0, 0.0, 0.07]));
    b.contact(ContactRule::between("floor", "ball").normal(Hertz::new().stiffness(1e6)));
    let error = Simulation::new(&b.build().unwrap()).run().unwrap_err().to_string();
    assert!(error.contains("floor/plane1~ball/sphere1") && error.contains("did not converge"), "{error}");
    // it falls 0.05 m and 1e-6 m more
    assert!(error.contains("t = 0.10096"), "{error}");
}

/// A place too large for its square to be a number: an error at once, not a search without end.
#[test]
fn overflow_is_an_error() {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("floor").surface(Plane));
    b.body(Body::new("ball").mass(0.1).surface(Sphere::new(0.02).unwrap()).position([0.0, 0.0, 1e308]));
    b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e6)));
    let error = Simulation::new(&b.build().unwrap()).run().unwrap_err().to_string();
    assert!(error.contains("ball/sphere1~floor/plane1") && error.contains("not finite"), "{error}");
}

/// Of two solids of a kind, one of which does not fit into a cavity, it is that one which is told, before anything runs.
#[test]
fn a_solid_that_does_not_fit_into_its_cavity() {
    let solid = |name: &str, semi_axes: [f64; 3], x: f64| {
        let surface = SurfaceSpec::new(Ellipsoid::new(semi_axes).unwrap());
        Body::new(name).mass(1.0).position([x, 0.0, 0.0]).surface(surface)
    };
    let words = ["flat/ellipsoid1", "bowl/ellipsoid1", "of these measures", "curved more strongly"];
    refused(&words, |b, _| {
        let bowl = Ellipsoid::new([1.0, 1.0, 1.2]).unwrap();
        b.body(Body::fixed("bowl").surface(SurfaceSpec::new(bowl).inside()));
        b.body(solid("round", [0.10, 0.10, 0.12], 0.3));
        b.body(solid("flat", [0.30, 0.30, 0.05], -0.3));
        b.contact(ContactRule::between("*", "*").normal(Hertz::new().stiffness(1e6)));
    });
}

/// A damped wire between free bodies, one of which leans over until its angle about the wire is not defined: the error names the wire.
#[test]
fn a_wire_whose_body_leans_over() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let top =
        |name: &str, z: f64| Body::new(name).mass(1.0).inertia([0.01, 0.012, 0.014]).position([0.0, 0.0, z]);
    b.body(top("a", 0.0).angular_velocity([0.1, 3.0, 0.2])).body(top("b", 1.0));
    let wire = CoordinateSpring::new(0.5).unwrap().damping(0.05);
    b.force(Force::torsion_about("a", "b", [0.0, 0.0, 1.0], wire).named("wire"));
    let model = b.build().unwrap();
    let message = Simulation::new(&model).duration(2.0).run().unwrap_err().to_string();
    for word in ["force wire", "not defined", "joint"] {
        assert!(message.contains(word), "`{word}` is not in: {message}");
    }
    // given steps go past that, and run away
    let given = |step: f64| Simulation::new(&model).duration(2.0).method("verlet").step(step).run();
    let message = given(1e-3).unwrap_err().to_string();
    for word in ["has run away", "force wire", "not defined", "joint"] {
        assert!(message.contains(word), "`{word}` is not in: {message}");
    }
}

/// A box whose corner goes through a repulsion that is too weak for it: an exponent of 3 has a force without a bound and a
/// potential that a corner overcomes. The error names the field.
#[test]
fn a_corner_that_goes_through_a_field() {
    for (coefficient, words) in
        [(1e-6, ["field skin", "reaches the support"]), (1e-3, ["field skin (body cube", "`exponent`"])]
    {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::fixed("support").surface(Plane));
        let turned = Quat::from_euler_angles(0.6, 0.7, 0.2);
        let cube = Body::new("cube").mass(0.1).position([0.0, 0.0, 0.05]).orientation(turned);
        b.body(cube.velocity([0.0, 0.0, -3.0]).surface(Cuboid::new([0.03; 3]).unwrap()));
        let repulsion = Repulsion::Coefficient(coefficient);
        b.field(FieldRule::between("cube", "support").named("skin").repulsion(3, repulsion));
        let model = b.build().unwrap();
        let message = Simulation::new(&model).duration(0.1).run().unwrap_err().to_string();
        for word in words {
            assert!(message.contains(word), "`{word}` is not in: {message}");
        }
    }
}

/// Steps of 2.1 of the time scale of a spring, in which every swing is larger than the last; and what a damper, bristles in a joint and a contact do in steps that are too long for them: said while numbers still
/// mean something, with the body, what takes the energy, the step, and what to do. Steps that are only coarse run on.
#[test]
fn steps_that_run_away_are_said() {
    let model = |stiffness: f64, damping: f64| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::fixed("wall"));
        b.body(Body::new("light").mass(0.1).inertia([1.0; 3]).position([1.0, 0.0, 0.0]));
        b.body(Body::new("other").mass(1.0).inertia([1.0; 3]).position([0.0, 1.0, 0.0]));
        let spring = SpringDamper::new(stiffness, 0.99).unwrap().damping(damping);
        b.force(Force::between("light", "wall", spring).named("spring"));
        b.build().unwrap()
    };
    let run = |model: &Model, step: f64| {
        let mut r = Recording::default();
        let outcome = Simulation::new(model).duration(1.0).method("verlet").step(step).run_into(&mut r);
        (outcome.map(|run| run.summary).map_err(|e| e.to_string()), r)
    };
    let time_scale = (0.1f64 / 1e5).sqrt();
    let swings = model(1e5, 0.0);
    let (outcome, r) = run(&swings, 2.1 * time_scale);
    let message = outcome.unwrap_err();
    for word in ["has run away", "body light", "is too long", "shorter `step`", "`dop853`"] {
        assert!(message.contains(word), "`{word}` is not in: {message}");
    }
    // (the ledger is looked at every 64 evaluations)
    assert!(r.frames.iter().all(|f| f.energy.total().is_finite()), "{message}");
    let coarse = run(&swings, 1.9 * time_scale).0.unwrap();
    assert!(coarse.audit_relative > 0.1, "{coarse}");
    let message = run(&model(0.1, 1e3), 2.5e-4).0.unwrap_err();
    assert!(message.contains("has run away") && message.contains("dashpots of forces"), "{message}");
}

/// A ball that comes to rest under a law that jumps there: whatever the method stumbles over, the error names contact and law, and other laws.
#[test]
fn friction_that_jumps_at_rest_is_named() {
    let mut b = ModelBuilder::new();
    let ball = Body::new("ball").mass(0.1).inertia([3.6e-5; 3]).position([0.003, 0.0, 0.06]);
    let ball = ball.velocity([0.5, 0.3, 0.0]).angular_velocity([5.0, 3.0, -2.0]);
    b.body(ball.surface(Sphere::new(0.03).unwrap()));
    let plane = |name: &str, angle: f64| {
        SurfaceSpec::new(Plane).named(name).turned(Quat::from_scaled_axis(Vec3::new(0.0, angle, 0.0)))
    };
    let [left, right] = [plane("left", 0.6981317007977318), plane("right", -0.5235987755982988)];
    b.body(Body::fixed("trough").surface(left).surface(right));
    let normal = HuntCrossley::damping(0.36866750907288737).unwrap().stiffness(5970175876.80631);
    b.contact(ContactRule::between("ball", "trough").normal(normal).friction(Coulomb::new(0.8).unwrap()));
    let model = b.build().unwrap();
    let mut stumbled = 0;
    for method in ["auto", "dop853", "ode113", "ode15s", "radau5"] {
        // (some get through by chattering, now and then)
        let outcome = Simulation::new(&model).duration(0.25).method(method).rtol(1e-5).run();
        let Err(message) = outcome.map_err(|e| e.to_string()) else { continue };
        stumbled += 1;
        for word in ["contact ball/sphere1~trough/", "`coulomb`", "`tanh`", "`lugre`"] {
            assert!(message.contains(word), "{method}: {message}");
        }
        assert!(!message.contains("let an event"), "{method}: {message}");
    }
    assert!(stumbled >= 3, "{stumbled}");
}
