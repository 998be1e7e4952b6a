//! A run in a few lines, for people.

use std::fmt;
use std::time::Duration;

use carom::{EdgeRounding, Overlaps, Summary, WearRecord};

use crate::human::{count, duration, seconds, si, significant};

/// What is printed when a run is done.
pub(crate) struct Report<'a> {
    pub(crate) title: &'a str,
    pub(crate) summary: &'a Summary,
    pub(crate) wear: &'a [WearRecord],
    pub(crate) wall: Duration,
    pub(crate) folder: &'a str,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = self.summary;
        writeln!(f, "{}", self.title)?;
        writeln!(
            f,
            "  {} simulated in {}    {}, rtol {:e}    {} ({} rejected), {}",
            duration(s.t_end),
            seconds(self.wall.as_secs_f64()),
            s.method,
            s.rtol,
            count(s.stats.steps, "step", "steps"),
            s.stats.rejected,
            count(s.stats.evaluations, "evaluation", "evaluations"),
        )?;
        if let Some(rest) = &s.start {
            writeln!(f, "  started from an equilibrium {rest}")?;
        }
        if let Some(gap) = s.nearest_gap {
            writeln!(f, "  nearest to a support {}", si(gap, "m"))?;
        }
        if s.touches == 0 && s.peak_force == 0.0 {
            // near a support nothing touches: that is what fields are for
            if s.nearest_gap.is_none() {
                writeln!(f, "  no contacts")?;
            }
        } else {
            let (force, depth) = (si(s.peak_force, "N"), si(s.max_indentation, "m"));
            let contacts = count(s.contacts, "contact", "contacts");
            // of faces, rims and slices several points touch, one after the other
            let points = match s.touches == s.contacts {
                true => String::new(),
                false => format!(" ({})", count(s.touches, "point", "points")),
            };
            writeln!(f, "  {contacts}{points}    peak force {force}    deepest {depth}")?;
        }
        if s.overlaps.tested + s.overlaps.untested > 0 {
            writeln!(f, "  {}", overlaps(&s.overlaps))?;
        }
        for rounding in &s.roundings {
            writeln!(f, "  {}", rounded(rounding))?;
        }
        for w in self.wear {
            let depth = match w.profiles.is_empty() {
                true => String::new(),
                false => format!(", {} at the deepest", si(w.deepest(), "m")),
            };
            writeln!(f, "  {} worn by {} mm³{depth}", w.contact, significant(1e9 * w.volume, 3))?;
        }
        self.energy(f)?;
        for w in &s.warnings {
            let times = if w.count == 1 { String::new() } else { format!(" ({} times)", w.count) };
            writeln!(f, "  warning: {}{times}", w.warning)?;
        }
        writeln!(f, "  {}\n  {}", self.folder, look(self.folder))
    }
}

/// `edges rounded: those of die/box1~block/box1 and 2 other contacts meet up to 29.3 µm late, faces and lines are crowned by up to 2 µm (box-box)`.
fn rounded(r: &EdgeRounding) -> String {
    let others = match r.others {
        0 => String::new(),
        n => format!(" and {}", count(n, "other contact", "other contacts")),
    };
    format!(
        "edges rounded: those of {}{others} meet up to {} late, faces and lines are crowned by up to {} ({})",
        r.contact,
        si(r.late, "m"),
        si(r.crown, "m"),
        r.method
    )
}

/// `overlaps: 3 pairs tested, none deeper than its contact knows`.
fn overlaps(o: &Overlaps) -> String {
    let tested = format!("overlaps: {} tested", count(o.tested, "pair", "pairs"));
    let not = if o.untested > 0 { format!(", {} not", o.untested) } else { String::new() };
    match &o.unaccounted {
        None => format!("{tested}{not}, none that a contact does not know of"),
        Some(o) => {
            let [a, b] = &o.surfaces;
            format!(
                "{tested}{not}, {} at {} that no contact knows of ({a} and {b})",
                si(o.depth, "m"),
                duration(o.t)
            )
        }
    }
}

/// What to do next.
pub(crate) fn look(folder: &str) -> String {
    let folder = folder.trim_end_matches(std::path::MAIN_SEPARATOR);
    let quote = if folder.contains(char::is_whitespace) { "\"" } else { "" };
    format!("look: carom view {quote}{folder}{quote}")
}

impl Report<'_> {
    fn energy(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (s, e) = (self.summary, &self.summary.energy);
        write!(f, "  energy {} → {}", si(s.energy_start, "J"), si(e.total(), "J"))?;
        let lost: Vec<String> = [
            ("damping", e.dissipated_normal),
            ("friction", e.dissipated_friction),
            ("friction in joints", e.dissipated_joint),
            ("viscosity", e.dissipated_viscous),
            ("fields", e.dissipated_field),
        ]
        .iter()
        .filter(|(_, joules)| *joules != 0.0)
        .map(|(what, joules)| format!("to {what} {}", si(*joules, "J")))
        .collect();
        if !lost.is_empty() {
            write!(f, "    lost {}", lost.join(", "))?;
        }
        if e.work != 0.0 {
            write!(f, "    work done {}", si(e.work, "J"))?;
        }
        let of = |off: f64| if off == 0.0 { "0".to_owned() } else { format!("{off:.0e}") };
        let a = &s.audit;
        // what was asked for is no fault, but should not pass for one either
        let couples =
            if a.friction_on_surfaces { " (with the couples of friction on the surfaces)" } else { "" };
        // where rounding is as large as all the energy there is, a part of that says nothing
        let energy = match a.rounding[0] {
            rounding if rounding < 1.0 => format!("{} of the largest energy", of(s.audit_relative)),
            _ => format!("{} of energy, all of which is rounding: nothing moves", si(a.energy, "J")),
        };
        writeln!(
            f,
            "    audit {energy}, {} of momentum, {} of angular momentum{couples}",
            of(a.momentum_relative),
            of(a.angular_momentum_relative)
        )?;
        if let Some(e) = &s.audit.estimate {
            writeln!(
                f,
                "  given steps, taken in halves: off by {:.0e} a step, energy by {:.0e}",
                e.step, e.energy
            )?;
        }
        Ok(())
    }
}
