//! Finds the pieces of a surface on which a field acts.

use carom_base::Vec3;
use carom_base::words::nearest;
use carom_geometry::{BoundaryPart, PartShape, Surface};

use crate::pieces::{Barrel, Disc, EllipsoidSurface, Mantle, Polygon, SphereSurface};
use crate::{FieldError, Piece, Placed};

/// Tolerance [rad] within which the normal of a flat part is along `leave_out`.
const ALONG: f64 = 1e-9;

/// Returns the parts of a surface's boundary on which a field acts.
///
/// With `names`, only those parts are returned, by their names in [`Surface::boundary`]; with `None`, all. `leave_out` is an
/// axis in the surface's frame along which nothing moves. Flat parts normal to it are left out unless they are named, because
/// a plane motion has no end faces.
///
/// ```
/// use carom_field::parts_of;
/// use carom_geometry::surfaces::Cylinder;
/// let can = Cylinder::new(0.1, 0.3)?; // [m]
/// let side = ["side".to_owned()];
/// assert_eq!(parts_of(&can, Some(&side), None)?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parts_of(
    surface: &dyn Surface,
    names: Option<&[String]>,
    leave_out: Option<Vec3>,
) -> Result<Vec<BoundaryPart>, FieldError> {
    let kind = surface.kind();
    let parts = surface.boundary().ok_or(FieldError::NoBoundary { kind })?;
    for name in names.unwrap_or_default() {
        if !parts.iter().any(|part| part.name == **name) {
            let mut allowed: Vec<String> = parts.iter().map(|part| part.name.to_string()).collect();
            allowed.dedup();
            let words: Vec<&str> = allowed.iter().map(String::as_str).collect();
            let nearest = nearest(name, &words);
            return Err(FieldError::UnknownPart { kind, name: name.clone(), allowed, nearest });
        }
    }
    let axis = leave_out.and_then(|axis| axis.try_normalize(0.0));
    let wanted = |part: &&BoundaryPart| match names {
        Some(names) => names.iter().any(|name| part.name == **name),
        None => match (axis, part.normal()) {
            (Some(axis), Some(normal)) => normal.cross(&axis).norm() > ALONG,
            _ => true,
        },
    };
    Ok(parts.iter().filter(wanted).cloned().collect())
}

/// Returns the pieces of a surface's boundary, each with its pose in the surface's frame; `names` and `leave_out` are those of
/// [`parts_of`].
///
/// ```
/// use carom_base::Vec3;
/// use carom_field::pieces_of;
/// use carom_geometry::surfaces::Cylinder;
/// let can = Cylinder::new(0.1, 0.3)?; // [m]
/// assert_eq!(pieces_of(&can, None, None)?.len(), 3);
/// assert_eq!(pieces_of(&can, None, Some(Vec3::z()))?.len(), 1); // the side alone
/// let caps = ["caps".to_owned()];
/// assert_eq!(pieces_of(&can, Some(&caps), Some(Vec3::z()))?.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pieces_of(
    surface: &dyn Surface,
    names: Option<&[String]>,
    leave_out: Option<Vec3>,
) -> Result<Vec<Placed>, FieldError> {
    let kind = surface.kind();
    let made = |part: &BoundaryPart| Some((piece(&part.shape)?, part.at));
    let parts = parts_of(surface, names, leave_out)?;
    parts.iter().map(|part| made(part).ok_or(FieldError::NoBoundary { kind })).collect()
}

/// Makes the piece; `None` if its dimensions are invalid.
fn piece(shape: &PartShape) -> Option<Box<dyn Piece>> {
    Some(match shape {
        PartShape::Polygon(vertices) => Box::new(Polygon::new(vertices.clone())?),
        PartShape::Barrel { radius, length } => Box::new(Barrel::new(*radius, *length)?),
        PartShape::Mantle { radii, length } => Box::new(Mantle::new(*radii, *length)?),
        PartShape::Disc { radius } => Box::new(Disc::new(*radius)?),
        PartShape::Ellipsoid { semi_axes: [x, y, z] } if x == y && y == z => {
            Box::new(SphereSurface::new(*x)?)
        }
        PartShape::Ellipsoid { semi_axes } => Box::new(EllipsoidSurface::new(*semi_axes)?),
    })
}
