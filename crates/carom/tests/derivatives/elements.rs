//! Forces along coordinates between bodies that are free, fixed, prescribed and deformable.

use carom_base::{Quat, Vec3};
use carom_geometry::Shape;
use carom_geometry::surfaces::{Cuboid, Sphere};

use super::affine::{fixed, materials, moved, soft};
use super::{compare, lopsided, trial_state};
use carom::Stabilisation;
use carom::{Body, Bushing, CoordinateSpring, Cylindrical, Force, Joint, ModelBuilder, Prismatic, Revolute};

type Held = fn(Body) -> Body;

const AXIS: [f64; 3] = [0.3, -0.5, 0.8];

fn body(name: &str, at: Vec3, sign: f64) -> Body {
    let shape = Shape::outside(Cuboid::new([0.6, 0.8, 0.5]).unwrap());
    lopsided(name, &shape, at, Quat::from_euler_angles(0.3 * sign, -0.4, 0.2), sign)
}

fn look(builder: &ModelBuilder, what: &str) {
    let model = builder.build().unwrap();
    let mut equations = model.equations().unwrap();
    equations.stabilise(Stabilisation::None);
    let y = trial_state(&mut equations);
    let (entries, corners) = compare(&mut equations, &y, what);
    assert!(entries > 0 && corners == 0, "{what}: {corners} corners");
}

fn springs(b: &mut ModelBuilder) {
    let bushing = Bushing::new([150.0, 90.0, 210.0], [7.0, 11.0, 13.0])
        .unwrap()
        .damping([3.0, 2.0, 5.0], [0.7, 0.3, 0.5])
        .rest_offset([0.1, -0.2, 0.05])
        .rest_angles([0.2, -0.1, 0.3]);
    b.force(Force::bushing("a", "b", bushing).points([0.3, -0.1, 0.2], [-0.2, 0.4, 0.1]).axis(AXIS));
    let wire = CoordinateSpring::new(17.0).unwrap().damping(2.0).rest(0.4);
    b.force(Force::torsion_about("a", "b", [0.7, 0.1, -0.4], wire).named("wire"));
}

#[test]
fn bushings_and_wires_between_every_two_bodies() {
    let others: [(&str, Held); 3] = [("free", |b| b), ("fixed", fixed), ("moved", moved)];
    for (name, other) in others {
        let mut b = ModelBuilder::new();
        b.body(body("a", Vec3::new(0.1, -0.2, 0.3), 1.0));
        b.body(other(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0)));
        springs(&mut b);
        look(&b, &format!("bushing to a {name} body"));
        let joint = Joint::between("a", "b", Cylindrical).at([0.4, 0.1, -0.2]).axis(AXIS);
        b.joint(joint.named("sleeve"));
        let spring = CoordinateSpring::new(30.0).unwrap().damping(4.0).rest(-0.2);
        b.force(Force::torsion("sleeve", spring).named("turning"));
        b.force(Force::slide("sleeve", spring).named("sliding"));
        look(&b, &format!("springs of a sleeve to a {name} body"));
    }
}

#[test]
fn on_soft_bodies() {
    let shape = Shape::outside(Sphere::new(0.5).unwrap());
    let turn = Quat::from_euler_angles(0.3, -0.4, 0.2);
    for elastic in &materials() {
        let mut b = ModelBuilder::new();
        b.body(soft("a", &shape, Vec3::new(0.1, -0.2, 0.3), turn, elastic));
        b.body(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0));
        springs(&mut b);
        look(&b, "bushing on a soft body");
        b.joint(Joint::between("b", "a", Prismatic).axis(AXIS).named("rail"));
        b.force(Force::slide("rail", CoordinateSpring::new(30.0).unwrap().damping(4.0)));
        look(&b, "slide spring on a soft body");
    }
    let mut b = ModelBuilder::new();
    b.body(body("a", Vec3::new(0.1, -0.2, 0.3), 1.0)).body(Body::fixed("ground"));
    b.joint(Joint::between("a", "ground", Revolute).at([0.4, 0.1, -0.2]).axis(AXIS).named("hinge"));
    b.force(Force::torsion("hinge", CoordinateSpring::new(30.0).unwrap().damping(4.0)));
    look(&b, "torsion spring of a hinge");
}

/// Stops that are in contact, under every normal law.
#[test]
fn stops_of_joints() {
    let others: [(&str, Held); 3] = [("free", |b| b), ("fixed", fixed), ("moved", moved)];
    for laws in super::normal_laws() {
        for (name, other) in others {
            let mut b = ModelBuilder::new();
            b.body(body("a", Vec3::new(0.1, -0.2, 0.3), 1.0));
            b.body(other(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0)));
            let sleeve = Joint::between("a", "b", Cylindrical).at([0.4, 0.1, -0.2]).axis(AXIS);
            b.joint(sleeve.lower("angle", 0.6).upper("displacement", -0.5).stop_arc(laws[0].clone()));
            meet(&b, 2, &format!("{:?} to a {name} body", laws[0]));
        }
    }
    let law = || carom_law::normal::HuntCrossley::damping(0.3).unwrap().stiffness(3e4);
    let mut b = ModelBuilder::new();
    b.body(body("a", Vec3::new(0.1, -0.2, 0.3), 1.0)).body(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0));
    let ball = Joint::between("a", "b", carom::Spherical).at([0.4, 0.1, -0.2]).axes([0.1, 0.9, 0.2], AXIS);
    b.joint(ball.upper("swing", 0.1).stop(law()));
    meet(&b, 1, "swing");
    let shape = Shape::outside(Sphere::new(0.5).unwrap());
    for elastic in &materials() {
        let mut b = ModelBuilder::new();
        b.body(soft(
            "a",
            &shape,
            Vec3::new(0.1, -0.2, 0.3),
            Quat::from_euler_angles(0.3, -0.4, 0.2),
            elastic,
        ));
        b.body(body("b", Vec3::new(0.9, 0.4, -0.1), -1.0));
        let at = |joint: Joint| joint.at([0.4, 0.1, -0.2]).axis(AXIS).stop(law());
        for [first, second] in [["a", "b"], ["b", "a"]] {
            let mut sleeved = b.clone();
            let sleeve = at(Joint::between(first, second, Cylindrical));
            sleeved.joint(sleeve.lower("angle", 0.6).upper("displacement", -0.5));
            meet(&sleeved, 2, &format!("sleeve of {first} and {second}"));
            let mut flat = b.clone();
            let plane = at(Joint::between(first, second, carom::PlanarJoint));
            flat.joint(plane.lower("angle", 0.6).upper("x", -0.5).lower("y", 0.3));
            meet(&flat, 3, &format!("plane of {first} and {second}"));
            let mut swung = b.clone();
            let ball = Joint::between(first, second, carom::Spherical).at([0.4, 0.1, -0.2]);
            swung.joint(ball.axes([0.1, 0.9, 0.2], AXIS).upper("swing", 0.1).stop(law()));
            meet(&swung, 1, &format!("swing of {first} and {second}"));
        }
    }
}

fn meet(builder: &ModelBuilder, stops: usize, what: &str) {
    let model = builder.build().unwrap();
    let mut equations = model.equations().unwrap();
    equations.stabilise(Stabilisation::None);
    let y = trial_state(&mut equations);
    assert_eq!(equations.active_contacts(), stops, "{what}");
    let (entries, corners) = compare(&mut equations, &y, what);
    assert!(entries > 0 && corners * 100 < entries, "{what}: {corners} corners");
}
