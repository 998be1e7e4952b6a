//! Contact rules: which surfaces touch, by which laws, and what is refused.

mod check;
mod friction_point;
#[expect(clippy::module_inception, reason = "the rules themselves, beside what checks them")]
mod rule;

pub(crate) use check::{audit_pair, bind, bind_surfaces, contact_modulus, meeting};
use check::{check_pairs, check_rule};
pub use friction_point::FrictionAt;
pub use rule::{ContactRule, Endpoint};
pub(crate) use rule::{Rule, RuleTable, TOUCHING, is_dashpot};

use crate::check::unique;
use crate::error::BuildError;
use crate::world::World;

/// All contact rules of a model, checked.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) rules: Vec<Rule>,
    /// which of them holds for two surfaces
    pub(crate) table: RuleTable,
    /// how many depths of worn bearings they have in the state
    pub(crate) depths: usize,
    /// the bodies whose orientation matters to them besides those whose surfaces turn: a round bearing that wears differently here and there is not the same however it is turned
    pub(crate) oriented: Vec<usize>,
}

impl Rules {
    /// Of their descriptions.
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

/// Gives the depths of every profile their positions among all; gives how many there are.
fn lay_out_depths(rules: &mut [Rule]) -> usize {
    let mut next = 0;
    for profile in rules.iter_mut().filter_map(|rule| rule.wear.as_mut()?.profile.as_mut()) {
        profile.first = next;
        next += profile.len();
    }
    next
}

/// Gives the volumes their places among the integrals, from `first` on.
pub(crate) fn lay_out_volumes(rules: &mut [Rule], first: usize) {
    let wears = rules.iter_mut().filter_map(|rule| rule.wear.as_mut());
    wears.enumerate().for_each(|(i, wear)| wear.volume = first + i);
}
