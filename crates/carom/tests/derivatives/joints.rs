//! Every joint between bodies that are free, fixed, prescribed and deformable, in states where its equations are
//! satisfied and where they are not.

use carom_base::{Quat, Vec3};
use carom_geometry::Shape;
use carom_geometry::surfaces::{Cuboid, Ellipsoid, Plane, Sphere, Torus};

use super::affine::{fixed, materials, moved, soft};
use super::{compare, friction_laws, lopsided, trial_state};
use carom::JOINTS;
use carom::Stabilisation;
use carom::{Body, Drive, Force, Formula, Joint, JointFriction, ModelBuilder, Revolute, SpringDamper};

type Held = fn(Body) -> Body;

const POINT: [f64; 3] = [0.4, 0.1, -0.2];
const AXIS: [f64; 3] = [0.3, -0.5, 0.8];

fn body(name: &str, at: Vec3, sign: f64) -> Body {
    let shape = Shape::outside(Cuboid::new([0.6, 0.8, 0.5]).unwrap());
    lopsided(name, &shape, at, Quat::from_euler_angles(0.3 * sign, -0.4, 0.2), sign)
}

fn look(builder: &ModelBuilder, baumgarte: bool, what: &str) {
    let model = builder.build().unwrap();
    let mut equations = model.equations().unwrap();
    equations.stabilise(if baumgarte { Stabilisation::Baumgarte(7.0) } else { Stabilisation::None });
    let y = trial_state(&mut equations);
    let (entries, corners) = compare(&mut equations, &y, what);
    assert!(entries > 0 && corners == 0, "{what}: {corners} corners");
}

/// Returns the joint of a registry entry, with the arguments it needs.
type Kind = std::sync::Arc<dyn carom::JointKind>;

fn joint(entry: &carom_base::Entry<Kind>, a: &str, b: &str) -> Option<(Joint, Kind)> {
    let args = entry
        .params
        .iter()
        .fold(carom_base::Args::new(), |args, p| args.with(p.name, carom_base::Value::Number(0.7)));
    let kind = entry.make(&args).unwrap();
    if kind.couples().is_some() || kind.rolls() {
        return None;
    }
    let (two, second) = (kind.has_two_points(), kind.has_second_axis());
    let mut joint = Joint::between_arc(a, b, kind.clone());
    joint = if two { joint.points([0.1, 0.2, 0.3], [-0.2, 0.1, 0.4]) } else { joint.at(POINT) };
    if kind.has_axis() {
        joint = joint.axis(AXIS);
    }
    Some((if second { joint.second_axis([0.5, 0.3, 0.0]) } else { joint }, kind))
}

#[test]
fn every_joint_between_every_two_bodies() {
    let others: [(&str, Held); 3] = [("free", |b| b), ("fixed", fixed), ("moved", moved)];
    for entry in JOINTS {
        for (name, other) in others {
            let Some((joint, _)) = joint(entry, "a", "b") else { continue };
            let mut b = ModelBuilder::new();
            b.body(body("a", Vec3::new(0.1, -0.2, 0.3), 1.0));
            b.body(other(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0))).joint(joint);
            b.force(Force::between("a", "b", SpringDamper::new(20.0, 0.3).unwrap().damping(2.0)));
            for baumgarte in [false, true] {
                look(&b, baumgarte, &format!("{} to a {name} body", entry.name));
            }
        }
    }
}

/// Rotors along the coordinates of every joint that leaves some free, also where it is rubbed, driven or soft.
#[test]
fn every_joint_with_a_rotor() {
    let others: [(&str, Held); 3] = [("free", |b| b), ("fixed", fixed), ("moved", moved)];
    let mut found = 0;
    for entry in JOINTS {
        for (name, other) in others {
            let Some((joint, kind)) = joint(entry, "a", "b") else { continue };
            let has = |angle: bool| kind.coordinates().iter().any(|c| c.is_angle() == angle);
            let (turns, slides) = (has(true), has(false));
            found += usize::from(turns || slides);
            let joint = if turns { joint.rotor_inertia(0.3) } else { joint };
            let joint = if slides { joint.rotor_mass(2.0) } else { joint };
            let mut b = ModelBuilder::new();
            b.body(body("a", Vec3::new(0.1, -0.2, 0.3), 1.0));
            b.body(other(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0))).joint(joint.named("j"));
            b.force(Force::between("a", "b", SpringDamper::new(20.0, 0.3).unwrap().damping(2.0)));
            for baumgarte in [false, true] {
                look(&b, baumgarte, &format!("{} with a rotor to a {name} body", entry.name));
            }
        }
    }
    assert!(found > 10, "{found}");
    let hinge = Joint::between("a", "b", Revolute).at(POINT).axis(AXIS).named("j").rotor_inertia(0.3);
    let tanh = friction_laws().into_iter().flatten().find(|law| law.name() == "tanh").unwrap();
    let friction = friction_of(&tanh, &hinge).preload(0.5);
    let mut b = ModelBuilder::new();
    b.body(body("a", Vec3::new(0.1, -0.2, 0.3), 1.0)).body(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0));
    b.joint(hinge.clone().friction(friction));
    look(&b, false, "a hinge that rubs, with a rotor");
    b.drive(Drive::new("joint/j/angle", Formula::new("0.3*sin(4*t)").unwrap()));
    look(&b, false, "a driven hinge that rubs, with a rotor");
    let shape = Shape::outside(Sphere::new(0.5).unwrap());
    let turn = Quat::from_euler_angles(0.3, -0.4, 0.2);
    let mut b = ModelBuilder::new();
    b.body(soft("a", &shape, Vec3::new(0.1, -0.2, 0.3), turn, &materials()[0]));
    b.body(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0)).joint(hinge);
    look(&b, false, "a hinge on a soft body, with a rotor");
}

#[test]
fn every_joint_on_soft_bodies() {
    let shape = Shape::outside(Sphere::new(0.5).unwrap());
    let turn = Quat::from_euler_angles(0.3, -0.4, 0.2);
    for entry in JOINTS {
        for elastic in &materials() {
            let Some((joint, _)) = joint(entry, "a", "b") else { continue };
            let mut b = ModelBuilder::new();
            b.body(soft("a", &shape, Vec3::new(0.1, -0.2, 0.3), turn, elastic));
            b.body(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0)).joint(joint);
            look(&b, false, &format!("{} on a soft body", entry.name));
        }
    }
}

/// Returns joint friction with a length for couples, where the joint carries couples.
fn friction_of(law: &std::sync::Arc<dyn carom_law::Friction>, joint: &Joint) -> JointFriction {
    let friction = JointFriction::by(law.clone()).radius(0.05);
    let mut b = ModelBuilder::new();
    b.body(body("a", Vec3::new(0.1, -0.2, 0.3), 1.0)).body(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0));
    b.joint(joint.clone().friction(friction.clone().length(3.0)));
    // a length is refused where no couple is carried
    if b.build().is_ok() { friction.length(3.0) } else { friction }
}

/// Every law in a hinge, and one law with and one without bristles in every joint that can have friction, between
/// bodies that are free, fixed, prescribed and deformable.
#[test]
fn every_joint_that_rubs() {
    let others: [(&str, Held); 3] = [("free", |b| b), ("fixed", fixed), ("moved", moved)];
    let laws = friction_laws();
    for entry in JOINTS {
        let Some((joint, kind)) = joint(entry, "a", "b") else { continue };
        if kind.slips().is_empty() {
            continue;
        }
        for law in laws.iter().map(|all| &all[0]) {
            // (the slope of `coulomb` is infinite at zero slip, and zero elsewhere)
            let some = ["tanh", "lugre"].contains(&law.name()) || entry.name == "revolute";
            if !some || law.name() == "coulomb" || law.follows_depth() {
                continue;
            }
            for (name, other) in others {
                let friction = friction_of(law, &joint).preload(0.5);
                let mut b = ModelBuilder::new();
                b.body(body("a", Vec3::new(0.1, -0.2, 0.3), 1.0));
                b.body(other(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0)))
                    .joint(joint.clone().friction(friction));
                look(&b, false, &format!("{} in {} to a {name} body", law.name(), entry.name));
            }
        }
        let tanh = laws.iter().flatten().find(|law| law.name() == "tanh").unwrap();
        let friction = friction_of(tanh, &joint);
        let mut b = ModelBuilder::new();
        let shape = Shape::outside(Sphere::new(0.5).unwrap());
        b.body(soft(
            "a",
            &shape,
            Vec3::new(0.1, -0.2, 0.3),
            Quat::from_euler_angles(0.3, -0.4, 0.2),
            &materials()[0],
        ));
        b.body(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0)).joint(joint.friction(friction));
        look(&b, false, &format!("tanh in {} on a soft body", entry.name));
    }
}

/// Surfaces that roll on others that are free, fixed and prescribed.
#[test]
fn surfaces_that_roll() {
    let others: [(&str, Held); 3] = [("free", |b| b), ("fixed", fixed), ("moved", moved)];
    let egg = || Shape::outside(Ellipsoid::new([0.3, 0.4, 0.5]).unwrap());
    let ball = || Shape::outside(Sphere::new(0.4).unwrap());
    let pairs = [
        ("ball on a plane", ball(), Shape::outside(Plane), Vec3::new(0.1, 0.2, 0.4)),
        ("egg on a plane", egg(), Shape::outside(Plane), Vec3::new(0.1, 0.2, 0.45)),
        (
            "ring on a plane",
            Shape::outside(Torus::new(0.3, 0.1).unwrap()),
            Shape::outside(Plane),
            Vec3::new(0.0, 0.1, 0.3),
        ),
        ("ball on a ball", ball(), Shape::outside(Sphere::new(0.7).unwrap()), Vec3::new(0.5, 0.3, 0.9)),
        ("ball in a bowl", ball(), Shape::inside(Sphere::new(1.2).unwrap()), Vec3::new(0.5, 0.3, -0.5)),
    ];
    for (what, a, other_shape, at) in pairs {
        for (name, other) in others {
            let turn = Quat::from_euler_angles(0.3, 0.5, 0.2);
            let mut b = ModelBuilder::new();
            b.body(lopsided("a", &a, at, turn, 1.0));
            b.body(other(lopsided("b", &other_shape, Vec3::zeros(), Quat::identity(), -1.0)));
            b.joint(Joint::between("a", "b", carom::Rolling));
            b.force(Force::between("a", "b", SpringDamper::new(20.0, 0.3).unwrap().damping(2.0)));
            look(&b, false, &format!("{what}, {name}"));
        }
    }
}

/// A chain, gears and drives: bodies that are connected through other bodies.
#[test]
fn mechanisms() {
    let mut b = ModelBuilder::new();
    for (i, name) in ["a", "b", "c"].into_iter().enumerate() {
        b.body(body(name, Vec3::new(0.5 * i as f64, 0.2, -0.1), 1.0 - i as f64 * 0.4));
    }
    b.body(Body::fixed("ground"));
    let hinge = |a: &str, b: &str, x: f64| {
        Joint::between(a, b, Revolute).at([x, 0.1, 0.2]).axis([0.1 + x, 0.4, 1.0]).named(&format!("{a}{b}"))
    };
    b.joint(hinge("a", "ground", 0.0)).joint(hinge("b", "a", 0.5)).joint(hinge("c", "b", 1.0));
    look(&b, false, "chain");
    b.joint(Joint::between("ba", "cb", carom::Gear { ratio: 0.7 }));
    look(&b, true, "chain with a gear");
    b.drive(Drive::new("joint/aground/angle", Formula::new("0.3*sin(4*t)").unwrap()));
    look(&b, true, "driven chain");
}
