//! `carom materials`

use std::io::Write;

use carom::law::{STANDARD_MATERIALS, StandardMaterial};
use clap::Args;

use crate::failure::Failure;
use crate::text::{Table, columns, hanging};

/// List the materials that scenes can name, with their values and sources.
///
/// A body or a surface has one by material = "steel"; [material.steel] of a scene goes before it.
///
/// Friction is of two surfaces, not of a material: give it in the contact.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom materials")]
pub(crate) struct Materials {}

impl Materials {
    pub(crate) fn go(self) -> Result<(), Failure> {
        let mut table = Table::new(["material", "E [GPa]", "ν", "density [kg/m³]", "source"]);
        let mut sources: Vec<&str> = Vec::new();
        for m in STANDARD_MATERIALS {
            let number = sources.iter().position(|s| *s == m.source).unwrap_or_else(|| {
                sources.push(m.source);
                sources.len() - 1
            });
            table.line(line(m, number + 1));
        }
        let mut out = crate::text::stdout();
        write!(out, "{table}")?;
        for (i, source) in sources.iter().enumerate() {
            write!(out, "{}", hanging(&format!("[{}] ", i + 1), source, columns()))?;
        }
        Ok(out.flush()?)
    }
}

fn line(m: &StandardMaterial, source: usize) -> [String; 5] {
    let name = if m.name == m.summary { m.name.to_owned() } else { format!("{}, {}", m.name, m.summary) };
    let modulus = (m.youngs_modulus / 1e4).round() / 1e5;
    [name, modulus.to_string(), m.poisson_ratio.to_string(), m.density.to_string(), format!("[{source}]")]
}
