//! The description of a body by its author.

mod affine;
mod check;
mod dofs;
mod guided;
mod mass;
mod motion;

use std::fmt;
use std::sync::Arc;

use carom_base::{Mat3, Pose, Quat, Vec3};
use carom_geometry::{Shape, Side, Surface};
use carom_law::elastic::Elastic;

use crate::error::Subject;

pub(crate) use affine::{Soft, euler_tensor};
pub(crate) use check::{check_dofs, check_shell, orientation, soft};
pub use dofs::{Dof, Dofs, Rotation};
pub use guided::Guided;
pub(crate) use mass::{Inertia, MassProperties, mass_properties};
pub use motion::{MOTIONS, Motion, MotionBounds, MotionState, Orbit, Shake, Slide, Spin};

/// A surface on a body, described in the surface frame.
///
/// ```
/// use carom::prelude::*;
/// let race = SurfaceSpec::new(Sphere::new(0.03)?).inside().named("race").material("steel");
/// # let _ = race;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SurfaceSpec {
    pub(crate) name: Option<String>,
    pub(crate) shape: Shape,
    pub(crate) pose: Pose,
    pub(crate) material: Option<String>,
    pub(crate) shell: Option<f64>,
    /// whether it belongs to a joint with clearance: it then has no mass, and touches only by contact rules that name it
    pub(crate) of_joint: bool,
}

impl SurfaceSpec {
    /// Creates the surface at the body's reference point, touched from outside.
    pub fn new(surface: impl Surface) -> SurfaceSpec {
        SurfaceSpec::from_arc(Arc::new(surface))
    }

    /// Creates the surface from a shared one; otherwise as [`new`](SurfaceSpec::new).
    pub fn from_arc(surface: Arc<dyn Surface>) -> SurfaceSpec {
        let shape = Shape { surface, side: Side::Outside };
        let pose = Pose::identity();
        SurfaceSpec { name: None, shape, pose, material: None, shell: None, of_joint: false }
    }

    /// Sets its name; the default is its kind and number (`sphere1`).
    pub fn named(mut self, name: &str) -> SurfaceSpec {
        self.name = Some(name.to_owned());
        self
    }

    /// Makes it the wall of a cavity instead of the boundary of a solid.
    pub fn inside(mut self) -> SurfaceSpec {
        self.shape.side = Side::Inside;
        self
    }

    /// Sets its material, by the name of a material of the model.
    pub fn material(mut self, name: &str) -> SurfaceSpec {
        self.material = Some(name.to_owned());
        self
    }

    /// Makes it a thin shell of this thickness [m] instead of a solid, where mass and inertia come from the shapes: its mass
    /// is density × area × thickness, all of it on the surface.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut builder = ModelBuilder::new();
    /// let skin = SurfaceSpec::new(Sphere::new(0.1)?).shell(0.001);
    /// builder.body(Body::new("ball").density(1000.0).surface(skin));
    /// let mass = builder.build()?.mass("ball").unwrap_or_default();
    /// assert!((mass - 1000.0 * 4.0 * std::f64::consts::PI * 0.01 * 0.001).abs() < 1e-16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shell(mut self, thickness: f64) -> SurfaceSpec {
        self.shell = Some(thickness);
        self
    }

    /// Sets the position of its frame on the body [m].
    pub fn at(mut self, position: [f64; 3]) -> SurfaceSpec {
        self.pose.p = position.into();
        self
    }

    /// Sets the orientation of its frame on the body.
    pub fn turned(mut self, orientation: Quat) -> SurfaceSpec {
        self.pose.r = orientation.to_rotation_matrix().into_inner();
        self
    }
}

impl<S: Surface> From<S> for SurfaceSpec {
    fn from(surface: S) -> SurfaceSpec {
        SurfaceSpec::new(surface)
    }
}

/// How a body moves.
#[derive(Clone)]
pub(crate) enum MotionKind {
    /// as a rigid body under forces
    Dynamic,
    /// not at all: the body is fixed
    Fixed,
    /// as a prescribed function of time
    Prescribed(Arc<dyn Motion>),
    /// as a deforming body under forces
    Affine(Elastic),
}

impl fmt::Debug for MotionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MotionKind::Dynamic => "Dynamic",
            MotionKind::Fixed => "Fixed",
            MotionKind::Prescribed(_) => "Prescribed",
            MotionKind::Affine(_) => "Affine",
        })
    }
}

/// A body, rigid or affine: its initial pose and velocity, how it moves, its mass, and its surfaces. SI units, world frame.
///
/// ```
/// use carom::prelude::*;
/// let ball = Body::new("ball").mass(0.1).position([0.0, 0.0, 0.07]).surface(Sphere::new(0.02)?);
/// let floor = Body::fixed("floor").surface(Plane);
/// # let _ = (ball, floor);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    pub(crate) name: String,
    pub(crate) kind: MotionKind,
    pub(crate) mass: Option<f64>,
    pub(crate) inertia: Option<Mat3>,
    pub(crate) centre_of_mass: Option<Vec3>,
    pub(crate) density: Option<f64>,
    pub(crate) density_gradient: Vec3,
    pub(crate) deformation: Mat3,
    pub(crate) position: Vec3,
    /// w, x, y, z; checked when the model is built
    pub(crate) orientation: [f64; 4],
    pub(crate) velocity: Vec3,
    pub(crate) angular_velocity: Vec3,
    pub(crate) dofs: Option<Vec<Dof>>,
    pub(crate) surfaces: Vec<SurfaceSpec>,
}

impl Body {
    /// Returns the body as errors name it.
    pub(crate) fn subject(&self) -> Subject {
        Subject::Body(self.name.clone())
    }

    /// Returns a surface of it as errors name it.
    pub(crate) fn surface_subject(&self, surface: &str) -> Subject {
        Subject::Surface { body: self.name.clone(), surface: surface.to_owned() }
    }

    /// Creates a rigid body whose motion is determined by forces.
    pub fn new(name: &str) -> Body {
        Body {
            name: name.to_owned(),
            kind: MotionKind::Dynamic,
            mass: None,
            inertia: None,
            centre_of_mass: None,
            density: None,
            density_gradient: Vec3::zeros(),
            deformation: Mat3::identity(),
            position: Vec3::zeros(),
            orientation: [1.0, 0.0, 0.0, 0.0],
            velocity: Vec3::zeros(),
            angular_velocity: Vec3::zeros(),
            dofs: None,
            surfaces: Vec::new(),
        }
    }

    /// Creates a body that deforms homogeneously and whose motion is determined by forces: p = p0 + F X. If
    /// [`dofs`](Body::dofs) has one rotation, it deforms in plane strain across that axis.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::law::elastic::{Elastic, MooneyRivlin};
    /// let rubber = Elastic::new(MooneyRivlin::new(6e4, 0.0)?).viscosity(100.0); // [Pa, Pa s]
    /// let roll = Body::affine("roll", rubber).density(1000.0).surface(Cylinder::new(0.3, 1.0)?);
    /// # let _ = roll;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn affine(name: &str, elastic: Elastic) -> Body {
        Body { kind: MotionKind::Affine(elastic), ..Body::new(name) }
    }

    /// Creates a body that does not move.
    pub fn fixed(name: &str) -> Body {
        Body { kind: MotionKind::Fixed, ..Body::new(name) }
    }

    /// Creates a body with a prescribed motion, which starts from the pose given here.
    pub fn prescribed(name: &str, motion: impl Motion + 'static) -> Body {
        Body::prescribed_arc(name, Arc::new(motion))
    }

    /// Creates a body with a prescribed motion that is shared; otherwise as [`prescribed`](Body::prescribed).
    pub fn prescribed_arc(name: &str, motion: Arc<dyn Motion>) -> Body {
        Body { kind: MotionKind::Prescribed(motion), ..Body::new(name) }
    }

    /// Prescribes the motion of this body, which starts from the pose given to it.
    pub fn moved_by(self, motion: impl Motion + 'static) -> Body {
        Body { kind: MotionKind::Prescribed(Arc::new(motion)), ..self }
    }

    /// Holds this body where it is for good.
    pub fn held_fixed(self) -> Body {
        Body { kind: MotionKind::Fixed, ..self }
    }

    /// Sets the mass [kg]. By default it follows from density and shapes.
    pub fn mass(mut self, mass: f64) -> Body {
        self.mass = Some(mass);
        self
    }

    /// Sets the moments of inertia about the centre of mass along the body axes [kg m²]. By default they follow from the
    /// shapes, as if the mass filled them evenly.
    pub fn inertia(mut self, moments: [f64; 3]) -> Body {
        self.inertia = Some(Mat3::from_diagonal(&moments.into()));
        self
    }

    /// Sets the inertia tensor about the centre of mass in the body axes [kg m²].
    pub fn inertia_tensor(mut self, tensor: Mat3) -> Body {
        self.inertia = Some(tensor);
        self
    }

    /// Sets the centre of mass in the body frame [m]. The default is the shapes' centre of mass if the mass comes from them,
    /// else the reference point.
    pub fn centre_of_mass(mut self, point: [f64; 3]) -> Body {
        self.centre_of_mass = Some(point.into());
        self
    }

    /// Sets the density of the shapes [kg/m³]; it takes precedence over that of their materials.
    pub fn density(mut self, density: f64) -> Body {
        self.density = Some(density);
        self
    }

    /// Sets the density gradient in the body axes [kg/m⁴]: [`density`](Body::density) is then the value at the reference
    /// point.
    ///
    /// ```
    /// use carom::prelude::*;
    /// // a cylinder of radius 0.3 m, heavier below: ρ = 4000 (1 − 0.8 y/0.3)
    /// let mut builder = ModelBuilder::new();
    /// let roll = Body::new("roll").density(4000.0).density_gradient([0.0, -4000.0 * 0.8 / 0.3, 0.0]);
    /// builder.body(roll.surface(Cylinder::new(0.3, 1.0)?));
    /// let centre = builder.build()?.centre_of_mass("roll").unwrap();
    /// assert!((centre.y + 0.2 * 0.3).abs() < 1e-16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn density_gradient(mut self, gradient: [f64; 3]) -> Body {
        self.density_gradient = gradient.into();
        self
    }

    /// Sets the initial deformation of a body that deforms, before it is rotated: F = R D, D being this matrix. The default
    /// is undeformed.
    pub fn deformation(mut self, deformation: Mat3) -> Body {
        self.deformation = deformation;
        self
    }

    /// Sets the initial position of the reference point [m].
    pub fn position(mut self, position: [f64; 3]) -> Body {
        self.position = position.into();
        self
    }

    /// Sets the initial orientation.
    pub fn orientation(mut self, q: Quat) -> Body {
        self.orientation = [q.w, q.i, q.j, q.k];
        self
    }

    /// Sets the initial orientation as a unit quaternion (w, x, y, z).
    pub fn quaternion(mut self, wxyz: [f64; 4]) -> Body {
        self.orientation = wxyz;
        self
    }

    /// Sets the initial velocity of the reference point [m/s].
    pub fn velocity(mut self, velocity: [f64; 3]) -> Body {
        self.velocity = velocity.into();
        self
    }

    /// Sets the initial angular velocity, world frame [rad/s].
    pub fn angular_velocity(mut self, angular_velocity: [f64; 3]) -> Body {
        self.angular_velocity = angular_velocity.into();
        self
    }

    /// Sets the directions in which it can move; the default is all six. Allowed are none, one or all three rotations.
    pub fn dofs(mut self, dofs: &[Dof]) -> Body {
        self.dofs = Some(dofs.to_vec());
        self
    }

    /// Returns the names of its surfaces: as given, or by kind and number.
    pub(crate) fn surface_names(&self) -> Vec<String> {
        let kind = |s: &SurfaceSpec| s.shape.surface.kind();
        let name = |(i, s): (usize, &SurfaceSpec)| {
            let number = self.surfaces[..=i].iter().filter(|o| kind(o) == kind(s)).count();
            s.name.clone().unwrap_or_else(|| format!("{}{number}", kind(s)))
        };
        self.surfaces.iter().enumerate().map(name).collect()
    }

    /// Adds a surface.
    pub fn surface(mut self, surface: impl Into<SurfaceSpec>) -> Body {
        self.surfaces.push(surface.into());
        self
    }
}
