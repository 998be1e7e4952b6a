//! Friction laws whose stiffness is that of the contact, in closed form: partial slip, loops, cycles of the load; and their derivatives.

use std::sync::Arc;

use carom_base::{Dual, Scalar, Vec3};
use carom_law::friction::{CundallStrack, MawBarberFawcett, Mindlin, MindlinDeresiewicz};
use carom_law::{Friction, FrictionLaw, Grip, Memory, Slip};
use carom_testkit::{Random, within};

use crate::compliant::{K, MU, Path, RATIO, Walk, axis, grip, laws, part_of};

/// Mindlin's partial slip under a constant load (Cattaneo 1938, Mindlin 1949): T = μN (1 − (1 − u/u_m)^{3/2}), u_m = 3μN/(2k), and its return from u₁, twice
/// that of half the way back.
#[test]
fn rings_slip_as_mindlin_has_it() {
    let (depth, n) = (1.0, K);
    let u_m = 1.5 * MU * n / (1.5 * RATIO * K);
    let part = |u: f64| MU * n * (1.0 - (1.0 - u / u_m).max(0.0).powf(1.5));
    let mut errors = Vec::new();
    for rings in [10, 20, 40, 80] {
        let law = MawBarberFawcett::new(MU).unwrap().ratio(RATIO).rings(rings);
        let delta = |_: f64| (depth, 0.0);
        // to 0.8 u_m, and back to −0.8 u_m
        let slip = |t: f64| Vec3::new(0.8 * u_m * (part_of(t, 0.0).1 - 2.0 * part_of(t, 1.0).1), 0.0, 0.0);
        let mut walk =
            Walk::new(&law, Path { delta: &delta, slip: &slip, damping: 0.0, power: 1.5, oval: 0.0 });
        (walk.grip.reach, walk.grip.touching) = (1.1 * depth, 0);
        walk.y.fill(0.0);
        walk.settle(None);
        let mut worst = 0f64;
        for i in 1..=20 {
            let t = 0.1 * f64::from(i);
            walk.to(t, 0.01);
            let (there, back) = (0.8 * u_m * part_of(t, 0.0).0, 0.8 * u_m * part_of(t, 1.0).0);
            let want = part(there) - 2.0 * part(back);
            worst = worst.max((-walk.force().x - want).abs() / (MU * n));
        }
        errors.push(worst);
    }
    println!("{errors:?}");
    assert!(errors[0] < 1e-2 && errors[1] < 3e-3 && errors[3] < 3e-4, "{errors:?}");
}

/// An ellipse that is sheared in a fixed direction slips as a circle does with the stiffness of that direction (Vermeulen and Johnson 1964): along its axes, under a load that changes.
#[test]
fn ellipses_slip_as_circles_do() {
    let delta = |t: f64| (1.0 + 0.5 * (1.7 * t).sin(), 0.85 * (1.7 * t).cos());
    let way = |along: &Vec3| {
        let along = *along;
        move |t: f64| along * (0.5 * (2.3 * t).cos())
    };
    for law in laws() {
        for (along, sign) in [(axis(), 1.0), (Vec3::new(-0.6, 0.8, 0.0), -1.0)] {
            let slip = way(&along);
            let circle = way(&Vec3::x());
            let path = |slip| Path { delta: &delta, slip, damping: 0.0, power: 1.5, oval: 0.0 };
            let mut found = Walk::new(law.as_ref(), Path { oval: 0.2, ..path(&slip) });
            let mut want = Walk::new(law.as_ref(), path(&circle));
            // a circle with that stiffness: κ and, where it is given, k
            let other: Arc<dyn Friction> = match law.name() {
                "cundall-strack" if law.stiffness_ratio() == Some(1.0) => {
                    Arc::new(CundallStrack::new(MU).unwrap().stiffness(0.7 / (1.0 + 0.2 * sign)))
                }
                _ => Arc::clone(&law),
            };
            want.law = other.as_ref();
            want.grip.ratio = RATIO / (1.0 + 0.2 * sign);
            for i in 1..=8 {
                let t = 0.25 * f64::from(i);
                found.to(t, 1e-3);
                want.to(t, 1e-3);
                let what = format!("{} {sign} {t}", law.name());
                within(&what, found.force().dot(&along), want.force().x, 1e-9, 1.0);
                within(&what, found.work(), want.work(), 1e-9, 1.0);
            }
        }
    }
}

/// Under loads down to nothing, where directions of slip turn fast: passive and within the cone at every instant, which the walk asks for, and the ledger closes.
#[test]
fn light_loads_in_ellipses() {
    for law in laws() {
        let delta = |t: f64| (0.5001 + 0.5 * (3.0 * t).cos(), -1.5 * (3.0 * t).sin());
        let slip = |t: f64| Vec3::new((1.1 * t).cos(), (2.3 * t).sin(), 0.0) * 0.5;
        let path = Path { delta: &delta, slip: &slip, damping: 0.0, power: 1.5, oval: 0.3 };
        let mut walk = Walk::new(law.as_ref(), path);
        // (to the lightest load and a little beyond: within it the steps resolve no turn at all)
        walk.to(1.02, 2e-4);
        within(law.name(), walk.stored() + walk.lost(), walk.work(), 1e-8, 1.0);
    }
}

/// What Masing's rule makes of a curve of first shear f, which is odd: the force after shearing to each of these in turn, from nothing. A turn that is passed is forgotten.
fn masing(f: &dyn Fn(f64) -> f64, turns: &[f64]) -> f64 {
    let mut open: Vec<f64> = Vec::new();
    let (mut at, mut rising) = (0.0, None);
    for &next in turns {
        let up = next > at;
        if rising.is_some_and(|rising| rising != up) {
            open.push(at);
        }
        rising = Some(up);
        // past the turn before the last one, both are forgotten; past the first one on either side, all are
        while let Some(&last) = open.last() {
            let before = if open.len() > 1 { open[open.len() - 2] } else { -last };
            if (next - before) * (last - before) > 0.0 {
                break;
            }
            open.truncate(open.len().saturating_sub(2));
        }
        at = next;
    }
    let mut force = open.first().map_or(f(at), |first| f(*first));
    for (i, turn) in open.iter().enumerate() {
        let end = open.get(i + 1).copied().unwrap_or(at);
        force += 2.0 * f(0.5 * (end - turn));
    }
    force
}

/// The elements' own curve: the polygon of tangents to 1 − (1 − x)^p, which is concave, and so the least of them.
fn polygon(x: f64, p: f64, n: usize) -> f64 {
    let tangent = |i: usize| {
        let y = (1.0 - i as f64 / n as f64).powf(2.0 / p);
        1.0 - y.powf(p) + p * y.powf(p - 1.0) * (x.abs() - (1.0 - y))
    };
    (0..n).map(tangent).fold(1.0, f64::min) * x.signum()
}

/// Under a constant load the elements have Mindlin and Deresiewicz' loops, which are Masing's, from every turn: with the polygon of tangents to rounding, and with Mindlin's
/// own curve to 0.193 μN/n², and twice that for each turn that is remembered.
#[test]
fn turns_of_the_shear_are_remembered() {
    for (p, elements) in [(1.5, 1), (1.5, 4), (1.5, 20), (2.5, 6), (1.0, 3)] {
        let law = MindlinDeresiewicz::new(MU).unwrap().ratio(RATIO).elements(elements);
        let delta = |_: f64| (0.7, 0.0);
        // as parts of the shear at which all slips; 1.2 slips as a whole
        let turns = [0.9, -0.2, 0.5, 0.1, 0.3, 0.15, 0.6, -0.4, -0.1, -0.95, 0.2, 0.0, 1.2, 0.8];
        let whole = MU * 0.7 / RATIO;
        let slip = |t: f64| {
            let i = (t.floor() as usize).min(turns.len() - 1);
            let from = if i == 0 { 0.0 } else { turns[i - 1] };
            Vec3::new(whole * (turns[i] - from) * part_of(t, i as f64).1, 0.0, 0.0)
        };
        let mut walk =
            Walk::new(&law, Path { delta: &delta, slip: &slip, damping: 0.0, power: p, oval: 0.0 });
        let load = MU * K * 0.7f64.powf(p);
        for i in 0..turns.len() {
            for part in [0.4, 1.0] {
                walk.to(i as f64 + part, 0.002);
                let from = if i == 0 { 0.0 } else { turns[i - 1] };
                let mut path = turns[..i].to_vec();
                path.push(from + (turns[i] - from) * part_of(part, 0.0).0);
                let what = format!("p {p}, {elements} elements, turn {i} {part}");
                let found = -walk.force().x / load;
                within(&what, found, masing(&|x| polygon(x, p, elements), &path), 1e-10, 1.0);
                let exact = masing(&|x| (1.0 - (1.0 - x.abs()).max(0.0).powf(p)) * x.signum(), &path);
                let error = 0.193 / (elements * elements) as f64;
                let allowed = (1.0 + 2.0 * i.min(4) as f64) * error;
                assert!(p != 1.5 || (found - exact).abs() <= allowed, "{what}: {found} for {exact}");
            }
        }
    }
}

/// What a loop of shear between ±u₁ loses, by Masing's rule 8 (∫ f du − f(u₁) u₁/2): as the square of the number of elements grows.
#[test]
fn a_loop_loses_what_mindlin_and_deresiewicz_have() {
    let x = 0.6;
    let (whole, load) = (MU / RATIO, MU * K);
    let curve = |x: f64| 1.0 - (1.0 - x).powf(1.5);
    let want = 8.0 * (x - (1.0 - (1.0 - x).powf(2.5)) / 2.5 - 0.5 * curve(x) * x) * load * whole;
    for elements in [10, 40] {
        let law = MindlinDeresiewicz::new(MU).unwrap().ratio(RATIO).elements(elements);
        let delta = |_: f64| (1.0, 0.0);
        let slip = |t: f64| {
            let rate = part_of(t, 0.0).1 - 2.0 * part_of(t, 1.0).1 + 2.0 * part_of(t, 2.0).1;
            Vec3::new(0.0, x * whole * rate, 0.0)
        };
        let mut walk =
            Walk::new(&law, Path { delta: &delta, slip: &slip, damping: 0.0, power: 1.5, oval: 0.0 });
        walk.to(1.0, 0.01);
        let before = walk.lost();
        walk.to(3.0, 0.01);
        let off = (walk.lost() - before) / want - 1.0;
        println!("{elements} elements: {off:e}");
        assert!(off.abs() < 3.0 / f64::from(elements as u32).powi(2), "{elements} elements: {off:e}");
    }
}

/// A load that falls after a first shear: T = μ (N(δ) − N(δ − κu/μ)), which is Mindlin's curve for what is left of the load.
#[test]
fn a_load_that_falls_leaves_partial_slip() {
    let u = 0.3 * MU / RATIO;
    for elements in [5, 20, 80] {
        let law = MindlinDeresiewicz::new(MU).unwrap().ratio(RATIO).elements(elements);
        let delta = |t: f64| (1.0 - 0.6 * part_of(t, 1.0).0, -0.6 * part_of(t, 1.0).1);
        let slip = |t: f64| Vec3::new(u * part_of(t, 0.0).1, 0.0, 0.0);
        let mut walk =
            Walk::new(&law, Path { delta: &delta, slip: &slip, damping: 0.0, power: 1.5, oval: 0.0 });
        for i in 1..=10 {
            let t = 1.0 + 0.1 * f64::from(i);
            walk.to(t, 0.01);
            let depth = delta(t).0;
            let left = (depth - RATIO * u / MU).max(0.0);
            let want = MU * K * (depth.powf(1.5) - left.powf(1.5));
            let off = -walk.force().x - want;
            let allowed = 0.193 * MU * K * depth.powf(1.5) / (elements * elements) as f64;
            assert!(
                (-1e-9..=allowed + 1e-9).contains(&off),
                "{elements} elements at {t}: {off:e} of {allowed:e}"
            );
        }
    }
}

/// With one element it is `mindlin-rescale`.
#[test]
fn one_element_is_mindlins() {
    let one = MindlinDeresiewicz::new(MU).unwrap().ratio(RATIO).elements(1);
    let same = Mindlin::new(MU).unwrap().ratio(RATIO).rescaled();
    let delta = |t: f64| (1.0 + 0.6 * (3.0 * t).sin(), 1.8 * (3.0 * t).cos());
    let slip = |t: f64| Vec3::new(0.6 * (1.7 * t).cos(), 0.3 * (2.3 * t).sin(), 0.0);
    let laws: [&dyn Friction; 2] = [&one, &same];
    let mut walks = laws
        .map(|law| Walk::new(law, Path { delta: &delta, slip: &slip, damping: 0.0, power: 1.5, oval: 0.0 }));
    for i in 1..=30 {
        walks.iter_mut().for_each(|walk| walk.to(0.1 * f64::from(i), 1e-3));
        let [a, b] = &walks;
        assert!((a.force() - b.force()).norm() < 1e-12, "{i}");
    }
}

/// Elata and Berryman's cycle: press, shear by s, part by half, shear back, press. `mindlin` gives what the force it keeps is worth; `mindlin-rescale` loses.
#[test]
fn unloading_makes_energy_or_loses_it() {
    let s = 0.02;
    // depth 1 to 0.25, so that k falls to its half
    let delta = |t: f64| {
        let (fall, rise) = (part_of(t, 1.0), part_of(t, 3.0));
        (1.0 - 0.75 * (fall.0 - rise.0), -0.75 * (fall.1 - rise.1))
    };
    let slip = |t: f64| Vec3::new(s * (part_of(t, 0.0).1 - part_of(t, 2.0).1), 0.0, 0.0);
    let k = 1.5 * RATIO * K;
    for (rescaled, want) in [
        // ½ k s² is given; k s − k/2 s remains: back it takes k s² − ¼ k s²; work in all is −¼ k s²
        (false, -0.25 * k * s * s),
        // the force falls to k s/2, and all of it is given back: ¼ k s²
        (true, 0.25 * k * s * s),
    ] {
        let law = Mindlin::new(MU).unwrap().ratio(RATIO);
        let law = if rescaled { law.rescaled() } else { law };
        let mut walk =
            Walk::new(&law, Path { delta: &delta, slip: &slip, damping: 0.0, power: 1.5, oval: 0.0 });
        // (each part of the path is smooth)
        for i in 1..=4000 {
            walk.to(f64::from(i) * 1e-3, 1e-3);
        }
        within(law.name(), walk.work(), want, 1e-9, 0.0);
        within("ledger", walk.stored() + walk.lost(), walk.work(), 1e-9, 1e-3);
        let left = if rescaled { 0.0 } else { -0.5 * k * s };
        within("force", -walk.force().x, -left, 1e-9, k * s);
    }
}

/// Full slip is μN exactly, however many rings there are, and stays it while the load changes.
#[test]
fn full_slip_is_coulombs() {
    for law in laws() {
        let delta = |t: f64| (0.3 + t, 1.0);
        let slip = |_: f64| Vec3::new(0.0, -4.0, 0.0);
        let mut walk =
            Walk::new(law.as_ref(), Path { delta: &delta, slip: &slip, damping: 0.0, power: 1.5, oval: 0.0 });
        for t in [0.3, 0.7, 1.1] {
            walk.to(t, 1e-3);
            within(law.name(), walk.force().y, MU * K * (0.3 + t).powf(1.5), 1e-12, 0.0);
        }
    }
}

/// The derivatives of forces and rates against differences, in every mode; and by the direction of an ellipse, which follows from them, as the laws have no other direction.
#[test]
fn duals_agree_with_differences() {
    let mut random = Random(23);
    for (law, oval) in laws().into_iter().flat_map(|law| [(Arc::clone(&law), 0.0), (law, 0.2)]) {
        let grip = Grip { reach: 1.2, ..grip(oval) };
        for mode in [0.0, 1.0, 2.0, 3.0] {
            for _ in 0..20 {
                let v = |random: &mut Random| random.between(-1.0, 1.0);
                // f_n, v_t, z, s, δ, δ̇, and by how much the axis is turned
                let x = [
                    random.between(0.2, 1.2),
                    v(&mut random),
                    v(&mut random),
                    0.0,
                    0.3 * v(&mut random),
                    0.3 * v(&mut random),
                    0.0,
                    mode,
                    random.between(0.3, 1.0),
                    v(&mut random),
                    0.0,
                ];
                let element = if law.elements() > 1 { 2 } else { 0 };
                let turned = |angle: f64| {
                    let (sin, cos) = angle.sin_cos();
                    Vec3::new(0.8 * cos - 0.6 * sin, 0.6 * cos + 0.8 * sin, 0.0)
                };
                let plain = |x: &[f64; 11]| {
                    let v_t = Vec3::new(x[1], x[2], x[3]);
                    let at = Slip { axis: turned(x[10]), ..Slip::of_power(&grip, x[0], x[8], x[9], v_t) };
                    let memory = Memory { z: Vec3::new(x[4], x[5], x[6]), s: x[7] };
                    let now = law.evolve_at(element, &at, &grip, &memory);
                    let (f, z) = (now.f_t, now.rate.z);
                    [f.x, f.y, f.z, z.x, z.y, z.z, now.stored]
                };
                let d: [Dual<10>; 10] = std::array::from_fn(|i| Dual::variable(x[i], i));
                let v_t = Vec3::new(d[1], d[2], d[3]);
                let at = Slip { axis: axis(), ..Slip::of_power(&grip, d[0], d[8], d[9], v_t) };
                let memory = Memory { z: Vec3::new(d[4], d[5], d[6]), s: d[7] };
                let now = law.evolve_at_dual(element, &at, &grip, &memory);
                let (f, z) = (now.f_t, now.rate.z);
                let exact = [f.x, f.y, f.z, z.x, z.y, z.z, now.stored];
                // a turn of all vectors turns force and rate with them
                let turn =
                    |at: usize| Vec3::z().cross(&Vec3::new(exact[at].re, exact[at + 1].re, exact[at + 2].re));
                let (force, rate) = (turn(0), turn(3));
                let whole = [force.x, force.y, force.z, rate.x, rate.y, rate.z, 0.0];
                let by_axis: Vec<f64> = (0..7)
                    .map(|i| {
                        let by = |at: usize| {
                            Vec3::new(exact[i].eps[at], exact[i].eps[at + 1], exact[i].eps[at + 2])
                        };
                        let [v, z] = [Vec3::new(x[1], x[2], x[3]), Vec3::new(x[4], x[5], x[6])];
                        whole[i] - by(1).dot(&Vec3::z().cross(&v)) - by(4).dot(&Vec3::z().cross(&z))
                    })
                    .collect();
                let values = plain(&x);
                for i in 0..7 {
                    within(law.name(), exact[i].re, values[i], 1e-14, 1.0);
                    for j in 0..11 {
                        let along = |h: f64| {
                            let mut x = x;
                            x[j] += h;
                            plain(&x)[i]
                        };
                        let slope = |h: f64| {
                            (45.0 * (along(h) - along(-h)) - 9.0 * (along(2.0 * h) - along(-2.0 * h))
                                + along(3.0 * h)
                                - along(-3.0 * h))
                                / (60.0 * h)
                        };
                        let (wide, numeric) = (slope(2e-4), slope(1e-4));
                        // a corner between the points of a difference
                        if (wide - numeric).abs() > 1e-9 * (1.0 + numeric.abs()) {
                            continue;
                        }
                        let found = if j < 10 { exact[i].eps[j] } else { by_axis[i] };
                        within(&format!("{} {oval} {mode} {i} {j}", law.name()), found, numeric, 1e-8, 1.0);
                    }
                }
            }
        }
    }
}
