//! The part of the Jacobian that comes from joints.
//!
//! Let a₀ be the accelerations without joints. Then a = a₀ + M⁻¹ Φᵀ λ, and 0 = c(x, a) = Φ a + b for every state x. Hence
//!
//!   da = da₀ + d(M⁻¹ Φᵀ λ) + M⁻¹ Φᵀ dλ,   the second term at constant λ,
//!   S dλ = −Φ (da₀ + d(M⁻¹ Φᵀ λ)) − ∂c/∂x,   ∂c/∂x at constant a.
//!
//! The second term of da is that of ordinary forces (`add_reactions`). After that, dλ is solved for in every column and its
//! response is added (`constrain`): joints couple all bodies of a mechanism, so the block of a mechanism is full.
//!
//! Checked against differences of the right-hand side, for every joint (`tests/joints.rs`).

use carom_base::{Dual, Mat3, Scalar};
use carom_ode::Jacobian;

use super::joint_friction::{Coupling, JointFrictionSlopes};
use crate::joint::{GeneralizedForce, Moving, Rows};
use crate::layout::AffineNumbers;
use crate::model::Model;
use crate::slopes::{
    Load, RIGID, affine, constant, rigid, rigid_columns, rotation_by_quaternion, unit_of as unit,
};
use crate::workspace::Workspace;
use crate::world::BodyKind;

/// ∂c/∂x as entries: row of c, column of the state, value.
pub(super) type Slopes = Vec<(usize, usize, f64)>;

/// Adds the derivatives of the reactions at constant multipliers to the accelerations of their bodies, and returns
/// ∂c/∂x. The workspace must hold the multipliers of this state.
pub(super) fn add_reactions(
    m: &Model,
    ws: &mut Workspace,
    frictions: &mut JointFrictionSlopes,
    t: f64,
    y: &[f64],
    j: &mut Jacobian,
) -> Slopes {
    let mut slopes = Slopes::new();
    let t = ws.loads.now.stretch.inside(t);
    let accelerations = ws.held_accelerations(m);
    for h in 0..m.constraints.list.len() {
        for end in 0..m.constraints.list[h].bodies.len() {
            let body = m.constraints.list[h].bodies[end];
            let own = ws.joints.moving_of(m, h, end);
            match m.world.bodies[body].kind {
                BodyKind::Dynamic(rows) => {
                    let w = ws.body(body).w;
                    let own = rigid(own, &w);
                    let sums = ReactionSlopes::of(m, ws, (h, end), own, t, &accelerations);
                    let mut columns: Vec<([f64; RIGID], usize)> = Vec::new();
                    rigid_columns(rows.of(y), rows, |weight, column| columns.push((*weight, column)));
                    columns.iter().for_each(|(w, column)| sums.add(m, ws, h, w, *column, j, &mut slopes));
                    frictions.put((m, ws), (h, end), own, &sums.loads, &columns, j);
                }
                BodyKind::Affine(rows) => {
                    let own = affine(rows.numbers(y));
                    let sums = ReactionSlopes::of(m, ws, (h, end), own, t, &accelerations);
                    let columns: Vec<(AffineNumbers, usize)> =
                        rows.all().enumerate().map(|(i, column)| (unit(i), column)).collect();
                    columns.iter().for_each(|(w, column)| sums.add(m, ws, h, w, *column, j, &mut slopes));
                    frictions.put((m, ws), (h, end), own, &sums.loads, &columns, j);
                }
                _ => {}
            }
        }
    }
    ws.load_reactions(m);
    turn_slender(m, ws, y, j);
    slopes
}

/// Adds the derivative of a slender body's angular acceleration that comes from its torque E a, as E turns with the
/// body: a small rotation changes E a by δθ × E a − E (δθ × a).
fn turn_slender(m: &Model, ws: &Workspace, y: &[f64], j: &mut Jacobian) {
    ws.joints.slender_by_turn(m, |body, load_by_turn| {
        let BodyKind::Dynamic(rows) = m.world.bodies[body].kind else { return };
        let by_q = load_by_turn * rotation_by_quaternion(&rows.of(y).quaternion());
        for (k, torque) in by_q.column_iter().enumerate() {
            let alpha = m.world.bodies[body].angular_response(&ws.body(body).x.r, &torque.into_owned());
            j.add_rows(rows.angular_velocity(0), rows.quaternion(k), alpha.as_slice());
        }
    });
}

/// Adds M⁻¹ Φᵀ dλ to every column, so that the accelerations of the column satisfy the joints.
pub(super) fn constrain(
    m: &Model,
    ws: &mut Workspace,
    slopes: &Slopes,
    coupling: Option<&Coupling>,
    j: &mut Jacobian,
) {
    let rows: Vec<Option<usize>> =
        m.constraints.bodies.iter().map(|b| first_acceleration(m, b.body)).collect();
    let mut by_column: Vec<Vec<(usize, f64)>> = vec![Vec::new(); j.n()];
    slopes.iter().for_each(|&(row, column, x)| by_column[column].push((row, x)));
    let mut a = vec![[0.0; 12]; rows.len()];
    for (column, slopes) in by_column.iter().enumerate() {
        let mut any = !slopes.is_empty() || coupling.is_some_and(|c| c.has(column));
        for (a, (first, jointed)) in a.iter_mut().zip(rows.iter().zip(&m.constraints.bodies)) {
            let Some(first) = first else { continue };
            let width = if m.world.bodies[jointed.body].soft.is_some() { 12 } else { 6 };
            (0..width).for_each(|i| a[i] = j.get(first + i, column));
            any |= a[..width].iter().any(|x| *x != 0.0);
        }
        if !any {
            continue;
        }
        ws.joints.solve_changed(m, slopes, &a);
        if let Some(coupling) = coupling {
            coupling.solve(m, ws, column, j);
        }
        ws.joints.responses(m, |_, body, change| {
            if let Some(first) = first_acceleration(m, body) {
                j.add_rows(first, column, change);
            }
        });
    }
}

/// Returns the row of the state where a body's accelerations start; `None` if it has none.
pub(super) fn first_acceleration(m: &Model, body: usize) -> Option<usize> {
    m.world.rows(body).map(|rows| rows.velocities().start)
}

/// The reactions of a constraint and its equations, with derivatives.
struct ReactionSlopes<S: Scalar> {
    /// reaction on each body of the constraint
    loads: Vec<Load<S>>,
    /// c of each of its equations
    c: Vec<S>,
}

/// The principal axes of a slender body, and about which of them each equation acts.
type Actions<'g, S> = (Mat3<S>, &'g [[bool; 3]]);

/// Collects [`ReactionSlopes`] equation by equation.
struct Gather<'g, S: Scalar> {
    sums: ReactionSlopes<S>,
    lambda: &'g [f64],
    /// accelerations of the constraint's bodies: of the centre of mass, then angular, or F̈ if the body deforms
    accelerations: Vec<[f64; 12]>,
    deforms: Vec<bool>,
    /// principal axes and actions, for those of the bodies that are slender
    actions: Vec<Option<Actions<'g, S>>>,
    baumgarte: f64,
    next: usize,
}

impl<S: Scalar> Rows<S> for Gather<'_, S> {
    #[inline(never)]
    fn row(&mut self, value: S, rate: S, bias: S) {
        let alpha = S::from_f64(self.baumgarte);
        self.sums.c.push(bias + S::from_f64(2.0) * alpha * rate + alpha * alpha * value);
        self.next += 1;
    }

    fn gradient(&mut self, body: usize, force: &GeneralizedForce<S>) {
        self.add(body, 1.0, force);
    }

    fn has_derivatives(&self) -> bool {
        true
    }

    fn clear(&mut self) {}

    #[inline(never)]
    fn add(&mut self, body: usize, factor: f64, force: &GeneralizedForce<S>) {
        let (row, a) = (self.next - 1, &self.accelerations[body]);
        let number = |i: usize| S::from_f64(factor * a[i]);
        let (mut torque, moment) = (force.torque(), force.moment());
        if let Some((axes, acts)) = &self.actions[body] {
            for axis in (0..3).filter(|&k| !acts[row][k]).map(|k| axes.column(k)) {
                torque -= axis * axis.dot(&torque);
            }
        }
        let mut c = self.sums.c[row];
        for i in 0..3 {
            c += force.f[i] * number(i);
        }
        if self.deforms[body] {
            moment.iter().enumerate().for_each(|(i, g)| c += *g * number(3 + i));
        } else {
            (0..3).for_each(|i| c += torque[i] * number(3 + i));
        }
        self.sums.c[row] = c;
        let lambda = S::from_f64(factor * self.lambda[row]);
        self.sums.loads[body].add_generalized(lambda, force);
        self.sums.loads[body].torque += (torque - force.torque()) * lambda;
    }
}

impl<const N: usize> ReactionSlopes<Dual<N>> {
    /// Evaluates a constraint `h` with derivatives by the variables of its body number `end`, whose motion with
    /// derivatives is `own`.
    fn of(
        m: &Model,
        ws: &Workspace,
        (h, end): (usize, usize),
        own: Moving<Dual<N>>,
        t: f64,
        accelerations: &[[f64; 12]],
    ) -> ReactionSlopes<Dual<N>> {
        let constraint = &m.constraints.list[h];
        let ends = 0..constraint.bodies.len();
        let mut moving: Vec<Moving<Dual<N>>> =
            ends.clone().map(|e| constant(ws.joints.moving_of(m, h, e))).collect();
        moving[end] = own;
        let actions = ends.clone().map(|e| {
            let (axes, acts) = m.constraints.actions(h, e)?;
            Some((moving[e].r * axes.map(Dual::from_f64), acts))
        });
        let actions = actions.collect();
        let moving: Vec<&Moving<Dual<N>>> = moving.iter().collect();
        let mut gather = Gather {
            sums: ReactionSlopes {
                loads: vec![Load::none(); constraint.bodies.len()],
                c: Vec::with_capacity(constraint.rows),
            },
            lambda: &ws.joints.lambda[m.constraints.rows_of(h)],
            accelerations: ends.map(|e| accelerations[m.constraints.jointed_index(h, e)]).collect(),
            deforms: constraint.bodies.iter().map(|&b| m.world.bodies[b].soft.is_some()).collect(),
            actions,
            baumgarte: ws.joints.baumgarte,
            next: 0,
        };
        constraint.evaluate(t, &moving, &ws.joints.turns, &mut gather);
        gather.sums
    }

    /// Adds Σ weight · derivative as a column: of the reactions to `j`, of c to `slopes`.
    #[expect(clippy::too_many_arguments)]
    fn add(
        &self,
        m: &Model,
        ws: &Workspace,
        h: usize,
        weight: &[f64; N],
        column: usize,
        j: &mut Jacobian,
        slopes: &mut Slopes,
    ) {
        let along = |x: &Dual<N>| x.eps.iter().zip(weight).map(|(e, w)| e * w).sum::<f64>();
        for (row, c) in m.constraints.rows_of(h).zip(&self.c) {
            let slope = along(c);
            if slope != 0.0 {
                slopes.push((row, column, slope));
            }
        }
        for (&body, load) in m.constraints.list[h].bodies.iter().zip(&self.loads) {
            load.add(&m.world, &ws.loads, body, weight, column, j);
        }
    }
}
