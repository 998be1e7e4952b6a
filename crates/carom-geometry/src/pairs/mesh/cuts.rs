//! Linear functions on a triangle that a distance is nowhere below, and how low it can be by all of them.
//!
//! A linear function is known by its values at the three corners. With λ the shares of the corners, λ ≥ 0 and of sum 1, the least of the largest of several is where three of them are equal, two on a side, or one at
//! a corner.

use carom_base::Vec3;

/// Functions at most.
const MOST: usize = 10;

#[derive(Clone, Copy, Debug)]
pub(super) struct Cuts {
    values: [Vec3; MOST],
    count: usize,
}

impl Cuts {
    pub(super) const NONE: Cuts = Cuts { values: [Vec3::new(0.0, 0.0, 0.0); MOST], count: 0 };

    /// Adds the function with these values at the corners; of too many, that which is lowest at `at` makes room.
    pub(super) fn add(&mut self, values: Vec3, at: &Vec3) {
        if self.count < MOST {
            self.values[self.count] = values;
            self.count += 1;
            return;
        }
        let height = |k: &usize| self.values[*k].dot(at);
        let lowest = (0..MOST).min_by(|i, j| height(i).total_cmp(&height(j))).unwrap_or(0);
        self.values[lowest] = values;
    }

    /// The largest of all functions.
    fn largest(&self, at: &Vec3) -> f64 {
        self.values[..self.count].iter().map(|v| v.dot(at)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The least of the largest, and the shares of the corners there.
    pub(super) fn least(&self) -> (f64, Vec3) {
        let mut best = (f64::INFINITY, Vec3::x());
        let mut offer = |at: Vec3| {
            let value = self.largest(&at);
            if value < best.0 {
                best = (value, at);
            }
        };
        (0..3).for_each(|k| offer(Vec3::ith(k, 1.0)));
        let all = &self.values[..self.count];
        for (i, a) in all.iter().enumerate() {
            for (j, b) in all.iter().enumerate().skip(i + 1) {
                let u = a - b;
                for k in 0..3 {
                    // on the side across from corner k
                    let (x, y) = ((k + 1) % 3, (k + 2) % 3);
                    if u[x] * u[y] < 0.0 {
                        let share = u[x] / (u[x] - u[y]);
                        let mut at = Vec3::zeros();
                        (at[x], at[y]) = (1.0 - share, share);
                        offer(at);
                    }
                }
                for c in &all[j + 1..] {
                    let at = u.cross(&(a - c));
                    let at = at / at.sum();
                    if at.iter().all(|share| *share >= 0.0) {
                        offer(at);
                    }
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_the_largest_is_inside_on_a_side_or_at_a_corner() {
        let mut cuts = Cuts::NONE;
        cuts.add(Vec3::new(1.0, 2.0, 3.0), &Vec3::x());
        assert_eq!(cuts.least(), (1.0, Vec3::x()));
        cuts.add(Vec3::new(3.0, 2.0, 1.0), &Vec3::x());
        // any point between: both are 2 where the shares of the first and the last corner are equal
        assert_eq!(cuts.least().0, 2.0);
        let mut cuts = Cuts::NONE;
        (0..3).for_each(|k| cuts.add(Vec3::ith(k, 3.0), &Vec3::x()));
        let (value, at) = cuts.least();
        assert!((value - 1.0).abs() < 1e-15 && (at - Vec3::repeat(1.0 / 3.0)).norm() < 1e-15);
    }
}
