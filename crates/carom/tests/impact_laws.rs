//! The standard impact, through the whole engine, under every normal law, against the table.

use std::sync::Arc;

use crate::common::{close, number, reference};
use crate::laws::{dashpots, param, stiffness_of};
use carom::law::impact::effective_restitution;
use carom::law::normal::{self, ElasticFoundation, Jankowski, NormalEntry};
use carom::law::{Normal, NormalLaw, Touch};
use carom::prelude::*;
use carom_base::{Args, Quantity, Value};

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

/// The table of the oracles for the standard impact, which the tests of `carom-law` ask for every law: m = v0 = K = 1.
fn standard() -> serde_json::Value {
    reference("../../../carom-law/tests/data/impact.json")
}

/// Every law of the family F = K δⁿ (1 + η δ̇/v₀) must be in the table, and meet it.
#[test]
fn restitution_laws_for_all_coefficients() {
    let table = standard();
    let (m, v0, k, n) = (1.0, 1.0, 1.4e8, 1.5);
    let length = f64::powf(m * v0 * v0 / k, 1.0 / (n + 1.0));
    for entry in normal::ALL.iter().filter(|e| e.eta.is_some()) {
        let rows = &table["family"][entry.name()];
        for tenth in 1..10 {
            let c = f64::from(tenth) / 10.0;
            let row = &rows[c.to_string()];
            let (release, v) = impact(law(entry, k, n, Some(c)), m, v0);
            let name = |what| format!("{}, c = {c}: {what}", entry.name());
            let want = |key: &str| number(&row[key]);
            close(&name("restitution"), v / v0, want("restitution"), 1e-9);
            close(&name("indentation"), release.max_indentation / length, want("max_indentation"), 1e-9);
            let force = release.peak_force / (k * length.powf(n));
            close(&name("peak force"), force, want("peak_force"), 1e-9);
            close(&name("duration"), release.t * v0 / length, want("duration"), 1e-9);
        }
    }
}

/// Every law F = K δⁿ + D δᵖ δ̇ must be in the table, and meet it: by its damping and, where it takes one, by its restitution; both ends of a contact.
#[test]
fn laws_with_a_dashpot() {
    let table = standard();
    let (m, v0) = (0.3, 2.0);
    for entry in dashpots() {
        let rows = table["dashpot"][entry.name()].as_object();
        for (key, row) in rows.unwrap_or_else(|| panic!("no rows for {}", entry.name())) {
            let a = number(&row["a"]);
            let k = stiffness_of(entry, [1e5, 1e7]);
            let plain = Args::new().with("stiffness", Value::Number(k));
            let probe = entry.make(&plain.clone().with("damping", Value::Number(1.0))).unwrap();
            let [n, p] = probe.powers(&Touch::point(k, v0, m));
            let length = f64::powf(m * v0 * v0 / k, 1.0 / (n + 1.0));
            // a damping is a D or, per stiffness, an A with D = (3/2) A K
            let damping = match param(entry, "damping").unwrap().quantity {
                Quantity::Time => a / 1.5 * length / v0,
                Quantity::InverseSpeed => a / v0,
                _ => a * k * length.powf(n - p) / v0,
            };
            let mut given = vec![plain.clone().with("damping", Value::Number(damping))];
            if param(entry, "restitution").is_some() {
                given.push(plain.clone().with("restitution", Value::Number(key.parse().unwrap())));
            }
            for (args, exit) in given.iter().flat_map(|args| [(args, "force"), (args, "indentation")]) {
                let args = match param(entry, "exit") {
                    Some(_) => args.clone().with("exit", Value::Text(exit.to_owned())),
                    None => args.clone(),
                };
                let (e, t) = (number(&row[exit]["restitution"]), number(&row[exit]["duration"]));
                let (release, v) = impact(entry.make(&args).unwrap(), m, v0);
                let name = |what| format!("{} {args:?}: {what}", entry.name());
                let want = |key: &str| number(&row[key]);
                close(&name("restitution"), v / v0, e, 1e-8);
                close(&name("indentation"), release.max_indentation / length, want("max_indentation"), 1e-8);
                close(
                    &name("peak force"),
                    release.peak_force / (k * length.powf(n)),
                    want("peak_force"),
                    1e-8,
                );
                // where the force has fallen to zero, K δⁿ = D δᵖ e v0: the rest of the way is free flight
                let free = match exit {
                    "force" if param(entry, "exit").is_some() => (a * e).powf(1.0 / (n - p)) / e,
                    _ => 0.0,
                };
                close(&name("duration"), release.t * v0 / length, t + free, 1e-8);
            }
        }
    }
}

/// Where damping ends with the approach, the slope of the force has a kink: under tight tolerances a step ends there, at the deepest point, and the rebound is the closed form to their digits.
#[test]
fn a_step_ends_where_damping_does() {
    let (mass, v0, radius) = (0.3, 2.0, 0.05);
    let pant: Arc<dyn Normal> = Arc::new(normal::PantWijeyewickrema::restitution(0.5, 1e5).unwrap());
    let jankowski: Arc<dyn Normal> = Arc::new(Jankowski::restitution(0.5).unwrap().stiffness(1e7));
    // e² = 2 (1/η − ln(1 + η)/η²), η = 4.5
    let eta = 4.5f64;
    let e = (2.0 * (1.0 / eta - eta.ln_1p() / (eta * eta))).sqrt();
    for (law, e) in [(pant, Some(e)), (jankowski, None)] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ball = Body::new("ball").mass(mass).surface(Sphere::new(radius).unwrap());
        b.body(ball.position([0.0, 0.0, radius]).velocity([0.0, 0.0, -v0]));
        b.body(Body::fixed("wall").surface(Plane));
        b.contact(ContactRule::between("ball", "wall").normal_arc(Arc::clone(&law)));
        let model = b.build().unwrap();
        for method in ["dop853", "ode113", "radau5"] {
            let mut r = Recording::default();
            let sim = Simulation::new(&model).method(method).duration(0.02).rtol(1e-12).output(Output::Steps);
            let run = sim.run_into(&mut r).unwrap();
            let speed = |f: &Frame| f.bodies[0].velocity.z.abs();
            let slowest = r.frames.iter().map(speed).fold(f64::INFINITY, f64::min);
            // (as exactly as the method's interpolant has it)
            assert!(slowest < 1e-6 * v0, "{law:?} {method}: {slowest:e}");
            if let Some(e) = e {
                let rebound = run.end.body("ball").unwrap().velocity.z / v0;
                close(&format!("{method}: restitution"), rebound, e, 1e-10);
            }
        }
    }
}

/// A ball on a soft layer: the depth at which the layer holds all the energy; the radius given, or from curvature.
#[test]
fn elastic_foundation() {
    let (m, v0, modulus, radius) = (0.3, 2.0, 1e9, 0.05);
    let chi = 0.2;
    for law in [
        ElasticFoundation::new(modulus).unwrap(),
        ElasticFoundation::new(modulus).unwrap().radius(radius),
        ElasticFoundation::new(modulus).unwrap().damping(chi),
    ] {
        let (release, v) = impact(Arc::new(law), m, v0);
        let damped = !NormalLaw::is_elastic(&law);
        let eta = if damped { chi * v0 } else { 0.0 };
        close("restitution", v / v0, effective_restitution(eta), 1e-9);
        let stored = if damped { 1.0 / eta - eta.ln_1p() / (eta * eta) } else { 0.5 };
        let x = release.max_indentation;
        let energy = std::f64::consts::PI * modulus * x.powi(3) * (radius / 3.0 - x / 12.0);
        close("stored", energy, stored * m * v0 * v0, 1e-9);
    }
}

/// Without a radius there is none to take where a surface is flat in one direction or has a corner.
#[test]
fn a_foundation_needs_a_radius() {
    let build = |law: ElasticFoundation| {
        let mut b = ModelBuilder::new();
        b.body(Body::new("rod").mass(1.0).surface(Cylinder::new(0.02, 0.1).unwrap()));
        b.body(Body::fixed("floor").surface(Plane).position([0.0, 0.0, -1.0]));
        b.contact(ContactRule::between("rod", "floor").normal(law));
        b.build()
    };
    let law = ElasticFoundation::new(1e9).unwrap();
    let error = build(law).unwrap_err().to_string();
    assert!(error.contains("rod~floor") && error.contains("give `radius`"), "{error}");
    assert!(build(law.radius(0.02)).is_ok());
}

/// While a dashpot pulls, nothing is pressed together, and friction does not drive.
#[test]
fn no_friction_while_a_dashpot_pulls() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = Body::new("ball").mass(0.3).surface(Sphere::new(0.05).unwrap());
    b.body(ball.position([0.0, 0.0, 0.051]).velocity([1.0, 0.0, -1.0]));
    b.body(Body::fixed("floor").surface(Plane));
    let normal = normal::Tsuji::restitution(0.3).unwrap().stiffness(1e7).exit(normal::Exit::Indentation);
    let rule = ContactRule::between("ball", "floor").normal(normal);
    b.contact(rule.friction(Tanh::new(0.4, 100.0).unwrap()));
    let model = b.build().unwrap();
    let mut r = Recording::default();
    let output = Output::At((0..300).map(|i| 1e-3 + 1e-5 * f64::from(i)).collect());
    let run = Simulation::new(&model).duration(0.005).rtol(1e-12).output(output).run_into(&mut r).unwrap();
    let mut lost = 0.0;
    let mut pulled = false;
    for frame in &r.frames {
        let gain = lost - frame.energy.dissipated_friction;
        assert!(gain <= 1e-12, "friction drives at {}: {gain:e}", frame.t);
        lost = frame.energy.dissipated_friction;
        for c in frame.contacts.iter().filter(|c| c.f_n < 0.0) {
            pulled = true;
            assert_eq!(c.f_t.norm(), 0.0);
        }
    }
    assert!(pulled && lost > 0.0 && run.summary.audit_relative < 1e-10, "{}", run.summary);
    close("restitution", run.end.body("ball").unwrap().velocity.z, 0.3, 1e-9);
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
