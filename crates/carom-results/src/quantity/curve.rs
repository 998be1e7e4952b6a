//! Quantities at all moments at which they are recorded: output times, and moments of contacts between them.

use carom_base::expression::Expression;
use carom_scene::quantity::behind;

use super::times::{Curve, all_times};
use super::{QuantityError, body, contact};
use crate::read::Recorded;
use crate::track::{Deformed, Rotation, Track};

/// Merges two increasing lists of times: for each time, whether it is from the first list, and its index there. A time in both
/// is taken from the first.
fn merged(a: &[f64], b: &[f64]) -> Vec<(bool, usize)> {
    let (mut i, mut j) = (0, 0);
    let mut order = Vec::with_capacity(a.len() + b.len());
    loop {
        match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) if x == y => j += 1,
            (Some(x), Some(y)) if y < x => {
                order.push((false, j));
                j += 1;
            }
            (None, Some(_)) => {
                order.push((false, j));
                j += 1;
            }
            (Some(_), _) => {
                order.push((true, i));
                i += 1;
            }
            (None, None) => return order,
        }
    }
}

fn picked<T: Copy>(order: &[(bool, usize)], a: &[T], b: &[T]) -> Vec<T> {
    order.iter().filter_map(|(first, i)| if *first { a.get(*i) } else { b.get(*i) }).copied().collect()
}

/// Joins two tracks of a body or probe in the order of their times.
fn joined(order: &[(bool, usize)], a: &Track, b: &Track) -> Track {
    let rotation = a.rotation.as_ref().zip(b.rotation.as_ref());
    let deformation = a.deformation.as_ref().zip(b.deformation.as_ref());
    Track {
        name: a.name.clone(),
        position: picked(order, &a.position, &b.position),
        velocity: picked(order, &a.velocity, &b.velocity),
        rotation: rotation.map(|(a, b)| Rotation {
            quaternion: picked(order, &a.quaternion, &b.quaternion),
            angular_velocity: picked(order, &a.angular_velocity, &b.angular_velocity),
        }),
        deformation: deformation.map(|(a, b)| Deformed {
            f: picked(order, &a.f, &b.f),
            f_dot: picked(order, &a.f_dot, &b.f_dot),
        }),
    }
}

impl Recorded {
    /// Returns a quantity by its name at all moments at which it is recorded; contacts and bodies have some between output times.
    pub fn curve(&self, name: &str) -> Result<Curve, QuantityError> {
        let fine = !self.within_t.is_empty();
        if let Some((i, suffix)) = self.track_of(name).filter(|_| fine) {
            let (t, track) = self.joined(i);
            if let Some(values) = body::column(&track, &t, suffix) {
                return Ok(Curve { t, values });
            }
        }
        if let Some((owner, suffix)) = self.contact_of(name) {
            let points = contact::meant(self.contacts()?, owner);
            let known = (!points.is_empty()).then(|| contact::curve(&points, suffix, &self.t));
            return known.flatten().ok_or_else(|| self.unknown(name));
        }
        Ok(Curve { t: self.t.clone(), values: self.column(name)? })
    }

    /// Returns an expression at all moments at which one of its quantities is recorded; quantities that are recorded at fewer
    /// moments are interpolated linearly.
    pub fn curve_of(
        &self,
        expression: &Expression,
        curve: impl Fn(&str) -> Result<Curve, QuantityError>,
    ) -> Result<Curve, QuantityError> {
        let curves = expression.names().iter().map(|name| curve(name)).collect::<Result<Vec<_>, _>>()?;
        let t = match curves.is_empty() {
            true => self.t.clone(),
            false => all_times(curves.iter().map(|c| c.t.as_slice())),
        };
        let columns: Vec<Vec<f64>> = curves.iter().map(|c| c.at(&t)).collect();
        let at = |i: usize| expression.at(&columns.iter().map(|column| column[i]).collect::<Vec<f64>>());
        Ok(Curve { values: (0..t.len()).map(at).collect(), t })
    }

    /// Adds the moments between output times at which bodies are recorded to the output times; all other quantities are
    /// interpolated linearly there.
    pub(crate) fn with_moments(mut self) -> Recorded {
        if self.within_t.is_empty() {
            return self;
        }
        let order = merged(&self.t, &self.within_t);
        let t = picked(&order, &self.t, &self.within_t);
        self.tracks = (0..self.tracks.len()).map(|i| self.joined(i).1).collect();
        let lines = |at: &[f64], values: &mut Vec<f64>| {
            let values_then = std::mem::take(values);
            *values = Curve { t: at[..values_then.len().min(at.len())].to_vec(), values: values_then }.at(&t);
        };
        self.energies.iter_mut().for_each(|(_, values)| lines(&self.energy_t, values));
        let Recorded { distances, fields, wear, mechanism, forces, t: outputs, .. } = &mut self;
        for columns in [distances, fields, wear, mechanism, forces] {
            columns.iter_mut().for_each(|(_, values)| lines(outputs, values));
        }
        for joint in &mut self.joints {
            for loads in [&mut joint.force, &mut joint.couple] {
                let axis = |k: usize| {
                    let mut values: Vec<f64> = loads.iter().map(|load| load[k]).collect();
                    lines(&joint.t, &mut values);
                    values
                };
                let [x, y, z] = [axis(0), axis(1), axis(2)];
                *loads = (0..t.len()).map(|i| [x[i], y[i], z[i]]).collect();
            }
            joint.t.clone_from(&t);
        }
        (self.within_t, self.within_tracks) = (Vec::new(), Vec::new());
        (self.energy_t, self.t) = (t.clone(), t);
        self.contact_points = std::sync::OnceLock::new();
        self
    }

    /// Returns the index of a body or probe, and the part of the name after the dot.
    fn track_of<'n>(&self, name: &'n str) -> Option<(usize, &'n str)> {
        self.tracks.iter().enumerate().find_map(|(i, t)| Some((i, behind(name, &t.name)?)))
    }

    /// Returns a body or probe at all moments at which it is recorded.
    fn joined(&self, i: usize) -> (Vec<f64>, Track) {
        match self.within_tracks.get(i) {
            Some(within) => {
                let order = merged(&self.t, &self.within_t);
                (picked(&order, &self.t, &self.within_t), joined(&order, &self.tracks[i], within))
            }
            None => (self.t.clone(), self.tracks[i].clone()),
        }
    }

    /// Splits the name of a quantity of a contact into the contact and the part after the dot; `None` if anything else has that
    /// name.
    pub fn contact_of<'n>(&self, name: &'n str) -> Option<(&'n str, &'n str)> {
        let (owner, suffix) =
            name.rsplit_once('.').filter(|(owner, _)| owner.contains('~') || owner.contains('/'))?;
        let column = self.columns().any(|(column, _)| column == name);
        let joint = self.joints.iter().any(|r| r.joint == owner);
        let track = self.tracks.iter().any(|t| t.name == owner);
        (!column && !joint && !track).then_some((owner, suffix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_two_lists_are_put_in_order() {
        assert_eq!(merged(&[0.0, 1.0], &[0.5, 1.0, 1.5]), [(true, 0), (false, 0), (true, 1), (false, 2)]);
    }
}
