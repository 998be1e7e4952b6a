//! A field on a cube: forces of a level face in closed form, and power that balances.

use carom_base::{Dual, Mat3, Pose, Vec3};
use carom_field::pieces::Polygon;
use carom_field::{Adhesion, Field, Height, Near, Piece, Power, Tractions};

/// A cube of side l about its centre of mass, all six faces in the body's frame.
fn cube(l: f64) -> Vec<(Box<dyn Piece>, Pose)> {
    let h = 0.5 * l;
    let mut pieces: Vec<(Box<dyn Piece>, Pose)> = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let corner = |u: f64, v: f64| {
                let mut x = Vec3::zeros();
                (x[axis], x[(axis + 1) % 3], x[(axis + 2) % 3]) = (side * h, u * h, side * v * h);
                x
            };
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(u, v)| corner(u, v));
            pieces.push((Box::new(Polygon::new(corners.to_vec()).unwrap()), Pose::identity()));
        }
    }
    pieces
}

/// The bottom face alone, in a frame of its own: its centre, z down.
fn bottom(l: f64) -> Vec<(Box<dyn Piece>, Pose)> {
    let h = 0.5 * l;
    let corners = [(-h, -h), (h, -h), (h, h), (-h, h)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let r = Mat3::from_diagonal(&Vec3::new(1.0, -1.0, -1.0));
    vec![(Box::new(Polygon::new(corners.to_vec()).unwrap()), Pose { p: Vec3::new(0.0, 0.0, -h), r })]
}

fn all() -> Tractions {
    Tractions::new()
        .repulsion(Power { coefficient: 2e-10, exponent: 8 })
        .damping(Power { coefficient: 3.0, exponent: 2 })
        .friction(Power { coefficient: 0.5, exponent: 1 })
        .adhesion(Adhesion { coefficient: 10.0, attraction_exponent: 3, repulsion_exponent: 6, range: 0.02 })
}

/// A rigid body at p0, turned by R, over z = 0.
fn rigid(p0: Vec3, r: Mat3, v: Vec3, omega: Vec3) -> Near {
    let n = Vec3::z();
    let d = Height { a: n.dot(&p0), b: r.tr_mul(&n) };
    Near { n, d, cof: None, u0: v, u: omega.cross_matrix() * r }
}

/// Rodrigues.
fn rotation(angle: Vec3) -> Mat3 {
    let size = angle.norm();
    if size == 0.0 {
        return Mat3::identity();
    }
    let k = (angle / size).cross_matrix();
    Mat3::identity() + k * size.sin() + k * k * (1.0 - size.cos())
}

/// f = α A d^−ν, potential α A d^(1−ν)/(ν − 1), damping β A d^−ν times the velocity along n, friction across it.
#[test]
fn a_level_face_has_forces_in_closed_form() {
    let (l, gap, v) = (1.0, 0.01, Vec3::new(0.3, -0.2, 0.7));
    let tractions = Tractions::new()
        .repulsion(Power { coefficient: 2e-10, exponent: 8 })
        .damping(Power { coefficient: 3.0, exponent: 2 })
        .friction(Power { coefficient: 0.5, exponent: 1 });
    let field = Field::new(tractions, bottom(l));
    // 0.5 + 0.01 has lost 0.01's last digits: the face is at the height that is left
    let near = rigid(Vec3::new(0.0, 0.0, 0.5 * l + gap), Mat3::identity(), v, Vec3::zeros());
    let d = field.nearest(&near.d);
    assert!((d - gap).abs() < 1e-16);
    let action = field.act(&near);
    let expected = [-0.5 * v.x / d, -0.5 * v.y / d, 2e-10 * d.powi(-8) - 3.0 * v.z * d.powi(-2)];
    for i in 0..3 {
        assert!((action.force[i] / expected[i] - 1.0).abs() < 5e-15, "{i}");
    }
    assert!((action.potential / (2e-10 / 7.0 * d.powi(-7)) - 1.0).abs() < 5e-15);
    let lost = 3.0 * v.z * v.z / (d * d) + 0.5 * (v.x * v.x + v.y * v.y) / d;
    assert!((action.dissipated / lost - 1.0).abs() < 5e-15);
    assert!((action.power / (2e-10 * d.powi(-8) * v.z) - 1.0).abs() < 5e-15);
    // q ⊗ X: the face's centre is at −l/2, and a level face has no other moment
    let arm = action.force * Vec3::new(0.0, 0.0, -0.5 * l).transpose();
    assert!((action.moment - arm).amax() < 5e-15 * action.force.amax());
}

/// Heights, angles and motions by a simple generator: tilts of 1e-9 to 1.
fn motions() -> impl Iterator<Item = (Vec3, Mat3, Vec3, Vec3)> {
    let mut state = 1_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    (0..60).map(move |i| {
        let mut vector = || Vec3::new(next(), next(), next());
        let r = rotation(vector() * 10_f64.powi(-(i % 10)));
        // the lowest corner is 1 cm up and more
        let lowest = 0.5 * r.row(2).abs().sum();
        let p0 = Vec3::new(0.0, 0.0, lowest + 0.01 + 0.01 * f64::from(i % 3));
        (p0, r, vector(), vector())
    })
}

/// Along a rigid motion the potential falls by what force and moment do: dV/dt = −power, in dual numbers.
#[test]
fn the_potential_falls_by_the_power() {
    let field = Field::new(all(), cube(1.0));
    for (p0, r, v, omega) in motions() {
        let near = rigid(p0, r, v, omega);
        let along = |x: f64, rate: f64| Dual { re: x, eps: [rate] };
        let fixed = |x: f64| Dual { re: x, eps: [0.0] };
        // Ṙ = U, so that ḃ = Uᵀ n
        let rate = near.u.tr_mul(&near.n);
        let moving = Near {
            n: near.n.map(fixed),
            d: Height { a: along(near.d.a, v.z), b: near.d.b.zip_map(&rate, along) },
            cof: None,
            u0: near.u0.map(fixed),
            u: near.u.map(fixed),
        };
        let (action, by) = (field.act(&near), field.act_by(&moving));
        let scale = action.potential.abs() / field.nearest(&near.d);
        assert!((by.potential.eps[0] + action.power).abs() < 1e-12 * scale, "{}", by.potential.eps[0]);
        assert!((by.potential.re - action.potential).abs() < 1e-13 * action.potential.abs().max(1.0));
        // and power is what force and moment do without damping and friction
        let tractions = Tractions { damping: None, friction: None, ..all() };
        let plain = Field::new(tractions, cube(1.0)).act(&near);
        let done = plain.force.dot(&near.u0) + plain.moment.dot(&near.u);
        assert!((done - action.power).abs() < 1e-12 * scale);
    }
}

/// What is lost is never negative, and is what damping and friction do.
#[test]
fn damping_and_friction_only_take() {
    let field = Field::new(all(), cube(1.0));
    for (p0, r, v, omega) in motions() {
        let near = rigid(p0, r, v, omega);
        let action = field.act(&near);
        assert!(action.dissipated > 0.0);
        let done = action.force.dot(&near.u0) + action.moment.dot(&near.u);
        let scale = action.dissipated + action.power.abs();
        assert!((done - action.power + action.dissipated).abs() < 1e-12 * scale);
    }
}

/// The derivative of the force by the height, against differences of fourth order.
#[test]
fn forces_differentiate() {
    let field = Field::new(all(), cube(1.0));
    for (p0, r, v, omega) in motions() {
        let near = rigid(p0, r, v, omega);
        let fixed = |x: f64| Dual { re: x, eps: [0.0] };
        let raised = Near {
            n: near.n.map(fixed),
            d: Height { a: Dual { re: near.d.a, eps: [1.0] }, b: near.d.b.map(fixed) },
            cof: None,
            u0: near.u0.map(fixed),
            u: near.u.map(fixed),
        };
        let by = field.act_by(&raised).force.z;
        let at = |h: f64| field.act(&Near { d: Height { a: near.d.a + h, ..near.d }, ..near }).force.z;
        let h = 1e-5;
        let slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
        assert!((by.eps[0] - slope).abs() < 1e-8 * by.eps[0].abs().max(by.re.abs()), "{} {slope}", by.eps[0]);
    }
}
