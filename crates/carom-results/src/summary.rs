//! Writes `summary.json` and `timing.json`.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use carom::{BodyState, Energy, Event, EventKind, ForceRecord, Frame, Run, WearRecord};
use carom_base::file;
use serde_json::{Map, Value, json};

use crate::about::About;
use crate::error::ResultsError;

/// The numbers of `summary.json` that can be compared and measured.
pub const NUMBERS: [&str; 18] = [
    "duration",
    "steps",
    "rejected",
    "evaluations",
    "jacobians",
    "factorisations",
    "touches",
    "contacts",
    "peak_force",
    "max_indentation",
    "energy_start",
    "energy_end",
    "dissipated",
    "audit",
    "audit_end",
    "audit_relative",
    "momentum_audit",
    "angular_momentum_audit",
];

/// The state that a run has reached, for the summary of one that fails.
#[derive(Clone, Debug, Default)]
pub(super) struct Reached {
    pub(super) t: Option<f64>,
    bodies: Vec<BodyState>,
    energy_start: Option<f64>,
    energy: Option<Energy>,
    touches: usize,
    peak_force: f64,
    max_indentation: f64,
    pub(super) wear: Vec<WearRecord>,
}

carom_base::carried!(Reached { t, bodies, energy_start, energy, touches, peak_force, max_indentation, wear });

impl Reached {
    pub(super) fn note(&mut self, frame: &Frame) {
        self.t = Some(frame.t);
        self.bodies.clone_from(&frame.bodies);
        self.energy_start.get_or_insert(frame.energy.total());
        self.energy = Some(frame.energy);
        self.wear.clone_from(&frame.wear);
    }

    pub(super) fn note_event(&mut self, event: &Event) {
        match event.kind {
            EventKind::Touch => self.touches += 1,
            EventKind::Release => {
                self.peak_force = self.peak_force.max(event.peak_force);
                self.max_indentation = self.max_indentation.max(event.max_indentation);
            }
        }
    }
}

/// Returns the summary of a run that reached its end or was stopped.
pub(super) fn of_run(about: &About, names: &[String], run: &Run) -> Value {
    let s = &run.summary;
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.to_owned(), value);
    put("title", json!(about.title));
    put("version", json!(env!("CARGO_PKG_VERSION")));
    put("method", json!(s.method));
    put("rtol", json!(s.rtol));
    put("atol", json!(s.atol));
    put("duration", json!(about.duration));
    put("steps", json!(s.stats.steps));
    put("rejected", json!(s.stats.rejected));
    put("evaluations", json!(s.stats.evaluations));
    put("jacobians", json!(s.stats.jacobians));
    put("factorisations", json!(s.stats.factorisations));
    put("touches", json!(s.touches));
    put("contacts", json!(s.contacts));
    put("peak_force", json!(s.peak_force));
    put("max_indentation", json!(s.max_indentation));
    put("overlaps", overlaps(&s.overlaps));
    if !s.roundings.is_empty() {
        put("roundings", s.roundings.iter().map(rounding).collect());
    }
    if let Some(gap) = s.nearest_gap {
        put("nearest_gap", json!(gap));
    }
    if !run.end.frame.wear.is_empty() {
        put("wear", wear(&run.end.frame.wear));
    }
    if let Some(works) = works(&run.end.frame.forces) {
        put("works", works);
    }
    put("energy_start", json!(s.energy_start));
    put("energy_end", json!(s.energy.total()));
    put("dissipated", json!(s.energy.dissipated()));
    put("audit", json!(s.audit.energy));
    put("audit_end", json!(s.energy.audit));
    put("audit_relative", json!(s.audit_relative));
    put("momentum_audit", json!(s.audit.momentum_relative));
    put("angular_momentum_audit", json!(s.audit.angular_momentum_relative));
    if let Some(e) = s.audit.estimate {
        let estimate = json!({
            "step": e.step,
            "energy": e.energy,
            "momentum": e.momentum,
            "angular_momentum": e.angular_momentum,
        });
        put("step_estimate", estimate);
    }
    if let Some(crowd) = s.crowd {
        put("crowd", json!({ "step": crowd.step, "overlap": crowd.overlap, "lists": crowd.lists }));
    }
    put("resolution", json!({ "length": s.resolution.length, "speed": s.resolution.speed }));
    if let Some(rest) = &s.start {
        let start = json!({
            "iterations": rest.iterations,
            "residual": rest.residual,
            "stable": rest.stable(),
            "neutral": rest.neutral.len(),
            "unstable": rest.unstable.len(),
        });
        put("equilibrium_at_start", start);
    }
    let warning = |w: &carom::WarningCount| json!({"message": w.warning.to_string(), "count": w.count});
    put("warnings", s.warnings.iter().map(warning).collect());
    put("end_state", end_state(names, &run.end.frame.bodies));
    if s.stopped {
        put("stopped", json!(true));
        put("t_end", json!(s.t_end));
    }
    Value::Object(out)
}

/// Returns the summary of a run that failed or is not finished, as known at the last output.
pub(super) fn of_failure(about: &About, names: &[String], reached: &Reached, why: &str) -> Value {
    let unknown = Value::Null;
    let energy = |f: fn(&Energy) -> f64| reached.energy.as_ref().map(f);
    json!({
        "title": about.title,
        "version": env!("CARGO_PKG_VERSION"),
        "method": about.method,
        "rtol": about.rtol,
        "atol": about.atol,
        "duration": about.duration,
        "steps": unknown,
        "rejected": unknown,
        "evaluations": unknown,
        "jacobians": unknown,
        "factorisations": unknown,
        "touches": reached.touches,
        "contacts": unknown,
        "peak_force": reached.peak_force,
        "max_indentation": reached.max_indentation,
        "energy_start": reached.energy_start,
        "energy_end": energy(Energy::total),
        "dissipated": energy(Energy::dissipated),
        "audit": energy(|e| e.audit),
        "audit_end": energy(|e| e.audit),
        "audit_relative": unknown,
        "momentum_audit": unknown,
        "angular_momentum_audit": unknown,
        "warnings": [],
        "end_state": end_state(names, &reached.bodies),
        "failed": why,
        "t_end": reached.t,
    })
}

/// Returns the result of the overlap audit: depths \[m\] and times \[s\].
fn overlaps(o: &carom::Overlaps) -> Value {
    let of = |overlap: &Option<carom::Overlap>| {
        overlap.as_ref().map(|o| json!({ "surfaces": o.surfaces, "depth": o.depth, "t": o.t }))
    };
    json!({
        "pairs_tested": o.tested,
        "pairs_not_tested": o.untested,
        "deepest": of(&o.deepest),
        "deepest_unaccounted": of(&o.unaccounted),
    })
}

/// Returns by how much contacts with rounded edges may meet late, and by how much their faces and lines are crowned \[m\].
fn rounding(r: &carom::EdgeRounding) -> Value {
    json!({ "contact": r.contact, "others": r.others, "method": r.method, "late": r.late, "crown": r.crown })
}

/// Returns the worn volume \[m³\] and the largest depth \[m\] of all contacts that wear, by name.
fn wear(all: &[WearRecord]) -> Value {
    let worn = |w: &WearRecord| (w.contact.clone(), json!({ "volume": w.volume, "depth": w.deepest() }));
    Value::Object(all.iter().map(worn).collect())
}

/// Returns the works \[J\] of the loads, motors and actuators, by name; `None` if there are none.
fn works(all: &[ForceRecord]) -> Option<Value> {
    let works: Map<String, Value> =
        all.iter().filter_map(|force| Some((force.force.clone(), json!(force.work?)))).collect();
    (!works.is_empty()).then_some(Value::Object(works))
}

fn end_state(names: &[String], bodies: &[BodyState]) -> Value {
    let state = |b: &BodyState| {
        if let Some(d) = &b.deformation {
            return json!({
                "position": b.position.as_slice(),
                "deformation": d.f.transpose().as_slice(),
                "velocity": b.velocity.as_slice(),
                "deformation_rate": d.f_dot.transpose().as_slice(),
            });
        }
        let q = &b.orientation;
        json!({
            "position": b.position.as_slice(),
            "quaternion": [q.w, q.i, q.j, q.k],
            "velocity": b.velocity.as_slice(),
            "angular_velocity": b.angular_velocity.as_slice(),
        })
    };
    Value::Object(names.iter().zip(bodies).map(|(name, b)| (name.clone(), state(b))).collect())
}

/// Returns the data that differ from one run to the next: wall time \[s\], the date it began (UTC), threads.
pub(super) fn timing(wall: Duration, date: SystemTime, threads: usize) -> Value {
    json!({ "wall_time": wall.as_secs_f64(), "date": utc(date), "threads": threads })
}

/// Writes a date as `2026-01-31T23:59:59Z`.
fn utc(date: SystemTime) -> String {
    let seconds = date.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // number of days since 1970 to a date: H. Hinnant, chrono-compatible low-level date algorithms
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let mp = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (h, m, s) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}Z")
}

/// Writes a JSON file so that a reader sees either the old text or the new one, never a part.
pub(super) fn write(folder: &Path, name: &str, value: &Value) -> Result<(), ResultsError> {
    let path = folder.join(name);
    file::write(&path, format!("{value:#}\n").as_bytes()).map_err(ResultsError::io(&path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (4_102_444_800, "2100-01-01T00:00:00Z"),
        ] {
            assert_eq!(utc(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
