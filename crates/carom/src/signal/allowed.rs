//! What expressions of loads and controllers may use, in words: for the message that a name is unknown.

use carom_base::words;

use super::sense::{Names, OF_BODIES};
use crate::error::{Fault, Subject};

/// The largest number of names of a kind that a message lists.
const MOST: usize = 8;

/// Components of the reaction of a joint.
const REACTIONS: &[&str] = &["fx", "fy", "fz", "mx", "my", "mz"];

impl Names<'_> {
    /// Returns the fault that the item uses a name which stands for nothing.
    pub(super) fn unknown(&self, subject: &Subject, name: &str) -> Fault {
        let measures = matches!(subject, Subject::Controller(_));
        let (joints, reactions) = (self.of_joints(), self.reactions());
        let mut all: Vec<String> = vec!["t".to_owned()];
        all.extend(self.inputs.iter().chain(&joints).cloned());
        all.extend(self.line.iter().flat_map(|_| ["length", "rate"]).map(str::to_owned));
        let bodies: Vec<&str> = self.world.body_names().collect();
        all.extend(
            bodies.iter().flat_map(|body| OF_BODIES.iter().map(move |suffix| format!("{body}.{suffix}"))),
        );
        if measures {
            all.extend(reactions.iter().cloned());
        }
        let known: Vec<&str> = all.iter().map(String::as_str).collect();
        let mut allowed = vec!["the time: `t`".to_owned()];
        if self.line.is_some() {
            allowed.push("of its line: `length`, `rate`".to_owned());
        }
        allowed.extend(some("inputs and outputs of controllers", self.inputs));
        allowed.extend(some("coordinates of joints, and their rates", &joints));
        let suffixes: Vec<String> = OF_BODIES.iter().map(|suffix| format!("`.{suffix}`")).collect();
        let named: Vec<String> = bodies.iter().map(|body| (*body).to_owned()).collect();
        let of_bodies = some("of the bodies", &named).map(|line| format!("{line}: {}", suffixes.join(" ")));
        allowed.extend(of_bodies);
        if measures {
            allowed.extend(some("reactions of joints", &reactions));
            if let [a, b, ..] = &bodies[..] {
                allowed.push(format!("normal forces between two bodies, as in `{a}~{b}.fn`"));
            }
        }
        let chapter = if measures { "`Sampling` in the chapter `Control`" } else { "the chapter on loads" };
        allowed.push(format!("all of it is described in {chapter} of the book"));
        Fault::UnknownQuantity { name: name.to_owned(), nearest: words::nearest(name, &known), allowed }
    }

    /// Returns the coordinates of joints and their rates.
    fn of_joints(&self) -> Vec<String> {
        let mut all = Vec::new();
        for joint in self.constraints.proper() {
            for (c, _) in &joint.coordinates {
                all.push(format!("{}.{}", joint.name, c.names.name));
                all.push(format!("{}.{}", joint.name, c.names.rate));
            }
            if !joint.coordinates.is_empty() {
                all.push(format!("{}.rate", joint.name));
            }
        }
        all
    }

    /// Returns the components of the reactions of joints.
    fn reactions(&self) -> Vec<String> {
        let joints = self.constraints.proper().iter();
        joints.flat_map(|joint| REACTIONS.iter().map(|c| format!("{}.{c}", joint.name))).collect()
    }

    /// Says why the item cannot use a quantity that follows from forces.
    pub(super) fn follows_from_forces(subject: &Subject, name: &str) -> String {
        match subject {
            Subject::Controller(_) => format!(
                "a controller cannot measure `{name}`: of what follows from forces it measures the reactions of joints (`JOINT.fx` … `JOINT.mz`) and normal forces between two bodies (`A~B.fn`)"
            ),
            _ => format!(
                "`{name}` depends on the load itself: reactions, contact forces and accelerations are for measures and sampled controllers"
            ),
        }
    }
}

/// Lists the first names of a kind, and says how many there are; `None` if there are none.
fn some(kind: &str, names: &[String]) -> Option<String> {
    let first: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > MOST { format!(" … ({} in all)", names.len()) } else { String::new() };
    (!names.is_empty()).then(|| format!("{kind}: {}{more}", first.join(", ")))
}
