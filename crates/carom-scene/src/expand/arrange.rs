//! Places of equal balls in a box: at random, packed, and on lattices. Only sums, products, quotients and square roots are
//! used, so that places are the same on every machine.

use carom_base::Vec3;

use super::random::Random;

/// The space for the centres of balls, and the least distance between two of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    /// the least distance between two centres
    pub(super) apart: f64,
}

/// How many places are tried for a ball before there is said to be no room for it.
const TRIES: usize = 20_000;
/// How many times overlapping balls are pushed apart before they are said not to fit.
const SWEEPS: usize = 3000;

/// The balls by the cell that their centre is in. Cells are at least as wide as balls are apart, and not many more than balls.
#[derive(Debug)]
struct Cells {
    width: f64,
    low: Vec3,
    counts: [usize; 3],
    cells: Vec<Vec<usize>>,
}

impl Cells {
    /// Makes empty cells for so many balls.
    fn new(room: &Room, balls: usize) -> Cells {
        let size = room.high - room.low;
        let mut width = room.apart;
        let along = |width: f64| size.map(|s| (s / width).floor() + 1.0);
        while along(width).product() > (8 * balls + 1000) as f64 {
            width *= 1.25;
        }
        let counts = along(width).map(|n| n as usize);
        let counts = [counts.x, counts.y, counts.z];
        Cells { width, low: room.low, counts, cells: vec![Vec::new(); counts.iter().product()] }
    }

    fn of(room: &Room, points: &[Vec3]) -> Cells {
        let mut cells = Cells::new(room, points.len());
        points.iter().enumerate().for_each(|(i, x)| cells.add(i, x));
        cells
    }

    fn cell(&self, x: &Vec3) -> [usize; 3] {
        let index = |i: usize| (((x[i] - self.low[i]) / self.width) as usize).min(self.counts[i] - 1);
        [index(0), index(1), index(2)]
    }

    fn add(&mut self, i: usize, x: &Vec3) {
        let [a, b, c] = self.cell(x);
        self.cells[(c * self.counts[1] + b) * self.counts[0] + a].push(i);
    }

    /// Returns the balls in the cell of a point and in those around it.
    fn near(&self, x: &Vec3) -> impl Iterator<Item = usize> + '_ {
        let [a, b, c] = self.cell(x);
        let around = |i: usize, axis: usize| i.saturating_sub(1)..(i + 2).min(self.counts[axis]);
        let rows = around(c, 2)
            .flat_map(move |c| around(b, 1).map(move |b| (c * self.counts[1] + b) * self.counts[0]));
        rows.flat_map(move |row| around(a, 0).flat_map(move |a| &self.cells[row + a])).copied()
    }
}

/// Puts balls at random, one after the other, where none is. Returns those that found room, as many as asked for or fewer.
pub(super) fn random(room: &Room, count: usize, random: &mut Random) -> Vec<Vec3> {
    let mut points: Vec<Vec3> = Vec::new();
    let mut cells = Cells::new(room, count);
    while points.len() < count {
        let free = (0..TRIES)
            .map(|_| random.point(&room.low, &room.high))
            .find(|x| cells.near(x).all(|i| (points[i] - x).norm_squared() >= room.apart * room.apart));
        let Some(x) = free else { break };
        cells.add(points.len(), &x);
        points.push(x);
    }
    points
}

/// Puts balls at random, and pushes them apart until none overlap. Returns nothing if they do not fit.
pub(super) fn packed(room: &Room, count: usize, random: &mut Random) -> Option<Vec<Vec3>> {
    let mut points: Vec<Vec3> = (0..count).map(|_| random.point(&room.low, &room.high)).collect();
    // aiming a little wider, they end without overlap after a finite number of pushes
    let wide = room.apart * (1.0 + 2e-3);
    let wider = Room { apart: wide, ..*room };
    for _ in 0..SWEEPS {
        let cells = Cells::of(&wider, &points);
        if are_apart(room, &cells, &points) {
            return Some(points);
        }
        for i in 0..count {
            for j in cells.near(&points[i]).filter(|&j| j > i) {
                let between = points[j] - points[i];
                let square = between.norm_squared();
                if square < wide * wide {
                    let distance = square.sqrt();
                    let along = if distance > 0.0 { between / distance } else { Vec3::x() };
                    let push = along * (0.5 * (wide - distance));
                    points[i] = (points[i] - push).sup(&room.low).inf(&room.high);
                    points[j] = (points[j] + push).sup(&room.low).inf(&room.high);
                }
            }
        }
    }
    None
}

/// Returns whether no two balls overlap.
fn are_apart(room: &Room, cells: &Cells, points: &[Vec3]) -> bool {
    let free = |i: usize| {
        let near = cells.near(&points[i]).filter(|&j| j > i);
        near.into_iter().all(|j| (points[j] - points[i]).norm_squared() >= room.apart * room.apart)
    };
    (0..points.len()).all(free)
}

/// Returns the greatest number of balls, below one that does not fit, that [`packed`] finds room for.
pub(super) fn most_packed(room: &Room, count: usize, seed: u64) -> usize {
    let (mut fits, mut not) = (0, count);
    // the limit of dense random packings is a bound from above
    while not - fits > 1 + not / 50 {
        let middle = usize::midpoint(fits, not);
        match packed(room, middle, &mut Random(seed)) {
            Some(_) => fits = middle,
            None => not = middle,
        }
    }
    fits
}

/// Returns by how much the sites of layer k and row j are displaced along x and y, in steps.
type Offset = fn(i64, i64) -> [f64; 2];

/// Returns the first `most` sites of a lattice in a box, from its lowest corner, x first, then y, then z.
pub(super) fn lattice(room: &Room, kind: &str, most: usize) -> Vec<Vec3> {
    let a = room.apart;
    let root = f64::sqrt;
    // steps along x, y and z
    let (step, offset): (Vec3, Offset) = match kind {
        // the corners of cubes with edge 2 a/√3, and their centres
        "bcc" => (Vec3::new(2.0, 2.0, 1.0) * (a / root(3.0)), |k, _| [0.5 * (k % 2) as f64; 2]),
        // square layers with spacing a, each above the gaps of the one below, a/√2 higher
        "fcc" => (Vec3::new(a, a, a / root(2.0)), |k, _| [0.5 * (k % 2) as f64; 2]),
        // triangular layers, every other one above gaps of the one below, a √(2/3) higher
        "hexagonal" => (Vec3::new(a, a * root(3.0) / 2.0, a * root(2.0 / 3.0)), |k, j| {
            [0.5 * ((j + k) % 2) as f64, (k % 2) as f64 / 3.0]
        }),
        _ => (Vec3::new(a, a, a), |_, _| [0.0; 2]),
    };
    // a site on the far side of the box counts, whatever the last digit
    let inside = |x: f64, axis: usize| x <= room.high[axis] + 1e-9 * a;
    let along = |n: i64, shift: f64, axis: usize| room.low[axis] + (n as f64 + shift) * step[axis];
    let mut sites = Vec::new();
    for k in (0..).take_while(|&k| inside(along(k, 0.0, 2), 2)) {
        for j in (0..).take_while(|&j| inside(along(j, offset(k, j)[1], 1), 1)) {
            let [shift, across] = offset(k, j);
            for i in (0..).take_while(|&i| inside(along(i, shift, 0), 0)) {
                sites.push(Vec3::new(along(i, shift, 0), along(j, across, 1), along(k, 0.0, 2)));
                if sites.len() == most {
                    return sites;
                }
            }
        }
    }
    sites
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(size: f64, apart: f64) -> Room {
        Room { low: Vec3::zeros(), high: Vec3::repeat(size), apart }
    }

    fn least(points: &[Vec3]) -> f64 {
        let pairs = points.iter().enumerate().flat_map(|(i, a)| points[i + 1..].iter().map(move |b| (a, b)));
        pairs.map(|(a, b)| (a - b).norm()).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn no_two_places_are_too_near() {
        let room = room(10.0, 1.0);
        let one = random(&room, 400, &mut Random(1));
        assert_eq!(one.len(), 400);
        assert!(least(&one) >= 1.0);
        let dense = packed(&room, 900, &mut Random(1)).unwrap();
        assert!(least(&dense) >= 1.0 && dense.iter().all(|x| x.min() >= 0.0 && x.max() <= 10.0));
        assert_eq!(random(&room, 400, &mut Random(1)), one);
        assert_ne!(random(&room, 400, &mut Random(2)), one);
    }

    /// The numbers of balls of diameter 1 with centres in a box of side L are, for long boxes, the densities of the
    /// lattices: π/6, π√3/8, π/√18 and π/√18 of the space (Conway & Sloane, Sphere Packings, Lattices and Groups, table 1.2).
    #[test]
    fn lattices_have_their_densities_and_spacing() {
        let pi = std::f64::consts::PI;
        for (kind, density) in [
            ("cubic", pi / 6.0),
            ("bcc", pi * 3f64.sqrt() / 8.0),
            ("fcc", pi / 18f64.sqrt()),
            ("hexagonal", pi / 18f64.sqrt()),
        ] {
            let sites = |size: f64| lattice(&room(size, 1.0), kind, usize::MAX);
            let small = sites(4.0);
            assert!((least(&small) - 1.0).abs() < 1e-12, "{kind}: {}", least(&small));
            // on the sides of the box there are up to half a layer too many or too few: of 100 layers, 3 %
            let is = sites(100.0).len() as f64 * pi / 6.0 / 100.5f64.powi(3);
            assert!((is - density).abs() < 0.03 * density, "{kind}: {is} {density}");
        }
    }
}
