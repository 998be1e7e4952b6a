//! `carom laws`

mod cycles;
mod impacts;
mod oblique;
mod page;
mod sample;
mod slips;

use std::io::Write;
use std::path::PathBuf;

use carom::words::nearest;
use clap::Args;

use crate::failure::Failure;
use crate::plot;
use crate::text::columns;

/// List the contact laws, explain one, or compare them
///
/// --compare C puts one impact, a mass against a fixed surface, through all normal laws: those that
/// take a restitution with C, those with a damping, a yield pressure, a plasticity or an adhesion
/// energy of their own with the one that gives C in this impact. The numbers are in units of
/// δ* = (m v²/K)^(1/(n+1)), F* = m v²/δ*, t* = δ*/v, ½ m v², and the same for every mass, speed
/// and stiffness; in SI units once one of these is given.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  carom laws
  carom laws flores
  carom laws --compare 0.7
  carom laws --compare 0.7 --plot loops.svg
  carom laws --compare 0.5 --law flores --law hu-guo --mass 0.1 --speed 2 --stiffness 1e8
  carom laws --compare-friction --plot friction.png
  carom laws --compare-oblique --law tanh --law maw-barber-fawcett
  carom laws --compare-cycles --plot cycles.svg"
)]
pub(crate) struct Laws {
    /// Explain this law only
    name: Option<String>,
    /// Compare the impacts of normal laws at this coefficient of restitution
    #[arg(long, value_name = "C", conflicts_with = "name")]
    compare: Option<f64>,
    /// Compare the forces of friction laws, each with the values of its example
    #[arg(long, conflicts_with_all = ["name", "compare"])]
    compare_friction: bool,
    /// Compare oblique impacts of a ball under friction laws [default: tanh and those by depth]
    #[arg(long, conflicts_with_all = ["name", "compare", "compare_friction"])]
    compare_oblique: bool,
    /// Compare slow cycles of normal laws: adhesion pulled apart, dents loaded again
    #[arg(long, conflicts_with_all = ["name", "compare", "compare_friction", "compare_oblique"])]
    compare_cycles: bool,
    /// Compare this law; can be given many times [default: all]
    #[arg(long, value_name = "NAME", conflicts_with = "name")]
    law: Vec<String>,
    /// Mass [kg] [default: 1]
    #[arg(long, value_name = "KG", requires = "compare")]
    mass: Option<f64>,
    /// Impact speed [m/s] [default: 1]
    #[arg(long, value_name = "M/S", requires = "compare")]
    speed: Option<f64>,
    /// Stiffness K [N/m^1.5] [default: 1]; for another exponent the K of the same F* and δ*
    #[arg(long, value_name = "K", requires = "compare")]
    stiffness: Option<f64>,
    /// Draw the comparison to this file, SVG or PNG by its ending
    #[arg(long, value_name = "FILE", conflicts_with = "name")]
    plot: Option<PathBuf>,
}

impl Laws {
    pub(crate) fn go(self) -> Result<(), Failure> {
        let pages = page::all();
        plot::check(self.plot.as_deref())?;
        let comparing =
            self.compare.is_some() || self.compare_friction || self.compare_oblique || self.compare_cycles;
        if !comparing && (self.plot.is_some() || !self.law.is_empty()) {
            let what = if self.plot.is_some() { "--plot" } else { "--law" };
            let text = format!(
                "{what} goes with a comparison: --compare 0.7, --compare-friction, --compare-oblique or --compare-cycles"
            );
            return Err(Failure::Input(text));
        }
        let text = if let Some(c) = self.compare {
            let chosen = self.chosen("normal", &pages)?;
            let (mass, speed, stiffness) = (self.mass, self.speed, self.stiffness);
            let setup = impacts::Setup::new(c, mass, speed, stiffness)?;
            impacts::compare(&setup, &chosen, self.plot.as_deref())?
        } else if self.compare_friction {
            slips::compare(&self.chosen("friction", &pages)?, self.plot.as_deref())?
        } else if self.compare_oblique {
            let mut chosen = self.chosen("friction", &pages)?;
            chosen.retain(|name| !self.law.is_empty() || page::goes_oblique(name));
            oblique::compare(&chosen, self.plot.as_deref())?
        } else if self.compare_cycles {
            cycles::compare(&self.chosen("normal", &pages)?, self.plot.as_deref())?
        } else if let Some(name) = &self.name {
            // a normal law and a friction law may have the same author
            let named: Vec<_> = pages.iter().filter(|p| p.name == name).collect();
            if named.is_empty() {
                return Err(unknown(name, "", &pages));
            }
            named.iter().map(|page| page::explain(page, columns())).collect::<Vec<_>>().join("\n")
        } else {
            page::list(&pages, columns())
        };
        let mut out = crate::text::stdout();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    /// The names of the laws to compare, of this kind; in the order of the registry.
    fn chosen(&self, kind: &str, pages: &[page::Page]) -> Result<Vec<&'static str>, Failure> {
        let mut all: Vec<&'static str> = pages.iter().filter(|p| p.kind == kind).map(|p| p.name).collect();
        if let Some(wrong) = self.law.iter().find(|name| !all.contains(&name.as_str())) {
            let of_kind: Vec<&page::Page> = pages.iter().filter(|p| p.kind == kind).collect();
            return Err(unknown(wrong, &format!("{kind} "), of_kind));
        }
        all.retain(|name| self.law.is_empty() || self.law.iter().any(|l| l == name));
        Ok(all)
    }
}

fn unknown<'a>(name: &str, kind: &str, pages: impl IntoIterator<Item = &'a page::Page>) -> Failure {
    let known: Vec<&str> = pages.into_iter().map(|p| p.name).collect();
    let meant = nearest(name, &known).map(|w| format!("; did you mean `{w}`?")).unwrap_or_default();
    Failure::Input(format!("no {kind}law is called `{name}`{meant}\n  there are {}", known.join(", ")))
}
