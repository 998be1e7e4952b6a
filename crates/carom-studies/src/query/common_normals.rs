//! Answers a query for all common normals of two ellipsoids.

use carom::geometry::Pose;
use carom::geometry::proximity::ellipsoids::{CommonNormals, as_ellipsoid, common_normals};
use carom_base::number::push_number;
use carom_scene::Own;

use super::request::SurfaceRequest;
use super::{push_contact, push_text, push_truth};

/// Finds all common normals; only ellipsoids, and balls as ellipsoids of equal axes, have a method that misses none.
pub(super) fn of(
    a: &SurfaceRequest,
    b: &SurfaceRequest,
    x_a: &Pose,
    x_b: &Pose,
) -> Result<CommonNormals, String> {
    let own = Own::default();
    let (a, b) = (a.shape("a", &own)?, b.shape("b", &own)?);
    match (as_ellipsoid(&a), as_ellipsoid(&b)) {
        (Some(one), Some(other)) => {
            common_normals(&one, &other, x_a, x_b).ok_or_else(|| "the poses are not finite".to_owned())
        }
        _ => Err(format!(
            "`all` is for two surfaces of type ellipsoid or sphere, from outside; these are {} and {}",
            a.describe(),
            b.describe()
        )),
    }
}

/// Writes `,"common_normals":[…],"complete":…`.
pub(super) fn push(out: &mut Vec<u8>, found: &CommonNormals) {
    out.extend_from_slice(b",\"common_normals\":[");
    for (i, normal) in found.all.iter().enumerate() {
        out.extend_from_slice(if i == 0 { b"{" } else { b",{" });
        push_contact(out, &normal.contact);
        out.extend_from_slice(b",\"kind\":");
        push_text(out, normal.kind.word());
        out.extend_from_slice(b",\"index\":");
        push_number(out, normal.index as f64);
        out.extend_from_slice(b",\"opposite\":");
        push_truth(out, normal.opposite);
        out.push(b'}');
    }
    out.extend_from_slice(b"],\"complete\":");
    push_truth(out, found.complete);
}
