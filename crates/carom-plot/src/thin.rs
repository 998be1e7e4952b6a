//! Reduces the points of a line without a visible change (Ramer 1972; Douglas, Peucker 1973).

/// Largest deviation of a line [px].
const TOLERANCE: f64 = 0.1;

/// Lines of more points are thinned in pieces of so many: the time is then in proportion to the points.
const PIECE: usize = 1024;

/// Returns the points of a line that are needed; `per_px` is the length of a pixel along x and y.
pub(crate) fn thinned(points: &[(f64, f64)], per_px: (f64, f64)) -> Vec<(f64, f64)> {
    if points.len() <= PIECE {
        return piece(points, per_px);
    }
    let columns = extremes(points, per_px.0);
    // (pieces share their ends)
    let mut all = Vec::new();
    let mut from = 0;
    while from + 1 < columns.len() {
        let to = (from + PIECE).min(columns.len() - 1);
        all.pop();
        all.extend(piece(&columns[from..=to], per_px));
        from = to;
    }
    if all.is_empty() { columns } else { all }
}

/// Where many points in a row are in one column of a quarter of a pixel: the first, the lowest, the highest and the last of them, which
/// draw the same line.
fn extremes(points: &[(f64, f64)], per_px: f64) -> Vec<(f64, f64)> {
    let column = |p: &(f64, f64)| (4.0 * p.0 / per_px).floor();
    let mut all = Vec::new();
    for run in points.chunk_by(|a, b| column(a) == column(b)) {
        let by = |a: &usize, b: &usize| run[*a].1.total_cmp(&run[*b].1);
        let (low, high) = ((0..run.len()).min_by(by), (0..run.len()).max_by(by));
        let mut chosen = [0, low.unwrap_or(0), high.unwrap_or(0), run.len() - 1];
        chosen.sort_unstable();
        let new = chosen.iter().enumerate().filter(|(k, i)| *k == 0 || chosen[k - 1] != **i);
        all.extend(new.map(|(_, i)| run[*i]));
    }
    all
}

/// Thins a piece of a line.
fn piece(points: &[(f64, f64)], per_px: (f64, f64)) -> Vec<(f64, f64)> {
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    let px = |i: usize| (points[i].0 / per_px.0, points[i].1 / per_px.1);
    let mut keep = vec![false; points.len()];
    (keep[0], keep[last]) = (true, true);
    let mut parts = vec![(0, last)];
    while let Some((from, to)) = parts.pop() {
        let off = |i: usize| distance(px(i), px(from), px(to));
        let farthest = (from + 1..to).max_by(|a, b| off(*a).total_cmp(&off(*b)));
        if let Some(i) = farthest.filter(|i| off(*i) > TOLERANCE) {
            keep[i] = true;
            parts.extend([(from, i), (i, to)]);
        }
    }
    points.iter().zip(keep).filter_map(|(p, keep)| keep.then_some(*p)).collect()
}

/// Returns the distance from a point to the line between two others.
fn distance(p: (f64, f64), a: (f64, f64), b: (f64, f64)) -> f64 {
    let ((x, y), (u, v)) = ((p.0 - a.0, p.1 - a.1), (b.0 - a.0, b.1 - a.1));
    let square = u * u + v * v;
    let share = if square > 0.0 { ((x * u + y * v) / square).clamp(0.0, 1.0) } else { 0.0 };
    (x - share * u).hypot(y - share * v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_parts_need_two_points_and_corners_stay() {
        let line: Vec<(f64, f64)> =
            (0..=1000_i32).map(|i| (f64::from(i), f64::from((i - 300).abs()))).collect();
        assert_eq!(thinned(&line, (1.0, 1.0)), [(0.0, 300.0), (300.0, 0.0), (1000.0, 700.0)]);
        assert_eq!(thinned(&[], (1.0, 1.0)), []);
        assert_eq!(thinned(&[(1.0, 2.0)], (1.0, 1.0)), [(1.0, 2.0)]);
        // there and back again
        assert_eq!(thinned(&[(0.0, 0.0), (9.0, 0.0), (0.0, 0.0)], (1.0, 1.0)).len(), 3);
    }

    /// Every point of a long line is near the one that is drawn, and that has few points.
    #[test]
    fn long_curves_stay_too() {
        let wave: Vec<(f64, f64)> = (0..200_000)
            .map(|i| {
                (f64::from(i) * 0.005, 80.0 * (f64::from(i) * 0.02).sin() * (f64::from(i) * 0.0007).cos())
            })
            .collect();
        let thin = thinned(&wave, (1.0, 1.0));
        assert_eq!((thin.first(), thin.last()), (wave.first(), wave.last()));
        assert!(thin.len() < 17_000, "{}", thin.len());
        for p in wave.iter().step_by(997) {
            let around = thin.partition_point(|q| q.0 < p.0 - 1.0).saturating_sub(1);
            let near = thin[around..].windows(2).take_while(|w| w[0].0 < p.0 + 1.0);
            let near = near.map(|w| distance(*p, w[0], w[1])).fold(f64::INFINITY, f64::min);
            assert!(near <= 0.1 + 0.25, "{p:?} {near}");
        }
    }

    #[test]
    fn a_curve_stays_within_the_tolerance() {
        let wave: Vec<(f64, f64)> =
            (0..20_000).map(|i| f64::from(i) / 50.0).map(|x| (x, 100.0 * (x / 30.0).sin())).collect();
        let thin = thinned(&wave, (1.0, 1.0));
        assert!(thin.len() < 200, "{}", thin.len());
        for p in wave {
            let near = thin.windows(2).map(|w| distance(p, w[0], w[1])).fold(f64::INFINITY, f64::min);
            assert!(near <= TOLERANCE);
        }
    }
}
