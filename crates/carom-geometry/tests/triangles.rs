//! Meshes: mass properties against closed forms, closest points against a search over all triangles, signs against solid angles.

use std::f64::consts::PI;

use crate::common::Random;
use crate::common::meshes::{angle_piece, ball, brick, mesh, moved, octahedron, torus};
use carom_base::{Dual, Mat3, Pose, Vec3};
use carom_geometry::pairs::slices::Slices;
use carom_geometry::surfaces::{Corners, Cuboid, MeshFeature, Sphere, Torus, TriangleMesh};
use carom_geometry::{GapBounds, Project, Region, Shape, Side, Surface, pairs};
use carom_testkit::allocations_of;

fn outside(mesh: &TriangleMesh, x: &Vec3) -> carom_geometry::ClosestPoint {
    mesh.closest_point(Side::Outside, 0, x)
}

#[test]
fn a_box_of_triangles_has_the_mass_of_a_box() {
    let size = [0.7, 1.1, 0.4];
    let box_mesh = mesh(&brick(size.map(|x| -0.5 * x), size.map(|x| 0.5 * x)));
    let brick = Cuboid::new(size).unwrap();
    let (a, b) = (box_mesh.solid().unwrap(), brick.solid().unwrap());
    assert!((a.volume - b.volume).abs() < 1e-16 && a.centroid.norm() < 1e-16);
    assert!((a.inertia - b.inertia).norm() < 1e-16);
    let (a, b) = (box_mesh.shell().unwrap(), brick.shell().unwrap());
    assert!((a.area - b.area).abs() < 1e-15 && (a.inertia - b.inertia).norm() < 1e-15);
    assert_eq!((box_mesh.vertices().len(), box_mesh.parts(), box_mesh.is_convex()), (8, 1, true));
    let mut random = Random(3);
    for _ in 0..3000 {
        let x = random.vector() * 1.5;
        let (a, b) = (outside(&box_mesh, &x), brick.closest_point(Side::Outside, 0, &x));
        assert!((a.d - b.d).abs() < 1e-15 && (a.p - b.p).norm() < 1e-15, "{x}");
        assert!((a.n - b.n).norm() < 1e-14, "{x}");
    }
}

#[test]
fn an_octahedron_has_its_mass() {
    // V = 4/3 r³, I = V r²/5
    let (r, at) = (0.3, [5.0, -7.0, 11.0]);
    let solid = mesh(&moved(&octahedron(r), at)).solid().unwrap();
    let volume = 4.0 / 3.0 * r * r * r;
    assert!((solid.volume / volume - 1.0).abs() < 1e-14, "{}", solid.volume / volume - 1.0);
    assert!((solid.centroid - Vec3::from(at)).norm() < 1e-14);
    let inertia = Mat3::identity() * (volume * r * r / 5.0);
    assert!((solid.inertia - inertia).norm() < 1e-13 * inertia.norm());
    let shell = mesh(&octahedron(r)).shell().unwrap();
    assert!((shell.area / (4.0 * 3f64.sqrt() * r * r) - 1.0).abs() < 1e-15);
}

/// An L has the mass of its two boxes: that of a solid that is not convex, too, is exact.
#[test]
fn an_angle_piece_has_the_mass_of_two_boxes() {
    let solid = mesh(&angle_piece()).solid().unwrap();
    let boxes = [[[2.0, 1.0, 1.0], [1.0, 0.5, 0.5]], [[1.0, 1.0, 1.0], [0.5, 1.5, 0.5]]];
    let parts = boxes.map(|[size, at]| (Cuboid::new(size).unwrap().solid().unwrap(), Vec3::from(at)));
    let volume: f64 = parts.iter().map(|p| p.0.volume).sum();
    let centroid = parts.iter().map(|p| p.1 * p.0.volume).sum::<Vec3>() / volume;
    let inertia: Mat3 = parts
        .iter()
        .map(|(part, at)| {
            let d = at - centroid;
            part.inertia + (Mat3::identity() * d.norm_squared() - d * d.transpose()) * part.volume
        })
        .sum();
    assert!((solid.volume - volume).abs() < 1e-14 && (solid.centroid - centroid).norm() < 1e-15);
    assert!((solid.inertia - inertia).norm() < 1e-14, "{} {inertia}", solid.inertia);
}

/// Refined towards a ball, volume and inertia converge with the square of the size of the triangles.
#[test]
fn refined_balls_converge_with_order_two() {
    let r: f64 = 0.5;
    let (volume, moment) = (4.0 / 3.0 * PI * r.powi(3), 8.0 / 15.0 * PI * r.powi(5));
    let errors: Vec<[f64; 2]> = (2..7)
        .map(|times| {
            let solid = mesh(&ball(r, times)).solid().unwrap();
            assert!((solid.inertia - Mat3::identity() * solid.inertia[(0, 0)]).norm() < 1e-14);
            [1.0 - solid.volume / volume, 1.0 - solid.inertia[(1, 1)] / moment]
        })
        .collect();
    for (k, pair) in errors.windows(2).enumerate() {
        for i in 0..2 {
            let order = (pair[0][i] / pair[1][i]).log2();
            // what is left of the next order falls by four from one to the next
            let allowed = 0.15 * 0.25f64.powi(k as i32);
            assert!((order - 2.0).abs() < allowed, "{errors:?} {order}");
        }
    }
    assert!(errors[4][0] < 1e-3 && errors[4][0] > 0.0);
}

/// The distance from a triangle, by the nearest of its plane (if within), its edges and its corners: another formula than that of the mesh.
fn distance_to(x: &Vec3, t: &Corners) -> f64 {
    let [a, b, c] = t.map(Vec3::from);
    let (u, v, w) = (b - a, c - a, x - a);
    let (uu, uv, vv, wu, wv) = (u.dot(&u), u.dot(&v), v.dot(&v), w.dot(&u), w.dot(&v));
    let below = uu * vv - uv * uv;
    let (s, t) = ((vv * wu - uv * wv) / below, (uu * wv - uv * wu) / below);
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        return w.dot(&u.cross(&v)).abs() / u.cross(&v).norm();
    }
    let edge = |p: Vec3, q: Vec3| {
        let t = ((x - p).dot(&(q - p)) / (q - p).norm_squared()).clamp(0.0, 1.0);
        (x - p - (q - p) * t).norm()
    };
    edge(a, b).min(edge(b, c)).min(edge(c, a))
}

/// Whether the triangles wind around the point: by their solid angles.
fn is_within(x: &Vec3, triangles: &[Corners]) -> bool {
    let angle = |t: &Corners| {
        let [a, b, c] = t.map(|p| (Vec3::from(p) - x).normalize());
        2.0 * a.dot(&b.cross(&c)).atan2(1.0 + a.dot(&b) + b.dot(&c) + c.dot(&a))
    };
    let winds = triangles.iter().map(angle).sum::<f64>() / (4.0 * PI);
    assert!((winds - winds.round()).abs() < 1e-6, "{winds}");
    winds.round() == 1.0
}

fn shapes() -> Vec<Vec<Corners>> {
    let hollow = {
        let hole = TriangleMesh::turned_over(&ball(0.6, 2));
        [brick([-1.0; 3], [1.0; 3]), hole].concat()
    };
    let two = [ball(0.4, 2), moved(&octahedron(0.5), [1.0, 0.2, -0.1])].concat();
    vec![
        octahedron(1.0),
        brick([-0.3, -0.8, -0.5], [0.6, 0.7, 0.2]),
        ball(0.9, 3),
        torus(1.0, 0.35, 24, 14),
        moved(&angle_piece(), [-1.0, -1.0, -0.5]),
        hollow,
        two,
    ]
}

#[test]
fn signed_distances_are_those_of_a_search_over_all_triangles() {
    let mut random = Random(5);
    for (k, triangles) in shapes().iter().enumerate() {
        let mesh = mesh(triangles);
        let mut within = 0;
        let mut met = [0; 3];
        for _ in 0..2000 {
            let x = random.vector() * 1.6;
            let closest = outside(&mesh, &x);
            let best = triangles.iter().map(|t| distance_to(&x, t)).fold(f64::INFINITY, f64::min);
            let sign = if is_within(&x, triangles) { -1.0 } else { 1.0 };
            assert!((closest.d - sign * best).abs() < 1e-14, "{k} {x}: {} {}", closest.d, sign * best);
            assert!((closest.p + closest.n * closest.d - x).norm() < 1e-14);
            assert!((closest.n.norm() - 1.0).abs() < 1e-15);
            within += usize::from(sign < 0.0);
            met[match mesh.nearest_feature(&x) {
                MeshFeature::Face(_) => 0,
                MeshFeature::Edge(_) => 1,
                MeshFeature::Vertex(_) => 2,
            }] += 1;
            let wall = mesh.closest_point(Side::Inside, 0, &x);
            assert_eq!((wall.p, wall.n, wall.d), (closest.p, -closest.n, -closest.d));
        }
        assert!(within > 10 && met.iter().all(|n| *n > 10), "{k}: {within} {met:?}");
    }
}

/// At edges and vertices of an acute solid single faces have the point on either side.
#[test]
fn signs_are_right_at_acute_corners() {
    let mut random = Random(7);
    for _ in 0..200 {
        // a thin spike on a small base, somewhere
        let pose = random.pose(1.0);
        let tip = Vec3::new(random.between(-0.4, 0.4), random.between(-0.4, 0.4), 1.0);
        let base = [[0.1, 0.0, 0.0], [-0.02, 0.03, 0.0], [-0.02, -0.03, 0.0]].map(Vec3::from);
        let at = |v: Vec3| -> [f64; 3] { pose.point(&v).into() };
        let [a, b, c, d] = [base[0], base[1], base[2], tip].map(at);
        let triangles = [[a, c, b], [a, b, d], [b, c, d], [c, a, d]];
        let mesh = mesh(&triangles);
        for _ in 0..50 {
            let x = Vec3::from(d) + random.vector() * 0.2;
            let within = is_within(&x, &triangles);
            assert_eq!(outside(&mesh, &x).d < 0.0, within);
        }
    }
}

/// A torus: its hole and its surroundings are outside, its tube inside, and the distance is that of the smooth one up to the sagitta of the pieces.
#[test]
fn a_torus_has_a_hole() {
    let (major, minor, n, m) = (1.0, 0.35, 96, 48);
    let mesh = mesh(&torus(major, minor, n, m));
    assert!(!mesh.is_convex());
    let sagitta = (major + minor) * (1.0 - (PI / n as f64).cos()) + minor * (1.0 - (PI / m as f64).cos());
    let mut random = Random(11);
    for _ in 0..3000 {
        let x = random.vector() * 2.0;
        let rho = x.x.hypot(x.y);
        let exact = (rho - major).hypot(x.z) - minor;
        let d = outside(&mesh, &x).d;
        // chords of the hole are in it
        assert!(d > exact - sagitta && d < exact + sagitta, "{x}: {d} {exact}");
    }
    assert!(outside(&mesh, &Vec3::zeros()).d > 0.64 && outside(&mesh, &Vec3::x()).d < -0.34);
}

#[test]
fn derivatives_are_those_of_faces_edges_and_vertices() {
    let mut random = Random(13);
    for triangles in shapes() {
        let mesh = mesh(&triangles);
        for _ in 0..500 {
            let x = random.vector() * 1.6;
            let dual = mesh.closest_point_dual(
                Side::Outside,
                0,
                &Vec3::from_fn(|i, _| Dual::<3>::variable(x[i], i)),
            );
            let closest = outside(&mesh, &x);
            assert!((Vec3::from(dual.d.eps) - closest.n).norm() < 1e-13);
            let moves = Mat3::from_fn(|i, j| dual.p[i].eps[j]);
            let turns = Mat3::from_fn(|i, j| dual.n[i].eps[j]);
            let normal = closest.n * closest.n.transpose();
            // x = p + d n everywhere
            let all = moves + normal + turns * closest.d;
            assert!((all - Mat3::identity()).norm() < 1e-12, "{all}");
            match mesh.nearest_feature(&x) {
                MeshFeature::Face(_) => assert!((moves + normal - Mat3::identity()).norm() < 1e-14),
                MeshFeature::Edge(_) => {
                    // along the edge only
                    assert!((moves.trace() - 1.0).abs() < 1e-14 && (moves * moves - moves).norm() < 1e-13);
                }
                MeshFeature::Vertex(_) => assert_eq!(moves, Mat3::zeros()),
            }
        }
    }
}

/// On the surface itself, at faces, edges and vertices, the distance is zero and the normal a unit vector.
#[test]
fn points_of_the_surface_have_a_normal() {
    for triangles in shapes() {
        let mesh = mesh(&triangles);
        for t in &triangles {
            let [a, b, c] = t.map(Vec3::from);
            for x in [a, b, c, 0.5 * (a + b), 0.5 * (b + c), (a + b + c) / 3.0] {
                let closest = outside(&mesh, &x);
                assert!(closest.d.abs() < 1e-15 && (closest.n.norm() - 1.0).abs() < 1e-15, "{x}");
                assert!((closest.p - x).norm() < 1e-15);
            }
        }
    }
}

#[test]
fn triangles_near_something_are_all_found() {
    let mut random = Random(17);
    for triangles in shapes() {
        let mesh = mesh(&triangles);
        for _ in 0..100 {
            let (x, r, n) = (random.vector(), random.between(0.05, 0.8), random.direction());
            let mut found = Vec::new();
            mesh.near_ball(&x, r, |k| found.push(k));
            found.sort_unstable();
            let all: Vec<usize> =
                (0..triangles.len()).filter(|k| distance_to(&x, &triangles[*k]) < r).collect();
            assert_eq!(found, all);
            found.clear();
            mesh.near_plane(&n, -r, 0.3, |k| found.push(k));
            found.sort_unstable();
            let below = |t: &Corners| t.iter().any(|p| Vec3::from(*p).dot(&n) < 0.3 - r);
            let all: Vec<usize> = (0..triangles.len()).filter(|k| below(&triangles[*k])).collect();
            assert_eq!(found, all);
            found.clear();
            let region = Region::new((x - Vec3::repeat(r)).into(), (x + Vec3::repeat(r)).into()).unwrap();
            mesh.near_box(&region, 0.1, |k| found.push(k));
            // all in the ball within the box are among them
            mesh.near_ball(&x, r + 0.1, |k| assert!(found.contains(&k)));
        }
    }
}

#[test]
fn balls_touch_meshes() {
    let (r, at) = (0.2, Vec3::new(0.9, 0.0, 0.0));
    let stone = Shape::outside(mesh(&torus(1.0, 0.35, 24, 14)));
    let grain = Shape::outside(Sphere::new(r).unwrap());
    let pair = pairs::bind(&stone, &grain).unwrap();
    assert_eq!((pair.solver(), pair.features(), pair.feature_name(0).as_str()), ("sphere-any", 1, "mesh"));
    assert_eq!(pair.bounds(), GapBounds::UNKNOWN);
    let contact = pair.contact(0, &Pose::identity(), &Pose::at(at)).unwrap();
    let d = stone.surface.as_project().unwrap().closest_point(Side::Outside, 0, &at).d;
    assert_eq!(contact.delta, r - d);
    let convex = pairs::bind(&Shape::outside(mesh(&octahedron(1.0))), &grain).unwrap();
    assert_eq!(convex.bounds(), GapBounds::CONVEX);
    // as the wall of a cavity
    let room = pairs::bind(&Shape::inside(mesh(&brick([-1.0; 3], [1.0; 3]))), &grain).unwrap();
    let contact = room.contact(0, &Pose::identity(), &Pose::at(at)).unwrap();
    assert!((contact.delta - 0.1).abs() < 1e-15 && contact.n == -Vec3::x());
    assert_eq!((room.feature_name(0).as_str(), room.bounds()), ("wall", GapBounds::UNKNOWN));
}

#[test]
fn what_touches_no_mesh_is_told_of_hulls() {
    let stone = Shape::outside(mesh(&octahedron(1.0)));
    let error =
        pairs::bind(&stone, &Shape::outside(carom_geometry::surfaces::Plane)).unwrap_err().to_string();
    assert!(
        error.starts_with("mesh against plane has no contact points that an algorithm knows: over the patch where they overlap they press on one another with `law = \"foundation\"` as `normal`; mesh touches sphere, in slices torus; "),
        "{error}"
    );
    assert!(
        error.ends_with("the convex hull of a mesh, `hull = true`, touches what a polyhedron touches"),
        "{error}"
    );
}

/// Rings in slices touch a mesh of a box as they touch the box.
#[test]
fn rings_touch_meshes_in_slices() {
    let size = [0.7, 1.1, 0.4];
    let a = Shape::outside(mesh(&brick(size.map(|x| -0.5 * x), size.map(|x| 0.5 * x))));
    let b = Shape::outside(Cuboid::new(size).unwrap());
    let ring = Shape::outside(Torus::new(0.3, 0.1).unwrap());
    let bound = |shape: &Shape| pairs::bind_by(&Slices::new(24).unwrap(), shape, &ring).unwrap();
    let (a, b) = (bound(&a), bound(&b));
    let mut random = Random(29);
    let mut touches = 0;
    for _ in 0..50 {
        let at = random.pose(0.8);
        for k in 0..24 {
            let [a, b] = [&a, &b].map(|pair| pair.contact(k, &Pose::identity(), &at).unwrap().delta);
            assert!((a - b).abs() < 1e-15, "{a} {b}");
            touches += usize::from(a > 0.0);
        }
    }
    assert!(touches > 100, "{touches}");
}

#[test]
fn closest_points_do_not_allocate() {
    let mesh = mesh(&ball(0.9, 4));
    let mut random = Random(19);
    let points: Vec<Vec3> = (0..100).map(|_| random.vector()).collect();
    let mut sum = 0.0;
    let n = allocations_of(|| {
        for x in &points {
            sum += outside(&mesh, x).d;
            mesh.near_ball(x, 0.3, |k| sum += k as f64);
            mesh.near_plane(&Vec3::z(), x.z, 0.1, |k| sum += k as f64);
        }
    });
    assert!(n == 0 && sum.is_finite(), "{n}");
}

/// Vertices are numbered by the triangles that name them, so that a mesh by numbers and one by corners are the same to the bit.
#[test]
fn meshes_by_numbers_and_by_corners_are_the_same() {
    let triangles = torus(1.0, 0.35, 24, 14);
    let mut vertices: Vec<[f64; 3]> = triangles.iter().flatten().copied().collect();
    vertices.sort_by(|a, b| a.partial_cmp(b).unwrap());
    vertices.dedup();
    let number = |p: &[f64; 3]| vertices.iter().position(|v| v == p).unwrap();
    let numbered: Vec<[usize; 3]> =
        triangles.iter().map(|t| [number(&t[0]), number(&t[1]), number(&t[2])]).collect();
    let other = TriangleMesh::new(&vertices, &numbered).unwrap();
    assert_eq!(other, mesh(&triangles));
    assert_eq!(format!("{other:?}"), format!("{:?}", mesh(&triangles)));
    assert_ne!(format!("{other:?}"), format!("{:?}", mesh(&torus(1.0, 0.36, 24, 14))));
}

/// Corners that rounding has moved apart are one vertex.
#[test]
fn near_corners_are_welded() {
    let mut random = Random(23);
    let exact = ball(0.9, 2);
    let off = |x: f64, random: &mut Random| x + 1e-10 * (random.next() - 0.5);
    let rough: Vec<Corners> = exact.iter().map(|t| t.map(|p| p.map(|x| off(x, &mut random)))).collect();
    let (a, b) = (mesh(&exact), mesh(&rough));
    assert_eq!((a.vertices().len(), a.triangles()), (b.vertices().len(), b.triangles()));
    let x = Vec3::new(0.3, 0.8, 0.7);
    assert!((outside(&a, &x).d - outside(&b, &x).d).abs() < 1e-9);
}

#[test]
fn the_hull_of_an_angle_piece_is_a_wedge_on_a_box() {
    let hull = TriangleMesh::hull(&angle_piece()).unwrap();
    // a square of 2 m without a corner of 1/2 m²
    assert!((hull.solid().unwrap().volume - 3.5).abs() < 1e-14);
    let floor = Shape::outside(carom_geometry::surfaces::Plane);
    assert_eq!(pairs::bind(&floor, &Shape::outside(hull)).unwrap().features(), 10);
}

#[test]
fn what_is_drawn_is_what_is_touched() {
    for triangles in shapes() {
        let mesh = mesh(&triangles);
        let drawn = mesh.mesh(0, 0.0);
        assert_eq!(drawn.triangles.len(), triangles.len());
        assert!((drawn.volume() / mesh.solid().unwrap().volume - 1.0).abs() < 1e-13);
        let far = mesh.vertices().iter().map(|v| (v - mesh.bounds().centre).norm()).fold(0.0, f64::max);
        assert_eq!(far, mesh.bounds().radius);
    }
}

#[test]
fn points_that_are_no_numbers_do_not_panic() {
    let mesh = mesh(&octahedron(1.0));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
        for i in 0..3 {
            let _ = outside(&mesh, &Vec3::ith(i, bad));
            let _ = mesh.curvature(Side::Inside, 0, &Vec3::ith(i, bad));
        }
    }
}
