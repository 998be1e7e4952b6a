//! The quantities that can be driven.

use std::sync::{Arc, LazyLock};

use carom_base::Quantity;
use carom_base::param::Allowed;
use carom_base::words::nearest;

use super::plan::Plan;
use super::{gravity, joint, mass, position};
use crate::course::{Course, Needs};
use crate::error::{BuildError, Fault, Subject};

/// All quantities that can be driven.
///
/// ```
/// let paths: Vec<&str> = carom::TARGETS.iter().map(|t| t.path).collect();
/// assert!(paths.contains(&"body/NAME/density"));
/// ```
pub static TARGETS: LazyLock<Vec<Target>> = LazyLock::new(|| {
    let others = [mass::DENSITY, mass::MASS, gravity::GRAVITY, position::POSITION];
    others.into_iter().chain(joint::targets()).collect()
});

/// A quantity of a model that can be driven.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// its path; NAME stands for any name, `0..2` for 0, 1 or 2
    pub path: &'static str,
    /// its dimension
    pub quantity: Quantity,
    /// what driving it means, in one line
    pub doc: &'static str,
    pub(crate) needs: Needs,
    /// puts the function of time into the description of the model
    pub(crate) bind: Bind,
}

pub(super) type Bind = fn(&mut Plan, &Address, Arc<dyn Course>) -> Result<(), BuildError>;

/// Identifies the quantity that a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// the whole path
    pub(crate) path: String,
    /// the word in the position of NAME
    pub(crate) name: String,
    /// the number in the position of `0..2`
    pub(crate) index: usize,
    /// the last word of the target's path
    pub(crate) word: &'static str,
}

impl Address {
    /// Returns the drive as errors name it.
    pub(super) fn subject(&self) -> Subject {
        Subject::Drive(self.path.clone())
    }

    /// Returns the error that the same quantity is already driven by the path `first`.
    pub(super) fn driven_twice(&self, first: &str) -> BuildError {
        let why = format!("drives `{}` and `{first}` drive the same number", self.path);
        let first = Subject::Drive(first.to_owned());
        self.subject().fails(Some("target"), Fault::SaidTwice { why, first })
    }
}

impl Target {
    /// Finds the target that a path names.
    ///
    /// ```
    /// use carom::{TARGETS, Target};
    /// assert_eq!(Target::find("body/cube/density").map(|t| t.path), Some("body/NAME/density"));
    /// assert!(Target::find("body/cube/colour").is_none());
    /// ```
    pub fn find(path: &str) -> Option<&'static Target> {
        Target::address(path).map(|found| found.0)
    }

    /// Whether its velocity must be continuous: a table is then interpolated by a [`Spline`](super::Spline), not by
    /// [`Linear`](super::Linear).
    pub fn is_motion(&self) -> bool {
        self.needs == Needs::Motion
    }

    /// Returns the allowed values.
    pub fn allowed(&self) -> Allowed {
        if self.needs == Needs::Positive { Allowed::Positive } else { Allowed::Finite }
    }

    pub(super) fn address(path: &str) -> Option<(&'static Target, Address)> {
        TARGETS.iter().find_map(|target| {
            let word = target.path.rsplit('/').next().unwrap_or_default();
            let mut address = Address { path: path.to_owned(), name: String::new(), index: 0, word };
            let (wanted, given) = (target.path.split('/'), path.split('/'));
            if wanted.clone().count() != given.clone().count() {
                return None;
            }
            for (wanted, given) in wanted.zip(given) {
                match wanted {
                    "NAME" => given.clone_into(&mut address.name),
                    "0..2" => address.index = given.parse().ok().filter(|i| *i < 3)?,
                    _ if wanted == given => {}
                    _ => return None,
                }
            }
            Some((target, address))
        })
    }

    /// Returns the error that no quantity has this path, with the paths that exist and the most similar one.
    pub(super) fn unknown(path: &str) -> BuildError {
        let mut words = path.split('/');
        let (table, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let has_name = matches!(table, "body" | "joint");
        let named = |t: &Target| t.path.replace("NAME", if has_name { name } else { "NAME" });
        let known: Vec<String> = TARGETS.iter().map(named).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let allowed = TARGETS.iter().map(|t| t.path).collect();
        let nearest = nearest(path, &known);
        Subject::Drive(path.to_owned()).fails(Some("target"), Fault::UnknownTarget { allowed, nearest })
    }
}
