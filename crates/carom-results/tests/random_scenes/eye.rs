//! Looks at a run from outside: overlaps by distances bound anew, momentum by the bodies' own, and the ledger at every output.

use carom::base::{Mat3, Pose, Quat, Vec3};
use carom::geometry::pairs::slices::Slices;
use carom::geometry::{BoundPair, pairs};
use carom::{BodyState, Event, EventKind, Frame, Model, Sink, SinkError};
use carom_scene::Scene;
use serde_json::{Value, json};

use crate::check::Report;

/// What overlaps by less than this part of the smaller of two is not told: rounded edges, states between steps.
const THIN: f64 = 0.02;

/// The energy [J] of bodies of some kilograms that stand still up to rounding, and what loads of a newton do on their way.
const STILL: f64 = 1e-15;
/// What rounding leaves of all energies.
const ROUNDING: f64 = 1e-13;

/// One who looks at a run.
pub(crate) struct Eye<'m> {
    model: &'m Model,
    pairs: Vec<Looked>,
    /// the bodies that move, if nothing holds any of them
    free: Option<Vec<Inert>>,
    gravity: Vec3,
    /// momentum without that of gravity, angular momentum about the common centre of mass, at the first output
    momenta: Option<[Vec3; 2]>,
    /// how far they have changed, and the largest of the bodies' own
    changed: [f64; 2],
    largest: [f64; 2],
    potential: Option<f64>,
    energy: f64,
    /// the largest sum of energies, from wherever heights are measured
    amount: f64,
    audit: f64,
    overlap: Option<(f64, String)>,
    touch: Option<String>,
    not_finite: Option<f64>,
}

/// Two surfaces, bound from their shapes alone.
struct Looked {
    surfaces: [usize; 2],
    /// of its contact, whichever of the two a rule names first
    names: [String; 2],
    pair: Box<dyn BoundPair>,
    allowed: f64,
}

struct Inert {
    mass: f64,
    inertia: Mat3,
    centre: Vec3,
}

impl<'m> Eye<'m> {
    pub(crate) fn new(scene: &'m Scene) -> Eye<'m> {
        let json = &scene.source.json();
        let gravity = |k| json["world"]["gravity"][k].as_f64().unwrap_or(0.0);
        Eye {
            model: &scene.model,
            pairs: looked(&scene.model, json),
            free: free(&scene.model, json),
            gravity: Vec3::new(gravity(0), gravity(1), gravity(2)),
            momenta: None,
            changed: [0.0; 2],
            largest: [0.0; 2],
            potential: None,
            energy: 0.0,
            amount: 0.0,
            audit: 0.0,
            overlap: None,
            touch: None,
            not_finite: None,
        }
    }

    /// Audits that are off by more than a part of the largest.
    pub(crate) fn audits(&self, allowed: [f64; 3], report: &mut Report) {
        for ((what, changed, largest), allowed) in [
            // (what is locked moves by rounding, and no ledger of that closes)
            ("energy", self.audit - STILL - ROUNDING * self.amount, self.energy),
            ("momentum", self.changed[0], self.largest[0]),
            ("angular momentum", self.changed[1], self.largest[1]),
        ]
        .into_iter()
        .zip(allowed)
        {
            if changed > 0.0 && !(changed / largest <= allowed) {
                report.fault(what, format!("off by {:.1e}, allowed {allowed:.1e}", changed / largest));
            }
        }
    }

    /// What needs no tolerance.
    pub(crate) fn overlaps_and_touches(self, report: &mut Report) {
        if let Some((_, what)) = self.overlap {
            report.fault("overlap", what);
        }
        if let Some(what) = self.touch {
            report.fault("touch", what);
        }
        if let Some(t) = self.not_finite {
            report.fault("not finite", format!("at t = {t} s"));
        }
    }

    fn look(&mut self, frame: &Frame) {
        let all: Vec<(String, Pose)> =
            self.model.surfaces_at(&frame.bodies).map(|(name, _, pose)| (name, pose)).collect();
        for looked in &self.pairs {
            let [a, b] = looked.surfaces.map(|s| &all[s].1);
            let Ok(found) = looked.pair.closest(a, b) else { continue };
            let same = |c: &&carom::ContactRecord| looked.names.contains(&c.contact);
            let known = frame.contacts.iter().filter(same).fold(0.0, |m: f64, c| m.max(c.delta));
            let missed = found.delta - known;
            if missed > looked.allowed && self.overlap.as_ref().is_none_or(|(most, _)| missed > *most) {
                let what = format!(
                    "{} by {:.3e} m, known {known:.3e}, at t = {} s",
                    looked.names[0], found.delta, frame.t
                );
                self.overlap = Some((missed, what));
            }
        }
    }

    fn weigh(&mut self, frame: &Frame) {
        let Some(free) = &self.free else { return };
        let centres: Vec<Vec3> =
            free.iter().zip(&frame.bodies).map(|(i, b)| b.position + b.axes() * i.centre).collect();
        let mass: f64 = free.iter().map(|i| i.mass).sum();
        let middle = free.iter().zip(&centres).fold(Vec3::zeros(), |sum, (i, c)| sum + c * i.mass) / mass;
        let (mut p, mut l) = (-self.gravity * (mass * frame.t), Vec3::zeros());
        let mut own = [0.0; 2];
        for ((inert, b), c) in free.iter().zip(&frame.bodies).zip(&centres) {
            let v = b.velocity + b.angular_velocity.cross(&(c - b.position));
            let spin = b.axes() * inert.inertia * b.axes().transpose() * b.angular_velocity;
            p += v * inert.mass;
            l += (c - middle).cross(&(v * inert.mass)) + spin;
            own[0] += v.norm() * inert.mass;
            own[1] += (c - middle).norm() * v.norm() * inert.mass + spin.norm();
        }
        // gravity adds to momentum as long as the run lasts
        own[0] += self.gravity.norm() * mass * frame.t;
        let first = self.momenta.get_or_insert([p, l]);
        for (k, now) in [p, l].into_iter().enumerate() {
            self.changed[k] = self.changed[k].max((now - first[k]).norm());
            self.largest[k] = self.largest[k].max(own[k]);
        }
    }
}

impl Sink for Eye<'_> {
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        let finite = |b: &BodyState| b.position.iter().chain(b.velocity.iter()).all(|x| x.is_finite());
        if !frame.bodies.iter().all(finite) || !frame.energy.audit.is_finite() {
            self.not_finite.get_or_insert(frame.t);
            return Ok(());
        }
        let e = &frame.energy;
        let first = *self.potential.get_or_insert(e.potential);
        self.energy = self.energy.max(e.kinetic + e.stored() + (e.potential - first).abs());
        self.amount = self.amount.max(e.kinetic + e.stored() + e.potential.abs());
        self.audit = self.audit.max(e.audit.abs());
        self.look(frame);
        self.weigh(frame);
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        if event.kind == EventKind::Touch && event.speed < 0.0 && self.touch.is_none() {
            self.touch = Some(format!(
                "{} {} with {:e} m/s at t = {} s",
                event.contact, event.feature, event.speed, event.t
            ));
        }
        Ok(())
    }
}

/// The pairs of surfaces that touch: of two bodies, one of which at least moves.
fn looked(model: &Model, json: &Value) -> Vec<Looked> {
    let body = |name: &str| json["body"].as_array().into_iter().flatten().find(|b| b["name"] == name);
    let acts = |name: &str| body(name).is_some_and(|b| b["fixed"] != true && b["motion"].is_null());
    let rules = || json["contact"].as_array().into_iter().flatten();
    let slices = |a: &str, b: &str| {
        let same = |c: &&Value| c["between"] == json!([a, b]) || c["between"] == json!([b, a]);
        rules().find(same).and_then(|c| c["slices"].as_u64())
    };
    // what may pass through one another: a ball and the floor it rolls on, the journals of joints
    let rolls = |a: &str, b: &str| rules().any(|c| c["none"] == true && c["between"] == json!([a, b]));
    let of_joint = |name: &str| name.split('/').nth(1).is_some_and(|surface| surface.starts_with('j'));
    let start = starts(json);
    let all: Vec<_> = model.surfaces_at(&start).collect();
    let mut out = Vec::new();
    for (j, (nb, sb, _)) in all.iter().enumerate() {
        for (i, (na, sa, _)) in all[..j].iter().enumerate() {
            let [a, b] = [na, nb].map(|n| n.split('/').next().unwrap_or(n));
            let skip = [na, nb].iter().any(|n| of_joint(n)) || rolls(a, nb) || rolls(b, na);
            if a == b || !(acts(a) || acts(b)) || skip {
                continue;
            }
            let deforms = [model.deforms(a), model.deforms(b)];
            let pair = match slices(a, b).and_then(|count| Slices::new(count as usize).ok()) {
                Some(slices) => pairs::bind_by(&slices, sa, sb),
                None if deforms != [false; 2] => {
                    pairs::bind_deformed(pairs::ALL.iter().copied(), sa, sb, deforms)
                }
                None => pairs::bind(sa, sb),
            };
            if let Ok(pair) = pair {
                let radius = |s: &carom::geometry::Shape| s.bounds().radius;
                let allowed = THIN * radius(sa).min(radius(sb));
                let names = [format!("{na}~{nb}"), format!("{nb}~{na}")];
                out.push(Looked { surfaces: [i, j], names, pair, allowed });
            }
        }
    }
    out
}

/// Bodies somewhere: as many as move.
fn starts(json: &Value) -> Vec<BodyState> {
    let moving = |b: &&Value| b["fixed"] != true;
    let count = json["body"].as_array().into_iter().flatten().filter(moving).count();
    let nowhere = BodyState {
        position: Vec3::zeros(),
        orientation: Quat::identity(),
        velocity: Vec3::zeros(),
        angular_velocity: Vec3::zeros(),
        deformation: None,
    };
    vec![nowhere; count]
}

/// The bodies that move, unless something holds one of them.
fn free(model: &Model, json: &Value) -> Option<Vec<Inert>> {
    let held = |b: &Value| {
        b["fixed"] == true || b["type"] == "affine" || !b["motion"].is_null() || !b["dofs"].is_null()
    };
    if json["body"].as_array().into_iter().flatten().any(held) || json.to_string().contains("\"surfaces\"") {
        return None;
    }
    let inert = |name| {
        Some(Inert {
            mass: model.mass(name)?,
            inertia: model.inertia(name)?,
            centre: model.centre_of_mass(name)?,
        })
    };
    model.moving_bodies().map(inert).collect()
}
