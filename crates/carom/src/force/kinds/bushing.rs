//! A bushing: six springs and dashpots between two frames with the same axes at the start.
//!
//! Q_i = k_i (q_i − q_i0) + c_i q̇_i, E = ½ Σ k_i (q_i − q_i0)²
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | q_1 … q_3 | m | displacement of A's point from B's along x, y, z of B |
//! | q_4 … q_6 | rad | angles of A about x, y, z of B: θ_x = atan2(y_a·z_b, y_a·y_b), θ_y and θ_z likewise |
//! | k_i | N/m, N m/rad | stiffnesses |
//! | c_i | N s/m, N m s/rad | dampings; zero unless given |
//! | q_i0 | m, rad | where it exerts no force; the initial configuration, unless given |
//!
//! Each angle is the rotation of one axis of A, projected along an axis of B. For a rotation about one axis alone it
//! is the angle of rotation, however large below half a turn; for rotations about several axes at once it is so to
//! first order. Since every couple is the gradient of ½ k θ², energy is conserved exactly. Valid up to well below a
//! quarter turn: there an axis of A points along the axis it is projected on, and its angle is not defined.
//!
//! Checked: frequencies √(k/m) and √(k_θ/I) of a body on a bushing, by its modes and its motion; its energy ledger in
//! rotations about all axes.

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, SpecError};

use super::CoordinateSpring;
use crate::force::Acting;

/// Six springs and dashpots between two frames.
///
/// ```
/// use carom::Bushing;
/// let mount = Bushing::new([2e5, 2e5, 8e5], [300.0; 3])?.damping([400.0; 3], [2.0; 3]); // [N/m, N m/rad, N s/m, N m s/rad]
/// # let _ = mount;
/// # Ok::<(), carom::base::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bushing {
    stiffness: [[f64; 3]; 2],
    damping: [[f64; 3]; 2],
    /// displacements at which it exerts no force [m]; `None`: those at the start
    offset: Option<[f64; 3]>,
    angles: [f64; 3],
}

const NAME: &str = "bushing";

const STIFFNESS: Param = Param::required(
    "stiffness",
    Quantity::LinearStiffness,
    Allowed::NotNegative,
    "against displacements along x, y, z",
)
.array(3)
.or_alike();
const TORSION: Param = Param::required(
    "torsion_stiffness",
    Quantity::TorsionStiffness,
    Allowed::NotNegative,
    "against turns about x, y, z",
)
.array(3)
.or_alike();
const DAMPING: Param = Param::default(
    "damping",
    Quantity::LinearDamping,
    Allowed::NotNegative,
    0.0,
    "of displacements along x, y, z",
)
.array(3)
.or_alike();
const TORSION_DAMPING: Param = Param::default(
    "torsion_damping",
    Quantity::TorsionDamping,
    Allowed::NotNegative,
    0.0,
    "of turns about x, y, z",
)
.array(3)
.or_alike();
const REST_OFFSET: Param = Param::optional(
    "rest_offset",
    Quantity::Length,
    Allowed::Finite,
    "as the bodies start",
    "displacements of A's point from B's at which it is slack",
)
.array(3);
const REST_ANGLES: Param = Param::optional(
    "rest_angles",
    Quantity::Angle,
    Allowed::Finite,
    "as the bodies start",
    "angles at which it is slack",
)
.array(3);

impl Bushing {
    pub(super) const ENTRY: Entry<Acting> = Entry {
        name: NAME,
        summary: "six springs and dashpots: against displacements along three axes and turns about them",
        params: &[STIFFNESS, TORSION, DAMPING, TORSION_DAMPING, REST_OFFSET, REST_ANGLES],
        build: |args| Ok(Acting::new(Bushing::build(args)?)),
    };

    /// Creates a bushing from stiffnesses against displacements [N/m] and rotations [N m/rad], none below 0. It has
    /// no damping, and exerts no force in the initial configuration.
    pub fn new(along: [f64; 3], about: [f64; 3]) -> Result<Bushing, SpecError> {
        let bushing =
            Bushing { stiffness: [along, about], damping: [[0.0; 3]; 2], offset: None, angles: [0.0; 3] };
        bushing.check()?;
        Ok(bushing)
    }

    /// Sets the dampings of displacements [N s/m] and rotations [N m s/rad].
    pub const fn damping(mut self, along: [f64; 3], about: [f64; 3]) -> Bushing {
        self.damping = [along, about];
        self
    }

    /// Sets the displacements of A's point from B's at which it exerts no force [m], along the axes of B.
    pub const fn rest_offset(mut self, offset: [f64; 3]) -> Bushing {
        self.offset = Some(offset);
        self
    }

    /// Sets the angles at which it exerts no couple [rad].
    pub const fn rest_angles(mut self, angles: [f64; 3]) -> Bushing {
        self.angles = angles;
        self
    }

    fn build(args: &Args) -> Result<Bushing, SpecError> {
        let three = |p: &Param| args.three(p.name).unwrap_or_default();
        let bushing = Bushing {
            stiffness: [three(&STIFFNESS), three(&TORSION)],
            damping: [three(&DAMPING), three(&TORSION_DAMPING)],
            offset: args.three(REST_OFFSET.name),
            angles: three(&REST_ANGLES),
        };
        bushing.check()?;
        Ok(bushing)
    }

    pub(in crate::force) fn check(&self) -> Result<(), SpecError> {
        let values = [
            (&STIFFNESS, self.stiffness[0]),
            (&TORSION, self.stiffness[1]),
            (&DAMPING, self.damping[0]),
            (&TORSION_DAMPING, self.damping[1]),
            (&REST_OFFSET, self.offset.unwrap_or_default()),
            (&REST_ANGLES, self.angles),
        ];
        for (param, value) in values {
            if !value.iter().all(|x| param.allowed.number(*x)) {
                let (value, allowed) = (format!("{value:?}"), param.allowed.to_string());
                return Err(SpecError::NotAllowed { kind: NAME, name: param.name, value, allowed });
            }
        }
        Ok(())
    }

    /// Returns the spring along an axis, on which the displacement at the start is `start` [m].
    pub(in crate::force) fn along(&self, axis: usize, start: f64) -> Result<CoordinateSpring, SpecError> {
        let rest = self.offset.map_or(start, |offset| offset[axis]);
        Ok(CoordinateSpring::new(self.stiffness[0][axis])?.damping(self.damping[0][axis]).rest(rest))
    }

    /// Returns the spring about an axis.
    pub(in crate::force) fn about(&self, axis: usize) -> Result<CoordinateSpring, SpecError> {
        let spring = CoordinateSpring::new(self.stiffness[1][axis])?;
        Ok(spring.damping(self.damping[1][axis]).rest(self.angles[axis]))
    }
}
