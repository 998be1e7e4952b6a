//! Bodies and surfaces by names, wildcards and groups.

use std::collections::{BTreeSet, HashMap};

use carom::Endpoint;

use crate::error::Problem;
use crate::fields::{Fields, Side};
use crate::names;
use crate::tree::{Node, Span};

/// The bodies of a scene, with their groups and surfaces.
#[derive(Debug)]
pub(crate) struct Roster {
    bodies: Vec<Listed>,
    /// where a name stands first
    by_name: HashMap<String, usize>,
}

#[derive(Debug)]
struct Listed {
    name: String,
    groups: Vec<String>,
    surfaces: Vec<String>,
}

/// What a name, a wildcard or a group stands for.
#[derive(Debug)]
pub(crate) struct Selected {
    /// bodies, or surfaces of bodies
    pub(crate) members: Vec<(String, Option<String>)>,
    /// whether a wildcard or a group found them, so that there may be several
    pub(crate) found: bool,
}

impl Roster {
    /// Lists the bodies of a scene that has been read.
    pub(crate) fn of_fields(scene: &Fields) -> Roster {
        let listed = |f: &Fields| Listed {
            name: f.text("name").unwrap_or_default().to_owned(),
            groups: f.texts("group").map_or_else(Vec::new, |(groups, _)| groups.to_vec()),
            surfaces: names::surfaces(f),
        };
        Roster::of(scene.array("body").iter().map(listed).collect())
    }

    /// Lists the bodies of a scene that is still a tree; what is not as it should be is left out, for the reader to report.
    pub(crate) fn of_nodes(bodies: &[Node]) -> Roster {
        let texts = |node: &Node| match node.text() {
            Some(text) => vec![text.to_owned()],
            None => node.items().iter().filter_map(Node::text).map(str::to_owned).collect(),
        };
        let listed = |node: &Node| Listed {
            name: node.get("name").and_then(Node::text).unwrap_or_default().to_owned(),
            groups: node.get("group").map_or_else(Vec::new, texts),
            surfaces: node.get("surface").map_or_else(Vec::new, |s| names::of_nodes(s.items())),
        };
        Roster::of(bodies.iter().map(listed).collect())
    }

    fn of(bodies: Vec<Listed>) -> Roster {
        let mut by_name = HashMap::with_capacity(bodies.len());
        for (i, body) in bodies.iter().enumerate() {
            by_name.entry(body.name.clone()).or_insert(i);
        }
        Roster { bodies, by_name }
    }

    /// Returns the body of this name.
    fn body(&self, name: &str) -> Option<&Listed> {
        self.by_name.get(name).map(|&i| &self.bodies[i])
    }

    /// Returns the names of all bodies.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.bodies.iter().map(|b| b.name.as_str()).collect()
    }

    fn groups(&self) -> Vec<&str> {
        let mut groups: Vec<&str> =
            self.bodies.iter().flat_map(|b| b.groups.iter().map(String::as_str)).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// Returns what a text names: a body, a group, a wildcard of bodies, or surfaces of such. A single name that is not known
    /// stands for itself, for the model to report.
    pub(crate) fn select(&self, text: &str, at: &Span) -> Result<Selected, Problem> {
        let (body, surface) = match text.split_once('/') {
            Some((body, surface)) => (body, Some(surface)),
            None => (text, None),
        };
        let (chosen, several) = self.bodies(body);
        let wild = surface.is_some_and(is_wild);
        if chosen.is_empty() && !several {
            let members = vec![(body.to_owned(), surface.map(str::to_owned))];
            return Ok(Selected { members, found: false });
        }
        let mut members = Vec::new();
        for body in &chosen {
            match surface {
                None => members.push((body.name.clone(), None)),
                Some(s) if wild || several => {
                    let matching = body.surfaces.iter().filter(|name| matches(s, name));
                    members.extend(matching.map(|name| (body.name.clone(), Some(name.clone()))));
                }
                Some(s) => members.push((body.name.clone(), Some(s.to_owned()))),
            }
        }
        if members.is_empty() {
            return Err(self.nothing(text, surface, &chosen, at));
        }
        Ok(Selected { members, found: several || wild })
    }

    /// Returns the bodies that a text without a slash names, and whether it could name several.
    fn bodies(&self, text: &str) -> (Vec<&Listed>, bool) {
        if is_wild(text) {
            return (self.bodies.iter().filter(|b| matches(text, &b.name)).collect(), true);
        }
        if let Some(body) = self.body(text) {
            return (vec![body], false);
        }
        let group: Vec<&Listed> = self.bodies.iter().filter(|b| b.groups.iter().any(|g| g == text)).collect();
        let several = !group.is_empty();
        (group, several)
    }

    fn nothing(&self, text: &str, surface: Option<&str>, chosen: &[&Listed], at: &Span) -> Problem {
        let problem = Problem::new(format!("nothing is called `{text}`"));
        let (word, known): (&str, Vec<&str>) = match surface {
            Some(surface) if !chosen.is_empty() => {
                (surface, chosen.iter().flat_map(|b| b.surfaces.iter().map(String::as_str)).collect())
            }
            _ => (text, self.names().into_iter().chain(self.groups()).collect()),
        };
        let plain = word.replace(['*', '?'], "");
        let label = if is_wild(text) { "no name fits this" } else { "" };
        problem.at(at.clone(), label).allowed(&plain, &known)
    }

    /// Returns the bodies that texts name, each once, in the order of the scene. A name that is not known is an error.
    pub(crate) fn bodies_of(&self, texts: &[String], spans: &[Span]) -> Result<Vec<String>, Problem> {
        let mut chosen: BTreeSet<&str> = BTreeSet::new();
        for (text, at) in texts.iter().zip(spans) {
            if text.contains('/') {
                let problem = Problem::new(format!("`{text}` is a surface, and a body is needed"));
                return Err(problem.at(at.clone(), "").allowed(text, &self.names()));
            }
            let (found, _) = self.bodies(text);
            if found.is_empty() {
                let known: Vec<&str> = self.names().into_iter().chain(self.groups()).collect();
                let problem = Problem::new(format!("no body or group is called `{text}`"));
                let plain = text.replace(['*', '?'], "");
                return Err(problem.at(at.clone(), "").allowed(&plain, &known));
            }
            chosen.extend(found.iter().map(|b| b.name.as_str()));
        }
        let mut in_order: Vec<&str> = chosen.into_iter().collect();
        in_order.sort_by_key(|name| self.by_name.get(*name));
        Ok(in_order.into_iter().map(str::to_owned).collect())
    }

    fn has_surface(&self, body: &str) -> bool {
        self.body(body).is_some_and(|body| !body.surfaces.is_empty())
    }

    /// Returns a side of a contact rule.
    pub(crate) fn endpoint(&self, side: &Side) -> Result<Endpoint, Problem> {
        let mut members: Vec<Endpoint> = Vec::new();
        let mut several = false;
        for (text, at) in side.names.iter().zip(&side.spans) {
            if text == "*" {
                return Ok(Endpoint::Any);
            }
            let mut selected = self.select(text, at)?;
            several |= selected.found;
            if selected.found {
                // of those that are found, bodies that have no surfaces touch nothing
                selected.members.retain(|(body, surface)| surface.is_some() || self.has_surface(body));
                if selected.members.is_empty() {
                    let problem = Problem::new(format!("no body that `{text}` finds has a surface"));
                    return Err(problem.at(at.clone(), "needed: bodies with surfaces"));
                }
            }
            members.extend(selected.members.into_iter().map(|(body, surface)| match surface {
                None => Endpoint::Body(body),
                Some(surface) => Endpoint::Surface(body, surface),
            }));
        }
        match (members.len(), several) {
            (1, false) => Ok(members.remove(0)),
            _ => Ok(Endpoint::several(&side.label, members, several)),
        }
    }

    /// Checks that no group is called as a body is: a name must stand for one of them.
    pub(crate) fn check_groups(&self, scene: &Fields) -> Result<(), Problem> {
        let names: BTreeSet<&str> = self.bodies.iter().map(|b| b.name.as_str()).collect();
        for f in scene.array("body") {
            let Some((groups, spans)) = f.texts("group") else { continue };
            for (group, at) in groups.iter().zip(spans) {
                crate::value::check_name(group, at)?;
                if !names.contains(group.as_str()) {
                    continue;
                }
                if let Some(body) = scene.array("body").iter().find(|b| b.text("name") == Some(group)) {
                    let problem = Problem::new(format!("a group and a body are both called `{group}`"));
                    return Err(problem.at(at.clone(), "the group").context(body.span("name"), "the body"));
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a text has wildcards.
pub(crate) fn is_wild(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// Returns whether a name fits a text in which `*` stands for any letters and `?` for one.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // where the last `*` was, and how far it reached
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, reached)) => {
                    star = Some((at, reached + 1));
                    p = at + 1;
                    n = reached + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn wildcards() {
        for (pattern, name, fits) in [
            ("ball*", "ball12", true),
            ("ball*", "bal", false),
            ("*", "", true),
            ("b*l?", "ball2", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*ab", "aab", true),
            ("ball?", "ball12", false),
            ("?", "é", true),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }
}
