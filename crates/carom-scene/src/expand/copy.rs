//! Copies of bodies and of all that hangs on them, with names of their own.

use std::collections::{BTreeMap, BTreeSet};

use super::goes::Goes;
use super::placement::Placement;
use super::read::{table, text};
use super::signals;
use crate::error::{Problem, Source};
use crate::names;
use crate::tables::MOST_BODIES;
use crate::tree::{Node, Span, Value};

/// The arrays whose tables name bodies or joints, in the order in which they are copied.
const ARRAYS: [&str; 8] = ["joint", "force", "contact", "field", "probe", "distance", "drive", "controller"];

/// What is copied, and where the copies go.
#[derive(Debug)]
pub(super) struct Copies<'a> {
    /// names of the bodies
    pub(super) of: &'a [String],
    /// position of the names in the text
    pub(super) at: &'a Span,
    /// the template of the copies' names, and its position
    pub(super) name: Option<(&'a str, Span)>,
    /// where the body itself goes, then each of its copies
    pub(super) places: &'a [Placement],
}

/// New names for old ones, of bodies, of joints and of controllers.
#[derive(Debug, Default)]
struct Renamed {
    bodies: BTreeMap<String, String>,
    joints: BTreeMap<String, String>,
    controllers: BTreeMap<String, String>,
}

impl Renamed {
    /// Returns the new name of a body or a joint; that of another one stays.
    fn new_name<'n>(&'n self, name: &'n str) -> &'n str {
        self.bodies.get(name).or_else(|| self.joints.get(name)).map_or(name, String::as_str)
    }
}

impl Copies<'_> {
    /// Puts the copies into the scene, behind what they are copies of.
    pub(super) fn make(&self, scene: &mut Node, sources: &mut Vec<Source>) -> Result<(), Problem> {
        let set: BTreeSet<String> = self.of.iter().cloned().collect();
        let bodies = items(scene, "body").to_vec();
        let all_joints = items(scene, "joint").to_vec();
        if bodies.len() + (self.places.len() - 1) * set.len() > MOST_BODIES {
            let problem = Problem::new(format!("the scene would have more than {MOST_BODIES} bodies"));
            return Err(problem.at(self.at.clone(), ""));
        }
        let joints = self.joints(scene, &set);
        let joint_set: BTreeSet<String> = joints.iter().map(|j| j.0.clone()).collect();
        let own = |node: &Node| text(node, "name").is_some_and(|n| set.contains(n));
        let chosen: Vec<usize> = (0..bodies.len()).filter(|&i| own(&bodies[i])).collect();
        let mut lists: Vec<(&str, Vec<usize>)> = vec![("body", chosen)];
        lists.extend(ARRAYS.map(|array| (array, hanging(scene, array, &set, &joint_set))));
        let controllers = names_of(scene, "controller", lists.last().map_or(&[], |l| &l.1));
        let renames = self.renames(&bodies, &joints, &controllers)?;
        for (array, chosen) in lists.into_iter().filter(|l| !l.1.is_empty()) {
            let originals = items(scene, array).to_vec();
            let stems = names_of(scene, array, &chosen);
            let mut copies = Vec::new();
            let mut moved = originals.clone();
            for (k, place) in self.places.iter().enumerate() {
                let goes = Goes { place, set: &set, bodies: &bodies, joints: &all_joints };
                for &i in &chosen {
                    let mut node = originals[i].clone();
                    goes.item(array, &mut node)?;
                    if k == 0 {
                        moved[i] = node;
                        continue;
                    }
                    let renamed = &renames[k - 1];
                    rename(array, &mut node, renamed);
                    if array != "body" {
                        self.rename_itself(&mut node, &stems, k);
                    }
                    let called = self.of.iter().filter_map(|n| renamed.bodies.get(n));
                    let called: Vec<String> = called.map(|n| format!("`{n}`")).collect();
                    super::note(&mut node, &format!("this is of the copy {}", called.join(", ")), sources);
                    copies.push(node);
                }
            }
            let end = chosen.last().map_or(0, |i| i + 1);
            moved.splice(end..end, copies);
            let at = scene.span.clone();
            scene.set(array, Value::Array(moved), &at);
        }
        Ok(())
    }

    /// Returns the names of the joints that are copied, and whether the scene gives them.
    fn joints(&self, scene: &Node, set: &BTreeSet<String>) -> Vec<(String, bool)> {
        let all = items(scene, "joint");
        let labels = names::of_nodes(all);
        let found = hanging(scene, "joint", set, &BTreeSet::new());
        found.into_iter().map(|i| (labels[i].clone(), text(&all[i], "name").is_some())).collect()
    }

    /// Returns the new names of bodies, joints and controllers for every copy.
    fn renames(
        &self,
        bodies: &[Node],
        joints: &[(String, bool)],
        controllers: &[String],
    ) -> Result<Vec<Renamed>, Problem> {
        let mut taken: BTreeMap<String, Span> = BTreeMap::new();
        for body in bodies {
            taken.insert(text(body, "name").unwrap_or_default().to_owned(), body.span.clone());
        }
        let mut all = Vec::new();
        for k in 1..self.places.len() {
            let mut renamed = Renamed::default();
            for name in self.of {
                let new = match &self.name {
                    Some((template, _)) => filled(template, name, k + 1),
                    None => counted(name, self.of, k),
                };
                let at = self.name.as_ref().map_or(self.at, |n| &n.1);
                crate::value::check_name(&new, at)?;
                if let Some(first) = taken.get(&new) {
                    let problem = Problem::new(format!(
                        "a copy of `{name}` would be called `{new}`, which is a body already"
                    ));
                    let help = "give a template with the number of the copy: name = \"{name}_{}\"";
                    return Err(problem.at(at.clone(), "").context(first.clone(), "that body").help(help));
                }
                taken.insert(new.clone(), at.clone());
                renamed.bodies.insert(name.clone(), new);
            }
            let given: Vec<String> = joints.iter().filter(|j| j.1).map(|j| j.0.clone()).collect();
            for (name, is_given) in joints {
                let new = match name.split_once('~') {
                    // the default name of a joint is made of those of its bodies, or of the joints of a gear
                    Some((a, b)) if !is_given => [a, b].map(|n| renamed.new_name(n).to_owned()).join("~"),
                    _ => self.other(name, &given, k),
                };
                renamed.joints.insert(name.clone(), new);
            }
            for name in controllers {
                renamed.controllers.insert(name.clone(), self.other(name, controllers, k));
            }
            all.push(renamed);
        }
        Ok(all)
    }

    /// Returns the new name of something other than a body.
    fn other(&self, name: &str, all: &[String], k: usize) -> String {
        match &self.name {
            Some((template, _)) if template.contains("{name}") => filled(template, name, k + 1),
            _ => counted(name, all, k),
        }
    }

    fn rename_itself(&self, node: &mut Node, all: &[String], k: usize) {
        let Some(new) = text(node, "name").map(|name| self.other(name, all, k)) else { return };
        if let Some(name) = node.get_mut("name") {
            name.value = Value::Text(new);
        }
    }
}

fn items<'n>(scene: &'n Node, array: &str) -> &'n [Node] {
    scene.get(array).map_or(&[], Node::items)
}

/// Returns the names that the scene gives to these tables of an array.
fn names_of(scene: &Node, array: &str, chosen: &[usize]) -> Vec<String> {
    let all = items(scene, array);
    chosen.iter().filter_map(|&i| text(all.get(i)?, "name")).map(str::to_owned).collect()
}

/// Returns the name of copy number k of something: the number at its end is counted on, past those of its like.
fn counted(name: &str, all: &[String], k: usize) -> String {
    let split = |name: &str| -> (String, Option<u64>, usize) {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &name[stem.len()..];
        (stem.to_owned(), digits.parse().ok(), digits.len())
    };
    let (stem, number, width) = split(name);
    let like: Vec<u64> =
        all.iter().map(|n| split(n)).filter(|n| n.0 == stem).map(|n| n.1.unwrap_or(1)).collect();
    let (least, most) = (like.iter().min().unwrap_or(&1), like.iter().max().unwrap_or(&1));
    let step = most.saturating_sub(*least).saturating_add(1);
    let next = number.unwrap_or(1).saturating_add(step.saturating_mul(k as u64));
    format!("{stem}{next:0width$}")
}

/// Fills a template with the name of what is copied and the number of the copy.
fn filled(template: &str, name: &str, number: usize) -> String {
    template.replace("{name}", name).replace("{}", &number.to_string())
}

/// Returns the body of a text that may name one of its surfaces.
fn body_of(text: &str) -> &str {
    text.split('/').next().unwrap_or_default()
}

/// Returns the indices of the tables of an array that name one of the bodies, or of the joints that hang on them.
fn hanging(scene: &Node, array: &str, set: &BTreeSet<String>, joints: &BTreeSet<String>) -> Vec<usize> {
    if array == "controller" {
        return controllers(scene, set, joints);
    }
    let all = items(scene, array);
    let mut joints = joints.clone();
    let labels = names::of_nodes(all);
    let mut found = Vec::new();
    for (i, node) in all.iter().enumerate() {
        let gear = array == "joint" && text(node, "type") == Some("gear");
        let ends = node.get("between").map_or(&[][..], Node::items).iter().filter_map(Node::text);
        let between =
            ends.into_iter().any(|e| if gear { joints.contains(e) } else { set.contains(body_of(e)) });
        let named = text(node, "body").is_some_and(|b| set.contains(b));
        let along = text(node, "joint").is_some_and(|j| joints.contains(j));
        let driven = text(node, "target").is_some_and(|t| {
            let mut words = t.split('/');
            match (words.next(), words.next()) {
                (Some("body"), Some(name)) => set.contains(name),
                (Some("joint"), Some(name)) => joints.contains(name),
                _ => false,
            }
        });
        if between || named || along || driven {
            found.push(i);
            if array == "joint" {
                joints.insert(labels[i].clone());
            }
        }
    }
    found
}

/// Returns the indices of the controllers that are copied with bodies and joints: those whose input is of these alone, or of
/// controllers that are copied.
fn controllers(scene: &Node, bodies: &BTreeSet<String>, joints: &BTreeSet<String>) -> Vec<usize> {
    let all = items(scene, "controller");
    let mut owners: BTreeSet<&str> = bodies.iter().chain(joints).map(String::as_str).collect();
    let mut found = BTreeSet::new();
    loop {
        let is_copied = |node: &Node| {
            let used = signals::used(node, "input");
            let mut of =
                used.iter().filter_map(|(name, _)| signals::split(name)).map(|(owner, _)| owner).peekable();
            let pair = |owner: &str| {
                owner.split_once('~').is_some_and(|(a, b)| bodies.contains(a) || bodies.contains(b))
            };
            of.peek().is_some() && of.all(|owner| owners.contains(owner) || pair(owner))
        };
        let new: Vec<usize> = (0..all.len()).filter(|i| !found.contains(i) && is_copied(&all[*i])).collect();
        if new.is_empty() {
            return found.into_iter().collect();
        }
        owners.extend(new.iter().filter_map(|&i| text(&all[i], "name")));
        found.extend(new);
    }
}

/// Puts the new names of bodies, joints and controllers into a copied table.
fn rename(array: &str, node: &mut Node, new: &Renamed) {
    let gear = array == "joint" && text(node, "type") == Some("gear");
    let body = |text: &str| -> Option<String> {
        let name = body_of(text);
        new.bodies.get(name).map(|n| format!("{n}{}", &text[name.len()..]))
    };
    if array == "body" {
        replace(node.get_mut("name"), body);
        return;
    }
    if let Some(Node { value: Value::Array(ends), .. }) = node.get_mut("between") {
        for end in ends {
            match gear {
                true => replace(Some(end), |t| new.joints.get(t).cloned()),
                false => replace(Some(end), body),
            }
        }
    }
    let owner = |name: &str| {
        let joint = new.joints.get(name).or_else(|| new.controllers.get(name)).cloned();
        joint.or_else(|| body(name))
    };
    for key in signals::keys(table(array), node) {
        if let Some(value) = node.get_mut(key) {
            signals::rename(value, &|name| signals::of_owner(name, &owner));
        }
    }
    replace(node.get_mut("body"), body);
    replace(node.get_mut("joint"), |t| new.joints.get(t).cloned());
    replace(node.get_mut("target"), |target| {
        let words: Vec<&str> = target.split('/').collect();
        let (kind, name) = (*words.first()?, *words.get(1)?);
        let name = if kind == "joint" { new.joints.get(name) } else { new.bodies.get(name) }?;
        let rest = words.get(2..)?.join("/");
        Some(format!("{kind}/{name}/{rest}"))
    });
}

fn replace(node: Option<&mut Node>, new: impl Fn(&str) -> Option<String>) {
    let Some(node) = node else { return };
    if let Some(text) = node.text().and_then(new) {
        node.value = Value::Text(text);
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn names_are_counted_on() {
        let alone = |name: &str, k| counted(name, &[name.to_owned()], k);
        assert_eq!(alone("ball1", 1), "ball2");
        assert_eq!(alone("ball", 1), "ball2");
        assert_eq!(alone("ball007", 3), "ball010");
        let two = ["ball1".to_owned(), "ball2".to_owned(), "pin".to_owned()];
        assert_eq!(counted("ball1", &two, 1), "ball3");
        assert_eq!(counted("ball2", &two, 2), "ball6");
        assert_eq!(counted("pin", &two, 1), "pin2");
    }
}
