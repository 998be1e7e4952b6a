//! All joints of a model, and the pattern of S = Φ M⁻¹ Φᵀ: found once, when the model is built.

use std::collections::BTreeSet;
use std::ops::Range;

use carom_base::Mat3;

use super::blocks::Pattern;
use super::constraint::Constraint;
use super::describe::Joint;
use super::friction::JointFrictionTerm;
use super::limit::{Stop, stops};
use super::slender::{Slender, Turning, moves_in_all};
use crate::check::unique;
use crate::drive::DrivenJoint;
use crate::error::{BuildError, Subject};
use crate::rule::Rule;
use crate::world::{BodyKind, World};

/// All joints of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConstraintSet {
    pub(crate) list: Vec<Constraint>,
    /// what rubs in them
    pub(crate) frictions: Vec<JointFrictionTerm>,
    /// the bodies that have joints
    pub(crate) bodies: Vec<Jointed>,
    /// of each hold, its bodies in order
    pub(crate) ends: Vec<Vec<End>>,
    pub(crate) pattern: Pattern,
    pub(crate) products: Vec<Product>,
    /// the blocks of S into which no product goes, but what is eliminated does
    pub(crate) filled: Vec<Range<usize>>,
    /// numbers of all gradients
    pub(crate) loads: usize,
    /// angles whose turns are counted
    pub(crate) counters: usize,
    /// the limits of coordinates, as contacts
    pub(crate) stops: Vec<Stop>,
    /// the bodies with little inertia in some direction
    pub(crate) slender: Vec<Slender>,
}

/// A body that has joints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jointed {
    pub(crate) body: usize,
    /// its place among the slender bodies, if it has little inertia about some axis
    pub(crate) slender: Option<usize>,
}

/// A body of a hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// its place among the bodies that have joints
    pub(crate) jointed: usize,
    /// how many accelerations it has: 6, 12 if it deforms, 0 if it does not move by its forces
    pub(crate) width: usize,
    /// where the gradients of the hold's rows by its accelerations start; of one that does not move by its forces, force and torque of a unit of each multiplier
    pub(crate) at: usize,
    /// how many numbers a row has there: `width`, or 6 where that is 0
    pub(crate) stored: usize,
}

/// A product of gradients that goes into a block of S.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    pub(crate) block: usize,
    pub(crate) rows: [usize; 2],
    /// where the gradients of the row's hold and the responses of the column's start
    pub(crate) at: [usize; 2],
    pub(crate) width: usize,
    /// whether nothing is in the block yet
    pub(crate) first: bool,
    /// whether the first three rows and columns give forces along the axes of the world, and the others none
    pub(crate) along_axes: bool,
}

impl ConstraintSet {
    /// The joints, and the drives of their coordinates; and the rules of their stops, which have indices from `first_rule` on among all rules.
    pub(crate) fn build(
        world: &World,
        joints: &[Joint],
        driven: &[DrivenJoint],
        first_rule: usize,
    ) -> Result<(ConstraintSet, Vec<Rule>), BuildError> {
        let (mut constraints, mut counters, mut frictions) = (Vec::new(), 0, Vec::new());
        let (mut all_stops, mut rules) = (Vec::new(), Vec::new());
        for joint in joints {
            let constraint = Constraint::new(world, joint, &constraints, &mut counters)?;
            frictions.extend(constraint.frictions(world, joint, constraints.len())?);
            let (stops, rule) = stops(world, joint, &constraint, first_rule + rules.len())?;
            all_stops.extend(stops);
            rules.extend(rule);
            constraints.push(constraint);
        }
        unique("joints", constraints.iter().map(|h| h.name.as_str()))?;
        for DrivenJoint { joint, what, course } in driven.iter().filter(|d| d.pushes().is_none()) {
            let names: Vec<&str> = joints.iter().zip(&constraints).map(|(_, h)| h.name.as_str()).collect();
            let drive = Subject::Drive(format!("joint/{joint}/{what}"));
            let found = drive.find("target", "joint", joint, &names)?;
            constraints.push(constraints[found].driven(what, course.clone())?);
        }
        Ok((
            ConstraintSet { stops: all_stops, frictions, ..ConstraintSet::new(world, constraints, counters) },
            rules,
        ))
    }

    /// The bodies whose orientation matters to joints: all that have some.
    pub(crate) fn oriented(&self) -> impl Iterator<Item = usize> {
        self.bodies.iter().map(|jointed| jointed.body)
    }

    /// Of these joints, the bodies of the model being known.
    pub(crate) fn new(world: &World, constraints: Vec<Constraint>, counters: usize) -> ConstraintSet {
        let mut set = ConstraintSet { list: constraints, counters, ..ConstraintSet::default() };
        let mut jointed_of = vec![None; world.bodies.len()];
        for constraint in &set.list {
            let mut ends = Vec::with_capacity(constraint.bodies.len());
            for &body in &constraint.bodies {
                let width = match world.bodies[body].kind {
                    BodyKind::Dynamic(_) => 6,
                    BodyKind::Affine(_) => 12,
                    _ => 0,
                };
                let jointed = *jointed_of[body].get_or_insert_with(|| {
                    set.bodies.push(Jointed { body, slender: None });
                    set.bodies.len() - 1
                });
                let stored = if width == 0 { 6 } else { width };
                ends.push(End { jointed, width, at: set.loads, stored });
                set.loads += constraint.rows * stored;
            }
            set.ends.push(ends);
        }
        set.couple();
        let looped = set.constraints_in_loops();
        for (h, constraint) in set.list.iter().enumerate() {
            // surfaces that roll along a line touch in two points, some of whose equations are the same
            let in_line = constraint.rolling().count() > 1;
            let may_repeat =
                looped[h] || in_line || !constraint.bodies.iter().all(|&body| moves_in_all(world, body));
            set.pattern.set_may_repeat(h, may_repeat);
        }
        set
    }

    /// Finds which joints share a body that moves by its forces, and where the products of their gradients go.
    fn couple(&mut self) {
        let mut of_body: Vec<Vec<(usize, End)>> = vec![Vec::new(); self.bodies.len()];
        for (constraint, ends) in self.ends.iter().enumerate() {
            ends.iter().filter(|e| e.width > 0).for_each(|e| of_body[e.jointed].push((constraint, *e)));
        }
        let pairs = || {
            of_body.iter().flat_map(|all| {
                all.iter().enumerate().flat_map(|(k, i)| all[..=k].iter().map(move |j| (*i, *j)))
            })
        };
        let sizes: Vec<usize> = self.list.iter().map(|h| h.rows).collect();
        self.pattern = Pattern::new(&sizes, pairs().map(|(i, j)| (i.0, j.0)));
        let order = self.pattern.elimination_order();
        let mut begun = BTreeSet::new();
        let products = pairs().filter_map(|(i, j)| {
            let (block, i_is_row) = self.pattern.block(&order, i.0, j.0)?;
            let (row, column) = if i_is_row { (i, j) } else { (j, i) };
            Some(Product {
                block,
                rows: [sizes[row.0], sizes[column.0]],
                at: [row.1.at, column.1.at],
                width: row.1.width,
                first: begun.insert(block),
                along_axes: [row.0, column.0].iter().all(|&h| self.list[h].along_axes()),
            })
        });
        self.products = products.collect();
        self.filled = self.pattern.blocks().filter(|block| !begun.contains(&block.start)).collect();
    }

    /// Whether two surfaces roll on one another, and so touch by that joint only.
    pub(crate) fn rolls(&self, a: usize, b: usize) -> bool {
        let mut all = self.list.iter().flat_map(Constraint::rolling);
        all.any(|touching| touching.surfaces == [a, b] || touching.surfaces == [b, a])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Rows of all joints.
    pub(crate) fn rows(&self) -> usize {
        self.pattern.total()
    }

    /// The rows of a hold.
    pub(crate) fn rows_of(&self, constraint: usize) -> std::ops::Range<usize> {
        self.pattern.rows(constraint)
    }

    /// The place of a hold's body among those that have joints.
    pub(crate) fn jointed_index(&self, constraint: usize, end: usize) -> usize {
        self.ends[constraint][end].jointed
    }

    /// The mechanisms: bodies that move by their forces and are joined, directly or by others.
    pub(crate) fn mechanisms(&self) -> Vec<Vec<usize>> {
        let mut group: Vec<usize> = (0..self.bodies.len()).collect();
        for ends in &self.ends {
            let free: Vec<usize> = ends.iter().filter(|e| e.width > 0).map(|e| group[e.jointed]).collect();
            if let [to, others @ ..] = &free[..] {
                group.iter_mut().filter(|g| others.contains(g)).for_each(|g| *g = *to);
            }
        }
        let free = |i: &usize| self.ends.iter().flatten().any(|e| e.jointed == *i && e.width > 0);
        let mut all: std::collections::BTreeMap<usize, Vec<usize>> = std::collections::BTreeMap::new();
        for i in (0..self.bodies.len()).filter(free) {
            all.entry(group[i]).or_default().push(self.bodies[i].body);
        }
        all.into_values().collect()
    }

    /// Of every row, whether its joint hangs together with a loop.
    pub(crate) fn rows_in_loops(&self) -> Vec<bool> {
        let looped = self.constraints_in_loops();
        let rows = self.list.iter().zip(looped);
        rows.flat_map(|(constraint, looped)| std::iter::repeat_n(looped, constraint.rows)).collect()
    }

    /// Of every joint, whether it hangs together with a loop. In a chain or a tree every joint has a body that no joint before it holds: no equation repeats others, in any position.
    pub(crate) fn constraints_in_loops(&self) -> Vec<bool> {
        // of bodies that hang together, the one above each; itself at the top
        let mut above: Vec<usize> = (0..self.bodies.len()).collect();
        let top = |above: &mut Vec<usize>, mut i: usize| {
            while above[i] != i {
                above[i] = above[above[i]];
                i = above[i];
            }
            i
        };
        // whether they hang on what does not move by its forces, and whether there is a loop
        let mut held = vec![false; self.bodies.len()];
        let mut closed = held.clone();
        for ends in &self.ends {
            let mut free = ends.iter().filter(|e| e.width > 0);
            let Some(first) = free.next() else { continue };
            let to = top(&mut above, first.jointed);
            for end in free {
                let other = top(&mut above, end.jointed);
                let closes = closed[other] || other == to || held[other] && held[to];
                (closed[to], held[to]) = (closed[to] || closes, held[to] || held[other]);
                above[other] = to;
            }
            let on_held = ends.iter().any(|e| e.width == 0);
            closed[to] |= ends.len() > 2 || on_held && held[to];
            held[to] |= on_held;
        }
        let in_loop = |ends: &Vec<End>| {
            let free = ends.iter().find(|e| e.width > 0);
            free.is_some_and(|e| closed[top(&mut above, e.jointed)])
        };
        self.ends.iter().map(in_loop).collect()
    }

    /// How a body turns, if it has little inertia about some axis.
    pub(crate) fn turning(&self, jointed: &Jointed) -> Option<&Turning> {
        jointed.slender.and_then(|s| self.slender[s].turning.as_ref())
    }

    /// Of a hold and one of its bodies, if that is slender: its principal axes, and about which of them each row acts.
    pub(crate) fn actions(&self, constraint: usize, end: usize) -> Option<(&Mat3, &[[bool; 3]])> {
        let turning = self.turning(&self.bodies[self.jointed_index(constraint, end)])?;
        Some((&turning.axes, turning.acts(constraint, end)?))
    }

    /// The hold a row belongs to.
    pub(crate) fn constraint_of(&self, row: usize) -> usize {
        (0..self.list.len()).find(|&h| self.pattern.rows(h).contains(&row)).unwrap_or_default()
    }
}
