//! Removal of the drift from a state, and the assembly of mechanisms.
//!
//! Positions get the change, least in the norm of the mass matrix, that brings Φ(q, t) to zero: δq = −M⁻¹ Φ_qᵀ S⁻¹ φ, a
//! step of Newton's method, repeated. Velocities get the corresponding least change, in one step, as they enter φ̇ =
//! Φ_q q̇ + Φ_t linearly.

use carom_base::{Mat3, Vec3, rotation_by};

use crate::forward::kinematics;
use crate::model::Model;
use crate::reaction::Multipliers;
use crate::workspace::Workspace;
use crate::world::BodyKind;

/// The largest number of Newton steps after a step of the integration.
const STEPS: usize = 4;
/// The largest number of Newton steps to assemble a mechanism.
const ASSEMBLY: usize = 200;
/// Relative rounding error of φ.
const ROUNDING: f64 = 1e-16;
/// Relative error above which a mechanism is not assembled.
const NOT_ASSEMBLED: f64 = 1e-10;
/// Relative error above which redundant constraints contradict others.
const CONTRADICTION: f64 = 1e-7;
/// The largest rotation of a body in a Newton step [rad].
const TURN: f64 = 0.3;

/// The error of a failed assembly: the constraint, and by how much it is violated [m or rad, m/s or rad/s].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Violation {
    pub(crate) constraint: usize,
    pub(crate) by: f64,
    /// whether some equations are redundant there
    pub(crate) singular: bool,
}

/// Returns the largest |φ| or |φ̇|, and its constraint.
fn worst(m: &Model, of: &[f64]) -> Violation {
    let largest = of.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    let (row, by) = largest.map_or((0, 0.0), |(row, by)| (row, by.abs()));
    Violation { constraint: m.constraints.constraint_of(row), by, singular: false }
}

fn evaluate(m: &Model, ws: &mut Workspace, t: f64, y: &[f64]) {
    kinematics(m, t, y, ws);
    let t = ws.loads.now.stretch.inside(t);
    let Workspace { loads, joints, .. } = ws;
    joints.evaluate(m, t, |body| loads.body(body));
}

fn factor(m: &Model, ws: &mut Workspace) {
    let Workspace { loads, joints, .. } = ws;
    joints.factor(m, |body| loads.now.mass_factor(body));
}

/// Removes the drift from positions and velocities.
pub(crate) fn project(m: &Model, ws: &mut Workspace, t: f64, y: &mut [f64]) {
    evaluate(m, ws, t, y);
    let size = m.world.extent_of(y);
    let mut off = f64::INFINITY;
    for step in 0..STEPS {
        let now = largest(&ws.joints.value);
        // φ is down to rounding error, or the last step has not halved it
        if !(now > ROUNDING * size) || !(now < 0.5 * off) {
            break;
        }
        off = now;
        if step == 0 {
            factor(m, ws);
        }
        ws.joints.solve_for(m, |j, row| -j.value[row]);
        move_by(m, &ws.joints, 1.0, y);
        evaluate(m, ws, t, y);
    }
    if off.is_infinite() {
        factor(m, ws);
    }
    project_velocities(m, &mut ws.joints, y);
}

/// Returns the constraint that is redundant and contradicts the others, if there is one, as two drives of the same
/// motion may do.
pub(crate) fn contradicting(m: &Model, ws: &mut Workspace, t: f64, y: &[f64]) -> Option<usize> {
    if !ws.joints.repeated.contains(&true) {
        return None;
    }
    evaluate(m, ws, t, y);
    let joints = &ws.joints;
    let apart = |of: &[f64], large: f64| {
        let repeated = (0..of.len()).filter(|&step| joints.repeated[step]);
        repeated.map(|step| joints.row_at(m, step)).find(|&row| of[row].abs() > CONTRADICTION * large)
    };
    let speed = y.iter().fold(m.world.scale.speed, |most, x| most.max(x.abs()));
    let row = apart(&joints.value, m.world.extent_of(y)).or_else(|| apart(&joints.rate, speed));
    row.map(|row| m.constraints.constraint_of(row))
}

/// Removes the drift from the velocities, with the factors already computed.
fn project_velocities(m: &Model, joints: &mut Multipliers, y: &mut [f64]) {
    joints.solve_for_impulses(m, |j, row| -j.rate[row]);
    joints.responses(m, |_, body, change| {
        let Some(rows) = m.world.rows(body) else { return };
        y[rows.velocities()].iter_mut().zip(change).for_each(|(y, x)| *y += x);
    });
}

/// Assembles the mechanism: moves its bodies from wherever they are so that the joints are satisfied at t = 0. Returns
/// the largest remaining violation as an error if it is too large.
pub(crate) fn assemble(m: &Model, ws: &mut Workspace, y: &mut [f64]) -> Result<(), Violation> {
    let size = m.world.extent_of(y);
    for _ in 0..ASSEMBLY {
        evaluate(m, ws, 0.0, y);
        if largest(&ws.joints.value) <= ROUNDING * size {
            break;
        }
        factor(m, ws);
        ws.joints.solve_for(m, |j, row| -j.value[row]);
        let mut turn = 0.0_f64;
        ws.joints.responses(m, |_, _, change| {
            turn = turn.max(change[3..].iter().map(|x| x * x).sum::<f64>().sqrt());
        });
        move_by(m, &ws.joints, (TURN / turn).min(1.0), y);
    }
    evaluate(m, ws, 0.0, y);
    let off = worst(m, &ws.joints.value);
    if !(off.by <= NOT_ASSEMBLED * size) {
        factor(m, ws);
        let singular =
            (0..m.constraints.rows()).any(|row| ws.joints.is_redundant(m, row) && ws.joints.acts(m, row));
        return Err(Violation { singular, ..off });
    }
    Ok(())
}

/// Changes the velocities to those closest to the given ones that the joints allow. Returns the largest remaining
/// violation as an error if it is too large.
pub(crate) fn assemble_velocities(m: &Model, ws: &mut Workspace, y: &mut [f64]) -> Result<(), Violation> {
    evaluate(m, ws, 0.0, y);
    factor(m, ws);
    let speed = largest(&ws.joints.rate).max(m.world.scale.speed);
    project_velocities(m, &mut ws.joints, y);
    evaluate(m, ws, 0.0, y);
    let off = worst(m, &ws.joints.rate);
    if off.by <= NOT_ASSEMBLED * speed { Ok(()) } else { Err(off) }
}

/// Returns the constraints that have redundant equations, each with the number of these, and marks the rows.
pub(crate) fn redundant(m: &Model, ws: &mut Workspace, y: &[f64]) -> Vec<(usize, usize)> {
    evaluate(m, ws, 0.0, y);
    factor(m, ws);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for step in 0..m.constraints.rows() {
        ws.joints.repeated[step] = ws.joints.is_redundant(m, step);
    }
    for step in (0..m.constraints.rows()).filter(|&at| ws.joints.is_redundant(m, at) && ws.joints.acts(m, at))
    {
        let constraint = m.constraints.constraint_of(step);
        match found.last_mut().filter(|f| f.0 == constraint) {
            Some(f) => f.1 += 1,
            None => found.push((constraint, 1)),
        }
    }
    found
}

fn largest(of: &[f64]) -> f64 {
    of.iter().fold(0.0, |most, x| x.abs().max(most))
}

/// Moves the bodies by `share` times M⁻¹ Φ_qᵀ λ.
fn move_by(m: &Model, joints: &Multipliers, share: f64, y: &mut [f64]) {
    joints.responses(m, |_, body, change| {
        let along = share * Vec3::new(change[0], change[1], change[2]);
        match m.world.bodies[body].kind {
            BodyKind::Affine(rows) => {
                let mut state = rows.of(y);
                state.p += along;
                state.f += share * Mat3::from_column_slice(&change[3..]);
                rows.write(&state, y);
            }
            BodyKind::Dynamic(rows) => {
                let Some(mut state) = rows.of_mut(y) else { return };
                let turn = rotation_by(&(share * Vec3::new(change[3], change[4], change[5])));
                let q = state.turned(turn);
                let q = q / q.norm();
                state.set_position(&(state.now().position() + along));
                state.set_quaternion(&[q.w, q.i, q.j, q.k]);
            }
            _ => {}
        }
    });
}
