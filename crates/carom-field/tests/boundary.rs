//! The pieces of surfaces.

use carom_base::Vec3;
use carom_field::{Asked, FieldError, Height, Moments, pieces_of};
use carom_geometry::Surface;
use carom_geometry::surfaces::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Plane, Polyhedron, Sphere};

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn error(surface: &dyn Surface, parts: &[&str]) -> FieldError {
    pieces_of(surface, Some(&names(parts)), None).unwrap_err()
}

#[test]
fn pieces_have_the_area_of_the_shell() {
    let surfaces: [&dyn Surface; 6] = [
        &Cuboid::new([0.2, 0.3, 0.5]).unwrap(),
        &Cylinder::new(0.2, 0.7).unwrap(),
        &Cone::new(0.2, 0.0, 0.7).unwrap(),
        &Cone::new(0.2, 0.4, 0.7).unwrap(),
        &Sphere::new(0.3).unwrap(),
        &Ellipsoid::new([0.2, 0.3, 0.5]).unwrap(),
    ];
    for surface in surfaces {
        let area: f64 = pieces_of(surface, None, None).unwrap().iter().map(|(piece, _)| piece.area()).sum();
        let shell = surface.shell().unwrap().area;
        assert!((area / shell - 1.0).abs() < 1e-13, "{}: {area} {shell}", surface.kind());
    }
}

/// With ν = 0 moments are those of the shell.
#[test]
fn pieces_are_where_they_are_on_the_shell() {
    let surfaces: [&dyn Surface; 4] = [
        &Cuboid::new([0.2, 0.3, 0.5]).unwrap(),
        &Cylinder::new(0.2, 0.7).unwrap(),
        &Cone::new(0.2, 0.0, 0.7).unwrap(),
        &Cone::new(0.2, 0.4, 0.7).unwrap(),
    ];
    for surface in surfaces {
        let shell = surface.shell().unwrap();
        let mut square = carom_base::Mat3::zeros();
        for (piece, at) in pieces_of(surface, None, None).unwrap() {
            let mut out = [Moments::zero()];
            piece.moments(&[Asked { nu: 0, order: 2 }], &Height { a: 9.0, b: Vec3::zeros() }, None, &mut out);
            let Moments { i0, i1, i2 } = out[0];
            let mixed = at.p * (at.r * i1).transpose();
            square += at.r * i2 * at.r.transpose() + mixed + mixed.transpose() + at.p * at.p.transpose() * i0;
        }
        // about the centroid
        square -= shell.centroid * shell.centroid.transpose() * shell.area;
        let inertia = carom_base::Mat3::from_diagonal_element(square.trace()) - square;
        assert!((inertia - shell.inertia).norm() < 1e-14 * shell.inertia.norm(), "{}", surface.kind());
    }
}

/// Faces are numbered by their corners: the ends of a prism given one after the other are the first and the last.
#[test]
fn faces_of_a_polyhedron_have_numbers() {
    let base = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let corners: Vec<[f64; 3]> = [-0.5, 0.5].iter().flat_map(|z| base.map(|[x, y]| [x, y, *z])).collect();
    let prism = Polyhedron::new(&corners).unwrap();
    let all: Vec<f64> =
        pieces_of(&prism, None, None).unwrap().iter().map(|(piece, _)| piece.area()).collect();
    assert_eq!(all.len(), 5);
    assert!((all[0] - 0.5).abs() < 1e-15 && (all[4] - 0.5).abs() < 1e-15, "{all:?}");
    assert_eq!(pieces_of(&prism, None, Some(Vec3::z())).unwrap().len(), 3);
    assert_eq!(pieces_of(&prism, Some(&names(&["5"])), Some(Vec3::z())).unwrap().len(), 1);
    assert!(
        error(&prism, &["6"]).to_string().starts_with("a polyhedron has no part `6`; it has 1, 2, 3, 4, 5")
    );
}

#[test]
fn plane_motion_leaves_end_faces_out() {
    let brick = Cuboid::new([1.0; 3]).unwrap();
    assert_eq!(pieces_of(&brick, None, Some(Vec3::z() * 2.0)).unwrap().len(), 4);
    assert_eq!(pieces_of(&brick, None, Some(Vec3::new(1.0, 1.0, 0.0))).unwrap().len(), 6);
    let can = Cylinder::new(0.5, 1.0).unwrap();
    assert_eq!(pieces_of(&can, None, Some(-Vec3::z())).unwrap().len(), 1);
    assert_eq!(pieces_of(&can, Some(&names(&["side", "caps"])), Some(Vec3::z())).unwrap().len(), 3);
}

#[test]
fn what_is_not_there_is_refused() {
    let brick = Cuboid::new([1.0; 3]).unwrap();
    assert_eq!(
        error(&Cylinder::new(0.5, 1.0).unwrap(), &["side", "cap"]).to_string(),
        "a cylinder has no part `cap`; it has side, caps; did you mean `caps`?"
    );
    assert_eq!(error(&brick, &["top"]).to_string(), "a box has no part `top`; it has -x, +x, -y, +y, -z, +z");
    assert_eq!(
        pieces_of(&Plane, None, None).unwrap_err().to_string(),
        "the boundary of a plane is not known piece by piece: a field cannot act on it"
    );
    assert!(pieces_of(&Capsule::new(0.1, 0.2).unwrap(), None, None).is_err());
}
