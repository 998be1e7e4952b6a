//! Limits of joints on bodies that deform: against equations of few coordinates that are integrated by themselves, and the rigid limit.

use carom::law::elastic::{Elastic, NeoHookean};
use carom::prelude::*;
use carom::{Cylindrical, PlanarJoint, Run};
use carom_testkit::near;

/// A ball of gel: density [kg/m³], radius [m].
const BALL: (f64, f64) = (1e3, 0.2);

fn jelly(g: f64, kappa: f64) -> Body {
    let elastic = Elastic::new(NeoHookean::new(g).unwrap()).bulk_modulus(kappa);
    Body::affine("jelly", elastic).density(BALL.0).surface(Sphere::new(BALL.1).unwrap())
}

/// Mass, volume and Euler moment ∫ x² dm of the ball.
fn ball() -> (f64, f64, f64) {
    let (rho, r) = BALL;
    let vol = 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
    (rho * vol, vol, rho * vol * r * r / 5.0)
}

fn run(b: &ModelBuilder, duration: f64) -> (Recording, Run) {
    let mut recording = Recording::default();
    let model = b.build().unwrap();
    let sim = Simulation::new(&model).duration(duration).rtol(1e-12).atol(1e-12);
    let run = sim.run_into(&mut recording).unwrap();
    (recording, run)
}

fn spring(k: f64) -> Hertz {
    Hertz::new().stiffness(k).exponent(1.0)
}

/// P = ∂/∂F of ½ G (|F̄|² − 3) + ½ κ (det F − 1)².
fn stress(f: &Mat3, g: f64, kappa: f64) -> Mat3 {
    let (j, inv_t) = (f.determinant(), f.try_inverse().unwrap().transpose());
    (f - inv_t * (f.norm_squared() / 3.0)) * (g * j.powf(-2.0 / 3.0)) + inv_t * (kappa * (j - 1.0) * j)
}

/// A wheel of inertia I on the middle of a ball of gel is stopped at an angle: θ and F are all there is,
/// I θ̈ = −k δ ∂δ/∂θ,  J F̈ = −V P − k δ ∂δ/∂F,  δ = ρ (atan2(D·F y, D·F x) − θ₀), D = (cos θ, sin θ, 0).
#[test]
fn a_wheel_is_stopped_on_a_ball_of_gel() {
    let (g, kappa, inertia, omega, limit, rho, k) = (4e3, 2e4, 0.02, 3.0, 0.5, 0.2, 2e3);
    let (_, vol, euler) = ball();
    let end = 0.3;
    for planar in [false, true] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(jelly(g, kappa));
        b.body(Body::new("wheel").mass(1.0).inertia([inertia; 3]).angular_velocity([0.0, 0.0, omega]));
        // what a peg does to a hinge, a couple does where there is none
        let joint = match planar {
            false => Joint::between("wheel", "jelly", Revolute),
            true => Joint::between("wheel", "jelly", PlanarJoint),
        };
        let joint = joint.at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("axle");
        b.joint(joint.upper("angle", limit).stop_radius(rho).stop(spring(k)));
        let (found, run) = run(&b, end);
        near("touch", found.events[0].t, limit / omega, 1e-11);
        near("speed", found.events[0].speed, rho * omega, 1e-11);
        assert!(found.events.iter().any(|e| e.kind == EventKind::Release));

        let rates = |_: f64, y: &[f64], dy: &mut [f64]| {
            let (theta, f) = (y[0], Mat3::from_column_slice(&y[1..10]));
            let d = Vec3::new(theta.cos(), theta.sin(), 0.0);
            let turned = Vec3::new(-theta.sin(), theta.cos(), 0.0);
            let (x, y_b) = (f.column(0).into_owned(), f.column(1).into_owned());
            let (c, s) = (d.dot(&x), d.dot(&y_b));
            let square = c * c + s * s;
            let force = k * (rho * (s.atan2(c) - limit)).max(0.0) * rho / square;
            let by_theta = turned.dot(&(y_b * c - x * s));
            let by_f = d * Vec3::new(-s, c, 0.0).transpose();
            let f_ddot = (stress(&f, g, kappa) * -vol - by_f * force) / euler;
            dy[..10].copy_from_slice(&y[10..]);
            dy[10] = -force * by_theta / inertia;
            dy[11..].copy_from_slice(f_ddot.as_slice());
        };
        let mut start = [0.0; 20];
        start[1..10].copy_from_slice(Mat3::identity().as_slice());
        start[10] = omega;
        let mut alone = carom::ode::Ivp::new(rates, 0.0, start).method("dop853").rtol(1e-13).atol(1e-13);
        let alone = alone.solve_to(end).unwrap();
        let y = alone.y_end();
        let f = Mat3::from_column_slice(&y[1..10]);
        let shape = run.end.body("jelly").unwrap().deformation.unwrap().f;
        near("spin", run.end.body("wheel").unwrap().angular_velocity.z, y[10], 1e-9 * omega);
        // principal stretches, whichever way the axes of the joint are
        let squares = |f: &Mat3| {
            let mut all = (f.transpose() * f).symmetric_eigenvalues();
            all.as_mut_slice().sort_by(f64::total_cmp);
            all
        };
        near("stretches", (squares(&shape) - squares(&f)).norm(), 0.0, 1e-9);
        assert!((squares(&f) - Vec3::repeat(1.0)).norm() > 1e-3, "it has been strained");
        assert!(run.summary.audit_relative < 1e-10, "{:e}", run.summary.audit_relative);
    }
}

/// A block on a rail through the middle of a ball of gel: s = (x_a − x_b) F_xx, so that its stop draws the ball out as well,
/// m_a ẍ_a = −k δ F_xx = −m_b ẍ_b,  J F̈ = −V P − k δ (x_a − x_b) e ⊗ e.
#[test]
fn a_block_is_stopped_on_a_ball_of_gel() {
    let (g, kappa, mass, v, limit, k) = (4e3, 2e4, 2.0, 0.6, 0.3, 2e4);
    let (of_ball, vol, euler) = ball();
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(jelly(g, kappa));
    b.body(Body::new("block").mass(mass).inertia([0.1; 3]).velocity([v, 0.0, 0.0]));
    let rail = Joint::between("block", "jelly", Prismatic).at([0.0; 3]).axis([1.0, 0.0, 0.0]).named("rail");
    b.joint(rail.upper("displacement", limit).stop(spring(k)));
    let end = 0.7;
    let (found, run) = run(&b, end);
    near("touch", found.events[0].t, limit / v, 1e-11);
    near("speed", found.events[0].speed, v, 1e-11);
    assert!(found.events.iter().any(|e| e.kind == EventKind::Release));

    let rates = |_: f64, y: &[f64], dy: &mut [f64]| {
        let (d, f) = (y[0] - y[1], Mat3::from_column_slice(&y[2..11]));
        let force = k * (d * f[(0, 0)] - limit).max(0.0);
        let mut load = stress(&f, g, kappa) * -vol;
        load[(0, 0)] -= force * d;
        dy[..11].copy_from_slice(&y[11..]);
        (dy[11], dy[12]) = (-force * f[(0, 0)] / mass, force * f[(0, 0)] / of_ball);
        dy[13..].copy_from_slice((load / euler).as_slice());
    };
    let mut start = [0.0; 22];
    start[2..11].copy_from_slice(Mat3::identity().as_slice());
    start[11] = v;
    let mut alone = carom::ode::Ivp::new(rates, 0.0, start).method("dop853").rtol(1e-13).atol(1e-13);
    let alone = alone.solve_to(end).unwrap();
    let y = alone.y_end();
    let shape = run.end.body("jelly").unwrap().deformation.unwrap().f;
    near("speed of the block", run.end.body("block").unwrap().velocity.x, y[11], 1e-9 * v);
    near("speed of the ball", run.end.body("jelly").unwrap().velocity.x, y[12], 1e-9 * v);
    near("F", (shape - Mat3::from_column_slice(&y[2..11])).norm(), 0.0, 1e-9);
    assert!((shape[(0, 0)] - 1.0).abs() > 1e-4, "it has been strained");
    assert!(run.summary.audit_relative < 1e-10, "{:e}", run.summary.audit_relative);
}

/// What stops do to a stiff ball is what they do to a rigid one, but for terms of 1/G: four times as stiff, four times as near.
#[test]
fn stiff_bodies_are_nearly_rigid() {
    let stop = || HuntCrossley::restitution(0.6).unwrap().stiffness(3e4);
    let (mass, _, euler) = ball();
    // speeds of the rod along and about the axis after both stops were met, and when it left them
    let met = |g: Option<f64>| {
        let ball = match g {
            Some(g) => jelly(g, 2.0 * g),
            None => Body::new("jelly").mass(mass).inertia([2.0 * euler; 3]),
        };
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(ball);
        let rod = Body::new("rod").mass(2.0).inertia([0.05; 3]).position([0.1, 0.0, 0.0]);
        b.body(rod.velocity([0.0, 0.3, 0.5]).angular_velocity([0.0, 0.0, 3.0]));
        let sleeve = Joint::between("rod", "jelly", Cylindrical).at([0.0; 3]).axis([0.0, 0.0, 1.0]);
        let sleeve = sleeve.upper("angle", 0.6).upper("displacement", 0.15).stop_radius(0.2);
        b.joint(sleeve.named("sleeve").stop(stop()));
        let (found, run) = run(&b, 0.5);
        // (the largest of the run, in the stops)
        assert!(run.summary.audit_relative < 3e-9, "{:e}", run.summary.audit_relative);
        let released = |name: &str| {
            let of = |e: &&Event| e.contact == format!("sleeve/{name}") && e.kind == EventKind::Release;
            found.events.iter().find(of).unwrap().t
        };
        [released("max_angle"), released("max_displacement")]
    };
    let rigid = met(None);
    let [soft, stiff] = [1e7, 4e7].map(|g| met(Some(g)));
    for i in 0..2 {
        let (far, near) = (soft[i] - rigid[i], stiff[i] - rigid[i]);
        assert!(far.abs() < 1e-4 && (near / far - 0.25).abs() < 0.02, "{far:e} {near:e}");
    }
}

/// Whatever stops what, nothing is lost of the momenta of two bodies that float: all stops of a sleeve and a ball joint between two soft bodies.
#[test]
fn stops_keep_momenta() {
    let gel = |name: &str| {
        let elastic = Elastic::new(NeoHookean::new(2e4).unwrap()).bulk_modulus(6e4);
        Body::affine(name, elastic).density(1e3).surface(Cuboid::new([0.3, 0.2, 0.4]).unwrap())
    };
    let start = |joint: Joint| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(gel("a").velocity([0.3, -0.2, 0.5]).angular_velocity([0.4, 2.0, 1.0]));
        b.body(gel("b").position([0.3, 0.1, 0.0]));
        b.joint(joint.named("j").stop(spring(3e4)).stop_radius(0.2));
        let model = b.build().unwrap();
        let inertia = model.inertia("a").unwrap();
        let euler = Mat3::from_diagonal_element(0.5 * inertia.trace()) - inertia;
        let mass = model.mass("a").unwrap();
        let mut found = Recording::default();
        let sim = Simulation::new(&model).duration(0.4).rtol(1e-12).atol(1e-12).output_every(0.02);
        let run = sim.run_into(&mut found).unwrap();
        assert!(run.summary.audit_relative < 1e-10, "{:e}", run.summary.audit_relative);
        let momenta = |frame: &Frame| {
            frame.bodies.iter().fold([Vec3::zeros(); 2], |[p, l], body| {
                let d = body.deformation.unwrap();
                let k = d.f_dot * euler * d.f.transpose();
                let own = Vec3::new(k[(2, 1)] - k[(1, 2)], k[(0, 2)] - k[(2, 0)], k[(1, 0)] - k[(0, 1)]);
                let along = body.velocity * mass;
                [p + along, l + own + body.position.cross(&along)]
            })
        };
        let [p, l] = momenta(&found.frames[0]);
        for frame in &found.frames {
            let [p_t, l_t] = momenta(frame);
            near("momentum", (p_t - p).norm(), 0.0, 1e-11 * p.norm());
            near("spin", (l_t - l).norm(), 0.0, 1e-11 * l.norm());
        }
        found.events.len()
    };
    let between = |kind: &str| match kind {
        "sleeve" => Joint::between("a", "b", Cylindrical).at([0.1, 0.0, 0.1]).axis([0.0, 0.6, 0.8]),
        "plane" => Joint::between("a", "b", PlanarJoint).at([0.1, 0.0, 0.1]).axis([0.0, 0.6, 0.8]),
        _ => Joint::between("a", "b", Spherical).at([0.1, 0.0, 0.1]).axis([0.0, 0.6, 0.8]),
    };
    let both = between("sleeve").upper("angle", 0.05).lower("angle", -0.05);
    assert!(start(both.upper("displacement", 0.02).lower("displacement", -0.02)) > 3);
    assert!(start(between("plane").upper("angle", 0.05).lower("angle", -0.05)) > 1);
    assert!(start(between("ball").upper("swing", 0.1)) > 1);
}
