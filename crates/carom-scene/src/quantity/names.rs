//! Which quantities a scene will have, before it runs.

use carom::{Distance, Model};
use carom_base::expression::Expression;

use super::catalogue::{COORDINATE, LEDGER, Meaning, TIME, Thing, behind};
use super::nearest;
use crate::plot::Wanted;

/// What can be named in a scene's plots and in measures of sweeps.
#[derive(Clone, Debug)]
pub struct Names {
    things: Vec<(String, Thing)>,
    /// bodies and `body/surface`
    sides: Vec<String>,
    joints: Vec<String>,
}

impl Names {
    /// Of a model, with the names of all bodies and `body/surface` as sides of contacts.
    pub fn of(model: &Model, sides: Vec<String>, probes: &[&str], distances: &[Distance]) -> Names {
        let body = |name: &str| {
            let thing = if model.deforms(name) { Thing::Soft } else { Thing::Rigid };
            (name.to_owned(), thing)
        };
        let mut things: Vec<(String, Thing)> = model.moving_bodies().map(body).collect();
        things.extend(probes.iter().map(|p| ((*p).to_owned(), Thing::Probe)));
        things.extend(distances.iter().map(|d| (d.name().to_owned(), Thing::Distance)));
        things.extend(model.field_names().map(|n| (n.to_owned(), Thing::Field)));
        things.extend(model.joint_names().map(|n| (n.to_owned(), Thing::Joint)));
        Names { things, sides, joints: model.joint_names().map(str::to_owned).collect() }
    }

    /// What is wrong with a curve, if anything: the text, what is said of it, and the name that may be meant.
    pub fn refuse(&self, wanted: &Wanted) -> Option<(String, Option<String>)> {
        std::iter::once(&wanted.y).chain(&wanted.x).find_map(|text| self.refuse_text(text))
    }

    fn refuse_text(&self, text: &str) -> Option<(String, Option<String>)> {
        if self.knows(text) {
            return None;
        }
        match Expression::parse(text) {
            Err(e) => Some((format!("`{text}` is neither a quantity nor an expression of some: {e}"), None)),
            Ok(e) => {
                let name = e.names().iter().find(|name| !self.knows(name))?;
                Some((format!("there is no quantity `{name}`"), nearest(name, &self.all())))
            }
        }
    }

    /// What a quantity is, where its name says so.
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        let of = |owner: &str, thing: Thing| {
            let suffix = behind(name, owner)?;
            thing.entries().find(|e| e.suffix == suffix).map(|e| Meaning::of(owner, e))
        };
        let nobodys = || LEDGER.iter().chain([&TIME]).find(|e| e.suffix == name).map(|e| Meaning::of("", e));
        let things = || self.things.iter().find_map(|(owner, thing)| of(owner, *thing));
        let joint = |joint: &String| {
            let suffix = behind(name, joint)?;
            COORDINATE.iter().find(|e| e.suffix == suffix).map(|e| Meaning::of(joint, e))
        };
        let contact = || of(name.rsplit_once('.').filter(|_| self.of_contact(name))?.0, Thing::Contact);
        nobodys().or_else(things).or_else(|| self.joints.iter().find_map(joint)).or_else(contact)
    }

    /// Whether a run has a quantity of that name.
    pub fn knows(&self, name: &str) -> bool {
        let counted =
            |head: &str| behind(name, head).is_some_and(|n| n.parse::<usize>().is_ok_and(|n| n > 0));
        name.starts_with("summary.")
            || ["touch", "release"].into_iter().any(counted)
            || self.meaning(name).is_some()
            || self.of_joint(name)
    }

    /// What an analysis that integrates nothing has: of bodies and probes, coordinates of joints, and perhaps what acts in joints.
    pub fn of_mechanism(&self, name: &str, forces: bool) -> bool {
        let moves = |thing: Thing| {
            matches!(thing, Thing::Rigid | Thing::Soft | Thing::Probe) || (forces && thing == Thing::Joint)
        };
        let has = |owner: &str, thing: Thing| {
            moves(thing)
                && behind(name, owner).is_some_and(|suffix| thing.entries().any(|e| e.suffix == suffix))
        };
        name == TIME.suffix
            || self.things.iter().any(|(owner, thing)| has(owner, *thing))
            || self.of_joint(name)
    }

    /// A coordinate, or what belongs to a drive or a stop.
    fn of_joint(&self, name: &str) -> bool {
        self.joints.iter().any(|joint| {
            let coordinate = behind(name, joint).is_some_and(|c| COORDINATE.iter().any(|e| e.suffix == c));
            let more = name.strip_prefix(joint.as_str()).is_some_and(|rest| rest.starts_with('/'));
            coordinate || more
        })
    }

    /// A contact between what there is, and perhaps a point of it, whose name is not known before.
    pub fn of_contact(&self, name: &str) -> bool {
        let Some((owner, suffix)) = name.rsplit_once('.') else { return false };
        if !Thing::Contact.entries().any(|e| e.suffix == suffix) {
            return false;
        }
        let mut firsts = self.sides.iter().filter_map(|a| owner.strip_prefix(a.as_str())?.strip_prefix('~'));
        firsts.any(|rest| {
            let second = |b: &String| {
                rest.strip_prefix(b.as_str()).is_some_and(|r| r.is_empty() || r.starts_with('.'))
            };
            self.sides.iter().any(second)
        })
    }

    /// All that is known by name; contacts of every two bodies.
    pub fn all(&self) -> Vec<Meaning> {
        let of = |(owner, thing): &(String, Thing)| -> Vec<Meaning> {
            thing.entries().map(|e| Meaning::of(owner, e)).collect()
        };
        let mut all: Vec<Meaning> = self.things.iter().flat_map(of).collect();
        all.extend(LEDGER.iter().map(|e| Meaning::of("", e)));
        let bodies: Vec<&String> = self.sides.iter().filter(|s| !s.contains('/')).collect();
        // of very many bodies no pair is more likely meant than another
        if bodies.len() <= 30 {
            for a in &bodies {
                for b in bodies.iter().filter(|b| *b != a) {
                    all.extend(of(&(format!("{a}~{b}"), Thing::Contact)));
                }
            }
        }
        all
    }
}
