//! Every normal law under every law of friction and resistance, along random walks of indentation and slip: touches, jumps, phases of history, and modes of friction all located.
//!
//! The indentation of a walk is a function of time, so that all events of the normal force are known from it alone. Between two of them the walk goes by x, t = t₀ + (t₁ − t₀) s(x), s ∝ x⁴ at its start and
//! 1 − s ∝ (1 − x)⁴ at its end: roots of the indentation, as forces and stiffness have them as surfaces touch and jump apart, are smooth in x.

use std::sync::Arc;

use carom_base::{Args, Value, Vec3};
use carom_law::resistance::{ROLLING, SPINNING};
use carom_law::{
    Friction, Grip, Indentation, Normal, NormalForce, PhaseEnd, Resistance, Slip, Touch, friction, normal,
    suits,
};
use carom_testkit::{Random, one_in, within};

use crate::common::walk::{Course, Walk};
use crate::common::{LINE, normal_laws};

/// κ, and μ of all laws.
const RATIO: f64 = 0.8;
const MU: f64 = 0.3;
/// About how fast surfaces slide that are sheared \[m/s\].
const SHEAR: f64 = 0.3;
/// R of the surfaces \[m\].
const RADIUS: f64 = 0.3;
/// How near the end of the contact surfaces jump apart, as a part of the gap that they hold: a stiffness with a vertical tangent is a number there.
const END: f64 = 1e-11;
/// How long a walk takes \[s\], and in what steps its events are sought.
const LENGTH: f64 = 7.0;
const STEP: f64 = 1e-3;

/// A motion of the contact: indentation and slip as functions of time.
#[derive(Clone, Copy)]
struct Motion {
    phase: [f64; 4],
    speed: f64,
}

impl Motion {
    fn new(random: &mut Random, speed: f64) -> Motion {
        Motion { phase: std::array::from_fn(|_| random.between(0.0, 6.0)), speed }
    }

    /// Two waves, and their rate.
    fn wave(&self, t: f64, i: usize) -> (f64, f64) {
        let (a, b, c) = (1.1 + 0.3 * i as f64, 3.7, self.phase[i]);
        let (x, y) = (a * t + c, b * t + 2.0 * c);
        (x.sin() + 0.6 * y.cos(), a * x.cos() - 0.6 * b * y.sin())
    }

    /// δ and δ̇.
    fn depth(&self, t: f64) -> (f64, f64) {
        let (x, rate) = self.wave(t, 0);
        (0.2 + 0.7 * x, 0.7 * rate)
    }

    fn slip(&self, t: f64) -> Vec3 {
        Vec3::new(self.wave(t, 1).0, 0.4 * self.wave(t, 2).0, 0.0) * self.speed
    }

    /// The first time after `t` at which `beyond` holds of depth and rate; the end of the walk if it does not.
    fn first(&self, t: f64, beyond: impl Fn(f64, f64) -> bool) -> Option<f64> {
        let is = |t: f64| {
            let (delta, rate) = self.depth(t);
            beyond(delta, rate)
        };
        let mut hi = t;
        while hi < LENGTH {
            let lo = hi;
            hi = (hi + STEP).min(LENGTH);
            if is(hi) {
                let (mut lo, mut hi) = (lo, hi);
                for _ in 0..60 {
                    let middle = 0.5 * (lo + hi);
                    if is(middle) { hi = middle } else { lo = middle }
                }
                return Some(hi);
            }
        }
        None
    }
}

/// A law that acts along the surface, and what it can hold at most.
#[derive(Clone)]
struct Along {
    name: String,
    law: Law,
    /// the largest force by normal force and radius of the contact, if the law keeps within one
    cone: Option<fn(f64, f64) -> f64>,
    /// a slip at which it both sticks and slips \[m/s, rad/s\]
    speed: f64,
}

#[derive(Clone)]
enum Law {
    Friction(Arc<dyn Friction>),
    Resistance(Arc<dyn Resistance>),
}

impl Along {
    fn friction(&self) -> &dyn Friction {
        match &self.law {
            Law::Friction(law) => law.as_ref(),
            Law::Resistance(law) => law.spring().unwrap(),
        }
    }
}

/// Every law of friction, and every law of resistance that remembers. (The others lose all that turning gives, whatever the contact does.)
fn along() -> Vec<Along> {
    let values = [
        ("coefficient", MU),
        ("static_coefficient", MU),
        ("stiffness_ratio", RATIO),
        ("bristle_stiffness", 2.0),
        ("stribeck_speed", 0.3),
        ("dwell_time", 0.4),
        ("exponent", 1.0),
        ("bristle_damping", 0.05),
        ("elements", 3.0),
        ("rings", 4.0),
        ("v0", 0.05),
    ];
    let args = |params: &[carom_base::Param]| {
        let mut args = Args::new();
        for p in params {
            let needed = (p.presence == carom_base::param::Presence::Required).then_some(0.3);
            if let Some(x) = values.iter().find(|v| v.0 == p.name).map(|v| v.1).or(needed) {
                args.set(p.name, Value::Number(x));
            }
        }
        args
    };
    let mut all = Vec::new();
    for entry in friction::ALL {
        let law = entry.make(&args(entry.entry.params)).unwrap_or_else(|e| panic!("{}: {e}", entry.name()));
        let cone: Option<fn(f64, f64) -> f64> = (entry.beyond_cone == 1.0).then_some(|load, _| MU * load);
        let name = entry.name().to_owned();
        let speed = if law.follows_depth() { SHEAR } else { 0.5 };
        all.push(Along { name, law: Law::Friction(law), cone, speed });
    }
    let given = Arc::new(friction::CundallStrack::new(MU).unwrap().stiffness(0.7));
    let name = "cundall-strack with a given stiffness".to_owned();
    all.push(Along { name, law: Law::Friction(given), cone: Some(|load, _| MU * load), speed: SHEAR });
    for entry in ROLLING.iter().chain(SPINNING) {
        let law = entry.make(&args(entry.entry.params)).unwrap_or_else(|e| panic!("{}: {e}", entry.name()));
        if law.spring().is_none() {
            continue;
        }
        let cone: fn(f64, f64) -> f64 = match law.name() {
            "elastic-plastic" | "iwashita-oda" => |load, _| MU * load,
            "jiang" => |load, _| MU / 6.0 * load,
            "torsion" => |load, a| 3.0 * std::f64::consts::PI / 16.0 * MU * a * load,
            name => panic!("{name}: what can it hold?"),
        };
        let name = entry.name().to_owned();
        all.push(Along { name, law: Law::Resistance(law), cone: Some(cone), speed: 1.0 });
    }
    all
}

/// A contact between two events of its normal force.
#[derive(Clone, Copy)]
struct Stretch<'l> {
    motion: &'l Motion,
    normal: &'l dyn Normal,
    along: &'l Along,
    touch: Touch,
    grip: Grip,
    /// the times of its ends
    ends: [f64; 2],
    /// the least indentation that laws see
    least: f64,
}

impl Stretch<'_> {
    fn time(&self, x: f64) -> f64 {
        let s = x.powi(4) * (35.0 + x * (-84.0 + x * (70.0 - 20.0 * x)));
        self.ends[0] + (self.ends[1] - self.ends[0]) * s.clamp(0.0, 1.0)
    }

    fn indentation(&self, x: f64) -> Indentation {
        let (delta, delta_dot) = self.motion.depth(self.time(x));
        Indentation { delta: delta.max(self.least), delta_dot }
    }

    fn force(&self, x: f64) -> NormalForce {
        self.normal.force(self.indentation(x), &self.touch)
    }

    /// What presses the surfaces together.
    fn load(&self, x: f64) -> f64 {
        (self.force(x).f_n + self.normal.pull_off(&self.touch)).max(0.0)
    }

    /// What the normal force stores.
    fn energy(&self, x: f64) -> f64 {
        self.normal.energy(self.indentation(x).delta, &self.touch)
    }
}

impl Course for Stretch<'_> {
    fn at(&self, x: f64) -> Slip {
        let (at, v_t) = (self.indentation(x), self.motion.slip(self.time(x)));
        match self.along.friction().follows_depth() {
            true => {
                let axis = Vec3::new(0.8, 0.6, 0.0);
                let (slip, _) = Slip::at_depth(self.normal, &self.touch, &self.grip, at);
                Slip { v_t, axis, ..slip }
            }
            false => {
                let Indentation { delta, delta_dot } = at;
                let f_elastic = self.force(x).f_elastic;
                Slip { f_elastic, delta, delta_dot, ..Slip::under(self.load(x), v_t) }
            }
        }
    }

    fn pace(&self, x: f64) -> f64 {
        140.0 * (x * (1.0 - x)).max(0.0).powi(3) * (self.ends[1] - self.ends[0])
    }

    fn cone(&self, x: f64) -> f64 {
        let Some(cone) = self.along.cone else { return f64::INFINITY };
        // a² = R h, of Hertz's contact of that stiffness
        let root = self.normal.still(self.indentation(x).delta, &self.touch).rigidity.value
            / (1.5 * self.touch.stiffness);
        // (loads are differences of numbers of the size of what adhesion adds)
        let rounding = 1e-12 * (self.normal.pull_off(&self.touch) + self.touch.stiffness);
        cone(self.load(x) + rounding, root * self.touch.radius.sqrt())
    }

    fn normal(&self, x: f64) -> [f64; 2] {
        let (f, rate) = (self.force(x), self.indentation(x).delta_dot);
        [f.f_n * rate, (f.f_n - f.f_elastic) * rate]
    }
}

/// What ends a stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Phase(PhaseEnd),
    /// the indentation turns round, and no phase ends
    Turn,
    Release,
    Walk,
}

/// What a walk has come to: sums of friction and normal force as of [`Walk::sums`], what jumps and releases have lost, and what has happened.
#[derive(Default)]
struct Sums {
    work: f64,
    lost: f64,
    stored: f64,
    size: f64,
    touches: usize,
    phases: usize,
    changes: usize,
}

struct Contact<'l> {
    motion: &'l Motion,
    normal: &'l dyn Normal,
    along: &'l Along,
    /// as the surfaces are apart
    apart: Touch,
    /// ε of the contact
    oval: f64,
}

impl<'l> Contact<'l> {
    fn named(&self) -> String {
        format!("{:?} under {}", self.normal, self.along.name)
    }

    /// The surfaces as they touch at the time `t`.
    fn touched(&self, t: f64) -> Stretch<'l> {
        let (delta, delta_dot) = self.motion.depth(t);
        let mut touch = Touch { v0: delta_dot.max(0.05), ..self.apart };
        touch.own = self.normal.latch(&touch);
        let hold = self.normal.holds_to(&touch);
        if hold > 0.0 {
            touch.floor = -hold * (1.0 + 4.0 * f64::EPSILON);
        }
        let least = if hold > 0.0 { -hold } else { f64::MIN_POSITIVE };
        let law = self.along.friction();
        let grip = Grip::at_touch(self.normal, law, &touch, RATIO, Indentation { delta, delta_dot });
        let load = law.least_load(touch.force(self.normal.exponent_in(&touch)));
        // rings that double now and then
        let reach = if law.needs_circle() { 0.2 * grip.reach } else { grip.reach };
        let grip = Grip { load, reach, oval: self.oval, radius: RADIUS, ..grip };
        let Contact { motion, normal, along, .. } = *self;
        Stretch { motion, normal, along, touch, grip, ends: [t, t], least }
    }

    /// The first event after `t`.
    fn end(&self, touch: &Touch, t: f64) -> (f64, End) {
        let hold = self.normal.holds_to(touch);
        let floor = if hold > 0.0 { -hold * (1.0 - END) } else { 0.0 };
        let mut first = (LENGTH, End::Walk);
        let mut look = |end: End, time: Option<f64>| {
            if let Some(time) = time.filter(|time| *time < first.0) {
                first = (time, end);
            }
        };
        look(End::Release, self.motion.first(t, |delta, rate| delta <= floor && rate < 0.0));
        let rising = self.motion.depth(t + 1e-9).1;
        look(End::Turn, self.motion.first(t, |_, now| now * rising < 0.0));
        if let Some(ends) = self.normal.phase_ends(touch) {
            let above = |delta: f64, rate: f64| delta > ends.above && rate > 0.0;
            let below = |delta: f64, rate: f64| delta < ends.below && rate < 0.0;
            look(End::Phase(PhaseEnd::Above), self.motion.first(t, above));
            look(End::Phase(PhaseEnd::Below), self.motion.first(t, below));
            if first.1 == End::Turn && ends.rate * rising > 0.0 {
                first.1 = End::Phase(PhaseEnd::Turn);
            }
        }
        first
    }

    /// Goes through one contact, from its touch at the time `t`; returns when it ends.
    fn contact(&self, t: f64, sums: &mut Sums) -> f64 {
        let name = self.named();
        let mut stretch = self.touched(t);
        // what the contact stores less than nothing as it begins is lost
        let begun = stretch.energy(0.0);
        assert!(begun <= 1e-12, "{name}: touching takes {begun:e}");
        sums.lost -= begun;
        sums.touches += 1;
        let mut walk = None;
        loop {
            let (time, end) = self.end(&stretch.touch, stretch.ends[1]);
            stretch.ends = [stretch.ends[1], time];
            let mut now: Walk<'_, Stretch<'_>> = match walk.take() {
                None => Walk::of(self.along.friction(), stretch, stretch.grip, 0.0),
                Some(walk) => Walk::onto(walk, stretch, 0.0),
            };
            now.to(1.0, 0.05);
            stretch.grip = now.grip;
            let stored = stretch.energy(1.0) + now.stored();
            if matches!(end, End::Release | End::Walk) {
                let [given, lost, pressed, lost_pressed] = now.sums();
                let (given, lost) = (given + pressed, lost + lost_pressed);
                sums.size += given.abs() + lost + stored.abs();
                (sums.work, sums.lost) = (sums.work + given, sums.lost + lost);
                sums.changes += now.changes;
                match end {
                    End::Release => {
                        assert!(stored >= -1e-12, "{name}: letting go makes {stored:e}");
                        sums.lost += stored;
                    }
                    _ => sums.stored = stored,
                }
                return time;
            }
            if let End::Phase(end) = end {
                sums.phases += 1;
                self.change(&mut stretch, end, &name);
            }
            walk = Some(now);
        }
    }

    /// Changes the phase at the end of a stretch: force, energy and stiffness stay as they are.
    fn change(&self, stretch: &mut Stretch<'_>, end: PhaseEnd, name: &str) {
        let read = |stretch: &Stretch<'_>| {
            let delta = stretch.indentation(1.0).delta;
            let rigid = self.normal.still(delta, &stretch.touch).rigidity.value;
            [stretch.force(1.0).f_n, stretch.energy(1.0), rigid]
        };
        let before = read(stretch);
        let delta = stretch.indentation(1.0).delta;
        stretch.touch.history = self.normal.next_phase(end, delta, &stretch.touch);
        let scale = 100.0 * stretch.touch.stiffness;
        let after = read(stretch);
        // (surfaces that do not press have no stiffness, and are about to have any)
        let presses = before[0].abs() + after[0].abs() > 1e-12 * scale;
        for (after, before) in after.into_iter().zip(before).take(if presses { 3 } else { 2 }) {
            within(&format!("{name} at {end:?}"), after, before, 1e-12, scale);
        }
    }

    /// A whole walk.
    fn walk(&self) -> Sums {
        let (mut t, mut sums) = (0.0, Sums::default());
        let begins = self.normal.begins_at();
        while let Some(touch) = self.motion.first(t, |delta, rate| delta > -begins && rate > 0.0) {
            if self.motion.depth(t).0 > -begins {
                // it starts within
                match self.motion.first(t, |delta, _| delta < -begins) {
                    Some(apart) => t = apart,
                    None => break,
                }
                continue;
            }
            t = self.contact(touch, &mut sums);
            if t >= LENGTH {
                break;
            }
        }
        sums
    }
}

/// Normal laws with parameters: of each law a few.
fn normals() -> Vec<(String, Arc<dyn Normal>)> {
    let all = normal_laws();
    let of_law = |law: &str| all.iter().filter(|(_, l)| l.name() == law).cloned().collect::<Vec<_>>();
    normal::ALL
        .iter()
        .flat_map(|entry| {
            let samples = of_law(entry.name());
            let many = samples.len();
            samples.into_iter().step_by((many / 6).max(1))
        })
        .collect()
}

/// stored + lost = work to 1e-10, for every normal law under every law of friction and every one of resistance that remembers; passive and within the cone at every step.
#[test]
fn the_ledger_closes_under_all_laws() {
    let (normals, along) = (normals(), along());
    let pairs = normals.iter().flat_map(|normal| along.iter().map(move |along| (normal, along)));
    let fit = pairs.filter(|((_, normal), along)| suits(along.friction(), &**normal));
    let (mut walks, mut total) = (0, Sums::default());
    for ((name, normal), along) in one_in(41, fit) {
        let what = format!("{name} under {}", along.name);
        let mut random = Random::of(&what);
        let motion = Motion::new(&mut random, along.speed);
        let oval = [0.0, 0.2][random.one_of(2)];
        let slender = if oval == 0.0 { 1.0 } else { 4.0 };
        let k = normal.stiffness().given().unwrap_or(1.0);
        let apart = Touch { slender, line: LINE, ..Touch::point(k, 1.0, 1.0).round(RADIUS) };
        let has_ellipse = along.speed == SHEAR && along.friction().stiffness_ratio() == Some(RATIO);
        let oval = if has_ellipse { oval } else { 0.0 };
        let contact = Contact { motion: &motion, normal: &**normal, along, apart, oval };
        let sums = contact.walk();
        within(&what, sums.stored + sums.lost, sums.work, 1e-10, sums.size);
        walks += 1;
        total.touches += sums.touches;
        total.phases += sums.phases;
        total.changes += sums.changes;
    }
    assert!(total.touches > walks && total.phases > 0 && total.changes > walks);
}
