//! The standard impact of every normal law, integrated here step by step, against an independent table and
//! against the closed forms.

// also outside of #[test] functions: a table that cannot be read is a failed test

use crate::common::impact::{Ends, Outcome, standard_impact};
use carom_base::{Args, Value};
use carom_law::impact::{StandardImpact, effective_restitution};
use carom_law::normal::{self, ElasticFoundation, Foundation, Hertz, HuntCrossley, NormalEntry};
use carom_testkit::within;
use serde_json::Value as Json;

fn table() -> Json {
    serde_json::from_str(include_str!("data/impact.json")).unwrap()
}

const TOLERANCE: f64 = 1e-11;

fn number(row: &Json, key: &str, what: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("{what}: no `{key}` in the table"))
}

fn compare(out: &Outcome, row: &Json, end: &Json, what: &str) {
    let check = |got: f64, row: &Json, key: &str| {
        within(&format!("{what} {key}"), got, number(row, key, what), TOLERANCE, 0.0);
    };
    check(out.max_indentation, row, "max_indentation");
    check(out.peak_force, row, "peak_force");
    check(out.restitution, end, "restitution");
    check(out.duration, end, "duration");
    if row.get("compression").is_some() {
        check(out.compression, row, "compression");
    }
}

fn compare_closed(out: &Outcome, exponent: f64, eta: f64, what: &str) {
    let closed = StandardImpact { mass: 1.0, v0: 1.0, stiffness: 1.0, exponent, eta };
    within(what, out.restitution, closed.restitution(), TOLERANCE, 0.0);
    within(what, out.max_indentation, closed.max_indentation(), TOLERANCE, 0.0);
    within(what, out.peak_force, closed.peak_force(), TOLERANCE, 0.0);
    if eta == 0.0 {
        within(what, out.duration, closed.elastic_duration(), TOLERANCE, 0.0);
    }
}

fn no_rows(entry: &NormalEntry) -> ! {
    panic!(
        "no rows of {} in tests/data/impact.json: add its line to oracles/impact.py, then `python -m oracles write carom-law/tests/data/impact.json`",
        entry.name()
    )
}

fn args(values: &[(&str, f64)]) -> Args {
    values.iter().fold(Args::new(), |args, (name, x)| args.with(name, Value::Number(*x)))
}

fn has(entry: &NormalEntry, key: &str) -> bool {
    entry.entry.params.iter().any(|p| p.name == key)
}

#[test]
fn elastic_impacts() {
    let table = table();
    for (n, row) in table["elastic"].as_object().unwrap() {
        let exponent: f64 = n.parse().unwrap();
        let law = Hertz::new().exponent(exponent).stiffness(1.0);
        let out = standard_impact(&law, 1.0, Ends::Indentation);
        compare(&out, row, row, &format!("hertz n = {n}"));
        compare_closed(&out, exponent, 0.0, n);
    }
}

#[test]
fn every_law_of_the_family() {
    let table = table();
    for entry in normal::ALL {
        let Some(eta) = entry.eta else { continue };
        let rows = table["family"][entry.name()].as_object();
        let rows = rows.unwrap_or_else(|| no_rows(entry));
        assert_eq!(rows.len(), 9, "{}", entry.name());
        for (c, row) in rows {
            let what = format!("{} c = {c}", entry.name());
            let c: f64 = c.parse().unwrap();
            within(&what, eta(c), row["eta"].as_f64().unwrap(), 1e-13, 0.0);
            let law = entry.make(&args(&[("restitution", c)])).unwrap();
            let out = standard_impact(&*law, 1.0, Ends::Indentation);
            compare(&out, row, row, &what);
            compare_closed(&out, 1.5, eta(c), &what);
        }
        // the restitution does not depend on the exponent
        let args = args(&[("restitution", 0.6), ("exponent", 2.0), ("stiffness", 1.0)]);
        let out = standard_impact(&*entry.make(&args).unwrap(), 1.0, Ends::Indentation);
        compare_closed(&out, 2.0, eta(0.6), entry.name());
    }
}

/// F = K δⁿ + D δᵖ δ̇: both ends of a contact, by restitution or by the damping itself.
#[test]
fn every_law_with_a_dashpot() {
    let table = table();
    let others = ["elastic-foundation", "foundation"];
    let dashpots = |e: &&NormalEntry| e.eta.is_none() && has(e, "damping") && !others.contains(&e.name());
    for entry in normal::ALL.iter().filter(dashpots) {
        let rows = table["dashpot"][entry.name()].as_object();
        let rows = rows.unwrap_or_else(|| no_rows(entry));
        assert_eq!(rows.len(), 9, "{}", entry.name());
        for (key, row) in rows {
            let a = number(row, "a", key);
            // D = (3/2) A K
            let damping = if entry.name() == "kuwabara-kono" { a / 1.5 } else { a };
            let mut given = vec![args(&[("damping", damping), ("stiffness", 1.0)])];
            if has(entry, "restitution") {
                given.push(args(&[("restitution", key.parse().unwrap()), ("stiffness", 1.0)]));
            }
            for args in given {
                for (word, ends) in [("force", Ends::Force), ("indentation", Ends::Indentation)] {
                    let exit = args.clone().with("exit", Value::Text(word.to_owned()));
                    let args = if has(entry, "exit") { &exit } else { &args };
                    let law = entry.make(args).unwrap();
                    // what never pulls ends at δ = 0 by either rule
                    let ends = if has(entry, "exit") { ends } else { Ends::Indentation };
                    let out = standard_impact(&*law, 1.0, ends);
                    compare(&out, row, &row[word], &format!("{} {args:?}", entry.name()));
                }
            }
        }
    }
}

/// ½ m v₀² = E(δmax), and with damping the restitution of η = χ̄ v₀, as for any elastic force.
#[test]
fn the_elastic_foundation() {
    for chi in [0.0, 0.4, 2.0] {
        // K = π k R = 1: a sphere that sinks in by a good part of its radius, and by more than that
        for r in [4.0, 0.8] {
            let law = ElasticFoundation::new(1.0 / (std::f64::consts::PI * r)).unwrap().damping(chi);
            let out = standard_impact(&law, 1.0, Ends::Indentation);
            within("elastic foundation", out.restitution, effective_restitution(chi), TOLERANCE, 0.0);
            // the elastic energy at the deepest point is (m v₀²) (1/η − ln(1+η)/η²)
            let stored = if chi == 0.0 { 0.5 } else { 1.0 / chi - chi.ln_1p() / (chi * chi) };
            let x = out.max_indentation;
            let cap = x.powi(3) / 3.0 - x.powi(4) / (12.0 * r);
            let deep = r * (x * x / 2.0 - r * x / 3.0 + r * r / 12.0);
            within("stored energy", if x < r { cap } else { deep }, stored, TOLERANCE, 0.0);
            assert_eq!(x > r, r < 1.0, "depth {x} of {r}");
        }
    }
}

/// A flat punch on a foundation, of a unit of area: K d (1 + χ ḋ) is the family with n = 1.
#[test]
fn the_foundation_under_a_flat_punch() {
    for chi in [0.0, 0.4, 2.0] {
        let law = Foundation::new(1.0).unwrap().damping(chi);
        let out = standard_impact(&law, 1.0, Ends::Indentation);
        compare_closed(&out, 1.0, chi, "flat punch");
    }
}

#[test]
fn constant_damping_is_the_family_with_eta_by_speed() {
    for chi in [0.05, 0.4, 2.0] {
        let out = standard_impact(&HuntCrossley::damping(chi).unwrap(), 1.0, Ends::Indentation);
        within("constant damping", out.restitution, effective_restitution(chi), TOLERANCE, 0.0);
        compare_closed(&out, 1.5, chi, "constant damping");
    }
    // every law of the family takes it, and is then the same
    for entry in normal::ALL.iter().filter(|e| e.eta.is_some()) {
        let law = entry.make(&args(&[("damping", 0.4)])).unwrap();
        let out = standard_impact(&*law, 1.0, Ends::Indentation);
        within(entry.name(), out.restitution, effective_restitution(0.4), TOLERANCE, 0.0);
        assert!(!law.needs_impact_speed(), "{}", entry.name());
    }
}

/// 1 kg at 1 m/s onto K = 1.4e8 N/m^{3/2}, Hunt and Crossley for c = 0.7: reference values in SI units.
#[test]
fn closed_forms_in_si_units() {
    let eta = HuntCrossley::restitution(0.7).unwrap().eta().unwrap();
    let impact = StandardImpact { mass: 1.0, v0: 1.0, stiffness: 1.4e8, exponent: 1.5, eta };
    within("max indentation", impact.max_indentation(), 0.000544454931315, 1e-11, 0.0);
    within("peak force", impact.peak_force(), 1888.54143522, 1e-11, 0.0);
}
