//! Laws of contacts, with numbers that suit masses, speeds and sizes of a scene.

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

const NORMAL: [&str; 17] = [
    "hertz",
    "hunt-crossley",
    "herbert-mcwhannell",
    "lee-wang",
    "lankarani-nikravesh",
    "gonthier",
    "gonthier-implicit",
    "zhiying-qishao",
    "flores",
    "hu-guo",
    "safaeifar-farshidianfar",
    "kelvin-voigt",
    "tsuji",
    "jankowski",
    "kuwabara-kono",
    "ristow",
    "elastic-foundation",
];

const FRICTION: [&str; 13] = [
    "tanh",
    "rooney-deravi",
    "threlfall",
    "ambrosio",
    "bengisu-akay",
    "andersson",
    "brown-mcphee",
    "hollars",
    "dahl",
    "lugre",
    "elasto-plastic",
    "gonthier",
    "reset-integrator",
];

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

/// A normal law.
pub(crate) fn normal(size: Size, n: &mut Random) -> Value {
    let law = n.one(&NORMAL);
    let share = n.between(0.02, 0.4);
    let exponent = if n.chance(0.8) { 1.5 } else { n.between(1.0, 2.0) };
    match law {
        "hertz" => json!({"law": law, "stiffness": size.stiffness(exponent), "exponent": exponent}),
        "kelvin-voigt" => {
            let mut out =
                json!({"law": law, "stiffness": size.stiffness(1.0), "restitution": n.between(0.3, 1.0)});
            exit(&mut out, n);
            out
        }
        "tsuji" => {
            let mut out =
                json!({"law": law, "stiffness": size.stiffness(1.5), "restitution": n.between(0.3, 1.0)});
            exit(&mut out, n);
            out
        }
        "jankowski" => {
            json!({"law": law, "stiffness": size.stiffness(1.5), "restitution": n.between(0.3, 1.0)})
        }
        "kuwabara-kono" => {
            let mut out =
                json!({"law": law, "stiffness": size.stiffness(1.5), "damping": short(share * size.time())});
            exit(&mut out, n);
            out
        }
        "ristow" => {
            let damping = short(share * size.force() / size.speed);
            let mut out = json!({"law": law, "stiffness": size.stiffness(1.5), "damping": damping});
            exit(&mut out, n);
            out
        }
        "elastic-foundation" => {
            let modulus = size.force() / (std::f64::consts::PI * size.depth * size.depth * size.length);
            json!({"law": law, "foundation_modulus": short(modulus), "radius": short(size.length),
                "damping": short(share / size.speed)})
        }
        _ if n.chance(0.25) => {
            json!({"law": law, "stiffness": size.stiffness(exponent), "exponent": exponent,
            "damping": short(share / size.speed)})
        }
        _ => json!({"law": law, "stiffness": size.stiffness(exponent), "exponent": exponent,
            "restitution": n.between(0.3, 1.0)}),
    }
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

/// A friction law that does not jump.
pub(crate) fn friction(size: Size, n: &mut Random) -> Value {
    let law = n.one(&FRICTION);
    let mu = n.between(0.05, 0.8);
    let mu_s = short(mu * n.between(1.0, 1.5));
    let v = short(size.speed * n.decades(1e-3, 1e-1));
    let sigma0 = short(size.stiffness(1.0) * n.between(0.1, 1.0));
    let sigma1 = short(n.between(0.1, 1.5) * (sigma0 * size.mass).sqrt());
    let mut out = match law {
        "tanh" => json!({"slope": short(1.0 / v)}),
        "rooney-deravi" | "threlfall" => json!({"transition_speed": v}),
        "ambrosio" => json!({"v0": short(0.3 * v), "v1": v}),
        "bengisu-akay" => {
            json!({"static_coefficient": mu_s, "transition_speed": v, "decay": short(0.3 / v)})
        }
        "andersson" => {
            json!({"static_coefficient": mu_s, "stribeck_speed": short(5.0 * v), "slope": short(1.0 / v)})
        }
        "brown-mcphee" | "hollars" => json!({"static_coefficient": mu_s, "transition_speed": v}),
        "dahl" => json!({"bristle_stiffness": sigma0}),
        "reset-integrator" => {
            json!({"static_coefficient": mu_s, "bristle_stiffness": sigma0, "bristle_damping": sigma1})
        }
        "gonthier" => json!({"static_coefficient": mu_s, "stribeck_speed": short(3.0 * v),
            "bristle_stiffness": sigma0, "bristle_damping": sigma1, "dwell_time": n.decades(0.01, 0.1)}),
        _ => json!({"static_coefficient": mu_s, "stribeck_speed": short(3.0 * v),
            "bristle_stiffness": sigma0, "bristle_damping": sigma1}),
    };
    out["law"] = json!(law);
    out["coefficient"] = json!(mu);
    out
}

/// Whether a friction law has a memory.
pub(crate) fn remembers(law: &Value) -> bool {
    law["bristle_stiffness"].is_number()
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
