//! A soft cylinder in the plane by other coordinates and another integral: Contento et al. 2009, Eqs 23 and 24.
//!
//! F = R(θ) U, U = [(1 + κ²)/χ, κ; κ, χ], which keeps area by itself: the coordinates (x, y, θ, χ, κ) have no constraint and no pressure. Lagrange's
//! equations with T = ½ m v² + ½ tr(Ḟ J Ḟᵀ), and the field by the trapezoid rule over the circle, point by point.

use carom::law::elastic::{Elastic, MooneyRivlin};
use carom::prelude::*;
use carom::{FieldRule, Repulsion};
use nalgebra::{Matrix2, Matrix3 as M3, UnitQuaternion, Vector2, Vector3};

type F2 = Matrix2<f64>;

const R: f64 = 0.3;
const RHO: f64 = 4e3;
const C: f64 = 6e4;
const MU: f64 = 100.0;
const G: f64 = 9.81;
/// α_r and ν, β_d and β_f with the exponent 2
const ALPHA: (f64, i32) = (1.2457697966862665e-16, 8);
const DAMPING: f64 = 2e-2;
const FRICTION: f64 = 0.5;
/// how much lower than the centre of the circle the centre of mass is, and J/(ρ π R⁴/4)
const LOW: f64 = 0.2 * R;
const EULER: [f64; 2] = [1.0, 0.84];

fn turn(theta: f64) -> F2 {
    F2::new(theta.cos(), -theta.sin(), theta.sin(), theta.cos())
}

/// F, its derivatives by θ, χ, κ, and the second ones.
fn shape(theta: f64, chi: f64, kappa: f64) -> (F2, [F2; 3], [[F2; 3]; 3]) {
    let (r, e) = (turn(theta), F2::new(0.0, -1.0, 1.0, 0.0));
    let s = 1.0 + kappa * kappa;
    let u = F2::new(s / chi, kappa, kappa, chi);
    let by_chi = F2::new(-s / (chi * chi), 0.0, 0.0, 1.0);
    let by_kappa = F2::new(2.0 * kappa / chi, 1.0, 1.0, 0.0);
    let corner = |x: f64| F2::new(x, 0.0, 0.0, 0.0);
    let (cc, ck, kk) = (corner(2.0 * s / chi.powi(3)), corner(-2.0 * kappa / (chi * chi)), corner(2.0 / chi));
    let first = [r * e * u, r * by_chi, r * by_kappa];
    let (tc, tk) = (r * e * by_chi, r * e * by_kappa);
    (r * u, first, [[-r * u, tc, tk], [tc, r * cc, r * ck], [tk, r * ck, r * kk]])
}

/// Force and ∫ q ⊗ X dA of the field, by so many points of the circle.
fn field(p: &Vector2<f64>, v: &Vector2<f64>, f: &F2, f_dot: &F2, points: usize) -> (Vector2<f64>, F2) {
    let (mut force, mut moment) = (Vector2::zeros(), F2::zeros());
    let cof = F2::new(f[(1, 1)], -f[(1, 0)], -f[(0, 1)], f[(0, 0)]);
    let da = std::f64::consts::TAU * R / points as f64;
    for i in 0..points {
        let phi = std::f64::consts::TAU * i as f64 / points as f64;
        let m = Vector2::new(phi.cos(), phi.sin());
        let x = R * m + Vector2::new(0.0, LOW);
        let (d, u) = (p.y + (f * x).y, v + f_dot * x);
        let k = (cof * m).norm();
        let q = Vector2::new(-FRICTION / (d * d) * u.x, ALPHA.0 * d.powi(-ALPHA.1) - DAMPING / (d * d) * u.y);
        force += q * (k * da);
        moment += q * x.transpose() * (k * da);
    }
    (force, moment)
}

/// The rates of (x, y, θ, χ, κ) and of their rates.
fn rates(_: f64, y: &[f64], dy: &mut [f64]) {
    let mass = RHO * std::f64::consts::PI * R * R;
    let vol = std::f64::consts::PI * R * R;
    let j = F2::from_diagonal(&Vector2::from(EULER)) * (mass * R * R / 4.0);
    let (f, by, second) = shape(y[2], y[3], y[4]);
    let q_dot = Vector3::new(y[7], y[8], y[9]);
    let f_dot = by[0] * q_dot.x + by[1] * q_dot.y + by[2] * q_dot.z;
    let (p, v) = (Vector2::new(y[0], y[1]), Vector2::new(y[5], y[6]));
    let (force, moment) = field(&p, &v, &f, &f_dot, 1200);
    let inv = f.try_inverse().unwrap();
    let l = f_dot * inv;
    let viscous = (l + l.transpose()) * (0.5 * MU) * inv.transpose();
    // M − vol (∂φ/∂F + S_v): of φ = c (|F|² − 2)
    let pull = moment - (f * (2.0 * C) + viscous) * vol;
    let mut bend = F2::zeros();
    for a in 0..3 {
        for b in 0..3 {
            bend += second[a][b] * (q_dot[a] * q_dot[b]);
        }
    }
    let inertia = M3::from_fn(|a, b| (by[a] * j).dot(&by[b]));
    let load = Vector3::from_fn(|a, _| by[a].dot(&pull) - (by[a] * j).dot(&bend));
    let q_ddot = inertia.try_inverse().unwrap() * load;
    let a = force / mass - Vector2::new(0.0, G);
    dy.copy_from_slice(&[y[5], y[6], y[7], y[8], y[9], a.x, a.y, q_ddot.x, q_ddot.y, q_ddot.z]);
}

#[test]
fn other_coordinates_give_the_same_motion() {
    let (start, spin, t_end) = ([0.0, R + 0.052 - LOW], 5.0, 0.6);
    let y0 = [start[0], start[1], 0.0, 1.0, 0.0, 0.7, 0.0, spin, 0.0, 0.0];
    let mut alone = carom::ode::Ivp::new(rates, 0.0, y0).method("dop853").rtol(1e-12).atol(1e-13);
    let alone = alone.solve_to(t_end).unwrap();
    let y = alone.y_end();

    let mut b = ModelBuilder::new();
    b.gravity([0.0, -G, 0.0]);
    let turned = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), -std::f64::consts::FRAC_PI_2);
    b.body(Body::fixed("support").surface(SurfaceSpec::new(Plane).turned(turned)));
    // its reference point is the centre of the circle
    let rubber = Elastic::new(MooneyRivlin::new(0.4 * C, 0.6 * C).unwrap()).viscosity(MU);
    let roll = Body::affine("roll", rubber).density(RHO).density_gradient([0.0, -0.8 * RHO / R, 0.0]);
    let roll = roll.dofs(&[Dof::X, Dof::Y, Dof::Rz]).position([start[0], start[1] + LOW, 0.0]);
    // v of the centre of mass is v + ω × r: the reference point is LOW above it
    let roll = roll.velocity([0.7 - spin * LOW, 0.0, 0.0]).angular_velocity([0.0, 0.0, spin]);
    b.body(roll.surface(Cylinder::new(R, 1.0).unwrap()));
    let rule = FieldRule::between("roll", "support");
    let rule = rule.repulsion(ALPHA.1 as u32, Repulsion::Coefficient(ALPHA.0));
    b.field(rule.damping(2, DAMPING).friction(2, FRICTION));
    let model = b.build().unwrap();
    let run = Simulation::new(&model).duration(t_end).rtol(1e-13).atol(1e-13).method("dop853").run().unwrap();
    let body = run.end.body("roll").unwrap();
    let (f, by, _) = shape(y[2], y[3], y[4]);
    let f_dot = by[0] * y[7] + by[1] * y[8] + by[2] * y[9];
    let (p, v) = body.point(&Vec3::new(0.0, -LOW, 0.0));
    let d = body.deformation.unwrap();
    for i in 0..2 {
        assert!((p[i] - y[i]).abs() < 1e-9 && (v[i] - y[5 + i]).abs() < 1e-9, "{p} {v} {y:?}");
        for k in 0..2 {
            assert!((d.f[(i, k)] - f[(i, k)]).abs() < 1e-9, "{} {f}", d.f);
            assert!((d.f_dot[(i, k)] - f_dot[(i, k)]).abs() < 1e-7, "{} {f_dot}", d.f_dot);
        }
    }
    // it has been pressed hard, and has turned
    assert!(y[2].abs() > 0.5 && (y[3] - 1.0).abs() + y[4].abs() > 1e-2, "{y:?}");
    assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
}
