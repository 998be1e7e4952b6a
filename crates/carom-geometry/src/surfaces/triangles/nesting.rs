//! Closed parts of a surface within others: cavities face inwards, and solids are not within the material of others.
//!
//! How many times a closed part winds around a point is the sum of the solid angles of its triangles, by 4π: 1 within it, 0 outside, −1 in a cavity. Source: A. van Oosterom &
//! J. Strackee, IEEE Transactions on Biomedical Engineering 30 (1983) 125–126.

use std::f64::consts::PI;

use carom_base::Vec3;
use carom_base::elementary::atan2;

use super::error::TriangleMeshError;
use super::tree::Extent;

/// A closed part of a surface.
struct Part {
    triangles: Vec<usize>,
    extent: Extent,
    volume: f64,
}

/// Refused if a part faces the wrong way for where it is. No two triangles cross, so that a part is in one region of all others.
pub(super) fn check(corners: &[[Vec3; 3]], part_of: &[u32], count: usize) -> Result<(), TriangleMeshError> {
    if count < 2 {
        return Ok(());
    }
    let mut members = vec![Vec::new(); count];
    part_of.iter().enumerate().for_each(|(triangle, part)| members[*part as usize].push(triangle));
    let parts: Vec<Part> = members.into_iter().map(|triangles| Part::new(corners, triangles)).collect();
    for (i, part) in parts.iter().enumerate() {
        let x = corners[part.triangles[0]][0];
        let others = parts.iter().enumerate().filter(|(j, other)| *j != i && other.extent.square(&x) == 0.0);
        let winds: f64 = others.map(|(_, other)| other.winding(corners, &x)).sum();
        let inwards = part.volume < 0.0;
        // a cavity is in the material, a solid outside of it
        if (winds > 0.5) != inwards {
            return Err(TriangleMeshError::Nested { triangle: part.triangles[0] + 1, inwards });
        }
    }
    Ok(())
}

impl Part {
    fn new(corners: &[[Vec3; 3]], triangles: Vec<usize>) -> Part {
        let extent = Extent::of(triangles.iter().flat_map(|t| &corners[*t]));
        let o = (extent.min + extent.max) * 0.5;
        let six = |t: &usize| {
            let [a, b, c] = corners[*t].map(|x| x - o);
            a.dot(&b.cross(&c))
        };
        let volume = triangles.iter().map(six).sum::<f64>() / 6.0;
        Part { triangles, extent, volume }
    }

    /// How many times it winds around a point.
    fn winding(&self, corners: &[[Vec3; 3]], x: &Vec3) -> f64 {
        let angle = |t: &usize| {
            let [a, b, c] = corners[*t].map(|p| p - x);
            let [la, lb, lc] = [a.norm(), b.norm(), c.norm()];
            let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * atan2(a.dot(&b.cross(&c)), below)
        };
        self.triangles.iter().map(angle).sum::<f64>() / (4.0 * PI)
    }
}
