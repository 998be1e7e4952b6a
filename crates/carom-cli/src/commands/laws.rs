//! `carom laws`

use std::fmt::Write as _;
use std::io::{self, Write};

use carom::base::Param;
use carom::base::param::{Presence, Quantity};
use carom::law::{Reference, friction, normal};
use carom::words::nearest;
use clap::Args;

use crate::failure::Failure;

/// List the contact laws, or explain one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom laws
  carom laws flores")]
pub(crate) struct Laws {
    /// Explain this law only
    name: Option<String>,
}

/// A law of either kind, as a page.
struct Page {
    kind: &'static str,
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    params: &'static [Param],
    range: &'static str,
    /// what happens at the edge, and its heading
    edge: (&'static str, &'static str),
    reference: Reference,
}

/// All laws, from their registries.
fn pages() -> Vec<Page> {
    let normal = normal::ALL.iter().map(|law| Page {
        kind: "normal",
        name: law.entry.name,
        summary: law.entry.summary,
        formula: law.formula,
        params: law.entry.params,
        range: law.range,
        edge: ("ends at", law.exit),
        reference: law.reference,
    });
    let friction = friction::ALL.iter().map(|law| Page {
        kind: "friction",
        name: law.entry.name,
        summary: law.entry.summary,
        formula: law.formula,
        params: law.entry.params,
        range: law.range,
        edge: ("at rest", law.at_rest),
        reference: law.reference,
    });
    normal.chain(friction).collect()
}

impl Laws {
    pub(crate) fn go(self) -> Result<(), Failure> {
        let pages = pages();
        let text = match &self.name {
            None => list(&pages),
            Some(name) => {
                // a normal law and a friction law may have the same author
                let named: Vec<String> = pages.iter().filter(|p| p.name == name).map(explain).collect();
                match named.is_empty() {
                    true => return Err(unknown(name, &pages)),
                    false => named.join("\n"),
                }
            }
        };
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }
}

fn unknown(name: &str, pages: &[Page]) -> Failure {
    let known: Vec<&str> = pages.iter().map(|p| p.name).collect();
    let meant = nearest(name, &known).map(|w| format!("; did you mean `{w}`?")).unwrap_or_default();
    Failure::Input(format!("no law is called `{name}`{meant}\n  there are {}", known.join(", ")))
}

/// All laws, a few lines each.
fn list(pages: &[Page]) -> String {
    let mut text = String::new();
    let mut kind = "";
    for page in pages {
        if page.kind != kind {
            kind = page.kind;
            let _ = writeln!(text, "{kind} laws, for {kind} = {{ law = \"…\", … }}");
        }
        let params: Vec<String> = page.params.iter().map(short).collect();
        let _ = writeln!(text, "\n  {}: {}", page.name, page.summary);
        let _ = writeln!(text, "    {}", page.formula);
        let _ = writeln!(text, "    keys    {}", params.join(", "));
        let _ = writeln!(text, "    holds   {}", page.range);
        let _ = writeln!(text, "    source  {}", page.reference.source);
        if page.kind == "normal" && page.name == normal::ALL.last().map_or("", |l| l.entry.name) {
            text.push('\n');
        }
    }
    text
}

/// All there is to say of a law.
fn explain(page: &Page) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{} ({} law): {}\n", page.name, page.kind, page.summary);
    let _ = writeln!(text, "  {}\n", page.formula);
    let width = page.params.iter().map(|p| with_unit(p).len()).max().unwrap_or(0);
    for p in page.params {
        let presence = match p.presence {
            Presence::Required => "required".to_owned(),
            Presence::Default(x) => format!("{x} if left out"),
            Presence::DefaultText(x) => format!("\"{x}\" if left out"),
            Presence::Optional(then) => format!("if left out: {then}"),
        };
        let _ = writeln!(text, "  {:width$}  {}; {}; {presence}", with_unit(p), p.doc, p.allowed);
    }
    let (heading, edge) = page.edge;
    let _ = writeln!(text, "\n  holds    {}", page.range);
    let _ = writeln!(text, "  {heading}  {edge}");
    let _ = writeln!(text, "  source   {}", page.reference.source);
    let _ = writeln!(text, "  checked  {}", page.reference.checked);
    text
}

/// `restitution`, `stiffness [N/m^exponent] (optional)`, `exponent = 1.5`.
fn short(p: &Param) -> String {
    match p.presence {
        Presence::Required => with_unit(p),
        Presence::Default(x) => format!("{} = {x}", with_unit(p)),
        Presence::DefaultText(x) => format!("{} = \"{x}\"", with_unit(p)),
        Presence::Optional(_) => format!("{} (optional)", with_unit(p)),
    }
}

fn with_unit(p: &Param) -> String {
    match p.quantity {
        Quantity::Number => p.name.to_owned(),
        quantity => format!("{} [{}]", p.name, quantity.unit()),
    }
}
