//! `carom modes`

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use carom::{Equilibrium, ModeKind, Modes, Root, Shape};
use carom_results::{Existing, ResultSet, modes_json};
use carom_scene::{Analysed, Scene};
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::human::significant;
use crate::text::{Table, columns, hanging};

/// A stiffness less symmetric than this is worth a line.
const ASYMMETRY: f64 = 1e-9;
/// What is left of the forces of an equilibrium; more, and it is none.
const BALANCED: f64 = 1e-6;
/// So many components of a shape are shown; JSON and CSV have all.
const COMPONENTS: usize = 4;

/// Find the equilibrium of a scene, its frequencies and mode shapes
///
/// Velocities and prescribed motions do not count: bodies are let down slowly from where they are
/// given, without friction, until the forces on each are in balance. About that place the motion is
/// linearised exactly: modes without damping, then the roots with it.
///
/// A shape names the bodies that move most: along x, y, z, of their centres of mass, or about them
/// (rx, ry, rz). A turn counts as the way of a point at the radius of gyration; the largest is 1.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  carom modes egg-on-table.toml
  carom modes egg-on-table.toml --set body/egg/mass='80 g'
  carom modes egg-on-table.toml --json > modes.json
  carom modes egg-on-table.toml -o out/egg        modes.json, modes.csv and roots.csv
  carom modes egg-on-table.toml --at given        no search: linearised where the bodies are given

Exit codes: 0 done, 1 no equilibrium was found, 2 the input is wrong."
)]
pub(crate) struct ModesOf {
    /// The scene: TOML, or JSON if it ends in .json
    scene: PathBuf,
    /// Folder for modes.json, modes.csv and roots.csv
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Replace a value of the scene; can be given many times
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Where the motion is linearised
    #[arg(long, value_enum, default_value_t = At::Equilibrium)]
    at: At,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Put results into a folder with other files, too; those are never touched
    #[arg(long)]
    force: bool,
}

/// Where the motion is linearised.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum At {
    /// in the equilibrium nearest to the configuration given
    Equilibrium,
    /// in the configuration given, be it an equilibrium or not
    Given,
}

impl ModesOf {
    pub(crate) fn go(self) -> Result<(), Failure> {
        let scene = Scene::from_file(&self.scene, &self.set)?;
        let existing = if self.force { Existing::AddToForeign } else { Existing::ReplaceResults };
        self.output.as_ref().map_or(Ok(()), |folder| existing.check(folder))?;
        let at = match self.at {
            At::Equilibrium => Equilibrium::find(&scene.model)?,
            At::Given => Equilibrium::given(&scene.model)?,
        };
        let modes = Modes::about(&scene.model, at)?;
        let text = match self.json {
            true => format!("{:#}\n", modes_json(&scene.title, &scene.model, &modes)),
            false => text(&scene.title, &modes),
        };
        if let Some(folder) = &self.output {
            ResultSet::of_analysis(&scene, &Analysed::Modes(modes))?.add(folder, existing)?;
        }
        let mut out = crate::text::stdout();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }
}

pub(super) fn text(title: &str, modes: &Modes) -> String {
    let mut text = format!("{title}\n");
    let _ = match modes.at.residual <= BALANCED {
        true => writeln!(text, "  equilibrium {}", modes.at),
        false => writeln!(text, "  not an equilibrium: {}", modes.at),
    };
    if modes.asymmetry > ASYMMETRY {
        let _ = writeln!(
            text,
            "  the stiffness is not symmetric, by {:.0e} of itself: modes are of its symmetric part, roots of all",
            modes.asymmetry
        );
    }
    text += &undamped(modes);
    if modes.damped {
        text += &damped(modes);
    }
    text
}

fn undamped(modes: &Modes) -> String {
    let mut table = Table::new(["mode", "frequency [Hz]", "ω [rad/s]"]);
    let mut neutral = Vec::new();
    let mut lines = 0;
    for (i, mode) in modes.modes.iter().enumerate() {
        let frequency = match mode.kind {
            ModeKind::Neutral => {
                neutral.push(alone(&mode.shape));
                continue;
            }
            ModeKind::Grows => "unstable".to_owned(),
            _ => significant(mode.frequency(), 6),
        };
        let omega = significant(mode.omega(), 6);
        let omega = if mode.kind == ModeKind::Grows { format!("{omega} i") } else { omega };
        table.line([format!("{}  {}", i + 1, brief(&mode.shape)), frequency, omega]);
        lines += 1;
    }
    let mut text = "\n".to_owned();
    if lines > 0 {
        text += &table.to_string();
    }
    if !neutral.is_empty() {
        text += &hanging("  neutral: ", &neutral.join(", "), columns());
    }
    text
}

fn damped(modes: &Modes) -> String {
    let mut table = Table::new(["with damping", "frequency [Hz]", "damping ratio", "growth [1/s]"]);
    let number = |x: f64| if x == 0.0 { "0".to_owned() } else { significant(x, 6) };
    for root in &modes.roots {
        let frequency = if root.omega > 0.0 { number(root.frequency()) } else { "-".to_owned() };
        table.line([like(modes, root), frequency, number(root.damping_ratio()), number(root.growth)]);
    }
    match modes.roots.is_empty() {
        true => String::new(),
        false => format!("\n{table}"),
    }
}

/// The mode a root belongs to, or how it moves if it is made of many.
fn like(modes: &Modes, root: &Root) -> String {
    let mode = &modes.modes[root.mode];
    match root.share > 0.9 && mode.kind != ModeKind::Neutral {
        true => format!("mode {}", root.mode + 1),
        false => brief(&root.shape),
    }
}

/// The largest components of a shape.
fn brief(shape: &Shape) -> String {
    let text = shape.to_string();
    let all: Vec<&str> = text.split(", ").collect();
    let more = if all.len() > COMPONENTS { ", …" } else { "" };
    all[..all.len().min(COMPONENTS)].join(", ") + more
}

/// Describes the shape of a neutral mode in brief; a component that moves alone needs no number.
fn alone(shape: &Shape) -> String {
    let text = brief(shape);
    match text.contains(", ") {
        true => format!("({text})"),
        false => text.trim_end_matches(" 1.00").to_owned(),
    }
}
