//! Bodies that deform: contacts with planes and balls, springs.

use std::sync::Arc;

use carom_base::{Mat3, Pose, Quat, Vec3};
use carom_geometry::surfaces::{Capsule, Cuboid, Cylinder, Ellipsoid, Plane, Sphere, Superellipsoid, Torus};
use carom_geometry::{Shape, pairs};
use carom_law::elastic::{Elastic, MooneyRivlin, NeoHookean};
use carom_law::{Friction, Normal, friction, normal, resistance};
use carom_ode::{Jacobian, Ode};
use nalgebra::Unit;

use super::{check, friction_laws, lopsided, normal_laws, surface_of, touching, trial_state};
use carom::{Body, ContactRule, Dof, Force, Model, ModelBuilder, Orbit, SpringDamper, SurfaceSpec};

/// Returns materials of deformable bodies: with constant volume, and with variable volume.
pub(super) fn materials() -> [Elastic; 3] {
    let mooney = || MooneyRivlin::new(70.0, 30.0).unwrap();
    [
        Elastic::new(mooney()).viscosity(3.0),
        Elastic::new(mooney()).bulk_modulus(200.0),
        Elastic::new(NeoHookean::new(120.0).unwrap()).bulk_modulus(300.0).viscosity(5.0),
    ]
}

/// Returns the initial deformation gradient, with determinant 1.
fn deformation() -> Mat3 {
    let d: Mat3 = Mat3::new(1.2, 0.15, -0.1, 0.0, 0.9, 0.2, 0.1, 0.0, 1.05);
    d / d.determinant().cbrt()
}

/// Returns a moving, rotating deformable body without symmetry, with an offset centre of mass and a rotated surface.
pub(super) fn soft(name: &str, shape: &Shape, at: Vec3, turn: Quat, elastic: &Elastic) -> Body {
    let surface = surface_of(shape);
    Body::affine(name, elastic.clone())
        .mass(1.3)
        .inertia_tensor(Mat3::new(0.5, 0.03, -0.05, 0.03, 0.7, 0.02, -0.05, 0.02, 0.6))
        .centre_of_mass([0.05, -0.08, 0.11])
        .position(at.into())
        .orientation(turn)
        .deformation(deformation())
        .velocity([-0.4, -0.3, -0.5])
        .angular_velocity([0.6, 0.9, 0.7])
        .surface(surface.turned(on_it()))
}

/// Returns the rotation of a surface on its body.
fn on_it() -> Quat {
    Quat::from_euler_angles(-0.7, -0.2, 0.5)
}

/// Returns pairs of shapes that can touch, of which the second is on a deformable body.
fn couples() -> Vec<(Shape, Shape)> {
    let (plane, ball) = (Shape::outside(Plane), Shape::outside(Sphere::new(0.3).unwrap()));
    let at_both = [
        Shape::outside(Sphere::new(0.6).unwrap()),
        Shape::outside(Ellipsoid::new([0.5, 0.3, 0.8]).unwrap()),
        Shape::outside(Cuboid::new([1.0, 1.4, 0.8]).unwrap()),
    ];
    let on_planes = [
        Shape::outside(Superellipsoid::new([0.5, 0.4, 0.6], [2.5, 3.0, 2.0]).unwrap()),
        Shape::outside(Cylinder::new(0.5, 1.6).unwrap()),
        Shape::outside(Capsule::new(0.4, 1.0).unwrap()),
        Shape::outside(Torus::new(0.6, 0.2).unwrap()),
    ];
    let balls = at_both.clone().map(|s| (ball.clone(), s));
    at_both.into_iter().chain(on_planes).map(|s| (plane.clone(), s)).chain(balls).collect()
}

/// Makes a body prescribed.
pub(super) fn moved(b: Body) -> Body {
    let axis = Unit::new_normalize(Vec3::new(0.3, -0.5, 0.8));
    let orbit = Orbit { to_centre: Vec3::new(0.4, 0.3, -0.2), axis, rate: 0.3 };
    b.moved_by(orbit).velocity([0.0; 3]).angular_velocity([0.0; 3])
}

/// Makes a body fixed.
pub(super) fn fixed(b: Body) -> Body {
    b.held_fixed().velocity([0.0; 3]).angular_velocity([0.0; 3])
}

/// Builds a model of a rigid body A that touches a deformable body B; `more` adds the contact rule, in either order
/// of the two.
fn scene(
    (a, b): &(Shape, Shape),
    elastic: &Elastic,
    change: impl Fn(Body) -> Body,
    more: impl Fn(&mut ModelBuilder),
) -> Model {
    let turns = [Quat::from_euler_angles(0.4, 0.3, -0.9), Quat::from_euler_angles(0.3, -0.8, 0.2)];
    let x_a = Pose::new(Vec3::new(0.1, -0.2, 0.3), &turns[0]);
    let r = |q: Quat| q.to_rotation_matrix().into_inner();
    let axes = r(turns[1]) * deformation() * r(on_it());
    let mut x_b = Pose { p: x_a.p + Vec3::new(0.6, 0.5, 0.9), r: axes };
    let pair = pairs::bind_deformed(pairs::ALL.iter().copied(), a, b, [false, true]).unwrap();
    touching(&*pair, &x_a, &mut x_b);
    let mut builder = ModelBuilder::new();
    builder.body(change(lopsided("a", a, x_a.p, turns[0], 1.0)));
    builder.body(soft("b", b, x_b.p, turns[1], elastic));
    more(&mut builder);
    builder.build().unwrap()
}

fn rule(ends: [&str; 2], normal: &Arc<dyn Normal>, friction: Option<&Arc<dyn Friction>>) -> ContactRule {
    let rule = ContactRule::between(ends[0], ends[1]).normal_arc(Arc::clone(normal));
    match friction {
        Some(friction) => rule.friction_arc(Arc::clone(friction)),
        None => rule,
    }
}

#[test]
fn every_pair_with_every_law() {
    let (normal, friction) = (normal_laws(), friction_laws());
    let tanh: Arc<dyn Friction> = Arc::new(friction::Tanh::new(0.4, 0.8).unwrap());
    let (mut entries, mut corners) = (0, 0);
    for couple in couples() {
        for elastic in &materials()[..2] {
            let mut see = |law: &Arc<dyn Normal>, friction: Option<&Arc<dyn Friction>>, ends: [&str; 2]| {
                let model = scene(
                    &couple,
                    elastic,
                    |a| a,
                    |b| {
                        b.contact(rule(ends, law, friction));
                    },
                );
                let what = format!("{} {} {law:?} {friction:?}", couple.0.describe(), couple.1.describe());
                let (all, some) = check(&model, &what);
                (entries, corners) = (entries + all, corners + some);
            };
            for law in normal.iter().map(|laws| &laws[0]) {
                see(law, None, ["a", "b"]);
                see(law, Some(&tanh), ["b", "a"]);
            }
            for friction in friction.iter().map(|laws| &laws[0]).filter(|law| !law.remembers()) {
                see(&normal[1][0], Some(friction), ["a", "b"]);
            }
        }
    }
    assert!(entries > 100_000 && corners * 100 < entries, "{corners} corners in {entries}");
}

/// The other body is free, fixed or prescribed; B has every material.
#[test]
fn every_kind_of_body() {
    let normal = normal::find("hunt-crossley").unwrap();
    let mut laws =
        super::combinations(normal.entry.params).into_iter().filter_map(|args| normal.make(&args).ok());
    let law = laws.find(|law| super::known(law.stiffness())).unwrap();
    let tanh: Arc<dyn Friction> = Arc::new(friction::Tanh::new(0.4, 0.8).unwrap());
    type Change<'a> = (&'a str, &'a dyn Fn(Body) -> Body);
    let changes: [Change<'_>; 3] = [("free", &|a| a), ("fixed", &fixed), ("moved", &moved)];
    for couple in couples() {
        for elastic in &materials() {
            for (what, change) in &changes {
                let model = scene(&couple, elastic, change, |b| {
                    b.contact(rule(["a", "b"], &law, Some(&tanh)));
                });
                let what = format!("{} {}, {what}", couple.0.describe(), couple.1.describe());
                let (_, corners) = check(&model, &what);
                assert_eq!(corners, 0, "{what}");
            }
        }
    }
}

/// A roll in plane strain on a slope.
#[test]
fn in_plane_strain() {
    let law: Arc<dyn Normal> = Arc::new(normal::HuntCrossley::damping(0.6).unwrap().stiffness(3e4));
    let tanh: Arc<dyn Friction> = Arc::new(friction::Tanh::new(0.4, 0.8).unwrap());
    for elastic in &materials() {
        let mut b = ModelBuilder::new();
        let up = Quat::from_axis_angle(&Vec3::x_axis(), -std::f64::consts::FRAC_PI_2);
        b.body(Body::fixed("slope").surface(SurfaceSpec::new(Plane).turned(up)));
        let s: f64 = 1.2;
        b.body(
            Body::affine("roll", elastic.clone())
                .density(2.0)
                .dofs(&[Dof::X, Dof::Y, Dof::Rz])
                .deformation(Mat3::from_diagonal(&Vec3::new(s, 1.0 / s, 1.0)))
                .orientation(Quat::from_axis_angle(&Vec3::z_axis(), 0.3))
                .position([0.1, 0.42, 0.0])
                .velocity([0.3, -0.2, 0.0])
                .angular_velocity([0.0, 0.0, 0.7])
                .surface(Cylinder::new(0.5, 1.0).unwrap()),
        );
        b.contact(rule(["roll", "slope"], &law, Some(&tanh)));
        let (_, corners) = check(&b.build().unwrap(), "plane strain");
        assert_eq!(corners, 0);
    }
}

/// Springs and dashpots: to a rigid body, to another deformable one, with a contact and alone.
#[test]
fn forces_between_points() {
    let law: Arc<dyn Normal> = Arc::new(normal::Hertz::new().stiffness(3e4));
    let couple = &couples()[0];
    let spring = SpringDamper::new(150.0, 0.4).unwrap().damping(7.0);
    for elastic in &materials() {
        for change in [(|a| a) as fn(Body) -> Body, fixed, moved] {
            let model = scene(couple, elastic, change, |b| {
                let other = &Shape::outside(Cuboid::new([0.4, 0.5, 0.6]).unwrap());
                b.body(soft("c", other, Vec3::new(0.3, 1.1, 1.9), Quat::identity(), elastic));
                b.contact(rule(["a", "b"], &law, None));
                let points = ([0.3, -0.1, 0.2], [-0.2, 0.4, 0.1]);
                b.force(Force::between("a", "b", spring).points(points.0, points.1));
                b.force(Force::between("c", "a", spring).points(points.1, points.0));
                b.force(Force::between("b", "c", spring).points(points.0, points.1));
            });
            let (_, corners) = check(&model, "springs");
            assert_eq!(corners, 0);
        }
    }
}

/// Bristles and rolling resistance on a deformable body are left to differences.
#[test]
fn memories_and_couples_are_left_to_differences() {
    let law: Arc<dyn Normal> = Arc::new(normal::Hertz::new().stiffness(3e4));
    let lugre: Arc<dyn Friction> = Arc::new(friction::LuGre::new(0.4, 0.7, 2.5, 2.5).unwrap());
    let rolling = resistance::ROLLING
        .iter()
        .find_map(|e| super::combinations(e.entry.params).into_iter().find_map(|args| e.make(&args).ok()));
    let rules = [
        rule(["a", "b"], &law, Some(&lugre)),
        rolling.into_iter().fold(rule(["a", "b"], &law, None), ContactRule::rolling_arc),
    ];
    for rule in rules {
        let model = scene(
            &couples()[0],
            &materials()[0],
            |a| a,
            |b| {
                b.contact(rule.clone());
            },
        );
        let mut equations = model.equations().unwrap();
        let y = trial_state(&mut equations);
        let mut j = Jacobian::new(equations.derivatives().sparsity().unwrap());
        assert!(!equations.derivatives().jacobian(0.0, &y, &mut j).unwrap());
    }
}
