//! The surfaces: one file each, one line each in [`ALL`].

use std::sync::Arc;

use carom_base::{Args, Entry, SpecError};

use crate::error::GeometryError;
use crate::patch::Region;
use crate::shape::Surface;

pub mod capsule;
pub mod cone;
pub mod cuboid;
pub mod cylinder;
pub mod ellipsoid;
mod level_function;
pub mod plane;
pub mod polyhedron;
pub mod quadric;
pub mod sphere;
mod superellipse;
pub mod superellipsoid;
pub mod superovoid;
pub mod superquadric;
pub mod supertorus;
pub mod torus;
mod triangles;

pub use capsule::Capsule;
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use level_function::LevelFunction;
pub use plane::Plane;
pub use polyhedron::Polyhedron;
pub use quadric::Quadric;
pub use sphere::Sphere;
pub use superellipsoid::Superellipsoid;
pub use superovoid::Superovoid;
pub use superquadric::Superquadric;
pub use supertorus::Supertorus;
pub use torus::Torus;
pub use triangles::{Corners, KIND as MESH, MeshFeature, TriangleMesh, TriangleMeshError};
pub(crate) use triangles::{Extent, Facet};

/// Every surface a scene can name, but for meshes, which are read from files ([`TriangleMesh`]).
///
/// ```
/// use carom_base::{Args, Value};
/// use carom_geometry::surfaces;
/// let sphere = surfaces::ALL.iter().find(|e| e.name == "sphere").unwrap();
/// let ball = sphere.make(&Args::new().with("radius", Value::Number(0.02)))?; // [m]
/// assert_eq!(ball.bounds().radius, 0.02);
/// # Ok::<(), carom_base::SpecError>(())
/// ```
pub static ALL: &[Entry<Arc<dyn Surface>>] = &[
    plane::ENTRY,
    sphere::ENTRY,
    cylinder::ENTRY,
    cone::ENTRY,
    cuboid::ENTRY,
    capsule::ENTRY,
    polyhedron::ENTRY,
    torus::ENTRY,
    supertorus::ENTRY,
    ellipsoid::ENTRY,
    superellipsoid::ENTRY,
    superellipsoid::BARR,
    superovoid::ENTRY,
    quadric::ENTRY,
    superquadric::ENTRY,
];

/// A measure of a surface, if it can be one.
pub(crate) fn measure(kind: &'static str, name: &'static str, value: f64) -> Result<f64, GeometryError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(GeometryError::BadMeasure { kind, name, value })
    }
}

/// The number of that name, or what is missing.
pub(crate) fn number(args: &Args, kind: &'static str, name: &'static str) -> Result<f64, SpecError> {
    args.number(name).ok_or(SpecError::Missing { kind, name, doc: "a length" })
}

/// The box a surface ends at, if there is one.
pub(crate) fn region(args: &Args, kind: &'static str) -> Result<Option<Region>, SpecError> {
    let named = |error| match error {
        GeometryError::BadValue { name, value, allowed, .. } => {
            GeometryError::BadValue { kind, name, value, allowed }
        }
        other => other,
    };
    args.region("within").map(|[min, max]| Region::new(min, max)).transpose().map_err(|e| refused(named(e)))
}

/// A refusal of a constructor, in the words of a scene.
pub(crate) fn refused(error: GeometryError) -> SpecError {
    match error {
        GeometryError::BadMeasure { kind, name, value } => SpecError::NotAllowed {
            kind,
            name,
            value: value.to_string(),
            allowed: "a finite number greater than 0".to_owned(),
        },
        GeometryError::TooRound { radius, most } => SpecError::NotAllowed {
            kind: "box",
            name: "edge_radius",
            value: radius.to_string(),
            allowed: format!("greater than 0 and at most half the shortest length, {most} m"),
        },
        GeometryError::Spindle { kind, name, major, minor } => SpecError::NotAllowed {
            kind,
            name,
            value: minor.to_string(),
            allowed: format!("greater than 0 and less than `major_radius`, {major} m"),
        },
        GeometryError::BadSlices { name, value, allowed } => {
            let (value, allowed) = (value.to_string(), allowed.to_owned());
            SpecError::NotAllowed { kind: "contact", name, value, allowed }
        }
        GeometryError::NeedsSlices { .. } => SpecError::Conflict { kind: "surface", what: "it needs slices" },
        GeometryError::BadExponent { kind, name, value } => SpecError::NotAllowed {
            kind,
            name,
            value: value.to_string(),
            allowed: "finite numbers, 2 or greater".to_owned(),
        },
        GeometryError::BadValue { kind, name, value, allowed } => {
            SpecError::NotAllowed { kind, name, value, allowed: allowed.to_owned() }
        }
        GeometryError::NeedsWithin { kind } => SpecError::Missing {
            kind,
            name: "within",
            doc: "this one is open, and ends at the faces of that box: within = { min = [x, y, z], max = [x, y, z] }",
        },
        GeometryError::NoPair { .. }
        | GeometryError::Endless { .. }
        | GeometryError::NotFor { .. }
        | GeometryError::Deformed { .. } => {
            SpecError::Conflict { kind: "surface", what: "no contact points" }
        }
        GeometryError::NotClosed { kind } => SpecError::Conflict { kind, what: "it has no inside" },
    }
}
