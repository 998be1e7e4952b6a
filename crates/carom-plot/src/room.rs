//! Finds room for a legend in a panel: a rectangle within its frame that no curve crosses.

/// Distance of a legend from the frame and from curves, and of the points at which curves are tested [px].
const GAP: f64 = 6.0;
const STEP: f64 = 4.0;
/// Numbers of positions tried across and down the frame.
const ACROSS: usize = 17;
const DOWN: usize = 25;
/// Shares of the frame's width and height that a legend may have.
const WIDEST: f64 = 0.95;
const HIGHEST: f64 = 0.65;
/// The share of the frame's height that a legend above all curves may take: more would leave too little to the curves.
pub(crate) const MOST_ABOVE: f64 = 0.36;

/// A rectangle: left, top, right and lower end [px].
pub(crate) type Frame = [f64; 4];

/// Returns whether a legend of this width and height is small enough for a panel.
pub(crate) fn fits((width, height): (f64, f64), frame: &Frame) -> bool {
    width <= WIDEST * (frame[2] - frame[0]) && height <= HIGHEST * (frame[3] - frame[1])
}

/// Returns the share of the frame's height that a legend above all curves takes.
pub(crate) fn share_above((_, height): (f64, f64), frame: &Frame) -> f64 {
    ((height + 2.0 * GAP) / (frame[3] - frame[1])).min(0.7)
}

/// Returns the upper left corner of the position at which a legend covers least of the lines, and whether it covers nothing. Corners of
/// the frame come first.
pub(crate) fn best(size: (f64, f64), frame: &Frame, lines: &[Vec<(f64, f64)>]) -> ((f64, f64), bool) {
    let (left, right) = (frame[0] + GAP, frame[2] - GAP - size.0);
    let (top, bottom) = (frame[1] + GAP, frame[3] - GAP - size.1);
    let points: Vec<(f64, f64)> = lines.iter().flat_map(|line| tested(line)).collect();
    let covered = |(x, y): (f64, f64)| {
        let inside = |p: &&(f64, f64)| {
            p.0 > x - GAP && p.0 < x + size.0 + GAP && p.1 > y - GAP && p.1 < y + size.1 + GAP
        };
        points.iter().filter(inside).count()
    };
    let corners = [(right, top), (left, top), (right, bottom), (left, bottom)];
    let others = (0..DOWN).flat_map(|j| {
        (0..ACROSS).rev().map(move |i| {
            let share = |k: usize, n: usize| k as f64 / (n - 1) as f64;
            (left + share(i, ACROSS) * (right - left), top + share(j, DOWN) * (bottom - top))
        })
    });
    // of equals the first one
    let mut found = (corners[0], usize::MAX);
    for at in corners.into_iter().chain(others) {
        let count = covered(at);
        if count < found.1 {
            found = (at, count);
        }
    }
    (found.0, found.1 == 0)
}

/// Returns points along a line that are near each other.
fn tested(line: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = line.first().copied().into_iter().collect();
    for pair in line.windows(2) {
        let ((a, b), (c, d)) = (pair[0], pair[1]);
        let steps = ((c - a).hypot(d - b) / STEP).ceil().clamp(1.0, 1e3) as usize;
        points
            .extend((1..=steps).map(|k| k as f64 / steps as f64).map(|s| (a + s * (c - a), b + s * (d - b))));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = [0.0, 0.0, 200.0, 100.0];

    #[test]
    fn a_legend_is_where_no_curve_is() {
        // falling from the upper left: the upper right corner is free; rising: the upper left one
        let (at, free) = best((50.0, 30.0), &FRAME, &[vec![(0.0, 0.0), (200.0, 100.0)]]);
        assert_eq!((at, free), ((144.0, 6.0), true));
        let (at, free) = best((50.0, 30.0), &FRAME, &[vec![(0.0, 100.0), (200.0, 0.0)]]);
        assert_eq!((at, free), ((6.0, 6.0), true));
        // a curve that is everywhere leaves no room
        let zigzag = (0..40).map(|i| (5.0 * f64::from(i), if i % 2 == 0 { 0.0 } else { 100.0 })).collect();
        assert!(!best((50.0, 30.0), &FRAME, &[zigzag]).1);
        assert!(fits((190.0, 50.0), &FRAME) && !fits((191.0, 50.0), &FRAME) && !fits((10.0, 66.0), &FRAME));
        assert_eq!(share_above((50.0, 28.0), &FRAME), 0.4);
    }
}
