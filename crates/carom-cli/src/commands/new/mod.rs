//! `carom new`

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::failure::Failure;

/// A scene to start from; its title is put in front.
struct Template {
    name: &'static str,
    /// what happens in it
    about: &'static str,
    text: &'static str,
}

/// All of them; the first is taken unless another is named.
static TEMPLATES: &[Template] = &[
    Template {
        name: "bounce",
        about: "a rubber ball with backspin",
        text: include_str!("templates/bounce.toml"),
    },
    Template { name: "roll", about: "a ring down a slope", text: include_str!("templates/roll.toml") },
    Template {
        name: "mechanism",
        about: "a driven slider-crank",
        text: include_str!("templates/mechanism.toml"),
    },
    Template {
        name: "soft-body",
        about: "jelly falls on a table",
        text: include_str!("templates/soft-body.toml"),
    },
    Template {
        name: "bearing",
        about: "a ball bearing, its balls by a pattern",
        text: include_str!("templates/bearing.toml"),
    },
    Template { name: "cam", about: "a cam lifts a roller", text: include_str!("templates/cam.toml") },
    Template { name: "gripper", about: "fingers lift a box", text: include_str!("templates/gripper.toml") },
    Template {
        name: "vehicle",
        about: "a sprung car drives over a bump",
        text: include_str!("templates/vehicle.toml"),
    },
    Template {
        name: "empty",
        about: "one body, nothing to touch",
        text: include_str!("templates/empty.toml"),
    },
];

/// Write a commented scene to start from.
///
/// A file that is there already is left as it is.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom new first                        writes first.toml
  carom run first.toml                   and runs it
  carom new crank --template mechanism")]
pub(crate) struct New {
    /// Name of the scene
    name: PathBuf,
    /// What to start from
    #[arg(short, long, value_name = "TEMPLATE", default_value = TEMPLATES[0].name, value_parser = template_names())]
    template: String,
}

/// A wrong name is refused with those that are right.
fn template_names() -> PossibleValuesParser {
    TEMPLATES.iter().map(|t| PossibleValue::new(t.name).help(t.about)).collect::<Vec<_>>().into()
}

impl New {
    pub(crate) fn go(self) -> Result<(), Failure> {
        let path = scene_path(&self.name)?;
        let shown = path.display();
        let mut file =
            OpenOptions::new().write(true).create_new(true).open(&path).map_err(|e| match e.kind() {
                ErrorKind::AlreadyExists => {
                    Failure::Input(format!("{shown} is there already; choose another name"))
                }
                _ => Failure::Run(format!("{shown}: {e}")),
            })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let template = TEMPLATES.iter().find(|t| t.name == self.template).unwrap_or(&TEMPLATES[0]);
        let text = format!("title = {}\n\n{}", quoted(&name), template.text);
        file.write_all(text.as_bytes()).map_err(|e| Failure::Run(format!("{shown}: {e}")))?;
        let mut out = crate::text::stdout();
        writeln!(out, "wrote {shown}    run it: carom run {shown}")?;
        Ok(out.flush()?)
    }
}

/// The name with `.toml` behind, once.
fn scene_path(name: &Path) -> Result<PathBuf, Failure> {
    let Some(file) = name.file_name() else {
        return Err(Failure::Input(format!("{} is no name for a file", name.display())));
    };
    if name.extension().is_some_and(|e| e == "toml") {
        return Ok(name.to_owned());
    }
    let mut file = file.to_owned();
    file.push(".toml");
    Ok(name.with_file_name(file))
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    let clean: String = text.chars().filter(|c| !c.is_control()).collect();
    format!("\"{}\"", clean.replace('\\', "\\\\").replace('"', "\\\""))
}
