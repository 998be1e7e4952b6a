//! The contact points of a film, and their forces over time.

use std::collections::HashMap;

use super::{Film, FilmContact, Series};
use crate::{ReadError, Recorded};

/// Largest number of contacts with a curve of their own; those with the greatest forces are chosen.
const CURVES: usize = 12;

/// Assigns indices to names, in the order in which they occur.
#[derive(Default)]
struct Names {
    list: Vec<String>,
    number: HashMap<String, usize>,
}

impl Names {
    fn of(&mut self, name: &str) -> usize {
        if let Some(i) = self.number.get(name) {
            return *i;
        }
        self.list.push(name.to_owned());
        self.number.insert(name.to_owned(), self.list.len() - 1);
        self.list.len() - 1
    }
}

/// The sum of all normal forces at the output times \[N\], and the normal force of every contact at the times when it acts.
#[derive(Default)]
pub(super) struct Forces {
    pub(super) total: Vec<f64>,
    names: Names,
    /// for each contact: index of the output time, and force
    each: Vec<Vec<(usize, f64)>>,
}

impl Forces {
    pub(super) fn read(run: &Recorded) -> Result<Forces, ReadError> {
        let t = &run.t;
        let mut forces = Forces { total: vec![0.0; t.len()], ..Forces::default() };
        let mut clock = Clock { t, at: 0 };
        run.each_contact(|c| {
            let Some(i) = clock.find(c.t) else { return };
            forces.total[i] += c.at.f_n;
            let k = forces.names.of(&c.contact);
            forces.each.resize_with(forces.each.len().max(k + 1), Vec::new);
            match forces.each[k].last_mut() {
                Some((last, f)) if *last == i => *f += c.at.f_n,
                _ => forces.each[k].push((i, c.at.f_n)),
            }
        })?;
        Ok(forces)
    }

    /// Returns the forces at the frames.
    pub(super) fn series(&self, frames: &[usize]) -> Vec<Series> {
        if self.each.is_empty() {
            return Vec::new();
        }
        let series = |name: String, values| Series { name, group: "contact force", unit: "N", values };
        let total = frames.iter().map(|&i| self.total[i]).collect();
        let mut all = vec![series("contact force".to_owned(), total)];
        if self.each.len() == 1 {
            return all;
        }
        let peak = |k: usize| self.each[k].iter().fold(0.0, |most: f64, x| most.max(x.1));
        let mut order: Vec<usize> = (0..self.each.len()).collect();
        order.sort_by(|&a, &b| peak(b).total_cmp(&peak(a)).then(a.cmp(&b)));
        order.truncate(CURVES);
        order.sort_unstable();
        for k in order {
            let at = |i: &usize| {
                let found = self.each[k].binary_search_by_key(i, |x| x.0);
                found.map_or(0.0, |index| self.each[k][index].1)
            };
            all.push(series(format!("{} force", self.names.list[k]), frames.iter().map(at).collect()));
        }
        all
    }
}

/// Finds the indices of output times that are asked for in increasing order.
struct Clock<'t> {
    t: &'t [f64],
    at: usize,
}

impl Clock<'_> {
    fn find(&mut self, t: f64) -> Option<usize> {
        while self.t.get(self.at).is_some_and(|x| *x < t) {
            self.at += 1;
        }
        self.t.get(self.at).filter(|x| **x == t).map(|_| self.at)
    }
}

/// Adds the contact points of all frames to a film that has its times.
pub(super) fn put(film: &mut Film, run: &Recorded) -> Result<(), ReadError> {
    let (mut contacts, mut features) = (Names::default(), Names::default());
    let (mut points, mut frames) = (Vec::new(), Vec::new());
    let mut clock = Clock { t: &film.t, at: 0 };
    run.each_contact(|c| {
        let Some(frame) = clock.find(c.t) else { return };
        frames.push(frame);
        points.push(FilmContact {
            contact: contacts.of(&c.contact),
            feature: features.of(&c.feature),
            at: c.at,
        });
    })?;
    film.contact_starts = (0..=film.t.len()).map(|i| frames.partition_point(|f| *f < i)).collect();
    film.contact_points = points;
    film.contact_names = contacts.list;
    film.feature_names = features.list;
    Ok(())
}
