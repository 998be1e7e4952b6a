//! The exact Jacobian of the right-hand side, from the derivatives of surfaces and laws.
//!
//! The rates of a body are ẋ = v, q̇ = ½ (0, ω) q, v̇ = m⁻¹ f, ω̇ = W (τ − γ), with W the angular response and
//! γ = ω × J ω. So the Jacobian has two parts: a body's rates by its own state (`body`), and the effect of each contact
//! point on the accelerations of its two bodies (`point`). Geometry and laws give their own derivatives as dual
//! numbers: a contact pair those of its contact by a small motion of a surface, a normal law those by (δ, δ̇), a
//! friction law those by (f_n, v_t).
//!
//! Friction laws with bristles (`memory`) have rows and columns for the bristle state too. Rolling and spinning
//! resistance (`couple`) is added with its contact point. Forces add their own part
//! (`force::ForceElement::linearise`), as do stops (`stop`) and joints (`joint`, `joint_friction`). What all of these
//! share is in `crate::slopes`. Deformable bodies (`affine`) have rows and columns of their own.
//!
//! Prescribed and fixed bodies have no columns; quadratures have neither rows nor columns.
//!
//! Checked against differences of the right-hand side, for every pair with every normal and friction law (`tests/derivatives`).

mod affine;
mod body;
mod common_rate;
mod couple;
mod derivatives;
mod joint;
mod memory;
mod pattern;
mod point;
mod joint_friction;
mod normal_moment;
mod stop;
#[cfg(test)]
mod tests;

use carom_base::{Mat3, Scalar};
use carom_ode::{Jacobian, RhsFailure};

use crate::contact::{Active, ContactPair, reason};
use crate::forward::{forward, kinematics};
use crate::layout::ByAffine;
use crate::model::Model;
use crate::site::Part;
use crate::slopes::add_along_coordinates;
use crate::workspace::Workspace;
use crate::world::BodyKind;

use joint_friction::{Coupling, JointFrictionSlopes};
pub(crate) use pattern::Coupled;
use point::Point;
use stop::Stopping;

/// Writes ∂f/∂y at (t, y) into `j`, which must be all zero on entry. `false`: a pair has no derivatives, or they are
/// not finite here (a point without a normal), or a joint is about to jam; `j` is then unusable.
pub(crate) fn jacobian(
    m: &Model,
    pairs: &[ContactPair],
    active: &[Active],
    ws: &mut Workspace,
    t: f64,
    y: &[f64],
    j: &mut Jacobian,
) -> Result<bool, RhsFailure> {
    // rolling on a deformable body would need the second derivatives of pairs by that body's numbers
    if m.constraints.list.iter().flat_map(|h| h.rolling()).any(|touching| touching.deforms) {
        return Ok(false);
    }
    if !m.constraints.is_empty() {
        // computes the multipliers of this state
        forward(m, pairs, active, ws, t, y, &mut vec![0.0; y.len()])?;
    }
    kinematics(m, t, y, ws);
    for at in active {
        let failed = |e| Part::Contact(at.pair).fails(reason(e));
        let pair = &pairs[at.pair];
        if pair.is_stop() {
            let bodies = pair.bodies(|body| ws.body(body), m.world.layout.worn(y));
            let point = pair.point(m, at.point, bodies).map_err(failed)?;
            if point.contact.delta > pair.state.points[at.point].touch.floor {
                add_along_coordinates(&m.world, &Stopping { m, pair, point }, &mut ws.loads, t, y, j);
            }
            continue;
        }
        // the derivatives of an integral over a patch are taken by differences
        if pair.presses() {
            return Ok(false);
        }
        let point = Point::new(m, pair, at.point, ws, y).map_err(failed)?;
        let Some(point) = point else { continue };
        point.add_remembered(j);
        for (end, body) in point.bodies().into_iter().enumerate() {
            let added = match m.world.bodies[body].kind {
                BodyKind::Dynamic(rows) => point.add_moved(end, rows.of(y), rows, j),
                BodyKind::Affine(rows) => point.add_deformed(end, rows, j),
                _ => continue,
            };
            match added {
                None => return Ok(false),
                Some(added) => added.map_err(failed)?,
            }
        }
        point.load(ws);
    }
    ws.loads.field_moments.fill(Mat3::from_element(ByAffine::from_f64(0.0)));
    for force in &m.forces {
        if !force.linearise(&m.world, &mut ws.loads, t, y, j) {
            return Ok(false);
        }
    }
    let mut frictions = JointFrictionSlopes::new(m, ws, y, j);
    let slopes = if m.constraints.is_empty() {
        Vec::new()
    } else {
        joint::add_reactions(m, ws, &mut frictions, t, y, j)
    };
    for (moment, &body) in ws.loads.field_moments.iter().zip(&m.world.affine) {
        let b = &m.world.bodies[body];
        let (&BodyKind::Affine(rows), Some(soft)) = (&b.kind, &b.soft) else { continue };
        let mass_factor = ws.loads.now.mass_factor(body);
        affine::add(soft, ws.loads.moment(body), moment, mass_factor, rows.numbers(y), rows, j);
    }
    for &body in &m.world.dynamic {
        let BodyKind::Dynamic(rows) = m.world.bodies[body].kind else { continue };
        let torque = ws.loads.torque(body) / ws.loads.now.mass_factor(body);
        body::add(&m.world.bodies[body], ws.body(body), &torque, rows.of(y), rows, j);
    }
    if !m.constraints.is_empty() {
        let coupling = match m.constraints.frictions.is_empty() {
            true => None,
            false => match Coupling::new(m, ws, frictions, j.n()) {
                None => return Ok(false),
                coupling => coupling,
            },
        };
        joint::constrain(m, ws, &slopes, coupling.as_ref(), j);
    }
    Ok(true)
}
