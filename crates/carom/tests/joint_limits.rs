//! Limits of joints against closed forms: they are contacts, and a coordinate that meets one is a particle that meets a wall.

use carom_testkit::near;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use carom::base::{Args, Value};
use carom::law::{Meeting, Normal, normal};
use carom::prelude::*;
use carom::{Cylindrical, PlanarJoint, Run, Screw};

fn run(model: &Model, duration: f64, rtol: f64) -> (Recording, Run) {
    let mut recording = Recording::default();
    let run =
        Simulation::new(model).duration(duration).rtol(rtol).atol(rtol).run_into(&mut recording).unwrap();
    (recording, run)
}

/// A spring that pushes only.
fn spring(k: f64) -> Hertz {
    Hertz::new().stiffness(k).exponent(1.0)
}

/// A carriage between two stops: it goes from one to the other in 2 l/v and is turned round in π √(m/k).
#[test]
fn a_slider_bounces_between_two_stops() {
    let (mass, v, k) = (0.7, 1.3, 4e4);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::fixed("ground"));
    b.body(Body::new("carriage").mass(mass).inertia([1.0; 3]).velocity([0.0, v, 0.0]));
    let rail = Joint::between("carriage", "ground", Prismatic).axis([0.0, 1.0, 0.0]).named("rail");
    b.joint(rail.lower("displacement", -0.2).upper("displacement", 0.3).stop(spring(k)));
    let (found, run) = run(&b.build().unwrap(), 3.0, 1e-12);
    let turn = PI * (mass / k).sqrt();
    let (mut t, mut touches) = (0.3 / v, 0);
    for pair in found.events.chunks_exact(2) {
        near("touch", pair[0].t, t, 1e-11);
        near("release", pair[1].t, t + turn, 1e-11);
        near("depth", pair[1].max_indentation, v * (mass / k).sqrt(), 1e-11);
        near("force", pair[1].peak_force, v * (mass * k).sqrt(), 1e-8);
        let name = if touches % 2 == 0 { "rail/max_displacement" } else { "rail/min_displacement" };
        assert_eq!((pair[0].contact.as_str(), pair[0].kind), (name, EventKind::Touch));
        t += turn + 0.5 / v;
        touches += 1;
    }
    assert!(touches >= 7, "{touches}");
    assert!(run.summary.audit_relative < 1e-10, "{:e}", run.summary.audit_relative);
}

/// The normal laws of the registry with a stiffness of their own.
fn laws() -> Vec<(String, Arc<dyn Normal>)> {
    let samples: [&[(&str, f64)]; 9] = [
        &[("stiffness", 3e5), ("restitution", 0.6)],
        &[("stiffness", 3e5), ("damping", 0.3)],
        &[("stiffness", 3e5), ("damping", 1e-3)],
        &[("stiffness", 3e5)],
        &[("foundation_modulus", 3e8), ("radius", 0.01), ("damping", 0.3)],
        &[("stiffness", 3e5), ("radius", 0.01), ("yield_pressure", 1e5)],
        &[("stiffness", 3e5), ("radius", 0.01), ("adhesion_energy", 1.0)],
        &[("stiffness", 3e5), ("radius", 0.01), ("adhesion_energy", 1.0), ("adhesion_range", 1e-5)],
        &[("stiffness", 3e5), ("plasticity", 0.5), ("adhesion_stiffness", 1e4)],
    ];
    let mut all: Vec<(String, Arc<dyn Normal>)> = Vec::new();
    for entry in normal::ALL.iter().filter(|e| !e.is_pressure()) {
        let before = all.len();
        for sample in samples {
            let args = sample.iter().fold(Args::new(), |args, (name, x)| args.with(name, Value::Number(*x)));
            let Ok(law) = entry.make(&args) else { continue };
            let source = law.stiffness();
            if !source.asks_materials() && source.at(0.0, &Meeting::in_point(0.0, 0.0)).is_ok() {
                all.push((format!("{} {sample:?}", entry.name()), law));
            }
        }
        assert!(all.len() > before, "no sample of {}", entry.name());
    }
    all
}

/// What a limit does to a bar on a hinge, any law does to a particle of mass I/ρ² at a wall: times, speeds, forces and depths.
#[test]
fn a_bar_meets_its_stop_as_a_particle_meets_a_wall() {
    let (mass, own, arm, rho, omega, limit) = (1.7, 0.4, 0.5, 0.3, 2.0, 0.8);
    let inertia = own + mass * arm * arm;
    let mut parted = 0;
    for (name, law) in laws() {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::fixed("ground"));
        let bar = Body::new("bar").mass(mass).inertia([own; 3]).position([arm, 0.0, 0.0]);
        b.body(bar.velocity([0.0, omega * arm, 0.0]).angular_velocity([0.0, 0.0, omega]));
        let hinge =
            Joint::between("bar", "ground", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("hinge");
        b.joint(hinge.upper("angle", limit).stop_radius(rho).stop_arc(law.clone()));
        let mut p = ModelBuilder::new();
        p.gravity([0.0; 3]).body(Body::fixed("wall").surface(Plane));
        let ball = Body::new("ball").mass(inertia / (rho * rho)).inertia([1.0; 3]);
        let ball = ball.surface(Sphere::new(0.1).unwrap()).position([0.0, 0.0, 0.1 + rho * limit]);
        p.body(ball.velocity([0.0, 0.0, -rho * omega]));
        let begins = law.begins_at() / rho;
        p.contact(ContactRule::between("ball", "wall").normal_arc(law));
        let (hinged, r) = run(&b.build().unwrap(), 0.6, 1e-13);
        let (plain, _) = run(&p.build().unwrap(), 0.6, 1e-13);
        // (some are so damped that they stay)
        assert_eq!(hinged.events.len(), plain.events.len(), "{name}");
        parted += hinged.events.len() / 2;
        near(&name, hinged.events[0].t, (limit - begins) / omega, 1e-12);
        near(&name, hinged.events[0].speed, rho * omega, 1e-12);
        for (h, p) in hinged.events.iter().zip(&plain.events) {
            near(&format!("{name}: time"), h.t, p.t, 1e-9 * p.t);
            near(&format!("{name}: speed"), h.speed, p.speed, 1e-9 * rho * omega);
            near(&format!("{name}: force"), h.peak_force, p.peak_force, 1e-8 * p.peak_force);
            near(&format!("{name}: depth"), h.max_indentation, p.max_indentation, 1e-9 * p.max_indentation);
        }
        assert!(r.summary.audit_relative < 1e-9, "{name}: {:e}", r.summary.audit_relative);
    }
    assert!(parted > 20, "{parted}");
}

/// Under a constant couple the limit is met at √(2 θ I/M), a limit of five turns after five turns, whichever way it turns, and by whatever method.
#[test]
fn turns_are_counted() {
    let (inertia, couple) = (0.4, 3.0);
    for (turns, located) in [(0.25, true), (5.0, true), (5.0, false)] {
        for sign in [1.0, -1.0] {
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3])
                .body(Body::fixed("ground"))
                .body(Body::new("wheel").mass(1.0).inertia([inertia; 3]));
            let hinge =
                Joint::between("wheel", "ground", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]).named("hinge");
            let side = if sign > 0.0 { Joint::upper } else { Joint::lower };
            b.joint(
                side(hinge, "angle", sign * turns * TAU)
                    .stop(HuntCrossley::restitution(0.5).unwrap().stiffness(1e6)),
            );
            b.force(Force::torque("wheel", "ground", [0.0, sign * couple, 0.0]));
            let expected = (2.0 * turns * TAU * inertia / couple).sqrt();
            let model = b.build().unwrap();
            let mut found = Recording::default();
            let sim = Simulation::new(&model).duration(1.2 * expected).rtol(1e-12).atol(1e-12);
            let sim = if located { sim } else { sim.locate_contacts(false) };
            let run = sim.run_into(&mut found).unwrap();
            let by = if located { 1e-10 } else { 1e-2 };
            near("touch", found.events[0].t, expected, by * expected);
            assert!(found.events.len() > 1);
            assert!(!located || run.summary.audit_relative < 1e-9, "{:e}", run.summary.audit_relative);
        }
    }
}

/// A rod in a sleeve has limits of both its coordinates, a screw of either: the way of the one is the way of the other.
#[test]
fn sleeves_and_screws_have_limits_of_both_coordinates() {
    let stop = || HuntCrossley::restitution(0.5).unwrap().stiffness(1e6);
    let body = |w: f64, v: f64| {
        Body::new("rod").mass(2.0).inertia([0.3; 3]).velocity([0.0, 0.0, v]).angular_velocity([0.0, 0.0, w])
    };
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::fixed("ground")).body(body(3.0, -0.5));
    let sleeve =
        Joint::between("rod", "ground", Cylindrical).at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("sleeve");
    b.joint(
        sleeve
            .upper("angle", 1.2)
            .lower("angle", -1.0)
            .upper("displacement", 0.1)
            .lower("displacement", -0.3)
            .stop(stop()),
    );
    let (found, run) = run(&b.build().unwrap(), 0.7, 1e-12);
    let first = |name: &str| found.events.iter().find(|e| e.contact == name).unwrap().t;
    near("angle", first("sleeve/max_angle"), 1.2 / 3.0, 1e-12);
    near("displacement", first("sleeve/min_displacement"), 0.3 / 0.5, 1e-12);
    assert!(run.summary.audit_relative < 1e-9, "{:e}", run.summary.audit_relative);

    // a quarter of a pitch in a quarter of a turn
    let pitch = 0.2;
    let w: f64 = 3.0;
    for (coordinate, bound) in [("angle", 0.25 * TAU), ("displacement", 0.25 * pitch)] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::fixed("ground")).body(body(w, pitch / TAU * w));
        let screw = Joint::between("rod", "ground", Screw { pitch })
            .at([0.0; 3])
            .axis([0.0, 0.0, 1.0])
            .named("screw");
        b.joint(screw.upper(coordinate, bound).stop(stop()));
        let mut found = Recording::default();
        let run = Simulation::new(&b.build().unwrap())
            .duration(1.0)
            .rtol(1e-12)
            .atol(1e-12)
            .run_into(&mut found)
            .unwrap();
        near(coordinate, found.events[0].t, 0.25 * TAU / w, 1e-11);
        assert_eq!(found.events.len(), 2);
        assert!(run.summary.audit_relative < 1e-9, "{:e}", run.summary.audit_relative);
    }
}

/// A ball joint's swing is limited whichever way it swings; a body on a plane, along x and y.
#[test]
fn swings_and_planes_have_limits() {
    let stop = || HuntCrossley::restitution(0.7).unwrap().stiffness(1e5);
    for way in [[1.0, 0.0, 0.0], [0.3, -0.8, 0.0]] {
        let w = Vec3::from(way).normalize() * 2.0;
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::fixed("ground"));
        b.body(Body::new("bob").mass(1.0).inertia([0.2; 3]).angular_velocity([w.x, w.y, 1.5]));
        let ball =
            Joint::between("bob", "ground", Spherical).at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("ball");
        b.joint(ball.upper("swing", 0.6).stop(stop()));
        let (found, run) = run(&b.build().unwrap(), 1.0, 1e-12);
        // of an isotropic body ω stays: cos ψ = 1 − (1 − cos |ω|t) sin²(axis)
        let omega = (w.norm_squared() + 1.5 * 1.5).sqrt();
        let sine = w.norm_squared() / (omega * omega);
        let expected = (1.0 - (1.0 - 0.6_f64.cos()) / sine).acos() / omega;
        near("swing", found.events[0].t, expected, 1e-10);
        assert!(found.events.len() >= 2);
        assert!(run.summary.audit_relative < 1e-9, "{:e}", run.summary.audit_relative);
    }
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::fixed("table"));
    b.body(
        Body::new("puck")
            .mass(1.0)
            .inertia([0.2; 3])
            .velocity([0.4, -0.5, 0.0])
            .angular_velocity([0.0, 0.0, 2.0]),
    );
    let plane = Joint::between("puck", "table", PlanarJoint).at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("xy");
    b.joint(plane.upper("x", 0.2).lower("y", -0.3).stop(stop()));
    let (found, _) = run(&b.build().unwrap(), 0.7, 1e-12);
    near("x", found.events.iter().find(|e| e.contact == "xy/max_x").unwrap().t, 0.5, 1e-12);
    near("y", found.events.iter().find(|e| e.contact == "xy/min_y").unwrap().t, 0.6, 1e-12);
}

/// The stop of a planar joint's angle is a couple: a puck that slides on its plane meets it as a particle of mass I/ρ² meets a wall, whatever its law, and slides on as if nothing were; two pucks as one of
/// their inertias' I₁ I₂/(I₁ + I₂), since they turn about their own centres of mass.
#[test]
fn a_puck_that_slides_meets_the_stop_of_its_angle() {
    let (own, rho, omega, limit) = (0.2, 0.3, 2.0, 0.8);
    for (name, law) in laws() {
        for other in [None, Some(0.5)] {
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]);
            let puck = Body::new("puck").mass(1.7).inertia([own; 3]).velocity([0.4, -0.5, 0.0]);
            b.body(puck.angular_velocity([0.0, 0.0, omega]));
            b.body(match other {
                None => Body::fixed("table"),
                Some(other) => Body::new("table").mass(0.9).inertia([other; 3]).position([0.3, 0.2, 0.0]),
            });
            let plane =
                Joint::between("puck", "table", PlanarJoint).at([0.1, 0.0, 0.0]).axis([0.0, 0.0, 1.0]);
            b.joint(plane.named("xy").upper("angle", limit).stop_radius(rho).stop_arc(law.clone()));
            let inertia = other.map_or(own, |other| own * other / (own + other));
            let mut p = ModelBuilder::new();
            p.gravity([0.0; 3]).body(Body::fixed("wall").surface(Plane));
            let ball = Body::new("ball").mass(inertia / (rho * rho)).inertia([1.0; 3]);
            let ball = ball.surface(Sphere::new(0.1).unwrap()).position([0.0, 0.0, 0.1 + rho * limit]);
            p.body(ball.velocity([0.0, 0.0, -rho * omega]));
            p.contact(ContactRule::between("ball", "wall").normal_arc(law.clone()));
            let (found, r) = run(&b.build().unwrap(), 0.6, 1e-13);
            let (plain, _) = run(&p.build().unwrap(), 0.6, 1e-13);
            assert_eq!(found.events.len(), plain.events.len(), "{name}");
            near(&name, found.events[0].t, (limit - law.begins_at() / rho) / omega, 1e-12);
            for (h, p) in found.events.iter().zip(&plain.events) {
                assert_eq!(h.contact, "xy/max_angle");
                near(&format!("{name}: time"), h.t, p.t, 1e-9 * p.t);
                near(&format!("{name}: speed"), h.speed, p.speed, 1e-9 * rho * omega);
                near(&format!("{name}: force"), h.peak_force, p.peak_force, 1e-8 * p.peak_force);
                near(
                    &format!("{name}: depth"),
                    h.max_indentation,
                    p.max_indentation,
                    1e-9 * p.max_indentation,
                );
            }
            let v = r.end.body("puck").unwrap().velocity;
            near(&name, (v - Vec3::new(0.4, -0.5, 0.0)).norm(), 0.0, 1e-12);
            assert!(r.summary.audit_relative < 1e-9, "{name}: {:e}", r.summary.audit_relative);
        }
    }
}

/// A Cardan joint has limits of both its angles, whichever body moves: what turns about one axis meets its stop as a particle of mass I/ρ² meets a wall; the other axis stands still.
#[test]
fn both_angles_of_a_cardan_joint_have_limits() {
    let (mass, own, rho, k, omega, limit) = (1.3, [0.2, 0.2, 0.2], 0.3, 4e4, 2.5, 0.7);
    let turned = |w: Vec3, x: f64| (w * x).into();
    // askew in the world
    let z = Vec3::new(0.3, -0.5, 1.0).normalize();
    let y = z.cross(&Vec3::new(1.0, 0.2, 0.4)).normalize();
    for (coordinate, axis, names) in [
        ("angle", z, ["max_angle", "min_angle"]),
        ("second_angle", y, ["max_second_angle", "min_second_angle"]),
    ] {
        for (sign, moves_a) in [(1.0, true), (-1.0, true), (1.0, false), (-1.0, false)] {
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]).body(Body::fixed("ground"));
            b.body(Body::new("a").mass(mass).inertia(own).angular_velocity(turned(axis, sign * omega)));
            // the other way round it is B that turns, and the angle is that of A from B
            let (between, sign) = if moves_a { (["a", "ground"], sign) } else { (["ground", "a"], -sign) };
            let cardan = Joint::between(between[0], between[1], carom::Universal).at([0.0; 3]);
            let cardan = cardan.axis(z.into()).second_axis(y.into()).named("cardan");
            let cardan = cardan.upper(coordinate, limit).lower(coordinate, -limit).stop_radius(rho);
            b.joint(cardan.stop(spring(k)));
            let (found, run) = run(&b.build().unwrap(), 2.0, 1e-12);
            let particle = own[0] / (rho * rho);
            let turn = PI * (particle / k).sqrt();
            let (mut t, mut name) = (limit / omega, if sign > 0.0 { names } else { [names[1], names[0]] });
            for pair in found.events.chunks_exact(2) {
                assert_eq!(pair[0].contact, format!("cardan/{}", name[0]));
                near("touch", pair[0].t, t, 1e-9);
                near("speed", pair[0].speed, rho * omega, 1e-9);
                near("release", pair[1].t, t + turn, 1e-9);
                near("depth", pair[1].max_indentation, rho * omega * (particle / k).sqrt(), 1e-9);
                t += turn + 2.0 * limit / omega;
                name.reverse();
            }
            assert!(found.events.len() >= 4);
            assert!(run.summary.audit_relative < 1e-9, "{:e}", run.summary.audit_relative);
        }
    }
}

/// Two shafts at an angle β joined by a Cardan joint, the first turned by φ. The arm of the cross on it is c₁ = (−sin φ, cos φ, 0), the other one is along c₁ × n₂ with n₂ = (sin β, 0, cos β) the second shaft:
/// seen from the first, the cross has turned by β − atan(tan β cos φ) about c₁, and the second sees c₁ lean by asin(sin β sin φ).
#[test]
fn a_cardan_joint_between_two_shafts_meets_its_limits() {
    let (beta, omega, limit): (f64, f64, f64) = (0.5, 3.0, 0.3);
    let first = ((beta - limit).tan() / beta.tan()).acos() / omega;
    let second = (limit.sin() / beta.sin()).asin() / omega;
    for (coordinate, name, expected) in
        [("angle", "max_angle", first), ("second_angle", "min_second_angle", second)]
    {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::fixed("ground"));
        b.body(Body::new("in").mass(1.0).inertia([0.1; 3]).angular_velocity([0.0, 0.0, omega]));
        b.body(Body::new("out").mass(1.0).inertia([0.1; 3]));
        b.joint(Joint::between("in", "ground", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("in"));
        let out = [beta.sin(), 0.0, beta.cos()];
        b.joint(Joint::between("out", "ground", Revolute).at([0.0; 3]).axis(out));
        let cardan = Joint::between("in", "out", carom::Universal).at([0.0; 3]).axis([0.0, 1.0, 0.0]);
        let cardan = cardan.second_axis([beta.cos(), 0.0, -beta.sin()]).named("cardan").stop(spring(1e3));
        b.joint(cardan.upper(coordinate, limit).lower(coordinate, -limit));
        b.drive(Drive::new("joint/in/speed", carom::Formula::new("3").unwrap()));
        let (found, run) = run(&b.build().unwrap(), 1.0, 1e-12);
        assert_eq!(found.events[0].contact, format!("cardan/{name}"));
        near(name, found.events[0].t, expected, 1e-10);
        assert!(run.summary.audit_relative < 1e-9, "{:e}", run.summary.audit_relative);
    }
}

/// A bar falls on its stop and comes to rest there: the force is its weight's moment over ρ.
#[test]
fn a_bar_rests_on_its_stop() {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("ground"));
    b.body(Body::new("bar").mass(3.0).inertia([0.02, 0.25, 0.25]).position([0.5, 0.0, 0.0]));
    let hinge = Joint::between("bar", "ground", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]).named("hinge");
    b.joint(
        hinge.upper("angle", 0.3).stop_radius(0.4).stop(HuntCrossley::damping(30.0).unwrap().stiffness(1e6)),
    );
    let (found, run) = run(&b.build().unwrap(), 6.0, 1e-10);
    let last = found.frames.last().unwrap();
    let contact = &last.contacts[0];
    // K δ^(3/2) ρ = m g l cos(θ₀ + δ/ρ)
    let force = |depth: f64| 3.0 * 9.81 * 0.5 * (0.3 + depth / 0.4).cos() / 0.4;
    let depth = (0..20).fold(0.0, |depth, _| (force(depth) / 1e6).powf(2.0 / 3.0));
    near("force", contact.f_n, force(depth), 1e-7);
    near("depth", contact.delta, depth, 1e-12);
    assert!(run.summary.audit_relative < 1e-8, "{:e}", run.summary.audit_relative);
}

/// What cannot be is refused, with the key it is about.
#[test]
fn what_limits_cannot_be() {
    let refused = |joint: Joint| {
        let mut b = ModelBuilder::new();
        b.body(Body::fixed("ground")).body(Body::new("a").mass(1.0).inertia([1.0; 3]));
        b.joint(joint.at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("j"));
        b.build().unwrap_err().to_string()
    };
    let hinge = || Joint::between("a", "ground", Revolute);
    let law = || Hertz::new().stiffness(1e5);
    for (joint, word) in [
        (hinge().upper("angle", 1.0), "stop"),
        (hinge().stop(law()), "max_angle"),
        (hinge().upper("displacement", 1.0).stop(law()), "max_displacement"),
        (hinge().upper("angle", 1.0).lower("angle", 2.0).stop(law()), "max_angle"),
        (hinge().upper("angle", f64::NAN).stop(law()), "max_angle"),
        (hinge().upper("angle", 1.0).stop(Hertz::new()), "stiffness"),
        (hinge().upper("angle", 1.0).stop(law()).stop_radius(0.0), "stop_radius"),
        (hinge().upper("angle", 1.0).stop(law()).min_impact_speed(-1.0), "min_impact_speed"),
        (
            Joint::between("a", "ground", PlanarJoint).upper("displacement", 1.0).stop(law()),
            "max_displacement",
        ),
    ] {
        let message = refused(joint);
        assert!(message.contains("`j`") && message.contains(word), "{message}");
    }
}
