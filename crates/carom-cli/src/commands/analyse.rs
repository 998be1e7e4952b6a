//! What `carom run` says of `[run] analysis`: what is not integrated.

use std::fmt::Write as _;

use carom::{Analysis, Equilibrium, Posture};
use carom_scene::{Analysed, Scene};

use super::modes;
use crate::human::{duration, significant};

/// What came out.
pub(super) fn text(scene: &Scene, found: &Analysed) -> String {
    match found {
        Analysed::Postures { all, .. } => driven(scene, all),
        Analysed::Static(at) => at_rest(scene, at),
        Analysed::Modes(found) => modes::text(&scene.title, found),
    }
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
    if let Some(warning) = at.warning() {
        let _ = writeln!(text, "  warning: {warning}");
    }
    text
}
