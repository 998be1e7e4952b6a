//! Overlaps that no contact accounts for, and starts that are mistakes, are said; what is meant is not.

use std::time::Instant;

use carom::geometry::surfaces::{Capsule, Polyhedron};
use carom::prelude::*;
use carom::{Fault, RunError, Summary, Warning};

fn law() -> carom::law::normal::HuntCrossley {
    HuntCrossley::damping(0.1).unwrap().stiffness(1e6)
}

fn ball(name: &str, at: [f64; 3]) -> Body {
    Body::new(name).mass(0.1).position(at).surface(Sphere::new(0.02).unwrap())
}

/// A ball above a floor, with nothing between them unless `contact` gives it.
fn dropped(contact: impl FnOnce(&mut ModelBuilder)) -> Model {
    let mut b = ModelBuilder::new();
    b.body(ball("ball", [0.0, 0.0, 0.12]));
    b.body(Body::fixed("floor").surface(Plane));
    contact(&mut b);
    b.build().unwrap()
}

fn run(model: &Model) -> Summary {
    Simulation::new(model).duration(0.3).output_every(0.01).run().unwrap().summary
}

fn messages(summary: &Summary) -> Vec<String> {
    summary.warnings.iter().map(|w| w.warning.to_string()).collect()
}

#[test]
fn a_forgotten_contact_is_said_at_the_start_and_in_the_end() {
    let model = dropped(|_| ());
    let start = Simulation::new(&model).duration(0.3).start_warnings().unwrap();
    let [Warning::NoContact { pairs, .. }] = &start[..] else { panic!("{start:?}") };
    // √(2 · 0.1 / 9.81) s, and a little for the depth that is not told
    assert!(pairs.contains("ball/sphere1 and floor/plane1, which meet at about t = 0.14"), "{pairs}");
    let summary = run(&model);
    let [count] = &summary.warnings[..] else { panic!("{:?}", messages(&summary)) };
    let Warning::Overlap { pairs, a, b } = &count.warning else { panic!("{count:?}") };
    // ½ g t² − 0.1 at the end
    assert!(
        pairs.starts_with("ball/sphere1 and floor/plane1 by 341.") && pairs.ends_with(" mm at t = 0.3 s"),
        "{pairs}"
    );
    assert_eq!((a.as_str(), b.as_str()), ("ball", "floor"));
    let deepest = summary.overlaps.unaccounted.unwrap();
    assert!((deepest.depth - (0.5 * 9.81 * 0.09 - 0.1)).abs() < 1e-8 && deepest.t == 0.3);
}

#[test]
fn what_is_meant_is_not_said() {
    let silent = [
        dropped(|b| {
            b.contact(ContactRule::none("ball", "floor"));
        }),
        dropped(|b| {
            b.body(Body::fixed("shelf").position([5.0, 0.0, 0.0]).surface(Sphere::new(0.1).unwrap()));
            b.contact(ContactRule::between("*", "*").normal(law()));
            b.contact(ContactRule::none("ball", "floor"));
        }),
        dropped(|b| {
            b.contact(ContactRule::between("ball", "floor").normal(law()));
        }),
    ];
    for model in &silent {
        assert_eq!(Simulation::new(model).duration(0.3).start_warnings().unwrap(), []);
        assert_eq!(messages(&run(model)), [""; 0]);
    }
    // with none the ball falls through, with a rule it does not
    let z = |model| Simulation::new(model).duration(0.3).run().unwrap().end.body("ball").unwrap().position.z;
    assert!(z(&silent[1]) < -0.3 && z(&silent[2]) > 0.0);
}

#[test]
fn a_rule_for_none_that_names_nothing_is_refused() {
    let mut b = ModelBuilder::new();
    b.body(ball("ball", [0.0; 3]));
    b.contact(ContactRule::none("ball", "ball"));
    let error = b.build().unwrap_err();
    assert!(matches!((error.key, *error.fault), (Some("between"), Fault::Impossible(_))));
}

/// What is stopped on its way does not come to what lies behind.
#[test]
fn a_floor_stops_what_would_meet_something_below() {
    let mut b = ModelBuilder::new();
    b.body(ball("ball", [0.0, 0.0, 0.12]));
    b.body(Body::fixed("table").position([0.0, 0.0, -0.05]).surface(Cuboid::new([1.0, 1.0, 0.1]).unwrap()));
    b.body(Body::fixed("pipe").position([0.0, 0.0, -0.5]).surface(Sphere::new(0.1).unwrap()));
    b.contact(ContactRule::between("ball", "table").normal(law()));
    let model = b.build().unwrap();
    assert_eq!(Simulation::new(&model).duration(1.0).start_warnings().unwrap(), []);
}

/// A pin in a hole, and the links of a mechanism that pass one another.
#[test]
fn bodies_of_a_mechanism_are_drawn_as_they_like() {
    let mut b = ModelBuilder::new();
    let bar = |name: &str, x: f64| {
        Body::new(name).mass(0.1).position([x, 0.0, 0.0]).surface(Capsule::new(0.02, 0.2).unwrap())
    };
    b.body(bar("first", 0.0)).body(bar("second", 0.01)).body(bar("third", 0.02));
    let hinge = |a: &str, b: &str| Joint::between(a, b, Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]);
    b.joint(hinge("first", "second")).joint(hinge("second", "third"));
    let model = b.build().unwrap();
    assert_eq!(messages(&run(&model)), [""; 0]);
}

/// What is in the ground behind a wall that it has no contact with has been put there.
#[test]
fn what_starts_on_the_other_side_of_a_wall_is_not_said() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(Body::fixed("bowl").surface(SurfaceSpec::new(Sphere::new(0.3).unwrap()).inside()));
    b.body(ball("outside", [2.0, 0.0, 0.0]));
    b.body(ball("inside", [0.0; 3]).velocity([1.0, 0.0, 0.0]));
    b.contact(ContactRule::between("inside", "bowl").normal(law()));
    let model = b.build().unwrap();
    assert_eq!(messages(&run(&model)), [""; 0]);
}

/// A ball 1 m under the floor leaves at 1,003 m/s; one in balance on the floor stays.
#[test]
fn a_deep_start_is_said() {
    let at = |depth: f64, allowed: bool| {
        let mut b = ModelBuilder::new();
        let ball =
            Body::new("a").mass(1.0).position([0.0, 0.0, 0.1 - depth]).surface(Sphere::new(0.1).unwrap());
        b.body(ball);
        b.body(Body::fixed("f").surface(Plane));
        let rule = ContactRule::between("a", "f").normal(Hertz::new().stiffness(1e6));
        b.contact(if allowed { rule.may_start_deep() } else { rule });
        b.build().unwrap()
    };
    let warnings = |model: &Model| Simulation::new(model).duration(0.5).start_warnings().unwrap();
    let deep = at(1.1, false);
    let [Warning::DeepStart { depth, speed, .. }] = &warnings(&deep)[..] else { panic!() };
    // ½ m v² = 2/5 K δ^(5/2)
    assert_eq!((depth.as_str(), speed.as_str()), ("1.1 m", "1008"));
    let said = messages(&run(&deep));
    assert!(said.iter().any(|m| m.contains("starts 1.1 m deep")), "{said:?}");
    assert!(
        said.iter().any(|m| m.contains("an indentation of 1.1 m, more than half of what the smaller")),
        "{said:?}"
    );
    assert_eq!(warnings(&at(1.1, true)), []);
    let rest = (9.81f64 / 1e6).powf(2.0 / 3.0);
    for depth in [0.0, rest, 2.0 * rest] {
        assert_eq!(warnings(&at(depth, false)), []);
    }
}

/// 9 m deep with restitution: steps of 1e-14 s. The run says so, and why.
#[test]
fn a_run_that_gets_nowhere_says_so() {
    let mut b = ModelBuilder::new();
    b.body(Body::new("a").mass(1.0).position([0.0, 0.0, -9.0]).surface(Sphere::new(0.1).unwrap()));
    b.body(Body::fixed("f").surface(Plane));
    let law = Flores::restitution(0.5).unwrap().stiffness(1e10);
    b.contact(ContactRule::between("a", "f").normal(law));
    let model = b.build().unwrap();
    let begun = Instant::now();
    let error = Simulation::new(&model).duration(0.5).run().unwrap_err();
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
    let RunError::NoProgress { t, needed, why } = &error else { panic!("{error}") };
    assert!(*t < 1e-4 && *needed > 1e10, "{error}");
    assert!(why.contains("contact a/sphere1~f/plane1 is 9.1 m deep"), "{why}");
    // `auto` takes implicit steps where they are better
    assert!(!why.contains("ode15s") && why.contains("rtol"), "{why}");
}

/// A ball at rest on the floor whose law divides by the impact speed, hit by another: only then is it damped too much.
#[test]
fn slow_touches_are_said_where_they_matter() {
    let model = |speed: f64| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        b.body(ball("cue", [-0.1, 0.0, 0.0]).velocity([speed, 0.0, 0.0]));
        b.body(ball("first", [0.0; 3])).body(ball("second", [0.04, 0.0, 0.0]));
        let law = Flores::restitution(0.8).unwrap().stiffness(1e8);
        b.contact(ContactRule::between("*", "*").normal(law));
        b.build().unwrap()
    };
    // the first two part as they touched; the other two lay together, and are damped as if they had touched at 1 mm/s
    let summary = Simulation::new(&model(1.0)).duration(0.2).run().unwrap().summary;
    let [count] = &summary.warnings[..] else { panic!("{:?}", messages(&summary)) };
    let Warning::Overdamped { contact, .. } = &count.warning else { panic!("{count:?}") };
    assert_eq!(contact, "first/sphere1~second/sphere1");

    // a ball that is dropped bounces ever lower, and in the end touches at less than 1 mm/s, as it must for this to show anything: no matter
    let mut b = ModelBuilder::new();
    b.body(ball("ball", [0.0, 0.0, 0.03]));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(
        ContactRule::between("ball", "floor").normal(Flores::restitution(0.8).unwrap().stiffness(1e12)),
    );
    let mut r = Recording::default();
    let summary = Simulation::new(&b.build().unwrap()).duration(1.0).run_into(&mut r).unwrap().summary;
    let speeds: Vec<f64> = r.events.iter().filter(|e| e.kind == EventKind::Touch).map(|e| e.speed).collect();
    assert!(speeds[0] > 0.4 && speeds.windows(2).all(|v| v[1] < v[0]), "{speeds:?}");
    assert!(speeds.iter().any(|v| (1e-8..1e-3).contains(v)), "{speeds:?}");
    assert_eq!(messages(&summary), [""; 0]);

    // all there is is slow
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(ball("ball", [0.0, 0.0, 0.0201]).velocity([0.0, 0.0, -5e-4]));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal(Flores::restitution(0.3).unwrap().stiffness(1e7)));
    let summary = Simulation::new(&b.build().unwrap()).duration(0.5).run().unwrap().summary;
    assert!(
        messages(&summary).iter().any(|m| m.contains("smaller `min_impact_speed`")),
        "{:?}",
        messages(&summary)
    );
}

/// Boxes without a distance to the inside of a ball are named as not tested, where they come near.
#[test]
fn what_has_no_distance_is_named() {
    let model = |x: f64| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let box_at = |name: &str| Body::new(name).mass(0.1).surface(Cuboid::new([0.1; 3]).unwrap());
        b.body(box_at("brick").position([x, 0.0, 0.0]));
        b.body(Body::fixed("ring").surface(Torus::new(0.1, 0.02).unwrap()));
        b.body(Body::fixed("far").position([9.0, 0.0, 0.0]).surface(Plane));
        b.contact(ContactRule::none("brick", "far"));
        b.build().unwrap()
    };
    let near = run(&model(0.1));
    let said = messages(&near);
    assert_eq!((said.len(), near.overlaps.untested), (1, 1), "{said:?}");
    assert!(said[0].contains("not tested") && said[0].contains("brick/box1 and ring/torus1"), "{said:?}");
    assert_eq!(messages(&run(&model(0.5))), [""; 0]);
}

/// The equilibrium of what stands on its head is that in which it hangs, and this is said.
#[test]
fn an_equilibrium_that_turns_a_body_over_is_said() {
    let hung = |angle: f64| {
        let mut b = ModelBuilder::new();
        b.body(Body::fixed("wall"));
        let bar = Body::new("bar").mass(1.0).inertia([0.1, 0.1, 0.01]);
        let up = Vec3::new(angle.sin(), 0.0, -angle.cos());
        b.body(bar.position([up.x, up.y, up.z]));
        b.joint(Joint::between("wall", "bar", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]));
        b.build().unwrap()
    };
    assert_eq!(Equilibrium::find(&hung(1.0)).unwrap().turned, None);
    let over = Equilibrium::find(&hung(3.0)).unwrap();
    let (body, angle) = over.turned.clone().unwrap();
    assert!(body == "bar" && (angle - 3.0).abs() < 1e-6, "{angle}");
    let said = over.warning().unwrap().to_string();
    assert!(said.contains("body bar turned by 172° from how it is given; near where it is given"), "{said}");
    assert!(said.contains("without friction is unstable in 1 direction:"), "{said}");
    // upright
    let near = over.near.as_ref().unwrap();
    assert!((near.bodies[0].position.z - 1.0).abs() < 1e-12 && near.unstable.len() == 1, "{near}");
    let run = Simulation::new(&hung(3.0)).start(Start::Equilibrium).duration(0.01).run().unwrap();
    assert!(run.summary.warnings.iter().any(|w| matches!(w.warning, Warning::TurnedOver { .. })));
}

/// A sleeve that falls along its pole.
#[test]
fn a_journal_too_short_for_its_travel_is_said() {
    let sleeve_of = |journal: Option<f64>| {
        let mut b = ModelBuilder::new();
        b.body(Body::fixed("pole"));
        b.body(Body::new("sleeve").mass(0.1).inertia([1e-4; 3]));
        let joint =
            Joint::between("pole", "sleeve", Revolute).named("bore").at([0.0; 3]).axis([0.0, 0.0, 1.0]);
        let play = Clearance::new(joint, 1e-4).radius(2.5e-3).length(0.01).normal(law());
        b.clearance(match journal {
            None => play,
            Some(length) => play.journal_length(length),
        });
        b
    };
    let sleeve = |journal| sleeve_of(journal).build().unwrap();
    let said = |journal, duration| {
        let model = sleeve(journal);
        Simulation::new(&model).duration(duration).start_warnings().unwrap()
    };
    let found = said(None, 0.1);
    let [Warning::ShortJournal { t, .. }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(t, "0.03193"); // √(2 · 5 mm/g)
    assert_eq!(said(None, 0.03), []);
    assert_eq!(said(Some(0.2), 0.1), []);
    // what was said comes true: pressed against the end of the short one, the sleeve has left it; the long one holds it to the end
    let pressed = |journal| {
        let mut b = sleeve_of(journal);
        b.gravity([3.0, 0.0, -9.81]);
        let model = b.build().unwrap();
        Simulation::new(&model).duration(0.1).run()
    };
    let error = pressed(None).unwrap_err();
    let RunError::Integration { t, .. } = &error else { panic!("{error}") };
    assert!((0.0319..0.045).contains(t) && error.to_string().contains("bore"), "{error}");
    let run = pressed(Some(0.2)).unwrap();
    assert!(run.summary.touches > 0, "{}", run.summary);
}

/// Planes have no end, and two that are not parallel always meet somewhere: nothing is said of them.
#[test]
fn planes_that_meet_planes_say_nothing() {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("floor").surface(Plane));
    let turn = Quat::from_axis_angle(&Vec3::y_axis(), 1.5);
    let jaw = Body::new("jaw").mass(0.1).inertia([1e-4; 3]).position([0.1, 0.0, 0.5]).orientation(turn);
    b.body(jaw.surface(Plane));
    let summary = run(&b.build().unwrap());
    assert_eq!((messages(&summary), summary.overlaps.untested), (Vec::new(), 0));
}

/// What a flat body measures is its thickness, whatever its edge is curved by: 2c²/a is 0.8 mm here.
#[test]
fn a_flat_body_is_as_thick_as_it_measures() {
    let said = |stiffness: f64| {
        let mut b = ModelBuilder::new();
        let pebble =
            Body::new("pebble").mass(0.05).inertia([1.6e-5, 1.6e-5, 3.2e-5]).position([0.0, 0.0, 0.042]);
        let pebble = pebble.orientation(Quat::from_scaled_axis(Vec3::x() * 80f64.to_radians()));
        b.body(pebble.surface(carom::geometry::surfaces::Ellipsoid::new([0.04, 0.04, 0.004]).unwrap()));
        b.body(Body::fixed("table").surface(Plane));
        b.contact(ContactRule::between("pebble", "table").normal(Hertz::new().stiffness(stiffness)));
        let summary = Simulation::new(&b.build().unwrap()).duration(0.05).run().unwrap().summary;
        let mut warnings = summary.warnings.iter();
        (summary.max_indentation, warnings.any(|w| matches!(w.warning, Warning::TooDeep { .. })))
    };
    let (depth, warned) = said(1e5);
    assert!(depth > 0.8e-3 && depth < 2e-3 && !warned, "{depth}");
    let (depth, warned) = said(5e3);
    assert!(depth > 4e-3 && warned, "{depth}");
}

/// Sharp edges count as rounded, so that they meet late: what a contact says of that accounts for as much of an overlap.
#[test]
fn edges_that_meet_late_are_accounted_for() {
    let mut b = ModelBuilder::new();
    let wedge = [[-0.5, 0.0], [0.5, 0.0]].map(|[x, y]| [x, y, 0.0]);
    let base = [[-0.5, -0.1], [0.5, -0.1], [-0.5, 0.1], [0.5, 0.1]].map(|[x, y]| [x, y, -0.6]);
    let corners: Vec<[f64; 3]> = wedge.into_iter().chain(base).collect();
    b.body(Body::fixed("ridge").surface(Polyhedron::new(&corners).unwrap()));
    let log = Body::new("log").mass(10.0).position([0.0, 0.0, 0.31]).velocity([0.0, 0.0, -1.0]);
    let across = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
    b.body(log.orientation(across).surface(Capsule::new(0.3, 0.6).unwrap()));
    b.contact(ContactRule::between("log", "ridge").normal(Hertz::new().stiffness(1e7)));
    let model = b.build().unwrap();
    let summary = Simulation::new(&model).duration(0.1).output_every(1e-3).run().unwrap().summary;
    let late = summary.roundings[0].late;
    let deeper = summary.overlaps.deepest.as_ref().unwrap().depth - summary.max_indentation;
    assert!(deeper > 1e-3 && deeper <= late, "{deeper} {late}");
    assert!(summary.warnings.is_empty() && summary.overlaps.unaccounted.is_none(), "{summary}");
}
