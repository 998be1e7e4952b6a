//! Tables of the scene at another place: what becomes of positions, directions and velocities.

use std::collections::BTreeSet;

use carom::{Dof, FORCES, MOTIONS};
use carom_base::{Quantity, Vec3};

use super::mirror;
use super::placement::{Local, Placement};
use super::read::{self, change, inner, orientation, pose, put, put_orientation, table, text, vector};
use super::signals;
use crate::error::Problem;
use crate::fields::Typed;
use crate::keys::{Key, Table};
use crate::names;
use crate::tree::{Node, Span, Value};
use crate::value;

/// Bodies that go to a place, among all bodies of the scene as they are before.
#[derive(Debug)]
pub(super) struct Goes<'a> {
    pub(super) place: &'a Placement,
    /// the names of the bodies that go
    pub(super) set: &'a BTreeSet<String>,
    pub(super) bodies: &'a [Node],
    pub(super) joints: &'a [Node],
}

/// The joints with a displacement along their axis; the axes of others are axes of rotation alone.
const SLIDING: [&str; 5] = ["prismatic", "cylindrical", "screw", "planar", "point-on-line"];

impl Goes<'_> {
    /// Moves a table of the array `array`.
    pub(super) fn item(&self, array: &str, node: &mut Node) -> Result<(), Problem> {
        if self.place.is_identity() {
            return Ok(());
        }
        match array {
            "body" => self.body(node),
            "joint" => self.joint(node),
            "force" => self.force(node),
            "probe" => self.probe(node),
            "field" => self.field(node),
            "drive" => self.drive(node),
            "controller" => self.signals(table("controller"), node),
            _ => Ok(()),
        }
    }

    /// Returns how points of a body's frame go.
    fn local(&self, body: &str) -> Result<Local, Problem> {
        let Some(node) = self.bodies.iter().find(|b| text(b, "name") == Some(body)) else {
            return Ok(Local::Same);
        };
        let (x, q) = pose(node)?;
        Ok(match self.set.contains(body) {
            true => self.place.local(&q),
            false => Local::Stays(self.place.clone(), x, q),
        })
    }

    fn body(&self, node: &mut Node) -> Result<(), Problem> {
        let t = table("body");
        let x = vector(t, node, "position")?.unwrap_or_default();
        put(node, "position", self.place.point(&x).as_slice());
        if self.place.is_shift() {
            return Ok(());
        }
        let q = orientation(node)?;
        change(t, node, "velocity", |v| self.place.polar(v))?;
        change(t, node, "angular_velocity", |v| self.place.axial(v))?;
        self.dofs(node)?;
        self.motion(node)?;
        match self.place.local(&q.unwrap_or_default()) {
            Local::Mirrored(m) => mirror::shape(node, &m),
            _ => {
                put_orientation(node, &self.place.orientation(&q.unwrap_or_default()));
                Ok(())
            }
        }
    }

    /// Renames the world axes that a body can move along and turn about; refuses axes that are none of the world's then.
    fn dofs(&self, node: &mut Node) -> Result<(), Problem> {
        let Some(Node { value: Value::Array(words), span }) = node.get_mut("dofs") else { return Ok(()) };
        let all: Vec<&str> = Dof::ALL.iter().map(|d| d.0).collect();
        let full = |range: std::ops::Range<usize>| {
            let given = |w: &&str| words.iter().any(|n| n.text() == Some(*w));
            let n = all[range.clone()].iter().filter(|w| given(w)).count();
            n == 0 || n == range.len()
        };
        if full(0..3) && full(3..6) {
            return Ok(());
        }
        let image = |axis: usize| {
            let mut unit = Vec3::zeros();
            unit[axis] = 1.0;
            let v = self.place.polar(&unit);
            (0..3).find(|&i| v[i].abs() > 1.0 - 1e-12)
        };
        for word in words {
            let Some(i) = word.text().and_then(|w| all.iter().position(|a| *a == w)) else { continue };
            let Some(j) = image(i % 3) else {
                let problem = Problem::new(
                    "`dofs` are along the axes of the world, and the copy is turned out of them",
                );
                return Err(problem.at(span.clone(), "").help("hold the body by a joint instead"));
            };
            word.value = Value::Text(all[i - i % 3 + j].to_owned());
        }
        Ok(())
    }

    fn motion(&self, node: &mut Node) -> Result<(), Problem> {
        let Some(Node { value: Value::Table(kinds), .. }) = node.get_mut("motion") else { return Ok(()) };
        let Some(one) = kinds.first_mut() else { return Ok(()) };
        let Some(entry) = MOTIONS.iter().find(|e| e.name == one.key) else { return Ok(()) };
        if matches!(entry.name, "table" | "expression") {
            let problem = Problem::new(format!("a motion by `{}` cannot be turned or mirrored", entry.name));
            return Err(problem.at(one.key_span.clone(), "it is along the axes of the world"));
        }
        for param in entry.params.iter().filter(|p| p.length == 3) {
            let Some(given) = one.value.get(param.name) else { continue };
            if let Typed::Numbers(x, _) = value::read(&Key::of(param), given, f64::NAN)? {
                let v = Vec3::from_column_slice(&x);
                let image = if param.name == "axis" { self.place.axial(&v) } else { self.place.polar(&v) };
                put(&mut one.value, param.name, image.as_slice());
            }
        }
        Ok(())
    }

    /// Returns how points of the two bodies' frames go.
    fn ends(&self, node: &Node) -> Result<[Local; 2], Problem> {
        let end = |i: usize| node.get("between").and_then(|b| b.items().get(i)).and_then(Node::text);
        let local = |i: usize| end(i).map_or(Ok(Local::Same), |name| self.local(name));
        Ok([local(0)?, local(1)?])
    }

    fn joint(&self, node: &mut Node) -> Result<(), Problem> {
        let t = table("joint");
        let kind = text(node, "type").unwrap_or_default().to_owned();
        if kind == "gear" {
            return Ok(());
        }
        let slides = SLIDING.contains(&kind.as_str());
        self.check_joint(node, &kind)?;
        let [a, b] = self.ends(node)?;
        let place = self.place;
        change(t, node, "point", |x| place.point(x))?;
        change(t, node, "axis", |v| if slides { place.polar(v) } else { place.axial(v) })?;
        change(t, node, "second_axis", |v| place.axial(v))?;
        for (local, suffix) in [(a, "a"), (b, "b")] {
            change(t, node, &format!("point_{suffix}"), |x| local.point(x))?;
            let axis = |v: &Vec3| if slides { local.polar(v) } else { local.axial(v) };
            change(t, node, &format!("axis_{suffix}"), axis)?;
        }
        if let (true, "screw", Some(pitch)) =
            (place.is_mirrored(), kind.as_str(), super::read::numbers(t, node, "pitch")?)
        {
            // the thread of a mirrored screw goes the other way round
            let at = node.span.clone();
            node.set("pitch", Value::Number(-pitch.first().copied().unwrap_or_default()), &at);
        }
        match node.get_mut("clearance") {
            Some(play) => change(inner(t, "clearance"), play, "across", |v| place.polar(v)),
            None => Ok(()),
        }
    }

    /// Refuses what of a joint cannot be turned or mirrored, because it is measured from axes of the world.
    fn check_joint(&self, node: &Node, kind: &str) -> Result<(), Problem> {
        if self.place.is_shift() {
            return Ok(());
        }
        let given = |keys: &[&str]| keys.iter().find_map(|k| node.get(k)).map(|v| v.span.clone());
        let refused = |what: &str, at: Option<Span>| match at {
            None => Ok(()),
            Some(at) => {
                Err(Problem::new(format!("a {kind} joint with {what} cannot be copied so")).at(at, ""))
            }
        };
        refused("limits along x and y, turned or mirrored,", given(&["min_x", "max_x", "min_y", "max_y"]))?;
        if self.place.is_mirrored() && matches!(kind, "cylindrical" | "planar") {
            let why =
                "limits of its angle, mirrored: its angle and its displacement would have opposite signs,";
            refused(why, given(&["min_angle", "max_angle"]))?;
        }
        let play = node.get("clearance").filter(|p| p.get("width").is_some() && p.get("across").is_none());
        refused("a slider whose `across` is not given", play.map(|p| p.span.clone()))
    }

    /// Refuses expressions of the state whose values would be others at the new place: along axes of the world that what is copied
    /// is moved along or turned out of.
    fn signals(&self, t: &'static Table, node: &Node) -> Result<(), Problem> {
        let joints = names::of_nodes(self.joints);
        let axis = |letter: &str| ["x", "y", "z"].iter().position(|a| *a == letter);
        let moved = self.place.point(&Vec3::zeros());
        for (name, at) in signals::keys(t, node).into_iter().flat_map(|key| signals::used(node, key)) {
            let Some((owner, suffix)) = signals::split(&name) else { continue };
            let is_joint = joints.iter().any(|j| j == owner);
            if is_joint && suffix.starts_with("angle") {
                self.check_angle(owner, &at)?;
            }
            let along = match suffix.len() {
                1 if self.set.contains(owner) => {
                    axis(suffix).is_some_and(|i| moved[i] != 0.0 || !self.place.is_shift())
                }
                2 if self.set.contains(owner) || is_joint => {
                    let has_axis = suffix.get(1..).and_then(axis).is_some();
                    has_axis && "vwfm".contains(&suffix[..1]) && !self.place.is_shift()
                }
                _ => false,
            };
            if along {
                let problem = Problem::new(format!("`{name}` cannot be copied or moved so"));
                let problem = problem.at(at, "it is along an axis of the world, which stays");
                return Err(problem.help("use a coordinate of a joint, which goes with it"));
            }
        }
        Ok(())
    }

    /// Changes a vector of numbers and expressions by a linear map. Returns whether it is one.
    fn components(
        t: &'static Table,
        node: &mut Node,
        key: &str,
        image: impl Fn(&Vec3) -> Vec3,
    ) -> Result<bool, Problem> {
        let Some(Typed::Signals(all, ..)) = read::typed(t, node, key)? else { return Ok(false) };
        if all.len() != 3 {
            return Ok(false);
        }
        if all.iter().all(|e| e.names().is_empty()) {
            let v = Vec3::from_iterator(all.iter().map(|e| e.at::<f64>(&[])));
            put(node, key, image(&v).as_slice());
            return Ok(true);
        }
        let texts: Vec<String> = all
            .iter()
            .map(|e| if e.text().is_empty() { e.at::<f64>(&[]).to_string() } else { e.text().to_owned() })
            .collect();
        let columns = [Vec3::x(), Vec3::y(), Vec3::z()].map(|unit| image(&unit));
        if columns == [Vec3::x(), Vec3::y(), Vec3::z()] {
            return Ok(true);
        }
        let row = |i: usize| {
            let terms: Vec<usize> = (0..3).filter(|&j| columns[j][i] != 0.0).collect();
            match terms.as_slice() {
                &[j] if columns[j][i] == 1.0 => texts[j].clone(),
                _ => {
                    let term = |j: usize| format!("{:?}*({})", columns[j][i], texts[j]);
                    terms.into_iter().map(term).collect::<Vec<_>>().join(" + ")
                }
            }
        };
        let at = node.get(key).map_or_else(|| node.span.clone(), |v| v.span.clone());
        let rows = (0..3).map(|i| Node { span: at.clone(), value: Value::Text(row(i)) }).collect();
        node.set(key, Value::Array(rows), &at);
        Ok(true)
    }

    fn force(&self, node: &mut Node) -> Result<(), Problem> {
        let t = table("force");
        self.signals(t, node)?;
        let kind = text(node, "type").unwrap_or_default().to_owned();
        let place = self.place;
        let [a, b] = self.ends(node)?;
        change(t, node, "point_a", |x| a.point(x))?;
        change(t, node, "point_b", |x| b.point(x))?;
        change(t, node, "point", |x| place.point(x))?;
        if place.is_shift() {
            return Ok(());
        }
        let refused = |why: &str, at: &Span| {
            Err(Problem::new(format!("a force of type `{kind}` cannot be turned or mirrored: {why}"))
                .at(at.clone(), ""))
        };
        let params = FORCES.iter().find(|e| e.name == kind).map_or(&[][..], |e| e.params);
        // (a motor has a torque or a force, and acts along the coordinate that fits)
        let slides = node.get("torque").is_none() && params.iter().any(|p| p.quantity == Quantity::Force);
        if let (Some(joint), false) = (text(node, "joint"), slides || kind.ends_with("slide")) {
            self.check_angle(joint, &node.span)?;
        }
        if kind == "own" {
            return refused("a program gives it", &node.span);
        }
        if kind == "bushing" {
            if node.get("axis").is_none() || node.get("x_axis").is_none() {
                return refused("give its `axis` and `x_axis`", &node.span);
            }
            let rest = ["rest_offset", "rest_angles"].into_iter().find_map(|k| node.get(k));
            if let (true, Some(rest)) = (place.is_mirrored(), rest) {
                return refused("its rest position is given in its axes", &rest.span);
            }
        }
        let axial = kind != "bushing";
        change(t, node, "axis", |v| if axial { place.axial(v) } else { place.polar(v) })?;
        change(t, node, "x_axis", |v| place.polar(v))?;
        let on_body = match text(node, "axes") {
            Some("body") => Some(self.local(text(node, "body").unwrap_or_default())?),
            _ => None,
        };
        let vectors = params.iter().filter(|p| p.length == 3);
        for param in vectors.filter(|p| matches!(p.name, "force" | "torque" | "direction")) {
            let Some(at) = node.get(param.name).map(|v| v.span.clone()) else { continue };
            let image = |v: &Vec3| match (&on_body, param.name) {
                (Some(local), "torque") => local.axial(v),
                (Some(local), _) => local.polar(v),
                (None, "torque") => place.axial(v),
                (None, _) => place.polar(v),
            };
            if Goes::components(t, node, param.name, image)? {
                continue;
            }
            let Some(v) = vector(t, node, param.name)? else {
                return refused("it is along the axes of the world", &at);
            };
            put(node, param.name, image(&v).as_slice());
        }
        Ok(())
    }

    fn probe(&self, node: &mut Node) -> Result<(), Problem> {
        let local = self.local(text(node, "body").unwrap_or_default())?;
        change(table("probe"), node, "point", |x| local.point(x))
    }

    /// Refuses the angle of a mirrored joint that slides as well: its angle and its displacement would have opposite signs.
    fn check_angle(&self, joint: &str, at: &Span) -> Result<(), Problem> {
        let mut named = names::of_nodes(self.joints).into_iter().zip(self.joints);
        let kind = named.find(|(name, _)| name == joint).and_then(|(_, node)| text(node, "type"));
        match (self.place.is_mirrored(), kind) {
            (true, Some(kind @ ("cylindrical" | "planar"))) => {
                let problem =
                    Problem::new(format!("the angle of a mirrored {kind} joint has the opposite sign"));
                Err(problem.at(at.clone(), "this cannot be mirrored"))
            }
            _ => Ok(()),
        }
    }

    fn field(&self, node: &Node) -> Result<(), Problem> {
        match (self.place.is_mirrored(), node.get("faces")) {
            (true, Some(faces)) => {
                let problem = Problem::new("a field on some `faces` of a body cannot be mirrored");
                Err(problem.at(faces.span.clone(), "they are named by the body's axes"))
            }
            _ => Ok(()),
        }
    }

    fn drive(&self, node: &Node) -> Result<(), Problem> {
        let (Some(target), Some(at)) = (text(node, "target"), node.get("target")) else { return Ok(()) };
        let mut words = target.split('/');
        if let (Some("joint"), Some(joint), Some("angle" | "torque")) =
            (words.next(), words.next(), words.next())
        {
            self.check_angle(joint, &at.span)?;
        }
        match target.starts_with("body/") && target.contains("/position/") {
            true => {
                let problem = Problem::new(format!("the drive `{target}` cannot be copied or moved"));
                Err(problem
                    .at(at.span.clone(), "it gives a position in the world")
                    .help("give the body a `motion`, which is added to its position"))
            }
            false => Ok(()),
        }
    }
}
