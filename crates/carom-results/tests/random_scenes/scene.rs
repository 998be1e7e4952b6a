//! A scene of a seed.

use carom_scene::{Format, Scene};
use serde_json::{Value, json};

use crate::bodies::{Grid, Surround, kinds, of_solid};
use crate::laws::{self, Size};
use crate::links::{Held, Links};
use crate::numbers::{Random, short};
use crate::shapes::{Solid, can_touch};

const METHODS: [&str; 9] =
    ["auto", "auto", "ode45", "tsit5", "dop853", "ode113", "ode15s", "ode15s-bdf", "radau5"];

/// Those for stiff problems.
const STIFF: [&str; 4] = ["auto", "ode15s", "ode15s-bdf", "radau5"];

/// A scene has at most so many bodies beside what they are in.
const MOST: usize = 12;

/// The scene of a seed, as JSON: always the same.
///
/// Whether some pairs can touch depends on their measures (an ellipsoid in an ellipsoid): a body whose pair the program does not know becomes a ball.
pub(crate) fn of_seed(seed: u64) -> Value {
    let mut balls = Vec::new();
    loop {
        let scene = drawn(seed, &balls);
        let Some(message) = refused(&scene) else { return scene };
        let blamed = |i: &usize| !balls.contains(i) && message.contains(&format!("b{i}/"));
        match (0..MOST).find(blamed) {
            Some(i) if ["has no contact points", "no pair solver"].iter().any(|m| message.contains(m)) => {
                balls.push(i)
            }
            _ => return scene,
        }
    }
}

/// What the program says to it before it runs, unless it takes it.
fn refused(scene: &Value) -> Option<String> {
    match Scene::from_text(&scene.to_string(), Format::Json, "random", &[]) {
        // some pairs are bound only as a run begins
        Ok(scene) => scene.simulation().duration(1e-9).run().err().map(|why| why.to_string()),
        Err(why) => Some(why.message().to_owned()),
    }
}

fn drawn(seed: u64, balls: &[usize]) -> Value {
    let stream = |k| Random::new(seed, k);
    let mut n = stream(0);
    // small scenes are cheaper, and more of them fit in
    let count = n.whole(2, MOST).min(n.whole(2, MOST));
    let length = n.decades(0.01, 0.25);
    let gravity = if n.chance(0.75) { 9.81 } else { 0.0 };
    // how often a body goes its own length in a second
    let rate = n.decades(2.0, 30.0).min(3.0 / length);
    let grid = Grid::new(count, length, &mut n);
    let surround = Surround::random(grid.half(), rate, &mut n);
    let height = 2.6 * grid.half()[2];
    let speed = short((3.0 * (rate * length).powi(2) + 2.0 * gravity * height).sqrt());

    let mut n = stream(1);
    let radius = |n: &mut Random| short(length * n.between(0.5, 1.0));
    let mut all = kinds(count, &surround, &mut n);
    balls.iter().for_each(|i| all[*i] = "sphere");
    let solids: Vec<Solid> = all.into_iter().map(|k| Solid::random(k, radius(&mut n), &mut n)).collect();
    let density = n.decades(300.0, 8000.0);
    let masses: Vec<f64> = solids
        .iter()
        .map(|s| short((density * s.radius.powi(2) * s.thickness * 2.0).clamp(1e-3, 10.0)))
        .collect();

    let mut n = stream(2);
    let (mut bodies, mut held) = (Vec::new(), Vec::<Held>::new());
    for (i, (solid, mass)) in solids.iter().zip(&masses).enumerate() {
        let at = grid.place(i, solid.radius, &mut n);
        let mut body = of_solid(&format!("b{i}"), solid, *mass, speed);
        body["position"] = json!(at);
        if moves(&mut body, i, rate, rate * length, &mut n) {
            held.push((format!("b{i}"), at));
        }
        bodies.push(body);
    }

    let thinnest = solids.iter().fold(f64::INFINITY, |m: f64, s| m.min(s.thickness));
    let heaviest = masses.iter().fold(0.0, |m: f64, x| m.max(*x));
    let mut n = stream(3);
    let depth = short(thinnest * n.decades(0.01, 0.04));
    let size = Size { mass: heaviest, speed, depth, length };
    let mut contacts = contacts(&solids, &bodies, &surround, size, &mut n);
    let rolling = roller(&solids, &surround, &mut bodies, &mut held, &mut contacts, &mut stream(6));
    let fields = fields(&solids, &bodies, &surround, gravity, size, &mut stream(7));
    wear(&mut contacts, &mut stream(8));
    compliant(&mut contacts, size, &mut stream(9));
    let mut links = Links::random(&held, "ground", size, rate, &mut stream(4));
    links.joints.extend(rolling);
    if format!("{:?}{:?}", links.joints, links.forces).contains("ground") {
        bodies.push(json!({"name": "ground", "fixed": true}));
    }
    bodies.extend(surround.body);
    json!({
        "title": format!("random scene {seed}"),
        "world": {"gravity": [0, 0, -gravity]},
        "run": run(size, rate, &contacts, &links.joints, &mut stream(5)),
        "body": bodies,
        "contact": contacts,
        "joint": links.joints,
        "force": links.forces,
        "drive": links.drives,
        "field": fields,
    })
}

/// A ball that rolls on a floor which stands still, for the first body; it may do nothing else with that floor.
fn roller(
    solids: &[Solid],
    surround: &Surround,
    bodies: &mut [Value],
    held: &mut Vec<Held>,
    contacts: &mut Vec<Value>,
    n: &mut Random,
) -> Option<Value> {
    let floor = surround.body.as_ref().filter(|s| surround.kind == Some("plane") && s["fixed"] == true)?;
    if solids[0].kind != "sphere" || !n.chance(0.5) {
        return None;
    }
    let z = floor["surface"][0]["position"][2].as_f64()?;
    bodies[0]["position"][2] = json!(z + solids[0].radius);
    held.retain(|(name, _)| name != "b0");
    contacts.retain(|c| c["between"][1] != "b0");
    contacts.push(json!({"between": ["b0", "surround/plane1"], "none": true}));
    Some(json!({"name": "roll", "type": "rolling", "between": ["b0", "surround/plane1"]}))
}

/// Solids that short-range tractions keep off the floor.
fn fields(
    solids: &[Solid],
    bodies: &[Value],
    surround: &Surround,
    gravity: f64,
    size: Size,
    n: &mut Random,
) -> Vec<Value> {
    let mut out = Vec::new();
    if surround.kind != Some("plane") || gravity == 0.0 || !n.chance(0.2) {
        return out;
    }
    // (the first body may roll there)
    for (i, solid) in solids.iter().enumerate().skip(1) {
        // (of a body with several surfaces, a field would have to say which)
        let one = bodies[i]["surface"].as_array().is_some_and(|all| all.len() == 1);
        let acts = one && bodies[i]["fixed"].is_null() && bodies[i]["motion"].is_null();
        if acts && out.len() < 2 && ["sphere", "box", "cylinder"].contains(&solid.kind) && n.chance(0.5) {
            let repulsion =
                json!({"exponent": n.whole(3, 8), "rest_gap": short(size.length * n.between(0.02, 0.1))});
            let mut field = json!({"name": format!("field{i}"), "between": [format!("b{i}"), "surround/plane1"],
                "repulsion": repulsion});
            if n.chance(0.5) {
                // such that a body at the highest speed is braked within the time it takes for its own length, where it is as far as that
                let brake = size.mass * size.speed / size.length.powi(3);
                field["damping"] = json!({"exponent": 0, "coefficient": short(brake)});
                field["friction"] = json!({"exponent": 0, "coefficient": short(0.3 * brake)});
            }
            out.push(field);
        }
    }
    out
}

/// What slides may wear.
fn wear(contacts: &mut [Value], n: &mut Random) {
    for contact in contacts.iter_mut().filter(|c| c["none"].is_null()) {
        if n.chance(0.1) {
            contact["wear"] = json!({"coefficient": n.decades(1e-14, 1e-11)});
        }
    }
}

/// Some contacts give way along their surfaces, or wind up as bodies roll and spin on one another.
fn compliant(contacts: &mut [Value], size: Size, n: &mut Random) {
    for contact in contacts.iter_mut().filter(|c| c["none"].is_null()) {
        let normal = contact["normal"].clone();
        let chances = [n.chance(0.3), n.chance(0.15), n.chance(0.1)];
        let laws = [
            ("friction", laws::compliant(&normal, n)),
            ("rolling", laws::spring(false, &normal, size, n)),
            ("spinning", laws::spring(true, &normal, size, n)),
        ];
        for ((key, law), _) in laws.into_iter().zip(chances).filter(|(_, chosen)| *chosen) {
            if let Some(law) = law {
                contact[key] = law;
            }
        }
    }
}

/// Lets a body fly, or holds it: whether it is free, so that joints may hold it.
fn moves(body: &mut Value, i: usize, rate: f64, speed: f64, n: &mut Random) -> bool {
    let soft = body["type"] == "affine";
    let turn = json!({"euler_xyz": n.vector(3.0)});
    let kind = if i == 0 { 9 } else { n.whole(0, 19) };
    if n.chance(0.7) {
        body["orientation"] = turn;
    }
    match kind {
        0 if !soft => body["fixed"] = json!(true),
        1 if !soft => {
            body["motion"] = json!({"spin": {"axis": n.direction(), "rate": n.between(-rate, rate)}})
        }
        2 if !soft => {
            let amplitude = n.vector(0.1 * speed / rate);
            body["motion"] = json!({"shake": {"amplitude": amplitude, "rate": short(rate)}});
        }
        3 | 4 if !soft => {
            let v = n.vector(speed);
            let (dofs, velocity, spin) = match n.whole(0, 3) {
                0 => (vec!["z"], [0.0, 0.0, v[2]], [0.0; 3]),
                1 => (vec!["x", "z", "ry"], [v[0], 0.0, v[2]], [0.0, n.between(-rate, rate), 0.0]),
                2 => (vec!["x", "y", "z"], v, [0.0; 3]),
                _ => (vec!["rx", "ry", "rz"], [0.0; 3], n.vector(rate)),
            };
            body["dofs"] = json!(dofs);
            body["velocity"] = json!(velocity);
            body["angular_velocity"] = json!(spin);
        }
        _ => {
            body["velocity"] = json!(n.vector(speed));
            if !soft && n.chance(0.7) {
                body["angular_velocity"] = json!(n.vector(2.0 * rate));
            }
            return true;
        }
    }
    false
}

/// Everything touches everything; some bodies meet their surround by laws of their own.
fn contacts(
    solids: &[Solid],
    bodies: &[Value],
    surround: &Surround,
    size: Size,
    n: &mut Random,
) -> Vec<Value> {
    let mut out = vec![contact(["*", "*"], size, n)];
    let Some(kind) = surround.kind else { return out };
    for (i, solid) in solids.iter().enumerate() {
        let ring = kind == "plane" && can_touch(kind, solid.kind, true);
        let acts = bodies[i]["fixed"].is_null() && bodies[i]["motion"].is_null();
        if !(ring && n.chance(0.6) || n.chance(0.15)) || !acts {
            continue;
        }
        let mut own = contact(["surround", &format!("b{i}")], size, n);
        if ring {
            own["slices"] = json!(n.whole(5, 24));
        }
        out.push(own);
    }
    out
}

fn contact(between: [&str; 2], size: Size, n: &mut Random) -> Value {
    let mut out = json!({"between": between, "normal": laws::normal(size, n)});
    out["min_impact_speed"] = json!(short(1e-3 * size.speed));
    if n.chance(0.75) {
        out["friction"] = laws::friction(size, n);
        if n.chance(0.3) {
            out["friction_at"] = json!("surfaces");
        }
    }
    if n.chance(0.2) {
        out["rolling"] = laws::resistance(false, size, n);
    }
    if n.chance(0.2) {
        out["spinning"] = laws::resistance(true, size, n);
    }
    out
}

fn run(size: Size, rate: f64, contacts: &[Value], joints: &[Value], n: &mut Random) -> Value {
    // bodies go some of their lengths, and meet
    let duration = short((n.between(0.7, 2.0) / rate).clamp(0.04, 0.15));
    let mut run = json!({"duration": duration, "output_every": short(duration / 40.0)});
    // what remembers must be located
    let plays = joints.iter().any(|j| laws::remembers(&j["clearance"]["friction"]));
    let remembers = plays || contacts.iter().any(|c| laws::remembers(&c["friction"]));
    let winds = |c: &Value| ["rolling", "spinning"].iter().any(|key| laws::winds(&c[*key]));
    let remembers = remembers || contacts.iter().any(winds);
    let rubs = joints.iter().any(|j| laws::remembers(&j["friction"]));
    if n.chance(0.12) {
        run["method"] = json!("verlet");
        run["step"] = json!(short((0.05 * size.depth / size.speed).max(duration / 10_000.0)));
    } else {
        // bristles that suit impacts are a thousand times too stiff under a body's own weight for methods without a Jacobian
        let method = n.one(&METHODS);
        let stiff = if STIFF.contains(&method) { method } else { "auto" };
        run["method"] = json!(if remembers || rubs { stiff } else { method });
        run["rtol"] = json!(n.decades(1e-10, 1e-5));
    }
    if n.chance(0.4) && !remembers {
        run["locate_contacts"] = json!(false);
    }
    run
}
