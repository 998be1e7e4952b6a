//! Quantities of contacts from `contacts.csv`: resultants over their contact points.

use carom_scene::quantity::behind;

use super::times::{Curve, all_times};
use crate::contacts::{PointHistory, RecordedPoint};

/// Returns whether a name refers to this side of a contact: `ball/sphere1` by its own name or by `ball`.
fn is_side(side: &str, asked: &str) -> bool {
    side == asked || side.split_once('/').is_some_and(|(body, _)| body == asked)
}

/// Returns whether a name refers to this contact: by its whole name, or by its bodies.
pub fn is_contact(contact: &str, asked: &str) -> bool {
    if contact == asked {
        return true;
    }
    let (Some((a, b)), Some((x, y))) = (contact.split_once('~'), asked.split_once('~')) else { return false };
    is_side(a, x) && is_side(b, y)
}

/// Returns whether a name refers to this contact point: by its whole name, or by the number at the end of it.
fn is_feature(feature: &str, asked: &str) -> bool {
    feature == asked || feature.rsplit_once(' ').is_some_and(|(_, number)| number == asked)
}

/// Finds the contact points that `CONTACT` or `CONTACT.FEATURE` refers to. A feature that matches no name is taken as a number,
/// counted from 1 in the order of first touch.
pub(super) fn meant<'p>(all: &'p [PointHistory], asked: &str) -> Vec<&'p PointHistory> {
    let of = |contact: &str| -> Vec<&'p PointHistory> {
        all.iter().filter(|p| is_contact(&p.contact, contact)).collect()
    };
    let whole = of(asked);
    if !whole.is_empty() {
        return whole;
    }
    // both a contact and a feature may have dots in their names
    let splits = asked.match_indices('.').map(|(i, _)| i);
    for contact in splits.map(|i| &asked[..i]) {
        let (Some(feature), points) = (behind(asked, contact), of(contact)) else { continue };
        let named: Vec<&PointHistory> =
            points.iter().copied().filter(|p| is_feature(&p.feature, feature)).collect();
        if !named.is_empty() {
            return named;
        }
        let nth = feature.parse().ok().and_then(|n: usize| points.get(n.checked_sub(1)?));
        if let Some(point) = nth {
            return vec![point];
        }
    }
    Vec::new()
}

/// The resultant of contact points at an output time.
#[derive(Clone, Copy, Debug, Default)]
struct Resultant {
    points: usize,
    f_n: f64,
    /// indentation and its rate at the deepest point
    deepest: Option<(f64, f64)>,
    friction: [f64; 3],
    force: [f64; 3],
    couple: [f64; 3],
    /// area of patches, and the largest pressure
    area: f64,
    pressure: f64,
    /// Σ f_n p and Σ f_n n; for a single point, `first` gives point and normal even without a force
    weighted_point: [f64; 3],
    normal: [f64; 3],
    first: Option<([f64; 3], [f64; 3])>,
}

impl Resultant {
    fn add(&mut self, c: &RecordedPoint) {
        self.points += 1;
        self.f_n += c.f_n;
        self.area += c.area;
        self.pressure = self.pressure.max(c.pressure);
        if self.deepest.is_none_or(|(delta, _)| c.delta > delta) {
            self.deepest = Some((c.delta, c.delta_dot));
        }
        let force = c.force();
        for i in 0..3 {
            self.friction[i] += c.f_t[i];
            self.force[i] += force[i];
            self.couple[i] += c.couple[i];
            self.weighted_point[i] += c.f_n * c.point[i];
            self.normal[i] += c.f_n * c.normal[i];
        }
        self.first.get_or_insert((c.point, c.normal));
    }

    /// Adds the resultant of another contact.
    fn join(&mut self, other: &Resultant) {
        self.points += other.points;
        self.f_n += other.f_n;
        self.area += other.area;
        self.pressure = self.pressure.max(other.pressure);
        if let Some(deep) = other.deepest.filter(|o| self.deepest.is_none_or(|own| o.0 > own.0)) {
            self.deepest = Some(deep);
        }
        let pairs = [
            (&mut self.friction, &other.friction),
            (&mut self.force, &other.force),
            (&mut self.couple, &other.couple),
            (&mut self.weighted_point, &other.weighted_point),
            (&mut self.normal, &other.normal),
        ];
        for (own, other) in pairs {
            own.iter_mut().zip(other).for_each(|(x, y)| *x += y);
        }
        self.first = self.first.or(other.first);
    }

    /// Interpolates linearly to another resultant; `part` is 0 at this one and 1 at the other.
    fn between(&self, other: &Resultant, part: f64) -> Resultant {
        if part == 0.0 {
            return *self;
        }
        let mix = |a: f64, b: f64| a + (b - a) * part;
        let line = |a: &[f64; 3], b: &[f64; 3]| [0, 1, 2].map(|i| mix(a[i], b[i]));
        let (a, b) = (self.deepest, other.deepest);
        Resultant {
            points: self.points.max(other.points),
            f_n: mix(self.f_n, other.f_n),
            deepest: match (a, b) {
                (Some(a), Some(b)) => Some((mix(a.0, b.0), mix(a.1, b.1))),
                _ => a.or(b).map(|(delta, rate)| (delta * if a.is_some() { 1.0 - part } else { part }, rate)),
            },
            friction: line(&self.friction, &other.friction),
            force: line(&self.force, &other.force),
            couple: line(&self.couple, &other.couple),
            area: mix(self.area, other.area),
            pressure: mix(self.pressure, other.pressure),
            weighted_point: line(&self.weighted_point, &other.weighted_point),
            normal: line(&self.normal, &other.normal),
            first: self.first.or(other.first),
        }
    }

    /// Returns the centre of the normal forces, and their direction.
    fn centre(&self) -> Option<([f64; 3], [f64; 3])> {
        if self.points == 1 {
            return self.first;
        }
        let length = norm(&self.normal);
        (self.f_n > 0.0 && length > 0.0)
            .then(|| (self.weighted_point.map(|x| x / self.f_n), self.normal.map(|x| x / length)))
    }

    /// Returns a quantity by the part of its name after the dot. Without contact, forces and indentation are zero, and points and
    /// normals are NaN.
    fn of(&self, suffix: &str) -> Option<f64> {
        let axis = |letter: &str| ["x", "y", "z"].iter().position(|a| *a == letter);
        let unknown = f64::NAN;
        Some(match suffix {
            "fn" => self.f_n,
            "ft" => norm(&self.friction),
            "f" => norm(&self.force),
            "delta" => self.deepest.map_or(0.0, |d| d.0),
            "delta_dot" => self.deepest.map_or(unknown, |d| d.1),
            "points" => self.points as f64,
            "area" => self.area,
            "pressure" => self.pressure,
            _ => {
                let (head, letter) = suffix.split_at(suffix.len().checked_sub(1)?);
                let i = axis(letter)?;
                match head {
                    "f" => self.force[i],
                    "ft" => self.friction[i],
                    "m" => self.couple[i],
                    "p" => self.centre().map_or(unknown, |c| c.0[i]),
                    "n" => self.centre().map_or(unknown, |c| c.1[i]),
                    _ => return None,
                }
            }
        })
    }
}

fn norm(v: &[f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Returns a quantity of these points together, one value per output time.
pub(super) fn column(points: &[&PointHistory], suffix: &str, times: usize) -> Option<Vec<f64>> {
    let mut all = vec![Resultant::default(); times];
    for (at, line) in points.iter().flat_map(|p| &p.lines) {
        if let Some(resultant) = all.get_mut(*at) {
            resultant.add(line);
        }
    }
    all.iter().map(|r| r.of(suffix)).collect()
}

/// Returns a quantity of these points together, at the output times and at all moments between them at which one of their
/// contacts is recorded. A contact that is not recorded at such a moment is interpolated linearly.
pub(super) fn curve(points: &[&PointHistory], suffix: &str, t: &[f64]) -> Option<Curve> {
    let mut contacts: Vec<&str> = points.iter().map(|p| p.contact.as_str()).collect();
    contacts.sort_unstable();
    contacts.dedup();
    let of = |contact: &&str| resultants(points.iter().filter(|p| p.contact == **contact), t);
    let each: Vec<(Vec<f64>, Vec<Resultant>)> = contacts.iter().map(of).collect();
    let all = all_times(each.iter().map(|(t, _)| t.as_slice()));
    let mut sums = vec![Resultant::default(); all.len()];
    for (t, resultants) in &each {
        let mut i = 0;
        for (at, sum) in all.iter().zip(&mut sums) {
            while i + 1 < t.len() && t[i + 1] <= *at {
                i += 1;
            }
            let next = resultants.get(i + 1).filter(|_| t[i] < *at);
            let part = next.map_or(0.0, |_| (at - t[i]) / (t[i + 1] - t[i]));
            sum.join(&resultants[i].between(next.unwrap_or(&resultants[i]), part));
        }
    }
    let values: Option<Vec<f64>> = sums.iter().map(|r| r.of(suffix)).collect();
    Some(Curve { t: all, values: values? })
}

/// Returns the resultants of the points of one contact at the output times and at its own moments; a point that is not recorded
/// there has no force.
fn resultants<'p, 'q: 'p>(
    points: impl Iterator<Item = &'p &'q PointHistory> + Clone,
    t: &[f64],
) -> (Vec<f64>, Vec<Resultant>) {
    let mut within: Vec<f64> = points.clone().flat_map(|p| p.within.iter().map(|line| line.0)).collect();
    within.sort_by(f64::total_cmp);
    within.dedup();
    let times = all_times([t, &within].into_iter());
    let mut all = vec![Resultant::default(); times.len()];
    for point in points {
        let outputs = point.lines.iter().map(|(at, line)| (t[*at], line));
        for (at, line) in outputs.chain(point.within.iter().map(|(at, line)| (*at, line))) {
            if let Some(resultant) = all.get_mut(times.partition_point(|x| *x < at)) {
                resultant.add(line);
            }
        }
    }
    (times, all)
}

/// Returns a quantity of a contact that never occurred, one value per output time.
pub fn untouched(suffix: &str, times: usize) -> Option<Vec<f64>> {
    column(&[], suffix, times)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(contact: &str, feature: &str, lines: &[(usize, f64, [f64; 3], f64)]) -> PointHistory {
        let line = |&(at, f_n, normal, delta): &(usize, f64, [f64; 3], f64)| {
            let (point, f_t, couple) = ([delta, 2.0, 3.0], [1.0, 0.0, 0.0], [0.0; 3]);
            let (delta_dot, area, pressure) = (10.0 * delta, 2.0 * f_n, 3.0 * f_n);
            (at, RecordedPoint { point, normal, delta, delta_dot, f_n, f_t, couple, area, pressure })
        };
        PointHistory {
            contact: contact.to_owned(),
            feature: feature.to_owned(),
            lines: lines.iter().map(line).collect(),
            within: Vec::new(),
        }
    }

    #[test]
    fn forces_add_up_and_the_deepest_counts() {
        let down = [0.0, 0.0, -1.0];
        let all = [
            at("a/s1~b/p", "slice 7", &[(1, 2.0, down, 0.1), (2, 4.0, down, 0.2)]),
            at("a/s1~b/p", "slice 8", &[(2, 6.0, [0.0, -1.0, 0.0], 0.3)]),
            at("a/s2~c/p", "slice 7", &[(0, 1.0, down, 0.5)]),
        ];
        let column = |name: &str, suffix: &str| column(&meant(&all, name), suffix, 4).unwrap_or_default();
        assert_eq!(column("a~b", "fn"), [0.0, 2.0, 10.0, 0.0]);
        assert_eq!(column("a/s1~b", "delta"), [0.0, 0.1, 0.3, 0.0]);
        assert_eq!(column("a/s1~b/p", "points"), [0.0, 1.0, 2.0, 0.0]);
        assert_eq!(column("a~b", "fx"), [0.0, 1.0, 2.0, 0.0]);
        assert_eq!(column("a~b", "fy")[2], 6.0);
        assert_eq!(column("a~b", "fz"), [0.0, 2.0, 4.0, 0.0]);
        assert_eq!(column("a~b", "f")[2], (4.0f64 + 36.0 + 16.0).sqrt());
        assert_eq!(column("a~b", "ft")[2], 2.0);
        assert_eq!(column("a~b", "delta_dot")[2], 3.0);
        assert_eq!((column("a~b", "area")[2], column("a~b", "pressure")[2]), (20.0, 18.0));
        let x = column("a~b", "px");
        assert!(x[0].is_nan() && x[1] == 0.1 && (x[2] - (0.4 * 0.2 + 0.6 * 0.3)).abs() < 1e-15);
        assert!((column("a~b", "ny")[2] + 6.0 / 52f64.sqrt()).abs() < 1e-15);
        // a point of the contact: by name, by the number in its name, by its order
        for name in ["a~b.slice 8", "a~b.8", "a~b.2"] {
            assert_eq!(column(name, "fn"), [0.0, 0.0, 6.0, 0.0], "{name}");
        }
        assert_eq!(column("a~c.7", "fn")[0], 1.0);
        for name in ["b~a", "a~b.3", "a~b.slice", "a"] {
            assert!(meant(&all, name).is_empty(), "{name}");
        }
        assert_eq!(super::column(&meant(&all, "a~b"), "qx", 4), None);
    }

    /// Two contacts between the same bodies, one of them recorded between output times: the curve of both has its peak, with the
    /// other one interpolated linearly.
    #[test]
    fn curves_have_what_is_between_output_times() {
        let down = [0.0, 0.0, -1.0];
        let mut hit = at("a/s1~b/p", "point", &[]);
        let top = at("", "", &[(0, 90.0, down, 0.9)]).lines[0].1;
        let none = RecordedPoint { f_n: 0.0, f_t: [0.0; 3], delta: 0.0, ..top };
        hit.within = vec![(1.2, none), (1.4, top), (1.6, none)];
        let all = [hit, at("a/s2~b/p", "point", &[(1, 2.0, down, 0.1), (2, 4.0, down, 0.2)])];
        let t = [0.0, 1.0, 2.0, 3.0];
        let of = |name: &str, suffix: &str| curve(&meant(&all, name), suffix, &t).unwrap();
        let whole = of("a/s1~b", "fn");
        assert_eq!(whole.t, [0.0, 1.0, 1.2, 1.4, 1.6, 2.0, 3.0]);
        assert_eq!(whole.values, [0.0, 0.0, 0.0, 90.0, 0.0, 0.0, 0.0]);
        let both = of("a~b", "fn");
        assert_eq!(both.t, whole.t);
        for (x, y) in both.values.iter().zip([0.0, 2.0, 2.4, 92.8, 3.2, 4.0, 0.0]) {
            assert!((x - y).abs() < 1e-12, "{:?}", both.values);
        }
        assert_eq!(of("a~b", "delta").values[3], 0.9);
        assert_eq!((of("a/s2~b", "fn").t, of("a~b", "points").values[3]), (t.to_vec(), 2.0));
    }
}
