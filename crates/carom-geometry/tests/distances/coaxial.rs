//! Solids of revolution on one axis, and almost so.

use std::sync::Arc;

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::surfaces::{Capsule, Cone, Cylinder, Ellipsoid};
use carom_geometry::{Shape, Side, Surface, pairs};

use crate::asked;
use crate::checks::fault;
use crate::common::Random;
use crate::shapes::Case;

/// How far a solid of revolution goes along a direction at the angle θ with its axis, z, from its profile alone: the furthest of its rims, tips and balls, or of a spheroid.
struct Profile {
    solid: Arc<dyn Surface>,
    height: Box<dyn Fn(f64) -> f64>,
}

fn revolved(kind: usize, r: &mut Random) -> Profile {
    let [a, b, h] = [0, 1, 2].map(|_| r.scale(0.1, 1.0));
    let rims = move |a: f64, b: f64, t: f64| (a * t.sin() - h * t.cos()).max(b * t.sin() + h * t.cos());
    match kind {
        0 => Profile {
            solid: Arc::new(Cone::new(a, 0.0, 2.0 * h).unwrap()),
            height: Box::new(move |t| rims(a, 0.0, t)),
        },
        1 => Profile {
            solid: Arc::new(Cone::new(a, b, 2.0 * h).unwrap()),
            height: Box::new(move |t| rims(a, b, t)),
        },
        2 => Profile {
            solid: Arc::new(Cylinder::new(a, 2.0 * h).unwrap()),
            height: Box::new(move |t| rims(a, a, t)),
        },
        3 => Profile {
            solid: Arc::new(Capsule::new(a, 2.0 * h).unwrap()),
            height: Box::new(move |t| a + h * t.cos().abs()),
        },
        _ => Profile {
            solid: Arc::new(Ellipsoid::new([a, a, h]).unwrap()),
            height: Box::new(move |t| (a * t.sin()).hypot(h * t.cos())),
        },
    }
}

#[test]
fn depths_of_coaxial_solids_of_revolution_are_certified() {
    let mut r = Random::of("coaxial");
    let (mut deep, mut round) = (0, 0);
    for (i, j) in (0..60).flat_map(|_| (0..5).flat_map(|i| (i..5).map(move |j| (i, j)))) {
        let (a, b) = (revolved(i, &mut r), revolved(j, &mut r));
        let (z, over) = (r.between(-0.5, 0.5), r.next() < 0.5);
        let x_a = r.pose(1.0);
        let turn = Quat::from_scaled_axis(Vec3::x() * if over { std::f64::consts::PI } else { 0.0 });
        let x_b = x_a.then(&Pose::new(Vec3::z() * z, &turn));
        // along n, at the angle θ with A's axis, B goes as far back as it goes along −n
        let depth = |t: f64| {
            let back = if over { t } else { std::f64::consts::PI - t };
            (a.height)(t) + (b.height)(back) - z * t.cos()
        };
        let angle = |k: usize| std::f64::consts::PI * k as f64 / 4000.0;
        let k = (0..=4000).min_by(|k, l| depth(angle(*k)).total_cmp(&depth(angle(*l)))).unwrap();
        // by thirds, the depth having one minimum so close to its least
        let (mut from, mut to) = (angle(k.saturating_sub(1)), angle((k + 1).min(4000)));
        while to - from > 1e-9 {
            let third = (to - from) / 3.0;
            if depth(from + third) < depth(to - third) { to -= third } else { from += third }
        }
        let least = depth(0.5 * (from + to)).min(depth(angle(k)));
        if least < 0.0 {
            continue;
        }
        let shapes = [a.solid, b.solid].map(|surface| Shape { surface, side: Side::Outside });
        let pair = pairs::bind_for_query(&shapes[0], &shapes[1]).unwrap();
        let found = pair.search(&x_a, &x_b, None).unwrap();
        let across = found.contact.n.dot(&x_a.axis(2)).abs();
        deep += 1;
        round += usize::from(across < 0.99);
        assert!(found.certified(), "{i} {j}: {found:?}");
        assert!((found.contact.delta - least).abs() < 1e-9, "{i} {j}: {least} {found:?}");
    }
    // most are deep in one another, and many are shortest apart all around
    assert!(deep > 500 && round > 200, "{deep} {round}");
}

/// Tilted by 1e-12 to 1e-3, and aside by as little: the way apart is then next to one of many, all round. `CAROM_TIMES` for more of them.
#[test]
fn depths_of_nearly_coaxial_solids_are_certified() {
    let mut r = Random::of("nearly coaxial");
    let (mut faults, mut seen) = (String::new(), 0);
    for (i, j) in
        (0..40 * asked("CAROM_TIMES", 1)).flat_map(|_| (0..5).flat_map(|i| (i..5).map(move |j| (i, j))))
    {
        let [a, b] = [i, j].map(|kind| Shape { surface: revolved(kind, &mut r).solid, side: Side::Outside });
        let x_a = r.pose(1.0);
        let mut small = || r.direction() * r.scale(1e-12, 1e-3);
        let over = if seen % 2 == 0 { std::f64::consts::PI } else { 0.0 };
        let turn = Quat::from_scaled_axis(small()) * Quat::from_scaled_axis(Vec3::x() * over);
        let aside = small();
        let x_b = x_a.then(&Pose::new(Vec3::z() * r.between(-0.5, 0.5) + aside, &turn));
        let size = a.surface.bounds().radius + b.surface.bounds().radius;
        let case = Case { a, b, x_a, x_b, size };
        let pair = pairs::bind_for_query(&case.a, &case.b).unwrap();
        let found = pair.search(&case.x_a, &case.x_b, None);
        let wrong = match found {
            Ok(found) => fault(&case, pair.solver().to_owned(), &found, &mut r).1,
            Err(e) => Some(e.to_string()),
        };
        if let Some(wrong) = wrong {
            faults += &format!("{}: {wrong}\n{:?}\n{:?}\n", case.name(), case.x_a, case.x_b);
        }
        seen += 1;
    }
    assert!(faults.is_empty(), "{faults}");
}
