//! What `carom run` does with `[run] analysis`: what is not integrated.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use carom::{Analysis, Equilibrium, Modes, Posture};
use carom_scene::Scene;
use carom_scene::results::{Existing, write_equilibrium, write_modes, write_postures};

use super::modes;
use crate::failure::Failure;
use crate::human::{duration, significant};

/// Does it, writes its results, and says what came out.
pub(super) fn analyse(scene: &Scene, folder: &Path, existing: Existing) -> Result<String, Failure> {
    let start = Instant::now();
    let (title, model) = (&scene.title, &scene.model);
    let mut text = match scene.analysis {
        Analysis::Kinematic | Analysis::Inverse | Analysis::Dynamic => {
            let cycle = scene.cycle();
            let postures =
                if scene.analysis == Analysis::Kinematic { cycle.kinematics()? } else { cycle.inverse()? };
            write_postures(folder, scene, &postures, existing)?;
            driven(scene, &postures)
        }
        Analysis::Static => {
            let at = Equilibrium::find(model)?;
            write_equilibrium(folder, title, model, &at, existing)?;
            scene.source.write(folder)?;
            at_rest(scene, &at)
        }
        Analysis::Modes => {
            let found = Modes::new(model)?;
            write_modes(folder, title, model, &found, existing)?;
            scene.source.write(folder)?;
            modes::text(title, &found)
        }
    };
    let _ = writeln!(text, "  done in {}", duration(start.elapsed().as_secs_f64()));
    Ok(text)
}

/// The title, what it was, and the largest force and mean power of every drive.
fn driven(scene: &Scene, postures: &[Posture]) -> String {
    let mut text = format!(
        "{}\n  {} analysis, {} postures over {}\n",
        scene.title,
        scene.analysis.word(),
        postures.len(),
        duration(scene.duration)
    );
    if scene.analysis != Analysis::Inverse {
        return text;
    }
    for (i, drive) in postures.first().map_or(&[][..], |p| &p.drives).iter().enumerate() {
        let force = postures.iter().map(|p| p.drives[i].force).fold(0.0, |most: f64, f| most.max(f.abs()));
        let _ = writeln!(text, "  {}: {} at most (N or N m)", drive.drive, significant(force, 6));
    }
    text
}

/// Where bodies come to rest.
fn at_rest(scene: &Scene, at: &Equilibrium) -> String {
    let mut text = format!("{}\n  static analysis: {at}\n", scene.title);
    for (name, body) in scene.model.moving_bodies().zip(&at.bodies) {
        let p = [0, 1, 2]
            .map(|i| if body.position[i] == 0.0 { "0".to_owned() } else { significant(body.position[i], 6) });
        let _ = writeln!(text, "  {name} at [{}] m", p.join(", "));
    }
    text
}
