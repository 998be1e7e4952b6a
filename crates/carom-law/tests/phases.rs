//! Laws with phases: every one in the registry, with every combination of sample parameters, along random walks of the indentation.
//!
//! A walk goes from level to level; where a phase ends on the way, the law says which one follows, as a run does at a located event.

use std::sync::Arc;

use crate::common::{normal_laws, slope};
use carom_base::{Args, Dual, Scalar, Value};
use carom_law::normal::{self, Edinburgh, Stronge, Thornton, WaltonBraun};
use carom_law::{History, Indentation, Normal, NormalForce, Phase, PhaseEnd, Touch};
use carom_testkit::{Random, one_in, within};

fn laws() -> Vec<(String, Arc<dyn Normal>)> {
    normal_laws().into_iter().filter(|(_, law)| law.has_phases()).collect()
}

fn force(law: &dyn Normal, delta: f64, delta_dot: f64, touch: &Touch) -> NormalForce {
    law.force(Indentation { delta, delta_dot }, touch)
}

/// ∫ g dδ from `a` to `b`: Gauss and Legendre's rule of order 10 in 24 parts, by δ = a + (b − a) x⁴ and the like at both ends, where a force may have a root.
fn integral(g: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    const NODES: [(f64, f64); 5] = [
        (0.148874338981631211, 0.295524224714752870),
        (0.433395394129247191, 0.269266719309996355),
        (0.679409568299024406, 0.219086362515982044),
        (0.865063366688984511, 0.149451349150580593),
        (0.973906528517171720, 0.066671344308688138),
    ];
    // s(x) = x³(10 − 15x + 6x²) has no slope at either end
    let at = |x: f64| {
        let s = x * x * x * (10.0 - 15.0 * x + 6.0 * x * x);
        g(a + (b - a) * s) * (b - a) * 30.0 * x * x * (1.0 - x) * (1.0 - x)
    };
    let n = 24;
    let part = |i: i32| {
        let (middle, half) = ((f64::from(i) + 0.5) / f64::from(n), 0.5 / f64::from(n));
        NODES.iter().map(|(x, w)| w * (at(middle + half * x) + at(middle - half * x))).sum::<f64>() * half
    };
    (0..n).map(part).sum()
}

/// What a walk has come to.
struct Walk<'a> {
    law: &'a dyn Normal,
    touch: Touch,
    here: f64,
    work: f64,
    lost: f64,
    size: f64,
    ended: Vec<(Phase, PhaseEnd)>,
}

impl Walk<'_> {
    /// Goes to an indentation, through all ends of phases on the way.
    fn go(&mut self, name: &str, to: f64) {
        let direction = (to - self.here).signum();
        for _ in 0..20 {
            let ends = self.law.phase_ends(&self.touch).unwrap();
            if ends.rate * direction < 0.0 {
                self.end(name, PhaseEnd::Turn);
                continue;
            }
            let (level, end) = match direction > 0.0 {
                true => (ends.above, PhaseEnd::Above),
                false => (ends.below, PhaseEnd::Below),
            };
            if (to - level) * direction <= 0.0 {
                self.along(to);
                return;
            }
            self.along(level);
            self.end(name, end);
        }
        panic!("{name}: phases do not end changing at {}", self.here);
    }

    fn end(&mut self, name: &str, end: PhaseEnd) {
        let before =
            (force(self.law, self.here, 0.0, &self.touch).f_n, self.law.energy(self.here, &self.touch));
        self.ended.push((self.touch.history.phase, end));
        self.touch.history = self.law.next_phase(end, self.here, &self.touch);
        let after =
            (force(self.law, self.here, 0.0, &self.touch).f_n, self.law.energy(self.here, &self.touch));
        // (unloading curves are up to a hundred times as stiff)
        let scale = 100.0 * self.touch.stiffness;
        within(&format!("{name}: force at {end:?}, {:?}", self.touch), after.0, before.0, 1e-13, scale);
        within(&format!("{name}: energy at {end:?}"), after.1, before.1, 1e-13, scale);
    }

    fn along(&mut self, to: f64) {
        let (law, touch, rate) = (self.law, &self.touch, (to - self.here).signum());
        // at the very ends the force may be that of another phase, by rounding
        let f = |delta: f64| force(law, delta, rate, touch);
        let work = integral(|d| f(d).f_n, self.here, to);
        let lost = integral(|d| f(d).f_n - f(d).f_elastic, self.here, to);
        let (e0, e1) = (law.energy(self.here, touch), law.energy(to, touch));
        let size = work.abs() + lost.abs() + e0.abs() + e1.abs() + 1e-300;
        // energies are differences near the end of an unloading curve
        let rounding = 1e-14 * touch.stiffness;
        let name = law.name();
        assert!(
            (work - lost - (e1 - e0)).abs() <= 1e-10 * size + rounding,
            "{name}: {work:e} = {lost:e} + {:e}? {touch:?}",
            e1 - e0
        );
        assert!(lost >= -1e-12 * size - rounding, "{name}: gains {:e} of {size:e}: {touch:?}", -lost);
        (self.work, self.lost, self.size, self.here) =
            (self.work + work, self.lost + lost, self.size + size, to);
    }
}

struct Outcome {
    max_indentation: f64,
    peak_force: f64,
    restitution: f64,
}

/// The standard impact m = v₀ = K = 1: the force does not depend on the rate, so that speeds follow from work.
fn impact(law: &dyn Normal) -> Outcome {
    let touch = Touch { radius: 1.0, ..Touch::point(1.0, 1.0, 1.0) };
    let to = |deepest: f64| {
        let mut walk = Walk { law, touch, here: 0.0, work: 0.0, lost: 0.0, size: 0.0, ended: Vec::new() };
        walk.go(law.name(), deepest);
        walk
    };
    let (mut lo, mut hi) = (0.01, 400.0);
    for _ in 0..70 {
        let middle = 0.5 * (lo + hi);
        if to(middle).work < 0.5 { lo = middle } else { hi = middle }
    }
    let mut walk = to(lo);
    let peak_force = force(law, lo, 0.0, &walk.touch).f_n;
    walk.go(law.name(), 0.0);
    Outcome { max_indentation: lo, peak_force, restitution: (1.0 - 2.0 * walk.work).max(0.0).sqrt() }
}

/// Force and energy are continuous where a phase ends; along any walk work = stored + lost, lost ≥ 0; a walk that parts has taken what it lost.
#[test]
fn work_is_stored_or_lost_on_random_walks() {
    let mut random = Random(30);
    for (name, law) in laws() {
        let mut seen = Vec::new();
        for _ in one_in(4, 0..40) {
            let touch = Touch { radius: 0.3, ..Touch::point(random.between(0.5, 3.0), 0.7, 1.9) };
            let mut walk =
                Walk { law: &*law, touch, here: 0.0, work: 0.0, lost: 0.0, size: 0.0, ended: Vec::new() };
            for _ in 0..12 {
                walk.go(&name, random.between(0.02, 1.5));
            }
            walk.go(&name, 0.0);
            assert!(
                (walk.work - walk.lost).abs() <= 1e-10 * walk.size + 1e-13 * walk.touch.stiffness,
                "{name}: {:e}, {:e}",
                walk.work,
                walk.lost
            );
            seen.extend(walk.ended);
        }
        let elastic = ["(\"plasticity\", Number(0.0))", "\"plasticity\": Number(0.0)", "plasticity: 0"];
        if !elastic.iter().any(|e| name.contains(e)) && !seen.is_empty() {
            assert!(seen.iter().any(|(_, end)| *end == PhaseEnd::Turn), "{name}: {seen:?}");
        }
    }
}

/// In every phase the derivatives are those of the force.
#[test]
fn duals_agree_with_differences_in_every_phase() {
    let mut random = Random(31);
    for (name, law) in laws() {
        for phase in [Phase::Loading, Phase::Yielding, Phase::Unloading, Phase::Slack, Phase::Parting] {
            for _ in 0..6 {
                let history = carom_law::History::new(phase, random.between(0.8, 1.2));
                let touch = Touch { radius: 0.3, history, ..Touch::point(2.3, 0.7, 1.9) };
                let delta = random.between(0.1, 0.75);
                let c = Indentation { delta: Dual::variable(delta, 0), delta_dot: Dual::variable(0.3, 1) };
                let exact = law.force_dual(c, &touch);
                let [wide, narrow] =
                    [2e-3, 1e-3].map(|h| slope(|d| force(&*law, d, 0.3, &touch).f_n, delta, h * delta));
                let scale = exact.f_n.re.abs() + touch.stiffness;
                if (wide - narrow).abs() <= 1e-10 * scale {
                    within(&format!("{name} {phase:?}"), exact.f_n.eps[0], narrow, 2e-11, scale);
                }
                assert_eq!(exact.f_n.eps[1], 0.0, "{name}: the force does not depend on the rate");
            }
        }
    }
}

/// What friction is told of a contact at rest: the force with its derivatives, and the stiffness with which the surfaces part, which on a loading curve is that of the unloading curve that starts there; both with their derivatives.
#[test]
fn contacts_at_rest() {
    let touch = Touch { radius: 0.3, ..Touch::point(2.3, 0.7, 1.9) };
    let mut random = Random(32);
    for (name, law) in laws() {
        for phase in [Phase::Loading, Phase::Yielding, Phase::Unloading, Phase::Parting] {
            let history = carom_law::History::new(phase, random.between(0.8, 1.2));
            let touch = Touch { history, ..touch };
            let delta = random.between(0.5, 0.75);
            let still = law.still(delta, &touch);
            let scale = touch.stiffness + still.rigidity.value.abs();
            within(&name, still.force.value, force(&*law, delta, 0.0, &touch).f_n, 1e-14, scale);
            for (of, exact) in [(0, still.force), (1, still.rigidity)] {
                let value = |d: f64| {
                    let still = law.still(d, &touch);
                    if of == 0 { still.force } else { still.rigidity }
                };
                for (found, by) in [(exact.rate, 0), (exact.second, 1)] {
                    let f = |d: f64| if by == 0 { value(d).value } else { value(d).rate };
                    let [wide, narrow] = [2e-3, 1e-3].map(|h| slope(f, delta, h * delta));
                    if (wide - narrow).abs() <= 1e-9 * scale {
                        within(&format!("{name} {phase:?} {of} {by}"), found, narrow, 1e-9, 10.0 * scale);
                    }
                }
            }
            if phase == Phase::Yielding
                || phase == Phase::Loading && law.phase_ends(&touch).unwrap().rate != 0.0
            {
                let dent = Touch {
                    history: law.next_phase(
                        PhaseEnd::Turn,
                        delta,
                        &Touch { history: carom_law::History::new(phase, delta), ..touch },
                    ),
                    ..touch
                };
                let at = Touch { history: carom_law::History::new(phase, delta), ..touch };
                let c = Indentation { delta: Dual::variable(delta, 0), delta_dot: Dual::variable(0.0, 1) };
                let unloading = law.force_dual(c, &dent).f_n.eps[0];
                within(
                    &format!("{name} {phase:?}: rigidity"),
                    law.still(delta, &at).rigidity.value,
                    unloading,
                    1e-12,
                    0.0,
                );
            }
        }
    }
}

fn args(values: &[(&str, f64)]) -> Args {
    values.iter().fold(Args::new(), |args, (name, x)| args.with(name, Value::Number(*x)))
}

/// The standard impact m = v₀ = K = 1 against the table of the oracles, and every law with phases must have rows there.
#[test]
fn impacts_meet_the_table() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/impact.json")).unwrap();
    let table: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut count = 0;
    for entry in normal::ALL {
        let sample = laws().into_iter().find(|(name, _)| name.starts_with(entry.name()));
        let Some(rows) = table["plastic"][entry.name()].as_object() else {
            assert!(sample.is_none(), "no rows of {} in tests/data/impact.json", entry.name());
            continue;
        };
        assert_eq!(rows.len(), 9, "{}", entry.name());
        for (key, row) in rows {
            let x: f64 = key.parse().unwrap();
            let values: Vec<(&str, f64)> = match entry.name() {
                // δ_y = (2π p R/(3K))² from ½ m v_y² = (2/5) K δ_y^{5/2}
                "thornton" => {
                    let root = (1.25 * x * x).powf(0.2);
                    vec![
                        ("yield_pressure", 1.5 * root / std::f64::consts::PI),
                        ("stiffness", 1.0),
                        ("radius", 1.0),
                    ]
                }
                // δ_Y = (π p R/K)²
                "stronge" => {
                    let root = (1.25 * x * x).powf(0.2);
                    vec![("yield_pressure", root / std::f64::consts::PI), ("stiffness", 1.0), ("radius", 1.0)]
                }
                "edinburgh" => vec![("plasticity", x), ("stiffness", 1.0), ("adhesion_stiffness", 0.2)],
                _ => vec![("restitution", x), ("stiffness", 1.0)],
            };
            let law = entry.make(&args(&values)).unwrap();
            let out = impact(&*law);
            let what = format!("{} {key}", entry.name());
            let number = |key: &str| row[key].as_f64().unwrap();
            within(&what, out.max_indentation, number("max_indentation"), 1e-10, 0.0);
            within(&what, out.peak_force, number("peak_force"), 1e-10, 0.0);
            within(&what, out.restitution, number("restitution"), 1e-10, 1e-3);
            count += 1;
        }
    }
    assert_eq!(count, 36);
}

/// Thornton's own formula for the restitution is what the law gives, from the first yield to the fastest impact.
#[test]
fn thorntons_restitution() {
    for x in [0.999f64, 0.7, 0.2, 1e-2, 1e-4, 1e-6] {
        let root: f64 = (1.25 * x * x).powf(0.2);
        let law =
            Thornton::yield_pressure(1.5 * root / std::f64::consts::PI).unwrap().stiffness(1.0).radius(1.0);
        let touch = Touch::point(1.0, 1.0, 1.0);
        within("yield speed", law.yield_speed(&touch), x, 1e-14, 0.0);
        let out = impact(&law);
        within(&format!("{x}"), law.restitution(1.0, &touch), out.restitution, 1e-11, 0.0);
    }
}

/// Stronge's restitution in closed form is what the law gives; no impact leaves faster than it came.
#[test]
fn stronges_restitution() {
    for x in [0.999f64, 0.7, 0.63, 0.62, 0.5, 0.2, 1e-2, 1e-4, 1e-6] {
        let root: f64 = (1.25 * x * x).powf(0.2);
        let law = Stronge::yield_pressure(root / std::f64::consts::PI).unwrap().stiffness(1.0).radius(1.0);
        let touch = Touch::point(1.0, 1.0, 1.0);
        within("yield speed", law.yield_speed(&touch), x, 1e-14, 0.0);
        let out = impact(&law);
        within(&format!("{x}"), law.restitution(1.0, &touch), out.restitution, 1e-11, 0.0);
        assert!(out.restitution <= 1.0 + 1e-12);
        // full plasticity: e falls with v^(−1/4)
        let fast = 1.6f64.powf(0.375) * x.powf(0.25);
        assert!(x > 1e-4 || (out.restitution / fast - 1.0).abs() < 2.0 * x * x, "{x}");
    }
}

/// Without adhesion and with n = 1 the Edinburgh model is Walton and Braun's.
#[test]
fn limits_of_the_edinburgh_model() {
    for lambda in [0.1, 0.5, 0.9] {
        let c = f64::sqrt(1.0 - lambda);
        let a = Edinburgh::plasticity(lambda).unwrap().exponent(1.0).stiffness(2.3);
        let b = WaltonBraun::new(2.3, c).unwrap();
        let new = Touch::point(2.3, 1.0, 1.0);
        for (phases, delta) in [
            ([Phase::Loading; 2], 0.7),
            ([Phase::Unloading; 2], 0.98),
            ([Phase::Parting, Phase::Slack], 0.05),
        ] {
            let at = |law: &dyn Normal, phase| {
                let touch = Touch { history: carom_law::History::new(phase, 1.0), ..new };
                (force(law, delta, 0.0, &touch), law.energy(delta, &touch))
            };
            let ((f, e), (g, h)) = (at(&a, phases[0]), at(&b, phases[1]));
            within("force", f.f_n, g.f_n, 1e-14, 1.0);
            within("elastic force", f.f_elastic, g.f_elastic, 1e-13, 1.0);
            within("energy", e, h, 1e-13, 1.0);
        }
    }
}

/// The stiffness does not leap where a dent is left, until the end of the phase is noted: springs along the surface follow it, and the steps of a run that end there are judged by their rates.
#[test]
fn stiffness_goes_on_to_the_end_of_the_phase() {
    let laws: [Box<dyn Normal>; 3] = [
        Box::new(WaltonBraun::new(1e6, 0.5).unwrap()),
        Box::new(Thornton::yield_pressure(1e7).unwrap().stiffness(1e9).radius(0.1)),
        Box::new(Stronge::yield_pressure(1e7).unwrap().stiffness(1e9).radius(0.1)),
    ];
    for law in laws {
        let deepest = 1e-3;
        let touch =
            Touch { history: History::new(Phase::Unloading, deepest), ..Touch::point(1e9, 1.0, 0.01) };
        let dent = law.phase_ends(&touch).unwrap().below;
        let rigidity = |delta: f64| law.still(delta, &touch).rigidity.value();
        let leap = rigidity(dent * (1.0 + 1e-13)) - rigidity(dent * (1.0 - 1e-13));
        assert!(leap.abs() < 1e-5 * rigidity(deepest), "{}: {leap}", law.name());
    }
}
