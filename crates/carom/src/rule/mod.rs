//! Contact rules: which surfaces touch, under which laws, and which rules are refused.

mod check;
mod describe;
mod endpoint;
mod friction_point;
mod pressure;
#[expect(clippy::module_inception, reason = "the rules themselves, beside what checks them")]
mod rule;
mod table;

pub(crate) use check::{Shear, audit_pair, bind, bind_surfaces, material_stiffness, meeting, shears};
use check::{check_pairs, check_rule};
pub use describe::ContactRule;
pub use endpoint::{Endpoint, Several};
pub use friction_point::FrictionAt;
pub(crate) use rule::{Against, Remembering, Rule, TOUCHING, adheres, is_dashpot};
pub(crate) use table::RuleTable;

use crate::check::unique;
use crate::error::BuildError;
use crate::world::World;

/// The contact rules of a model, after all checks.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) rules: Vec<Rule>,
    /// table of the rule that applies to two surfaces
    pub(crate) table: RuleTable,
    /// number of wear depths of bearings in the state
    pub(crate) depths: usize,
    /// bodies whose orientation matters because of wear, besides those with surfaces that rotation moves: a round bearing
    /// that is worn unevenly is not the same at every angle
    pub(crate) oriented: Vec<usize>,
}

impl Rules {
    /// Checks the rules described, and builds their table.
    pub(crate) fn build(world: &World, descriptions: &[ContactRule]) -> Result<Rules, BuildError> {
        let rules: Result<Vec<Rule>, _> = descriptions.iter().map(|rule| check_rule(world, rule)).collect();
        let mut rules = rules?;
        unique("contacts", rules.iter().map(|r| r.name.as_str()))?;
        let depths = lay_out_depths(&mut rules);
        let table = RuleTable::new(&rules, world)?;
        check_pairs(world, &rules, &table)?;
        let worn = || rules.iter().filter(|r| r.wear.as_ref().is_some_and(|w| w.profile.is_some()));
        let is_worn = |body: usize| {
            worn().any(|rule| rule.between.iter().any(|end| end.is_of(&world.bodies[body].name)))
        };
        let oriented = (0..world.bodies.len()).filter(|&body| is_worn(body)).collect();
        Ok(Rules { rules, table, depths, oriented })
    }
}

/// Assigns to the wear depths of every profile their positions among all depths, and returns the number of all depths.
fn lay_out_depths(rules: &mut [Rule]) -> usize {
    let mut next = 0;
    for profile in rules.iter_mut().filter_map(|rule| rule.wear.as_mut()?.profile.as_mut()) {
        profile.first = next;
        next += profile.len();
    }
    next
}

/// Assigns to the worn volumes their positions among the integrals, from `first` on.
pub(crate) fn lay_out_volumes(rules: &mut [Rule], first: usize) {
    let wears = rules.iter_mut().filter_map(|rule| rule.wear.as_mut());
    wears.enumerate().for_each(|(i, wear)| wear.volume = first + i);
}
