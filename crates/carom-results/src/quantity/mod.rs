//! Recorded quantities by name, and expressions of them.
//!
//! | name | quantity |
//! |---|---|
//! | `t` | time |
//! | `BODY.x .y .z .qw .qx .qy .qz .vx .vy .vz .wx .wy .wz` | as recorded; `.F11` to `.F33`, `.dF11` to `.dF33` of a body that deforms |
//! | `BODY.v` or `.speed`, `.w` | speed, angular speed |
//! | `BODY.tilt` | the angle between the body's z axis and the world's z axis |
//! | `BODY.angle_x .angle_y .angle_z` | rotation about a world axis: the twist of the orientation about it, see below |
//! | `BODY.euler_x .euler_y .euler_z` | intrinsic Euler angles, as `euler_xyz` of scenes; continuous over full turns |
//! | `BODY.ax .ay .az .a`, `.alphax .alphay .alphaz .alpha` | accelerations: recorded by an analysis, else from differences |
//! | `BODY.volume` | det F of a body that deforms |
//! | `PROBE.x .y .z .vx .vy .vz .v .ax .ay .az .a` | as for a body |
//! | `CONTACT.fn .ft .f .fx .fy .fz .ftx .fty .ftz .mx .my .mz` | resultants over all points, see below; zero without contact |
//! | `CONTACT.delta .delta_dot` | indentation and its rate at the deepest point; zero, and unknown, without contact |
//! | `CONTACT.area .pressure` | of patches: their area, and the largest pressure; zero without any |
//! | `CONTACT.px .py .pz .nx .ny .nz .points` | the centre of the normal forces and their direction; the number of points |
//! | `JOINT.fx .fy .fz .mx .my .mz .f .m` | force and couple on the second body, and their magnitudes |
//! | `JOINT.angle .angle_rate .angle_second` and so on | coordinates, with full turns counted, their rates and second rates |
//! | `JOINT.rate` | the rate of the joint's first coordinate |
//! | `DRIVE.force .power` | the force or couple of a drive along its coordinate, such as `hinge/angle`, and its power |
//! | `FORCE.fx .fy .fz .mx .my .mz .power` | force and couple on the first body, about its centre of mass; power on all bodies |
//! | `FORCE.length .rate .tension`, `.effort`, `.work` | of a force along a line; along a coordinate; of a load, motor or actuator |
//! | `INPUT`, `CONTROLLER.u`, or `.u1 .u2` and so on of several | inputs, and outputs of controllers |
//! | columns of `energy.csv`, `distances.csv`, `fields.csv`, `wear.csv`, `kinematics.csv`, `inverse.csv`, `forces.csv`, `signals.csv` | by their headings |
//! | `touch.N`, `release.N` | the time of the N-th, from 1 |
//! | `summary.NAME` | a number of `summary.json` |
//!
//! An angle about a world axis is continuous over full turns, and is the angle of rotation if the body turns about that axis
//! alone. Accelerations from differences of the recorded velocities are as accurate as the output is fine. The resultants
//! of a contact are the sum of the normal forces `fn`, the magnitude of the friction force `ft`, and force and couple on the
//! first body.
//!
//! `CONTACT` is `ball~floor`, for all contacts between the two bodies, or `ball/sphere1~floor/plane1`. With `.FEATURE` after it
//! it is a single point: its name, the number at the end of its name, or its number in the order of first touch. In
//! expressions, names with characters that [`Expression`] does not allow are in quotes.

mod body;
mod contact;
mod curve;
mod times;

use crate::actions::JOINT;
use crate::error::ReadError;
use crate::read::Recorded;
use crate::track::{Reaction, Track};
use carom::COORDINATES;
use carom_base::Quantity;
use carom_base::expression::Expression;
use carom_scene::quantity::{
    FIRST_RATE, LEDGER, Meaning, TIME, Thing, behind, nearest, of_force, of_mechanism, of_signal,
};
pub use contact::{is_contact, untouched};
pub use times::{Curve, all_times};

/// The reason why a quantity is not available.
#[derive(Debug, thiserror::Error)]
pub enum QuantityError {
    /// a name that the folder does not have
    #[error("there is no quantity `{name}`{}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    Unknown {
        /// what was asked for
        name: String,
        /// the name that was probably meant
        nearest: Option<String>,
    },
    /// a file that cannot be read
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Recorded {
    /// Returns the values of an expression of quantities, one per output time.
    pub fn series(&self, expression: &Expression) -> Result<Vec<f64>, QuantityError> {
        self.series_with(expression, |name| self.column(name))
    }

    /// Returns the values of an expression, one per output time; `column` gives the values of its names.
    pub fn series_with(
        &self,
        expression: &Expression,
        column: impl Fn(&str) -> Result<Vec<f64>, QuantityError>,
    ) -> Result<Vec<f64>, QuantityError> {
        let columns = expression.names().iter().map(|name| column(name)).collect::<Result<Vec<_>, _>>()?;
        let mut values = vec![0.0; columns.len()];
        let at = |i: usize| {
            for (value, column) in values.iter_mut().zip(&columns) {
                *value = column.get(i).copied().unwrap_or(f64::NAN);
            }
            expression.at(&values)
        };
        Ok((0..self.t.len()).map(at).collect())
    }

    /// Returns a quantity by its name, one value per output time.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, QuantityError> {
        if name == TIME.suffix {
            return Ok(self.t.clone());
        }
        if let Some(x) = self.constant(name) {
            return Ok(vec![x; self.t.len()]);
        }
        let spelt = self.first_rate(name).unwrap_or(name);
        if let Some((_, values)) = self.columns().find(|(n, _)| n == spelt) {
            return Ok(values.clone());
        }
        if let Some(values) = self.recorded_acceleration(name) {
            return Ok(values);
        }
        let of_track = |t: &Track| body::column(t, &self.t, behind(name, &t.name)?);
        let of_joint = |r: &Reaction| self.reaction(r, behind(name, &r.joint)?);
        let found = self.tracks.iter().find_map(of_track);
        if let Some(values) = found.or_else(|| self.joints.iter().find_map(of_joint)) {
            return Ok(values);
        }
        match name.rsplit_once('.') {
            Some((owner, suffix)) if owner.contains('~') || owner.contains('/') => {
                let points = contact::meant(self.contacts()?, owner);
                let known = (!points.is_empty()).then(|| contact::column(&points, suffix, self.t.len()));
                known.flatten().ok_or_else(|| self.unknown(name))
            }
            _ => Err(self.unknown(name)),
        }
    }

    /// Describes the quantity of that name, if there is one.
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        if name == TIME.suffix {
            return Some(Meaning::of("", &TIME));
        }
        if self.constant(name).is_some() {
            let time = !name.starts_with("summary.");
            let (name, of, what) = (name.to_owned(), String::new(), name.to_owned());
            let kind = if time { TIME.kind.to_owned() } else { name.clone() };
            return Some(Meaning {
                name,
                of,
                what,
                kind,
                quantity: time.then_some(TIME.quantity),
                rate: None,
            });
        }
        let of = |owner: &str, thing: Thing| {
            let suffix = behind(name, owner)?;
            thing.entries().find(|e| e.suffix == suffix).map(|e| Meaning::of(owner, e))
        };
        let ledger = || LEDGER.iter().find(|e| e.suffix == name).map(|e| Meaning::of("", e));
        let mechanism = || {
            let spelt = self.first_rate(name).unwrap_or(name);
            let meaning = self.of_mechanism(spelt)?;
            Some(Meaning { name: name.to_owned(), ..meaning })
        };
        let force = || self.of_force(name);
        let signal = || self.signals.iter().any(|(n, _)| n == name).then(|| of_signal(name));
        let owned = || self.things().iter().find_map(|(owner, thing)| of(owner, *thing));
        let contact = || {
            let (owner, suffix) = name.rsplit_once('.')?;
            let points = contact::meant(self.contacts().ok()?, owner);
            let entry = Thing::Contact.entries().find(|e| e.suffix == suffix)?;
            (!points.is_empty()).then(|| Meaning::of(owner, entry))
        };
        ledger().or_else(mechanism).or_else(force).or_else(signal).or_else(owned).or_else(contact)
    }

    /// Lists all quantities that can be named, in the order of bodies, contacts, joints, distances, fields, coordinates, forces,
    /// signals and energies. A contact is named by its bodies if they have only this one contact.
    pub fn quantities(&self) -> Result<Vec<Meaning>, ReadError> {
        let mut all = vec![Meaning::of("", &TIME)];
        let mut things: Vec<(String, Thing)> =
            self.things().into_iter().map(|(name, thing)| (name.to_owned(), thing)).collect();
        things.extend(self.contact_names()?.into_iter().map(|name| (name, Thing::Contact)));
        let order = |thing: Thing| match thing {
            Thing::Rigid | Thing::Soft | Thing::Probe => 0,
            Thing::Contact => 1,
            Thing::Joint => 2,
            Thing::Distance | Thing::Field | Thing::Force | Thing::Worn => 3,
        };
        things.sort_by_key(|(_, thing)| order(*thing));
        for (owner, thing) in &things {
            all.extend(thing.entries().map(|e| Meaning::of(owner, e)));
        }
        // (accelerations of bodies are among their quantities already)
        let mechanism = self.mechanism.iter().filter_map(|(name, _)| self.of_mechanism(name));
        let new: Vec<Meaning> = mechanism.filter(|m| all.iter().all(|known| known.name != m.name)).collect();
        all.extend(new);
        all.extend(self.forces.iter().filter_map(|(name, _)| self.of_force(name)));
        all.extend(self.signals.iter().map(|(name, _)| of_signal(name)));
        let ledger = LEDGER.iter().filter(|e| self.energies.iter().any(|(n, _)| n == e.suffix));
        all.extend(ledger.map(|e| Meaning::of("", e)));
        Ok(all)
    }

    /// Returns the objects that have quantities, except contacts.
    fn things(&self) -> Vec<(&str, Thing)> {
        let of_track = |t: &'_ Track| match (&t.rotation, &t.deformation) {
            (Some(_), _) => Thing::Rigid,
            (None, Some(_)) => Thing::Soft,
            (None, None) => Thing::Probe,
        };
        let mut all: Vec<(&str, Thing)> =
            self.tracks.iter().map(|t| (t.name.as_str(), of_track(t))).collect();
        all.extend(self.joints.iter().map(|r| (r.joint.as_str(), Thing::Joint)));
        for (columns, last, thing) in [
            (&self.distances, "distance", Thing::Distance),
            (&self.fields, "gap", Thing::Field),
            (&self.wear, "volume", Thing::Worn),
        ] {
            let owner =
                |name: &'_ str| name.strip_suffix(last).and_then(|n| n.strip_suffix('.')).map(str::len);
            let named = columns.iter().filter_map(|(name, _)| Some((&name[..owner(name)?], thing)));
            all.extend(named);
        }
        all
    }

    /// Returns the names of the contacts that occurred: by their bodies, or by their surfaces if the bodies have several
    /// contacts.
    pub fn contact_names(&self) -> Result<Vec<String>, ReadError> {
        let mut whole: Vec<&str> = Vec::new();
        for point in self.contacts()? {
            if !whole.contains(&point.contact.as_str()) {
                whole.push(&point.contact);
            }
        }
        let body = |side: &str| side.split_once('/').map_or(side, |s| s.0).to_owned();
        let short = |name: &str| {
            let (a, b) = name.split_once('~')?;
            Some(format!("{}~{}", body(a), body(b)))
        };
        let only = |short: &String| whole.iter().filter(|w| contact::is_contact(w, short)).count() == 1;
        Ok(whole.iter().map(|w| short(w).filter(only).unwrap_or_else(|| (*w).to_owned())).collect())
    }

    /// Returns the magnitude of an acceleration, `BODY.a` or `BODY.alpha`, if its components are recorded.
    fn recorded_acceleration(&self, name: &str) -> Option<Vec<f64>> {
        let (_, "a" | "alpha") = name.rsplit_once('.')? else { return None };
        let column = |axis: &str| {
            let wanted = format!("{name}{axis}");
            self.mechanism.iter().find(|(n, _)| *n == wanted).map(|(_, values)| values)
        };
        let [x, y, z] = [column("x")?, column("y")?, column("z")?];
        let norm = |((x, y), z): ((&f64, &f64), &f64)| (x * x + y * y + z * z).sqrt();
        Some(x.iter().zip(y).zip(z).map(norm).collect())
    }

    /// Returns the columns that are used as recorded.
    fn columns(&self) -> impl Iterator<Item = &(String, Vec<f64>)> {
        self.energies
            .iter()
            .chain(&self.distances)
            .chain(&self.fields)
            .chain(&self.wear)
            .chain(&self.mechanism)
            .chain(&self.forces)
            .chain(&self.signals)
    }

    /// Describes a column of a mechanism.
    fn of_mechanism(&self, name: &str) -> Option<Meaning> {
        let exists = |name: &str| self.mechanism.iter().any(|(n, _)| n == name);
        let (owner, entry) = of_mechanism(name, exists).filter(|_| exists(name))?;
        Some(Meaning::of(owner, entry))
    }

    /// Describes a column of a force.
    fn of_force(&self, name: &str) -> Option<Meaning> {
        let column = |name: &str| self.forces.iter().find(|(n, _)| n == name);
        column(name)?;
        let (owner, suffix) = name.rsplit_once('.')?;
        // what acts along an angle is a pure couple
        let is_couple = ["fx", "fy", "fz"].iter().all(|f| {
            column(&format!("{owner}.{f}")).is_some_and(|(_, values)| values.iter().all(|x| *x == 0.0))
        });
        let effort = if is_couple { Quantity::Torque } else { Quantity::Force };
        let quantities = Thing::Force.entries().filter(|e| e.suffix == suffix).map(|e| e.quantity);
        let quantity = quantities.reduce(|_, _| effort)?;
        of_force(owner, suffix, quantity)
    }

    /// Returns the column that `JOINT.rate` stands for: the rate of the joint's first coordinate.
    fn first_rate(&self, name: &str) -> Option<&str> {
        let joint = name.strip_suffix(FIRST_RATE)?.strip_suffix('.')?;
        let is_rate = |column: &str| {
            behind(column, joint).is_some_and(|c| COORDINATES.iter().any(|known| known.names.rate == c))
        };
        self.mechanism.iter().map(|(column, _)| column.as_str()).find(|column| is_rate(column))
    }

    fn reaction(&self, r: &Reaction, suffix: &str) -> Option<Vec<f64>> {
        let norm = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let at = |pick: &dyn Fn([[f64; 3]; 2]) -> f64| {
            self.t.iter().map(|t| r.at(*t).map_or(f64::NAN, pick)).collect()
        };
        match suffix {
            "f" => return Some(at(&|loads| norm(loads[0]))),
            "m" => return Some(at(&|loads| norm(loads[1]))),
            _ => {}
        }
        let i = JOINT[2..].iter().position(|c| *c == suffix)?;
        Some(at(&|loads| loads[i / 3][i % 3]))
    }

    fn constant(&self, name: &str) -> Option<f64> {
        let (head, rest) = name.split_once('.')?;
        match head {
            "summary" => self.summary.get(rest)?.as_f64(),
            "touch" | "release" => {
                let n: usize = rest.parse().ok()?;
                self.events.iter().filter(|e| e.kind == head).nth(n.checked_sub(1)?).map(|e| e.t)
            }
            _ => None,
        }
    }

    fn unknown(&self, name: &str) -> QuantityError {
        let known = self.quantities().unwrap_or_default();
        QuantityError::Unknown { name: name.to_owned(), nearest: nearest(name, &known) }
    }
}
