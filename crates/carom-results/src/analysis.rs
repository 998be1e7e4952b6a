//! The results of analyses without integration: `kinematics.csv`, `inverse.csv`, `equilibrium.json`.

use carom::{Analysis, Equilibrium, ForceRecord, Frame, Posture};
use carom_scene::{Analysed, Scene};
use serde_json::{Value, json};

use crate::actions::{
    self, ACCELERATION, coordinate_columns, coordinates, drive_columns, joints_line, joints_table,
};
use crate::data::DataFile;
use crate::error::ResultsError;
use crate::files::{ANALYSIS, EQUILIBRIUM, FORCES, INVERSE, KINEMATICS};
use crate::modes::{equilibrium, of_modes};
use crate::result_set::ResultSet;
use crate::table::{Columns, Rows};
use crate::tables::{state_line, states_table};

impl ResultSet {
    /// Makes the results of an analysis without integration, as a folder would hold them; `scene` is the one that was analysed.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use carom_results::ResultSet;
    /// use carom_scene::{Format, Scene};
    /// let text = r#"
    ///     run = { duration = 1, analysis = "modes" }
    ///     body = [{ name = "mass", mass = 2, dofs = ["z"] }, { name = "wall", fixed = true, position = [0, 0, 1] }]
    ///     force = [{ type = "spring-damper", between = ["mass", "wall"], stiffness = 800, rest_length = 0.5 }]
    /// "#;
    /// let scene = Scene::from_text(text, Format::Toml, "spring.toml", &[])?;
    /// let Some(found) = scene.analyse(&mut |_| ControlFlow::Continue(()))? else { panic!("modes are asked for") };
    /// let kept = ResultSet::of_analysis(&scene, &found)?;
    /// assert_eq!(kept.text("modes.json").unwrap()["modes"][0]["omega"], 20.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_analysis(scene: &Scene, found: &Analysed) -> Result<ResultSet, ResultsError> {
        match found {
            Analysed::Postures { all, stopped } => postures(scene, all, *stopped),
            Analysed::Static(at) => at_rest(scene, at),
            Analysed::Modes(modes) => of_modes(scene, modes),
        }
    }
}

/// Makes the results of the postures of a driven mechanism: `states.csv` as for a run, and `kinematics.csv` with accelerations
/// and joint coordinates; for an inverse analysis also `inverse.csv`, with the forces of the drives, `joints.csv`, and
/// `forces.csv` if there are forces.
/// `analysis.json` names the analysis.
fn postures(scene: &Scene, postures: &[Posture], stopped: bool) -> Result<ResultSet, ResultsError> {
    let mut about = json!({
        "title": scene.title,
        "version": env!("CARGO_PKG_VERSION"),
        "analysis": scene.analysis.word(),
        "duration": scene.duration,
        "postures": postures.len(),
    });
    if stopped {
        about["stopped"] = Value::Bool(true);
    }
    let mut states = states_table(&scene.model, &scene.probes);
    let mut motion = Columns::new(KINEMATICS, kinematic_columns(postures));
    for p in postures {
        let frame = Frame { t: p.t, bodies: p.bodies.clone(), ..Frame::default() };
        state_line(&mut states, frame.t, &frame.bodies, &scene.probes)?;
        motion.number(p.t);
        for a in &p.accelerations {
            motion.numbers(&a.linear);
            motion.numbers(&a.angular);
        }
        coordinates(&mut motion, &p.coordinates);
        motion.end_line()?;
    }
    let mut tables = vec![states.file, motion.file];
    if scene.analysis == Analysis::Inverse {
        tables.extend(drives(postures)?.map(|table| table.file));
        tables.extend(forces(postures.iter().map(|p| (p.t, &p.forces[..])))?);
    }
    Ok(ResultSet { texts: vec![(ANALYSIS, about)], tables, scene: Some(scene.source.clone()) })
}

/// Makes `inverse.csv` and `joints.csv`.
fn drives(postures: &[Posture]) -> Result<[Columns; 2], ResultsError> {
    let drives = postures.first().map_or(&[][..], |p| &p.drives);
    let columns = drives.iter().flat_map(|d| drive_columns(&d.drive));
    let header: Vec<String> = std::iter::once("t".to_owned()).chain(columns).collect();
    let (mut inverse, mut joints) = (Columns::new(INVERSE, header), joints_table());
    for p in postures {
        inverse.number(p.t);
        actions::drives(&mut inverse, &p.drives);
        inverse.end_line()?;
        joints_line(&mut joints, p.t, &p.joints)?;
    }
    Ok([inverse, joints])
}

/// Makes `forces.csv` of an analysis, without works; `None` if there are no forces.
fn forces<'f>(
    mut all: impl Iterator<Item = (f64, &'f [ForceRecord])>,
) -> Result<Option<DataFile>, ResultsError> {
    let Some((t, first)) = all.next().filter(|(_, first)| !first.is_empty()) else { return Ok(None) };
    let of = |record: &ForceRecord| {
        let name = record.force.clone();
        record.columns().map(move |c| format!("{name}.{}", c.suffix)).collect::<Vec<_>>()
    };
    let header: Vec<String> = std::iter::once("t".to_owned()).chain(first.iter().flat_map(of)).collect();
    let mut out = Columns::new(FORCES, header);
    for (t, records) in std::iter::once((t, first)).chain(all) {
        out.number(t);
        records.iter().flat_map(ForceRecord::columns).for_each(|column| out.number(column.value));
        out.end_line()?;
    }
    Ok(Some(out.file))
}

/// Returns the columns of `kinematics.csv`:
/// `t, rod.ax … rod.alphaz …, hinge.angle, hinge.angle_rate, hinge.angle_second …`.
fn kinematic_columns(postures: &[Posture]) -> Vec<String> {
    let mut columns = vec!["t".to_owned()];
    let Some(p) = postures.first() else { return columns };
    columns.extend(p.accelerations.iter().flat_map(|a| ACCELERATION.map(|c| format!("{}.{c}", a.body))));
    columns.extend(p.coordinates.iter().flat_map(|c| coordinate_columns(&c.joint, &c.coordinate)));
    columns
}

/// Returns the equilibrium as tables of one instant: `states.csv`, `joints.csv` if there are joints, `forces.csv` if there are
/// forces.
pub fn tables_at_rest(scene: &Scene, at: &Equilibrium) -> Result<Vec<DataFile>, ResultsError> {
    let mut states = states_table(&scene.model, &scene.probes);
    let frame = Frame { bodies: at.bodies.clone(), ..Frame::default() };
    state_line(&mut states, frame.t, &frame.bodies, &scene.probes)?;
    let mut tables = vec![states.file];
    if !at.joints.is_empty() {
        let mut joints = joints_table();
        joints_line(&mut joints, 0.0, &at.joints)?;
        tables.push(joints.file);
    }
    tables.extend(forces(std::iter::once((0.0, &at.forces[..])))?);
    Ok(tables)
}

/// Makes the results of a static analysis: the equilibrium in `equilibrium.json` and as the only line of `states.csv`, and the
/// joint forces in `joints.csv`, other forces in `forces.csv`.
fn at_rest(scene: &Scene, at: &Equilibrium) -> Result<ResultSet, ResultsError> {
    let mut text = json!({
        "title": scene.title,
        "version": env!("CARGO_PKG_VERSION"),
        "analysis": Analysis::Static.word(),
        "equilibrium": equilibrium(&scene.model, at),
    });
    if let Some(warning) = at.warning() {
        text["warnings"] = json!([{ "message": warning.to_string(), "count": 1 }]);
    }
    let tables = tables_at_rest(scene, at)?;
    Ok(ResultSet { texts: vec![(EQUILIBRIUM, text)], tables, scene: Some(scene.source.clone()) })
}
