//! Friction laws with memory: every one in the registry with every combination of sample parameters, and each against its
//! source in one dimension.

use carom_testkit::{Random, within};
use std::sync::Arc;

use crate::common::{FrictionSample, bristle_laws, bristle_laws_with, slope};
use carom_base::{Dual, Quat, Scalar, SpecError, Vec3};
use carom_law::friction::{self, Dahl, ElastoPlastic, GonthierBristle, LuGre, ResetIntegrator};
use carom_law::{Evolution, Friction, FrictionLaw, LawError, Memory};

/// A load at which friction is full.
const LOAD: f64 = 0.01;

fn random_vector(random: &mut Random, size: f64) -> Vec3 {
    Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0)) * size
}

/// A normal force, a slip and bristles bent by up to twice what they can be: any state a contact may be in.
fn random_state(random: &mut Random, law: &Arc<dyn Friction>) -> (f64, Vec3, Memory) {
    let f_n = 10f64.powf(random.between(-6.0, 1.5));
    let v = random_vector(random, 1.0) * 10f64.powf(random.between(-6.0, 1.5));
    let bend = 2.0 * law.deflection(10f64.powf(random.between(-4.0, 1.5)));
    (f_n, v, Memory { z: random_vector(random, bend), s: random.between(0.0, 1.0) })
}

/// What slip gives, and what it comes to.
fn powers(now: &Evolution, v: &Vec3) -> (f64, f64) {
    (-now.f_t.dot(v), -now.f_t.dot(v) - now.stored)
}

fn is_constant(sample: &FrictionSample) -> bool {
    sample.args.text("damping_form") == Some("constant")
}

#[test]
fn what_slip_gives_is_stored_or_dissipated() {
    let mut random = Random(11);
    for sample in bristle_laws() {
        let (name, law) = (&sample.name, &sample.law);
        for _ in 0..200 {
            let (f_n, v, memory) = random_state(&mut random, law);
            let now = law.evolve(f_n, &v, &memory, LOAD);
            let (_, lost) = powers(&now, &v);
            let size = now.f_t.norm() * v.norm() + now.stored.abs();
            if !is_constant(&sample) {
                assert!(
                    lost >= -1e-13 * size,
                    "{name}: drives at {f_n} {v:?} {memory:?}: {lost:e} of {size:e}"
                );
            }
            // the rate of the stored energy is that of `energy`, a quadratic form
            let h = 1e-3 * memory.z.norm() / now.rate.z.norm();
            let at = |h: f64| law.energy(&Memory { z: memory.z + now.rate.z * h, ..memory });
            within(name, (at(h) - at(-h)) / (2.0 * h), now.stored, 1e-9, at(0.0) / h * 1e-3);
        }
        let none = law.evolve(0.0, &Vec3::x(), &Memory { z: Vec3::x() * 1e-6, s: 0.5 }, LOAD);
        assert_eq!(none.f_t.norm(), 0.0, "{name}: friction without a load");
    }
}

/// Along a random walk of slip and load: stored + dissipated = work, by the classical Runge–Kutta method.
#[test]
fn the_ledger_closes_along_a_random_walk() {
    let mut random = Random(12);
    let least = 0.5;
    for law in some_laws() {
        let phase: Vec<f64> = (0..8).map(|_| random.between(0.0, 6.0)).collect();
        let wave =
            |t: f64, i: usize| (t * (1.0 + i as f64) + phase[i]).sin() + 0.5 * (2.3 * t + phase[i]).cos();
        let slip = |t: f64| Vec3::new(wave(t, 0), wave(t, 1), wave(t, 2)) * 0.02;
        let load = |t: f64| 5.0 * (0.8 + wave(t, 3)).max(0.0).powi(2);
        // z, s, work, dissipated
        let rates = |t: f64, y: &[f64; 6]| -> [f64; 6] {
            let memory = Memory::from_numbers(&[y[0], y[1], y[2], y[3]]);
            let v = slip(t);
            let now = law.evolve(load(t), &v, &memory, least);
            let [a, b, c, d] = now.rate.numbers();
            let (given, lost) = powers(&now, &v);
            assert!(lost >= -1e-13 * (given.abs() + now.stored.abs()), "{}", law.name());
            [a, b, c, d, given, lost]
        };
        let (mut y, h, mut most) = ([0.0; 6], 5e-6, 0f64);
        let stored = |y: &[f64; 6]| law.energy(&Memory::from_numbers(&[y[0], y[1], y[2], y[3]]));
        let add = |y: &[f64; 6], k: &[f64; 6], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
        for step in 0..1_000_000 {
            let t = f64::from(step) * h;
            let k1 = rates(t, &y);
            let k2 = rates(t + 0.5 * h, &add(&y, &k1, 0.5 * h));
            let k3 = rates(t + 0.5 * h, &add(&y, &k2, 0.5 * h));
            let k4 = rates(t + h, &add(&y, &k3, h));
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
            most = most.max(stored(&y));
        }
        assert!(y[5] > 0.0 && most > 0.0, "{}", law.name());
        within(law.name(), stored(&y) + y[5], y[4], 1e-10, 0.0);
    }
}

/// Every law with memory, with damping.
fn some_laws() -> Vec<Arc<dyn Friction>> {
    let values = [
        ("coefficient", 0.2),
        ("static_coefficient", 0.3),
        ("stribeck_speed", 0.01),
        ("dwell_time", 0.5),
        ("exponent", 2.0),
        ("bristle_stiffness", 1e4),
        ("bristle_damping", 30.0),
        ("viscous", 0.3),
    ];
    bristle_laws_with(&values).into_iter().map(|sample| sample.law).collect()
}

/// The bristles under steady slip, followed until nothing changes.
fn steady(law: &Arc<dyn Friction>, f_n: f64, v: &Vec3) -> (Memory, Evolution) {
    let mut memory = Memory::unbent();
    let rate = |m: &Memory| law.evolve(f_n, v, m, LOAD).rate;
    // a share of the distance within which bristles follow
    let h = 0.1 * law.deflection(f_n.max(LOAD) * 0.5) / v.norm();
    for _ in 0..100_000 {
        let k1 = rate(&memory);
        let k2 = rate(&Memory { z: memory.z + k1.z * (0.5 * h), s: memory.s + k1.s * (0.5 * h) });
        memory = Memory { z: memory.z + k2.z * h, s: memory.s + k2.s * h };
        if k2.z.norm() < 1e-13 * v.norm() && k2.s.abs() * h < 1e-13 {
            break;
        }
    }
    (memory, law.evolve(f_n, v, &memory, LOAD))
}

#[test]
fn steady_slip_has_its_stribeck_curve() {
    let direction = Vec3::new(0.6, -0.48, 0.64);
    for mut law in some_laws() {
        let name = law.name();
        if name == "dahl" {
            // with other exponents full friction is come to as a power of the slip
            law = Arc::new(Dahl::new(0.2, 1e4).unwrap().viscous(0.3));
        }
        for (f_n, share) in [(3.0, 1.0), (LOAD, 1.0), (0.3 * LOAD, 0.3 * 1.7)] {
            for s in [1e-3, 5e-3, 1e-2, 0.1, 1.0] {
                let fall = (-(s / 0.01f64).powi(2)).exp();
                let curve = match name {
                    "lugre" | "elasto-plastic" => 0.2 + 0.1 * fall,
                    "dahl" | "reset-integrator" => 0.2,
                    _ => continue,
                };
                let (_, now) = steady(&law, f_n, &(direction * s));
                let want = direction * -(share * (curve * f_n + 0.3 * s));
                assert!((now.f_t - want).norm() <= 1e-8 * want.norm(), "{name} at {f_n} N, {s} m/s");
            }
        }
    }
}

/// The blended law: Coulomb's force in slip; at slow slip the root of its own balance; near rest, static friction.
#[test]
fn steady_slip_of_the_blended_law() {
    let law: Arc<dyn Friction> = Arc::new(GonthierBristle::new(0.2, 0.3, 0.01, 1e4, 30.0, 0.5).unwrap());
    let (f_n, sigma0, sigma1) = (3.0, 1e4, 30.0);
    for s in [0.06, 0.3] {
        let (_, now) = steady(&law, f_n, &Vec3::new(0.0, s, 0.0));
        within("slip", now.f_t.y, -0.2 * f_n, 1e-8, 0.0);
    }
    for s in [1e-4, 3e-3, 0.01, 0.02] {
        let sticks = (-(s / 0.01f64).powi(2)).exp();
        let z_m = f_n * (0.2 + 0.1 * sticks) / sigma0;
        let alpha = |z: f64| {
            let x = ((z - 0.9 * z_m) / (0.1 * z_m)).clamp(0.0, 1.0);
            0.5 - 0.5 * (std::f64::consts::PI * x).cos()
        };
        let balance = |z: f64| {
            let tau = sigma1 / sigma0 + 0.2 * f_n / (4.0 * sigma0 * s);
            sticks * s * (1.0 - alpha(z) * z / z_m) + (1.0 - sticks) * (0.2 * f_n / sigma0 - z) / tau
        };
        let (mut lo, mut hi) = (0.0, 2.0 * z_m);
        for _ in 0..200 {
            let z = 0.5 * (lo + hi);
            if balance(z) > 0.0 { lo = z } else { hi = z }
        }
        let damping = sigma1 * (1.0 - alpha(lo));
        let want = sticks * (sigma0 * lo + damping * s) + (1.0 - sticks) * 0.2 * f_n;
        let (memory, now) = steady(&law, f_n, &Vec3::new(0.0, s, 0.0));
        within("rest", memory.s, sticks, 1e-8, 1.0);
        within("slow slip", now.f_t.y, -want, 1e-8, 0.0);
    }
    let (_, now) = steady(&law, f_n, &Vec3::new(0.0, 1e-5, 0.0));
    within("near rest", now.f_t.y, -0.3 * f_n, 1e-3, 0.0);
}

#[test]
fn no_direction_is_preferred() {
    let mut random = Random(13);
    for FrictionSample { name, law, .. } in bristle_laws() {
        for _ in 0..10 {
            let turn = Quat::from_scaled_axis(random_vector(&mut random, 3.0));
            let (f_n, v, memory) = random_state(&mut random, &law);
            let now = law.evolve(f_n, &v, &memory, LOAD);
            let turned = law.evolve(f_n, &(turn * v), &Memory { z: turn * memory.z, ..memory }, LOAD);
            let force = (turned.f_t - turn * now.f_t).norm();
            // a corner of a law may turn a rounding error into one of the force, not more
            assert!(force <= 1e-11 * (now.f_t.norm() + f_n), "{name}: force {force:e}");
            let rate = (turned.rate.z - turn * now.rate.z).norm();
            assert!(rate <= 1e-11 * (now.rate.z.norm() + v.norm()), "{name}: rate {rate:e}");
        }
    }
}

/// (f_n, v, z, s) as the eight variables of a dual.
fn dual(law: &Arc<dyn Friction>, x: &[f64; 8]) -> [Dual<8>; 8] {
    let x: [Dual<8>; 8] = std::array::from_fn(|i| Dual::variable(x[i], i));
    let memory = Memory { z: Vec3::new(x[4], x[5], x[6]), s: x[7] };
    let now = law.evolve_dual(x[0], &Vec3::new(x[1], x[2], x[3]), &memory, LOAD);
    let (f, z) = (now.f_t, now.rate.z);
    [f.x, f.y, f.z, z.x, z.y, z.z, now.rate.s, now.stored]
}

fn plain(law: &Arc<dyn Friction>, x: &[f64; 8]) -> [f64; 8] {
    let memory = Memory { z: Vec3::new(x[4], x[5], x[6]), s: x[7] };
    let now = law.evolve(x[0], &Vec3::new(x[1], x[2], x[3]), &memory, LOAD);
    let (f, z) = (now.f_t, now.rate.z);
    [f.x, f.y, f.z, z.x, z.y, z.z, now.rate.s, now.stored]
}

#[test]
fn duals_agree_with_differences() {
    let mut random = Random(14);
    let (mut tried, mut corners) = (0, 0);
    for FrictionSample { name, law, .. } in bristle_laws() {
        for _ in 0..4 {
            let f_n = 10f64.powf(random.between(-3.0, 1.0));
            let v = random_vector(&mut random, 1.0) * 10f64.powf(random.between(-2.0, 0.5));
            let z = random_vector(&mut random, law.deflection(f_n));
            let x = [f_n, v.x, v.y, v.z, z.x, z.y, z.z, random.between(0.1, 0.9)];
            let unit = [f_n, v.norm(), v.norm(), v.norm(), z.norm(), z.norm(), z.norm(), 1.0];
            let (exact, values) = (dual(&law, &x), plain(&law, &x));
            for i in 0..8 {
                assert!((exact[i].value() - values[i]).abs() <= 1e-13 * values[i].abs(), "{name}");
                for j in 0..8 {
                    let along = |t: f64| {
                        let mut x = x;
                        x[j] = t;
                        plain(&law, &x)[i]
                    };
                    let h = 1e-4 * unit[j];
                    let (wide, numeric) = (slope(along, x[j], h), slope(along, x[j], 0.5 * h));
                    let group = [0..3, 3..6, 6..7, 7..8][[0, 0, 0, 1, 1, 1, 2, 3][i]].clone();
                    let size = group.map(|k| values[k].abs()).fold(0.0, f64::max) / unit[j];
                    tried += 1;
                    if (wide - numeric).abs() > 1e-8 * (size + numeric.abs()) {
                        corners += 1;
                        continue;
                    }
                    within(&name, exact[i].eps[j], numeric, 1e-7, size);
                }
            }
        }
    }
    assert!(corners * 30 < tried, "{corners} corners in {tried}");
}

/// At rest, with bent and unbent bristles, and as the surfaces touch: finite slopes.
#[test]
fn duals_at_rest_are_finite() {
    for FrictionSample { name, law, .. } in bristle_laws() {
        let z = law.deflection(1.0);
        for x in [
            [2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0, 0.0, z, 0.0, 0.0, 0.5],
            [2.0, 1e-3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 1e-3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, z, 0.0, 0.0, 1.0],
            [0.0; 8],
        ] {
            let all = dual(&law, &x);
            assert!(
                all.iter().all(|d| d.re.is_finite() && d.eps.iter().all(|e| e.is_finite())),
                "{name}: {x:?}"
            );
        }
    }
}

/// Each law in one dimension as its source has it, at a full load.
#[test]
fn in_one_dimension_they_are_their_sources() {
    let mut random = Random(15);
    let (mu, mu_s, vs, sigma0, sigma1, sigma2) = (0.2, 0.3, 0.01, 1e4, 30.0, 0.3);
    for _ in 0..2000 {
        let f_n = random.between(0.1, 10.0);
        let v = random.between(-1.0, 1.0) * 10f64.powf(random.between(-3.0, 0.0));
        let z = 1.4 * mu * f_n / sigma0 * random.between(-1.0, 1.0);
        let memory = Memory { z: Vec3::new(0.0, z, 0.0), s: 0.4 };
        let check = |law: &dyn Friction, f: f64, rate: f64| {
            let now = law.evolve(f_n, &Vec3::new(0.0, v, 0.0), &memory, LOAD);
            within(law.name(), now.rate.z.y, rate, 1e-11, v.abs());
            within(law.name(), now.f_t.y, -f, 1e-11, f_n);
        };
        for i in [1.0, 1.5, 2.0] {
            let x = 1.0 - sigma0 * z * v.signum() / (mu * f_n);
            let dahl = Dahl::new(mu, sigma0).unwrap().exponent(i).viscous(sigma2);
            // the source's bristles are never bent beyond full friction
            if (0.0..=2.0).contains(&x) {
                check(&dahl, sigma0 * z + sigma2 * v, v * x.powf(i));
            }
        }
        let g = f_n * (mu + (mu_s - mu) * (-(v / vs) * (v / vs)).exp());
        let rate = v - sigma0 * v.abs() * z / g;
        let lugre = LuGre::new(mu, mu_s, vs, sigma0).unwrap().damping(sigma1).viscous(sigma2);
        check(&lugre.constant_damping(), sigma0 * z + sigma1 * rate + sigma2 * v, rate);
        let bounded = sigma1 / (1.0 + sigma1 * v.abs() / (4.0 * g));
        check(&lugre, sigma0 * z + bounded * rate + sigma2 * v, rate);

        let (z_ba, z_m) = (0.7 * mu * f_n / sigma0, g / sigma0);
        let alpha = if z * v <= 0.0 || z.abs() <= z_ba {
            0.0
        } else if z.abs() >= z_m {
            1.0
        } else {
            let x = (z.abs() - 0.5 * (z_m + z_ba)) / (z_m - z_ba);
            0.5 * (1.0 + (std::f64::consts::PI * x).sin())
        };
        let rate = v * (1.0 - alpha * sigma0 * z * v.signum() / g);
        let plastic = ElastoPlastic::new(mu, mu_s, vs, sigma0).unwrap().damping(sigma1).viscous(sigma2);
        check(&plastic.constant_damping(), sigma0 * z + sigma1 * rate + sigma2 * v, rate);

        let p0 = mu * f_n / sigma0;
        let reset = ResetIntegrator::new(mu, mu_s, sigma0).unwrap().damping(sigma1);
        if z.abs() < 0.9 * p0 {
            check(&reset, sigma0 * mu_s / mu * z + sigma1 * v, v);
        }
        // the blended law: stick below its limit, and slip, where its time is the source's to μN/(4σ1|v|)
        let s = (-(v / vs) * (v / vs)).exp();
        let blended = GonthierBristle::new(mu, mu_s, vs, sigma0, sigma1, 0.5).unwrap().viscous(sigma2);
        let now = Friction::evolve(&blended, f_n, &Vec3::new(0.0, v, 0.0), &memory, LOAD);
        if sigma0 * z.abs() < 0.9 * f_n * (mu + 0.4 * (mu_s - mu)) {
            let relax = (mu * f_n * v.signum() - sigma0 * z) / sigma1;
            let source = s * v + (1.0 - s) * relax;
            within("gonthier", -now.f_t.y, sigma0 * z + sigma1 * source + sigma2 * v, 1e-11, f_n);
            let late = 1.0 / (1.0 + mu * f_n / (4.0 * sigma1 * v.abs()));
            within("gonthier", now.rate.z.y, s * v + (1.0 - s) * late * relax, 1e-11, relax.abs());
            let time = if s > 0.4 { 0.5 } else { sigma1 / sigma0 };
            within("gonthier", now.rate.s, (s - 0.4) / time, 1e-12, 0.0);
        }
    }
}

/// Constant damping drives where |v| > 4 g/σ1, and nowhere else.
#[test]
fn constant_damping_is_passive_to_the_speed_stated() {
    let (f_n, sigma0, sigma1) = (3.0, 1e4, 30.0);
    let bounded = LuGre::new(0.2, 0.2, 0.01, sigma0).unwrap().damping(sigma1);
    for (law, drives_beyond) in [(bounded.constant_damping(), true), (bounded, false)] {
        for (share, drives) in [(0.999, false), (1.001, drives_beyond)] {
            let v = Vec3::new(share * 4.0 * 0.2 * f_n / sigma1, 0.0, 0.0);
            // where the form is least
            let memory = Memory { z: v * (sigma1 / (2.0 * sigma0)), s: 0.0 };
            let (_, lost) = powers(&Friction::evolve(&law, f_n, &v, &memory, LOAD), &v);
            assert_eq!(lost < 0.0, drives, "{law:?} at {share}: {lost}");
        }
    }
}

/// Dahl's way from rest to full friction in closed form, x in units of μN/σ0: 1 − e^{−x}; x/(1 + x) for i = 2.
#[test]
fn the_way_of_dahls_bristles_to_full_friction() {
    let (mu, sigma0, f_n, v) = (0.2, 1e4, 3.0, Vec3::new(0.0, 0.0, 0.7));
    let unit = mu * f_n / sigma0;
    for (i, want) in [(1.0, (|x: f64| 1.0 - (-x).exp()) as fn(f64) -> f64), (2.0, |x| x / (1.0 + x))] {
        let law = Dahl::new(mu, sigma0).unwrap().exponent(i);
        let rate = |z: Vec3| Friction::evolve(&law, f_n, &v, &Memory { z, s: 0.0 }, LOAD).rate.z;
        let (n, mut z) = (3000, Vec3::zeros());
        let h = 3.0 * unit / v.norm() / f64::from(n);
        for _ in 0..n {
            let k1 = rate(z);
            let k2 = rate(z + k1 * (0.5 * h));
            let k3 = rate(z + k2 * (0.5 * h));
            let k4 = rate(z + k3 * h);
            z += (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
        }
        within("way", z.z / unit, want(3.0), 1e-11, 0.0);
    }
}

#[test]
fn wrong_parameters_are_refused() {
    for (mu, sigma0) in [(0.0, 1e4), (0.2, 0.0), (f64::NAN, 1e4), (0.2, f64::INFINITY)] {
        assert!(matches!(Dahl::new(mu, sigma0), Err(LawError::Parameter(SpecError::NotAllowed { .. }))));
    }
    assert!(Dahl::new(0.2, 1e4).unwrap().exponent(0.5).check().is_err());
    assert!(LuGre::new(0.2, 0.3, 0.01, 1e4).unwrap().damping(-1.0).check().is_err());
    assert!(LuGre::new(0.2, 0.3, 0.01, 1e4).unwrap().min_load(0.0).check().is_err());
    assert!(ElastoPlastic::new(0.2, 0.3, 0.01, 1e4).unwrap().breakaway(1.0).check().is_err());
    assert!(GonthierBristle::new(0.2, 0.3, 0.01, 1e4, 0.0, 0.5).is_err());
    let error = LuGre::new(0.3, 0.2, 0.1, 1e4).unwrap_err();
    assert_eq!(error.to_string(), "lugre: `static_coefficient` must not be less than `coefficient`");
    let error = ResetIntegrator::new(0.02, 0.3, 1e4).unwrap_err();
    let want = "reset-integrator: `stop_band` must not be greater than `coefficient`/`static_coefficient`";
    assert_eq!(error.to_string(), want);
}

/// The oblique impact that laws with memory are compared by ([`FrictionEntry::beyond_cone`](carom_law::friction::FrictionEntry)): an elastic one along the normal.
struct Oblique {
    mass: f64,
    speed: f64,
    stiffness: f64,
}

const OBLIQUE: Oblique = Oblique { mass: 0.1, speed: 1.0, stiffness: 1e8 };

impl Oblique {
    fn depth(&self) -> f64 {
        (1.25 * self.mass * self.speed.powi(2) / self.stiffness).powf(0.4)
    }

    fn force(&self) -> f64 {
        self.stiffness * self.depth().powf(1.5)
    }

    /// Every law with memory, μ = 0.2 and μs = 0.3, bristles as stiff as `part` of the contact, damped only where that must be given; and the largest coefficient each has.
    fn laws(&self, part: f64) -> Vec<(Arc<dyn Friction>, f64)> {
        let sigma = part * self.force() / self.depth();
        let mut values = vec![
            ("coefficient", 0.2),
            ("static_coefficient", 0.3),
            ("stribeck_speed", 0.01),
            ("dwell_time", 0.1),
            ("bristle_stiffness", sigma),
        ];
        let undamped = bristle_laws_with(&values);
        values.push(("bristle_damping", 1e-3 * sigma));
        let damped = bristle_laws_with(&values);
        let chosen = undamped.into_iter().zip(damped).map(|(without, with)| {
            if without.args.number("bristle_damping").is_some() { with } else { without }
        });
        chosen.map(|sample| (Arc::clone(&sample.law), sample.largest())).collect()
    }

    /// The largest |F|/(μN) with this slip at first: at any load, and while it is a tenth of its peak or more.
    fn beyond_cone(&self, law: &Arc<dyn Friction>, mu: f64, slip: f64) -> (f64, f64) {
        let load = law.least_load(self.force());
        // δ, δ̇, v, z, s
        let mut y = [0.0, self.speed, slip, 0.0, 0.0];
        let rates = |y: &[f64; 5]| {
            let n = self.stiffness * y[0].max(0.0).powf(1.5);
            let memory = Memory { z: Vec3::x() * y[3], s: y[4] };
            let now = law.evolve(n, &(Vec3::x() * y[2]), &memory, load);
            let (f, rate) = (now.f_t.x, now.rate);
            ([y[1], -n / self.mass, f / self.mass, rate.z.x, rate.s], n, f.abs())
        };
        let add = |y: &[f64; 5], k: &[f64; 5], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
        let (h, mut ever, mut loaded) = (1e-4 * self.depth() / self.speed, 0.0f64, 0.0f64);
        while y[0] >= 0.0 {
            let (k1, n, f) = rates(&y);
            if n > 0.0 {
                ever = ever.max(f / (mu * n));
            }
            if n >= 0.1 * self.force() {
                loaded = loaded.max(f / (mu * n));
            }
            let (k2, ..) = rates(&add(&y, &k1, 0.5 * h));
            let (k3, ..) = rates(&add(&y, &k2, 0.5 * h));
            let (k4, ..) = rates(&add(&y, &k3, h));
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        (ever, loaded)
    }
}

/// What the laws' pages say of a falling load (`FrictionEntry::beyond_cone`; the message of a failure has the number): as measured for those that lag, and never more than the cone for the others, whatever stiffness and slip.
#[test]
fn a_falling_load_leaves_the_cone_only_where_it_is_said() {
    for (law, mu) in OBLIQUE.laws(1.0) {
        let said = friction::find(law.name()).unwrap().beyond_cone;
        let (_, measured) = OBLIQUE.beyond_cone(&law, mu, 0.3);
        if said > 1.0 {
            assert!((measured / said - 1.0).abs() < 0.01, "{}: {measured}, said {said}", law.name());
        }
    }
    for part in [0.2, 1.0, 4.0] {
        for (law, mu) in OBLIQUE.laws(part) {
            if friction::find(law.name()).unwrap().beyond_cone == 1.0 {
                for slip in [0.0, 0.1, 0.3, 1.0] {
                    let (ever, _) = OBLIQUE.beyond_cone(&law, mu, slip);
                    assert!(ever <= 1.0 + 1e-12, "{}, {part}, {slip}: {ever}", law.name());
                }
            }
        }
    }
}

/// In any state, bent by whatever the load was before: the same two laws keep within the cone.
#[test]
fn bent_bristles_pull_no_more_than_the_load_holds() {
    let mut random = Random(31);
    for sample in bristle_laws().iter().filter(|s| friction::find(s.law.name()).unwrap().beyond_cone == 1.0) {
        let damped =
            ["bristle_damping", "viscous"].iter().any(|key| sample.args.number(key).unwrap_or(0.0) > 0.0);
        for _ in 0..300 {
            let (f_n, mut v, memory) = random_state(&mut random, &sample.law);
            // damping comes on top of the cone
            if damped {
                v *= 1e-12;
            }
            let f = sample.law.evolve(f_n, &v, &memory, LOAD).f_t.norm();
            assert!(f <= sample.largest() * f_n * (1.0 + 1e-9) + 1e-9, "{}: {f} under {f_n}", sample.name);
        }
    }
}
