//! Tractions at nodes: against closed forms over a plane and between spheres, and an independent quadrature near other surfaces.

use carom_base::{Mat3, Pose, Quat, Vec3, cofactor};
use carom_field::{
    Action, Adhesion, Coulomb, Field, Height, Motions, Near, Node, PointField, Power, Tractions, nodes_of,
    pieces_of,
};
use carom_geometry::surfaces::{Cone, Cuboid, Cylinder, Ellipsoid, Plane, Sphere};
use carom_geometry::{Shape, Surface};
use serde_json::Value;

fn nodes(surface: &dyn Surface, n: usize) -> Vec<Node> {
    surface.boundary().unwrap().iter().flat_map(|part| nodes_of(part, n)).collect()
}

fn all_tractions() -> Tractions {
    let power = |coefficient, exponent| Power { coefficient, exponent };
    Tractions::new()
        .repulsion(power(0.2, 5))
        .damping(power(0.7, 3))
        .friction(power(0.9, 2))
        .adhesion(Adhesion { coefficient: 3.0, attraction_exponent: 3, repulsion_exponent: 6, range: 0.3 })
}

/// A body at a pose that is at rest, as is its support in the world's frame.
fn at_rest(body: Pose) -> Motions {
    let zero = Vec3::zeros();
    Motions { body, v: zero, f_dot: Mat3::zeros(), cof: None, surface: Pose::identity(), support: [zero; 3] }
}

fn difference(a: &Action, b: &Action) -> f64 {
    let parts = [
        (a.force - b.force).norm() / b.force.norm(),
        (a.moment - b.moment).norm() / b.moment.norm(),
        (a.potential - b.potential).abs() / b.potential.abs(),
        (a.dissipated - b.dissipated).abs() / b.dissipated.abs(),
        (a.power - b.power).abs() / b.power.abs(),
    ];
    parts.into_iter().fold(0.0, f64::max)
}

#[test]
fn over_a_plane_they_are_the_closed_form() {
    let solids: [Box<dyn Surface>; 5] = [
        Box::new(Cuboid::new([0.6, 0.8, 0.5]).unwrap()),
        Box::new(Cylinder::new(0.4, 0.9).unwrap()),
        Box::new(Cone::new(0.4, 0.2, 0.7).unwrap()),
        Box::new(Sphere::new(0.5).unwrap()),
        Box::new(Ellipsoid::new([0.5, 0.3, 0.4]).unwrap()),
    ];
    let rotation = Quat::from_euler_angles(0.3, -0.4, 0.2).to_rotation_matrix().into_inner();
    let stretched = rotation * Mat3::new(1.1, 0.1, 0.0, 0.05, 0.9, -0.1, 0.0, 0.1, 1.05);
    for solid in &solids {
        for (f, deforms) in [(rotation, false), (stretched, true)] {
            let (p, v) = (Vec3::new(0.2, -0.3, 1.0), Vec3::new(0.5, -0.2, -0.4));
            let (f_dot, cof) = (Mat3::new(0.1, -0.5, 0.2, 0.6, 0.1, -0.3, 0.2, 0.4, -0.1) * f, cofactor(&f));
            let cof = deforms.then_some(cof);
            let motions = Motions { v, f_dot, cof, ..at_rest(Pose { p, r: f }) };
            let n = Vec3::z();
            let near = Near { n, d: Height { a: p.z, b: f.tr_mul(&n) }, cof, u0: v, u: f_dot };
            let pieces = pieces_of(solid.as_ref(), None, None).unwrap();
            let exact = Field::new(all_tractions(), pieces).act(&near);
            let field =
                PointField::new(all_tractions(), nodes(solid.as_ref(), 48), Shape::outside(Plane)).unwrap();
            let off = difference(&field.act(&motions), &exact);
            assert!(off < 1e-12, "{}, deforms: {deforms}: {off:e}", solid.kind());
        }
    }
}

/// A ball of radius a at the distance D of centres from one of radius R: the area between the distances ρ and ρ + dρ from the other's
/// centre is 2π a ρ dρ/D, so that with s = ρ − R the potential is c/(ν − 1) 2π a/D ∫ (s + R) s^(1−ν) ds.
#[test]
fn two_balls_have_a_closed_form() {
    let (a, radius, c, nu) = (0.1, 0.25, 3e-3, 5);
    let field = |support: Shape, n: usize| {
        let tractions = Tractions::new().repulsion(Power { coefficient: c, exponent: nu });
        PointField::new(tractions, nodes(&Sphere::new(a).unwrap(), n), support).unwrap()
    };
    // outside of the other, and within it: there the distance is R − ρ
    for (inside, distance) in [(false, 0.37), (false, 0.45), (true, 0.05), (true, 0.13)] {
        let sign = if inside { -1.0 } else { 1.0 };
        let shape = Sphere::new(radius).unwrap();
        let support = if inside { Shape::inside(shape) } else { Shape::outside(shape) };
        // an antiderivative of ρ s^(1−ν) by ρ, s = ±(ρ − R), and its derivative
        let g = |rho: f64| {
            let s: f64 = sign * (rho - radius);
            let (k, m) = (3 - nu as i32, 2 - nu as i32);
            s.powi(k) / f64::from(k) + sign * radius * s.powi(m) / f64::from(m)
        };
        let g_prime = |rho: f64| rho * (sign * (rho - radius)).powi(1 - nu as i32);
        let factor = c / f64::from(nu - 1) * std::f64::consts::TAU * a;
        let (low, high) = (distance - a, distance + a);
        let (low, flip) = if low < 0.0 { (-low, true) } else { (low, false) };
        let between = g(high) - g(low);
        let by_distance = g_prime(high) - g_prime(low) * if flip { -1.0 } else { 1.0 };
        let potential = factor * between / distance;
        let force = -factor * (by_distance / distance - between / (distance * distance));
        let direction = Vec3::new(0.48, -0.6, 0.64);
        let action = field(support, 64).act(&at_rest(Pose::at(direction * distance)));
        assert!(
            (action.potential / potential - 1.0).abs() < 1e-12,
            "{distance}: {} {potential}",
            action.potential
        );
        let off = (action.force - direction * force).norm() / force.abs();
        assert!(off < 1e-11, "{distance}: {off:e}");
    }
}

/// Balls and ellipsoids near and within balls and cylinders (oracles/near_surfaces.py).
#[test]
fn near_curved_surfaces_they_are_what_quadrature_says() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/near_surfaces.json"))
        .unwrap();
    let data: Value = serde_json::from_str(&text).unwrap();
    let number = |v: &Value| v.as_f64().unwrap();
    let three = |v: &Value| [0, 1, 2].map(|i| number(&v[i]));
    for case in data["cases"].as_array().unwrap() {
        let body = Ellipsoid::new(three(&case["semi_axes"])).unwrap();
        let support = match case["support"].as_str().unwrap() {
            "sphere" => Shape::outside(Sphere::new(number(&case["radius"])).unwrap()),
            "bowl" => Shape::inside(Sphere::new(number(&case["radius"])).unwrap()),
            // so long that its ends are not felt
            "cylinder" => Shape::outside(Cylinder::new(number(&case["radius"]), 1e4).unwrap()),
            _ => Shape::inside(Cylinder::new(number(&case["radius"]), 1e4).unwrap()),
        };
        let exponent = case["exponent"].as_u64().unwrap() as u32;
        let tractions = Tractions::new().repulsion(Power { coefficient: 1.0, exponent });
        let field = PointField::new(tractions, nodes(&body, 64), support).unwrap();
        let action = field.act(&at_rest(Pose::at(three(&case["position"]).into())));
        let force = Vec3::from(three(&case["force"]));
        let potential = number(&case["potential"]);
        assert!((action.potential / potential - 1.0).abs() < 1e-11, "{case}: {}", action.potential);
        assert!((action.force - force).norm() < 1e-11 * force.norm(), "{case}: {}", action.force);
    }
}

/// All of a body that slides at one speed u feels μ N u/√(u² + v_s²), which is less than μ N.
#[test]
fn coulomb_like_friction_is_bounded_by_the_repulsion() {
    let (mu, speed) = (0.4, 0.02);
    let repulsion = Tractions::new().repulsion(Power { coefficient: 0.2, exponent: 5 });
    let rough = repulsion.coulomb(Coulomb { coefficient: mu, speed });
    let ball = Sphere::new(0.5).unwrap();
    let field = PointField::new(rough, nodes(&ball, 24), Shape::outside(Plane)).unwrap();
    for u in [1e-4, 0.02, 1.0, 1e4] {
        let sliding = Motions { v: Vec3::new(0.6, -0.8, 0.0) * u, ..at_rest(Pose::at(Vec3::z() * 0.7)) };
        let action = field.act(&sliding);
        let (normal, friction) = (action.force.z, action.force.xy().norm());
        let exact = mu * normal * u / f64::hypot(u, speed);
        assert!((friction / exact - 1.0).abs() < 1e-13 && friction < mu * normal, "{u}: {friction} {exact}");
        assert!((action.dissipated / (exact * u) - 1.0).abs() < 1e-13, "{u}");
    }
    let bad = Tractions::new().coulomb(Coulomb { coefficient: mu, speed });
    assert!(bad.check().is_err(), "without a repulsion nothing bounds it");
    assert!(repulsion.coulomb(Coulomb { coefficient: mu, speed: 0.0 }).check().is_err());
}

#[test]
fn a_node_within_the_support_is_no_number() {
    let field = PointField::new(all_tractions(), nodes(&Sphere::new(0.5).unwrap(), 4), Shape::outside(Plane))
        .unwrap();
    assert!(field.act(&at_rest(Pose::at(Vec3::z() * 0.4))).force.x.is_nan());
}
