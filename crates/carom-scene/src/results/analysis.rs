//! The files of analyses that integrate nothing: `kinematics.csv`, `inverse.csv`, `equilibrium.json`.

use std::fs;
use std::path::Path;

use carom::{Analysis, Equilibrium, Frame, Model, Posture};
use serde_json::json;

use super::error::ResultsError;
use super::modes::equilibrium;
use super::place::{self, ANALYSIS, EQUILIBRIUM, Existing, INVERSE, KINEMATICS};
use super::summary;
use super::table::{Rows, Table};
use super::tables::{joints_line, joints_table, state_line, states_table};
use crate::scene::Scene;

/// Writes the postures of a driven mechanism: `states.csv` as a run has it, `kinematics.csv` with accelerations and joint coordinates; of an inverse analysis `inverse.csv`, what the drives must do, and
/// `joints.csv`. `analysis.json` says what they are of. Refuses a folder that may not take them.
pub fn write_postures(
    folder: &Path,
    scene: &Scene,
    postures: &[Posture],
    existing: Existing,
) -> Result<(), ResultsError> {
    begin(folder, existing)?;
    let about = json!({
        "title": scene.title,
        "version": env!("CARGO_PKG_VERSION"),
        "analysis": scene.analysis.word(),
        "duration": scene.duration,
        "postures": postures.len(),
    });
    summary::write(folder, ANALYSIS, &about)?;
    scene.source.write(folder)?;
    let mut states = states_table(folder, &scene.model, &scene.probes)?;
    let mut motion = Table::create(folder, KINEMATICS, &kinematic_columns(postures))?;
    for p in postures {
        let frame = Frame { t: p.t, bodies: p.bodies.clone(), ..Frame::default() };
        state_line(&mut states, &frame, &scene.probes)?;
        motion.number(p.t);
        for a in &p.accelerations {
            motion.numbers(&a.linear);
            motion.numbers(&a.angular);
        }
        p.coordinates.iter().for_each(|c| motion.numbers(&[c.value, c.rate, c.second]));
        motion.end_line()?;
    }
    states.flush()?;
    motion.flush()?;
    if scene.analysis == Analysis::Inverse { write_drives(folder, postures) } else { Ok(()) }
}

/// `inverse.csv` and `joints.csv`.
fn write_drives(folder: &Path, postures: &[Posture]) -> Result<(), ResultsError> {
    let drives = postures.first().map_or(&[][..], |p| &p.drives);
    let columns = drives.iter().flat_map(|d| ["force", "power"].map(|c| format!("{}.{c}", d.drive)));
    let header: Vec<String> = std::iter::once("t".to_owned()).chain(columns).collect();
    let (mut inverse, mut joints) = (Table::create(folder, INVERSE, &header)?, joints_table(folder)?);
    for p in postures {
        inverse.number(p.t);
        p.drives.iter().for_each(|d| inverse.numbers(&[d.force, d.power]));
        inverse.end_line()?;
        joints_line(&mut joints, p.t, &p.joints)?;
    }
    inverse.flush()?;
    joints.flush()
}

/// `t, rod.ax … rod.alphaz …, hinge.angle, hinge.angle_rate, hinge.angle_second …`.
fn kinematic_columns(postures: &[Posture]) -> Vec<String> {
    const ACCELERATION: [&str; 6] = ["ax", "ay", "az", "alphax", "alphay", "alphaz"];
    let mut columns = vec!["t".to_owned()];
    let Some(p) = postures.first() else { return columns };
    columns.extend(p.accelerations.iter().flat_map(|a| ACCELERATION.map(|c| format!("{}.{c}", a.body))));
    let of = |c: &carom::CoordinateRecord| {
        ["", "_rate", "_second"].map(|x| format!("{}.{}{x}", c.joint, c.coordinate))
    };
    columns.extend(p.coordinates.iter().flat_map(of));
    columns
}

/// Writes where bodies come to rest to `equilibrium.json`, and what their joints hold there to `joints.csv`. Refuses a folder that may not take them.
pub fn write_equilibrium(
    folder: &Path,
    title: &str,
    model: &Model,
    at: &Equilibrium,
    existing: Existing,
) -> Result<(), ResultsError> {
    begin(folder, existing)?;
    let text = json!({
        "title": title,
        "version": env!("CARGO_PKG_VERSION"),
        "analysis": Analysis::Static.word(),
        "equilibrium": equilibrium(model, at),
    });
    summary::write(folder, EQUILIBRIUM, &text)?;
    if at.joints.is_empty() {
        return Ok(());
    }
    let mut joints = joints_table(folder)?;
    joints_line(&mut joints, 0.0, &at.joints)?;
    joints.flush()
}

/// Makes the folder, and takes out of it what an earlier run left.
fn begin(folder: &Path, existing: Existing) -> Result<(), ResultsError> {
    place::check(folder, existing)?;
    fs::create_dir_all(folder).map_err(ResultsError::io(folder))?;
    for old in place::FILES.map(|name| folder.join(name)) {
        if old.exists() {
            fs::remove_file(&old).map_err(ResultsError::io(&old))?;
        }
    }
    Ok(())
}
