//! A run recorded in memory: what a folder would hold, without one.

use carom::base::Mat3;
use carom::{BodyState, Event, EventKind, Followed, Frame, Model, Run, Sink, SinkError, WearRecord};

use super::folder::About;
use super::quantity::{ContactPoint, Touching};
use super::read::{Ending, Recorded, RecordedEvent, RecordedProfile};
use super::summary;
use super::tables::{DISTANCE, ENERGY, FIELD, WORN, distance_at, field, ledger};
use super::track::{Deformed, Reaction, Rotation, Track};

/// A sink that keeps what [`Recorded::open`] would read back from a folder of the same run, number for number.
///
/// ```
/// use carom_scene::results::{About, Memory};
/// use carom_scene::{Format, Scene};
/// let text = r#"
///     [run]
///     duration = "1 s"
///     output_every = "0.1 s"
///     [[body]]
///     name = "stone"
///     mass = 1
///     inertia = [1, 1, 1]
/// "#;
/// let scene = Scene::from_text(text, Format::Toml, "stone.toml", &[])?;
/// let mut memory = Memory::new(About::from(&scene));
/// let run = scene.simulation().run_into(&mut memory)?;
/// let recorded = memory.close(&run);
/// assert!((recorded.column("stone.z")?[10] + 4.905).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Memory {
    about: About,
    contacts: bool,
    names: Vec<String>,
    followed: Option<(Model, Vec<Followed>)>,
    touching: Vec<Touching>,
    recorded: Recorded,
}

impl Memory {
    /// Of a run that this says more of.
    pub fn new(about: About) -> Memory {
        let recorded = Recorded {
            path: std::path::PathBuf::new(),
            summary: serde_json::Map::new(),
            ending: Ending::Unfinished,
            t: Vec::new(),
            tracks: Vec::new(),
            energy_t: Vec::new(),
            energies: Vec::new(),
            distances: Vec::new(),
            fields: Vec::new(),
            wear: Vec::new(),
            profiles: Vec::new(),
            joints: Vec::new(),
            mechanism: Vec::new(),
            events: Vec::new(),
            cut: Vec::new(),
            contact_points: std::sync::OnceLock::new(),
        };
        let (names, touching) = (Vec::new(), Vec::new());
        Memory { about, contacts: true, names, followed: None, touching, recorded }
    }

    /// Without contact points: of slices there are very many.
    pub fn without_contacts(mut self) -> Memory {
        self.contacts = false;
        self
    }

    /// What was recorded of this run.
    pub fn close(mut self, run: &Run) -> Recorded {
        if let serde_json::Value::Object(summary) = summary::of_run(&self.about, &self.names, run) {
            self.recorded.summary = summary;
        }
        self.recorded.ending = if run.summary.stopped { Ending::Stopped } else { Ending::Done };
        self.recorded.profiles = run.end.frame.wear.iter().flat_map(profiles).collect();
        let _ = self.recorded.contact_points.set(self.touching);
        self.recorded
    }

    fn note_contacts(&mut self, frame: &Frame, at: usize) {
        for c in &frame.contacts {
            let same = |t: &Touching| t.feature == c.feature && t.contact == c.contact;
            let known = self.touching.iter().position(same);
            let place = known.unwrap_or_else(|| {
                let (contact, feature) = (c.contact.clone(), c.feature.clone());
                self.touching.push(Touching { contact, feature, lines: Vec::new() });
                self.touching.len() - 1
            });
            let point = ContactPoint {
                point: c.point.into(),
                normal: c.normal.into(),
                delta: c.delta,
                delta_dot: c.delta_dot,
                f_n: c.f_n,
                f_t: c.f_t.into(),
                couple: c.couple.into(),
            };
            self.touching[place].lines.push((at, point));
        }
    }
}

/// How a bearing is worn, as `wear-profile.csv` has it.
fn profiles(w: &WearRecord) -> impl Iterator<Item = RecordedProfile> {
    w.profiles.iter().enumerate().map(|(end, depth)| {
        let angle = |i: usize| std::f64::consts::TAU * i as f64 / depth.len() as f64;
        RecordedProfile {
            contact: w.contact.clone(),
            end: (end + 1).to_string(),
            angle: (0..depth.len()).map(angle).collect(),
            depth: depth.clone(),
        }
    })
}

/// Named columns, empty.
fn columns<'n>(owners: impl Iterator<Item = &'n str>, suffixes: &[&str]) -> Vec<(String, Vec<f64>)> {
    owners.flat_map(|o| suffixes.iter().map(move |s| (format!("{o}.{s}"), Vec::new()))).collect()
}

/// A number more in each.
fn append(columns: &mut [(String, Vec<f64>)], values: impl IntoIterator<Item = f64>) {
    columns.iter_mut().zip(values).for_each(|((_, column), x)| column.push(x));
}

fn track(name: &str, body: Option<bool>) -> Track {
    let rotation =
        (body == Some(false)).then(|| Rotation { quaternion: Vec::new(), angular_velocity: Vec::new() });
    let deformation = (body == Some(true)).then(|| Deformed { f: Vec::new(), f_dot: Vec::new() });
    Track { name: name.to_owned(), position: Vec::new(), velocity: Vec::new(), rotation, deformation }
}

fn note_body(track: &mut Track, b: &BodyState) {
    track.position.push(b.position.into());
    track.velocity.push(b.velocity.into());
    if let Some(r) = &mut track.rotation {
        let q = &b.orientation;
        r.quaternion.push([q.w, q.i, q.j, q.k]);
        r.angular_velocity.push(b.angular_velocity.into());
    }
    if let (Some(track), Some(d)) = (&mut track.deformation, &b.deformation) {
        let rows = |m: &Mat3| {
            let mut all = [0.0; 9];
            all.copy_from_slice(m.transpose().as_slice());
            all
        };
        track.f.push(rows(&d.f));
        track.f_dot.push(rows(&d.f_dot));
    }
}

impl Sink for Memory {
    fn begin(&mut self, model: &Model) -> Result<(), SinkError> {
        self.names = model.moving_bodies().map(str::to_owned).collect();
        let About { probes, distances, .. } = &self.about;
        if !distances.is_empty() {
            let followed = distances.iter().map(|d| d.follow(model)).collect::<Result<_, _>>()?;
            self.followed = Some((model.clone(), followed));
        }
        let r = &mut self.recorded;
        r.tracks = self.names.iter().map(|name| track(name, Some(model.deforms(name)))).collect();
        r.tracks.extend(probes.iter().map(|p| track(&p.name, None)));
        r.energies = ENERGY[1..].iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
        r.distances = columns(distances.iter().map(|d| d.name()), &DISTANCE);
        r.fields = columns(model.field_names(), &FIELD);
        r.wear = columns(model.worn_names(), &WORN);
        Ok(())
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        let at = self.recorded.t.len();
        if self.contacts {
            self.note_contacts(frame, at);
        }
        let r = &mut self.recorded;
        r.t.push(frame.t);
        r.energy_t.push(frame.t);
        let (bodies, probes) = r.tracks.split_at_mut(self.names.len());
        bodies.iter_mut().zip(&frame.bodies).for_each(|(track, body)| note_body(track, body));
        for (track, probe) in probes.iter_mut().zip(&self.about.probes) {
            let seen = frame.bodies.get(probe.body).map(|body| body.point(&probe.point.into()));
            track.position.push(seen.map_or([f64::NAN; 3], |s| s.0.into()));
            track.velocity.push(seen.map_or([f64::NAN; 3], |s| s.1.into()));
        }
        append(&mut r.energies, ledger(&frame.energy));
        append(&mut r.fields, frame.fields.iter().flat_map(field));
        append(&mut r.wear, frame.wear.iter().flat_map(|w| [w.volume, w.deepest()]));
        if let Some((model, followed)) = &mut self.followed {
            append(&mut r.distances, followed.iter_mut().flat_map(|d| distance_at(d, model, frame)));
        }
        for j in &frame.joints {
            let place = r.joints.iter().position(|known| known.joint == j.joint).unwrap_or_else(|| {
                let (joint, t) = (j.joint.clone(), Vec::new());
                r.joints.push(Reaction { joint, t, force: Vec::new(), couple: Vec::new() });
                r.joints.len() - 1
            });
            let reaction = &mut r.joints[place];
            reaction.t.push(frame.t);
            reaction.force.push(j.force.into());
            reaction.couple.push(j.couple.into());
        }
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        let kind = match event.kind {
            EventKind::Touch => "touch",
            EventKind::Release => "release",
        };
        self.recorded.events.push(RecordedEvent {
            t: event.t,
            kind: kind.to_owned(),
            contact: event.contact.clone(),
            feature: event.feature.clone(),
            speed: event.speed,
        });
        Ok(())
    }
}
