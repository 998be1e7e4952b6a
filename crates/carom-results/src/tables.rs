//! The tables of a run and their columns: files of a folder, or in memory.

use std::borrow::Cow;

use carom::{
    BodyState, ContactRecord, Energy, Event, EventKind, FieldRecord, Followed, ForceRecord, Frame, Model,
    Moment, Phase, WearRecord,
};
use carom_scene::Probe;

use crate::about::About;
use crate::actions::{JOINT, coordinates, drives, force_columns, joints_line, kinematic_columns};
use crate::data::{DataFile, Heading};
use crate::error::ResultsError;
use crate::files::{
    self, CONTACTS, DISTANCES, FIELDS, FORCES, JOINTS, KINEMATICS, SIGNALS, STATES, WEAR, WEAR_PROFILE,
    WITHIN,
};
use crate::table::{Columns, Rows, Table};

/// The columns of a rigid body in `states.csv`.
pub(super) const BODY: [&str; 13] =
    ["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"];
/// The columns of a body that deforms: F and its rate, row by row.
pub(super) const AFFINE: [&str; 24] = [
    "x", "y", "z", "F11", "F12", "F13", "F21", "F22", "F23", "F31", "F32", "F33", "vx", "vy", "vz", "dF11",
    "dF12", "dF13", "dF21", "dF22", "dF23", "dF31", "dF32", "dF33",
];
/// The columns of a probe.
pub(super) const PROBE: [&str; 6] = ["x", "y", "z", "vx", "vy", "vz"];

/// The columns of momentum, of the impulses of all external actions, and of the remaining balance error.
pub(super) const MOMENTUM: [&str; 19] = [
    "t",
    "px",
    "py",
    "pz",
    "lx",
    "ly",
    "lz",
    "impulse_x",
    "impulse_y",
    "impulse_z",
    "angular_impulse_x",
    "angular_impulse_y",
    "angular_impulse_z",
    "audit_x",
    "audit_y",
    "audit_z",
    "angular_audit_x",
    "angular_audit_y",
    "angular_audit_z",
];

/// A column of `contacts.csv` with a number of the contact point: its heading, and its value.
pub(super) type ContactColumn = (&'static str, fn(&ContactRecord) -> f64);

/// The columns of `contacts.csv` with the numbers of a contact point. Before them are the time and two names
/// ([`CONTACT_FIRST`]), after them [`WITHIN_COLUMN`]. What is to be read back also has a line in `contacts::CELLS`.
pub(super) static CONTACT: [ContactColumn; 15] = [
    ("px", |c| c.point.x),
    ("py", |c| c.point.y),
    ("pz", |c| c.point.z),
    ("nx", |c| c.normal.x),
    ("ny", |c| c.normal.y),
    ("nz", |c| c.normal.z),
    ("delta", |c| c.delta),
    ("delta_dot", |c| c.delta_dot),
    ("fn", |c| c.f_n),
    ("ftx", |c| c.f_t.x),
    ("fty", |c| c.f_t.y),
    ("ftz", |c| c.f_t.z),
    ("mx", |c| c.couple.x),
    ("my", |c| c.couple.y),
    ("mz", |c| c.couple.z),
];

/// The columns that follow them in a model with patches: area [m²] and largest pressure [Pa], 0 for a contact point.
pub(super) static PATCH: [ContactColumn; 2] = [("area", |c| c.area), ("pressure", |c| c.pressure)];

/// The first columns of `contacts.csv`: time, name of the contact, name of the contact point.
pub(super) const CONTACT_FIRST: [&str; 3] = ["t", "contact", "feature"];
/// The last column of `contacts.csv`: whether the line belongs to a moment between output times (1) or to an output time (0).
pub(super) const WITHIN_COLUMN: &str = "within";

/// Returns the header of `contacts.csv`, in a model with or without patches.
pub(super) fn contact_columns(patches: bool) -> impl Iterator<Item = &'static str> {
    let numbers = contact_numbers(patches).map(|column| column.0);
    CONTACT_FIRST.into_iter().chain(numbers).chain([WITHIN_COLUMN])
}

/// Returns the columns of `contacts.csv` with numbers of a contact point, in a model with or without patches.
fn contact_numbers(patches: bool) -> impl Iterator<Item = &'static ContactColumn> {
    CONTACT.iter().chain(PATCH.iter().filter(move |_| patches))
}

/// The columns of a distance: whether it was found; a and b are the closest points, n the normal from a to b.
pub(super) const DISTANCE: [&str; 12] =
    ["found", "distance", "ax", "ay", "az", "bx", "by", "bz", "nx", "ny", "nz", "iterations"];

/// The columns of a short-range field: the least gap, the force and the torque (about its centre of mass) on the body, and the
/// dissipated power.
pub(super) const FIELD: [&str; 8] = ["gap", "fx", "fy", "fz", "mx", "my", "mz", "dissipated"];

/// The columns of a contact that wears: the volume, and the largest depth if it is a bearing.
pub(super) const WORN: [&str; 2] = ["volume", "depth"];

/// The columns of a bearing's sector: the contact, the end of the bearing, the angle of the sector's middle, the depth there.
pub(super) const PROFILE: [&str; 4] = ["contact", "end", "angle", "depth"];

const EVENTS: [&str; 9] =
    ["t", "kind", "contact", "feature", "speed", "peak_force", "max_indentation", "phase", "follows_from"];

/// The tables of a run.
#[derive(Debug)]
pub(super) struct Tables<T> {
    states: T,
    /// bodies and probes at moments between output times
    within: Option<T>,
    energy: T,
    momentum: T,
    contacts: Option<T>,
    /// whether the model has patches, whose columns the contacts then have
    patches: bool,
    events: T,
    distances: Option<T>,
    fields: Option<T>,
    joints: Option<T>,
    kinematics: Option<T>,
    forces: Option<T>,
    signals: Option<T>,
    wear: Option<T>,
}

/// Makes a table from a file's name and header.
pub(super) type Make<'m, T> = &'m mut dyn FnMut(&'static str, Vec<Heading>) -> Result<T, ResultsError>;

impl<T: Rows> Tables<T> {
    /// Makes the tables of a model's run; `contacts` is whether contact points are wanted, of which a contact in slices has very many.
    pub(super) fn new(
        model: &Model,
        about: &About,
        contacts: bool,
        make: Make<'_, T>,
    ) -> Result<Tables<T>, ResultsError> {
        // a table with one line per output time, with the columns of each name in turn; `None` if there are no names
        let mut in_time = |file, names: Vec<&str>, own: &[&str]| -> Result<Option<T>, ResultsError> {
            let columns =
                names.iter().flat_map(|name| own.iter().map(move |column| format!("{name}.{column}")));
            let header = std::iter::once(Cow::Borrowed("t")).chain(columns.map(Cow::Owned)).collect();
            if names.is_empty() { Ok(None) } else { make(file, header).map(Some) }
        };
        let distances = in_time(DISTANCES, about.distances.iter().map(|d| d.name()).collect(), &DISTANCE)?;
        let fields = in_time(FIELDS, model.field_names().collect(), &FIELD)?;
        let wear = in_time(WEAR, model.worn_names().collect(), &WORN)?;
        let joints = match model.joint_names().next().is_some() {
            true => Some(make(JOINTS, JOINT.map(Cow::Borrowed).to_vec())?),
            false => None,
        };
        let kinematics = columns(make, KINEMATICS, kinematic_columns(model))?;
        let forces = columns(make, FORCES, force_columns(model))?;
        let signals = columns(make, SIGNALS, model.signal_names().collect())?;
        let patches = model.has_patches();
        let (mut within, mut points) = (None, None);
        if contacts {
            within = Some(make(WITHIN, state_columns(model, &about.probes))?);
            points = Some(make(CONTACTS, contact_columns(patches).map(Cow::Borrowed).collect())?);
        }
        Ok(Tables {
            wear,
            kinematics,
            forces,
            signals,
            distances,
            fields,
            joints,
            states: make(STATES, state_columns(model, &about.probes))?,
            within,
            energy: make(files::ENERGY, energy_columns())?,
            momentum: make(files::MOMENTUM, MOMENTUM.map(Cow::Borrowed).to_vec())?,
            contacts: points,
            patches,
            events: make(files::EVENTS, EVENTS.map(Cow::Borrowed).to_vec())?,
        })
    }

    /// Returns all tables.
    pub(super) fn all(self) -> impl Iterator<Item = T> {
        let Tables { states, within, energy, momentum, contacts, events, distances, fields, .. } = self;
        let rest = [within, contacts, Some(events), distances, fields];
        let rest =
            rest.into_iter().chain([self.joints, self.kinematics, self.forces, self.signals, self.wear]);
        [states, energy, momentum].into_iter().chain(rest.flatten())
    }

    /// Adds the lines of a moment between output times.
    pub(super) fn within(&mut self, moment: &Moment, probes: &[Probe]) -> Result<(), ResultsError> {
        if let Some(out) = &mut self.contacts {
            contact_lines(out, moment.t, &moment.contacts, self.patches, true)?;
        }
        match &mut self.within {
            Some(out) if !moment.bodies.is_empty() => state_line(out, moment.t, &moment.bodies, probes),
            _ => Ok(()),
        }
    }

    /// Adds the lines of an output time, except distances.
    pub(super) fn frame(&mut self, frame: &Frame, probes: &[Probe]) -> Result<(), ResultsError> {
        state_line(&mut self.states, frame.t, &frame.bodies, probes)?;
        self.energy(frame)?;
        self.momentum(frame)?;
        self.contacts(frame)?;
        self.fields(frame)?;
        self.joints.as_mut().map_or(Ok(()), |out| joints_line(out, frame.t, &frame.joints))?;
        self.kinematics(frame)?;
        self.forces(frame)?;
        self.signals(frame)?;
        self.wear(frame)
    }

    /// Adds a line to `energy.csv`.
    fn energy(&mut self, frame: &Frame) -> Result<(), ResultsError> {
        self.energy.number(frame.t);
        Energy::COLUMNS.iter().for_each(|column| self.energy.number((column.value)(&frame.energy)));
        self.energy.end_line()
    }

    /// Adds a line to `momentum.csv`.
    fn momentum(&mut self, frame: &Frame) -> Result<(), ResultsError> {
        let (out, p) = (&mut self.momentum, &frame.momentum);
        out.number(frame.t);
        for v in [p.linear, p.angular, p.impulse, p.angular_impulse, p.audit, p.angular_audit] {
            out.numbers(&v);
        }
        out.end_line()
    }

    /// Adds a line to `fields.csv`.
    fn fields(&mut self, frame: &Frame) -> Result<(), ResultsError> {
        let Some(out) = &mut self.fields else { return Ok(()) };
        out.number(frame.t);
        for f in &frame.fields {
            out.numbers(&field(f));
        }
        out.end_line()
    }

    /// Adds a line to `kinematics.csv`.
    fn kinematics(&mut self, frame: &Frame) -> Result<(), ResultsError> {
        let Some(out) = &mut self.kinematics else { return Ok(()) };
        out.number(frame.t);
        coordinates(out, &frame.coordinates);
        out.end_line()
    }

    /// Adds a line to `forces.csv`.
    fn forces(&mut self, frame: &Frame) -> Result<(), ResultsError> {
        let Some(out) = &mut self.forces else { return Ok(()) };
        out.number(frame.t);
        frame.forces.iter().flat_map(ForceRecord::columns).for_each(|column| out.number(column.value));
        drives(out, &frame.drives);
        out.end_line()
    }

    /// Adds a line to `signals.csv`.
    fn signals(&mut self, frame: &Frame) -> Result<(), ResultsError> {
        let Some(out) = &mut self.signals else { return Ok(()) };
        out.number(frame.t);
        frame.signals.iter().for_each(|signal| out.number(signal.value));
        out.end_line()
    }

    /// Adds a line to `wear.csv`.
    fn wear(&mut self, frame: &Frame) -> Result<(), ResultsError> {
        let Some(out) = &mut self.wear else { return Ok(()) };
        out.number(frame.t);
        for w in &frame.wear {
            out.numbers(&[w.volume, w.deepest()]);
        }
        out.end_line()
    }

    /// Adds the lines of an output time to `contacts.csv`.
    fn contacts(&mut self, frame: &Frame) -> Result<(), ResultsError> {
        let Some(out) = &mut self.contacts else { return Ok(()) };
        contact_lines(out, frame.t, &frame.contacts, self.patches, false)
    }

    /// Adds a line to `distances.csv`; after a failed search all fields of a distance but the first are empty.
    pub(super) fn distances(
        &mut self,
        frame: &Frame,
        model: &Model,
        followed: &mut [Followed],
    ) -> Result<(), ResultsError> {
        let Some(out) = &mut self.distances else { return Ok(()) };
        out.number(frame.t);
        for distance in followed {
            out.numbers(&distance_at(distance, model, frame));
        }
        out.end_line()
    }

    /// Adds a line to `events.csv`.
    pub(super) fn event(&mut self, event: &Event) -> Result<(), ResultsError> {
        let out = &mut self.events;
        out.number(event.t);
        out.text(match event.kind {
            EventKind::Touch => "touch",
            EventKind::Release => "release",
        });
        out.text(&event.contact);
        out.text(&event.feature);
        out.number(event.speed);
        match event.kind {
            EventKind::Touch => (0..2).for_each(|_| out.nothing()),
            EventKind::Release => out.numbers(&[event.peak_force, event.max_indentation]),
        }
        match event.phase() {
            None => out.nothing(),
            Some(Phase::Impact) => out.text("impact"),
            Some(Phase::Following) => out.text("following"),
        }
        match event.follows_from {
            None => out.nothing(),
            Some(t) => out.number(t),
        }
        out.end_line()
    }
}

impl Tables<Table> {
    fn files(&self) -> impl Iterator<Item = &Table> {
        let Tables { states, within, energy, momentum, contacts, events, distances, fields, .. } = self;
        let Tables { joints, kinematics, forces, signals, wear, .. } = self;
        let some = [within, contacts, distances, fields, joints, kinematics, forces, signals, wear];
        [states, energy, momentum, events].into_iter().chain(some.into_iter().flatten())
    }

    /// Returns the names and sizes of the files \[bytes\].
    pub(super) fn sizes(&self) -> Vec<(&'static str, u64)> {
        self.files().map(Table::size).collect()
    }

    /// Waits until the disk has what was written.
    pub(super) fn sync(&self) -> Result<(), ResultsError> {
        self.files().try_for_each(Table::sync)
    }

    /// Writes all lines to the files.
    pub(super) fn flush(&mut self) -> Result<(), ResultsError> {
        let Tables { states, within, energy, momentum, contacts, events, distances, fields, .. } = self;
        let rest = [within.as_mut(), contacts.as_mut(), Some(events), distances.as_mut(), fields.as_mut()];
        let more =
            [&mut self.joints, &mut self.kinematics, &mut self.forces, &mut self.signals, &mut self.wear];
        let rest = rest.into_iter().chain(more.map(Option::as_mut)).flatten();
        [states, energy, momentum].into_iter().chain(rest).try_for_each(Table::flush)
    }
}

/// Makes a table with one line per output time; `None` if it has no columns but the time.
fn columns<T>(
    make: Make<'_, T>,
    file: &'static str,
    columns: Vec<String>,
) -> Result<Option<T>, ResultsError> {
    if columns.is_empty() {
        return Ok(None);
    }
    let columns = columns.into_iter().map(Cow::Owned);
    make(file, std::iter::once(Cow::Borrowed("t")).chain(columns).collect()).map(Some)
}

/// Adds the lines of all contact points at time `t` to `contacts.csv`.
fn contact_lines(
    out: &mut impl Rows,
    t: f64,
    contacts: &[ContactRecord],
    patches: bool,
    within: bool,
) -> Result<(), ResultsError> {
    for c in contacts {
        out.number(t);
        out.text(&c.contact);
        out.text(&c.feature);
        contact_numbers(patches).for_each(|column| out.number(column.1(c)));
        out.number(f64::from(u8::from(within)));
        out.end_line()?;
    }
    Ok(())
}

/// Returns the header of `energy.csv`.
fn energy_columns() -> Vec<Heading> {
    ["t"].into_iter().chain(Energy::COLUMNS.iter().map(|column| column.name)).map(Cow::Borrowed).collect()
}

/// Returns the columns of a field.
pub(super) fn field(f: &FieldRecord) -> [f64; FIELD.len()] {
    let ([fx, fy, fz], [mx, my, mz]): ([f64; 3], [f64; 3]) = (f.force.into(), f.torque.into());
    [f.gap, fx, fy, fz, mx, my, mz, f.dissipated]
}

/// Returns the columns of a distance; if it is not found, all but the first are NaN.
pub(super) fn distance_at(d: &mut Followed, model: &Model, frame: &Frame) -> [f64; DISTANCE.len()] {
    let mut all = [f64::NAN; DISTANCE.len()];
    all[0] = 0.0;
    if let Ok(found) = d.at(model, &frame.bodies) {
        let c = &found.contact;
        (all[0], all[1]) = (1.0, 0.0 - c.delta); // not −delta, which would give −0 for a zero
        for (at, x) in all[2..11].iter_mut().zip(c.p_a.iter().chain(&c.p_b).chain(&c.n)) {
            *at = *x;
        }
        all[11] = found.steps as f64;
    }
    all
}

/// Makes `states.csv` for a model with these probes, without lines.
pub(super) fn states_table(model: &Model, probes: &[Probe]) -> Columns {
    Columns::new(STATES, state_columns(model, probes))
}

fn state_columns(model: &Model, probes: &[Probe]) -> Vec<Heading> {
    let mut columns = vec![Cow::Borrowed("t")];
    for (name, deforms) in model.moving_bodies_that_deform() {
        let own: &[&str] = if deforms { &AFFINE } else { &BODY };
        columns.extend(own.iter().map(|column| Cow::Owned([name, ".", column].concat())));
    }
    for probe in probes {
        columns.extend(PROBE.iter().map(|column| Cow::Owned(format!("{}.{column}", probe.name))));
    }
    columns
}

/// Adds a line to `states.csv` or `states-within.csv`.
pub(super) fn state_line(
    out: &mut impl Rows,
    t: f64,
    bodies: &[BodyState],
    probes: &[Probe],
) -> Result<(), ResultsError> {
    out.number(t);
    for b in bodies {
        let q = &b.orientation;
        out.numbers(&b.position);
        match &b.deformation {
            None => out.numbers(&[q.w, q.i, q.j, q.k]),
            Some(d) => out.numbers(&d.f.transpose()),
        }
        out.numbers(&b.velocity);
        match &b.deformation {
            None => out.numbers(&b.angular_velocity),
            Some(d) => out.numbers(&d.f_dot.transpose()),
        }
    }
    for probe in probes {
        match bodies.get(probe.body) {
            Some(body) => {
                let (p, v) = body.point(&probe.point.into());
                out.numbers(&p);
                out.numbers(&v);
            }
            None => PROBE.iter().for_each(|_| out.nothing()),
        }
    }
    out.end_line()
}

/// Makes `wear-profile.csv`, the wear profiles of bearings; `None` if there are none.
pub(super) fn profiles(worn: &[WearRecord]) -> Result<Option<DataFile>, ResultsError> {
    if worn.iter().all(|w| w.profiles.is_empty()) {
        return Ok(None);
    }
    let mut out = Columns::new(WEAR_PROFILE, PROFILE);
    for w in worn {
        for (end, profile) in w.profiles.iter().enumerate() {
            for (i, depth) in profile.iter().enumerate() {
                out.text(&w.contact);
                out.text(&(end + 1).to_string());
                out.numbers(&[std::f64::consts::TAU * i as f64 / profile.len() as f64, *depth]);
                out.end_line()?;
            }
        }
    }
    Ok(Some(out.file))
}
