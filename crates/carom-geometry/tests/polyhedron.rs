//! Polyhedra: hulls of known shape, against the box, closest points against search, and what is refused.

use crate::common::Random;
use carom_base::{Pose, Vec3};
use carom_geometry::surfaces::{Cuboid, Plane, Polyhedron};
use carom_geometry::{GeometryError, PartShape, Project, Shape, Side, Support, Surface, pairs};

fn box_of(half: &Vec3, pose: &Pose) -> Vec<[f64; 3]> {
    let side = |k: usize, bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
    let corner = |k| Vec3::new(side(k, 4), side(k, 2), side(k, 1)).component_mul(half);
    (0..8).map(|k| pose.point(&corner(k)).into()).collect()
}

/// How many corners each face has, and how many corners and edges there are.
fn counts(p: &Polyhedron) -> (Vec<usize>, usize, usize) {
    let faces: Vec<Vec<Vec3>> = p
        .boundary()
        .unwrap()
        .into_iter()
        .map(|part| match part.shape {
            PartShape::Polygon(vertices) => vertices,
            other => panic!("{other:?}"),
        })
        .collect();
    let mut all: Vec<Vec3> = faces.iter().flatten().copied().collect();
    let mut sizes: Vec<usize> = faces.iter().map(Vec::len).collect();
    let edges = sizes.iter().sum::<usize>() / 2;
    sizes.sort_unstable();
    all.sort_by(|a, b| (a.x, a.y, a.z).partial_cmp(&(b.x, b.y, b.z)).unwrap());
    all.dedup();
    (sizes, all.len(), edges)
}

#[test]
fn regular_solids_have_their_faces() {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let cyclic = |v: [f64; 3]| [[v[0], v[1], v[2]], [v[1], v[2], v[0]], [v[2], v[0], v[1]]];
    let signs =
        |v: [f64; 3]| (0..8).map(move |k| [0, 1, 2].map(|i| if k & (1 << i) == 0 { v[i] } else { -v[i] }));
    let hull = |points: Vec<[f64; 3]>| counts(&Polyhedron::new(&points).unwrap());
    let tetrahedron = vec![[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    assert_eq!(hull(tetrahedron), (vec![3; 4], 4, 6));
    assert_eq!(hull(signs([1.0; 3]).collect()), (vec![4; 6], 8, 12));
    let octahedron: Vec<_> = cyclic([1.0, 0.0, 0.0]).into_iter().flat_map(signs).collect();
    assert_eq!(hull(octahedron), (vec![3; 8], 6, 12));
    let icosahedron: Vec<_> = cyclic([0.0, 1.0, golden]).into_iter().flat_map(signs).collect();
    assert_eq!(hull(icosahedron), (vec![3; 20], 12, 30));
    let roof = cyclic([0.0, 1.0 / golden, golden]).into_iter().flat_map(signs);
    assert_eq!(hull(signs([1.0; 3]).chain(roof).collect()), (vec![5; 12], 20, 30)); // dodecahedron
    let prism: Vec<_> = (0..7)
        .flat_map(|k| {
            let (sin, cos) = (2.0 * std::f64::consts::PI * f64::from(k) / 7.0).sin_cos();
            [[cos, sin, -0.3], [cos, sin, 0.4]]
        })
        .collect();
    assert_eq!(hull(prism), ([vec![4; 7], vec![7; 2]].concat(), 14, 21));
}

/// Points on faces and edges, twice and within make no difference.
#[test]
fn only_corners_count() {
    let mut random = Random(7);
    for _ in 0..30 {
        let half = random.vector().abs() + Vec3::from_element(0.1);
        let pose = random.pose(1.0);
        let mut points = box_of(&half, &pose);
        for _ in 0..40 {
            let mut x = random.vector();
            for i in 0..3 {
                if random.next() < 0.5 {
                    x[i] = x[i].signum(); // on a face, an edge, a corner
                }
            }
            points.push(pose.point(&x.component_mul(&half)).into());
        }
        let hull = Polyhedron::new(&points).unwrap();
        assert_eq!(counts(&hull), (vec![4; 6], 8, 12));
        let exact = 8.0 * half.product();
        assert!((hull.solid().unwrap().volume / exact - 1.0).abs() < 1e-13);
    }
}

#[test]
fn a_box_of_eight_points_is_a_box() {
    let mut random = Random(11);
    let size = [0.7, 1.1, 0.4];
    let brick = Cuboid::new(size).unwrap();
    let hull = Polyhedron::new(&box_of(brick.half(), &Pose::identity())).unwrap();
    let (a, b) = (hull.solid().unwrap(), brick.solid().unwrap());
    assert!((a.volume - b.volume).abs() < 1e-16 && a.centroid.norm() < 1e-16);
    assert!((a.inertia - b.inertia).norm() < 1e-16);
    let (a, b) = (hull.shell().unwrap(), brick.shell().unwrap());
    assert!((a.area - b.area).abs() < 1e-15 && (a.inertia - b.inertia).norm() < 1e-15);
    for _ in 0..5000 {
        let x = random.vector() * 1.5;
        let (a, b) = (hull.closest_point(Side::Outside, 0, &x), brick.closest_point(Side::Outside, 0, &x));
        assert!((a.p - b.p).norm() < 1e-15 && (a.n - b.n).norm() < 1e-14 && (a.d - b.d).abs() < 1e-15, "{x}");
        let m = random.direction();
        assert_eq!(hull.support(&m), brick.support(&m));
    }
    let floor = Shape::outside(Plane);
    let bound = |shape: Shape| pairs::bind(&floor, &shape).unwrap();
    let (a, b) = (bound(Shape::outside(hull)), bound(Shape::outside(brick)));
    assert_eq!((a.features(), a.feature_name(3).as_str(), a.solver()), (8, "corner 4", "plane-polyhedron"));
    for _ in 0..200 {
        let at = random.pose(1.0);
        for k in 0..8 {
            let contact =
                |pair: &dyn carom_geometry::BoundPair| pair.contact(k, &Pose::identity(), &at).unwrap();
            assert_eq!(contact(&*a).delta, contact(&*b).delta);
        }
    }
}

/// Hulls of points anywhere, acute ones among them: no point of them is nearer than the closest.
#[test]
fn closest_points_are_nearest() {
    let mut random = Random(13);
    for _ in 0..60 {
        let points: Vec<[f64; 3]> = (0..4 + random.one_of(20)).map(|_| random.vector().into()).collect();
        let hull = Polyhedron::new(&points).unwrap();
        for _ in 0..50 {
            let x = random.vector() * 2.0;
            let closest_point = hull.closest_point(Side::Outside, 0, &x);
            assert!((closest_point.p + closest_point.n * closest_point.d - x).norm() < 1e-14);
            // all of the hull is behind the plane through the closest point, if x is outside; if within, d is the least of all directions
            let reach =
                hull.support(&closest_point.n).dot(&closest_point.n) - closest_point.p.dot(&closest_point.n);
            // (the direction to an edge or a corner is known as well as the distance is)
            assert!(
                reach.abs() < 2e-15 * (1.0 + 1.0 / closest_point.d.abs()),
                "{points:?} {x} {reach:e} {}",
                closest_point.d
            );
            if closest_point.d < 0.0 {
                let m = random.direction();
                assert!(hull.support(&m).dot(&m) - x.dot(&m) > -closest_point.d - 1e-14);
            }
        }
    }
}

/// The faces of a hull hold every point, however many there are.
#[test]
fn all_points_are_within() {
    let mut random = Random(17);
    for n in [4, 5, 8, 30, 200] {
        let points: Vec<Vec3> = (0..n).map(|_| random.direction()).collect();
        let given: Vec<[f64; 3]> = points.iter().map(|p| (*p).into()).collect();
        let hull = Polyhedron::new(&given).unwrap();
        // on a sphere every point is a corner and all faces are triangles
        assert_eq!(counts(&hull), (vec![3; 2 * n - 4], n, 3 * n - 6));
        for part in hull.boundary().unwrap() {
            let PartShape::Polygon(vertices) = &part.shape else { panic!() };
            let normal = part.normal().unwrap();
            assert!(points.iter().all(|p| (p - vertices[0]).dot(&normal) < 1e-14));
        }
    }
}

#[test]
fn what_spans_no_volume_is_refused() {
    let refused = |points: &[[f64; 3]]| {
        let error = Polyhedron::new(points).unwrap_err();
        assert!(
            matches!(error, GeometryError::BadValue { kind: "polyhedron", name: "vertices", .. }),
            "{error}"
        );
    };
    refused(&[]);
    refused(&[[1.0, 2.0, 3.0]]);
    refused(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    refused(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
    refused(&[[0.0; 3], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]]);
    refused(&[[0.5; 3]; 9]);
    refused(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1e-10]]);
    refused(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, f64::NAN]]);
    refused(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, f64::INFINITY]]);
}
