//! Every pair the registry can bind: what a contact must be.

use crate::common::{Moving, all_pairs, all_shapes, between_caps, cases, contact, moving, pose};
use carom_base::{Dual, Mat3, Pose, Vec3};
use carom_geometry::pairs::{
    plane_box, plane_capsule, plane_convex, plane_cylinder, sphere_any, sphere_plane, sphere_sphere,
};
use carom_geometry::surfaces::{Cuboid, Cylinder, Ellipsoid};
use carom_geometry::{Contact, PairFailure, ProjectFormula, Shape, Side, pairs};
use carom_testkit::one_in;
use proptest::prelude::*;

/// The table of pairs, which is generated: a pair that is no longer in it, or bound by another algorithm, is a change to be noticed where the file is looked at before it is kept.
#[test]
fn the_table_of_pairs() {
    let mut table = String::new();
    let shapes = all_shapes();
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i..] {
            let names = (a.describe(), b.describe());
            match pairs::bind(a, b) {
                Ok(pair) => {
                    let line = format!("{}, {}: {}\n", names.0, names.1, pair.solver());
                    // a kind may be there twice
                    if !table.contains(&line) {
                        table += &line;
                    }
                }
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.contains(&names.0) && text.contains(&names.1), "{text}");
                }
            }
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pairs.txt");
    if std::env::var_os("CAROM_GEN").is_some() {
        std::fs::write(path, &table).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    for line in found.lines().filter(|line| !table.lines().any(|l| l == *line)) {
        println!("- {line}");
    }
    for line in table.lines().filter(|line| !found.lines().any(|l| l == *line)) {
        println!("+ {line}");
    }
    assert!(found == table, "{path} is out of date (see above): if that is meant, run `cargo xtask gen`");
}

#[test]
fn pairs_are_bound_in_either_order() {
    let shapes = all_shapes();
    let both = shapes.iter().enumerate().flat_map(|(i, a)| shapes[i..].iter().map(move |b| (a, b)));
    for (a, b) in one_in(7, both) {
        let solver = |a: &Shape, b: &Shape| pairs::bind(a, b).ok().map(|pair| pair.solver());
        assert_eq!(solver(a, b), solver(b, a), "{} and {}", a.describe(), b.describe());
    }
}

#[test]
fn features_have_names_of_their_own() {
    for (a, b, pair) in all_pairs() {
        let names: Vec<String> = (0..pair.features()).map(|k| pair.feature_name(k)).collect();
        let mut unique = names.clone();
        unique.sort();
        unique.dedup();
        assert!(unique.len() == names.len() && !names.is_empty(), "{} {}", a.describe(), b.describe());
        assert!(names.iter().all(|n| !n.is_empty()));
    }
}

fn same(a: &Contact, b: &Contact, tolerance: f64) -> bool {
    (a.p_a - b.p_a).norm() < tolerance
        && (a.p_b - b.p_b).norm() < tolerance
        && (a.n - b.n).norm() < tolerance
        && (a.delta - b.delta).abs() < tolerance
}

proptest! {
    #![proptest_config(cases(6))]

    #[test]
    fn the_indentation_is_between_the_points(x_a in pose(1.5), x_b in pose(1.5)) {
        for (a, b, pair) in all_pairs() {
            for k in 0..pair.features() {
                let Some(c) = contact(&**pair, k, &x_a, &x_b) else { continue };
                let name = format!("{} {} {}", a.describe(), b.describe(), pair.feature_name(k));
                // (deep within, where walls are as near as each other, a mean of their normals stands for the normal)
                let deep = pair.solver() == "crowned" && c.delta > 0.0;
                assert!((c.n.norm() - 1.0).abs() < 2e-15 || (deep && c.n.norm() < 1.0), "{name}");
                assert!(((c.p_a - c.p_b) - c.n * c.delta).norm() < 1e-14, "{name}");
            }
            let Ok((k, nearest)) = pair.nearest(&x_a, &x_b) else { continue };
            prop_assert!(same(&nearest, &pair.contact(k, &x_a, &x_b).unwrap(), f64::MIN_POSITIVE));
            for k in 0..pair.features() {
                prop_assert!(pair.contact(k, &x_a, &x_b).unwrap().delta <= nearest.delta);
            }
        }
    }

    #[test]
    fn swapping_the_bodies_swaps_the_contact(x_a in pose(1.5), x_b in pose(1.5)) {
        for (a, b, pair) in all_pairs() {
            // of two alike the second counts as the smaller, whichever that is
            if a.describe() == b.describe() && matches!(pair.solver(), "box-box" | "capsule-cylinder" | "crowned" | "cylinder-cylinder") {
                continue;
            }
            let back = pairs::bind(b, a).unwrap();
            prop_assert_eq!(back.features(), pair.features());
            prop_assert_eq!(back.bounds().hollow_radius, pair.bounds().hollow_radius);
            for k in 0..pair.features() {
                let Some(c) = contact(&**pair, k, &x_a, &x_b) else { continue };
                let d = back.contact(k, &x_b, &x_a).unwrap().swapped();
                let name = format!("{} {} {k}", a.describe(), b.describe());
                let (bend, bent) = (pair.curvature(k, &x_a, &x_b), back.curvature(k, &x_b, &x_a));
                // two alike are searched for from the other end: the same to rounding; deeper in one another than their coats two sides may be as
                // deep
                if a.describe() == b.describe() && pair.solver() == "convex" {
                    let coat = |s: &Shape| s.surface.as_support().unwrap().least_radius();
                    if c.delta > 0.9 * (coat(a) + coat(b)) {
                        continue;
                    }
                    assert!(same(&c, &d, 1e-11) && (bend.k_max / bent.k_max - 1.0).abs() < 1e-10, "{name}");
                } else {
                    assert!(same(&c, &d, 1e-14) && bend == bent, "{name}");
                }
                prop_assert_eq!(pair.feature_name(k), back.feature_name(k));
            }
        }
    }

    #[test]
    fn moving_the_world_moves_the_contact(x_a in pose(1.5), x_b in pose(1.5), world in pose(3.0)) {
        for (a, b, pair) in all_pairs() {
            for k in 0..pair.features() {
                let Some(c) = contact(&**pair, k, &x_a, &x_b) else { continue };
                let d = match pair.contact(k, &world.then(&x_a), &world.then(&x_b)) {
                    // whether blocks are too deep in one another is decided where a distance is zero to rounding
                    Err(PairFailure::TooDeep) if c.delta > 0.0 => continue,
                    d => d.unwrap(),
                };
                let moved = Contact {
                    p_a: world.point(&c.p_a),
                    p_b: world.point(&c.p_b),
                    n: world.direction(&c.n),
                    ..c
                };
                // close to an axis a normal is as uncertain as the point is relative to that distance
                let off = (c.delta - d.delta).abs();
                assert!(off < 1e-14, "{} {} {k}: {off}", a.describe(), b.describe());
                assert!(same(&moved, &d, 1e-11), "{} {} {k}", a.describe(), b.describe());
            }
        }
    }

    #[test]
    fn the_rate_of_the_indentation_is_that_of_the_material(a in moving(1.5), b in moving(1.5)) {
        for (shape_a, shape_b, pair) in all_pairs() {
            for k in 0..pair.features() {
                let h = 1e-6;
                let at = |t: f64| contact(&**pair, k, &a.at(t), &b.at(t));
                let (Some(b_), Some(c), Some(a_)) = (at(-h), at(0.0), at(h)) else { continue };
                let (before, after) = ((c.delta - b_.delta) / h, (a_.delta - c.delta) / h);
                // where another piece of the surface takes over just here the rate is one side's
                let common = c.common_rate(|| [a.velocity(&c.p_a) - b.velocity(&c.p_a), a.w - b.w]);
                let rate = common.unwrap_or((a.velocity(&c.p_a) - b.velocity(&c.p_b)).dot(&c.n));
                let name = format!("{} {} {k}", shape_a.describe(), shape_b.describe());
                let slack = 1e-6 * (1.0 + rate.abs());
                let (low, high) = (before.min(after) - slack, before.max(after) + slack);
                assert!(low < rate && rate < high, "{name}: {before} {rate} {after}");
            }
        }
    }

    #[test]
    fn the_rate_by_duals_is_that_of_the_material(a in moving(1.5), b in moving(1.5)) {
        let (x_a, x_b) = (dual_pose(&a), dual_pose(&b));
        let corner = Vec3::new(0.5, -0.25, 0.75).map(<Dual<1> as carom_base::Scalar>::from_f64);
        let (brick, can) = (Cuboid::new([1.0, 1.5, 0.5]).unwrap(), Cylinder::new(0.4, 1.2).unwrap());
        let egg = Ellipsoid::new([0.3, 0.7, 0.5]).unwrap();
        let local = x_a.point_to_local(&x_b.p);
        let contacts = [
            sphere_sphere::contact(Side::Outside, 0.5, 0.7, &x_a, &x_b),
            sphere_sphere::contact(Side::Inside, 2.5, 0.7, &x_a, &x_b),
            sphere_plane::contact(0.7, &x_a, &x_b),
            sphere_any::contact(0.7, &x_a, &x_b.p, &ProjectFormula::closest_point(&brick, Side::Outside, 0, &local)),
            sphere_any::contact(0.7, &x_a, &x_b.p, &ProjectFormula::closest_point(&can, Side::Outside, 0, &local)),
            sphere_any::contact(0.7, &x_a, &x_b.p, &ProjectFormula::closest_point(&can, Side::Inside, 0, &local)),
            plane_box::contact(&corner, &x_a, &x_b),
            plane_capsule::contact(0.3, -0.8, &x_a, &x_b),
            plane_cylinder::contact(-0.4, 0.6, &x_a, &x_b),
            plane_cylinder::contact(0.4, -0.6, &x_a, &x_b),
            plane_convex::contact(&egg.support(&-x_b.direction_to_local(&x_a.axis(2))), &x_a, &x_b),
        ];
        for (i, c) in contacts.iter().enumerate() {
            let [p_a, p_b, n] = [c.p_a, c.p_b, c.n].map(|v| v.map(|x| x.re));
            let rate = (a.velocity(&p_a) - b.velocity(&p_b)).dot(&n);
            assert!((rate - c.delta.eps[0]).abs() < 1e-13 * (1.0 + rate.abs()), "{i}: {rate} {}", c.delta.eps[0]);
        }
    }

    /// A gap that passes straight on at unit speed bends towards contact no more than promised.
    #[test]
    fn gaps_bend_no_more_than_their_hollow_radius_says(
        x_a in pose(0.3), x_b in pose(1.5), direction in crate::common::vector(1.0)
    ) {
        prop_assume!(direction.norm() > 0.1);
        let v = direction.normalize();
        for (a, b, pair) in all_pairs() {
            let Some(radius) = pair.bounds().hollow_radius else { continue };
            if !between_caps(a, &x_a, &x_b) || !between_caps(b, &x_b, &x_a) {
                continue;
            }
            for k in 0..pair.features() {
                let h = 1e-4;
                let gap = |t: f64| {
                    let moved = Pose { p: x_b.p + v * t, r: x_b.r };
                    -pair.contact(k, &x_a, &moved).unwrap().delta
                };
                let widest = gap(-h).max(gap(h)).max(gap(0.0));
                if widest < radius - 0.02 {
                    let bend = (gap(h) + gap(-h) - 2.0 * gap(0.0)) / (h * h);
                    let name = format!("{} {} {k}", a.describe(), b.describe());
                    let least = -1.0 / (radius - widest);
                    assert!(bend >= least * (1.0 + 1e-4) - 1e-6, "{name}: {bend} < {least}");
                    assert!(widest > 0.5 * radius || least >= -2.0 / radius);
                }
            }
        }
    }
}

fn dual_pose(m: &Moving) -> Pose<Dual<1>> {
    let now = m.at(0.0);
    let rate = Mat3::new(0.0, -m.w.z, m.w.y, m.w.z, 0.0, -m.w.x, -m.w.y, m.w.x, 0.0) * now.r;
    let dual = |re: f64, eps: f64| Dual { re, eps: [eps] };
    Pose { p: now.p.zip_map(&m.v, dual), r: now.r.zip_map(&rate, dual) }
}

#[test]
fn closed_forms_agree_with_the_general_one() {
    let turn = carom_base::Quat::from_euler_angles(0.3, -0.8, 1.1);
    let x_a = Pose::new(Vec3::new(0.1, -0.2, 0.3), &turn);
    let x_b = Pose::at(Vec3::new(0.25, 0.1, 0.4));
    let mut seen = 0;
    for (a, b, pair) in all_pairs() {
        if matches!(pair.solver(), "sphere-sphere" | "sphere-plane") && b.describe() == "sphere" {
            let general = pairs::bind_with(&[&sphere_any::SphereAny], a, b).unwrap();
            let [special, general] = [pair, &general].map(|p| p.contact(0, &x_a, &x_b).unwrap());
            assert!(same(&special, &general, 1e-15 * 4.0), "{}", a.describe());
            seen += 1;
        }
    }
    assert_eq!(seen, 3);
}

#[test]
fn poses_that_are_not_finite_are_an_error() {
    let good = Pose::at(Vec3::new(0.3, 0.2, 0.1));
    for (a, b, pair) in all_pairs() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for i in 0..3 {
                let mut lost = good;
                lost.p[i] = bad;
                for (x_a, x_b) in [(lost, good), (good, lost), (lost, lost)] {
                    for k in 0..pair.features() {
                        let name = format!("{} {} {k} {bad}", a.describe(), b.describe());
                        let result = pair.contact(k, &x_a, &x_b);
                        assert!(matches!(result, Err(PairFailure::NotFinite)), "{name}: {result:?}");
                        let _ = pair.curvature(k, &x_a, &x_b);
                    }
                    assert!(pair.nearest(&x_a, &x_b).is_err());
                }
            }
        }
        // a turn that is not a number matters to whatever is not a ball
        let spun = Pose { p: good.p, r: Mat3::repeat(f64::NAN) };
        for k in 0..pair.features() {
            let _ = pair.contact(k, &spun, &good);
            let _ = pair.contact(k, &good, &spun);
            let _ = pair.contact(k, &spun, &spun);
        }
    }
}

#[test]
fn a_feature_too_many_is_an_error() {
    for (_, _, pair) in all_pairs() {
        for k in [pair.features(), usize::MAX] {
            let result = pair.contact(k, &Pose::identity(), &Pose::at(Vec3::x()));
            assert!(matches!(result, Err(PairFailure::NoFeature(n)) if n == k));
            assert_eq!(pair.feature_name(k), "");
        }
    }
}

#[test]
fn coincident_frames_have_contacts() {
    for (a, b, pair) in all_pairs() {
        for k in 0..pair.features() {
            let Some(c) = contact(&**pair, k, &Pose::identity(), &Pose::identity()) else { continue };
            assert!((c.n.norm() - 1.0).abs() < 1e-15, "{} {}", a.describe(), b.describe());
        }
    }
}
