//! What a force along coordinates owes to the states of its two bodies: that of an element, or that of a stop.
//!
//! Each body gets −Q g, g the gradient of q on it: d(Q g) = (k dq + c dq̇) g + Q dg with k = ∂Q/∂q, c = ∂Q/∂q̇. The measure brings dq, dq̇ and dg as dual numbers, by the small motion of
//! a rigid body or the 24 numbers of one that deforms.

use carom_base::{Dual, Scalar};
use carom_ode::Jacobian;

use super::load::{Load, rigid_columns, unit};
use super::motion::{affine, constant, rigid};
use crate::joint::{Moving, Row};
use crate::loads::Loads;
use crate::world::{BodyKind, World};

/// What acts along coordinates of A and B.
pub(crate) trait Acts {
    fn bodies(&self) -> [usize; 2];
    /// Hands out each coordinate of bodies that move so, with Q and its derivatives by (q, q̇).
    fn each<S: Scalar>(&self, loads: &Loads, ends: [&Moving<S>; 2], take: impl FnMut(Row<S>, Dual<2>));
}

/// Adds all of it, and slopes the bodies with the force.
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

/// The slopes on A and B by the variables of one of them, which is at `own`.
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
