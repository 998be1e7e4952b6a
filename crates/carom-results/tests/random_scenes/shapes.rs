//! Shapes of bodies and of what they are in, and which of them can touch.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use carom_scene::{Format, Scene};
use serde_json::{Value, json};

use crate::numbers::{Random, short};

/// The surfaces bodies have. Those of bodies that deform begin with `soft-`.
pub(crate) const SOLIDS: [&str; 16] = [
    "sphere",
    "box",
    "cylinder",
    "capsule",
    "ellipsoid",
    "superellipsoid",
    "barr-superellipsoid",
    "torus",
    "supertorus",
    "polyhedron",
    "cone",
    "frustum",
    "soft-sphere",
    "soft-box",
    "soft-ellipsoid",
    "soft-cylinder",
];

/// What bodies are in, closed surfaces from their inside.
pub(crate) const CAVITIES: [&str; 6] =
    ["box", "sphere", "cylinder", "ellipsoid", "capsule", "superellipsoid"];

/// A surface of a body.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    /// one of [`SOLIDS`]
    pub(crate) kind: &'static str,
    /// its keys
    pub(crate) surface: Value,
    /// of the ball it is within \[m\]
    pub(crate) radius: f64,
    /// half its least measure \[m\]
    pub(crate) thickness: f64,
}

impl Solid {
    /// A surface within a ball of that radius \[m\] about its origin.
    pub(crate) fn random(kind: &'static str, r: f64, n: &mut Random) -> Solid {
        let flat = |n: &mut Random| n.between(0.35, 1.0);
        let third = short(r / 3f64.sqrt());
        let (surface, thickness) = match kind.trim_start_matches("soft-") {
            "box" => {
                let half = [third * flat(n), third, third * flat(n)];
                let size = half.map(|h| short(2.0 * h));
                (json!({"type": "box", "size": size}), half[0].min(half[2]))
            }
            "cylinder" => {
                let angle = n.between(0.35, 1.2);
                let (radius, half) = (r * angle.sin(), r * angle.cos());
                (
                    json!({"type": "cylinder", "radius": short(radius * 0.99), "length": short(1.98 * half)}),
                    radius.min(half),
                )
            }
            "capsule" => {
                let radius = short(r * n.between(0.25, 0.8));
                (json!({"type": "capsule", "radius": radius, "length": short(1.99 * (r - radius))}), radius)
            }
            // rims within the ball: the base's and, of a frustum, the narrower or wider one of its top
            "cone" | "frustum" => {
                let angle = n.between(0.35, 1.2);
                let (radius, half) = (short(0.99 * r * angle.sin()), short(0.99 * r * angle.cos()));
                let top = if kind == "cone" { 0.0 } else { short(radius * n.between(0.2, 0.9)) };
                let rims = if n.whole(0, 1) == 0 || kind == "cone" { [radius, top] } else { [top, radius] };
                let shape =
                    json!({"type": "cone", "radius": rims[0], "top_radius": rims[1], "length": 2.0 * half});
                (shape, 0.5 * radius.min(half))
            }
            "ellipsoid" => {
                let axes = [r, r * flat(n), r * flat(n)].map(short);
                (json!({"type": "ellipsoid", "semi_axes": axes}), axes[1].min(axes[2]))
            }
            "superellipsoid" => {
                let axes = [third, third * flat(n), third * flat(n)].map(short);
                let exponents = [0; 3].map(|_| n.between(2.0, 6.0));
                let shape = json!({"type": "superellipsoid", "semi_axes": axes, "exponents": exponents});
                (shape, axes[1].min(axes[2]))
            }
            "barr-superellipsoid" => {
                let axes = [third, third * flat(n), third * flat(n)].map(short);
                let exponents = [0; 2].map(|_| n.between(2.0, 6.0));
                let shape = json!({"type": "barr-superellipsoid", "semi_axes": axes, "exponents": exponents});
                (shape, axes[1].min(axes[2]))
            }
            "torus" => {
                let minor = short(r * n.between(0.1, 0.4));
                (
                    json!({"type": "torus", "major_radius": short(0.99 * (r - minor)), "minor_radius": minor}),
                    minor,
                )
            }
            "supertorus" => {
                let minor = short(r * n.between(0.1, 0.25));
                let exponents = [n.between(2.0, 4.0), n.between(2.0, 4.0)];
                let shape = json!({"type": "supertorus", "major_radius": short(0.5 * r),
                    "semi_axes": [minor, minor], "exponents": exponents});
                (shape, minor)
            }
            "polyhedron" => {
                // a tetrahedron, so that it has a volume, and more points
                let a = third;
                let mut points = vec![[a, a, a], [a, -a, -a], [-a, a, -a], [-a, -a, a]];
                points.extend((0..n.whole(0, 4)).map(|_| n.vector(a)));
                (json!({"type": "polyhedron", "vertices": points}), 0.5 * a)
            }
            _ => (json!({"type": "sphere", "radius": r}), r),
        };
        Solid { kind, surface, radius: r, thickness }
    }

    /// Whether a body of it deforms.
    pub(crate) fn soft(&self) -> bool {
        self.kind.starts_with("soft-")
    }
}

/// A cavity that contains a box of these half lengths \[m\], with the surface's keys.
pub(crate) fn cavity(kind: &str, half: [f64; 3], n: &mut Random) -> Value {
    let room = n.between(1.02, 1.3);
    let [x, y, z] = half.map(|h| h * room);
    let radius = (x * x + y * y + z * z).sqrt();
    let mut surface = match kind {
        "sphere" => json!({"type": "sphere", "radius": short(radius)}),
        "cylinder" => {
            json!({"type": "cylinder", "radius": short((x * x + y * y).sqrt()), "length": short(2.0 * z)})
        }
        "capsule" => {
            json!({"type": "capsule", "radius": short((x * x + y * y).sqrt()), "length": short(2.0 * z)})
        }
        "ellipsoid" => {
            let axes = [x, y, z].map(|a| short(a * 3f64.sqrt()));
            json!({"type": "ellipsoid", "semi_axes": axes})
        }
        "superellipsoid" => {
            let axes = [x, y, z].map(|a| short(a * 3f64.sqrt()));
            json!({"type": "superellipsoid", "semi_axes": axes, "exponents": [4, 4, 4]})
        }
        _ => json!({"type": "box", "size": [short(2.0 * x), short(2.0 * y), short(2.0 * z)]}),
    };
    surface["side"] = json!("inside");
    surface
}

/// Whether two can touch: the program itself is asked, once for every pair. What one of them is in has `in-` before its name, a plane is `plane`.
pub(crate) fn can_touch(a: &'static str, b: &'static str, slices: bool) -> bool {
    type Known = Mutex<HashMap<(&'static str, &'static str, bool), bool>>;
    static KNOWN: OnceLock<Known> = OnceLock::new();
    let known = KNOWN.get_or_init(Known::default);
    if let Some(answer) = known.lock().ok().and_then(|k| k.get(&(a, b, slices)).copied()) {
        return answer;
    }
    let mut n = Random::new(1, 1);
    let mut body = |name: &str, kind: &'static str| match kind {
        "plane" => json!({"name": name, "fixed": true, "surface": [{"type": "plane"}]}),
        _ => match kind.strip_prefix("in-") {
            Some(cavity_kind) => {
                json!({"name": name, "fixed": true, "surface": [cavity(cavity_kind, [1.0; 3], &mut n)]})
            }
            None => super::bodies::of_solid(name, &Solid::random(kind, 0.1, &mut n), 1.0, 10.0),
        },
    };
    let mut contact = json!({"between": ["a", "b"], "normal": {"law": "hertz", "stiffness": 1e6}});
    if slices {
        contact["slices"] = json!(12);
    }
    let scene = json!({"run": {"duration": 1}, "body": [body("a", a), body("b", b)], "contact": [contact]});
    let answer = Scene::from_text(&scene.to_string(), Format::Json, "pair", &[]).is_ok();
    if let Ok(mut known) = known.lock() {
        known.insert((a, b, slices), answer);
    }
    answer
}
