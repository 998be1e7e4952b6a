//! What a surface is: a kind, its bounds, and what it can do.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use carom_base::{Mat3, Vec3};

use crate::boundary::BoundaryPart;
use crate::mesh::Mesh;

mod convex_core;
mod implicit;
mod project;
mod ring;
mod support;

pub use convex_core::{ConvexCore, Tip, Wall};
pub(crate) use convex_core::{EDGE, WallAt};
pub use implicit::{Implicit, Level, Octants};
pub use project::{ClosestPoint, Project, ProjectFormula, Start};
pub use ring::{Ring, Section};
pub use support::Support;

/// Which side of a closed surface is free: the outside of a ball, or the inside of a race or a tube. A sheet is touched from both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    /// the surface bounds a solid; others touch it from outside
    #[default]
    Outside,
    /// the surface bounds a cavity in a solid without end; others are in the cavity
    Inside,
}

impl Side {
    /// +1 outside, −1 inside: what turns an outward normal, a height or a curvature over.
    #[inline(always)]
    pub fn sign(self) -> f64 {
        match self {
            Side::Outside => 1.0,
            Side::Inside => -1.0,
        }
    }
}

/// A smooth surface, or one of smooth pieces, in its own frame.
///
/// The algorithms ask for capabilities, never for kinds, so a surface from outside this crate works
/// with every algorithm whose capability it offers.
pub trait Surface: Any + Debug + Send + Sync {
    /// The word for this kind in scenes and messages.
    fn kind(&self) -> &'static str;
    /// A ball that holds the surface.
    fn bounds(&self) -> Bounds;
    /// How far the surface stands off a core that it follows like a coat of even thickness [m]: a sphere is all
    /// coat, a capsule coats a line. Turning the surface about a point of its core moves only the core, so this
    /// much less has to be allowed for when gaps are bounded.
    fn skin(&self) -> f64 {
        0.0
    }
    /// Whether it encloses a volume.
    fn is_closed(&self) -> bool {
        false
    }
    /// Whether it is a thin sheet that ends somewhere, with free space on both sides of it. Both are touched; the [`Side`] only says
    /// which of them the normal of a point on the sheet itself looks to.
    fn is_sheet(&self) -> bool {
        false
    }
    /// Whether `side = inside` means something.
    fn has_inside(&self) -> bool {
        self.is_closed() || self.is_sheet()
    }
    /// Closest points, signed distances and normals.
    fn as_project(&self) -> Option<&dyn Project> {
        None
    }
    /// The furthest point along a direction, of a convex solid.
    fn as_support(&self) -> Option<&dyn Support> {
        None
    }
    /// The function whose zeros it is.
    fn as_implicit(&self) -> Option<&dyn Implicit> {
        None
    }
    /// Volume, centroid and inertia of the solid it bounds.
    fn solid(&self) -> Option<Solid> {
        None
    }
    /// The pieces its boundary consists of, of a closed surface that can tell them.
    ///
    /// ```
    /// use carom_geometry::{Surface, surfaces::Cuboid};
    /// let brick = Cuboid::new([0.2, 0.1, 0.05])?.boundary().unwrap(); // [m]
    /// let names: Vec<_> = brick.iter().map(|part| &*part.name).collect();
    /// assert_eq!(names, ["-x", "+x", "-y", "+y", "-z", "+z"]);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    fn boundary(&self) -> Option<Vec<BoundaryPart>> {
        None
    }
    /// The sections of a tube around a ring.
    fn as_ring(&self) -> Option<&dyn Ring> {
        None
    }
    /// Area, centroid and inertia of the surface itself as a thin shell; `None` for one without end.
    ///
    /// ```
    /// use carom_geometry::{Surface, surfaces::Sphere};
    /// let r: f64 = 0.5; // [m]
    /// let shell = Sphere::new(r)?.shell().unwrap();
    /// assert!((shell.inertia[(0, 0)] / shell.area - 2.0 / 3.0 * r * r).abs() < 1e-16); // I = 2/3 m r²
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    fn shell(&self) -> Option<Shell> {
        None
    }
    /// Triangles for viewing; `n` is the number of segments around a circle. An unbounded surface is
    /// drawn as a square of half side `extent` [m].
    fn mesh(&self, n: usize, extent: f64) -> Mesh;
}

impl dyn Surface {
    /// For downcasts by closed-form pairs.
    pub fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A surface and its free side: what a pair is bound to.
#[derive(Clone, Debug)]
pub struct Shape {
    /// the surface
    pub surface: Arc<dyn Surface>,
    /// its free side
    pub side: Side,
}

impl Shape {
    /// The surface touched from outside.
    pub fn outside(surface: impl Surface) -> Shape {
        Shape { surface: Arc::new(surface), side: Side::Outside }
    }

    /// The surface as the wall of a cavity.
    pub fn inside(surface: impl Surface) -> Shape {
        Shape { surface: Arc::new(surface), side: Side::Inside }
    }

    /// `sphere`, or `cylinder (inside)`: the words for messages.
    pub fn describe(&self) -> String {
        match self.side {
            Side::Outside => self.surface.kind().to_owned(),
            Side::Inside => format!("{} (inside)", self.surface.kind()),
        }
    }

    /// The ball that holds all points where this shape can be touched; a cavity's solid has no end.
    pub fn bounds(&self) -> Bounds {
        match self.side {
            Side::Outside => self.surface.bounds(),
            Side::Inside if self.surface.is_sheet() => self.surface.bounds(),
            Side::Inside => Bounds { centre: self.surface.bounds().centre, radius: f64::INFINITY },
        }
    }
}

/// A ball around a surface, in the surface's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// its centre [m]
    pub centre: Vec3,
    /// its radius [m]; infinite for a surface without end
    pub radius: f64,
}

/// Volume, centroid and inertia of a solid of density one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// [m³]
    pub volume: f64,
    /// in the surface's frame [m]
    pub centroid: Vec3,
    /// about the centroid, in the axes of the surface's frame [m⁵]: times the density, kg m²
    pub inertia: Mat3,
}

/// Area, centroid and inertia of a shell of mass one per area, in the limit of no thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shell {
    /// [m²]: times density and thickness, kg
    pub area: f64,
    /// in the surface's frame [m]
    pub centroid: Vec3,
    /// about the centroid, in the axes of the surface's frame [m⁴]: times density and thickness, kg m²
    pub inertia: Mat3,
}
