//! Makes a film from a folder or a scene.

use std::fs;
use std::path::Path;

use carom::BodyState;
use carom_base::file;
use carom_scene::{Format, Scene};
use serde_json::Value;

use super::contacts::{self, Forces};
use super::{Film, FilmError, actions, bodies, modes, series, thin};
use crate::files::{SCENE, TEXT};
use crate::{Deformed, Ending, Recorded, Rotation, Track};

/// Largest count of body coordinates in a film, unless a number of frames is asked for; it gives a page of some 40 MB.
const NUMBERS: usize = 8_000_000;
/// Count of coordinates of a body in a frame.
const OF_BODY: usize = 13;

impl Film {
    /// Reads a folder of results: at most `frames` frames, by default [`Film::FRAMES`], and fewer with very many bodies. After a
    /// run that failed, was stopped or killed it shows the recorded part and says so, even if no line was written. A folder of
    /// modes without a run gives a film of the modes.
    ///
    /// ```
    /// use carom_results::film::Film;
    /// let error = Film::open("no-such-folder".as_ref(), None).unwrap_err();
    /// assert_eq!(error.to_string(), "no-such-folder is no folder of results: there is nothing there");
    /// ```
    pub fn open(path: &Path, frames: Option<usize>) -> Result<Film, FilmError> {
        let mut notices = Vec::new();
        let scene = kept_scene(path, &mut notices);
        let run = match (Recorded::open(path), &scene) {
            (Ok(run), _) => run,
            (Err(e), Some(scene)) => {
                if let Some(text) = modes::modes_text(path) {
                    let mut film = Film::of_modes(scene, &text);
                    film.notices.splice(0..0, notices);
                    return Ok(film);
                }
                notices.push(format!("There are no results to show, only the scene as it starts: {e}"));
                let mut film = Film::of_scene(scene);
                film.notices = notices;
                return Ok(film);
            }
            (Err(_), None) if is_empty(path) => {
                let title = path.file_name().map(|n| n.to_string_lossy().into_owned());
                let notices = vec!["The folder is empty: the run has not written anything.".to_owned()];
                return Ok(Film { title: title.unwrap_or_default(), notices, ..Film::default() });
            }
            (Err(e), None) => return Err(e.into()),
        };
        let mut film = Film { notices, ..Film::default() };
        film.take(run, scene.as_ref(), frames)?;
        Ok(film)
    }

    /// Makes a film of results in memory, with the same choice of frames as [`Film::open`].
    pub fn of_run(scene: &Scene, run: Recorded, frames: Option<usize>) -> Result<Film, FilmError> {
        let mut film = Film::default();
        film.take(run, Some(scene), frames)?;
        Ok(film)
    }

    /// Makes a film of a scene at its start, with one frame.
    ///
    /// ```
    /// use carom_results::film::Film;
    /// use carom_scene::{Format, Scene};
    /// let text = r#"{"run": {"duration": 1}, "body": [{"name": "floor", "fixed": true, "surface": [{"type": "plane"}]}]}"#;
    /// let film = Film::of_scene(&Scene::from_text(text, Format::Json, "floor.json", &[])?);
    /// assert_eq!((film.title.as_str(), film.t.as_slice(), film.bodies[0].parts[0].kind), ("floor", &[0.0][..], "plane"));
    /// # Ok::<(), carom_scene::SceneError>(())
    /// ```
    pub fn of_scene(scene: &Scene) -> Film {
        let mut film = Film { title: scene.title.clone(), t: vec![0.0], ..Film::default() };
        let start = scene.model.start_bodies();
        let tracks =
            scene.model.moving_bodies().zip(&start).map(|(name, state)| still(name, state)).collect();
        bodies::put(&mut film, scene, tracks);
        bodies::joints(&mut film, &scene.model, None);
        actions::put(&mut film, &scene.model, None);
        film.contact_starts = vec![0, 0];
        film
    }

    fn take(&mut self, run: Recorded, scene: Option<&Scene>, frames: Option<usize>) -> Result<(), FilmError> {
        self.title = run.summary.get("title").and_then(Value::as_str).unwrap_or_default().to_owned();
        self.notices.extend(notices(&run));
        let mut run = run.with_moments();
        let tracks = std::mem::take(&mut run.tracks);
        let forces = Forces::read(&run)?;
        let fewer = (NUMBERS / (OF_BODY * tracks.len().max(1))).clamp(2, Film::FRAMES);
        let moments: Vec<f64> = run.events.iter().map(|e| e.t).collect();
        let kept = thin::keep(&run.t, &forces.total, &moments, frames.unwrap_or(fewer));
        self.t = kept.iter().map(|i| run.t[*i]).collect();
        let tracks: Vec<Track> = tracks.into_iter().map(|track| thinned(track, &kept)).collect();
        match scene {
            // nothing was written yet, but the initial positions of the bodies are known
            Some(scene) if self.t.is_empty() => {
                let notices = std::mem::take(&mut self.notices);
                *self = Film { notices, ..Film::of_scene(scene) };
            }
            Some(scene) => {
                bodies::put(self, scene, tracks);
                bodies::joints(self, &scene.model, Some(&run));
                actions::put(self, &scene.model, Some((&run, &kept)));
            }
            None => bodies::put_points(self, tracks),
        }
        contacts::put(self, &run)?;
        self.series = series::series(&run, &kept);
        self.series.extend(forces.series(&kept));
        self.events = run.events;
        Ok(())
    }
}

/// Reads the scene of a folder; without its decorations if their files are missing.
fn kept_scene(path: &Path, notices: &mut Vec<String>) -> Option<Scene> {
    let place = path.join(SCENE);
    let Ok(text) = file::read_text(&place, TEXT) else {
        if path.is_dir() && !is_empty(path) {
            notices.push(format!("There is no {SCENE} in the folder: bodies are shown as points."));
        }
        return None;
    };
    let name = place.display().to_string();
    let error = match Scene::from_text(&text, Format::Json, &name, &[]) {
        Ok(scene) => return Some(scene),
        Err(error) => error,
    };
    let plain = without_shapes(&text).and_then(|t| Scene::from_text(&t, Format::Json, &name, &[]).ok());
    let what = if plain.is_some() { "Shapes are left out" } else { "Bodies are shown as points" };
    notices.push(format!("{what}: {}.", error.message()));
    plain
}

fn without_shapes(scene: &str) -> Option<String> {
    let mut scene: Value = serde_json::from_str(scene).ok()?;
    for body in scene.get_mut("body")?.as_array_mut()? {
        body.as_object_mut()?.remove("mesh");
    }
    Some(scene.to_string())
}

fn is_empty(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

/// Returns messages about how a run ended.
fn notices(run: &Recorded) -> Vec<String> {
    let reached = match run.t.last() {
        Some(t) => format!("what it did up to t = {t} s is here"),
        None => "it has written nothing yet".to_owned(),
    };
    let mut all = match &run.ending {
        Ending::Done if run.t.is_empty() => {
            vec!["Nothing was recorded: bodies are shown as they start.".to_owned()]
        }
        Ending::Done => Vec::new(),
        Ending::Stopped => vec![format!("The run was stopped; {reached}.")],
        Ending::Unfinished => {
            vec![format!("The run is not finished: it still goes on, or was killed; {reached}.")]
        }
        Ending::Failed(why) => vec![format!("The run failed: {why}; {reached}.")],
    };
    all.extend(run.cut.iter().map(|file| format!("{file} ends within a line, which is left out.")));
    let warnings = run.summary.get("warnings").and_then(Value::as_array).into_iter().flatten();
    all.extend(warnings.filter_map(|w| Some(format!("Warning: {}", w.get("message")?.as_str()?))));
    all
}

/// Reduces a track to the frames.
fn thinned(track: Track, kept: &[usize]) -> Track {
    fn some<T: Copy>(all: &[T], kept: &[usize]) -> Vec<T> {
        kept.iter().filter_map(|i| all.get(*i).copied()).collect()
    }
    Track {
        position: some(&track.position, kept),
        velocity: some(&track.velocity, kept),
        rotation: track.rotation.map(|r| Rotation {
            quaternion: some(&r.quaternion, kept),
            angular_velocity: some(&r.angular_velocity, kept),
        }),
        deformation: track.deformation.map(|d| Deformed { f: some(&d.f, kept), f_dot: some(&d.f_dot, kept) }),
        name: track.name,
    }
}

/// Returns the track of a body at rest.
pub(super) fn still(name: &str, state: &BodyState) -> Track {
    let row_by_row = |m: &carom::base::Mat3| {
        let mut rows = [0.0; 9];
        rows.copy_from_slice(m.transpose().as_slice());
        rows
    };
    Track {
        name: name.to_owned(),
        position: vec![state.position.into()],
        velocity: vec![state.velocity.into()],
        rotation: state.deformation.is_none().then(|| Rotation {
            quaternion: vec![bodies::wxyz(&state.orientation)],
            angular_velocity: vec![state.angular_velocity.into()],
        }),
        deformation: state
            .deformation
            .as_ref()
            .map(|d| Deformed { f: vec![row_by_row(&d.f)], f_dot: vec![row_by_row(&d.f_dot)] }),
    }
}
