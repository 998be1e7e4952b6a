//! Cuts dashed lines into strokes: on a curve with many points, kuva's pixel drawing restarts the dashes at each of them.

use kuva::render::render::{Primitive, Scene};

/// Replaces every dashed line by its strokes.
pub(crate) fn cut(scene: &mut Scene) {
    let elements = std::mem::take(&mut scene.elements);
    scene.elements = elements.into_iter().flat_map(strokes).collect();
}

fn strokes(element: Primitive) -> Vec<Primitive> {
    let Primitive::PolyLine { points, stroke, stroke_width, stroke_dasharray: Some(dashes) } = &element
    else {
        return vec![element];
    };
    let lengths: Vec<f64> = dashes.split(' ').filter_map(|x| x.parse().ok()).filter(|x| *x > 0.0).collect();
    let line = |points| {
        let (stroke, stroke_width) = (stroke.clone(), *stroke_width);
        Primitive::PolyLine { points, stroke, stroke_width, stroke_dasharray: None }
    };
    cut_line(points, &lengths).into_iter().map(line).collect()
}

/// Cuts a line into strokes, by the lengths of stroke, gap, stroke … in turn.
fn cut_line(points: &[(f64, f64)], lengths: &[f64]) -> Vec<Vec<(f64, f64)>> {
    if lengths.is_empty() {
        return vec![points.to_vec()];
    }
    let mut all = Vec::new();
    let mut stroke: Vec<(f64, f64)> = points.first().copied().into_iter().collect();
    let (mut turn, mut left) = (0, lengths[0]);
    for pair in points.windows(2) {
        let [(x0, y0), (x1, y1)] = [pair[0], pair[1]];
        let length = (x1 - x0).hypot(y1 - y0);
        let mut at = 0.0;
        while length - at > left {
            at += left;
            let point = (x0 + (x1 - x0) * at / length, y0 + (y1 - y0) * at / length);
            if turn % 2 == 0 {
                stroke.push(point);
                all.push(std::mem::take(&mut stroke));
            } else {
                stroke = vec![point];
            }
            turn += 1;
            left = lengths[turn % lengths.len()];
        }
        left -= length - at;
        if turn % 2 == 0 {
            stroke.push((x1, y1));
        }
    }
    if stroke.len() > 1 {
        all.push(stroke);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_do_not_depend_on_the_points() {
        let ends = |line: &[(f64, f64)]| -> Vec<(f64, f64)> {
            let strokes = cut_line(line, &[2.0, 1.0]);
            strokes.iter().map(|s| (s[0].0, s[s.len() - 1].0)).collect()
        };
        let coarse = [(0.0, 0.0), (7.0, 0.0)];
        let fine: Vec<(f64, f64)> = (0..=70).map(|i| (f64::from(i) / 10.0, 0.0)).collect();
        assert_eq!(ends(&coarse), [(0.0, 2.0), (3.0, 5.0), (6.0, 7.0)]);
        for (a, b) in ends(&coarse).iter().zip(ends(&fine)) {
            assert!((a.0 - b.0).abs() < 1e-12 && (a.1 - b.1).abs() < 1e-12);
        }
    }
}
