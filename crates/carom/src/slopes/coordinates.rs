//! Derivatives of a force along coordinates (of a force element, or of a stop) by the states of its two bodies.
//!
//! Each body gets the generalised force −Q g, where g is the gradient of q on it: d(Q g) = (k dq + c dq̇) g + Q dg
//! with k = ∂Q/∂q, c = ∂Q/∂q̇. The measure gives dq, dq̇ and dg as dual numbers, by the small motion of a rigid body
//! or by the 24 numbers of a deformable one.

use carom_base::{Dual, Scalar};
use carom_ode::Jacobian;

use super::load::{Load, rigid_columns, unit};
use super::motion::{affine, constant, rigid};
use crate::joint::{Moving, Row};
use crate::loads::Loads;
use crate::world::{BodyKind, World};

/// A force that acts along coordinates between A and B.
pub(crate) trait Acts {
    fn bodies(&self) -> [usize; 2];
    /// Passes each coordinate to `take`, for the motions `ends` of A and B, with Q and its derivatives by (q, q̇).
    fn each<S: Scalar>(&self, loads: &Loads, ends: [&Moving<S>; 2], take: impl FnMut(Row<S>, Dual<2>));
}

/// Adds the derivatives of the force to `j`, and applies the force to the bodies.
pub(crate) fn add(world: &World, acts: &impl Acts, loads: &mut Loads, t: f64, y: &[f64], j: &mut Jacobian) {
    let bodies = acts.bodies();
    let moving = bodies.map(|body| Moving::new(&world.bodies[body], loads.body(body), t));
    for (end, &body) in bodies.iter().enumerate() {
        match world.bodies[body].kind {
            BodyKind::Dynamic(rows) => {
                let slopes = slopes(acts, loads, &moving, end, rigid(&moving[end], &loads.body(body).w));
                rigid_columns(rows.of(y), rows, |weight, column| {
                    for (load, &body) in slopes.iter().zip(&bodies) {
                        load.add(world, loads, body, weight, column, j);
                    }
                });
            }
            BodyKind::Affine(rows) => {
                let slopes = slopes(acts, loads, &moving, end, affine(rows.numbers(y)));
                for (i, column) in rows.all().enumerate() {
                    for (load, &body) in slopes.iter().zip(&bodies) {
                        load.add(world, loads, body, &unit(i), column, j);
                    }
                }
            }
            _ => {}
        }
    }
    let mut slopes = [Load::none(); 2];
    acts.each(loads, moving.each_ref(), |row, law| {
        slopes.iter_mut().zip(&row.forces).for_each(|(load, force)| load.add_generalized(-law.re, force));
    });
    bodies.iter().zip(&slopes).for_each(|(&body, load)| loads.spread(body, &load.f, &load.moment));
}

/// Returns the loads on A and B, with derivatives by the variables of one of them, whose motion with derivatives is `own`.
fn slopes<const N: usize>(
    acts: &impl Acts,
    loads: &Loads,
    moving: &[Moving; 2],
    end: usize,
    own: Moving<Dual<N>>,
) -> [Load<Dual<N>>; 2] {
    let mut ends = moving.each_ref().map(constant);
    ends[end] = own;
    let mut slopes = [Load::none(); 2];
    acts.each(loads, ends.each_ref(), |row, law| {
        let [k, c] = law.eps;
        let eps = std::array::from_fn(|i| k * row.value.eps[i] + c * row.rate.eps[i]);
        let force = Dual { re: law.re, eps };
        slopes
            .iter_mut()
            .zip(&row.forces)
            .for_each(|(load, direction)| load.add_generalized(-force, direction));
    });
    slopes
}
