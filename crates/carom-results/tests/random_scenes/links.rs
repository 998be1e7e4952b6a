//! Joints, springs and drives between bodies.

use std::sync::Arc;

use carom::base::Value::Number;
use carom::base::param::Presence;
use carom::base::{Args, Entry};
use carom::{JOINTS, JointKind};
use serde_json::{Value, json};

use crate::laws::{self, Size};
use crate::numbers::{Random, short};

/// The kinds of joints between two bodies that can be anywhere: not those of other joints, nor of surfaces that must touch. Hinges are there twice, as in machines.
fn kinds() -> Vec<&'static str> {
    let anywhere = |kind: &dyn JointKind| kind.couples().is_none() && !kind.rolls();
    let names = JOINTS.iter().filter(|entry| anywhere(&*made(entry, 1.0).1)).map(|entry| entry.name);
    names.flat_map(|name| std::iter::repeat_n(name, if name == "revolute" { 2 } else { 1 })).collect()
}

/// The values that must be given to a kind of joint, and the kind with them.
fn made(entry: &Entry<Arc<dyn JointKind>>, x: f64) -> (Vec<&'static str>, Arc<dyn JointKind>) {
    let needed = entry.params.iter().filter(|p| p.presence == Presence::Required);
    let needed: Vec<&str> = needed.map(|p| p.name).collect();
    let args = needed.iter().fold(Args::new(), |args, name| args.with(name, Number(x)));
    let kind = entry.make(&args);
    (needed, kind.unwrap_or_else(|e| panic!("{}: {e}", entry.name)))
}

/// A body to be held: its name and where it is \[m\].
pub(crate) type Held = (String, [f64; 3]);

/// What holds bodies together.
#[derive(Debug, Default)]
pub(crate) struct Links {
    pub(crate) joints: Vec<Value>,
    pub(crate) drives: Vec<Value>,
    pub(crate) forces: Vec<Value>,
}

impl Links {
    /// A chain through some of these bodies, from `ground` by chance; springs between any.
    pub(crate) fn random(held: &[Held], ground: &str, size: Size, rate: f64, n: &mut Random) -> Links {
        let mut links = Links::default();
        if held.is_empty() {
            return links;
        }
        if n.chance(0.5) {
            let first = n.whole(0, held.len() - 1);
            let last = n.whole(first, held.len().min(first + 4) - 1);
            let chain = &held[first..=last];
            if n.chance(0.6) || chain.len() < 2 {
                let [x, y, z] = chain[0].1;
                let before = (ground.to_owned(), [x, y, short(z + size.length)]);
                links.join(&chain[0], &before, size, rate, n);
            }
            for pair in chain.windows(2) {
                links.join(&pair[1], &pair[0], size, rate, n);
            }
            links.gear(n);
            links.close(chain, ground, size, n);
        }
        for _ in 0..n.whole(0, 2) {
            let a = n.whole(0, held.len() - 1);
            let b = n.whole(0, held.len());
            if a != b {
                let [x, y, z] = held[a].1;
                let anchor = (ground.to_owned(), [x, y, z + 2.0 * size.length]);
                links.spring(&held[a], held.get(b).unwrap_or(&anchor), size, rate, n);
            }
        }
        links
    }

    /// A joint from the end of a chain back to its start, or to what holds it: a closed loop, which may hold its bodies more than once.
    fn close(&mut self, chain: &[Held], ground: &str, size: Size, n: &mut Random) {
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else { return };
        if !n.chance(0.25) || !self.drives.is_empty() || self.joints.iter().any(|j| !j["clearance"].is_null())
        {
            return;
        }
        // not above the body: in line with what holds it already it could not move at all
        let [x, y, z] = last.1;
        let [dx, dy, dz] = n.vector(size.length);
        let above = (ground.to_owned(), [x + dx, y + dy, z + 1.5 * size.length + dz].map(short));
        let other = if chain.len() > 2 && n.chance(0.5) { first } else { &above };
        let kind =
            n.one(&["distance", "distance", "spherical", "revolute", "point-on-line", "point-on-plane"]);
        let joint = joint("loop", kind, last, other, size, n);
        self.joints.push(joint);
    }

    fn join(&mut self, a: &Held, b: &Held, size: Size, rate: f64, n: &mut Random) {
        let kind = n.one(&kinds());
        let name = format!("j{}", self.joints.len());
        let mut joint = joint(&name, kind, a, b, size, n);
        if matches!(kind, "revolute" | "spherical") && n.chance(0.15) {
            joint["clearance"] = clearance(kind, size, n);
            self.joints.push(joint);
            return;
        }
        let turns = matches!(kind, "revolute" | "cylindrical" | "screw");
        let slides = matches!(kind, "prismatic" | "cylindrical");
        if n.chance(0.3) && (turns || slides) && kind != "screw" {
            limits(&mut joint, turns, slides, size, n);
        } else if n.chance(0.4) && matches!(kind, "revolute" | "prismatic") {
            self.drive(&name, kind == "revolute", size, rate, n);
        }
        if n.chance(0.3) && matches!(kind, "revolute" | "prismatic" | "spherical" | "cylindrical") {
            joint["friction"] = laws::friction(size, n);
            joint["friction_radius"] = json!(short(0.2 * size.length));
            if kind != "spherical" {
                joint["friction_length"] = json!(short(0.5 * size.length));
            }
        }
        if kind == "prismatic" && n.chance(0.3) {
            let stiffness = short(size.mass * (rate * n.between(0.3, 2.0)).powi(2));
            self.forces.push(json!({"type": "slide-spring", "name": format!("{name}-spring"), "joint": name,
                "stiffness": stiffness, "damping": short(0.1 * stiffness / rate)}));
        }
        if kind == "revolute" && n.chance(0.3) {
            let stiffness = short(size.mass * (rate * size.length * n.between(0.3, 2.0)).powi(2));
            self.forces
                .push(json!({"type": "torsion-spring", "name": format!("{name}-spring"), "joint": name,
                "stiffness": stiffness, "damping": short(0.1 * stiffness / rate)}));
        }
        self.joints.push(joint);
    }

    /// A motor: a course of the coordinate, or what acts along it.
    fn drive(&mut self, joint: &str, turns: bool, size: Size, rate: f64, n: &mut Random) {
        let omega = short(rate * n.between(0.3, 1.5));
        let (target, amplitude) = match (turns, n.chance(0.5)) {
            (true, true) => ("angle", n.between(0.2, 1.5)),
            (false, true) => ("displacement", short(0.2 * size.length)),
            (true, false) => ("torque", short(0.3 * size.mass * (size.length * rate).powi(2))),
            (false, false) => ("force", short(0.3 * size.mass * size.length * rate * rate)),
        };
        let expression = format!("{amplitude}*(1 - cos({omega}*t))");
        self.drives.push(json!({"target": format!("joint/{joint}/{target}"), "expression": expression}));
    }

    /// Two hinges of the chain that go together.
    fn gear(&mut self, n: &mut Random) {
        let hinge =
            |j: &&Value| j["type"] == "revolute" && j["min_angle"].is_null() && j["clearance"].is_null();
        let hinges: Vec<Value> = self.joints.iter().filter(hinge).map(|j| j["name"].clone()).collect();
        if let ([a, b, ..], true) = (&hinges[..], n.chance(0.5) && self.drives.is_empty()) {
            let ratio = n.between(0.5, 2.0);
            let gear = json!({"name": "gear", "type": "gear", "between": [a, b], "ratio": ratio});
            self.joints.push(gear);
        }
    }

    fn spring(&mut self, a: &Held, b: &Held, size: Size, rate: f64, n: &mut Random) {
        let name = format!("f{}", self.forces.len());
        let omega = rate * n.between(0.3, 3.0);
        let stiffness = short(size.mass * omega * omega);
        let damping = if n.chance(0.5) { short(0.1 * stiffness / omega) } else { 0.0 };
        let torsion = short(stiffness * size.length * size.length);
        let point = if b.0 == "ground" { b.1 } else { [0.0; 3] };
        let distance = (0..3).map(|k| (a.1[k] - b.1[k]).powi(2)).sum::<f64>().sqrt();
        let between = json!([a.0, b.0]);
        self.forces.push(match n.whole(0, 4) {
            // where one of the two leans over until the angle about the axis is not defined, the run ends with an error that says so
            0 => json!({"name": name, "type": "torsion-spring", "between": between, "axis": n.direction(),
                "stiffness": torsion, "damping": short(damping * size.length * size.length)}),
            1 => json!({"name": name, "type": "bushing", "between": between, "stiffness": stiffness,
                "torsion_stiffness": torsion, "damping": damping}),
            2 => json!({"name": name, "type": "torque", "between": between,
                "torque": n.vector(short(0.3 * torsion))}),
            _ => json!({"name": name, "type": "spring-damper", "between": between, "point_b": point,
                "stiffness": stiffness, "damping": damping, "rest_length": short(distance * n.between(0.6, 1.2))}),
        });
    }
}

/// A joint of a kind without anything that only some kinds have.
fn joint(name: &str, kind: &str, a: &Held, b: &Held, size: Size, n: &mut Random) -> Value {
    let middle: [f64; 3] = std::array::from_fn(|k| 0.5 * (a.1[k] + b.1[k]));
    let axis = n.direction();
    let mut joint = json!({"name": name, "type": kind, "between": [a.0, b.0], "point": middle, "axis": axis});
    let Some(entry) = JOINTS.iter().find(|entry| entry.name == kind) else { return joint };
    let (needed, kind) = made(entry, 1.0);
    if kind.has_two_points() {
        // between the bodies' own points, that of the ground given
        joint = json!({"name": name, "type": entry.name, "between": [a.0, b.0]});
        if b.0 == "ground" {
            joint["point_a"] = json!([0, 0, 0]);
            joint["point_b"] = json!(b.1);
        }
    } else if !kind.has_axis() {
        drop_key(&mut joint, "axis");
    }
    if kind.has_second_axis() {
        joint["second_axis"] = json!(across(axis));
    }
    for name in needed {
        // a length, such as a pitch
        joint[name] = json!(short(size.length * n.between(0.3, 2.0)));
    }
    joint
}

/// Play in a hinge, with collars, or in a ball joint; what slides there may wear.
fn clearance(kind: &str, size: Size, n: &mut Random) -> Value {
    let gap = short(size.length * n.decades(5e-3, 3e-2));
    let mut out = json!({"gap": gap, "radius": short(size.length * n.between(0.1, 0.3)),
        "normal": laws::without_foundation(size, n), "min_impact_speed": short(1e-3 * size.speed)});
    if kind == "revolute" {
        out["length"] = json!(short(size.length * n.between(0.3, 1.0)));
        out["axial"] = json!(gap);
    }
    if n.chance(0.6) {
        out["friction"] = laws::friction(size, n);
    }
    if n.chance(0.3) {
        out["wear"] = json!({"coefficient": n.decades(1e-14, 1e-11)});
        if kind == "revolute" {
            out["wear"]["feedback"] = json!(n.chance(0.5));
        }
    }
    out
}

/// Stops at either end of what a joint leaves free.
fn limits(joint: &mut Value, turns: bool, slides: bool, size: Size, n: &mut Random) {
    if turns {
        joint["min_angle"] = json!(n.between(-1.5, -0.1));
        joint["max_angle"] = json!(n.between(0.1, 1.5));
        joint["stop_radius"] = json!(short(size.length));
    }
    if slides {
        joint["min_displacement"] = json!(short(size.length * n.between(-0.8, -0.1)));
        joint["max_displacement"] = json!(short(size.length * n.between(0.1, 0.8)));
    }
    // stops have no surface, so that nothing gives the radius of a foundation
    joint["stop"] = laws::without_foundation(size, n);
}

fn drop_key(value: &mut Value, key: &str) {
    if let Some(map) = value.as_object_mut() {
        map.remove(key);
    }
}

/// A direction across another.
fn across([x, y, z]: [f64; 3]) -> [f64; 3] {
    if x.abs() < y.abs() { [0.0, -z, y] } else { [z, 0.0, -x] }
}
