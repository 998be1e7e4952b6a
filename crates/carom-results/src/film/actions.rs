//! Adds the forces of a film that are not along lines: where they act, and with what force and couple.

use carom::base::Vec3;
use carom::{DrawnAction, DrawnBody, Model};

use super::{Film, FilmAction};
use crate::Recorded;

/// Adds them to a film that has its bodies; with results, the rows of them that are its frames.
pub(super) fn put(film: &mut Film, model: &Model, run: Option<(&Recorded, &[usize])>) {
    let bodies: Vec<DrawnBody<'_>> = model.drawn_bodies().collect();
    let all = model.drawn_actions().map(|a| {
        let [first, second] = a.bodies.map(|body| &bodies[body]);
        let end = usize::from(!first.free && second.free);
        let (force, couple) = run.map(|run| loads(film, &a, end, &first.centre, run)).unwrap_or_default();
        FilmAction {
            name: a.name,
            bodies: a.bodies,
            points: a.points.map(Into::into),
            bushing: a.bushing.map(Into::into),
            end,
            force,
            couple,
        }
    });
    film.actions = all.collect();
}

type Vectors = Vec<[f64; 3]>;

/// Returns force and couple on a body at its point; the results have those on the first body, about its centre of mass.
fn loads(
    film: &Film,
    action: &DrawnAction,
    end: usize,
    centre: &Vec3,
    (run, kept): (&Recorded, &[usize]),
) -> (Vectors, Vectors) {
    let column = |suffix: &str| {
        let name = format!("{}.{suffix}", action.name);
        run.forces.iter().find(|(column, _)| *column == name).map(|(_, values)| values)
    };
    let columns: Vec<&Vec<f64>> =
        ["fx", "fy", "fz", "mx", "my", "mz"].into_iter().filter_map(column).collect();
    let [fx, fy, fz, mx, my, mz] = columns[..] else { return Default::default() };
    let at = |values: &Vec<f64>, row: usize| values.get(row).copied().unwrap_or(f64::NAN);
    let sign = if end == 0 { 1.0 } else { -1.0 };
    let load = |(frame, &row): (usize, &usize)| -> ([f64; 3], [f64; 3]) {
        let place = |end: usize, p: &Vec3| film.bodies[action.bodies[end]].motion.pose(frame).point(p);
        let f = Vec3::new(at(fx, row), at(fy, row), at(fz, row));
        let about_centre = Vec3::new(at(mx, row), at(my, row), at(mz, row));
        // M_P = M_C + (C − P) × F
        let arm = place(0, centre) - place(end, &action.points[end]);
        ((sign * f).into(), (sign * (about_centre + arm.cross(&f))).into())
    };
    kept.iter().enumerate().map(load).unzip()
}
