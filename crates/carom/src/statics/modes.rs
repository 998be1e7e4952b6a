//! Small motions about an equilibrium: M q̈ + C q̇ + K q = 0.
//!
//! Without damping, K φ = ω² M φ: the modes are real, from the symmetric part of K. With damping, the roots s are the
//! eigenvalues of the state matrix in (Ω u, u̇, z'), u along the undamped modes,
//!
//!   d/dt (Ω u, u̇, z') = ((0, Ω, 0), (−K Ω⁻¹, −C, −S), (…, 0, E)) (Ω u, u̇, z'),
//!
//! which is skew-symmetric without damping, so that the error of every root is at most the rounding error of the
//! largest. K need not be symmetric here.

use carom_base::elementary::hypot;
use nalgebra::{Complex, DMatrix, DVector};

use super::equilibrium::Equilibrium;
use super::jacobi;
use super::linear::Linear;
use super::roots;
use super::shape::Shape;
use crate::error::StaticsError;
use crate::model::Model;
use crate::system::{StepPolicy, System};

/// ω² counts as zero below this fraction of the largest ω², or of gravity over the size of a body if that is larger.
const NEUTRAL: f64 = 1e-13;
/// The real or imaginary part of a root counts as zero below this fraction of the largest root.
const ROUNDING: f64 = 1e-12;
/// A stiffness whose antisymmetric part is below this fraction counts as symmetric: forces that are not quite in
/// balance also make it unsymmetric.
const SYMMETRIC: f64 = 1e-9;

/// The free motion of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeKind {
    /// oscillates about the equilibrium
    Oscillates,
    /// returns without oscillating
    Decays,
    /// stays displaced, or moves on at constant velocity
    Neutral,
    /// moves away, oscillating or not
    Grows,
}

impl ModeKind {
    /// Returns a word for it.
    ///
    /// ```
    /// assert_eq!(carom::ModeKind::Grows.word(), "grows");
    /// ```
    pub fn word(self) -> &'static str {
        match self {
            ModeKind::Oscillates => "oscillates",
            ModeKind::Decays => "decays",
            ModeKind::Neutral => "neutral",
            ModeKind::Grows => "grows",
        }
    }
}

/// A mode without damping: q(t) = φ sin ωt, or φ e^(±|ω| t) where ω² < 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// oscillates, neutral, or grows
    pub kind: ModeKind,
    /// ω² [1/s²]: stiffness over mass; 0 if neutral
    pub omega_squared: f64,
    /// φ
    pub shape: Shape,
}

impl Mode {
    /// Returns |ω| [rad/s]: the angular frequency, or the rate of growth where it grows.
    pub fn omega(&self) -> f64 {
        self.omega_squared.abs().sqrt()
    }

    /// Returns the frequency [Hz]; 0 if it does not oscillate.
    pub fn frequency(&self) -> f64 {
        if self.kind == ModeKind::Oscillates { self.omega() / std::f64::consts::TAU } else { 0.0 }
    }
}

/// A root s of the motion with damping: q(t) = Re φ e^(st). Stands for a pair of conjugate roots by the one above the
/// real axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Root {
    /// oscillates, decays, or grows
    pub kind: ModeKind,
    /// Re s [1/s]: negative where it decays
    pub growth: f64,
    /// Im s [rad/s]: damped angular frequency
    pub omega: f64,
    /// index of the undamped mode it is most similar to, from 0
    pub mode: usize,
    /// fraction of its energy that is in that mode
    pub share: f64,
    /// φ, in velocities
    pub shape: Shape,
}

impl Root {
    /// Returns ζ = −Re s/|s|: 1 where it returns without oscillating, negative where it grows.
    pub fn damping_ratio(&self) -> f64 {
        -self.growth / hypot(self.growth, self.omega)
    }

    /// Returns the damped frequency [Hz].
    pub fn frequency(&self) -> f64 {
        self.omega / std::f64::consts::TAU
    }
}

/// The modes of a model about an equilibrium.
///
/// Contacts that carry load act as springs, by the slopes of their laws there; the others are open. Friction acts as
/// it does for small slip: as a dashpot under regularised laws, as a spring under laws with bristles, and not at all
/// under `coulomb`.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.5]).surface(Sphere::new(0.02)?));
/// builder.body(Body::fixed("floor").surface(Plane));
/// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
/// let modes = Modes::new(&builder.build()?)?;
/// let bounce = modes.modes.last().unwrap();
/// // ω² = 3/2 K δ0^(1/2)/m at the indentation under the weight
/// let depth = (0.1 * 9.81 / 1e8_f64).powf(2.0 / 3.0);
/// assert!((bounce.omega_squared / (1.5e8 * depth.sqrt() / 0.1) - 1.0).abs() < 1e-11);
/// assert_eq!(bounce.shape.to_string(), "ball z 1.00");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Modes {
    /// the equilibrium they belong to
    pub at: Equilibrium,
    /// modes without damping, ω² increasing
    pub modes: Vec<Mode>,
    /// roots with damping, |s| increasing; without zero roots, which belong to neutral motions
    pub roots: Vec<Root>,
    /// whether anything dissipates
    pub damped: bool,
    /// whether stiffness and damping are exact; otherwise they are differences, good to about nine digits, because a
    /// contact pair has no derivatives
    pub exact: bool,
    /// antisymmetric part of the stiffness, relative to the symmetric part: more than rounding error where forces
    /// have no potential. Undamped modes are those of the symmetric part, roots those of the whole stiffness
    pub asymmetry: f64,
}

impl Modes {
    /// Computes the modes about the equilibrium nearest to the given configuration.
    pub fn new(model: &Model) -> Result<Modes, StaticsError> {
        Modes::about(model, Equilibrium::find(model)?)
    }

    /// Computes the modes about a configuration: an equilibrium, or the result of [`Equilibrium::given`].
    pub fn about(model: &Model, at: Equilibrium) -> Result<Modes, StaticsError> {
        let mut system =
            System::new(model, StepPolicy::Located, 0.0).map_err(|e| StaticsError::Model(Box::new(e)))?;
        let mut y = model.world.state_at_rest();
        y[..model.world.layout.bodies()].copy_from_slice(&at.y[..model.world.layout.bodies()]);
        let y = system.start(0.0, y);
        let linear = Linear::new(&mut system, &y)?;
        let (modes, phi) = undamped(model, &linear);
        let asymmetry = match linear.stiffness.norm() {
            0.0 => 0.0,
            k => linear.follower.norm() / k,
        };
        let roots = damped(model, &linear, &modes, &phi, asymmetry > SYMMETRIC)?;
        let damped = linear.damping.amax() > 0.0;
        Ok(Modes { at, modes, roots, damped, exact: linear.exact, asymmetry })
    }
}

/// Returns the modes without damping, and their shapes along ũ as columns.
pub(super) fn undamped(m: &Model, linear: &Linear) -> (Vec<Mode>, DMatrix<f64>) {
    // gravity over a body's size: ω² far below this counts as zero
    let slow = m.world.free().map(|b| m.world.gravity.norm() / m.world.bodies[b].reach()).fold(0.0, f64::max);
    let mut k = linear.stiffness.clone();
    for i in 0..k.nrows() {
        for j in 0..i {
            // removes rounding error that would mix uncoupled directions
            let large = k[(i, i)].abs().max(k[(j, j)].abs()).max(slow);
            if k[(i, j)].abs() <= NEUTRAL * large {
                (k[(i, j)], k[(j, i)]) = (0.0, 0.0);
            }
        }
    }
    let (values, phi) = jacobi::symmetric(k);
    let zero = NEUTRAL * values.amax().max(slow);
    let mode = |(&value, column): (&f64, nalgebra::DVectorView<'_, f64>)| {
        let kind = match value {
            x if x.abs() <= zero => ModeKind::Neutral,
            x if x < 0.0 => ModeKind::Grows,
            _ => ModeKind::Oscillates,
        };
        let u = linear.at.unscaled(&column.clone_owned());
        let u: Vec<Complex<f64>> = u.iter().map(|x| Complex::new(*x, 0.0)).collect();
        let omega_squared = if kind == ModeKind::Neutral { 0.0 } else { value };
        Mode { kind, omega_squared, shape: Shape::new(m, &linear.at, &u) }
    };
    (values.iter().zip(phi.column_iter()).map(mode).collect(), phi)
}

/// Returns the roots with damping.
fn damped(
    m: &Model,
    linear: &Linear,
    modes: &[Mode],
    phi: &DMatrix<f64>,
    follows: bool,
) -> Result<Vec<Root>, StaticsError> {
    let (n, z) = (modes.len(), linear.bristles.by_z.nrows());
    let a = state_matrix(linear, modes, phi, follows);
    let (pairs, _) = roots::eigen(&a).ok_or(StaticsError::NoRoots)?;
    let zero = ROUNDING * pairs.iter().map(|(s, _)| s.norm()).fold(0.0, f64::max);
    let mut all = Vec::new();
    for (s, x) in pairs {
        let clean = |x: f64| if x.abs() <= zero { 0.0 } else { x };
        let (growth, omega) = (clean(s.re), clean(s.im));
        // one of a conjugate pair is enough; zero roots are neutral
        if omega < 0.0 || (growth, omega) == (0.0, 0.0) {
            continue;
        }
        let kind = match (growth, omega) {
            (g, _) if g > 0.0 => ModeKind::Grows,
            (_, 0.0) => ModeKind::Decays,
            _ => ModeKind::Oscillates,
        };
        let share = |i: usize| x[i].norm_sqr() + x[n + i].norm_sqr();
        let mode = (0..n).fold(0, |best, i| if share(i) > share(best) { i } else { best });
        let whole: f64 = (0..n).map(share).sum();
        let moving = DVector::from_fn(n, |i, _| x[n + i]);
        let (re, im) = (phi * moving.map(|x| x.re), phi * moving.map(|x| x.im));
        let (re, im) = (linear.at.unscaled(&re), linear.at.unscaled(&im));
        let u: Vec<Complex<f64>> = re.iter().zip(&im).map(|(re, im)| Complex::new(*re, *im)).collect();
        let shape = Shape::new(m, &linear.at, &u);
        all.push(Root { kind, growth, omega, mode, share: share(mode) / whole, shape });
    }
    debug_assert!(a.nrows() == 2 * n + z);
    all.sort_by(|a, b| hypot(a.growth, a.omega).total_cmp(&hypot(b.growth, b.omega)));
    Ok(all)
}

/// Returns the state matrix in (Ω u, u̇, z'), u along the undamped modes.
fn state_matrix(linear: &Linear, modes: &[Mode], phi: &DMatrix<f64>, follows: bool) -> DMatrix<f64> {
    let (n, z) = (modes.len(), linear.bristles.by_z.nrows());
    let along = |a: &DMatrix<f64>| phi.tr_mul(a) * phi;
    let mut a = DMatrix::zeros(2 * n + z, 2 * n + z);
    let follower = if follows { along(&linear.follower) } else { DMatrix::zeros(n, n) };
    a.view_mut((n, n), (n, n)).copy_from(&-along(&linear.damping));
    a.view_mut((n, 2 * n), (n, z)).copy_from(&phi.tr_mul(&linear.bristles.force));
    a.view_mut((2 * n, 2 * n), (z, z)).copy_from(&linear.bristles.by_z);
    let by_u = &linear.bristles.by_u * phi;
    for (j, mode) in modes.iter().enumerate() {
        // a neutral mode, which others may drive, has no ω to scale with
        let scale = if mode.omega() > 0.0 { mode.omega() } else { 1.0 };
        a[(j, n + j)] = scale;
        a[(n + j, j)] = -mode.omega_squared / scale;
        for i in 0..n {
            a[(n + i, j)] -= follower[(i, j)] / scale;
        }
        for i in 0..z {
            a[(2 * n + i, j)] = by_u[(i, j)] / scale;
        }
    }
    a
}
