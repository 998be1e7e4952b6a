//! Draws bodies into a picture of pixels, with a depth for every sample (z-buffer): whatever lies in front is seen, however bodies
//! interlock, and curved surfaces are shaded smoothly.
//!
//! A corner of a facet is shaded with the mean normal of all facets of its body that meet there and are turned by less than
//! [`CREASE`] against it (Gouraud 1971, with normals instead of colours interpolated, Phong 1975); so the edges of boxes stay sharp.

use std::collections::HashMap;

use crate::solid::{Patch, Point, cross, dot, less, unit};

/// Samples per pixel, along a side.
const SAMPLES: usize = 2;
/// Fraction of its colour that a surface has that faces away from the light.
const DARK: f64 = 0.35;
/// Cosine of the largest angle between facets that are shaded as one smooth surface (40°).
const CREASE: f64 = 0.766;

/// How points in space are put into the drawing: an orthographic projection.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    /// the axes of the picture: to the right, upwards, towards the eye
    pub(crate) axes: [Point; 3],
    /// units of the drawing per metre
    pub(crate) scale: f64,
    /// the point of the drawing where the origin of space is
    pub(crate) origin: (f64, f64),
}

impl Projection {
    /// Returns where a point is drawn.
    pub(crate) fn at(&self, p: &Point) -> (f64, f64) {
        let [x, y, _] = &self.axes;
        (self.origin.0 + self.scale * dot(p, x), self.origin.1 - self.scale * dot(p, y))
    }

    /// Returns how near a point is to the eye, in units of the drawing; nearer points have larger values.
    pub(crate) fn depth(&self, p: &Point) -> f64 {
        self.scale * dot(p, &self.axes[2])
    }
}

/// A picture of bodies, and the depth of what is seen in it.
#[derive(Debug)]
pub(crate) struct Image {
    /// left and upper end in the drawing
    pub(crate) corner: (f64, f64),
    /// width and height in pixels
    pub(crate) size: (usize, usize),
    /// pixels per unit of the drawing, along a side
    pub(crate) density: usize,
    /// red, green and blue of the pixels, row by row
    pub(crate) rgb: Vec<u8>,
    /// depth of every sample, row by row
    depths: Vec<f32>,
}

impl Image {
    /// Draws the patches that show their front, into a picture with this upper left corner, width and height [units], and so many pixels per
    /// unit.
    pub(crate) fn of(
        patches: &[Patch],
        to: &Projection,
        corner: (f64, f64),
        size: (f64, f64),
        density: usize,
    ) -> Image {
        let fine = density * SAMPLES;
        let (width, height) = (size.0.ceil() as usize * fine, size.1.ceil() as usize * fine);
        let mut samples = Samples {
            width,
            height,
            depths: vec![f32::NEG_INFINITY; width * height],
            rgb: vec![[255; 3]; width * height],
        };
        let normals = corner_normals(patches);
        let [x, y, e] = &to.axes;
        // light from the left, above and in front
        let light = unit(&[0, 1, 2].map(|i| -0.5 * x[i] + 0.7 * y[i] + e[i]));
        for (patch, normals) in patches.iter().zip(&normals) {
            if dot(&facet_normal(patch), e) <= 0.0 {
                continue;
            }
            let corners = [0, 1, 2].map(|k| {
                let (u, v) = to.at(&patch.corners[k]);
                let fine = fine as f64;
                [(u - corner.0) * fine, (v - corner.1) * fine, to.depth(&patch.corners[k])]
            });
            let shades = normals.map(|n| dot(&n, &light));
            samples.fill(&corners, shades, patch.tint.rgb());
        }
        let rgb = samples.pixels();
        let size = (width / SAMPLES, height / SAMPLES);
        Image { corner, size, density, rgb, depths: samples.depths }
    }

    /// Returns whether a point of the drawing is behind a body by more than `tolerance` [units].
    pub(crate) fn hides(&self, (u, v): (f64, f64), depth: f64, tolerance: f64) -> bool {
        let fine = (self.density * SAMPLES) as f64;
        let (column, row) = ((u - self.corner.0) * fine, (v - self.corner.1) * fine);
        let (width, height) = (self.size.0 * SAMPLES, self.size.1 * SAMPLES);
        let within = column >= 0.0 && row >= 0.0 && column < width as f64 && row < height as f64;
        within && f64::from(self.depths[row as usize * width + column as usize]) > depth + tolerance
    }
}

/// What is seen at every sample.
struct Samples {
    width: usize,
    height: usize,
    depths: Vec<f32>,
    rgb: Vec<[u8; 3]>,
}

impl Samples {
    /// Fills a triangle, given by the column, row and depth of its corners, where it is in front of what is there.
    fn fill(&mut self, corners: &[[f64; 3]; 3], shades: [f64; 3], colour: [f64; 3]) {
        let [a, b, c] = corners;
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let ends = |i: usize, most: usize| {
            let low = a[i].min(b[i]).min(c[i]).max(0.0);
            let high = a[i].max(b[i]).max(c[i]).min(most as f64 - 1.0);
            (low as usize, high.max(0.0) as usize)
        };
        let ((left, right), (top, bottom)) = (ends(0, self.width), ends(1, self.height));
        for row in top..=bottom {
            let y = row as f64 + 0.5;
            for column in left..=right {
                let x = column as f64 + 0.5;
                // barycentric coordinates
                let q = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area;
                let r = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area;
                let p = 1.0 - q - r;
                if p < 0.0 || q < 0.0 || r < 0.0 {
                    continue;
                }
                let depth = (p * a[2] + q * b[2] + r * c[2]) as f32;
                let here = row * self.width + column;
                if depth > self.depths[here] {
                    let light = p * shades[0] + q * shades[1] + r * shades[2];
                    // light from all around as well, so that what is turned away is not flat
                    let shade = DARK + (1.0 - DARK) * (0.5 + 0.5 * light).clamp(0.0, 1.0);
                    self.depths[here] = depth;
                    self.rgb[here] = colour.map(|c| (c * shade).round() as u8);
                }
            }
        }
    }

    /// Returns the pixels, each the mean of its samples.
    fn pixels(&self) -> Vec<u8> {
        let (columns, rows) = (self.width / SAMPLES, self.height / SAMPLES);
        let mut out = Vec::with_capacity(3 * columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                let mut sum = [0_usize; 3];
                for k in 0..SAMPLES * SAMPLES {
                    let (i, j) = (column * SAMPLES + k % SAMPLES, row * SAMPLES + k / SAMPLES);
                    let sample = self.rgb[j * self.width + i];
                    (0..3).for_each(|c| sum[c] += usize::from(sample[c]));
                }
                out.extend(sum.map(|s| (s / (SAMPLES * SAMPLES)) as u8));
            }
        }
        out
    }
}

/// Returns the unit normal of a facet, towards the side it shows; zero for one without area.
fn facet_normal(patch: &Patch) -> Point {
    let [a, b, c] = &patch.corners;
    let normal = cross(&less(b, a), &less(c, a));
    if dot(&normal, &normal) > 0.0 { unit(&normal) } else { normal }
}

/// Returns the normals at the corners of every patch.
fn corner_normals(patches: &[Patch]) -> Vec<[Point; 3]> {
    let normals: Vec<Point> = patches.iter().map(facet_normal).collect();
    let mut meeting: HashMap<(usize, [u64; 3]), Vec<usize>> = HashMap::new();
    // (zero has two signs)
    let key = |patch: &Patch, k: usize| (patch.body, patch.corners[k].map(|x| (x + 0.0).to_bits()));
    for (i, patch) in patches.iter().enumerate() {
        (0..3).for_each(|k| meeting.entry(key(patch, k)).or_default().push(i));
    }
    let at_corner = |i: usize, k: usize| {
        let mut sum = [0.0; 3];
        for n in meeting.get(&key(&patches[i], k)).into_iter().flatten().map(|j| &normals[*j]) {
            if dot(n, &normals[i]) > CREASE {
                (0..3).for_each(|c| sum[c] += n[c]);
            }
        }
        if dot(&sum, &sum) > 0.0 { unit(&sum) } else { normals[i] }
    };
    (0..patches.len()).map(|i| [0, 1, 2].map(|k| at_corner(i, k))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tint::Tint;

    const FROM_ABOVE: [Point; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    fn seen(patches: &[Patch]) -> Image {
        let to = Projection { axes: FROM_ABOVE, scale: 10.0, origin: (0.0, 10.0) };
        Image::of(patches, &to, (0.0, 0.0), (10.0, 10.0), 2)
    }

    fn patch(corners: [Point; 3], body: usize) -> Patch {
        Patch { corners, body, tint: Tint::Body(body) }
    }

    /// Whether the pixel at a point of the unit square is rather blue (the first body) or ochre (the second).
    fn bluer(image: &Image, x: f64, y: f64) -> bool {
        let (column, row) = ((20.0 * x) as usize, (20.0 * (1.0 - y)) as usize);
        let at = 3 * (row * image.size.0 + column);
        image.rgb[at + 2] > image.rgb[at]
    }

    #[test]
    fn bodies_that_pierce_each_other_are_seen_where_they_are_in_front() {
        // two triangles over the same half square: one level at 0.5, the other rises with x from 0 to 1
        let level = patch([[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [1.0, 1.0, 0.5]], 0);
        let rising = patch([[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0]], 1);
        for patches in [[level.clone(), rising.clone()], [rising, level]] {
            let image = seen(&patches);
            assert!(bluer(&image, 0.3, 0.1) && !bluer(&image, 0.8, 0.1));
            assert!(image.hides((3.0, 9.0), 3.0, 0.1) && !image.hides((3.0, 9.0), 6.0, 0.1));
        }
        // its back is not seen
        let back = patch([[0.0, 0.0, 0.5], [1.0, 1.0, 0.5], [1.0, 0.0, 0.5]], 0);
        assert!(seen(&[back]).rgb.iter().all(|c| *c == 255));
    }

    #[test]
    fn small_bends_are_smooth_and_edges_are_sharp() {
        let roof = |slope: f64| {
            let ridge = [[0.5, 0.0, slope], [0.5, 1.0, slope]];
            let left = patch([[0.0, 0.0, 0.0], ridge[0], ridge[1]], 0);
            let right = patch([ridge[0], [1.0, 0.0, 0.0], ridge[1]], 0);
            corner_normals(&[left, right])
        };
        let [left, right] = [roof(0.1)[0][1], roof(0.1)[1][0]];
        assert_eq!(left, right, "a ridge of 23° is smooth");
        let [left, right] = [roof(1.0)[0][1], roof(1.0)[1][0]];
        assert!(dot(&left, &right) < 0.0, "a ridge of 127° is an edge");
    }
}
