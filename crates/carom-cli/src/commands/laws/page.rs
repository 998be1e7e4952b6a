//! The description of a law: in a line, and on a page.

use std::fmt::Write;

use carom::base::Param;
use carom::base::param::{Presence, Quantity};
use carom::law::resistance::{self, ResistanceEntry};
use carom::law::{Reference, friction, normal};

use super::sample;
use crate::text::{hanging, padded, width};

/// A law of any kind.
pub(super) struct Page {
    pub(super) kind: &'static str,
    family: &'static str,
    pub(super) name: &'static str,
    summary: &'static str,
    formula: &'static str,
    params: &'static [Param],
    range: &'static str,
    /// what happens at the edge, and its heading
    edge: (&'static str, &'static str),
    /// of friction with memory, what it does as the load falls
    falling_load: Option<String>,
    reference: Reference,
}

/// All laws, from their registries.
pub(super) fn all() -> Vec<Page> {
    let normal = normal::ALL.iter().map(|law| Page {
        kind: "normal",
        family: normal_family(law),
        name: law.entry.name,
        summary: law.entry.summary,
        formula: law.formula,
        params: law.entry.params,
        range: law.range,
        edge: ("ends at", law.exit),
        falling_load: None,
        reference: law.reference,
    });
    let friction = friction::ALL.iter().map(|law| Page {
        kind: "friction",
        family: friction_family(law),
        name: law.entry.name,
        summary: law.entry.summary,
        formula: law.formula,
        params: law.entry.params,
        range: law.range,
        edge: ("at rest", law.at_rest),
        falling_load: falling_load(law),
        reference: law.reference,
    });
    let rolling = resistance::ROLLING.iter().map(|law| resisting("rolling", law));
    let spinning = resistance::SPINNING.iter().map(|law| resisting("spinning", law));
    normal.chain(friction).chain(rolling).chain(spinning).collect()
}

fn resisting(kind: &'static str, law: &ResistanceEntry) -> Page {
    Page {
        kind,
        family: match kind {
            "rolling" => "couples against rolling: the part of ω_a − ω_b across the normal",
            _ => "couples against spinning: the part of ω_a − ω_b along the normal",
        },
        name: law.entry.name,
        summary: law.entry.summary,
        formula: law.formula,
        params: law.entry.params,
        range: law.range,
        edge: ("at rest", law.at_rest),
        falling_load: None,
        reference: law.reference,
    }
}

fn has(params: &[Param], name: &str) -> bool {
    params.iter().any(|p| p.name == name)
}

/// The heading a normal law stands under: by its parameters.
fn normal_family(law: &normal::NormalEntry) -> &'static str {
    let params = law.entry.params;
    if has(params, "adhesion_energy") {
        return "adhesion: surfaces that hold each other";
    }
    if has(params, "yield_pressure") || has(params, "plasticity") || law.name() == "walton-braun" {
        return "dents: laws that remember the largest indentation";
    }
    match (law.eta.is_some(), has(params, "restitution") || has(params, "damping")) {
        (true, _) => "F = K δⁿ (1 + η δ̇/v₀), each with its own η of the restitution c",
        (false, true) => "spring and dashpot, and others with damping",
        (false, false) => "elastic",
    }
}

/// The heading a friction law stands under.
fn friction_family(law: &friction::FrictionEntry) -> &'static str {
    let sample = law.make(&sample::args(law.entry.params));
    if sample.as_ref().is_ok_and(|law| law.follows_depth()) {
        return "the contact's own stiffness: friction with memory, which holds at rest and in impacts";
    }
    let remembers = sample.is_ok_and(|law| law.remembers());
    match (remembers, has(law.entry.params, "static_coefficient")) {
        (true, _) => "bristles: friction with memory, which holds at rest",
        (false, true) => "static and kinetic friction",
        (false, false) => "kinetic friction",
    }
}

/// Whether a friction law is shown in oblique impacts unless others are chosen: those that follow the depth, and one that has no stiffness.
pub(super) fn goes_oblique(name: &str) -> bool {
    let sample = friction::find(name).and_then(|law| law.make(&sample::args(law.entry.params)).ok());
    name == "tanh" || sample.is_some_and(|law| law.follows_depth())
}

/// What a law with memory does while its load falls.
fn falling_load(law: &friction::FrictionEntry) -> Option<String> {
    let sample = law.make(&sample::args(law.entry.params)).ok().filter(|law| law.remembers())?;
    if sample.follows_depth() {
        return Some("|F| stays within μN".to_owned());
    }
    let full = if has(law.entry.params, "static_coefficient") { "μs N" } else { "μN" };
    Some(match law.beyond_cone > 1.0 {
        false => format!("|F| stays within {full}, but for the damping it was given"),
        true => format!(
            "bristles lag, as in the source: in an oblique impact |F| reaches {:.1} {full}; take `reset-integrator` or `gonthier` where it must not exceed that",
            law.beyond_cone
        ),
    })
}

/// All laws, a line or two each.
pub(super) fn list(pages: &[Page], columns: usize) -> String {
    let mut text = String::new();
    let names = pages.iter().map(|p| width(p.name)).max().unwrap_or(0);
    let mut under = ("", "");
    for page in pages {
        if page.kind != under.0 {
            let gap = if under.0.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}{kind} laws, for {kind} = {{ law = \"…\", … }}", kind = page.kind);
        }
        if (page.kind, page.family) != under {
            under = (page.kind, page.family);
            text += &hanging("\n  ", page.family, columns + 1);
        }
        text += &hanging(&format!("    {}  ", padded(page.name, names)), page.summary, columns);
    }
    text += "\ncarom laws NAME explains one, carom laws --compare 0.7 compares the impacts they give,\n";
    text +=
        "carom laws --compare-friction their forces against slip, --compare-oblique how a ball rebounds.\n";
    text
}

/// All there is to say of a law.
pub(super) fn explain(page: &Page, columns: usize) -> String {
    let mut text = hanging(&format!("{} ({} law): ", page.name, page.kind), page.summary, columns);
    text += "\n";
    text += &hanging("  ", page.formula, columns);
    text += "\n";
    let wide = page.params.iter().map(|p| width(&with_unit(p))).max().unwrap_or(0);
    for p in page.params {
        let presence = match p.presence {
            Presence::Required => "required".to_owned(),
            Presence::Default(x) => format!("{x} if left out"),
            Presence::DefaultText(x) => format!("\"{x}\" if left out"),
            Presence::Optional(then) => format!("if left out: {then}"),
        };
        let head = format!("  {}  ", padded(&with_unit(p), wide));
        text += &hanging(&head, &format!("{}; {}; {presence}", p.doc, p.allowed), columns);
    }
    let (heading, edge) = page.edge;
    text += "\n";
    text += &hanging("  holds    ", page.range, columns);
    text += &hanging(&format!("  {heading}  "), edge, columns);
    if let Some(falling_load) = &page.falling_load {
        text += &hanging("  unloads  ", falling_load, columns);
    }
    text += &hanging("  source   ", page.reference.source, columns);
    text += &hanging("  checked  ", page.reference.checked, columns);
    let _ = writeln!(text, "  example  {}", sample::line(page.kind, page.name, page.params));
    text
}

fn with_unit(p: &Param) -> String {
    match p.quantity {
        Quantity::Number => p.name.to_owned(),
        quantity => format!("{} [{}]", p.name, quantity.unit()),
    }
}
