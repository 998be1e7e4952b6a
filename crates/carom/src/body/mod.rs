//! What a body is, as its author describes it.

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

/// A surface on a body, in its own frame.
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
    /// of a joint with clearance: it has no mass, and touches only what names it
    pub(crate) of_joint: bool,
}

impl SurfaceSpec {
    /// The surface at the body's reference point, touched from outside.
    pub fn new(surface: impl Surface) -> SurfaceSpec {
        SurfaceSpec::from_arc(Arc::new(surface))
    }

    /// The same for a surface that is shared.
    pub fn from_arc(surface: Arc<dyn Surface>) -> SurfaceSpec {
        let shape = Shape { surface, side: Side::Outside };
        let pose = Pose::identity();
        SurfaceSpec { name: None, shape, pose, material: None, shell: None, of_joint: false }
    }

    /// Its name; without one it is called after its kind and number (`sphere1`).
    pub fn named(mut self, name: &str) -> SurfaceSpec {
        self.name = Some(name.to_owned());
        self
    }

    /// The wall of a cavity instead of the skin of a solid.
    pub fn inside(mut self) -> SurfaceSpec {
        self.shape.side = Side::Inside;
        self
    }

    /// What it is made of: the name of a material of the model.
    pub fn material(mut self, name: &str) -> SurfaceSpec {
        self.material = Some(name.to_owned());
        self
    }

    /// A thin shell of that thickness [m] instead of a solid, where mass and inertia come from the shapes: its mass is that of
    /// density × area × thickness, all of it on the surface.
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

    /// Where its frame is on the body [m].
    pub fn at(mut self, position: [f64; 3]) -> SurfaceSpec {
        self.pose.p = position.into();
        self
    }

    /// How its frame is turned on the body.
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
pub(crate) enum Kind {
    /// as the forces on it say
    Dynamic,
    /// not at all
    Fixed,
    /// as prescribed
    Prescribed(Arc<dyn Motion>),
    /// as the forces on it say, deforming
    Affine(Elastic),
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Dynamic => "Dynamic",
            Kind::Fixed => "Fixed",
            Kind::Prescribed(_) => "Prescribed",
            Kind::Affine(_) => "Affine",
        })
    }
}

/// A body, rigid or affine: where it is, how it moves, its mass, and its surfaces. SI units, world frame.
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
    pub(crate) kind: Kind,
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
    /// The body, as errors name it.
    pub(crate) fn subject(&self) -> Subject {
        Subject::Body(self.name.clone())
    }

    /// A surface of it, as errors name it.
    pub(crate) fn surface_subject(&self, surface: &str) -> Subject {
        Subject::Surface { body: self.name.clone(), surface: surface.to_owned() }
    }

    /// A body that moves as the forces on it say.
    pub fn new(name: &str) -> Body {
        Body {
            name: name.to_owned(),
            kind: Kind::Dynamic,
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

    /// A body that deforms homogeneously and moves as the forces on it say: p = p0 + F X. With [`dofs`](Body::dofs) of one rotation, in
    /// plane strain across its axis.
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
        Body { kind: Kind::Affine(elastic), ..Body::new(name) }
    }

    /// A body that does not move.
    pub fn fixed(name: &str) -> Body {
        Body { kind: Kind::Fixed, ..Body::new(name) }
    }

    /// A body that moves as prescribed, from the pose given here.
    pub fn prescribed(name: &str, motion: impl Motion + 'static) -> Body {
        Body::prescribed_arc(name, Arc::new(motion))
    }

    /// The same for a motion that is shared.
    pub fn prescribed_arc(name: &str, motion: Arc<dyn Motion>) -> Body {
        Body { kind: Kind::Prescribed(motion), ..Body::new(name) }
    }

    /// Mass [kg]. Left out: from density and shapes.
    pub fn mass(mut self, mass: f64) -> Body {
        self.mass = Some(mass);
        self
    }

    /// Moments of inertia about the centre of mass along the body's axes [kg m²]. Left out: from the
    /// shapes, as if the mass filled them evenly.
    pub fn inertia(mut self, moments: [f64; 3]) -> Body {
        self.inertia = Some(Mat3::from_diagonal(&moments.into()));
        self
    }

    /// Inertia tensor about the centre of mass in the body's axes [kg m²].
    pub fn inertia_tensor(mut self, tensor: Mat3) -> Body {
        self.inertia = Some(tensor);
        self
    }

    /// Where the mass is, in the body's frame [m]. Left out: the shapes' centroid if the mass comes from
    /// them, else the reference point.
    pub fn centre_of_mass(mut self, point: [f64; 3]) -> Body {
        self.centre_of_mass = Some(point.into());
        self
    }

    /// Density of the shapes [kg/m³]; goes before that of their materials.
    pub fn density(mut self, density: f64) -> Body {
        self.density = Some(density);
        self
    }

    /// How the density grows with the place on the body [kg/m⁴]: that of [`density`](Body::density) is at the reference point.
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

    /// How a body that deforms is deformed at the start, before it is turned: F = R D, D this matrix. Undeformed without it.
    pub fn deformation(mut self, deformation: Mat3) -> Body {
        self.deformation = deformation;
        self
    }

    /// Where the reference point is at the start [m].
    pub fn position(mut self, position: [f64; 3]) -> Body {
        self.position = position.into();
        self
    }

    /// The orientation at the start.
    pub fn orientation(mut self, q: Quat) -> Body {
        self.orientation = [q.w, q.i, q.j, q.k];
        self
    }

    /// The orientation at the start as a quaternion (w, x, y, z) of length 1.
    pub fn quaternion(mut self, wxyz: [f64; 4]) -> Body {
        self.orientation = wxyz;
        self
    }

    /// The reference point's velocity at the start [m/s].
    pub fn velocity(mut self, velocity: [f64; 3]) -> Body {
        self.velocity = velocity.into();
        self
    }

    /// The angular velocity at the start, world frame [rad/s].
    pub fn angular_velocity(mut self, angular_velocity: [f64; 3]) -> Body {
        self.angular_velocity = angular_velocity.into();
        self
    }

    /// The directions it can move in; all six without this. At most one rotation.
    pub fn dofs(mut self, dofs: &[Dof]) -> Body {
        self.dofs = Some(dofs.to_vec());
        self
    }

    /// What its surfaces are called: as given, or by kind and number.
    pub(crate) fn surface_names(&self) -> Vec<String> {
        let kind = |s: &SurfaceSpec| s.shape.surface.kind();
        let name = |(i, s): (usize, &SurfaceSpec)| {
            let number = self.surfaces[..=i].iter().filter(|o| kind(o) == kind(s)).count();
            s.name.clone().unwrap_or_else(|| format!("{}{number}", kind(s)))
        };
        self.surfaces.iter().enumerate().map(name).collect()
    }

    /// With a surface more.
    pub fn surface(mut self, surface: impl Into<SurfaceSpec>) -> Body {
        self.surfaces.push(surface.into());
        self
    }
}
