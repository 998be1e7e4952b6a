//! All constraints of a model, and the block pattern of S = Φ M⁻¹ Φᵀ, which is found once, when the model is built.

use std::collections::BTreeSet;
use std::ops::Range;

use carom_base::Mat3;

use super::blocks::Pattern;
use super::constraint::Constraint;
use super::describe::Joint;
use super::friction::JointFrictionTerm;
use super::limit::{Stop, stops};
use super::measure::Measure;
use super::rotor::RotorRow;
use super::slender::{Slender, Turning, moves_in_all};
use crate::check::unique;
use crate::coordinate::Coordinate;
use crate::drive::DrivenJoint;
use crate::error::{BuildError, Subject};
use crate::rule::Rule;
use crate::world::{BodyKind, World};

/// All constraints of a model: joints, gears and drives, with their friction, their limits and their rotors.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConstraintSet {
    /// joints and gears, drives, and last the rows of rotors, which are no constraints but enter S like those
    pub(crate) list: Vec<Constraint>,
    /// the rows of rotors
    pub(crate) rotors: Vec<RotorRow>,
    /// the friction terms of all joints
    pub(crate) frictions: Vec<JointFrictionTerm>,
    /// the bodies that have joints
    pub(crate) bodies: Vec<Jointed>,
    /// for each constraint, its bodies in the order of [`Constraint::bodies`]
    pub(crate) ends: Vec<Vec<End>>,
    pub(crate) pattern: Pattern,
    pub(crate) products: Vec<Product>,
    /// the blocks of S that receive no product but become non-zero by the elimination: their spans, to be cleared
    /// before
    pub(crate) fill_in: Vec<Range<usize>>,
    /// total count of numbers in all gradients
    pub(crate) loads: usize,
    /// number of angles whose full turns are counted
    pub(crate) counters: usize,
    /// the limits of coordinates, which act as contacts
    pub(crate) stops: Vec<Stop>,
    /// the bodies with little inertia in some direction
    pub(crate) slender: Vec<Slender>,
}

/// A body that has joints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jointed {
    pub(crate) body: usize,
    /// its index in [`ConstraintSet::slender`], if it has little inertia about some axis
    pub(crate) slender: Option<usize>,
}

/// A body of a constraint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// its index in [`ConstraintSet::bodies`]
    pub(crate) jointed: usize,
    /// number of its accelerations: 6, 12 if it deforms, 0 if it does not move by its forces
    pub(crate) width: usize,
    /// where the gradients of the constraint's rows by its accelerations start. For a body that does not move by its
    /// forces, force and torque per unit of each multiplier are stored there.
    pub(crate) at: usize,
    /// count of numbers stored there for each row: `width`, or 6 where `width` is 0
    pub(crate) stored: usize,
}

/// A product of gradients Φ M⁻¹ Φᵀ that is added to a block of S.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    pub(crate) block: usize,
    pub(crate) rows: [usize; 2],
    /// where the gradients of the row's constraint start, and the responses M⁻¹ Φᵀ of the column's constraint
    pub(crate) at: [usize; 2],
    pub(crate) width: usize,
    /// whether it is the first product of its block, and overwrites what is there
    pub(crate) first: bool,
    /// whether, in rows and columns, the first three are forces along the world axes and the others couples only
    pub(crate) along_axes: bool,
}

impl ConstraintSet {
    /// Builds the constraints of all joints and of the drives of their coordinates, and the contact rules of their
    /// stops, which have indices from `first_rule` on among all rules.
    pub(crate) fn build(
        world: &World,
        joints: &[Joint],
        driven: &[DrivenJoint],
        first_rule: usize,
    ) -> Result<(ConstraintSet, Vec<Rule>), BuildError> {
        let (mut constraints, mut counters, mut frictions) = (Vec::new(), 0, Vec::new());
        let (mut all_stops, mut rules, mut rotors) = (Vec::new(), Vec::new(), Vec::new());
        for joint in joints {
            let constraint = Constraint::new(world, joint, &constraints, &mut counters)?;
            frictions.extend(constraint.frictions(world, joint, constraints.len())?);
            let (stops, rule) = stops(world, joint, &constraint, first_rule + rules.len())?;
            all_stops.extend(stops);
            rules.extend(rule);
            rotors.extend(constraint.rotors(joint)?);
            constraints.push(constraint);
        }
        unique("joints", constraints.iter().map(|h| h.name.as_str()))?;
        for DrivenJoint { joint, what, course } in driven.iter().filter(|d| d.pushes().is_none()) {
            let names: Vec<&str> = joints.iter().zip(&constraints).map(|(_, h)| h.name.as_str()).collect();
            let drive = Subject::Drive(format!("joint/{joint}/{what}"));
            let found = drive.find("target", "joint", joint, &names)?;
            constraints.push(constraints[found].driven(what, course.clone())?);
        }
        constraints.extend(rotors);
        Ok((
            ConstraintSet { stops: all_stops, frictions, ..ConstraintSet::new(world, constraints, counters) },
            rules,
        ))
    }

    /// Returns the bodies whose orientation matters to joints: all bodies that have joints.
    pub(crate) fn oriented(&self) -> impl Iterator<Item = usize> {
        self.bodies.iter().map(|jointed| jointed.body)
    }

    /// Builds the set of these constraints between the bodies of `world`, with the pattern of S.
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
        let looped = set.constraints_in_loops();
        set.couple(&looped);
        for (h, constraint) in set.list.iter().enumerate() {
            if constraint.is_rotor() {
                set.pattern.set_may_repeat(h, false);
                continue;
            }
            // surfaces that roll along a line touch at two points, and some equations of these two are the same
            let in_line = constraint.rolling().count() > 1;
            let may_repeat =
                looped[h] || in_line || !constraint.bodies.iter().all(|&body| moves_in_all(world, body));
            set.pattern.set_may_repeat(h, may_repeat);
        }
        set
    }

    /// Finds which constraints share a body that moves by its forces, and into which blocks of S their products go.
    /// Rotors of mechanisms with loops are eliminated last, so that which equations are redundant does not depend on
    /// them. `looped`: whether each constraint belongs to such a mechanism.
    fn couple(&mut self, looped: &[bool]) {
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
        let late = |h: usize| looped[h] && self.list[h].is_rotor();
        self.pattern = Pattern::new(&sizes, late, pairs().map(|(i, j)| (i.0, j.0)));
        let order = self.pattern.elimination_order();
        let diagonal = |h: usize| self.pattern.block(&order, h, h).map(|block| block.0);
        self.rotors = RotorRow::all(&self.list, |h| self.pattern.rows(h).start, diagonal);
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
        self.fill_in = self.pattern.blocks().filter(|block| !begun.contains(&block.start)).collect();
    }

    /// Whether the surfaces a and b roll on one another by a joint, so that they need no contact pair.
    pub(crate) fn rolls(&self, a: usize, b: usize) -> bool {
        let mut all = self.list.iter().flat_map(Constraint::rolling);
        all.any(|touching| touching.surfaces == [a, b] || touching.surfaces == [b, a])
    }

    /// Returns the coordinates that the joints leave free, each with the index of its joint and the joint.
    pub(crate) fn coordinates(&self) -> impl Iterator<Item = (usize, &Constraint, &(Coordinate, Measure))> {
        self.list
            .iter()
            .enumerate()
            .flat_map(|(h, joint)| joint.coordinates.iter().map(move |c| (h, joint, c)))
    }

    /// Whether some joint leaves an angle free whose full turns are counted.
    pub(crate) fn has_angles(&self) -> bool {
        self.coordinates().any(|(_, _, (coordinate, _))| coordinate.counts_turns())
    }

    /// Returns the constraints: all but the rows of rotors.
    pub(crate) fn proper(&self) -> &[Constraint] {
        &self.list[..self.list.len() - self.rotors.len()]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the number of rows of all constraints without the rows of rotors, which come last.
    pub(crate) fn proper_rows(&self) -> usize {
        self.rows() - self.rotors.len()
    }

    /// Returns the number of rows of all constraints and rotors.
    pub(crate) fn rows(&self) -> usize {
        self.pattern.total()
    }

    /// Returns the rows of a constraint.
    pub(crate) fn rows_of(&self, constraint: usize) -> std::ops::Range<usize> {
        self.pattern.rows(constraint)
    }

    /// Returns the index of a constraint's body among the bodies that have joints.
    pub(crate) fn jointed_index(&self, constraint: usize, end: usize) -> usize {
        self.ends[constraint][end].jointed
    }

    /// Returns the mechanisms: groups of bodies that move by their forces and are connected by joints, directly or
    /// through one another.
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

    /// Returns, for every row, whether its constraint belongs to a mechanism with a loop; for the rows of rotors, false.
    pub(crate) fn rows_in_loops(&self) -> Vec<bool> {
        let looped = self.constraints_in_loops();
        let rows = self.list.iter().zip(looped);
        let repeated = |h: &Constraint, looped: bool| std::iter::repeat_n(looped && !h.is_rotor(), h.rows);
        rows.flat_map(|(constraint, looped)| repeated(constraint, looped)).collect()
    }

    /// Returns, for every constraint and rotor, whether it belongs to a mechanism with a loop; a rotor closes none. In a chain or a tree every joint
    /// has a body that no joint before it constrains, so that no equation is redundant in any position.
    pub(crate) fn constraints_in_loops(&self) -> Vec<bool> {
        // a union-find forest of connected bodies: the parent of each body; a root is its own parent
        let mut above: Vec<usize> = (0..self.bodies.len()).collect();
        let top = |above: &mut Vec<usize>, mut i: usize| {
            while above[i] != i {
                above[i] = above[above[i]];
                i = above[i];
            }
            i
        };
        // for each root: whether its group is joined to a body that does not move by its forces, and whether it has a
        // loop
        let mut held = vec![false; self.bodies.len()];
        let mut closed = held.clone();
        let proper = self.list.iter().zip(&self.ends).filter(|(h, _)| !h.is_rotor());
        for (_, ends) in proper {
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

    /// Returns the rotational inertia data of a body, if it has little inertia about some axis.
    pub(crate) fn turning(&self, jointed: &Jointed) -> Option<&Turning> {
        jointed.slender.and_then(|s| self.slender[s].turning.as_ref())
    }

    /// For a constraint and one of its bodies that is slender, returns the principal axes of the body, and for each row
    /// about which of them it acts.
    pub(crate) fn actions(&self, constraint: usize, end: usize) -> Option<(&Mat3, &[[bool; 3]])> {
        let turning = self.turning(&self.bodies[self.jointed_index(constraint, end)])?;
        Some((&turning.axes, turning.acts(constraint, end)?))
    }

    /// Returns the constraint to which a row belongs.
    pub(crate) fn constraint_of(&self, row: usize) -> usize {
        (0..self.list.len()).find(|&h| self.pattern.rows(h).contains(&row)).unwrap_or_default()
    }
}
