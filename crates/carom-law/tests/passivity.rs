//! No law gains energy: every law in both registries, with every combination of sample parameters, at random states
//! and along random paths.

use std::sync::{Arc, LazyLock};

use crate::common::{FrictionSample, LINE, friction_laws, normal_laws};
use carom_base::Vec3;
use carom_law::{Indentation, Normal, NormalForce, Touch};
use proptest::prelude::*;

/// Those without phases and without jumps; `phases.rs` and `adhesion.rs` have the others.
static NORMAL: LazyLock<Vec<(String, Arc<dyn Normal>)>> = LazyLock::new(|| {
    let touch = Touch::point(1.0, 1.0, 1.0).round(0.3);
    let plain = |(_, law): &(String, Arc<dyn Normal>)| !law.has_phases() && law.holds_to(&touch) == 0.0;
    normal_laws().into_iter().filter(plain).collect()
});
static FRICTION: LazyLock<Vec<FrictionSample>> = LazyLock::new(friction_laws);

fn touch() -> impl Strategy<Value = Touch> {
    (0.5..5.0, 0.05..5.0, 0.1..10.0).prop_map(|(stiffness, v0, mass)| Touch {
        line: LINE,
        ..Touch::point(stiffness, v0, mass).round(0.3)
    })
}

/// ∫ g dδ from `a` to `b`, both ≥ 0, g a sum of powers of √δ or smooth: Gauss and Legendre's rule in z = √δ.
fn integral(g: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    // nodes and weights of order 16 on [0, 1] (Abramowitz and Stegun, table 25.4), upper half
    const NODES: [(f64, f64); 8] = [
        (0.0950125098376374402, 0.189450610455068496),
        (0.281603550779258913, 0.182603415044923589),
        (0.458016777657227386, 0.169156519395002538),
        (0.617876244402643748, 0.149595988816576732),
        (0.755404408355003034, 0.124628971255533872),
        (0.865631202387831744, 0.0951585116824927848),
        (0.944575023073232576, 0.0622535239386478929),
        (0.989400934991649933, 0.0271524594117540949),
    ];
    let (za, zb) = (a.sqrt(), b.sqrt());
    let (middle, half) = (0.5 * (za + zb), 0.5 * (zb - za));
    let at = |z: f64| 2.0 * z * g(z * z);
    NODES.iter().map(|(x, w)| w * (at(middle + half * x) + at(middle - half * x))).sum::<f64>() * half
}

/// Work, and what of it is dissipated, on the way from δ = a to b at the constant speed `rate` ≥ 0.
fn along(law: &dyn Normal, touch: &Touch, a: f64, b: f64, rate: f64) -> (f64, f64) {
    let delta_dot = if b >= a { rate } else { -rate };
    let force = |delta: f64| -> NormalForce { law.force(Indentation { delta, delta_dot }, touch) };
    let (mut work, mut lost) = (0.0, 0.0);
    // in contact only, and in pieces: a law may have corners on the way
    let (a, b) = (a.max(0.0), b.max(0.0));
    let n = 16;
    let mut places: Vec<f64> =
        (0..=n).map(|i| (a + (b - a) * f64::from(i) / f64::from(n)).max(0.0)).collect();
    if law.name() == "elastic-foundation" {
        // its corner is at δ = R, K being π k R, for the moduli k of the samples
        let corners = [0.4, 3.0].map(|k| touch.stiffness / (std::f64::consts::PI * k));
        places.extend(corners.iter().filter(|c| (*c - a) * (*c - b) < 0.0));
        places.sort_by(|x, y| if b >= a { x.total_cmp(y) } else { y.total_cmp(x) });
    }
    for ends in places.windows(2) {
        work += integral(|delta| force(delta).f_n, ends[0], ends[1]);
        lost += integral(|delta| force(delta).f_n - force(delta).f_elastic, ends[0], ends[1]);
    }
    (work, lost)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// (f_n − f_elastic) δ̇ ≥ 0 at every state.
    #[test]
    fn normal_laws_dissipate_at_every_state(touch in touch(), delta in -0.2..3.0f64, rate in -6.0..6.0f64) {
        for (name, law) in NORMAL.iter() {
            let f = law.force(Indentation { delta, delta_dot: rate }, &touch);
            let power = (f.f_n - f.f_elastic) * rate;
            let scale = (f.f_n.abs() + f.f_elastic.abs()) * rate.abs();
            prop_assert!(power >= -1e-12 * scale, "{name}: gains {power:e} of {scale:e}");
            prop_assert!(f.f_elastic >= -law.pull_off(&touch) && f.f_n.is_finite(), "{name}: {f:?}");
        }
    }

    /// Along any path work = stored + dissipated, dissipated ≥ 0; and a path that closes takes work, never gives it.
    #[test]
    fn work_is_stored_or_dissipated(
        touch in touch(),
        path in prop::collection::vec((-0.3..1.2f64, 0.01..3.0f64), 2..6),
    ) {
        for (name, law) in NORMAL.iter() {
            let (mut work, mut lost, mut scale) = (0.0, 0.0, 1e-300);
            let first = path[0].0;
            let mut here = first;
            let places = path[1..].iter().copied().chain([(first, path[0].1)]);
            for (next, rate) in places {
                let (w, l) = along(&**law, &touch, here, next, rate);
                let stored = law.energy(next, &touch) - law.energy(here, &touch);
                let size = w.abs() + l.abs() + law.energy(next, &touch).abs() + law.energy(here, &touch).abs();
                prop_assert!((w - stored - l).abs() <= 1e-10 * size, "{name}: {w:e} = {stored:e} + {l:e}?");
                prop_assert!(l >= -1e-12 * size, "{name}: gains {:e} of {size:e}", -l);
                (work, lost, scale, here) = (work + w, lost + l, scale + size, next);
            }
            prop_assert!(work >= -1e-10 * scale, "{name}: a cycle gives {:e}", -work);
            prop_assert!((work - lost).abs() <= 1e-10 * scale, "{name}: {work:e} is not {lost:e}");
            prop_assert!(!law.is_elastic() || lost == 0.0, "{name} is elastic, and loses {lost:e}");
        }
    }

    /// F·v ≤ 0 at every slip, and no more than full friction.
    #[test]
    fn friction_only_brakes(
        f_n in 0.0..20.0f64,
        size in -12.0..4.0f64,
        v in prop::array::uniform3(-1.0..1.0f64),
    ) {
        let v = Vec3::from(v) * 10f64.powf(size);
        for sample in FRICTION.iter() {
            let f = sample.law.force(f_n, &v);
            prop_assert!(f.dot(&v) <= 0.0, "{}: drives at {v:?}: {f:?}", sample.name);
            prop_assert!(f.iter().all(|x| x.is_finite()), "{}: {f:?} at {v:?}", sample.name);
        }
    }
}
