//! By how much edges and corners that count as rounded meet late: closed forms.

use carom_geometry::surfaces::{Capsule, Cone, Cuboid, Cylinder, Plane, Polyhedron, Sphere};
use carom_geometry::{Pose, Shape, Surface, Vec3, pairs};
use carom_testkit::near;

fn late(a: impl Surface + 'static, b: impl Surface + 'static) -> f64 {
    pairs::bind(&Shape::outside(a), &Shape::outside(b)).unwrap().late()
}

/// Faces at right angles: an edge is rounded by (√2 − 1) r, a corner of three by (√3 − 1) r. The larger of two solids is the rounded one.
#[test]
fn boxes_and_cylinders() {
    let (die, block) = (Cuboid::new([0.02; 3]).unwrap(), Cuboid::new([0.2, 0.2, 0.1]).unwrap());
    // 2 % of half the least edge
    near("boxes", late(die, block), (3f64.sqrt() - 1.0) * 0.02 * 0.05, 1e-18);
    let can = Cylinder::new(0.01, 0.03).unwrap();
    near("a can on a box", late(can, block), (3f64.sqrt() - 1.0) * 0.001, 1e-15);
    near("a box on a drum", late(die, Cylinder::new(0.1, 0.3).unwrap()), (2f64.sqrt() - 1.0) * 0.002, 1e-15);
    near(
        "an edge that is given",
        late(can, block.with_edge_radius(0.01).unwrap()),
        (3f64.sqrt() - 1.0) * 0.01,
        1e-15,
    );
}

/// The crown: κ/2 of the way to the middle of a box, squared by its longest half; across a cap 2 κ r, along a barrel κ L/2.
#[test]
fn crowns() {
    let crown = |a: Shape, b: Shape| pairs::bind(&a, &b).unwrap().crown();
    let block = || Shape::outside(Cuboid::new([0.2, 0.2, 0.1]).unwrap());
    near("boxes", crown(Shape::outside(Cuboid::new([0.02; 3]).unwrap()), block()), 1.5e-6, 1e-18);
    let can = |length: f64| Shape::outside(Cylinder::new(0.01, length).unwrap());
    near("cans", crown(can(0.03), can(0.03)), 2e-6, 1e-18);
    near("long ones", crown(can(0.2), can(0.2)), 1e-5, 1e-18);
    // from an anchor, 2 % of the radius within cap and barrel, to the opposite one and as much again
    let (far, radius) = (0.0196f64.hypot(0.0296) + 2e-4, 0.01f64.hypot(0.015) / 1e-4);
    near("a can on a block", crown(can(0.03), block()), (far * far - 4e-8) / (2.0 * radius), 1e-18);
    assert_eq!(crown(Shape::outside(Sphere::new(0.01).unwrap()), block()), 0.0);
}

/// A cone's tip: the normals of its mantle are on a circle, whose disc is sin α from the origin, α the half angle. A regular tetrahedron's corner: three normals, whose triangle is a third from it.
#[test]
fn tips() {
    let die = Cuboid::new([0.02; 3]).unwrap();
    let (radius, length) = (0.1, 0.4);
    let sine = radius / f64::hypot(radius, length);
    // the ball in the lower half: as far from the mantle as half way down it, and no larger than a quarter of the length
    let inner = (0.75 * radius * length / f64::hypot(radius, length)).min(0.25 * length);
    near(
        "a cone",
        late(die, Cone::new(radius, 0.0, length).unwrap()),
        0.02 * inner * (1.0 / sine - 1.0),
        1e-15,
    );
    let a = 0.1;
    let four = Polyhedron::new(&[[a, a, a], [a, -a, -a], [-a, a, -a], [-a, -a, a]]).unwrap();
    near("a tetrahedron", late(die, four), 2.0 * 0.02 * a / 3f64.sqrt(), 1e-15);
}

/// Nothing is rounded where a method knows the solids as they are.
#[test]
fn others_are_exact() {
    let ball = || Sphere::new(0.01).unwrap();
    assert_eq!(late(ball(), Plane), 0.0);
    assert_eq!(late(ball(), Cuboid::new([0.1; 3]).unwrap()), 0.0);
    assert_eq!(late(Capsule::new(0.01, 0.03).unwrap(), Capsule::new(0.02, 0.1).unwrap()), 0.0);
}

/// Two cubes whose corners point at each other touch as late as that, and never later.
#[test]
fn corners_on_corners_are_the_latest() {
    let cube = || Shape::outside(Cuboid::new([0.1; 3]).unwrap());
    let pair = pairs::bind(&cube(), &cube()).unwrap();
    let tip = Vec3::new(0.05, 0.05, 0.05);
    let at = Pose::at(tip * 2.0);
    let deepest =
        (0..pair.features()).filter_map(|k| pair.contact(k, &Pose::identity(), &at).ok()).map(|c| c.delta);
    near("gap", -deepest.fold(f64::NEG_INFINITY, f64::max), pair.late(), 1e-12);
}
