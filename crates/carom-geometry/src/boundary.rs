//! What the boundary of a solid consists of, piece by piece.

use std::borrow::Cow;

use carom_base::{Pose, Vec3};

/// A part of a boundary: pieces of one name may be several.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundaryPart {
    /// what an author calls it: `side`, `caps`, `-z` …
    pub name: Cow<'static, str>,
    /// what it is, in a frame of its own
    pub shape: PartShape,
    /// that frame, in the surface's
    pub at: Pose,
}

/// The shape of a part of a boundary, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum PartShape {
    /// a plane convex polygon, its vertices [m] counterclockwise seen from outside
    Polygon(Vec<Vec3>),
    /// the side of a circular cylinder about the z axis, centred
    Barrel {
        /// [m]
        radius: f64,
        /// [m]
        length: f64,
    },
    /// the side of a cone or a frustum about the z axis, centred
    Mantle {
        /// of the ends at −length/2 and length/2 [m]
        radii: [f64; 2],
        /// along the axis [m]
        length: f64,
    },
    /// a circular disc in the plane z = 0 about the origin, z being outward
    Disc {
        /// [m]
        radius: f64,
    },
    /// an ellipsoid, its axes along those of the frame; a sphere if they are equal
    Ellipsoid {
        /// [m]
        semi_axes: [f64; 3],
    },
}

impl BoundaryPart {
    /// A part in the surface's own frame.
    pub fn here(name: impl Into<Cow<'static, str>>, shape: PartShape) -> BoundaryPart {
        BoundaryPart { name: name.into(), shape, at: Pose::identity() }
    }

    /// The outward unit normal, if it is flat; in the surface's frame.
    ///
    /// ```
    /// use carom_geometry::{Surface, Vec3, surfaces::Cylinder};
    /// let can = Cylinder::new(0.1, 0.3)?.boundary().unwrap(); // [m]
    /// let flat: Vec<_> = can.iter().filter_map(|part| Some((&*part.name, part.normal()?))).collect();
    /// assert_eq!(flat, [("caps", Vec3::z()), ("caps", -Vec3::z())]);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn normal(&self) -> Option<Vec3> {
        let normal = match &self.shape {
            PartShape::Polygon(vertices) => {
                let (first, rest) = vertices.split_first()?;
                let twice: Vec3 = rest.windows(2).map(|v| (v[0] - first).cross(&(v[1] - first))).sum();
                twice.try_normalize(0.0)?
            }
            PartShape::Disc { .. } => Vec3::z(),
            PartShape::Barrel { .. } | PartShape::Mantle { .. } | PartShape::Ellipsoid { .. } => return None,
        };
        Some(self.at.direction(&normal))
    }
}
