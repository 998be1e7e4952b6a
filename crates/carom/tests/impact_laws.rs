//! The standard impact, through the whole engine, under every normal law, against the table.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may")]

mod common;

use std::sync::Arc;

use carom::law::normal;
use carom::law::{Normal, normal::NormalEntry};
use carom::prelude::*;
use carom_base::{Args, Value};
use common::{close, number, reference};

/// A ball that touches a plane at t = 0 with speed v0, without gravity.
fn impact(law: Arc<dyn Normal>, mass: f64, v0: f64) -> (Event, f64) {
    let radius = 0.05;
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = Body::new("ball").mass(mass).surface(Sphere::new(radius).unwrap());
    b.body(ball.position([0.0, 0.0, radius]).velocity([0.0, 0.0, -v0]));
    b.body(Body::fixed("wall").surface(Plane));
    b.contact(ContactRule::between("ball", "wall").normal_arc(law));
    let model = b.build().unwrap();
    let mut r = Recording::default();
    let run = Simulation::new(&model).duration(0.05).rtol(1e-13).run_into(&mut r).unwrap();
    assert_eq!(r.events.len(), 2, "{:?}", r.events);
    assert_eq!((r.events[0].t, r.events[0].kind), (0.0, EventKind::Touch));
    // the ledger's integrals are outside the error norm; where strong damping makes the motion relax fast
    // (flores, c = 0.1: 40 time constants in a contact) they are what is least exact
    assert!(run.summary.audit_relative < 1e-9, "{}", run.summary);
    (r.events[1].clone(), run.end.body("ball").unwrap().velocity.z)
}

fn law(entry: &NormalEntry, k: f64, n: f64, c: Option<f64>) -> Arc<dyn Normal> {
    let mut args = Args::new().with("stiffness", Value::Number(k)).with("exponent", Value::Number(n));
    if let Some(c) = c {
        args.set("restitution", Value::Number(c));
    }
    entry.make(&args).unwrap()
}

#[test]
fn elastic_impact_for_three_exponents() {
    let table = reference("impact.json");
    let (m, v0) = (0.3, 2.0);
    for (n, k) in [(1.0, 1e5), (1.5, 1e7), (2.0, 1e9)] {
        let row = &table["hertz"][format!("n={n}")];
        let (release, v) = impact(law(normal::find("hertz").unwrap(), k, n, None), m, v0);
        let length = (m * v0 * v0 / k).powf(1.0 / (n + 1.0));
        close("restitution", v / v0, 1.0, 1e-10);
        close("indentation", release.max_indentation / length, number(&row["max_indentation/dstar"]), 1e-10);
        let force = k * length.powf(n);
        close("peak force", release.peak_force / force, number(&row["peak_force/(K dstar^n)"]), 1e-10);
        close("duration", release.t * v0 / length, number(&row["contact_duration*v0/dstar"]), 1e-10);
    }
}

/// Every law of the registry that has a coefficient of restitution must be in the table, and meet it.
#[test]
fn restitution_laws_for_all_coefficients() {
    let table = reference("impact.json");
    let family = table["hunt_crossley_family"].as_object().unwrap();
    let (m, v0, k, n) = (1.0, 1.0, 1.4e8, 1.5);
    let length = f64::powf(m * v0 * v0 / k, 1.0 / (n + 1.0));
    for entry in normal::ALL.iter().filter(|e| e.entry.params.iter().any(|p| p.name == "restitution")) {
        let key = entry.name().replace('-', "_");
        let rows = family.iter().find(|(name, _)| name.starts_with(&key)).expect("no row for this law").1;
        for tenth in 1..10 {
            let c = f64::from(tenth) / 10.0;
            let row = &rows[format!("c_r={c}")];
            let (release, v) = impact(law(entry, k, n, Some(c)), m, v0);
            let name = |what| format!("{key}, c = {c}: {what}");
            let want = |key: &str| number(&row[key]);
            close(&name("restitution"), v / v0, want("effective_restitution"), 1e-9);
            close(
                &name("indentation"),
                release.max_indentation / length,
                want("max_indentation/dstar"),
                1e-9,
            );
            let force = release.peak_force / (k * length.powf(n));
            close(&name("peak force"), force, want("peak_force/(K dstar^n)"), 1e-9);
            close(&name("duration"), release.t * v0 / length, want("contact_duration*v0/dstar"), 1e-9);
        }
    }
}

/// Constant damping χ̄ is a coefficient of restitution with η = χ̄ v0.
#[test]
fn constant_damping() {
    let table = reference("impact.json");
    let (m, v0, k) = (1.0, 2.5, 1.4e8);
    let row = &table["hunt_crossley_family"]["hunt_crossley_1975"]["c_r=0.5"];
    let damped = HuntCrossley::damping(number(&row["eta=chi*v0/K"]) / v0).unwrap().stiffness(k);
    let (_, v) = impact(Arc::new(damped), m, v0);
    close("restitution", v / v0, number(&row["effective_restitution"]), 1e-9);
}

/// Stiffness from materials and curvature: two balls, and a ball in a hollow.
#[test]
fn hertz_stiffness_from_materials() {
    let e_star = 1.0 / (2.0 * (1.0 - 0.09) / 210e9);
    for (radius, hollow, r_star) in [(0.03, false, 0.0075), (0.04, true, 0.01 * 0.04 / 0.03)] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).material(Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3));
        let other = SurfaceSpec::new(Sphere::new(radius).unwrap()).material("steel");
        b.body(Body::fixed("other").surface(if hollow { other.inside() } else { other }));
        let ball = SurfaceSpec::new(Sphere::new(0.01).unwrap()).material("steel");
        let x = if hollow { 0.02 } else { 0.05 };
        let v = if hollow { 1.0 } else { -1.0 };
        b.body(Body::new("ball").mass(0.1).surface(ball).position([x, 0.0, 0.0]).velocity([v, 0.0, 0.0]));
        b.contact(ContactRule::between("ball", "other"));
        let model = b.build().unwrap();
        let mut r = Recording::default();
        Simulation::new(&model).duration(0.02).rtol(1e-12).run_into(&mut r).unwrap();
        let k = 4.0 / 3.0 * e_star * f64::sqrt(r_star);
        let deepest = f64::powf(2.5 * 0.1 / (2.0 * k), 0.4);
        close("indentation", r.events[1].max_indentation, deepest, 1e-10);
    }
}
