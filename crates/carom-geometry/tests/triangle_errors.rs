//! Triangles that bound no solid: what is wrong is said, with how often and where.

use crate::common::meshes::{ball, brick, moved, octahedron};
use carom_geometry::surfaces::{Corners, TriangleMesh, TriangleMeshError};

fn said(triangles: &[Corners]) -> String {
    TriangleMesh::from_corners(triangles).unwrap_err().to_string()
}

fn unit() -> Vec<Corners> {
    brick([0.0; 3], [1.0; 3])
}

#[test]
fn nothing_is_no_mesh() {
    assert_eq!(said(&[]), "there is no triangle");
}

#[test]
fn holes_are_found() {
    let mut open = unit();
    open.remove(4);
    assert_eq!(
        said(&open),
        "the surface is not closed: 3 edges have one triangle only; allowed: two; first that from (0, 0, 0) to (1, 0, 0), of triangle 2"
            .replace("from (0, 0, 0) to (1, 0, 0), of triangle 2", &first_open(&open))
    );
    open.truncate(1);
    assert!(said(&open).contains("3 edges have one triangle only"));
}

/// The first edge that only one triangle has, found by counting.
fn first_open(triangles: &[Corners]) -> String {
    let edges = |t: &Corners| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    for (i, t) in triangles.iter().enumerate() {
        for [a, b] in edges(t) {
            let twins = triangles.iter().flat_map(edges).filter(|e| *e == [b, a]).count();
            if twins == 0 {
                let p = |x: [f64; 3]| format!("({}, {}, {})", x[0], x[1], x[2]);
                return format!("from {} to {}, of triangle {}", p(a), p(b), i + 1);
            }
        }
    }
    panic!("there is none");
}

#[test]
fn edges_of_three_triangles_are_found() {
    // a fin on an edge of the box
    let mut fin = unit();
    fin.push([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, -1.0, -1.0]]);
    let error = TriangleMesh::from_corners(&fin).unwrap_err();
    let TriangleMeshError::SharedByMany { count: 1, triangles, .. } = &error else { panic!("{error}") };
    assert_eq!(triangles.len(), 3);
    assert!(
        error.to_string().starts_with("1 edge has more than two triangles; first that from ("),
        "{error}"
    );
    assert!(error.to_string().ends_with(", 13"), "{error}");
    // boxes with an edge in common, and with a face
    let edge = [unit(), brick([1.0, 1.0, 0.0], [2.0, 2.0, 1.0])].concat();
    assert!(said(&edge).starts_with("1 edge has more than two triangles"));
    let face = [unit(), brick([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])].concat();
    assert!(said(&face).contains("edges have more than two triangles"));
}

#[test]
fn turned_triangles_are_found() {
    let mut turned = unit();
    turned[3].swap(0, 1);
    let error = said(&turned);
    assert!(
        error.starts_with("3 edges have two triangles that face opposite sides; first that from ("),
        "{error}"
    );
    assert!(error.contains("of triangles 3 and 4"), "{error}");
}

#[test]
fn triangles_without_area_are_found() {
    let mut flat = unit();
    flat[5][2] = flat[5][0];
    assert!(said(&flat).starts_with("1 triangle has no area: first triangle 6, with corners at ("));
    // three corners in line
    flat[5] = [[0.0; 3], [1.0, 1.0, 1.0], [0.5, 0.5, 0.5]];
    flat[7] = flat[5];
    assert_eq!(
        said(&flat),
        "2 triangles have no area: first triangle 6, with corners at (0, 0, 0), (1, 1, 1) and (0.5, 0.5, 0.5)"
    );
}

#[test]
fn coordinates_that_are_not_finite_are_found() {
    for bad in [f64::NAN, f64::INFINITY, -1e200] {
        let mut wrong = unit();
        wrong[8][1][2] = bad;
        let error = said(&wrong);
        assert!(error.starts_with("triangle 9 has a corner at (") && error.contains("finite"), "{error}");
    }
}

#[test]
fn vertices_that_are_not_there_are_found() {
    let error = TriangleMesh::new(&[[0.0; 3], [1.0; 3]], &[[0, 1, 2]]).unwrap_err();
    assert_eq!(error.to_string(), "triangle 1 names the vertex 2; there are 2, counted from 0");
}

#[test]
fn parts_that_meet_in_a_point_are_found() {
    let point = [unit(), brick([1.0; 3], [2.0; 3])].concat();
    let error = said(&point);
    assert!(
        error.starts_with(
            "1 vertex has several parts of the surface that meet in this point only; first that at (1, 1, 1)"
        ),
        "{error}"
    );
}

#[test]
fn surfaces_that_face_inwards_are_found_and_can_be_turned() {
    let inwards = TriangleMesh::turned_over(&brick([0.0; 3], [1.0, 2.0, 3.0]));
    let error = TriangleMesh::from_corners(&inwards).unwrap_err();
    let TriangleMeshError::InsideOut { volume } = error else { panic!("{error}") };
    assert!((volume + 6.0).abs() < 1e-14);
    assert!(TriangleMesh::from_corners(&TriangleMesh::turned_over(&inwards)).is_ok());
}

#[test]
fn surfaces_that_bound_nothing_are_found() {
    // both sides of a tetrahedron's outline, folded flat
    let (a, b, c, d) = ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, 0.3, 0.0]);
    let flat = [[a, c, b], [a, b, d], [b, c, d], [c, a, d]];
    assert!(
        said(&flat).starts_with("the triangles bound no volume: it is 0, with an area of "),
        "{}",
        said(&flat)
    );
}

#[test]
fn crossing_triangles_are_found() {
    // two boxes in one another, in general position and in a special one
    for by in [[0.31, 0.42, 0.53], [0.5, 0.5, 0.5], [0.5, 0.0, 0.25]] {
        let crossed = [unit(), moved(&unit(), by)].concat();
        let error = TriangleMesh::from_corners(&crossed).unwrap_err();
        let TriangleMeshError::Crossing { count, triangles: [a, b], near } = error else { panic!("{error}") };
        assert!(count > 3 && a <= 12 && b > 12, "{by:?} {count} {a} {b}");
        assert!(near.iter().all(|x| (-1e-12..=1.0 + 1e-12).contains(x)), "{near:?}");
    }
    // a vertex pushed through the opposite wall
    let mut pushed = octahedron(1.0);
    for p in pushed.iter_mut().flatten().filter(|p| p[0] > 0.5) {
        *p = [-1.5, 0.1, 0.2];
    }
    let error = TriangleMesh::from_corners(&pushed).unwrap_err();
    assert!(
        matches!(error, TriangleMeshError::Crossing { .. } | TriangleMeshError::InsideOut { .. }),
        "{error}"
    );
    // refined balls do not cross themselves
    assert!(TriangleMesh::from_corners(&ball(1.0, 5)).is_ok());
}

#[test]
fn parts_within_others_are_cavities() {
    let small = brick([0.4; 3], [0.6; 3]);
    let cavity = [unit(), TriangleMesh::turned_over(&small)].concat();
    let mesh = TriangleMesh::from_corners(&cavity).unwrap();
    assert_eq!(mesh.parts(), 2);
    let error = said(&[unit(), small.clone()].concat());
    assert!(
        error.starts_with("the closed part of the surface with triangle 13 faces outwards, but is within"),
        "{error}"
    );
    let beside = TriangleMesh::turned_over(&moved(&small, [3.0, 0.0, 0.0]));
    let error = said(&[unit(), beside].concat());
    assert!(
        error.starts_with("the closed part of the surface with triangle 13 faces inwards, but is not"),
        "{error}"
    );
    // a stone in the cavity is free
    let stone = brick([0.45; 3], [0.55; 3]);
    assert!(TriangleMesh::from_corners(&[cavity, stone].concat()).is_ok());
}
