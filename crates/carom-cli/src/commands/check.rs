//! `carom check`

use std::io::Write;
use std::path::PathBuf;

use carom::Analysis;
use carom_scene::{MeshFile, Scene};
use clap::Args;

use crate::failure::Failure;
use crate::human::{count, duration, significant};

/// Say whether a scene is right, without running it.
///
/// What is wrong is shown with its line; the exit code is then 2.
///
/// What a run would warn of at its start is shown too: bodies that start deep in one another.
///
/// Of surfaces from files size, volume and area are shown: a wrong unit is seen by them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom check bouncing-ball.toml
  carom check bouncing-ball.toml --set body/ball/mass='300 g'
  carom check ball-bearing.toml --expand   the scene written out")]
pub(crate) struct Check {
    /// The scene: TOML, or JSON if it ends in .json
    scene: PathBuf,
    /// Replace a value of the scene; can be given many times
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Print the scene written out in TOML, without patterns and parts
    #[arg(long)]
    expand: bool,
}

impl Check {
    pub(crate) fn go(self) -> Result<(), Failure> {
        let scene = Scene::from_file(&self.scene, &self.set)?;
        if self.expand {
            let (text, format) = Scene::text_of(&self.scene)?;
            let out = Scene::written_out(&text, format, &self.scene.display().to_string(), &self.set)?;
            return Ok(crate::text::stdout().write_all(out.as_bytes())?);
        }
        let bodies = scene.model.body_names().count();
        let moving = scene.model.moving_bodies().count();
        let mut out = crate::text::stdout();
        writeln!(out, "{}: all right", scene.title)?;
        writeln!(
            out,
            "  {}, {moving} moved by forces    {} by {}, rtol {:e}",
            count(bodies, "body", "bodies"),
            duration(scene.duration),
            scene.method,
            scene.rtol
        )?;
        for mesh in &scene.meshes {
            writeln!(out, "  {}", described(mesh))?;
        }
        if scene.analysis == Analysis::Dynamic {
            for warning in scene.simulation().start_warnings()? {
                writeln!(out, "  warning: {warning}")?;
            }
        }
        Ok(out.flush()?)
    }
}

/// A surface from a file, in a line.
fn described(mesh: &MeshFile) -> String {
    let parts = match mesh.parts {
        Some(1) => String::new(),
        Some(parts) => format!(" in {parts} parts"),
        None => ", convex hull".to_owned(),
    };
    let number = |x: f64| {
        let x = significant(x, 5).parse().unwrap_or(x);
        if (1e-3..1e6).contains(&x) { format!("{x}") } else { format!("{x:e}") }
    };
    let size = mesh.size.map(number).join(" x ");
    let volume = mesh.surface.solid().map_or(f64::NAN, |solid| solid.volume);
    let area = mesh.surface.shell().map_or(f64::NAN, |shell| shell.area);
    format!(
        "{} of {}: {}{parts}, {size} m, volume {} m^3, area {} m^2",
        mesh.file,
        mesh.body,
        count(mesh.triangles, "triangle", "triangles"),
        number(volume),
        number(area)
    )
}
