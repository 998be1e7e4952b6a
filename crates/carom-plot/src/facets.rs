//! Draws the facets of bodies with as few elements as possible.
//!
//! Two consecutive triangles of a mesh that share an edge and are about equally bright become one facet with four corners.
//! Facets of one colour become one path, unless another facet painted between them overlaps, so that the order of painting
//! would change the picture.

use std::fmt::Write;

use kuva::render::color::Color;
use kuva::render::render::{PathData, Primitive};

use crate::solid::{Patch, Point, cross, dot, less, unit};

/// Fraction of its colour that an unlit facet has.
const DARK: f64 = 0.55;
/// Number of levels of brightness; the eye can tell fewer apart.
const LEVELS: f64 = 32.0;
/// Largest difference in brightness of two triangles that are painted as one facet.
const ALIKE: f64 = 0.03;
/// Width of the edges, which close the seams between neighbours [px].
const EDGE: f64 = 0.8;

/// A facet of a body that is seen from its front.
#[derive(Debug)]
pub(crate) struct Facet {
    pub(crate) corners: Vec<Point>,
    /// index of the colour; `None` for the ground
    pub(crate) colour: Option<usize>,
    /// fraction of its colour that it has
    pub(crate) shade: f64,
    /// depth; larger is nearer to the eye
    pub(crate) depth: f64,
}

/// Returns the facets that are seen from the front by an eye in the direction e, with light from another direction; both are
/// unit vectors.
pub(crate) fn seen(patches: &[Patch], e: &Point, light: &Point) -> Vec<Facet> {
    let shade = |patch: &Patch| {
        let [a, b, c] = &patch.corners;
        let normal = unit(&cross(&less(b, a), &less(c, a)));
        let shows = dot(&normal, e) > 0.0;
        shows.then(|| DARK + (1.0 - DARK) * dot(&normal, light).max(0.0))
    };
    let mut facets = Vec::new();
    let mut left = patches.iter().peekable();
    while let Some(patch) = left.next() {
        let Some(one) = shade(patch) else { continue };
        let quad = left.peek().and_then(|next| {
            let other = shade(next).filter(|other| (one - other).abs() < ALIKE)?;
            let corners = (patch.colour == next.colour).then(|| around(&patch.corners, &next.corners))??;
            Some((corners, 0.5 * (one + other)))
        });
        if quad.is_some() {
            left.next();
        }
        let (corners, shade) = quad.unwrap_or_else(|| (patch.corners.to_vec(), one));
        let depth = corners.iter().map(|p| dot(p, e)).sum::<f64>() / corners.len() as f64;
        let depth = if patch.colour.is_some() { depth } else { f64::NEG_INFINITY };
        let shade = (LEVELS * shade).round() / LEVELS;
        facets.push(Facet { corners, colour: patch.colour, shade, depth });
    }
    facets
}

/// Returns the corners around two triangles that share an edge.
fn around(one: &[Point; 3], other: &[Point; 3]) -> Option<Vec<Point>> {
    let mut own = (0..3).filter(|k| !other.contains(&one[*k]));
    let mut new = other.iter().filter(|p| !one.contains(p));
    match (own.next(), own.next(), new.next(), new.next()) {
        (Some(k), None, Some(p), None) => Some(vec![one[k], one[(k + 1) % 3], *p, one[(k + 2) % 3]]),
        _ => None,
    }
}

/// A path in preparation.
struct Path {
    colour: [u8; 3],
    d: String,
    /// bounding boxes of its facets, including edges
    boxes: Vec<[f64; 4]>,
}

/// Joins facets into paths. They are given by their corners in the picture [px] and their colours, from the back to the front.
pub(crate) fn joined(facets: impl Iterator<Item = (Vec<(f64, f64)>, [u8; 3])>) -> Vec<Primitive> {
    let mut paths: Vec<Path> = Vec::new();
    for (corners, colour) in facets {
        let (d, extent) = (outline(&corners), extent(&corners));
        // the last path of its colour, if nothing painted since then lies under this facet
        let before = paths.iter().rposition(|path| {
            path.colour == colour || path.boxes.iter().any(|other| overlap(&extent, other))
        });
        match before.map(|n| &mut paths[n]).filter(|path| path.colour == colour) {
            Some(path) => {
                path.d += &d;
                path.boxes.push(extent);
            }
            None => paths.push(Path { colour, d, boxes: vec![extent] }),
        }
    }
    paths.into_iter().map(Path::primitive).collect()
}

impl Path {
    fn primitive(self) -> Primitive {
        let [r, g, b] = self.colour;
        Primitive::Path(Box::new(PathData {
            d: self.d,
            fill: Some(Color::Rgb(r, g, b)),
            stroke: Color::Rgb(r, g, b),
            stroke_width: EDGE,
            opacity: None,
            stroke_dasharray: None,
        }))
    }
}

/// Returns a closed line through these points.
fn outline(corners: &[(f64, f64)]) -> String {
    let mut d = String::new();
    for (k, (x, y)) in corners.iter().enumerate() {
        let _ = write!(d, "{} {x:.1} {y:.1} ", if k == 0 { 'M' } else { 'L' });
    }
    d + "Z"
}

/// Returns the left, right, upper and lower end, including the edge.
fn extent(corners: &[(f64, f64)]) -> [f64; 4] {
    let (inf, edge) = (f64::INFINITY, 0.5 * EDGE);
    corners.iter().fold([inf, -inf, inf, -inf], |[left, right, top, bottom], (x, y)| {
        [left.min(x - edge), right.max(x + edge), top.min(y - edge), bottom.max(y + edge)]
    })
}

fn overlap(a: &[f64; 4], b: &[f64; 4]) -> bool {
    a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    const EYE: Point = [0.0, 0.0, 1.0];

    fn patch(corners: [Point; 3]) -> Patch {
        Patch { corners, colour: Some(0) }
    }

    #[test]
    fn halves_of_a_facet_are_one_and_corners_stay_two() {
        let [a, b, c, d] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let flat = seen(&[patch([a, b, c]), patch([a, c, d])], &EYE, &EYE);
        assert_eq!(flat.len(), 1);
        assert_eq!((flat[0].corners.as_slice(), flat[0].shade), ([b, c, d, a].as_slice(), 1.0));
        // bent along its diagonal, apart from each other, or one of them seen from behind
        let bent = [0.0, 1.0, 1.0];
        assert_eq!(seen(&[patch([a, b, c]), patch([a, c, bent])], &EYE, &EYE).len(), 2);
        let far = [a, b, c].map(|p| [p[0] + 5.0, p[1], p[2]]);
        assert_eq!(seen(&[patch([a, b, c]), patch(far)], &EYE, &EYE).len(), 2);
        assert_eq!(seen(&[patch([a, b, c]), patch([a, d, c])], &EYE, &EYE).len(), 1);
    }

    #[test]
    fn facets_of_a_colour_are_one_path_unless_another_lies_between() {
        let square = |x: f64| vec![(x, 0.0), (x + 10.0, 0.0), (x + 10.0, 10.0), (x, 10.0)];
        let (red, blue) = ([200, 0, 0], [0, 0, 200]);
        let paths = |facets: &[(f64, [u8; 3])]| {
            let paths = joined(facets.iter().map(|(x, colour)| (square(*x), *colour)));
            paths
                .iter()
                .map(|p| if let Primitive::Path(p) = p { p.d.clone() } else { String::new() })
                .collect()
        };
        let apart: Vec<String> = paths(&[(0.0, red), (30.0, blue), (60.0, red)]);
        assert_eq!(apart, [[outline(&square(0.0)), outline(&square(60.0))].concat(), outline(&square(30.0))]);
        // the second red one covers a part of the blue one
        let over: Vec<String> = paths(&[(0.0, red), (30.0, blue), (35.25, red)]);
        assert_eq!(over[2], "M 35.2 0.0 L 45.2 0.0 L 45.2 10.0 L 35.2 10.0 Z");
    }
}
