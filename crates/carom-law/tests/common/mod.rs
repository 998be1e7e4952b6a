//! What the registry-driven tests share.

// each test file uses a part of it
#![allow(dead_code)]

pub(crate) mod impact;
pub(crate) mod walk;

use std::sync::Arc;

use carom_base::param::{Allowed, Presence};
use carom_base::{Args, Param, Value};
use carom_law::normal::LineTouch;
use carom_law::{Friction, Normal, Resistance, ResistanceEntry, friction, normal};

/// What laws of line contacts have latched: they reach as far as δ = 14.7.
pub(crate) const LINE: LineTouch = LineTouch { c: 40.0, n: 1.3 };

/// Values across the allowed range, its ends included.
fn samples(allowed: Allowed) -> Vec<Value> {
    let numbers = match allowed {
        Allowed::Finite => vec![-1.3, 0.0, 2.0],
        Allowed::Positive => vec![0.4, 3.0],
        Allowed::NotNegative => vec![0.0, 0.3],
        Allowed::Between(lo, hi) => vec![lo, 0.7 * lo + 0.3 * hi, hi],
        Allowed::Above(lo, hi) if hi.is_finite() => vec![lo + 0.05 * (hi - lo), lo + 0.6 * (hi - lo), hi],
        Allowed::Above(lo, _) => vec![lo + 0.5, lo + 3.0],
        // no law has a place, or is a function of time
        Allowed::Region
        | Allowed::Expression
        | Allowed::Signal
        | Allowed::Table
        | Allowed::Curve(_)
        | Allowed::Matrix
        | Allowed::Flag
        | Allowed::Name => Vec::new(),
        Allowed::OneOf(words) => return words.iter().map(|w| Value::Text((*w).to_owned())).collect(),
    };
    numbers.into_iter().map(Value::Number).collect()
}

/// All combinations of sample values of a parameter table, optional ones also left out. Combinations a kind
/// refuses (values that exclude each other) are for the caller to drop.
pub(crate) fn combinations(params: &[Param]) -> Vec<Args> {
    let mut all = vec![Args::new()];
    for param in params {
        let mut next = Vec::new();
        for args in &all {
            if param.presence != Presence::Required {
                next.push(args.clone());
            }
            for x in samples(param.allowed) {
                next.push(args.clone().with(param.name, x));
            }
        }
        all = next;
    }
    all
}

/// Every normal law with all its sample parameters, and what they are.
pub(crate) fn normal_laws() -> Vec<(String, Arc<dyn Normal>)> {
    let mut all = Vec::new();
    // the radii and length of a line are latched: given or not, the law is the same
    let latched = |p: &&Param| !["length", "journal_radius", "bearing_radius"].contains(&p.name);
    for entry in normal::ALL {
        let mut params: Vec<Param> = entry.entry.params.iter().filter(latched).copied().collect();
        // nor are the logarithmic ones told apart by anything but what they latch
        let elastic = params.iter_mut().find(|p| p.name == "elastic");
        elastic.into_iter().for_each(|p| p.allowed = Allowed::OneOf(&["johnson", "pereira"]));
        let made: Vec<_> = combinations(&params)
            .iter()
            .filter_map(|args| Some((format!("{} {args:?}", entry.name()), entry.make(args).ok()?)))
            .collect();
        assert!(!made.is_empty(), "no sample of {} can be made", entry.name());
        all.extend(made);
    }
    all
}

/// A friction law with sample parameters.
pub(crate) struct FrictionSample {
    pub(crate) name: String,
    pub(crate) args: Args,
    pub(crate) continuous: bool,
    pub(crate) law: Arc<dyn Friction>,
}

impl FrictionSample {
    /// The number of that name, zero if there is none.
    pub(crate) fn number(&self, name: &str) -> f64 {
        self.args.number(name).unwrap_or(0.0)
    }

    /// The largest coefficient of dry friction.
    pub(crate) fn largest(&self) -> f64 {
        self.number("coefficient").max(self.number("static_coefficient"))
    }
}

/// Every friction law that is a function of load and slip, with all its sample parameters.
pub(crate) fn friction_laws() -> Vec<FrictionSample> {
    all_friction_laws().into_iter().filter(|sample| !sample.law.remembers()).collect()
}

/// Whether bristles remember, by load and slip alone.
fn has_bristles(sample: &FrictionSample) -> bool {
    sample.law.remembers() && !sample.law.follows_depth()
}

/// Every friction law with bristles, with all its sample parameters.
pub(crate) fn bristle_laws() -> Vec<FrictionSample> {
    all_friction_laws().into_iter().filter(has_bristles).collect()
}

/// Every friction law with memory, with these values where it takes them, and defaults for what else it takes.
pub(crate) fn bristle_laws_with(values: &[(&str, f64)]) -> Vec<FrictionSample> {
    let mut all = Vec::new();
    // which laws remember, the samples tell
    let samples = bristle_laws();
    for entry in friction::ALL {
        let Some(sample) = samples.iter().find(|s| s.law.name() == entry.name()) else { continue };
        let mut args = Args::new();
        for p in entry.entry.params {
            let given = values.iter().find(|v| v.0 == p.name).map(|v| v.1);
            let needed = (p.presence == Presence::Required).then(|| sample.number(p.name));
            if let Some(x) = given.or(needed) {
                args.set(p.name, Value::Number(x));
            }
        }
        let law = entry.make(&args).unwrap_or_else(|e| panic!("{}: {e}", entry.name()));
        let (name, continuous) = (entry.name().to_owned(), entry.continuous);
        all.push(FrictionSample { name, args, continuous, law });
    }
    all
}

fn all_friction_laws() -> Vec<FrictionSample> {
    let mut all = Vec::new();
    for entry in friction::ALL {
        let before = all.len();
        for args in combinations(entry.entry.params) {
            let name = format!("{} {args:?}", entry.name());
            if let Ok(law) = entry.make(&args) {
                all.push(FrictionSample { name, args, continuous: entry.continuous, law });
            }
        }
        assert!(all.len() > before, "no sample of {} can be made", entry.name());
    }
    all
}

/// Every law of a registry of resistance with all its sample parameters, and what they are.
pub(crate) fn resistance_laws(registry: &[ResistanceEntry]) -> Vec<(String, Arc<dyn Resistance>)> {
    let mut all = Vec::new();
    for entry in registry {
        let made: Vec<_> = combinations(entry.entry.params)
            .iter()
            .filter_map(|args| Some((format!("{} {args:?}", entry.name()), entry.make(args).ok()?)))
            .collect();
        assert!(!made.is_empty(), "no sample of {} can be made", entry.name());
        all.extend(made);
    }
    all
}

/// f'(x), by a central difference of sixth order.
pub(crate) fn slope(f: impl Fn(f64) -> f64, x: f64, h: f64) -> f64 {
    (45.0 * (f(x + h) - f(x - h)) - 9.0 * (f(x + 2.0 * h) - f(x - 2.0 * h)) + f(x + 3.0 * h) - f(x - 3.0 * h))
        / (60.0 * h)
}
