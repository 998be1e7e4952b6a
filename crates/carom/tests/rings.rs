//! Rings that knock against each other, and links of a chain.

use std::f64::consts::FRAC_PI_2;

use crate::common::near;
use carom::geometry::Pose;
use carom::geometry::surfaces::Torus;
use carom::law::Material;
use carom::prelude::{
    Body, ContactRule, EventKind, Flores, Hertz, ModelBuilder, Quat, Recording, Simulation, SurfaceSpec, Vec3,
};

fn ring(major: f64, minor: f64) -> SurfaceSpec {
    SurfaceSpec::new(Torus::new(major, minor).unwrap()).material("steel")
}

fn steel(b: &mut ModelBuilder) {
    b.material(Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3));
}

/// The inertia of a solid torus about its centre, across and along its axis: m (R²/2 + 5/8 r²), m (R² + 3/4 r²).
fn inertia(m: f64, major: f64, minor: f64) -> Vec3 {
    let across = m * (0.5 * major * major + 0.625 * minor * minor);
    Vec3::new(across, across, m * (major * major + 0.75 * minor * minor))
}

/// Two free rings that meet, with the stiffness of their curvatures: beside each other, one through the other, one in the other's hole.
#[test]
fn rings_that_meet_keep_their_momenta() {
    let (m_1, r_1, m_2, r_2) = (0.3, (0.05, 0.008), 0.2, (0.04, 0.006));
    let placements = [
        ("beside", [0.15, 0.02, 0.01], [0.9, 0.4, -0.3], [1.5, 0.0, 0.0]),
        ("linked", [0.05, 0.005, 0.0], [FRAC_PI_2, 0.2, 0.1], [1.0, 0.3, -0.2]),
        ("on top", [0.02, 0.01, 0.06], [0.3, -0.2, 0.0], [0.1, 0.0, 1.0]),
    ];
    for (what, at, turn, v) in placements {
        for damped in [false, true] {
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]);
            steel(&mut b);
            let body = |name: &str, m: f64, r: (f64, f64)| {
                Body::new(name).mass(m).inertia(inertia(m, r.0, r.1).into()).surface(ring(r.0, r.1))
            };
            b.body(body("one", m_1, r_1).velocity(v).angular_velocity([3.0, -1.0, 2.0]));
            b.body(
                body("two", m_2, r_2)
                    .position(at)
                    .orientation(Quat::from_euler_angles(turn[0], turn[1], turn[2])),
            );
            let rule = ContactRule::between("one", "two");
            b.contact(if damped {
                rule.normal(Flores::restitution(0.6).unwrap())
            } else {
                rule.normal(Hertz::new())
            });
            let mut r = Recording::default();
            let model = b.build().unwrap();
            let run =
                Simulation::new(&model).duration(0.2).output_every(0.2).rtol(1e-10).run_into(&mut r).unwrap();
            assert!(run.summary.touches > 0, "{what}: {}", run.summary);
            let parts = [(m_1, inertia(m_1, r_1.0, r_1.1)), (m_2, inertia(m_2, r_2.0, r_2.1))];
            let momenta = |i: usize| {
                let mut p = (Vec3::zeros(), Vec3::zeros());
                for ((m, inertia), body) in parts.iter().zip(&r.frames[i].bodies) {
                    let local = body.orientation.inverse() * body.angular_velocity;
                    p.0 += body.velocity * *m;
                    p.1 += body.position.cross(&body.velocity) * *m
                        + body.orientation * inertia.component_mul(&local);
                }
                p
            };
            let (start, end) = (momenta(0), momenta(r.frames.len() - 1));
            near(&format!("{what}: momentum"), (start.0 - end.0).norm(), 0.0, 1e-13);
            near(&format!("{what}: angular momentum"), (start.1 - end.1).norm(), 0.0, 1e-12);
            assert!(run.summary.audit_relative < 1e-9, "{what}: {}", run.summary);
        }
    }
}

/// A link dropped into another that is held: it bounces, swings and stays linked.
#[test]
fn a_link_of_a_chain_does_not_pass_through() {
    for (what, yaw, push) in [("straight", 0.0, [0.0, 0.0, 0.0]), ("askew", 0.3, [0.05, 0.1, 0.0])] {
        let (major, minor, m) = (0.03, 0.004, 0.05);
        let mut b = ModelBuilder::new();
        steel(&mut b);
        // both upright, across each other; the lower one has 1 cm to fall
        let upright = Quat::from_axis_angle(&Vec3::x_axis(), FRAC_PI_2);
        let across = Quat::from_axis_angle(&Vec3::z_axis(), FRAC_PI_2 + yaw) * upright;
        let hook = Pose::new(Vec3::zeros(), &upright);
        b.body(Body::fixed("hook").surface(ring(major, minor)).orientation(upright));
        b.body(
            Body::new("link")
                .mass(m)
                .inertia(inertia(m, major, minor).into())
                .surface(ring(major, minor))
                .orientation(across)
                .position([0.0, 0.0, -2.0 * major + 2.0 * minor + 0.01])
                .velocity(push),
        );
        b.contact(ContactRule::between("hook", "link").normal(Flores::restitution(0.5).unwrap()));
        let mut r = Recording::default();
        let model = b.build().unwrap();
        let run =
            Simulation::new(&model).duration(1.0).output_every(0.01).rtol(1e-10).run_into(&mut r).unwrap();
        assert!(run.summary.touches > 3, "{what}: {}", run.summary);
        assert!(run.summary.audit_relative < 1e-9, "{what}: {}", run.summary);
        assert!(run.summary.max_indentation < 0.02 * minor, "{what}: {}", run.summary);
        for frame in &r.frames {
            let link = &frame.bodies[0];
            assert!(linked(major, &hook, &Pose::new(link.position, &link.orientation)), "{what} {}", frame.t);
        }
        // at rest its middle is two inner radii below, and pressed in by next to nothing
        let end = &r.frames[r.frames.len() - 1].bodies[0];
        if what == "straight" {
            near("hangs", end.position.z, -2.0 * (major - minor), 1e-6);
        }
    }
}

/// Rings in one plane that fly past each other and overlap by a micrometre for an instant, or miss by as much, fast and spinning.
#[test]
fn a_graze_is_seen_and_a_near_miss_is_none() {
    let (major, minor, v) = (0.05, 0.002, 80.0);
    for (spin, off, touches) in [(0.0, -1e-6, 1), (300.0, -1e-6, 1), (0.0, 1e-6, 0), (300.0, 1e-6, 0)] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ring = || Torus::new(major, minor).unwrap();
        b.body(Body::fixed("gate").surface(ring()));
        let aside = 2.0 * (major + minor) + off;
        let flier = Body::new("flier").mass(0.1).inertia(inertia(0.1, major, minor).into()).surface(ring());
        b.body(flier.position([-4.0, aside, 0.0]).velocity([v, 0.0, 0.0]).angular_velocity([0.0, 0.0, spin]));
        b.contact(ContactRule::between("gate", "flier").normal(Hertz::new().stiffness(1e3)));
        let mut r = Recording::default();
        Simulation::new(&b.build().unwrap()).duration(0.1).rtol(1e-6).run_into(&mut r).unwrap();
        let all = r.events.iter().filter(|e| e.kind == EventKind::Touch).count();
        assert_eq!(all, touches, "{spin} {off}");
        if touches > 0 {
            // the middles are 2 (R + r) apart: x² = (2 (R + r))² − aside²
            let reach = 2.0 * (major + minor);
            let x = ((reach - aside) * (reach + aside)).sqrt();
            near("touch", r.events[0].t, (4.0 - x) / v, 1e-12);
        }
    }
}

/// A thick tube in a ring too narrow for it: no point contact, so no stiffness from materials.
#[test]
fn a_ring_too_narrow_needs_a_stiffness() {
    let mut b = ModelBuilder::new();
    steel(&mut b);
    let across = Quat::from_axis_angle(&Vec3::x_axis(), FRAC_PI_2);
    b.body(Body::fixed("thick").surface(ring(0.2, 0.08)));
    b.body(
        Body::new("narrow")
            .mass(1.0)
            .inertia([0.01; 3])
            .surface(ring(0.1, 0.03))
            .orientation(across)
            .position([0.235, 0.0, 0.0]),
    );
    b.contact(ContactRule::between("thick", "narrow").normal(Hertz::new()));
    let error = b.build().unwrap_err().to_string();
    assert!(error.contains("stiffness") && error.contains("relative curvatures -"), "{error}");
}

/// Whether one ring of that radius [m] goes through the other: through the disc within it once.
fn linked(major: f64, a: &Pose, b: &Pose) -> bool {
    let c = a.point_to_local(&b.p);
    let (u, v) = (a.direction_to_local(&b.axis(0)) * major, a.direction_to_local(&b.axis(1)) * major);
    // where b is in the plane of a: c_z + u_z cos φ + v_z sin φ = 0
    let (middle, half) = (v.z.atan2(u.z), (-c.z / u.z.hypot(v.z)).acos());
    let within = |phi: f64| (c + u * phi.cos() + v * phi.sin()).xy().norm() < major;
    within(middle + half) != within(middle - half)
}
