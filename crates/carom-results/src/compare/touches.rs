//! Compares the touches of each contact point.

use crate::Recorded;

/// The touches of a contact point in two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct PointDifference {
    /// name of the contact
    pub contact: String,
    /// name of the contact point within the contact
    pub feature: String,
    /// number of touches in each run, up to the end of the shorter one
    pub touches: [usize; 2],
    /// the largest difference in time between the k-th touches of both \[s\]
    pub shift: f64,
    /// the largest difference of their speeds [m/s]
    pub speed: f64,
    /// time of the first touch without a partner that counts \[s\]
    pub alone: Option<f64>,
    /// whether they are equal within the tolerance
    pub same: bool,
}

type Touch = (f64, f64);

/// Compares all contact points that touched in either run, in the order of their first touches; `largest` is the largest speed
/// of all bodies [m/s].
pub(super) fn compare(
    a: &Recorded,
    b: &Recorded,
    span: f64,
    tolerance: f64,
    largest: f64,
) -> Vec<PointDifference> {
    let mut points: Vec<(&str, &str, [Vec<Touch>; 2])> = Vec::new();
    for (which, run) in [a, b].into_iter().enumerate() {
        for e in run.events.iter().filter(|e| e.kind == "touch" && e.t <= span) {
            let found =
                points.iter().position(|(c, f, _)| (*c, *f) == (e.contact.as_str(), e.feature.as_str()));
            let at = found.unwrap_or_else(|| {
                points.push((&e.contact, &e.feature, [Vec::new(), Vec::new()]));
                points.len() - 1
            });
            points[at].2[which].push((e.t, e.speed));
        }
    }
    points.into_iter().map(|(c, f, touches)| point(c, f, &touches, span, tolerance, largest)).collect()
}

fn point(
    contact: &str,
    feature: &str,
    touches: &[Vec<Touch>; 2],
    span: f64,
    tolerance: f64,
    largest: f64,
) -> PointDifference {
    let [a, b] = touches;
    let largest_of =
        |get: fn(&Touch) -> f64| a.iter().zip(b).map(|(x, y)| (get(x) - get(y)).abs()).fold(0.0, f64::max);
    let (shift, speed) = (largest_of(|t| t.0), largest_of(|t| t.1));
    let longer = if a.len() > b.len() { a } else { b };
    let counts = |t: &&Touch| t.1 > tolerance * largest;
    let alone = longer.iter().skip(a.len().min(b.len())).find(counts).map(|t| t.0);
    // a touch near the very end may come a little later in the other run
    let alone = alone.filter(|t| span - t > tolerance * span);
    PointDifference {
        contact: contact.to_owned(),
        feature: feature.to_owned(),
        touches: [a.len(), b.len()],
        shift,
        speed,
        alone,
        same: alone.is_none() && shift <= tolerance * span,
    }
}
