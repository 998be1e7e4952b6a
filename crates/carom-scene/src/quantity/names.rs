//! Finds the quantities that a scene will have, before it runs.

use carom::{Distance, Model};
use carom_base::expression::Expression;

use super::catalogue::{
    FIRST_RATE, LEDGER, Meaning, TIME, Thing, behind, of_drive, of_force, of_joint, of_signal,
};
use super::nearest;
use crate::plot::Wanted;

/// The quantities that can be named in a scene's plots and in the measures of sweeps.
#[derive(Clone, Debug)]
pub struct Names {
    things: Vec<(String, Thing)>,
    /// the names of bodies and `body/surface`
    sides: Vec<String>,
    joints: Vec<String>,
    /// the coordinates of joints, their rates, and the forces of drives
    mechanism: Vec<Meaning>,
    /// what is recorded of forces
    forces: Vec<Meaning>,
    /// inputs, and outputs of controllers
    signals: Vec<Meaning>,
}

impl Names {
    /// Collects the names of a model; `sides` are all bodies and all `body/surface`, between which contacts can act.
    pub fn of(model: &Model, sides: Vec<String>, probes: &[&str], distances: &[Distance]) -> Names {
        let body = |(name, deforms): (&str, bool)| {
            (name.to_owned(), if deforms { Thing::Soft } else { Thing::Rigid })
        };
        let mut things: Vec<(String, Thing)> = model.moving_bodies_that_deform().map(body).collect();
        things.extend(probes.iter().map(|p| ((*p).to_owned(), Thing::Probe)));
        things.extend(distances.iter().map(|d| (d.name().to_owned(), Thing::Distance)));
        things.extend(model.field_names().map(|n| (n.to_owned(), Thing::Field)));
        things.extend(model.joint_names().map(|n| (n.to_owned(), Thing::Joint)));
        let forces = model.force_names().into_iter().flat_map(|(name, columns)| {
            let of = |(suffix, quantity)| of_force(&name, suffix, quantity);
            columns.into_iter().filter_map(of).collect::<Vec<_>>()
        });
        Names {
            things,
            sides,
            joints: model.joint_names().map(str::to_owned).collect(),
            mechanism: mechanism(model),
            forces: forces.collect(),
            signals: model.signal_names().map(|name| of_signal(&name)).collect(),
        }
    }

    /// Checks the quantities of a curve. Returns the error message and the name that was probably meant, or `None` if both are
    /// known.
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

    /// Describes the quantity of that name, if the scene has one.
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        let of = |owner: &str, thing: Thing| {
            let suffix = behind(name, owner)?;
            thing.entries().find(|e| e.suffix == suffix).map(|e| Meaning::of(owner, e))
        };
        let nobodys = || LEDGER.iter().chain([&TIME]).find(|e| e.suffix == name).map(|e| Meaning::of("", e));
        let things = || self.things.iter().find_map(|(owner, thing)| of(owner, *thing));
        let actions = || self.mechanism.iter().chain(&self.forces).chain(&self.signals);
        let action = || actions().find(|m| m.name == name).cloned();
        let contact = || of(name.rsplit_once('.').filter(|_| self.of_contact(name))?.0, Thing::Contact);
        nobodys().or_else(things).or_else(action).or_else(contact)
    }

    /// Returns whether a run has a quantity of that name.
    pub fn knows(&self, name: &str) -> bool {
        let counted =
            |head: &str| behind(name, head).is_some_and(|n| n.parse::<usize>().is_ok_and(|n| n > 0));
        name.starts_with("summary.")
            || ["touch", "release"].into_iter().any(counted)
            || self.meaning(name).is_some()
            || self.of_joint(name)
    }

    /// Returns whether an analysis without integration has a quantity of that name: motion of bodies and probes, coordinates of
    /// joints, and with `forces` also the joint forces.
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

    /// Returns whether it is a coordinate of a joint, or a quantity of the joint's drive or stop.
    fn of_joint(&self, name: &str) -> bool {
        let more =
            |joint: &String| name.strip_prefix(joint.as_str()).is_some_and(|rest| rest.starts_with('/'));
        self.mechanism.iter().any(|m| m.name == name) || self.joints.iter().any(more)
    }

    /// Returns whether it is a quantity of a contact between existing bodies or surfaces, or of a point of such a contact, whose
    /// name is not known before the run.
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

    /// Lists the quantities for suggestions: those of the objects and the energies, and with at most 30 bodies also those of the
    /// contacts between every two.
    pub fn all(&self) -> Vec<Meaning> {
        let of = |(owner, thing): &(String, Thing)| -> Vec<Meaning> {
            thing.entries().map(|e| Meaning::of(owner, e)).collect()
        };
        let mut all: Vec<Meaning> = self.things.iter().flat_map(of).collect();
        all.extend(self.mechanism.iter().chain(&self.forces).chain(&self.signals).cloned());
        all.extend(LEDGER.iter().map(|e| Meaning::of("", e)));
        let bodies: Vec<&String> = self.sides.iter().filter(|s| !s.contains('/')).collect();
        // with very many bodies no pair is more likely to be meant than another
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

/// Describes the coordinates of a model's joints, the rate of the first of each joint, and the forces of its drives.
fn mechanism(model: &Model) -> Vec<Meaning> {
    let mut all: Vec<Meaning> = Vec::new();
    let mut last = "";
    for (joint, coordinate) in model.joint_coordinates() {
        let new: Vec<Meaning> = of_joint(joint, coordinate).collect();
        if let Some(rate) = new.get(1).filter(|_| joint != last) {
            all.push(Meaning { name: format!("{joint}.{FIRST_RATE}"), ..rate.clone() });
        }
        all.extend(new);
        last = joint;
    }
    for drive in model.drive_names() {
        let joint = drive.rsplit_once('/').map_or("", |(joint, _)| joint);
        all.extend(of_drive(&drive, |c| model.joint_coordinates().any(|own| own == (joint, c))));
    }
    all
}
