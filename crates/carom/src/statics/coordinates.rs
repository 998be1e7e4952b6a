//! Small motions of all bodies: the directions they can move in from where they are.
//!
//! The state has more numbers than there are ways to move: a unit quaternion has four for three turns, a body that is confined has thirteen
//! for one. Statics works in *tangent coordinates* u: to each direction belong a change of the configuration, ∂y/∂u, and the same change of
//! the velocities, so that u̇ is a velocity and ü an acceleration. How a body moves is for its kind to say ([`Tangent`]); all else knows
//! directions only.
//!
//! With the mass matrix M = L Lᵀ of these directions, ũ = Lᵀ u has the mass 1: stiffness and damping are then symmetric where forces have a
//! potential, and comparable whether they act along or about an axis.
//!
//! Joints allow some motions only: those with Φ_q u = 0. Along ũ these are spanned by the columns of Z, of length 1 and across each other, and ũ = Z η: masses along η are 1 again. Reactions do nothing along
//! η, so that stiffness and damping there, Zᵀ K Z and Zᵀ C Z, are those of the mechanism. Without joints η is ũ.

use carom_ode::Jacobian;
use nalgebra::{Complex, DMatrix, DVector};

use super::rigid::Rigid;
use super::shape::Shape;
use super::soft::Deforming;
use crate::layout::BodyRows;
use crate::model::Model;
use crate::system::System;
use crate::world::BodyModel;

/// A number of the state, and how much of it a direction changes.
pub(super) type Entry = (usize, f64);

/// A direction a body can move in.
#[derive(Clone, Debug)]
pub(super) struct Direction {
    /// of the model
    pub(super) body: usize,
    /// `x`, `rz` …: world frame, of the centre of mass
    pub(super) label: &'static str,
    /// metres of the body's points for one unit: 1 of a displacement, the radius of gyration of a turn
    pub(super) lever: f64,
    /// of a force along it
    pub(super) unit: &'static str,
    /// what it changes in the configuration: ∂y/∂u
    pub(super) pose: Vec<Entry>,
    /// what it changes in the velocities: ∂ẏ/∂u̇. Of length 1 and across each other: they read accelerations too
    pub(super) rate: Vec<Entry>,
}

/// How bodies of a kind move: all that statics knows of them.
pub(super) trait Tangent {
    /// The directions it can move in from `y`.
    fn directions(&self, b: &BodyModel, y: &[f64]) -> Vec<Direction>;
    /// The mass matrix in these directions.
    fn mass(&self, b: &BodyModel, y: &[f64]) -> DMatrix<f64>;
    /// Moves it along its directions, by these numbers.
    fn advance(&self, b: &BodyModel, y: &mut [f64], u: &[f64]);
    /// How far a motion along its directions takes its points at most, and how far it turns it [m, rad].
    fn way(&self, b: &BodyModel, u: &[f64]) -> (f64, f64);
}

/// Asks a body that has these numbers in the state.
fn ask<T>(rows: BodyRows, question: impl FnOnce(&dyn Tangent) -> T) -> T {
    match rows {
        BodyRows::Rigid(rows) => question(&Rigid(rows)),
        BodyRows::Affine(rows) => question(&Deforming(rows)),
    }
}

/// One body's part.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// of the model
    pub(super) body: usize,
    /// where its numbers are in the state
    rows: BodyRows,
    /// its directions, of all
    pub(super) range: std::ops::Range<usize>,
    /// L
    factor: DMatrix<f64>,
}

/// The directions of all bodies in a state.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    pub(super) directions: Vec<Direction>,
    pub(super) parts: Vec<Part>,
    /// Z, if there are joints
    allowed: Option<DMatrix<f64>>,
}

impl Coordinates {
    /// Those in a state, whatever joints allow.
    pub(super) fn new(m: &Model, y: &[f64]) -> Coordinates {
        let (mut directions, mut parts) = (Vec::new(), Vec::new());
        for body in m.world.free() {
            let (b, Some(rows)) = (&m.world.bodies[body], m.world.rows(body)) else { continue };
            let at = directions.len();
            directions.extend(ask(rows, |body| body.directions(b, y)));
            directions[at..].iter_mut().for_each(|direction: &mut Direction| direction.body = body);
            let mass = ask(rows, |body| body.mass(b, y));
            // a mass matrix is positive: of one that is not, what follows is not finite and refused
            let nan = || DMatrix::from_element(mass.nrows(), mass.ncols(), f64::NAN);
            let factor = mass.clone().cholesky().map_or_else(nan, |c| c.l());
            parts.push(Part { body, rows, range: at..directions.len(), factor });
        }
        Coordinates { directions, parts, allowed: None }
    }

    /// Those in a state that joints allow.
    pub(super) fn held(system: &mut System<'_>, y: &[f64]) -> Coordinates {
        let mut at = Coordinates::new(system.model, y);
        if !system.model.constraints.is_empty() {
            let by_rate = system.gradients(0.0, y);
            let along = |row: usize, d: &Direction| d.rate.iter().map(|&(i, w)| w * by_rate[(row, i)]).sum();
            let phi = DMatrix::from_fn(by_rate.nrows(), at.dim(), |row, k| along(row, &at.directions[k]));
            at.allowed = Some(null_space(&at.by_factors(&phi)));
        }
        at
    }

    /// How many there are.
    pub(super) fn dim(&self) -> usize {
        self.directions.len()
    }

    /// The accelerations ü in rates of the state.
    pub(super) fn accelerations(&self, dy: &[f64]) -> DVector<f64> {
        let read = |d: &Direction| d.rate.iter().map(|&(i, w)| w * dy[i]).sum();
        DVector::from_iterator(self.dim(), self.directions.iter().map(read))
    }

    /// M a: the forces that give these accelerations, along u.
    pub(super) fn forces(&self, a: &DVector<f64>) -> DVector<f64> {
        let mut out = self.weighed(a);
        for p in &self.parts {
            let part = &p.factor * out.rows(p.range.start, p.range.len());
            out.rows_mut(p.range.start, p.range.len()).copy_from(&part);
        }
        out
    }

    /// Moves the bodies along u.
    pub(super) fn advance(&self, m: &Model, y: &mut [f64], u: &DVector<f64>) {
        for p in &self.parts {
            let b = &m.world.bodies[p.body];
            ask(p.rows, |body| body.advance(b, y, &u.as_slice()[p.range.clone()]));
        }
    }

    /// How far u takes a point of any body at most, and how far it turns one at most [m, rad].
    pub(super) fn way(&self, m: &Model, u: &DVector<f64>) -> (f64, f64) {
        let way = |p: &Part| {
            let b = &m.world.bodies[p.body];
            ask(p.rows, |body| body.way(b, &u.as_slice()[p.range.clone()]))
        };
        self.parts.iter().map(way).fold((0.0, 0.0), |(l, a), (dl, da)| (f64::max(l, dl), f64::max(a, da)))
    }

    /// Zᵀ Lᵀ a: what accelerations or velocities along u are along η; of accelerations, forces along η.
    pub(super) fn to_scaled(&self, a: &DVector<f64>) -> DVector<f64> {
        let a = self.weighed(a);
        self.allowed.as_ref().map_or_else(|| a.clone(), |z| z.tr_mul(&a))
    }

    /// The same of amounts along ũ, which add up.
    pub(super) fn amounts_allowed(&self, amounts: DVector<f64>) -> DVector<f64> {
        match &self.allowed {
            None => amounts,
            Some(z) => z.abs().tr_mul(&amounts),
        }
    }

    /// Lᵀ a.
    fn weighed(&self, a: &DVector<f64>) -> DVector<f64> {
        let mut out = a.clone();
        for p in &self.parts {
            let part = p.factor.tr_mul(&a.rows(p.range.start, p.range.len()));
            out.rows_mut(p.range.start, p.range.len()).copy_from(&part);
        }
        out
    }

    /// L⁻ᵀ Z η: a motion along η as one along u.
    pub(super) fn unscaled(&self, eta: &DVector<f64>) -> DVector<f64> {
        let scaled = self.allowed.as_ref().map_or_else(|| eta.clone(), |z| z * eta);
        let mut out = scaled.clone();
        for p in &self.parts {
            let part = scaled.rows(p.range.start, p.range.len());
            if let Some(u) = p.factor.tr_solve_lower_triangular(&part) {
                out.rows_mut(p.range.start, p.range.len()).copy_from(&u);
            }
        }
        out
    }

    /// Zᵀ Lᵀ A L⁻ᵀ Z of a matrix that makes accelerations along u of motions along u: the same along η.
    pub(super) fn scaled(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        self.rows_scaled(&self.columns_scaled(a))
    }

    /// Zᵀ Lᵀ A of a matrix that makes accelerations along u.
    pub(super) fn rows_scaled(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        let mut out = a.clone();
        for mut column in out.column_iter_mut() {
            let scaled = self.weighed(&column.clone_owned());
            column.copy_from(&scaled);
        }
        self.allowed.as_ref().map_or_else(|| out.clone(), |z| z.tr_mul(&out))
    }

    /// A L⁻ᵀ Z of a matrix that takes motions along u.
    pub(super) fn columns_scaled(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        let out = self.by_factors(a);
        self.allowed.as_ref().map_or_else(|| out.clone(), |z| &out * z)
    }

    /// A L⁻ᵀ.
    fn by_factors(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        let mut out = a.clone();
        for p in &self.parts {
            // A L⁻ᵀ = (L⁻¹ Aᵀ)ᵀ
            let part = a.columns(p.range.start, p.range.len()).transpose();
            if let Some(x) = p.factor.solve_lower_triangular(&part) {
                out.columns_mut(p.range.start, p.range.len()).tr_copy_from(&x);
            }
        }
        out
    }

    /// The derivatives of all rates of the state along the directions, by what `part` says of each.
    pub(super) fn by_columns(&self, j: &Jacobian, part: fn(&Direction) -> &[Entry]) -> DMatrix<f64> {
        let mut all = DMatrix::zeros(j.n(), self.dim());
        for (mut column, direction) in all.column_iter_mut().zip(&self.directions) {
            for &(i, weight) in part(direction) {
                for (&row, value) in j.sparsity().rows(i).iter().zip(j.column(i)) {
                    column[row] += weight * value;
                }
            }
        }
        all
    }

    /// Of columns of rates of the state, the accelerations ü.
    pub(super) fn rows_of(&self, all: &DMatrix<f64>) -> DMatrix<f64> {
        let mut a = DMatrix::zeros(self.dim(), all.ncols());
        for (mut to, from) in a.column_iter_mut().zip(all.column_iter()) {
            to.copy_from(&self.accelerations(from.as_slice()));
        }
        a
    }
}

/// The motions that joints and drives leave to bodies in a state, of all bodies that move by their forces.
pub(crate) fn free_motions(system: &mut System<'_>, y: &[f64]) -> Vec<Shape> {
    let at = Coordinates::held(system, y);
    let count = at.allowed.as_ref().map_or(at.dim(), DMatrix::ncols);
    let shape = |k: usize| {
        let along = DVector::from_fn(count, |i, _| f64::from(u8::from(i == k)));
        let u: Vec<Complex<f64>> = at.unscaled(&along).iter().map(|x| Complex::new(*x, 0.0)).collect();
        Shape::new(system.model, &at, &u)
    };
    (0..count).map(shape).collect()
}

/// Rows that repeat others to this part of the largest hold nothing.
const REPEATED: f64 = 1e-10;

/// The motions that a matrix makes nothing of: columns of length 1, across each other.
fn null_space(a: &DMatrix<f64>) -> DMatrix<f64> {
    let n = a.ncols();
    // rows of zeros, so that all n directions are told
    let square = DMatrix::from_fn(a.nrows().max(n), n, |i, k| if i < a.nrows() { a[(i, k)] } else { 0.0 });
    let svd = square.svd(false, true);
    let largest = svd.singular_values.amax();
    let Some(v) = svd.v_t else { return DMatrix::from_element(n, n, f64::NAN) };
    let none = |i: &usize| svd.singular_values[*i] <= REPEATED * largest;
    let free: Vec<usize> = (0..n).filter(none).collect();
    DMatrix::from_fn(n, free.len(), |i, k| v[(free[k], i)])
}
