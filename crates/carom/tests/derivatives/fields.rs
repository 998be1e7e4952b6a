//! Short-range fields on rigid and deformable bodies, over supports that are fixed, prescribed or free.

use carom_base::{Mat3, Quat, Vec3};
use carom_field::Adhesion;
use carom_geometry::Shape;
use carom_geometry::surfaces::{Cuboid, Cylinder, Ellipsoid, Plane, Sphere, Superellipsoid};

use super::affine::{fixed, materials, moved, soft};
use super::{compare, lopsided, trial_state};
use carom::{Body, Dof, FieldRule, ModelBuilder, Repulsion, SurfaceSpec};

/// Every traction by itself, and all at once.
fn fields() -> Vec<(&'static str, FieldRule)> {
    let none = || FieldRule::between("body", "support");
    let adhesion = Adhesion { coefficient: 3.0, attraction_exponent: 3, repulsion_exponent: 6, range: 0.3 };
    let repulsion = |f: FieldRule| f.repulsion(4, Repulsion::Coefficient(0.2));
    vec![
        ("repulsion", repulsion(none())),
        ("damping", none().damping(3, 0.7)),
        ("friction", none().friction(2, 0.9)),
        ("adhesion", none().adhesion(adhesion)),
        ("coulomb", repulsion(none()).coulomb(0.4, 0.3).points(3)),
        ("all", repulsion(none()).damping(3, 0.7).friction(0, 0.9).adhesion(adhesion)),
    ]
}

/// Returns the support: a lopsided body with a plane, as modified by `change`.
fn support(change: impl Fn(Body) -> Body) -> Body {
    let turn = Quat::from_euler_angles(0.1, -0.2, 0.4);
    change(lopsided("support", &Shape::outside(Plane), Vec3::new(0.1, -0.2, 0.0), turn, 1.0))
}

fn look(body: Body, change: fn(Body) -> Body, field: FieldRule, what: &str) {
    let mut b = ModelBuilder::new();
    b.body(support(change)).body(body).field(field);
    let model = b.build().unwrap();
    let mut equations = model.equations().unwrap();
    let y = trial_state(&mut equations);
    let (entries, corners) = compare(&mut equations, &y, what);
    assert!(entries > 0 && corners == 0, "{what}: {corners} corners");
}

#[test]
fn every_traction_on_every_body_over_every_support() {
    let shapes = [
        Shape::outside(Cuboid::new([0.6, 0.8, 0.5]).unwrap()),
        Shape::outside(Cylinder::new(0.4, 0.9).unwrap()),
    ];
    type Held = fn(Body) -> Body;
    let supports: [(&str, Held); 3] = [("fixed", fixed), ("moved", moved), ("free", |b| b)];
    let (at, turn) = (Vec3::new(0.2, -0.3, 1.1), Quat::from_euler_angles(0.3, -0.4, 0.2));
    for (traction, field) in fields() {
        for shape in &shapes {
            for (name, support) in supports {
                let what = format!("{traction} on {} over a {name} support", shape.describe());
                look(
                    lopsided("body", shape, at, turn, -1.0),
                    support,
                    field.clone(),
                    &format!("{what}, rigid"),
                );
                for elastic in &materials() {
                    look(soft("body", shape, at, turn, elastic), support, field.clone(), &what);
                }
            }
        }
    }
}

/// Supports of other shapes, at nodes: a soft or rigid ball near each, all tractions at once.
#[test]
fn near_supports_that_are_not_plane() {
    let supports = [
        Shape::outside(Sphere::new(0.5).unwrap()),
        Shape::outside(Cylinder::new(0.4, 0.9).unwrap()),
        Shape::outside(Ellipsoid::new([0.5, 0.3, 0.4]).unwrap()),
        Shape::outside(Superellipsoid::new([0.5, 0.4, 0.3], [2.5, 3.0, 3.5]).unwrap()),
    ];
    let ball = Shape::outside(Sphere::new(0.3).unwrap());
    let field = FieldRule::between("body", "support").repulsion(4, Repulsion::Coefficient(0.2));
    let field = field.damping(3, 0.7).friction(0, 0.9).coulomb(0.4, 0.3).points(3);
    let (at, turn) = (Vec3::new(0.7, -0.5, 0.6), Quat::from_euler_angles(0.3, -0.4, 0.2));
    for shape in &supports {
        let mut bodies = vec![lopsided("body", &ball, at, turn, -1.0)];
        bodies.extend(materials().iter().map(|elastic| soft("body", &ball, at, turn, elastic)));
        for body in bodies {
            let mut b = ModelBuilder::new();
            b.body(lopsided("support", shape, Vec3::new(0.1, -0.2, 0.0), turn, 1.0));
            b.body(body).field(field.clone());
            let model = b.build().unwrap();
            let mut equations = model.equations().unwrap();
            let y = trial_state(&mut equations);
            let (entries, corners) = compare(&mut equations, &y, &shape.describe());
            assert!(entries > 0 && corners == 0, "{}: {corners} corners", shape.describe());
        }
    }
}

/// Plane motion, in which fields leave out the end faces.
#[test]
fn in_the_plane() {
    const PLANE: [Dof; 3] = [Dof::X, Dof::Y, Dof::Rz];
    let up = Quat::from_axis_angle(&Vec3::x_axis(), -std::f64::consts::FRAC_PI_2);
    let stretch: f64 = 1.2;
    let placed = |body: Body| {
        let body = body.density(4.0).dofs(&PLANE).position([0.1, 0.7, 0.0]).velocity([0.4, -0.3, 0.0]);
        body.angular_velocity([0.0, 0.0, 0.8]).surface(Cylinder::new(0.4, 1.0).unwrap())
    };
    let deformed = Mat3::from_diagonal(&Vec3::new(stretch, 1.0 / stretch, 1.0));
    let mut bodies = vec![placed(Body::new("body"))];
    bodies.extend(materials().map(|e| placed(Body::affine("body", e)).deformation(deformed)));
    // friction alone accelerates nothing normal to the support: these rows hold nothing but rounding error
    for (traction, field) in fields().into_iter().filter(|(traction, _)| *traction != "friction") {
        for body in &bodies {
            let mut b = ModelBuilder::new();
            b.body(Body::fixed("support").surface(SurfaceSpec::new(Plane).turned(up)));
            b.body(body.clone()).field(field.clone());
            let model = b.build().unwrap();
            let mut equations = model.equations().unwrap();
            let y = trial_state(&mut equations);
            let (_, corners) = compare(&mut equations, &y, traction);
            assert_eq!(corners, 0, "{traction}");
        }
    }
}
