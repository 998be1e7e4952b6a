//! Recorded quantities by name, and expressions of them.

use super::read::Recorded;
use super::tables::{AFFINE, BODY, JOINT};
use super::track::{Reaction, Track};
use crate::expression::Expression;

/// A quantity that a folder does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no quantity `{name}`{}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
pub struct NoQuantity {
    /// what was asked for
    pub name: String,
    /// what may be meant
    pub nearest: Option<String>,
}

impl Recorded {
    /// The values of an expression, one an output time.
    ///
    /// Its names are `t`, the columns of `states.csv`, `energy.csv`, `distances.csv`, `fields.csv` and `wear.csv`, `JOINT.fx` to `JOINT.mz` of `joints.csv`, `touch.N` and `release.N` (the time of the N-th, from 1),
    /// and `summary.NAME`, a number of `summary.json`; the last two are the same at all times.
    pub fn series(&self, expression: &Expression) -> Result<Vec<f64>, NoQuantity> {
        self.series_with(expression, |name| self.column(name))
    }

    /// The same, with the values of names found otherwise.
    pub fn series_with(
        &self,
        expression: &Expression,
        column: impl Fn(&str) -> Result<Vec<f64>, NoQuantity>,
    ) -> Result<Vec<f64>, NoQuantity> {
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

    /// A quantity by its name alone, one value an output time.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, NoQuantity> {
        if name == "t" {
            return Ok(self.t.clone());
        }
        if let Some(x) = self.constant(name) {
            return Ok(vec![x; self.t.len()]);
        }
        let mut named = self.energies.iter().chain(&self.distances).chain(&self.fields).chain(&self.wear);
        if let Some((_, values)) = named.find(|(n, _)| n == name) {
            return Ok(values.clone());
        }
        let of = |owner: &str| name.strip_prefix(owner)?.strip_prefix('.');
        let of_track = |t: &Track| component(t, of(&t.name)?);
        let of_joint = |r: &Reaction| {
            let i = JOINT[2..].iter().position(|c| Some(*c) == of(&r.joint))?;
            Some(self.t.iter().map(|t| r.at(*t).map_or(f64::NAN, |loads| loads[i / 3][i % 3])).collect())
        };
        let found = self.tracks.iter().find_map(of_track);
        found.or_else(|| self.joints.iter().find_map(of_joint)).ok_or_else(|| self.unknown(name))
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

    fn unknown(&self, name: &str) -> NoQuantity {
        let of_track = |t: &Track| {
            let count = if t.rotation.is_some() { BODY.len() } else { 0 };
            let soft = if t.deformation.is_some() { &AFFINE[..] } else { &[] };
            let body = BODY[..count].iter().chain(soft);
            let is_probe = t.rotation.is_none() && t.deformation.is_none();
            let probe = BODY.iter().filter(|c| is_probe && !c.contains(['q', 'w']));
            body.chain(probe).map(|c| format!("{}.{c}", t.name)).collect::<Vec<_>>()
        };
        let named = self
            .energies
            .iter()
            .chain(&self.distances)
            .chain(&self.fields)
            .chain(&self.wear)
            .map(|(n, _)| n.clone());
        let of_joint =
            |r: &Reaction| JOINT[2..].iter().map(|c| format!("{}.{c}", r.joint)).collect::<Vec<_>>();
        let joints = self.joints.iter().flat_map(of_joint);
        let known: Vec<String> = self.tracks.iter().flat_map(of_track).chain(named).chain(joints).collect();
        let words: Vec<&str> = known.iter().map(String::as_str).collect();
        NoQuantity { name: name.to_owned(), nearest: carom::words::nearest(name, &words) }
    }
}

fn component(t: &Track, name: &str) -> Option<Vec<f64>> {
    if let (Some(d), Some(i)) = (&t.deformation, AFFINE.iter().position(|c| *c == name)) {
        return Some(match i {
            0..3 => t.position.iter().map(|p| p[i]).collect(),
            3..12 => d.f.iter().map(|f| f[i - 3]).collect(),
            12..15 => t.velocity.iter().map(|v| v[i - 12]).collect(),
            _ => d.f_dot.iter().map(|f| f[i - 15]).collect(),
        });
    }
    let i = BODY.iter().position(|c| *c == name)?;
    let rotation = t.rotation.as_ref();
    Some(match i {
        0..3 => t.position.iter().map(|p| p[i]).collect(),
        3..7 => rotation?.quaternion.iter().map(|q| q[i - 3]).collect(),
        7..10 => t.velocity.iter().map(|v| v[i - 7]).collect(),
        _ => rotation?.angular_velocity.iter().map(|w| w[i - 10]).collect(),
    })
}
