//! The motion near a configuration at rest, to first order: ü = −K u − C u̇, along the mass-scaled directions ũ of
//! [`Coordinates`].
//!
//! K and C are taken from the derivatives of the right-hand side: its acceleration rows, by its configuration and
//! velocity columns. Friction laws with bristles z give the accelerations −S z, and the bristles follow the bodies by
//! ż = D u̇ + …. Bristles that move with the bodies from the unbent state act as additional springs, K = K₀ + S D,
//! and z' = z − D u is the deflection beyond that:
//!
//!   ü = −K u − C u̇ − S z',   ż' = (E D + F) u + E z',
//!
//! with E, F the derivatives of ż by z and by the configuration. Both are zero at rest, except in laws with further
//! internal variables.

use nalgebra::DMatrix;

use super::contact_failed;
use super::coordinates::Coordinates;
use super::derivatives::Derivatives;
use crate::error::StaticsError;
use crate::system::System;

/// The linearised motion near a configuration at rest.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub(super) at: Coordinates,
    /// the symmetric part of K [1/s²]
    pub(super) stiffness: DMatrix<f64>,
    /// the antisymmetric part of K [1/s²]: zero where all forces have a potential
    pub(super) follower: DMatrix<f64>,
    /// C [1/s]
    pub(super) damping: DMatrix<f64>,
    pub(super) bristles: Bristles,
    /// whether the derivatives are exact; otherwise they are differences
    pub(super) exact: bool,
}

/// The bristles of friction laws, to first order.
#[derive(Clone, Debug)]
pub(super) struct Bristles {
    /// −S: derivative of the accelerations by z'
    pub(super) force: DMatrix<f64>,
    /// E D + F: derivative of the rates of z' by u
    pub(super) by_u: DMatrix<f64>,
    /// E: derivative of the rates of z' by z'
    pub(super) by_z: DMatrix<f64>,
}

impl Linear {
    /// Linearises the system about a state of rest, in which its contacts must be known.
    pub(super) fn new(system: &mut System<'_>, y: &[f64]) -> Result<Linear, StaticsError> {
        let m = system.model;
        let at = Coordinates::held(system, y);
        let found = Derivatives::new(system, &at, y).map_err(|e| contact_failed(system, e))?;
        let Derivatives { by_pose, by_rate, by_memory, exact } = found;
        let bodies = m.world.layout.bodies();
        let memory = by_memory.ncols();
        let rates = |all: &DMatrix<f64>| all.rows(bodies, memory).clone_owned();
        let (d, e, f) = (rates(&by_rate), rates(&by_memory), rates(&by_pose));
        let force = at.rows_of(&by_memory);
        let k = -at.scaled(&(at.rows_of(&by_pose) + &force * &d));
        let bristles =
            Bristles { force: at.rows_scaled(&force), by_u: at.columns_scaled(&(&e * &d + f)), by_z: e };
        let finite = |a: &DMatrix<f64>| a.iter().all(|x| x.is_finite());
        let damping = -at.scaled(&at.rows_of(&by_rate));
        if !(finite(&k) && finite(&damping)) {
            return Err(StaticsError::NoDerivatives);
        }
        Ok(Linear {
            stiffness: (&k + k.transpose()) * 0.5,
            follower: (&k - k.transpose()) * 0.5,
            damping,
            bristles,
            exact,
            at,
        })
    }
}
