//! Balls on sheets of quadrics: a dish, its rim, a saddle, the waist of a hyperboloid.

use carom::geometry::Region;
use carom::geometry::surfaces::{Quadric, Superquadric};
use carom::prelude::*;

const G: f64 = 9.81;
/// of the dish z = ρ²/(2 R) − R/2 at its vertex [m]
const R: f64 = 0.5;
/// of the ball [m]
const BALL: f64 = 0.01;
const MASS: f64 = 0.1;
/// so stiff that a ball lies 1e-6 m deep [N/m^1.5]
const STIFFNESS: f64 = 1e9;

/// 1/R² (x² + y²) − 2 z/R = 1, up to the height z.
fn dish(z: f64) -> Quadric {
    let a = 1.0 / (R * R);
    let region = Region::new([-0.6, -0.6, -0.5 * R], [0.6, 0.6, z]).unwrap();
    Quadric::new(&[a, a, 0.0, 0.0, 0.0, -2.0 / R], Some(region)).unwrap()
}

fn model(ball: Body, sheet: SurfaceSpec, stiffness: f64, friction: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.body(ball.mass(MASS).surface(Sphere::new(BALL).unwrap()));
    b.body(Body::fixed("sheet").surface(sheet));
    let rule = ContactRule::between("sheet", "ball").normal(Hertz::new().stiffness(stiffness));
    b.contact(if friction > 0.0 { rule.friction(Tanh::new(friction, 100.0).unwrap()) } else { rule });
    b.build().unwrap()
}

/// Where the centre of a ball is whose closest point is at x, y = 0, a depth in the dish.
fn centre(x: f64, depth: f64) -> [f64; 3] {
    let slope = (R * R + x * x).sqrt();
    let (sin, cos) = (x / slope, R / slope);
    let off = BALL - depth;
    [x - off * sin, 0.0, x * x / (2.0 * R) - 0.5 * R + off * cos]
}

/// A quarter of the period of a ball that slides down from rest, its closest point at x0.
///
/// Its centre moves on the parallel of the parabola, C' = P' (1 − r κ), κ = R²/(R² + x²)^(3/2), and by energy at √(2 g ΔZ),
/// ΔZ = (x0² − x²)(1/(2 R) − r R/(s s0 (s + s0))), s² = R² + x². With x = x0 sin θ the integrand is smooth and periodic.
fn quarter_period(x0: f64) -> f64 {
    let s = |x: f64| (R * R + x * x).sqrt();
    let n = 64;
    let slice = |i: i32| {
        let x = x0 * (std::f64::consts::FRAC_PI_2 * (f64::from(i) + 0.5) / f64::from(n)).sin();
        let along = s(x) / R * (1.0 - BALL * R * R / s(x).powi(3));
        let height = 0.5 / R - BALL * R / (s(x) * s(x0) * (s(x) + s(x0)));
        along / (2.0 * G * height).sqrt()
    };
    (0..n).map(slice).sum::<f64>() * std::f64::consts::FRAC_PI_2 / f64::from(n)
}

#[test]
fn a_small_swing_is_that_of_a_pendulum() {
    let pendulum = std::f64::consts::FRAC_PI_2 * ((R - BALL) / G).sqrt();
    assert!((quarter_period(1e-4) / pendulum - 1.0).abs() < 1e-7);
}

/// A ball slides through a dish: at the bottom in the time that the energy integral gives.
#[test]
fn a_ball_slides_through_the_bottom_in_time() {
    for x0 in [0.05, 0.3] {
        let load = MASS * G * R / (R * R + x0 * x0).sqrt();
        let depth = (load / STIFFNESS).powf(2.0 / 3.0);
        for side in [SurfaceSpec::new(dish(-0.05)), SurfaceSpec::new(dish(-0.05)).inside()] {
            let model = model(Body::new("ball").position(centre(x0, depth)), side, STIFFNESS, 0.0);
            let run = Simulation::new(&model).duration(quarter_period(x0)).rtol(1e-10).run().unwrap();
            let end = run.end.frame.bodies[0];
            // what is left is the depth it lies at, some 1e-6 m of R
            let late = (end.position.x / end.velocity.x).abs() / quarter_period(x0);
            assert!(late < 4e-6, "{x0}: {late:e}");
            assert!(run.summary.audit_relative < 1e-9, "{}", run.summary);
        }
    }
}

/// Too fast for the dish it goes over the rim, and down beside it without a touch from behind.
#[test]
fn a_ball_leaves_over_the_rim() {
    let ball = Body::new("ball").position([0.0, 0.0, -0.5 * R + BALL]).velocity([1.6, 0.4, 0.0]);
    let model = model(ball, SurfaceSpec::new(dish(-0.2)).inside(), 1e6, 0.2);
    let run = Simulation::new(&model).duration(1.0).rtol(1e-10).run().unwrap();
    let end = run.end.frame.bodies[0];
    assert!(end.position.z < -1.0 && end.position.x > 0.2, "{end:?}");
    assert!(run.summary.touches >= 1 && run.summary.audit_relative < 1e-9, "{}", run.summary);
}

/// Under the dish it bounces off the back of the sheet.
#[test]
fn a_sheet_is_touched_from_behind() {
    let ball = Body::new("ball").position([0.02, 0.01, -0.6]).velocity([0.0, 0.0, 3.0]);
    let model = model(ball, SurfaceSpec::new(dish(-0.05)).inside(), 1e6, 0.0);
    let run = Simulation::new(&model).duration(0.3).rtol(1e-10).run().unwrap();
    assert!(run.summary.touches == 1 && run.summary.audit_relative < 1e-9, "{}", run.summary);
    assert!(run.end.frame.bodies[0].velocity.z < 0.0);
}

/// On the middle of the saddle 2 z + 1 = x²/p − y²/q a frictionless ball swings along x and runs away along y:
/// x'' = −g x/(p − r), y'' = g y/(q + r), to first order.
#[test]
fn a_ball_on_a_saddle() {
    let (p, q, small) = (0.5, 0.7, 1e-5);
    let region = Region::new([-0.5, -0.5, -1.0], [0.5, 0.5, 0.0]).unwrap();
    let saddle = Quadric::new(&[1.0 / p, -1.0 / q, 0.0, 0.0, 0.0, -2.0], Some(region)).unwrap();
    let depth = (MASS * G / STIFFNESS).powf(2.0 / 3.0);
    let ball = Body::new("ball").position([small, small, -0.5 + BALL - depth]);
    let model = model(ball, SurfaceSpec::new(saddle), STIFFNESS, 0.0);
    let t: f64 = 0.4;
    let run = Simulation::new(&model).duration(t).rtol(1e-11).run().unwrap();
    let end = run.end.frame.bodies[0].position;
    let x = small * ((G / (p - BALL)).sqrt() * t).cos();
    let y = small * ((G / (q + BALL)).sqrt() * t).cosh();
    assert!((end.x - x).abs() < 1e-5 * small && (end.y - y).abs() < 1e-5 * small, "{end} {x} {y}");
    assert!(run.summary.audit_relative < 1e-9, "{}", run.summary);
}

/// Weightless, straight along the waist of an hourglass, quadric or superquadric, pressed into its hollow: it comes back and forth.
#[test]
fn a_ball_along_the_waist() {
    let region = Region::new([-0.3; 3], [0.3; 3]).unwrap();
    let (a, c) = (0.1f64, 0.2f64);
    let round = Quadric::new(&[a.powi(-2), a.powi(-2), -c.powi(-2), 0.0, 0.0, 0.0], Some(region)).unwrap();
    let square = Superquadric::new(&[a.powi(-4), a.powi(-4), -c.powi(-3)], &[3.0, 4.0], region).unwrap();
    for sheet in [SurfaceSpec::new(round), SurfaceSpec::new(square)] {
        let ball = Body::new("ball")
            .position([a + BALL, 0.0, 0.0])
            .velocity([-0.1, 0.02, 0.3])
            .angular_velocity([1.0, 2.0, 3.0]);
        let mut b = ModelBuilder::new();
        b.gravity([0.0, 0.0, -1.0]);
        b.body(ball.mass(MASS).surface(Sphere::new(BALL).unwrap()));
        b.body(Body::fixed("hourglass").surface(sheet));
        let rule = ContactRule::between("hourglass", "ball").normal(Hertz::new().stiffness(1e6));
        b.contact(rule.friction(Tanh::new(0.2, 100.0).unwrap()));
        let run = Simulation::new(&b.build().unwrap()).duration(0.5).rtol(1e-10).run().unwrap();
        assert!(run.summary.touches >= 1 && run.summary.audit_relative < 1e-9, "{}", run.summary);
    }
}
