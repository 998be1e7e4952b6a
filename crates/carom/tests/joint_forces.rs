//! Forces along coordinates against closed forms: springs of joints, torsion springs, bushings.

use std::f64::consts::TAU;

use crate::common::frames;
use carom::prelude::*;
use carom::{Cylindrical, Formula, PlanarJoint};

/// The damped oscillator q̈ + 2 ζ ω q̇ + ω² q = 0 from q0 at rest.
fn damped(q0: f64, omega: f64, zeta: f64, t: f64) -> f64 {
    let w = omega * (1.0 - zeta * zeta).sqrt();
    q0 * (-zeta * omega * t).exp() * ((w * t).cos() + zeta * omega / w * (w * t).sin())
}

/// A wheel of I on a hinge, and a carriage of m on a rail, by springs and dashpots: both are the damped oscillator; a wheel is wound up by five turns.
#[test]
fn springs_of_joints_are_oscillators() {
    let (inertia, mass, k, c) = (0.3, 0.7, 12.0, 0.4);
    for turns in [0.1, 5.0] {
        let q0 = turns * TAU;
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::fixed("ground"));
        b.body(Body::new("wheel").mass(1.0).inertia([0.2, 0.2, inertia]));
        b.body(Body::new("carriage").mass(mass).inertia([1.0; 3]));
        b.joint(
            Joint::between("wheel", "ground", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("hinge"),
        );
        b.joint(Joint::between("carriage", "ground", Prismatic).axis([0.0, 1.0, 0.0]).named("rail"));
        let spring = CoordinateSpring::new(k).unwrap().damping(c).rest(-q0);
        b.force(Force::torsion("hinge", spring)).force(Force::slide("rail", spring));
        let times: Vec<f64> = (1..=20).map(|i| 0.3 * f64::from(i)).collect();
        let (frames, run) = frames(&b.build().unwrap(), "dop853", 1e-12, &times);
        for frame in &frames {
            let of = |inertia: f64| {
                let omega = (k / inertia).sqrt();
                damped(q0, omega, c / (2.0 * inertia * omega), frame.t) - q0
            };
            let y = frame.bodies[1].position.y;
            assert!((y - of(mass)).abs() < 2e-11 * q0, "{turns}: {y} {}", of(mass));
            // within a turn, as a quaternion knows it
            let q = frame.bodies[0].orientation;
            let now = 2.0 * q.k.atan2(q.w);
            let off = (of(inertia) - now) / TAU;
            assert!((off - off.round()).abs() < 1e-11 * turns.max(1.0), "{turns}: {off:e}");
        }
        assert!(run.summary.audit_relative < 1e-11, "{:e}", run.summary.audit_relative);
    }
}

/// A spring between two free wheels turns them against each other: ω² = k (1/I₁ + 1/I₂), and what they have together stays.
#[test]
fn a_wire_between_free_bodies() {
    let (i1, i2, k, w0) = (0.3, 0.5, 7.0, 2.0);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(Body::new("a").mass(1.0).inertia([i1; 3]).angular_velocity([0.0, 0.0, w0]));
    b.body(Body::new("b").mass(1.0).inertia([i2; 3]).position([0.0, 0.0, 1.0]));
    b.force(Force::torsion_about("a", "b", [0.0, 0.0, 2.0], CoordinateSpring::new(k).unwrap()));
    let (frames, run) = frames(&b.build().unwrap(), "dop853", 1e-12, &[0.7, 3.1]);
    let omega = (k * (1.0 / i1 + 1.0 / i2)).sqrt();
    for frame in &frames {
        let mean = i1 * w0 / (i1 + i2);
        let wa = mean + (w0 - mean) * (omega * frame.t).cos();
        let found = frame.bodies[0].angular_velocity;
        assert!((found - Vec3::new(0.0, 0.0, wa)).norm() < 1e-11, "{found} {wa}");
    }
    assert!(run.summary.audit_relative < 1e-11, "{:e}", run.summary.audit_relative);
}

const ALONG: [f64; 3] = [900.0, 400.0, 1600.0];
const ABOUT: [f64; 3] = [8.0, 18.0, 50.0];

fn mounted(gravity: f64) -> ModelBuilder {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -gravity]).body(Body::fixed("frame"));
    b.body(Body::new("engine").mass(4.0).inertia([0.5, 0.5, 0.5]));
    b
}

/// A body on a bushing at its centre of mass: ω = √(k/m) and √(k_θ/I); its equilibrium is m g/k lower.
#[test]
fn the_modes_of_a_body_on_a_bushing() {
    let mut b = mounted(9.81);
    b.force(Force::bushing("engine", "frame", Bushing::new(ALONG, ABOUT).unwrap()));
    let model = b.build().unwrap();
    let rest = Equilibrium::find(&model).unwrap();
    let z = rest.bodies[0].position.z;
    assert!((z + 4.0 * 9.81 / ALONG[2]).abs() < 1e-15, "{z}");
    assert!(rest.stable() && rest.neutral.is_empty());
    let modes = Modes::about(&model, rest).unwrap();
    let mut expected: Vec<f64> = ALONG
        .iter()
        .map(|k| (k / 4.0_f64).sqrt())
        .chain(ABOUT.iter().map(|k| (k / 0.5_f64).sqrt()))
        .collect();
    expected.sort_by(f64::total_cmp);
    let mut found: Vec<f64> = modes.modes.iter().map(carom::Mode::omega).collect();
    found.sort_by(f64::total_cmp);
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
    }
    assert_eq!(found.len(), 6);
}

/// The same in motion, each coordinate by itself, whether the axes are those of the world or not; and turns of 80 degrees about one axis are exact.
#[test]
fn a_body_on_a_bushing_oscillates() {
    let (axis, x_axis) = ([1.0, 2.0, -0.5], [0.3, -0.2, 0.4]);
    let z = Vec3::from(axis).normalize();
    let x = (Vec3::from(x_axis) - z * z.dot(&Vec3::from(x_axis))).normalize();
    let frame = [x, z.cross(&x), z];
    for i in 0..3 {
        for turns in [false, true] {
            let mut b = ModelBuilder::new();
            let (mass, inertia, v0) = (4.0, 0.5, 2.0);
            let (omega, along) = match turns {
                false => ((ALONG[i] / mass).sqrt(), frame[i] * v0),
                // up to 80 degrees
                true => ((ABOUT[i] / inertia).sqrt(), frame[i] * (1.4 * (ABOUT[i] / inertia).sqrt())),
            };
            let zero = Vec3::zeros();
            let (v, w) = if turns { (zero, along) } else { (along, zero) };
            let body = Body::new("engine").mass(mass).inertia([inertia; 3]);
            b.gravity([0.0; 3]).body(Body::fixed("frame"));
            b.body(body.velocity(v.into()).angular_velocity(w.into()));
            let bushing = Bushing::new(ALONG, ABOUT).unwrap();
            b.force(Force::bushing("engine", "frame", bushing).at([0.0; 3]).axis(axis).x_axis(x_axis));
            let (frames, run) = frames(&b.build().unwrap(), "dop853", 1e-12, &[0.4, 1.3]);
            for f in &frames {
                let body = &f.bodies[0];
                let found = if turns { body.angular_velocity } else { body.velocity };
                let expected = along * (omega * f.t).cos();
                assert!((found - expected).norm() < 1e-10 * along.norm(), "{i} {turns}: {found} {expected}");
            }
            assert!(run.summary.audit_relative < 1e-11, "{:e}", run.summary.audit_relative);
        }
    }
}

/// Off its centre and turning about all axes at once, between two free bodies: energy and momentum are kept, and what is damped is in the ledger.
#[test]
fn a_bushing_keeps_the_ledger() {
    for damping in [0.0, 3.0] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        b.body(
            Body::new("a")
                .mass(4.0)
                .inertia([0.5, 0.7, 0.9])
                .velocity([0.3, 0.2, -0.1])
                .angular_velocity([1.0, -2.0, 1.5]),
        );
        b.body(Body::new("b").mass(3.0).inertia([0.4, 0.3, 0.5]).position([0.4, 0.1, 0.2]));
        let bushing = Bushing::new(ALONG, ABOUT).unwrap().damping([damping; 3], [0.1 * damping; 3]);
        b.force(Force::bushing("a", "b", bushing).at([0.2, 0.1, 0.0]));
        let model = b.build().unwrap();
        let (frames, run) = frames(&model, "dop853", 1e-11, &[0.5, 2.0]);
        for f in &frames {
            let p: Vec3 = 4.0 * f.bodies[0].velocity + 3.0 * f.bodies[1].velocity;
            assert!((p - Vec3::new(1.2, 0.8, -0.4)).norm() < 1e-10, "{p}");
        }
        assert!(run.summary.audit_relative < 1e-10, "{:e}", run.summary.audit_relative);
        assert_eq!(damping > 0.0, run.end.frame.energy.dissipated_viscous > 0.1);
    }
}

/// A body that is moved does the work that the spring takes.
#[test]
fn work_of_a_moved_body_is_in_the_ledger() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(Body::prescribed("shaft", Spin { axis: Vec3::z_axis(), rate: 4.0 }));
    b.body(Body::new("wheel").mass(1.0).inertia([0.3; 3]));
    let wire = CoordinateSpring::new(5.0).unwrap().damping(0.2);
    b.force(Force::torsion_about("wheel", "shaft", [0.0, 0.0, 1.0], wire));
    let (frames, run) = frames(&b.build().unwrap(), "dop853", 1e-12, &[3.0]);
    let omega = (5.0_f64 / 0.3).sqrt();
    let zeta = 0.2 / (2.0 * 0.3 * omega);
    let w = omega * (1.0 - zeta * zeta).sqrt();
    let t = 3.0;
    // relative angle θ with θ̇(0) = −4
    let rate = -4.0 * (-zeta * omega * t).exp() * ((w * t).cos() - zeta * omega / w * (w * t).sin());
    let found = frames[0].bodies[1].angular_velocity.z;
    assert!((found - (4.0 + rate)).abs() < 1e-10, "{found}");
    assert!(run.summary.audit_relative < 1e-11, "{:e}", run.summary.audit_relative);
    assert!(run.end.frame.energy.work > 0.1);
}

/// Implicit methods, by the exact Jacobian, come to the same.
#[test]
fn every_stiff_method_takes_springs_of_joints() {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("ground"))
        .body(Body::new("bar").mass(2.0).inertia([0.2; 3]).position([0.5, 0.0, 0.0]));
    b.joint(Joint::between("bar", "ground", Cylindrical).at([0.0; 3]).axis([0.0, 1.0, 0.0]).named("sleeve"));
    b.force(Force::torsion("sleeve", CoordinateSpring::new(30.0).unwrap().damping(1.0)).named("twist"));
    b.force(
        Force::slide("sleeve", CoordinateSpring::new(1e4).unwrap().damping(200.0).rest(0.01)).named("push"),
    );
    let model = b.build().unwrap();
    let (exact, _) = frames(&model, "dop853", 1e-12, &[1.0]);
    for method in ["radau5", "ode15s"] {
        let (found, run) = frames(&model, method, 1e-9, &[1.0]);
        let off = (found[0].bodies[0].position - exact[0].bodies[0].position).norm();
        assert!(off < 1e-7, "{method}: {off:e}");
        assert!(run.summary.audit_relative < 1e-6, "{method}: {:e}", run.summary.audit_relative);
    }
}

/// A planar joint's x, y and angle follow their courses.
#[test]
fn a_planar_joint_is_driven_along_its_three_coordinates() {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("table")).body(Body::new("tool").mass(2.0).inertia([0.1, 0.2, 0.3]));
    b.joint(Joint::between("tool", "table", PlanarJoint).at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("xy"));
    for (what, course) in [("x", "0.2*(1 - cos(3*t))"), ("y", "0.1*t^2"), ("angle", "0.5*t^2")] {
        b.drive(Drive::new(&format!("joint/xy/{what}"), Formula::new(course).unwrap()));
    }
    let (frames, run) = frames(&b.build().unwrap(), "dop853", 1e-11, &[0.7, 2.0]);
    for f in &frames {
        let (p, w) = (f.bodies[0].position, f.bodies[0].angular_velocity);
        let expected = Vec3::new(0.2 * (1.0 - (3.0 * f.t).cos()), 0.1 * f.t * f.t, 0.0);
        assert!((p - expected).norm() < 1e-12, "{p} {expected}");
        assert!((w - Vec3::new(0.0, 0.0, f.t)).norm() < 1e-11, "{w}");
    }
    assert!(run.summary.audit_relative < 1e-10, "{:e}", run.summary.audit_relative);
}

/// A bar on a hinge with a torsion spring hangs where k θ = m g l cos θ, and swings there at ω² = (k + m g l sin θ)/I; one on a stop rests on it, ω² = 3/2 K δ^(1/2) ρ²/I + …
#[test]
fn a_bar_on_a_torsion_spring_has_an_equilibrium_and_a_mode() {
    let (mass, own, arm, k) = (3.0, 0.25, 0.5, 20.0);
    let (inertia, weight) = (own + mass * arm * arm, mass * 9.81 * arm);
    let bar = |joint: fn(Joint) -> Joint, spring: bool| {
        let mut b = ModelBuilder::new();
        b.body(Body::fixed("ground"));
        b.body(Body::new("bar").mass(mass).inertia([own; 3]).position([arm, 0.0, 0.0]));
        let hinge =
            Joint::between("bar", "ground", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]).named("hinge");
        b.joint(joint(hinge));
        if spring {
            b.force(Force::torsion("hinge", CoordinateSpring::new(k).unwrap()));
        }
        let modes = Modes::new(&b.build().unwrap()).unwrap();
        let p = modes.at.bodies[0].position;
        assert_eq!(modes.modes.len(), 1);
        ((-p.z).atan2(p.x), modes.modes[0].omega_squared)
    };
    let newton = |mut q: f64, f: &dyn Fn(f64) -> (f64, f64)| {
        (0..50).for_each(|_| q -= f(q).0 / f(q).1);
        q
    };
    let (angle, found) = bar(|j| j, true);
    let expected = newton(0.5, &|q| (k * q - weight * q.cos(), k + weight * q.sin()));
    assert!((angle - expected).abs() < 1e-13, "{angle} {expected}");
    let omega = (k + weight * expected.sin()) / inertia;
    assert!((found / omega - 1.0).abs() < 1e-11, "{found} {omega}");

    let (rho, stiff, limit) = (0.4, 1e6, 0.3);
    let (angle, found) =
        bar(|j| j.upper("angle", 0.3).stop_radius(0.4).stop(Hertz::new().stiffness(1e6)), false);
    let push = |q: f64| stiff * (rho * (q - limit)).powf(1.5) * rho;
    let slope = |q: f64| 1.5 * stiff * (rho * (q - limit)).sqrt() * rho * rho;
    let expected = newton(0.302, &|q| (push(q) - weight * q.cos(), slope(q) + weight * q.sin()));
    assert!((angle - expected).abs() < 1e-13, "{angle} {expected}");
    let omega = (slope(expected) + weight * expected.sin()) / inertia;
    assert!((found / omega - 1.0).abs() < 1e-10, "{found} {omega}");
}
