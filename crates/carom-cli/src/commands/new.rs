//! `carom new`

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::failure::Failure;

/// The scene to start from; its title is put in front.
const STARTER: &str = include_str!("starter.toml");

/// Write a commented scene to start from.
///
/// A file that is there already is left as it is.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom new first          writes first.toml
  carom run first.toml     and runs it")]
pub(crate) struct New {
    /// Name of the scene
    name: PathBuf,
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
        let text = format!("title = {}\n\n{STARTER}", quoted(&name));
        file.write_all(text.as_bytes()).map_err(|e| Failure::Run(format!("{shown}: {e}")))?;
        let mut out = io::stdout().lock();
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
