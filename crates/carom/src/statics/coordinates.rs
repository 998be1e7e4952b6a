//! Small motions of all bodies: the directions in which they can move from a configuration.
//!
//! The state has more numbers than there are degrees of freedom: a unit quaternion has four for three rotations, a
//! body confined to one motion has thirteen for one. Statics works in *tangent coordinates* u: each direction has a
//! change of the configuration, ∂y/∂u, and the corresponding change of the velocities, so that u̇ is a velocity and ü
//! an acceleration. Each kind of body defines its directions ([`Tangent`]); all other code uses directions only.
//!
//! With the mass matrix M = L Lᵀ of these directions, ũ = Lᵀ u has mass 1: stiffness and damping are then symmetric
//! where forces have a potential, and comparable whether they act along or about an axis.
//!
//! Joints allow only motions with Φ_q u = 0. Along ũ these are spanned by the orthonormal columns of Z, and ũ = Z η:
//! masses along η are 1 again. Reactions have no component along η, so that stiffness and damping there, Zᵀ K Z and
//! Zᵀ C Z, are those of the mechanism. Without joints η is ũ.
//!
//! The rotors of joints, which are left out where an equilibrium is sought, add J g gᵀ to the mass matrix, g being the
//! gradient of a rotor's coordinate by u. Along ũ = Z η' the masses are then B = 1 + Σ J ĝ ĝᵀ with ĝ = Zᵀ L⁻¹ g. With B = C Cᵀ, masses are 1 along η = Cᵀ η': motions are
//! ũ = Z C⁻ᵀ η, and accelerations along ũ are (Z C)ᵀ ũ along η.

use carom_ode::Jacobian;
use nalgebra::{Complex, DMatrix, DVector};

use super::rigid::Rigid;
use super::shape::Shape;
use super::soft::Deforming;
use crate::joint::{Moving, RotorRow};
use crate::layout::BodyRows;
use crate::model::Model;
use crate::state::Kinematics;
use crate::system::System;
use crate::world::BodyModel;

/// An index into the state, and the change of that number per unit of a direction.
pub(super) type Entry = (usize, f64);

/// A direction in which a body can move.
#[derive(Clone, Debug)]
pub(super) struct Direction {
    /// index of the body in the model
    pub(super) body: usize,
    /// `x`, `rz` …: displacement of the centre of mass or rotation, world frame
    pub(super) label: &'static str,
    /// displacement of the body's points per unit: 1 for a displacement, the radius of gyration [m] for a rotation
    pub(super) lever: f64,
    /// unit of a force along it
    pub(super) unit: &'static str,
    /// changes of the configuration: ∂y/∂u
    pub(super) pose: Vec<Entry>,
    /// changes of the velocities: ∂ẏ/∂u̇. They are orthonormal, so that they also extract accelerations from rates of
    /// the state
    pub(super) rate: Vec<Entry>,
}

/// How bodies of one kind move: the interface that statics uses.
pub(super) trait Tangent {
    /// Returns the directions in which it can move from `y`.
    fn directions(&self, b: &BodyModel, y: &[f64]) -> Vec<Direction>;
    /// Returns the mass matrix in these directions.
    fn mass(&self, b: &BodyModel, y: &[f64]) -> DMatrix<f64>;
    /// Moves it along its directions, by the components `u`.
    fn advance(&self, b: &BodyModel, y: &mut [f64], u: &[f64]);
    /// Returns the largest distance that a motion `u` moves its points, and the angle by which it turns it [m, rad].
    fn way(&self, b: &BodyModel, u: &[f64]) -> (f64, f64);
}

/// Applies `question` to the kind of body that has these rows in the state.
fn with_tangent<T>(rows: BodyRows, question: impl FnOnce(&dyn Tangent) -> T) -> T {
    match rows {
        BodyRows::Rigid(rows) => question(&Rigid(rows)),
        BodyRows::Affine(rows) => question(&Deforming(rows)),
    }
}

/// The directions of one body and its mass matrix.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// index of the body in the model
    pub(super) body: usize,
    /// rows of its numbers in the state
    rows: BodyRows,
    /// its directions, as a range of all directions
    pub(super) range: std::ops::Range<usize>,
    /// L
    factor: DMatrix<f64>,
}

/// The directions of all bodies in a state.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    pub(super) directions: Vec<Direction>,
    pub(super) parts: Vec<Part>,
    /// what joints allow, if there are any
    allowed: Option<Allowed>,
}

/// The motions that joints allow.
#[derive(Clone, Debug)]
struct Allowed {
    /// Z C⁻ᵀ: converts motions along η to motions along ũ, and, transposed, forces along ũ to forces along η
    motions: DMatrix<f64>,
    /// Z C: transposed, converts accelerations and velocities along ũ to those along η
    rates: DMatrix<f64>,
}

impl Allowed {
    /// Returns the motions spanned by the columns of Z; `rotors`: J, and ĝ.
    fn new(z: DMatrix<f64>, rotors: &[(f64, DVector<f64>)]) -> Allowed {
        if rotors.is_empty() {
            return Allowed { motions: z.clone(), rates: z };
        }
        let mut mass = DMatrix::identity(z.ncols(), z.ncols());
        rotors.iter().for_each(|(inertia, g)| mass += g * g.transpose() * *inertia);
        // B is positive definite; if it is not, NaN makes the results not finite, and they are rejected
        let nan = || DMatrix::from_element(z.ncols(), z.ncols(), f64::NAN);
        let c = mass.cholesky().map_or_else(nan, |c| c.l());
        let motions = c.solve_lower_triangular(&z.transpose()).map_or_else(|| z.clone(), |x| x.transpose());
        Allowed { motions, rates: z * c }
    }
}

impl Coordinates {
    /// Returns the directions in a state, regardless of joints.
    pub(super) fn new(m: &Model, y: &[f64]) -> Coordinates {
        let (mut directions, mut parts) = (Vec::new(), Vec::new());
        for body in m.world.free() {
            let (b, Some(rows)) = (&m.world.bodies[body], m.world.rows(body)) else { continue };
            let at = directions.len();
            directions.extend(with_tangent(rows, |body| body.directions(b, y)));
            directions[at..].iter_mut().for_each(|direction: &mut Direction| direction.body = body);
            let mass = with_tangent(rows, |body| body.mass(b, y));
            // a mass matrix is positive definite; if it is not, NaN makes the results not finite, and they are rejected
            let nan = || DMatrix::from_element(mass.nrows(), mass.ncols(), f64::NAN);
            let factor = mass.clone().cholesky().map_or_else(nan, |c| c.l());
            parts.push(Part { body, rows, range: at..directions.len(), factor });
        }
        Coordinates { directions, parts, allowed: None }
    }

    /// Returns the directions in a state, with the restrictions of joints.
    pub(super) fn held(system: &mut System<'_>, y: &[f64]) -> Coordinates {
        let mut at = Coordinates::new(system.model, y);
        if !system.model.constraints.is_empty() {
            let by_rate = system.gradients(0.0, y);
            let along = |row: usize, d: &Direction| d.rate.iter().map(|&(i, w)| w * by_rate[(row, i)]).sum();
            let phi = DMatrix::from_fn(by_rate.nrows(), at.dim(), |row, k| along(row, &at.directions[k]));
            let z = null_space(&at.by_factors(&phi));
            let scaled = |rotor: &RotorRow| {
                let g = gradient_of(system.model, rotor, y, &at.directions);
                let g = at.by_factors(&DMatrix::from_row_slice(1, at.dim(), g.as_slice())) * &z;
                (rotor.inertia, g.row(0).transpose())
            };
            let rotors = system.model.constraints.rotors.iter().filter(|_| !system.ws.joints.without_rotors);
            let rotors: Vec<(f64, DVector<f64>)> = rotors.map(scaled).collect();
            at.allowed = Some(Allowed::new(z, &rotors));
        }
        at
    }

    /// Returns the number of directions, before joints restrict them.
    pub(super) fn dim(&self) -> usize {
        self.directions.len()
    }

    /// Returns the accelerations ü contained in rates of the state.
    pub(super) fn accelerations(&self, dy: &[f64]) -> DVector<f64> {
        let read = |d: &Direction| d.rate.iter().map(|&(i, w)| w * dy[i]).sum();
        DVector::from_iterator(self.dim(), self.directions.iter().map(read))
    }

    /// Returns M a: the forces that give these accelerations, along u.
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
            with_tangent(p.rows, |body| body.advance(b, y, &u.as_slice()[p.range.clone()]));
        }
    }

    /// Returns the largest distance that u moves a point of any body, and the largest angle by which it turns one [m, rad].
    pub(super) fn way(&self, m: &Model, u: &DVector<f64>) -> (f64, f64) {
        let way = |p: &Part| {
            let b = &m.world.bodies[p.body];
            with_tangent(p.rows, |body| body.way(b, &u.as_slice()[p.range.clone()]))
        };
        self.parts.iter().map(way).fold((0.0, 0.0), |(l, a), (dl, da)| (f64::max(l, dl), f64::max(a, da)))
    }

    /// Returns (Z C)ᵀ Lᵀ a: accelerations or velocities along u, converted to η; for accelerations these are also the
    /// forces along η.
    pub(super) fn to_scaled(&self, a: &DVector<f64>) -> DVector<f64> {
        let a = self.weighed(a);
        self.allowed.as_ref().map_or_else(|| a.clone(), |z| z.rates.tr_mul(&a))
    }

    /// Converts magnitudes along ũ to magnitudes along η by |Z C⁻ᵀ|ᵀ, so that they add up and do not cancel.
    pub(super) fn amounts_allowed(&self, amounts: DVector<f64>) -> DVector<f64> {
        match &self.allowed {
            None => amounts,
            Some(z) => z.motions.abs().tr_mul(&amounts),
        }
    }

    /// Returns Lᵀ a.
    fn weighed(&self, a: &DVector<f64>) -> DVector<f64> {
        let mut out = a.clone();
        for p in &self.parts {
            let part = p.factor.tr_mul(&a.rows(p.range.start, p.range.len()));
            out.rows_mut(p.range.start, p.range.len()).copy_from(&part);
        }
        out
    }

    /// Returns L⁻ᵀ Z C⁻ᵀ η: a motion along η, converted to u.
    pub(super) fn unscaled(&self, eta: &DVector<f64>) -> DVector<f64> {
        let scaled = self.allowed.as_ref().map_or_else(|| eta.clone(), |z| &z.motions * eta);
        let mut out = scaled.clone();
        for p in &self.parts {
            let part = scaled.rows(p.range.start, p.range.len());
            if let Some(u) = p.factor.tr_solve_lower_triangular(&part) {
                out.rows_mut(p.range.start, p.range.len()).copy_from(&u);
            }
        }
        out
    }

    /// Returns (Z C)ᵀ Lᵀ A L⁻ᵀ Z C⁻ᵀ: a matrix A that maps motions along u to accelerations along u, converted to η.
    pub(super) fn scaled(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        self.rows_scaled(&self.columns_scaled(a))
    }

    /// Returns (Z C)ᵀ Lᵀ A, for a matrix A that yields accelerations along u.
    pub(super) fn rows_scaled(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        let mut out = a.clone();
        for mut column in out.column_iter_mut() {
            let scaled = self.weighed(&column.clone_owned());
            column.copy_from(&scaled);
        }
        self.allowed.as_ref().map_or_else(|| out.clone(), |z| z.rates.tr_mul(&out))
    }

    /// Returns A L⁻ᵀ Z C⁻ᵀ, for a matrix A that acts on motions along u.
    pub(super) fn columns_scaled(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        let out = self.by_factors(a);
        self.allowed.as_ref().map_or_else(|| out.clone(), |z| &out * &z.motions)
    }

    /// Returns A L⁻ᵀ.
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

    /// Returns the derivatives of all rates of the state along the directions; `part` selects the configuration or
    /// the velocity part of each.
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

    /// Returns the accelerations ü contained in each column of rates of the state.
    pub(super) fn rows_of(&self, all: &DMatrix<f64>) -> DMatrix<f64> {
        let mut a = DMatrix::zeros(self.dim(), all.ncols());
        for (mut to, from) in a.column_iter_mut().zip(all.column_iter()) {
            to.copy_from(&self.accelerations(from.as_slice()));
        }
        a
    }
}

/// Returns the motions that joints and drives leave free in a state, over all bodies that move by their forces.
pub(crate) fn free_motions(system: &mut System<'_>, y: &[f64]) -> Vec<Shape> {
    let at = Coordinates::held(system, y);
    let count = at.allowed.as_ref().map_or(at.dim(), |z| z.motions.ncols());
    let shape = |k: usize| {
        let along = DVector::from_fn(count, |i, _| f64::from(u8::from(i == k)));
        let u: Vec<Complex<f64>> = at.unscaled(&along).iter().map(|x| Complex::new(*x, 0.0)).collect();
        Shape::new(system.model, &at, &u)
    };
    (0..count).map(shape).collect()
}

/// Returns the gradient of a rotor's coordinate along the directions.
fn gradient_of(m: &Model, rotor: &RotorRow, y: &[f64], directions: &[Direction]) -> DVector<f64> {
    let [a, b] = rotor.bodies.map(|body| Moving::of(&Kinematics::new(&m.world.bodies[body], 0.0, y)));
    let forces = rotor.measure.at([&a, &b]).forces;
    let mut by_rate = vec![0.0; m.world.layout.bodies()];
    for (body, force) in rotor.bodies.into_iter().zip(&forces) {
        let Some(rows) = m.world.rows(body) else { continue };
        let about = force.torque();
        let moment = force.moment();
        let about = if m.world.bodies[body].soft.is_some() { &moment[..] } else { about.as_slice() };
        let all = force.f.iter().chain(about);
        rows.velocities().zip(all).for_each(|(i, x)| by_rate[i] = *x);
    }
    let of = |d: &Direction| d.rate.iter().map(|&(i, w)| w * by_rate[i]).sum();
    DVector::from_iterator(directions.len(), directions.iter().map(of))
}

/// Singular values below this fraction of the largest count as zero: their equations repeat others and restrict nothing.
const REPEATED: f64 = 1e-10;

/// Returns the null space of a matrix, as orthonormal columns.
fn null_space(a: &DMatrix<f64>) -> DMatrix<f64> {
    let n = a.ncols();
    // rows of zeros are appended so that the decomposition has all n right singular vectors
    let square = DMatrix::from_fn(a.nrows().max(n), n, |i, k| if i < a.nrows() { a[(i, k)] } else { 0.0 });
    let svd = square.svd(false, true);
    let largest = svd.singular_values.amax();
    let Some(v) = svd.v_t else { return DMatrix::from_element(n, n, f64::NAN) };
    let none = |i: &usize| svd.singular_values[*i] <= REPEATED * largest;
    let free: Vec<usize> = (0..n).filter(none).collect();
    DMatrix::from_fn(n, free.len(), |i, k| v[(free[k], i)])
}
