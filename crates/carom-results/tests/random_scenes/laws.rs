//! Laws of contacts, with numbers that suit masses, speeds and sizes of a scene.

use carom::base::Value::Number;
use carom::base::param::Presence;
use carom::base::{Args, Param, Quantity};
use carom::law::{Stiffness, friction, normal, resistance};
use serde_json::{Value, json};

use crate::numbers::{Random, short};

/// What laws must suit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// the largest mass \[kg\]
    pub(crate) mass: f64,
    /// the largest speed \[m/s\]
    pub(crate) speed: f64,
    /// an indentation that is small against the bodies \[m\]
    pub(crate) depth: f64,
    /// of the bodies \[m\]
    pub(crate) length: f64,
}

impl Size {
    /// The stiffness \[N/m^exponent\] that stops the mass at that speed within the depth.
    pub(crate) fn stiffness(&self, exponent: f64) -> f64 {
        let energy = 0.5 * self.mass * self.speed * self.speed;
        short((exponent + 1.0) * energy / self.depth.powf(exponent + 1.0))
    }

    /// The force at that depth \[N\].
    fn force(&self) -> f64 {
        self.stiffness(1.0) * self.depth
    }

    /// Half the time of an impact, about \[s\].
    fn time(&self) -> f64 {
        1.5 * self.depth / self.speed
    }
}

/// A normal law of the registry.
pub(crate) fn normal(size: Size, n: &mut Random) -> Value {
    let points = normal::ALL.iter().filter(|entry| !entry.is_pressure());
    let names: Vec<&str> = points.map(|entry| entry.name()).collect();
    let law = n.one(&names);
    let params = normal::find(law).map_or(&[][..], |entry| entry.entry.params);
    let param = |name: &str| params.iter().find(|p| p.name == name);
    let share = n.between(0.02, 0.4);
    let exponent = if n.chance(0.8) { 1.5 } else { n.between(1.0, 2.0) };
    // laws whose exponent is given, and all others, whose stiffness tells it
    let stiffness = match param("stiffness").map(|p| p.quantity) {
        Some(Quantity::LinearStiffness) => size.stiffness(1.0),
        Some(Quantity::PointStiffness) => size.stiffness(1.5),
        _ => size.stiffness(exponent),
    };
    let mut out = json!({"law": law});
    if param("stiffness").is_some() {
        out["stiffness"] = json!(stiffness);
    }
    if param("exponent").is_some() {
        out["exponent"] = json!(exponent);
    }
    if param("foundation_modulus").is_some() {
        let modulus = size.force() / (std::f64::consts::PI * size.depth * size.depth * size.length);
        out["foundation_modulus"] = json!(short(modulus));
        out["radius"] = json!(short(size.length));
    }
    let damping = param("damping").map(|p| match p.quantity {
        Quantity::Time => short(share * size.time()),
        Quantity::LinearDamping => short(share * size.force() / size.speed),
        _ => short(share / size.speed),
    });
    // the family of a restitution takes a damping as well; other laws are by their restitution where they take one
    let of_family = param("exponent").is_some();
    match (param("restitution"), damping) {
        (Some(_), Some(damping)) if of_family && n.chance(0.25) => out["damping"] = json!(damping),
        (Some(_), _) => out["restitution"] = json!(n.between(0.3, 1.0)),
        (None, Some(damping)) => out["damping"] = json!(damping),
        (None, None) => (),
    }
    if param("exit").is_some() {
        exit(&mut out, n);
    }
    if param("radius").is_some() {
        out["radius"] = json!(short(size.length));
    }
    // about the force of an impact, or a part of it, over the circle in which spheres of this size meet
    if param("yield_pressure").is_some() {
        out["yield_pressure"] = json!(short(n.between(0.1, 1.5) * size.force() / (size.length * size.depth)));
    }
    if param("adhesion_energy").is_some() {
        out["adhesion_energy"] = json!(short(share * size.force() / size.length));
    }
    if param("adhesion_range").is_some() {
        out["adhesion_range"] = json!(short(n.between(0.05, 2.0) * size.depth));
    }
    if param("plasticity").is_some() {
        out["plasticity"] = json!(n.between(0.0, 0.9));
        out["adhesion_stiffness"] = json!(short(0.5 * share * stiffness));
    }
    out
}

/// A normal law that is not a foundation, where nothing gives its radius.
pub(crate) fn without_foundation(size: Size, n: &mut Random) -> Value {
    loop {
        let law = normal(size, n);
        if law["law"] != "elastic-foundation" {
            return law;
        }
    }
}

fn exit(law: &mut Value, n: &mut Random) {
    if n.chance(0.3) {
        law["exit"] = json!("indentation");
    }
}

/// Whether a friction law goes by load and slip alone: others need a normal law that fits.
fn goes_by_load(entry: &friction::FrictionEntry) -> bool {
    let args = Args::new().with("coefficient", Number(0.3));
    !entry.make(&args).is_ok_and(|law| law.follows_depth())
}

/// A friction law of the registry that does not jump.
pub(crate) fn friction(size: Size, n: &mut Random) -> Value {
    let all: Vec<&str> =
        friction::ALL.iter().filter(|e| e.continuous && goes_by_load(e)).map(|e| e.name()).collect();
    let law = n.one(&all);
    let params = friction::find(law).map_or(&[][..], |entry| entry.entry.params);
    let mu = n.between(0.05, 0.8);
    let mu_s = short(mu * n.between(1.0, 1.5));
    let v = short(size.speed * n.decades(1e-3, 1e-1));
    let sigma0 = short(size.stiffness(1.0) * n.between(0.1, 1.0));
    let sigma1 = short(n.between(0.1, 1.5) * (sigma0 * size.mass).sqrt());
    let mut out = json!({"law": law});
    let value = |p: &Param, n: &mut Random| match (p.name, p.quantity) {
        ("coefficient", _) => mu,
        ("static_coefficient", _) => mu_s,
        ("v0", _) => short(0.3 * v),
        // beside a slope, the fall to kinetic friction is slower than the rise
        ("stribeck_speed", _) if params.iter().any(|p| p.name == "slope") => short(5.0 * v),
        ("stribeck_speed", _) => short(3.0 * v),
        ("decay", _) => short(0.3 / v),
        (_, Quantity::Speed) => v,
        (_, Quantity::InverseSpeed) => short(1.0 / v),
        (_, Quantity::LinearStiffness) => sigma0,
        (_, Quantity::LinearDamping) => sigma1,
        (_, Quantity::Time) => n.decades(0.01, 0.1),
        _ => n.between(0.1, 0.9),
    };
    // what must be given, and what makes bristles swing less
    let given = |p: &&Param| p.presence == Presence::Required || p.name == "bristle_damping";
    for p in params.iter().filter(given) {
        out[p.name] = json!(value(p, n));
    }
    out
}

/// Whether a friction law has a memory.
pub(crate) fn remembers(law: &Value) -> bool {
    let Some(entry) = law["law"].as_str().and_then(friction::find) else { return false };
    let number = |p: &Param| Some((p.name, law[p.name].as_f64()?));
    let given = entry.entry.params.iter().filter_map(number);
    let args = given.fold(Args::new(), |args, (name, x)| args.with(name, Number(x)));
    entry.make(&args).is_ok_and(|law| law.remembers())
}

/// Whether a law of resistance has a memory.
pub(crate) fn winds(law: &Value) -> bool {
    law["law"].as_str().is_some_and(|name| WINDS.contains(&name))
}

/// The laws of resistance with a memory.
const WINDS: [&str; 4] = ["elastic-plastic", "jiang", "iwashita-oda", "torsion"];

/// The exponent of a normal law, if it is one of contacts in points with a stiffness of their own; else `None`.
fn exponent_of(law: &Value) -> Option<f64> {
    let entry = law["law"].as_str().and_then(normal::find)?;
    let number = |p: &Param| Some((p.name, law[p.name].as_f64()?));
    let given = entry.entry.params.iter().filter_map(number);
    let args = given.fold(Args::new(), |args, (name, x)| args.with(name, Number(x)));
    let law = entry.make(&args).ok()?;
    let point = matches!(law.stiffness(), Stiffness::Given(_) | Stiffness::Materials);
    (point && law.exponent() >= 1.0).then(|| law.exponent())
}

/// A friction law by the contact's own stiffness that goes with a normal law; `None` if none does.
pub(crate) fn compliant(normal: &Value, n: &mut Random) -> Option<Value> {
    let exponent = exponent_of(normal)?;
    let args = || Args::new().with("coefficient", Number(0.3)).with("stiffness_ratio", Number(0.8));
    let fits = |entry: &&friction::FrictionEntry| {
        let law = entry.make(&args());
        law.is_ok_and(|law| law.follows_depth() && (exponent == 1.5 || !law.needs_circle()))
    };
    let all: Vec<&str> = friction::ALL.iter().filter(fits).map(|entry| entry.name()).collect();
    let law = n.one(&all);
    let mut out =
        json!({"law": law, "coefficient": n.between(0.05, 0.8), "stiffness_ratio": n.between(0.6, 1.0)});
    let params = friction::find(law).map_or(&[][..], |entry| entry.entry.params);
    for many in ["elements", "rings"] {
        if params.iter().any(|p| p.name == many) {
            out[many] = json!(n.whole(3, 10));
        }
    }
    Some(out)
}

/// A spring against rolling or spinning that goes with a normal law; `None` if none does.
pub(crate) fn spring(spinning: bool, normal: &Value, size: Size, n: &mut Random) -> Option<Value> {
    let exponent = exponent_of(normal)?;
    let (length, share) = (size.length, n.decades(1e-3, 3e-2));
    let radius = short(length);
    if spinning {
        let law = json!({"law": "torsion", "coefficient": n.between(0.05, 0.8), "stiffness_ratio": n.between(0.6, 1.2), "radius": radius});
        return (exponent == 1.5 && resistance::find_spinning("torsion").is_some()).then_some(law);
    }
    let c = short(share * length);
    Some(match n.whole(0, 2) {
        0 => json!({"law": "elastic-plastic", "coefficient": c}),
        1 => json!({"law": "jiang", "width": short(6.0 * c)}),
        _ => {
            json!({"law": "iwashita-oda", "coefficient": c, "stiffness_ratio": n.between(0.6, 1.0), "radius": radius})
        }
    })
}

/// What resists rolling or spinning.
pub(crate) fn resistance(spinning: bool, size: Size, n: &mut Random) -> Value {
    let rate = size.speed / size.length;
    let share = n.decades(1e-3, 3e-2);
    let law = if spinning { n.one(&["tanh", "viscous", "hertz-patch"]) } else { n.one(&["tanh", "viscous"]) };
    let transition = short(rate * n.decades(1e-2, 0.3));
    match law {
        "viscous" => json!({"law": law, "damping": short(share * size.length / rate)}),
        "hertz-patch" => {
            json!({"law": law, "coefficient": n.between(0.05, 0.8), "transition_rate": transition,
            "radius": short(size.length)})
        }
        _ => json!({"law": law, "coefficient": short(share * size.length), "transition_rate": transition}),
    }
}
