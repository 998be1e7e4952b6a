//! Bodies: what they are made of, how they are held, and what they are in.

use serde_json::{Value, json};

use crate::numbers::{Random, short};
use crate::shapes::{CAVITIES, SOLIDS, Solid, can_touch, cavity};

/// A body of one surface that moves by its forces; one that deforms is as stiff as impacts at that speed \[m/s\] need.
pub(crate) fn of_solid(name: &str, solid: &Solid, mass: f64, speed: f64) -> Value {
    let mut body = json!({"name": name, "mass": mass, "surface": [solid.surface]});
    if solid.soft() {
        let modulus = short(30.0 * mass * speed * speed / solid.radius.powi(3));
        let viscosity = short(0.02 * modulus * solid.radius / speed);
        body["type"] = json!("affine");
        body["elastic"] = json!({"model": "neo-hookean", "shear_modulus": modulus, "viscosity": viscosity});
    }
    body
}

/// The cells that bodies are put into, one each, so that none overlaps another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// along x, y, z
    cells: [usize; 3],
    /// edge of a cell \[m\]
    edge: f64,
    /// radius of the largest body \[m\]
    radius: f64,
}

impl Grid {
    pub(crate) fn new(count: usize, radius: f64, n: &mut Random) -> Grid {
        let mut cells = [1; 3];
        while cells.iter().product::<usize>() < count {
            cells[n.whole(0, 2)] += 1;
        }
        Grid { cells, edge: radius * n.between(2.06, 2.6), radius }
    }

    /// Half the lengths of all cells together \[m\].
    pub(crate) fn half(&self) -> [f64; 3] {
        self.cells.map(|c| 0.5 * c as f64 * self.edge)
    }

    /// A place in the cell of that number for a body of a radius.
    pub(crate) fn place(&self, i: usize, radius: f64, n: &mut Random) -> [f64; 3] {
        let [x, y, _] = self.cells;
        let cell = [i % x, i / x % y, i / (x * y)];
        let room = 0.5 * self.edge - 1.01 * radius.min(self.radius);
        std::array::from_fn(|k| {
            let middle = (cell[k] as f64 + 0.5) * self.edge - self.half()[k];
            // rounded only where that moves nothing out of its cell
            middle + n.between(-room, room)
        })
    }
}

/// What bodies are in.
#[derive(Clone, Debug)]
pub(crate) struct Surround {
    /// what [`can_touch`] calls its surfaces; `None` of free space
    pub(crate) kind: Option<&'static str>,
    /// the body, if there is one
    pub(crate) body: Option<Value>,
}

impl Surround {
    /// Around a box of these half lengths \[m\]; `rate` \[1/s\] is how fast things go on.
    pub(crate) fn random(half: [f64; 3], rate: f64, n: &mut Random) -> Surround {
        let which = n.whole(0, 9);
        let (kind, surfaces) = match which {
            0 => return Surround { kind: None, body: None },
            1 | 2 => {
                let down = -half[2] * n.between(1.0, 1.5);
                ("plane", vec![json!({"type": "plane", "position": [0, 0, down]})])
            }
            3 | 4 => ("plane", tray(half, n)),
            _ => {
                let cavity_kind = CAVITIES[[0, 0, 1, 2, 3, 4, 5][n.whole(0, 6)]];
                (
                    IN[CAVITIES.iter().position(|c| *c == cavity_kind).unwrap_or(0)],
                    vec![cavity(cavity_kind, half, n)],
                )
            }
        };
        let mut body = json!({"name": "surround", "surface": surfaces});
        let reach = half.iter().fold(0.0, |m: f64, h| m.max(*h));
        match n.whole(0, 9) {
            0 => {
                body["motion"] = json!({"spin": {"axis": n.direction(), "rate": n.between(-0.3, 0.3) * rate}})
            }
            1 => {
                let amplitude = n.vector(0.1 * reach);
                let phase = n.between(0.0, 6.0);
                body["motion"] =
                    json!({"shake": {"amplitude": amplitude, "rate": short(rate), "phase": phase}});
            }
            2 | 3 if kind != "plane" => {
                let inertia = short(5.0 * reach * reach);
                body["mass"] = json!(10);
                body["inertia"] = json!([inertia, inertia, inertia]);
            }
            _ => body["fixed"] = json!(true),
        }
        Surround { kind: Some(kind), body: Some(body) }
    }
}

/// [`CAVITIES`] as [`can_touch`] calls them.
const IN: [&str; 6] =
    ["in-box", "in-sphere", "in-cylinder", "in-ellipsoid", "in-capsule", "in-superellipsoid"];

/// A floor and four walls, which may lean outwards.
fn tray(half: [f64; 3], n: &mut Random) -> Vec<Value> {
    let [x, y, z] = half.map(|h| short(1.02 * h));
    let mut planes = vec![json!({"type": "plane", "position": [0, 0, -z]})];
    let walls =
        [([x, 0.0], [0, -1, 0]), ([-x, 0.0], [0, 1, 0]), ([0.0, y], [1, 0, 0]), ([0.0, -y], [-1, 0, 0])];
    for (at, axis) in walls {
        let angle = short(std::f64::consts::FRAC_PI_2 - n.between(0.0, 0.4));
        let turn = json!({"axis": axis, "angle": angle});
        planes.push(json!({"type": "plane", "position": [at[0], at[1], -z], "orientation": turn}));
    }
    planes
}

/// What a cylinder touches with its barrel alone: a run in which a rim meets one of them ends with an error that says so.
const RIMS: [&str; 2] = ["cylinder", "capsule"];

/// Rings against superellipsoids are searched for along the ring, with a closest point point on the other at every place: a tenth of a millisecond and more each. A scene has so many such pairs at most.
const MOST_COSTLY: usize = 2;

/// How many such pairs there are with one more solid.
fn costly(kind: &str, others: &[&str]) -> usize {
    let count = |part: &str| others.iter().chain([&kind]).filter(|k| k.contains(part)).count();
    count("torus") * (count("superellipsoid") + count("torus")).saturating_sub(1)
}

/// Kinds of solids for so many bodies: each can touch the surround, and those before it.
pub(crate) fn kinds(count: usize, surround: &Surround, n: &mut Random) -> Vec<&'static str> {
    let mut out: Vec<&'static str> = Vec::with_capacity(count);
    while out.len() < count {
        let fits = |kind: &&'static str| {
            surround.kind.is_none_or(|s| can_touch(s, kind, false))
                && out.iter().all(|other| can_touch(other, kind, false))
                && !(*kind == "cylinder" && out.iter().any(|k| RIMS.contains(k)))
                && !(RIMS.contains(kind) && out.contains(&"cylinder"))
                && costly(kind, &out) <= MOST_COSTLY
        };
        let possible: Vec<&'static str> = SOLIDS.iter().copied().filter(fits).collect();
        // a sphere touches everything, so that there is always one
        out.push(if possible.is_empty() { "sphere" } else { n.one(&possible) });
    }
    out
}
