//! The tables of a run that is kept in memory, without a folder.

use carom::{Event, Frame, Model, Run, SinkError};
use serde_json::Value;

use super::data::{DATA, DataFile};
use super::folder::About;
use super::summary;
use super::table::Columns;
use super::tables::Tables;

/// The columns of the files that a [`Folder`](super::Folder) would have got, number by number.
///
/// ```
/// use carom::Recording;
/// use carom_scene::results::{About, ColumnValues, gather};
/// use carom_scene::{Format, Scene};
/// let text = "run.duration = 1\nbody = [{ name = \"stone\", mass = 1, inertia = [1, 1, 1] }]";
/// let scene = Scene::from_text(text, Format::Toml, "stone.toml", &[])?;
/// let mut kept = Recording::default();
/// scene.simulation().run_into(&mut kept)?;
/// let tables = gather(&scene.model, &About::from(&scene), &kept.frames, &kept.events)?;
/// let z = tables[0].columns.iter().find(|c| c.name == "stone.z").unwrap();
/// let ColumnValues::Numbers(z) = &z.values else { panic!("heights are numbers") };
/// assert!((z.last().unwrap() + 4.905).abs() < 1e-12);
/// # Ok::<(), carom::SinkError>(())
/// ```
pub fn gather(
    model: &Model,
    about: &About,
    frames: &[Frame],
    events: &[Event],
) -> Result<Vec<DataFile>, SinkError> {
    let mut tables = Tables::new(model, about, &mut |file, header| {
        let texts = DATA.iter().find(|(_, name, _)| *name == file).map_or(&[][..], |(_, _, texts)| texts);
        Ok(Columns::new(file.trim_end_matches(".csv"), header, texts))
    })?;
    let mut followed = about.follow(model)?;
    for frame in frames {
        tables.frame(frame, &about.probes)?;
        tables.distances(frame, model, &mut followed)?;
    }
    events.iter().try_for_each(|event| tables.event(event))?;
    Ok(tables.all().map(|table| table.file).collect())
}

/// What `summary.json` says of a run that came to its end, or was stopped.
pub fn summary_of(model: &Model, about: &About, run: &Run) -> Value {
    let names: Vec<String> = model.moving_bodies().map(str::to_owned).collect();
    summary::of_run(about, &names, run)
}
