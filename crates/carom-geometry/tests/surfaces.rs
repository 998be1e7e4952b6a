//! Every surface of the registry: what a closest point must be.

use std::sync::{Arc, LazyLock};

use crate::common::{
    all_shapes, all_surfaces, between_caps, cases, for_all_closest_points, open_args, vector,
};
use carom_base::param::Allowed;
use carom_base::{Args, Dual, Pose, Value, Vec3};
use carom_geometry::surfaces::Cone;
use carom_geometry::{Shape, Side, Surface, surfaces};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn a_point_is_its_closest_point_and_its_distance_along_the_normal(x in vector(2.0)) {
        for_all_closest_points(|shape, project, feature| {
            let closest_point = project.closest_point(shape.side, feature, &x);
            let name = shape.describe();
            assert!((closest_point.p + closest_point.n * closest_point.d - x).norm() < 1e-14, "{name} {feature} {x}");
            assert!((closest_point.n.norm() - 1.0).abs() < 1e-15, "{name} {feature} {x}");
        });
    }

    #[test]
    fn a_closest_point_is_its_own_closest_point(x in vector(2.0)) {
        for_all_closest_points(|shape, project, feature| {
            let closest_point = project.closest_point(shape.side, feature, &x);
            let again = project.closest_point(shape.side, feature, &closest_point.p);
            let name = shape.describe();
            assert!(again.d.abs() < 1e-14 && (again.p - closest_point.p).norm() < 1e-14, "{name} {feature} {x}");
        });
    }

    #[test]
    fn the_gradient_of_the_distance_is_the_normal(x in vector(2.0)) {
        for_all_closest_points(|shape, project, feature| {
            let closest_point = project.closest_point(shape.side, feature, &x);
            let dual = project.closest_point_dual(shape.side, feature, &variables(&x));
            let name = shape.describe();
            assert!(dual.d.re == closest_point.d && dual.p.map(|c| c.re) == closest_point.p && dual.n.map(|c| c.re) == closest_point.n);
            assert!((Vec3::from(dual.d.eps) - closest_point.n).norm() < 1e-14, "{name} {feature} {x}");
        });
    }

    #[test]
    fn the_derivatives_of_closest_point_and_normal_are_those_of_a_difference(x in vector(2.0), v in vector(1.0)) {
        for_all_closest_points(|shape, project, feature| {
            let h = 1e-6;
            let dual = project.closest_point_dual(shape.side, feature, &variables(&x));
            let at = |t: f64| project.closest_point(shape.side, feature, &(x + v * t));
            let (before, here, after) = (at(-h), at(0.0), at(h));
            // across an edge of the pieces there is no derivative
            let bend = (before.n + after.n - here.n * 2.0).norm() + (before.p + after.p - here.p * 2.0).norm();
            if bend > 1e-3 * h {
                return;
            }
            let along = |g: Dual<3>| Vec3::from(g.eps).dot(&v);
            let name = shape.describe();
            let (dp, dn) = (dual.p.map(along), dual.n.map(along));
            // near an axis the next derivatives grow as its distance falls
            let error = 1e-6 * (1.0 + dn.norm() + dp.norm());
            assert!((dp - (after.p - before.p) / (2.0 * h)).norm() < error, "{name} {feature} {x}");
            assert!((dn - (after.n - before.n) / (2.0 * h)).norm() < error, "{name} {feature} {x}");
        });
    }

    #[test]
    fn distances_are_continuous(x in vector(2.0), step in vector(1.0), scale in -12.0f64..0.0) {
        for_all_closest_points(|shape, project, feature| {
            let y = x + step * 10f64.powf(scale);
            let change = project.closest_point(shape.side, feature, &y).d - project.closest_point(shape.side, feature, &x).d;
            // a distance changes no faster than the point moves
            assert!(change.abs() <= (y - x).norm() + 1e-15, "{} {feature} {x} {y}", shape.describe());
        });
    }

    #[test]
    fn free_side_positive_material_negative(x in vector(2.0)) {
        for_all_closest_points(|shape, project, feature| {
            if shape.surface.is_sheet() {
                return; // without material
            }
            let closest_point = project.closest_point(shape.side, feature, &x);
            let at = |s: f64| project.closest_point(shape.side, feature, &(closest_point.p + closest_point.n * s)).d;
            // next to a rim that is sharper than a right angle there may be no material behind
            let sharp = shape.surface.as_any().downcast_ref::<Cone>().is_some_and(|cone| {
                closest_point.p.z.abs() > 0.5 * cone.length() - 0.01
            });
            assert!(at(1e-3) > 0.0 && (at(-1e-3) < 0.0 || sharp), "{} {feature} {x}", shape.describe());
        });
    }

    #[test]
    fn no_point_of_a_solid_is_nearer_than_the_closest_point(x in vector(2.0)) {
        for (surface, points) in POINTS.iter() {
            let Some(project) = surface.as_project() else { continue };
            let d = project.closest_point(Side::Outside, 0, &x).d;
            for on in points {
                assert!((x - on).norm() >= d.abs() - 1e-14, "{} {x}", surface.kind());
            }
        }
    }
}

type Sampled = (Arc<dyn Surface>, Vec<Vec3>);

/// Every surface with points of it: those of its mesh, out to the surface, as a chord of the mesh runs within the solid.
static POINTS: LazyLock<Vec<Sampled>> = LazyLock::new(|| {
    let points = |surface: &Arc<dyn Surface>| {
        let (mesh, project) = (surface.mesh(24, 3.0), surface.as_project());
        let near = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| Vec3::from(mesh.vertices[i as usize]));
            [a, b, c, (a + b + c) / 3.0, (a + b) / 2.0]
        };
        let closest_point = |x: Vec3| project.map(|p| p.closest_point(Side::Outside, 0, &x).p);
        mesh.triangles.iter().flat_map(near).filter_map(closest_point).collect()
    };
    all_surfaces().into_iter().map(|s| (s.clone(), points(&s))).collect()
});

fn variables(x: &Vec3) -> Vec3<Dual<3>> {
    Vec3::from_fn(|i, _| Dual::variable(x[i], i))
}

/// Centres, axes, edges, corners: the places where a formula can divide by zero.
#[test]
fn special_points_have_closest_points() {
    let steps = [-1.0, -0.5, -0.0, 0.0, 1e-170, 1e-300, 0.5, 1.0, 1e3];
    for_all_closest_points(|shape, project, feature| {
        let size = project.bounds().radius.min(1.0);
        for x in steps.iter().flat_map(|x| steps.iter().map(move |y| (*x, *y))) {
            for z in steps {
                let x = Vec3::new(x.0, x.1, z) * size;
                let closest_point = project.closest_point(shape.side, feature, &x);
                let name = shape.describe();
                assert!((closest_point.n.norm() - 1.0).abs() < 1e-15, "{name} {feature} {x}");
                assert!(
                    (closest_point.p + closest_point.n * closest_point.d - x).norm()
                        <= 1e-15 * (1.0 + x.norm()),
                    "{name} {x}"
                );
                let dual = project.closest_point_dual(shape.side, feature, &variables(&x));
                assert!((Vec3::from(dual.d.eps) - closest_point.n).norm() < 1e-14, "{name} {feature} {x}");
                let k = project.curvature(shape.side, feature, &x);
                assert!(
                    k.direction.dot(&closest_point.n).abs() < 1e-15 && k.k1.is_finite() && k.k2.is_finite()
                );
            }
        }
    });
}

#[test]
fn points_that_are_no_numbers_do_not_panic() {
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX];
    for_all_closest_points(|shape, project, feature| {
        for x in bad.iter().flat_map(|b| (0..3).map(move |i| Vec3::ith(i, *b))) {
            let _ = project.closest_point(shape.side, feature, &x);
            let _ = project.closest_point_dual(shape.side, feature, &variables(&x));
            let _ = project.curvature(shape.side, feature, &x);
        }
    });
}

#[test]
fn curvature_is_the_change_of_the_normal() {
    for_all_closest_points(|shape, project, feature| {
        for x in [[0.3, -0.2, 0.1], [1.5, 0.4, 0.2], [0.1, 0.2, -1.7], [0.2, 0.3, 0.05]] {
            let closest_point = project.closest_point(shape.side, feature, &Vec3::from(x));
            // a sheet has the side that the point is on
            let k = project.curvature(shape.side, feature, &(closest_point.p + closest_point.n * 1e-9));
            let bent = project
                .as_implicit()
                .map(|f| f.level(&closest_point.p).gradient.normalize().cross(&closest_point.n).norm());
            if shape.surface.is_sheet() && bent.is_some_and(|sine| sine > 1e-9) {
                continue; // the rim, an edge
            }
            // on the surface itself the derivative of the normal along a principal direction is k times it
            let dual = project.closest_point_dual(
                shape.side,
                feature,
                &variables(&(closest_point.p + closest_point.n * 1e-9)),
            );
            let turning = |t: &Vec3| dual.n.map(|c| Vec3::from(c.eps).dot(t));
            let other = closest_point.n.cross(&k.direction);
            for (k, t) in [(k.k1, k.direction), (k.k2, other)] {
                let name = shape.describe();
                assert!((turning(&t) - t * k).norm() < 1e-6, "{name} {feature} {x:?}: {k}");
            }
            if k.k1.min(k.k2) < 0.0 && between_caps(shape, &Pose::identity(), &Pose::at(Vec3::from(x))) {
                assert!(-1.0 / k.k1.min(k.k2) >= project.hollow_radius(shape.side) * (1.0 - 1e-12));
            }
        }
    });
}

#[test]
fn bounds_hold_the_surface() {
    for surface in all_surfaces() {
        let bounds = surface.bounds();
        let mesh = surface.mesh(64, 2.0);
        let far = mesh.vertices.iter().map(|v| (Vec3::from(*v) - bounds.centre).norm());
        let far = far.fold(0.0, f64::max);
        assert!(far <= bounds.radius * (1.0 + 1e-15), "{}: {far} > {}", surface.kind(), bounds.radius);
    }
}

#[test]
fn a_cavity_has_no_end() {
    for shape in all_shapes().iter().filter(|s| s.side == Side::Inside && s.surface.is_closed()) {
        assert_eq!(shape.bounds().radius, f64::INFINITY);
    }
}

#[test]
fn kinds_are_the_names_of_the_registry() {
    for surface in all_surfaces() {
        let kind = surface.kind();
        let entry = surfaces::ALL.iter().find(|entry| entry.name == kind).expect(kind);
        assert!(!entry.summary.is_empty() && entry.params.iter().all(|p| !p.doc.is_empty()));
        assert_eq!(Shape { surface, side: Side::Outside }.describe(), entry.name);
    }
}

/// Every parameter of every kind, with values that cannot be: an error that names it, with the table's
/// check and without.
#[test]
fn impossible_measures_are_refused_by_name() {
    for entry in surfaces::ALL {
        for param in entry.params {
            // the radius of a tip is zero, and a taper may be
            let bad = [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0];
            let zero = param.allowed == Allowed::NotNegative || param.name == "taper";
            for bad in &bad[..if zero { 4 } else { 5 }] {
                let good = open_args(entry.name).unwrap_or_default();
                let args = entry.params.iter().fold(good.clone(), |args, p| {
                    let x = if p.name == param.name { *bad } else { 1.0 };
                    let value = match (p.allowed, p.length) {
                        _ if x == 1.0 && good.get(p.name).is_some() => return args,
                        (Allowed::Region, _) => {
                            Value::Region { min: [x; 3], max: [if x < 0.0 { x } else { 0.0 }; 3] }
                        }
                        (_, n) if p.list => Value::Numbers(vec![x; 4 * n]),
                        (_, 1) => Value::Number(x),
                        (_, n) => Value::Numbers(vec![x; n]),
                    };
                    args.with(p.name, value)
                });
                for error in [entry.make(&args).err(), (entry.build)(&args).err()] {
                    let error = error.expect("an impossible measure was taken").to_string();
                    assert!(error.contains(param.name) && error.contains(entry.name), "{error}");
                }
            }
            let error = entry.make(&Args::new()).expect_err("nothing was enough").to_string();
            assert!(error.contains(entry.name), "{error}");
            assert!((entry.build)(&Args::new()).is_err());
        }
        let more = Args::new().with("colour", Value::Number(1.0));
        assert!(entry.make(&more).err().is_some_and(|e| e.to_string().contains("colour")));
    }
}
