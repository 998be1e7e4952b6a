//! `carom export`, and what `carom run` exports at its end.

use std::io::Write;
use std::path::{Path, PathBuf};

use carom_results::export::{ExportError, FORMATS, Format, Options, find};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::failure::Failure;

/// Write results in a format of other programs
///
/// Several formats can be given. Without -o they go into the folder itself.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = after_help())]
pub(crate) struct Export {
    /// The folder of results
    dir: PathBuf,
    /// The format; can be given many times
    #[arg(short, long, value_name = "FORMAT", required = true, value_parser = format)]
    format: Vec<&'static Format>,
    /// The file or folder in place of the usual one
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[arg(long, value_name = "COUNT", help = frames_help())]
    frames: Option<usize>,
}

/// The formats with what they are for, and examples.
fn after_help() -> String {
    let line = |f: &&Format| format!("  {:<8} {:<10} {}\n", f.name, f.file, f.summary);
    let formats: String = FORMATS.iter().map(line).collect();
    format!(
        "\
Formats, and where they are written in the folder:
{formats}
Examples:
  carom export out/bouncing-ball --format vtk          out/bouncing-ball/vtk/run.pvd
  carom export out/bouncing-ball --format gltf -o ball.glb
  carom export out/bouncing-ball --format npz --format mat"
    )
}

/// What a number of frames stands against: the defaults of the formats that have frames.
fn frames_help() -> String {
    let of = |f: &&Format| Some(format!("{} {}", f.name, f.frames?));
    let defaults: Vec<String> = FORMATS.iter().filter_map(of).collect();
    format!("At most so many frames [default: {}, or fewer]", defaults.join(", "))
}

fn format(name: &str) -> Result<&'static Format, String> {
    let names: Vec<&str> = FORMATS.iter().map(|f| f.name).collect();
    find(name).ok_or_else(|| match name {
        "parquet" => "this program was built without it: build it with `--features parquet`".to_owned(),
        _ => format!("there are {}", names.join(", ")),
    })
}

impl Export {
    pub(crate) fn go(self) -> Result<(), Failure> {
        if self.output.is_some() && self.format.len() > 1 {
            return Err(Failure::Input("-o is the place of one format, and there are several".to_owned()));
        }
        let options = Options { frames: self.frames };
        written(&self.format, &self.dir, self.output.as_deref(), &options, false)
    }
}

/// Writes the formats, and says where.
fn written(
    formats: &[&Format],
    folder: &Path,
    output: Option<&Path>,
    options: &Options,
    quiet: bool,
) -> Result<(), Failure> {
    for format in formats {
        let exported = format.export(folder, output, options)?;
        for notice in &exported.notices {
            let _ = writeln!(crate::text::stderr(), "note: {}: {notice}", format.name);
        }
        if !quiet {
            writeln!(crate::text::stdout(), "wrote {}", exported.path.display())?;
        }
    }
    Ok(())
}

/// A flag for every format: `--vtk`, `--npz` …
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    formats: Vec<&'static Format>,
}

impl Flags {
    /// Exports a run that is over.
    pub(super) fn export(&self, folder: &Path, quiet: bool) -> Result<(), Failure> {
        written(&self.formats, folder, None, &Options::default(), quiet)
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Flags, clap::Error> {
        let asked = FORMATS.iter().copied().filter(|f| matches.get_flag(f.name));
        Ok(Flags { formats: asked.collect() })
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Flags::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        FORMATS.iter().fold(command, |command, format| {
            let flag = Arg::new(format.name).long(format.name).action(ArgAction::SetTrue);
            command.arg(flag.help(format!("Export to {}: {}", format.file, format.summary)))
        })
    }
    fn augment_args_for_update(command: Command) -> Command {
        Flags::augment_args(command)
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Failure {
        match error {
            ExportError::Io { .. } => Failure::Run(error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}
