//! The table of contact rules: which rule applies to two surfaces.

use super::endpoint::Endpoint;
use super::rule::Rule;
use crate::error::{BuildError, Fault};
use crate::world::{SurfaceModel, World};

/// The table of the rules that apply to pairs of surfaces. Surfaces that match the same endpoints form a group, so the table
/// stays small however many bodies there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleTable {
    /// group index of each surface
    group: Vec<usize>,
    groups: usize,
    /// index of the rule of each pair of groups, and whether the pair is in the order in which the rule names it
    rule: Vec<Option<(usize, bool)>>,
    /// index of the rule by which no force acts between a pair of groups, if there is one
    none: Vec<Option<usize>>,
    /// for every rule, index of a more specific one that applies to surfaces which both match, if there is one
    overruled_by: Vec<Option<usize>>,
}

impl RuleTable {
    /// Returns the group of a surface: the same rules apply to all surfaces of a group.
    pub(crate) fn group(&self, surface: usize) -> usize {
        self.group[surface]
    }

    /// Returns the index of a more specific rule that applies to surfaces which this rule matches too, if there is one.
    pub(crate) fn overruled_by(&self, rule: usize) -> Option<usize> {
        self.overruled_by[rule]
    }

    /// Returns the index of the rule for two surfaces, and whether (a, b) is the order in which it names them.
    pub(crate) fn get(&self, a: usize, b: usize) -> Option<(usize, bool)> {
        self.rule[self.group[a] * self.groups + self.group[b]]
    }

    /// Returns the index of the rule by which no force acts between two surfaces, if there is one.
    pub(crate) fn none(&self, a: usize, b: usize) -> Option<usize> {
        self.none[self.group[a] * self.groups + self.group[b]]
    }

    /// Returns the table for some of the surfaces, given by their indices here.
    pub(crate) fn of_surfaces(&self, surfaces: &[usize]) -> RuleTable {
        RuleTable {
            group: surfaces.iter().map(|&s| self.group[s]).collect(),
            groups: self.groups,
            rule: self.rule.clone(),
            none: self.none.clone(),
            overruled_by: self.overruled_by.clone(),
        }
    }

    pub(crate) fn new(rules: &[Rule], world: &World) -> Result<RuleTable, BuildError> {
        // for every endpoint of the rules, whether it matches the surface; last, whether its body is dynamic
        let key = |s: &SurfaceModel| -> Vec<bool> {
            let matches = |e: &Endpoint| e.matches(world, s);
            let free = world.is_dynamic(s.body);
            rules.iter().flat_map(|r| r.between.iter().map(matches)).chain([free]).collect()
        };
        let free = |k: &[bool]| k.last() == Some(&true);
        let mut keys: Vec<Vec<bool>> = Vec::new();
        let mut example = Vec::new();
        let mut group = Vec::new();
        for (i, s) in world.surfaces.iter().enumerate() {
            let k = key(s);
            let g = keys.iter().position(|x| *x == k).unwrap_or_else(|| {
                keys.push(k);
                example.push(i);
                keys.len() - 1
            });
            group.push(g);
        }
        let mut rule = Vec::with_capacity(keys.len() * keys.len());
        let mut overruled_by = vec![None; rules.len()];
        for (ga, a) in keys.iter().enumerate() {
            for (gb, b) in keys.iter().enumerate() {
                // between two bodies that are not dynamic it does not matter which rule applies
                if !free(a) && !free(b) {
                    rule.push(None);
                    continue;
                }
                let best = best_rule(rules, a, b).map_err(|(first, second)| {
                    let [a, b] = [ga, gb].map(|group| world.surface_name(example[group]));
                    let [name, other] = [first, second].map(|rule| &rules[rule].name);
                    let why = format!("contacts `{name}` and `{other}` both speak of {a} and {b}");
                    let first = rules[first].subject();
                    rules[second].subject().fails(Some("between"), Fault::SaidTwice { why, first })
                })?;
                if let Some((best, _)) = best {
                    let others = matching(rules.len(), a, b).filter(|&i| i != best);
                    others.for_each(|i| overruled_by[i] = Some(best));
                }
                rule.push(best);
            }
        }
        let silent = |found: &Option<(usize, bool)>| found.map(|(i, _)| i).filter(|&i| rules[i].none);
        let none: Vec<Option<usize>> = rule.iter().map(silent).collect();
        rule.iter_mut().zip(&none).filter(|(_, none)| none.is_some()).for_each(|(rule, _)| *rule = None);
        Ok(RuleTable { group, groups: keys.len(), rule, none, overruled_by })
    }
}

/// Finds the most specific rule that matches two groups, and whether they are in its order. If several matching rules are the
/// most specific, the first two are an error; less specific ones do not matter, in whatever order the rules are given.
fn best_rule(rules: &[Rule], a: &[bool], b: &[bool]) -> Result<Option<(usize, bool)>, (usize, usize)> {
    let rank = |rule: &Rule| rule.between[0].rank() + rule.between[1].rank();
    let all = || matching(rules.len(), a, b);
    let Some(most) = all().map(|i| rank(&rules[i])).max() else { return Ok(None) };
    let mut best = all().filter(|&i| rank(&rules[i]) == most);
    match (best.next(), best.next()) {
        (Some(first), Some(second)) => Err((first, second)),
        (first, _) => Ok(first.map(|i| (i, in_order(i, a, b)))),
    }
}

/// Returns the indices of the rules that match two groups, in either order.
fn matching<'k>(rules: usize, a: &'k [bool], b: &'k [bool]) -> impl Iterator<Item = usize> + 'k {
    (0..rules).filter(move |&i| in_order(i, a, b) || in_order(i, b, a))
}

/// Says whether a rule matches two groups in the order in which it names them.
fn in_order(rule: usize, a: &[bool], b: &[bool]) -> bool {
    a[2 * rule] && b[2 * rule + 1]
}
